//! Types and the tables of named types. Types are interned: equal types are equal handles, except
//! that aggregates, enumerations and datatypes are compared by name, that is by their identity here.

use crate::layout::AggrLayout;
use crate::region::Region;
use cyc_base::{Span, Symbol};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;

/// An interned type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Ty(pub u32);

/// A struct or union, by identity.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct AggrId(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct EnumId(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct DatatypeId(pub u32);

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
    /// Carries its bounds.
    Fat,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct PtrTy {
    pub to: QTy,
    pub nullable: bool,
    pub bound: Bound,
    pub zeroterm: bool,
    pub region: Region,
}

#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Varargs {
    None,
    /// `...`: C's, unchecked unless a format says more.
    C,
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
    /// Kind, 1-based index of the format, 1-based index of the first argument (0: not checked here).
    pub format: Option<(FormatKind, u32, u32)>,
    /// 1-based parameters that the function initialises.
    pub initializes: Vec<u32>,
}

/// `ret (params…)`. Binds `regions` region variables, which occur as [`Region::Bound`].
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FnTy {
    /// Names of the bound regions, for messages: `` `r ``, or the parameter's name for invented ones.
    pub regions: Vec<Symbol>,
    pub ret: Ty,
    /// Top-level qualifiers of parameters are kept for the body; they do not count for equality of use.
    pub params: Vec<QTy>,
    pub varargs: Varargs,
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
    Tuple(Rc<[QTy]>),
    Aggr(AggrId),
    /// The whole sum, of unknown size: only behind a pointer.
    Datatype(DatatypeId),
    /// One variant of a datatype, a value.
    Variant(DatatypeId, u32),
    Function(Rc<FnTy>),
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
    pub span: Span,
}

/// A struct or union. `fields: None` while it is incomplete or abstract.
#[derive(Clone, Debug)]
pub struct Aggr {
    /// The tag; anonymous ones get a name of the form `_anonN` from the checker.
    pub name: Symbol,
    pub anonymous: bool,
    pub is_union: bool,
    pub fields: Option<Vec<Field>>,
    pub packed: bool,
    /// `aligned(n)` on the type, in bytes.
    pub align: Option<u32>,
    /// Declared by C text that is passed through: the emitter must not define it again.
    pub from_c_text: bool,
    /// The typedef by which C text names an anonymous one: its only name in C.
    pub c_typedef: Option<Symbol>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Enum {
    pub name: Symbol,
    pub anonymous: bool,
    pub items: Vec<(Symbol, i64)>,
    /// Does some value need `unsigned`? (C's compatible type is then `unsigned int`, as gcc chooses.)
    pub underlying: IntTy,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Datatype {
    pub name: Symbol,
    pub extensible: bool,
    pub variants: Vec<Variant>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Variant {
    pub name: Symbol,
    pub fields: Vec<QTy>,
    pub span: Span,
}

/// Indices of the variants of the predeclared `exn`, in this order.
pub const BUILTIN_EXCEPTIONS: [&str; 5] = ["Null_Exception", "Array_bounds", "Match_Exception", "Bad_alloc", "Assert"];

/// `exn`, predeclared in every table.
pub const EXN: DatatypeId = DatatypeId(0);

/// All types of a compilation unit.
#[derive(Clone, Debug)]
pub struct Types {
    kinds: Vec<TyKind>,
    handles: FxHashMap<TyKind, Ty>,
    pub aggrs: Vec<Aggr>,
    pub enums: Vec<Enum>,
    pub datatypes: Vec<Datatype>,
    /// Layouts of complete aggregates, as they are asked for.
    /// Words of a fat pointer: 2 or 3, for the whole program alike.
    pub fat_words: u8,
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
}

impl Default for Types {
    fn default() -> Types {
        let mut types = Types {
            kinds: vec![],
            handles: FxHashMap::default(),
            aggrs: vec![],
            enums: vec![],
            fat_words: crate::layout::FAT_WORDS,
            layouts: RefCell::default(),
            datatypes: vec![Datatype {
                name: Symbol::new("exn"),
                extensible: true,
                variants: BUILTIN_EXCEPTIONS
                    .iter()
                    .map(|name| Variant { name: Symbol::new(name), fields: vec![], span: Span::NONE })
                    .collect(),
                span: Span::NONE,
            }],
        };
        for (handle, kind) in COMMON {
            let made = types.intern(kind.clone());
            assert_eq!(made, *handle, "common types keep their declared handles");
        }
        types
    }
}

impl Types {
    pub fn intern(&mut self, kind: TyKind) -> Ty {
        if let Some(&known) = self.handles.get(&kind) {
            return known;
        }
        let ty = Ty(self.kinds.len() as u32);
        self.kinds.push(kind.clone());
        self.handles.insert(kind, ty);
        ty
    }

    pub fn kind(&self, ty: Ty) -> &TyKind {
        &self.kinds[ty.0 as usize]
    }

    pub fn pointer(&mut self, ptr: PtrTy) -> Ty {
        self.intern(TyKind::Pointer(ptr))
    }

    pub fn int(&mut self, int: IntTy) -> Ty {
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

    pub fn aggr(&self, id: AggrId) -> &Aggr {
        &self.aggrs[id.0 as usize]
    }

    pub fn enumeration(&self, id: EnumId) -> &Enum {
        &self.enums[id.0 as usize]
    }

    pub fn datatype(&self, id: DatatypeId) -> &Datatype {
        &self.datatypes[id.0 as usize]
    }
}
