//! Contracts become checks (core, section 3.18).
//!
//! A definition checks its own: what it requires where it begins, what it ensures where it returns, each raising
//! `Assert`. So they hold in the body whoever calls it, through a pointer, from C or from a unit that knows no contract;
//! what the flow analysis proves costs nothing. A call by name checks what the function requires, and when it returns
//! knows what it ensures:
//!
//! - A static function that is only called by name leaves it to its callers to check what it requires, and assumes it.
//! - What a function ensures is assumed after calls in the unit that defines it; in others it is checked.
//!
//! The parameters in `@ensures` are what was passed, whatever the body made of them.

use super::Lower;
use crate::mir::*;
use crate::types::PlaceTy;
use cyc_base::Span;
use cyc_check::tast::{Contract, Expr, GlobalId, Linkage, LocalId, TypedUnit};
use cyc_check::template::{at_arguments, is_plain, mentioned};
use cyc_types::{Args, SubsetId, Ty};

/// What stands for the parameters and the result in the conditions of a contract; None: conditions over it are not made.
pub(super) type Standing = Vec<Option<Local>>;

/// A call whose contract is known.
pub(super) struct Called<'a> {
    contracts: &'a [Contract],
    args: Args,
    standing: Standing,
    /// Does the unit define the function, which so checks its contract?
    defined: bool,
}

/// Do only calls by name reach the function, all of them in this unit?
fn checked_by_callers(unit: &TypedUnit, id: GlobalId) -> bool {
    let global = unit.global(id);
    let runs_by_itself = global.attrs.iter().any(|attr| attr.contains("structor"));
    global.linkage == Linkage::Internal && !runs_by_itself && !unit.addressed.contains(&id)
}

