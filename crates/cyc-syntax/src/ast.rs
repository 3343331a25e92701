//! The syntax tree: what the parser makes of a translation unit, nothing resolved.
//!
//! Declarators are already turned inside out: a declaration holds a name and a complete [`Type`].
//! Definitions inside specifiers (`struct S {…} a, *b;`) are shared by reference count, so that
//! each is one node however many declarators follow; `DefId` tells definitions apart.

use cyc_base::{Span, Symbol};
use std::rc::Rc;

/// A whole translation unit.
#[derive(Clone, Debug, Default)]
pub struct Unit {
    pub items: Vec<Item>,
}

/// An identifier where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ident {
    pub name: Symbol,
    pub span: Span,
}

/// Where a qualified name begins to be looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Root {
    /// In the scopes around the use.
    Relative,
    /// `Cyc::…`: in the root namespace.
    Cyclone,
    /// `C::…`: among the unmangled names of C.
    C,
}

/// `A::B::x`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    pub root: Root,
    /// The namespaces before the last component.
    pub path: Vec<Symbol>,
    pub name: Symbol,
    pub span: Span,
}

impl Name {
    /// The name as an unqualified identifier, if it is one.
    pub fn as_ident(&self) -> Option<Ident> {
        (self.root == Root::Relative && self.path.is_empty()).then_some(Ident { name: self.name, span: self.span })
    }
}

/// Distinguishes the definitions of one unit: anonymous structs have nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DefId(pub u32);

// ---------------------------------------------------------------- top level

