//! Implicit conversions (core, section 4): every row of the table, each an explicit [`Coercion`].
//!
//! A cast asks for the same relations and silences the warnings; it never does more.

mod aqual;
mod arith;
mod function;
mod pointer;
mod subtype;

pub use aqual::Instantiated;
pub use arith::Num;

use crate::cx::Checker;
use crate::errors;
use crate::region::{Flow, RegionReason};
use crate::tast::{Coercion, Expr, ExprKind};
use cyc_base::{Span, Symbol};
use cyc_types::{Bound, FloatTy, IntTy, Kind, PtrTy, QTy, Ty, TyKind};

/// What an expression is checked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Want {
    /// Whatever type it has by itself.
    None,
    /// A value of this type is expected. The result is not converted to it yet.
    Ty(Ty),
}

impl Want {
    pub fn ty(self) -> Option<Ty> {
        match self {
            Want::None => None,
            Want::Ty(ty) => Some(ty),
        }
    }
}

/// Where a value flows, so that messages and region errors can say it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    /// The initialiser of a variable, whose name stands at the span.
    Init(Symbol, Span),
    /// A field of a struct, union or tuple being built, or an element of an array.
    Component,
    /// The value of a pattern or other compiler-made variable.
    Value,
    /// An assignment, to the named variable if it is one.
    Assign(Option<Symbol>),
    Return,
    /// 1-based index, and the function's name if it has one.
    Argument(u32, Option<Symbol>),
    /// An arm of `?:`.
    Arm,
    /// An operand of an operator.
    Operand,
    /// An explicit cast: the same relations, without warnings.
    Cast,
    Throw,
    /// A conversion of a format at the given text.
    Format,
}

impl Why {
    /// For the region solver.
    pub fn flow(self, span: Span) -> RegionReason {
        let kind = match self {
            Why::Init(name, _) => Flow::Init(name),
            Why::Assign(name) => Flow::Assign(name),
            Why::Return => Flow::Return,
            Why::Argument(n, name) => Flow::Argument(n, name),
            Why::Throw => Flow::Throw,
            Why::Component => Flow::Component,
            Why::Value | Why::Arm | Why::Operand | Why::Cast | Why::Format => Flow::Value,
        };
        RegionReason::new(span, kind)
    }

    fn is_cast(self) -> bool {
        self == Why::Cast
    }
}

impl Expr {
    /// The value of a constant integer expression after folding.
    pub fn as_int(&self) -> Option<i128> {
        match &self.kind {
            ExprKind::Int(value) => Some(*value),
            _ => None,
        }
    }

    pub fn error(span: Span) -> Expr {
        Expr { kind: ExprKind::Error, ty: Ty::ERROR, span }
    }

    pub fn is_error(&self) -> bool {
        self.ty == Ty::ERROR || matches!(self.kind, ExprKind::Error)
    }

    pub(crate) fn coerced(self, how: Coercion, to: Ty) -> Expr {
        Expr { span: self.span, kind: ExprKind::Coerce(how, Box::new(self)), ty: to }
    }
}

