//! Statements and patterns.

use super::Printer;
use crate::ast::*;

impl Printer {
    pub(super) fn block(&mut self, block: &Block) {
        self.text("{");
        self.indent += 1;
        self.block_items(block);
        self.indent -= 1;
        self.line();
        self.text("}");
    }

    fn block_items(&mut self, block: &Block) {
        for stmt in &block.items {
            self.line();
            self.stmt(stmt);
        }
    }

    pub(super) fn stmt(&mut self, stmt: &Stmt) {
        self.nest(|p| p.stmt_kind(&stmt.kind));
    }

    fn stmt_kind(&mut self, kind: &StmtKind) {
        match kind {
            StmtKind::Empty => self.text(";"),
            StmtKind::Expr(e) => {
                self.expr(e);
                self.text(";");
            }
            StmtKind::Decl(decl) => self.decl(decl),
            StmtKind::NestedFunction(function) => self.function(function),
            StmtKind::Block(block) => self.block(block),
            StmtKind::Label(name, stmt) => {
                self.text(name.name.as_str());
                self.text(": ");
                self.stmt(stmt);
            }
            StmtKind::If { .. } => self.if_stmt(kind),
            StmtKind::While { cond, body } => {
                self.wrapped("while (", ") ", |p| p.expr(cond));
                self.stmt(body);
            }
            StmtKind::DoWhile { body, cond } => {
                self.text("do ");
                self.stmt(body);
                self.wrapped(" while (", ");", |p| p.expr(cond));
            }
            StmtKind::For { init, cond, step, body } => {
                self.text("for (");
                match init {
                    Some(init) => self.stmt(init),
                    None => self.text(";"),
                }
                for (part, end) in [(cond, ";"), (step, ") ")] {
                    if let Some(part) = part {
                        self.text(" ");
                        self.expr(part);
                    }
                    self.text(end);
                }
                self.stmt(body);
            }
            _ => self.jump_or_switch(kind),
        }
    }

    /// A chain of `else if` may be long: a loop.
    fn if_stmt(&mut self, kind: &StmtKind) {
        let mut kind = kind;
        while let StmtKind::If { cond, then, otherwise } = kind {
            self.wrapped("if (", ") ", |p| p.expr(cond));
            self.stmt(then);
            let Some(otherwise) = otherwise else { return };
            self.text(" else ");
            kind = &otherwise.kind;
        }
        self.nest(|p| p.stmt_kind(kind));
    }

    fn jump_or_switch(&mut self, kind: &StmtKind) {
        match kind {
            StmtKind::Switch { on, c_rules, clauses } => {
                self.text(if *c_rules { "switch \"C\" (" } else { "switch (" });
                self.expr(on);
                self.text(") ");
                self.clauses(clauses);
            }
            StmtKind::CSwitch { on, body } => {
                self.wrapped("switch (", ") ", |p| p.expr(on));
                self.stmt(body);
            }
            StmtKind::CCase { value, body } => {
                match value {
                    Some(value) => self.wrapped("case ", ": ", |p| p.expr_in(value, 2)),
                    None => self.text("default: "),
                }
                self.stmt(body);
            }
            StmtKind::Try { body, clauses } => {
                self.text("try ");
                self.stmt(body);
                self.text(" catch ");
                self.clauses(clauses);
            }
            StmtKind::Goto(label) => self.wrapped("goto ", ";", |p| p.text(label.name.as_str())),
            StmtKind::Continue => self.text("continue;"),
            StmtKind::Return(value) => {
                self.text("return");
                if let Some(value) = value {
                    self.text(" ");
                    self.expr(value);
                }
                self.text(";");
            }
            StmtKind::Fallthru(values) => {
                self.text("fallthru");
                if !values.is_empty() {
                    self.wrapped("(", ")", |p| p.list(values, ", ", |p, v| p.expr_in(v, 1)));
                }
                self.text(";");
            }
            _ => self.text("break;"),
        }
    }

    fn clauses(&mut self, clauses: &[Clause]) {
        self.text("{");
        for clause in clauses {
            self.line();
            if clause.is_default {
                self.text("default:");
            } else {
                self.text("case ");
                self.pattern(&clause.pattern);
                if let Some(guard) = &clause.guard {
                    self.text(" && ");
                    self.expr(guard);
                }
                self.text(":");
            }
            self.indent += 1;
            self.block_items(&clause.body);
            self.indent -= 1;
        }
        self.line();
        self.text("}");
    }

    pub(super) fn pattern(&mut self, pattern: &Pattern) {
        self.nest(|p| p.pattern_kind(&pattern.kind));
    }

    fn pattern_kind(&mut self, kind: &PatternKind) {
        match kind {
            PatternKind::Wild => self.text("_"),
            PatternKind::Const(e) => match e.kind {
                ExprKind::Int { .. } | ExprKind::Float { .. } | ExprKind::Char { .. } => self.expr(e),
                _ => self.wrapped("(", ")", |p| p.expr(e)),
            },
            PatternKind::Null => self.text("NULL"),
            PatternKind::Name(name) => self.name(name),
            PatternKind::As(name, inner) => {
                self.text(name.name.as_str());
                self.text(" as ");
                self.pattern(inner);
            }
            PatternKind::Pointer(inner) => {
                self.text("&");
                self.pattern(inner);
            }
            PatternKind::Ref(name, inner) => {
                self.text("*");
                self.text(name.name.as_str());
                if let Some(inner) = inner {
                    self.text(" as ");
                    self.pattern(inner);
                }
            }
            PatternKind::Tuple(fields) => self.wrapped("$(", ")", |p| p.field_patterns(fields)),
            PatternKind::Call(name, args, rest) => {
                self.name(name);
                self.text("(");
                self.list(args, ", ", |p, arg| p.pattern(arg));
                self.rest(*rest, args.is_empty());
                self.text(")");
            }
            PatternKind::Struct { name, args, fields } => {
                if let Some(name) = name {
                    self.name(name);
                }
                self.text("{");
                self.type_args(args);
                self.field_patterns(fields);
                self.text("}");
            }
            PatternKind::Tag(name, var) => {
                self.text(name.name.as_str());
                match var {
                    Some(var) => self.binders(std::slice::from_ref(var)),
                    None => self.text("<_>"),
                }
            }
            PatternKind::Alias { var, ty, name } => {
                self.text("alias");
                self.binders(std::slice::from_ref(var));
                self.text(" ");
                self.declared(ty, name.name.to_string());
            }
            PatternKind::Error => self.text("_ /* unreadable */"),
        }
    }

    fn rest(&mut self, rest: bool, first: bool) {
        match (rest, first) {
            (true, true) => self.text("..."),
            (true, false) => self.text(", ..."),
            _ => {}
        }
    }

    fn field_patterns(&mut self, fields: &FieldPatterns) {
        self.list(&fields.items, ", ", |p, (designators, pattern)| {
            p.designation(designators);
            p.pattern(pattern);
        });
        self.rest(fields.rest, fields.items.is_empty());
    }
}
