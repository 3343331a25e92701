//! Definitions of structs and unions (core, section 3.9).

use crate::cx::Checker;
use crate::errors;
use crate::scope::{NamespaceId, Tag};
use crate::types::{Binders, Position};
use cyc_base::{Span, Symbol};
use cyc_syntax::ast::{self, Ident};
use cyc_types::{AggrId, Aqual, Constraint, Field, Kind, QTy, Size, Ty, TyKind, TyParam};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// What makes anonymous structs and unions the same type: kind, layout, and the fields in order.
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct AnonymousShape {
    is_union: bool,
    packed: bool,
    align: Option<u32>,
    /// Those of the named definition around.
    params: Vec<TyParam>,
    fields: Vec<FieldShape>,
}

/// Name, type, width, alignment, packing.
type FieldShape = (Option<Symbol>, QTy, Option<u32>, Option<u32>, bool);

impl AnonymousShape {
    fn new(is_union: bool, packed: bool, align: Option<u32>, params: &[TyParam], fields: &[Field]) -> AnonymousShape {
        let fields = fields.iter().map(|f| (f.name, f.qty, f.bits, f.align, f.packed)).collect();
        AnonymousShape { is_union, packed, align, params: params.to_vec(), fields }
    }
}

/// What a definition says of a struct or union.
#[derive(Clone)]
struct Parts {
    fields: Vec<Field>,
    /// What it hides.
    exists: Vec<TyParam>,
    constraints: Vec<Constraint>,
}

