//! Writing well-typed functions: each statement is chosen among those that the state allows, and changes it as the checker
//! will.

use super::state::{Fate, HEAP, Kind, Region, RegionId, State, Var};
use fastrand::Rng;

/// Functions of a program.
const FUNCTIONS: usize = 4;
/// Statements of a function, those within others included.
const STATEMENTS: u32 = 26;

pub(super) struct Writer {
    rng: Rng,
    out: Vec<String>,
    state: State,
    next: usize,
    /// Loops and `try`s around, within the function.
    loops: Vec<Vec<Fate>>,
    tries: u32,
    /// Variables that some exception may find gone.
    disturbed: Vec<usize>,
    /// Functions written so far, which can be called.
    functions: usize,
    left: u32,
}

pub(super) fn functions(seed: u64) -> Vec<String> {
    let mut writer = Writer {
        rng: Rng::with_seed(seed),
        out: vec![],
        state: State::new(),
        next: 0,
        loops: vec![],
        tries: 0,
        disturbed: vec![],
        functions: 0,
        left: 0,
    };
    for _ in 0..FUNCTIONS {
        writer.function();
    }
    writer.main();
    writer.out
}

impl Writer {
    fn line(&mut self, text: impl Into<String>) {
        self.out.push(text.into());
    }

    /// A new name that begins with the letter.
    fn name(&mut self, letter: char) -> String {
        self.next += 1;
        format!("{letter}{}", self.next)
    }

    fn declare(&mut self, name: &str, kind: Kind) -> usize {
        self.state.vars.push(Var { name: name.into(), kind, fate: Fate::Here, fixed: false });
        self.state.vars.len() - 1
    }

    fn region(&mut self, name: &str) -> RegionId {
        self.state.regions.push(Region { name: name.into(), live: true });
        self.state.regions.len() - 1
    }

    fn var(&self, i: usize) -> String {
        self.state.vars[i].name.clone()
    }

    fn region_of(&self, i: usize) -> String {
        self.state.regions[self.state.vars[i].kind.region()].name.clone()
    }

    /// One of the variables that can be used and are as `fits` wants them.
    fn some(&mut self, fits: impl Fn(&Var) -> bool) -> Option<usize> {
        let all = self.state.usable(fits);
        (!all.is_empty()).then(|| all[self.rng.usize(..all.len())])
    }

    /// One that can be taken for good.
    fn takeable(&mut self, kind: Kind) -> Option<usize> {
        self.some(|var| var.kind == kind && !var.fixed)
    }

    fn consume(&mut self, i: usize) {
        self.state.vars[i].fate = Fate::Gone;
        self.disturbed.push(i);
    }

    /// An `int` that changes nothing.
    fn int(&mut self) -> String {
        let ints = self.state.usable(|var| var.kind == Kind::Int);
        match self.rng.u32(..4) {
            0 => self.rng.u32(..10).to_string(),
            1 => "(sum % 7)".into(),
            _ if ints.is_empty() => "1".into(),
            _ => {
                let var = ints[self.rng.usize(..ints.len())];
                format!("({} + {})", self.var(var), self.rng.u32(..4))
            }
        }
    }

    // ------------------------------------------------------------ functions

    fn function(&mut self) {
        self.state = State::new();
        let number = self.functions;
        self.line(format!(
            "void f{number}(int n, int *`U b, int *`q q, struct Node *`U o) __attribute__((consume(4))) {{"
        ));
        self.declare("n", Kind::Int);
        let borrowed = self.declare("b", Kind::Unique(HEAP));
        self.state.vars[borrowed].fixed = true;
        let region = self.region("`q");
        self.declare("q", Kind::Pointer(region));
        self.declare("o", Kind::Node);
        self.left = STATEMENTS;
        while self.left > 0 {
            self.statement(3);
        }
        self.line("}");
        self.functions += 1;
    }

    fn main(&mut self) {
        self.line("int main() {");
        self.line("for (int i = 0; i < 4; i++) {");
        for f in 0..self.functions {
            self.line("{");
            self.line("int x = i;");
            self.line("int *`U b = make(i);");
            self.line("try {");
            self.line(format!("f{f}(i, b, &x, push(i, NULL));"));
            self.line("} catch {");
            self.line("case &Stop(s): note(s); break;");
            self.line("default: break;");
            self.line("}");
            self.line("}");
        }
        self.line("}");
        self.line("note(take());");
        self.line("note(peek(kept));");
        self.line("printf(\"%d\\n\", sum);");
        self.line("return 0;");
        self.line("}");
    }

    // ------------------------------------------------------------ statements with statements in them