impl Checker<'_> {
    /// The value as a `to`, by an implicit conversion (or a cast, when `why` says so); an error if there is none.
    pub fn coerce(&mut self, expr: Expr, to: Ty, why: Why) -> Expr {
        let (from, to) = (self.resolve(expr.ty), self.resolve(to));
        if from == to {
            return expr;
        }
        if from == Ty::ERROR || to == Ty::ERROR {
            return Expr { ty: to, ..expr };
        }
        if let Some((base, id)) = self.unit.types.subset_of(to) {
            let value = self.coerce(expr, base, why);
            return self.coerce_to_subset(value, id, to);
        }
        let from = self.unit.types.without_subset(from);
        let expr = Expr { ty: from, ..expr };
        if from == to {
            return expr;
        }
        let expr = self.instantiate_for(expr, to);
        let expr = self.plain_literal(expr, to);
        let from = self.resolve(expr.ty);
        if let Some(solved) = self.solve_by_use(from, to, why.flow(expr.span)) {
            if !solved {
                let diagnostic = errors::expr::infinite_type(expr.span, &self.show(from));
                self.report(diagnostic);
                return Expr { ty: Ty::ERROR, ..expr };
            }
            return match self.resolve(expr.ty) == self.resolve(to) {
                true => expr,
                false => expr.coerced(Coercion::Retype, to),
            };
        }
        let (from_kind, to_kind) = (self.unit.types.kind(from).clone(), self.unit.types.kind(to).clone());
        match (from_kind, to_kind) {
            (_, TyKind::Void) if why.is_cast() => expr.coerced(Coercion::ToVoid, Ty::VOID),
            (TyKind::Void, _) => {
                self.report(errors::coerce::void_value(expr.span));
                Expr::error(expr.span)
            }
            (TyKind::Tag(_), t) if t.is_arithmetic() => {
                let number = expr.coerced(Coercion::Retype, Ty::ULONG);
                self.coerce(number, to, Why::Cast)
            }
            (f, TyKind::Tag(size)) if f.is_integral() => self.coerce_to_tag(expr, size, to, why),
            (f, t) if f.is_arithmetic() && t.is_arithmetic() => self.coerce_arith(expr, from, to, why),
            (TyKind::Var(_) | TyKind::Abstract(..), t)
                if why.is_cast() && t.is_integral() && to != Ty::BOOL && self.is_boxed_variable(from) =>
            {
                // The word itself (core, section 10.2).
                expr.coerced(Coercion::PtrToInt, to)
            }
            (TyKind::Pointer(_), TyKind::Bool) => {
                // As in C: is it not null?
                let not = Expr { span: expr.span, kind: ExprKind::Not(Box::new(expr)), ty: Ty::INT };
                let yes = Expr { span: not.span, kind: ExprKind::Not(Box::new(not)), ty: Ty::INT };
                yes.coerced(Coercion::Arith, to)
            }
            (TyKind::Pointer(p), t) if t.is_arithmetic() => self.coerce_pointer_to_number(expr, p, to, why),
            (f, TyKind::Pointer(q)) if f.is_arithmetic() => self.coerce_number_to_pointer(expr, q, to, why),
            (TyKind::Pointer(p), TyKind::Pointer(q)) => self.coerce_pointer(expr, p, q, to, why),
            (TyKind::Handle(small), TyKind::Handle(large)) => {
                self.included(small, large, why.flow(expr.span));
                expr.coerced(Coercion::Retype, to)
            }
            (TyKind::Tuple(ps), TyKind::Tuple(qs)) if ps.len() == qs.len() => {
                self.coerce_tuple(expr, &ps, &qs, to, why)
            }
            // Instances of one definition, whose arguments become equal.
            (TyKind::Aggr(_), TyKind::Aggr(_)) | (TyKind::Variant(..), TyKind::Variant(..))
                if self.may_equal(from, to) =>
            {
                self.unify(from, to, expr.span);
                Expr { ty: to, ..expr }
            }
            // What has no conversions of its own: the same type, its arguments made equal.
            (f, _) if !f.is_arithmetic() && self.may_equal(from, to) => match self.unify(from, to, expr.span) {
                true => expr.coerced(Coercion::Retype, to),
                false => self.mismatch(expr, to, why, None),
            },
            _ => self.mismatch(expr, to, why, None),
        }
    }

    /// Where the type of a polymorphic value is to be found, a string literal is a string of any length, and a pointer to a
    /// variant one to its datatype: other values of the same type will be others of these.
    fn plain_literal(&mut self, expr: Expr, to: Ty) -> Expr {
        let open = matches!(self.kind_of(to), TyKind::Infer(vid) if self.func.infer.kind(*vid) == Kind::B);
        match (&expr.kind, self.pointer_of(expr.ty)) {
            (ExprKind::Str(_) | ExprKind::WideStr(_), Some(ptr)) if open => {
                let string = self.unit.types.pointer(PtrTy { nullable: true, bound: Bound::Thin(1), ..ptr });
                self.coerce(expr, string, Why::Value)
            }
            (_, Some(ptr)) if open => match *self.kind_of(ptr.to.ty) {
                TyKind::Variant(datatype, _) => {
                    let whole = self.unit.types.intern(TyKind::Datatype(datatype));
                    let pointer = self.unit.types.pointer(PtrTy { to: QTy { ty: whole, ..ptr.to }, ..ptr });
                    self.coerce(expr, pointer, Why::Value)
                }
                _ => expr,
            },
            _ => expr,
        }
    }

    /// A tuple's components keep their representation: each may only change its regions.
    fn coerce_tuple(&mut self, expr: Expr, from: &[QTy], to: &[QTy], ty: Ty, why: Why) -> Expr {
        for (p, q) in from.iter().zip(to) {
            if !self.same_shape(p.ty, q.ty) {
                return self.mismatch(expr, ty, why, Some((p.ty, q.ty)));
            }
        }
        let flow = why.flow(expr.span);
        for (p, q) in from.iter().zip(to) {
            self.flow_regions(p.ty, q.ty, flow);
        }
        expr.coerced(Coercion::Retype, ty)
    }

    /// Equal but for regions and the qualifiers of the outermost level?
    fn same_shape(&self, a: Ty, b: Ty) -> bool {
        self.may_equal(a, b)
    }

    /// The regions of a value of type `from` flow into those of `to`, which has the same shape:
    /// the outermost pointers' outlive, those within become equal.
    fn flow_regions(&mut self, from: Ty, to: Ty, why: RegionReason) {
        let (from, to) = (self.resolve(from), self.resolve(to));
        if from == to {
            return;
        }
        match (self.unit.types.kind(from).clone(), self.unit.types.kind(to).clone()) {
            (TyKind::Pointer(p), TyKind::Pointer(q)) => {
                self.pointer_flow(q.aqual, p.region, q.region, why);
                self.unify(p.to.ty, q.to.ty, why.span);
            }
            (TyKind::Handle(small), TyKind::Handle(large)) => self.included(small, large, why),
            (TyKind::Tuple(ps), TyKind::Tuple(qs)) => {
                for (p, q) in ps.iter().zip(qs.iter()) {
                    self.flow_regions(p.ty, q.ty, why);
                }
            }
            _ => {
                self.unify(from, to, why.span);
            }
        }
    }

    /// The attributes that only one of two function types has, which are otherwise shown alike; true: the first.
    pub(crate) fn attributes_that_differ(&mut self, mut a: Ty, mut b: Ty) -> Vec<(String, bool)> {
        if self.show(a) != self.show(b) {
            return vec![];
        }
        while let (Some(p), Some(q)) = (self.pointer_of(a), self.pointer_of(b)) {
            (a, b) = (p.to.ty, q.to.ty);
        }
        let (TyKind::Function(f), TyKind::Function(g)) = (self.kind_of(a), self.kind_of(b)) else { return vec![] };
        let (f, g) = (f.attrs.shown(), g.attrs.shown());
        let first = f.iter().filter(|x| !g.contains(x)).map(|x| (x.clone(), true));
        first.chain(g.iter().filter(|x| !f.contains(x)).map(|x| (x.clone(), false))).collect()
    }

    /// Reports that a value of one type stands where another is needed; `parts` are the components that disagree.
    fn mismatch(&mut self, expr: Expr, to: Ty, why: Why, parts: Option<(Ty, Ty)>) -> Expr {
        let (found, wanted) = (self.show(expr.ty), self.show(to));
        let attributes = match parts.or_else(|| Some((self.pointer_of(expr.ty)?.to.ty, self.pointer_of(to)?.to.ty))) {
            Some((a, b)) => self.attributes_that_differ(a, b),
            None => vec![],
        };
        let parts = parts.map(|(a, b)| (self.show(a), self.show(b)));
        self.report(errors::coerce::mismatch(expr.span, why, (&found, &wanted), parts, &attributes));
        Expr { ty: Ty::ERROR, ..expr }
    }
}

