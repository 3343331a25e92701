//! The type language: types, regions and their tables. It knows no expressions.

pub mod aqual;
mod effect;
pub mod equivalent;
pub mod fold;
pub mod instance;
pub mod kind;
pub mod layout;
pub mod print;
pub mod properties;
pub mod region;
pub mod sendable;
pub mod shape;
pub mod signature;
pub mod subset;
pub mod substitute;
pub mod trace;
pub mod ty;
pub mod visit;

pub use fold::Fold;
pub use kind::{Aqual, AqualVid, Arg, Args, Constraint, Kind, Size, SizeOp, SizeOpId, SizeVid, TyParam, Var};
pub use layout::{AggrLayout, Layout};
pub use region::{EffectId, Region, RegionVid, ScopeId};
pub use sendable::{Hindrance, Obstacle};
pub use shape::Shape;
pub use signature::{Mention, Signature};
pub use subset::SubsetId;
pub use ty::*;
pub use visit::Part;
