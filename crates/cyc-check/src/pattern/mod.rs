//! Patterns (core, section 7).

pub mod exhaust;

use crate::coerce::{KindExt, Num, Want, Why};
use crate::cx::Checker;
use crate::errors;
use crate::scope::{Entity, Tag};
use crate::tast::{Expr, ExprKind, Pattern, PatternKind, UnOp};
use cyc_base::{Span, Symbol};
use cyc_syntax::ast::{self, Designator, FieldPatterns, Ident, PatternKind as Ast};
use cyc_types::{AggrId, Bound, DatatypeId, QTy, Ty, TyKind};

/// The variables that a pattern has bound so far.
type Seen = Vec<(Symbol, Span)>;

impl Checker<'_> {
    /// A pattern against values of type `ty`. Its variables are declared in the current scope.
    pub fn check_pattern(&mut self, pattern: &ast::Pattern, ty: Ty) -> Pattern {
        self.pattern(pattern, ty, &mut vec![])
    }

    fn pattern(&mut self, p: &ast::Pattern, ty: Ty, seen: &mut Seen) -> Pattern {
        let ty = self.resolve(ty);
        let span = p.span;
        let kind = match &p.kind {
            Ast::Wild => Some(PatternKind::Wild),
            Ast::Const(e) => self.constant_pattern(e, ty),
            Ast::Null => self.null_pattern(ty, span),
            Ast::Name(name) => return self.name_pattern(name, ty, span, seen),
            Ast::As(name, inner) => {
                let local = self.bind_variable(*name, ty, seen);
                let inner = self.pattern(inner, ty, seen);
                local.map(|local| PatternKind::As(local, Box::new(inner)))
            }
            Ast::Pointer(inner) => self.pointer_pattern(inner, ty, span, seen),
            Ast::Tuple(fields) => self.tuple_pattern(fields, ty, span, seen),
            Ast::Call(name, parts, rest) => self.call_pattern(name, parts, *rest, ty, span, seen),
            Ast::Struct { name, args, fields } => {
                if !args.is_empty() {
                    self.not_yet(span, "unpacking an existential struct");
                    None
                } else {
                    self.struct_pattern(name.as_ref(), fields, ty, span, seen)
                }
            }
            Ast::Ref(..) => self.pattern_not_yet(span, "a reference pattern (`*x`)"),
            Ast::Tag(..) => self.pattern_not_yet(span, "a tag pattern"),
            Ast::Alias { .. } => self.pattern_not_yet(span, "an alias pattern"),
            Ast::Error => None,
        };
        match kind {
            Some(kind) => Pattern { kind, ty, span },
            None => Pattern { kind: PatternKind::Wild, ty: Ty::ERROR, span },
        }
    }

    fn pattern_not_yet(&mut self, span: Span, what: &str) -> Option<PatternKind> {
        self.report(errors::unsupported(span, what));
        None
    }

    /// A variable that copies the value it matches.
    fn bind_variable(&mut self, name: Ident, ty: Ty, seen: &mut Seen) -> Option<crate::tast::LocalId> {
        if let Some((_, before)) = seen.iter().find(|(n, _)| *n == name.name) {
            self.report(errors::pattern::repeated_variable(name, *before));
            return None;
        }
        seen.push((name.name, name.span));
        let why = Why::Value.flow(name.span);
        let held = match self.kind_of(ty) {
            TyKind::Error | TyKind::Infer(_) => ty,
            TyKind::Array { .. } => {
                self.report(errors::pattern::array_variable(name));
                Ty::ERROR
            }
            _ if !self.is_sized(ty) => {
                let found = self.show(ty);
                self.report(errors::pattern::abstract_variable(name, &found));
                Ty::ERROR
            }
            _ => self.settle(ty, why),
        };
        Some(self.declare_local(name, QTy::from(held)))
    }

    /// A name: the constructor or enumeration constant that it denotes, else a fresh variable.
    fn name_pattern(&mut self, name: &ast::Name, ty: Ty, span: Span, seen: &mut Seen) -> Pattern {
        let error = Pattern { kind: PatternKind::Wild, ty: Ty::ERROR, span };
        match self.lookup(name) {
            Some(Entity::Enumerator { value, .. }) => {
                let kind = self.kind_of(ty);
                if !kind.is_integral() && ty != Ty::ERROR {
                    let found = self.show(ty);
                    self.report(errors::pattern::mismatch(span, "an enumeration constant", &found));
                    return error;
                }
                Pattern { kind: PatternKind::Int(value), ty, span }
            }
            Some(Entity::Variant(datatype, variant)) => {
                match self.variant_pattern(datatype, variant, &[], false, ty, span, seen) {
                    Some(kind) => Pattern { kind, ty, span },
                    None => error,
                }
            }
            Some(Entity::Error) if name.as_ident().is_none() => error,
            _ if name.as_ident().is_none() => {
                self.report(errors::decl::not_in_namespace(name));
                error
            }
            _ => {
                let ident = Ident { name: name.name, span: name.span };
                match self.bind_variable(ident, ty, seen) {
                    Some(local) => Pattern { kind: PatternKind::Bind(local), ty, span },
                    None => error,
                }
            }
        }
    }

    /// An integer, character, floating or null constant.
    fn constant_pattern(&mut self, e: &ast::Expr, ty: Ty) -> Option<PatternKind> {
        let value = self.check_expr(e, Want::None);
        if value.is_error() || ty == Ty::ERROR {
            return None;
        }
        if matches!(value.kind, ExprKind::Null) {
            return self.null_pattern(ty, e.span);
        }
        let known = self.eval_int(&value);
        let kind = self.kind_of(ty);
        if kind.is_float() {
            let text = known.map(|i| format!("{i}.0")).or_else(|| float_text(&value));
            if text.is_none() {
                self.report(errors::pattern::not_constant(e.span));
            }
            return text.map(|t| PatternKind::Float(Symbol::new(&t)));
        }
        let null = matches!(kind, TyKind::Pointer(_)) && known == Some(0);
        if !kind.is_integral() && !null {
            let (found, wanted) = (self.show(value.ty), self.show(ty));
            self.report(errors::pattern::mismatch(e.span, &format!("a constant of type {found}"), &wanted));
            return None;
        }
        let Some(known) = known else {
            self.report(match self.kind_of(value.ty).is_float() {
                true => errors::pattern::mismatch(e.span, "a floating constant", &self.show(ty)),
                false => errors::pattern::not_constant(e.span),
            });
            return None;
        };
        match Num::of(&self.unit.types, ty) {
            None => self.null_pattern(ty, e.span),
            Some(num) if num.wrap(known) == known => Some(PatternKind::Int(known)),
            // The same bits under another sign are meant: `case -1:` for an unsigned scrutinee.
            Some(num) if (Num { signed: !num.signed, ..num }).wrap(known) == known => {
                Some(PatternKind::Int(num.wrap(known)))
            }
            Some(_) => {
                let wanted = self.show(ty);
                self.report(errors::pattern::out_of_range(e.span, known, &wanted));
                None
            }
        }
    }

    fn null_pattern(&mut self, ty: Ty, span: Span) -> Option<PatternKind> {
        match self.kind_of(ty) {
            TyKind::Pointer(p) if p.nullable => Some(PatternKind::Null),
            TyKind::Error => None,
            TyKind::Pointer(_) => {
                let found = self.show(ty);
                self.report(errors::pattern::null_for_nonnull(span, &found));
                None
            }
            _ => {
                let found = self.show(ty);
                self.report(errors::pattern::mismatch(span, "NULL", &found));
                None
            }
        }
    }

    /// `&p`: not null, for a fat pointer an element in bounds, and the target matches.
    fn pointer_pattern(&mut self, inner: &ast::Pattern, ty: Ty, span: Span, seen: &mut Seen) -> Option<PatternKind> {
        let target = match self.kind_of(ty) {
            TyKind::Pointer(p) if p.bound != Bound::Thin(0) => p.to.ty,
            TyKind::Error => Ty::ERROR,
            _ => {
                let found = self.show(ty);
                self.report(errors::pattern::mismatch(span, "`&`, which matches what a pointer points to,", &found));
                Ty::ERROR
            }
        };
        let inner = self.pattern(inner, target, seen);
        (inner.ty != Ty::ERROR).then(|| PatternKind::Pointer(Box::new(inner)))
    }

    fn tuple_pattern(&mut self, fields: &FieldPatterns, ty: Ty, span: Span, seen: &mut Seen) -> Option<PatternKind> {
        let parts: Vec<Ty> = match self.kind_of(ty) {
            TyKind::Tuple(parts) => parts.iter().map(|p| p.ty).collect(),
            kind => {
                if kind != &TyKind::Error {
                    let found = self.show(ty);
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
        types: &[Ty],
        what: &str,
        span: Span,
        seen: &mut Seen,
    ) -> Option<Vec<Pattern>> {
        if patterns.len() > types.len() || (patterns.len() < types.len() && !rest) {
            self.report(errors::pattern::wrong_count(span, what, types.len(), patterns.len()));
            self.parts_anyway(patterns.iter().copied(), seen);
            return None;
        }
        let mut out: Vec<Pattern> = patterns.iter().zip(types).map(|(p, ty)| self.pattern(p, *ty, seen)).collect();
        if out.iter().any(|p| p.ty == Ty::ERROR) {
            return None;
        }
        out.extend(types[patterns.len()..].iter().map(|ty| Pattern { kind: PatternKind::Wild, ty: *ty, span }));
        Some(out)
    }

    /// Declares the variables of a pattern that is wrong already.
    fn parts_anyway<'p>(
        &mut self,
        parts: impl Iterator<Item = &'p ast::Pattern>,
        seen: &mut Seen,
    ) -> Option<PatternKind> {
        for part in parts {
            self.pattern(part, Ty::ERROR, seen);
        }
        None
    }

    /// `V(p…)`, or `S(p…)` for a struct by position.
    fn call_pattern(
        &mut self,
        name: &ast::Name,
        parts: &[ast::Pattern],
        rest: bool,
        ty: Ty,
        span: Span,
        seen: &mut Seen,
    ) -> Option<PatternKind> {
        let Ok(tag) = self.lookup_tag(name) else { return self.parts_anyway(parts.iter(), seen) };
        if let Some(Entity::Variant(datatype, variant)) = self.lookup(name) {
            return self.variant_pattern(datatype, variant, parts, rest, ty, span, seen);
        }
        if let Some(Tag::Aggr(_)) = tag {
            let items = parts.iter().map(|p| (vec![], p.clone())).collect();
            return self.struct_pattern(Some(name), &FieldPatterns { items, rest }, ty, span, seen);
        }
        self.report(errors::pattern::unknown_constructor(name.span, name.name));
        self.parts_anyway(parts.iter(), seen)
    }

    fn variant_pattern(
        &mut self,
        datatype: DatatypeId,
        variant: u32,
        parts: &[ast::Pattern],
        rest: bool,
        ty: Ty,
        span: Span,
        seen: &mut Seen,
    ) -> Option<PatternKind> {
        let fits = match self.kind_of(ty) {
            TyKind::Datatype(d) => *d == datatype,
            TyKind::Variant(d, v) => (*d, *v) == (datatype, variant),
            TyKind::Error => return self.parts_anyway(parts.iter(), seen),
            _ => false,
        };
        let shape = &self.unit.types.datatype(datatype).variants[variant as usize];
        let (name, types) = (shape.name, shape.fields.iter().map(|f| f.ty).collect::<Vec<_>>());
        if !fits {
            let found = self.show(ty);
            let behind = matches!(self.kind_of(ty), TyKind::Pointer(p) if matches!(self.kind_of(p.to.ty), TyKind::Datatype(_) | TyKind::Variant(..)));
            self.report(errors::pattern::constructor_mismatch(span, name, &found, behind));
            return self.parts_anyway(parts.iter(), seen);
        }
        let patterns: Vec<&ast::Pattern> = parts.iter().collect();
        let what = format!("datatype constructor {name}");
        let args = self.positional(&patterns, rest, &types, &what, span, seen)?;
        Some(PatternKind::Variant { datatype, variant, args })
    }

    /// `S{…}` and `{…}`: every field, unless `...` ends the list.
    fn struct_pattern(
        &mut self,
        name: Option<&ast::Name>,
        fields: &FieldPatterns,
        ty: Ty,
        span: Span,
        seen: &mut Seen,
    ) -> Option<PatternKind> {
        let named = match name {
            Some(name) => Some(self.struct_named(name)?),
            None => None,
        };
        let id = match *self.kind_of(ty) {
            TyKind::Aggr(id) if named.is_none_or(|n| n == ty) => id,
            TyKind::Error => return self.parts_anyway(fields.items.iter().map(|f| &f.1), seen),
            _ => {
                let found = self.show(ty);
                let what = named.map_or("a struct pattern".into(), |n| format!("a pattern of {}", self.show(n)));
                self.report(errors::pattern::mismatch(span, &what, &found));
                return self.parts_anyway(fields.items.iter().map(|f| &f.1), seen);
            }
        };
        let aggr = self.unit.types.aggr(id);
        let problem = match &aggr.fields {
            Some(_) if aggr.tagged => return self.member_pattern(id, fields, span, seen),
            _ if aggr.is_union => Some(errors::pattern::union_pattern as fn(Span, Span) -> cyc_base::Diagnostic),
            None => Some(errors::pattern::incomplete as fn(Span, Span) -> cyc_base::Diagnostic),
            Some(_) => None,
        };
        if let Some(problem) = problem {
            let declared = aggr.span;
            self.report(problem(span, declared));
            return self.parts_anyway(fields.items.iter().map(|f| &f.1), seen);
        }
        self.field_patterns(id, fields, span, seen)
    }

    /// `{.m = p}` against a tagged union: exactly one member.
    fn member_pattern(
        &mut self,
        id: AggrId,
        fields: &FieldPatterns,
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
        let inner = self.pattern(part, declared[index].qty.ty, seen);
        (inner.ty != Ty::ERROR).then(|| PatternKind::Member(id, index as u32, Box::new(inner)))
    }

    fn field_patterns(
        &mut self,
        id: AggrId,
        fields: &FieldPatterns,
        span: Span,
        seen: &mut Seen,
    ) -> Option<PatternKind> {
        let declared = self.unit.types.fields(id)?.to_vec();
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
                        self.pattern(part, Ty::ERROR, seen);
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
                self.pattern(part, Ty::ERROR, seen);
                good = false;
                continue;
            };
            let matched = self.pattern(part, declared[index].qty.ty, seen);
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

/// A floating constant's text.
fn float_text(e: &Expr) -> Option<String> {
    match &e.kind {
        ExprKind::Float(text) => Some(text.as_str().into()),
        ExprKind::Unary(UnOp::Neg, inner) => float_text(inner).map(|t| format!("-{t}")),
        _ => None,
    }
}
