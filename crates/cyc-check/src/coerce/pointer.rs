//! Conversions from, to and between pointers.

use super::{KindExt, Why, is_char};
use crate::cx::Checker;
use crate::errors;
use crate::region::RegionReason;
use crate::tast::{Coercion, Expr, ExprKind};
use cyc_types::{Aqual, Bound, IntTy, PtrTy, Ty, TyKind};

/// How the target of a pointer is seen after a conversion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Target {
    /// The same type, up to regions within it, `const`, and the sign of numbers.
    Same,
    /// As bytes of a bits-only object of this many bytes.
    Bytes(u64),
    /// As something of which only the address matters, or as a prefix of the object: one object.
    One,
}

impl Checker<'_> {
    /// A thin pointer's bits as a word integer. Everything else is an error.
    pub(crate) fn coerce_pointer_to_number(&mut self, expr: Expr, from: PtrTy, to: Ty, why: Why) -> Expr {
        let word = match self.kind_of(to) {
            TyKind::Int(IntTy::Int | IntTy::UInt) => true,
            TyKind::Int(int) => int.bits() == 64,
            _ => false,
        };
        let (found, wanted) = (self.show(expr.ty), self.show(to));
        if from.bound == Bound::Fat {
            self.report(errors::coerce::fat_to_number(expr.span, &found, &wanted));
        } else if !word {
            self.report(errors::coerce::pointer_to_number(expr.span, &found, &wanted));
        } else {
            if why != Why::Cast {
                self.report(errors::coerce::implicit_pointer_to_int(expr.span, &found, &wanted));
            }
            return expr.coerced(Coercion::PtrToInt, to);
        }
        Expr { ty: Ty::ERROR, ..expr }
    }

    /// Only the literal 0 is a pointer.
    pub(crate) fn coerce_number_to_pointer(&mut self, expr: Expr, to: PtrTy, ty: Ty, why: Why) -> Expr {
        let plain = matches!(self.kind_of(expr.ty), TyKind::Int(int) if *int != IntTy::Char);
        if plain && expr.as_int() == Some(0) {
            return self.null(expr, to, ty);
        }
        let (found, wanted) = (self.show(expr.ty), self.show(ty));
        let float = self.kind_of(expr.ty).is_float();
        self.report(errors::coerce::number_to_pointer(expr.span, why, &found, &wanted, float));
        Expr { ty: Ty::ERROR, ..expr }
    }

    /// The null pointer where a `ty` is expected.
    fn null(&mut self, expr: Expr, to: PtrTy, ty: Ty) -> Expr {
        if !to.nullable {
            let wanted = self.show(ty);
            self.report(errors::coerce::null_for_nonnull(expr.span, &wanted));
            return Expr { ty: Ty::ERROR, ..expr };
        }
        Expr { kind: ExprKind::Null, ty, span: expr.span }
    }

    /// Pointer to pointer. The steps, each its own [`Coercion`]: the protected zero leaves the
    /// range, bounds are made or checked, the target is seen as bytes, null is checked.
    pub(crate) fn coerce_pointer(&mut self, expr: Expr, from: PtrTy, to: PtrTy, ty: Ty, why: Why) -> Expr {
        if matches!(expr.kind, ExprKind::Null) {
            return self.null(expr, to, ty);
        }
        let (mut from, to) = self.relate_bounds(from, to, why.flow(expr.span));
        let counted = [from, to].iter().any(|ptr| matches!(ptr.bound, Bound::Sized(_)));
        if counted && let Some(ptr) = self.pointer_in_use(expr.ty) {
            from.aqual = ptr.aqual;
        }
        let Some(target) = self.relate_targets(&expr, from, to, why) else {
            return self.unrelated(expr, from, to, ty, why);
        };
        if let Err(problem) = self.pointer_rules(&expr, from, to, target) {
            let (found, wanted) = (self.show(expr.ty), self.show(ty));
            self.report(problem(expr.span, why, &found, &wanted));
            return Expr { ty: Ty::ERROR, ..expr };
        }
        if to.aqual == Aqual::Autoreleased && self.resolve_aqual_value(from.aqual) != Aqual::Autoreleased {
            let found = self.show(expr.ty);
            self.report(errors::moves::not_pooled(expr.span, &found));
            return Expr { ty: Ty::ERROR, ..expr };
        }
        if !self.aqual_converts(from.aqual, to.aqual) {
            let (found, wanted) = (self.show(expr.ty), self.show(ty));
            self.report(errors::moves::qualifiers(expr.span, why, &found, &wanted));
            return Expr { ty: Ty::ERROR, ..expr };
        }
        // Losing the exact region would let the object go back to the wrong allocator.
        self.pointer_flow(to.aqual, from.region, to.region, why.flow(expr.span));
        // A string is passed on as a string: the zero still tells where it ends.
        let string = from.zeroterm && to.zeroterm && to.bound == Bound::Thin(1);
        if from.bound == Bound::Fat && to.bound != Bound::Fat && !string && !matches!(why, Why::Cast | Why::Format) {
            self.warn_fat_to_thin(&expr, ty);
        }
        let implicit = !matches!(why, Why::Cast | Why::Format);
        if implicit && from.nullable && !to.nullable && from.bound != Bound::Fat {
            self.unit.implicit_null_checks.insert(expr.span);
        }
        let mut steps = Steps { cx: self, expr, at: from };
        steps.drop_zero(to);
        steps.convert(to, target);
        steps.finish(to, ty)
    }

    /// Bounds that are type-level integers become equal, where they can.
    fn relate_bounds(&mut self, from: PtrTy, to: PtrTy, why: RegionReason) -> (PtrTy, PtrTy) {
        let (from, to) = (self.resolve_bound(from), self.resolve_bound(to));
        let sized = [from.bound, to.bound].iter().any(|bound| matches!(bound, Bound::Sized(_)));
        if sized && self.bounds_may_equal(from.bound, to.bound) {
            self.equate_bounds(from.bound, to.bound, why);
        }
        (self.resolve_bound(from), self.resolve_bound(to))
    }

    fn warn_fat_to_thin(&mut self, expr: &Expr, to: Ty) {
        if !matches!(expr.kind, ExprKind::New(_) | ExprKind::Alloc(_)) {
            let (found, wanted) = (self.show(expr.ty), self.show(to));
            self.report(errors::coerce::implicit_fat_to_thin(expr.span, &found, &wanted));
        }
    }

    /// May a pointer to `from.to` be used as a pointer to `to.to`, and how? Regions within become equal.
    fn relate_targets(&mut self, expr: &Expr, from: PtrTy, to: PtrTy, why: Why) -> Option<Target> {
        let flow = why.flow(expr.span);
        let functions = [from.to.ty, to.to.ty].iter().all(|ty| matches!(self.kind_of(*ty), TyKind::Function(_)));
        if !functions && self.may_equal(from.to.ty, to.to.ty) {
            self.unify(from.to.ty, to.to.ty, expr.span);
            return Some(Target::Same);
        }
        let (a, b) = (self.kind_of(from.to.ty).clone(), self.kind_of(to.to.ty).clone());
        match (&a, &b) {
            (_, TyKind::Void) => return Some(Target::One),
            (TyKind::Void, _) => return None,
            (TyKind::Variant(d, _), TyKind::Datatype(e)) if self.unit.types.same_datatype_def(*d, *e) => {
                let whole = self.unit.types.intern(TyKind::Datatype(*d));
                return self.unify(whole, to.to.ty, expr.span).then_some(Target::One);
            }
            (TyKind::Function(f), TyKind::Function(g)) => {
                return self.function_converts(f, g, flow).then_some(Target::Same);
            }
            _ => {}
        }
        // Elements of one width: bounds and the final zero stay what they are.
        if self.same_number(from.to.ty, to.to.ty) {
            return Some(Target::Same);
        }
        if is_char(&b) && !to.zeroterm && self.seen_as_bytes(from.to.ty, to.to.is_const) {
            return Some(Target::Bytes(self.layout_of(from.to.ty)?.size));
        }
        if to.to.is_const
            && let (Some(p), Some(q)) = (self.pointer_of(from.to.ty), self.pointer_of(to.to.ty))
            && self.is_covariant(p, q, flow)
        {
            return Some(Target::Same);
        }
        self.is_subtype(from.to, to.to, flow).then_some(Target::One)
    }

    /// The rules that do not depend on the targets' types; an error constructor for the one violated.
    fn pointer_rules(&self, expr: &Expr, from: PtrTy, to: PtrTy, target: Target) -> Result<(), PointerProblem> {
        if from.to.is_const && !to.to.is_const {
            return Err(errors::coerce::drops_const);
        }
        if to.zeroterm && !from.zeroterm {
            return Err(errors::coerce::not_zeroterm);
        }
        let checked = match (from.bound, to.bound) {
            (Bound::Fat, Bound::Sized(_)) | (Bound::Sized(_), Bound::Fat) => {
                target == Target::Same && from.aqual == Aqual::Aliasable && self.is_sized(from.to.ty)
            }
            (a, b) => a == b || ![a, b].iter().any(|bound| matches!(bound, Bound::Sized(_))),
        };
        if !checked {
            return Err(errors::coerce::bounds);
        }
        let length = exact_length(self, expr).filter(|_| from.zeroterm);
        let have = match from.bound {
            Bound::Fat | Bound::Sized(_) => None,
            Bound::Thin(n) => Some(length.unwrap_or(n)),
        };
        let protected = u64::from(from.zeroterm && !to.zeroterm && !to.to.is_const);
        let size = match target {
            Target::Bytes(size) => size,
            _ => 1,
        };
        match (have, to.bound) {
            (_, Bound::Fat) if target == Target::One => Err(errors::coerce::fat_of_part),
            (Some(n), Bound::Thin(m)) if m > n.saturating_sub(protected).saturating_mul(size) => {
                Err(if protected > 0 && m <= n { errors::coerce::exposes_zero } else { errors::coerce::bounds })
            }
            // The elements behind the first lie elsewhere.
            (_, Bound::Thin(m)) if target == Target::One && m > 1 => Err(errors::coerce::bounds),
            (_, Bound::Sized(_)) if target == Target::One || size == 0 => Err(errors::coerce::bounds),
            _ => Ok(()),
        }
    }

    fn unrelated(&mut self, expr: Expr, from: PtrTy, to: PtrTy, ty: Ty, why: Why) -> Expr {
        let (found, wanted) = (self.show(expr.ty), self.show(ty));
        if self.kind_of(from.to.ty) == &TyKind::Void {
            self.report(errors::coerce::from_void(expr.span, &found, &wanted));
            return Expr { ty: Ty::ERROR, ..expr };
        }
        let problem = match (self.kind_of(from.to.ty).clone(), self.kind_of(to.to.ty).clone()) {
            (TyKind::Function(f), TyKind::Function(g)) => self.function_problem(&f, &g, expr.span),
            _ if self.differs_in_qualifiers(from.to, to.to) => {
                Some(errors::moves::qualifiers_within(expr.span, why, &found, &wanted))
            }
            _ => None,
        };
        match problem {
            Some(problem) => {
                self.report(problem);
                Expr { ty: Ty::ERROR, ..expr }
            }
            None => self.mismatch(expr, ty, why, Some((from.to.ty, to.to.ty))),
        }
    }

    /// May an object be read (and, unless `read_only`, overwritten) byte by byte? Not when it holds
    /// pointers; nor, for writing, a protected zero, a `_Bool`, or a constant part.
    fn seen_as_bytes(&self, ty: Ty, read_only: bool) -> bool {
        let ty = self.resolve(ty);
        match read_only {
            true => self.unit.types.bits_only(ty),
            false => self.any_bits(ty) && !self.unit.types.has_const_member(ty),
        }
    }

    /// Are any bits at all a value of the type? It holds no pointers, no `_Bool`, and no array
    /// whose final zero is promised.
    pub(crate) fn any_bits(&self, ty: Ty) -> bool {
        self.unit.types.bits_only(self.resolve(ty)) && !self.holds_promise(ty, true)
    }

    /// Does an object of the type hold an array whose final zero is promised?
    pub(crate) fn holds_zeroterm(&self, ty: Ty) -> bool {
        self.holds_promise(ty, false)
    }

    fn holds_promise(&self, ty: Ty, also_bool: bool) -> bool {
        match self.kind_of(ty) {
            TyKind::Bool => also_bool,
            TyKind::Array { elem, zeroterm, .. } => *zeroterm || self.holds_promise(elem.ty, also_bool),
            TyKind::Tuple(parts) => parts.iter().any(|p| self.holds_promise(p.ty, also_bool)),
            TyKind::Aggr(id) => {
                let fields = self.unit.types.fields(*id).unwrap_or_default();
                fields.iter().any(|f| self.holds_promise(f.qty.ty, also_bool))
            }
            _ => false,
        }
    }
}

