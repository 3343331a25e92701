//! Flow-sensitive reasoning over MIR: definite initialisation, definite return, null facts, and the
//! elimination of checks that the facts prove needless.

mod bounds;
mod dataflow;
mod errors;
mod init;
mod null;
mod place;
mod report;

use cyc_base::Diagnostics;
use cyc_check::tast::TypedUnit;
use cyc_mir::mir::Body;

pub use report::{FunctionChecks, checks};

/// Reports what can go wrong on some path: uninitialised values, missing returns, checks that always
/// fail. Removes the `Uninit` instructions of variables that are always written before they are read.
pub fn analyse(unit: &TypedUnit, body: &mut Body) -> Diagnostics {
    let mut diagnostics = init::analyse(unit, body);
    diagnostics.extend(null::definite_failures(unit, body));
    diagnostics.extend(bounds::prove(unit, body));
    diagnostics
}

/// Replaces checks that always succeed by [`cyc_mir::mir::StmtKind::Removed`]. Warns of null checks that
/// remain although nobody wrote them.
pub fn eliminate(unit: &TypedUnit, body: &mut Body) -> Diagnostics {
    let warnings = null::eliminate(unit, body);
    bounds::eliminate(unit, body);
    warnings
}
