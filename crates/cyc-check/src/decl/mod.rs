//! Declarations: what a unit's names mean.

mod aggregate;
mod c_override;
mod closure;
mod condition;
mod contract;
mod datatype;
mod enumeration;
mod extern_c;
mod function;
mod global;
mod lift;
mod local;
mod main_function;
mod namespace;
pub(crate) mod nested;
mod tagged;
mod typedef;
pub(crate) mod widened;

use crate::cx::Checker;
use crate::errors;
use crate::scope::NamespaceId;
use crate::tast::{CText, GlobalId, TypedUnit};
use crate::types::DeclAttrs;
use crate::types::back_end::Contents;
use cyc_base::{Diagnostic, Diagnostics, Span, Symbol};
use cyc_syntax::ast::{self, DefId, ItemKind, Storage};
use cyc_types::{AggrId, DatatypeId, EXN, Ty};
use rustc_hash::FxHashMap;

/// What declarations need to know about those before them.
#[derive(Default)]
pub(crate) struct DeclCx {
    /// In the C text of an `extern "C include"`: only declarations count, and only readable ones.
    pub c_text: bool,
    /// In `cyclone_override`, at a struct or union: the fields of C's get other types.
    pub overriding: bool,
    /// In `extern "C"`: names are C's, nothing is defined.
    pub extern_c: bool,
    /// The function type to be resolved next is that of a function's declaration, which keeps its contract.
    pub keeps_contract: bool,
    /// Between `__tempest_on__` and `__tempest_off__`: a plain `*` is fat.
    pub tempest: bool,
    /// Structs and enumerations defined within specifiers: each is one node for several declarators.
    pub defined: FxHashMap<DefId, Ty>,
    /// Attributes of a declaration that were written after a function's parameters.
    pub pending: DeclAttrs,
    /// What the sections that the program names hold, and where that was said first.
    pub sections: FxHashMap<String, (Contents, Span)>,
    /// Where functions were defined, and variables with an initialiser.
    pub definitions: FxHashMap<GlobalId, Span>,
    /// Globals by name, wherever they were declared: an `extern` of a block and one of another block, or of
    /// the top level, are the same thing and must agree.
    pub linked: FxHashMap<(NamespaceId, Symbol), GlobalId>,
    /// The structs and unions whose fields are being read, outermost first.
    pub defining: Vec<AggrId>,
    /// The datatypes whose variants are being read, with the number of the first new one.
    pub defining_variants: Vec<(DatatypeId, u32)>,
    /// Enumerations that types were instantiated with before they were defined.
    pub forward_enums: Vec<(Ty, Span)>,
    /// Anonymous structs and unions that were defined.
    pub anonymous_shapes: FxHashMap<aggregate::AnonymousShape, Ty>,
    anonymous: u32,
    statics: FxHashMap<Symbol, u32>,
}

impl DeclCx {
    /// A tag for a struct, union or enumeration that has none.
    pub fn anonymous_tag(&mut self) -> Symbol {
        self.anonymous += 1;
        Symbol::new(&format!("_anon{}", self.anonymous))
    }
}

