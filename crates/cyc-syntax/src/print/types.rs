//! Types, declarators, effects and constraints.

use super::Printer;
use crate::ast::*;

/// A declarator while it is turned outside in: its text, and whether a pointer is outermost in it.
struct Inner {
    text: String,
    pointer: bool,
}

impl Printer {
    pub(super) fn quals(&mut self, quals: Quals) {
        let words = [
            (quals.is_const, "const "),
            (quals.is_volatile, "volatile "),
            (quals.is_restrict, "restrict "),
            (quals.is_atomic, "_Atomic "),
        ];
        words.iter().filter(|(present, _)| *present).for_each(|(_, word)| self.text(word));
    }

    pub(super) fn attrs(&mut self, attrs: &[Attr]) {
        for attr in attrs {
            self.text("__attribute__((");
            self.text(attr.name.as_str());
            if !attr.args.is_empty() {
                self.text("(");
                self.list(&attr.args, ", ", |p, arg| p.expr_in(arg, 1));
                self.text(")");
            }
            self.text(")) ");
        }
    }

    /// spec-qual-list [ abstract-declarator ]
    pub(super) fn type_name(&mut self, ty: &Type) {
        self.declared(ty, String::new());
    }

    /// The type with a declarator around `name`: `int (*name)[3]`.
    pub(super) fn declared(&mut self, ty: &Type, name: String) {
        let (base, declarator) = self.declarator(ty, name);
        self.base_type(base);
        if !declarator.is_empty() {
            self.text(" ");
            self.text(&declarator);
        }
    }

    /// The specifiers of a type that is no pointer, array or function.
    pub(super) fn base_type(&mut self, ty: &Type) {
        self.attrs(&ty.attrs);
        self.quals(ty.quals);
        self.nest(|p| p.specifier(&ty.kind));
    }

