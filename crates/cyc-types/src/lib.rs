//! The type language: types, regions and their tables. It knows no expressions.

pub mod region;
pub mod ty;

pub use region::{Region, RegionVid, ScopeId};
pub use ty::*;
