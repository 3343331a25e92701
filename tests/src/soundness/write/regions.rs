//! Regions: lexical ones, dynamic ones with their keys, sequences; objects in them.

use super::Writer;
use crate::soundness::state::{Fate, HEAP, Kind, RegionId, Sort};

impl Writer {
    pub(super) fn in_region(&mut self, depth: u32) -> Option<()> {
        let h = self.name('k');
        self.within(
            "",
            depth,
            |w| {
                w.line(format!("region {h};"));
                let region = w.region(&format!("`{h}"), Sort::Lexical);
                w.declare(&h, Kind::Handle(region));
            },
            |_| {},
        );
        Some(())
    }

    /// A dynamic region, closed, with a key of either sort and a pointer into it.
    pub(super) fn with_key(&mut self, depth: u32) -> Option<()> {
        let (key, d, counted) = (self.name('y'), self.name('d'), self.rng.bool());
        let made = match (counted, self.rng.u32(..3)) {
            (true, _) => "new_rckey()",
            (false, 0) => "Pool::new_pool(4096, 4096)",
            (false, _) => "new_ukey()",
        };
        self.within(
            "",
            depth,
            |w| {
                w.line(format!("let NewDynamicRegion{{<`{d}> {key}}} = {made};"));
                w.closed_region(&format!("`{d}"), &key, counted);
            },
            |w| w.free_if_there(&key),
        );
        Some(())
    }

    /// A region that a key opens, which was just made.
    fn closed_region(&mut self, name: &str, key: &str, counted: bool) -> RegionId {
        let region = self.region(name, Sort::Dynamic);
        self.state.regions[region].live = false;
        self.declare(key, if counted { Kind::CountedKey(region) } else { Kind::Key(region) });
        let p = self.name('p');
        self.line(format!("{} {p} = NULL;", self.pointer_into(region)));
        self.declare(&p, Kind::Pointer(region));
        region
    }

    fn free_if_there(&mut self, key: &str) {
        let found = self.state.vars.iter().position(|var| var.name == key && var.fate == Fate::Here);
        if let Some(i) = found {
            self.free_key(i);
        }
    }

    pub(super) fn free_key(&mut self, i: usize) {
        let sort = if matches!(self.state.vars[i].kind, Kind::CountedKey(_)) { "rckey" } else { "ukey" };
        self.line(format!("free_{sort}({});", self.var(i)));
        self.consume(i);
    }

    /// The first region of a sequence.
    pub(super) fn with_sequence(&mut self, depth: u32) -> Option<()> {
        if self.results {
            return None;
        }
        let (key, d, generator) = (self.name('y'), self.name('d'), self.name('s'));
        self.within(
            "",
            depth,
            |w| {
                w.line(format!(
                    "let NewDynamicRegionSeq{{<`{d}> DynamicRegionSeq{{{key}, {generator}}}}} = new_drseq();"
                ));
                let region = w.closed_region(&format!("`{d}"), &key, false);
                w.declare(&generator, Kind::Generator(region));
            },
            |w| w.free_if_there(&key),
        );
        Some(())
    }

    /// What is done to keys where they stand: the next region of a sequence, one more key, one key less.
    pub(super) fn with_keys(&mut self) -> Option<()> {
        if let Some(i) = self.spent(|kind| matches!(kind, Kind::Generator(_))) {
            let Kind::Generator(before) = self.state.vars[i].kind else { return None };
            let (key, generator, old) = (self.name('y'), self.name('s'), self.var(i));
            self.line(format!("let DynamicRegionSeq{{{key}, {generator}}} = next_drseq({old});"));
            self.consume(i);
            let name = format!("next_rgn<{}>", self.state.regions[before].name);
            let region = self.closed_region(&name, &key, false);
            self.declare(&generator, Kind::Generator(region));
            return Some(());
        }
        let counted = self.some(|var| matches!(var.kind, Kind::CountedKey(_)));
        if let Some(i) = counted.filter(|_| self.tries == 0 && self.rng.bool()) {
            let (key, old) = (self.name('y'), self.var(i));
            let region = self.state.vars[i].kind.opens()?;
            let name = self.state.regions[region].name.clone();
            self.line(format!("rcregion_key_t<{name}> {key} = (_@)alias_refptr({old});"));
            self.declare(&key, Kind::CountedKey(region));
            return Some(());
        }
        let i = self.spent(|kind| kind.opens().is_some())?;
        if self.rng.bool() && self.tries == 0 {
            let (key, n) = (self.var(i), self.int());
            self.line(format!("note(open_region({key}, {n}, inside));"));
            return Some(());
        }
        self.free_key(i);
        Some(())
    }

