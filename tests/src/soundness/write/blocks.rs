//! Statements with statements in them.

use super::Writer;
use crate::soundness::state::{Fate, HEAP, Kind, Sort};

impl Writer {
    /// `head {`, some statements, `}`; the variables and regions of it end.
    pub(super) fn within(
        &mut self,
        head: &str,
        depth: u32,
        before: impl FnOnce(&mut Self),
        after: impl FnOnce(&mut Self),
    ) {
        let vars = self.state.vars.len();
        self.state.blocks.push(vars);
        let regions: Vec<bool> = self.state.regions.iter().map(|r| r.live).collect();
        self.line(format!("{head}{{"));
        before(self);
        for _ in 0..self.rng.u32(1..=4) {
            self.statement(depth);
        }
        after(self);
        self.line("}");
        self.state.vars.truncate(vars);
        self.state.blocks.pop();
        self.state.regions[regions.len()..].iter_mut().for_each(|r| r.live = false);
        self.state.regions.iter_mut().zip(regions).for_each(|(r, live)| r.live = live);
    }

    pub(super) fn conditional(&mut self, depth: u32) -> Option<()> {
        let n = self.unknown();
        let entry = self.state.fates();
        self.within(&format!("if ({n} % 2 == 0) "), depth, |_| {}, |_| {});
        let then = self.state.fates();
        self.state.set(&entry);
        if self.rng.bool() {
            self.within("else ", depth, |_| {}, |_| {});
        }
        self.state.join(&then);
        Some(())
    }

    pub(super) fn repeated(&mut self, depth: u32) -> Option<()> {
        let i = self.name('i');
        let entry = self.state.fates();
        self.loops.push(entry.clone());
        let head = format!("for (int {i} = 0; {i} < {}; {i}++) ", self.rng.u32(1..4));
        let outer = entry.clone();
        let counter = i.clone();
        self.within(&head, depth, |w| _ = w.declare(&counter, Kind::Int), |w| w.replace_gone(&outer));
        self.loops.pop();
        self.state.join(&entry);
        Some(())
    }

    /// What was there before and is gone gets a new value.
    pub(super) fn replace_gone(&mut self, before: &[Fate]) {
        for (i, fate) in before.iter().enumerate() {
            if *fate == Fate::Here && self.state.vars[i].fate == Fate::Gone {
                self.renew(i);
            }
        }
    }

    pub(super) fn tried(&mut self, depth: u32) -> Option<()> {
        let entry = self.state.fates();
        let before = self.disturbed.len();
        self.tries += 1;
        let n = self.int();
        self.within("try ", depth, |w| w.line(format!("stop({n});")), |_| {});
        self.tries -= 1;
        self.line("catch {");
        let x = self.name('x');
        self.line(format!("case &Stop({x}): note({x}); break;"));
        self.line("default: break;");
        self.line("}");
        self.state.join(&entry);
        for &i in &self.disturbed[before..] {
            if i < entry.len() {
                self.state.vars[i].fate = self.state.vars[i].fate.max(Fate::Gone);
            }
        }
        Some(())
    }

    pub(super) fn with_alias(&mut self, depth: u32) -> Option<()> {
        let i = self.some(|var| matches!(var.kind, Kind::Unique(_) | Kind::Node))?;
        let (name, a, t) = (self.var(i), self.name('a'), self.name('t'));
        let node = self.state.vars[i].kind == Kind::Node;
        self.state.vars[i].fate = Fate::Lent;
        self.within(
            "",
            depth,
            |w| {
                if node {
                    w.line(format!("let alias<`{t}> struct View<`{t}> *`{t} v{t} = {name};"));
                    w.line(format!("note(viewed(v{t}));"));
                } else {
                    w.line(format!("let alias<`{t}> int *`{t} {a} = {name};"));
                    let region = w.region(&format!("`{t}"), Sort::Alias);
                    w.declare(&a, Kind::Pointer(region));
                }
            },
            |_| {},
        );
        self.state.vars[i].fate = Fate::Here;
        Some(())
    }

    /// What a call returns points into its argument, which is here again after the last use.
    pub(super) fn with_result(&mut self, depth: u32) -> Option<()> {
        let i = self.some(|var| matches!(var.kind, Kind::Unique(_) | Kind::Node)).filter(|_| self.results)?;
        let other = self.some(|var| matches!(var.kind, Kind::Pointer(_))).map_or("NULL".into(), |i| self.var(i));
        let (name, a, n) = (self.var(i), self.name('a'), self.int());
        let call = match (self.state.vars[i].kind, self.rng.bool()) {
            (Kind::Node, true) => format!("pick(within({name}), {other}, {n})"),
            (Kind::Node, false) => format!("within({name})"),
            (_, true) => format!("pick({name}, {other}, {n})"),
            (_, false) => format!("pick({other}, {name}, {n})"),
        };
        self.state.vars[i].fate = Fate::Used;
        self.within(
            "",
            depth,
            |w| {
                w.line(format!("int *{a} = {call};"));
                let region = w.region("", Sort::Result);
                w.declare(&a, Kind::Pointer(region));
            },
            |w| {
                w.line(format!("note(peek({a}));"));
                w.state.vars[i].fate = Fate::Here;
                let var = &w.state.vars[i];
                match var.kind == Kind::Unique(HEAP) && !var.fixed && w.rng.bool() {
                    true => {
                        w.line(format!("eat({name});"));
                        w.consume(i);
                        w.renew(i);
                    }
                    false => w.line(format!("note({name} == NULL ? 0 : {n});")),
                }
            },
        );
        Some(())
    }

    /// A pattern takes or borrows a part for a while.
    pub(super) fn matched(&mut self, depth: u32) -> Option<()> {
        let i = self.some(|var| var.kind == Kind::Node)?;
        let (name, v, p, t) = (self.var(i), self.name('v'), self.name('u'), self.name('t'));
        let alias = self.rng.bool();
        let entry = self.state.fates();
        self.state.vars[i].fate = Fate::Lent;
        if !alias {
            // What a pattern took, an exception may find gone.
            self.disturbed.push(i);
        }
        let pattern = match alias {
            true => format!("case &Node{{.v = {v}, .p = alias<`{t}> int *`{t} {p}, ...}}: "),
            false => format!("case &Node{{.v = {v}, .p = {p}, ...}}: "),
        };
        self.line(format!("switch ({name}) {{"));
        self.line("case NULL: break;");
        self.within(
            &pattern,
            depth,
            |w| {
                w.declare(&v, Kind::Int);
                let kind = match alias {
                    true => Kind::Pointer(w.region(&format!("`{t}"), Sort::Alias)),
                    false => Kind::Unique(HEAP),
                };
                let local = w.declare(&p, kind);
                w.state.vars[local].fixed = true;
            },
            |w| w.line("break;"),
        );
        self.line("}");
        self.state.vars[i].fate = Fate::Here;
        self.state.join(&entry);
        Some(())
    }

    pub(super) fn jump(&mut self) -> Option<()> {
        let n = self.unknown();
        let out = match self.loops.last() {
            Some(entry) if self.tries == 0 => {
                let kept = entry.iter().zip(&self.state.vars).all(|(was, var)| *was == var.fate);
                kept.then(|| if self.rng.bool() { "continue" } else { "break" })
            }
            _ => None,
        };
        match out {
            // A `break` within a `switch` would leave that.
            Some("continue") => self.line(format!("if ({n} == 2) continue;")),
            _ => self.line(format!("if ({n} == 12) return;")),
        }
        Some(())
    }
}
