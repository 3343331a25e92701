//! Calls in subscripts, values and keys behind hidden types, and functions that capture pointers.

use super::Writer;
use crate::soundness::state::{HEAP, Kind};

impl Writer {
    /// A fat unique pointer; what its subscripts call may free the object.
    pub(super) fn subscripted(&mut self) -> Option<()> {
        let n = self.int();
        let own = self.some(|var| var.kind == Kind::Wide && !var.fixed);
        match (self.rng.u32(..9), own) {
            (0 | 1, _) => {
                let a = self.name('r');
                self.line(format!("int ?`U {a} = row({n});"));
                self.declare(&a, Kind::Wide);
            }
            (2, Some(i)) => self.line(format!("{} :=: wide;", self.var(i))),
            (3, Some(i)) => {
                let a = self.var(i);
                self.line(format!("if (numelts({a}) > 1) {a}[end_wide({n})] = {n};"));
            }
            (4, Some(i)) => {
                let a = self.var(i);
                self.line(format!("note(spent({a}));"));
                self.consume(i);
            }
            // An exception may come of it.
            (5, _) => self.line(format!("if (numelts(wide) > 1) note(wide[end_wide({n})]);")),
            (6, _) => self.line(format!("if (numelts(wide) > 1) wide[end_wide({n})] += {n};")),
            (7, _) => self.line(format!("if (nslot != NULL) nslot->p :=: slots[end_nodes({n})];")),
            _ => self.line(format!("if (nslot != NULL) slots[end_nodes({n})] :=: nslot->p;")),
        }
        Some(())
    }

    /// A value behind a hidden type is made, handed on, looked into, or ended.
    pub(super) fn hidden(&mut self) -> Option<()> {
        let old = self.takeable(Kind::Hidden);
        match (self.rng.u32(..4), old) {
            (0, Some(i)) => {
                self.line(format!("finish({});", self.var(i)));
                self.consume(i);
            }
            (1, Some(i)) => {
                let (h, how) = (self.name('k'), ["", "carried"][self.rng.usize(..2)]);
                self.line(format!("struct Hidden {h} = {how}({});", self.var(i)));
                self.consume(i);
                self.declare(&h, Kind::Hidden);
            }
            (2, Some(i)) => {
                let line = self.opening(i);
                self.line(line);
                self.disturbed.push(i);
            }
            _ => {
                let h = self.name('k');
                let (value, end) = match (self.takeable(Kind::Unique(HEAP)), self.takeable(Kind::Node)) {
                    (Some(u), _) => (u, "eat"),
                    (None, w) => (w?, "drop"),
                };
                self.line(format!("struct Hidden {h} = Hidden{{{}, {end}}};", self.var(value)));
                self.consume(value);
                self.declare(&h, Kind::Hidden);
            }
        }
        Some(())
    }

    /// What is hidden is taken out for a while.
    pub(super) fn opening(&mut self, i: usize) -> String {
        let t = self.name('t');
        format!("{{ let Hidden{{<`{t}> v{t}, e{t}}} = {}; }}", self.var(i))
    }

    /// A function that captures a pointer is called while what it leads to is live.
    pub(super) fn captured(&mut self) -> Option<()> {
        let i = self.some(|var| matches!(var.kind, Kind::Pointer(_))).filter(|_| !self.results)?;
        let (p, f, n) = (self.var(i), self.name('f'), self.int());
        self.line(format!("{{ int in{f}(int k) {{ return peek({p}) + k; }} note(in{f}({n})); }}"));
        Some(())
    }

    /// A key goes, with a pointer into its region, where only other functions find it.
    pub(super) fn packed(&mut self) -> Option<()> {
        let i = self.spent(|kind| matches!(kind, Kind::Key(_)))?;
        let region = self.state.vars[i].kind.opens()?;
        let inside = self.state.vars.iter().find(|var| var.kind == Kind::Pointer(region))?.name.clone();
        let (key, k) = (self.var(i), self.name('k'));
        self.line(format!("if ({inside} != NULL) {{"));
        self.line(format!("struct Pack *`U {k} = unew Pack{{{key}, {inside}}};"));
        self.line(format!("{k} :=: packed;"));
        self.line("}");
        self.consume(i);
        Some(())
    }
}
