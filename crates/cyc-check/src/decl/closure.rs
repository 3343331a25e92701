//! Closures: pointers to nested functions that use variables of the functions around them (core, section 3.13).
//!
//! A pointer to a function is one address, with no room for where those variables are. So the pointer is to an entry of its
//! own, made at run time (`runtime/src/closure`), which knows the addresses of the captured variables and calls the nested
//! function with them. It lives as long as the function that makes it; the region in its type is that of the block that
//! declares the nested function, which holds all these variables.

use super::lift::{Uses, Whole};
use super::nested::Nested;
use crate::cx::Checker;
use crate::tast::*;
use cyc_base::{Span, Symbol};
use cyc_types::{Aqual, Args, Bound, PtrTy, QTy, Region, Ty};

impl Checker<'_> {
    /// The entries of closures, by nested function: for those that use variables around them and are used as values.
    pub(super) fn declare_closures(&mut self, function: &Function, nested: &[Nested]) -> Vec<Option<GlobalId>> {
        let mut values = Uses::of(&function.body).values;
        nested.iter().for_each(|inner| values.extend(Uses::of(&inner.body).values));
        let wanted = nested.iter().map(|inner| inner.captures && values.contains(&inner.global));
        let wanted: Vec<bool> = wanted.collect();
        let declared =
            nested.iter().zip(wanted).map(|(inner, wanted)| wanted.then(|| self.declare_closure(inner, function)));
        declared.collect()
    }

    fn declare_closure(&mut self, inner: &Nested, outer: &Function) -> GlobalId {
        let params = &outer.locals[inner.locals.start as usize..][..inner.params as usize];
        let ty = self.lifted_type(inner, params, inner.fixed, &outer.vars);
        let of = &self.unit.globals[inner.global.0 as usize];
        let name = Symbol::new(&format!("{}$closure", of.name));
        self.add_made_function(name, ty, inner.span)
    }

    /// The function that has a closure's type, reads what it captured, and calls the nested function.
    pub(super) fn closure_entry(
        &self,
        whole: &Whole,
        inner: &Nested,
        captures: &[LocalId],
        entry: GlobalId,
        outer: &Function,
    ) -> Function {
        let span = inner.span;
        let locals = &whole.locals[inner.locals.start as usize..][..inner.params as usize];
        let mut args: Vec<Expr> = (0..).zip(locals).map(|(i, local)| self.parameter(LocalId(i), local, span)).collect();
        let captured = (0..).zip(captures).map(|(i, local)| {
            let index = Expr { kind: ExprKind::Int(i), ty: Ty::INT, span };
            runtime_call(CLOSURE_CAPTURE, vec![index], whole.pointer_to(*local), span)
        });
        args.splice(inner.fixed..inner.fixed, captured);
        let callee = Callee::Direct(inner.global, whole.args);
        let call = Expr { kind: ExprKind::Call { callee, args }, ty: inner.ret, span };
        let kind = if inner.ret == Ty::VOID { StmtKind::Expr(call) } else { StmtKind::Return(Some(call)) };
        Function {
            global: entry,
            vars: outer.vars.clone(),
            locals: locals.to_vec(),
            params: inner.params,
            ret: inner.ret,
            body: Block { scope: inner.body.scope, stmts: vec![Stmt { kind, span }], span },
            labels: vec![],
            borrowed: vec![],
            span,
            end: inner.end,
        }
    }

    /// The value of a parameter, for good.
    pub(super) fn parameter(&self, id: LocalId, local: &Local, span: Span) -> Expr {
        let place = Box::new(Place { kind: PlaceKind::Local(id), qty: local.qty, span });
        let moves = self.carries_restricted(local.qty.ty);
        let kind = if moves { ExprKind::Move(place, Transfer::Moved) } else { ExprKind::Read(place) };
        Expr { kind, ty: local.qty.ty, span }
    }
}

/// The pointer to a closure with this entry at these arguments, of type `ty`, over these captures.
pub(super) fn closure(whole: &Whole, entry: (GlobalId, Args), ty: Ty, captures: Vec<Expr>, span: Span) -> ExprKind {
    let any = whole.types.pointer(PtrTy {
        to: QTy::from(Ty::VOID),
        nullable: true,
        bound: Bound::Thin(1),
        zeroterm: false,
        region: Region::Heap,
        aqual: Aqual::Aliasable,
    });
    let function = Expr { kind: ExprKind::FunctionAddr(entry.0, entry.1), ty, span };
    let captures = captures.into_iter().map(|e| e.coerced(Coercion::Retype, any));
    runtime_call(CLOSURE, std::iter::once(function).chain(captures).collect(), ty, span).kind
}

fn runtime_call(name: &str, args: Vec<Expr>, ty: Ty, span: Span) -> Expr {
    Expr { kind: ExprKind::Call { callee: Callee::Builtin(Symbol::new(name)), args }, ty, span }
}
