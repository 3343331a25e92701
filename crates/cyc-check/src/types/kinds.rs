//! The kinds of type variables, from their uses (core, section 3.2): a region position gives E, a bound I, a
//! qualifier Q; the target of a pointer or the last field of a struct gives A; every other use as a value gives B, and
//! so does no use at all. A kind that is written decides.

use super::function::introduced;
use crate::cx::Checker;
use crate::errors;
use crate::scope::Tag;
use cyc_base::{Span, Symbol};
use cyc_syntax::ast::{self, AqualConst, TypeKind};
use cyc_types::{Aqual, Kind, TyParam};
use rustc_hash::FxHashMap;

/// A kind as it is written; older spellings add a bound on the alias qualifier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct WrittenKind {
    pub kind: Kind,
    pub bound: Option<Aqual>,
    /// The name that release 1.0 has for it.
    pub modern: Option<&'static str>,
}

/// What a kind's name means; None for no kind at all.
pub(crate) fn kind_named(name: Symbol) -> Option<WrittenKind> {
    use Kind::*;
    let (kind, bound, modern) = match name.as_str() {
        "A" => (A, None, None),
        "M" => (M, None, None),
        "B" => (B, None, None),
        "E" => (E, None, None),
        "I" => (I, None, None),
        "Q" => (Q, None, None),
        "R" | "UR" | "TR" => (E, None, Some("E")),
        "UA" => (A, Some(Aqual::Unique), Some("A\\U")),
        "UM" => (M, Some(Aqual::Unique), Some("M\\U")),
        "UB" => (B, Some(Aqual::Unique), Some("B\\U")),
        "TA" => (A, Some(Aqual::Restricted), Some("A\\T")),
        "TM" => (M, Some(Aqual::Restricted), Some("M\\T")),
        "TB" => (B, Some(Aqual::Restricted), Some("B\\T")),
        "CA" => (A, Some(Aqual::Refcnt), Some("A\\RC")),
        "CM" => (M, Some(Aqual::Refcnt), Some("M\\RC")),
        "CB" => (B, Some(Aqual::Refcnt), Some("B\\RC")),
        _ => return None,
    };
    Some(WrittenKind { kind, bound, modern })
}

pub(crate) fn aqual_const(aqual: AqualConst) -> Aqual {
    match aqual {
        AqualConst::Aliasable => Aqual::Aliasable,
        AqualConst::Unique => Aqual::Unique,
        AqualConst::Refcnt => Aqual::Refcnt,
        AqualConst::Restricted => Aqual::Restricted,
    }
}

/// The regions and qualifiers that have names of their own.
pub(crate) fn is_reserved(name: Symbol) -> bool {
    matches!(name.as_str(), "`H" | "`C" | "`U" | "`RC")
}

/// What the occurrences of one variable say about it.
#[derive(Clone, Copy, Default, Debug)]
struct Use {
    kind: Option<Kind>,
    written: Option<Kind>,
    bound: Option<Aqual>,
    span: Span,
}

/// The variables of a declaration by their uses, in order of occurrence.
#[derive(Default, Debug)]
pub(crate) struct Uses {
    order: Vec<Symbol>,
    found: FxHashMap<Symbol, Use>,
}

impl Uses {
    /// The variables that occur, in order, with where they occur first.
    pub fn names(&self) -> impl Iterator<Item = (Symbol, Span)> + '_ {
        self.order.iter().map(|name| (*name, self.found[name].span))
    }

    /// The variable as a parameter; `default` is its alias bound if none is written (memory, section 3.4).
    pub fn param(&self, name: Symbol, default: Aqual) -> TyParam {
        let seen = self.found.get(&name).copied().unwrap_or_default();
        let kind = seen.written.or(seen.kind).unwrap_or(Kind::B);
        TyParam { name, kind, bound: seen.bound.unwrap_or(default) }
    }

    fn note(&mut self, var: &ast::TypeVar, kind: Option<Kind>) {
        let entry = self.found.entry(var.name).or_insert_with(|| {
            self.order.push(var.name);
            Use { span: var.span, ..Use::default() }
        });
        let written = var.kind.and_then(|k| kind_named(k.name));
        entry.written = entry.written.or(written.map(|w| w.kind));
        entry.bound = entry.bound.or(var.alias.map(aqual_const)).or(written.and_then(|w| w.bound));
        entry.kind = match (entry.kind, kind) {
            // A value must be of known size; that it is pointed to as well adds nothing.
            (Some(Kind::A), Some(Kind::B | Kind::M)) | (None, Some(Kind::M)) => Some(Kind::B),
            (None, kind) => kind,
            (known, _) => known,
        };
    }
}

/// A walk over written types that collects the uses of variables.
pub(crate) struct Walk<'c, 'a> {
    cx: &'c Checker<'a>,
    pub uses: Uses,
    /// Variables that function types around this point list.
    bound: Vec<Symbol>,
}

