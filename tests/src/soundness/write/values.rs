//! New values, and what becomes of values that must not be copied.

use super::Writer;
use crate::soundness::state::{Fate, HEAP, Kind, RegionId, Sort, Var};

impl Writer {
    pub(super) fn new_variable(&mut self) -> Option<()> {
        let n = self.int();
        match self.rng.u32(..11) {
            0..=2 => {
                let u = self.name('u');
                let how = if self.rng.bool() { format!("make({n})") } else { format!("unew {n}") };
                self.line(format!("int *`U {u} = {how};"));
                self.declare(&u, Kind::Unique(HEAP));
            }
            3 => {
                let u = self.name('w');
                self.line(format!("struct Node *`U {u} = push({n}, push(2, NULL));"));
                self.declare(&u, Kind::Node);
            }
            4 => {
                let c = self.name('c');
                self.line(format!("int ?`RC {c} = rcnew {n};"));
                self.declare(&c, Kind::Counted(HEAP));
            }
            5 => {
                let g = self.name('g');
                let how = if self.rng.bool() { format!(".p = unew {n}") } else { format!(".n = {n}") };
                self.line(format!("union Tag {g} = Tag{{{how}}};"));
                self.declare(&g, Kind::Tag);
            }
            6 => {
                let i = self.takeable(Kind::Unique(HEAP))?;
                let (e, u) = (self.name('e'), self.var(i));
                self.line(format!("struct Box<int *`U> {e} = Box{{{u}}};"));
                self.consume(i);
                self.declare(&e, Kind::Boxed);
            }
            7 => {
                let s = self.name('s');
                let old = self.some(|var| var.kind == Kind::Shape).map_or("NULL".into(), |i| self.var(i));
                let how = match self.rng.u32(..3) {
                    0 => "Dot".into(),
                    1 => format!("Ring(new {n})"),
                    _ => format!("Both({old}, {n})"),
                };
                self.line(format!("datatype Shape *`H {s} = new {how};"));
                self.declare(&s, Kind::Shape);
            }
            8 => {
                let (x, a) = (self.name('x'), self.name('a'));
                self.line(format!("int {x} = {n};"));
                self.line(format!("int *{a} = &{x};"));
                self.declare(&x, Kind::Int);
                let region = self.region("", Sort::Block);
                self.declare(&a, Kind::Pointer(region));
            }
            _ => return self.in_some_region(&n),
        }
        Some(())
    }

    /// A value that must not be copied goes elsewhere.
    pub(super) fn taken(&mut self) -> Option<()> {
        let i = self.some(|var| {
            let moves = matches!(var.kind, Kind::Unique(_) | Kind::Node | Kind::Counted(_) | Kind::Tag | Kind::Boxed);
            moves && !var.fixed
        })?;
        let (name, n, choice) = (self.var(i), self.int(), self.rng.u32(..6));
        match (self.state.vars[i].kind, choice) {
            (Kind::Unique(HEAP), 0) => self.line(format!("ufree({name});")),
            (Kind::Unique(HEAP), 1) => self.line(format!("eat({name});")),
            (Kind::Unique(HEAP), 2) => {
                let a = self.name('a');
                self.line(format!("int *\\A `H {a} = {name};"));
                self.declare(&a, Kind::Pointer(HEAP));
                if self.rng.bool() {
                    self.line(format!("kept = {a};"));
                }
            }
            (Kind::Unique(HEAP), _) => {
                let u = self.name('u');
                let how = ["", "pass", "hand", "same"][self.rng.usize(..4)];
                self.line(format!("int *`U {u} = {how}({name});"));
                self.declare(&u, Kind::Unique(HEAP));
            }
            (Kind::Unique(region), _) => self.given_to_reap(i, region, choice == 0)?,
            (Kind::Node, 0 | 1) => self.line(format!("drop({name});")),
            (Kind::Node, 2) => {
                let w = self.name('w');
                self.line(format!("struct Node *`U {w} = turn({name}, {n});"));
                self.declare(&w, Kind::Node);
            }
            (Kind::Node, _) => {
                self.line(format!("{name} = push({n}, {name});"));
                self.disturbed.push(i);
                return Some(());
            }
            (Kind::Counted(HEAP), _) => self.line(format!("drop_refptr({name});")),
            (Kind::Counted(region), _) => {
                let h = self.some(|var| var.kind == Kind::Handle(region))?;
                let handle = self.var(h);
                self.line(format!("rdrop_refptr({handle}, {name});"));
            }
            (Kind::Boxed, _) => {
                let u = self.name('u');
                self.line(format!("int *`U {u} = {name}.v;"));
                self.declare(&u, Kind::Unique(HEAP));
            }
            (_, _) => {
                let g = self.name('g');
                self.line(format!("union Tag {g} = {name};"));
                self.declare(&g, Kind::Tag);
            }
        }
        self.consume(i);
        Some(())
    }

