//! Functions: blocks become labelled statements, checks become branches to cold calls.

use crate::Unit;
use crate::ctree::{Expr, Text};
use crate::fold::{Plan, Reads, Waiting, Writes};
use crate::{globals, literal, print};
use cyc_base::Span;
use cyc_mir::types::{is_fat, place_ty};
use cyc_mir::*;
use cyc_types::{Ty, TyKind, Types};
use std::fmt::Write;

/// The files whose names failing checks report.
#[derive(Default)]
pub(crate) struct Files {
    /// Indices into the source map's files, in order of first use.
    pub used: Vec<usize>,
}

impl Files {
    fn slot(&mut self, file: usize) -> usize {
        self.used.iter().position(|f| *f == file).unwrap_or_else(|| {
            self.used.push(file);
            self.used.len() - 1
        })
    }
}

/// The state of emitting one function.
pub(crate) struct Function<'u, 'a> {
    pub cx: &'u Unit<'a>,
    pub body: &'u Body,
    files: &'u mut Files,
    names: Vec<Text>,
    plan: Plan,
    waiting: Vec<Waiting>,
    /// What the expressions built since the last reset read.
    pub reads: Reads,
    /// The folded value last used, for operands that a statement writes twice.
    again: Option<(Local, Expr)>,
    /// Locals the text mentions: the others are not declared.
    mentioned: Vec<bool>,
    out: String,
    /// Where the statement being emitted stands in the source.
    at: (usize, u32),
    at_offset: u32,
    /// Source file and line of the C line being written.
    line: (usize, u32),
    no_return: bool,
}

/// Expressions deeper than this get a variable.
const DEEPEST: u32 = 24;
/// More waiting expressions than this are written down.
const MOST_WAITING: usize = 48;

pub(crate) fn function(cx: &Unit, body: &Body, files: &mut Files, out: &mut String) {
    let names = cx.names.locals(body.locals.iter().map(|local| local.name.map(|name| name.as_str())));
    let at = cx.source.file_line(body.span.lo);
    let global = cx.unit.global(body.global);
    let no_return = cx.unit.types.as_function(global.qty.ty).is_some_and(|f| f.attrs.noreturn);
    let mut function = Function {
        cx,
        body,
        files,
        names,
        plan: Plan::new(&cx.unit.types, body),
        waiting: vec![],
        reads: Reads::default(),
        again: None,
        mentioned: vec![false; body.locals.len()],
        out: String::with_capacity(body.blocks.len() * 64),
        at,
        at_offset: body.span.lo,
        line: at,
        no_return,
    };
    function.blocks();
    let header = function.header();
    let declarations = function.declarations();
    if cx.options.line_directives {
        let name = literal::string(cx.source.files[at.0].name.as_bytes());
        let _ = write!(out, "\n#line {} {name}\n{header} {{ {declarations}{}\n}}\n", at.1, function.out);
    } else {
        let _ = write!(out, "\n{header}\n{{\n{declarations}{}}}\n", function.out);
    }
}