    /// `head {`, some statements, `}`; the variables and regions of it end.
    fn within(&mut self, head: &str, depth: u32, before: impl FnOnce(&mut Self), after: impl FnOnce(&mut Self)) {
        let vars = self.state.vars.len();
        let regions: Vec<bool> = self.state.regions.iter().map(|r| r.live).collect();
        self.line(format!("{head}{{"));
        before(self);
        for _ in 0..self.rng.u32(1..=4) {
            self.statement(depth);
        }
        after(self);
        self.line("}");
        self.state.vars.truncate(vars);
        self.state.regions[regions.len()..].iter_mut().for_each(|r| r.live = false);
        self.state.regions.iter_mut().zip(regions).for_each(|(r, live)| r.live = live);
    }

    fn statement(&mut self, depth: u32) {
        self.left = self.left.saturating_sub(1);
        let done = match self.rng.u32(..30) {
            0 if depth > 0 => self.conditional(depth - 1),
            1 if depth > 0 => self.repeated(depth - 1),
            2 if depth > 0 => self.tried(depth - 1),
            3 if depth > 0 => self.in_region(depth - 1),
            4 | 5 if depth > 0 => self.with_alias(depth - 1),
            6 if depth > 0 => self.with_key(depth - 1),
            7 | 8 if depth > 0 => self.with_open(depth - 1),
            9 if depth > 0 => self.matched(depth - 1),
            10 => self.jump(),
            11..=14 => self.new_variable(),
            15..=17 => self.taken(),
            18 | 19 => self.given_back(),
            20 | 21 => self.swapped(),
            22 => self.called(),
            23 => self.with_node(),
            _ => self.looked_at(),
        };
        if done.is_none() {
            let n = self.int();
            self.line(format!("note({n});"));
        }
    }

    fn conditional(&mut self, depth: u32) -> Option<()> {
        let n = self.int();
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

    fn repeated(&mut self, depth: u32) -> Option<()> {
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
    fn replace_gone(&mut self, before: &[Fate]) {
        for (i, fate) in before.iter().enumerate() {
            if *fate == Fate::Here && self.state.vars[i].fate == Fate::Gone {
                self.renew(i);
            }
        }
    }

    /// A new value for a variable whose value is gone.
    fn renew(&mut self, i: usize) {
        let (name, n) = (self.var(i), self.int());
        let value = match self.state.vars[i].kind {
            Kind::Unique(HEAP) => format!("unew {n}"),
            Kind::Counted => format!("rcnew {n}"),
            Kind::Tag => format!("Tag{{.n = {n}}}"),
            Kind::Boxed => format!("Box{{unew {n}}}"),
            _ => "NULL".into(),
        };
        self.line(format!("{name} = {value};"));
        self.state.vars[i].fate = Fate::Here;
    }

    fn tried(&mut self, depth: u32) -> Option<()> {
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

    fn in_region(&mut self, depth: u32) -> Option<()> {
        let h = self.name('k');
        self.within(
            "",
            depth,
            |w| {
                w.line(format!("region {h};"));
                let region = w.region(&format!("`{h}"));
                w.declare(&h, Kind::Handle(region));
            },
            |_| {},
        );
        Some(())
    }

    fn with_alias(&mut self, depth: u32) -> Option<()> {
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
                    let region = w.region(&format!("`{t}"));
                    w.declare(&a, Kind::Pointer(region));
                }
            },
            |_| {},
        );
        self.state.vars[i].fate = Fate::Here;
        Some(())
    }

    fn with_key(&mut self, depth: u32) -> Option<()> {
        let (key, d, p) = (self.name('y'), self.name('d'), self.name('p'));
        self.within(
            "",
            depth,
            |w| {
                w.line(format!("let NewDynamicRegion{{<`{d}> {key}}} = new_ukey();"));
                w.line(format!("int *`{d} {p} = NULL;"));
                let region = w.region(&format!("`{d}"));
                w.state.regions[region].live = false;
                w.declare(&key, Kind::Key(region));
                w.declare(&p, Kind::Pointer(region));
            },
            |w| {
                if w.state.vars.iter().any(|var| var.name == key && var.fate == Fate::Here) {
                    w.line(format!("free_ukey({key});"));
                }
            },
        );
        Some(())
    }

