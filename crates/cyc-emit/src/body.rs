//! Functions: blocks become labelled statements, checks become branches to cold calls.

use crate::Unit;
use crate::ctree::Expr;
use crate::fold::{Plan, Reads, Waiting, Writes};
use crate::names::Locals;
use crate::types::CTypes;
use crate::{globals, literal, print, profile};
use cyc_base::Span;
use cyc_mir::*;
use cyc_types::{Shape, Types};
use std::fmt::Write;

/// The files whose names failing checks report.
#[derive(Default)]
pub(crate) struct Files {
    /// Indices into the source map's files, in order of first use.
    pub used: Vec<usize>,
    /// Places that a memory profile is told.
    pub sites: profile::Sites,
}

impl Files {
    fn slot(&mut self, file: usize) -> usize {
        self.used.iter().position(|f| *f == file).unwrap_or_else(|| {
            self.used.push(file);
            self.used.len() - 1
        })
    }
}

/// Text nested deeper than this is not indented further.
const DEEPEST_INDENT: usize = 24;

/// The state of emitting one function.
pub(crate) struct Function<'u, 'a> {
    pub cx: &'u Unit<'a>,
    pub body: &'u Body,
    files: &'u mut Files,
    pub names: Locals,
    pub plan: Plan,
    pub waiting: Vec<Waiting>,
    /// What the expressions built since the last reset read.
    pub reads: Reads,
    /// Locals the text mentions: the others are not declared.
    mentioned: Vec<bool>,
    pub out: String,
    /// Where the statement being emitted stands in the source.
    at: (usize, u32),
    at_offset: u32,
    /// Depth of the nested text.
    pub indent: usize,
    /// Places where a label would stand, in the order of the text.
    pub labels: Vec<(usize, BlockId)>,
    /// Blocks that stand in the text already, wholly or up to here.
    pub written: Vec<bool>,
    /// Blocks that a `goto` names.
    pub labelled: Vec<bool>,
    /// Source file and line of the C line being written.
    line: (usize, u32),
    pub no_return: bool,
}

/// Writes a function, at the shapes if it is polymorphic.
pub(crate) fn function(cx: &Unit, body: &Body, shapes: &[Shape], files: &mut Files, out: &mut String) {
    if body.vars.iter().any(|var| var.kind.is_type()) {
        let args = cx.unit.types.shape_args(&body.vars, shapes);
        instance(cx, &instantiate(&cx.unit.types, body, &args), shapes, files, out);
    } else {
        instance(cx, body, shapes, files, out);
    }
}

