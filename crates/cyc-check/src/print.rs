//! The typed tree as text, for `--emit=typed`: one declaration a paragraph, every expression with its
//! conversions written out as `<conversion T>(e)`.

use crate::tast::*;
use cyc_types::print::{Plain, Show};
use cyc_types::{Args, QTy, Region, Ty, Var};
use std::fmt::Write;

/// Shows regions by kind and number: the tree is printed outside any function's context.
struct Regions;

impl Show for Regions {
    fn region(&self, region: Region) -> Option<String> {
        match region {
            Region::Param(i) => Some(format!("`p{i}")),
            Region::Scope(scope) => Some(format!("`s{}", scope.0)),
            Region::Current | Region::Caller => Some("`C".into()),
            Region::Own(i) => Some(format!("`o{i}")),
            Region::Infer(_)
            | Region::Heap
            | Region::Bound { .. }
            | Region::App(..)
            | Region::Of(_)
            | Region::Set(_)
            | Region::Error => None,
        }
    }
    fn variable(&self, var: Var) -> Option<String> {
        match var {
            Var::Param(i) => Some(format!("`p{i}")),
            Var::Own(i) => Some(format!("`o{i}")),
            Var::Bound { .. } => None,
        }
    }
    fn infer(&self, var: Ty) -> Option<Ty> {
        Plain.infer(var)
    }
}

/// The whole unit.
pub fn unit(unit: &TypedUnit) -> String {
    let mut out = Printer { unit, function: None, text: String::new(), depth: 0 };
    for global in unit.globals.iter().filter(|g| g.used || g.linkage != Linkage::Extern) {
        out.global(global);
    }
    for function in &unit.functions {
        out.function(function);
    }
    out.text
}

struct Printer<'a> {
    unit: &'a TypedUnit,
    function: Option<&'a Function>,
    text: String,
    depth: usize,
}

impl<'a> Printer<'a> {
    fn args(&self, args: Args) -> String {
        self.unit.types.show_args(args, &Regions)
    }

    fn ty(&self, ty: Ty) -> String {
        self.unit.types.show(ty.into(), &Regions)
    }

    fn declared(&self, qty: QTy, name: &str) -> String {
        self.unit.types.declaration(qty, name, &Regions)
    }

    fn line(&mut self, text: &str) {
        for _ in 0..self.depth {
            self.text.push_str("    ");
        }
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn global(&mut self, global: &Global) {
        let linkage = match global.linkage {
            Linkage::Internal => "static ",
            Linkage::Public => "",
            Linkage::Extern => "extern ",
        };
        let mut text = format!("{linkage}{}", self.declared(global.qty, global.name.as_str()));
        if let Some(name) = global.c_name {
            let _ = write!(text, " asm(\"{name}\")");
        }
        if let Some(init) = &global.init {
            let _ = write!(text, " = {}", self.expr(init));
        }
        self.line(&(text + ";"));
    }

    fn function(&mut self, function: &'a Function) {
        self.function = Some(function);
        let global = self.unit.global(function.global);
        let params: Vec<String> = function
            .locals
            .iter()
            .take(function.params as usize)
            .map(|l| self.declared(l.qty, l.name.as_str()))
            .collect();
        let head = self.declared(function.ret.into(), &format!("{}({})", global.name, params.join(", ")));
        self.text.push('\n');
        self.line(&(head + " {"));
        self.stmts(&function.body);
        self.line("}");
        self.function = None;
    }

    fn stmts(&mut self, block: &Block) {
        self.depth += 1;
        for stmt in &block.stmts {
            self.stmt(stmt);
        }
        self.depth -= 1;
    }

    fn block(&mut self, head: &str, block: &Block) {
        self.line(&format!("{head} {{"));
        self.stmts(block);
        self.line("}");
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Expr(e) => {
                let text = self.expr(e);
                self.line(&(text + ";"));
            }
            StmtKind::Local { local, init, zero_last, .. } => {
                let mut text = self.declared_local(*local);
                if let Some(init) = init {
                    let _ = write!(text, " = {}", self.expr(init));
                }
                let note = if *zero_last { "; // the last element is 0" } else { ";" };
                self.line(&(text + note));
            }
            StmtKind::Let { pattern, init, refutable } => {
                let may = if *refutable { "; // may not match" } else { ";" };
                let text = format!("let {} = {}{may}", self.pattern(pattern), self.expr(init));
                self.line(&text);
            }
            StmtKind::Block(block) => self.block("", block),
            StmtKind::Label(label) => {
                let name = self.label(*label);
                self.line(&format!("{name}:"));
            }
            StmtKind::Goto(label) => {
                let name = self.label(*label);
                self.line(&format!("goto {name};"));
            }
            StmtKind::If { cond, then, otherwise } => {
                let head = format!("if ({})", self.expr(cond));
                self.block(&head, then);
                if let Some(otherwise) = otherwise {
                    self.block("else", otherwise);
                }
            }
            StmtKind::While { cond, body } => {
                let head = format!("while ({})", self.expr(cond));
                self.block(&head, body);
            }
            StmtKind::DoWhile { body, cond } => {
                self.block("do", body);
                let text = format!("while ({});", self.expr(cond));
                self.line(&text);
            }
            StmtKind::For { cond, step, body } => {
                let part = |e: &Option<Expr>| e.as_ref().map_or(String::new(), |e| format!(" {}", self.expr(e)));
                let head = format!("for (;{};{})", part(cond), part(step));
                self.block(&head, body);
            }
            StmtKind::Switch(switch) => {
                let on = switch.on.as_ref().map_or(String::new(), |e| self.expr(e));
                self.switch(&format!("switch ({on})"), switch);
            }
            StmtKind::Try { body, handler } => {
                self.block("try", body);
                self.switch("catch", handler);
            }
            StmtKind::Region { handle, body } => {
                let head = format!("region {}", self.declared_local(*handle));
                self.block(&head, body);
            }
            StmtKind::Open { handle, key, body } => {
                let head = format!("region {} = open({})", self.declared_local(*handle), self.place(key));
                self.block(&head, body);
            }
            StmtKind::Break => self.line("break;"),
            StmtKind::Continue => self.line("continue;"),
            StmtKind::Return(None) => self.line("return;"),
            StmtKind::Return(Some(e)) => {
                let text = format!("return {};", self.expr(e));
                self.line(&text);
            }
            StmtKind::Fallthru(args) => {
                let text = format!("fallthru({});", self.list(args));
                self.line(&text);
            }
        }
    }

