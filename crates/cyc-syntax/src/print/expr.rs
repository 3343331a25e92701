//! Expressions and initialisers, with as few parentheses as the grammar allows.

use super::Printer;
use crate::ast::*;

/// How tightly an expression binds: 0 comma, 1 assignment, 2 conditional, 3 to 12 the binary
/// operators, 13 cast, 14 unary, 15 postfix, 16 primary.
fn binding(kind: &ExprKind) -> u8 {
    match kind {
        ExprKind::Comma(..) => 0,
        ExprKind::Assign { .. } | ExprKind::Swap(..) => 1,
        ExprKind::Cond(..) | ExprKind::Throw(_) | ExprKind::New(_) => 2,
        ExprKind::Or(..) => 3,
        ExprKind::And(..) => 4,
        ExprKind::Binary(op, ..) => operator(*op).0,
        ExprKind::Cast(..) => 13,
        ExprKind::Unary(..)
        | ExprKind::Deref(_)
        | ExprKind::AddrOf(_)
        | ExprKind::Step { prefix: true, .. }
        | ExprKind::SizeofExpr(_) => 14,
        ExprKind::BuiltinWithTypes { name, .. } => match name.name.as_str() {
            "..." => 2,
            "__real__" | "__imag__" => 14,
            _ => 16,
        },
        ExprKind::Index(..)
        | ExprKind::Call(..)
        | ExprKind::Field { .. }
        | ExprKind::Step { .. }
        | ExprKind::NoInst(_)
        | ExprKind::Inst(..)
        | ExprKind::CompoundLit(..) => 15,
        // `3.f` would be another number.
        ExprKind::Int { .. } | ExprKind::Float { .. } => 14,
        _ => 16,
    }
}

fn operator(op: BinOp) -> (u8, &'static str) {
    match op {
        BinOp::BitOr => (5, "|"),
        BinOp::BitXor => (6, "^"),
        BinOp::BitAnd => (7, "&"),
        BinOp::Eq => (8, "=="),
        BinOp::Ne => (8, "!="),
        BinOp::Lt => (9, "<"),
        BinOp::Gt => (9, ">"),
        BinOp::Le => (9, "<="),
        BinOp::Ge => (9, ">="),
        BinOp::Shl => (10, "<<"),
        BinOp::Shr => (10, ">>"),
        BinOp::Add => (11, "+"),
        BinOp::Sub => (11, "-"),
        BinOp::Mul => (12, "*"),
        BinOp::Div => (12, "/"),
        BinOp::Rem => (12, "%"),
    }
}

impl Printer {
    pub(super) fn expr(&mut self, expr: &Expr) {
        self.expr_in(expr, 0);
    }

    /// The expression where the grammar wants one that binds at least as tightly as `least`.
    pub(super) fn expr_in(&mut self, expr: &Expr, least: u8) {
        let parens = binding(&expr.kind) < least;
        self.text(if parens { "(" } else { "" });
        self.nest(|p| p.expr_kind(&expr.kind));
        self.text(if parens { ")" } else { "" });
    }

    fn args(&mut self, args: &[Expr]) {
        self.text("(");
        self.list(args, ", ", |p, arg| p.expr_in(arg, 1));
        self.text(")");
    }

    fn infix(&mut self, lhs: &Expr, left: u8, op: &str, rhs: &Expr, right: u8) {
        self.expr_in(lhs, left);
        self.text(" ");
        self.text(op);
        self.text(" ");
        self.expr_in(rhs, right);
    }

    /// A prefix operator; a space keeps two of them from becoming one token.
    fn prefix(&mut self, op: &str, operand: &Expr) {
        self.text(op);
        let text = self.apart(|p| p.expr_in(operand, 13));
        if op.chars().next_back() == text.chars().next() {
            self.text(" ");
        }
        self.text(&text);
    }

    fn keyword(&mut self, word: &str, operand: &Expr) {
        self.text(word);
        self.args(std::slice::from_ref(operand));
    }

