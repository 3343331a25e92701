//! `@subset(T x | e)`: a type of its own whose kind is that of `T` (core, section 3.18). Values are `T`s as soon as they
//! are read; what becomes one is checked where it is converted, and only there does the difference count.

use crate::ty::*;
use std::rc::Rc;

/// A condition that the checker knows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SubsetId(pub u32);

/// What is known of a subset type.
#[derive(Clone, Debug)]
pub(crate) struct Subset {
    base: Ty,
    id: SubsetId,
    /// How it is shown.
    text: Rc<str>,
}

impl Types {
    /// The type of those values of `base` for which the condition holds; `text` is how it is shown.
    pub fn subset(&self, base: Ty, id: SubsetId, text: &str) -> Ty {
        if let Some(&known) = self.subset_handles.borrow().get(&(base, id)) {
            return known;
        }
        let ty = self.push_kind(self.kind(base).clone());
        self.subset_handles.borrow_mut().insert((base, id), ty);
        self.subsets.borrow_mut().insert(ty, Subset { base, id, text: text.into() });
        ty
    }

    /// What the type is a subset of, and by which condition.
    pub fn subset_of(&self, ty: Ty) -> Option<(Ty, SubsetId)> {
        let subsets = self.subsets.borrow();
        if subsets.is_empty() {
            return None;
        }
        subsets.get(&ty).map(|subset| (subset.base, subset.id))
    }

    /// The type that values have when they are read.
    pub fn without_subset(&self, mut ty: Ty) -> Ty {
        while let Some((base, _)) = self.subset_of(ty) {
            ty = base;
        }
        ty
    }

    pub(crate) fn subset_text(&self, ty: Ty) -> Option<String> {
        let subsets = self.subsets.borrow();
        if subsets.is_empty() {
            return None;
        }
        subsets.get(&ty).map(|subset| subset.text.to_string())
    }

    /// The same condition on another type.
    pub(crate) fn subset_again(&self, ty: Ty, base: Ty) -> Ty {
        let subset = self.subsets.borrow().get(&ty).cloned();
        subset.map_or(base, |subset| self.subset(base, subset.id, &subset.text))
    }
}
