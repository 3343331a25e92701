//! Types and the tables of named types. Types are interned: equal types are equal handles, except
//! that aggregates, enumerations and datatypes are compared by name, that is by their identity here. A struct, union or
//! datatype with parameters has one identity for each list of arguments (see [`crate::instance`]).

use crate::instance::{AggrInstance, DatatypeInstance};
use crate::kind::{Aqual, Arg, Args, Constraint, Size, SizeOp, SizeOpId, TyParam, Var};
use crate::layout::AggrLayout;
use crate::region::{EffectId, Region};
use cyc_base::{Span, Symbol};
use elsa::FrozenVec;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;

/// An interned type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Ty(pub u32);

/// A struct or union with its arguments, by identity.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct AggrId(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct EnumId(pub u32);

/// A datatype with its arguments, by identity.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct DatatypeId(pub u32);

/// An abstract type or region constructor, `` typedef _::K t<`a,…>; ``.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct AbstractId(pub u32);

/// A unification variable for a type, of the function being checked.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TyVid(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum IntTy {
    /// Plain `char`: signed in values, distinct as a type.
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LongLong,
    ULongLong,
    Int128,
    UInt128,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum FloatTy {
    Float,
    Double,
    LongDouble,
    Float128,
}

/// A type with the qualifiers of the place that holds it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct QTy {
    pub ty: Ty,
    pub is_const: bool,
    pub is_volatile: bool,
}

impl From<Ty> for QTy {
    fn from(ty: Ty) -> QTy {
        QTy { ty, is_const: false, is_volatile: false }
    }
}

/// How many objects a pointer addresses, and in which representation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Bound {
    /// Thin, one word: the first of `n` consecutive objects (for zero-terminated ones: at least `n`).
    Thin(u64),
    /// Thin, of a number of objects that a type-level integer tells; never a constant.
    Sized(Size),
    /// Carries its bounds.
    Fat,
}

