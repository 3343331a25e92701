//! Calls (core, section 5.15).

use crate::coerce::{KindExt, Want, Why};
use crate::cx::Checker;
use crate::errors;
use crate::expr::arith::promoted;
use crate::expr::borrow::Borrowing;
use crate::expr::instantiate::is_polymorphic;
use crate::expr::vararg::Extra;
use crate::scope::{Entity, Tag};
use crate::tast::{Callee, Expr, ExprKind};
use cyc_base::{Span, Symbol};
use cyc_syntax::ast::{self, ExprKind as Ast};
use cyc_types::{Arg, Args, Bound, FloatTy, FnTy, Kind, PtrTy, QTy, Region, Ty, TyKind, Varargs};
use std::rc::Rc;

impl Checker<'_> {
    /// `f(args)`: a call, or by what the name means a datatype's constructor or a struct's value.
    pub(crate) fn check_call(&mut self, callee: &ast::Expr, args: &[ast::Expr], want: Want, span: Span) -> Expr {
        if let Ast::Name(name) = &callee.kind {
            match self.lookup(name) {
                Some(Entity::Variant(datatype, variant)) => {
                    return self.check_variant_value(datatype, variant, args, span);
                }
                Some(Entity::Global(id)) if self.unit.global(id).is_function => {
                    let ty = self.unit.global(id).qty.ty;
                    let Some(function) = self.unit.types.as_function(ty).cloned() else {
                        return self.check_args_anyway(args, span);
                    };
                    let declared = self.unit.global(id).span;
                    let name = Some((name.name, declared));
                    return self.call(Callee::Direct(id, Args::NONE), &function, name, (args, want), span);
                }
                None if name.as_ident().is_some() && name.name.as_str().starts_with("__builtin_") => {
                    return self.check_builtin(name.name, args, callee.span, span);
                }
                None if matches!(self.lookup_tag(name), Ok(Some(Tag::Aggr(_)))) => {
                    return self.check_positional_struct(name, args, want, span);
                }
                _ => {}
            }
        }
        let function = self.check_expr(callee, Want::None);
        if function.is_error() {
            return self.check_args_anyway(args, span);
        }
        let to = self.pointer_of(function.ty).map(|p| self.resolve(p.to.ty));
        let Some(ty) = to.and_then(|to| self.unit.types.as_function(to)).cloned() else {
            let found = self.show(function.ty);
            self.report(errors::expr::not_a_function(callee.span, &found));
            return self.check_args_anyway(args, span);
        };
        if matches!(function.kind, ExprKind::Null) {
            self.report(errors::expr::null_deref(function.span));
            return self.check_args_anyway(args, span);
        }
        let direct = match function.kind {
            ExprKind::FunctionAddr(id, args) => Callee::Direct(id, args),
            kind => {
                let ty = function.ty;
                let function = self.thin_function(Expr { kind, ..function }, ty);
                Callee::Pointer(Box::new(function))
            }
        };
        let name = match &direct {
            Callee::Direct(id, _) => Some((self.unit.global(*id).name, self.unit.global(*id).span)),
            _ => None,
        };
        self.call(direct, &ty, name, (args, want), span)
    }

    /// A fat pointer to a function is made thin, which checks it.
    fn thin_function(&mut self, function: Expr, ty: Ty) -> Expr {
        match self.pointer_of(ty) {
            Some(ptr) if ptr.bound == cyc_types::Bound::Fat => {
                let thin = cyc_types::PtrTy { bound: cyc_types::Bound::Thin(1), ..ptr };
                let thin = self.unit.types.pointer(thin);
                self.coerce(function, thin, Why::Cast)
            }
            _ => function,
        }
    }

    /// The arguments of a call that is wrong already: for the mistakes within them.
    pub(crate) fn check_args_anyway(&mut self, args: &[ast::Expr], span: Span) -> Expr {
        for arg in args {
            self.check_expr(arg, Want::None);
        }
        Expr::error(span)
    }

    fn call(
        &mut self,
        callee: Callee,
        function: &Rc<FnTy>,
        name: Option<(Symbol, Span)>,
        (args, want): (&[ast::Expr], Want),
        span: Span,
    ) -> Expr {
        if let Callee::Direct(id, _) = &callee
            && let Some((id, function)) = self.checked_while_run(*id, function, args)
        {
            return self.call(Callee::Direct(id, Args::NONE), &function, name, (args, want), span);
        }
        let borrowing = self.enter_borrowing(function, args, span);
        let call = self.call_within(callee, function, name, (args, want), borrowing.as_ref(), span);
        self.leave_borrowing(borrowing);
        call
    }

    /// The call, in the scope of the pointers that are borrowed for it.
    fn call_within(
        &mut self,
        callee: Callee,
        function: &Rc<FnTy>,
        name: Option<(Symbol, Span)>,
        (args, want): (&[ast::Expr], Want),
        borrowing: Option<&Borrowing>,
        span: Span,
    ) -> Expr {
        let targs = self.fresh_args(&function.vars, span);
        let (params, ret) = self.instantiate(function, &targs);
        if let Want::Ty(want) = want {
            self.expect_arguments(ret, want, span);
        }
        let callee = self.instantiated_callee(callee, function, targs.clone());
        let open = function.varargs != Varargs::None;
        if args.len() < params.len() || (args.len() > params.len() && !open) {
            let shown = self.show_parameters(function);
            self.report(match args.len() < params.len() {
                true => errors::expr::too_few_arguments(span, name, params.len(), args.len(), &shown),
                false => {
                    let extra = args[params.len()].span.to(args[args.len() - 1].span);
                    errors::expr::too_many_arguments(extra, name, params.len(), args.len(), &shown)
                }
            });
            return self.check_args_anyway(args, span);
        }
        let mut typed = Vec::with_capacity(args.len());
        for (i, (arg, param)) in args.iter().zip(&params).enumerate() {
            let why = Why::Argument(i as u32 + 1, name.map(|n| n.0));
            typed.push(self.check_argument(arg, *param, borrowing, i, why));
        }
        match function.varargs {
            Varargs::None => {}
            Varargs::C => {
                let lent = borrowing.and_then(Borrowing::of_extra);
                self.check_varargs(function, args, &mut typed, lent, name.map(|n| n.0));
            }
            Varargs::Typed { elem, inject } => {
                let elem = QTy { ty: self.unit.types.substitute(elem.ty, &targs), ..elem };
                let extra = Extra { elem, inject, lent: borrowing.and_then(Borrowing::of_extra) };
                self.check_typed_varargs(function, extra, args, &mut typed, name.map(|n| n.0), span);
            }
        }
        if function.varargs == Varargs::C {
            // What C's `...` is given is in no type.
            typed[params.len().min(typed.len())..]
                .iter()
                .for_each(|arg| self.require_reachable(arg, name.map(|n| n.0)));
        }
        if let Callee::Pointer(pointer) = &callee {
            self.require_access(pointer);
        }
        self.require_call(function, &targs, name.map(|n| n.0), span);
        self.note_overwritten(function, &typed);
        if let Callee::Direct(id, _) = &callee {
            self.warn_of_discarded_key(*id, &typed);
        }
        if !self.require_defined_enum(ret, span) {
            return Expr::error(span);
        }
        if typed.iter().any(Expr::is_error) {
            // The result keeps its type: what is done with it is still worth checking.
            return Expr { kind: ExprKind::Error, ty: ret, span };
        }
        let ret = self.unit.types.without_subset(self.resolve(ret));
        Expr { kind: ExprKind::Call { callee, args: typed }, ty: ret, span }
    }

    /// The type arguments of a result are those of the type that is expected: no conversion changes them. So the
    /// arguments of the call are checked for what they have to be.
    fn expect_arguments(&mut self, ret: Ty, want: Ty, span: Span) {
        if let (TyKind::Infer(vid), Some(ptr)) = (self.kind_of(ret).clone(), self.pointer_of(want)) {
            // A pointer, into whatever region.
            let thin = ptr.bound != Bound::Fat && !self.frees(ptr.aqual) && ptr.nullable;
            if thin && self.func.infer.kind(vid) == Kind::B {
                let to = PtrTy { region: self.fresh_region(span), ..ptr };
                let to = self.unit.types.pointer(to);
                self.unify(ret, to, span);
            }
            return;
        }
        let inside = |cx: &Self, ty| cx.pointer_of(ty).map_or(ty, |ptr| ptr.to.ty);
        let (ret, want) = (inside(self, ret), inside(self, want));
        let types = &self.unit.types;
        let (found, expected) = match (self.kind_of(ret), self.kind_of(want)) {
            (TyKind::Aggr(a), TyKind::Aggr(b)) if types.same_aggr_def(*a, *b) => {
                (types.aggr_args(*a), types.aggr_args(*b))
            }
            (TyKind::Datatype(a), TyKind::Datatype(b)) if types.same_datatype_def(*a, *b) => {
                (types.datatype_args(*a), types.datatype_args(*b))
            }
            _ => return,
        };
        let pairs: Vec<(Arg, Arg)> =
            types.args(found).iter().copied().zip(types.args(expected).iter().copied()).collect();
        for pair in pairs {
            if let (Arg::Type(a), Arg::Type(b)) = pair
                && !matches!(self.kind_of(b), TyKind::Infer(_))
            {
                self.unify(a, b, span);
            }
        }
    }

    /// The callee with what its variables are instantiated with.
    fn instantiated_callee(&mut self, callee: Callee, function: &FnTy, targs: Vec<Arg>) -> Callee {
        if function.vars.is_empty() {
            return callee;
        }
        match callee {
            Callee::Direct(id, given) if given == Args::NONE => Callee::Direct(id, self.unit.types.intern_args(targs)),
            // Partly instantiated: the rest are regions.
            Callee::Direct(id, given) => Callee::Direct(id, self.unit.types.substitute_args(given, &targs)),
            Callee::Pointer(pointer) if is_polymorphic(function) => {
                Callee::Pointer(Box::new(self.instantiate_pointer(*pointer, function, targs, vec![])))
            }
            callee => callee,
        }
    }

    fn show_parameters(&self, function: &FnTy) -> String {
        let params: Vec<String> = function.params.iter().map(|p| self.show_q(*p)).collect();
        params.join(", ")
    }

    /// C's `...`: by the format if there is one, else the default promotions of scalars.
    /// Those of a format are borrowed into the region `lent`, if there is one.
    fn check_varargs(
        &mut self,
        function: &FnTy,
        args: &[ast::Expr],
        typed: &mut Vec<Expr>,
        lent: Option<Region>,
        name: Option<Symbol>,
    ) {
        if let Some((kind, format, first)) = function.attrs.format
            && first > 0
        {
            return self.check_format_call(kind, (format, first), args, typed, lent);
        }
        for (i, arg) in args.iter().enumerate().skip(typed.len()) {
            let value = self.check_expr(arg, Want::None);
            typed.push(self.promote_vararg(value, i, name));
        }
    }

    /// The type that C's default argument promotions give.
    pub(crate) fn default_promoted(&self, ty: Ty) -> Ty {
        match self.kind_of(ty) {
            TyKind::Float(FloatTy::Float) => Ty::DOUBLE,
            kind if kind.is_arithmetic() => promoted(&self.unit.types, self.resolve(ty)),
            _ => ty,
        }
    }

    /// The default argument promotions of C.
    pub(crate) fn promote_vararg(&mut self, value: Expr, index: usize, name: Option<Symbol>) -> Expr {
        let ty = self.resolve(value.ty);
        match self.unit.types.kind(ty) {
            TyKind::Error | TyKind::Pointer(_) => value,
            TyKind::Float(FloatTy::Float) => self.coerce(value, Ty::DOUBLE, Why::Operand),
            kind if kind.is_arithmetic() => {
                let to = promoted(&self.unit.types, ty);
                self.coerce(value, to, Why::Operand)
            }
            TyKind::Aggr(_) | TyKind::Tuple(_) => value,
            _ => {
                let found = self.show(ty);
                self.report(errors::expr::bad_vararg(value.span, index + 1, name, &found));
                Expr::error(value.span)
            }
        }
    }
}
