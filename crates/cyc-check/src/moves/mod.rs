//! Which reads are moves (memory, sections 4.2 to 4.4, 4.9 to 4.12).
//!
//! The judgement: an expression stands in a context that looks at its value, takes it, or lends it to a call. A value
//! that carries an alias-restricted pointer cannot be copied, so in the latter two contexts a read of a place becomes
//! [`ExprKind::Move`]: the place no longer holds what it held. This pass runs when all types of a function are known; that
//! what was moved is not used again is for flow analysis, which follows the moves.
//!
//! 1. Looking: the pointer of `*p`, `p->f`, `p[i]`; operands of comparisons, `!`, `&&`, `||`, `numelts`, conditions;
//!    handles and counts of allocations; both operands of `:=:`; expression statements; what is matched against a pattern.
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
use crate::tast::operands::parts_mut::{self, Part};
use crate::tast::operands::{Role, Way};
use crate::tast::*;
use cyc_base::Span;
use cyc_types::{Aqual, Bound, FnTy, Ty};
use std::rc::Rc;

/// What the context does with a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum How {
    Look,
    Take,
    Lend,
}

use How::{Lend, Look, Take};

/// What stands around an operand, as far as that decides what becomes of its value.
struct Around {
    /// The context of the whole.
    how: How,
    span: Span,
    /// What the operand is converted to.
    coercion: Option<(Coercion, Ty)>,
    /// Whose argument it is.
    callee: Option<Rc<FnTy>>,
}

impl Around {
    fn statement() -> Around {
        Around { how: Look, span: Span::NONE, coercion: None, callee: None }
    }

    /// Does the caller get the argument back?
    fn lends(&self, n: u32) -> bool {
        let consumed = |f: &FnTy| f.attrs.consume.contains(&n) || f.attrs.noliveunique.contains(&n);
        self.callee.as_ref().is_some_and(|f| n as usize <= f.params.len() && !consumed(f))
    }
}