type PointerProblem = fn(cyc_base::Span, Why, &str, &str) -> cyc_base::Diagnostic;

/// The number of elements of a literal or of an array that decays: known exactly, though it is zero-terminated.
fn exact_length(cx: &Checker, expr: &Expr) -> Option<u64> {
    match &expr.kind {
        ExprKind::Str(bytes) => Some(bytes.len() as u64 + 1),
        ExprKind::WideStr(chars) => Some(chars.len() as u64 + 1),
        ExprKind::AddrOf(place) => match cx.kind_of(place.qty.ty) {
            TyKind::Array { len, .. } => *len,
            _ => None,
        },
        // A string that the checker put into a variable of its own would do as well.
        ExprKind::Coerce(Coercion::Retype, inner) => exact_length(cx, inner),
        _ => None,
    }
}

/// A conversion being built: the expression so far and its type as a pointer.
struct Steps<'c, 'a> {
    cx: &'c mut Checker<'a>,
    expr: Expr,
    at: PtrTy,
}

impl Steps<'_, '_> {
    fn step(&mut self, how: Coercion, at: PtrTy) {
        let ty = self.cx.unit.types.pointer(at);
        let expr = std::mem::replace(&mut self.expr, Expr::error(cyc_base::Span::NONE));
        self.expr = expr.coerced(how, ty);
        self.at = at;
    }

