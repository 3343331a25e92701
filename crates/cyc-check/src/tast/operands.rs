//! The one table of what each expression, place, statement and pattern is made of, and what is done with each part. All
//! walks over the typed tree come from it, so that none of them forgets a part: every field is named here, and a new one, or
//! a new construct, does not compile until it is.
//!
//! Parts are listed in the order in which they are evaluated; types and names come first.

use super::Transfer;

/// What becomes of the value of an operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// It is looked at: nothing is kept of it.
    Read,
    /// It is evaluated for its effects.
    Dropped,
    /// It goes elsewhere: into memory, to who catches it, out of the function.
    Moved,
    /// It is the argument with this number, from 1: the callee's type says what becomes of it.
    Argument(u32),
    /// It is the value of the whole.
    Result,
    /// The same, at the end of a block whose variables die.
    Last,
    /// It is the value of the whole when it has been converted.
    Converted,
    /// A pointer that is followed at once.
    Followed,
    /// It is matched against patterns where it is.
    Matched,
    /// The handle of the region, or of the alias qualifier, of an allocation.
    Handle,
}

impl Role {
    /// Is the value of the operand that of the whole?
    pub fn is_value(self) -> bool {
        match self {
            Role::Result | Role::Last | Role::Converted => true,
            Role::Read | Role::Dropped | Role::Moved | Role::Argument(_) => false,
            Role::Followed | Role::Matched | Role::Handle => false,
        }
    }
}

/// What is done with a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// Its value is read.
    Read,
    /// Its value leaves it.
    Moved(Transfer),
    /// Its address is taken.
    Address,
    /// It gets a value.
    Written,
    /// It gets a value that is computed from the one it has.
    Updated,
    /// It exchanges its value with another place.
    Swapped,
    /// It is a key that cannot be used while its region is open.
    Opened,
    /// The place is a part of it.
    Around,
    /// The tag of the union that it is is looked at.
    Tag,
}

impl Way {
    /// Is the value of the whole one that the place keeps?
    pub fn is_value(self) -> bool {
        match self {
            Way::Read | Way::Written | Way::Updated => true,
            Way::Moved(_) | Way::Address | Way::Swapped | Way::Opened | Way::Around | Way::Tag => false,
        }
    }
}

/// What is done with a function or variable of the unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Named {
    /// A function is called.
    Called,
    /// A function becomes a value.
    Value,
    /// A variable is a place.
    Place,
}