    /// A unique pointer into a region is handed on, or its object given back.
    fn given_to_reap(&mut self, i: usize, region: RegionId, kept: bool) -> Option<()> {
        let (name, of) = (self.var(i), self.region_of(i));
        if kept {
            let u = self.name('u');
            self.line(format!("unique_in<{of}> {u} = same({name});"));
            self.declare(&u, Kind::Unique(region));
            return Some(());
        }
        let h = self.some(|var| var.kind == Kind::Handle(region))?;
        self.line(format!("rufree({}, {name});", self.var(h)));
        Some(())
    }

    pub(super) fn given_back(&mut self) -> Option<()> {
        let renewed = |var: &Var| match var.kind {
            Kind::Unique(region) => region == HEAP,
            Kind::Node | Kind::Counted(HEAP) | Kind::Tag | Kind::Boxed | Kind::Wide | Kind::Hidden => true,
            _ => false,
        };
        let gone = |i: &usize| {
            let var = &self.state.vars[*i];
            var.fate == Fate::Gone && !var.fixed && renewed(var)
        };
        let all: Vec<usize> = (0..self.state.vars.len()).filter(gone).collect();
        let i = *all.get(self.rng.usize(..all.len().max(1)))?;
        self.renew(i);
        Some(())
    }

    /// A new value for a variable whose value is gone.
    pub(super) fn renew(&mut self, i: usize) {
        let (name, n) = (self.var(i), self.int());
        let value = match self.state.vars[i].kind {
            Kind::Unique(HEAP) => format!("unew {n}"),
            Kind::Counted(HEAP) => format!("rcnew {n}"),
            Kind::Tag => format!("Tag{{.n = {n}}}"),
            Kind::Boxed => format!("Box{{unew {n}}}"),
            Kind::Wide => format!("row({n})"),
            Kind::Hidden => format!("Hidden{{unew {n}, eat}}"),
            _ => "NULL".into(),
        };
        self.line(format!("{name} = {value};"));
        self.state.vars[i].fate = Fate::Here;
    }

    /// Two places exchange what they hold; one of them may be shared.
    pub(super) fn swapped(&mut self) -> Option<()> {
        let swaps = |var: &Var| matches!(var.kind, Kind::Unique(_) | Kind::Node | Kind::Counted(_)) && !var.fixed;
        let i = self.some(swaps)?;
        let (name, kind) = (self.var(i), self.state.vars[i].kind);
        let other = self.some(|var| var.kind == kind && !var.fixed && var.name != name);
        let shelf = self.some(|var| matches!(var.kind, Kind::Shelf(_)) && kind == Kind::Unique(HEAP));
        let other = match (other, kind, shelf) {
            (_, _, Some(m)) if self.rng.bool() => {
                let m = self.var(m);
                self.line(format!("if ({m} != NULL) {m}->v :=: {name};"));
                return Some(());
            }
            (Some(j), _, _) if self.rng.bool() => self.var(j),
            (_, Kind::Node, _) => "nslot".into(),
            (_, Kind::Counted(HEAP), _) => "counted".into(),
            (_, Kind::Unique(HEAP), _) => "slot".into(),
            _ => return None,
        };
        self.line(format!("{name} :=: {other};"));
        Some(())
    }
}