#[derive(Clone, Debug)]
pub struct Item {
    pub kind: ItemKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum ItemKind {
    Function(Box<Function>),
    Decl(Decl),
    /// `using Q { … }`; for `using Q;` the items are the rest of the enclosing unit.
    Using {
        name: Name,
        items: Vec<Item>,
    },
    /// `namespace N { … }`; for `namespace N;` the items are the rest of the enclosing unit.
    Namespace {
        name: Ident,
        items: Vec<Item>,
    },
    NoInference(Vec<Item>),
    ExternC(Vec<Item>),
    ExternCInclude(Box<ExternCInclude>),
    /// `__tempest_on__; … __tempest_off__;`: in between, a plain `*` is fat.
    Tempest {
        on: bool,
    },
    /// `__cyclone_port_on__; … __cyclone_port_off__;`.
    Port {
        on: bool,
    },
    /// `asm("…");` at top level.
    Asm(Asm),
    /// `_Static_assert(e, "…");`.
    StaticAssert {
        cond: Expr,
        message: Option<Vec<u8>>,
    },
}

#[derive(Clone, Debug)]
pub struct ExternCInclude {
    /// The C text, passed to the C compiler as it stands; `c_text` is its span in the unit.
    pub c_text: Span,
    pub items: Vec<Item>,
    pub overrides: Vec<Item>,
    pub export: Option<Export>,
    pub hide: Vec<Ident>,
}

#[derive(Clone, Debug)]
pub enum Export {
    All,
    Names(Vec<Name>),
}

#[derive(Clone, Debug)]
pub struct Function {
    pub specs: DeclSpecs,
    pub name: Name,
    /// Always [`TypeKind::Function`] (K&R parameter declarations are already merged in), unless in error.
    pub ty: Rc<Type>,
    pub body: Block,
}

/// What stands before the declarators, besides the type.
#[derive(Clone, Debug, Default)]
pub struct DeclSpecs {
    pub storage: Option<(Storage, Span)>,
    pub inline: bool,
    pub thread_local: bool,
    pub noreturn: bool,
    pub attrs: Vec<Attr>,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    Auto,
    Register,
    Static,
    Extern,
    /// `extern "C"` before a single declaration.
    ExternC,
    Typedef,
    Abstract,
}

#[derive(Clone, Debug)]
pub enum Decl {
    /// Specifiers and declarators; no declarators for `struct S {…};`.
    Vars {
        specs: DeclSpecs,
        base: Rc<Type>,
        vars: Vec<Declarator>,
    },
    /// `let p = e;`
    Let {
        pattern: Pattern,
        init: Expr,
        span: Span,
    },
    /// `let a, b;`
    LetVars {
        names: Vec<Ident>,
        span: Span,
    },
    /// `` region<`r> h; `` or `region h = open(k);`
    Region {
        var: Option<TypeVar>,
        name: Ident,
        open: Option<Expr>,
        span: Span,
    },
    StaticAssert {
        cond: Expr,
        message: Option<Vec<u8>>,
        span: Span,
    },
}

#[derive(Clone, Debug)]
pub struct Declarator {
    pub name: Name,
    pub ty: Rc<Type>,
    /// Binders of a typedef: `` typedef T name<`a,`r>; ``.
    pub binders: Option<Vec<TypeVar>>,
    pub asm_name: Option<Vec<u8>>,
    pub attrs: Vec<Attr>,
    pub init: Option<Init>,
    pub span: Span,
}

/// `identifier`, `identifier(args)` within `__attribute__((…))`.
#[derive(Clone, Debug)]
pub struct Attr {
    /// Without surrounding double underscores.
    pub name: Symbol,
    pub args: Vec<Expr>,
    pub span: Span,
}

// ---------------------------------------------------------------- types

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Quals {
    pub is_const: bool,
    pub is_volatile: bool,
    pub is_restrict: bool,
    pub is_atomic: bool,
}

#[derive(Clone, Debug)]
pub struct Type {
    pub kind: TypeKind,
    pub quals: Quals,
    pub attrs: Vec<Attr>,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IntWidth {
    Char,
    Short,
    Int,
    Long,
    LongLong,
    Int128,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FloatWidth {
    Float,
    Double,
    LongDouble,
    /// `_Float128` and `__float128`; also the other `_FloatN` of system headers, by width.
    Float128,
}

/// Kinds of section 3.2, with the older spellings as written.
pub type KindName = Ident;

/// `` `a::K\U ``
#[derive(Clone, Debug)]
pub struct TypeVar {
    /// With its backquote.
    pub name: Symbol,
    pub kind: Option<KindName>,
    pub alias: Option<AqualConst>,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AqualConst {
    Aliasable,
    Unique,
    Refcnt,
    Restricted,
}

#[derive(Clone, Debug)]
pub enum TypeKind {
    Void,
    Bool,
    /// `signed: None` for plain `char` (for the others, absence means signed and is `Some(true)`).
    Int {
        width: IntWidth,
        signed: Option<bool>,
    },
    Float {
        width: FloatWidth,
        complex: bool,
    },
    VaList,
    Pointer(Box<Pointer>),
    Array {
        elem: Rc<Type>,
        len: Option<Box<Expr>>,
        zeroterm: Option<bool>,
    },
    Function(Box<FnType>),
    /// A use of a struct or union tag.
    Aggr {
        is_union: bool,
        tagged: bool,
        name: Name,
        args: Vec<Rc<Type>>,
    },
    AggrDef(Rc<AggrDef>),
    Enum(Name),
    EnumDef(Rc<EnumDef>),
    /// `datatype D<…>` or `datatype D.V<…>`.
    Datatype {
        extensible: bool,
        name: Name,
        variant: Option<Name>,
        args: Vec<Rc<Type>>,
    },
    DatatypeDef(Rc<DatatypeDef>),
    Typedef {
        name: Name,
        args: Vec<Rc<Type>>,
    },
    TypeofExpr(Box<Expr>),
    TypeofType(Rc<Type>),
    Var(TypeVar),
    /// `_` or `_::K`.
    Hole(Option<KindName>),
    Tuple(Vec<Rc<Type>>),
    RegionHandle(Option<Rc<Type>>),
    AqualHandle(Rc<Type>),
    Tag(Option<Rc<Type>>),
    ValueOf(Box<Expr>),
    Subset(Box<Subset>),
    // The next ones occur only as type arguments, effects and qualifiers.
    /// `` {`r1, `r2} ``
    EffectSet(Vec<Rc<Type>>),
    /// `e1 + e2 + …`
    EffectJoin(Vec<Rc<Type>>),
    RegionsOf(Rc<Type>),
    Aqual(AqualConst),
    AqualsOf(Rc<Type>),
    /// Something unreadable stood here; an error was reported.
    Error,
}

/// `@subset(T x | e)`
#[derive(Clone, Debug)]
pub struct Subset {
    pub name: Ident,
    pub ty: Rc<Type>,
    pub cond: Expr,
}

/// One pointer constructor with everything that may follow its head. Where two qualifiers
/// contradict each other the parser has kept the last.
#[derive(Clone, Debug)]
pub struct Pointer {
    pub to: Rc<Type>,
    pub head: PtrHead,
    /// `@fat` or head `?`: `Some(true)`; `@thin`: `Some(false)`.
    pub fat: Option<bool>,
    /// `@nullable`: `Some(true)`; `@notnull`, head `@`: `Some(false)`; head `*` alone: `None`.
    pub nullable: Option<bool>,
    /// `{e}` or `@numelts(e)`.
    pub bound: Option<Expr>,
    pub zeroterm: Option<bool>,
    /// The region or effect: type variables, a hole, or an effect.
    pub region: Option<Rc<Type>>,
    pub aqual: Option<Rc<Type>>,
    pub autoreleased: bool,
    pub attrs: Vec<Attr>,
    /// Where the pointer constructor itself stands.
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PtrHead {
    Star,
    At,
    Question,
}

#[derive(Clone, Debug)]
pub struct FnType {
    pub ret: Rc<Type>,
    /// Explicit binders: `` f<`a,`r>(…) ``.
    pub binders: Option<Vec<TypeVar>>,
    pub params: Vec<Param>,
    pub varargs: Varargs,
    pub effect: Option<Rc<Type>>,
    pub constraints: Vec<Constraint>,
    pub contracts: Vec<Contract>,
    pub attrs: Vec<Attr>,
    /// The parameter list with its parentheses.
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Param {
    pub name: Option<Ident>,
    pub ty: Rc<Type>,
    pub attrs: Vec<Attr>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum Varargs {
    None,
    /// `...` alone.
    C,
    /// `... T xs` and `... inject T xs`.
    Typed {
        inject: bool,
        param: Box<Param>,
    },
}

#[derive(Clone, Debug)]
pub enum Constraint {
    /// Left outlives right.
    Outlives(Rc<Type>, Rc<Type>),
    Disjoint(Rc<Type>, Rc<Type>),
    Single(Rc<Type>),
    /// `q >= q'`
    AqualBound(Rc<Type>, Rc<Type>),
}

#[derive(Clone, Debug)]
pub struct Contract {
    pub kind: ContractKind,
    pub cond: Expr,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContractKind {
    Checks,
    Requires,
    Ensures,
    Throws,
}

#[derive(Clone, Debug)]
pub struct AggrDef {
    pub id: DefId,
    pub is_union: bool,
    pub tagged: bool,
    pub name: Option<Name>,
    pub params: Vec<TypeVar>,
    pub existentials: Vec<TypeVar>,
    pub constraints: Vec<Constraint>,
    pub fields: Vec<FieldDecl>,
    pub attrs: Vec<Attr>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct FieldDecl {
    pub name: Option<Ident>,
    pub ty: Rc<Type>,
    pub width: Option<Expr>,
    pub requires: Option<Expr>,
    pub attrs: Vec<Attr>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct EnumDef {
    pub id: DefId,
    pub name: Option<Name>,
    pub items: Vec<Enumerator>,
    pub attrs: Vec<Attr>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Enumerator {
    pub name: Name,
    pub value: Option<Expr>,
}

#[derive(Clone, Debug)]
pub struct DatatypeDef {
    pub id: DefId,
    pub extensible: bool,
    pub name: Name,
    pub params: Vec<TypeVar>,
    pub variants: Vec<Variant>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Variant {
    pub storage: Option<Storage>,
    pub name: Name,
    pub params: Vec<Param>,
    pub span: Span,
}

// ---------------------------------------------------------------- initialisers and expressions

#[derive(Clone, Debug)]
pub enum Init {
    Expr(Expr),
    List(InitList),
    /// `{for i < n : e}`
    Comprehension(Box<Comprehension>),
}

#[derive(Clone, Debug)]
pub struct InitList {
    pub items: Vec<InitItem>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct InitItem {
    pub designators: Vec<Designator>,
    pub init: Init,
}

#[derive(Clone, Debug)]
pub enum Designator {
    Index(Expr),
    Field(Ident),
}

#[derive(Clone, Debug)]
pub struct Comprehension {
    pub var: Ident,
    pub count: Expr,
    pub body: ComprehensionBody,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum ComprehensionBody {
    Expr(Expr),
    /// `{for i < n : T}`: elements without initialiser.
    Type(Rc<Type>),
}

#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct IntSuffix {
    pub unsigned: bool,
    /// 0, 1 for `l`, 2 for `ll`.
    pub longs: u8,
    /// Written in decimal: the type never becomes unsigned by itself.
    pub decimal: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinOp {
    Mul,
    Div,
    Rem,
    Add,
    Sub,
    Shl,
    Shr,
    Lt,
    Gt,
    Le,
    Ge,
    Eq,
    Ne,
    BitAnd,
    BitXor,
    BitOr,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnOp {
    Neg,
    Plus,
    BitNot,
    Not,
}

impl BinOp {
    /// As it is written, in Cyclone and in C.
    pub fn text(self) -> &'static str {
        match self {
            BinOp::Mul => "*",
            BinOp::Div => "/",
            BinOp::Rem => "%",
            BinOp::Add => "+",
            BinOp::Sub => "-",
            BinOp::Shl => "<<",
            BinOp::Shr => ">>",
            BinOp::Lt => "<",
            BinOp::Gt => ">",
            BinOp::Le => "<=",
            BinOp::Ge => ">=",
            BinOp::Eq => "==",
            BinOp::Ne => "!=",
            BinOp::BitAnd => "&",
            BinOp::BitXor => "^",
            BinOp::BitOr => "|",
        }
    }
}

impl UnOp {
    pub fn text(self) -> &'static str {
        match self {
            UnOp::Neg => "-",
            UnOp::Plus => "+",
            UnOp::BitNot => "~",
            UnOp::Not => "!",
        }
    }
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    Int {
        value: u64,
        suffix: IntSuffix,
    },
    /// The constant as written, suffix included.
    Float {
        text: Symbol,
        width: FloatWidth,
    },
    /// The value of a character constant, in 0..=255 for narrow ones.
    Char {
        value: u32,
        wide: bool,
    },
    /// Adjacent literals are already joined; no terminator.
    Str(Vec<u8>),
    /// Code points (or escapes) of a wide literal; no terminator.
    WideStr(Vec<u32>),
    Null,
    Name(Name),
    Unary(UnOp, Box<Expr>),
    Deref(Box<Expr>),
    AddrOf(Box<Expr>),
    Binary(BinOp, Box<Expr>, Box<Expr>),
    And(Box<Expr>, Box<Expr>),
    Or(Box<Expr>, Box<Expr>),
    /// `++e`, `e--` …
    Step {
        inc: bool,
        prefix: bool,
        expr: Box<Expr>,
    },
    Assign {
        op: Option<BinOp>,
        lhs: Box<Expr>,
        rhs: Box<Expr>,
    },
    Swap(Box<Expr>, Box<Expr>),
    /// The middle is absent in GNU's `a ?: b`.
    Cond(Box<Expr>, Option<Box<Expr>>, Box<Expr>),
    Comma(Box<Expr>, Box<Expr>),
    Throw(Box<Expr>),
    New(Box<New>),
    Alloc(Box<Alloc>),
    Cast(Rc<Type>, Box<Expr>),
    CompoundLit(Rc<Type>, InitList),
    SizeofExpr(Box<Expr>),
    SizeofType(Rc<Type>),
    AlignofType(Rc<Type>),
    Offsetof(Rc<Type>, Vec<Member>),
    Numelts(Box<Expr>),
    Tagof(Box<Expr>),
    Tagcheck(Box<Expr>),
    Valueof(Rc<Type>),
    Assert {
        kind: AssertKind,
        cond: Box<Expr>,
    },
    Index(Box<Expr>, Box<Expr>),
    Call(Box<Expr>, Vec<Expr>),
    Field {
        expr: Box<Expr>,
        name: Ident,
        arrow: bool,
    },
    /// `e<>`
    NoInst(Box<Expr>),
    /// `e@<T,…>`
    Inst(Box<Expr>, Vec<Rc<Type>>),
    /// `S{<T> .f = e, …}`
    StructVal {
        name: Name,
        args: Vec<Rc<Type>>,
        items: InitList,
    },
    Tuple(Vec<Expr>),
    StmtExpr(Block),
    Pragma(Ident),
    Asm(Box<Asm>),
    /// `__builtin_va_arg`, `__builtin_types_compatible_p` …: the builtins whose arguments are
    /// types, as found in C headers; only allowed in C code. `__real__ e` and `__imag__ e` are here
    /// too, and GNU's range `low ... high` of designators and case labels under the name `...`.
    BuiltinWithTypes {
        name: Ident,
        types: Vec<Rc<Type>>,
        exprs: Vec<Expr>,
    },
    /// `_Generic(e, T: e, default: e)`; only in C code.
    Generic {
        on: Box<Expr>,
        arms: Vec<(Option<Rc<Type>>, Expr)>,
    },
    Error,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AssertKind {
    /// `assert(e)`
    Dynamic,
    /// `@assert(e)`
    Static,
    /// `@assert_false(e)`
    StaticFalse,
}

/// `new`, `rnew(r[,q])`, `qnew(q)` with their operand.
#[derive(Clone, Debug)]
pub struct New {
    pub region: Option<Expr>,
    pub aqual: Option<Expr>,
    pub init: Init,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AllocKind {
    Malloc,
    RMalloc,
    RMallocInline,
    RVMalloc,
    QMalloc,
}

/// The `malloc` and `calloc` families: `calloc` when `elem` is given.
#[derive(Clone, Debug)]
pub struct Alloc {
    pub kind: AllocKind,
    pub region: Option<Expr>,
    pub aqual: Option<Expr>,
    /// Bytes, or for `calloc` the number of elements.
    pub size: Expr,
    pub elem: Option<Rc<Type>>,
}

#[derive(Clone, Debug)]
pub enum Member {
    Field(Ident),
    Component(u64, Span),
    /// `[e]` in C's `offsetof`.
    Index(Expr),
}

#[derive(Clone, Debug)]
pub struct Asm {
    pub volatile: bool,
    pub is_goto: bool,
    pub template: Vec<u8>,
    pub outputs: Vec<AsmOperand>,
    pub inputs: Vec<AsmOperand>,
    pub clobbers: Vec<Vec<u8>>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct AsmOperand {
    pub name: Option<Ident>,
    pub constraint: Vec<u8>,
    pub expr: Expr,
}

// ---------------------------------------------------------------- statements

#[derive(Clone, Debug, Default)]
pub struct Block {
    pub items: Vec<Stmt>,
    /// With the braces.
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum StmtKind {
    Empty,
    Expr(Expr),
    Decl(Decl),
    NestedFunction(Box<Function>),
    Block(Block),
    /// `L: s`; the statement may be a declaration.
    Label(Ident, Box<Stmt>),
    If {
        cond: Expr,
        then: Box<Stmt>,
        otherwise: Option<Box<Stmt>>,
    },
    While {
        cond: Expr,
        body: Box<Stmt>,
    },
    DoWhile {
        body: Box<Stmt>,
        cond: Expr,
    },
    For {
        init: Option<Box<Stmt>>,
        cond: Option<Expr>,
        step: Option<Expr>,
        body: Box<Stmt>,
    },
    /// `c_rules`: written `switch "C" (e)`, with C's fallthrough and no exhaustiveness.
    Switch {
        on: Expr,
        c_rules: bool,
        clauses: Vec<Clause>,
    },
    /// A `switch`, `case` or `default` of C code (extern "C include"), where they are ordinary statements.
    CSwitch {
        on: Expr,
        body: Box<Stmt>,
    },
    CCase {
        value: Option<Expr>,
        body: Box<Stmt>,
    },
    Try {
        body: Box<Stmt>,
        clauses: Vec<Clause>,
    },
    Goto(Ident),
    Continue,
    Break,
    Return(Option<Expr>),
    Fallthru(Vec<Expr>),
}

#[derive(Clone, Debug)]
pub struct Clause {
    /// `default:` is `case _:` with `is_default`.
    pub pattern: Pattern,
    pub is_default: bool,
    pub guard: Option<Expr>,
    pub body: Block,
    /// `case … :`
    pub span: Span,
}

// ---------------------------------------------------------------- patterns

#[derive(Clone, Debug)]
pub struct Pattern {
    pub kind: PatternKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum PatternKind {
    Wild,
    /// A constant, or any constant expression at the top of a case label.
    Const(Expr),
    Null,
    /// A constructor or enum constant if one is in scope, else a variable.
    Name(Name),
    As(Ident, Box<Pattern>),
    Pointer(Box<Pattern>),
    /// `*x` or `*x as p`.
    Ref(Ident, Option<Box<Pattern>>),
    Tuple(FieldPatterns),
    /// `V(p…)`, `V(p…, ...)`
    Call(Name, Vec<Pattern>, bool),
    /// `S{…}` or `{…}`
    Struct {
        name: Option<Name>,
        args: Vec<Rc<Type>>,
        fields: FieldPatterns,
    },
    /// ``n<`i>`` or `n<_>`
    Tag(Ident, Option<TypeVar>),
    /// ``alias<`r> T x``
    Alias {
        var: TypeVar,
        ty: Rc<Type>,
        name: Ident,
    },
    Error,
}

#[derive(Clone, Debug, Default)]
pub struct FieldPatterns {
    pub items: Vec<(Vec<Designator>, Pattern)>,
    /// Ends with `...`.
    pub rest: bool,
}
