//! Which reads are moves (memory, sections 4.2 to 4.4, 4.9 to 4.12).
//!
//! The judgement: an expression stands in a context that looks at its value, takes it, or lends it to a call. A value
//! that carries an alias-restricted pointer cannot be copied, so in the latter two contexts a read of a place becomes
//! [`ExprKind::Move`]: the place no longer holds what it held. This pass runs when all types of a function are known; that
//! what was moved is not used again is for flow analysis, which follows the moves.
//!
//! 1. Looking: the pointer of `*p`, `p->f`, `p[i]`; operands of comparisons, `!`, `&&`, `||`, `numelts`, conditions;
//!    both operands of `:=:`; expression statements; what is matched against a pattern.
//! 2. Taking: initialisers, the right side of `=`, arguments, results, what is thrown, operands of `new`, elements of
//!    struct, tuple and array values, bodies of comprehensions, arguments of `fallthru`; the results of a cast,
//!    conditional, comma or statement expression there.
//! 3. Lending: an argument whose parameter is alias-restricted too and not marked `consume` or `noliveunique`.
//! 4. What is moved is the value of a call or the like, or a unique path ([`path`]).
//! 5. A conversion to a type that may be copied forgets the right to free: that is a move for good, wherever it stands.
//! 6. The value of an assignment is not moved on; pointers to be freed are not moved along; datatypes hold no such values.
//! 7. No address of what must not be copied, or of what lies behind such a pointer, is taken.
//! 8. No call stands between the read of such a pointer and its use, where the pointer cannot be read again ([`held`]).

mod held;
pub(crate) mod path;
pub(crate) mod pattern;

use crate::cx::Checker;
use crate::errors;
use crate::tast::*;
use cyc_base::Span;
use cyc_types::{Aqual, Bound, FnAttrs, Ty};

/// What the context does with a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum How {
    Look,
    Take,
    Lend,
}

use How::{Lend, Look, Take};

