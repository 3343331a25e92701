//! Existential structs (core, section 3.10): values of them hide the types that they were made with.

use crate::cx::{Checker, Hidden};
use crate::errors;
use crate::init::Item;
use crate::region::{Flow, RegionReason};
use crate::tast::{Expr, ExprKind};
use crate::types::Position;
use crate::types::kinds::is_reserved;
use cyc_base::{Span, Symbol};
use cyc_syntax::ast::{self, Ident, InitList, TypeKind};
use cyc_types::{AggrId, Arg, Constraint, Field, Kind, Part, QTy, Region, Size, Ty, TyKind, TyParam, Var};
use std::rc::Rc;

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
        let values = self.struct_fields(items, &fields, ty, span);
        let sound = self.check_witnesses(id, witnesses, span);
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
    fn check_witnesses(&mut self, id: AggrId, witnesses: &[Arg], span: Span) -> bool {
        let first = self.unit.types.aggr(id).params.len() as u32;
        for (witness, index) in witnesses.iter().zip(first..) {
            let Arg::Type(ty) = *witness else { continue };
            let ty = self.resolve(ty);
            if let TyKind::Infer(vid) = *self.unit.types.kind(ty) {
                // Nothing depends on it: any type of 8 bytes will do.
                self.func.infer.settle_on(vid, Ty::LONG);
                continue;
            }
            let aggr = self.unit.types.aggr(id);
            // Of kind A: the variable stands behind pointers only, and nothing that unpacks it knows a size.
            if self.is_eight_bytes(ty) || aggr.exists[(index - first) as usize].kind == Kind::A {
                continue;
            }
            let narrow = aggr.fields.iter().flatten().find(|f| !self.widens(f.qty.ty, index)).map(|f| f.span);
            if let Some(field) = narrow {
                let (shown, name) = (self.show(ty), aggr.exists[(index - first) as usize].name);
                self.report(errors::poly::narrow_witness(span, &shown, name, field));
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

    /// Does the hidden variable occur in the field's type only where a narrow value is widened?
    fn widens(&self, ty: Ty, hidden: u32) -> bool {
        let types = &self.unit.types;
        let is_hidden = |ty| matches!(types.kind(ty), TyKind::Var(Var::Own(i)) if *i == hidden);
        let absent = |ty| !types.any_part(ty, &mut |part| matches!(part, Part::Type(ty) if is_hidden(ty)));
        if is_hidden(ty) || absent(ty) {
            return true;
        }
        let function = self.pointer_of(ty).and_then(|p| types.as_function(p.to.ty).cloned());
        function.is_some_and(|f| absent(f.ret) && f.params.iter().all(|p| is_hidden(p.ty) || absent(p.ty)))
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