    /// From zero-terminated to not, writable: the last element must become unreachable.
    fn drop_zero(&mut self, to: PtrTy) {
        if !self.at.zeroterm || to.zeroterm {
            return;
        }
        let writable = !to.to.is_const;
        if self.at.bound != Bound::Fat && to.bound == Bound::Fat {
            self.make_fat();
        }
        let plain = PtrTy { zeroterm: false, ..self.at };
        match self.at.bound {
            Bound::Fat if writable => self.step(Coercion::FatDropZero, plain),
            Bound::Fat | Bound::Sized(_) => self.step(Coercion::Retype, plain),
            Bound::Thin(n) => {
                let n = exact_length(self.cx, &self.expr).unwrap_or(n);
                let bound = Bound::Thin(n - u64::from(writable));
                self.step(Coercion::Retype, PtrTy { bound, ..plain });
            }
        }
    }

    fn make_fat(&mut self) {
        let fat = PtrTy { bound: Bound::Fat, nullable: self.at.nullable, ..self.at };
        if let Bound::Sized(size) = self.at.bound
            && !self.at.zeroterm
        {
            let ty = self.cx.unit.types.pointer(fat);
            let expr = std::mem::replace(&mut self.expr, Expr::error(cyc_base::Span::NONE));
            self.expr = self.cx.with_bounds(expr, size, ty);
            self.at = fat;
            return;
        }
        if !self.at.zeroterm {
            return self.step(Coercion::ThinToFat, fat);
        }
        match exact_length(self.cx, &self.expr).map(Bound::Thin) {
            None => {
                // The sequence is read up to its end.
                self.cx.require_access(&self.expr);
                self.step(Coercion::ZerotermToFat, fat);
            }
            Some(bound) => {
                // The type may have forgotten the length: `(char *)array`.
                if bound != self.at.bound {
                    self.step(Coercion::Retype, PtrTy { bound, ..self.at });
                }
                self.step(Coercion::ThinToFat, fat);
            }
        }
    }

