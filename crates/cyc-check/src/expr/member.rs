//! Members of structs, unions and tuples (core, sections 3.8 and 3.9).

use crate::coerce::Want;
use crate::cx::Checker;
use crate::errors;
use crate::scope::nearest;
use crate::tast::{Place, PlaceKind};
use cyc_base::{Span, Symbol};
use cyc_syntax::ast::{self, Ident};
use cyc_types::{AggrId, Kind, QTy, Ty, TyKind};

impl Checker<'_> {
    /// `e.f` and `e->f`.
    pub(crate) fn check_member(&mut self, base: &ast::Expr, name: Ident, arrow: bool, span: Span) -> Place {
        let object = match arrow {
            false => self.check_place(base),
            true => {
                let pointer = self.check_expr(base, Want::None);
                if !pointer.is_error() && self.pointer_of(pointer.ty).is_none() && self.has_members(pointer.ty) {
                    let found = self.show(pointer.ty);
                    self.report(errors::expr::arrow_on_struct(name.span, base.span, &found));
                    return Place::error(span);
                }
                self.deref(pointer, base.span, "->")
            }
        };
        if object.is_error() {
            return Place::error(span);
        }
        self.member(object, name, span)
    }

    fn has_members(&self, ty: Ty) -> bool {
        matches!(self.kind_of(ty), TyKind::Aggr(_) | TyKind::Tuple(_))
    }

    /// The named part of a struct, union or tuple; members of anonymous members count as its own.
    pub(crate) fn member(&mut self, object: Place, name: Ident, span: Span) -> Place {
        match self.kind_of(object.qty.ty).clone() {
            TyKind::Aggr(id) => self.field(object, id, name, span),
            TyKind::Tuple(parts) => {
                let index = name.name.as_str().strip_prefix('f').and_then(|k| k.parse::<usize>().ok());
                let Some((k, part)) = index.and_then(|k| parts.get(k).map(|p| (k, *p))) else {
                    let found = self.show(object.qty.ty);
                    self.report(errors::expr::no_component(name, &found, parts.len()));
                    return Place::error(span);
                };
                let qty = QTy { is_const: part.is_const || object.qty.is_const, ..part };
                Place { qty, span, kind: PlaceKind::Component(Box::new(object), k as u32) }
            }
            TyKind::Pointer(p) if self.has_members(p.to.ty) => {
                let found = self.show(object.qty.ty);
                self.report(errors::expr::dot_on_pointer(name.span, object.span, &found));
                Place::error(span)
            }
            TyKind::Infer(_) => {
                self.report(errors::expr::unknown_type(object.span));
                Place::error(span)
            }
            _ => {
                let found = self.show(object.qty.ty);
                self.report(errors::expr::no_members(name, object.span, &found));
                Place::error(span)
            }
        }
    }

    fn field(&mut self, object: Place, id: AggrId, name: Ident, span: Span) -> Place {
        let aggr = self.unit.types.aggr(id);
        if aggr.fields.is_none() {
            let (found, declared) = (self.show(object.qty.ty), aggr.span);
            self.report(errors::expr::incomplete(name.span, object.span, &found, declared));
            return Place::error(span);
        }
        let Some(path) = self.field_path(id, name.name) else {
            let near = nearest(name.name, self.field_names(id).into_iter());
            let (found, declared) = (self.show(object.qty.ty), self.unit.types.aggr(id).span);
            self.report(errors::expr::no_field(name, &found, near, declared));
            return Place::error(span);
        };
        let mut place = object;
        for (aggr, index) in path {
            let Some(field) = self.unit.types.fields(aggr).and_then(|f| f.get(index as usize)) else {
                return Place::error(span);
            };
            let found = field.qty.ty;
            if self.is_hidden_field(aggr, index) {
                self.report(errors::poly::hidden_field(name, self.unit.types.aggr(aggr).span));
                return Place::error(span);
            }
            if index > 0 && self.type_kind(found) == Kind::A && self.mentions_variable(found) {
                let shown = self.show(found);
                self.report(errors::poly::field_of_unknown_place(name, &shown));
                return Place::error(span);
            }
            let Some(field) = self.unit.types.fields(aggr).and_then(|f| f.get(index as usize)) else {
                return Place::error(span);
            };
            let qty = QTy {
                ty: field.qty.ty,
                is_const: field.qty.is_const || place.qty.is_const,
                is_volatile: field.qty.is_volatile || place.qty.is_volatile,
            };
            if let Some(condition) = field.when {
                place = self.guarded_union(place, condition, span);
                if place.is_error() {
                    return place;
                }
            }
            place = Place { qty, span, kind: PlaceKind::Field(Box::new(place), index) };
        }
        place
    }

    /// The way to a named field, through anonymous members: pairs of aggregate and field index.
    pub(crate) fn field_path(&self, id: AggrId, name: Symbol) -> Option<Vec<(AggrId, u32)>> {
        let fields = self.unit.types.fields(id)?;
        if let Some(i) = fields.iter().position(|f| f.name == Some(name)) {
            return Some(vec![(id, i as u32)]);
        }
        fields.iter().enumerate().filter(|(_, f)| f.name.is_none()).find_map(|(i, f)| match self.kind_of(f.qty.ty) {
            TyKind::Aggr(inner) => {
                let mut path = vec![(id, i as u32)];
                path.extend(self.field_path(*inner, name)?);
                Some(path)
            }
            _ => None,
        })
    }

    fn field_names(&self, id: AggrId) -> Vec<Symbol> {
        let fields = self.unit.types.fields(id).unwrap_or_default();
        let mut names = vec![];
        for field in fields {
            match (field.name, self.kind_of(field.qty.ty)) {
                (Some(name), _) => names.push(name),
                (None, TyKind::Aggr(inner)) => names.extend(self.field_names(*inner)),
                _ => {}
            }
        }
        names
    }

    /// The member of a tagged union that the place is, or is a part of. Its address is never taken: writing another
    /// member would make it a pointer to something else.
    pub(crate) fn reject_tagged_address(&mut self, place: &Place) -> bool {
        let mut at = place;
        while let PlaceKind::Field(inner, _) | PlaceKind::Component(inner, _) | PlaceKind::Element(inner, _) = &at.kind
        {
            if let (PlaceKind::Field(_, index), TyKind::Aggr(id)) = (&at.kind, self.kind_of(inner.qty.ty))
                && self.unit.types.aggr(*id).tagged
            {
                let aggr = self.unit.types.aggr(*id);
                let name = aggr.fields.as_ref().and_then(|f| f[*index as usize].name);
                let declared = aggr.span;
                self.report(errors::datatype::member_address(place.span, name, declared));
                return true;
            }
            at = inner;
        }
        false
    }

    /// Is a member of the union reached only where it is the one that the union has?
    fn has_conditions(&self, id: AggrId) -> bool {
        let fields = self.unit.types.fields(id).unwrap_or_default();
        fields.iter().all(|field| field.when.is_some())
    }

    /// A member of an untagged union may be read, or pointed to, only if any bits are a value of it:
    /// another member may have been written last.
    pub(crate) fn check_union_read(&mut self, place: &Place) -> bool {
        let mut at = place;
        loop {
            match &at.kind {
                PlaceKind::Field(inner, index) => {
                    if let TyKind::Aggr(id) = self.kind_of(inner.qty.ty)
                        && self.unit.types.aggr(*id).is_union
                        && !self.unit.types.aggr(*id).tagged
                        && !self.has_conditions(*id)
                        && !self.any_bits(place.qty.ty)
                    {
                        let aggr = self.unit.types.aggr(*id);
                        let field = aggr.fields.as_ref().and_then(|f| f[*index as usize].name);
                        let (name, declared) = (field, aggr.span);
                        let found = self.show(place.qty.ty);
                        self.report(errors::expr::union_read(place.span, name, &found, declared));
                        return false;
                    }
                    at = inner;
                }
                PlaceKind::Component(inner, _) | PlaceKind::Element(inner, _) => at = inner,
                PlaceKind::Local(_)
                | PlaceKind::Global(_)
                | PlaceKind::Deref(_)
                | PlaceKind::Index(..)
                | PlaceKind::Temp(_) => {
                    return true;
                }
            }
        }
    }
}