impl<'a> Lower<'a> {
    fn contracts(&self, id: GlobalId) -> &'a [Contract] {
        let unit = self.unit;
        unit.contracts.get(&id).map_or(&[], Vec::as_slice)
    }

    /// What the function requires, where it begins.
    pub(super) fn demands(&mut self) {
        let id = self.function.global;
        let contracts = self.contracts(id);
        let requires = match checked_by_callers(self.unit, id) {
            true => CheckReason::Assumed,
            false => CheckReason::Assertion,
        };
        self.demanded_subsets(requires);
        if contracts.is_empty() {
            return;
        }
        let span = self.function.span;
        let given: Standing = (0..self.function.params).map(|i| Some(Local(i))).collect();
        for contract in contracts {
            for (list, why) in [(&contract.requires, requires), (&contract.checks, CheckReason::Assertion)] {
                let made = |condition: &&Expr| why != CheckReason::Assumed || is_plain(condition);
                list.iter().filter(made).for_each(|condition| self.condition(condition, &given, why));
            }
        }
        self.passed = given;
        for param in 0..self.function.params {
            let ensured = contracts.iter().flat_map(|contract| &contract.ensures);
            let is_kept = ensured.clone().any(|condition| mentioned(condition).contains(&LocalId(param)));
            let qty = self.body.locals[param as usize].qty;
            if is_kept && !self.types().carries_restricted(qty.ty, &self.function.vars) {
                let kept = self.in_temp(Rvalue::Use(Operand::local(Local(param))), qty.ty, span);
                self.passed[param as usize] = kept_local(&kept);
            }
        }
    }

    /// What the function ensures, where it returns.
    pub(super) fn promises(&mut self, value: Option<Operand>, span: Span) -> Option<Operand> {
        let contracts = self.contracts(self.function.global);
        if contracts.iter().all(|contract| contract.ensures.is_empty()) {
            return value;
        }
        let mut standing = self.passed.clone();
        let value = value.map(|value| {
            let result = self.temp(self.function.ret, span);
            self.assign(Place::local(result), Rvalue::Use(value), span);
            standing.push(Some(result));
            Operand::local(result)
        });
        for condition in contracts.iter().flat_map(|contract| &contract.ensures) {
            self.condition(condition, &standing, CheckReason::Assertion);
        }
        value
    }

    /// Checks what the callee requires of the arguments.
    pub(super) fn before_call(&mut self, callee: &Callee, args: &[Operand], span: Span) -> Option<Called<'a>> {
        let Callee::Direct(id, targs) = callee else { return None };
        let contracts = self.contracts(*id);
        let params = contracts.first().map(|contract| contract.params.len())?;
        if args.len() != params {
            return None;
        }
        let conditions = contracts.iter().flat_map(|c| [&c.requires, &c.checks, &c.ensures]).flatten();
        let used: Vec<LocalId> = conditions.flat_map(mentioned).collect();
        let mut standing: Standing = vec![None; params];
        for (i, arg) in args.iter().enumerate().filter(|(i, _)| used.contains(&LocalId(*i as u32))) {
            let ty = crate::types::operand_ty(self.unit, &self.body.locals, arg);
            if !self.types().carries_restricted(ty, &self.function.vars) {
                standing[i] = kept_local(&self.in_temp(Rvalue::Use(arg.clone()), ty, span));
            }
        }
        let defined = self.unit.functions.iter().any(|function| function.global == *id);
        let called = Called { contracts, args: *targs, standing, defined };
        let requires = called.contracts.iter().flat_map(|contract| &contract.requires);
        requires.for_each(|condition| self.called_condition(condition, &called, CheckReason::Precondition, span));
        if !called.defined {
            let checks = called.contracts.iter().flat_map(|contract| &contract.checks);
            checks.for_each(|condition| self.called_condition(condition, &called, CheckReason::Assertion, span));
        }
        Some(called)
    }

    /// What holds after a call: its result is in `dst`.
    pub(super) fn after_call(&mut self, called: Option<Called<'a>>, dst: Option<&Place>, span: Span) {
        let Some(mut called) = called else { return };
        if called.contracts.iter().all(|contract| contract.ensures.is_empty()) {
            return;
        }
        if let Some(dst) = dst
            && let ty = self.place_ty(dst)
            && !matches!(ty, PlaceTy::Of(qty) if qty.is_volatile)
            && !self.types().carries_restricted(ty.ty(), &self.function.vars)
        {
            let kept = match dst.as_local() {
                Some(local) if !self.body.locals[local.0 as usize].address_taken => Some(local),
                _ => kept_local(&self.in_temp(Rvalue::Use(Operand::Copy(dst.clone())), ty.ty(), span)),
            };
            called.standing.push(kept);
        }
        let why = if called.defined { CheckReason::Assumed } else { CheckReason::Assertion };
        let ensures = called.contracts.iter().flat_map(|contract| &contract.ensures);
        let made = |condition: &&Expr| why != CheckReason::Assumed || is_plain(condition);
        ensures.filter(made).for_each(|condition| self.called_condition(condition, &called, why, span));
    }

    fn called_condition(&mut self, condition: &Expr, called: &Called, why: CheckReason, span: Span) {
        let args = self.types().args(called.args);
        let condition = at_arguments(self.types(), condition, args);
        self.condition(&Expr { span, ..condition }, &called.standing, why);
    }

    /// What is stored in a place of type `ty`, checked to be of the subsets that the type is, the widest first.
    pub(super) fn in_subsets(&mut self, value: Rvalue, ty: Ty, span: Span) -> Rvalue {
        let mut subsets = vec![];
        let mut base = ty;
        while let Some((wider, id)) = self.types().subset_of(base) {
            subsets.push((wider, id));
            base = wider;
        }
        if subsets.is_empty() {
            return value;
        }
        let mut value = self.in_temp(value, base, span);
        for (wider, id) in subsets.into_iter().rev() {
            value = self.in_subset(value, wider, id, span);
        }
        Rvalue::Use(value)
    }

    /// The value, checked to be one of the subset.
    pub(super) fn in_subset(&mut self, value: Operand, ty: Ty, id: SubsetId, span: Span) -> Operand {
        let value = self.in_temp(Rvalue::Use(value), ty, span);
        let unit = self.unit;
        let condition = Expr { span, ..unit.subsets[id.0 as usize].condition.clone() };
        self.condition(&condition, &vec![kept_local(&value)], CheckReason::Assertion);
        value
    }

    /// The parameters whose types are subsets are so for the body, whoever calls it.
    fn demanded_subsets(&mut self, why: CheckReason) {
        for param in 0..self.function.params {
            let LocalDecl { qty, span, .. } = self.body.locals[param as usize];
            let mut ty = qty.ty;
            while let Some((base, id)) = self.types().subset_of(ty) {
                let condition = Expr { span, ..self.unit.subsets[id.0 as usize].condition.clone() };
                if why != CheckReason::Assumed || is_plain(&condition) {
                    self.condition(&condition, &vec![Some(Local(param))], why);
                }
                ty = base;
            }
        }
    }

    /// A check of a condition over what stands for the parameters.
    fn condition(&mut self, condition: &Expr, standing: &Standing, why: CheckReason) {
        let stands = |local: &LocalId| standing.get(local.0 as usize).is_some_and(Option::is_some);
        if !mentioned(condition).iter().all(stands) {
            return;
        }
        let outer = self.standing.replace(standing.clone());
        self.assertion(condition, why, condition.span);
        self.standing = outer;
    }

    /// The variable that a local of the typed tree is.
    pub(super) fn local_of(&self, local: LocalId) -> Local {
        let standing = self.standing.as_ref().and_then(|standing| standing.get(local.0 as usize).copied().flatten());
        standing.unwrap_or(Local(local.0))
    }
}

fn kept_local(operand: &Operand) -> Option<Local> {
    match operand {
        Operand::Copy(place) => place.as_local(),
        Operand::Const(_) => None,
    }
}