impl Walk<'_, '_> {
    /// A variable where something of the kind is expected (None: of any kind).
    pub fn variable(&mut self, var: &ast::TypeVar, kind: Option<Kind>) {
        if !is_reserved(var.name) && !self.bound.contains(&var.name) {
            self.uses.note(var, kind);
        }
    }

    /// A type, effect, size or qualifier where something of the kind is expected.
    pub fn any(&mut self, ty: &ast::Type, kind: Option<Kind>) {
        match &ty.kind {
            TypeKind::Var(var) => self.variable(var, kind),
            TypeKind::Pointer(ptr) => self.pointer(ptr),
            TypeKind::Array { elem, len, .. } => {
                self.value(elem);
                len.iter().for_each(|e| self.size(e));
            }
            TypeKind::Function(function) => self.function(function),
            TypeKind::Aggr { name, args, .. } => {
                let params = match self.cx.peek_tag(name) {
                    Some(Tag::Aggr(id)) => self.cx.unit.types.aggr(id).params.clone(),
                    _ => vec![],
                };
                self.args(args, &params);
            }
            TypeKind::Datatype { name, args, .. } => {
                let id = self.cx.peek_datatype(name);
                let params = id.map_or(vec![], |id| self.cx.unit.types.datatype(id).params.clone());
                self.args(args, &params);
            }
            TypeKind::Typedef { name, args } => {
                let params = match self.cx.peek_typedef(name) {
                    Some(id) => self.cx.names.typedef(id).params.clone(),
                    None => vec![],
                };
                self.args(args, &params);
            }
            TypeKind::AggrDef(def) => {
                let outside = self.bound.len();
                self.bound.extend(def.existentials.iter().map(|hidden| hidden.name));
                def.params.iter().for_each(|param| self.variable(param, None));
                self.fields(def);
                self.bound.truncate(outside);
            }
            TypeKind::TypeofType(inner) => self.any(inner, kind),
            TypeKind::Tuple(parts) => parts.iter().for_each(|p| self.value(p)),
            TypeKind::RegionHandle(of) => of.iter().for_each(|of| self.any(of, Some(Kind::E))),
            TypeKind::AqualHandle(of) => self.any(of, Some(Kind::Q)),
            TypeKind::Tag(of) => of.iter().for_each(|of| self.any(of, Some(Kind::I))),
            TypeKind::ValueOf(e) => self.size(e),
            TypeKind::Subset(subset) => self.value(&subset.ty),
            TypeKind::EffectSet(parts) | TypeKind::EffectJoin(parts) => {
                parts.iter().for_each(|p| self.any(p, Some(Kind::E)));
            }
            TypeKind::RegionsOf(of) | TypeKind::AqualsOf(of) => self.any(of, None),
            _ => {}
        }
    }

    /// Where a value of the type is held: a parameter, field, component or element.
    pub fn value(&mut self, ty: &ast::Type) {
        self.any(ty, Some(Kind::B));
    }

    /// The fields of a struct or union: the last one, and every member of a union, may be of any size that is known where
    /// the type is used; what is hidden is known nowhere.
    pub fn fields(&mut self, def: &ast::AggrDef) {
        let hidden = |ty: &ast::Type| match &ty.kind {
            TypeKind::Var(var) => def.existentials.iter().any(|hidden| hidden.name == var.name),
            _ => false,
        };
        for (i, field) in def.fields.iter().enumerate() {
            let open = (def.is_union || i + 1 == def.fields.len()) && !hidden(&field.ty);
            self.any(&field.ty, Some(if open { Kind::A } else { Kind::B }));
            field.requires.iter().for_each(|e| self.size(e));
        }
        self.constraints(&def.constraints);
    }

    fn pointer(&mut self, ptr: &ast::Pointer) {
        // A pointer to one object tells nothing about its size; several ones stand side by side.
        let several = ptr.fat == Some(true) || ptr.bound.is_some() || ptr.zeroterm == Some(true);
        self.any(&ptr.to, Some(if several { Kind::B } else { Kind::A }));
        ptr.bound.iter().for_each(|e| self.size(e));
        ptr.region.iter().for_each(|r| self.any(r, Some(Kind::E)));
        ptr.aqual.iter().for_each(|q| self.any(q, Some(Kind::Q)));
    }

    fn function(&mut self, function: &ast::FnType) {
        let outside = self.bound.len();
        self.bound.extend(function.binders.iter().flatten().map(|b| b.name));
        self.signature(function);
        self.bound.truncate(outside);
    }