/// Questions about kinds that conversions and operators ask.
pub trait KindExt {
    fn is_arithmetic(&self) -> bool;
    fn is_integral(&self) -> bool;
    fn is_float(&self) -> bool;
    /// Can stand in a condition?
    fn is_truth(&self) -> bool;
}

impl KindExt for TyKind {
    fn is_arithmetic(&self) -> bool {
        matches!(self, TyKind::Bool | TyKind::Int(_) | TyKind::Float(_) | TyKind::Complex(_) | TyKind::Enum(_))
    }

    fn is_integral(&self) -> bool {
        matches!(self, TyKind::Bool | TyKind::Int(_) | TyKind::Enum(_))
    }

    fn is_float(&self) -> bool {
        matches!(self, TyKind::Float(_) | TyKind::Complex(_))
    }

    fn is_truth(&self) -> bool {
        self.is_integral() || matches!(self, TyKind::Pointer(_) | TyKind::Error | TyKind::Infer(_))
    }
}

/// Is it one of the three character types?
pub fn is_char(kind: &TyKind) -> bool {
    matches!(kind, TyKind::Int(IntTy::Char | IntTy::SChar | IntTy::UChar))
}

/// Ranks of floating types: a bigger one holds every value of a smaller one.
pub fn float_rank(float: FloatTy) -> u8 {
    match float {
        FloatTy::Float => 0,
        FloatTy::Double => 1,
        FloatTy::LongDouble => 2,
        FloatTy::Float128 => 3,
    }
}
