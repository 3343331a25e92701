//! Type-level integers as values (core, sections 3.7 and 5.4): tags, and bounds that only the run of the program knows.
//!
//! The value of a type-level integer is that of any variable of type `tag_t` with this index: such variables never
//! change. An access through a pointer with such a bound is checked against it.

use crate::coerce::{Want, Why};
use crate::cx::Checker;
use crate::errors;
use crate::stmt::stmt;
use crate::tast::{BinOp, Block, Coercion, Expr, ExprKind, LocalId, New, NewInit, Place, PlaceKind, StmtKind};
use cyc_base::Span;
use cyc_types::{Bound, EXN, PtrTy, QTy, Size, SizeOp, Ty, TyKind};

/// `Array_bounds`, by its place among the predeclared exceptions.
const ARRAY_BOUNDS: u32 = 1;

impl Checker<'_> {
    /// A tag that is used as a value of its own is an integer, unless a tag is expected.
    pub(crate) fn untag(&mut self, expr: Expr, want: Want) -> Expr {
        let keeps = want.ty().is_some_and(|ty| matches!(self.kind_of(ty), TyKind::Tag(_) | TyKind::Infer(_)));
        match self.kind_of(expr.ty) {
            TyKind::Tag(_) if !keeps => expr.coerced(Coercion::Retype, Ty::ULONG),
            _ => expr,
        }
    }

    /// A constant where a tag is expected: its index must be that constant.
    pub(crate) fn coerce_to_tag(&mut self, expr: Expr, size: Size, to: Ty, why: Why) -> Expr {
        let known = match &expr.kind {
            ExprKind::SizeOf(ty) => Some(self.unit.types.size_of(*ty)),
            _ => self.eval_int(&expr).and_then(|n| u64::try_from(n).ok()).map(Size::Const),
        };
        let flow = why.flow(expr.span);
        match known {
            Some(known) if self.sizes_may_equal(known, size) && self.equate_sizes(known, size, flow) => {
                let number = self.coerce(expr, Ty::ULONG, Why::Cast);
                number.coerced(Coercion::Retype, to)
            }
            _ => {
                let (found, wanted) = (self.show(expr.ty), self.show(to));
                self.report(errors::poly::not_this_tag(expr.span, &found, &wanted));
                Expr { ty: Ty::ERROR, ..expr }
            }
        }
    }

    /// The bound of a pointer with what is known of it by now.
    pub(crate) fn resolve_bound(&self, ptr: PtrTy) -> PtrTy {
        match ptr.bound {
            Bound::Sized(size) => PtrTy { bound: Bound::sized(self.resolve_size_value(size)), ..ptr },
            _ => ptr,
        }
    }

    /// The value of a type-level integer here, of type `unsigned long`; None: no tag in scope has it.
    fn size_value(&mut self, size: Size, span: Span, beside: &Option<Place>) -> Option<Expr> {
        let kind = match self.resolve_size_value(size) {
            Size::Const(n) => ExprKind::Int(i128::from(n)),
            Size::SizeOf(ty) => ExprKind::SizeOf(ty),
            Size::Op(id) => {
                let (op, a, b) = match self.unit.types.size_op_of(id) {
                    SizeOp::Add(a, b) => (BinOp::Add, a, b),
                    SizeOp::Sub(a, b) => (BinOp::Sub, a, b),
                    SizeOp::Mul(a, b) => (BinOp::Mul, a, b),
                };
                let (a, b) = (self.size_value(a, span, beside)?, self.size_value(b, span, beside)?);
                ExprKind::Binary(op, Box::new(a), Box::new(b))
            }
            size => {
                let Some(local) = self.tag_local(size) else {
                    return self.tag_field(beside.as_ref()?, size, span);
                };
                let qty = self.func.local(local).qty;
                let place = Place { kind: PlaceKind::Local(local), qty, span };
                let read = Expr { kind: ExprKind::Read(Box::new(place)), ty: qty.ty, span };
                return Some(read.coerced(Coercion::Retype, Ty::ULONG));
            }
        };
        Some(Expr { kind, ty: Ty::ULONG, span })
    }

    /// A variable in scope that holds the integer.
    fn tag_local(&self, size: Size) -> Option<LocalId> {
        let current = self.func.current;
        let holds = |ty| matches!(self.kind_of(ty), TyKind::Tag(of) if self.resolve_size_value(*of) == size);
        let found = self
            .func
            .locals
            .iter()
            .rposition(|local| holds(local.qty.ty) && self.func.encloses(local.scope, current))?;
        Some(LocalId(found as u32))
    }

    /// `p[i]` through a thin pointer whose bound is a type-level integer: the index is checked against it.
    pub(crate) fn sized_subscript(&mut self, base: Expr, ptr: PtrTy, size: Size, index: Expr, span: Span) -> Place {
        let Some(count) = self.size_near(&base, size, span) else {
            let shown = self.show(base.ty);
            self.report(errors::poly::size_not_in_scope(span, &shown));
            return Place::error(span);
        };
        if ptr.zeroterm {
            // The bound is only the least number of elements: a scan for the zero decides.
            let open = self.unit.types.pointer(PtrTy { bound: Bound::Thin(0), ..ptr });
            let base = base.coerced(Coercion::Retype, open);
            return Place { qty: ptr.to, span, kind: PlaceKind::Index(Box::new(base), Box::new(index)) };
        }
        let index = self.check_within(index, count, span);
        // The check is made: no bound is left to be checked.
        let open = self.unit.types.pointer(PtrTy { bound: Bound::Thin(i64::MAX as u64), ..ptr });
        let base = base.coerced(Coercion::Retype, open);
        Place { qty: ptr.to, span, kind: PlaceKind::Index(Box::new(base), Box::new(index)) }
    }

    /// A thin pointer to so many elements as a fat pointer.
    pub(crate) fn with_bounds(&mut self, pointer: Expr, size: Size, fat: Ty) -> Expr {
        let span = pointer.span;
        match self.size_near(&pointer, size, span) {
            Some(count) => Expr { kind: ExprKind::Counted(Box::new(pointer), Box::new(count)), ty: fat, span },
            None => self.not_in_scope(&pointer),
        }
    }

    /// `({ f = fat; if (f && !(count <= numelts(f))) throw Array_bounds; f; })`: that so many elements are left.
    pub(crate) fn checked_count(&mut self, fat: Expr, size: Size) -> Expr {
        let span = fat.span;
        let Some(count) = self.size_near(&fat, size, span) else { return self.not_in_scope(&fat) };
        let qty = QTy::from(self.resolve(fat.ty));
        let scope = self.push_scope(span);
        let local = self.temp_local("fat", qty, span);
        let read = || Expr {
            kind: ExprKind::Read(Box::new(Place { kind: PlaceKind::Local(local), qty, span })),
            ty: qty.ty,
            span,
        };
        let left = Expr { kind: ExprKind::Numelts(Box::new(read())), ty: Ty::ULONG, span };
        let int = |kind| Expr { kind, ty: Ty::INT, span };
        let fits = int(ExprKind::Binary(BinOp::Le, Box::new(count), Box::new(left)));
        let short = int(ExprKind::Not(Box::new(fits)));
        let bad = int(ExprKind::And(Box::new(read()), Box::new(short)));
        let throw = stmt(StmtKind::Expr(self.array_bounds(span)), span);
        let then = Block { scope: None, stmts: vec![throw], span };
        let init = stmt(StmtKind::Local { local, init: Some(fat), zero_last: false, names_itself: false }, span);
        let check = stmt(StmtKind::If { cond: bad, then, otherwise: None }, span);
        self.pop_scope();
        let block = Block { scope: Some(scope), stmts: vec![init, check], span };
        Expr { kind: ExprKind::StmtExpr(block, Box::new(read())), ty: qty.ty, span }
    }

    fn not_in_scope(&mut self, pointer: &Expr) -> Expr {
        let shown = self.show(pointer.ty);
        self.report(errors::poly::size_not_in_scope(pointer.span, &shown));
        Expr::error(pointer.span)
    }

    /// The value of an integer that a union's type mentions: a tag beside the union in the same struct, or a variable in
    /// scope.
    pub(crate) fn size_of_union(&mut self, union: &Place, size: Size, span: Span) -> Option<Expr> {
        let beside = match &union.kind {
            PlaceKind::Field(inner, _) if is_steady(inner) => Some((**inner).clone()),
            _ => None,
        };
        self.size_value(size, span, &beside)
    }

    /// The value of the integer: a tag beside the pointer in the same struct, or a variable in scope.
    fn size_near(&mut self, pointer: &Expr, size: Size, span: Span) -> Option<Expr> {
        self.size_value(size, span, &self.beside(pointer))
    }

    /// The place of the struct that holds the pointer, if reaching it again has no effect: its tags do not change.
    fn beside(&self, pointer: &Expr) -> Option<Place> {
        match &pointer.kind {
            // (The address: of an array that ends the struct.)
            ExprKind::Read(place) | ExprKind::AddrOf(place) => match &place.kind {
                PlaceKind::Field(inner, _) => is_steady(inner).then(|| (**inner).clone()),
                _ => None,
            },
            ExprKind::Coerce(Coercion::Retype | Coercion::NotNull, inner) => self.beside(inner),
            _ => None,
        }
    }

    /// The tag among the fields of a struct that is the integer.
    fn tag_field(&self, object: &Place, size: Size, span: Span) -> Option<Expr> {
        let TyKind::Aggr(id) = *self.kind_of(object.qty.ty) else { return None };
        if self.unit.types.aggr(id).is_union {
            return None;
        }
        let holds = |ty| matches!(self.kind_of(ty), TyKind::Tag(of) if self.resolve_size_value(*of) == size);
        let fields = self.unit.types.fields(id)?;
        let index = fields.iter().position(|field| holds(field.qty.ty))?;
        let qty = fields[index].qty;
        let place = Place { kind: PlaceKind::Field(Box::new(object.clone()), index as u32), qty, span };
        let read = Expr { kind: ExprKind::Read(Box::new(place)), ty: qty.ty, span };
        Some(read.coerced(Coercion::Retype, Ty::ULONG))
    }

    /// `numelts` of a pointer with such a bound: the integer; 0 if it is null.
    pub(crate) fn sized_numelts(&mut self, pointer: Expr, size: Size, nullable: bool, span: Span) -> Expr {
        let Some(count) = self.size_near(&pointer, size, span) else { return self.not_in_scope(&pointer) };
        let kind = match nullable {
            false => ExprKind::Comma(Box::new(pointer), Box::new(count)),
            true => {
                let none = Expr { kind: ExprKind::Int(0), ty: Ty::ULONG, span };
                ExprKind::Cond(Box::new(pointer), Box::new(count), Box::new(none))
            }
        };
        Expr { kind, ty: Ty::ULONG, span }
    }

    /// `({ i = index; if (!(i < count)) throw Array_bounds; i; })`
    fn check_within(&mut self, index: Expr, count: Expr, span: Span) -> Expr {
        let long = self.coerce(index, Ty::LONG, Why::Cast);
        let index = self.coerce(long, Ty::ULONG, Why::Cast);
        let scope = self.push_scope(span);
        let qty = QTy::from(Ty::ULONG);
        let local = self.temp_local("index", qty, span);
        let read = || Expr {
            kind: ExprKind::Read(Box::new(Place { kind: PlaceKind::Local(local), qty, span })),
            ty: Ty::ULONG,
            span,
        };
        let below = ExprKind::Binary(BinOp::Lt, Box::new(read()), Box::new(count));
        let below = Expr { kind: below, ty: Ty::INT, span };
        let outside = Expr { kind: ExprKind::Not(Box::new(below)), ty: Ty::INT, span };
        let throw = stmt(StmtKind::Expr(self.array_bounds(span)), span);
        let then = Block { scope: None, stmts: vec![throw], span };
        let init = stmt(StmtKind::Local { local, init: Some(index), zero_last: false, names_itself: false }, span);
        let check = stmt(StmtKind::If { cond: outside, then, otherwise: None }, span);
        self.pop_scope();
        let block = Block { scope: Some(scope), stmts: vec![init, check], span };
        Expr { kind: ExprKind::StmtExpr(block, Box::new(read())), ty: Ty::ULONG, span }
    }

    /// `throw Array_bounds`
    fn array_bounds(&mut self, span: Span) -> Expr {
        self.throw_builtin(ARRAY_BOUNDS, span)
    }

    /// `throw` of a predeclared exception, by its place among them.
    pub(crate) fn throw_builtin(&mut self, number: u32, span: Span) -> Expr {
        let variant = self.unit.types.intern(TyKind::Variant(EXN, number));
        let value = ExprKind::Variant { datatype: EXN, variant: number, args: vec![] };
        let value = Expr { kind: value, ty: variant, span };
        let exn = self.exception_type();
        let Some(to) = self.pointer_of(exn) else { return Expr::error(span) };
        let cell = self.unit.types.pointer(PtrTy { to: variant.into(), ..to });
        let new = New { elem: variant.into(), region: None, aqual: None, init: NewInit::Value(value) };
        let new = Expr { kind: ExprKind::New(Box::new(new)), ty: cell, span };
        let thrown = new.coerced(Coercion::Retype, exn);
        Expr { kind: ExprKind::Throw(Box::new(thrown)), ty: Ty::VOID, span }
    }
}

/// Is the place reached by variables, fields and single dereferences of these alone?
fn is_steady(place: &Place) -> bool {
    match &place.kind {
        PlaceKind::Local(_) | PlaceKind::Global(_) => !place.qty.is_volatile,
        PlaceKind::Field(inner, _) | PlaceKind::Component(inner, _) => is_steady(inner),
        PlaceKind::Deref(pointer) => match &pointer.kind {
            ExprKind::Read(inner) => is_steady(inner),
            _ => false,
        },
        PlaceKind::Index(..) | PlaceKind::Element(..) | PlaceKind::Temp(_) => false,
    }
}