    /// The base type and the declarator's text.
    pub(super) fn declarator<'t>(&mut self, ty: &'t Type, name: String) -> (&'t Type, String) {
        let mut inner = Inner { text: name, pointer: false };
        let mut ty = ty;
        loop {
            let next = match &ty.kind {
                TypeKind::Pointer(pointer) => {
                    let head = self.apart(|p| p.nest(|p| p.pointer(pointer, ty.quals)));
                    let space = if inner.text.is_empty() || inner.text.starts_with(['(', '[']) { "" } else { " " };
                    inner = Inner { text: format!("{head}{space}{}", inner.text), pointer: true };
                    &pointer.to
                }
                TypeKind::Array { elem, len, zeroterm } => {
                    let suffix = self.apart(|p| {
                        p.text("[");
                        if let Some(len) = len {
                            p.expr_in(len, 1);
                        }
                        p.text("]");
                        p.zeroterm(*zeroterm);
                    });
                    inner = with_suffix(inner, &suffix);
                    elem
                }
                TypeKind::Function(function) => {
                    let suffix = self.apart(|p| p.nest(|p| p.function_suffix(function)));
                    inner = with_suffix(inner, &suffix);
                    &function.ret
                }
                _ => return (ty, inner.text),
            };
            ty = next;
        }
    }

    fn zeroterm(&mut self, zeroterm: Option<bool>) {
        self.text(match zeroterm {
            Some(true) => "@zeroterm",
            Some(false) => "@nozeroterm",
            None => "",
        });
    }

    fn pointer(&mut self, pointer: &Pointer, quals: Quals) {
        let (head, fat, nullable) = match pointer.head {
            PtrHead::Star => ("*", None, None),
            PtrHead::At => ("@", None, Some(false)),
            PtrHead::Question => ("?", Some(true), None),
        };
        self.text(head);
        if let Some(bound) = &pointer.bound {
            self.text("@numelts(");
            self.expr_in(bound, 1);
            self.text(")");
        }
        if pointer.fat != fat {
            self.text(if pointer.fat == Some(true) { "@fat" } else { "@thin" });
        }
        if pointer.nullable != nullable {
            self.text(if pointer.nullable == Some(true) { "@nullable" } else { "@notnull" });
        }
        self.zeroterm(pointer.zeroterm);
        self.text(if pointer.autoreleased { "@autoreleased" } else { "" });
        if let Some(aqual) = &pointer.aqual {
            self.text("@aqual(");
            self.type_name(aqual);
            self.text(")");
        }
        if let Some(region) = &pointer.region {
            self.pointer_region(region);
        }
        if !pointer.attrs.is_empty() || quals != Quals::default() {
            self.text(" ");
            self.attrs(&pointer.attrs);
            self.quals(quals);
            let end = self.out.trim_end().len();
            self.out.truncate(end);
        }
    }

    fn pointer_region(&mut self, region: &Type) {
        let plain = match &region.kind {
            TypeKind::Var(_) | TypeKind::Hole(None) => true,
            TypeKind::EffectJoin(parts) => matches!(parts.first().map(|t| &t.kind), Some(TypeKind::Var(_))),
            _ => false,
        };
        if plain {
            return self.type_name(region);
        }
        let effect = matches!(
            region.kind,
            TypeKind::EffectSet(_) | TypeKind::EffectJoin(_) | TypeKind::RegionsOf(_) | TypeKind::Hole(_)
        );
        self.text(if effect { "@effect(" } else { "@region(" });
        self.type_name(region);
        self.text(")");
    }

    fn function_suffix(&mut self, function: &FnType) {
        if let Some(binders) = &function.binders {
            self.binders(binders);
        }
        self.text("(");
        self.list(&function.params, ", ", |p, param| p.param(param));
        let comma = if function.params.is_empty() { "" } else { ", " };
        match &function.varargs {
            Varargs::None => {}
            Varargs::C => {
                self.text(comma);
                self.text("...");
            }
            Varargs::Typed { inject, param } => {
                self.text(comma);
                self.text(if *inject { "... inject " } else { "... " });
                self.param(param);
            }
        }
        if let Some(effect) = &function.effect {
            self.text("; ");
            self.type_name(effect);
        }
        self.constraints(&function.constraints, " : ");
        self.text(")");
        for contract in &function.contracts {
            self.text(match contract.kind {
                ContractKind::Checks => " @checks(",
                ContractKind::Requires => " @requires(",
                ContractKind::Ensures => " @ensures(",
                ContractKind::Throws => " @throws(",
            });
            self.expr(&contract.cond);
            self.text(")");
        }
        if !function.attrs.is_empty() {
            self.text(" ");
            self.attrs(&function.attrs);
            self.out.pop();
        }
    }

    pub(super) fn param(&mut self, param: &Param) {
        self.attrs(&param.attrs);
        self.declared(&param.ty, param.name.map_or(String::new(), |n| n.name.to_string()));
    }

    pub(super) fn constraints(&mut self, constraints: &[Constraint], before: &str) {
        if constraints.is_empty() {
            return;
        }
        self.text(before);
        self.list(constraints, ", ", |p, constraint| {
            let (left, relation, right) = match constraint {
                Constraint::Single(effect) => {
                    p.text("single(");
                    p.type_name(effect);
                    return p.text(")");
                }
                Constraint::Outlives(a, b) => (a, " <= ", b),
                Constraint::Disjoint(a, b) => (a, " | ", b),
                Constraint::AqualBound(a, b) => (a, " >= ", b),
            };
            p.type_name(left);
            p.text(relation);
            p.type_name(right);
        });
    }

    pub(super) fn binders(&mut self, binders: &[TypeVar]) {
        if !binders.is_empty() {
            self.text("<");
            self.list(binders, ",", |p, var| p.type_var(var));
            self.text(">");
        }
    }

    pub(super) fn type_args(&mut self, args: &[std::rc::Rc<Type>]) {
        if !args.is_empty() {
            self.text("<");
            self.list(args, ",", |p, arg| p.type_name(arg));
            self.text(">");
        }
    }

    pub(super) fn type_var(&mut self, var: &TypeVar) {
        self.text(var.name.as_str());
        if let Some(kind) = var.kind {
            self.text("::");
            self.text(kind.name.as_str());
        }
        if let Some(alias) = var.alias {
            self.aqual_const(alias);
        }
    }

    /// In the short spelling, which C blocks understand too.
    fn aqual_const(&mut self, qual: AqualConst) {
        self.text(match qual {
            AqualConst::Aliasable => "\\A",
            AqualConst::Unique => "\\U",
            AqualConst::Refcnt => "\\RC",
            AqualConst::Restricted => "\\T",
        });
    }

    fn specifier(&mut self, kind: &TypeKind) {
        match kind {
            TypeKind::Void => self.text("void"),
            TypeKind::Bool => self.text("_Bool"),
            TypeKind::Int { width, signed } => self.int_type(*width, *signed),
            TypeKind::Float { width, complex } => {
                self.text(if *complex { "_Complex " } else { "" });
                self.text(match width {
                    FloatWidth::Float => "float",
                    FloatWidth::Double => "double",
                    FloatWidth::LongDouble => "long double",
                    FloatWidth::Float128 => "_Float128",
                });
            }
            TypeKind::VaList => self.text("__builtin_va_list"),
            TypeKind::Aggr { is_union, tagged, name, args } => {
                self.text(if *tagged { "@tagged " } else { "" });
                self.text(if *is_union { "union " } else { "struct " });
                self.name(name);
                self.type_args(args);
            }
            TypeKind::AggrDef(def) => self.aggr_def(def),
            TypeKind::Enum(name) => {
                self.text("enum ");
                self.name(name);
            }
            TypeKind::EnumDef(def) => self.enum_def(def),
            TypeKind::Datatype { extensible, name, variant, args } => {
                self.text(if *extensible { "@extensible datatype " } else { "datatype " });
                self.name(name);
                if let Some(variant) = variant {
                    self.text(".");
                    self.name(variant);
                }
                self.type_args(args);
            }
            TypeKind::DatatypeDef(def) => self.datatype_def(def),
            TypeKind::Typedef { name, args } => {
                self.name(name);
                self.type_args(args);
            }
            _ => self.constructor(kind),
        }
    }

    fn int_type(&mut self, width: IntWidth, signed: Option<bool>) {
        self.text(match (width, signed) {
            (_, Some(false)) => "unsigned ",
            (IntWidth::Char, Some(true)) => "signed ",
            _ => "",
        });
        self.text(match width {
            IntWidth::Char => "char",
            IntWidth::Short => "short",
            IntWidth::Int => "int",
            IntWidth::Long => "long",
            IntWidth::LongLong => "long long",
            IntWidth::Int128 => "__int128",
        });
    }

    /// The type specifiers that look like applications, effects and qualifiers.
    fn constructor(&mut self, kind: &TypeKind) {
        match kind {
            TypeKind::TypeofExpr(expr) => self.wrapped("typeof(", ")", |p| p.expr(expr)),
            TypeKind::TypeofType(ty) => self.wrapped("typeof(", ")", |p| p.type_name(ty)),
            TypeKind::Var(var) => self.type_var(var),
            TypeKind::Hole(kind) => {
                self.text("_");
                if let Some(kind) = kind {
                    self.text("::");
                    self.text(kind.name.as_str());
                }
            }
            TypeKind::Tuple(types) => self.wrapped("$(", ")", |p| p.list(types, ", ", |p, ty| p.type_name(ty))),
            TypeKind::RegionHandle(region) => self.handle("region_t", region.as_deref()),
            TypeKind::Tag(index) => self.handle("tag_t", index.as_deref()),
            TypeKind::AqualHandle(qual) => self.handle("aqual_t", Some(qual)),
            TypeKind::ValueOf(expr) => self.wrapped("valueof_t(", ")", |p| p.expr(expr)),
            TypeKind::Subset(subset) => self.wrapped("@subset(", ")", |p| {
                p.declared(&subset.ty, subset.name.name.to_string());
                p.text(" | ");
                p.expr_in(&subset.cond, 2);
            }),
            TypeKind::EffectSet(types) => self.wrapped("{", "}", |p| p.list(types, ", ", |p, ty| p.type_name(ty))),
            TypeKind::EffectJoin(parts) => self.list(parts, " + ", |p, part| p.type_name(part)),
            TypeKind::RegionsOf(ty) => self.wrapped("regions(", ")", |p| p.type_name(ty)),
            TypeKind::Aqual(qual) => self.aqual_const(*qual),
            TypeKind::AqualsOf(ty) => self.wrapped("aquals(", ")", |p| p.type_name(ty)),
            _ => self.text("/* unreadable */ int"),
        }
    }

    pub(super) fn wrapped(&mut self, open: &str, close: &str, inner: impl FnOnce(&mut Self)) {
        self.text(open);
        inner(self);
        self.text(close);
    }

    fn handle(&mut self, word: &str, argument: Option<&Type>) {
        self.text(word);
        if let Some(argument) = argument {
            self.wrapped("<", ">", |p| p.type_name(argument));
        }
    }
}

/// A suffix binds tighter than a pointer: that needs parentheses.
fn with_suffix(inner: Inner, suffix: &str) -> Inner {
    let text = match inner.pointer {
        true => format!("({}){suffix}", inner.text),
        false => format!("{}{suffix}", inner.text),
    };
    Inner { text, pointer: false }
}