impl Checker<'_> {
    /// Makes the moves of a function's body explicit, and reports those that are not allowed.
    pub(crate) fn find_moves(&mut self, body: &mut Block) {
        self.move_block(body);
    }

    /// Must values of the type not be copied?
    pub(crate) fn carries_restricted(&self, ty: Ty) -> bool {
        self.unit.types.carries_restricted(self.final_type(ty), &self.func.params)
    }

    /// Is the type a pointer or type variable whose values must not be copied?
    pub(crate) fn is_restricted(&self, ty: Ty) -> bool {
        self.unit.types.is_alias_restricted(self.final_type(ty), &self.func.params)
    }

    /// Is the type a pointer that is the only one to its object?
    pub(crate) fn is_unique_pointer(&self, ty: Ty) -> bool {
        self.unit.types.is_unique_pointer(self.final_type(ty), &self.func.params)
    }

    fn move_block(&mut self, block: &mut Block) {
        parts_mut::block(block, &mut |part| self.part_moves(part, &Around::statement()));
    }

    /// A statement's parts, and then what its patterns take.
    fn move_stmt(&mut self, stmt: &mut Stmt) {
        parts_mut::stmt(stmt, &mut |part| self.part_moves(part, &Around::statement()));
        match &stmt.kind {
            StmtKind::Let { pattern, init, .. } => self.pattern_moves(pattern, Some(init)),
            StmtKind::Switch(switch) | StmtKind::Try { handler: switch, .. } => {
                switch.clauses.iter().for_each(|clause| self.pattern_moves(&clause.pattern, switch.on.as_ref()));
            }
            StmtKind::Expr(_)
            | StmtKind::Local { .. }
            | StmtKind::Block(_)
            | StmtKind::Label(_)
            | StmtKind::Goto(_)
            | StmtKind::If { .. }
            | StmtKind::While { .. }
            | StmtKind::DoWhile { .. }
            | StmtKind::For { .. }
            | StmtKind::Region { .. }
            | StmtKind::Open { .. }
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(_)
            | StmtKind::Fallthru(_) => {}
        }
    }

    /// A part of what stands around it.
    fn part_moves(&mut self, part: Part, around: &Around) {
        match part {
            Part::Expr(role, e) => self.operand_moves(e, role, around),
            Part::Place(way, place) => {
                self.place_moves(place);
                match way {
                    Way::Address => self.check_addressable(place, around.span),
                    Way::Moved(_) => self.require_unique_path(place, around.span),
                    Way::Opened => self.require_unique_path(place, place.span),
                    Way::Read | Way::Written | Way::Updated | Way::Swapped | Way::Around | Way::Tag => {}
                }
            }
            Part::Stmt(stmt) => self.move_stmt(stmt),
            Part::Block(block) => self.move_block(block),
            // With the statement that has it.
            Part::Pattern(_) => {}
            Part::Local(_) | Part::Global(..) | Part::Subset(_) => {}
            Part::Ty(_) | Part::Args(_) | Part::Aggr(_) | Part::Datatype(_) => {}
        }
    }

    fn operand_moves(&mut self, e: &mut Expr, role: Role, around: &Around) {
        let how = match role {
            Role::Followed => {
                // An array that decays to be followed gives no address away.
                if let ExprKind::AddrOf(place) = &mut e.kind {
                    return self.place_moves(place);
                }
                Look
            }
            Role::Read | Role::Dropped | Role::Handle => Look,
            // What is in no place is moved into a place of its own.
            Role::Matched if matches!(e.kind, ExprKind::Read(_)) => Look,
            Role::Matched | Role::Moved => Take,
            Role::Argument(n) if around.lends(n) && self.is_restricted(e.ty) => Lend,
            Role::Argument(_) => Take,
            Role::Result => around.how,
            Role::Last if around.how == Look => Look,
            Role::Last => Take,
            Role::Converted => self.through_coercion(around, e.ty),
        };
        self.moves(e, how);
    }

    fn moves(&mut self, e: &mut Expr, how: How) {
        let around = self.around(e, how);
        parts_mut::expr(e, &mut |part| self.part_moves(part, &around));
        match &mut e.kind {
            ExprKind::Read(_) if how != Look => self.move_read(e, how),
            ExprKind::Move(_, Transfer::Borrowed(_)) => self.settle_borrowed(e),
            ExprKind::Assign { .. } => self.check_chain(e.ty, how, e.span),
            ExprKind::PtrStep { place, .. } => {
                self.check_arithmetic(place.qty.ty, e.span);
                self.check_chain(e.ty, how, e.span);
            }
            ExprKind::PtrAdd { ptr, .. } => self.check_arithmetic(ptr.ty, e.span),
            ExprKind::Swap(a, b) => self.check_not_held(a, held::call_in_place(b)),
            ExprKind::Read(_)
            | ExprKind::Move(_, Transfer::Moved | Transfer::Lent | Transfer::Aliased)
            | ExprKind::AddrOf(_)
            | ExprKind::Tagcheck(..)
            | ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Null
            | ExprKind::Zero
            | ExprKind::Str(_)
            | ExprKind::WideStr(_)
            | ExprKind::StrArray(_)
            | ExprKind::WideStrArray(_)
            | ExprKind::FunctionAddr(..)
            | ExprKind::SizeOf(_)
            | ExprKind::AlignOf(_)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Not(_)
            | ExprKind::And(..)
            | ExprKind::Or(..)
            | ExprKind::Counted(..)
            | ExprKind::PtrDiff(..)
            | ExprKind::PtrCompare(..)
            | ExprKind::AssignOp { .. }
            | ExprKind::Cond(..)
            | ExprKind::CondOrElse(..)
            | ExprKind::Comma(..)
            | ExprKind::Call { .. }
            | ExprKind::Coerce(..)
            | ExprKind::Aggregate(_)
            | ExprKind::Array(_)
            | ExprKind::ArrayFor(_)
            // What must not be copied is no component: its type was rejected, or what instantiates it is.
            | ExprKind::Variant { .. }
            | ExprKind::New(_)
            | ExprKind::Alloc(_)
            | ExprKind::Tagof(_)
            | ExprKind::Numelts(_)
            | ExprKind::Throw(_)
            | ExprKind::Assert(_)
            | ExprKind::StaticAssert(..)
            | ExprKind::StmtExpr(..)
            | ExprKind::Asm(_)
            | ExprKind::Error => {}
        }
    }

    /// The value of a place that is taken, or lent, leaves it if it must not be copied.
    fn move_read(&mut self, e: &mut Expr, how: How) {
        let ExprKind::Read(place) = &mut e.kind else { return };
        if self.carries_restricted(place.qty.ty) {
            self.require_unique_path(place, e.span);
            let place = std::mem::replace(&mut **place, Place::error(e.span));
            let transfer = if how == Lend { Transfer::Lent } else { Transfer::Moved };
            e.kind = ExprKind::Move(Box::new(place), transfer);
        }
    }

    /// What is borrowed while it is used is moved for good if its uses cannot be followed.
    fn settle_borrowed(&mut self, e: &mut Expr) {
        let span = e.span;
        if let ExprKind::Move(place, Transfer::Borrowed(id)) = &mut e.kind
            && self.func.borrows[id.0 as usize].reached.is_none()
        {
            let place = std::mem::replace(&mut **place, Place::error(span));
            let ty = place.qty.ty;
            let moved = Expr { kind: ExprKind::Move(Box::new(place), Transfer::Moved), ty, span };
            e.kind = ExprKind::Coerce(Coercion::Retype, Box::new(moved));
        }
    }

    /// The expressions on the way to a place.
    fn place_moves(&mut self, place: &mut Place) {
        let span = place.span;
        parts_mut::place(place, &mut |part| self.part_moves(part, &Around { span, ..Around::statement() }));
        match &place.kind {
            PlaceKind::Index(pointer, index) => self.check_pointer_not_held(pointer, held::call_in(index)),
            PlaceKind::Element(inner, index) => self.check_not_held(inner, held::call_in(index)),
            PlaceKind::Local(_)
            | PlaceKind::Global(_)
            | PlaceKind::Deref(_)
            | PlaceKind::Field(..)
            | PlaceKind::Component(..)
            | PlaceKind::Temp(_) => {}
        }
    }

    /// What the parts of an expression need to know of it.
    fn around(&self, e: &Expr, how: How) -> Around {
        let coercion = if let ExprKind::Coerce(how, _) = &e.kind { Some((*how, e.ty)) } else { None };
        let function = if let ExprKind::Call { callee, .. } = &e.kind {
            match callee {
                Callee::Direct(id, _) => Some(self.unit.global(*id).qty.ty),
                Callee::Pointer(pointer) => self.unit.types.as_pointer(pointer.ty).map(|ptr| ptr.to.ty),
                Callee::Builtin(_) => None,
            }
        } else {
            None
        };
        let callee = function.and_then(|ty| self.unit.types.as_function(ty)).cloned();
        Around { how, span: e.span, coercion, callee }
    }

    /// The context of a converted value.
    fn through_coercion(&self, around: &Around, from: Ty) -> How {
        let Some((coercion, to)) = around.coercion else { return around.how };
        match coercion {
            Coercion::ToVoid | Coercion::PtrToInt | Coercion::Arith | Coercion::Index => Look,
            Coercion::NotNull
            | Coercion::Retype
            | Coercion::ThinToFat
            | Coercion::ZerotermToFat
            | Coercion::FatToThin
            | Coercion::FatDropZero
            | Coercion::FatToBytes
            | Coercion::FatNotNull
            | Coercion::Subset(_)
            | Coercion::Instantiate(_) => {
                let forgets = self.carries_restricted(from) && !self.carries_restricted(to);
                if forgets { Take } else { around.how }
            }
        }
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