impl Checker<'_> {
    /// `struct S { … }`: gives the tag its fields. An identical repetition is allowed.
    pub(crate) fn define_aggr(&mut self, def: &ast::AggrDef, attrs: &[ast::Attr]) -> Ty {
        if let Some(&known) = self.decls.defined.get(&def.id) {
            return known;
        }
        if let Some(hiding) = with_hidden_tags(def) {
            return self.define_aggr(&hiding, attrs);
        }
        let (name, namespace) = match &def.name {
            Some(name) => match self.declared_name(name) {
                Some((ident, namespace)) => (ident.name, namespace),
                None => return Ty::ERROR,
            },
            None => (self.decls.anonymous_tag(), self.names.target()),
        };
        let span = def.name.as_ref().map_or(def.span, |n| n.span);
        let (params, exists) = self.aggr_params(def);
        let (id, repeats) = match self.in_namespace(namespace, |c| c.tag_to_define(def, name, &params, span)) {
            Ok(found) => found,
            Err(ty) => return ty,
        };
        if crate::region::OF_THE_RUN_TIME.contains(&self.unit.types.aggr(id).name.as_str()) {
            let name = self.unit.types.aggr(id).name;
            self.report(errors::effect::dynamic_region_defined(span, name));
            return Ty::ERROR;
        }
        if self.unit.types.aggr(id).thread_safe {
            self.report(errors::thread::thread_safe_misplaced(span));
        }
        let ty = self.unit.types.intern(TyKind::Aggr(id));
        self.decls.defined.insert(def.id, ty);
        self.agree_on_tagged(ty, def.tagged, span);
        if !repeats {
            let aggr = self.unit.types.aggr_mut(id);
            aggr.span = span;
            aggr.params = params.clone();
            aggr.exists = exists.clone();
        }
        let parts = self.definition_parts(id, def, params, exists, repeats);
        let id = match repeats {
            false => id,
            true => match self.define_again(id, def, (name, namespace, span), &parts) {
                Some(id) => id,
                None => return ty,
            },
        };
        let ty = self.unit.types.intern(TyKind::Aggr(id));
        let Parts { fields, constraints, .. } = parts;
        let layout = self.declaration_attributes(&[&def.attrs, attrs]);
        if def.name.is_none() && !self.decls.c_text {
            // Anonymous types are compared by structure: equal ones are one type. (Not in C.)
            let params = &self.unit.types.aggr(id).params;
            let shape = AnonymousShape::new(def.is_union, layout.packed, layout.align, params, &fields);
            if let Some(&known) = self.decls.anonymous_shapes.get(&shape) {
                self.decls.defined.insert(def.id, known);
                return known;
            }
            self.decls.anonymous_shapes.insert(shape, ty);
        }
        let aggr = self.unit.types.aggr_mut(id);
        aggr.fields = Some(fields);
        aggr.constraints = constraints;
        aggr.packed |= layout.packed;
        aggr.align = layout.align.max(aggr.align);
        aggr.from_c_text = self.decls.c_text;
        self.reject_packed_pointers(id);
        if self.unit.types.aggr_layout(id).is_none() && self.all_placed(id) {
            let shown = self.show(ty);
            self.report(errors::types::too_large(span, &shown));
        }
        ty
    }

    /// What stands between the braces.
    fn definition_parts(
        &mut self,
        id: AggrId,
        def: &ast::AggrDef,
        params: Vec<TyParam>,
        exists: Vec<TyParam>,
        repeats: bool,
    ) -> Parts {
        self.decls.defining.push(id);
        // Function types around the definition do not bind anything in it.
        let own = Binders::of_definition(params.into_iter().chain(exists.iter().copied()).collect());
        let around = std::mem::replace(&mut self.binders, own);
        self.binders.tags.extend(def.fields.iter().filter_map(tag_field));
        let fields = self.check_fields(def, repeats);
        let constraints = self.resolve_constraints(&def.constraints, Position::Field);
        self.binders = around;
        self.decls.defining.pop();
        if def.tagged {
            self.check_tagged_members(&fields);
        }
        Parts { fields, exists, constraints }
    }

    /// A definition of what has one: the struct or union that gets its parts; None if none does.
    fn define_again(
        &mut self,
        id: AggrId,
        def: &ast::AggrDef,
        (name, namespace, span): (Symbol, NamespaceId, Span),
        parts: &Parts,
    ) -> Option<AggrId> {
        if self.same_definition(id, &parts.fields, &parts.exists) {
            return None;
        }
        let (old, from_c) = (self.unit.types.aggr(id).span, self.unit.types.aggr(id).from_c_text);
        let shown = self.show(self.unit.types.intern(TyKind::Aggr(id)));
        if self.decls.overriding {
            match self.field_unlike_c(id, &parts.fields) {
                Some(unlike) => {
                    self.report(errors::decl::override_of_struct(span, &shown, unlike.map(|f| f.span), old));
                }
                None => {
                    let Parts { fields, exists, constraints } = parts.clone();
                    let aggr = self.unit.types.aggr_mut(id);
                    (aggr.fields, aggr.exists, aggr.constraints) = (Some(fields), exists, constraints);
                }
            }
            return None;
        }
        if !from_c || self.decls.c_text {
            self.report(errors::decl::redefined_type(span, &shown, old));
            return None;
        }
        // What C text defines is C's; Cyclone's own definition is another type, and takes the name.
        let params = self.unit.types.aggr(id).params.clone();
        let id = self.in_namespace(namespace, |c| c.declare_aggr(name, def.is_union, params, span));
        self.unit.types.aggr_mut(id).exists = parts.exists.clone();
        let ty = self.unit.types.intern(TyKind::Aggr(id));
        self.decls.defined.insert(def.id, ty);
        Some(id)
    }

    /// The collector finds pointers at multiples of their size, which a packed field need not be at. (C's own structs hold
    /// C's pointers.)
    fn reject_packed_pointers(&mut self, id: AggrId) {
        let (aggr, fields) = (self.unit.types.aggr(id), self.unit.types.fields(id).unwrap_or_default());
        if aggr.from_c_text {
            return;
        }
        let packed = fields.iter().filter(|field| aggr.packed || field.packed);
        let pointers: Vec<Span> = packed.filter(|f| self.unit.types.may_point(f.qty.ty)).map(|f| f.span).collect();
        pointers.into_iter().for_each(|span| self.report(errors::types::packed_pointer(span)));
    }

    /// Has every field a layout of its own? (Else what is wrong was reported with the field.)
    fn all_placed(&self, id: AggrId) -> bool {
        let open =
            |ty| matches!(self.unit.types.kind(ty), TyKind::Array { len: None, .. }) || self.unit.types.ends_open(ty);
        self.unit.types.fields(id).unwrap_or_default().iter().all(|f| open(f.qty.ty) || self.layout(f.qty.ty).is_some())
    }

    /// The aggregate that a definition is for, and whether it has a definition already.
    fn tag_to_define(
        &mut self,
        def: &ast::AggrDef,
        name: Symbol,
        params: &[TyParam],
        span: Span,
    ) -> Result<(AggrId, bool), Ty> {
        if def.name.is_none() {
            return Ok((self.new_aggr(name, true, def.is_union, params.to_vec(), span), false));
        }
        match self.names.tag_here(name) {
            Some((Tag::Aggr(id), _)) if self.unit.types.aggr(id).is_union == def.is_union => {
                match self.same_params(id, params, span) {
                    true => Ok((id, self.unit.types.aggr(id).fields.is_some())),
                    false => Err(Ty::ERROR),
                }
            }
            Some((tag, _)) => {
                let (word, before) = self.describe_tag(tag);
                let new = if def.is_union { "union" } else { "struct" };
                self.report(errors::decl::tag_of_another_kind(span, name, new, word, before));
                Err(Ty::ERROR)
            }
            None => Ok((self.declare_aggr(name, def.is_union, params.to_vec(), span), false)),
        }
    }

    /// The parameters of a definition and what it hides, their kinds from its fields. An anonymous struct has the
    /// variables of the definition around.
    fn aggr_params(&mut self, def: &ast::AggrDef) -> (Vec<TyParam>, Vec<TyParam>) {
        if def.name.is_none() {
            return (self.binders.own.clone(), vec![]);
        }
        let uses = self.uses(|walk| walk.fields(def));
        let mut params = self.declare_params(&def.params, &uses, Aqual::Restricted);
        self.reject_unsized_params(&mut params, &def.params, "a struct");
        let mut exists = self.declare_params(&def.existentials, &uses, Aqual::Aliasable);
        self.reject_unsized_params(&mut exists, &def.existentials, "a struct");
        (params, exists)
    }

    /// Do the parameters agree with those of an earlier declaration in number and kind?
    fn same_params(&mut self, id: AggrId, params: &[TyParam], span: Span) -> bool {
        let aggr = self.unit.types.aggr(id);
        let kinds = |list: &[TyParam]| list.iter().map(|p| p.kind).collect::<Vec<_>>();
        if kinds(&aggr.params) == kinds(params) {
            return true;
        }
        let (name, before) = (aggr.name, aggr.span);
        let old = aggr.params.clone();
        self.report(errors::poly::parameters_differ(span, name, params, before, &old));
        false
    }

    /// Arguments of a declaration without a body, which bind variables.
    pub(super) fn binder_list(&mut self, args: &[Rc<ast::Type>]) -> Option<Vec<ast::TypeVar>> {
        let mut list = vec![];
        for arg in args {
            match &arg.kind {
                ast::TypeKind::Var(var) => list.push(var.clone()),
                _ => self.report(errors::poly::not_a_binder(arg.span)),
            }
        }
        (list.len() == args.len()).then_some(list)
    }

    /// `` struct S<`a,`r::E>; ``: declares the tag; the kinds that are not B must be written.
    pub(crate) fn forward_aggr(
        &mut self,
        is_union: bool,
        tagged: bool,
        name: &ast::Name,
        args: &[Rc<ast::Type>],
    ) -> Option<AggrId> {
        let (ident, namespace) = self.declared_name(name)?;
        let list = self.binder_list(args)?;
        let uses = self.uses(|_| {});
        let mut params = self.declare_params(&list, &uses, Aqual::Restricted);
        self.reject_unsized_params(&mut params, &list, "a struct");
        self.in_namespace(namespace, |c| c.forward_here(is_union, tagged, ident, params))
    }

    fn forward_here(&mut self, is_union: bool, tagged: bool, ident: Ident, params: Vec<TyParam>) -> Option<AggrId> {
        match self.names.tag_here(ident.name) {
            Some((Tag::Aggr(id), _)) if self.unit.types.aggr(id).is_union == is_union => {
                if self.same_params(id, &params, ident.span) {
                    let ty = self.unit.types.intern(TyKind::Aggr(id));
                    self.agree_on_tagged(ty, tagged, ident.span);
                }
                Some(id)
            }
            Some((tag, _)) => {
                let (word, before) = self.describe_tag(tag);
                let new = if is_union { "union" } else { "struct" };
                self.report(errors::decl::tag_of_another_kind(ident.span, ident.name, new, word, before));
                None
            }
            None => {
                let id = self.declare_aggr(ident.name, is_union, params, ident.span);
                self.unit.types.aggr_mut(id).tagged = tagged;
                Some(id)
            }
        }
    }

    fn check_fields(&mut self, def: &ast::AggrDef, repeats: bool) -> Vec<Field> {
        let mut fields = vec![];
        let mut seen: FxHashMap<Symbol, Span> = FxHashMap::default();
        for (i, decl) in def.fields.iter().enumerate() {
            let last = i + 1 == def.fields.len() && !def.is_union;
            let Some(field) = self.check_field(decl, last) else { continue };
            if !def.existentials.is_empty() && self.is_of_hidden_size(field.qty.ty) {
                let shown = self.show(field.qty.ty);
                self.report(errors::poly::unsized_variable(field.span, "a field of a struct that hides types", &shown));
            }
            if let Some(name) = field.name {
                if let Some(before) = seen.insert(name, field.span) {
                    self.report(errors::types::duplicate_field(field.span, name, before));
                }
            } else if !repeats {
                self.promoted_names(field.qty.ty, &mut seen);
            }
            fields.push(field);
        }
        self.check_conditions(def, &fields);
        let open = |ty| matches!(self.unit.types.kind(ty), TyKind::Array { len: None, .. } | TyKind::OpenArray { .. });
        if let Some(last) = fields.last()
            && open(last.qty.ty)
            && !fields[..fields.len() - 1].iter().any(|field| field.name.is_some())
            && !self.decls.c_text
        {
            self.report(errors::types::flexible_array_alone(last.span));
        }
        fields
    }

    /// Is the type of a field of any size, which a struct that hides types could not tell?
    fn is_of_hidden_size(&self, ty: Ty) -> bool {
        matches!(self.kind_of(ty), TyKind::Var(_) | TyKind::Aggr(_)) && self.type_kind(ty) == Kind::A
    }

    /// The names that an anonymous member brings into the aggregate around it.
    fn promoted_names(&mut self, ty: Ty, seen: &mut FxHashMap<Symbol, Span>) {
        let TyKind::Aggr(id) = *self.unit.types.kind(ty) else { return };
        let members: Vec<(Option<Symbol>, Ty, Span)> =
            self.unit.types.fields(id).unwrap_or_default().iter().map(|f| (f.name, f.qty.ty, f.span)).collect();
        for (name, ty, at) in members {
            match name {
                None => self.promoted_names(ty, seen),
                Some(name) => {
                    if let Some(before) = seen.insert(name, at) {
                        self.report(errors::types::duplicate_field(at, name, before));
                    }
                }
            }
        }
    }

    /// One field: of known size, or the flexible array that ends a struct; None if it does not count.
    fn check_field(&mut self, decl: &ast::FieldDecl, last: bool) -> Option<Field> {
        let qty = match self.open_array(decl, last) {
            Some(open) => open,
            None => self.resolve_type(&decl.ty, Position::Field),
        };
        let attrs = self.declaration_attributes(&[&decl.attrs]);
        let mut qty = self.apply_mode(qty, attrs.mode);
        if !self.require_closed(qty.ty, decl.ty.span) {
            qty.ty = Ty::ERROR;
        }
        qty.ty = self.apply_function_attributes(qty.ty, &[&decl.attrs]);
        let span = decl.name.map_or(decl.span, |n| n.span);
        if decl.name.is_none() && decl.width.is_none() && qty.ty != Ty::ERROR {
            let nameable =
                matches!(self.unit.types.kind(qty.ty), TyKind::Aggr(id) if self.unit.types.aggr(*id).anonymous);
            if !nameable {
                if !self.decls.c_text {
                    self.report(errors::types::nameless_field(span));
                }
                return None;
            }
        }
        let bits = match &decl.width {
            None => {
                self.field_size(&mut qty, span, last);
                None
            }
            Some(width) => Some(self.bit_field_width(width, qty, decl.name.map(|n| n.name), decl.ty.span)?),
        };
        let align = attrs.align.max(self.typedef_align(&decl.ty));
        let when = self.member_condition(decl);
        Some(Field { name: decl.name.map(|n| n.name), qty, bits, align, packed: attrs.packed, when, span })
    }

    /// `` T x[valueof(`i)] `` at a struct's end.
    fn open_array(&mut self, decl: &ast::FieldDecl, last: bool) -> Option<QTy> {
        let ast::TypeKind::Array { elem, len: Some(len), zeroterm: None | Some(false) } = &decl.ty.kind else {
            return None;
        };
        if !self.is_size(len) {
            return None;
        }
        if !last {
            self.report(errors::types::flexible_array_not_last(len.span));
            return Some(Ty::ERROR.into());
        }
        let elem = self.resolve_type(elem, Position::Field);
        let ty = match self.size_expr(len, Position::Field) {
            Size::Error => Ty::ERROR,
            _ if elem.ty == Ty::ERROR => Ty::ERROR,
            Size::Const(len) => self.unit.types.intern(TyKind::Array { elem, len: Some(len), zeroterm: false }),
            len => self.unit.types.intern(TyKind::OpenArray { elem, len }),
        };
        Some(ty.into())
    }

    /// A field that is not a bit-field needs a size; its type becomes the error type if it has none.
    fn field_size(&mut self, qty: &mut QTy, span: Span, last: bool) {
        if let TyKind::Array { elem, len: None, .. } | TyKind::OpenArray { elem, .. } = *self.unit.types.kind(qty.ty) {
            if !last {
                self.report(errors::types::flexible_array_not_last(span));
                qty.ty = Ty::ERROR;
            } else if !self.require_sized(elem.ty, span, "an array element") {
                qty.ty = Ty::ERROR;
            }
        } else if last && (self.unit.types.ends_open(qty.ty) || self.is_open_variable(qty.ty)) {
            // The struct is then of unknown size itself (core, sections 3.2 and 3.11).
        } else if !self.require_sized(qty.ty, span, "a field") {
            qty.ty = Ty::ERROR;
        }
    }

    /// A variable of kind A, or what ends with one.
    fn is_open_variable(&self, ty: Ty) -> bool {
        matches!(self.unit.types.kind(ty), TyKind::Var(_) | TyKind::Aggr(_))
            && self.unit.types.is_complete(ty)
            && !self.is_sized(ty)
    }

    /// The width of a bit-field: an integral type, 0 only without name, at most the type's bits.
    fn bit_field_width(&mut self, width: &ast::Expr, qty: QTy, name: Option<Symbol>, span: Span) -> Option<u32> {
        if !self.require_defined_enum(qty.ty, span) {
            return None;
        }
        let most = match self.unit.types.kind(qty.ty) {
            TyKind::Error => return None,
            TyKind::Bool => 1,
            TyKind::Int(int) => int.bits(),
            TyKind::Enum(id) => self.unit.types.enumeration(*id).underlying.bits(),
            _ => {
                let shown = self.show_q(qty);
                self.report(errors::types::bit_field_type(span, &shown));
                return None;
            }
        };
        let value = self.require_const_int(width, |span| errors::types::bit_field_width(span, None, most))?;
        match (u32::try_from(value), name) {
            (Ok(0), Some(name)) => {
                self.report(errors::types::bit_field_zero_named(width.span, name));
                None
            }
            (Ok(n), _) if n <= most => Some(n),
            _ => {
                self.report(errors::types::bit_field_width(width.span, Some(value), most));
                None
            }
        }
    }

    /// A repeated definition must have the same fields in the same order.
    fn same_definition(&self, id: AggrId, fields: &[Field], exists: &[TyParam]) -> bool {
        let hidden = |list: &[TyParam]| list.iter().map(|p| (p.kind, p.bound)).collect::<Vec<_>>();
        let old = self.unit.types.aggr(id);
        let hides_same = hidden(&old.exists) == hidden(exists);
        old.fields.as_ref().is_some_and(|old| {
            hides_same
                && old.len() == fields.len()
                && old.iter().zip(fields).all(|(a, b)| {
                    a.name == b.name
                        && a.bits == b.bits
                        && a.when == b.when
                        && (a.qty.is_const, a.qty.is_volatile) == (b.qty.is_const, b.qty.is_volatile)
                        && self.unit.types.equivalent(a.qty.ty, b.qty.ty)
                })
        })
    }
}

