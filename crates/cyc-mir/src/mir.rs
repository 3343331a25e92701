//! MIR: a function as a control-flow graph of small steps, every check an instruction.
//!
//! Evaluation order, implicit conversions and the checks that pointer types imply are explicit here.
//! All flow-sensitive reasoning (`cyc-flow`) reads and rewrites this form; a check that is not in
//! the MIR is not in the program, and check elimination only ever removes instructions.
//!
//! Invariants: block 0 is the entry; every block ends in one terminator; the operands of one
//! instruction are evaluated before its effect and have no effects themselves; a [`Place`] is valid
//! only where the checks before it have succeeded.

mod check;

use cyc_base::{Span, Symbol};
use cyc_check::tast::{BorrowId, GlobalId};
use cyc_types::{Args, DatatypeId, QTy, RegionVid, ScopeId, Ty, TyParam};
use std::rc::Rc;

pub use check::{Check, CheckKind, CheckReason, Fact};
pub use cyc_check::tast::BinOp;

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Local(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct BlockId(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct HandlerId(pub u32);

/// A lexical region of the function: its storage in the frame.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct RegionId(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct LoanId(pub u32);

#[derive(Clone, Debug)]
pub struct Body {
    pub global: GlobalId,
    /// As [`cyc_check::tast::Function::vars`].
    pub vars: Vec<TyParam>,
    /// Parameters first.
    pub locals: Vec<LocalDecl>,
    pub params: u32,
    pub ret: Ty,
    pub blocks: Vec<Block>,
    /// The `try` statements of the function.
    pub handlers: Vec<Handler>,
    /// How many [`RegionId`]s there are.
    pub regions: u32,
    /// The values that are away from their places for a while.
    pub loans: Vec<Loan>,
    /// As [`cyc_check::tast::Function::borrowed`].
    pub borrowed: Vec<Vec<RegionVid>>,
    pub span: Span,
    /// Where the block of the function begins, and its closing brace.
    pub open: Span,
    pub end: Span,
}

#[derive(Clone, Debug)]
pub struct LocalDecl {
    /// The programmer's name; None for temporaries.
    pub name: Option<Symbol>,
    pub qty: QTy,
    pub scope: Option<ScopeId>,
    pub address_taken: bool,
    /// Assigned inside a `try` body and alive in or after its handler: must live in memory across
    /// the non-local jump. Filled in by lowering.
    pub survives_throw: bool,
    pub attrs: Vec<String>,
    pub span: Span,
}

/// A value that must not be copied and is away from its place between a [`Rvalue::Move`] and a [`StmtKind::EndLoan`].
#[derive(Clone, Debug)]
pub struct Loan {
    pub place: Place,
    pub kind: LoanKind,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LoanKind {
    /// Lent to a call, which gives it back when it returns.
    Argument,
    /// Seen as a pointer that may be copied until a call returns.
    AliasArgument,
    /// The same while variables and temporaries are used whose types mention its regions.
    Borrowed(BorrowId),
    /// Seen so until the end of the variable's scope.
    Alias(Local),
    /// Taken by a variable of a pattern: given back if the variable still has it.
    Pattern(Local),
}

impl LoanKind {
    /// Is the object reached by pointers that may be copied meanwhile, none of which can free it?
    pub fn is_alias(self) -> bool {
        matches!(self, LoanKind::AliasArgument | LoanKind::Borrowed(_) | LoanKind::Alias(_))
    }
}

/// A `try` statement: where control goes when something in its body throws.
#[derive(Clone, Debug)]
pub struct Handler {
    /// The block that starts the handler.
    pub catch: BlockId,
    /// Receives the exception there (type `datatype exn @`).
    pub caught: Local,
    /// The handler that is active outside of this `try`.
    pub outer: Option<HandlerId>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Block {
    pub stmts: Vec<Stmt>,
    pub term: Terminator,
    pub term_span: Span,
    /// Where an exception raised in this block goes; None: out of the function.
    pub handler: Option<HandlerId>,
}

#[derive(Clone, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum StmtKind {
    Assign(Place, Rvalue),
    /// A local comes to life with unspecified contents. The emitter must give it *some* fixed value
    /// unless flow analysis removed this (unset storage is undefined behaviour of C, and the C
    /// compiler may fold a bounds check on it).
    Uninit(Local),
    Check(Check),
    Call {
        dst: Option<Place>,
        callee: Callee,
        args: Vec<Operand>,
    },
    /// Heap allocation; `dst` gets the pointer (thin: one object or a constant count; fat: `count` objects).
    Alloc(Alloc),
    /// Leaves the body of a `try` in the normal way, or by a jump: its handler is no longer active.
    PopHandler(HandlerId),
    /// Enters a lexical region, empty at first; `handle` gets its handle.
    PushRegion {
        region: RegionId,
        handle: Local,
    },
    /// Leaves and frees it: in the normal way, or by a jump. An exception that leaves it does so by itself.
    PopRegion(RegionId),
    /// The dynamic region of the key is open from here on: the key is not to be used, `handle` gets its handle.
    OpenKey {
        key: Place,
        handle: Local,
    },
    /// It is closed, the key usable again; on an exceptional edge this is implied. Nothing to do at run time.
    CloseKey(Place),
    Swap(Place, Place),
    /// Sets the tag of the tagged union at the place to that of a member, whose value has been stored.
    SetTag(Place, u32),
    /// The value of the loan is back in its place, if it is there to be given back. Nothing at run time.
    EndLoan(LoanId),
    /// The end of a variable's life; written for variables that hold values that must not be copied. Nothing at run time.
    Dead(Local),
    Asm(Rc<Asm>),
    /// A check that a pass removed, and the fact that proves it.
    Removed(Box<StmtKind>, Fact),
}

#[derive(Clone, Debug)]
pub struct Alloc {
    pub dst: Place,
    pub elem: QTy,
    /// The handle of the region; None: the heap.
    pub region: Option<Operand>,
    /// The qualifier that an object which is given back by itself is laid out for: its handle, or the number that stands
    /// for a constant one in the run time. None: an object like all others.
    pub owner: Option<Operand>,
    /// Number of elements; None: one.
    pub count: Option<Operand>,
    /// Contents are all zero; else uninitialised.
    pub zero: bool,
}

impl Alloc {
    /// Is it known here that the object is one of the heap that is given back by itself, without a count?
    pub fn is_unique_of_heap(&self) -> bool {
        self.region.is_none() && self.owner.as_ref().and_then(Operand::as_int) == Some(1)
    }
}

#[derive(Clone, Debug)]
pub struct Asm {
    pub volatile: bool,
    pub template: Vec<u8>,
    pub outputs: Vec<(Option<Symbol>, Vec<u8>, Place)>,
    pub inputs: Vec<(Option<Symbol>, Vec<u8>, Operand)>,
    pub clobbers: Vec<Vec<u8>>,
}

#[derive(Clone, Debug)]
pub enum Callee {
    /// A function, at the arguments for the variables of its type.
    Direct(GlobalId, Args),
    /// Not null: checked before.
    Pointer(Operand),
    Builtin(Symbol),
}

/// A storage location, or part of one.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Place {
    pub base: Base,
    pub proj: Vec<Proj>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Base {
    Local(Local),
    Global(GlobalId),
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Proj {
    /// Through the pointer (thin or fat) held by the place so far, at `index` elements from it.
    Deref(Option<Operand>),
    /// A struct's, union's, tuple's or variant's field, by index.
    Field(u32),
    /// An element of the array that the place so far is.
    Element(Operand),
    /// The place so far is a whole datatype object: its variant.
    Variant(DatatypeId, u32),
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Operand {
    Copy(Place),
    Const(Const),
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Const {
    Int(i128, Ty),
    Float(Symbol, Ty),
    /// Thin or fat null, by type.
    Null(Ty),
    /// Address of a static array of these bytes and a terminator; the type is a thin pointer.
    Str(Rc<[u8]>, Ty),
    WideStr(Rc<[u32]>, Ty),
    /// A function's instance at the arguments; without them, a polymorphic function as a value.
    Function(GlobalId, Args, Ty),
    /// The size of a type in bytes, known when its variables are; type `unsigned long`.
    SizeOf(Ty),
    /// The alignment of a type in bytes, likewise.
    AlignOf(Ty),
    /// The address of a global variable, or of a part of one reached by constant steps.
    Global(Place, Ty),
    /// All bits zero, any type that admits it.
    Zero(Ty),
    /// The address of the one object of a constant variant, of the given pointer type.
    Variant(DatatypeId, u32, Ty),
}

#[derive(Clone, Debug)]
pub enum Rvalue {
    Use(Operand),
    /// As `Use` of a place, which no longer holds a value that can be used: for good, or for the time of the loan. Written
    /// only where the value must not be copied. After flow analysis there are none.
    Move(Operand, Option<LoanId>),
    Unary(UnOp, Operand, Ty),
    /// Arithmetic at type `Ty` (comparison: of the operands), wrapping; both operands have it (shifts: the left).
    Binary(BinOp, Operand, Operand, Ty),
    /// C conversion between arithmetic types (the operand's, the target).
    Arith(Operand, Ty, Ty),
    /// Thin pointer to integer type.
    PtrToInt(Operand, Ty),
    /// Pointer of the same representation under another type.
    Retype(Operand, Ty),
    /// A pointer to a polymorphic function, instantiated; null stays null.
    Instantiate(Operand, Args, Ty),
    /// Address of a place, as the given pointer type (thin).
    AddrOf(Place, Ty),
    /// Thin pointer moved by elements, unchecked (after `ZeroStep`, or to build results).
    ThinAdd {
        ptr: Operand,
        index: Operand,
        negate: bool,
    },
    FatAdd {
        ptr: Operand,
        index: Operand,
        negate: bool,
    },
    /// Elements between two pointers (thin or fat), by address.
    PtrDiff(Operand, Operand),
    /// By address; thin, fat, or one of each.
    PtrCompare(BinOp, Operand, Operand),
    /// Fat pointer from thin pointer and number of elements (null: null).
    FatMake {
        ptr: Operand,
        len: Operand,
        ty: Ty,
    },
    /// As `FatMake`, the length found by scanning a thin zero-terminated pointer (the zero counts).
    FatFromZeroterm(Operand, Ty),
    /// The address of a fat pointer's current element, unchecked.
    FatToThin(Operand, Ty),
    /// One element less at the end (the protected zero); null and empty stay.
    FatDropZero(Operand, Ty),
    /// The same memory as bytes.
    FatToBytes(Operand, Ty),
    /// A pointer's truth: not null. Result `int`.
    IsNonNull(Operand),
    /// Elements from the current position to the end; 0 when null or outside. Result `unsigned long`.
    FatNumelts(Operand),
    /// Elements of a thin zero-terminated pointer, the zero included; 0 when null. Result `unsigned long`.
    ZeroNumelts(Operand),
    /// A struct, union (one field), tuple or variant value; field index and value.
    Aggregate(Ty, Vec<(u32, Operand)>),
    /// An array's value; elements after the last one are zero.
    Array(Ty, Vec<Operand>),
    /// These bytes at the start of a char array; the others stay as they are.
    Bytes(Ty, Rc<[u8]>),
    Wides(Ty, Rc<[u32]>),
    /// Is the datatype object at this place the given variant? Result `int`.
    IsVariant(Place, DatatypeId, u32),
    /// The tag of the datatype object or tagged union at this place: the number of the variant (of an extensible
    /// datatype a number made from the tag's address), the number of the member counted from 1. Result `unsigned`.
    Tag(Place),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnOp {
    Neg,
    BitNot,
    /// Result `int`.
    Not,
}

#[derive(Clone, Debug)]
pub enum Terminator {
    Goto(BlockId),
    /// The operand is an integer; zero goes to `otherwise`.
    If {
        cond: Operand,
        then: BlockId,
        otherwise: BlockId,
    },
    Switch {
        on: Operand,
        cases: Vec<(i128, BlockId)>,
        default: BlockId,
    },
    /// Makes the handler active and goes on in the body; its `catch` is the exceptional successor.
    Try {
        handler: HandlerId,
        body: BlockId,
    },
    Throw(Operand),
    /// The exception goes on to the next handler outwards, with its first position.
    Rethrow(Operand),
    Return(Option<Operand>),
    /// The end of a non-void function was reached.
    MissingReturn,
    /// Proved not to be reached (after a `noreturn` call, the default of an exhaustive switch).
    Unreachable,
}

impl Place {
    pub fn local(local: Local) -> Place {
        Place { base: Base::Local(local), proj: vec![] }
    }

    pub fn global(global: GlobalId) -> Place {
        Place { base: Base::Global(global), proj: vec![] }
    }

    /// This place with one more step.
    pub fn then(mut self, step: Proj) -> Place {
        self.proj.push(step);
        self
    }

    /// The local that this place is, if it is a whole one.
    pub fn as_local(&self) -> Option<Local> {
        match self.base {
            Base::Local(local) if self.proj.is_empty() => Some(local),
            _ => None,
        }
    }

    /// The local this place is, or is a part of, without going through a pointer.
    pub fn within_local(&self) -> Option<Local> {
        match self.base {
            Base::Local(local) if !self.through_pointer() => Some(local),
            _ => None,
        }
    }

    pub fn through_pointer(&self) -> bool {
        self.proj.iter().any(|step| matches!(step, Proj::Deref(_)))
    }
}

impl Operand {
    pub fn local(local: Local) -> Operand {
        Operand::Copy(Place::local(local))
    }

    pub fn int(value: i128, ty: Ty) -> Operand {
        Operand::Const(Const::Int(value, ty))
    }

    pub fn as_int(&self) -> Option<i128> {
        match self {
            Operand::Const(Const::Int(value, _)) => Some(*value),
            _ => None,
        }
    }
}

impl Terminator {
    /// Where control may go from here, exceptions apart (`Try` lists its body only).
    pub fn successors(&self) -> Vec<BlockId> {
        let mut all = vec![];
        self.for_each_successor(|to| all.push(to));
        all
    }

    /// The same without a list.
    pub fn for_each_successor(&self, mut f: impl FnMut(BlockId)) {
        match self {
            Terminator::Goto(to) | Terminator::Try { body: to, .. } => f(*to),
            Terminator::If { then, otherwise, .. } => {
                f(*then);
                f(*otherwise);
            }
            Terminator::Switch { cases, default, .. } => {
                cases.iter().for_each(|(_, to)| f(*to));
                f(*default);
            }
            Terminator::Throw(_)
            | Terminator::Rethrow(_)
            | Terminator::Return(_)
            | Terminator::MissingReturn
            | Terminator::Unreachable => {}
        }
    }

    /// Replaces every target by what `to` says.
    pub fn retarget(&mut self, to: impl Fn(BlockId) -> BlockId) {
        match self {
            Terminator::Goto(target) | Terminator::Try { body: target, .. } => *target = to(*target),
            Terminator::If { then, otherwise, .. } => {
                *then = to(*then);
                *otherwise = to(*otherwise);
            }
            Terminator::Switch { cases, default, .. } => {
                for (_, target) in cases {
                    *target = to(*target);
                }
                *default = to(*default);
            }
            Terminator::Throw(_)
            | Terminator::Rethrow(_)
            | Terminator::Return(_)
            | Terminator::MissingReturn
            | Terminator::Unreachable => {}
        }
    }
}

impl Rvalue {
    /// The operands, in order. The places of `AddrOf`, `IsVariant` and `Tag` are not operands.
    pub fn for_each_operand<'m>(&'m self, f: &mut impl FnMut(&'m Operand)) {
        match self {
            Rvalue::Use(a)
            | Rvalue::Move(a, _)
            | Rvalue::Unary(_, a, _)
            | Rvalue::Arith(a, _, _)
            | Rvalue::PtrToInt(a, _)
            | Rvalue::Retype(a, _)
            | Rvalue::Instantiate(a, _, _)
            | Rvalue::FatFromZeroterm(a, _)
            | Rvalue::FatToThin(a, _)
            | Rvalue::FatDropZero(a, _)
            | Rvalue::FatToBytes(a, _)
            | Rvalue::IsNonNull(a)
            | Rvalue::FatNumelts(a)
            | Rvalue::ZeroNumelts(a) => f(a),
            Rvalue::Binary(_, a, b, _) | Rvalue::PtrDiff(a, b) | Rvalue::PtrCompare(_, a, b) => {
                f(a);
                f(b);
            }
            Rvalue::ThinAdd { ptr, index, .. } | Rvalue::FatAdd { ptr, index, .. } => {
                f(ptr);
                f(index);
            }
            Rvalue::FatMake { ptr, len, .. } => {
                f(ptr);
                f(len);
            }
            Rvalue::Aggregate(_, fields) => fields.iter().for_each(|(_, op)| f(op)),
            Rvalue::Array(_, elements) => elements.iter().for_each(f),
            Rvalue::AddrOf(..) | Rvalue::IsVariant(..) | Rvalue::Tag(_) | Rvalue::Bytes(..) | Rvalue::Wides(..) => {}
        }
    }
}
