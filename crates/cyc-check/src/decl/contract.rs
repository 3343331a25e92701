//! Contracts of functions (core, section 3.18).
//!
//! The judgement: `@requires(e)`, `@checks(e)` and `@throws(e)` are conditions over the parameters, `@ensures(e)` one over
//! the parameters as they were at the call and `return_value`; none has an effect. The contract of a function is that of
//! all its declarations together. Lowering makes checks of it, at the function and at its calls; `@throws` is assumed by
//! nobody and so not checked.

use crate::cx::Checker;
use crate::errors;
use crate::scope::Entity;
use crate::tast::{Block, Callee, Contract, Expr, ExprKind, GlobalId, Place, PlaceKind, Stmt, StmtKind};
use cyc_base::{Span, Symbol};
use cyc_syntax::ast::{self, ContractKind, Ident};
use cyc_types::{FnTy, QTy, Ty, Varargs};
use std::rc::Rc;

impl Checker<'_> {
    /// Enters what one declaration of a function says that it requires and ensures.
    pub(super) fn declare_contract(&mut self, id: GlobalId, ident: Ident, declarator: &ast::Type) {
        let ast::TypeKind::Function(written) = &declarator.kind else { return };
        let Some(ty) = self.function_type(id).filter(|_| !written.contracts.is_empty()) else { return };
        let (types, outer) = self.enter_function(ident, &ty, declarator.span);
        let ret = self.func.ret;
        let extra = match &written.varargs {
            ast::Varargs::Typed { param, .. } => Some(&**param),
            _ => None,
        };
        self.contract_parameters(&written.params.iter().chain(extra).collect::<Vec<_>>(), &types);
        let contract = self.contract_conditions(id, &written.contracts, &ty, &types, ret);
        self.names.pop();
        self.func = outer;
        self.unit.contracts.entry(id).or_default().push(contract);
    }

    /// The parameters that have names, as local variables: what is wrong with them is said with the prototype or the body.
    fn contract_parameters(&mut self, params: &[&ast::Param], types: &[QTy]) {
        for (i, qty) in types.iter().enumerate() {
            match params.get(i).and_then(|param| param.name) {
                Some(name) if self.names.value_here(name.name).is_none() => _ = self.declare_local(name, *qty),
                _ => _ = self.temp_local("unnamed", *qty, Span::NONE),
            }
        }
    }

    fn contract_conditions(
        &mut self,
        id: GlobalId,
        written: &[ast::Contract],
        ty: &Rc<FnTy>,
        types: &[QTy],
        ret: Ty,
    ) -> Contract {
        let is_main = self.unit.global(id).c_name.is_some_and(|name| name.as_str() == "main");
        let result = self.temp_local("return_value", ret.into(), Span::NONE);
        let mut found = vec![];
        let mut block = Block::default();
        for contract in written {
            let kind = contract.kind;
            if kind == ContractKind::Checks && (is_main || ty.varargs != Varargs::None) {
                self.report(errors::contract::checks_not_here(contract.span));
            }
            self.names.push();
            if kind == ContractKind::Ensures && ret != Ty::VOID {
                self.names.declare_value(Symbol::new("return_value"), Entity::Local(result), contract.span);
            }
            let condition = self.contract_condition(&contract.cond);
            self.names.pop();
            if let Some(cond) = condition {
                found.push((kind, contract.span));
                block.stmts.push(Stmt { span: cond.span, kind: StmtKind::Expr(cond) });
            }
        }
        self.finish_inference(&mut block);
        self.solve_regions();
        self.check_alias_bounds();
        self.check_overwritten();
        let mut out = Contract { params: types.to_vec(), ..Contract::default() };
        for ((kind, span), stmt) in found.into_iter().zip(block.stmts) {
            let StmtKind::Expr(cond) = stmt.kind else { continue };
            let list = match kind {
                ContractKind::Requires => &mut out.requires,
                ContractKind::Checks => &mut out.checks,
                ContractKind::Ensures => &mut out.ensures,
                ContractKind::Throws => continue,
            };
            list.push(Expr { span, ..cond });
        }
        out
    }

    /// A condition without effects; None if it is in error.
    pub(crate) fn contract_condition(&mut self, cond: &ast::Expr) -> Option<Expr> {
        let cond = self.check_condition(cond);
        if cond.is_error() {
            return None;
        }
        if let Some(effect) = self.effect_in(&cond) {
            self.report(errors::contract::has_effect(effect));
            return None;
        }
        Some(cond)
    }

    /// The first part of a condition that may have an effect: what is not a value, a read, arithmetic, a comparison,
    /// `numelts`, or a call of a function with the attribute `pure` or `const` that is given nothing to own or borrow.
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
                let pure = attrs.is_some_and(|attrs| attrs.pure || attrs.is_const);
                // A condition is evaluated any number of times: nothing is moved or lent in it.
                match pure && !args.iter().any(|arg| self.carries_restricted(arg.ty)) {
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
