//! Instantiation of polymorphic functions that are values (core, sections 3.13, 5.16 and 10.2).
//!
//! Variables of types are instantiated where the function becomes a value, unless a polymorphic function is expected
//! there. Regions stay bound until the function is called or converted: they leave no trace in code, and a function
//! that serves all regions serves wherever one that serves some is expected.

use crate::coerce::Want;
use crate::cx::Checker;
use crate::errors;
use crate::tast::{Coercion, Expr, ExprKind};
use crate::types::Position;
use cyc_base::Span;
use cyc_syntax::ast::{self, ExprKind as Ast};
use cyc_types::{Aqual, Arg, FnTy, Kind, PtrTy, Region, Ty, TyKind, TyParam};
use std::rc::Rc;

/// Does the function bind variables other than regions?
pub(crate) fn is_polymorphic(function: &FnTy) -> bool {
    function.vars.iter().any(|v| v.kind != Kind::E)
}

/// A function's variables with those other than regions replaced.
struct Partial {
    args: Vec<Arg>,
    /// The regions, which stay bound.
    vars: Vec<TyParam>,
}

impl Checker<'_> {
    /// The type of the function that a value of type `ty` points to, if it binds variables other than regions.
    fn polymorphic(&self, ty: Ty) -> Option<Rc<FnTy>> {
        let to = self.pointer_of(ty)?.to.ty;
        self.unit.types.as_function(self.resolve(to)).filter(|f| is_polymorphic(f)).cloned()
    }

    /// A polymorphic function that is used as a value: its variables become types to be inferred, unless a polymorphic
    /// function is expected.
    pub(crate) fn instantiate_value(&mut self, expr: Expr, want: Want) -> Expr {
        let Some(function) = self.polymorphic(expr.ty) else { return expr };
        if want.ty().is_some_and(|ty| self.polymorphic(ty).is_some()) {
            return expr;
        }
        let partial = self.replace_variables(&function, |cx, var| cx.fresh_arg(var, expr.span));
        self.instantiate_pointer(expr, &function, partial.args, partial.vars)
    }

    /// As [`Checker::instantiate_value`], where it is known that a function of type `to` is expected.
    pub(crate) fn instantiate_for(&mut self, expr: Expr, to: Ty) -> Expr {
        let monomorphic = self.pointer_of(to).is_some_and(|p| matches!(self.kind_of(p.to.ty), TyKind::Function(_)));
        if monomorphic { self.instantiate_value(expr, Want::Ty(to)) } else { expr }
    }

    fn replace_variables(&mut self, function: &FnTy, mut by: impl FnMut(&mut Self, TyParam) -> Arg) -> Partial {
        let (mut args, mut vars) = (vec![], vec![]);
        for var in &function.vars {
            args.push(match var.kind {
                Kind::E => {
                    vars.push(*var);
                    Arg::Region(Region::Bound { depth: 0, index: vars.len() as u32 - 1 })
                }
                _ => by(self, *var),
            });
        }
        Partial { args, vars }
    }

    /// The function type with its variables replaced; it binds `vars`.
    fn instantiated(&mut self, function: &FnTy, args: &[Arg], vars: Vec<TyParam>) -> Ty {
        let types = &self.unit.types;
        let whole = types.intern(TyKind::Function(Rc::new(FnTy { vars, ..function.clone() })));
        types.substitute_bound(whole, args)
    }

    /// A pointer to a polymorphic function as a pointer to its instance.
    pub(crate) fn instantiate_pointer(
        &mut self,
        pointer: Expr,
        function: &FnTy,
        args: Vec<Arg>,
        vars: Vec<TyParam>,
    ) -> Expr {
        let to = self.instantiated(function, &args, vars);
        let Some(ptr) = self.pointer_of(pointer.ty) else { return pointer };
        let ty = self.unit.types.pointer(PtrTy { to: to.into(), ..ptr });
        let args = self.unit.types.intern_args(args);
        match pointer.kind {
            ExprKind::FunctionAddr(id, _) => Expr { kind: ExprKind::FunctionAddr(id, args), ty, span: pointer.span },
            _ => pointer.coerced(Coercion::Instantiate(args), ty),
        }
    }

    /// The value of an expression; a polymorphic function stays one: `e<>`.
    pub(crate) fn check_uninstantiated(&mut self, e: &ast::Expr, want: Want) -> Expr {
        match &e.kind {
            Ast::Name(_) | Ast::Deref(_) | Ast::Index(..) | Ast::Field { .. } => {
                let place = self.check_place(e);
                self.read_place(place, e.span)
            }
            Ast::NoInst(inner) => self.check_uninstantiated(inner, want),
            _ => self.check_expr(e, want),
        }
    }

    /// `e@<T,…>`: the leading variables of a polymorphic function are given, the rest inferred; regions among these stay
    /// bound.
    pub(crate) fn check_instantiation(&mut self, e: &ast::Expr, written: &[Rc<ast::Type>], span: Span) -> Expr {
        let value = self.check_uninstantiated(e, Want::None);
        if value.is_error() {
            return Expr::error(span);
        }
        let to = self.pointer_of(value.ty).map(|p| self.resolve(p.to.ty));
        let function = to.and_then(|to| self.unit.types.as_function(to)).filter(|f| !f.vars.is_empty()).cloned();
        let Some(function) = function else {
            let found = self.show(value.ty);
            self.report(errors::poly::not_polymorphic(e.span, &found));
            return Expr::error(span);
        };
        if let Some(extra) = written.get(function.vars.len()) {
            self.report(errors::poly::too_many_instances(extra.span, function.vars.len(), written.len()));
            return Expr::error(span);
        }
        let (mut args, mut vars) = (vec![], vec![]);
        for (i, var) in function.vars.iter().enumerate() {
            let arg = match written.get(i) {
                Some(written) => self.resolve_arg(written, *var, Position::Cast),
                None if var.kind == Kind::E => {
                    vars.push(*var);
                    Some(Arg::Region(Region::Bound { depth: 0, index: vars.len() as u32 - 1 }))
                }
                None => Some(self.fresh_arg(*var, span)),
            };
            let Some(arg) = arg else { return Expr::error(span) };
            args.push(arg);
        }
        let value = self.instantiate_pointer(value, &function, args, vars);
        Expr { span, ..value }
    }

    /// Two polymorphic function types as they are for one and the same unknown choice of their variables, regions
    /// aside: opaque variables take the place of both's. None: they bind different things.
    pub(crate) fn for_same_unknowns(&mut self, f: &FnTy, g: &FnTy) -> Option<(Rc<FnTy>, Rc<FnTy>)> {
        let others = |f: &FnTy| f.vars.iter().filter(|v| v.kind != Kind::E).copied().collect::<Vec<_>>();
        let (have, want) = (others(f), others(g));
        // What `f` promises to do with values of any type, it does with those that `g` is given.
        let serves =
            |f: &TyParam, g: &TyParam| f.kind == g.kind && (f.bound == Aqual::Restricted || f.bound == g.bound);
        if have.len() != want.len() || !have.iter().zip(&want).all(|(f, g)| serves(f, g)) {
            return None;
        }
        let first = self.func.params.len() as u32;
        let unknowns: Vec<TyParam> = g.vars.iter().filter(|v| v.kind != Kind::E).copied().collect();
        self.func.params.extend(unknowns.iter().copied());
        let mut opened = vec![];
        for function in [f, g] {
            let mut next = first;
            let partial = self.replace_variables(function, |cx, var| {
                next += 1;
                var.arg(cyc_types::Var::Param(next - 1), &cx.unit.types)
            });
            let ty = self.instantiated(function, &partial.args, partial.vars);
            opened.push(self.unit.types.as_function(ty)?.clone());
        }
        let g = opened.pop()?;
        Some((opened.pop()?, g))
    }
}
