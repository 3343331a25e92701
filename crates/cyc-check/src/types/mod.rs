//! From written types to types: `ast::Type` to [`QTy`].

pub(crate) mod argument;
mod attributes;
pub(crate) mod back_end;
mod binders;
mod effect;
mod function;
pub(crate) mod kinds;
mod pointer;
mod subset;
mod variable;

use crate::cx::Checker;
use crate::errors;
use crate::scope::Tag;
use cyc_base::{Span, Symbol};
use cyc_syntax::ast::{self, TypeKind};
use cyc_types::print::Show;
use cyc_types::{
    Aggr, AggrId, Aqual, Args, FloatTy, IntTy, Kind, Layout, Part, QTy, Region, Size, Ty, TyKind, TyParam, Var,
};

pub(crate) use attributes::DeclAttrs;
pub(crate) use binders::Binders;

/// Where a type stands: decides what an omitted region means (core, section 10.3) and what kinds of
/// type may stand there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Position {
    /// A function's parameter: a fresh region, bound by the function.
    Param,
    /// A function's result: the heap.
    Result,
    /// A field of a struct or union: the heap.
    Field,
    /// A global variable or function.
    Global,
    /// The right side of a typedef: the heap.
    Typedef,
    /// A local variable: inferred.
    Local,
    /// A cast, `sizeof`, compound literal, type argument in a body: inferred.
    Cast,
}