impl Bound {
    /// Thin, of `size` objects.
    pub fn sized(size: Size) -> Bound {
        match size {
            Size::Const(n) => Bound::Thin(n),
            size => Bound::Sized(size),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct PtrTy {
    pub to: QTy,
    pub nullable: bool,
    pub bound: Bound,
    pub zeroterm: bool,
    pub region: Region,
    pub aqual: Aqual,
}

#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Varargs {
    None,
    /// `...`: C's, unchecked unless a format says more.
    C,
    /// `... T xs`: a fat pointer to the extra arguments; with `inject`, each is put into its variant of the datatype.
    Typed {
        elem: QTy,
        inject: bool,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum FormatKind {
    Printf,
    Scanf,
}

/// Attributes that belong to a function's type (core, section 3.14).
#[derive(Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FnAttrs {
    pub noreturn: bool,
    pub pure: bool,
    pub is_const: bool,
    pub no_throw: bool,
    /// It, and all that it calls, allocates nothing in the traced heap.
    pub no_heap: bool,
    /// C code that keeps state of its own: not to be called from threads but the first.
    pub single_threaded: bool,
    /// Kind, 1-based index of the format, 1-based index of the first argument (0: not checked here).
    pub format: Option<(FormatKind, u32, u32)>,
    /// 1-based parameters that the function initialises.
    pub initializes: Vec<u32>,
    /// 1-based parameters that the caller loses (memory, section 4.9).
    pub consume: Vec<u32>,
    /// As `consume`, and nothing live may be reached from them.
    pub noliveunique: Vec<u32>,
    /// 1-based parameters that move to another thread: their types are sendable ([`Types::unsendable`]).
    pub sends: Vec<u32>,
    /// 1-based parameters, pointers, that several threads read at once: their types are [`Types::unshareable`]'s.
    pub shares: Vec<u32>,
    /// 1-based parameters, pointers, whose whole targets the function overwrites as C does: without `const` parts
    /// ([`Types::has_fixed_part`]).
    pub overwrites: Vec<u32>,
    /// 1-based parameters, functions, that another thread runs: named ones, which touch no variable that others may change.
    pub runs: Vec<u32>,
}

/// `ret (params…)`. Binds the variables `vars`, which occur as [`Var::Bound`].
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FnTy {
    pub vars: Vec<TyParam>,
    pub ret: Ty,
    /// Top-level qualifiers of parameters are kept for the body; they do not count for equality of use.
    pub params: Vec<QTy>,
    pub varargs: Varargs,
    /// The regions that a call needs live; None: the default (memory, section 2.5).
    pub effect: Option<Region>,
    pub constraints: Vec<Constraint>,
    pub attrs: FnAttrs,
}

#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum TyKind {
    Void,
    Bool,
    Int(IntTy),
    Float(FloatTy),
    Complex(FloatTy),
    /// `__builtin_va_list`: opaque, only C code touches it.
    VaList,
    Enum(EnumId),
    Pointer(PtrTy),
    /// `len: None` for an array whose length is not known (`extern int a[];`).
    Array {
        elem: QTy,
        len: Option<u64>,
        zeroterm: bool,
    },
    /// The array that ends a struct, of a length that a type-level integer tells: `` double v[valueof(`i)] ``.
    OpenArray {
        elem: QTy,
        len: Size,
    },
    Tuple(Rc<[QTy]>),
    Aggr(AggrId),
    /// The whole sum, of unknown size: only behind a pointer.
    Datatype(DatatypeId),
    /// One variant of a datatype, a value.
    Variant(DatatypeId, u32),
    Function(Rc<FnTy>),
    /// A type variable.
    Var(Var),
    /// `` typedef _ t<`a>; `` applied: nothing is known about it but that equal arguments give equal types.
    Abstract(AbstractId, Args),
    /// `tag_t<i>`: the one integer that equals `i`.
    Tag(Size),
    /// `region_t<r>`: a handle for allocation.
    Handle(Region),
    /// `aqual_t<q>`: says with which qualifier to allocate.
    AqualHandle(Aqual),
    Infer(TyVid),
    /// An error was reported: unifies with everything, so that one mistake is one error.
    Error,
}

#[derive(Clone, Debug)]
pub struct Field {
    /// None for an unnamed member (anonymous struct or union, or an unnamed bit-field).
    pub name: Option<Symbol>,
    pub qty: QTy,
    /// Width of a bit-field.
    pub bits: Option<u32>,
    /// `aligned(n)` on the field, in bytes.
    pub align: Option<u32>,
    pub packed: bool,
    /// Of a union's member: when the union has this one.
    pub when: Option<Condition>,
    pub span: Span,
}

/// `low <= i <= high`, `tag` being `tag_t<i>`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Condition {
    pub tag: Ty,
    pub low: u64,
    pub high: u64,
}

/// The definition of a struct or union. `fields: None` while it is incomplete or abstract.
#[derive(Clone, Debug)]
pub struct Aggr {
    /// What it is abstracted over: [`Var::Own`] in its fields.
    pub params: Vec<TyParam>,
    /// What it hides (core, section 3.10): [`Var::Own`] too, counted on after the parameters.
    pub exists: Vec<TyParam>,
    pub constraints: Vec<Constraint>,
    /// `@tagged union`.
    pub tagged: bool,
    /// The tag; anonymous ones get a name of the form `_anonN` from the checker.
    pub name: Symbol,
    pub anonymous: bool,
    pub is_union: bool,
    /// As the definition has them; those of an instance are [`Types::fields`].
    pub fields: Option<Vec<Field>>,
    pub packed: bool,
    /// `aligned(n)` on the type, in bytes.
    pub align: Option<u32>,
    /// Declared by C text that is passed through: the emitter must not define it again.
    pub from_c_text: bool,
    /// C code keeps what is behind its address safe from several threads.
    pub thread_safe: bool,
    /// The typedef by which C text names an anonymous one: its only name in C.
    pub c_typedef: Option<Symbol>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Enum {
    pub name: Symbol,
    pub anonymous: bool,
    /// None while it is only declared.
    pub items: Option<Vec<(Symbol, i64)>>,
    /// Does some value need `unsigned`? (C's compatible type is then `unsigned int`, as gcc chooses.)
    pub underlying: IntTy,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Datatype {
    pub name: Symbol,
    /// What it is abstracted over: [`Var::Own`] in its variants.
    pub params: Vec<TyParam>,
    pub extensible: bool,
    /// As they were added; the number of a variant is its tag (of a closed datatype).
    pub variants: Vec<Variant>,
    /// Are all variants known that the declarations so far give it? Else it is only mentioned, or being defined.
    pub defined: bool,
    pub span: Span,
}

/// Which compilation unit has the object that marks a variant of an extensible datatype (core, section 3.11).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VariantLinkage {
    /// Defined here, for all units.
    Public,
    /// `extern`: defined in another unit.
    Extern,
    /// `static`: private to this unit.
    Internal,
}

#[derive(Clone, Debug)]
pub struct Variant {
    pub name: Symbol,
    /// As the definition has them; those of an instance are [`Types::variant_fields`].
    pub fields: Vec<QTy>,
    pub linkage: VariantLinkage,
    /// The path `A::B` of the namespace that declares the constructor; empty for the root.
    pub namespace: Symbol,
    pub span: Span,
}

/// `` typedef _::K name<params>; ``
#[derive(Clone, Debug)]
pub struct Abstract {
    pub name: Symbol,
    pub params: Vec<TyParam>,
    pub kind: crate::Kind,
    pub span: Span,
}

/// Indices of the variants of the predeclared `exn`, in this order.
pub const BUILTIN_EXCEPTIONS: [&str; 5] = ["Null_Exception", "Array_bounds", "Match_Exception", "Bad_alloc", "Assert"];

/// `exn`, predeclared in every table.
pub const EXN: DatatypeId = DatatypeId(0);

/// All types of a compilation unit. The tables of types only grow, so that types can be made through a shared reference.
#[derive(Clone)]
pub struct Types {
    kinds: FrozenVec<Box<TyKind>>,
    handles: RefCell<FxHashMap<TyKind, Ty>>,
    pub(crate) subsets: RefCell<FxHashMap<Ty, crate::subset::Subset>>,
    pub(crate) subset_handles: RefCell<FxHashMap<(Ty, crate::SubsetId), Ty>>,
    args: FrozenVec<Box<[Arg]>>,
    args_handles: RefCell<FxHashMap<Box<[Arg]>, Args>>,
    effects: FrozenVec<Box<[Region]>>,
    effect_handles: RefCell<FxHashMap<Box<[Region]>, EffectId>>,
    size_ops: FrozenVec<Box<SizeOp>>,
    size_op_handles: RefCell<FxHashMap<SizeOp, SizeOpId>>,
    pub(crate) aggr_defs: Vec<Aggr>,
    pub(crate) aggr_instances: FrozenVec<Box<AggrInstance>>,
    pub(crate) aggr_handles: RefCell<FxHashMap<(u32, Args), AggrId>>,
    pub(crate) datatype_defs: Vec<Datatype>,
    pub(crate) datatype_instances: FrozenVec<Box<DatatypeInstance>>,
    pub(crate) datatype_handles: RefCell<FxHashMap<(u32, Args), DatatypeId>>,
    pub enums: Vec<Enum>,
    pub abstracts: Vec<Abstract>,
    /// Words of a fat pointer: 2 or 3, for the whole program alike.
    pub fat_words: u8,
    /// Layouts of complete aggregates, as they are asked for.
    pub(crate) layouts: RefCell<FxHashMap<AggrId, Rc<AggrLayout>>>,
}

macro_rules! common_types {
    ($($name:ident = $index:literal, $kind:expr;)*) => {
        /// Types that every unit has, at fixed handles.
        impl Ty {
            $(pub const $name: Ty = Ty($index);)*
        }
        const COMMON: &[(Ty, TyKind)] = &[$((Ty::$name, $kind)),*];
    };
}

common_types! {
    ERROR = 0, TyKind::Error;
    VOID = 1, TyKind::Void;
    BOOL = 2, TyKind::Bool;
    CHAR = 3, TyKind::Int(IntTy::Char);
    SCHAR = 4, TyKind::Int(IntTy::SChar);
    UCHAR = 5, TyKind::Int(IntTy::UChar);
    SHORT = 6, TyKind::Int(IntTy::Short);
    USHORT = 7, TyKind::Int(IntTy::UShort);
    INT = 8, TyKind::Int(IntTy::Int);
    UINT = 9, TyKind::Int(IntTy::UInt);
    LONG = 10, TyKind::Int(IntTy::Long);
    ULONG = 11, TyKind::Int(IntTy::ULong);
    LONGLONG = 12, TyKind::Int(IntTy::LongLong);
    ULONGLONG = 13, TyKind::Int(IntTy::ULongLong);
    FLOAT = 14, TyKind::Float(FloatTy::Float);
    DOUBLE = 15, TyKind::Float(FloatTy::Double);
    LONGDOUBLE = 16, TyKind::Float(FloatTy::LongDouble);
    VALIST = 17, TyKind::VaList;
    EXN_SUM = 18, TyKind::Datatype(EXN);
    // `void *`: stands for every type of the shape of a machine word.
    WORD = 19, TyKind::Pointer(PtrTy {
        to: QTy { ty: Ty::VOID, is_const: false, is_volatile: false },
        nullable: true,
        bound: Bound::Thin(1),
        zeroterm: false,
        region: Region::Heap,
        aqual: Aqual::Aliasable,
    });
}

impl Default for Types {
    fn default() -> Types {
        let mut types = Types {
            kinds: FrozenVec::new(),
            handles: RefCell::default(),
            subsets: RefCell::default(),
            subset_handles: RefCell::default(),
            args: FrozenVec::new(),
            args_handles: RefCell::default(),
            effects: FrozenVec::new(),
            effect_handles: RefCell::default(),
            size_ops: FrozenVec::new(),
            size_op_handles: RefCell::default(),
            aggr_defs: vec![],
            aggr_instances: FrozenVec::new(),
            aggr_handles: RefCell::default(),
            datatype_defs: vec![],
            datatype_instances: FrozenVec::new(),
            datatype_handles: RefCell::default(),
            enums: vec![],
            abstracts: vec![],
            fat_words: crate::layout::FAT_WORDS,
            layouts: RefCell::default(),
        };
        let none = types.intern_args(vec![]);
        assert_eq!(none, Args::NONE, "no arguments have their declared handle");
        let empty = Region::Set(types.intern_effect(vec![]));
        assert_eq!(empty, Region::NONE, "the empty effect has its declared handle");
        let exn = types.declare_datatype(Datatype {
            name: Symbol::new("exn"),
            params: vec![],
            extensible: true,
            variants: BUILTIN_EXCEPTIONS
                .iter()
                .map(|name| Variant {
                    name: Symbol::new(name),
                    fields: vec![],
                    linkage: VariantLinkage::Extern,
                    namespace: Symbol::new(""),
                    span: Span::NONE,
                })
                .collect(),
            defined: true,
            span: Span::NONE,
        });
        assert_eq!(exn, EXN, "`exn` has its declared handle");
        for (handle, kind) in COMMON {
            let made = types.intern(kind.clone());
            assert_eq!(made, *handle, "common types keep their declared handles");
        }
        types
    }
}

impl std::fmt::Debug for Types {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Types({} types, {} aggregates)", self.kinds.len(), self.aggr_defs.len())
    }
}

impl Types {
    pub fn intern(&self, kind: TyKind) -> Ty {
        if let Some(&known) = self.handles.borrow().get(&kind) {
            return known;
        }
        let ty = self.push_kind(kind.clone());
        self.handles.borrow_mut().insert(kind, ty);
        ty
    }

