//! Control flow as nested statements.

use crate::body::Function;
use crate::ctree::Expr;
use crate::fold::{Reads, Writes};
use crate::literal;
use crate::print;
use crate::structure::Structure;
use cyc_mir::*;
use std::fmt::Write;

/// Where control goes from the end of a piece of text, and by `break` and `continue`.
#[derive(Clone, Copy)]
struct Around {
    next: Option<BlockId>,
    on_break: Option<BlockId>,
    on_continue: Option<BlockId>,
}

/// How a jump is written.
enum Jump {
    /// The target follows.
    Nothing,
    /// The target is written here.
    Inline,
    Word(String),
}

impl<'u, 'a> Function<'u, 'a> {
    /// The whole graph.
    pub(crate) fn graph(&mut self) {
        let structure = Structure::new(self.body);
        let nothing = Around { next: None, on_break: None, on_continue: None };
        self.tree(&structure, BlockId(0), nothing);
        self.place_labels();
    }

    /// Labels are known to be needed only when the text is complete.
    fn place_labels(&mut self) {
        if !self.labels.iter().any(|(_, block)| self.labelled[block.0 as usize]) {
            return;
        }
        let text = std::mem::take(&mut self.out);
        let mut from = 0;
        for (at, block) in &self.labels {
            if self.labelled[block.0 as usize] {
                self.out.push_str(&text[from..*at]);
                from = *at;
                let newline = if self.cx.options.line_directives { "" } else { "\n" };
                let _ = write!(self.out, " L{}:;{newline}", block.0);
            }
        }
        self.out.push_str(&text[from..]);
    }

    /// A block and everything that stands under it. True if the end of the text can be reached.
    fn tree(&mut self, structure: &Structure, mut block: BlockId, around: Around) -> bool {
        // The last of the blocks in a row is handled by the loop, so that long functions do not recurse.
        loop {
            let at = block.0 as usize;
            self.written[at] = true;
            self.labels.push((self.out.len(), block));
            let row = if structure.is_header[at] { &structure.after_loop[at] } else { &structure.followers[at] };
            let first = Around { next: row.first().copied().or(around.next), ..around };
            let mut reached = if structure.is_header[at] {
                self.endless_loop(structure, block, first.next)
            } else {
                self.code(structure, block, first)
            };
            let Some((last, others)) = row.split_last() else { return reached };
            for (i, follower) in others.iter().enumerate() {
                let next = row.get(i + 1).copied();
                reached = self.tree(structure, *follower, Around { next, ..around });
            }
            let _ = reached;
            block = *last;
        }
    }

    /// `for (;;)`, or `while` where the header only tests. True: what follows the loop can be reached.
    fn endless_loop(&mut self, structure: &Structure, header: BlockId, next: Option<BlockId>) -> bool {
        let body = self.body;
        let block = &body.blocks[header.0 as usize];
        let followers = &structure.followers[header.0 as usize];
        let inside =
            Around { next: followers.first().copied().or(Some(header)), on_break: next, on_continue: Some(header) };
        if let (Terminator::If { cond, then, otherwise }, true) = (&block.term, self.prints_nothing(block)) {
            let leaves = [Some(*then) == next, Some(*otherwise) == next];
            if leaves[0] != leaves[1] {
                let start = self.out.len();
                self.block_stmts(header);
                let cond = self.operand(cond);
                self.settle(Writes::Everything);
                let printed = self.out.split_off(start);
                let (cond, stay) = if leaves[1] { (cond, *then) } else { (cond.negated(), *otherwise) };
                self.begin();
                if printed.is_empty() {
                    self.out.push_str("while (");
                    self.write(&cond);
                    self.out.push_str(") {");
                } else {
                    // Something did not fold into the condition after all: it belongs to every round.
                    self.out.push_str("for (;;) { ");
                    self.out.push_str(&printed);
                    self.out.push_str("if (");
                    self.write(&cond.negated());
                    self.out.push_str(") break;");
                }
                self.end();
                self.indent += 1;
                self.jump_to(structure, stay, inside);
                self.rest_of_loop(structure, header, inside);
                return true;
            }
        }
        self.text("for (;;) {");
        self.indent += 1;
        self.code(structure, header, inside);
        self.rest_of_loop(structure, header, inside);
        true
    }

