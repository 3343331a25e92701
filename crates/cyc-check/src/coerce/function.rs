//! Conversions between function types (core, section 3.13): parameters contravariant, result
//! covariant, some attributes may be forgotten. The representation of every parameter and of the
//! result stays what it is.

use crate::cx::Checker;
use crate::errors;
use crate::expr::is_polymorphic;
use crate::region::{Flow, RegionReason};
use cyc_base::{Diagnostic, Span};
use cyc_types::{
    Aqual, Arg, Bound, Constraint, FnAttrs, FnTy, Kind, Part, PtrTy, QTy, Region, Size, Ty, TyKind, Var, Varargs,
};
use std::rc::Rc;

/// A flow of pointers between two function types: the first region's pointers arrive where the
/// second region's are expected. `within`: the two must be equal.
struct RegionFlow {
    from: Region,
    to: Region,
    within: bool,
}

impl Checker<'_> {
    /// May a function of type `f` be called as a `g`? Demands of their regions are recorded.
    pub(crate) fn function_converts(&mut self, f: &FnTy, g: &FnTy, why: RegionReason) -> bool {
        if f == g {
            return true;
        }
        if is_polymorphic(f) || is_polymorphic(g) {
            let first = self.func.params.len() as u32;
            let Some((opened, wanted)) = self.for_same_unknowns(f, g) else { return false };
            // What the types around say must not depend on the unknown choice.
            return self.function_converts(&opened, &wanted, why)
                && !self.mentions_unknown(f, first)
                && !self.mentions_unknown(g, first);
        }
        if f.varargs != g.varargs || f.params.len() != g.params.len() || !attributes_convert(&f.attrs, &g.attrs) {
            return false;
        }
        if g.vars.is_empty() && !f.vars.is_empty() && f.vars.iter().all(|var| var.kind == Kind::E) {
            // Nothing is unknown on the side of `g`: let inference choose.
            let chosen = self.fresh_args(&f.vars, why.span);
            let f = self.at_args(f, &chosen);
            return self.function_converts(&f, g, why);
        }
        let (mut arguments, mut results) = (vec![], vec![]);
        let shapes = f.params.iter().zip(&g.params).zip(1..).all(|((to, from), n)| {
            let given_away = g.attrs.consume.contains(&n) || g.attrs.noliveunique.contains(&n);
            self.represents(from.ty, to.ty, given_away, why.span, &mut arguments)
        }) && self.represents(f.ret, g.ret, true, why.span, &mut results);
        shapes && self.regions_convert(f, g, arguments, results, why)
    }

    /// Why a function of type `f` cannot be called as a `g`, where that has a name of its own.
    pub(super) fn function_problem(&mut self, f: &FnTy, g: &FnTy, span: Span) -> Option<Diagnostic> {
        if let Some(n) = f.attrs.consume.iter().find(|n| !g.attrs.consume.contains(n)) {
            return Some(errors::moves::attribute_lost(span, "consume", *n));
        }
        let (have, want) = (&f.attrs.noliveunique, &g.attrs.noliveunique);
        if let Some(n) = have.iter().find(|n| !want.contains(n)).or(want.iter().find(|n| !have.contains(n))) {
            return Some(errors::moves::attribute_lost(span, "noliveunique", *n));
        }
        if g.attrs.no_heap && !f.attrs.no_heap {
            return Some(errors::thread::promise_missing(span));
        }
        let mut wrong = None;
        for ((to, from), n) in f.params.iter().zip(&g.params).zip(1..) {
            if self.represents(from.ty, to.ty, false, span, &mut vec![]) {
                continue;
            }
            let (Some(p), Some(q)) = (self.pointer_of(from.ty), self.pointer_of(to.ty)) else { return None };
            let only_qualifiers = self.pointer_represents(PtrTy { aqual: q.aqual, ..p }, q, false, span)
                && self.differs_in_qualifiers(p.to, q.to);
            if wrong.is_some() || !only_qualifiers {
                return None;
            }
            wrong = Some((n, self.show(from.ty), self.show(to.ty)));
        }
        let (n, given, taken) = wrong?;
        Some(errors::moves::parameter_keeps(span, n, &given, &taken))
    }

    /// Is every value of type `from` a value of type `to` as it stands? Collects the flows of regions. `given_away`: a
    /// pointer that must not be copied may become one that may (memory, section 3.3: the right to free it is forgotten).
    fn represents(&mut self, from: Ty, to: Ty, given_away: bool, span: Span, flows: &mut Vec<RegionFlow>) -> bool {
        let (from, to) = (self.resolve(from), self.resolve(to));
        if from == to && !self.mentions_bound(from) {
            return true;
        }
        match (self.unit.types.as_pointer(from), self.unit.types.as_pointer(to)) {
            (Some(p), Some(q)) => {
                flows.push(RegionFlow { from: p.region, to: q.region, within: false });
                self.pointer_represents(p, q, given_away, span) && self.equal_within(p.to.ty, q.to.ty, span, flows)
            }
            _ => self.equal_within(from, to, span, flows),
        }
    }

    fn pointer_represents(&mut self, p: PtrTy, q: PtrTy, given_away: bool, span: Span) -> bool {
        let bounds = match (p.bound, q.bound) {
            (Bound::Fat, Bound::Fat) => true,
            (Bound::Thin(n), Bound::Thin(m)) => n >= m,
            _ => false,
        };
        let (have, want) = (self.resolve_aqual_value(p.aqual), self.resolve_aqual_value(q.aqual));
        let constants = !matches!(have, Aqual::Var(_) | Aqual::Of(_) | Aqual::Infer(_)) && want == Aqual::Restricted;
        (self.same_qualifier(have, want, span) || constants || given_away && self.aqual_converts(have, want))
            && bounds
            && (q.nullable || !p.nullable)
            && p.zeroterm == q.zeroterm
            && (q.to.is_const || !p.to.is_const)
    }

    /// Are the qualifiers equal? One that is still to be inferred becomes the other.
    fn same_qualifier(&mut self, a: Aqual, b: Aqual, span: Span) -> bool {
        let (a, b) = (self.resolve_aqual_value(a), self.resolve_aqual_value(b));
        let inferred = matches!(a, Aqual::Infer(_)) || matches!(b, Aqual::Infer(_));
        a == b || inferred && self.equate_aquals(a, b, RegionReason::new(span, Flow::Within))
    }

    /// Equal types, with flows for the regions in them. Regions inside other function types must be the same.
    fn equal_within(&mut self, a: Ty, b: Ty, span: Span, flows: &mut Vec<RegionFlow>) -> bool {
        let (a, b) = (self.resolve(a), self.resolve(b));
        match (self.unit.types.as_pointer(a), self.unit.types.as_pointer(b)) {
            (Some(p), Some(q)) => {
                flows.push(RegionFlow { from: p.region, to: q.region, within: true });
                (p.nullable, p.bound, p.zeroterm, p.to.is_const) == (q.nullable, q.bound, q.zeroterm, q.to.is_const)
                    && self.same_qualifier(p.aqual, q.aqual, span)
                    && self.equal_within(p.to.ty, q.to.ty, span, flows)
            }
            _ if a == b => true,
            _ if self.mentions_bound(a) || self.mentions_bound(b) => false,
            _ => self.unify(a, b, span),
        }
    }

    /// Does an inferred type in the function's mention an opaque variable from number `first` on?
    fn mentions_unknown(&self, function: &FnTy, first: u32) -> bool {
        let types = &self.unit.types;
        let whole = self.final_type(types.intern(TyKind::Function(Rc::new(function.clone()))));
        types.any_part(whole, &mut |part| match part {
            Part::Type(ty) => matches!(types.kind(ty), TyKind::Var(Var::Param(i)) if *i >= first),
            Part::Size(size) => matches!(size, Size::Var(Var::Param(i)) if i >= first),
            Part::Aqual(aqual) => matches!(aqual, Aqual::Var(Var::Param(i)) if i >= first),
            Part::Region(_) => false,
        })
    }

    /// Does a variable that a function type binds occur in it?
    fn mentions_bound(&self, ty: Ty) -> bool {
        let types = &self.unit.types;
        types.any_part(self.resolve(ty), &mut |part| match part {
            Part::Type(ty) => match types.kind(ty) {
                TyKind::Var(Var::Bound { .. }) => true,
                TyKind::Infer(_) => {
                    let value = self.resolve(ty);
                    value != ty && self.mentions_bound(value)
                }
                _ => false,
            },
            Part::Region(region) => matches!(region, Region::Bound { .. }),
            Part::Size(size) => matches!(size, Size::Var(Var::Bound { .. })),
            Part::Aqual(aqual) => matches!(aqual, Aqual::Var(Var::Bound { .. })),
        })
    }

    /// Chooses regions for the variables that `f` binds, so that it serves every choice for those of `g`.
    fn regions_convert(
        &mut self,
        f: &FnTy,
        g: &FnTy,
        arguments: Vec<RegionFlow>,
        results: Vec<RegionFlow>,
        why: RegionReason,
    ) -> bool {
        let mut chosen: Vec<Option<Region>> = vec![None; f.vars.len()];
        for flow in &arguments {
            let to = match flow.to {
                Region::Bound { depth: 0, index } => *chosen[index as usize].get_or_insert(flow.from),
                other => other,
            };
            if !self.flow_converts(flow.from, to, flow.within, why) {
                return false;
            }
        }
        for flow in &results {
            let from = match flow.from {
                Region::Bound { depth: 0, index } => *chosen[index as usize].get_or_insert(flow.to),
                other => other,
            };
            if !self.flow_converts(from, flow.to, flow.within, why) {
                return false;
            }
        }
        let args: Vec<Arg> = f
            .vars
            .iter()
            .zip(0..)
            .map(|(var, index)| match var.kind {
                Kind::E => Arg::Region(chosen[index as usize].unwrap_or(Region::Heap)),
                _ => var.arg(Var::Bound { depth: 0, index }, &self.unit.types),
            })
            .collect();
        self.constraints_convert(f, g, &args, why) && self.effect_converts(f, g, &args, why)
    }

    /// The function type with its variables replaced.
    fn at_args(&self, f: &FnTy, args: &[Arg]) -> FnTy {
        let types = &self.unit.types;
        let region = |atom| types.substitute_region(atom, args);
        FnTy {
            vars: vec![],
            ret: types.substitute(f.ret, args),
            params: f.params.iter().map(|p| QTy { ty: types.substitute(p.ty, args), ..*p }).collect(),
            varargs: match f.varargs {
                Varargs::Typed { elem, inject } => {
                    Varargs::Typed { elem: QTy { ty: types.substitute(elem.ty, args), ..elem }, inject }
                }
                Varargs::None | Varargs::C => f.varargs.clone(),
            },
            effect: Some(types.effect(types.effect_of(f).into_iter().map(region))),
            constraints: f.constraints.iter().map(|c| types.substitute_constraint(*c, args)).collect(),
            attrs: f.attrs.clone(),
        }
    }

    /// A `g` may be called where less is demanded than `f` demands: not possible.
    fn constraints_convert(&mut self, f: &FnTy, g: &FnTy, args: &[Arg], why: RegionReason) -> bool {
        let regions = |c: &&Constraint| !matches!(c, Constraint::Bound { .. });
        if !g.vars.is_empty() {
            return f.constraints.iter().filter(regions).all(|c| g.constraints.contains(c));
        }
        let constraints: Vec<Constraint> = f.constraints.iter().filter(regions).copied().collect();
        self.require_constraints(&constraints, args, None, why.span);
        true
    }

    /// What `f` may use, `g` says that it may use.
    fn effect_converts(&mut self, f: &FnTy, g: &FnTy, args: &[Arg], why: RegionReason) -> bool {
        let wanted = self.unit.types.effect_of(g);
        let known: Vec<Region> = wanted.iter().copied().filter(|a| !matches!(a, Region::Bound { .. })).collect();
        let known = self.unit.types.effect(known.into_iter().chain([Region::Current]));
        for atom in self.unit.types.effect_of(f) {
            let atom = self.unit.types.substitute_region(atom, args);
            for atom in self.unit.types.atoms(atom) {
                match atom {
                    _ if wanted.contains(&atom) || matches!(atom, Region::Heap | Region::Current) => {}
                    Region::Bound { .. } => return false,
                    atom => self.outlives(atom, known, RegionReason::new(why.span, Flow::Effect)),
                }
            }
        }
        true
    }

    /// One flow, bound variables of `f` already replaced; those that remain are `g`'s, and unknown.
    fn flow_converts(&mut self, from: Region, to: Region, within: bool, why: RegionReason) -> bool {
        if from == to || (from == Region::Heap && !within) {
            return true;
        }
        if matches!(from, Region::Bound { .. }) || matches!(to, Region::Bound { .. }) {
            return false;
        }
        match within {
            true => self.same_region(from, to, why),
            false => self.outlives(from, to, why),
        }
        true
    }
}

/// `pure`, `noreturn`, `initializes`, `no_throw` and `noheap` may be forgotten, `consume` and `overwrites` may be added;
/// nothing else changes.
fn attributes_convert(f: &FnAttrs, g: &FnAttrs) -> bool {
    f.format == g.format
        && (f.noreturn || !g.noreturn)
        && (f.pure || !g.pure)
        && (f.is_const || !g.is_const)
        && (f.no_throw || !g.no_throw)
        && (f.no_heap || !g.no_heap)
        && (&f.sends, &f.shares, &f.runs) == (&g.sends, &g.shares, &g.runs)
        && (g.initializes.is_empty() || f.initializes == g.initializes)
        && f.consume.iter().all(|n| g.consume.contains(n))
        && f.overwrites.iter().all(|n| g.overwrites.contains(n))
        && f.noliveunique == g.noliveunique
}