    /// A new handle of the kind.
    pub(crate) fn push_kind(&self, kind: TyKind) -> Ty {
        self.kinds.push(Box::new(kind));
        Ty(self.kinds.len() as u32 - 1)
    }

    pub fn intern_args(&self, args: Vec<Arg>) -> Args {
        let args = args.into_boxed_slice();
        if let Some(&known) = self.args_handles.borrow().get(&args) {
            return known;
        }
        let handle = Args(self.args.len() as u32);
        self.args.push(args.clone());
        self.args_handles.borrow_mut().insert(args, handle);
        handle
    }

    pub fn args(&self, args: Args) -> &[Arg] {
        &self.args[args.0 as usize]
    }

    /// A set of atoms, sorted and without duplicates.
    pub(crate) fn intern_effect(&self, atoms: Vec<Region>) -> EffectId {
        let atoms = atoms.into_boxed_slice();
        if let Some(&known) = self.effect_handles.borrow().get(&atoms) {
            return known;
        }
        let handle = EffectId(self.effects.len() as u32);
        self.effects.push(atoms.clone());
        self.effect_handles.borrow_mut().insert(atoms, handle);
        handle
    }

    pub(crate) fn effect_atoms(&self, id: EffectId) -> &[Region] {
        &self.effects[id.0 as usize]
    }

