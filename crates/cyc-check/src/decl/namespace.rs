//! Namespaces and `using` (core, section 12.2).

use crate::cx::Checker;
use crate::errors;
use crate::scope::NamespaceId;
use cyc_syntax::ast::{self, Ident, Root};

impl Checker<'_> {
    /// `namespace N { … }` and `namespace N;`: declarations go to `N`, made or opened again.
    pub(super) fn check_namespace(&mut self, name: Ident, items: &[ast::Item]) {
        // Paths that begin with these are absolute: what is in such a namespace could not be named from elsewhere.
        if matches!(name.name.as_str(), "Cyc" | "C") {
            self.report(errors::decl::reserved_namespace(name));
        }
        self.names.enter_namespace(name.name);
        self.check_items(items);
        self.names.leave_namespace();
    }

    /// `using Q { … }` and `using Q;`: the names of `Q` are found after the enclosing namespace's own. Declarations
    /// still go to the enclosing namespace.
    pub(super) fn check_using(&mut self, name: &ast::Name, items: &[ast::Item]) {
        let mut parts = name.path.clone();
        parts.push(name.name);
        let Some(namespace) = self.names.namespace(name.root, &parts) else {
            self.report_unknown_namespace(name.span, name.root, &parts);
            self.check_items(items);
            return;
        };
        self.names.enter_using(namespace, name.span);
        self.check_items(items);
        self.names.leave_using();
    }

    /// The name that a declaration gives, and the namespace it goes to; an error if the name is qualified, unless
    /// outside functions with the absolute path of a namespace seen before.
    pub(super) fn declared_name(&mut self, name: &ast::Name) -> Option<(Ident, NamespaceId)> {
        if let Some(ident) = name.as_ident() {
            return Some((ident, self.names.target()));
        }
        if name.root != Root::Cyclone || self.names.level() > 0 {
            self.report(errors::decl::qualified_declaration(name.span));
            return None;
        }
        match self.names.namespace(name.root, &name.path) {
            Some(namespace) => Some((Ident { name: name.name, span: name.span }, namespace)),
            None => {
                self.report_unknown_namespace(name.span, name.root, &name.path);
                None
            }
        }
    }

    /// Declares something in a namespace: `work` sees that namespace as the current one.
    pub(super) fn in_namespace<T>(&mut self, namespace: NamespaceId, work: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.names.declare_in(namespace);
        let result = work(self);
        self.names.declare_in(outer);
        result
    }
}
