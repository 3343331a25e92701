//! The typed tree: what the checker makes of a unit. Every name is resolved, every type known,
//! every implicit conversion an explicit [`Coercion`]. Checks that a construct implies (null,
//! bounds, termination) are not written here: they follow from the pointer's type, and lowering to
//! MIR makes them instructions.

use cyc_base::{Span, Symbol};
use cyc_types::{AggrId, Args, DatatypeId, QTy, RegionVid, ScopeId, SubsetId, Ty, TyParam, Types};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

pub mod operands;

pub use cyc_syntax::ast::{BinOp, UnOp};

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct GlobalId(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct LocalId(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct LabelId(pub u32);

/// The condition of a `@subset` type, over its one variable, the first local.
#[derive(Clone, Debug)]
pub struct Subset {
    pub condition: Expr,
    /// Equal for equal conditions.
    pub key: String,
}

/// A checked translation unit.
#[derive(Clone, Debug, Default)]
pub struct TypedUnit {
    pub types: Types,
    /// Indexed by [`GlobalId`].
    pub globals: Vec<Global>,
    /// Functions with a body, in source order.
    pub functions: Vec<Function>,
    /// By [`cyc_types::SubsetId`].
    pub subsets: Vec<Subset>,
    /// The contracts of functions, by their declarations.
    pub contracts: FxHashMap<GlobalId, Vec<Contract>>,
    /// Functions that occur as values, so that not every call of them is by name.
    pub addressed: FxHashSet<GlobalId>,
    /// What functions, and variables by their initialisers, mention.
    pub mentions: FxHashMap<GlobalId, Vec<Mention>>,
    /// Functions that are given to other threads, and where.
    pub thread_roots: Vec<(GlobalId, Span)>,
    /// C text of `extern "C include"` blocks and top-level `asm`, in source order.
    pub c_texts: Vec<CText>,
    /// Structs and unions that other units know as incomplete: `abstract struct S {…};`.
    pub abstract_types: FxHashSet<AggrId>,
    /// Where a nullable pointer becomes non-null without a cast: what flow analysis cannot prove is warned about.
    pub implicit_null_checks: FxHashSet<Span>,
    /// Is flow analysis asked to warn of values that could be freed and are lost?
    pub warn_leaks: bool,
}

impl TypedUnit {
    pub fn global(&self, id: GlobalId) -> &Global {
        &self.globals[id.0 as usize]
    }
}

/// A function that is called or made a value, a variable that is used.
#[derive(Clone, Copy, Debug)]
pub struct Mention {
    pub to: GlobalId,
    /// Is the address of a variable taken?
    pub address: bool,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum CText {
    /// The span of the C text in the unit's preprocessed text.
    Include(Span),
    Asm(Vec<u8>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Linkage {
    /// `static`, and static locals.
    Internal,
    /// Defined here, visible to other units.
    Public,
    /// Declared here, defined elsewhere.
    Extern,
}

#[derive(Clone, Debug)]
pub struct Global {
    pub name: Symbol,
    /// The path of its namespace, `A::B`; empty for the root.
    pub namespace: Symbol,
    /// Has C's plain name in the object file (`extern "C"`, `main`, or an asm label) instead of a mangled one.
    pub c_name: Option<Symbol>,
    /// Declared in C text that is emitted as it stands: must not be declared again.
    pub from_c_text: bool,
    pub qty: QTy,
    pub linkage: Linkage,
    pub thread_local: bool,
    pub inline: bool,
    /// GNU attributes that only the back end needs, as C text without the wrapper: `section("x")`.
    pub attrs: Vec<String>,
    /// A variable's initialiser: a constant expression. Without one a defined variable is zero.
    pub init: Option<Expr>,
    pub is_function: bool,
    /// Mentioned by some function or initialiser; extern declarations nobody uses are not emitted.
    pub used: bool,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Function {
    pub global: GlobalId,
    /// The variables that are opaque in the body, by [`cyc_types::Var::Param`]: those of the function's type, then what
    /// its patterns unpack.
    pub vars: Vec<TyParam>,
    /// Indexed by [`LocalId`]; parameters come first.
    pub locals: Vec<Local>,
    pub params: u32,
    pub ret: Ty,
    pub body: Block,
    /// How many [`LabelId`]s there are, with the names for messages.
    pub labels: Vec<Symbol>,
    /// By what is borrowed while it is used: the inferred regions that types of pointers to it mention.
    pub borrowed: Vec<Vec<RegionVid>>,
    pub span: Span,
    /// The closing brace: where a missing return is reported.
    pub end: Span,
}

/// What one declaration of a function says that it requires and ensures. In the conditions the `i`-th parameter is the
/// `i`-th local, the extra arguments follow, and then `return_value`; the variables of the function's type are
/// [`cyc_types::Var::Param`]s.
#[derive(Clone, Default, Debug)]
pub struct Contract {
    pub params: Vec<QTy>,
    pub requires: Vec<Expr>,
    pub checks: Vec<Expr>,
    pub ensures: Vec<Expr>,
}

#[derive(Clone, Debug)]
pub struct Local {
    pub name: Symbol,
    pub qty: QTy,
    pub scope: ScopeId,
    /// Its address is taken somewhere (`&x`, an array that decays, a reference pattern).
    pub address_taken: bool,
    /// Made by the checker; not the user's.
    pub synthetic: bool,
    /// GNU attributes for the back end (`aligned(16)`).
    pub attrs: Vec<String>,
    pub span: Span,
}

// ---------------------------------------------------------------- places and expressions

/// An lvalue.
#[derive(Clone, Debug)]
pub struct Place {
    pub kind: PlaceKind,
    pub qty: QTy,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum PlaceKind {
    Local(LocalId),
    Global(GlobalId),
    /// `*e`, and `e->f` as a field of this. `e` is a pointer of any sort.
    Deref(Box<Expr>),
    /// `p[i]` on a pointer of any sort; `i` is an integer of any type.
    Index(Box<Expr>, Box<Expr>),
    /// `a[i]` on an array that is itself a place; its length is in the type.
    Element(Box<Place>, Box<Expr>),
    /// A field of a struct or union place, by index into the aggregate's fields. Reaching into a member of a tagged
    /// union checks its tag, and assigning the member sets it.
    Field(Box<Place>, u32),
    /// A component of a tuple place.
    Component(Box<Place>, u32),
    /// A value that must be addressed (`f().x`, a compound literal): evaluated into a temporary.
    Temp(Box<Expr>),
}

#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub ty: Ty,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    /// Integers, characters, enumerators; the value fits the type.
    Int(i128),
    /// The literal's digits without suffix; [`Expr::ty`] tells the precision.
    Float(Symbol),
    /// A null pointer, thin or fat.
    Null,
    /// Bytes without the terminator that the object has. Type: pointer to a static array.
    Str(Rc<[u8]>),
    WideStr(Rc<[u32]>),
    /// A string as the value of a char array (initialisers): its bytes, terminator included; the array's rest is zero.
    StrArray(Rc<[u8]>),
    WideStrArray(Rc<[u32]>),
    /// The value held by a place.
    Read(Box<Place>),
    /// The value held by a place that must not be copied: the place cannot be used until it is given back, or gets
    /// another value. Made from [`ExprKind::Read`] by [`crate::moves`].
    Move(Box<Place>, Transfer),
    /// `&place`; also arrays that decay (the type is then `T@{n}`).
    AddrOf(Box<Place>),
    /// The address of a function: the instance at these arguments, one for each variable of its type. Without
    /// arguments a function that has variables is a polymorphic value, which [`Coercion::Instantiate`] takes apart.
    FunctionAddr(GlobalId, Args),
    /// `sizeof(T)` where it depends on a type variable; an `unsigned long`.
    SizeOf(Ty),
    /// `_Alignof(T)`, likewise.
    AlignOf(Ty),
    /// Operands have the type of the operation (for shifts: each its own); floats and integers.
    Unary(UnOp, Box<Expr>),
    Binary(BinOp, Box<Expr>, Box<Expr>),
    /// `! e`, result `int`; the operand is any scalar (integer, enum, thin or fat pointer).
    Not(Box<Expr>),
    And(Box<Expr>, Box<Expr>),
    Or(Box<Expr>, Box<Expr>),
    /// `p + i` (`negate`: `p - i`) on a fat pointer; the index is an integer of any type.
    PtrAdd {
        ptr: Box<Expr>,
        index: Box<Expr>,
        negate: bool,
    },
    /// A thin pointer to so many elements (an `unsigned long`) as a fat one; null stays null.
    Counted(Box<Expr>, Box<Expr>),
    /// `p - q` in elements; both thin or both fat, same element.
    PtrDiff(Box<Expr>, Box<Expr>),
    /// Comparison of pointers by address; thin or fat, mixed allowed.
    PtrCompare(BinOp, Box<Expr>, Box<Expr>),
    /// `place = e`: the right side is evaluated first; the value is the value stored.
    Assign {
        place: Box<Place>,
        value: Box<Expr>,
    },
    /// `place op= e` and `++`/`--` on arithmetic places: computes at type `at` (after the usual
    /// conversions), converts back to the place's type. `post`: the value is the old one.
    AssignOp {
        op: BinOp,
        place: Box<Place>,
        value: Box<Expr>,
        at: Ty,
        post: bool,
    },
    /// `p += i`, `p -= i`, `p++`, `--p` on a pointer place: fat, or thin zero-terminated forward steps.
    PtrStep {
        place: Box<Place>,
        index: Box<Expr>,
        negate: bool,
        post: bool,
    },
    Swap(Box<Place>, Box<Place>),
    Cond(Box<Expr>, Box<Expr>, Box<Expr>),
    /// GNU's `a ?: b`, `a` evaluated once.
    CondOrElse(Box<Expr>, Box<Expr>),
    Comma(Box<Expr>, Box<Expr>),
    Call {
        callee: Callee,
        args: Vec<Expr>,
    },
    Coerce(Coercion, Box<Expr>),
    /// A struct, union or tuple value: field index and value, in evaluation order, every field (of a union: one).
    Aggregate(Vec<(u32, Expr)>),
    /// An array value: one expression an element, in order; the elements after the last one are zero.
    Array(Vec<Expr>),
    /// `{for i < n : body}` as the value of an array of `n` elements; `zeroterm` appends a zero.
    ArrayFor(Box<ArrayFor>),
    /// All bits zero (only at types that admit zero).
    Zero,
    /// A datatype variant's value.
    Variant {
        datatype: DatatypeId,
        variant: u32,
        args: Vec<Expr>,
    },
    New(Box<New>),
    Alloc(Box<Alloc>),
    /// `tagof(e)`: the number of the variant that a thin non-null pointer to a datatype, or to a variant, points to.
    Tagof(Box<Expr>),
    /// `tagcheck(u.m)`: is member `m`, by index, of the tagged union at the place the one last written?
    Tagcheck(Box<Place>, u32),
    /// `numelts(e)`: by the pointer's type.
    Numelts(Box<Expr>),
    Throw(Box<Expr>),
    Assert(Box<Expr>),
    /// `@assert(e)`, `@assert_false(e)`: the flow analysis must prove that `e` is true, or false.
    StaticAssert(Box<Expr>, bool),
    StmtExpr(Block, Box<Expr>),
    Asm(Box<Asm>),
    /// Not a value: an error was reported. Never reaches lowering of a unit without errors.
    Error,
}

/// How a value that must not be copied leaves its place (memory, sections 4.3, 4.9 and 5).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Transfer {
    /// For good.
    Moved,
    /// As an argument that the callee gives back when it returns.
    Lent,
    /// As an argument, seen as a pointer that may be copied until the call returns.
    Aliased,
    /// The same while pointers that come of it are used.
    Borrowed(BorrowId),
}

/// An index into [`Function::borrowed`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BorrowId(pub u32);

#[derive(Clone, Debug)]
pub struct ArrayFor {
    /// `const unsigned`, fresh each time round.
    pub var: LocalId,
    /// Evaluated once; type `unsigned long`.
    pub count: Expr,
    /// None: elements without initialiser (zero where the type needs it, which `zero` tells).
    pub body: Option<Expr>,
    pub zero: bool,
    pub elem: QTy,
    pub zeroterm: bool,
}

#[derive(Clone, Debug)]
pub enum Callee {
    /// A function, at the arguments for the variables of its type.
    Direct(GlobalId, Args),
    /// A function pointer, null-checked if its type is nullable.
    Pointer(Box<Expr>),
    /// A compiler builtin of C (`__builtin_expect`), or one of the run time's below, passed through by name.
    Builtin(Symbol),
}

/// A pointer to a closure: of the address of its entry, then those of what it captures. Raises `Bad_alloc`.
pub const CLOSURE: &str = "cyc_closure";
/// In the entry of a closure: the address of the capture with this number.
pub const CLOSURE_CAPTURE: &str = "cyc_closure_capture";

/// Implicit conversions made explicit (core, section 4.1). The target is [`Expr::ty`] of the node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Coercion {
    /// Between arithmetic types, enumerations and `_Bool`, as in C.
    Arith,
    /// Of 128 bits to 64, for a subscript, a step (`long`) or a count (`unsigned long`): what does not fit becomes a number
    /// that is within no bounds, or more than memory holds.
    Index,
    /// The value is dropped.
    ToVoid,
    /// A thin pointer's bits as an integer.
    PtrToInt,
    /// Thin nullable to thin non-null: null check.
    NotNull,
    /// Same representation, nothing to do at run time: const added, longer to shorter bound, region
    /// to an outlived one, structural subtype, `void *`, variant to datatype, function variance.
    Retype,
    /// Thin pointer with a known bound (source type) to fat; null stays null.
    ThinToFat,
    /// Thin zero-terminated to fat: length by scanning.
    ZerotermToFat,
    /// Fat to thin with the target's bound: bounds check, and null check if the target is non-null.
    FatToThin,
    /// Fat to fat, zero-terminated to not, writable target: the zero leaves the visible range.
    FatDropZero,
    /// Fat pointer to bits-only elements seen as fat pointer to bytes.
    FatToBytes,
    /// Fat nullable to fat non-null: null check.
    FatNotNull,
    /// A value of a type as one of a subset of it: the condition is checked.
    Subset(SubsetId),
    /// A pointer to a polymorphic function becomes one to its instance at these arguments; null stays null.
    Instantiate(Args),
}

/// `new e`.
#[derive(Clone, Debug)]
pub struct New {
    pub elem: QTy,
    /// The region's handle, evaluated first; None: the heap.
    pub region: Option<Box<Expr>>,
    /// The handle of the alias qualifier, evaluated next; None: see the pointer's type.
    pub aqual: Option<Box<Expr>>,
    pub init: NewInit,
}

#[derive(Clone, Debug)]
pub enum NewInit {
    /// One object, result thin with bound 1.
    Value(Expr),
    /// `new {a, b, c}` or an array value: result thin with that bound.
    Array(Vec<Expr>),
    /// A comprehension: result thin when the count is constant, else fat (see the node's type).
    For(ArrayFor),
}

/// `malloc` and `calloc`.
#[derive(Clone, Debug)]
pub struct Alloc {
    pub elem: QTy,
    /// The region's handle, evaluated first; None: the heap.
    pub region: Option<Box<Expr>>,
    /// The handle of the alias qualifier, evaluated next; None: see the pointer's type.
    pub aqual: Option<Box<Expr>>,
    /// How many elements (type `unsigned long`); None: exactly one, the result is thin.
    pub count: Option<Expr>,
    pub zero: bool,
    /// `zeroterm` results need one more zero element than counted.
    pub zeroterm: bool,
}

#[derive(Clone, Debug)]
pub struct Asm {
    pub volatile: bool,
    pub template: Vec<u8>,
    pub outputs: Vec<(Option<Symbol>, Vec<u8>, Place)>,
    pub inputs: Vec<(Option<Symbol>, Vec<u8>, Expr)>,
    pub clobbers: Vec<Vec<u8>>,
}

// ---------------------------------------------------------------- statements

#[derive(Clone, Debug, Default)]
pub struct Block {
    pub scope: Option<ScopeId>,
    pub stmts: Vec<Stmt>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum StmtKind {
    Expr(Expr),
    /// A local comes to life here; without initialiser its value is unspecified. `zero_last`: an
    /// uninitialised `@zeroterm` array gets its final zero.
    Local {
        local: LocalId,
        init: Option<Expr>,
        zero_last: bool,
        /// Its initialiser mentions it: it has no value before.
        names_itself: bool,
    },
    /// `let p = e;`; `refutable`: failing raises `Match_Exception`.
    Let {
        pattern: Pattern,
        init: Expr,
        refutable: bool,
    },
    Block(Block),
    Label(LabelId),
    Goto(LabelId),
    If {
        cond: Expr,
        then: Block,
        otherwise: Option<Block>,
    },
    While {
        cond: Expr,
        body: Block,
    },
    DoWhile {
        body: Block,
        cond: Expr,
    },
    /// The initialiser stands before, in the enclosing block.
    For {
        cond: Option<Expr>,
        step: Option<Expr>,
        body: Block,
    },
    Switch(Box<Switch>),
    Try {
        body: Block,
        handler: Box<Switch>,
    },
    /// `region h;` and the rest of its block, at whose end the region is freed.
    Region {
        handle: LocalId,
        body: Block,
    },
    /// `region h = open(k);` and the rest of its block, at whose end the key can be used again.
    Open {
        handle: LocalId,
        key: Place,
        body: Block,
    },
    Break,
    Continue,
    Return(Option<Expr>),
    /// To the next clause's body, with values for its pattern variables in order of occurrence.
    Fallthru(Vec<Expr>),
}

/// A `switch`, or the clauses of a `catch`.
#[derive(Clone, Debug)]
pub struct Switch {
    /// The scrutinee; for `catch` an expression of kind [`ExprKind::Error`] is not used: see `caught`.
    pub on: Option<Expr>,
    /// For `catch`: the local that holds the exception.
    pub caught: Option<LocalId>,
    pub clauses: Vec<Clause>,
    /// What happens when no clause matches.
    pub otherwise: Otherwise,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Otherwise {
    /// Proved exhaustive.
    Impossible,
    /// `switch "C"` without default: nothing.
    Nothing,
    /// Compiler-inserted default of an enumeration switch.
    Match,
    /// `catch`: the exception goes on to the next handler.
    Rethrow,
}

#[derive(Clone, Debug)]
pub struct Clause {
    pub pattern: Pattern,
    pub guard: Option<Expr>,
    pub body: Block,
    /// The end of the body falls into the next clause (empty bodies, C rules); else it leaves the switch.
    pub falls_through: bool,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Pattern {
    pub kind: PatternKind,
    /// The type of the value that is matched.
    pub ty: Ty,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum PatternKind {
    Wild,
    Bind(LocalId),
    /// ``alias<`r> T x``: the variable holds the pointer as one that may be copied, until the end of its scope.
    Alias(LocalId),
    As(LocalId, Box<Pattern>),
    /// `*x as p`: the variable points to the matched place.
    Ref(LocalId, Box<Pattern>),
    /// ``n<`i>``: the variable, a tag, has the value converted to `unsigned`.
    Tag(LocalId),
    /// An integer, character or enumerator.
    Int(i128),
    Float(Symbol),
    Null,
    /// Non-null, and the target matches.
    Pointer(Box<Pattern>),
    Tuple(Vec<Pattern>),
    /// A tagged union: the member's index, and the pattern for its value.
    Member(AggrId, u32, Box<Pattern>),
    /// A struct: field index and pattern.
    Struct(AggrId, Vec<(u32, Pattern)>),
    Variant {
        datatype: DatatypeId,
        variant: u32,
        args: Vec<Pattern>,
    },
}
