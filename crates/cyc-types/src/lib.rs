//! The type language: types, regions and their tables. It knows no expressions.

pub mod equivalent;
pub mod layout;
pub mod print;
pub mod properties;
pub mod region;
pub mod substitute;
pub mod ty;

pub use layout::{AggrLayout, Layout};
pub use region::{Region, RegionVid, ScopeId};
pub use ty::*;
