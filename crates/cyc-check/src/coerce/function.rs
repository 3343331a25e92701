//! Conversions between function types (core, section 3.13): parameters contravariant, result
//! covariant, some attributes may be forgotten. The representation of every parameter and of the
//! result stays what it is.

use crate::cx::Checker;
use crate::errors;
use crate::expr::is_polymorphic;
use crate::region::{Flow, RegionReason};
use cyc_base::{Diagnostic, Span};
use cyc_types::{
    Aqual, Arg, Bound, Constraint, FnAttrs, FnTy, Fold, Part, PtrTy, QTy, Region, Size, Ty, TyKind, Types, Var, Varargs,
};
use std::rc::Rc;

/// A flow of pointers between two function types, `f` that becomes a `g`: the first region's pointers arrive where the second
/// region's are expected. What `f` binds is `Bound` of depth 0 in it, what `g` binds of depth 1; the current region is bound by
/// both, to the same region in each call.
struct RegionFlow {
    from: Region,
    to: Region,
    /// The two must be equal.
    within: bool,
    /// The qualifier of the pointers. What is no pointer but an argument of a type goes by `UNIQUE`: it names its regions exactly.
    aqual: Aqual,
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
        if f.params.len() != g.params.len() || !attributes_convert(&f.attrs, &g.attrs) {
            return false;
        }
        if g.vars.is_empty() && !f.vars.is_empty() && !self.mentions_caller(g) {
            // Nothing is unknown on the side of `g`: let inference choose.
            let chosen = self.fresh_args(&f.vars, why.span);
            let f = self.at_args(f, &chosen);
            return self.function_converts(&f, g, why);
        }
        let outer: Vec<Arg> =
            (0..g.vars.len() as u32).map(|index| Arg::Region(Region::Bound { depth: 1, index })).collect();
        let g = &self.at_args(g, &outer);
        let (mut arguments, mut results) = (vec![], vec![]);
        let shapes = f.params.iter().zip(&g.params).zip(1..).all(|((to, from), n)| {
            let given_away = g.attrs.consume.contains(&n) || g.attrs.noliveunique.contains(&n);
            self.represents(from.ty, to.ty, given_away, why.span, &mut arguments)
        }) && self.varargs_convert(&g.varargs, &f.varargs, why.span, &mut arguments)
            && self.represents(f.ret, g.ret, true, why.span, &mut results);
        shapes && self.regions_convert(f, g, arguments, results, why)
    }

    /// What `from` lets follow the parameters must be what `to` expects.
    fn varargs_convert(&mut self, from: &Varargs, to: &Varargs, span: Span, flows: &mut Vec<RegionFlow>) -> bool {
        match (from, to) {
            (Varargs::Typed { elem: p, inject: i }, Varargs::Typed { elem: q, inject: j }) => {
                i == j && p.is_const == q.is_const && self.equal_within(p.ty, q.ty, span, flows)
            }
            (Varargs::None, Varargs::None) | (Varargs::C, Varargs::C) => true,
            (Varargs::None | Varargs::C | Varargs::Typed { .. }, _) => false,
        }
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
        let current = |cx: &Self, function: &FnTy| cx.mentions_caller(&FnTy { params: vec![], ..function.clone() });
        if current(self, f) && !current(self, g) {
            return Some(errors::coerce::current_of_each_call(span));
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
        if from == to {
            return true;
        }
        match (self.unit.types.as_pointer(from), self.unit.types.as_pointer(to)) {
            (Some(p), Some(q)) => {
                flows.push(RegionFlow { from: p.region, to: q.region, within: false, aqual: q.aqual });
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

    /// Equal types, with flows for the regions in them.
    fn equal_within(&mut self, a: Ty, b: Ty, span: Span, flows: &mut Vec<RegionFlow>) -> bool {
        let (a, b) = (self.resolve(a), self.resolve(b));
        match (self.unit.types.as_pointer(a), self.unit.types.as_pointer(b)) {
            (Some(p), Some(q)) => {
                flows.push(RegionFlow { from: p.region, to: q.region, within: true, aqual: q.aqual });
                (p.nullable, p.bound, p.zeroterm, p.to.is_const) == (q.nullable, q.bound, q.zeroterm, q.to.is_const)
                    && self.same_qualifier(p.aqual, q.aqual, span)
                    && self.equal_within(p.to.ty, q.to.ty, span, flows)
            }
            _ if a == b => true,
            _ => match (self.without_bound(a), self.without_bound(b)) {
                ((_, false), (_, false)) => self.unify(a, b, span),
                ((a, _), (b, _)) => self.equal_but_for_regions(a, b, flows),
            },
        }
    }

    /// The type with the values of variables that are known, and whether something that a function type around it binds
    /// occurs in it.
    fn without_bound(&self, ty: Ty) -> (Ty, bool) {
        let known = self.known_parts(ty);
        (known, self.unit.types.mentions_bound(known))
    }

    /// Two types of which one speaks of what function types bind: the same but for regions, which flow both ways.
    fn equal_but_for_regions(&self, a: Ty, b: Ty, flows: &mut Vec<RegionFlow>) -> bool {
        let types = &self.unit.types;
        let (mut xs, mut ys) = (FreeRegions::default(), FreeRegions::default());
        let same = types.fold(a, &mut xs) == types.fold(b, &mut ys) && xs.found.len() == ys.found.len();
        let pairs = xs.found.into_iter().zip(ys.found);
        flows.extend(pairs.map(|(from, to)| RegionFlow { from, to, within: true, aqual: Aqual::Unique }));
        same
    }

    /// Does `` `C `` occur in the function type, bound by it?
    fn mentions_caller(&self, function: &FnTy) -> bool {
        let types = &self.unit.types;
        let whole = types.intern(TyKind::Function(Rc::new(function.clone())));
        types.any_part(self.known_parts(whole), &mut |part| matches!(part, Part::Region(Region::Caller)))
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

    /// Chooses regions for the variables that `f` binds, so that it serves every choice for those of `g`.
    fn regions_convert(
        &mut self,
        f: &FnTy,
        g: &FnTy,
        arguments: Vec<RegionFlow>,
        results: Vec<RegionFlow>,
        why: RegionReason,
    ) -> bool {
        let mut chosen = Chosen(vec![None; f.vars.len()]);
        for flow in &arguments {
            let to = chosen.at(&self.unit.types, flow.to, flow.from);
            if !self.flow_converts(RegionFlow { to, ..*flow }, why) {
                return false;
            }
        }
        for flow in &results {
            let from = chosen.at(&self.unit.types, flow.from, flow.to);
            if !self.flow_converts(RegionFlow { from, ..*flow }, why) {
                return false;
            }
        }
        let args: Vec<Arg> = chosen.0.into_iter().map(|region| Arg::Region(region.unwrap_or(Region::Heap))).collect();
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
        for constraint in f.constraints.iter().filter(|c| !matches!(c, Constraint::Bound { .. })) {
            let constraint = self.unit.types.substitute_constraint(*constraint, args);
            let speaks_of_calls = match constraint {
                Constraint::Outlives(a, b) | Constraint::Disjoint(a, b) => self.is_bound(a) || self.is_bound(b),
                Constraint::Single(a) => self.is_bound(a),
                Constraint::Bound { .. } => false,
            };
            let holds = match constraint {
                Constraint::Outlives(a, b) => a == b || a == Region::Heap,
                Constraint::Disjoint(..) | Constraint::Single(_) | Constraint::Bound { .. } => false,
            };
            if !speaks_of_calls {
                self.require_constraints(&[constraint], &[], None, why.span);
            } else if !holds && !g.constraints.contains(&constraint) {
                return false;
            }
        }
        true
    }

    /// What `f` may use, `g` says that it may use.
    fn effect_converts(&mut self, f: &FnTy, g: &FnTy, args: &[Arg], why: RegionReason) -> bool {
        let wanted = self.unit.types.effect_of(g);
        let known = wanted.iter().copied().filter(|atom| !self.is_bound(*atom));
        let known = self.unit.types.effect(known);
        for atom in self.unit.types.effect_of(f) {
            let atom = self.unit.types.substitute_region(atom, args);
            for atom in self.unit.types.atoms(atom) {
                match atom {
                    _ if wanted.contains(&atom) || matches!(atom, Region::Heap | Region::Caller) => {}
                    atom if self.is_bound(atom) => return false,
                    atom => self.outlives(atom, known, RegionReason::new(why.span, Flow::Effect)),
                }
            }
        }
        true
    }

    /// Does each call choose the region, or one in the set?
    fn is_bound(&self, region: Region) -> bool {
        self.unit.types.atoms(region).into_iter().any(|atom| match atom {
            Region::Of(ty) => self.unit.types.mentions_bound(ty),
            Region::App(_, args) => self
                .unit
                .types
                .any_arg(args, &mut |part| matches!(part, Part::Region(Region::Bound { .. } | Region::Caller))),
            Region::Bound { .. } | Region::Caller => true,
            Region::Heap
            | Region::Current
            | Region::Own(_)
            | Region::Param(_)
            | Region::Scope(_)
            | Region::Infer(_)
            | Region::Set(_)
            | Region::Error => false,
        })
    }

    /// One flow, bound variables of `f` already replaced; those that remain are `g`'s, and unknown.
    fn flow_converts(&mut self, RegionFlow { from, to, within, aqual }: RegionFlow, why: RegionReason) -> bool {
        if self.is_bound(from) || self.is_bound(to) {
            let aqual = self.resolve_aqual_value(aqual);
            let exact = self.frees(aqual) || matches!(aqual, Aqual::Infer(_));
            return self.arrives(from, to, exact, why) && (!within || self.arrives(to, from, exact, why));
        }
        match within {
            true => self.equal_pointer_regions(aqual, from, to, why),
            false => self.pointer_flow(aqual, from, to, why),
        }
        true
    }

    /// Does every region of `from`, or what it outlives, belong to `to`, whatever those that calls choose are?
    fn arrives(&mut self, from: Region, to: Region, exact: bool, why: RegionReason) -> bool {
        let types = &self.unit.types;
        let (from, to) = (types.atoms(from), types.atoms(to));
        let missing = from.into_iter().filter(|atom| !to.contains(atom) && (exact || *atom != Region::Heap));
        let missing: Vec<Region> = missing.collect();
        let known: Vec<Region> = to.into_iter().filter(|atom| !self.is_bound(*atom)).collect();
        if missing.iter().any(|atom| known.is_empty() || self.is_bound(*atom)) {
            return false;
        }
        let known = self.unit.types.effect(known);
        for atom in missing {
            match exact {
                true => self.included(atom, known, why),
                false => self.outlives(atom, known, why),
            }
        }
        true
    }
}

/// What is chosen for the regions that the converted function binds, by the first flow that says something.
struct Chosen(Vec<Option<Region>>);

impl Chosen {
    /// The region with what is chosen; what is not yet becomes `first`.
    fn at(&mut self, types: &Types, region: Region, first: Region) -> Region {
        let atoms = types.atoms(region).into_iter().map(|atom| match atom {
            Region::Bound { depth: 0, index } => *self.0[index as usize].get_or_insert(first),
            atom => atom,
        });
        types.effect(atoms.collect::<Vec<_>>())
    }
}

/// Takes the regions out of a type, in order, that are not bound by function types within it.
#[derive(Default)]
struct FreeRegions {
    found: Vec<Region>,
    /// Function types around the part that is looked at.
    inside: u32,
}

impl Fold for FreeRegions {
    fn region(&mut self, _: &Types, atom: Region) -> Region {
        match atom {
            Region::Bound { depth, index } if depth >= self.inside => {
                self.found.push(Region::Bound { depth: depth - self.inside, index });
                Region::Heap
            }
            Region::Caller | Region::Bound { .. } if self.inside > 0 => atom,
            atom => {
                self.found.push(atom);
                Region::Heap
            }
        }
    }

    fn enter(&mut self) {
        self.inside += 1;
    }

    fn leave(&mut self) {
        self.inside -= 1;
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