macro_rules! operands {
    ($(#[$doc:meta])* $module:ident $(, $mutable:tt)?) => {
        $(#[$doc])*
        pub mod $module {
            use super::{Named, Role, Way};
            use crate::tast::*;
            use cyc_types::{AggrId, Args, DatatypeId, SubsetId, Ty};

            /// A part, and what is done with it.
            pub enum Part<'t> {
                Expr(Role, &'t $($mutable)? Expr),
                Place(Way, &'t $($mutable)? Place),
                Stmt(&'t $($mutable)? Stmt),
                Block(&'t $($mutable)? Block),
                Pattern(&'t $($mutable)? Pattern),
                /// A local that is declared, bound, or used as a place.
                Local(&'t $($mutable)? LocalId),
                Global(Named, &'t $($mutable)? GlobalId),
                Ty(&'t $($mutable)? Ty),
                Args(&'t $($mutable)? Args),
                Aggr(&'t $($mutable)? AggrId),
                Datatype(&'t $($mutable)? DatatypeId),
                Subset(&'t $($mutable)? SubsetId),
            }

            pub fn expr<'t>(e: &'t $($mutable)? Expr, f: &mut impl FnMut(Part<'t>)) {
                let Expr { kind, ty, span: _ } = e;
                f(Part::Ty(ty));
                match kind {
                    ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Null | ExprKind::Zero | ExprKind::Error => {}
                    ExprKind::Str(_) | ExprKind::WideStr(_) | ExprKind::StrArray(_) | ExprKind::WideStrArray(_) => {}
                    ExprKind::SizeOf(of) | ExprKind::AlignOf(of) => f(Part::Ty(of)),
                    ExprKind::FunctionAddr(id, given) => {
                        f(Part::Global(Named::Value, id));
                        f(Part::Args(given));
                    }
                    ExprKind::Read(place) => f(Part::Place(Way::Read, place)),
                    ExprKind::Move(place, transfer) => f(Part::Place(Way::Moved(*transfer), place)),
                    ExprKind::AddrOf(place) => f(Part::Place(Way::Address, place)),
                    ExprKind::Tagcheck(place, _) => f(Part::Place(Way::Tag, place)),
                    ExprKind::Unary(_, a)
                    | ExprKind::Not(a)
                    | ExprKind::Tagof(a)
                    | ExprKind::Assert(a)
                    | ExprKind::StaticAssert(a, _) => f(Part::Expr(Role::Read, a)),
                    ExprKind::Numelts(a) => f(Part::Expr(Role::Followed, a)),
                    ExprKind::Throw(a) => f(Part::Expr(Role::Moved, a)),
                    ExprKind::Binary(_, a, b)
                    | ExprKind::And(a, b)
                    | ExprKind::Or(a, b)
                    | ExprKind::PtrDiff(a, b)
                    | ExprKind::Counted(a, b)
                    | ExprKind::PtrCompare(_, a, b) => {
                        f(Part::Expr(Role::Read, a));
                        f(Part::Expr(Role::Read, b));
                    }
                    ExprKind::PtrAdd { ptr, index, negate: _ } => {
                        f(Part::Expr(Role::Moved, ptr));
                        f(Part::Expr(Role::Read, index));
                    }
                    ExprKind::Cond(cond, a, b) => {
                        f(Part::Expr(Role::Read, cond));
                        f(Part::Expr(Role::Result, a));
                        f(Part::Expr(Role::Result, b));
                    }
                    // What is tested is kept, to be the value.
                    ExprKind::CondOrElse(a, b) => {
                        f(Part::Expr(Role::Moved, a));
                        f(Part::Expr(Role::Moved, b));
                    }
                    ExprKind::Comma(a, b) => {
                        f(Part::Expr(Role::Dropped, a));
                        f(Part::Expr(Role::Result, b));
                    }
                    ExprKind::StmtExpr(stmts, value) => {
                        f(Part::Block(stmts));
                        f(Part::Expr(Role::Last, value));
                    }
                    ExprKind::Coerce(how, a) => {
                        coercion(how, f);
                        f(Part::Expr(Role::Converted, a));
                    }
                    ExprKind::Assign { place, value } => {
                        f(Part::Expr(Role::Moved, value));
                        f(Part::Place(Way::Written, place));
                    }
                    ExprKind::AssignOp { op: _, place, value, at, post: _ } => {
                        f(Part::Ty(at));
                        f(Part::Expr(Role::Read, value));
                        f(Part::Place(Way::Updated, place));
                    }
                    ExprKind::PtrStep { place, index, negate: _, post: _ } => {
                        f(Part::Expr(Role::Read, index));
                        f(Part::Place(Way::Updated, place));
                    }
                    ExprKind::Swap(a, b) => {
                        f(Part::Place(Way::Swapped, a));
                        f(Part::Place(Way::Swapped, b));
                    }
                    ExprKind::Call { callee: called, args } => {
                        callee(called, f);
                        for (n, arg) in (1..).zip(args) {
                            f(Part::Expr(Role::Argument(n), arg));
                        }
                    }
                    ExprKind::Aggregate(parts) => {
                        for (_, part) in parts {
                            f(Part::Expr(Role::Moved, part));
                        }
                    }
                    ExprKind::Array(parts) => {
                        for part in parts {
                            f(Part::Expr(Role::Moved, part));
                        }
                    }
                    ExprKind::Variant { datatype, variant: _, args } => {
                        f(Part::Datatype(datatype));
                        for arg in args {
                            f(Part::Expr(Role::Moved, arg));
                        }
                    }
                    ExprKind::ArrayFor(comprehension) => array_for(comprehension, f),
                    ExprKind::New(made) => new(made, f),
                    ExprKind::Alloc(made) => alloc(made, f),
                    ExprKind::Asm(text) => asm(text, f),
                }
            }

            fn coercion<'t>(how: &'t $($mutable)? Coercion, f: &mut impl FnMut(Part<'t>)) {
                match how {
                    Coercion::Instantiate(given) => f(Part::Args(given)),
                    Coercion::Subset(id) => f(Part::Subset(id)),
                    Coercion::Arith
                    | Coercion::Index
                    | Coercion::ToVoid
                    | Coercion::PtrToInt
                    | Coercion::NotNull
                    | Coercion::Retype
                    | Coercion::ThinToFat
                    | Coercion::ZerotermToFat
                    | Coercion::FatToThin
                    | Coercion::FatDropZero
                    | Coercion::FatToBytes
                    | Coercion::FatNotNull => {}
                }
            }

            fn callee<'t>(callee: &'t $($mutable)? Callee, f: &mut impl FnMut(Part<'t>)) {
                match callee {
                    Callee::Direct(id, given) => {
                        f(Part::Global(Named::Called, id));
                        f(Part::Args(given));
                    }
                    Callee::Pointer(pointer) => f(Part::Expr(Role::Read, pointer)),
                    Callee::Builtin(_) => {}
                }
            }

            fn array_for<'t>(comprehension: &'t $($mutable)? ArrayFor, f: &mut impl FnMut(Part<'t>)) {
                let ArrayFor { var, count, body, zero: _, elem, zeroterm: _ } = comprehension;
                f(Part::Local(var));
                f(Part::Ty(& $($mutable)? elem.ty));
                f(Part::Expr(Role::Read, count));
                if let Some(body) = body {
                    f(Part::Expr(Role::Moved, body));
                }
            }

            fn new<'t>(new: &'t $($mutable)? New, f: &mut impl FnMut(Part<'t>)) {
                let New { elem, region, aqual, init } = new;
                f(Part::Ty(& $($mutable)? elem.ty));
                for handle in region.into_iter().chain(aqual) {
                    f(Part::Expr(Role::Handle, handle));
                }
                match init {
                    NewInit::Value(value) => f(Part::Expr(Role::Moved, value)),
                    NewInit::Array(parts) => {
                        for part in parts {
                            f(Part::Expr(Role::Moved, part));
                        }
                    }
                    NewInit::For(comprehension) => array_for(comprehension, f),
                }
            }

            fn alloc<'t>(alloc: &'t $($mutable)? Alloc, f: &mut impl FnMut(Part<'t>)) {
                let Alloc { elem, region, aqual, count, zero: _, zeroterm: _ } = alloc;
                f(Part::Ty(& $($mutable)? elem.ty));
                for handle in region.into_iter().chain(aqual) {
                    f(Part::Expr(Role::Handle, handle));
                }
                if let Some(count) = count {
                    f(Part::Expr(Role::Read, count));
                }
            }

            fn asm<'t>(asm: &'t $($mutable)? Asm, f: &mut impl FnMut(Part<'t>)) {
                let Asm { volatile: _, template: _, outputs, inputs, clobbers: _ } = asm;
                for (_, _, place) in outputs {
                    f(Part::Place(Way::Written, place));
                }
                for (_, _, value) in inputs {
                    f(Part::Expr(Role::Moved, value));
                }
            }

            pub fn place<'t>(place: &'t $($mutable)? Place, f: &mut impl FnMut(Part<'t>)) {
                let Place { kind, qty, span: _ } = place;
                f(Part::Ty(& $($mutable)? qty.ty));
                match kind {
                    PlaceKind::Local(local) => f(Part::Local(local)),
                    PlaceKind::Global(id) => f(Part::Global(Named::Place, id)),
                    PlaceKind::Deref(pointer) => f(Part::Expr(Role::Followed, pointer)),
                    PlaceKind::Index(pointer, index) => {
                        f(Part::Expr(Role::Followed, pointer));
                        f(Part::Expr(Role::Read, index));
                    }
                    PlaceKind::Element(around, index) => {
                        f(Part::Place(Way::Around, around));
                        f(Part::Expr(Role::Read, index));
                    }
                    PlaceKind::Field(around, _) | PlaceKind::Component(around, _) => {
                        f(Part::Place(Way::Around, around));
                    }
                    PlaceKind::Temp(value) => f(Part::Expr(Role::Moved, value)),
                }
            }

            pub fn block<'t>(block: &'t $($mutable)? Block, f: &mut impl FnMut(Part<'t>)) {
                let Block { scope: _, stmts, span: _ } = block;
                for stmt in stmts {
                    f(Part::Stmt(stmt));
                }
            }

            pub fn stmt<'t>(stmt: &'t $($mutable)? Stmt, f: &mut impl FnMut(Part<'t>)) {
                let Stmt { kind, span: _ } = stmt;
                match kind {
                    StmtKind::Expr(e) => f(Part::Expr(Role::Dropped, e)),
                    StmtKind::Local { local, init, zero_last: _, names_itself: _ } => {
                        f(Part::Local(local));
                        if let Some(value) = init {
                            f(Part::Expr(Role::Moved, value));
                        }
                    }
                    StmtKind::Let { pattern, init, refutable: _ } => {
                        f(Part::Expr(Role::Matched, init));
                        f(Part::Pattern(pattern));
                    }
                    StmtKind::Block(body) => f(Part::Block(body)),
                    StmtKind::If { cond, then, otherwise } => {
                        f(Part::Expr(Role::Read, cond));
                        f(Part::Block(then));
                        if let Some(otherwise) = otherwise {
                            f(Part::Block(otherwise));
                        }
                    }
                    StmtKind::While { cond, body } => {
                        f(Part::Expr(Role::Read, cond));
                        f(Part::Block(body));
                    }
                    StmtKind::DoWhile { body, cond } => {
                        f(Part::Block(body));
                        f(Part::Expr(Role::Read, cond));
                    }
                    StmtKind::For { cond, step, body } => {
                        if let Some(cond) = cond {
                            f(Part::Expr(Role::Read, cond));
                        }
                        f(Part::Block(body));
                        if let Some(step) = step {
                            f(Part::Expr(Role::Dropped, step));
                        }
                    }
                    StmtKind::Switch(clauses) => switch(clauses, f),
                    StmtKind::Try { body, handler } => {
                        f(Part::Block(body));
                        switch(handler, f);
                    }
                    StmtKind::Region { handle, body } => {
                        f(Part::Local(handle));
                        f(Part::Block(body));
                    }
                    StmtKind::Open { handle, key, body } => {
                        f(Part::Place(Way::Opened, key));
                        f(Part::Local(handle));
                        f(Part::Block(body));
                    }
                    StmtKind::Return(value) => {
                        if let Some(value) = value {
                            f(Part::Expr(Role::Moved, value));
                        }
                    }
                    StmtKind::Fallthru(values) => {
                        for value in values {
                            f(Part::Expr(Role::Moved, value));
                        }
                    }
                    StmtKind::Label(_) | StmtKind::Goto(_) | StmtKind::Break | StmtKind::Continue => {}
                }
            }

            fn switch<'t>(switch: &'t $($mutable)? Switch, f: &mut impl FnMut(Part<'t>)) {
                let Switch { on, caught, clauses, otherwise: _ } = switch;
                if let Some(on) = on {
                    f(Part::Expr(Role::Matched, on));
                }
                if let Some(caught) = caught {
                    f(Part::Local(caught));
                }
                for clause in clauses {
                    let Clause { pattern, guard, body, falls_through: _, span: _ } = clause;
                    f(Part::Pattern(pattern));
                    if let Some(guard) = guard {
                        f(Part::Expr(Role::Read, guard));
                    }
                    f(Part::Block(body));
                }
            }

            pub fn pattern<'t>(pattern: &'t $($mutable)? Pattern, f: &mut impl FnMut(Part<'t>)) {
                let Pattern { kind, ty, span: _ } = pattern;
                f(Part::Ty(ty));
                match kind {
                    PatternKind::Wild | PatternKind::Int(_) | PatternKind::Float(_) | PatternKind::Null => {}
                    PatternKind::Bind(local) | PatternKind::Alias(local) | PatternKind::Tag(local) => {
                        f(Part::Local(local));
                    }
                    PatternKind::As(local, inner) | PatternKind::Ref(local, inner) => {
                        f(Part::Local(local));
                        f(Part::Pattern(inner));
                    }
                    PatternKind::Pointer(inner) => f(Part::Pattern(inner)),
                    PatternKind::Member(id, _, inner) => {
                        f(Part::Aggr(id));
                        f(Part::Pattern(inner));
                    }
                    PatternKind::Tuple(parts) => {
                        for part in parts {
                            f(Part::Pattern(part));
                        }
                    }
                    PatternKind::Struct(id, parts) => {
                        f(Part::Aggr(id));
                        for (_, part) in parts {
                            f(Part::Pattern(part));
                        }
                    }
                    PatternKind::Variant { datatype, variant: _, args } => {
                        f(Part::Datatype(datatype));
                        for arg in args {
                            f(Part::Pattern(arg));
                        }
                    }
                }
            }
        }
    };
}

operands!(
    /// The parts, to be looked at.
    parts
);
operands!(
    /// The parts, to be replaced.
    parts_mut, mut
);
