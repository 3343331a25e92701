//! Patterns of tuples, structs, tagged unions and datatypes (core, section 7.2).

use super::{Bar, Seen, Spot};
use crate::cx::Checker;
use crate::errors;
use crate::scope::{Entity, Tag};
use crate::tast::{Pattern, PatternKind};
use cyc_base::Span;
use cyc_syntax::ast::{self, Designator, FieldPatterns};
use cyc_types::{AggrId, DatatypeId, Field, Ty, TyKind};
use std::rc::Rc;

impl Checker<'_> {
    pub(super) fn tuple_pattern(
        &mut self,
        fields: &FieldPatterns,
        at: Spot,
        span: Span,
        seen: &mut Seen,
    ) -> Option<PatternKind> {
        let parts: Vec<Spot> = match self.kind_of(at.ty) {
            TyKind::Tuple(parts) => parts.iter().map(|p| at.part(*p)).collect(),
            kind => {
                if kind != &TyKind::Error {
                    let found = self.show(at.ty);
                    self.report(errors::pattern::mismatch(span, "a tuple pattern", &found));
                }
                return self.parts_anyway(fields.items.iter().map(|f| &f.1), seen);
            }
        };
        if fields.items.iter().any(|(d, _)| !d.is_empty()) {
            self.report(errors::pattern::tuple_designator(span));
            return self.parts_anyway(fields.items.iter().map(|f| &f.1), seen);
        }
        let patterns: Vec<&ast::Pattern> = fields.items.iter().map(|f| &f.1).collect();
        let parts = self.positional(&patterns, fields.rest, &parts, "a tuple", span, seen)?;
        Some(PatternKind::Tuple(parts))
    }

    /// Patterns by position; `...` stands for the rest.
    fn positional(
        &mut self,
        patterns: &[&ast::Pattern],
        rest: bool,
        spots: &[Spot],
        what: &str,
        span: Span,
        seen: &mut Seen,
    ) -> Option<Vec<Pattern>> {
        if patterns.len() > spots.len() || (patterns.len() < spots.len() && !rest) {
            self.report(errors::pattern::wrong_count(span, what, spots.len(), patterns.len()));
            self.parts_anyway(patterns.iter().copied(), seen);
            return None;
        }
        let mut out: Vec<Pattern> = patterns.iter().zip(spots).map(|(p, at)| self.pattern(p, *at, seen)).collect();
        if out.iter().any(|p| p.ty == Ty::ERROR) {
            return None;
        }
        out.extend(spots[patterns.len()..].iter().map(|at| Pattern { kind: PatternKind::Wild, ty: at.ty, span }));
        Some(out)
    }

    /// Declares the variables of a pattern that is wrong already.
    pub(super) fn parts_anyway<'p>(
        &mut self,
        parts: impl Iterator<Item = &'p ast::Pattern>,
        seen: &mut Seen,
    ) -> Option<PatternKind> {
        for part in parts {
            self.pattern(part, Spot::ERROR, seen);
        }
        None
    }

    /// `V(p…)`, or `S(p…)` for a struct by position.
    pub(super) fn call_pattern(
        &mut self,
        name: &ast::Name,
        parts: &[ast::Pattern],
        rest: bool,
        at: Spot,
        span: Span,
        seen: &mut Seen,
    ) -> Option<PatternKind> {
        let Ok(tag) = self.lookup_tag(name) else { return self.parts_anyway(parts.iter(), seen) };
        if let Some(Entity::Variant(datatype, variant)) = self.lookup(name) {
            return self.variant_pattern((datatype, variant), parts, rest, at, span, seen);
        }
        if let Some(Tag::Aggr(_)) = tag {
            let items = parts.iter().map(|p| (vec![], p.clone())).collect();
            return self.struct_pattern(Some(name), &[], &FieldPatterns { items, rest }, at, span, seen);
        }
        self.report(errors::pattern::unknown_constructor(name.span, name.name));
        self.parts_anyway(parts.iter(), seen)
    }

    /// `V`, `V(p…)`: the variant, of the datatype at whatever arguments the matched one has.
    pub(super) fn variant_pattern(
        &mut self,
        (datatype, variant): (DatatypeId, u32),
        parts: &[ast::Pattern],
        rest: bool,
        at: Spot,
        span: Span,
        seen: &mut Seen,
    ) -> Option<PatternKind> {
        let types = &self.unit.types;
        let fits = match *self.kind_of(at.ty) {
            TyKind::Datatype(d) if types.same_datatype_def(d, datatype) => Some(d),
            TyKind::Variant(d, v) if types.same_datatype_def(d, datatype) && v == variant => Some(d),
            TyKind::Error => return self.parts_anyway(parts.iter(), seen),
            _ => None,
        };
        let name = types.datatype(datatype).variants[variant as usize].name;
        let Some(datatype) = fits else {
            let found = self.show(at.ty);
            let behind = matches!(self.kind_of(at.ty), TyKind::Pointer(p) if matches!(self.kind_of(p.to.ty), TyKind::Datatype(_) | TyKind::Variant(..)));
            self.report(errors::pattern::constructor_mismatch(span, name, &found, behind));
            return self.parts_anyway(parts.iter(), seen);
        };
        let fields = types.variant_fields(datatype, variant).unwrap_or_default();
        let spots: Vec<Spot> = fields.iter().map(|f| at.part(*f)).collect();
        let patterns: Vec<&ast::Pattern> = parts.iter().collect();
        let what = format!("datatype constructor {name}");
        let args = self.positional(&patterns, rest, &spots, &what, span, seen)?;
        Some(PatternKind::Variant { datatype, variant, args })
    }

    /// `S{…}` and `{…}`: every field, unless `...` ends the list.
    pub(super) fn struct_pattern(
        &mut self,
        name: Option<&ast::Name>,
        hidden: &[Rc<ast::Type>],
        fields: &FieldPatterns,
        at: Spot,
        span: Span,
        seen: &mut Seen,
    ) -> Option<PatternKind> {
        let named = match name {
            Some(name) => Some(self.struct_named(name)?),
            None => None,
        };
        let id = match *self.kind_of(at.ty) {
            TyKind::Aggr(id) if named.is_none_or(|n| self.means_definition(n, id)) => id,
            TyKind::Error => return self.parts_anyway(fields.items.iter().map(|f| &f.1), seen),
            _ => {
                let found = self.show(at.ty);
                let what = named.map_or("a struct pattern".into(), |n| format!("a pattern of {}", self.show(n)));
                self.report(errors::pattern::mismatch(span, &what, &found));
                return self.parts_anyway(fields.items.iter().map(|f| &f.1), seen);
            }
        };
        let aggr = self.unit.types.aggr(id);
        let problem = match &aggr.fields {
            Some(_) if aggr.tagged => return self.member_pattern(id, fields, at, span, seen),
            _ if aggr.is_union => Some(errors::pattern::union_pattern as fn(Span, Span) -> cyc_base::Diagnostic),
            None => Some(errors::pattern::incomplete as fn(Span, Span) -> cyc_base::Diagnostic),
            Some(_) => None,
        };
        if let Some(problem) = problem {
            let declared = aggr.span;
            self.report(problem(span, declared));
            return self.parts_anyway(fields.items.iter().map(|f| &f.1), seen);
        }
        let exists = !aggr.exists.is_empty();
        let Some(declared) = self.unpacked_fields(id, hidden, span) else {
            return self.parts_anyway(fields.items.iter().map(|f| &f.1), seen);
        };
        // The object may be overwritten by one that hides another type; not if its size is unknown, for such are never
        // overwritten as a whole.
        let at = if exists && self.unit.types.is_complete(at.ty) { at.barred(Bar::Existential) } else { at };
        self.field_patterns(id, &declared, fields, at, span, seen)
    }

    /// `{.m = p}` against a tagged union: exactly one member.
    fn member_pattern(
        &mut self,
        id: AggrId,
        fields: &FieldPatterns,
        at: Spot,
        span: Span,
        seen: &mut Seen,
    ) -> Option<PatternKind> {
        let [(designators, part)] = fields.items.as_slice() else {
            self.report(errors::datatype::one_member(span, fields.items.len()));
            return self.parts_anyway(fields.items.iter().map(|f| &f.1), seen);
        };
        let [Designator::Field(name)] = designators.as_slice() else {
            self.report(errors::datatype::one_member(span, 1));
            return self.parts_anyway(std::iter::once(part), seen);
        };
        let declared = self.unit.types.fields(id)?;
        let Some(index) = declared.iter().position(|f| f.name == Some(name.name)) else {
            self.report(errors::pattern::no_field(*name));
            return self.parts_anyway(std::iter::once(part), seen);
        };
        let inner = self.pattern(part, at.part(declared[index].qty).barred(Bar::Member), seen);
        (inner.ty != Ty::ERROR).then(|| PatternKind::Member(id, index as u32, Box::new(inner)))
    }

    /// Does a written struct name mean the definition of the matched one?
    fn means_definition(&self, named: Ty, id: AggrId) -> bool {
        matches!(self.kind_of(named), TyKind::Aggr(other) if self.unit.types.same_aggr_def(*other, id))
    }

    fn field_patterns(
        &mut self,
        id: AggrId,
        declared: &[Field],
        fields: &FieldPatterns,
        at: Spot,
        span: Span,
        seen: &mut Seen,
    ) -> Option<PatternKind> {
        let mut taken: Vec<Option<Pattern>> = vec![None; declared.len()];
        // An unnamed bit-field is padding.
        let real = |i: usize| declared[i].name.is_some() || declared[i].bits.is_none();
        let mut good = true;
        for (designators, part) in &fields.items {
            let index = match designators.as_slice() {
                [] => (0..declared.len()).find(|i| real(*i) && taken[*i].is_none()),
                [Designator::Field(name)] => {
                    let found = declared.iter().position(|f| f.name == Some(name.name));
                    let problem = match found {
                        None => Some(errors::pattern::no_field(*name)),
                        Some(i) => taken[i].as_ref().map(|p| errors::pattern::field_twice(*name, p.span)),
                    };
                    if let Some(problem) = problem {
                        self.report(problem);
                        self.pattern(part, Spot::ERROR, seen);
                        good = false;
                        continue;
                    }
                    found
                }
                _ => {
                    if good {
                        self.report(errors::pattern::bad_designator(part.span));
                    }
                    None
                }
            };
            let Some(index) = index else {
                let count = (0..declared.len()).filter(|i| real(*i)).count();
                if designators.is_empty() && good {
                    self.report(errors::pattern::wrong_count(span, "a struct", count, fields.items.len()));
                }
                self.pattern(part, Spot::ERROR, seen);
                good = false;
                continue;
            };
            let at = at.field(&declared[index]);
            let at = if self.may_misalign(id, &declared[index]) { at.barred(Bar::Packed) } else { at };
            let matched = self.pattern(part, at, seen);
            good &= matched.ty != Ty::ERROR;
            taken[index] = Some(matched);
        }
        let open: Vec<usize> = (0..declared.len()).filter(|i| real(*i) && taken[*i].is_none()).collect();
        if !open.is_empty() && !fields.rest && good {
            let names = open.iter().filter_map(|i| declared[*i].name).collect::<Vec<_>>();
            self.report(errors::pattern::fields_missing(span, &names));
            return None;
        }
        let parts = taken.into_iter().enumerate().filter_map(|(i, p)| Some((i as u32, p?))).collect();
        good.then_some(PatternKind::Struct(id, parts))
    }
}
