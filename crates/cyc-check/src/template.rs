//! Conditions that are checked in one place and stand in others: contracts of functions.

use crate::tast::{Coercion, Expr, ExprKind, LocalId, Place, PlaceKind};
use crate::visit::{Rewriter, Visitor};
use cyc_types::{Arg, Args, Fold, Size, Ty, TyKind, Types, Var};

/// The condition at arguments for the variables of its function.
pub fn at_arguments(types: &Types, condition: &Expr, args: &[Arg]) -> Expr {
    struct Params<'a>(&'a [Arg]);

    impl Fold for Params<'_> {
        fn ty(&mut self, types: &Types, ty: Ty) -> Option<Ty> {
            let TyKind::Var(Var::Param(index)) = types.kind(ty) else { return None };
            match self.0.get(*index as usize) {
                Some(Arg::Type(ty)) => Some(*ty),
                _ => Some(ty),
            }
        }

        fn size(&mut self, _: &Types, size: Size) -> Size {
            match size {
                Size::Var(Var::Param(index)) => match self.0.get(index as usize) {
                    Some(Arg::Size(size)) => *size,
                    _ => size,
                },
                size => size,
            }
        }
    }

    struct At<'a>(&'a Types, Params<'a>);

    impl Rewriter for At<'_> {
        fn ty(&mut self, ty: &mut Ty) {
            *ty = self.0.fold(*ty, &mut self.1);
        }

        fn args(&mut self, args: &mut Args) {
            *args = self.0.fold_args(*args, &mut self.1);
        }
    }

    let mut condition = condition.clone();
    if !args.is_empty() {
        At(types, Params(args)).expr(&mut condition);
    }
    condition
}

/// Which local variables a condition mentions.
pub fn mentioned(condition: &Expr) -> Vec<LocalId> {
    struct Mentioned(Vec<LocalId>);

    impl Visitor for Mentioned {
        fn local(&mut self, local: &LocalId) {
            self.0.push(*local);
        }
    }

    let mut found = Mentioned(vec![]);
    found.expr(condition);
    found.0
}

/// Is the condition made of variables, constants, arithmetic, comparisons and numbers of elements alone? Then it can be
/// evaluated anywhere, and needs no check for itself.
pub fn is_plain(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Null | ExprKind::Zero | ExprKind::SizeOf(_) => true,
        ExprKind::Read(place) => is_plain_place(place),
        ExprKind::Coerce(Coercion::Arith | Coercion::Retype, e) => is_plain(e),
        ExprKind::Unary(_, e) | ExprKind::Not(e) | ExprKind::Numelts(e) => is_plain(e),
        ExprKind::Binary(_, a, b)
        | ExprKind::And(a, b)
        | ExprKind::Or(a, b)
        | ExprKind::PtrCompare(_, a, b)
        | ExprKind::PtrDiff(a, b) => is_plain(a) && is_plain(b),
        _ => false,
    }
}

fn is_plain_place(place: &Place) -> bool {
    match &place.kind {
        PlaceKind::Local(_) | PlaceKind::Global(_) => true,
        PlaceKind::Component(inner, _) => is_plain_place(inner),
        _ => false,
    }
}
