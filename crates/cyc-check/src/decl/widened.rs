//! Functions whose results are hidden in an existential struct (core, section 3.10; ADR 2). Code that unpacks the struct takes
//! a hidden type for a word; a function that gives a number of four bytes leaves the rest of the word open. So a function
//! of its own, made here, calls it and widens what it gives.

use crate::cx::Checker;
use crate::tast::*;
use cyc_base::{Span, Symbol};
use cyc_types::{Args, FnAttrs, FnTy, Fold, Kind, Part, PtrTy, QTy, Region, ScopeId, Ty, TyKind, Types, Varargs};
use std::rc::Rc;

/// What of a function's result is hidden.
pub(crate) enum Hides {
    All,
    /// These components of a tuple.
    Components(Vec<u32>),
}

/// Every region the heap: where they have done their work.
struct NoRegions;

impl Fold for NoRegions {
    fn region(&mut self, _: &Types, _: Region) -> Region {
        Region::Heap
    }
}

impl Checker<'_> {
    /// A pointer to a function that is known here, as one to a function that widens what is hidden of the result. None: which
    /// function it is, or of what type, is only known when the program runs.
    pub(crate) fn widened_result(&mut self, pointer: &Expr, hides: &Hides) -> Option<Expr> {
        let mut function = pointer;
        while let ExprKind::Coerce(Coercion::Retype, inner) = &function.kind {
            function = inner;
        }
        let ExprKind::FunctionAddr(id, args) = function.kind else { return None };
        if self.func.nested.functions.iter().any(|nested| nested.global == id) {
            return None;
        }
        let args = self.final_args(args);
        let found =
            self.pointer_of(function.ty).and_then(|ptr| self.unit.types.as_function(self.final_type(ptr.to.ty)))?;
        let plain = found.varargs == Varargs::None && found.vars.iter().all(|var| var.kind == Kind::E);
        let params: Vec<QTy> = found.params.iter().map(|p| QTy { ty: self.plain(p.ty), ..*p }).collect();
        let ret = self.plain(found.ret);
        if !plain || !params.iter().map(|p| p.ty).chain([ret]).all(|ty| self.is_known(ty)) {
            return None;
        }
        let wide = self.widened(ret, hides);
        let ty = FnTy {
            vars: vec![],
            ret: wide,
            params: params.clone(),
            varargs: Varargs::None,
            effect: None,
            constraints: vec![],
            attrs: FnAttrs::default(),
        };
        let ty = self.unit.types.intern(TyKind::Function(Rc::new(ty)));
        let span = pointer.span;
        let made = self.add_widening(id, ty, span);
        let body = self.widening_body(Callee::Direct(id, args), &params, (ret, wide), hides, span);
        self.unit.functions.push(Function { global: made, ..body });
        let to = PtrTy { to: ty.into(), region: Region::Heap, ..self.pointer_of(function.ty)? };
        let address = Expr { kind: ExprKind::FunctionAddr(made, Args::NONE), ty: self.unit.types.pointer(to), span };
        Some(address.coerced(Coercion::Retype, pointer.ty))
    }

    fn plain(&self, ty: Ty) -> Ty {
        self.unit.types.fold(self.final_type(ty), &mut NoRegions)
    }

    /// Does no variable occur in the type, and nothing that is to be inferred?
    fn is_known(&self, ty: Ty) -> bool {
        let types = &self.unit.types;
        !types.any_part(ty, &mut |part| match part {
            Part::Type(ty) => matches!(types.kind(ty), TyKind::Var(_) | TyKind::Infer(_) | TyKind::Error),
            _ => false,
        })
    }

    fn widened(&self, ret: Ty, hides: &Hides) -> Ty {
        match (hides, self.unit.types.kind(ret)) {
            (Hides::Components(which), TyKind::Tuple(parts)) => {
                let wide =
                    |(i, part): (u32, &QTy)| if which.contains(&i) { QTy { ty: Ty::LONG, ..*part } } else { *part };
                self.unit.types.intern(TyKind::Tuple((0..).zip(parts.iter()).map(wide).collect()))
            }
            _ => Ty::LONG,
        }
    }

    fn add_widening(&mut self, of: GlobalId, ty: Ty, span: Span) -> GlobalId {
        let name = Symbol::new(&format!("{}$widened{}", self.unit.global(of).name, self.unit.globals.len()));
        self.add_made_function(name, ty, span)
    }

    /// `{ return (long)f(x, …); }`, for a tuple `{ let t = f(x, …); return $((long)t[0], t[1]); }`.
    fn widening_body(
        &self,
        callee: Callee,
        params: &[QTy],
        (ret, wide): (Ty, Ty),
        hides: &Hides,
        span: Span,
    ) -> Function {
        let scope = ScopeId(0);
        let local = |name: &str, qty: QTy| {
            let name = Symbol::new(name);
            Local { name, qty, scope, address_taken: false, synthetic: true, attrs: vec![], span }
        };
        let mut locals: Vec<Local> = params.iter().map(|qty| local("x", *qty)).collect();
        let args: Vec<Expr> = (0..).zip(&locals).map(|(i, param)| self.parameter(LocalId(i), param, span)).collect();
        let call = Expr { kind: ExprKind::Call { callee, args }, ty: ret, span };
        let mut stmts = vec![];
        let value = match (hides, self.unit.types.kind(ret)) {
            (Hides::Components(which), TyKind::Tuple(parts)) => {
                let place = Place { kind: PlaceKind::Local(LocalId(locals.len() as u32)), qty: ret.into(), span };
                locals.push(local("result", ret.into()));
                let kept = ExprKind::Assign { place: Box::new(place.clone()), value: Box::new(call) };
                stmts.push(Stmt { kind: StmtKind::Expr(Expr { kind: kept, ty: ret, span }), span });
                let part = |(i, part): (u32, &QTy)| {
                    let kind = PlaceKind::Component(Box::new(place.clone()), i);
                    let read = ExprKind::Read(Box::new(Place { kind, qty: *part, span }));
                    let value = Expr { kind: read, ty: part.ty, span };
                    (i, if which.contains(&i) { value.coerced(Coercion::Arith, Ty::LONG) } else { value })
                };
                Expr { kind: ExprKind::Aggregate((0..).zip(parts.iter()).map(part).collect()), ty: wide, span }
            }
            _ => call.coerced(Coercion::Arith, Ty::LONG),
        };
        stmts.push(Stmt { kind: StmtKind::Return(Some(value)), span });
        Function {
            global: GlobalId(0),
            vars: vec![],
            params: params.len() as u32,
            locals,
            ret: wide,
            body: Block { scope: Some(scope), stmts, span },
            labels: vec![],
            borrowed: vec![],
            span,
            end: span,
        }
    }
}