    /// The parts of a function type.
    pub fn signature(&mut self, function: &ast::FnType) {
        self.value(&function.ret);
        for param in &function.params {
            self.value(&param.ty);
            if let Some(var) = introduced(param) {
                let tag = matches!(param.ty.kind, TypeKind::Tag(_));
                self.variable(&var, Some(if tag { Kind::I } else { Kind::E }));
            }
        }
        if let ast::Varargs::Typed { param, .. } = &function.varargs {
            self.value(&param.ty);
        }
        function.effect.iter().for_each(|e| self.any(e, Some(Kind::E)));
        self.constraints(&function.constraints);
    }

    pub fn constraints(&mut self, list: &[ast::Constraint]) {
        for constraint in list {
            match constraint {
                ast::Constraint::Outlives(a, b) | ast::Constraint::Disjoint(a, b) => {
                    self.any(a, Some(Kind::E));
                    self.any(b, Some(Kind::E));
                }
                ast::Constraint::Single(a) => self.any(a, Some(Kind::E)),
                ast::Constraint::AqualBound(bound, of) => {
                    self.any(of, Some(Kind::Q));
                    self.any(bound, Some(Kind::Q));
                    self.alias_bound(bound, of);
                }
            }
        }
    }

    /// `b >= v` and `b >= aquals(v)` with a constant `b` are bounds of the variable itself.
    fn alias_bound(&mut self, bound: &ast::Type, of: &ast::Type) {
        let of = if let TypeKind::AqualsOf(inner) = &of.kind { inner } else { of };
        if let (TypeKind::Aqual(bound), TypeKind::Var(var)) = (&bound.kind, &of.kind)
            && let Some(seen) = self.uses.found.get_mut(&var.name)
        {
            seen.bound = Some(aqual_const(*bound));
        }
    }

    fn args(&mut self, args: &[std::rc::Rc<ast::Type>], params: &[TyParam]) {
        for (i, arg) in args.iter().enumerate() {
            self.any(arg, params.get(i).map(|p| p.kind));
        }
    }

    /// The sizes in a bound: only what `valueof` and `sizeof` say matters.
    fn size(&mut self, e: &ast::Expr) {
        match &e.kind {
            ast::ExprKind::Valueof(ty) => self.any(ty, Some(Kind::I)),
            ast::ExprKind::SizeofType(ty) => self.any(ty, None),
            ast::ExprKind::Binary(_, a, b) | ast::ExprKind::And(a, b) | ast::ExprKind::Or(a, b) => {
                self.size(a);
                self.size(b);
            }
            ast::ExprKind::Unary(_, a) => self.size(a),
            _ => {}
        }
    }
}

impl Checker<'_> {
    /// The uses of variables in what `walk` goes through.
    pub(crate) fn uses(&self, walk: impl FnOnce(&mut Walk)) -> Uses {
        let mut state = Walk { cx: self, uses: Uses::default(), bound: vec![] };
        walk(&mut state);
        state.uses
    }

    /// The variables that a list of binders declares, distinct and not reserved, their kinds from `uses`.
    pub(crate) fn declare_params(&mut self, list: &[ast::TypeVar], uses: &Uses, default: Aqual) -> Vec<TyParam> {
        let mut params: Vec<TyParam> = vec![];
        for (i, var) in list.iter().enumerate() {
            if is_reserved(var.name) {
                self.report(errors::types::reserved_region(var.span, var.name));
                continue;
            }
            if let Some(before) = list[..i].iter().find(|v| v.name == var.name) {
                self.report(errors::poly::bound_twice(var.span, var.name, before.span));
                continue;
            }
            self.written_kind(var);
            let own = self.uses(|walk| walk.variable(var, None)).found.get(&var.name).copied().unwrap_or_default();
            let used = uses.param(var.name, default);
            params.push(TyParam {
                kind: own.written.unwrap_or(used.kind),
                bound: own.bound.unwrap_or(used.bound),
                ..used
            });
        }
        params
    }

    /// The kind that is written at an occurrence of a variable; None if there is none, or no such kind.
    pub(crate) fn written_kind(&mut self, var: &ast::TypeVar) -> Option<Kind> {
        self.named_kind(var.kind?)
    }

    /// The kind of that name, with a warning about older spellings.
    pub(crate) fn named_kind(&mut self, name: ast::KindName) -> Option<Kind> {
        let Some(written) = kind_named(name.name) else {
            self.report(errors::poly::unknown_kind(name));
            return None;
        };
        if let Some(modern) = written.modern {
            self.report(errors::poly::old_kind(name, modern));
        }
        Some(written.kind)
    }

    /// Functions, structs and datatypes are compiled once: of the kinds of types they may abstract B and A only.
    pub(crate) fn reject_unsized_params(&mut self, params: &mut [TyParam], list: &[ast::TypeVar], what: &str) {
        for param in params {
            if param.kind == Kind::M {
                let span = list.iter().find(|v| v.name == param.name).map_or(Span::NONE, |v| v.span);
                self.report(errors::poly::abstracts_memory(span, param.name, what));
                param.kind = Kind::B;
            }
        }
    }
}