    fn expr_kind(&mut self, kind: &ExprKind) {
        match kind {
            ExprKind::Unary(op, e) => {
                let op = match op {
                    UnOp::Neg => "-",
                    UnOp::Plus => "+",
                    UnOp::BitNot => "~",
                    UnOp::Not => "!",
                };
                self.prefix(op, e);
            }
            ExprKind::Deref(e) => self.prefix("*", e),
            ExprKind::AddrOf(e) => self.prefix("&", e),
            ExprKind::Step { inc, prefix: true, expr } => self.prefix(if *inc { "++" } else { "--" }, expr),
            ExprKind::Step { inc, expr, .. } => {
                self.expr_in(expr, 15);
                self.text(if *inc { "++" } else { "--" });
            }
            ExprKind::Binary(op, lhs, rhs) => {
                let (binding, op) = operator(*op);
                self.infix(lhs, binding, op, rhs, binding + 1);
            }
            ExprKind::And(lhs, rhs) => self.infix(lhs, 4, "&&", rhs, 5),
            ExprKind::Or(lhs, rhs) => self.infix(lhs, 3, "||", rhs, 4),
            ExprKind::Assign { op, lhs, rhs } => {
                let op = op.map_or("=".to_string(), |op| format!("{}=", operator(op).1));
                self.infix(lhs, 3, &op, rhs, 1);
            }
            ExprKind::Swap(lhs, rhs) => self.infix(lhs, 3, ":=:", rhs, 1),
            ExprKind::Comma(lhs, rhs) => {
                self.expr_in(lhs, 0);
                self.text(", ");
                self.expr_in(rhs, 1);
            }
            ExprKind::Cond(test, middle, otherwise) => {
                self.expr_in(test, 3);
                self.text(" ?");
                if let Some(middle) = middle {
                    self.text(" ");
                    self.expr(middle);
                }
                self.text(" : ");
                self.expr_in(otherwise, 2);
            }
            ExprKind::Throw(e) => {
                self.text("throw ");
                self.expr_in(e, 2);
            }
            ExprKind::New(new) => self.new_expr(new),
            ExprKind::Cast(ty, e) => {
                self.wrapped("(", ")", |p| p.type_name(ty));
                self.expr_in(e, 13);
            }
            ExprKind::CompoundLit(ty, list) => {
                self.wrapped("(", ")", |p| p.type_name(ty));
                self.init_list(list);
            }
            _ => self.postfix(kind),
        }
    }

    fn postfix(&mut self, kind: &ExprKind) {
        match kind {
            ExprKind::Index(e, index) => {
                self.expr_in(e, 15);
                self.wrapped("[", "]", |p| p.expr(index));
            }
            ExprKind::Call(e, args) => {
                self.expr_in(e, 15);
                self.args(args);
            }
            ExprKind::Field { expr, name, arrow } => {
                self.expr_in(expr, 15);
                self.text(if *arrow { "->" } else { "." });
                self.text(name.name.as_str());
            }
            ExprKind::NoInst(e) => {
                self.expr_in(e, 15);
                self.text("<>");
            }
            ExprKind::Inst(e, types) => {
                self.expr_in(e, 15);
                self.text("@");
                self.type_args(types);
            }
            ExprKind::StructVal { name, args, items } => {
                self.name(name);
                self.text("{");
                self.type_args(args);
                self.init_items(items);
                self.text("}");
            }
            ExprKind::Tuple(items) => {
                self.text("$");
                self.args(items);
            }
            ExprKind::StmtExpr(block) => self.wrapped("(", ")", |p| p.block(block)),
            ExprKind::Generic { on, arms } => {
                self.text("_Generic(");
                self.expr_in(on, 1);
                for (ty, e) in arms {
                    self.text(", ");
                    match ty {
                        Some(ty) => self.type_name(ty),
                        None => self.text("default"),
                    }
                    self.text(": ");
                    self.expr_in(e, 1);
                }
                self.text(")");
            }
            ExprKind::BuiltinWithTypes { name, types, exprs } => self.builtin(name.name.as_str(), types, exprs),
            _ => self.keyword_form(kind),
        }
    }

    fn keyword_form(&mut self, kind: &ExprKind) {
        match kind {
            ExprKind::Int { value, suffix } => self.int(*value, *suffix),
            ExprKind::Float { text, .. } => self.text(text.as_str()),
            ExprKind::Char { value, wide } => self.char(*value, *wide),
            ExprKind::Str(bytes) => self.string(bytes),
            ExprKind::WideStr(points) => self.wide_string(points),
            ExprKind::Null => self.text("NULL"),
            ExprKind::Name(name) => self.name(name),
            ExprKind::SizeofExpr(e) => {
                self.text("sizeof ");
                self.expr_in(e, 14);
            }
            ExprKind::SizeofType(ty) => self.wrapped("sizeof(", ")", |p| p.type_name(ty)),
            ExprKind::AlignofType(ty) => self.wrapped("_Alignof(", ")", |p| p.type_name(ty)),
            ExprKind::Valueof(ty) => self.wrapped("valueof(", ")", |p| p.type_name(ty)),
            ExprKind::Offsetof(ty, members) => self.offsetof(ty, members),
            ExprKind::Numelts(e) => self.keyword("numelts", e),
            ExprKind::Tagof(e) => self.keyword("tagof", e),
            ExprKind::Tagcheck(e) => self.keyword("tagcheck", e),
            ExprKind::Assert { kind, cond } => {
                let word = match kind {
                    AssertKind::Dynamic => "assert",
                    AssertKind::Static => "@assert",
                    AssertKind::StaticFalse => "@assert_false",
                };
                self.keyword(word, cond);
            }
            ExprKind::Alloc(alloc) => self.alloc(alloc),
            ExprKind::Pragma(word) => self.wrapped("__cyclone_pragma__(", ")", |p| p.text(word.name.as_str())),
            ExprKind::Asm(asm) => self.asm(asm),
            _ => self.text("0 /* unreadable */"),
        }
    }