    fn rest_of_loop(&mut self, structure: &Structure, header: BlockId, inside: Around) {
        let followers = &structure.followers[header.0 as usize];
        for (i, follower) in followers.iter().enumerate() {
            let next = followers.get(i + 1).copied().or(Some(header));
            self.tree(structure, *follower, Around { next, ..inside });
        }
        self.indent -= 1;
        self.text("}");
    }

    /// Do a block's instructions all fold into its terminator?
    fn prints_nothing(&self, block: &Block) -> bool {
        block.stmts.len() <= 8
            && block.stmts.iter().all(|stmt| match &stmt.kind {
                StmtKind::Assign(place, value) => {
                    place.as_local().is_some_and(|local| self.plan.folds(local)) && self.can_wait(value)
                }
                StmtKind::Removed(..) => true,
                _ => false,
            })
    }

    /// The instructions of a block.
    fn block_stmts(&mut self, id: BlockId) {
        let body = self.body;
        for handler in body.handlers.iter().filter(|handler| handler.catch == id) {
            self.go_to(handler.span);
            self.store(&Expr::Local(handler.caught.0), &Expr::call("cyc_caught", vec![]));
        }
        let block = &body.blocks[id.0 as usize];
        for stmt in &block.stmts {
            self.go_to(stmt.span);
            self.reads = Reads::default();
            self.stmt(&stmt.kind, stmt.span);
        }
        self.go_to(block.term_span);
        self.reads = Reads::default();
    }

    /// A block's instructions and its terminator. True if the end of the text can be reached.
    fn code(&mut self, structure: &Structure, id: BlockId, around: Around) -> bool {
        self.block_stmts(id);
        let body = self.body;
        let reached = match &body.blocks[id.0 as usize].term {
            Terminator::Goto(to) => {
                self.settle(Writes::Everything);
                self.jump_to(structure, *to, around)
            }
            Terminator::If { cond, then, otherwise } => {
                let cond = self.operand(cond);
                self.settle(Writes::Everything);
                self.branch(structure, cond, *then, *otherwise, around)
            }
            Terminator::Switch { on, cases, default } => self.switch(structure, on, cases, *default, around),
            Terminator::Try { handler, body: inside } => {
                self.settle(Writes::Everything);
                let catch = body.handlers[handler.0 as usize].catch;
                let cond = Expr::call("CYC_TRY", vec![Expr::name(format!("_cycH{}", handler.0))]);
                self.branch(structure, cond, catch, *inside, around)
            }
            term => {
                self.exit(term);
                false
            }
        };
        self.waiting.clear();
        reached
    }

    /// A terminator that leaves the function.
    fn exit(&mut self, term: &Terminator) {
        match term {
            Terminator::Throw(exception) => {
                let exception = self.operand(exception);
                let (file, line) = self.position();
                self.expr_stmt(&Expr::call("cyc_throw", vec![exception, file, line]));
            }
            Terminator::Rethrow(exception) => {
                let exception = self.operand(exception);
                self.expr_stmt(&Expr::call("cyc_rethrow", vec![exception]));
            }
            Terminator::Return(_) | Terminator::MissingReturn if self.no_return => self.text("__builtin_trap();"),
            Terminator::Return(None) => self.text("return;"),
            Terminator::Return(Some(value)) => {
                let value = self.relaxed(value);
                self.return_value(&value);
            }
            Terminator::MissingReturn => {
                let value = self.zero(self.body.ret);
                self.return_value(&value);
            }
            _ => self.text("__builtin_trap();"),
        }
    }

    fn return_value(&mut self, value: &Expr) {
        self.begin();
        self.out.push_str("return ");
        self.write(value);
        self.out.push(';');
        self.end();
    }

    // ------------------------------------------------------------ jumps

    fn jump(&mut self, structure: &Structure, to: BlockId, around: Around) -> Jump {
        if around.next == Some(to) {
            Jump::Nothing
        } else if structure.inline[to.0 as usize] && !self.written[to.0 as usize] {
            Jump::Inline
        } else if around.on_break == Some(to) {
            Jump::Word("break;".into())
        } else if around.on_continue == Some(to) {
            Jump::Word("continue;".into())
        } else {
            self.labelled[to.0 as usize] = true;
            Jump::Word(format!("goto L{};", to.0))
        }
    }

