//! Uses that leave everything where it is.

use super::Writer;
use crate::soundness::state::{HEAP, Kind, RegionId};

impl Writer {
    pub(super) fn called(&mut self) -> Option<()> {
        if self.functions == 0 || self.tries == 0 && self.rng.bool() {
            let n = self.int();
            let lines =
                [format!("put({n});"), "note(take());".into(), format!("start({n});"), format!("note(visit({n}));")];
            let line = lines[self.rng.usize(..4)].clone();
            self.line(line);
            return Some(());
        }
        // In a `try` what is lent to a call is gone where it throws.
        let try_around = self.tries > 0;
        let b = self.some(|var| var.kind == Kind::Unique(HEAP) && !(try_around && var.fixed))?;
        let q = self.some(|var| matches!(var.kind, Kind::Pointer(_)))?;
        let (f, n) = (self.rng.usize(..self.functions), self.int());
        let (b_name, q_name) = (self.var(b), self.var(q));
        let o = match self.takeable(Kind::Node) {
            Some(o) if self.rng.bool() => {
                self.consume(o);
                self.var(o)
            }
            _ => format!("push({n}, NULL)"),
        };
        self.disturbed.push(b);
        self.line(format!("f{f}({n}, {b_name}, {q_name}, {o});"));
        Some(())
    }

    pub(super) fn with_node(&mut self) -> Option<()> {
        let i = self.takeable(Kind::Node)?;
        let (name, u, n) = (self.var(i), self.name('u'), self.int());
        match self.rng.u32(..4) {
            3 => {
                let (one, other) = (format!("{name}->next"), name.clone());
                self.line(format!("if ({name} != NULL) {{"));
                let line = if self.rng.bool() { format!("{one} :=: {other};") } else { format!("{other} :=: {one};") };
                self.line(line);
            }
            0 => {
                self.line(format!("if ({name} != NULL) {{"));
                self.line(format!("int *`U {u} = {name}->p;"));
                self.line(format!("{name}->p = unew {n};"));
                self.line(format!("eat({u});"));
            }
            1 => {
                self.line(format!("if ({name} != NULL) {{"));
                self.line(format!("int *`U {u} = NULL;"));
                self.line(format!("{u} :=: {name}->p;"));
                self.line(format!("touch({u});"));
                self.line(format!("{u} :=: {name}->p;"));
            }
            _ => {
                self.line(format!("if ({name} != NULL) {{"));
                self.line(format!("struct Node *`U {u} = {name}->next;"));
                self.line(format!("{name}->next = NULL;"));
                self.line(format!("drop({u});"));
            }
        }
        self.line("}");
        self.disturbed.push(i);
        Some(())
    }

    /// A use that leaves everything as it is.
    pub(super) fn looked_at(&mut self) -> Option<()> {
        let i = self.some(|var| {
            !matches!(var.kind, Kind::Handle(_) | Kind::Key(_) | Kind::CountedKey(_) | Kind::Generator(_))
        })?;
        let (name, var, n) = (self.var(i), self.state.vars[i].clone(), self.int());
        match var.kind {
            Kind::Int => self.line(format!("note({name});")),
            Kind::Unique(region) => match self.rng.u32(..4) {
                0 => self.line(format!("note(peek({name}));")),
                1 => self.line(format!("if ({name} != NULL) *{name} = {n};")),
                2 if region == HEAP && (self.tries == 0 || !var.fixed) => {
                    self.line(format!("touch({name});"));
                    self.disturbed.push(i);
                }
                _ => self.line(format!("note({name} == NULL ? 0 : *{name});")),
            },
            Kind::Node => match self.rng.bool() {
                true => self.line(format!("note(viewed({name}));")),
                false => self.line(format!("note({name} == NULL ? 0 : {name}->v);")),
            },
            Kind::Counted(_) => match self.tries == 0 && self.rng.bool() {
                true => {
                    let (c, of) = (self.name('c'), self.region_of(i));
                    self.line(format!("counted_in<{of}> {c} = alias_refptr({name});"));
                    self.declare(&c, var.kind);
                }
                false => self.line(format!("if ({name} != NULL) note(*{name});")),
            },
            Kind::Tag => {
                let (u, m) = (self.name('u'), self.name('m'));
                self.disturbed.push(i);
                self.line(format!("switch ({name}) {{"));
                self.line(format!("case {{.p = {u}}}: note(peek({u})); break;"));
                self.line(format!("case {{.n = {m}}}: note({m}); break;"));
                self.line("}");
            }
            Kind::Boxed => self.line(format!("note({name}.v == NULL ? 0 : *{name}.v);")),
            Kind::Pointer(region) => {
                let other = self.some(|var| var.kind == Kind::Pointer(region)).unwrap_or(i);
                let other = self.var(other);
                match self.rng.u32(..3) {
                    0 if !self.state.regions[region].name.is_empty() && !var.fixed => {
                        self.line(format!("{name} = pick({name}, {other}, {n});"));
                    }
                    1 => self.line(format!("if ({name} != NULL) *{name} = {n};")),
                    _ => self.line(format!("note(peek({name}));")),
                }
            }
            Kind::Cells(region) => self.cells(&name, region),
            Kind::Pooled(_) => self.line(format!("note(pooled({name}));")),
            Kind::Shelf(region) => self.shelf(&name, region),
            Kind::Shape => self.line(format!("note(shape({name}));")),
            Kind::Wide => self.line(format!("note((int)numelts({name}));")),
            Kind::Hidden => {
                let line = self.opening(i);
                self.line(line);
                self.disturbed.push(i);
            }
            Kind::Handle(_) | Kind::Key(_) | Kind::CountedKey(_) | Kind::Generator(_) => return None,
        }
        Some(())
    }

    fn cells(&mut self, name: &str, region: RegionId) {
        let other = self.some(|var| var.kind == Kind::Cells(region)).map_or("NULL".into(), |i| self.var(i));
        let p = self.some(|var| var.kind == Kind::Pointer(region)).map_or("NULL".into(), |i| self.var(i));
        match self.rng.bool() {
            true => self.line(format!("tie({name}, {other}, {p});")),
            false => self.line(format!("note(cells({name}));")),
        }
    }

    fn shelf(&mut self, name: &str, region: RegionId) {
        let other = self.some(|var| var.kind == Kind::Shelf(region)).map_or(name.into(), |i| self.var(i));
        match self.rng.bool() {
            true => self.line(format!("trade({name}, {other});")),
            false => self.line(format!("if ({name} != NULL && {name}->v != NULL) note(*{name}->v);")),
        }
    }
}
