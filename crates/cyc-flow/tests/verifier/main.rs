//! The verifier refuses what each of its rules is about, beside the body that keeps it; and mutations of the MIR of the
//! tree's programs.

mod mutations;
mod rules;

use cyc_base::SourceMap;
use cyc_check::tast::TypedUnit;
use cyc_mir::mir::Body;
use cyc_mir::verify::{Failure, Stage, verify};

/// A program's functions after each pass. None if the front end does not accept it.
fn bodies(text: &str) -> Option<(TypedUnit, Vec<(Stage, Body)>)> {
    let source = SourceMap::new("test.cyc", text.into());
    let (unit, found) = cyc_syntax::parse(text, &cyc_syntax::Options::default());
    if found.has_errors() {
        return None;
    }
    let (typed, found) = cyc_check::check(&unit, &source);
    if found.has_errors() {
        return None;
    }
    let mut all = vec![];
    for mut body in cyc_mir::lower(&typed) {
        all.push((Stage::Lowered, body.clone()));
        let mut keep = |stage, body: &Body| all.push((stage, body.clone()));
        if cyc_flow::analyse(&typed, &mut body, &mut keep).has_errors() {
            return None;
        }
        cyc_flow::eliminate(&typed, &mut body, &mut keep);
    }
    Some((typed, all))
}

/// What the verifier says of it.
fn verdict(typed: &TypedUnit, body: &Body, stage: Stage) -> Result<(), Failure> {
    verify(typed, body, stage)
}
