//! Type arguments: what the parameters of a struct, union, datatype or typedef are instantiated with (core,
//! section 3.9; memory, sections 2.4 and 2.7).

use super::Position;
use super::kinds::aqual_const;
use crate::coerce::Instantiated;
use crate::cx::Checker;
use crate::errors;
use cyc_base::{Span, Symbol};
use cyc_syntax::ast::{self, TypeKind};
use cyc_types::{Aqual, Arg, Args, Kind, Region, Size, SizeOp, Ty, TyKind, TyParam, Var};
use std::rc::Rc;

/// A definition that is being applied, for messages.
#[derive(Clone, Copy)]
pub(crate) struct Applied<'a> {
    /// `struct List`
    pub what: &'a str,
    pub params: &'a [TyParam],
    /// Where it was declared.
    pub declared: Span,
    /// Where it is applied.
    pub span: Span,
}

impl Checker<'_> {
    /// The arguments that are written, the omitted trailing ones added: inferred in a body, fresh in a parameter,
    /// elsewhere the heap for a region and `ALIASABLE` for a qualifier. None: an error was reported.
    pub(crate) fn resolve_args(&mut self, applied: Applied, written: &[Rc<ast::Type>], at: Position) -> Option<Args> {
        let Applied { params, span, .. } = applied;
        if written.len() > params.len() {
            self.report(errors::poly::too_many_arguments(
                written[params.len()].span,
                applied.what,
                params.len(),
                written.len(),
                applied.declared,
            ));
            return None;
        }
        let mut args = vec![];
        let mut good = true;
        for (i, param) in params.iter().enumerate() {
            let arg = match written.get(i) {
                Some(written) => {
                    let arg = self.resolve_arg(written, *param, at);
                    let judged =
                        param.bound == Aqual::Restricted || arg.is_some_and(|arg| self.inherits_bound(arg, *param));
                    if let (Some(arg), false) = (arg, judged) {
                        let datatype = applied.what.starts_with("datatype");
                        let instantiated = Instantiated { param: *param, arg, span: written.span, datatype };
                        match self.func.inside {
                            true => self.func.alias_bounds.push(instantiated),
                            false => self.check_alias_bound(instantiated),
                        }
                    }
                    arg
                }
                None => self.omitted_arg(applied, *param, at, span),
            };
            good &= arg.is_some();
            args.extend(arg);
        }
        good.then(|| self.unit.types.intern_args(args))
    }

    /// Is the argument a variable of the typedef being declared that gets the parameter's alias bound?
    fn inherits_bound(&mut self, arg: Arg, param: TyParam) -> bool {
        match arg {
            Arg::Type(ty) => match *self.unit.types.kind(ty) {
                TyKind::Var(var) => self.binders.inherit_bound(var, param.bound),
                _ => false,
            },
            _ => false,
        }
    }

    /// One written argument, which must be of the parameter's kind.
    pub(crate) fn resolve_arg(&mut self, written: &ast::Type, param: TyParam, at: Position) -> Option<Arg> {
        match param.kind {
            Kind::A | Kind::B | Kind::M => {
                let qty = self.resolve_at(written, at, false);
                (qty.ty != Ty::ERROR && self.require_kind(qty.ty, param, written.span)).then_some(Arg::Type(qty.ty))
            }
            Kind::E => {
                let region = self.resolve_region(written, at);
                (region != Region::Error).then_some(Arg::Region(region))
            }
            Kind::I => {
                let size = self.resolve_size(written, at);
                (size != Size::Error).then_some(Arg::Size(size))
            }
            Kind::Q => {
                let aqual = self.resolve_aqual(written, at);
                (aqual != Aqual::Error).then_some(Arg::Aqual(aqual))
            }
        }
    }

    fn omitted_arg(&mut self, applied: Applied, param: TyParam, at: Position, span: Span) -> Option<Arg> {
        match at {
            Position::Local | Position::Cast if self.func.inside => return Some(self.fresh_arg(param, span)),
            Position::Param => {
                if param.kind == Kind::Q {
                    return Some(Arg::Aqual(Aqual::Aliasable));
                }
                let kind = if param.kind == Kind::M { Kind::B } else { param.kind };
                if let Some((var, fresh)) = self.binders.fresh(kind) {
                    return Some(fresh.arg(var, &self.unit.types));
                }
            }
            _ => {}
        }
        match param.kind {
            Kind::E => Some(Arg::Region(Region::Heap)),
            Kind::Q => Some(Arg::Aqual(Aqual::Aliasable)),
            _ => {
                self.report(errors::poly::missing_argument(span, applied.what, param, applied.declared));
                None
            }
        }
    }

    /// A region or effect in the place of a type argument, after `region_t<` or in an effect.
    pub(crate) fn resolve_region(&mut self, written: &ast::Type, at: Position) -> Region {
        match &written.kind {
            TypeKind::Var(var) => self.region_variable(var, at),
            TypeKind::Hole(_) => self.default_region(at, written.span),
            TypeKind::EffectSet(parts) | TypeKind::EffectJoin(parts) => {
                let parts: Vec<Region> = parts.iter().map(|p| self.resolve_region(p, at)).collect();
                if parts.contains(&Region::Error) { Region::Error } else { self.unit.types.effect(parts) }
            }
            TypeKind::RegionsOf(of) => {
                let ty = self.resolve_at(of, at, false).ty;
                if ty == Ty::ERROR { Region::Error } else { self.unit.types.regions_of(ty) }
            }
            TypeKind::Typedef { name, args } => match self.resolve_region_constructor(name, args, at) {
                Some(region) => region,
                None => {
                    self.report(errors::types::not_a_region(written.span));
                    Region::Error
                }
            },
            TypeKind::Error => Region::Error,
            _ => {
                self.report(errors::types::not_a_region(written.span));
                Region::Error
            }
        }
    }

    /// A region variable, a block's name, or one of the predefined regions.
    fn region_variable(&mut self, var: &ast::TypeVar, at: Position) -> Region {
        match var.name.as_str() {
            "`H" => return Region::Heap,
            "`U" | "`RC" => {
                self.report(errors::poly::short_as_region(var.span, var.name));
                return Region::Error;
            }
            "`C" => return self.resolve_current(at, var.span),
            _ => {}
        }
        if let Some((found, param)) = self.visible_variable(var.name, at) {
            if param.kind != Kind::E {
                self.report(errors::types::kind_is_not_region(var.span, var.name));
                return Region::Error;
            }
            return match self.region_kind(var) {
                true => found.into(),
                false => Region::Error,
            };
        }
        // What outlives the function cannot speak of its regions.
        let inside = matches!(at, Position::Local | Position::Cast | Position::Typedef) || self.binders.nested;
        match self.named_region(var.name).filter(|_| inside) {
            Some(region) if self.region_kind(var) => region,
            Some(_) => Region::Error,
            None => {
                self.report(errors::types::unbound_region(var.span, var.name));
                Region::Error
            }
        }
    }

    /// A type-level integer: a variable, `valueof_t(e)`, or a hole.
    pub(crate) fn resolve_size(&mut self, written: &ast::Type, at: Position) -> Size {
        match &written.kind {
            TypeKind::Var(var) => match self.find_variable(var, at) {
                Some((found, param)) if param.kind == Kind::I => Size::Var(found),
                Some((_, param)) => {
                    self.report(errors::poly::wrong_kind(var.span, var.name, param.kind, "an integer (kind I)"));
                    Size::Error
                }
                None => Size::Error,
            },
            TypeKind::ValueOf(e) => self.size_expr(e, at),
            TypeKind::Hole(_) if self.func.inside && matches!(at, Position::Local | Position::Cast) => {
                self.fresh_size()
            }
            TypeKind::Error => Size::Error,
            _ => {
                self.report(errors::poly::not_of_kind(written.span, Kind::I));
                Size::Error
            }
        }
    }

    /// An integer type expression: a constant, `valueof(i)`, or a sum, difference or product of these.
    pub(crate) fn size_expr(&mut self, e: &ast::Expr, at: Position) -> Size {
        match &e.kind {
            ast::ExprKind::Valueof(ty) => self.resolve_size(ty, at),
            ast::ExprKind::Name(name) if self.tag_named(name).is_some() => match self.tag_named(name) {
                Some(var) => Size::Var(var),
                None => Size::Error,
            },
            ast::ExprKind::SizeofType(ty) => {
                let ty = self.resolve_at(ty, at, false).ty;
                if ty == Ty::ERROR { Size::Error } else { self.unit.types.size_of(ty) }
            }
            ast::ExprKind::Binary(op @ (ast::BinOp::Add | ast::BinOp::Sub | ast::BinOp::Mul), a, b)
                if self.is_size(e) =>
            {
                let (a, b) = (self.size_expr(a, at), self.size_expr(b, at));
                self.unit.types.size_op(match op {
                    ast::BinOp::Add => SizeOp::Add(a, b),
                    ast::BinOp::Sub => SizeOp::Sub(a, b),
                    _ => SizeOp::Mul(a, b),
                })
            }
            _ => match self.require_const_int(e, errors::poly::not_a_size) {
                Some(n) => match u64::try_from(n) {
                    Ok(n) => Size::Const(n),
                    Err(_) => {
                        self.report(errors::poly::not_a_size(e.span));
                        Size::Error
                    }
                },
                None => Size::Error,
            },
        }
    }

    /// The integer of a parameter of the function type around that is a tag.
    fn tag_named(&self, name: &ast::Name) -> Option<Var> {
        let ident = name.as_ident()?;
        let (_, var) = self.binders.tags.iter().rfind(|(tag, _)| *tag == ident.name)?;
        self.binders.lookup(*var).filter(|(_, param)| param.kind == Kind::I).map(|(var, _)| var)
    }

    /// Does the expression speak of type-level integers?
    pub(crate) fn is_size(&self, e: &ast::Expr) -> bool {
        match &e.kind {
            ast::ExprKind::Valueof(_) => true,
            ast::ExprKind::Name(name) => self.tag_named(name).is_some(),
            ast::ExprKind::Binary(_, a, b) => self.is_size(a) || self.is_size(b),
            _ => false,
        }
    }

    /// An alias qualifier: a constant, a variable, or `aquals(T)`.
    pub(crate) fn resolve_aqual(&mut self, written: &ast::Type, at: Position) -> Aqual {
        match &written.kind {
            TypeKind::Aqual(aqual) => aqual_const(*aqual),
            TypeKind::Var(var) => match self.find_variable(var, at) {
                Some((found, param)) if param.kind == Kind::Q => Aqual::Var(found),
                Some((_, param)) => {
                    let want = "an alias qualifier (kind Q)";
                    self.report(errors::poly::wrong_kind(var.span, var.name, param.kind, want));
                    Aqual::Error
                }
                None => Aqual::Error,
            },
            TypeKind::AqualsOf(of) => {
                let ty = self.resolve_at(of, at, false).ty;
                self.unit.types.aqual_of(ty)
            }
            TypeKind::Hole(_) if self.func.inside && matches!(at, Position::Local | Position::Cast) => {
                self.fresh_aqual()
            }
            TypeKind::Error => Aqual::Error,
            _ => {
                self.report(errors::poly::not_of_kind(written.span, Kind::Q));
                Aqual::Error
            }
        }
    }

    /// The name of a definition with its keyword.
    pub(crate) fn applied_name(word: &str, name: Symbol) -> String {
        if word.is_empty() { name.to_string() } else { format!("{word} {name}") }
    }
}