impl Checker<'_> {
    /// The type that is written, with the qualifiers of the place that it describes. A function type
    /// that stands by itself at [`Position::Global`] or [`Position::Local`] is that of a prototype.
    pub fn resolve_type(&mut self, ty: &ast::Type, at: Position) -> QTy {
        let prototype = matches!(at, Position::Global | Position::Local);
        self.resolve_at(ty, at, prototype)
    }

    fn resolve_at(&mut self, ty: &ast::Type, at: Position, prototype: bool) -> QTy {
        let qty = match &ty.kind {
            TypeKind::Function(function) => self.resolve_function(function, at, prototype, &ty.attrs).into(),
            _ => self.resolve_kind(ty, at),
        };
        self.qualify(qty, ty.quals)
    }

    /// Adds written qualifiers; those of an array are its elements'.
    pub(crate) fn qualify(&mut self, qty: QTy, quals: ast::Quals) -> QTy {
        if !quals.is_const && !quals.is_volatile {
            return qty;
        }
        if let TyKind::Array { elem, len, zeroterm } = *self.unit.types.kind(qty.ty) {
            let elem = self.qualify(elem, quals);
            return self.unit.types.intern(TyKind::Array { elem, len, zeroterm }).into();
        }
        QTy { ty: qty.ty, is_const: qty.is_const | quals.is_const, is_volatile: qty.is_volatile | quals.is_volatile }
    }

    fn resolve_kind(&mut self, ty: &ast::Type, at: Position) -> QTy {
        let plain = match &ty.kind {
            TypeKind::Void => Ty::VOID,
            TypeKind::Bool => Ty::BOOL,
            TypeKind::Int { width, signed } => self.unit.types.int(int_type(*width, *signed)),
            TypeKind::Float { width, complex } => {
                let float = float_type(*width);
                self.unit.types.intern(if *complex { TyKind::Complex(float) } else { TyKind::Float(float) })
            }
            TypeKind::VaList => Ty::VALIST,
            TypeKind::Pointer(pointer) => self.resolve_pointer(pointer, at),
            TypeKind::Array { elem, len, zeroterm } => self.resolve_array(elem, len.as_deref(), *zeroterm, at, ty.span),
            TypeKind::Function(function) => self.resolve_function(function, at, false, &ty.attrs),
            TypeKind::Aggr { is_union, tagged, name, args } => {
                let found = self.resolve_tag(*is_union, name, args, at, ty.span);
                self.mention_tagged(found, *tagged, name.span)
            }
            TypeKind::AggrDef(def) => self.resolve_definition(def, &ty.attrs),
            TypeKind::Enum(name) => self.resolve_enum(name),
            TypeKind::EnumDef(def) => self.define_enum(def),
            TypeKind::Datatype { extensible, name, variant, args } => {
                self.resolve_datatype(*extensible, name, variant.as_ref(), args, at)
            }
            TypeKind::DatatypeDef(def) => self.define_datatype(def),
            TypeKind::Typedef { name, args } => return self.resolve_typedef(name, args, at),
            TypeKind::Var(var) => self.resolve_variable(var, at),
            TypeKind::TypeofExpr(e) => return self.type_of_operand(e),
            TypeKind::TypeofType(inner) => return self.resolve_at(inner, at, false),
            TypeKind::Hole(kind) if matches!(at, Position::Local | Position::Cast) && self.func.inside => {
                self.resolve_hole(*kind, ty.span)
            }
            TypeKind::Hole(_) => {
                self.report(errors::types::hole_outside_function(ty.span));
                Ty::ERROR
            }
            TypeKind::Tuple(parts) => self.resolve_tuple(parts, at),
            TypeKind::RegionHandle(Some(of)) => match self.resolve_region(of, at) {
                Region::Error => Ty::ERROR,
                region => self.unit.types.intern(TyKind::Handle(region)),
            },
            TypeKind::AqualHandle(of) => match self.resolve_aqual(of, at) {
                Aqual::Error => Ty::ERROR,
                aqual => self.unit.types.intern(TyKind::AqualHandle(aqual)),
            },
            TypeKind::Tag(Some(of)) => match self.resolve_size(of, at) {
                Size::Error => Ty::ERROR,
                size => self.unit.types.intern(TyKind::Tag(size)),
            },
            TypeKind::Subset(subset) => self.resolve_subset(subset, at),
            TypeKind::Error => Ty::ERROR,
            TypeKind::Tag(None) | TypeKind::RegionHandle(None) => self.resolve_without_index(&ty.kind, at, ty.span),
            other => {
                self.report(errors::poly::no_type(ty.span, matches!(other, TypeKind::ValueOf(_))));
                Ty::ERROR
            }
        };
        plain.into()
    }

    /// `tag_t`, `region_t`: of what integer, of what region is inferred in a body. (Those of parameters and fields have got an
    /// index of their own before.)
    fn resolve_without_index(&mut self, written: &TypeKind, at: Position, span: Span) -> Ty {
        let is_tag = matches!(written, TypeKind::Tag(_));
        if !self.func.inside || !matches!(at, Position::Local | Position::Cast) {
            self.report(errors::poly::missing_index(span, is_tag));
            return Ty::ERROR;
        }
        let kind = match is_tag {
            true => TyKind::Tag(self.fresh_size()),
            false => TyKind::Handle(self.fresh_region(span)),
        };
        self.unit.types.intern(kind)
    }

    /// `T x[n]`: elements of known size, a constant number of them.
    fn resolve_array(
        &mut self,
        elem: &ast::Type,
        len: Option<&ast::Expr>,
        zeroterm: Option<bool>,
        at: Position,
        span: Span,
    ) -> Ty {
        let elem_span = elem.span;
        let elem = self.resolve_at(elem, at, false);
        if !self.require_sized(elem.ty, elem_span, "an array element") {
            return Ty::ERROR;
        }
        let zeroterm = zeroterm.unwrap_or(false);
        if zeroterm && !self.unit.types.can_zeroterm(elem.ty) {
            self.report(errors::types::cannot_zeroterm(span, &self.show_q(elem)));
            return Ty::ERROR;
        }
        let len = match len {
            None => None,
            Some(e) => match self.const_int(e) {
                None => {
                    self.report(errors::types::array_length_not_constant(e.span));
                    return Ty::ERROR;
                }
                Some(n) if n < 0 => {
                    self.report(errors::types::array_length_negative(e.span, n));
                    return Ty::ERROR;
                }
                Some(n) => u64::try_from(n).ok().or(Some(u64::MAX)),
            },
        };
        let ty = self.unit.types.intern(TyKind::Array { elem, len, zeroterm });
        if len.is_some() && self.layout(elem.ty).is_some() && self.layout(ty).is_none() {
            self.report(errors::types::array_too_large(span));
            return Ty::ERROR;
        }
        ty
    }

    fn resolve_tuple(&mut self, parts: &[std::rc::Rc<ast::Type>], at: Position) -> Ty {
        let mut fields = vec![];
        for part in parts {
            let qty = self.resolve_at(part, at, false);
            if !self.require_sized(qty.ty, part.span, "a tuple component") {
                return Ty::ERROR;
            }
            fields.push(qty);
        }
        self.unit.types.intern(TyKind::Tuple(fields.into()))
    }

    /// `_` or `_::K` in a body.
    fn resolve_hole(&mut self, kind: Option<ast::KindName>, span: Span) -> Ty {
        let Some(name) = kind else { return self.fresh_ty(span) };
        match self.named_kind(name) {
            Some(kind) if kind.is_type() => self.fresh_ty_of(kind),
            Some(kind) => {
                self.report(errors::poly::not_a_type_kind(name, kind));
                Ty::ERROR
            }
            None => Ty::ERROR,
        }
    }

    /// A typedef's meaning, its parameters replaced by the arguments.
    fn resolve_typedef(&mut self, name: &ast::Name, args: &[std::rc::Rc<ast::Type>], at: Position) -> QTy {
        // The parser knows the typedefs: if it took the name for one, an error about it was reported.
        let Some(id) = self.lookup_typedef(name) else { return Ty::ERROR.into() };
        let typedef = self.names.typedef(id);
        let (qty, constructs_region) = (typedef.qty, typedef.region.is_some());
        if constructs_region {
            self.report(errors::poly::effect_as_type(name.span, name.name));
            return Ty::ERROR.into();
        }
        match self.typedef_args(id, name, args, at) {
            Some(list) => {
                let ty = self.unit.types.substitute_own(qty.ty, self.unit.types.args(list));
                QTy { ty, ..qty }
            }
            None => Ty::ERROR.into(),
        }
    }

    fn typedef_args(
        &mut self,
        id: crate::scope::TypedefId,
        name: &ast::Name,
        args: &[std::rc::Rc<ast::Type>],
        at: Position,
    ) -> Option<Args> {
        let typedef = self.names.typedef(id);
        let (params, declared) = (typedef.params.clone(), typedef.span);
        let what = name.name.to_string();
        let applied = argument::Applied { what: &what, params: &params, declared, span: name.span };
        self.resolve_args(applied, args, at)
    }

    /// `` next_rgn<`r> ``: an abstract typedef of kind E, applied; None: the name is no such thing.
    fn resolve_region_constructor(
        &mut self,
        name: &ast::Name,
        args: &[std::rc::Rc<ast::Type>],
        at: Position,
    ) -> Option<Region> {
        let id = self.lookup_typedef(name)?;
        let region = self.names.typedef(id).region?;
        match self.typedef_args(id, name, args, at) {
            Some(list) => Some(self.unit.types.substitute_own_region(region, self.unit.types.args(list))),
            None => Some(Region::Error),
        }
    }

    /// `struct S { … }` where it is used at once: its parameters are those variables around that have their names.
    fn resolve_definition(&mut self, def: &ast::AggrDef, attrs: &[ast::Attr]) -> Ty {
        let ty = self.define_aggr(def, attrs);
        let TyKind::Aggr(id) = *self.unit.types.kind(ty) else { return ty };
        if def.params.is_empty() {
            return ty;
        }
        let mut args = vec![];
        for var in &def.params {
            let Some((found, param)) = self.visible_variable(var.name, Position::Typedef) else {
                self.report(errors::poly::unbound(var.span, var.name));
                return Ty::ERROR;
            };
            args.push(param.arg(found, &self.unit.types));
        }
        let args = self.unit.types.intern_args(args);
        self.unit.types.intern(TyKind::Aggr(self.unit.types.aggr_instance(id, args)))
    }

    /// A use of a struct or union tag; an unknown one is declared by being mentioned.
    fn resolve_tag(
        &mut self,
        is_union: bool,
        name: &ast::Name,
        args: &[std::rc::Rc<ast::Type>],
        at: Position,
        span: Span,
    ) -> Ty {
        let Ok(found) = self.lookup_tag(name) else { return Ty::ERROR };
        match found {
            Some(Tag::Aggr(id)) if self.unit.types.aggr(id).is_union == is_union => self.apply_aggr(id, args, at, span),
            Some(tag) => {
                let (word, before) = self.describe_tag(tag);
                let expected = if is_union { "union" } else { "struct" };
                self.report(errors::decl::tag_of_another_kind(name.span, name.name, expected, word, before));
                Ty::ERROR
            }
            None if name.as_ident().is_none() => {
                self.report(errors::decl::not_in_namespace(name));
                Ty::ERROR
            }
            None => {
                let params = self.mentioned_params(args);
                let id = self.declare_aggr(name.name, is_union, params, name.span);
                self.apply_aggr(id, args, at, span)
            }
        }
    }

    /// A struct or union of that tag, in the current scope.
    pub(crate) fn declare_aggr(&mut self, name: Symbol, is_union: bool, params: Vec<TyParam>, span: Span) -> AggrId {
        let id = self.new_aggr(name, false, is_union, params, span);
        self.names.declare_tag(name, Tag::Aggr(id), span);
        if self.decls.extern_c {
            self.names.declare_c_tag(name, Tag::Aggr(id), span);
        }
        id
    }

    /// The struct or union at the given arguments.
    pub(crate) fn apply_aggr(&mut self, id: AggrId, args: &[std::rc::Rc<ast::Type>], at: Position, span: Span) -> Ty {
        let aggr = self.unit.types.aggr(id);
        if aggr.params.is_empty() && args.is_empty() {
            return self.unit.types.intern(TyKind::Aggr(id));
        }
        let (params, declared) = (aggr.params.clone(), aggr.span);
        let what = Self::applied_name(if aggr.is_union { "union" } else { "struct" }, aggr.name);
        let applied = argument::Applied { what: &what, params: &params, declared, span };
        match self.resolve_args(applied, args, at) {
            Some(args) => self.unit.types.intern(TyKind::Aggr(self.unit.types.aggr_instance(id, args))),
            None => Ty::ERROR,
        }
    }

    /// The parameters of a struct that is mentioned before it is declared, by its arguments.
    pub(crate) fn mentioned_params(&mut self, args: &[std::rc::Rc<ast::Type>]) -> Vec<TyParam> {
        let mut params = vec![];
        for arg in args {
            let (name, kind) = match &arg.kind {
                TypeKind::Var(var) => {
                    let known = self.visible_variable(var.name, Position::Typedef).map(|(_, p)| p.kind);
                    let written = var.kind.and_then(|k| kinds::kind_named(k.name)).map(|w| w.kind);
                    (var.name, written.or(known).unwrap_or(if var.name.as_str() == "`H" { Kind::E } else { Kind::B }))
                }
                TypeKind::EffectSet(_) | TypeKind::EffectJoin(_) | TypeKind::RegionsOf(_) => {
                    (Symbol::new("`r"), Kind::E)
                }
                TypeKind::ValueOf(_) => (Symbol::new("`i"), Kind::I),
                TypeKind::Aqual(_) | TypeKind::AqualsOf(_) => (Symbol::new("`q"), Kind::Q),
                _ => (Symbol::new("`a"), Kind::B),
            };
            params.push(TyParam { name, kind, bound: Aqual::Restricted });
        }
        params
    }

    /// A struct or union without fields as yet.
    pub(crate) fn new_aggr(
        &mut self,
        name: Symbol,
        anonymous: bool,
        is_union: bool,
        params: Vec<TyParam>,
        span: Span,
    ) -> AggrId {
        let from_c_text = self.decls.c_text;
        // C knows no namespaces.
        let name = if from_c_text || anonymous { name } else { self.names.qualified(name) };
        self.unit.types.declare_aggr(Aggr {
            params,
            exists: vec![],
            constraints: vec![],
            tagged: false,
            name,
            anonymous,
            is_union,
            fields: None,
            packed: false,
            align: None,
            from_c_text,
            c_typedef: None,
            thread_safe: false,
            span,
        })
    }

    pub(crate) fn describe_tag(&self, tag: Tag) -> (&'static str, Span) {
        match tag {
            Tag::Aggr(id) => {
                let aggr = self.unit.types.aggr(id);
                (if aggr.is_union { "union" } else { "struct" }, aggr.span)
            }
            Tag::Enum(id) => ("enum", self.unit.types.enumeration(id).span),
        }
    }

    /// A use of an enumeration's tag; an unknown one is declared by being mentioned.
    fn resolve_enum(&mut self, name: &ast::Name) -> Ty {
        let Ok(found) = self.lookup_tag(name) else { return Ty::ERROR };
        match found {
            Some(Tag::Enum(id)) => self.unit.types.intern(TyKind::Enum(id)),
            Some(tag) => {
                let (word, before) = self.describe_tag(tag);
                self.report(errors::decl::tag_of_another_kind(name.span, name.name, "enum", word, before));
                Ty::ERROR
            }
            None if name.as_ident().is_none() => {
                self.report(errors::types::undefined_enum(name.span, name.name));
                Ty::ERROR
            }
            None => {
                let id = self.declare_enum(name.name, name.span);
                self.unit.types.intern(TyKind::Enum(id))
            }
        }
    }

    /// A type that outlives the function being checked (of a `static`, a prototype, a field) must not
    /// speak of the function's regions, nor of types that are still to be inferred: `typeof` could
    /// bring both. Reports an error if it does.
    pub(crate) fn require_closed(&mut self, ty: Ty, span: Span) -> bool {
        if !self.func.inside || self.is_closed(ty) {
            return true;
        }
        let shown = self.show(ty);
        self.report(errors::types::not_closed(span, &shown));
        false
    }

    fn is_closed(&self, ty: Ty) -> bool {
        !self.unit.types.any_part(ty, &mut |part| match part {
            Part::Type(ty) => matches!(self.unit.types.kind(ty), TyKind::Infer(_) | TyKind::Var(Var::Param(_))),
            Part::Region(region) => matches!(region, Region::Param(_) | Region::Scope(_) | Region::Infer(_)),
            Part::Size(size) => matches!(size, Size::Var(Var::Param(_)) | Size::Infer(_)),
            Part::Aqual(aqual) => matches!(aqual, Aqual::Var(Var::Param(_)) | Aqual::Infer(_)),
        })
    }

    /// Is a value of this type of known size (kind M)? Reports an error that names `what` if not.
    pub fn require_sized(&mut self, ty: Ty, span: Span, what: &str) -> bool {
        let ty = self.resolve(ty);
        if let TyKind::Variant(datatype, variant) = *self.unit.types.kind(ty)
            && self.is_being_defined(datatype, variant)
        {
            let (shown, at) = (self.show(ty), self.unit.types.datatype(datatype).span);
            self.report(errors::types::contains_itself(span, &shown, at));
            return false;
        }
        if self.is_sized(ty) {
            return true;
        }
        if !self.require_defined_enum(ty, span) {
            return false;
        }
        let shown = self.show(ty);
        if let TyKind::Var(_) | TyKind::Abstract(..) = self.unit.types.kind(ty) {
            self.report(errors::poly::unsized_variable(span, what, &shown));
            return false;
        }
        let declared = match *self.unit.types.kind(ty) {
            TyKind::Aggr(id) => {
                let at = self.unit.types.aggr(id).span;
                if self.decls.defining.contains(&id) {
                    self.report(errors::types::contains_itself(span, &shown, at));
                    return false;
                }
                if self.unit.types.ends_open(ty) {
                    self.report(errors::types::ends_open(span, what, &shown, at));
                    return false;
                }
                Some(at)
            }
            TyKind::Datatype(id) => Some(self.unit.types.datatype(id).span).filter(|at| *at != Span::NONE),
            _ => None,
        };
        self.report(errors::types::needs_size(span, what, &shown, self.unit.types.kind(ty), declared));
        false
    }

    /// As [`Checker::require_sized`], without a report. What is still to be inferred counts as sized.
    pub(crate) fn is_sized(&self, ty: Ty) -> bool {
        let ty = self.resolve(ty);
        match self.unit.types.kind(ty) {
            TyKind::Infer(_) => true,
            TyKind::Var(_) | TyKind::Abstract(..) => self.type_kind(ty) != Kind::A,
            TyKind::Aggr(_) => self.unit.types.is_complete(ty) && self.type_kind(ty) != Kind::A,
            TyKind::Array { elem, len, .. } => len.is_some() && self.is_sized(elem.ty),
            _ => self.unit.types.is_complete(ty),
        }
    }

    /// Is it a struct that is defined and ends in something of unknown size?
    pub(crate) fn has_open_end(&self, ty: Ty) -> bool {
        let ty = self.resolve(ty);
        let TyKind::Aggr(id) = *self.unit.types.kind(ty) else { return false };
        let aggr = self.unit.types.aggr(id);
        aggr.fields.is_some() && !aggr.is_union && !self.is_sized(ty)
    }

    /// Size and alignment in bytes; None for types without known size.
    pub fn layout(&self, ty: Ty) -> Option<Layout> {
        self.unit.types.layout(self.resolve(ty))
    }

    /// The type as the user would write it, for messages.
    pub fn show(&self, ty: Ty) -> String {
        self.show_q(ty.into())
    }

    /// A declaration of `name` as the user would write it.
    pub fn show_declared(&self, qty: QTy, name: &str) -> String {
        self.unit.types.declaration(qty, name, &Names(self))
    }

    /// A region or effect as the user would write it, for messages.
    pub(crate) fn show_region(&self, region: Region) -> String {
        let handle = self.unit.types.intern(TyKind::Handle(region));
        let shown = self.show(handle);
        shown.strip_prefix("region_t<").and_then(|s| s.strip_suffix('>')).unwrap_or("a region").into()
    }

    /// As [`Checker::show`], with the qualifiers.
    pub fn show_q(&self, qty: QTy) -> String {
        self.unit.types.show(qty, &Names(self))
    }
}