impl Checker<'_> {
    pub(crate) fn check_items(&mut self, items: &[ast::Item]) {
        for item in items {
            match &item.kind {
                ItemKind::Function(function) => self.check_function(function),
                ItemKind::Decl(decl) => self.check_global_decl(decl),
                ItemKind::Using { name, items } => self.check_using(name, items),
                ItemKind::Namespace { name, items } => self.check_namespace(*name, items),
                ItemKind::NoInference(items) => self.check_items(items),
                ItemKind::ExternC(items) => {
                    let outer = std::mem::replace(&mut self.decls.extern_c, true);
                    self.check_items(items);
                    self.decls.extern_c = outer;
                }
                ItemKind::ExternCInclude(include) => self.check_extern_c_include(include),
                ItemKind::Tempest { on } => self.decls.tempest = *on,
                ItemKind::Port { .. } => {}
                ItemKind::Asm(asm) if self.options.allow_asm => {
                    self.report(errors::expr::asm_unchecked(asm.span));
                    self.unit.c_texts.push(CText::Asm(asm.template.clone()));
                }
                ItemKind::Asm(asm) => self.check_top_level_asm(asm),
                ItemKind::StaticAssert { cond, message } => self.check_static_assert(cond, message.as_deref()),
            }
        }
    }

    /// `asm("…");` between functions: only where the user has allowed it, with a warning.
    fn check_top_level_asm(&mut self, asm: &ast::Asm) {
        if !self.options.allow_asm {
            self.report(errors::decl::top_level_asm(asm.span));
            return;
        }
        self.report(errors::expr::asm_unchecked(asm.span));
        self.unit.c_texts.push(CText::Asm(asm.template.clone()));
    }

    fn check_global_decl(&mut self, decl: &ast::Decl) {
        match decl {
            ast::Decl::Vars { specs, base, vars } => self.check_global_vars(specs, base, vars),
            ast::Decl::StaticAssert { cond, message, .. } => self.check_static_assert(cond, message.as_deref()),
            ast::Decl::Let { span, .. } | ast::Decl::LetVars { span, .. } => {
                self.report(errors::decl::storage_not_allowed(*span, "let", "a declaration outside a function"));
            }
            ast::Decl::Region { span, .. } => {
                self.report(errors::decl::storage_not_allowed(*span, "region", "a declaration outside a function"));
            }
        }
    }

    /// `_Static_assert(e, "…")`: `e` must be a constant other than 0.
    pub fn check_static_assert(&mut self, cond: &ast::Expr, message: Option<&[u8]>) {
        if self.require_const_int(cond, errors::decl::static_assertion_not_constant) == Some(0) {
            let message = message.map(|m| String::from_utf8_lossy(m).into_owned());
            self.report(errors::decl::static_assertion_failed(cond.span, message.as_deref()));
        }
    }

    /// How many diagnostics there are: whether a step reported something of its own.
    pub(crate) fn reported(&self) -> usize {
        self.diags.iter().len()
    }

    /// The value of an integer constant expression; if it is not one, `otherwise` makes the error
    /// (unless the expression had errors of its own).
    pub(crate) fn require_const_int(
        &mut self,
        e: &ast::Expr,
        otherwise: impl FnOnce(Span) -> Diagnostic,
    ) -> Option<i128> {
        let before = self.reported();
        let value = self.const_int(e);
        if value.is_none() && !self.diags.iter().skip(before).any(Diagnostic::is_error) {
            self.report(otherwise(e.span));
        }
        value
    }

    /// What every unit has before its first declaration.
    pub(crate) fn declare_builtins(&mut self) {
        let exn = Symbol::new("exn");
        self.names.declare_datatype(exn, EXN, Span::NONE);
        let variants: Vec<Symbol> = self.unit.types.datatype(EXN).variants.iter().map(|v| v.name).collect();
        for (i, name) in variants.into_iter().enumerate() {
            self.declare_variant(EXN, i as u32, name);
        }
    }

    fn declare_variant(&mut self, datatype: DatatypeId, index: u32, name: Symbol) {
        self.names.declare_value(name, crate::scope::Entity::Variant(datatype, index), Span::NONE);
    }

    pub(crate) fn finish(mut self) -> (TypedUnit, Diagnostics) {
        self.check_weak_globals();
        self.check_forward_enums();
        if !self.diags.has_errors() {
            let found = crate::threads::judge(&mut self.unit);
            self.diags.extend(found);
        }
        (self.unit, self.diags)
    }
}

/// A storage class as it is written.
fn storage_name(storage: Storage) -> &'static str {
    match storage {
        Storage::Auto => "auto",
        Storage::Register => "register",
        Storage::Static => "static",
        Storage::Extern => "extern",
        Storage::ExternC => "extern \"C\"",
        Storage::Typedef => "typedef",
        Storage::Abstract => "abstract",
    }
}
