//! Kinds, types, regions, layout and unification: the type language, no expressions.
