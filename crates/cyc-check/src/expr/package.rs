//! Existential structs (core, section 3.10): values of them hide the types that they were made with.

use crate::cx::{Checker, Hidden};
use crate::decl::widened::Hides;
use crate::errors;
use crate::init::{Item, Rest};
use crate::region::{Flow, RegionReason};
use crate::tast::{Expr, ExprKind};
use crate::types::Position;
use crate::types::kinds::is_reserved;
use cyc_base::{Span, Symbol};
use cyc_syntax::ast::{self, Ident, InitList, TypeKind};
use cyc_types::{AggrId, Arg, Constraint, Field, Kind, Part, QTy, Region, Size, Ty, TyKind, TyParam, Var};
use std::rc::Rc;

/// Where a field holds narrow values that are hidden.
enum Widens {
    /// Nowhere, or where they are widened.
    Always,
    /// In the results of a function, which can be widened if it is known.
    Results(Hides),
    Never,
}

impl Checker<'_> {
    /// `S{<T,…> …}`: the hidden types are given, the rest of them inferred.
    pub(crate) fn check_package(&mut self, list: &InitList, written: &[Rc<ast::Type>], ty: Ty, span: Span) -> Expr {
        let TyKind::Aggr(id) = *self.kind_of(ty) else { return Expr::error(span) };
        let exists = self.unit.types.aggr(id).exists.clone();
        if let Some(extra) = written.get(exists.len()) {
            let (shown, declared) = (self.show(ty), self.unit.types.aggr(id).span);
            self.report(errors::poly::too_many_witnesses(extra.span, &shown, exists.len(), written.len(), declared));
            return Expr::error(span);
        }
        let mut witnesses = vec![];
        for (i, param) in exists.iter().enumerate() {
            let arg = match written.get(i) {
                Some(written) => self.resolve_arg(written, *param, Position::Cast),
                None => Some(self.fresh_arg(*param, span)),
            };
            let Some(arg) = arg else { return Expr::error(span) };
            witnesses.push(arg);
        }
        match self.items_of(list, ty) {
            Some(items) => self.package(&items, id, &witnesses, span),
            None => Expr::error(span),
        }
    }

    /// The value of an existential struct whose hidden variables stand for `witnesses`.
    pub(crate) fn package(&mut self, items: &[Item], id: AggrId, witnesses: &[Arg], span: Span) -> Expr {
        let ty = self.unit.types.intern(TyKind::Aggr(id));
        let fields = self.fields_with(id, witnesses);
        let mut values = self.struct_fields(items, &fields, ty, Rest::Required, span);
        let sound = self.check_witnesses(id, witnesses, values.as_deref_mut().unwrap_or_default(), span);
        self.demand_constraints(id, witnesses, span);
        match values {
            Some(values) if sound => Expr { kind: ExprKind::Aggregate(values), ty, span },
            _ => Expr::error(span),
        }
    }

    /// The fields of a struct, its hidden variables replaced.
    fn fields_with(&self, id: AggrId, hidden: &[Arg]) -> Vec<Field> {
        let types = &self.unit.types;
        let args: Vec<Arg> = types.args(types.aggr_args(id)).iter().chain(hidden).copied().collect();
        let at = |f: &Field| Field { qty: QTy { ty: types.substitute_own(f.qty.ty, &args), ..f.qty }, ..f.clone() };
        types.aggr(id).fields.iter().flatten().map(at).collect()
    }

    /// What the definition demands of the hidden variables, and of its parameters.
    fn demand_constraints(&mut self, id: AggrId, witnesses: &[Arg], span: Span) {
        let name = Some(self.unit.types.aggr(id).name);
        for (i, what) in self.constraints_with(id, witnesses).into_iter().enumerate() {
            self.require_constraint(what, RegionReason::new(span, Flow::Constraint(i as u32 + 1, name)));
        }
    }

    /// The constraints of a struct's definition, its parameters and hidden variables replaced.
    fn constraints_with(&self, id: AggrId, hidden: &[Arg]) -> Vec<Constraint> {
        let types = &self.unit.types;
        let args: Vec<Arg> = types.args(types.aggr_args(id)).iter().chain(hidden).copied().collect();
        let args = self.final_args(types.intern_args(args));
        let list = &types.aggr(id).constraints;
        list.iter().map(|c| types.substitute_own_constraint(*c, types.args(args))).collect()
    }

    /// Code that unpacks the value takes a hidden type for one of 8 bytes. A witness that may be of 4 bytes can only be
    /// hidden where its values lie in a field of their own, or in the registers of a call: there they are widened; or
    /// where there are none, the variable being of kind A.
    fn check_witnesses(&mut self, id: AggrId, witnesses: &[Arg], values: &mut [(u32, Expr)], span: Span) -> bool {
        let first = self.unit.types.aggr(id).params.len() as u32;
        let mut narrow = vec![];
        for (witness, index) in witnesses.iter().zip(first..) {
            let Arg::Type(ty) = *witness else { continue };
            let ty = self.resolve(ty);
            if let TyKind::Infer(vid) = *self.unit.types.kind(ty) {
                // Nothing depends on it: any type of 8 bytes will do.
                self.func.infer.settle_on(vid, Ty::LONG);
                continue;
            }
            // Of kind A: the variable stands behind pointers only, and nothing that unpacks it knows a size.
            let aggr = self.unit.types.aggr(id);
            if !self.is_eight_bytes(ty) && aggr.exists[(index - first) as usize].kind != Kind::A {
                narrow.push((index, ty));
            }
        }
        let fields: Vec<Field> = self.unit.types.aggr(id).fields.iter().flatten().cloned().collect();
        for (field, number) in fields.iter().zip(0..).filter(|_| !narrow.is_empty()) {
            let widened = match self.widens(field.qty.ty, &narrow) {
                Widens::Always => true,
                Widens::Results(hides) => {
                    let value = values.iter_mut().find(|(index, _)| *index == number);
                    // (Without a value an error was reported.)
                    value.is_none_or(|(_, value)| match self.widened_result(value, &hides) {
                        Some(wide) => {
                            *value = wide;
                            true
                        }
                        None => value.is_error(),
                    })
                }
                Widens::Never => false,
            };
            if !widened {
                let mentioned =
                    narrow.iter().find(|narrow| self.mentions(field.qty.ty, &[**narrow])).unwrap_or(&narrow[0]);
                let (shown, aggr) = (self.show(mentioned.1), self.unit.types.aggr(id));
                let name = aggr.exists[(mentioned.0 - first) as usize].name;
                self.report(errors::poly::narrow_witness(span, &shown, name, field.span));
                return false;
            }
        }
        true
    }

    fn is_eight_bytes(&self, ty: Ty) -> bool {
        let own = self.func.ty.as_ref().map_or(0, |f| f.vars.len() as u32);
        match *self.unit.types.kind(ty) {
            TyKind::Error => true,
            // Opaque, and unpacked: of 8 bytes by this very rule. Those of functions may be of 4.
            TyKind::Var(Var::Param(index)) => index >= own && self.func.nested.scope_of(index).is_none(),
            TyKind::Var(_) => false,
            _ => self.layout(ty).is_some_and(|l| l.size == 8),
        }
    }

    /// Is the type one of the hidden variables?
    fn is_one_of(&self, ty: Ty, hidden: &[(u32, Ty)]) -> bool {
        matches!(self.unit.types.kind(ty), TyKind::Var(Var::Own(i)) if hidden.iter().any(|(index, _)| index == i))
    }

    /// Does one of the hidden variables occur in the type?
    fn mentions(&self, ty: Ty, hidden: &[(u32, Ty)]) -> bool {
        self.unit.types.any_part(ty, &mut |part| matches!(part, Part::Type(ty) if self.is_one_of(ty, hidden)))
    }

    /// Do the hidden variables occur in the field's type only where a narrow value is widened?
    fn widens(&self, ty: Ty, hidden: &[(u32, Ty)]) -> Widens {
        let types = &self.unit.types;
        let fits = |ty| self.is_one_of(ty, hidden) || !self.mentions(ty, hidden);
        if fits(ty) {
            return Widens::Always;
        }
        let Some(f) = self.pointer_of(ty).and_then(|p| types.as_function(p.to.ty).cloned()) else {
            return Widens::Never;
        };
        if !f.params.iter().all(|p| fits(p.ty)) {
            return Widens::Never;
        }
        match types.kind(f.ret) {
            _ if !self.mentions(f.ret, hidden) => Widens::Always,
            TyKind::Var(_) => Widens::Results(Hides::All),
            TyKind::Tuple(parts) if parts.iter().all(|part| fits(part.ty)) => {
                let which = (0..).zip(parts.iter()).filter(|(_, part)| self.is_one_of(part.ty, hidden));
                Widens::Results(Hides::Components(which.map(|(i, _)| i).collect()))
            }
            _ => Widens::Never,
        }
    }

    /// The fields of an existential struct that is being unpacked: its hidden types are opaque, and different from
    /// all others, until the end of the block. `names` are those that the pattern gives them.
    pub(crate) fn unpacked_fields(&mut self, id: AggrId, names: &[Rc<ast::Type>], span: Span) -> Option<Vec<Field>> {
        let exists = self.unit.types.aggr(id).exists.clone();
        if let Some(extra) = names.get(exists.len()) {
            let ty = self.unit.types.intern(TyKind::Aggr(id));
            let (shown, declared) = (self.show(ty), self.unit.types.aggr(id).span);
            self.report(errors::poly::too_many_unpacked(extra.span, &shown, exists.len(), names.len(), declared));
            return None;
        }
        let first = self.func.params.len() as u32;
        let mut hidden = vec![];
        for (i, param) in exists.iter().enumerate() {
            let name = match names.get(i) {
                Some(written) => self.unpacked_name(written, *param)?,
                None => None,
            };
            hidden.push(self.hidden_variable(*param, name, span));
        }
        if !exists.is_empty() {
            let known = self.constraints_with(id, &hidden);
            self.assume_unpacked(first, known);
        }
        Some(self.fields_with(id, &hidden))
    }

    /// The name that a pattern gives a hidden variable, if it gives one.
    fn unpacked_name(&mut self, written: &ast::Type, param: TyParam) -> Option<Option<Symbol>> {
        match &written.kind {
            TypeKind::Hole(_) => Some(None),
            TypeKind::Var(var) if is_reserved(var.name) => {
                self.report(errors::types::reserved_region(var.span, var.name));
                None
            }
            TypeKind::Var(var) => {
                if let Some(kind) = self.written_kind(var)
                    && kind != param.kind
                {
                    self.report(errors::poly::kind_differs(var.span, var.name, kind, param.kind));
                    return None;
                }
                Some(Some(var.name))
            }
            _ => {
                self.report(errors::poly::not_a_binder(written.span));
                None
            }
        }
    }

    /// A new opaque variable of the body.
    fn hidden_variable(&mut self, param: TyParam, name: Option<Symbol>, span: Span) -> Arg {
        let index = self.func.params.len() as u32;
        self.func.params.push(TyParam { name: name.unwrap_or(param.name), ..param });
        let born = self.func.infer.age();
        self.func.hidden.push(Hidden { index, scope: self.func.current, born, span });
        if let Some(name) = name {
            self.names.declare_tyvar(name, index);
        }
        param.arg(Var::Param(index), &self.unit.types)
    }

    /// The type-level integer that a tag pattern names.
    pub(crate) fn unpacked_size(&mut self, tag: Ident, var: Option<&ast::TypeVar>, span: Span) -> Option<Size> {
        let name = match var {
            Some(var) if is_reserved(var.name) => {
                self.report(errors::types::reserved_region(var.span, var.name));
                return None;
            }
            Some(var) => {
                if let Some(kind) = self.written_kind(var).filter(|kind| *kind != Kind::I) {
                    self.report(errors::poly::kind_differs(var.span, var.name, kind, Kind::I));
                    return None;
                }
                var.name
            }
            None => Symbol::new(&format!("`{}", tag.name)),
        };
        let param = TyParam { kind: Kind::I, ..TyParam::region(name) };
        match self.hidden_variable(param, var.map(|v| v.name), span) {
            Arg::Size(size) => Some(size),
            _ => None,
        }
    }

    /// Is the field's type one that mentions what its struct hides?
    pub(crate) fn is_hidden_field(&self, id: AggrId, field: u32) -> bool {
        let aggr = self.unit.types.aggr(id);
        let first = aggr.params.len() as u32;
        let Some(field) = aggr.fields.as_ref().and_then(|f| f.get(field as usize)) else { return false };
        !aggr.exists.is_empty()
            && self.unit.types.any_part(field.qty.ty, &mut |part| match part {
                Part::Type(ty) => matches!(self.unit.types.kind(ty), TyKind::Var(Var::Own(i)) if *i >= first),
                Part::Region(region) => matches!(region, Region::Own(i) if i >= first),
                Part::Size(size) => matches!(size, Size::Var(Var::Own(i)) if i >= first),
                Part::Aqual(aqual) => matches!(aqual, cyc_types::Aqual::Var(Var::Own(i)) if i >= first),
            })
    }

    /// The hidden variable in a type that was unpacked after the moment `born`, or within a block that `scope` is
    /// not in: a type of that age may not speak of it.
    pub(crate) fn escaping(&self, ty: Ty, outlives: impl Fn(&Hidden) -> bool) -> Option<Hidden> {
        if self.func.hidden.is_empty() {
            return None;
        }
        let mut found = None;
        let mut ask = |var: Option<Var>| {
            let Some(Var::Param(index)) = var else { return false };
            found = self.func.hidden.iter().find(|h| h.index == index && outlives(h)).copied();
            found.is_some()
        };
        self.unit.types.any_part(self.final_type(ty), &mut |part| match part {
            Part::Type(ty) => match self.unit.types.kind(ty) {
                TyKind::Var(var) => ask(Some(*var)),
                _ => false,
            },
            Part::Region(region) => ask(region.var()),
            Part::Size(Size::Var(var)) | Part::Aqual(cyc_types::Aqual::Var(var)) => ask(Some(var)),
            _ => false,
        });
        found
    }

    /// Reports that a value of type `ty` takes a hidden variable out of its scope, which is about to end.
    pub(crate) fn require_visible(&mut self, ty: Ty, span: Span) -> bool {
        let current = self.func.current;
        let Some(hidden) = self.escaping(ty, |h| !self.func.encloses(h.scope, current)) else { return true };
        self.report_escape(hidden, ty, span);
        false
    }

    pub(crate) fn report_escape(&mut self, hidden: Hidden, ty: Ty, span: Span) {
        let (shown, name) = (self.show(ty), self.func.params[hidden.index as usize].name);
        self.report(match self.func.nested.scope_of(hidden.index) {
            Some(_) => errors::poly::nested_variable_escapes(span, &shown, name, hidden.span),
            None => errors::poly::hidden_escapes(span, &shown, name, hidden.span),
        });
    }
}
