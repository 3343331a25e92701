//! Statements that break a rule on purpose, written where the state says that they do. Rules have their numbers in the
//! language's memory reference.

use super::{Write, Writer};
use crate::soundness::state::{Fate, HEAP, Kind, Sort, Var};

/// What can be planted, by name, and whether it always breaks a rule: a value that may be gone where an exception arrives may
/// also be there, and what is lent may be a part only.
pub(in crate::soundness) const PLANTS: &[(&str, bool, Write)] = &[
    ("4.2  consumed, then looked at", false, |w| w.looks_at(Fate::Gone)),
    ("4.3  consumed, then moved", false, |w| w.moves(Fate::Gone)),
    ("4.3  consumed, then freed", false, |w| w.frees(Fate::Gone)),
    ("4.5  consumed, then swapped", false, |w| w.swaps(Fate::Gone)),
    ("5.1(4)  lent, then looked at", false, |w| w.looks_at(Fate::Lent)),
    ("5.1(4)  lent, then moved", false, |w| w.moves(Fate::Lent)),
    ("5.1(4)  lent, then freed", true, |w| w.frees(Fate::Lent)),
    ("5.1(4)  lent, then overwritten", true, Writer::overwrites_lent),
    ("5.1(4)  lent, then swapped", true, |w| w.swaps(Fate::Lent)),
    ("5.3  looked at while its result is used", true, |w| w.looks_at(Fate::Used)),
    ("5.3  moved while its result is used", true, |w| w.moves(Fate::Used)),
    ("5.3  freed while its result is used", true, |w| w.frees(Fate::Used)),
    ("5.3  swapped while its result is used", true, |w| w.swaps(Fate::Used)),
    ("5.3  result stored", true, |w| w.stores_result()),
    ("4.6  freed in a loop", true, Writer::frees_in_loop),
    ("4.6  freed on one path, then used", true, Writer::frees_on_one_path),
    ("4.8  freed in a try, used in its handler", true, Writer::frees_in_try),
    ("4.1  freed twice", true, Writer::frees_twice),
    ("4.3(4)  two arguments of one pointer", true, Writer::passes_twice),
    ("4.9  borrowed, then freed", true, Writer::frees_borrowed),
    ("4.4  moved out of shared data", true, Writer::moves_shared),
    ("6.2  counted pointer copied", true, Writer::copies_counted),
    ("4.10(2)  address of a unique object", true, Writer::takes_address),
    ("5.2  alias view written", true, Writer::writes_view),
    ("5.1(7)  alias stored", true, |w| w.stores(Sort::Alias)),
    ("2.2  region escaped", true, |w| w.stores(Sort::Lexical)),
    ("8.2  dynamic region escaped", true, |w| w.stores(Sort::Dynamic)),
    ("2.2  address of a local escaped", true, |w| w.stores(Sort::Block)),
    ("2.4  dead region followed", true, Writer::follows_dead),
    ("2.4  dead region allocated in", true, Writer::allocates_dead),
    ("8.3  key freed while open", true, |w| w.frees_key(Fate::Lent)),
    ("8.1  key freed twice", true, Writer::frees_key_twice),
    ("8.3  key opened while open", true, |w| w.opens_key(Fate::Lent)),
    ("8.3  key opened after its end", true, Writer::opens_freed_key),
    ("8.1  key copied", true, Writer::copies_key),
    ("8.6  generator used twice", true, Writer::generates_twice),
    ("7  freed into another region", true, Writer::frees_elsewhere),
    ("6.4  pooled pointer escaped", true, Writer::stores_pooled),
    ("6.4  pooled pointer dropped", true, Writer::drops_pooled),
    ("4.3  freed in its own subscript", true, Writer::frees_in_subscript),
    ("4.11  held during a call", true, Writer::holds),
    ("3.6  hidden value copied", true, Writer::copies_hidden),
    ("2.2  captured variable escaped", true, Writer::captures_local),
    ("2.4  captured pointer followed when dead", true, Writer::captures_dead),
    ("8.4  key packed twice", true, Writer::packs_twice),
    ("4.3  ended in an operand, then used", true, Writer::uses_behind_operand),
    ("4.3  ended in an operand, used in a later one", true, Writer::uses_in_later_operand),
];