    /// A sum, difference or product; a constant where both operands are and the result is a size.
    pub fn size_op(&self, op: SizeOp) -> Size {
        let constant = match op {
            SizeOp::Add(Size::Const(a), Size::Const(b)) => a.checked_add(b),
            SizeOp::Sub(Size::Const(a), Size::Const(b)) => a.checked_sub(b),
            SizeOp::Mul(Size::Const(a), Size::Const(b)) => a.checked_mul(b),
            SizeOp::Add(a, b) | SizeOp::Sub(a, b) | SizeOp::Mul(a, b) if [a, b].contains(&Size::Error) => {
                return Size::Error;
            }
            _ => {
                if let Some(&known) = self.size_op_handles.borrow().get(&op) {
                    return Size::Op(known);
                }
                let id = SizeOpId(self.size_ops.len() as u32);
                self.size_ops.push(Box::new(op));
                self.size_op_handles.borrow_mut().insert(op, id);
                return Size::Op(id);
            }
        };
        constant.map_or(Size::Error, Size::Const)
    }

    pub fn size_op_of(&self, id: SizeOpId) -> SizeOp {
        self.size_ops[id.0 as usize]
    }

    pub fn kind(&self, ty: Ty) -> &TyKind {
        &self.kinds[ty.0 as usize]
    }

    pub fn pointer(&self, ptr: PtrTy) -> Ty {
        self.intern(TyKind::Pointer(ptr))
    }

    pub fn int(&self, int: IntTy) -> Ty {
        self.intern(TyKind::Int(int))
    }

    pub fn as_pointer(&self, ty: Ty) -> Option<PtrTy> {
        match self.kind(ty) {
            TyKind::Pointer(ptr) => Some(*ptr),
            _ => None,
        }
    }

    pub fn as_function(&self, ty: Ty) -> Option<&Rc<FnTy>> {
        match self.kind(ty) {
            TyKind::Function(function) => Some(function),
            _ => None,
        }
    }

    /// The constants of an enumeration with their values: none while it is only declared.
    pub fn enumerators(&self, id: EnumId) -> &[(Symbol, i64)] {
        self.enumeration(id).items.as_deref().unwrap_or_default()
    }

    pub fn enumeration(&self, id: EnumId) -> &Enum {
        &self.enums[id.0 as usize]
    }

    pub fn abstract_type(&self, id: AbstractId) -> &Abstract {
        &self.abstracts[id.0 as usize]
    }
}