impl Checker<'_> {
    /// Makes the moves of a function's body explicit, and reports those that are not allowed.
    pub(crate) fn find_moves(&mut self, body: &mut Block) {
        self.move_block(body);
    }

    /// Must values of the type not be copied?
    pub(crate) fn carries_restricted(&self, ty: Ty) -> bool {
        self.unit.types.carries_restricted(self.resolve(ty), &self.func.params)
    }

    /// Is the type a pointer or type variable whose values must not be copied?
    pub(crate) fn is_restricted(&self, ty: Ty) -> bool {
        self.unit.types.is_alias_restricted(self.resolve(ty), &self.func.params)
    }

    fn move_block(&mut self, block: &mut Block) {
        for stmt in &mut block.stmts {
            self.move_stmt(stmt);
        }
    }

    fn move_stmt(&mut self, stmt: &mut Stmt) {
        match &mut stmt.kind {
            StmtKind::Expr(e) => self.moves(e, Look),
            StmtKind::Local { init, .. } => init.iter_mut().for_each(|e| self.moves(e, Take)),
            StmtKind::Let { pattern, init, .. } => {
                self.scrutinee_moves(init);
                self.pattern_moves(pattern, Some(init));
            }
            StmtKind::Block(block) | StmtKind::Region { body: block, .. } => self.move_block(block),
            StmtKind::Open { key, body, .. } => {
                self.place_moves(key);
                self.require_unique_path(key, key.span);
                self.move_block(body);
            }
            StmtKind::If { cond, then, otherwise } => {
                self.moves(cond, Look);
                self.move_block(then);
                otherwise.iter_mut().for_each(|block| self.move_block(block));
            }
            StmtKind::While { cond, body } | StmtKind::DoWhile { body, cond } => {
                self.moves(cond, Look);
                self.move_block(body);
            }
            StmtKind::For { cond, step, body } => {
                cond.iter_mut().chain(step).for_each(|e| self.moves(e, Look));
                self.move_block(body);
            }
            StmtKind::Switch(switch) => self.move_switch(switch),
            StmtKind::Try { body, handler } => {
                self.move_block(body);
                self.move_switch(handler);
            }
            StmtKind::Return(value) => value.iter_mut().for_each(|e| self.moves(e, Take)),
            StmtKind::Fallthru(values) => values.iter_mut().for_each(|e| self.moves(e, Take)),
            StmtKind::Label(_) | StmtKind::Goto(_) | StmtKind::Break | StmtKind::Continue => {}
        }
    }

    fn move_switch(&mut self, switch: &mut Switch) {
        switch.on.iter_mut().for_each(|e| self.scrutinee_moves(e));
        for clause in &mut switch.clauses {
            self.pattern_moves(&clause.pattern, switch.on.as_ref());
            clause.guard.iter_mut().for_each(|e| self.moves(e, Look));
            self.move_block(&mut clause.body);
        }
    }

    /// A value that patterns take apart where it is; one that is not in a place is moved into a place of its own.
    fn scrutinee_moves(&mut self, e: &mut Expr) {
        let how = if matches!(e.kind, ExprKind::Read(_)) { Look } else { Take };
        self.moves(e, how);
    }

    fn moves(&mut self, e: &mut Expr, how: How) {
        let (ty, span) = (e.ty, e.span);
        match &mut e.kind {
            ExprKind::Read(place) => {
                self.place_moves(place);
                if how != Look && self.carries_restricted(place.qty.ty) {
                    self.require_unique_path(place, span);
                    let place = std::mem::replace(&mut **place, Place::error(span));
                    let transfer = if how == Lend { Transfer::Lent } else { Transfer::Moved };
                    e.kind = ExprKind::Move(Box::new(place), transfer);
                }
            }
            ExprKind::Move(place, transfer) => {
                self.place_moves(place);
                self.require_unique_path(place, span);
                if let Transfer::Borrowed(id) = transfer
                    && self.func.borrows[id.0 as usize].reached.is_none()
                {
                    let place = std::mem::replace(&mut **place, Place::error(span));
                    let ty = place.qty.ty;
                    let moved = Expr { kind: ExprKind::Move(Box::new(place), Transfer::Moved), ty, span };
                    e.kind = ExprKind::Coerce(Coercion::Retype, Box::new(moved));
                }
            }
            ExprKind::AddrOf(place) => {
                self.place_moves(place);
                self.check_addressable(place, span);
            }
            ExprKind::Coerce(coercion, inner) => {
                let how = self.through_coercion(*coercion, inner.ty, ty, how);
                self.moves(inner, how);
            }
            ExprKind::Assign { place, value } => {
                self.moves(value, Take);
                self.place_moves(place);
                self.check_chain(ty, how, span);
            }
            ExprKind::AssignOp { place, value, .. } => {
                self.moves(value, Look);
                self.place_moves(place);
            }
            ExprKind::PtrStep { place, index, .. } => {
                self.moves(index, Look);
                self.place_moves(place);
                self.check_arithmetic(place.qty.ty, span);
                self.check_chain(ty, how, span);
            }
            ExprKind::PtrAdd { ptr, index, .. } => {
                self.check_arithmetic(ptr.ty, span);
                self.moves(ptr, Take);
                self.moves(index, Look);
            }
            ExprKind::Cond(cond, a, b) => {
                self.moves(cond, Look);
                self.moves(a, how);
                self.moves(b, how);
            }
            ExprKind::CondOrElse(a, b) => {
                self.moves(a, Take);
                self.moves(b, Take);
            }
            ExprKind::Comma(first, second) => {
                self.moves(first, Look);
                self.moves(second, how);
            }
            ExprKind::StmtExpr(block, value) => {
                self.move_block(block);
                self.moves(value, if how == Look { Look } else { Take });
            }
            ExprKind::Call { .. } => self.call_moves(e),
            _ => self.move_parts(e),
        }
    }

    /// Expressions whose operands all stand in one context.
    fn move_parts(&mut self, e: &mut Expr) {
        match &mut e.kind {
            ExprKind::Unary(_, a)
            | ExprKind::Not(a)
            | ExprKind::Assert(a)
            | ExprKind::StaticAssert(a, _)
            | ExprKind::Tagof(a) => self.moves(a, Look),
            ExprKind::Tagcheck(place, _) => self.place_moves(place),
            ExprKind::Numelts(a) => match &mut a.kind {
                ExprKind::AddrOf(place) => self.place_moves(place),
                _ => self.moves(a, Look),
            },
            ExprKind::Binary(_, a, b)
            | ExprKind::And(a, b)
            | ExprKind::Or(a, b)
            | ExprKind::PtrDiff(a, b)
            | ExprKind::Counted(a, b)
            | ExprKind::PtrCompare(_, a, b) => {
                self.moves(a, Look);
                self.moves(b, Look);
            }
            ExprKind::Swap(a, b) => {
                self.place_moves(a);
                self.place_moves(b);
                self.check_not_held(a, held::call_in_place(b));
            }
            ExprKind::Throw(a) => self.moves(a, Take),
            ExprKind::Aggregate(parts) => parts.iter_mut().for_each(|(_, part)| self.moves(part, Take)),
            ExprKind::Array(parts) => parts.iter_mut().for_each(|part| self.moves(part, Take)),
            // What must not be copied is no component: its type was rejected, or what instantiates it is.
            ExprKind::Variant { args, .. } => args.iter_mut().for_each(|arg| self.moves(arg, Take)),
            ExprKind::ArrayFor(comprehension) => self.comprehension_moves(comprehension),
            ExprKind::New(new) => match &mut new.init {
                NewInit::Value(e) => self.moves(e, Take),
                NewInit::Array(parts) => parts.iter_mut().for_each(|part| self.moves(part, Take)),
                NewInit::For(comprehension) => self.comprehension_moves(comprehension),
            },
            ExprKind::Alloc(alloc) => alloc.count.iter_mut().for_each(|e| self.moves(e, Look)),
            ExprKind::Asm(asm) => {
                asm.outputs.iter_mut().for_each(|(_, _, place)| self.place_moves(place));
                asm.inputs.iter_mut().for_each(|(_, _, e)| self.moves(e, Take));
            }
            // Handled by the caller, or without operands.
            _ => {}
        }
    }

    fn comprehension_moves(&mut self, comprehension: &mut ArrayFor) {
        self.moves(&mut comprehension.count, Look);
        comprehension.body.iter_mut().for_each(|e| self.moves(e, Take));
    }

    /// The expressions on the way to a place.
    fn place_moves(&mut self, place: &mut Place) {
        match &mut place.kind {
            PlaceKind::Local(_) | PlaceKind::Global(_) => {}
            PlaceKind::Deref(pointer) => self.pointer_moves(pointer),
            PlaceKind::Index(pointer, index) => {
                self.pointer_moves(pointer);
                self.moves(index, Look);
                self.check_pointer_not_held(pointer, held::call_in(index));
            }
            PlaceKind::Element(inner, index) => {
                self.place_moves(inner);
                self.moves(index, Look);
                self.check_not_held(inner, held::call_in(index));
            }
            PlaceKind::Field(inner, _) | PlaceKind::Component(inner, _) => self.place_moves(inner),
            PlaceKind::Temp(value) => self.moves(value, Take),
        }
    }

    /// A pointer that is only followed: an array that decays for it gives no address away.
    fn pointer_moves(&mut self, pointer: &mut Expr) {
        match &mut pointer.kind {
            ExprKind::AddrOf(place) => self.place_moves(place),
            _ => self.moves(pointer, Look),
        }
    }

    /// The context of a converted value.
    fn through_coercion(&self, coercion: Coercion, from: Ty, to: Ty, how: How) -> How {
        match coercion {
            Coercion::ToVoid | Coercion::PtrToInt | Coercion::Arith | Coercion::Index => Look,
            _ if self.carries_restricted(from) && !self.carries_restricted(to) => Take,
            _ => how,
        }
    }

    fn call_moves(&mut self, e: &mut Expr) {
        let ExprKind::Call { callee, args } = &mut e.kind else { return };
        let (attrs, params) = match callee {
            Callee::Pointer(pointer) => {
                self.moves(pointer, Look);
                let ptr = self.unit.types.as_pointer(pointer.ty);
                self.attributes_of(ptr.map(|p| p.to.ty))
            }
            Callee::Direct(global, ..) => self.attributes_of(Some(self.unit.global(*global).qty.ty)),
            Callee::Builtin(_) => self.attributes_of(None),
        };
        for (i, arg) in args.iter_mut().enumerate() {
            let n = i as u32 + 1;
            let consumed = attrs.consume.contains(&n) || attrs.noliveunique.contains(&n);
            let lent = i < params && !consumed && self.is_restricted(arg.ty);
            self.moves(arg, if lent { Lend } else { Take });
        }
    }

    fn attributes_of(&self, function: Option<Ty>) -> (FnAttrs, usize) {
        let function = function.and_then(|ty| self.unit.types.as_function(ty));
        function.map_or((FnAttrs::default(), 0), |f| (f.attrs.clone(), f.params.len()))
    }

    /// Rule 6: `p = q = e` would move out of `q` what has just been stored there.
    fn check_chain(&mut self, ty: Ty, how: How, span: Span) {
        if how != Look && self.carries_restricted(ty) {
            let shown = self.show(ty);
            self.report(errors::moves::chained(span, &shown));
        }
    }

    /// Rule 6: a pointer by which an object is given back leads to its start. A fat counted one knows the start wherever
    /// it points to; of one whose qualifier is a variable it is not known whether it is counted.
    fn check_arithmetic(&mut self, ty: Ty, span: Span) {
        let Some(ptr) = self.pointer_of(ty) else { return };
        let fixed = match self.resolve_aqual_value(ptr.aqual) {
            Aqual::Autoreleased => ptr.bound != Bound::Fat,
            qualifier => match (self.unit.types.aqual_bound(qualifier, &self.func.params), qualifier) {
                (Aqual::Unique, _) => true,
                (Aqual::Refcnt, _) => ptr.bound != Bound::Fat,
                (Aqual::Restricted, Aqual::Var(_) | Aqual::Of(_)) => true,
                _ => false,
            },
        };
        if fixed {
            let shown = self.show(ty);
            self.report(errors::moves::arithmetic(span, &shown));
        }
    }
}
