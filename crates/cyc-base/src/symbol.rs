//! Interned names: comparing two is comparing two addresses.

use rustc_hash::FxHashSet;
use std::sync::{LazyLock, Mutex};

/// An interned string. Two symbols are equal exactly when their texts are equal, because the
/// interner below keeps one copy of each text for the life of the process.
#[derive(Clone, Copy)]
pub struct Symbol(&'static str);

static INTERNER: LazyLock<Mutex<FxHashSet<&'static str>>> = LazyLock::new(Default::default);

impl Symbol {
    /// The symbol of `text`. Interning leaks each distinct text once.
    pub fn new(text: &str) -> Symbol {
        let mut table = INTERNER.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(&known) = table.get(text) {
            return Symbol(known);
        }
        let kept: &'static str = Box::leak(text.into());
        table.insert(kept);
        Symbol(kept)
    }

    pub fn as_str(self) -> &'static str {
        self.0
    }
}

impl PartialEq for Symbol {
    fn eq(&self, other: &Symbol) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for Symbol {}

impl std::hash::Hash for Symbol {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (self.0.as_ptr() as usize).hash(state)
    }
}

/// Symbols order by their text, so that sorted output does not depend on interning order.
impl Ord for Symbol {
    fn cmp(&self, other: &Symbol) -> std::cmp::Ordering {
        self.0.cmp(other.0)
    }
}

impl PartialOrd for Symbol {
    fn partial_cmp(&self, other: &Symbol) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl std::fmt::Display for Symbol {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.0)
    }
}

impl std::fmt::Debug for Symbol {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::Symbol;

    #[test]
    fn equal_texts_are_one_symbol_and_empty_is_not_special() {
        assert_eq!(Symbol::new("region"), Symbol::new(&String::from("region")));
        assert_ne!(Symbol::new("region"), Symbol::new("regions"));
        assert_eq!(Symbol::new(""), Symbol::new(""));
    }
}
