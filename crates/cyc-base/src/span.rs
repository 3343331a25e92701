//! A stretch of one translation unit's preprocessed text.

/// Byte offsets `lo..hi` into the preprocessed text of the unit being compiled.
///
/// Invariant: `lo <= hi`, both at most the text's length, both on character boundaries. What the
/// user wrote, in which file and at which column, is the [`SourceMap`](crate::SourceMap)'s business.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Span {
    pub lo: u32,
    pub hi: u32,
}

impl Span {
    pub const fn new(lo: u32, hi: u32) -> Span {
        Span { lo, hi }
    }

    /// The empty span at the start of the text: for things the compiler made itself.
    pub const NONE: Span = Span { lo: 0, hi: 0 };

    /// The smallest span that covers both.
    pub fn to(self, other: Span) -> Span {
        Span { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }

    /// The empty span just after this one: where something is missing.
    pub fn end(self) -> Span {
        Span { lo: self.hi, hi: self.hi }
    }
}

impl std::fmt::Debug for Span {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}..{}", self.lo, self.hi)
    }
}
