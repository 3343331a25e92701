//! Warnings about values that can be freed and are lost (memory, section 4.13). All but the one about freed objects are
//! given on request: losing such a value is safe, and a collector gets it.

use super::Init;
use super::state::{Root, State};
use super::value::Val;
use crate::{errors, place};
use cyc_base::Span;
use cyc_mir::mir::*;
use cyc_types::Ty;

impl Init<'_> {
    /// May the value hold a pointer, not null, that is lost with it?
    fn may_be_lost(&mut self, body: &Body, val: &Val, ty: Ty) -> bool {
        if !self.carries(body, ty) {
            return false;
        }
        match val {
            Val::Zero | Val::Gone(_) | Val::Uninit(_) => false,
            Val::Named(_, val) => self.may_be_lost(body, val, ty),
            Val::Agg(vals) => {
                vals.iter().zip(place::parts(self.unit, ty)).any(|(val, ty)| self.may_be_lost(body, val, ty))
            }
            Val::Init | Val::Addr(_) | Val::Uniq(_) => true,
        }
    }

    /// A variable's life ends.
    pub(super) fn leak_at_death(&mut self, body: &Body, state: &State, local: Local, span: Span) {
        let decl = &body.locals[local.0 as usize];
        let val = state.value(Root::Local(local));
        if self.unit.warn_leaks
            && !state.escaped.contains(&Root::Local(local))
            && self.may_be_lost(body, &val, decl.qty.ty)
        {
            let name = decl.name.map(|n| n.to_string());
            self.report(1800, Some(local), || errors::leak_at_end(span, &name, decl.span));
        }
    }

    /// The parameters that the function owns, at a return.
    pub(super) fn leak_at_return(&mut self, body: &Body, state: &State, span: Span) {
        for local in (0..body.params).map(Local) {
            if !self.borrowed.contains(&local) {
                self.leak_at_death(body, state, local, span);
            }
        }
    }

    /// The result of a call that nobody takes.
    pub(super) fn lost_result(&mut self, body: &Body, ret: Option<Ty>, span: Span) {
        if self.unit.warn_leaks && ret.is_some_and(|ty| self.carries(body, ty)) {
            self.report(1800, None, || errors::leak_of_result(span));
        }
    }

    pub(super) fn leak_by_overwriting(&mut self, body: &Body, old: &Val, place: &Place, span: Span) {
        let ty = place::type_of(self.unit, body, place);
        // What a temporary held was handed over.
        let temp = matches!(place.base, Base::Local(local) if body.locals[local.0 as usize].name.is_none());
        if self.unit.warn_leaks && !temp && self.may_be_lost(body, old, ty) {
            let name = place::describe(self.unit, body, place);
            self.report(1802, super::transfer::base_local(place), || errors::leak_by_overwriting(span, &name));
        }
    }

    /// An argument whose object the callee frees: what it owns should have been freed, or taken out, before.
    pub(super) fn freed_by_callee(&mut self, body: &Body, state: &mut State, arg: &Operand, span: Span) {
        let ty = place::operand_type(self.unit, body, arg);
        let val = self.take(body, state, arg, span);
        let Some(ptr) = self.unit.types.as_pointer(ty) else { return };
        let Operand::Copy(place) = arg else { return };
        let inside = match val.plain() {
            Val::Zero => Val::Zero,
            Val::Uninit(_) | Val::Gone(_) => return self.report_missing(body, &val, place, span),
            Val::Addr(root) => {
                let content = state.value(*root);
                state.escaped.insert(*root);
                state.set(*root, Val::Init);
                content
            }
            Val::Init | Val::Uniq(_) | Val::Agg(_) | Val::Named(..) => val.target(),
        };
        if self.may_be_lost(body, &inside, ptr.to.ty) {
            self.report(1803, None, || errors::frees_live(span));
        }
    }

    /// A join at which a value is gone although this edge brings it.
    pub(super) fn leak_at_join(&mut self, body: &Body, arriving: &State, entry: &State, span: Span) {
        if !self.unit.warn_leaks {
            return;
        }
        for (root, val) in entry.known() {
            let Root::Local(local) = root else { continue };
            let decl = &body.locals[local.0 as usize];
            let Some(gone) = val.gone().filter(|_| decl.name.is_some()).cloned() else { continue };
            let before = arriving.value(root);
            if before.gone().is_none() && self.may_be_lost(body, &before, decl.qty.ty) {
                let name = decl.name.map(|n| n.to_string());
                self.report(1801, Some(local), || errors::leak_at_join(span, &name, gone.at));
            }
        }
    }
}