    fn offsetof(&mut self, ty: &Type, members: &[Member]) {
        self.text("__builtin_offsetof(");
        self.type_name(ty);
        self.text(",");
        for (i, member) in members.iter().enumerate() {
            if i > 0 && !matches!(member, Member::Index(_)) {
                self.text(" .");
            }
            match member {
                Member::Field(name) => {
                    self.text(" ");
                    self.text(name.name.as_str());
                }
                Member::Component(n, _) => self.text(&format!(" {n}")),
                Member::Index(e) => self.wrapped("[", "]", |p| p.expr(e)),
            }
        }
        self.text(")");
    }

    fn builtin(&mut self, name: &str, types: &[std::rc::Rc<Type>], exprs: &[Expr]) {
        match (name, exprs) {
            ("...", [low, high]) => self.infix(low, 2, "...", high, 2),
            ("__real__" | "__imag__", [e]) => {
                self.text(name);
                self.text(" ");
                self.expr_in(e, 13);
            }
            _ => {
                self.text(name);
                self.text("(");
                self.list(exprs, ", ", |p, e| p.expr_in(e, 1));
                self.text(if exprs.is_empty() { "" } else { ", " });
                self.list(types, ", ", |p, ty| p.type_name(ty));
                self.text(")");
            }
        }
    }

    fn new_expr(&mut self, new: &New) {
        match (&new.region, &new.aqual) {
            (None, None) => self.text("new "),
            (None, Some(aqual)) => {
                self.keyword("qnew", aqual);
                self.text(" ");
            }
            (Some(region), aqual) => {
                self.text("rnew(");
                self.expr_in(region, 1);
                if let Some(aqual) = aqual {
                    self.text(", ");
                    self.expr_in(aqual, 1);
                }
                self.text(") ");
            }
        }
        match &new.init {
            Init::Expr(e) => self.expr_in(e, 3),
            init => self.init(init),
        }
    }

    fn alloc(&mut self, alloc: &Alloc) {
        let zeroed = alloc.elem.is_some();
        self.text(match alloc.kind {
            AllocKind::Malloc if zeroed => "calloc(",
            AllocKind::Malloc => "malloc(",
            AllocKind::RMalloc if zeroed => "rcalloc(",
            AllocKind::RMalloc => "rmalloc(",
            AllocKind::RMallocInline => "rmalloc_inline(",
            AllocKind::RVMalloc => "rvmalloc(",
            AllocKind::QMalloc if zeroed => "qcalloc(",
            AllocKind::QMalloc => "qmalloc(",
        });
        for argument in [&alloc.region, &alloc.aqual].into_iter().flatten() {
            self.expr_in(argument, 1);
            self.text(", ");
        }
        self.expr_in(&alloc.size, 1);
        if let Some(elem) = &alloc.elem {
            self.wrapped(", sizeof(", ")", |p| p.type_name(elem));
        }
        self.text(")");
    }

    pub(super) fn init(&mut self, init: &Init) {
        match init {
            Init::Expr(e) => self.expr_in(e, 1),
            Init::List(list) => self.nest(|p| p.init_list(list)),
            Init::Comprehension(c) => {
                self.text("{for ");
                self.text(c.var.name.as_str());
                self.text(" < ");
                self.expr(&c.count);
                self.text(" : ");
                match &c.body {
                    ComprehensionBody::Expr(e) => self.expr(e),
                    ComprehensionBody::Type(ty) => self.type_name(ty),
                }
                self.text("}");
            }
        }
    }

    fn init_list(&mut self, list: &InitList) {
        self.wrapped("{", "}", |p| p.init_items(list));
    }

    fn init_items(&mut self, list: &InitList) {
        self.list(&list.items, ", ", |p, item| {
            p.designation(&item.designators);
            p.init(&item.init);
        });
    }

    pub(super) fn designation(&mut self, designators: &[Designator]) {
        for designator in designators {
            match designator {
                Designator::Index(e) => self.wrapped("[", "]", |p| p.expr_in(e, 2)),
                Designator::Field(name) => {
                    self.text(".");
                    self.text(name.name.as_str());
                }
            }
        }
        self.text(if designators.is_empty() { "" } else { " = " });
    }

    pub(super) fn asm(&mut self, asm: &Asm) {
        self.text("asm");
        self.text(if asm.volatile { " volatile" } else { "" });
        self.text(if asm.is_goto { " goto" } else { "" });
        self.text("(");
        self.string(&asm.template);
        let lists = [&asm.outputs, &asm.inputs];
        if !asm.outputs.is_empty() || !asm.inputs.is_empty() || !asm.clobbers.is_empty() {
            for operands in lists {
                self.text(" : ");
                self.list(operands, ", ", |p, operand| {
                    if let Some(name) = operand.name {
                        p.wrapped("[", "] ", |p| p.text(name.name.as_str()));
                    }
                    p.string(&operand.constraint);
                    p.wrapped(" (", ")", |p| p.expr(&operand.expr));
                });
            }
            if !asm.clobbers.is_empty() {
                self.text(" : ");
                self.list(&asm.clobbers, ", ", |p, clobber| p.string(clobber));
            }
        }
        self.text(")");
    }
}
