//! Prints a tree as source text again: the same tree results when the text is parsed.
//!
//! Comments, layout and redundant parentheses are gone; numbers keep their value, not their
//! spelling; `using Q;` becomes `using Q { … }`, a K&R definition a prototype definition.

mod decl;
mod expr;
mod literal;
mod stmt;
mod types;

use crate::ast::*;

/// The source text of a unit.
pub fn unit(unit: &Unit) -> String {
    let mut printer = Printer::default();
    printer.items(&unit.items);
    printer.out
}

/// The text of a type, as in a cast.
pub fn type_name(ty: &Type) -> String {
    let mut printer = Printer::default();
    printer.type_name(ty);
    printer.out
}

/// The text of an expression.
pub fn expr(expr: &Expr) -> String {
    let mut printer = Printer::default();
    printer.expr(expr);
    printer.out
}

/// The text of a pattern.
pub fn pattern(pattern: &Pattern) -> String {
    let mut printer = Printer::default();
    printer.pattern(pattern);
    printer.out
}

#[derive(Default)]
struct Printer {
    out: String,
    indent: usize,
}

impl Printer {
    fn text(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn line(&mut self) {
        self.out.push('\n');
        for _ in 0..self.indent {
            self.out.push_str("  ");
        }
    }

    /// Prints the members with a separator between them.
    fn list<T>(&mut self, members: &[T], separator: &str, mut each: impl FnMut(&mut Self, &T)) {
        for (i, member) in members.iter().enumerate() {
            if i > 0 {
                self.text(separator);
            }
            each(self, member);
        }
    }

    /// What `inner` prints, apart from the output.
    fn apart(&mut self, inner: impl FnOnce(&mut Self)) -> String {
        let before = std::mem::take(&mut self.out);
        inner(self);
        std::mem::replace(&mut self.out, before)
    }

    /// Calls itself at every nesting of the tree: gets more stack when it runs out.
    fn nest(&mut self, inner: impl FnOnce(&mut Self)) {
        stacker::maybe_grow(128 * 1024, 2 * 1024 * 1024, || inner(self));
    }

    fn name(&mut self, name: &Name) {
        self.text(match name.root {
            Root::Relative => "",
            Root::Cyclone => "Cyc::",
            Root::C => "C::",
        });
        for part in &name.path {
            self.text(part.as_str());
            self.text("::");
        }
        self.text(name.name.as_str());
    }

    fn braced_items(&mut self, items: &[Item]) {
        self.text("{");
        self.indent += 1;
        for item in items {
            self.line();
            self.item(item);
        }
        self.indent -= 1;
        self.line();
        self.text("}");
    }

    fn items(&mut self, items: &[Item]) {
        for item in items {
            self.item(item);
            self.line();
        }
    }

    fn item(&mut self, item: &Item) {
        self.nest(|p| p.item_kind(&item.kind));
    }

    fn item_kind(&mut self, kind: &ItemKind) {
        match kind {
            ItemKind::Function(function) => self.function(function),
            ItemKind::Decl(decl) => self.decl(decl),
            ItemKind::Using { name, items } => {
                self.text("using ");
                self.name(name);
                self.text(" ");
                self.braced_items(items);
            }
            ItemKind::Namespace { name, items } => {
                self.text("namespace ");
                self.text(name.name.as_str());
                self.text(" ");
                self.braced_items(items);
            }
            ItemKind::NoInference(items) => {
                self.text("__noinference__ ");
                self.braced_items(items);
            }
            ItemKind::ExternC(items) => {
                self.text("extern \"C\" ");
                self.braced_items(items);
            }
            ItemKind::ExternCInclude(block) => self.extern_c_include(block),
            ItemKind::Tempest { on } => self.text(if *on { "__tempest_on__;" } else { "__tempest_off__;" }),
            ItemKind::Port { on } => self.text(if *on { "__cyclone_port_on__;" } else { "__cyclone_port_off__;" }),
            ItemKind::Asm(asm) => {
                self.asm(asm);
                self.text(";");
            }
            ItemKind::StaticAssert { cond, message } => self.static_assert(cond, message.as_deref()),
        }
    }

    fn extern_c_include(&mut self, block: &ExternCInclude) {
        self.text("extern \"C include\" ");
        self.braced_items(&block.items);
        if !block.overrides.is_empty() {
            self.text(" cyclone_override ");
            self.braced_items(&block.overrides);
        }
        match &block.export {
            None => {}
            Some(Export::All) => self.text(" export { * }"),
            Some(Export::Names(names)) => {
                self.text(" export { ");
                self.list(names, ", ", |p, name| p.name(name));
                self.text(" }");
            }
        }
        if !block.hide.is_empty() {
            self.text(" cyclone_hide { ");
            self.list(&block.hide, ", ", |p, name| p.text(name.name.as_str()));
            self.text(" }");
        }
    }
}
