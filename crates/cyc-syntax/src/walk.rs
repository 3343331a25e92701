//! Walks over the syntax tree.

use crate::ast::{Pattern, PatternKind};

impl Pattern {
    /// The patterns directly within it.
    pub fn parts(&self) -> Box<dyn Iterator<Item = &Pattern> + '_> {
        match &self.kind {
            PatternKind::As(_, inner) | PatternKind::Pointer(inner) => Box::new(std::iter::once(&**inner)),
            PatternKind::Ref(_, inner) => Box::new(inner.as_deref().into_iter()),
            PatternKind::Tuple(fields) | PatternKind::Struct { fields, .. } => {
                Box::new(fields.items.iter().map(|(_, part)| part))
            }
            PatternKind::Call(_, parts, _) => Box::new(parts.iter()),
            PatternKind::Wild
            | PatternKind::Const(_)
            | PatternKind::Null
            | PatternKind::Name(_)
            | PatternKind::Tag(..)
            | PatternKind::Alias { .. }
            | PatternKind::Error => Box::new(std::iter::empty()),
        }
    }
}
