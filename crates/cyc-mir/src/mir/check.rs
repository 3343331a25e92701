//! The checks that a program makes while it runs, and why.

use super::Operand;

/// A run-time check; when it fails, the exception named by its kind is raised at the statement's span.
#[derive(Clone, Debug)]
pub struct Check {
    pub kind: CheckKind,
    pub why: CheckReason,
}

#[derive(Clone, Debug)]
pub enum CheckKind {
    /// Thin or fat pointer is not null → `Null_Exception`.
    NonNull(Operand),
    /// `index` (as unsigned 64 bits after sign extension) `< len` → `Array_bounds`.
    Index { index: Operand, len: u64 },
    /// Fat pointer: elements `index .. index + count` are in bounds → `Array_bounds` (null included, except that a
    /// coercion of null, [`CheckReason::Coercion`], raises `Null_Exception`).
    FatBounds { ptr: Operand, index: Operand, count: u64 },
    /// Fat to thin conversion: null passes, else as `FatBounds` at index 0 → `Array_bounds`.
    FatOrNull { ptr: Operand, count: u64 },
    /// Fat to thin conversion where the start of the object must not be lost: the pointer has not been moved along →
    /// `Array_bounds`.
    AtBase(Operand),
    /// Thin zero-terminated `p[i]`: no zero before element `i`, `i` not negative → `Array_bounds`.
    ZeroScan { ptr: Operand, index: Operand },
    /// Thin zero-terminated step forward: `*p` is not zero → `Array_bounds`.
    ZeroStep { ptr: Operand },
    /// Write of `value` to element `index` of a zero-terminated sequence: if that element is the final zero, the value
    /// must be zero → `Array_bounds`. Thin: the element now zero is the final one. Fat: the last element is.
    ZeroWrite { ptr: Operand, index: Operand, value: Operand },
    /// Write of `value` to element `index` of a zero-terminated array of `len` elements: the last one may
    /// only become zero → `Array_bounds`.
    ZeroLast { index: Operand, len: u64, value: Operand },
    /// → `Assert`
    Assert(Operand),
    /// The operand tells whether the tagged union's tag is that of the member → `Match_Exception`
    Member(Operand),
    /// Never true: → `Match_Exception`
    Match,
}

/// Why a check stands where it stands, for messages and `--emit=mir`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CheckReason {
    Deref,
    Subscript,
    CallThroughPointer,
    Coercion,
    ZeroTermination,
    Assertion,
    /// `@assert`: the flow analysis must prove it, or reject the program.
    Proof,
    /// `@assert_false`: the flow analysis must prove that the condition is false.
    Disproof,
    /// What a function requires, where it is called.
    Precondition,
    /// Holds already: known to the flow analysis, never made.
    Assumed,
    /// Was removed, and stands here again as an assertion about the compiler: raises nothing, ends the program.
    Removed,
    /// A member of a tagged union is reached.
    TaggedMember,
    NoMatch,
}

/// The record of a check that was removed: what is known where it stood. The verifier looks at it again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fact {
    /// The pointer is not null.
    NonNull,
    /// The condition is true.
    Holds,
    /// `@assert` and its like: what is wanted of the condition has been shown.
    Proved,
    /// The condition is false, which has been reported.
    NeverTrue,
    /// The elements lie within the object; the element written is not the last one.
    InBounds,
    /// No zero comes before the element.
    BeforeZero,
    /// A test before the loop has shown it for this copy of the loop.
    BeforeLoop,
}

impl Fact {
    pub fn text(self) -> &'static str {
        match self {
            Fact::NonNull => "known not to be null here",
            Fact::Holds => "it holds here",
            Fact::Proved => "proved",
            Fact::NeverTrue => "never true",
            Fact::InBounds => "in bounds here",
            Fact::BeforeZero => "no zero before it",
            Fact::BeforeLoop => "tested before the loop",
        }
    }
}

impl CheckReason {
    /// What the flow analysis is asked to show of the condition.
    pub fn wanted(self) -> Option<bool> {
        match self {
            CheckReason::Proof | CheckReason::Precondition => Some(true),
            CheckReason::Disproof => Some(false),
            _ => None,
        }
    }
}

impl CheckKind {
    pub fn for_each_operand<'m>(&'m self, f: &mut impl FnMut(&'m Operand)) {
        match self {
            CheckKind::NonNull(a)
            | CheckKind::AtBase(a)
            | CheckKind::Assert(a)
            | CheckKind::Member(a)
            | CheckKind::ZeroStep { ptr: a } => f(a),
            CheckKind::Index { index, .. } => f(index),
            CheckKind::FatOrNull { ptr, .. } => f(ptr),
            CheckKind::FatBounds { ptr, index, .. } | CheckKind::ZeroScan { ptr, index } => {
                f(ptr);
                f(index);
            }
            CheckKind::ZeroWrite { ptr, index, value } => {
                f(ptr);
                f(index);
                f(value);
            }
            CheckKind::ZeroLast { index, value, .. } => {
                f(index);
                f(value);
            }
            CheckKind::Match => {}
        }
    }
}