    pub(super) fn with_open(&mut self, depth: u32) -> Option<()> {
        let i = self.some(|var| var.kind.opens().is_some())?;
        let region = self.state.vars[i].kind.opens()?;
        let (key, h) = (self.var(i), self.name('h'));
        self.state.vars[i].fate = Fate::Lent;
        self.within(
            "",
            depth,
            |w| {
                w.line(format!("region {h} = open({key});"));
                w.state.regions[region].live = true;
                w.declare(&h, Kind::Handle(region));
                let inside = w.state.usable(|var| var.kind == Kind::Pointer(region));
                if let Some(p) = inside.first() {
                    let (name, n) = (w.var(*p), w.int());
                    w.line(format!("{name} = rnew({h}) {n};"));
                }
            },
            |_| {},
        );
        self.state.vars[i].fate = Fate::Here;
        Some(())
    }

    /// An object in a region whose handle is there, or in the heap.
    pub(super) fn in_some_region(&mut self, n: &str) -> Option<()> {
        let Some(h) = self.some(|var| matches!(var.kind, Kind::Handle(_))) else {
            let a = self.name('a');
            self.line(format!("int *`H {a} = new {n};"));
            self.declare(&a, Kind::Pointer(HEAP));
            return Some(());
        };
        let (handle, region, name) = (self.var(h), self.state.vars[h].kind.region(), self.region_of(h));
        let (n, choice) = (n.to_string(), self.rng.u32(..9));
        let pointer = self.pointer_into(region);
        match choice {
            0 => {
                let c = self.name('l');
                let tail = self.some(|var| var.kind == Kind::Cells(region)).map_or("NULL".into(), |i| self.var(i));
                self.line(format!("cells_in<{name}> {c} = cons({handle}, {n}, {tail});"));
                self.declare(&c, Kind::Cells(region));
            }
            1 | 2 => {
                let u = self.name('u');
                let how = ["single_of({}, [])", "made({}, unique_qual, [])", "rnew({}, unique_qual) []"];
                let how = how[self.rng.usize(..3)].replace("{}", &handle).replace("[]", &n);
                self.line(format!("unique_in<{name}> {u} = {how};"));
                self.declare(&u, Kind::Unique(region));
            }
            3 => {
                let c = self.name('c');
                let how = ["rnew({}, refcnt_qual) []", "made({}, refcnt_qual, [])"];
                let how = how[self.rng.usize(..2)].replace("{}", &handle).replace("[]", &n);
                self.line(format!("counted_in<{name}> {c} = {how};"));
                self.declare(&c, Kind::Counted(region));
            }
            4 => {
                let m = self.name('m');
                self.line(format!("shelf_in<{name}> {m} = rnew({handle}) Box{{make({n})}};"));
                self.declare(&m, Kind::Shelf(region));
            }
            _ => {
                let a = self.name('a');
                let how = ["keep({}, [])", "made({}, aliasable_qual, [])", "rnew({}) []"];
                let how = how[self.rng.usize(..3)].replace("{}", &handle).replace("[]", &n);
                self.line(format!("{pointer} {a} = {how};"));
                self.declare(&a, Kind::Pointer(region));
            }
        }
        Some(())
    }

    /// A count is handed over to a region, or taken from it.
    pub(super) fn held(&mut self) -> Option<()> {
        if let Some(i) = self.some(|var| matches!(var.kind, Kind::Pooled(_))).filter(|_| self.rng.bool()) {
            let (name, c) = (self.var(i), self.name('c'));
            self.line(format!("int ?`RC {c} = inc_refptr({name});"));
            self.declare(&c, Kind::Counted(HEAP));
            return Some(());
        }
        let i = self.takeable(Kind::Counted(HEAP))?;
        let (name, z) = (self.var(i), self.name('z'));
        self.consume(i);
        let Some(h) = self.some(|var| matches!(var.kind, Kind::Handle(_))) else {
            self.line(format!("let {z} = autorelease({name});"));
            self.line(format!("note(pooled({z}));"));
            return Some(());
        };
        let (handle, region) = (self.var(h), self.state.vars[h].kind.region());
        let name_of = self.region_of(h);
        self.line(format!("pooled_in<{name_of}> {z} = autorelease_handle({handle}, {name});"));
        self.declare(&z, Kind::Pooled(region));
        Some(())
    }

    /// A pointer comes to where one into a region that ends earlier, or the same, is wanted.
    pub(super) fn assigned(&mut self) -> Option<()> {
        let to = self.some(|var| matches!(var.kind, Kind::Pointer(_)) && !var.fixed)?;
        let region = self.state.vars[to].kind.region();
        if self.state.regions[region].name.is_empty() {
            return None;
        }
        let fits = |r: RegionId| self.state.outlives(r, region);
        let all: Vec<RegionId> = (0..self.state.regions.len()).filter(|r| fits(*r)).collect();
        let from = self.some(|var| matches!(var.kind, Kind::Pointer(r) if all.contains(&r)))?;
        let (to, from, n) = (self.var(to), self.var(from), self.int());
        let line =
            if self.rng.bool() { format!("{to} = {from};") } else { format!("{to} = nearer({from}, {to}, {n});") };
        self.line(line);
        Some(())
    }
}
