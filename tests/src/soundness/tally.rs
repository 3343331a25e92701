//! What became of programs and mutants.

use std::collections::BTreeMap;
use std::fmt;

/// Of one kind of mutant.
#[derive(Clone, Copy, Default, Debug)]
pub struct Kind {
    pub rejected: u64,
    /// Accepted, and ran clean.
    pub accepted: u64,
    /// The program had no place for a change of this kind.
    pub impossible: u64,
}

#[derive(Clone, Default, Debug)]
pub struct Tally {
    pub programs: u64,
    /// Accepted mutants that were ended because they ran too long; until then they were clean.
    pub endless: u64,
    pub kinds: BTreeMap<&'static str, Kind>,
}

impl Tally {
    pub fn add(&mut self, other: &Tally) {
        self.programs += other.programs;
        self.endless += other.endless;
        for (name, kind) in &other.kinds {
            let sum = self.kinds.entry(name).or_default();
            sum.rejected += kind.rejected;
            sum.accepted += kind.accepted;
            sum.impossible += kind.impossible;
        }
    }

    fn sum(&self, figure: fn(&Kind) -> u64) -> u64 {
        self.kinds.values().map(figure).sum()
    }

    pub fn rejected(&self) -> u64 {
        self.sum(|kind| kind.rejected)
    }

    pub fn accepted(&self) -> u64 {
        self.sum(|kind| kind.accepted)
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(f, "{:56} {:>8} {:>8} {:>8}", "rule, and how a mutant breaks it", "tried", "rejected", "accepted")?;
        for (name, kind) in &self.kinds {
            let tried = kind.rejected + kind.accepted;
            writeln!(f, "{name:56} {tried:>8} {:>8} {:>8}", kind.rejected, kind.accepted)?;
        }
        let (programs, rejected, accepted) = (self.programs, self.rejected(), self.accepted());
        writeln!(f, "{programs} well-typed programs, {rejected} mutants rejected, {accepted} accepted and clean")?;
        write!(f, "{} of these ran too long and were ended", self.endless)
    }
}