    /// Bounds, bytes and null.
    fn convert(&mut self, to: PtrTy, target: Target) {
        if self.at.bound != Bound::Fat && to.bound == Bound::Fat {
            self.make_fat();
        }
        if self.at.bound == Bound::Fat && matches!(target, Target::Bytes(_)) {
            let bytes = PtrTy { to: to.to, ..self.at };
            self.step(Coercion::FatToBytes, bytes);
        }
        match (self.at.bound, to.bound) {
            (Bound::Fat, Bound::Sized(size)) => {
                let expr = std::mem::replace(&mut self.expr, Expr::error(cyc_base::Span::NONE));
                self.expr = self.cx.checked_count(expr, size);
                self.step(Coercion::FatToThin, PtrTy { bound: to.bound, nullable: to.nullable, ..self.at });
            }
            (Bound::Fat, Bound::Thin(m)) => {
                self.step(Coercion::FatToThin, PtrTy { bound: Bound::Thin(m), nullable: to.nullable, ..self.at });
            }
            (Bound::Fat, _) if self.at.nullable && !to.nullable => {
                self.step(Coercion::FatNotNull, PtrTy { nullable: false, ..self.at });
            }
            (Bound::Thin(_), _) if self.at.nullable && !to.nullable => {
                self.step(Coercion::NotNull, PtrTy { nullable: false, ..self.at });
            }
            _ => {}
        }
    }

    /// What remains changes nothing at run time.
    fn finish(self, to: PtrTy, ty: Ty) -> Expr {
        let Steps { cx, expr, at } = self;
        if cx.resolve(expr.ty) == ty {
            return expr;
        }
        let same_element = at.to.ty == to.to.ty || cx.may_equal(at.to.ty, to.to.ty);
        match expr.kind {
            // The last step can give the final type itself, when the element stays what it is.
            ExprKind::Coerce(how, inner)
                if same_element
                    && !matches!(how, Coercion::FatToBytes)
                    && expr.span == inner.span
                    && made_here(how) =>
            {
                Expr { kind: ExprKind::Coerce(how, inner), ty, span: expr.span }
            }
            kind => Expr { kind, ..expr }.coerced(Coercion::Retype, ty),
        }
    }
}

/// Conversions of this file whose result type may be widened after the fact.
fn made_here(how: Coercion) -> bool {
    matches!(
        how,
        Coercion::Retype
            | Coercion::NotNull
            | Coercion::ThinToFat
            | Coercion::ZerotermToFat
            | Coercion::FatToThin
            | Coercion::FatDropZero
            | Coercion::FatNotNull
    )
}
