//! The ends of loans.

use super::super::Cx;
use super::state::{Gone, How, Own};
use super::{Ownership, append};
use crate::mir::*;
use cyc_types::Region;
use cyc_types::visit::Part;

/// For each borrow of the body, the locals that may hold pointers which come of it: those whose types mention a region of
/// it.
pub(super) struct Holders(Vec<Vec<Local>>);

impl Holders {
    pub fn new(cx: &Cx) -> Holders {
        let mentions = |local: &LocalDecl, regions: &[cyc_types::RegionVid]| {
            cx.unit.types.any_part(
                local.qty.ty,
                &mut |part| matches!(part, Part::Region(Region::Infer(region)) if regions.contains(&region)),
            )
        };
        let of = |regions: &Vec<cyc_types::RegionVid>| {
            let locals = (0..).map(Local).zip(&cx.body.locals);
            locals.filter(|(_, decl)| mentions(decl, regions)).map(|(local, _)| local).collect()
        };
        Holders(cx.body.borrowed.iter().map(of).collect())
    }
}

impl Ownership {
    /// The value is back, unless a variable of a pattern took it and does not have it any more.
    pub(super) fn end_loan(&self, cx: &Cx, state: &mut Own, id: LoanId) {
        let loan = &cx.body.loans[id.0 as usize];
        let ends = |gone: &Gone| gone.how == How::Lent(id);
        match loan.kind {
            LoanKind::Argument | LoanKind::AliasArgument | LoanKind::Alias(_) => state.gone.retain(|gone| !ends(gone)),
            LoanKind::Borrowed(borrow) => {
                state.gone.retain(|gone| !ends(gone));
                if let Some(holders) = self.holders.0.get(borrow.0 as usize) {
                    state.ended.extend(holders.iter().map(|holder| (*holder, id)));
                }
            }
            LoanKind::Pattern(local) => self.end_pattern(state, id, loan, local),
        }
        state.begun.remove(&id);
    }

    /// What the variable has lost, the place has lost; and the variable has nothing any more.
    fn end_pattern(&self, state: &mut Own, id: LoanId, loan: &Loan, local: Local) {
        if !state.gone.iter().any(|gone| gone.how == How::Lent(id)) {
            return;
        }
        let place = state.origin(&loan.place);
        let lost = state.at_or_below(&Place::local(local));
        let whole_lost = state.kept.remove(&id).is_none();
        for gone in state.gone.iter_mut().filter(|gone| gone.how == How::Lent(id)) {
            let below = &gone.place.proj[place.proj.len().min(gone.place.proj.len())..];
            // The part was given away as a whole.
            if whole_lost || lost.iter().any(|(proj, _)| below.starts_with(proj)) {
                gone.how = How::Moved;
            }
        }
        let parts: Vec<Place> =
            state.gone.iter().filter(|gone| gone.how == How::Lent(id)).map(|gone| gone.place.clone()).collect();
        state.gone.retain(|gone| gone.how != How::Lent(id));
        for part in parts {
            let below = &part.proj[place.proj.len().min(part.proj.len())..];
            let within = lost.iter().filter(|(proj, _)| proj.starts_with(below) && proj.len() > below.len());
            let within: Vec<_> = within.map(|(proj, how)| (proj[below.len()..].to_vec(), *how)).collect();
            state.gone.extend(within.into_iter().map(|(proj, how)| Gone { place: append(&part, &proj), how }));
            let of_local = append(&Place::local(local), below);
            state.gone.retain(|gone| !gone.is_in(&of_local));
            state.gone.push(Gone { place: of_local, how: How::Moved });
        }
    }
}
