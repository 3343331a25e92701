//! Contracts of functions (core, section 3.18).
//!
//! The judgement: `@requires(e)`, `@checks(e)` and `@throws(e)` are conditions over the parameters, `@ensures(e)` one over
//! them and `return_value`; none has an effect. A definition checks its own: what it requires where it begins, what
//! it ensures where it returns, each raising `Assert`. So they hold in the body whoever calls it, through a pointer,
//! from C or from a unit that knows no contract; what the flow analysis proves costs nothing. `@throws` is assumed by
//! nobody and so not checked.

use crate::cx::Checker;
use crate::errors;
use crate::tast::{Callee, Expr, ExprKind, LocalId, Place, PlaceKind, Stmt, StmtKind};
use cyc_base::{Span, Symbol};
use cyc_syntax::ast::{self, ContractKind, Ident};
use cyc_types::{FnTy, Ty, Varargs};

impl Checker<'_> {
    /// Checks of what the function demands, to stand before its body. The parameters are in scope.
    pub(super) fn check_demands(&mut self, contracts: &[ast::Contract], ty: &FnTy, is_main: bool) -> Vec<Stmt> {
        let mut out = vec![];
        for contract in contracts {
            if contract.kind == ContractKind::Ensures {
                continue;
            }
            if contract.kind == ContractKind::Checks && (is_main || ty.varargs != Varargs::None) {
                self.report(errors::contract::checks_not_here(contract.span));
            }
            let checked = self.contract_check(contract);
            out.extend(checked.filter(|_| contract.kind != ContractKind::Throws));
        }
        out
    }

    /// Checks of what the function ensures, to stand where it returns; the variable for the result comes with them.
    pub(super) fn check_promises(&mut self, contracts: &[ast::Contract], ret: Ty) -> (Option<LocalId>, Vec<Stmt>) {
        let promises: Vec<_> = contracts.iter().filter(|c| c.kind == ContractKind::Ensures).collect();
        let Some(first) = promises.first() else { return (None, vec![]) };
        self.names.push();
        let name = Ident { name: Symbol::new("return_value"), span: first.span };
        let result = (ret != Ty::VOID).then(|| self.declare_local(name, ret.into()));
        let checks = promises.into_iter().filter_map(|contract| self.contract_check(contract)).collect();
        self.names.pop();
        (result, checks)
    }

    fn contract_check(&mut self, contract: &ast::Contract) -> Option<Stmt> {
        let cond = self.check_condition(&contract.cond);
        if cond.is_error() {
            return None;
        }
        if let Some(effect) = self.effect_in(&cond) {
            self.report(errors::contract::has_effect(effect));
            return None;
        }
        let check = Expr { kind: ExprKind::Assert(Box::new(cond)), ty: Ty::INT, span: contract.span };
        Some(Stmt { kind: StmtKind::Expr(check), span: contract.span })
    }

    /// The first part of a condition that may have an effect: what is not a value, a read, arithmetic, a comparison,
    /// `numelts`, or a call of a function with the attribute `pure` or `const`.
    fn effect_in(&self, e: &Expr) -> Option<Span> {
        match &e.kind {
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Null
            | ExprKind::Zero
            | ExprKind::Str(_)
            | ExprKind::WideStr(_)
            | ExprKind::FunctionAddr(..)
            | ExprKind::SizeOf(_)
            | ExprKind::AlignOf(_) => None,
            ExprKind::Read(place) | ExprKind::AddrOf(place) | ExprKind::Tagcheck(place, _) => {
                self.effect_in_place(place)
            }
            ExprKind::Unary(_, e)
            | ExprKind::Not(e)
            | ExprKind::Numelts(e)
            | ExprKind::Tagof(e)
            | ExprKind::Coerce(_, e) => self.effect_in(e),
            ExprKind::Binary(_, a, b)
            | ExprKind::And(a, b)
            | ExprKind::Or(a, b)
            | ExprKind::PtrAdd { ptr: a, index: b, .. }
            | ExprKind::PtrDiff(a, b)
            | ExprKind::PtrCompare(_, a, b) => self.effect_in(a).or_else(|| self.effect_in(b)),
            ExprKind::Cond(c, a, b) => self.effect_in(c).or_else(|| self.effect_in(a)).or_else(|| self.effect_in(b)),
            ExprKind::Call { callee: Callee::Direct(global, _), args } => {
                let attrs = self.unit.types.as_function(self.unit.global(*global).qty.ty).map(|f| &f.attrs);
                match attrs.is_some_and(|attrs| attrs.pure || attrs.is_const) {
                    true => args.iter().find_map(|arg| self.effect_in(arg)),
                    false => Some(e.span),
                }
            }
            _ => Some(e.span),
        }
    }

    fn effect_in_place(&self, place: &Place) -> Option<Span> {
        match &place.kind {
            PlaceKind::Local(_) | PlaceKind::Global(_) => place.qty.is_volatile.then_some(place.span),
            PlaceKind::Deref(e) => self.effect_in(e),
            PlaceKind::Index(e, index) => self.effect_in(e).or_else(|| self.effect_in(index)),
            PlaceKind::Element(inner, index) => self.effect_in_place(inner).or_else(|| self.effect_in(index)),
            PlaceKind::Field(inner, _) | PlaceKind::Component(inner, _) => self.effect_in_place(inner),
            PlaceKind::Temp(_) => Some(place.span),
        }
    }
}
