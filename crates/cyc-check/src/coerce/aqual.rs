//! Conversions between alias qualifiers (memory, section 3.3).

use crate::cx::Checker;
use cyc_types::Aqual;

impl Checker<'_> {
    /// May a pointer with the qualifier `from` become one with the qualifier `to`? Everything may become `RESTRICTED`; what
    /// must not be copied may become `ALIASABLE` by a move, which forgets the right to free it. A variable fits what its
    /// bound fits, and itself.
    pub(crate) fn aqual_converts(&mut self, from: Aqual, to: Aqual) -> bool {
        match (from, to) {
            _ if from == to => true,
            (Aqual::Error, _) | (_, Aqual::Error | Aqual::Aliasable) => true,
            (Aqual::Var(_) | Aqual::Of(_), to) if !matches!(to, Aqual::Var(_) | Aqual::Of(_)) => {
                let bound = self.unit.types.aqual_bound(from, &self.func.params);
                self.aqual_converts(bound, to)
            }
            (Aqual::Aliasable | Aqual::Unique | Aqual::Refcnt, Aqual::Restricted) => true,
            _ => false,
        }
    }

    /// Can a pointer with this qualifier be used to give its object back?
    pub(crate) fn frees(&self, aqual: Aqual) -> bool {
        matches!(aqual, Aqual::Unique | Aqual::Refcnt | Aqual::Var(_) | Aqual::Of(_))
    }
}