/// A field that is a tag: its name, and that of its integer.
fn tag_field(field: &ast::FieldDecl) -> Option<(Symbol, Symbol)> {
    let ast::TypeKind::Tag(Some(of)) = &field.ty.kind else { return None };
    match &of.kind {
        ast::TypeKind::Var(var) => Some((field.name?.name, var.name)),
        _ => None,
    }
}

/// `tag_t n;` among the fields of a struct is short for ``tag_t<`n> n;`` of an integer that the struct hides: None if there
/// is no such field.
fn with_hidden_tags(def: &ast::AggrDef) -> Option<ast::AggrDef> {
    let bare = |field: &ast::FieldDecl| matches!(field.ty.kind, ast::TypeKind::Tag(None)) && field.name.is_some();
    if def.is_union || def.name.is_none() || !def.fields.iter().any(bare) {
        return None;
    }
    let mut def = def.clone();
    for field in def.fields.iter_mut().filter(|field| bare(field)) {
        let Some(Ident { name, span }) = field.name else { continue };
        let var = ast::TypeVar { name: Symbol::new(&format!("`{name}")), kind: None, alias: None, span };
        let of = |kind| ast::Type { kind, quals: Default::default(), attrs: vec![], span };
        let tag = ast::TypeKind::Tag(Some(Rc::new(of(ast::TypeKind::Var(var.clone())))));
        field.ty = Rc::new(ast::Type { kind: tag, ..(*field.ty).clone() });
        def.existentials.push(var);
    }
    Some(def)
}
