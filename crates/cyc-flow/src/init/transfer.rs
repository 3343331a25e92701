//! The effect of each instruction on the state, step by step as the judgement in the parent module says (memory,
//! section 9.5).

use super::Init;
use super::spot::{Spot, is_temp};
use super::state::{Root, State};
use super::value::{Val, usable, whole};
use crate::{errors, place};
use cyc_base::Span;
use cyc_check::tast::BinOp;
use cyc_mir::mir::*;
use cyc_types::{FnTy, Ty, TyKind};
use std::rc::Rc;

/// Uses, dereferences and escapes of one uninitialised variable are one mistake.
pub(super) const UNINITIALISED: u32 = 700;

impl Init<'_> {
    pub(super) fn transfer(&mut self, body: &Body, state: &mut State, stmt: &Stmt) {
        let span = stmt.span;
        match &stmt.kind {
            StmtKind::Assign(place, rvalue) => {
                let test = self.outcome(body, state, place, rvalue);
                let (val, ty) = self.rvalue(body, state, rvalue, span);
                // A counted pointer that is moved along stays the pointer that it was.
                let stays = matches!(rvalue, Rvalue::FatAdd { ptr: Operand::Copy(ptr), .. } if ptr == place);
                if !stays || !self.carries(body, ty) {
                    self.store(body, state, place, val, ty, span);
                }
                state.end_tests();
                state.tests.extend(test);
                return;
            }
            StmtKind::Uninit(local) => {
                state.remove(Root::Local(*local));
                state.set(Root::Local(*local), Val::Uninit(Some(*local)));
            }
            StmtKind::Check(check) => self.check(body, state, check, span),
            StmtKind::Call { dst, callee, args } => self.call(body, state, dst.as_ref(), callee, args, span),
            StmtKind::Alloc(alloc) => self.alloc(body, state, stmt, alloc),
            StmtKind::Swap(a, b) => self.swap(body, state, a, b, span),
            StmtKind::Asm(asm) => {
                for (_, _, operand) in &asm.inputs {
                    self.keep(body, state, operand, span);
                }
                for (_, _, place) in &asm.outputs {
                    let ty = place::type_of(self.unit, body, place);
                    self.store(body, state, place, Val::Init, ty, span);
                }
            }
            StmtKind::PushRegion { handle, .. } => state.remove(Root::Local(*handle)),
            StmtKind::OpenKey { key, handle } => {
                self.open(body, state, stmt, key);
                state.remove(Root::Local(*handle));
            }
            StmtKind::CloseKey(key) => self.close(body, state, key),
            StmtKind::EndLoan(loan) => self.end_loan(body, state, *loan),
            StmtKind::Dead(local) => {
                self.leak_at_death(body, state, *local, span);
                state.remove(Root::Local(*local));
            }
            // The member's value has been stored, and stands for the whole union.
            StmtKind::SetTag(..) | StmtKind::PopHandler(_) | StmtKind::PopRegion(_) | StmtKind::Removed(..) => {}
        }
        state.end_tests();
    }

    /// A null test of a place whose value must not be copied: what the temporary says about it.
    fn outcome(
        &mut self,
        body: &Body,
        state: &State,
        dst: &Place,
        rvalue: &Rvalue,
    ) -> Option<(Local, (Rc<Place>, bool))> {
        let temp = dst.as_local()?;
        let test = match rvalue {
            Rvalue::IsNonNull(Operand::Copy(place)) => (Rc::new(place.clone()), true),
            Rvalue::PtrCompare(op @ (BinOp::Eq | BinOp::Ne), Operand::Copy(place), Operand::Const(Const::Null(_)))
            | Rvalue::PtrCompare(op @ (BinOp::Eq | BinOp::Ne), Operand::Const(Const::Null(_)), Operand::Copy(place)) => {
                (Rc::new(place.clone()), *op == BinOp::Ne)
            }
            Rvalue::Unary(UnOp::Not, Operand::Copy(of), _) => {
                let (place, when) = state.tests.get(&of.as_local()?)?.clone();
                (place, !when)
            }
            _ => return None,
        };
        let ty = place::type_of(self.unit, body, &test.0);
        self.carries(body, ty).then_some((temp, test))
    }

    fn check(&mut self, body: &Body, state: &mut State, check: &Check, span: Span) {
        if let (CheckKind::NonNull(Operand::Copy(pointer)), CheckReason::Deref | CheckReason::Subscript) =
            (&check.kind, check.why)
        {
            let val = self.operand(body, state, &Operand::Copy(pointer.clone()), span);
            if matches!(val.plain(), Val::Uninit(_)) {
                self.spot(body, state, &pointer.clone().then(Proj::Deref(None)), span);
            }
        }
        check.kind.for_each_operand(&mut |operand| self.test(body, state, operand, span));
    }

    fn alloc(&mut self, body: &Body, state: &mut State, stmt: &Stmt, alloc: &Alloc) {
        let span = stmt.span;
        for operand in alloc.count.iter().chain(&alloc.region).chain(&alloc.owner) {
            self.keep(body, state, operand, span);
        }
        let root = Root::Site(self.sites.get(&std::ptr::from_ref(stmt)).copied().unwrap_or(u32::MAX));
        let tracked = alloc.count.is_none() && !alloc.zero && root != Root::Site(u32::MAX);
        let ty = place::type_of(self.unit, body, &alloc.dst);
        let val = match tracked {
            true if self.is_unique(body, ty) => Val::Uniq(Rc::new(Val::Uninit(None))),
            true => {
                state.forget(root);
                state.set(root, Val::Uninit(None));
                Val::Addr(root)
            }
            false => Val::Init,
        };
        self.store(body, state, &alloc.dst, val, ty, span);
    }

    // ------------------------------------------------------------ calls

    /// Arguments are taken from left to right. What a call makes of the objects that they point to, it makes when all have
    /// been taken: none of them may rely on what another parameter frees or initialises.
    fn call(
        &mut self,
        body: &Body,
        state: &mut State,
        dst: Option<&Place>,
        callee: &Callee,
        args: &[Operand],
        span: Span,
    ) {
        let function = self.callee_type(body, state, callee, span);
        let attrs = function.as_ref().map(|f| f.attrs.clone()).unwrap_or_default();
        let freed = |n: &u32| attrs.noliveunique.contains(n);
        let initialised = |n: &u32| attrs.initializes.contains(n) && !freed(n);
        for (_, arg) in (1..).zip(args).filter(|(n, _)| !freed(n) && !initialised(n)) {
            self.keep(body, state, arg, span);
        }
        for (_, arg) in (1..).zip(args).filter(|(n, _)| freed(n)) {
            self.freed_by_callee(body, state, arg, span);
        }
        let initialised: Vec<&Operand> = (1..).zip(args).filter(|(n, _)| initialised(n)).map(|(_, arg)| arg).collect();
        self.initialised_by_callee(body, state, &initialised, span);
        match dst {
            Some(dst) => {
                let ty = place::type_of(self.unit, body, dst);
                self.store(body, state, dst, Val::Init, ty, span);
            }
            None => self.lost_result(body, function.map(|f| f.ret), span),
        }
    }

    fn callee_type(&mut self, body: &Body, state: &mut State, callee: &Callee, span: Span) -> Option<Rc<FnTy>> {
        let ty = match callee {
            Callee::Direct(global, ..) => self.unit.global(*global).qty.ty,
            Callee::Pointer(operand) => {
                self.keep(body, state, operand, span);
                let ty = place::operand_type(self.unit, body, operand);
                self.unit.types.as_pointer(ty)?.to.ty
            }
            Callee::Builtin(_) => return None,
        };
        self.unit.types.as_function(ty).cloned()
    }

    /// Arguments whose targets the callee initialises: different objects.
    fn initialised_by_callee(&mut self, body: &Body, state: &mut State, args: &[&Operand], span: Span) {
        let mut roots: Vec<Root> = vec![];
        for arg in args {
            match self.operand(body, state, arg, span) {
                Val::Addr(root) if !roots.contains(&root) => roots.push(root),
                Val::Init => {}
                Val::Addr(_)
                | Val::Uninit(_)
                | Val::Zero
                | Val::Uniq(_)
                | Val::Agg(_)
                | Val::Gone(_)
                | Val::Named(..) => self.keep(body, state, arg, span),
            }
        }
        for root in roots {
            state.set(root, Val::Init);
            state.escaped.insert(root);
        }
    }

    // ------------------------------------------------------------ stores

    pub(super) fn store(&mut self, body: &Body, state: &mut State, place: &Place, val: Val, ty: Ty, span: Span) {
        let spot = self.spot(body, state, place, span);
        let Spot::Tracked { root, path, exact: true } = spot else {
            return self.require(body, state, &val, ty, place, span);
        };
        if path.is_empty() && is_temp(body, root) && !state.escaped.contains(&root) {
            state.set(root, val);
            return;
        }
        let escaped = state.escaped.contains(&root);
        if escaped || self.is_promised(root) {
            self.require(body, state, &val, ty, place, span);
        }
        if !escaped {
            self.overwrite(body, state, place, (root, &path), span);
        } else if !state.value_at(root, &path).has_uninit() {
            return;
        }
        // What has escaped before it was initialised gets a value that is.
        let val = if escaped { Val::Init } else { val };
        let root_type = self.root_type(body, root);
        state.set_at(self.unit, root, root_type, &path, val);
    }

    /// Is it what a parameter promises to initialise? To others it is memory like any other, if the caller gave a pointer
    /// to what was initialised: what is stored there must be whole.
    fn is_promised(&self, root: Root) -> bool {
        self.promised.iter().any(|(_, promised)| *promised == root)
    }

    /// `a :=: b`: between tracked places the values change places whatever they are; what goes where it is not tracked
    /// must be whole (memory, section 4.5).
    fn swap(&mut self, body: &Body, state: &mut State, a: &Place, b: &Place, span: Span) {
        let ty = place::type_of(self.unit, body, a);
        let mut known = |this: &mut Self, place: &Place| match this.spot(body, state, place, span) {
            Spot::Tracked { root, path, exact: true } if !state.escaped.contains(&root) => Some((root, path)),
            Spot::Tracked { .. } | Spot::Memory => None,
        };
        let (left, right) = (known(self, a), known(self, b));
        match (&left, &right) {
            (Some((x, p)), Some((y, q))) => {
                let (v, w) = (state.value_at(*x, p), state.value_at(*y, q));
                self.require_not_lent(body, &v, a, span);
                self.require_not_lent(body, &w, b, span);
                for (into, val, from) in [(x, &w, b), (y, &v, a)] {
                    if self.is_promised(*into) {
                        self.require(body, state, val, ty, from, span);
                    }
                }
                let (tx, ty) = (self.root_type(body, *x), self.root_type(body, *y));
                state.set_at(self.unit, *x, tx, p, w);
                state.set_at(self.unit, *y, ty, q, v);
            }
            (Some((root, path)), None) | (None, Some((root, path))) => {
                let other = if left.is_some() { b } else { a };
                self.test(body, state, &Operand::Copy(other.clone()), span);
                let val = state.value_at(*root, path);
                let from = if left.is_some() { a } else { b };
                self.require(body, state, &val, ty, from, span);
                let root_type = self.root_type(body, *root);
                state.set_at(self.unit, *root, root_type, path, Val::Init);
            }
            (None, None) => {
                for place in [a, b] {
                    self.test(body, state, &Operand::Copy(place.clone()), span);
                }
            }
        }
    }

    // ------------------------------------------------------------ uses

    /// A use that looks at the value but keeps no pointer from it.
    pub(super) fn test(&mut self, body: &Body, state: &mut State, operand: &Operand, span: Span) {
        let Operand::Copy(place) = operand else { return };
        if place.as_local().is_some_and(|local| state.is_plain(Root::Local(local))) {
            return;
        }
        let val = self.operand(body, state, operand, span);
        let ty = place::operand_type(self.unit, body, operand);
        if !usable(self.unit, &val, ty) {
            self.report_missing(body, &val, place, span);
        } else {
            self.warn_of_bits(body, &val, ty, span);
        }
    }

    /// A use that may keep the value and everything reachable from it.
    pub(super) fn keep(&mut self, body: &Body, state: &mut State, operand: &Operand, span: Span) {
        let val = self.take(body, state, operand, span);
        let ty = place::operand_type(self.unit, body, operand);
        let Operand::Copy(place) = operand else { return };
        if !whole(self.unit, &val, ty) {
            self.report_missing(body, &val, place, span);
        } else {
            self.warn_of_bits(body, &val, ty, span);
        }
        self.escape(body, state, &val, place, span);
    }

    /// A value that goes into memory: initialised, and what it points to escapes.
    pub(super) fn require(&mut self, body: &Body, state: &mut State, val: &Val, ty: Ty, into: &Place, span: Span) {
        if !whole(self.unit, val, ty) {
            match val.gone_within() {
                Some(_) => self.report_missing(body, val, into, span),
                None => {
                    let origin = val.origin();
                    let name = origin.and_then(|local| body.locals[local.0 as usize].name).map(|n| n.to_string());
                    let declaration = origin.map(|local| body.locals[local.0 as usize].span);
                    self.report(UNINITIALISED, origin.or(base_local(into)), || {
                        errors::not_initialised(span, &name, declaration)
                    });
                }
            }
        }
        self.escape(body, state, val, into, span);
    }

    /// Reports a value of which something is not there: moved away, or never initialised.
    pub(super) fn report_missing(&mut self, body: &Body, val: &Val, place: &Place, span: Span) {
        if let Some((path, gone)) = val.gone_within() {
            let gone = gone.clone();
            return self.report_gone(body, place, &path, &gone, span);
        }
        let origin = val.origin();
        let name = self.name_of(body, origin, place);
        let declaration = origin.map(|local| body.locals[local.0 as usize].span);
        self.report(UNINITIALISED, origin.or(base_local(place)), || errors::not_initialised(span, &name, declaration));
    }

    /// A number that is used although it may have no value of its own.
    fn warn_of_bits(&mut self, body: &Body, val: &Val, ty: Ty, span: Span) {
        if let (Val::Uninit(Some(local)), TyKind::Int(_) | TyKind::Float(_) | TyKind::Bool | TyKind::Enum(_)) =
            (val, self.unit.types.kind(ty))
        {
            let declaration = &body.locals[local.0 as usize];
            if let Some(name) = declaration.name {
                self.report(1701, Some(*local), || errors::uninitialised_bits(span, name.as_str(), declaration.span));
            }
        }
    }

    pub(super) fn escape(&mut self, body: &Body, state: &mut State, val: &Val, place: &Place, span: Span) {
        if !val.has_address() {
            return;
        }
        let unit = self.unit;
        let sites = &self.site_types;
        let type_of = |root: Root| match root {
            Root::Local(local) => body.locals[local.0 as usize].qty.ty,
            Root::Site(site) => sites[site as usize],
        };
        if let Err(origin) = state.escape(unit, val, &type_of) {
            let name = match origin {
                Some(local) => body.locals[local.0 as usize].name.map(|n| n.to_string()),
                None => place::describe(unit, body, place).map(|n| format!("*{n}")),
            };
            let declaration = origin.map(|local| body.locals[local.0 as usize].span);
            self.report(UNINITIALISED, origin.or(base_local(place)), || {
                errors::escapes_uninitialised(span, &name, declaration)
            });
        }
    }

    pub(super) fn name_of(&self, body: &Body, origin: Option<Local>, place: &Place) -> Option<String> {
        let of_origin = || body.locals[origin?.0 as usize].name.map(|name| name.to_string());
        place::describe(self.unit, body, place).or_else(of_origin)
    }
}

pub(super) fn base_local(place: &Place) -> Option<Local> {
    match place.base {
        Base::Local(local) => Some(local),
        Base::Global(_) => None,
    }
}