    fn switch(&mut self, head: &str, switch: &Switch) {
        self.line(&format!("{head} {{"));
        for clause in &switch.clauses {
            let mut text = format!("case {}", self.pattern(&clause.pattern));
            if let Some(guard) = &clause.guard {
                let _ = write!(text, " && {}", self.expr(guard));
            }
            self.line(&(text + ":"));
            self.stmts(&clause.body);
        }
        let otherwise = match switch.otherwise {
            Otherwise::Impossible => "exhaustive",
            Otherwise::Nothing => "otherwise nothing",
            Otherwise::Match => "otherwise Match_Exception",
            Otherwise::Rethrow => "otherwise to the next handler",
        };
        self.line(&format!("}} // {otherwise}"));
    }

    fn label(&self, id: LabelId) -> String {
        let name = self.function.and_then(|f| f.labels.get(id.0 as usize));
        name.map_or_else(|| format!("L{}", id.0), |n| n.to_string())
    }

    fn local(&self, id: LocalId) -> String {
        match self.function.and_then(|f| f.locals.get(id.0 as usize)) {
            Some(local) if local.synthetic => format!("{}${}", local.name, id.0),
            Some(local) => local.name.to_string(),
            None => format!("${}", id.0),
        }
    }

    fn declared_local(&self, id: LocalId) -> String {
        match self.function.and_then(|f| f.locals.get(id.0 as usize)) {
            Some(local) => self.declared(local.qty, &self.local(id)),
            None => self.local(id),
        }
    }

    fn list(&self, list: &[Expr]) -> String {
        list.iter().map(|e| self.expr(e)).collect::<Vec<_>>().join(", ")
    }

    fn place(&self, place: &Place) -> String {
        match &place.kind {
            PlaceKind::Local(id) => self.local(*id),
            PlaceKind::Global(id) => self.unit.global(*id).name.to_string(),
            PlaceKind::Deref(e) => format!("(*{})", self.expr(e)),
            PlaceKind::Index(e, i) => format!("{}[{}]", self.expr(e), self.expr(i)),
            PlaceKind::Element(array, i) => format!("{}[{}]", self.place(array), self.expr(i)),
            PlaceKind::Field(inner, index) => format!("{}.{}", self.place(inner), self.field(inner.qty.ty, *index)),
            PlaceKind::Component(inner, index) => format!("{}[{index}]", self.place(inner)),
            PlaceKind::Temp(e) => format!("<temp>({})", self.expr(e)),
        }
    }

