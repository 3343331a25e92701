//! Allocation (core, sections 5.10 and 5.11; memory, section 2.3): `new`, `malloc`, `calloc`, and these in a region.

use crate::coerce::{KindExt, Want, Why};
use crate::cx::Checker;
use crate::errors;
use crate::tast::{Alloc, ArrayFor, Expr, ExprKind, New, NewInit};
use crate::types::Position;
use cyc_base::Span;
use cyc_syntax::ast::{self, ComprehensionBody, Designator, ExprKind as Ast, Init};
use cyc_types::{Aqual, Bound, PtrTy, QTy, Region, Ty, TyKind};

impl Checker<'_> {
    /// `new e`, `new {…}`, `new {for i < n : e}`.
    pub(crate) fn check_new(&mut self, new: &ast::New, want: Want, span: Span) -> Expr {
        let place = (new.region.as_ref(), new.aqual.as_ref());
        self.allocated_at(place, want, span, |cx| cx.new_object(new, want, span))
    }

    /// An object where the written handles of its region and of its alias qualifier say.
    fn allocated_at(
        &mut self,
        (region, aqual): (Option<&ast::Expr>, Option<&ast::Expr>),
        want: Want,
        span: Span,
        object: impl FnOnce(&mut Self) -> Expr,
    ) -> Expr {
        let handle = match region.map(|handle| self.check_handle(handle)) {
            Some(None) => return Expr::error(span),
            handle => handle.flatten(),
        };
        let Ok((aqual, value)) = self.allocation_qualifier(aqual, region.is_some(), want) else {
            return Expr::error(span);
        };
        let object = object(self);
        let object = self.placed(object, handle);
        self.qualified(object, aqual, value)
    }

    /// The alias qualifier of an allocated object (memory, section 2.3): that of the written handle, which is returned as
    /// well; else, in the heap, unique where a unique pointer is expected. Err: an error was reported.
    fn allocation_qualifier(
        &mut self,
        handle: Option<&ast::Expr>,
        placed: bool,
        want: Want,
    ) -> Result<(Aqual, Option<Expr>), ()> {
        let Some(handle) = handle else {
            let wanted = want.ty().and_then(|ty| self.pointer_of(ty)).map(|ptr| self.resolve_aqual_value(ptr.aqual));
            let unique = !placed && wanted == Some(Aqual::Unique);
            return Ok((if unique { Aqual::Unique } else { Aqual::Aliasable }, None));
        };
        let value = self.check_expr(handle, Want::None);
        if value.is_error() {
            return Err(());
        }
        let TyKind::AqualHandle(aqual) = *self.kind_of(value.ty) else {
            let found = self.show(value.ty);
            self.report(errors::moves::not_a_qualifier(value.span, &found));
            return Err(());
        };
        Ok((self.resolve_aqual_value(aqual), Some(value)))
    }

    /// An allocated object, with its alias qualifier and the handle that says so.
    fn qualified(&self, mut made: Expr, aqual: Aqual, handle: Option<Expr>) -> Expr {
        let handle = handle.map(Box::new);
        match &mut made.kind {
            ExprKind::New(new) => new.aqual = handle,
            ExprKind::Alloc(alloc) => alloc.aqual = handle,
            _ => {}
        }
        match self.pointer_of(made.ty) {
            Some(ptr) => Expr { ty: self.unit.types.pointer(PtrTy { aqual, ..ptr }), ..made },
            None => made,
        }
    }

    fn new_object(&mut self, new: &ast::New, want: Want, span: Span) -> Expr {
        let wanted = want.ty().and_then(|ty| self.pointer_of(ty));
        let fields = |list: &ast::InitList| {
            matches!(list.items.first().map(|i| i.designators.first()), Some(Some(Designator::Field(_))))
        };
        match &new.init {
            Init::Expr(e) => self.new_value(e, wanted, span),
            Init::List(list) if fields(list) => self.new_struct(list, wanted, span),
            Init::List(list) => self.new_array(list, wanted, span),
            Init::Comprehension(c) => self.new_comprehension(c, wanted, span),
        }
    }

    /// One object, initialised by a value.
    fn new_value(&mut self, e: &ast::Expr, wanted: Option<PtrTy>, span: Span) -> Expr {
        if let Some(value) = self.new_open_struct(e, span) {
            return value;
        }
        let want = wanted.map_or(Want::None, |p| Want::Ty(p.to.ty));
        let mut value = self.check_expr(e, want);
        if value.is_error() {
            return Expr::error(span);
        }
        if value.ty == Ty::VOID {
            self.report(errors::coerce::void_value(value.span));
            return Expr::error(span);
        }
        // A string goes into its cell as a fat pointer, unless a thin one is expected there.
        let cell = wanted.map(|p| self.resolve(p.to.ty)).filter(|ty| {
            let (from, to) = (self.kind_of(value.ty), self.kind_of(*ty));
            (from.is_arithmetic() && to.is_arithmetic())
                || matches!((from, to), (TyKind::Pointer(_), TyKind::Pointer(_)))
        });
        if let Some(cell) = cell {
            value = self.coerce(value, cell, Why::Component);
        } else if matches!(value.kind, ExprKind::Str(_) | ExprKind::WideStr(_))
            && let Some(p) = self.pointer_of(value.ty)
        {
            let fat = self.unit.types.pointer(PtrTy { bound: Bound::Fat, nullable: true, ..p });
            value = self.coerce(value, fat, Why::Component);
        }
        if value.is_error() {
            return Expr::error(span);
        }
        let elem = QTy { ty: value.ty, is_const: wanted.is_some_and(|p| p.to.is_const), is_volatile: false };
        self.allocated(elem, Bound::Thin(1), false, NewInit::Value(value), span)
    }

    pub(crate) fn allocated(&mut self, elem: QTy, bound: Bound, zeroterm: bool, init: NewInit, span: Span) -> Expr {
        let to = QTy { ty: self.resolve(elem.ty), ..elem };
        let ty = self.unit.types.pointer(PtrTy {
            to,
            nullable: false,
            bound,
            zeroterm,
            region: Region::Heap,
            aqual: Aqual::Aliasable,
        });
        Expr { kind: ExprKind::New(Box::new(New { elem: to, region: None, aqual: None, init })), ty, span }
    }

    /// `new {.f = e, …}`: the struct that is expected.
    fn new_struct(&mut self, list: &ast::InitList, wanted: Option<PtrTy>, span: Span) -> Expr {
        let aggregate = wanted.filter(|p| matches!(self.kind_of(p.to.ty), TyKind::Aggr(_)));
        let Some(ptr) = aggregate else {
            self.report(errors::expr::new_fields(list.span));
            return Expr::error(span);
        };
        let value = self.check_init_list(list, ptr.to.ty.into());
        if value.is_error() {
            return Expr::error(span);
        }
        self.allocated(ptr.to, Bound::Thin(1), false, NewInit::Value(value), span)
    }

    /// `new {a, b, c}`: an array of the elements' common type. `new {}` has no elements, of the type that is expected.
    fn new_array(&mut self, list: &ast::InitList, wanted: Option<PtrTy>, span: Span) -> Expr {
        let mut elem = wanted.map(|p| p.to).filter(|q| !matches!(self.kind_of(q.ty), TyKind::Infer(_) | TyKind::Void));
        let mut values = vec![];
        for item in &list.items {
            if let Some(designator) = item.designators.first() {
                let at = match designator {
                    Designator::Index(e) => e.span,
                    Designator::Field(ident) => ident.span,
                };
                self.report(errors::expr::new_designator(at));
                return Expr::error(span);
            }
            let value = match (&item.init, elem) {
                (init, Some(elem)) => self.check_init(init, elem),
                (Init::Expr(e), None) => self.check_expr(e, Want::None),
                (Init::List(inner), None) => {
                    self.report(errors::expr::new_untyped(inner.span));
                    Expr::error(span)
                }
                (Init::Comprehension(c), None) => {
                    self.report(errors::expr::new_untyped(c.span));
                    Expr::error(span)
                }
            };
            elem.get_or_insert(QTy::from(value.ty));
            values.push(value);
        }
        if values.iter().any(Expr::is_error) {
            return Expr::error(span);
        }
        let Some(elem) = elem else {
            self.report(errors::expr::new_nothing(span));
            return Expr::error(span);
        };
        let zeroterm = wanted.is_some_and(|p| p.zeroterm);
        if zeroterm {
            let zero = Expr { kind: ExprKind::Int(0), ty: Ty::INT, span };
            values.push(self.coerce(zero, elem.ty, Why::Component));
        }
        let bound = Bound::Thin(values.len() as u64);
        self.allocated(elem, bound, zeroterm, NewInit::Array(values), span)
    }

    /// `new {for i < n : e}`: thin when the count is constant, else fat.
    fn new_comprehension(&mut self, c: &ast::Comprehension, wanted: Option<PtrTy>, span: Span) -> Expr {
        let count = self.check_uninstantiated(&c.count, Want::None);
        let tag = if let TyKind::Tag(size) = *self.kind_of(count.ty) { Some(size) } else { None };
        let count = self.untag(count, Want::None);
        if !self.kind_of(count.ty).is_integral() && !count.is_error() {
            let found = self.show(count.ty);
            self.report(errors::expr::comprehension_count(count.span, &found));
            return Expr::error(span);
        }
        let known = self.eval_int(&count);
        let count = self.as_count(count);
        let zeroterm = wanted.is_some_and(|p| p.zeroterm);
        self.push_scope(c.span);
        let unsigned = QTy { ty: Ty::UINT, is_const: true, is_volatile: false };
        let var = self.declare_local(c.var, unsigned);
        let elem = wanted.map(|p| p.to).filter(|q| !matches!(self.kind_of(q.ty), TyKind::Infer(_) | TyKind::Void));
        let (elem, body, zero) = match &c.body {
            ComprehensionBody::Expr(e) => {
                let value = match elem {
                    Some(elem) => self.comprehension_element(e, elem),
                    None => self.check_expr(e, Want::None),
                };
                (elem.unwrap_or(value.ty.into()), Some(value), false)
            }
            ComprehensionBody::Type(ty) => {
                let elem = self.resolve_type(ty, Position::Field);
                let zero = !self.any_bits(elem.ty);
                if elem.ty != Ty::ERROR && zero && !self.unit.types.admits_zero(elem.ty) {
                    let shown = self.show(elem.ty);
                    self.report(errors::expr::needs_initialisation(ty.span, &shown));
                }
                (elem, None, zero)
            }
        };
        self.pop_scope();
        if count.is_error() || elem.ty == Ty::ERROR || body.as_ref().is_some_and(Expr::is_error) {
            return Expr::error(span);
        }
        let elem = QTy { ty: self.resolve(elem.ty), ..elem };
        let bound = match known.and_then(|n| u64::try_from(n).ok()) {
            Some(n) => Bound::Thin(n + u64::from(zeroterm)),
            None => match tag {
                Some(size) if !zeroterm => Bound::sized(size),
                _ => Bound::Fat,
            },
        };
        let init = NewInit::For(ArrayFor { var, count, body, zero, elem, zeroterm });
        self.allocated(elem, bound, zeroterm, init, span)
    }

    /// `malloc(…)` and `calloc(n, sizeof(T))`; the form of the operand decides what is allocated.
    pub(crate) fn check_alloc(&mut self, alloc: &ast::Alloc, want: Want, span: Span) -> Expr {
        let place = (alloc.region.as_ref(), alloc.aqual.as_ref());
        self.allocated_at(place, want, span, |cx| cx.alloc_object(alloc, want, span))
    }

    fn alloc_object(&mut self, alloc: &ast::Alloc, want: Want, span: Span) -> Expr {
        let wanted = want.ty().and_then(|ty| self.pointer_of(ty));
        let zeroterm = |cx: &Self, elem: Ty| wanted.is_some_and(|p| p.zeroterm && cx.may_equal(p.to.ty, elem));
        if let Some(ty) = &alloc.elem {
            let elem = self.resolve_type(ty, Position::Cast);
            let count = self.check_expr(&alloc.size, Want::None);
            if !self.allocatable(elem.ty, ty.span) {
                return Expr::error(span);
            }
            if !self.unit.types.admits_zero(elem.ty) {
                let shown = self.show(elem.ty);
                self.report(errors::expr::not_zeroable(ty.span, &shown));
                return Expr::error(span);
            }
            let terminated = zeroterm(self, elem.ty);
            return self.counted(elem, count, true, terminated, span);
        }
        match &alloc.size.kind {
            Ast::SizeofType(_) | Ast::SizeofExpr(_) => self.malloc_one(&alloc.size, span),
            Ast::Binary(ast::BinOp::Mul, a, b) if is_sizeof(b) => self.malloc_many(a, b, wanted, span),
            Ast::Binary(ast::BinOp::Mul, a, b) if is_sizeof(a) => self.malloc_many(b, a, wanted, span),
            _ => {
                let count = self.check_expr(&alloc.size, Want::None);
                let terminated = zeroterm(self, Ty::CHAR);
                if terminated {
                    self.report(errors::expr::malloc_zeroes(span));
                }
                self.counted(Ty::CHAR.into(), count, terminated, terminated, span)
            }
        }
    }

    /// The type whose size a `sizeof` asks for, as the element of an allocation.
    fn sized_type(&mut self, e: &ast::Expr) -> (QTy, Span) {
        match &e.kind {
            Ast::SizeofType(ty) => (self.resolve_type(ty, Position::Cast), ty.span),
            Ast::SizeofExpr(operand) => (self.type_of_operand(operand), operand.span),
            _ => (Ty::ERROR.into(), e.span),
        }
    }

    /// `malloc(sizeof(T))`: one object, whose initialisation flow analysis follows. It does not follow
    /// elements: what ends in a promised zero is zeroed.
    fn malloc_one(&mut self, size: &ast::Expr, span: Span) -> Expr {
        let (elem, at) = self.sized_type(size);
        if !self.allocatable(elem.ty, at) {
            return Expr::error(span);
        }
        let zero = self.holds_zeroterm(elem.ty);
        if zero && self.malloc_contents(elem.ty, at).is_none() {
            return Expr::error(span);
        }
        let elem = QTy { ty: self.resolve(elem.ty), is_const: false, is_volatile: false };
        let ty = self.heap_pointer(elem, Bound::Thin(1), false);
        Expr {
            kind: ExprKind::Alloc(Box::new(Alloc {
                elem,
                region: None,
                aqual: None,
                count: None,
                zero,
                zeroterm: false,
            })),
            ty,
            span,
        }
    }

    fn malloc_many(&mut self, count: &ast::Expr, size: &ast::Expr, wanted: Option<PtrTy>, span: Span) -> Expr {
        let (elem, at) = self.sized_type(size);
        let count = self.check_expr(count, Want::None);
        let Some(zero) = self.malloc_contents(elem.ty, at) else { return Expr::error(span) };
        let terminated = wanted.is_some_and(|p| p.zeroterm && self.may_equal(p.to.ty, elem.ty));
        if terminated && !zero {
            self.report(errors::expr::malloc_zeroes(span));
        }
        self.counted(elem, count, zero || terminated, terminated, span)
    }

    /// Must the contents be zeroed? None: they cannot be left to themselves (reported).
    fn malloc_contents(&mut self, elem: Ty, span: Span) -> Option<bool> {
        if !self.allocatable(elem, span) {
            return None;
        }
        let bits = self.any_bits(elem);
        if !bits && !self.unit.types.admits_zero(self.resolve(elem)) {
            let shown = self.show(elem);
            self.report(errors::expr::needs_initialisation(span, &shown));
            return None;
        }
        Some(!bits)
    }

    fn allocatable(&mut self, elem: Ty, span: Span) -> bool {
        let elem = self.resolve(elem);
        if elem == Ty::ERROR {
            return false;
        }
        let sized = self.is_sized(elem) && !matches!(self.kind_of(elem), TyKind::Infer(_));
        if !sized {
            let shown = self.show(elem);
            self.report(errors::expr::unknown_size(span, &shown));
        }
        sized
    }

    /// `count` elements, a fat pointer. The last of a zero-terminated allocation is the protected zero.
    fn counted(&mut self, elem: QTy, count: Expr, zero: bool, zeroterm: bool, span: Span) -> Expr {
        if count.is_error() {
            return Expr::error(span);
        }
        if !self.kind_of(count.ty).is_integral() {
            let found = self.show(count.ty);
            self.report(errors::expr::allocation_count(count.span, &found));
            return Expr::error(span);
        }
        let count = self.as_count(count);
        let elem = QTy { ty: self.resolve(elem.ty), is_const: false, is_volatile: false };
        let ty = self.heap_pointer(elem, Bound::Fat, zeroterm);
        let alloc = Alloc { elem, region: None, aqual: None, count: Some(count), zero, zeroterm: false };
        Expr { kind: ExprKind::Alloc(Box::new(alloc)), ty, span }
    }

    /// Results of allocation are never null.
    fn heap_pointer(&mut self, to: QTy, bound: Bound, zeroterm: bool) -> Ty {
        self.unit.types.pointer(PtrTy {
            to,
            nullable: false,
            bound,
            zeroterm,
            region: Region::Heap,
            aqual: Aqual::Aliasable,
        })
    }
}

fn is_sizeof(e: &ast::Expr) -> bool {
    matches!(e.kind, Ast::SizeofType(_) | Ast::SizeofExpr(_))
}