    fn with_open(&mut self, depth: u32) -> Option<()> {
        let i = self.some(|var| matches!(var.kind, Kind::Key(_)))?;
        let Kind::Key(region) = self.state.vars[i].kind else { return None };
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

    /// A pattern takes or borrows a part for a while.
    fn matched(&mut self, depth: u32) -> Option<()> {
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
                    true => Kind::Pointer(w.region(&format!("`{t}"))),
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

    fn jump(&mut self) -> Option<()> {
        let n = self.int();
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

    // ------------------------------------------------------------ single statements

    fn new_variable(&mut self) -> Option<()> {
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
                self.declare(&c, Kind::Counted);
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
                let region = self.region("");
                self.declare(&a, Kind::Pointer(region));
            }
            _ => return self.in_some_region(&n),
        }
        Some(())
    }

    /// An object in a region whose handle is there, or in the heap.
    fn in_some_region(&mut self, n: &str) -> Option<()> {
        let Some(h) = self.some(|var| matches!(var.kind, Kind::Handle(_))) else {
            let a = self.name('a');
            self.line(format!("int *`H {a} = new {n};"));
            self.declare(&a, Kind::Pointer(HEAP));
            return Some(());
        };
        let (handle, region, name) = (self.var(h), self.state.vars[h].kind.region(), self.region_of(h));
        match self.rng.u32(..5) {
            0 => {
                let c = self.name('l');
                let tail = self.some(|var| var.kind == Kind::Cells(region)).map_or("NULL".into(), |i| self.var(i));
                self.line(format!("struct Cell<{name}> *{name} {c} = cons({handle}, {n}, {tail});"));
                self.declare(&c, Kind::Cells(region));
            }
            1 => {
                let u = self.name('u');
                self.line(format!("int *\\U {name} {u} = single_of({handle}, {n});"));
                self.declare(&u, Kind::Unique(region));
            }
            2 => {
                let a = self.name('a');
                self.line(format!("int *{name} {a} = keep({handle}, {n});"));
                self.declare(&a, Kind::Pointer(region));
            }
            _ => {
                let a = self.name('a');
                self.line(format!("int *{name} {a} = rnew({handle}) {n};"));
                self.declare(&a, Kind::Pointer(region));
            }
        }
        Some(())
    }

    /// A value that must not be copied goes elsewhere.
    fn taken(&mut self) -> Option<()> {
        let i = self.some(|var| {
            let moves = matches!(var.kind, Kind::Unique(_) | Kind::Node | Kind::Counted | Kind::Tag | Kind::Boxed);
            moves && !var.fixed
        })?;
        let (name, n, choice) = (self.var(i), self.int(), self.rng.u32(..6));
        match (self.state.vars[i].kind, choice) {
            (Kind::Unique(HEAP), 0) => self.line(format!("ufree({name});")),
            (Kind::Unique(HEAP), 1) => self.line(format!("eat({name});")),
            (Kind::Unique(HEAP), 2) => {
                let a = self.name('a');
                self.line(format!("int *`H {a} = {name};"));
                self.declare(&a, Kind::Pointer(HEAP));
                if self.rng.bool() {
                    self.line(format!("kept = {a};"));
                }
            }
            (Kind::Unique(HEAP), _) => {
                let u = self.name('u');
                let how = ["", "pass", "hand"][self.rng.usize(..3)];
                self.line(format!("int *`U {u} = {how}({name});"));
                self.declare(&u, Kind::Unique(HEAP));
            }
            (Kind::Unique(region), _) => {
                let h = self.some(|var| var.kind == Kind::Handle(region))?;
                let handle = self.var(h);
                self.line(format!("rufree({handle}, {name});"));
            }
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
            (Kind::Counted, _) => self.line(format!("drop_refptr({name});")),
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

    fn given_back(&mut self) -> Option<()> {
        let renewed = |var: &Var| match var.kind {
            Kind::Unique(region) => region == HEAP,
            Kind::Node | Kind::Counted | Kind::Tag | Kind::Boxed => true,
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

    fn swapped(&mut self) -> Option<()> {
        let i = self.some(|var| matches!(var.kind, Kind::Unique(HEAP) | Kind::Node | Kind::Counted) && !var.fixed)?;
        let (name, kind) = (self.var(i), self.state.vars[i].kind);
        let other = self.some(|var| var.kind == kind && !var.fixed && var.name != name);
        let other = match (other, kind) {
            (Some(j), _) if self.rng.bool() => self.var(j),
            (_, Kind::Node) => "nslot".into(),
            (_, Kind::Counted) => "counted".into(),
            _ => "slot".into(),
        };
        self.line(format!("{name} :=: {other};"));
        Some(())
    }

    fn called(&mut self) -> Option<()> {
        if self.functions == 0 || self.tries == 0 && self.rng.bool() {
            let n = self.int();
            let line = if self.rng.bool() { format!("put({n});") } else { "note(take());".into() };
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

    fn with_node(&mut self) -> Option<()> {
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
    fn looked_at(&mut self) -> Option<()> {
        let i = self.some(|var| !matches!(var.kind, Kind::Handle(_) | Kind::Key(_)))?;
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
            Kind::Counted => match self.tries == 0 && self.rng.bool() {
                true => {
                    let c = self.name('c');
                    self.line(format!("int ?`RC {c} = alias_refptr({name});"));
                    self.declare(&c, Kind::Counted);
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
            Kind::Cells(_) => self.line(format!("note(cells({name}));")),
            Kind::Shape => self.line(format!("note(shape({name}));")),
            Kind::Handle(_) | Kind::Key(_) => return None,
        }
        Some(())
    }
}