fn instance(cx: &Unit, body: &Body, shapes: &[Shape], files: &mut Files, out: &mut String) {
    // The programmer's locals come first, temporaries after them.
    let names = cx.names.locals(body.locals.iter().map_while(|local| local.name).map(|name| name.as_str()));
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
        mentioned: vec![false; body.locals.len()],
        out: String::with_capacity(body.blocks.len() * 64),
        at,
        at_offset: body.span.lo,
        indent: 1,
        labels: vec![],
        written: vec![false; body.blocks.len()],
        labelled: vec![false; body.blocks.len()],
        line: at,
        no_return,
    };
    function.graph();
    let header = function.header(shapes);
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

    fn header(&self, shapes: &[Shape]) -> String {
        let names: Vec<String> = (0..self.body.params).map(|i| self.names.get(i)).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        globals::function_head(self.cx, self.body.global, shapes, &names)
    }

    fn declarations(&self) -> String {
        let mut out = String::new();
        let (open, close) = if self.cx.options.line_directives { ("", " ") } else { ("  ", "\n") };
        for (i, decl) in self.body.locals.iter().enumerate().skip(self.body.params as usize) {
            if !self.mentioned[i] {
                continue;
            }
            out.push_str(open);
            match self.cx.types.simple(decl.qty) {
                Some(text) => {
                    CTypes::before_name(&text, &mut out);
                    self.names.write(i as u32, &mut out);
                }
                None => out += &self.cx.types.declare(decl.qty, &self.names.get(i as u32)),
            }
            for attr in &decl.attrs {
                let _ = write!(out, " __attribute__(({attr}))");
            }
            out.push(';');
            out.push_str(close);
        }
        for i in 0..self.body.handlers.len() {
            let _ = write!(out, "{open}cyc_handler _cycH{i};{close}");
        }
        for i in 0..self.body.regions {
            let _ = write!(out, "{open}cyc_region _cycR{i};{close}");
        }
        if self.cx.options.profile == crate::Profile::Program {
            let _ = write!(out, "{open}CYC_PROFILE_FRAME;{close}");
        }
        for (i, decl) in self.body.locals.iter().enumerate() {
            let is_param = i < self.body.params as usize;
            if decl.survives_throw && (self.mentioned[i] || is_param) {
                let _ = write!(out, "{open}CYC_SURVIVES({});{close}", self.names.get(i as u32));
            }
        }
        out
    }

    // ------------------------------------------------------------ lines

    /// Moves to the line of `span` in the output.
    pub(crate) fn go_to(&mut self, span: Span) {
        if span != Span::NONE && span.lo != self.at_offset {
            self.at = self.cx.source.file_line(span.lo);
            self.at_offset = span.lo;
        }
    }

    /// Starts a statement.
    pub(crate) fn begin(&mut self) {
        if !self.cx.options.line_directives {
            for _ in 0..self.indent.min(DEEPEST_INDENT) {
                self.out.push_str("  ");
            }
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

    pub(crate) fn end(&mut self) {
        if !self.cx.options.line_directives {
            self.out.push('\n');
        }
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.begin();
        self.out.push_str(text);
        self.end();
    }

    pub(crate) fn printer(&mut self) -> print::Printer<'_> {
        print::Printer { out: &mut self.out, names: &self.names, mentioned: &mut self.mentioned }
    }

    pub(crate) fn write(&mut self, e: &Expr) {
        self.printer().expr(e);
    }

    pub(crate) fn expr_stmt(&mut self, e: &Expr) {
        self.begin();
        self.write(e);
        self.out.push(';');
        self.end();
    }

    /// `place = value;`, compound and step operators where they say the same.
    pub(crate) fn store(&mut self, place: &Expr, value: &Expr) {
        self.begin();
        self.write(place);
        self.out.push_str(" = ");
        self.write(value);
        self.out.push(';');
        self.end();
    }

    /// File and line of the current statement, as a failing check wants them.
    pub(crate) fn position(&mut self) -> (Expr, Expr) {
        let slot = self.files.slot(self.at.0);
        (Expr::File(slot as u32), Expr::Number(self.at.1 as u64))
    }

    /// What a memory profile has to know of the current place before the next statement.
    pub(crate) fn profiled(&mut self, event: profile::Event) {
        let Some(hook) = event.hook(self.cx.options.profile) else { return };
        let global = self.cx.unit.global(self.body.global);
        let function = match global.namespace.as_str() {
            "" => global.name.as_str().to_string(),
            path => format!("{path}::{}", global.name),
        };
        let site =
            profile::Site { file: self.files.slot(self.at.0), line: self.at.1, function, region: event.region() };
        let index = self.files.sites.index(site);
        self.text(&format!("{hook}(&_cycP{index});"));
    }

    // ------------------------------------------------------------ folding

    /// A local's value: the expression that waits for this use, or the variable.
    pub(crate) fn local(&mut self, local: Local) -> Expr {
        if self.plan.folds(local)
            && let Some(i) = self.waiting.iter().position(|w| w.local == local)
        {
            let waiting = self.waiting.remove(i);
            self.reads.include(&waiting.reads);
            return waiting.value;
        }
        self.reads.note(local);
        Expr::Local(local.0)
    }

    /// Before an instruction that writes: expressions that read what it writes become variables.
    pub(crate) fn settle(&mut self, writes: Writes) {
        if self.waiting.is_empty() {
            return;
        }
        if !self.waiting.iter().any(|waiting| writes.change(&waiting.reads)) {
            return;
        }
        let mut kept = Vec::with_capacity(self.waiting.len());
        for waiting in std::mem::take(&mut self.waiting) {
            if writes.change(&waiting.reads) { self.write_down(waiting) } else { kept.push(waiting) }
        }
        self.waiting = kept;
    }

    pub(crate) fn write_down(&mut self, waiting: Waiting) {
        let (at, offset) = (self.at, self.at_offset);
        self.go_to(waiting.span);
        self.store(&Expr::Local(waiting.local.0), &waiting.value);
        (self.at, self.at_offset) = (at, offset);
    }

    pub(crate) fn writes_to(&self, place: &Place) -> Writes {
        match place.within_local() {
            Some(local) => Writes::Local { local, taken: self.body.locals[local.0 as usize].address_taken },
            None => Writes::Memory,
        }
    }
}
