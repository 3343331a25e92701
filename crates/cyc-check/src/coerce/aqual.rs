//! Conversions between alias qualifiers (memory, section 3.3).

use crate::cx::Checker;
use crate::errors;
use crate::region::{Flow, RegionReason};
use cyc_base::Span;
use cyc_types::{Aqual, Arg, TyKind, TyParam};

/// A variable with an alias bound, and what it was instantiated with.
#[derive(Clone, Copy, Debug)]
pub struct Instantiated {
    pub param: TyParam,
    pub arg: Arg,
    pub span: Span,
    /// The parameter is one of a datatype.
    pub datatype: bool,
}

impl Checker<'_> {
    /// May a pointer with the qualifier `from` become one with the qualifier `to`? Everything may become `RESTRICTED`; what
    /// must not be copied may become `ALIASABLE` by a move, which forgets the right to free it. A variable fits what its
    /// bound fits, and itself. Only a pool makes pointers autoreleased.
    pub(crate) fn aqual_converts(&mut self, from: Aqual, to: Aqual) -> bool {
        let (from, to) = (self.resolve_aqual_value(from), self.resolve_aqual_value(to));
        match (from, to) {
            _ if from == to => true,
            // Not known yet: the first use fixes it.
            (Aqual::Infer(_), _) | (_, Aqual::Infer(_)) => {
                self.equate_aquals(from, to, RegionReason::new(Span::NONE, Flow::Within))
            }
            (Aqual::Error, _) | (_, Aqual::Error | Aqual::Aliasable) => true,
            (Aqual::Var(_) | Aqual::Of(_), to) if !matches!(to, Aqual::Var(_) | Aqual::Of(_)) => {
                let bound = self.unit.types.aqual_bound(from, &self.func.params);
                self.aqual_converts(bound, to)
            }
            (Aqual::Aliasable | Aqual::Unique | Aqual::Refcnt | Aqual::Autoreleased, Aqual::Restricted) => true,
            _ => false,
        }
    }

    /// Can a pointer with this qualifier be used to give its object back?
    pub(crate) fn frees(&self, aqual: Aqual) -> bool {
        matches!(self.resolve_aqual_value(aqual), Aqual::Unique | Aqual::Refcnt | Aqual::Var(_) | Aqual::Of(_))
    }

    /// The constant that bounds a qualifier from above, by the declarations around and those of the function.
    pub(crate) fn upper_bound(&self, aqual: Aqual) -> Aqual {
        let declared = |var| self.declared_param(var).map_or(Aqual::Aliasable, |param| param.bound);
        match self.resolve_aqual_value(aqual) {
            Aqual::Var(var) => self.upper_bound(declared(var)),
            Aqual::Of(ty) => match self.kind_of(ty) {
                TyKind::Var(var) => self.upper_bound(declared(*var)),
                _ => Aqual::Aliasable,
            },
            Aqual::Infer(_) | Aqual::Autoreleased => Aqual::Aliasable,
            constant => constant,
        }
    }

    /// What a parameter is instantiated with must be below its alias bound: equal to it, unless that is `RESTRICTED`
    /// (memory, section 3.4). A bound that is another variable is judged by what that one is bounded by. A struct, tuple,
    /// union or array that carries what must not be copied must not be copied either.
    pub(crate) fn check_alias_bound(&mut self, Instantiated { param, arg, span, datatype }: Instantiated) {
        let (shown, actual) = match arg {
            Arg::Type(ty) => {
                let ty = self.resolve(ty);
                let is_leaf = matches!(self.kind_of(ty), TyKind::Pointer(_) | TyKind::Var(_));
                let actual = match !is_leaf && self.carries_restricted(ty) {
                    true => Aqual::Restricted,
                    false => self.unit.types.aqual_of(ty),
                };
                (self.show(ty), actual)
            }
            Arg::Aqual(aqual) => (self.show_aqual(aqual), aqual),
            Arg::Region(_) | Arg::Size(_) => return,
        };
        let (actual, bound) = (self.upper_bound(actual), self.upper_bound(param.bound));
        let fits = bound == Aqual::Restricted || actual == bound;
        if !fits && datatype && matches!(arg, Arg::Type(_)) && actual != Aqual::Error {
            self.report(errors::moves::in_datatype(span, &shown));
        } else if !fits && actual != Aqual::Error && bound != Aqual::Error {
            let bound = self.show_aqual(bound);
            self.report(errors::moves::alias_bound(span, param.name, &shown, &bound));
        }
    }

    fn show_aqual(&self, aqual: Aqual) -> String {
        match self.resolve_aqual_value(aqual) {
            Aqual::Aliasable => "ALIASABLE".into(),
            Aqual::Unique => "UNIQUE".into(),
            Aqual::Refcnt => "REFCNT".into(),
            Aqual::Restricted => "RESTRICTED".into(),
            Aqual::Autoreleased => "@autoreleased".into(),
            Aqual::Var(var) => self.declared_param(var).map_or("_".into(), |param| param.name.to_string()),
            Aqual::Of(_) | Aqual::Infer(_) | Aqual::Error => "_".into(),
        }
    }

    /// Checks the alias bounds of everything that the function instantiated, now that it is known.
    pub(crate) fn check_alias_bounds(&mut self) {
        for instantiated in std::mem::take(&mut self.func.alias_bounds) {
            let span = if instantiated.span == Span::NONE { self.func.scopes[0].span } else { instantiated.span };
            self.check_alias_bound(Instantiated { span, ..instantiated });
        }
    }
}