fn moving(kind: Kind) -> bool {
    matches!(kind, Kind::Unique(_) | Kind::Node | Kind::Counted(_) | Kind::Boxed | Kind::Wide | Kind::Hidden)
}

impl Writer {
    /// A variable of that fate whose region is live.
    fn of_fate(&mut self, fate: Fate, fits: impl Fn(&Var) -> bool) -> Option<usize> {
        let here = |var: &Var| var.fate == fate && self.state.regions[var.kind.region()].live && fits(var);
        let all: Vec<usize> = (0..self.state.vars.len()).filter(|i| here(&self.state.vars[*i])).collect();
        (!all.is_empty()).then(|| all[self.rng.usize(..all.len())])
    }

    fn handle(&mut self, region: usize) -> Option<String> {
        let h = self.some(|var| var.kind == Kind::Handle(region))?;
        Some(self.var(h))
    }

    /// How a value of the variable ends.
    fn freeing(&mut self, i: usize) -> Option<String> {
        let name = self.var(i);
        Some(match self.state.vars[i].kind {
            Kind::Unique(HEAP) => format!("ufree({name});"),
            Kind::Unique(region) => format!("rufree({}, {name});", self.handle(region)?),
            Kind::Node => format!("drop({name});"),
            Kind::Counted(HEAP) => format!("drop_refptr({name});"),
            Kind::Counted(region) => format!("rdrop_refptr({}, {name});", self.handle(region)?),
            Kind::Boxed => format!("ufree({name}.v);"),
            Kind::Wide => format!("note(spent({name}));"),
            Kind::Hidden => format!("finish({name});"),
            _ => return None,
        })
    }

    /// A declaration that takes the value of the variable.
    fn taking(&mut self, i: usize) -> Option<String> {
        let (name, of) = (self.var(i), self.region_of(i));
        let ty = match self.state.vars[i].kind {
            Kind::Unique(_) => format!("unique_in<{of}>"),
            Kind::Node => "struct Node *`U".into(),
            Kind::Counted(_) => format!("counted_in<{of}>"),
            Kind::Boxed => "struct Box<int *`U>".into(),
            Kind::Wide => "int ?`U".into(),
            Kind::Hidden => "struct Hidden".into(),
            _ => return None,
        };
        Some(format!("{ty} {} = {name};", self.name('u')))
    }

    fn looking(&mut self, i: usize) -> String {
        let name = self.var(i);
        match self.state.vars[i].kind {
            Kind::Node => format!("note({name} == NULL ? 0 : {name}->v);"),
            Kind::Boxed => format!("note({name}.v == NULL ? 0 : 1);"),
            Kind::Hidden => self.opening(i),
            _ => format!("if ({name} != NULL) note(*{name});"),
        }
    }

    fn looks_at(&mut self, fate: Fate) -> Option<()> {
        let i = self.of_fate(fate, |var| moving(var.kind))?;
        let line = self.looking(i);
        self.line(line);
        Some(())
    }

    fn moves(&mut self, fate: Fate) -> Option<()> {
        let i = self.of_fate(fate, |var| moving(var.kind))?;
        let line = self.taking(i)?;
        self.line(line);
        Some(())
    }

    fn frees(&mut self, fate: Fate) -> Option<()> {
        let i = self.of_fate(fate, |var| moving(var.kind))?;
        let line = self.freeing(i)?;
        self.line(line);
        Some(())
    }

    fn swaps(&mut self, fate: Fate) -> Option<()> {
        let i = self.of_fate(fate, |var| matches!(var.kind, Kind::Unique(HEAP) | Kind::Node | Kind::Counted(HEAP)))?;
        let other = match self.state.vars[i].kind {
            Kind::Node => "nslot",
            Kind::Counted(_) => "counted",
            _ => "slot",
        };
        self.line(format!("{} :=: {other};", self.var(i)));
        Some(())
    }

    fn overwrites_lent(&mut self) -> Option<()> {
        let i = self.of_fate(Fate::Lent, |var| matches!(var.kind, Kind::Unique(_)))?;
        self.line(format!("{} = NULL;", self.var(i)));
        Some(())
    }

    /// A value to free that no parameter lent.
    fn own(&mut self) -> Option<usize> {
        self.some(|var| moving(var.kind) && !var.fixed)
    }