    fn field(&self, ty: Ty, index: u32) -> String {
        let fields = match self.unit.types.kind(ty) {
            cyc_types::TyKind::Aggr(id) => self.unit.types.fields(*id),
            _ => None,
        };
        fields.and_then(|f| f.get(index as usize)?.name).map_or_else(|| format!("f{index}"), |n| n.to_string())
    }

    fn expr(&self, e: &Expr) -> String {
        match &e.kind {
            ExprKind::Int(value) => value.to_string(),
            ExprKind::Float(text) => text.to_string(),
            ExprKind::Null => "NULL".into(),
            ExprKind::Str(bytes) | ExprKind::StrArray(bytes) => format!("\"{}\"", bytes.escape_ascii()),
            ExprKind::WideStr(chars) | ExprKind::WideStrArray(chars) => {
                let text: String = chars.iter().filter_map(|c| char::from_u32(*c)).collect();
                format!("L{text:?}")
            }
            ExprKind::Read(place) => self.place(place),
            ExprKind::Move(place, Transfer::Moved) => format!("move {}", self.place(place)),
            ExprKind::Move(place, Transfer::Lent) => format!("lend {}", self.place(place)),
            ExprKind::Move(place, Transfer::Aliased | Transfer::Borrowed(_)) => format!("alias {}", self.place(place)),
            ExprKind::AddrOf(place) => format!("&{}", self.place(place)),
            ExprKind::FunctionAddr(id, args) => format!("&{}{}", self.unit.global(*id).name, self.args(*args)),
            ExprKind::SizeOf(ty) => format!("sizeof({})", self.ty(*ty)),
            ExprKind::AlignOf(ty) => format!("_Alignof({})", self.ty(*ty)),
            ExprKind::Unary(op, a) => format!("{}{}", op.text(), self.expr(a)),
            ExprKind::Not(a) => format!("!{}", self.expr(a)),
            ExprKind::Binary(op, a, b) | ExprKind::PtrCompare(op, a, b) => {
                format!("({} {} {})", self.expr(a), op.text(), self.expr(b))
            }
            ExprKind::And(a, b) => format!("({} && {})", self.expr(a), self.expr(b)),
            ExprKind::Or(a, b) => format!("({} || {})", self.expr(a), self.expr(b)),
            ExprKind::PtrAdd { ptr, index, negate } => {
                format!("({} {} {})", self.expr(ptr), if *negate { '-' } else { '+' }, self.expr(index))
            }
            ExprKind::PtrDiff(a, b) => format!("({} - {})", self.expr(a), self.expr(b)),
            ExprKind::Counted(a, b) => format!("fat({}, {})", self.expr(a), self.expr(b)),
            ExprKind::Assign { place, value } => format!("({} = {})", self.place(place), self.expr(value)),
            ExprKind::AssignOp { op, place, value, at, post } => {
                let text = format!("({} {}= <{}>({}))", self.place(place), op.text(), self.ty(*at), self.expr(value));
                if *post { format!("<old value>{text}") } else { text }
            }
            ExprKind::PtrStep { place, index, negate, post } => {
                let text = format!("({} {}= {})", self.place(place), if *negate { '-' } else { '+' }, self.expr(index));
                if *post { format!("<old value>{text}") } else { text }
            }
            ExprKind::Swap(a, b) => format!("({} :=: {})", self.place(a), self.place(b)),
            ExprKind::Cond(c, a, b) => format!("({} ? {} : {})", self.expr(c), self.expr(a), self.expr(b)),
            ExprKind::CondOrElse(a, b) => format!("({} ?: {})", self.expr(a), self.expr(b)),
            ExprKind::Comma(a, b) => format!("({}, {})", self.expr(a), self.expr(b)),
            ExprKind::Call { callee, args } => {
                let callee = match callee {
                    Callee::Direct(id, args) => format!("{}{}", self.unit.global(*id).name, self.args(*args)),
                    Callee::Pointer(e) => format!("(*{})", self.expr(e)),
                    Callee::Builtin(name) => name.to_string(),
                };
                format!("{callee}({})", self.list(args))
            }
            ExprKind::Coerce(Coercion::Instantiate(args), inner) => format!("{}{}", self.expr(inner), self.args(*args)),
            ExprKind::Coerce(how, inner) => format!("<{how:?} {}>({})", self.ty(e.ty), self.expr(inner)),
            ExprKind::Aggregate(fields) => {
                let fields: Vec<String> =
                    fields.iter().map(|(i, v)| format!(".{} = {}", self.field(e.ty, *i), self.expr(v))).collect();
                format!("({}){{{}}}", self.ty(e.ty), fields.join(", "))
            }
            ExprKind::Array(elements) => format!("{{{}}}", self.list(elements)),
            ExprKind::ArrayFor(array) => self.comprehension(array),
            ExprKind::Zero => "<zero>".into(),
            ExprKind::Variant { datatype, variant, args } => {
                let name = self.unit.types.datatype(*datatype).variants.get(*variant as usize).map(|v| v.name);
                format!("{}({})", name.map_or("?", |n| n.as_str()), self.list(args))
            }
            ExprKind::New(new) => match &new.init {
                NewInit::Value(value) => format!("new {}", self.expr(value)),
                NewInit::Array(elements) => format!("new {{{}}}", self.list(elements)),
                NewInit::For(array) => format!("new {}", self.comprehension(array)),
            },
            ExprKind::Alloc(alloc) => {
                let count = alloc.count.as_ref().map_or("1".into(), |c| self.expr(c));
                format!("{}<{}>({count})", if alloc.zero { "calloc" } else { "malloc" }, self.ty(alloc.elem.ty))
            }
            ExprKind::Tagcheck(union, member) => format!("tagcheck({}.{member})", self.place(union)),
            ExprKind::Tagof(a) => format!("tagof({})", self.expr(a)),
            ExprKind::Numelts(a) => format!("numelts({})", self.expr(a)),
            ExprKind::Throw(a) => format!("throw {}", self.expr(a)),
            ExprKind::Assert(a) => format!("assert({})", self.expr(a)),
            ExprKind::StaticAssert(a, true) => format!("@assert({})", self.expr(a)),
            ExprKind::StaticAssert(a, false) => format!("@assert_false({})", self.expr(a)),
            ExprKind::StmtExpr(block, value) => {
                let mut inner =
                    Printer { unit: self.unit, function: self.function, text: String::new(), depth: self.depth };
                inner.stmts(block);
                format!("({{\n{}{}; }})", inner.text, self.expr(value))
            }
            ExprKind::Asm(_) => "asm(…)".into(),
            ExprKind::Error => "<error>".into(),
        }
    }

