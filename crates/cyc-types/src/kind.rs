//! Kinds, and the arguments and parameters that types are abstracted over (core, section 3.2; memory, section 3).

use crate::region::Region;
use crate::ty::Ty;
use cyc_base::Symbol;

/// How a type-level thing may be used.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// Boxed: values of one machine word or of the size of `int`.
    B,
    /// Types of known size.
    M,
    /// Any type, also abstract ones: only behind a pointer, or as the last field.
    A,
    /// Regions and sets of them.
    E,
    /// Integers known to types.
    I,
    /// Alias qualifiers.
    Q,
}

impl Kind {
    /// Sub-kinding: may something of this kind stand where `wanted` is asked for? B ≤ M ≤ A, nothing else.
    pub fn fits(self, wanted: Kind) -> bool {
        self == wanted || (self.is_type() && wanted.is_type() && self <= wanted)
    }

    /// Is it a kind of types, as opposed to effects, integers and qualifiers?
    pub fn is_type(self) -> bool {
        matches!(self, Kind::B | Kind::M | Kind::A)
    }

    pub fn name(self) -> &'static str {
        match self {
            Kind::B => "B",
            Kind::M => "M",
            Kind::A => "A",
            Kind::E => "E",
            Kind::I => "I",
            Kind::Q => "Q",
        }
    }
}

/// A variable of any kind, by the place that binds it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Var {
    /// The `index`-th variable that a function type binds; `depth` counts function types outwards from the
    /// occurrence (0: the innermost). Occurs only inside function types.
    Bound { depth: u32, index: u32 },
    /// The `index`-th variable of the struct, union, datatype or typedef whose definition it stands in; existential
    /// variables are counted on after the parameters. Occurs only in definitions.
    Own(u32),
    /// A variable that is opaque in the body being checked: the function's own, or one that a pattern unpacked.
    Param(u32),
}

/// A unification variable for an alias qualifier, of the function being checked.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct AqualVid(pub u32);

/// A unification variable for a type-level integer, of the function being checked.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SizeVid(pub u32);

/// An alias qualifier: may there be other pointers to the object, may this one be copied, may it free?
///
/// Order (memory, sections 3.3 and 6.4): each of `ALIASABLE`, `UNIQUE`, `REFCNT` is below `RESTRICTED`, `@autoreleased` below
/// `ALIASABLE`; nothing else.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub enum Aqual {
    #[default]
    Aliasable,
    Unique,
    Refcnt,
    Restricted,
    /// `@autoreleased`: as `ALIASABLE`, and the count of the object belongs to the pool of the pointer's region.
    Autoreleased,
    Var(Var),
    /// `aquals(T)`: the outermost qualifier of a type that is a variable.
    Of(Ty),
    Infer(AqualVid),
    Error,
}

/// A type-level integer (core, section 3.7). Constants are always [`Size::Const`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Size {
    Const(u64),
    Var(Var),
    /// `sizeof(T)` of a type whose layout depends on a variable.
    SizeOf(Ty),
    /// A sum or product of sizes, interned: see [`crate::Types::size_op`].
    Op(SizeOpId),
    Infer(SizeVid),
    Error,
}

/// An interned [`SizeOp`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SizeOpId(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum SizeOp {
    Add(Size, Size),
    Sub(Size, Size),
    Mul(Size, Size),
}

/// What a parameter is instantiated with.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Arg {
    Type(Ty),
    Region(Region),
    Size(Size),
    Aqual(Aqual),
}

/// An interned list of arguments.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Args(pub u32);

impl Args {
    /// No arguments.
    pub const NONE: Args = Args(0);
}

/// A variable that a function type, a definition or an existential type binds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TyParam {
    /// `` `a ``; for a region that no name was written for, the name of its parameter.
    pub name: Symbol,
    pub kind: Kind,
    /// The upper limit of the qualifier itself (kind Q), or of the outermost qualifier of the type (memory, section 3.4).
    pub bound: Aqual,
}

impl TyParam {
    /// A region variable.
    pub fn region(name: Symbol) -> TyParam {
        TyParam { name, kind: Kind::E, bound: Aqual::Aliasable }
    }

    /// The variable itself, as an argument.
    pub fn arg(&self, var: Var, types: &crate::Types) -> Arg {
        match self.kind {
            Kind::A | Kind::B | Kind::M => Arg::Type(types.intern(crate::TyKind::Var(var))),
            Kind::E => Arg::Region(var.into()),
            Kind::I => Arg::Size(Size::Var(var)),
            Kind::Q => Arg::Aqual(Aqual::Var(var)),
        }
    }
}

/// What a declaration demands of its variables (memory, section 2.5).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Constraint {
    /// `e <= s`: every region of the first outlives the second.
    Outlives(Region, Region),
    /// `e | s`: no region in common.
    Disjoint(Region, Region),
    /// `single(r)`: exactly one region.
    Single(Region),
    /// `b >= q`: the qualifier is at most the bound.
    Bound { bound: Aqual, of: Aqual },
}