/// Region and inference variables by the names of the function being checked.
struct Names<'a, 'b>(&'a Checker<'b>);

impl Show for Names<'_, '_> {
    fn region(&self, region: Region) -> Option<String> {
        let func = &self.0.func;
        match region {
            Region::Param(i) => func.params.get(i as usize).map(|param| param.name.to_string()),
            Region::Scope(scope) => {
                func.scopes.get(scope.0 as usize).and_then(|s| s.name).map(|name| format!("`{name}"))
            }
            Region::Current | Region::Caller => Some("`C".into()),
            Region::Heap
            | Region::Infer(_)
            | Region::Bound { .. }
            | Region::Own(_)
            | Region::App(..)
            | Region::Of(_)
            | Region::Set(_)
            | Region::Error => None,
        }
    }

    fn variable(&self, var: Var) -> Option<String> {
        match var {
            Var::Param(i) => self.0.func.params.get(i as usize).map(|param| param.name.to_string()),
            var => self.0.binders.param(var).map(|param| param.name.to_string()),
        }
    }

    fn infer(&self, var: Ty) -> Option<Ty> {
        Some(self.0.resolve(var))
    }
}

fn int_type(width: ast::IntWidth, signed: Option<bool>) -> IntTy {
    use ast::IntWidth::*;
    match (width, signed) {
        (Char, None) => IntTy::Char,
        (Char, Some(true)) => IntTy::SChar,
        (Char, Some(false)) => IntTy::UChar,
        (Short, Some(false)) => IntTy::UShort,
        (Short, _) => IntTy::Short,
        (Int, Some(false)) => IntTy::UInt,
        (Int, _) => IntTy::Int,
        (Long, Some(false)) => IntTy::ULong,
        (Long, _) => IntTy::Long,
        (LongLong, Some(false)) => IntTy::ULongLong,
        (LongLong, _) => IntTy::LongLong,
        (Int128, Some(false)) => IntTy::UInt128,
        (Int128, _) => IntTy::Int128,
    }
}

fn float_type(width: ast::FloatWidth) -> FloatTy {
    match width {
        ast::FloatWidth::Float => FloatTy::Float,
        ast::FloatWidth::Double => FloatTy::Double,
        ast::FloatWidth::LongDouble => FloatTy::LongDouble,
        ast::FloatWidth::Float128 => FloatTy::Float128,
    }
}
