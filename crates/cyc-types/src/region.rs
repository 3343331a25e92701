//! Regions and effects: where the target of a pointer lives. An effect is a set of regions; a region is an effect of
//! one atom, so that both are one type here, as they are one kind (E) in the language.

use crate::kind::{Args, Var};
use crate::ty::{AbstractId, Ty, Types};

/// The region variable of a block or of a function's outermost scope; unique within one function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ScopeId(pub u32);

/// An inference variable of the function being checked.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct RegionVid(pub u32);

/// An interned set of atoms, neither one atom nor itself containing sets.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct EffectId(pub u32);

/// Where a pointer's target lives, as written in its type; in effects, an atom or a set of atoms.
///
/// Outlives is the order of the checker: `Heap` outlives everything; a `Param` outlives every
/// `Scope` of the function it is a parameter of, and itself; an outer scope outlives an inner one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Region {
    /// `` `H ``: the heap, globals, statics and literals.
    Heap,
    /// `` `C `` in a body without a lexical region of its own: that of whoever called it (memory, section 2.9).
    Current,
    /// `` `C `` in a function type: the innermost lexical region around each call. The innermost function type around binds it,
    /// as [`Region::Bound`] of depth 0; occurs only inside function types.
    Caller,
    /// See [`Var::Bound`].
    Bound {
        depth: u32,
        index: u32,
    },
    /// See [`Var::Own`].
    Own(u32),
    /// A region parameter of the function whose body is being checked, or one that a pattern unpacked.
    Param(u32),
    /// The variables of a block of the function whose body is being checked; also lexical regions and aliases, which
    /// live as long as the block that begins at their declaration.
    Scope(ScopeId),
    Infer(RegionVid),
    /// `next_rgn<…>`: an abstract constructor of kind E, applied (memory, section 8.6).
    App(AbstractId, Args),
    /// `regions(T)` of a type that is a variable. Occurs only in effects.
    Of(Ty),
    /// A set that is not one atom; `EffectId(0)` is the empty one.
    Set(EffectId),
    /// An error was reported: outlives and is outlived by everything.
    Error,
}

impl From<Var> for Region {
    fn from(var: Var) -> Region {
        match var {
            Var::Bound { depth, index } => Region::Bound { depth, index },
            Var::Own(index) => Region::Own(index),
            Var::Param(index) => Region::Param(index),
        }
    }
}

impl Region {
    /// The empty effect.
    pub const NONE: Region = Region::Set(EffectId(0));

    /// The variable, if it is one that some declaration binds.
    pub fn var(self) -> Option<Var> {
        match self {
            Region::Bound { depth, index } => Some(Var::Bound { depth, index }),
            Region::Own(index) => Some(Var::Own(index)),
            Region::Param(index) => Some(Var::Param(index)),
            _ => None,
        }
    }
}

impl Types {
    /// The union of effects: flattened, sorted, without duplicates; a single atom is itself.
    pub fn effect(&self, parts: impl IntoIterator<Item = Region>) -> Region {
        let mut atoms: Vec<Region> = vec![];
        for part in parts {
            atoms.extend(self.atoms(part));
        }
        atoms.sort();
        atoms.dedup();
        match atoms[..] {
            [atom] => atom,
            _ => Region::Set(self.intern_effect(atoms)),
        }
    }

    /// The atoms of an effect; of a region, itself.
    pub fn atoms(&self, effect: Region) -> Vec<Region> {
        match effect {
            Region::Set(id) => self.effect_atoms(id).to_vec(),
            atom => vec![atom],
        }
    }
}
