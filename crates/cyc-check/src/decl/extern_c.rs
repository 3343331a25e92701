//! `extern "C include"`: C text whose declarations become visible (core, section 13.2).

use crate::cx::Checker;
use crate::errors;
use crate::scope::Entity;
use crate::tast::{CText, GlobalId};
use cyc_base::Symbol;
use cyc_syntax::ast::{self, Export};
use rustc_hash::FxHashSet;

impl Checker<'_> {
    /// Types, enumerators and typedefs of the C text become visible; functions and variables only if
    /// they are exported. What cannot be read as a Cyclone declaration is passed over silently, for
    /// C headers are full of it, unless it is exported.
    pub(super) fn check_extern_c_include(&mut self, include: &ast::ExternCInclude) {
        if let Some(item) = include.items.iter().find(|i| matches!(i.kind, ast::ItemKind::ExternC(_))) {
            self.report(errors::decl::cyclone_in_c_text(item.span, include.c_text));
            return;
        }
        self.unit.c_texts.push(CText::Include(include.c_text));
        let outer = (self.decls.c_text, self.decls.extern_c);
        (self.decls.c_text, self.decls.extern_c) = (true, true);
        let first = self.unit.globals.len();
        let said = std::mem::take(&mut self.diags);
        self.check_items(&include.items);
        self.diags = said;
        self.decls.c_text = false;
        self.check_overrides(&include.overrides);
        self.decls.extern_c = outer.1;
        self.decls.c_text = outer.0;
        self.hide_unexported(include, first);
    }

    fn hide_unexported(&mut self, include: &ast::ExternCInclude, first: usize) {
        let hidden: FxHashSet<Symbol> = include.hide.iter().map(|i| i.name).collect();
        let exported: Option<FxHashSet<Symbol>> = match &include.export {
            Some(Export::All) => None,
            Some(Export::Names(names)) => Some(names.iter().map(|n| n.name).collect()),
            None => Some(FxHashSet::default()),
        };
        if let Some(Export::Names(names)) = &include.export {
            for name in names {
                if !matches!(self.names.value(name.name), Some(Entity::Global(_))) {
                    self.report(errors::decl::unreadable_c_export(name.span, name.name));
                }
            }
        }
        for index in first..self.unit.globals.len() {
            let name = self.unit.globals[index].name;
            let visible = exported.as_ref().is_none_or(|e| e.contains(&name)) && !hidden.contains(&name);
            if !visible && self.names.value(name) == Some(Entity::Global(GlobalId(index as u32))) {
                self.names.forget_value(name, Entity::Global(GlobalId(index as u32)));
                self.decls.linked.remove(&(self.names.target(), name));
            }
        }
    }
}
