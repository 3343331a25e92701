//! Errors of regions: E038x.

use crate::cx::Checker;
use crate::region::{Failure, RegionCx};
use cyc_base::Diagnostic;

/// A pointer flows to where it may outlive what it points to.
pub fn escape(cx: &Checker, regions: &RegionCx, failure: &Failure) -> Diagnostic {
    let _ = (cx, regions);
    let last = failure.path[failure.path.len() - 1];
    Diagnostic::error("E0380", last.span, "the pointer outlives what it points to".to_string())
}