    fn jump_to(&mut self, structure: &Structure, to: BlockId, around: Around) -> bool {
        match self.jump(structure, to, around) {
            Jump::Nothing => true,
            Jump::Inline => self.tree(structure, to, around),
            Jump::Word(word) => {
                self.text(&word);
                false
            }
        }
    }

    fn branch(&mut self, structure: &Structure, cond: Expr, yes: BlockId, no: BlockId, around: Around) -> bool {
        if yes == no {
            return self.jump_to(structure, yes, around);
        }
        match (self.jump(structure, yes, around), self.jump(structure, no, around)) {
            (Jump::Nothing, Jump::Nothing) => true,
            (Jump::Word(word), Jump::Nothing) => self.if_word(cond, &word, true),
            (Jump::Nothing, Jump::Word(word)) => self.if_word(cond.negated(), &word, true),
            (Jump::Word(yes), Jump::Word(no)) => {
                self.if_word(cond, &yes, true);
                self.text(&no);
                false
            }
            (Jump::Word(word), Jump::Inline) => {
                self.if_word(cond, &word, true);
                self.tree(structure, no, around)
            }
            (Jump::Inline, Jump::Word(word)) => {
                self.if_word(cond.negated(), &word, true);
                self.tree(structure, yes, around)
            }
            (Jump::Inline, Jump::Nothing) => {
                self.if_block(structure, cond, yes, around);
                self.text("}");
                true
            }
            (Jump::Nothing, Jump::Inline) => {
                self.if_block(structure, cond.negated(), no, around);
                self.text("}");
                true
            }
            (Jump::Inline, Jump::Inline) => {
                if !self.if_block(structure, cond, yes, around) {
                    self.text("}");
                    return self.tree(structure, no, around);
                }
                self.text("} else {");
                self.indent += 1;
                self.tree(structure, no, around);
                self.indent -= 1;
                self.text("}");
                true
            }
        }
    }

    fn if_word(&mut self, cond: Expr, word: &str, reached: bool) -> bool {
        self.begin();
        self.out.push_str("if (");
        self.write(&cond);
        let _ = write!(self.out, ") {word}");
        self.end();
        reached
    }

    /// `if (cond) { block`, the brace left open. True if the end of the block can be reached.
    fn if_block(&mut self, structure: &Structure, cond: Expr, block: BlockId, around: Around) -> bool {
        self.begin();
        self.out.push_str("if (");
        self.write(&cond);
        self.out.push_str(") {");
        self.end();
        self.indent += 1;
        let reached = self.tree(structure, block, around);
        self.indent -= 1;
        reached
    }

    fn switch(
        &mut self,
        structure: &Structure,
        on: &Operand,
        cases: &[(i128, BlockId)],
        default: BlockId,
        around: Around,
    ) -> bool {
        let ty = self.ty_of(on);
        let on = self.operand(on);
        self.settle(Writes::Everything);
        self.begin();
        self.out.push_str("switch (");
        self.write(&on);
        self.out.push_str(") {");
        self.end();
        // One group of labels for each target, in order of first mention; the default stands last.
        let mut groups: Vec<(BlockId, Vec<i128>)> = vec![];
        let mut slots = rustc_hash::FxHashMap::default();
        for (value, to) in cases.iter().filter(|(_, to)| *to != default) {
            let slot = *slots.entry(*to).or_insert_with(|| {
                groups.push((*to, vec![]));
                groups.len() - 1
            });
            groups[slot].1.push(*value);
        }
        let inside = Around { on_break: around.next, ..around };
        for (to, values) in groups {
            let mut line = String::new();
            for value in values {
                line.push_str(if line.is_empty() { "case " } else { " case " });
                line.push_str(&print::constant(&literal::int(self.types(), value, ty, true)));
                line.push(':');
            }
            self.case(structure, &line, to, inside);
        }
        self.case(structure, "default:", default, inside);
        self.text("}");
        true
    }

    fn case(&mut self, structure: &Structure, label: &str, to: BlockId, around: Around) {
        match self.jump(structure, to, around) {
            Jump::Nothing => self.text(&format!("{label} break;")),
            Jump::Word(word) => self.text(&format!("{label} {word}")),
            Jump::Inline => {
                self.text(label);
                self.indent += 1;
                if self.tree(structure, to, around) {
                    self.text("break;");
                }
                self.indent -= 1;
            }
        }
    }
}