impl<'u, 'a> Function<'u, 'a> {
    pub(crate) fn types(&self) -> &'a Types {
        &self.cx.unit.types
    }

    fn header(&self) -> String {
        let names: Vec<&str> = self.names[..self.body.params as usize].iter().map(|name| &**name).collect();
        globals::function_head(self.cx, self.body.global, &names)
    }

    fn declarations(&self) -> String {
        let mut out = String::new();
        let (open, close) = if self.cx.options.line_directives { ("", " ") } else { ("  ", "\n") };
        for (i, decl) in self.body.locals.iter().enumerate().skip(self.body.params as usize) {
            if !self.mentioned[i] {
                continue;
            }
            let mut line = self.cx.types.declare(decl.qty, &self.names[i]);
            for attr in &decl.attrs {
                let _ = write!(line, " __attribute__(({attr}))");
            }
            let _ = write!(out, "{open}{line};{close}");
        }
        for i in 0..self.body.handlers.len() {
            let _ = write!(out, "{open}cyc_handler _cycH{i};{close}");
        }
        for (i, decl) in self.body.locals.iter().enumerate() {
            let is_param = i < self.body.params as usize;
            if decl.survives_throw && (self.mentioned[i] || is_param) {
                let _ = write!(out, "{open}CYC_SURVIVES({});{close}", self.names[i]);
            }
        }
        out
    }

    // ------------------------------------------------------------ lines

    /// Moves to the line of `span` in the output.
    fn go_to(&mut self, span: Span) {
        if span != Span::NONE && span.lo != self.at_offset {
            self.at = self.cx.source.file_line(span.lo);
            self.at_offset = span.lo;
        }
    }

    /// Starts a statement.
    fn begin(&mut self) {
        if !self.cx.options.line_directives {
            self.out.push_str("  ");
            return;
        }
        let (file, line) = self.at;
        if self.line.0 == file && (self.line.1..self.line.1 + 4).contains(&line) {
            for _ in self.line.1..line {
                self.out.push('\n');
            }
            self.out.push(' ');
        } else if self.line.0 == file {
            let _ = write!(self.out, "\n#line {line}\n ");
        } else {
            let name = literal::string(self.cx.source.files[file].name.as_bytes());
            let _ = write!(self.out, "\n#line {line} {name}\n ");
        }
        self.line = self.at;
    }

    fn end(&mut self) {
        if !self.cx.options.line_directives {
            self.out.push('\n');
        }
    }

    fn text(&mut self, text: &str) {
        self.begin();
        self.out.push_str(text);
        self.end();
    }

    fn write(&mut self, e: &Expr) {
        self.mention(e);
        print::expr(&mut self.out, &self.names, e);
    }

    fn expr_stmt(&mut self, e: &Expr) {
        self.begin();
        self.write(e);
        self.out.push(';');
        self.end();
    }

    /// `place = value;`, compound and step operators where they say the same.
    fn store(&mut self, place: &Expr, value: &Expr) {
        self.begin();
        self.write(place);
        self.out.push_str(" = ");
        self.write(value);
        self.out.push(';');
        self.end();
    }

    fn mention(&mut self, e: &Expr) {
        match e {
            Expr::Local(local) => self.mentioned[*local as usize] = true,
            Expr::Atom(_) | Expr::Negative(_) | Expr::SizeOf(_) => {}
            Expr::Unary(_, a) | Expr::Cast(_, a) | Expr::Member(a, _) => self.mention(a),
            Expr::Binary(_, a, b) | Expr::Index(a, b) => {
                self.mention(a);
                self.mention(b);
            }
            Expr::Call(f, args) => {
                self.mention(f);
                args.iter().for_each(|arg| self.mention(arg));
            }
            Expr::Compound(_, parts) => parts.iter().for_each(|(_, e)| self.mention(e)),
        }
    }

    /// File and line of the current statement, as a failing check wants them.
    pub(crate) fn position(&mut self) -> (Expr, Expr) {
        let slot = self.files.slot(self.at.0);
        (Expr::name(format!("_cycF{slot}")), Expr::name(self.at.1.to_string()))
    }

    // ------------------------------------------------------------ folding

    /// A local's value: the expression that waits for this use, or the variable.
    pub(crate) fn local(&mut self, local: Local) -> Expr {
        if self.plan.folds(local) {
            if let Some(i) = self.waiting.iter().position(|w| w.local == local) {
                let waiting = self.waiting.remove(i);
                self.reads.locals.extend(&waiting.reads.locals);
                self.reads.memory |= waiting.reads.memory;
                // A check writes its operands twice; a second use of the value copies it.
                self.again = Some((local, waiting.value.clone()));
                return waiting.value;
            }
        }
        self.reads.locals.push(local);
        Expr::Local(local.0)
    }

    /// The same operand once more in the same statement.
    pub(crate) fn operand_again(&mut self, operand: &Operand) -> Expr {
        if let (Operand::Copy(place), Some((local, value))) = (operand, &self.again) {
            if place.as_local() == Some(*local) {
                return value.clone();
            }
        }
        self.operand(operand)
    }

    /// Before an instruction that writes: expressions that read what it writes become variables.
    fn settle(&mut self, writes: Writes) {
        if self.waiting.is_empty() {
            return;
        }
        let mut kept = Vec::with_capacity(self.waiting.len());
        for waiting in std::mem::take(&mut self.waiting) {
            if writes.change(&waiting.reads) { self.write_down(waiting) } else { kept.push(waiting) }
        }
        self.waiting = kept;
    }

    fn write_down(&mut self, waiting: Waiting) {
        let (at, offset) = (self.at, self.at_offset);
        self.go_to(waiting.span);
        self.store(&Expr::Local(waiting.local.0), &waiting.value);
        (self.at, self.at_offset) = (at, offset);
    }

    fn writes_to(&self, place: &Place) -> Writes {
        match place.within_local() {
            Some(local) => Writes::Local { local, taken: self.body.locals[local.0 as usize].address_taken },
            None => Writes::Memory,
        }
    }

    // ------------------------------------------------------------ blocks

    fn blocks(&mut self) {
        let body = self.body;
        let targets = self.targets();
        for (i, block) in body.blocks.iter().enumerate() {
            if targets[i] {
                if !self.cx.options.line_directives {
                    self.out.pop();
                    let _ = write!(self.out, "\n L{i}:;\n");
                } else {
                    let _ = write!(self.out, " L{i}:;");
                }
            }
            for handler in body.handlers.iter().filter(|handler| handler.catch.0 as usize == i) {
                self.go_to(handler.span);
                let caught = Expr::Local(handler.caught.0);
                self.store(&caught, &Expr::call("cyc_caught", vec![]));
            }
            for stmt in &block.stmts {
                self.go_to(stmt.span);
                self.reads = Reads::default();
                self.again = None;
                self.stmt(&stmt.kind, stmt.span);
            }
            self.go_to(block.term_span);
            self.reads = Reads::default();
            self.again = None;
            self.terminator(&block.term, BlockId(i as u32 + 1));
        }
    }

    /// The blocks that some jump in the output names.
    fn targets(&self) -> Vec<bool> {
        let mut targets = vec![false; self.body.blocks.len()];
        for (i, block) in self.body.blocks.iter().enumerate() {
            let next = BlockId(i as u32 + 1);
            let mut mark = |to: BlockId| {
                if to != next {
                    targets[to.0 as usize] = true;
                }
            };
            match &block.term {
                Terminator::Switch { cases, default, .. } => {
                    cases.iter().for_each(|(_, to)| targets[to.0 as usize] = true);
                    targets[default.0 as usize] = true;
                }
                Terminator::Try { handler, body } => {
                    mark(*body);
                    targets[self.body.handlers[handler.0 as usize].catch.0 as usize] = true;
                }
                term => term.successors().into_iter().for_each(mark),
            }
        }
        targets
    }

    fn terminator(&mut self, term: &Terminator, next: BlockId) {
        match term {
            Terminator::Goto(to) => {
                self.settle(Writes::Everything);
                if *to != next {
                    self.text(&format!("goto L{};", to.0));
                }
            }
            Terminator::If { cond, then, otherwise } => {
                let cond = self.operand(cond);
                self.settle(Writes::Everything);
                match (*then == next, *otherwise == next) {
                    (true, true) => {}
                    (true, false) => self.branch(cond.negated(), *otherwise),
                    (false, true) => self.branch(cond, *then),
                    (false, false) => {
                        self.branch(cond, *then);
                        self.text(&format!("goto L{};", otherwise.0));
                    }
                }
            }
            Terminator::Switch { on, cases, default } => self.switch(on, cases, *default),
            Terminator::Try { handler, body } => {
                self.settle(Writes::Everything);
                let catch = self.body.handlers[handler.0 as usize].catch;
                self.text(&format!("if (CYC_TRY(_cycH{})) goto L{};", handler.0, catch.0));
                if *body != next {
                    self.text(&format!("goto L{};", body.0));
                }
            }
            Terminator::Throw(exception) => {
                let exception = self.operand(exception);
                let (file, line) = self.position();
                self.expr_stmt(&Expr::call("cyc_throw", vec![exception, file, line]));
            }
            Terminator::Rethrow(exception) => {
                let exception = self.operand(exception);
                self.expr_stmt(&Expr::call("cyc_rethrow", vec![exception]));
            }
            Terminator::Return(_) if self.no_return => self.text("__builtin_trap();"),
            Terminator::Return(None) => self.text("return;"),
            Terminator::Return(Some(value)) => {
                let value = self.relaxed(value);
                self.begin();
                self.out.push_str("return ");
                self.write(&value);
                self.out.push(';');
                self.end();
            }
            Terminator::MissingReturn if self.no_return => self.text("__builtin_trap();"),
            Terminator::MissingReturn => {
                let value = self.zero(self.body.ret);
                self.begin();
                self.out.push_str("return ");
                self.write(&value);
                self.out.push(';');
                self.end();
            }
            Terminator::Unreachable => self.text("__builtin_trap();"),
        }
        self.waiting.clear();
    }

    fn branch(&mut self, cond: Expr, to: BlockId) {
        self.begin();
        self.out.push_str("if (");
        self.write(&cond);
        let _ = write!(self.out, ") goto L{};", to.0);
        self.end();
    }

    fn switch(&mut self, on: &Operand, cases: &[(i128, BlockId)], default: BlockId) {
        let ty = self.ty_of(on);
        let on = self.operand(on);
        self.settle(Writes::Everything);
        self.begin();
        self.out.push_str("switch (");
        self.write(&on);
        self.out.push_str(") {");
        self.end();
        let mut line = String::new();
        for (i, (value, to)) in cases.iter().enumerate() {
            line.push_str("case ");
            print::expr(&mut line, &[], &literal::int(self.types(), *value, ty, true));
            line.push_str(": ");
            if cases.get(i + 1).is_none_or(|(_, next)| next != to) {
                let _ = write!(line, "goto L{};", to.0);
                self.text(&line);
                line.clear();
            }
        }
        self.text(&format!("default: goto L{};", default.0));
        self.text("}");
    }

    // ------------------------------------------------------------ statements

    fn stmt(&mut self, stmt: &StmtKind, span: Span) {
        match stmt {
            StmtKind::Assign(place, value) => self.assign(place, value, span),
            StmtKind::Uninit(local) => self.uninit(*local),
            StmtKind::Check(check) => self.check(check),
            StmtKind::Call { dst, callee, args } => self.call(dst.as_ref(), callee, args),
            StmtKind::Alloc(alloc) => self.alloc(alloc),
            StmtKind::PopHandler(handler) => self.text(&format!("CYC_POP(_cycH{});", handler.0)),
            StmtKind::Swap(a, b) => self.swap(a, b),
            StmtKind::Asm(asm) => self.asm(asm),
            StmtKind::Removed(..) => {}
        }
    }

    fn assign(&mut self, place: &Place, value: &Rvalue, span: Span) {
        if let Some(temp) = place.as_local() {
            if self.plan.is_dead(temp) && !self.is_volatile(value) {
                return;
            }
            if self.plan.folds(temp) && !matches!(value, Rvalue::Array(..) | Rvalue::Bytes(..) | Rvalue::Wides(..)) {
                let ty = self.body.locals[temp.0 as usize].qty.ty;
                let value = self.exact_rvalue(value, ty);
                let waits = !self.reads.volatile && value.depth() < DEEPEST;
                if waits {
                    let reads = std::mem::take(&mut self.reads);
                    self.waiting.push(Waiting { local: temp, value, reads, span });
                    if self.waiting.len() > MOST_WAITING {
                        let oldest = self.waiting.remove(0);
                        self.write_down(oldest);
                    }
                } else {
                    self.settle(Writes::Nothing);
                    self.store(&Expr::Local(temp.0), &value);
                }
                return;
            }
        }
        let dst = place_ty(self.cx.unit, &self.body.locals, place).ty();
        let (lvalue, _) = self.place(place);
        match value {
            Rvalue::Array(ty, elements) => {
                let values: Vec<Expr> = elements.iter().map(|e| self.relaxed(e)).collect();
                self.settle(self.writes_to(place));
                self.constant_array(lvalue, *ty, &values);
            }
            Rvalue::Bytes(_, bytes) => {
                self.settle(self.writes_to(place));
                // The literal's own terminator is one of the bytes, or one more that is not copied.
                let text = literal::string(bytes.strip_suffix(&[0]).unwrap_or(bytes));
                self.copy_in(lvalue, Expr::name(text), bytes.len());
            }
            Rvalue::Wides(_, chars) => {
                self.settle(self.writes_to(place));
                let text = literal::wide(chars.strip_suffix(&[0]).unwrap_or(chars));
                self.copy_in(lvalue, Expr::name(text), chars.len() * 4);
            }
            Rvalue::Use(operand) if matches!(self.types().kind(dst), TyKind::Array { .. }) => {
                let size = Expr::SizeOf(self.cx.types.text(dst));
                let call = match operand {
                    Operand::Const(_) => Expr::call("__builtin_memset", vec![lvalue, Expr::name("0"), size]),
                    Operand::Copy(_) => {
                        let from = self.operand(operand);
                        Expr::call("__builtin_memcpy", vec![lvalue, from, size])
                    }
                };
                self.settle(self.writes_to(place));
                self.expr_stmt(&call);
            }
            _ => {
                let update = self.update(place, value);
                let text = match update {
                    Some((op, b)) => (op, self.relaxed(b)),
                    None => ("", self.rvalue(value, dst)),
                };
                self.settle(self.writes_to(place));
                match text {
                    ("", value) => self.store(&lvalue, &value),
                    (op, b) => self.compound(&lvalue, op, &b),
                }
            }
        }
    }

    /// Is the assignment one that C can write `place op= operand`?
    fn update<'m>(&self, place: &Place, value: &'m Rvalue) -> Option<(&'static str, &'m Operand)> {
        let Rvalue::Binary(op, Operand::Copy(left), b, _) = value else { return None };
        if left != place || matches!(b, Operand::Copy(right) if right == place) {
            return None;
        }
        let op = match op {
            BinOp::Add => "+",
            BinOp::Sub => "-",
            BinOp::Mul => "*",
            BinOp::BitAnd => "&",
            BinOp::BitOr => "|",
            BinOp::BitXor => "^",
            _ => return None,
        };
        // A place with an index that waits for its use can be written once only.
        let simple = place.proj.iter().all(|step| match step {
            Proj::Deref(Some(index)) | Proj::Element(index) => match index {
                Operand::Const(_) => true,
                Operand::Copy(p) => p.as_local().is_some_and(|l| !self.plan.folds(l)),
            },
            _ => true,
        });
        let base = match place.base {
            Base::Local(local) => !self.plan.folds(local),
            Base::Global(_) => true,
        };
        (simple && base).then_some((op, b))
    }

    fn compound(&mut self, place: &Expr, op: &str, b: &Expr) {
        self.begin();
        self.write(place);
        match (op, b) {
            ("+", Expr::Atom(one)) if one == "1" => self.out.push_str("++"),
            ("-", Expr::Atom(one)) if one == "1" => self.out.push_str("--"),
            _ => {
                let _ = write!(self.out, " {op}= ");
                self.write(b);
            }
        }
        self.out.push(';');
        self.end();
    }

    fn is_volatile(&self, value: &Rvalue) -> bool {
        let mut volatile = false;
        value.for_each_operand(&mut |operand| {
            if let Operand::Copy(place) = operand {
                let ty = place_ty(self.cx.unit, &self.body.locals, place);
                volatile |= matches!(ty, types::PlaceTy::Of(qty) if qty.is_volatile);
            }
        });
        volatile
    }

    fn copy_in(&mut self, dst: Expr, from: Expr, bytes: usize) {
        let size = Expr::name(bytes.to_string());
        self.expr_stmt(&Expr::call("__builtin_memcpy", vec![dst, from, size]));
    }

    /// An array of constants: copied from a static one.
    fn constant_array(&mut self, dst: Expr, ty: Ty, values: &[Expr]) {
        let table = self.cx.types.declare(ty.into(), "_cycK");
        self.begin();
        let _ = write!(self.out, "{{ static const {table} = {{");
        for (i, value) in values.iter().enumerate() {
            if i > 0 {
                self.out.push_str(", ");
            }
            self.write(value);
        }
        self.out.push_str("}; __builtin_memcpy(");
        self.write(&dst);
        self.out.push_str(", _cycK, sizeof _cycK); }");
        self.end();
    }

    /// Storage without initialiser gets *some* value: zero where that is cheap (and dead where it is
    /// overwritten), whatever lies there where it is large.
    fn uninit(&mut self, local: Local) {
        let decl = &self.body.locals[local.0 as usize];
        let taken = decl.address_taken;
        self.settle(Writes::Local { local, taken });
        let variable = Expr::Local(local.0);
        match self.types().kind(decl.qty.ty) {
            TyKind::Bool | TyKind::Int(_) | TyKind::Enum(_) | TyKind::Float(_) | TyKind::Complex(_) => {
                self.store(&variable, &Expr::name("0"));
            }
            // Flow analysis has proved that pointers are set before they are read.
            TyKind::Pointer(_) => {}
            _ => self.expr_stmt(&Expr::call("CYC_UNSET", vec![variable])),
        }
    }

    fn swap(&mut self, a: &Place, b: &Place) {
        let (left, ty) = self.place(a);
        let (right, _) = self.place(b);
        self.settle(Writes::Everything);
        let text = self.cx.types.text(ty.ty());
        self.begin();
        self.mention(&left);
        self.mention(&right);
        let (mut l, mut r) = (String::new(), String::new());
        print::expr(&mut l, &self.names, &left);
        print::expr(&mut r, &self.names, &right);
        let _ = write!(self.out, "{{ {text} _cycW = {l}; {l} = {r}; {r} = _cycW; }}");
        self.end();
    }

    fn alloc(&mut self, alloc: &Alloc) {
        let zero = if alloc.zero { "_zero" } else { "" };
        let size = Expr::SizeOf(self.cx.types.text(alloc.elem.ty));
        let (file, line) = self.position();
        let fat = is_fat(self.types(), place_ty(self.cx.unit, &self.body.locals, &alloc.dst).ty());
        let value = match &alloc.count {
            None => {
                let name = format!("cyc_alloc{zero}");
                Expr::Call(Box::new(Expr::name(name)), vec![size, file, line])
            }
            Some(count) => {
                let name = format!("cyc_alloc_array{zero}");
                let first = self.operand(count);
                let memory = Expr::Call(Box::new(Expr::name(name)), vec![first, size, file, line]);
                if fat {
                    let again = self.operand_again(count);
                    Expr::call("cyc_fat_make_nonnull", vec![memory, again])
                } else {
                    memory
                }
            }
        };
        let (place, _) = self.place(&alloc.dst);
        self.settle(self.writes_to(&alloc.dst));
        self.store(&place, &value);
    }

    fn call(&mut self, dst: Option<&Place>, callee: &Callee, args: &[Operand]) {
        let types = self.types();
        let (function, signature, global) = match callee {
            Callee::Direct(id) => {
                let global = self.cx.unit.global(*id);
                (Expr::Atom(self.cx.names.global(*id)), types.as_function(global.qty.ty).cloned(), Some(global))
            }
            Callee::Builtin(name) => (Expr::name(name.as_str()), None, None),
            Callee::Pointer(pointer) => {
                let ty = self.ty_of(pointer);
                let signature = types.as_pointer(ty).and_then(|ptr| types.as_function(ptr.to.ty).cloned());
                (self.operand(pointer), signature, None)
            }
        };
        let c_function = global.is_some_and(|g| g.c_name.is_some() || g.from_c_text);
        let mut values = Vec::with_capacity(args.len());
        for (i, arg) in args.iter().enumerate() {
            let param = signature.as_ref().and_then(|s| s.params.get(i)).map(|param| param.ty);
            values.push(self.argument(arg, param, c_function));
        }
        let mut call = Expr::Call(Box::new(function), values);
        let place = dst.map(|dst| self.place(dst).0);
        self.settle(Writes::Memory);
        if let Some(dst) = dst {
            self.settle(self.writes_to(dst));
        }
        match place {
            None => self.expr_stmt(&call),
            Some(_) if dst.and_then(Place::as_local).is_some_and(|temp| self.plan.is_dead(temp)) => {
                self.expr_stmt(&call);
            }
            Some(place) => {
                let ret = signature.as_ref().map(|s| s.ret);
                if let Some(ret) = ret.filter(|ret| c_function && crate::types::has_const(types, *ret)) {
                    call = Expr::cast(self.cx.types.text(ret), call);
                }
                self.store(&place, &call);
            }
        }
    }

    fn asm(&mut self, asm: &Asm) {
        let outputs: Vec<_> = asm.outputs.iter().map(|(n, c, place)| (*n, c, self.place(place).0)).collect();
        let inputs: Vec<_> = asm.inputs.iter().map(|(n, c, op)| (*n, c, self.operand(op))).collect();
        self.settle(Writes::Everything);
        self.begin();
        let volatile = if asm.volatile { " volatile" } else { "" };
        let _ = write!(self.out, "__asm__{volatile}({}", literal::string(&asm.template));
        if !(outputs.is_empty() && inputs.is_empty() && asm.clobbers.is_empty()) {
            for list in [outputs, inputs] {
                self.out.push_str(" : ");
                for (i, (name, constraint, value)) in list.iter().enumerate() {
                    if i > 0 {
                        self.out.push_str(", ");
                    }
                    if let Some(name) = name {
                        let _ = write!(self.out, "[{name}] ");
                    }
                    let _ = write!(self.out, "{}(", literal::string(constraint));
                    self.write(value);
                    self.out.push(')');
                }
            }
            self.out.push_str(" : ");
            let clobbers: Vec<String> = asm.clobbers.iter().map(|c| literal::string(c)).collect();
            self.out.push_str(&clobbers.join(", "));
        }
        self.out.push_str(");");
        self.end();
    }

    // ------------------------------------------------------------ checks

    fn check(&mut self, check: &Check) {
        let off = match &check.kind {
            CheckKind::NonNull(_) => self.cx.options.no_null_checks,
            CheckKind::Assert(_) | CheckKind::Match => false,
            _ => self.cx.options.no_bounds_checks,
        };
        if off {
            return;
        }
        let (file, line) = self.position();
        let failed = |name: &'static str, mut args: Vec<Expr>| {
            args.extend([file.clone(), line.clone()]);
            Expr::call(name, args)
        };
        match &check.kind {
            CheckKind::NonNull(ptr) => {
                let ok = self.non_null(ptr);
                self.require(ok, failed("cyc_fail_null", vec![]));
            }
            CheckKind::Index { index, len } => {
                let bad = self.outside(index, *len);
                let index = self.operand_again(index);
                let len = Expr::name(format!("{len}ul"));
                self.fail_if(bad, failed("cyc_fail_index", vec![index, len]));
            }
            CheckKind::FatBounds { ptr, index, count } => {
                let coerced = check.why == CheckReason::Coercion;
                self.fat_bounds(ptr, index, *count, coerced, &failed);
            }
            CheckKind::FatOrNull { ptr, count } => {
                let size = self.elem_size(ptr);
                let count = Expr::name(count.to_string());
                let value = self.operand(ptr);
                let ok = Expr::call("cyc_fat_ok", vec![value.clone(), Expr::name("0"), count.clone()]);
                let some = Expr::call("cyc_fat_nonnull", vec![value.clone(), size]);
                let bad = Expr::binary("&&", ok.negated(), some);
                self.fail_if(bad, failed("cyc_fail_fat", vec![value, Expr::name("0"), count]));
            }
            CheckKind::ZeroScan { ptr, index } => {
                let name = format!("cyc_zero_scan_{}", self.zero_suffix(ptr));
                let (ptr, index) = (self.operand(ptr), self.relaxed(index));
                let ok = Expr::Call(Box::new(Expr::name(name)), vec![ptr, index.clone()]);
                self.require(ok, failed("cyc_fail_zero_scan", vec![index]));
            }
            CheckKind::ZeroStep { ptr } => {
                let ptr = self.operand(ptr);
                let ok = Expr::binary("!=", Expr::unary("*", ptr), Expr::name("0"));
                self.require(ok, failed("cyc_fail_zero_scan", vec![Expr::name("1")]));
            }
            CheckKind::ZeroWrite { ptr, index, value } => self.zero_write(ptr, index, value, &failed),
            CheckKind::ZeroLast { index, len, value } => {
                let (index, value) = (self.operand(index), self.operand(value));
                let last = Expr::binary("==", index, Expr::name((len.max(&1) - 1).to_string()));
                let nonzero = Expr::binary("!=", value, Expr::name("0"));
                let bad = Expr::binary("&&", last, nonzero);
                self.fail_if(bad, failed("cyc_fail_zero_write", vec![]));
            }
            CheckKind::Assert(cond) => {
                let cond = self.operand(cond);
                self.require(cond, failed("cyc_fail_assert", vec![]));
            }
            CheckKind::Match => {
                let fail = failed("cyc_fail_match", vec![]);
                self.expr_stmt(&fail);
            }
        }
    }

    /// Is an index not below `len`, as an unsigned number?
    fn outside(&mut self, index: &Operand, len: u64) -> Expr {
        use cyc_types::IntTy;
        let ty = self.ty_of(index);
        let index = self.operand(index);
        let narrow = !matches!(
            literal::int_kind(self.types(), ty),
            IntTy::Long | IntTy::ULong | IntTy::LongLong | IntTy::ULongLong | IntTy::Int128 | IntTy::UInt128
        );
        let (unsigned, suffix) = if narrow && len <= 1 << 31 { ("unsigned", "u") } else { ("unsigned long", "ul") };
        let signed = self.is_signed(ty) || suffix == "ul" && narrow;
        let index = if signed { Expr::cast(unsigned.into(), index) } else { index };
        Expr::binary(">=", index, Expr::name(format!("{len}{suffix}")))
    }

    fn fat_bounds(
        &mut self,
        ptr: &Operand,
        index: &Operand,
        count: u64,
        coerced: bool,
        failed: &dyn Fn(&'static str, Vec<Expr>) -> Expr,
    ) {
        let size = self.elem_size(ptr);
        let count = Expr::name(count.to_string());
        let (ptr, index) = (self.operand(ptr), self.relaxed(index));
        let ok = Expr::call("cyc_fat_ok", vec![ptr.clone(), index.clone(), count.clone()]);
        let fail = failed("cyc_fail_fat", vec![ptr.clone(), index, count]);
        if !coerced {
            return self.require(ok, fail);
        }
        // A coercion of null reports null.
        let null = Expr::call("cyc_fat_nonnull", vec![ptr, size]).negated();
        let fail_null = failed("cyc_fail_null", vec![]);
        self.begin();
        self.out.push_str("if (CYC_UNLIKELY(");
        self.write(&ok.negated());
        self.out.push_str(")) { if (");
        self.write(&null);
        self.out.push_str(") ");
        self.write(&fail_null);
        self.out.push_str("; ");
        self.write(&fail);
        self.out.push_str("; }");
        self.end();
    }

    fn zero_write(
        &mut self,
        ptr: &Operand,
        index: &Operand,
        value: &Operand,
        failed: &dyn Fn(&'static str, Vec<Expr>) -> Expr,
    ) {
        let fat = is_fat(self.types(), self.ty_of(ptr));
        let (ptr, index, value) = (self.operand(ptr), self.relaxed(index), self.operand(value));
        let last = if fat {
            // The access has been checked: the element is the last one when no other follows it.
            let next = Expr::call("cyc_fat_add", vec![ptr, index]);
            Expr::binary("==", Expr::call("cyc_fat_numelts", vec![next]), Expr::name("1"))
        } else {
            let element = Expr::Index(Box::new(ptr), Box::new(index));
            Expr::binary("==", element, Expr::name("0"))
        };
        let nonzero = Expr::binary("!=", value, Expr::name("0"));
        let bad = Expr::binary("&&", nonzero, last);
        self.fail_if(bad, failed("cyc_fail_zero_write", vec![]));
    }

    fn require(&mut self, ok: Expr, fail: Expr) {
        self.fail_if(ok.negated(), fail);
    }

    fn fail_if(&mut self, bad: Expr, fail: Expr) {
        self.begin();
        self.out.push_str("if (CYC_UNLIKELY(");
        self.write(&bad);
        self.out.push_str(")) ");
        self.write(&fail);
        self.out.push(';');
        self.end();
    }
}
