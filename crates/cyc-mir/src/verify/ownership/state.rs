//! What is known of ownership at a point.

use super::super::{At, Cx};
use super::append;
use crate::mir::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Why a value is not in its place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum How {
    Lent(LoanId),
    /// The key is open, since a point with that handler.
    Open(Option<HandlerId>),
    Moved,
}

impl fmt::Display for How {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            How::Lent(loan) => write!(f, "is lent by l{}", loan.0),
            How::Open(_) => write!(f, "is open"),
            How::Moved => write!(f, "was moved away"),
        }
    }
}

#[derive(Clone, PartialEq, Debug)]
pub(super) struct Gone {
    pub place: Place,
    pub how: How,
}

impl Gone {
    /// Is it on the way to the place, or the place?
    pub fn covers(&self, place: &Place) -> bool {
        self.place.base == place.base && place.proj.starts_with(&self.place.proj)
    }

    /// Is it the place, or below it?
    pub fn is_in(&self, place: &Place) -> bool {
        self.place.base == place.base && self.place.proj.starts_with(&place.proj)
    }

    pub fn lies_in(&self, place: &Place) -> bool {
        self.is_in(place)
    }

    pub fn base(&self) -> Option<Local> {
        match self.place.base {
            Base::Local(local) => Some(local),
            Base::Global(_) => None,
        }
    }
}

#[derive(Clone, Default, PartialEq)]
pub(super) struct Own {
    /// What is not there, by the places that were written in the program: `(*view).f` stands for that of the viewed.
    pub gone: Vec<Gone>,
    /// The temporaries that hold copies, and of what.
    pub views: BTreeMap<Local, Vec<Place>>,
    /// Views of what was moved away.
    pub stale: BTreeSet<Local>,
    /// The temporaries that hold addresses.
    pub addresses: BTreeMap<Local, Place>,
    /// Loans whose values were taken by variables of patterns, which still have them.
    pub kept: BTreeMap<LoanId, Local>,
    /// The handler where a loan was begun.
    pub begun: BTreeMap<LoanId, Option<HandlerId>>,
    /// The variables and temporaries that may hold what came of a loan that has ended.
    pub ended: BTreeMap<Local, LoanId>,
}

impl Own {
    /// The place by what was viewed, or whose address was taken, instead of the temporary that holds that.
    pub fn origin(&self, place: &Place) -> Place {
        let mut place = place.clone();
        // A chain of temporaries: each is made of earlier ones; no way is longer than that.
        for _ in 0..self.views.len() + self.addresses.len() {
            let Base::Local(local) = place.base else { break };
            if let Some([of]) = self.views.get(&local).map(Vec::as_slice) {
                place = append(of, &place.proj);
            } else if let (Some(of), Some((Proj::Deref(None), rest))) =
                (self.addresses.get(&local), place.proj.split_first())
            {
                place = append(of, rest);
            } else {
                break;
            }
        }
        place
    }

    /// What is gone below the place, by the steps from it.
    pub fn below(&self, place: &Place) -> Vec<(Vec<Proj>, How)> {
        self.at_or_below(place).into_iter().filter(|(proj, _)| !proj.is_empty()).collect()
    }

    pub fn at_or_below(&self, place: &Place) -> Vec<(Vec<Proj>, How)> {
        let below = self.gone.iter().filter(|gone| gone.is_in(place));
        below.map(|gone| (gone.place.proj[place.proj.len()..].to_vec(), gone.how)).collect()
    }

    /// The local begins anew.
    pub fn new_local(&mut self, local: Local) {
        self.views.remove(&local);
        self.stale.remove(&local);
        self.addresses.remove(&local);
        self.ended.remove(&local);
        let mentions = |place: &Place| super::super::mentions(place, local);
        // What was viewed by way of the local cannot be named any longer: it stays a view of what nobody moves.
        self.addresses.retain(|_, of| !mentions(of));
        self.gone.retain(|gone| !indices_mention(&gone.place, local));
    }

    /// The value of the place was moved away: who looks at it, or at what it leads to, must not any more.
    pub fn views_of(&mut self, place: &Place) {
        let meets = |of: &Place| {
            of.base == place.base && (of.proj.starts_with(&place.proj) || place.proj.starts_with(&of.proj))
        };
        let stale = self.views.iter().filter(|(_, of)| of.iter().any(meets)).map(|(temp, _)| *temp);
        self.stale.extend(stale);
    }

    /// A variable of a pattern, or the place that it took its value from, gets another value.
    pub fn overwritten(&mut self, place: &Place) {
        let Base::Local(local) = place.base else { return };
        let lost: Vec<LoanId> = self
            .kept
            .iter()
            .filter(|(_, of)| **of == local && !place.through_pointer())
            .map(|(loan, _)| *loan)
            .collect();
        for loan in lost {
            self.kept.remove(&loan);
        }
    }

    pub fn begin(&mut self, cx: &Cx, at: At, loan: LoanId) {
        self.begun.insert(loan, cx.body.blocks[at.block.0 as usize].handler);
        if let LoanKind::Pattern(local) = cx.body.loans[loan.0 as usize].kind {
            self.kept.insert(loan, local);
        }
    }

    /// An exception leads to the handler: what an `alias` or `open` inside of its `try` borrowed is back, and so is what is
    /// borrowed while it is used. (Whether the handler uses it is not asked here.)
    pub fn thrown(&mut self, cx: &Cx, to: HandlerId) {
        let inside = |mut at: Option<HandlerId>| loop {
            match at {
                Some(handler) if handler == to => break true,
                Some(handler) => at = cx.body.handlers[handler.0 as usize].outer,
                None => break false,
            }
        };
        let begun = self.begun.clone();
        self.gone.retain(|gone| match gone.how {
            How::Moved => true,
            How::Open(handler) => !inside(handler),
            How::Lent(loan) => match cx.body.loans[loan.0 as usize].kind {
                LoanKind::AliasArgument | LoanKind::Alias(_) => !inside(begun.get(&loan).copied().flatten()),
                LoanKind::Borrowed(_) => false,
                LoanKind::Argument | LoanKind::Pattern(_) => true,
            },
        });
    }

    /// Where ways meet, what is gone on one of them is gone, and what is a view on one of them is one.
    pub fn join(&mut self, from: &Own) {
        for gone in &from.gone {
            match self.gone.iter_mut().find(|known| known.place == gone.place) {
                Some(known) => known.how = known.how.max(gone.how),
                None => self.gone.push(gone.clone()),
            }
        }
        for (temp, of) in &from.views {
            let known = self.views.entry(*temp).or_default();
            of.iter().for_each(|of| {
                if !known.contains(of) {
                    known.push(of.clone());
                }
            });
        }
        self.stale.extend(&from.stale);
        self.addresses.retain(|temp, of| from.addresses.get(temp) == Some(of));
        self.kept.retain(|loan, _| from.kept.contains_key(loan) || !from.begun.contains_key(loan));
        for (loan, local) in &from.kept {
            if !self.begun.contains_key(loan) {
                self.kept.insert(*loan, *local);
            }
        }
        self.begun.extend(&from.begun);
        self.ended.extend(&from.ended);
    }
}

fn indices_mention(place: &Place, local: Local) -> bool {
    super::indices(place).any(|index| match index {
        Operand::Copy(index) => super::super::mentions(index, local),
        Operand::Const(_) => false,
    })
}
