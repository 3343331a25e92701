//! Writing well-typed functions: each statement is chosen among those that the state allows, and changes it as the checker
//! will. At most one statement breaks a rule on purpose (`plant.rs`).

mod blocks;
mod hidden;
mod operands;
mod plant;
mod regions;
mod rules;
mod uses;
mod values;

pub(super) use operands::programs as operand_programs;
pub(super) use plant::PLANTS;
pub(super) use rules::{RULES, Rule, Version, alone};

use super::state::{Fate, HEAP, Kind, Region, RegionId, Sort, State, Var};
use fastrand::Rng;

/// Functions of a program.
const FUNCTIONS: usize = 4;
/// Statements of a function, those within others included.
const STATEMENTS: u32 = 26;

pub(super) struct Writer {
    rng: Rng,
    /// Declarations that come before the functions.
    top: Vec<String>,
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
    /// In this function results of calls are used that point into what was borrowed; there are no captures and no sequences
    /// then, with which arguments are moved instead.
    results: bool,
    left: u32,
    /// What is still to be planted, and how many statements come before it at least.
    plant: Option<(Plant, u32)>,
}

/// Writes a statement; None where the state allows none.
pub(super) type Write = fn(&mut Writer) -> Option<()>;

/// What breaks a rule.
#[derive(Clone, Copy)]
pub(super) enum Plant {
    /// A statement that does.
    Written(Write),
    /// Breaks it anywhere.
    Fragment(&'static Rule),
}

/// The functions of a seed.
pub(super) fn functions(seed: u64) -> Vec<String> {
    let mut writer = Writer::new(seed, None);
    writer.program();
    writer.lines()
}

/// The same with a statement that breaks a rule somewhere; None if there was no place for it.
pub(super) fn planted(seed: u64, plant: Plant, place: u64) -> Option<Vec<String>> {
    let before = Rng::with_seed(place).u32(..STATEMENTS * FUNCTIONS as u32);
    [before, before / 4, 0].into_iter().find_map(|before| {
        let mut writer = Writer::new(seed, Some((plant, before)));
        writer.program();
        writer.plant.is_none().then(|| writer.lines())
    })
}

impl Writer {
    fn new(seed: u64, plant: Option<(Plant, u32)>) -> Writer {
        Writer {
            rng: Rng::with_seed(seed),
            top: vec![],
            out: vec![],
            state: State::new(),
            next: 0,
            loops: vec![],
            tries: 0,
            disturbed: vec![],
            functions: 0,
            results: false,
            left: 0,
            plant,
        }
    }

    /// The whole program.
    fn lines(mut self) -> Vec<String> {
        self.top.append(&mut self.out);
        self.top
    }

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

    fn region(&mut self, name: &str, sort: Sort) -> RegionId {
        self.state.regions.push(Region { name: name.into(), live: true, sort });
        self.state.regions.len() - 1
    }

    fn var(&self, i: usize) -> String {
        self.state.vars[i].name.clone()
    }

    fn region_of(&self, i: usize) -> String {
        self.state.regions[self.state.vars[i].kind.region()].name.clone()
    }

    /// The type of pointers to `int` in a region. The name of one in a sequence is no simple name.
    fn pointer_into(&self, region: RegionId) -> String {
        let name = &self.state.regions[region].name;
        if name.contains('<') { format!("into<{name}>") } else { format!("int *{name}") }
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

    /// One that can be taken and is never given a new value: in a loop it must be the loop's own.
    fn spent(&mut self, fits: impl Fn(Kind) -> bool) -> Option<usize> {
        let own = self.loops.last().map_or(0, Vec::len);
        let all = self.state.usable(|var| fits(var.kind) && !var.fixed);
        let all: Vec<usize> = all.into_iter().filter(|i| *i >= own).collect();
        (!all.is_empty()).then(|| all[self.rng.usize(..all.len())])
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

    /// An `int` that the checker does not know: on both sides of a condition on it the program goes on.
    fn unknown(&mut self) -> String {
        let ints = self.state.usable(|var| var.kind == Kind::Int);
        match ints.get(self.rng.usize(..ints.len() + 1)) {
            None => "(sum % 7)".into(),
            Some(var) => format!("({} + {})", self.var(*var), self.rng.u32(..4)),
        }
    }

    // ------------------------------------------------------------ functions

    fn program(&mut self) {
        for _ in 0..FUNCTIONS {
            self.function();
        }
        self.run();
    }

    fn function(&mut self) {
        self.state = State::new();
        self.results = self.rng.bool();
        let number = self.functions;
        self.line(format!(
            "void f{number}(int n, int *`U b, int *`q q, struct Node *`U o) __attribute__((consume(4))) {{"
        ));
        self.declare("n", Kind::Int);
        let borrowed = self.declare("b", Kind::Unique(HEAP));
        self.state.vars[borrowed].fixed = true;
        let region = self.region("`q", Sort::Caller);
        self.declare("q", Kind::Pointer(region));
        self.declare("o", Kind::Node);
        self.left = STATEMENTS;
        while self.left > 0 {
            self.statement(3);
        }
        self.line("}");
        self.functions += 1;
    }

    /// Calls them all, a few times.
    fn run(&mut self) {
        self.line("void run() {");
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
        self.line("note(visit(1));");
        self.line("note(peek(kept));");
        self.line("}");
    }

    fn statement(&mut self, depth: u32) {
        self.left = self.left.saturating_sub(1);
        let done = match self.rng.u32(..50) {
            0 if depth > 0 => self.conditional(depth - 1),
            1 if depth > 0 => self.repeated(depth - 1),
            2 if depth > 0 => self.tried(depth - 1),
            3 | 4 if depth > 0 => self.in_region(depth - 1),
            5 | 6 if depth > 0 => self.with_alias(depth - 1),
            38 if depth > 0 => self.with_result(depth - 1),
            7 if depth > 0 => self.with_key(depth - 1),
            8 if depth > 0 => self.with_sequence(depth - 1),
            9..=11 if depth > 0 => self.with_open(depth - 1),
            12 if depth > 0 => self.matched(depth - 1),
            13 => self.jump(),
            14..=17 => self.new_variable(),
            18..=20 => self.taken(),
            21 | 22 => self.given_back(),
            23 | 24 => self.swapped(),
            25 => self.called(),
            26 => self.with_node(),
            27 => self.with_keys(),
            28 => self.assigned(),
            29 => self.held(),
            30 | 31 => self.subscripted(),
            32 => self.hidden(),
            33 => self.captured(),
            34 => self.packed(),
            42..=44 => self.kept_rule(),
            45..=48 => self.operand(),
            _ => self.looked_at(),
        };
        if done.is_none() {
            let n = self.int();
            self.line(format!("note({n});"));
        }
        self.sow();
    }

    /// Plants what is to be planted if it is time and the state allows it.
    fn sow(&mut self) {
        let Some((plant, before)) = self.plant else { return };
        if before > 0 {
            self.plant = Some((plant, before - 1));
            return;
        }
        let planted = match plant {
            Plant::Written(write) => write(self),
            Plant::Fragment(rule) => self.fragment(rule, Version::Breaks),
        };
        if planted.is_some() {
            self.plant = None;
        }
    }
}