    fn frees_in_loop(&mut self) -> Option<()> {
        let i = self.own()?;
        let (line, k) = (self.freeing(i)?, self.name('i'));
        self.line(format!("for (int {k} = 0; {k} < 2; {k}++) {{"));
        self.line(line);
        self.line("}");
        Some(())
    }

    fn frees_on_one_path(&mut self) -> Option<()> {
        let i = self.own()?;
        let (line, n) = (self.freeing(i)?, self.unknown());
        self.line(format!("if ({n} % 2 == 0) {{"));
        self.line(line);
        self.line("}");
        let line = self.looking(i);
        self.line(line);
        Some(())
    }

    fn frees_in_try(&mut self) -> Option<()> {
        let i = self.own()?;
        let (line, n, look) = (self.freeing(i)?, self.unknown(), self.looking(i));
        self.line("try {");
        self.line(line);
        self.line(format!("stop({n});"));
        self.line("}");
        self.line("catch {");
        self.line(format!("default: {look} break;"));
        self.line("}");
        Some(())
    }

    fn frees_twice(&mut self) -> Option<()> {
        let i = self.own()?;
        let line = self.freeing(i)?;
        self.line(line.clone());
        self.line(line);
        Some(())
    }

    fn passes_twice(&mut self) -> Option<()> {
        let i = self.takeable(Kind::Node)?;
        let (name, n) = (self.var(i), self.int());
        self.line(format!("drop(unew Node{{{n}, push({n}, {name}), {name} == NULL ? NULL : unew {n}}});"));
        Some(())
    }

    fn frees_borrowed(&mut self) -> Option<()> {
        let i = self.some(|var| var.name == "b")?;
        self.line(format!("eat({});", self.var(i)));
        Some(())
    }

    /// What a call returned is kept, and its argument looked at afterwards.
    fn stores_result(&mut self) -> Option<()> {
        let i = self.takeable(Kind::Unique(HEAP))?;
        let (name, a, n) = (self.var(i), self.name('a'), self.int());
        self.line(format!("int *{a} = pick({name}, NULL, {n});"));
        self.line(format!("kept = {a};"));
        self.line(format!("eat({name});"));
        Some(())
    }

    fn moves_shared(&mut self) -> Option<()> {
        let u = self.name('u');
        let shelf = self.some(|var| matches!(var.kind, Kind::Shelf(_)));
        let line = match (shelf, self.rng.u32(..4)) {
            (Some(m), 0 | 1) => format!("int *`U {u} = {}->v;", self.var(m)),
            (_, 0 | 1) => format!("int *`U {u} = slot;"),
            (_, 2) => "drop(nslot);".into(),
            _ => format!("let Pack{{<`{u}> k{u}, d{u}}} = *packed;"),
        };
        self.line(line);
        Some(())
    }

    fn copies_counted(&mut self) -> Option<()> {
        let i = self.some(|var| matches!(var.kind, Kind::Counted(_)) && !var.fixed)?;
        let (line, free) = (self.taking(i)?, self.freeing(i)?);
        self.line(line);
        self.line(free);
        Some(())
    }

    fn takes_address(&mut self) -> Option<()> {
        let i = self.takeable(Kind::Node)?;
        let (name, a) = (self.var(i), self.name('a'));
        self.line(format!("if ({name} != NULL) {{"));
        self.line(format!("int *`H {a} = &{name}->v;"));
        self.line(format!("kept = {a};"));
        self.line("}");
        Some(())
    }

    fn writes_view(&mut self) -> Option<()> {
        let i = self.takeable(Kind::Node)?;
        let (name, t) = (self.var(i), self.name('t'));
        self.line("{");
        self.line(format!("let alias<`{t}> struct View<`{t}> *`{t} v{t} = {name};"));
        self.line(format!("if (v{t} != NULL) v{t}->next = v{t};"));
        self.line("}");
        Some(())
    }

