//! Regions: where the target of a pointer lives.

/// The region variable of a block or of a function's outermost scope; unique within one function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ScopeId(pub u32);

/// An inference variable of the function being checked.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct RegionVid(pub u32);

/// Where a pointer's target lives, as written in its type.
///
/// Outlives is the order of the checker: `Heap` outlives everything; a `Param` outlives every
/// `Scope` of the function it is a parameter of, and itself; an outer scope outlives an inner one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Region {
    /// `` `H ``: the heap, globals, statics and literals.
    Heap,
    /// The `index`-th region variable that a function type binds; `depth` counts function types
    /// outwards from the occurrence (0: the innermost). Occurs only inside function types.
    Bound {
        depth: u32,
        index: u32,
    },
    /// A region parameter of the function whose body is being checked.
    Param(u32),
    /// The variables of a block of the function whose body is being checked.
    Scope(ScopeId),
    Infer(RegionVid),
    /// An error was reported: outlives and is outlived by everything.
    Error,
}