    fn comprehension(&self, array: &ArrayFor) -> String {
        let body = array.body.as_ref().map_or_else(|| self.ty(array.elem.ty), |b| self.expr(b));
        format!("{{for {} < {} : {body}}}", self.local(array.var), self.expr(&array.count))
    }

    fn pattern(&self, pattern: &Pattern) -> String {
        let list = |list: &[Pattern]| list.iter().map(|p| self.pattern(p)).collect::<Vec<_>>().join(", ");
        match &pattern.kind {
            PatternKind::Wild => "_".into(),
            PatternKind::Bind(local) => self.declared_local(*local),
            PatternKind::Alias(local) => format!("alias {}", self.declared_local(*local)),
            PatternKind::As(local, inner) => format!("{} as {}", self.local(*local), self.pattern(inner)),
            PatternKind::Ref(local, inner) => format!("*{} as {}", self.declared_local(*local), self.pattern(inner)),
            PatternKind::Tag(local) => format!("{}<_>", self.declared_local(*local)),
            PatternKind::Int(value) => value.to_string(),
            PatternKind::Float(text) => text.to_string(),
            PatternKind::Null => "NULL".into(),
            PatternKind::Pointer(inner) => format!("&{}", self.pattern(inner)),
            PatternKind::Member(_, member, inner) => format!("{{.{member} = {}}}", self.pattern(inner)),
            PatternKind::Tuple(parts) => format!("$({})", list(parts)),
            PatternKind::Struct(id, fields) => {
                let fields: Vec<String> = fields.iter().map(|(i, p)| format!("f{i} = {}", self.pattern(p))).collect();
                format!("{}{{{}}}", self.unit.types.aggr(*id).name, fields.join(", "))
            }
            PatternKind::Variant { datatype, variant, args } => {
                let name = self.unit.types.datatype(*datatype).variants.get(*variant as usize).map(|v| v.name);
                format!("{}({})", name.map_or("?", |n| n.as_str()), list(args))
            }
        }
    }
}