    /// A pointer into a region of that sort where one that lives longer is wanted.
    fn stores(&mut self, sort: Sort) -> Option<()> {
        let inner: Vec<usize> = self.state.usable(|var| matches!(var.kind, Kind::Pointer(_)));
        let of = |i: usize| self.state.vars[i].kind.region();
        let inner: Vec<usize> = inner.into_iter().filter(|i| self.state.regions[of(*i)].sort == sort).collect();
        if inner.is_empty() && sort == Sort::Lexical {
            return self.stores_at_once();
        }
        let from = *inner.get(self.rng.usize(..inner.len().max(1)))?;
        let outer: Vec<usize> = self.state.usable(|var| matches!(var.kind, Kind::Pointer(_)) && !var.fixed);
        let fits = |i: &usize| {
            let to = &self.state.regions[of(*i)];
            let longer = match to.sort {
                Sort::Heap | Sort::Caller => true,
                // What is declared in the block of a region lives as long.
                Sort::Lexical => of(*i) < of(from) && !(sort == Sort::Block && self.state.in_block_of(from, of(*i))),
                _ => false,
            };
            longer && !self.state.outlives(of(from), of(*i))
        };
        let outer: Vec<usize> = outer.into_iter().filter(fits).collect();
        let to = outer.get(self.rng.usize(..outer.len().max(1))).map_or("kept".into(), |i| self.var(*i));
        self.line(format!("{to} = {};", self.var(from)));
        Some(())
    }

    fn stores_at_once(&mut self) -> Option<()> {
        let to = self.some(|var| matches!(var.kind, Kind::Pointer(_)) && !var.fixed);
        let (to, h, n) = (to.map_or("kept".into(), |i| self.var(i)), self.name('k'), self.int());
        self.line(format!("{{ region {h}; {to} = rnew({h}) {n}; }}"));
        self.line(format!("note(peek({to}));"));
        Some(())
    }

    fn closed(&mut self) -> Option<usize> {
        let closed = |var: &Var| matches!(var.kind, Kind::Pointer(r) if !self.state.regions[r].live);
        let all: Vec<usize> = (0..self.state.vars.len()).filter(|i| closed(&self.state.vars[*i])).collect();
        (!all.is_empty()).then(|| all[self.rng.usize(..all.len())])
    }

    fn follows_dead(&mut self) -> Option<()> {
        let i = self.closed()?;
        let name = self.var(i);
        let lines = [format!("note(peek({name}));"), format!("if ({name} != NULL) note(*{name});")];
        let line = lines[self.rng.usize(..2)].clone();
        self.line(line);
        Some(())
    }

    /// The handle is saved, and used after the region was closed.
    fn allocates_dead(&mut self) -> Option<()> {
        let i = self.some(|var| var.kind.opens().is_some())?;
        let region = self.state.vars[i].kind.opens()?;
        if self.state.regions[region].live {
            return None;
        }
        let (key, h, n) = (self.var(i), self.name('h'), self.int());
        let name = self.state.regions[region].name.clone();
        self.line(format!("region_t<{name}> s{h};"));
        self.line(format!("{{ region {h} = open({key}); s{h} = {h}; }}"));
        self.line(format!("note(*rnew(s{h}) {n});"));
        Some(())
    }

    fn key(&mut self, fate: Fate) -> Option<usize> {
        self.of_fate(fate, |var| var.kind.opens().is_some())
    }

    fn frees_key(&mut self, fate: Fate) -> Option<()> {
        let i = self.key(fate)?;
        self.free_key(i);
        Some(())
    }

    fn opens_key(&mut self, fate: Fate) -> Option<()> {
        let i = self.key(fate)?;
        let (key, h, n) = (self.var(i), self.name('h'), self.int());
        self.line(format!("{{ region {h} = open({key}); note(*rnew({h}) {n}); }}"));
        Some(())
    }

    fn frees_key_twice(&mut self) -> Option<()> {
        let i = self.spent(|kind| kind.opens().is_some())?;
        self.free_key(i);
        self.free_key(i);
        Some(())
    }

    fn opens_freed_key(&mut self) -> Option<()> {
        let i = self.spent(|kind| kind.opens().is_some())?;
        self.free_key(i);
        self.opens_key(Fate::Gone)
    }

    fn copies_key(&mut self) -> Option<()> {
        let i = self.key(Fate::Here)?;
        let (key, copy) = (self.var(i), self.name('y'));
        self.line(format!("let {copy} = {key};"));
        self.free_key(i);
        let h = self.name('h');
        self.line(format!("{{ region {h} = open({copy}); }}"));
        self.line(format!("{{ region {h} = open({key}); }}"));
        Some(())
    }

    fn generates_twice(&mut self) -> Option<()> {
        let i = self.spent(|kind| matches!(kind, Kind::Generator(_)))?;
        self.consume(i);
        for _ in 0..2 {
            let (old, key, generator) = (self.var(i), self.name('y'), self.name('s'));
            self.line(format!("let DynamicRegionSeq{{{key}, {generator}}} = next_drseq({old});"));
        }
        Some(())
    }

    fn frees_elsewhere(&mut self) -> Option<()> {
        let own = self.some(|var| matches!(var.kind, Kind::Unique(r) | Kind::Counted(r) if r != HEAP));
        let Some(i) = own else {
            let h = self.some(|var| matches!(var.kind, Kind::Handle(_)))?;
            let (handle, n) = (self.var(h), self.int());
            self.line(format!("ufree(rnew({handle}, unique_qual) {n});"));
            return Some(());
        };
        let (name, region) = (self.var(i), self.state.vars[i].kind.region());
        let other = self.some(|var| matches!(var.kind, Kind::Handle(r) if r != region)).map(|h| self.var(h));
        let line = match (self.state.vars[i].kind, other) {
            (Kind::Unique(_), Some(other)) => format!("rufree({other}, {name});"),
            (Kind::Unique(_), None) => format!("ufree({name});"),
            (_, Some(other)) => format!("rdrop_refptr({other}, {name});"),
            (_, None) => format!("drop_refptr({name});"),
        };
        self.line(line);
        Some(())
    }

    /// A pointer whose count a region holds; made if there is none.
    fn pooled(&mut self) -> Option<String> {
        if let Some(i) = self.some(|var| matches!(var.kind, Kind::Pooled(_))) {
            return Some(self.var(i));
        }
        let h = self.some(|var| matches!(var.kind, Kind::Handle(_)))?;
        let (handle, z, n) = (self.var(h), self.name('z'), self.int());
        self.line(format!("let {z} = autorelease_handle({handle}, rcnew {n});"));
        Some(z)
    }

    fn stores_pooled(&mut self) -> Option<()> {
        let z = self.pooled()?;
        self.line(format!("kept = (int *`H){z};"));
        Some(())
    }

    fn drops_pooled(&mut self) -> Option<()> {
        let z = self.pooled()?;
        self.line(format!("drop_refptr({z});"));
        Some(())
    }

    fn frees_in_subscript(&mut self) -> Option<()> {
        let i = self.takeable(Kind::Wide)?;
        let name = self.var(i);
        let lines = [format!("note({name}[spent({name})]);"), format!("{name}[spent({name})] = 1;")];
        let line = lines[self.rng.usize(..2)].clone();
        self.line(line);
        Some(())
    }

    /// A conditional reads the pointer before the call.
    fn holds(&mut self) -> Option<()> {
        let own = self.takeable(Kind::Wide);
        let (other, n) = (own.map_or("wide".into(), |i| self.var(i)), self.unknown());
        self.line(format!("note(({n} % 2 == 0 ? {other} : wide)[end_wide({n})]);"));
        Some(())
    }

    fn copies_hidden(&mut self) -> Option<()> {
        let i = self.takeable(Kind::Hidden)?;
        let (line, end) = (self.taking(i)?, self.freeing(i)?);
        self.line(line);
        self.line(end);
        Some(())
    }

    /// The function outlives the variable that it captures.
    fn captures_local(&mut self) -> Option<()> {
        let (x, f, n) = (self.name('x'), self.name('f'), self.int());
        self.line(format!("{{ int {x} = {n}; int in{f}(int k) {{ return {x} + k; }} hook = in{f}; }}"));
        self.line(format!("note(hook({n}));"));
        Some(())
    }

    fn captures_dead(&mut self) -> Option<()> {
        let i = self.closed()?;
        let (p, f, n) = (self.var(i), self.name('f'), self.int());
        self.line(format!("{{ int in{f}(int k) {{ return peek({p}) + k; }} note(in{f}({n})); }}"));
        Some(())
    }

    fn packs_twice(&mut self) -> Option<()> {
        let i = self.spent(|kind| matches!(kind, Kind::Key(_)))?;
        let region = self.state.vars[i].kind.opens()?;
        let inside = self.state.vars.iter().find(|var| var.kind == Kind::Pointer(region))?.name.clone();
        let key = self.var(i);
        for _ in 0..2 {
            let k = self.name('k');
            self.line(format!("struct Pack *`U {k} = unew Pack{{{key}, {inside}}};"));
        }
        self.consume(i);
        Some(())
    }
}
