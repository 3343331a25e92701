//! Decision trees against the meaning of clauses: tried from top to bottom (core, section 6.3). Random programs are
//! lowered, and their graphs run on random values.

use cyc_check::tast::TypedUnit;
use cyc_mir::*;
use proptest::prelude::*;
use std::collections::{HashMap, HashSet};
use std::fmt::Write;

const PRELUDE: &str = "enum Color { Red, Green, Blue };
datatype Tree { Leaf; Node(int, datatype Tree *); Pair(datatype Bit @, char) };
datatype Bit { Off; On };
datatype One { Only(int, int) };
@extensible datatype Event { Quit; Key(int) };
@tagged union Any { int n; $(int, char) t; datatype Bit @b; };
struct Point { int x; enum Color c; };
";

/// splitmix64: the choices that make a program and its values.
struct Choices(u64);

impl Choices {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }
}

#[derive(Clone, Debug)]
enum Type {
    Int,
    Char,
    Color,
    Nullable(Box<Type>),
    Sure(Box<Type>),
    Tuple(Vec<Type>),
    /// A datatype behind a pointer, by its number in [`SUMS`].
    Sum(usize),
    Any,
    Point,
}

type Variants = &'static [(&'static str, &'static [Part])];

#[derive(Clone, Copy)]
enum Part {
    Int,
    Char,
    Tree,
    Bit,
}

const SUMS: [(&str, Variants); 4] = [
    ("Tree", &[("Leaf", &[]), ("Node", &[Part::Int, Part::Tree]), ("Pair", &[Part::Bit, Part::Char])]),
    ("Bit", &[("Off", &[]), ("On", &[])]),
    ("One", &[("Only", &[Part::Int, Part::Int])]),
    ("Event", &[("Quit", &[]), ("Key", &[Part::Int])]),
];

impl Part {
    fn ty(self) -> Type {
        match self {
            Part::Int => Type::Int,
            Part::Char => Type::Char,
            Part::Tree => Type::Nullable(Box::new(Type::Sum(0))),
            Part::Bit => Type::Sum(1),
        }
    }
}

const MEMBERS: [&str; 3] = ["n", "t", "b"];

fn member(i: usize) -> Type {
    match i {
        0 => Type::Int,
        1 => Type::Tuple(vec![Type::Int, Type::Char]),
        _ => Type::Sum(1),
    }
}

impl Type {
    fn random(c: &mut Choices, depth: usize) -> Type {
        match c.below(if depth == 0 { 6 } else { 10 }) {
            0 => Type::Int,
            1 => Type::Char,
            2 => Type::Color,
            3 => Type::Any,
            4 => Type::Point,
            5 => Type::Sum(c.below(SUMS.len())),
            6 => Type::Nullable(Box::new(Type::random(c, depth - 1))),
            7 => Type::Sure(Box::new(Type::random(c, depth - 1))),
            _ => Type::Tuple((0..2 + c.below(2)).map(|_| Type::random(c, depth - 1)).collect()),
        }
    }

    fn text(&self) -> String {
        match self {
            Type::Int => "int".into(),
            Type::Char => "char".into(),
            Type::Color => "enum Color".into(),
            // The pointer to a datatype is its own; `T *` of others.
            Type::Nullable(to) => match &**to {
                Type::Sum(i) => format!("datatype {} *", SUMS[*i].0),
                Type::Char => "char *@nozeroterm".into(),
                to => format!("{} *", to.text()),
            },
            Type::Sure(to) => match &**to {
                Type::Char => "char *@notnull@nozeroterm".into(),
                to => format!("{} @", to.text()),
            },
            Type::Tuple(parts) => format!("$({})", parts.iter().map(Type::text).collect::<Vec<_>>().join(", ")),
            Type::Sum(i) => format!("datatype {} @", SUMS[*i].0),
            Type::Any => "@tagged union Any".into(),
            Type::Point => "struct Point".into(),
        }
    }
}

/// A value, as the graph sees it.
#[derive(Clone, PartialEq, Debug)]
enum Value {
    Int(i128),
    Null,
    Pointer(Box<Value>),
    Parts(Vec<Value>),
    Variant(u32, Vec<Value>),
    Member(u32, Box<Value>),
}

impl Value {
    fn random(ty: &Type, c: &mut Choices, depth: usize) -> Value {
        let object = |i: usize, c: &mut Choices| {
            let variants = SUMS[i].1;
            let v = if depth == 0 { 0 } else { c.below(variants.len()) };
            let parts = variants[v].1.iter().map(|p| Value::random(&p.ty(), c, depth.saturating_sub(1))).collect();
            Value::Variant(v as u32, parts)
        };
        match ty {
            Type::Int | Type::Char | Type::Color => Value::Int(c.below(3) as i128),
            Type::Nullable(_) if depth == 0 || c.below(3) == 0 => Value::Null,
            Type::Nullable(to) => match **to {
                Type::Sum(i) => Value::Pointer(Box::new(object(i, c))),
                _ => Value::Pointer(Box::new(Value::random(to, c, depth - 1))),
            },
            Type::Sure(to) => Value::Pointer(Box::new(Value::random(to, c, depth.saturating_sub(1)))),
            Type::Tuple(parts) => Value::Parts(parts.iter().map(|p| Value::random(p, c, depth)).collect()),
            Type::Sum(i) => Value::Pointer(Box::new(object(*i, c))),
            Type::Any => {
                let m = c.below(3);
                Value::Member(m as u32, Box::new(Value::random(&member(m), c, depth)))
            }
            Type::Point => Value::Parts(vec![Value::Int(c.below(3) as i128), Value::Int(c.below(3) as i128)]),
        }
    }
}

#[derive(Clone, Debug)]
enum Pat {
    Wild,
    Bind(String),
    As(String, Box<Pat>),
    Int(i128),
    Color(i128),
    Null,
    Pointer(Box<Pat>),
    Parts(&'static str, Vec<Pat>),
    Variant(u32, &'static str, Vec<Pat>),
    Member(u32, Box<Pat>),
}

impl Pat {
    fn random(ty: &Type, c: &mut Choices, names: &mut u32, depth: usize) -> Pat {
        let mut name = || {
            *names += 1;
            format!("v{names}")
        };
        match c.below(7) {
            0 | 1 => return Pat::Wild,
            2 => return Pat::Bind(name()),
            3 if depth > 0 => {
                let name = name();
                return Pat::As(name, Box::new(Pat::random(ty, c, names, depth - 1)));
            }
            _ => {}
        }
        if depth == 0 {
            return Pat::Wild;
        }
        let object = |i: usize, c: &mut Choices, names: &mut u32| {
            let v = c.below(SUMS[i].1.len());
            let (name, parts) = SUMS[i].1[v];
            let parts = parts.iter().map(|p| Pat::random(&p.ty(), c, names, depth - 1)).collect();
            Pat::Pointer(Box::new(Pat::Variant(v as u32, name, parts)))
        };
        match ty {
            Type::Int | Type::Char => Pat::Int(c.below(3) as i128),
            Type::Color => Pat::Color(c.below(3) as i128),
            Type::Nullable(_) if c.below(3) == 0 => Pat::Null,
            Type::Nullable(to) => match **to {
                Type::Sum(i) => object(i, c, names),
                _ => Pat::Pointer(Box::new(Pat::random(to, c, names, depth - 1))),
            },
            Type::Sure(to) => Pat::Pointer(Box::new(Pat::random(to, c, names, depth - 1))),
            Type::Tuple(parts) => Pat::Parts("$", parts.iter().map(|p| Pat::random(p, c, names, depth - 1)).collect()),
            Type::Sum(i) => object(*i, c, names),
            Type::Any => {
                let m = c.below(3);
                Pat::Member(m as u32, Box::new(Pat::random(&member(m), c, names, depth - 1)))
            }
            Type::Point => {
                let parts = [Type::Int, Type::Color].iter().map(|p| Pat::random(p, c, names, depth - 1)).collect();
                Pat::Parts("Point", parts)
            }
        }
    }

    fn text(&self) -> String {
        let list = |parts: &[Pat]| parts.iter().map(Pat::text).collect::<Vec<_>>().join(", ");
        match self {
            Pat::Wild => "_".into(),
            Pat::Bind(name) => name.clone(),
            Pat::As(name, inner) => format!("{name} as {}", inner.text()),
            Pat::Int(value) => value.to_string(),
            Pat::Color(value) => ["Red", "Green", "Blue"][*value as usize].into(),
            Pat::Null => "NULL".into(),
            Pat::Pointer(inner) => format!("&{}", inner.text()),
            Pat::Parts("$", parts) => format!("$({})", list(parts)),
            Pat::Parts(name, parts) => format!("{name}{{{}}}", list(parts)),
            Pat::Variant(_, name, parts) if parts.is_empty() => (*name).into(),
            Pat::Variant(_, name, parts) => format!("{name}({})", list(parts)),
            Pat::Member(m, inner) => format!("{{.{} = {}}}", MEMBERS[*m as usize], inner.text()),
        }
    }

    /// Does the value match? Then its variables are in `bound`.
    fn matches(&self, value: &Value, bound: &mut HashMap<String, Value>) -> bool {
        let all = |pats: &[Pat], values: &[Value], bound: &mut HashMap<String, Value>| {
            pats.iter().zip(values).all(|(p, v)| p.matches(v, bound))
        };
        match (self, value) {
            (Pat::Wild, _) => true,
            (Pat::Bind(name), value) => {
                bound.insert(name.clone(), value.clone());
                true
            }
            (Pat::As(name, inner), value) => {
                bound.insert(name.clone(), value.clone());
                inner.matches(value, bound)
            }
            (Pat::Int(a) | Pat::Color(a), Value::Int(b)) => a == b,
            (Pat::Null, value) => *value == Value::Null,
            (Pat::Pointer(_), Value::Null) => false,
            (Pat::Pointer(inner), Value::Pointer(target)) => inner.matches(target, bound),
            (Pat::Parts(_, pats), Value::Parts(values)) => all(pats, values, bound),
            (Pat::Variant(v, _, pats), Value::Variant(w, values)) => v == w && all(pats, values, bound),
            (Pat::Member(m, inner), Value::Member(n, value)) => m == n && inner.matches(value, bound),
            _ => unreachable!("patterns and values are made for one type"),
        }
    }
}

/// A clause: its pattern, and the bit of the second parameter that its guard asks for.
type Clause = (Pat, Option<usize>);

fn program(ty: &Type, clauses: &[Clause], default: bool) -> String {
    let mut text = format!("{PRELUDE}int f({} x, int g) {{\n  switch (x) {{\n", ty.text());
    for (i, (pattern, guard)) in clauses.iter().enumerate() {
        let guard = guard.map_or(String::new(), |bit| format!(" && (g >> {bit} & 1)"));
        let _ = writeln!(text, "  case {}{guard}: return {i};", pattern.text());
    }
    if default {
        text.push_str("  default: return -1;\n");
    }
    text + "  }\n}\n"
}

/// The program without the clauses that others make redundant, lowered.
fn accepted(ty: &Type, clauses: &mut Vec<Clause>) -> (String, TypedUnit, Body) {
    let first = PRELUDE.lines().count() + 2;
    let mut default = true;
    loop {
        let text = program(ty, clauses, default);
        let (unit, problems) = cyc_syntax::parse(&text, &cyc_syntax::Options::default());
        assert!(!problems.has_errors(), "{problems:?}\n{text}");
        let source = cyc_base::SourceMap::new("test.cyc", text.clone());
        let (typed, problems) = cyc_check::check(&unit, &source);
        let mut redundant: Vec<usize> = vec![];
        for problem in problems.iter().filter(|p| p.is_error()) {
            assert_eq!(problem.code, cyc_base::Code("E0514"), "{problem:?}\n{text}");
            redundant.push(text[..problem.span().lo as usize].matches('\n').count() - first);
        }
        if redundant.is_empty() {
            let mut bodies = lower(&typed);
            return (text, typed, bodies.remove(0));
        }
        for line in redundant.into_iter().rev() {
            if line < clauses.len() {
                clauses.remove(line);
            } else {
                default = false;
            }
        }
    }
}

/// Runs a graph; panics at a place that the tests before it do not make valid, and at a test made twice.
struct Machine<'m> {
    body: &'m Body,
    locals: HashMap<u32, Value>,
    tests: HashSet<String>,
}

impl Machine<'_> {
    fn place(&self, place: &Place) -> Value {
        let Base::Local(local) = place.base else { panic!("no globals here") };
        let mut at = self.locals.get(&local.0).expect("set before it is read").clone();
        for proj in &place.proj {
            at = match (proj, at) {
                (Proj::Deref(None), Value::Pointer(to)) => *to,
                (Proj::Variant(_, v), Value::Variant(w, parts)) if *v == w => Value::Variant(w, parts),
                (Proj::Field(i), Value::Parts(parts) | Value::Variant(_, parts)) => parts[*i as usize].clone(),
                (Proj::Field(i), Value::Member(m, value)) if *i == m => *value,
                (proj, at) => panic!("{proj:?} of {at:?}"),
            };
        }
        at
    }

    fn operand(&self, operand: &Operand) -> Value {
        match operand {
            Operand::Copy(place) => self.place(place),
            Operand::Const(Const::Int(value, _)) => Value::Int(*value),
            other => panic!("{other:?}"),
        }
    }

    fn int(&self, operand: &Operand) -> i128 {
        match self.operand(operand) {
            Value::Int(value) => value,
            other => panic!("{other:?} is no number"),
        }
    }

    /// Is it a test of the scrutinee? Then it must be the first of its sort on this path.
    fn note(&mut self, text: String, place: &Place) {
        if matches!(place.base, Base::Local(Local(0))) {
            assert!(self.tests.insert(text.clone()), "tested twice: {text}");
        }
    }

    fn rvalue(&mut self, value: &Rvalue) -> Value {
        let truth = |b: bool| Value::Int(i128::from(b));
        match value {
            Rvalue::Use(a) | Rvalue::Arith(a, ..) => self.operand(a),
            Rvalue::IsNonNull(Operand::Copy(place)) => {
                self.note(format!("{place:?} null"), place);
                truth(self.place(place) != Value::Null)
            }
            Rvalue::IsVariant(place, _, v) => {
                self.note(format!("{place:?} variant {v}"), place);
                let Value::Variant(w, _) = self.place(place) else { panic!("no variant") };
                truth(*v == w)
            }
            Rvalue::Tag(place) => {
                self.note(format!("{place:?} tag"), place);
                match self.place(place) {
                    Value::Variant(v, _) => Value::Int(i128::from(v)),
                    Value::Member(m, _) => Value::Int(i128::from(m) + 1),
                    other => panic!("{other:?} has no tag"),
                }
            }
            Rvalue::Binary(op, a, b, _) => {
                if let (Operand::Copy(place), Operand::Const(constant)) = (a, b) {
                    self.note(format!("{place:?} {op:?} {constant:?}"), place);
                }
                let (a, b) = (self.int(a), self.int(b));
                Value::Int(match op {
                    BinOp::Eq => i128::from(a == b),
                    BinOp::Ne => i128::from(a != b),
                    BinOp::BitAnd => a & b,
                    BinOp::Shr => a >> b,
                    _ => panic!("{op:?}"),
                })
            }
            other => panic!("{other:?}"),
        }
    }

    /// The value returned.
    fn run(&mut self) -> i128 {
        let mut at = BlockId(0);
        for _ in 0..10_000 {
            let block = &self.body.blocks[at.0 as usize];
            for stmt in &block.stmts {
                match &stmt.kind {
                    StmtKind::Assign(place, value) => {
                        let local = place.as_local().expect("whole locals are assigned");
                        let value = self.rvalue(value);
                        self.locals.insert(local.0, value);
                    }
                    // The default of a switch over an enumeration.
                    StmtKind::Check(Check { kind: CheckKind::Match, .. }) => return i128::MAX,
                    other => panic!("{other:?}"),
                }
            }
            at = match &block.term {
                Terminator::Goto(to) => *to,
                Terminator::If { cond, then, otherwise } => {
                    if self.int(cond) != 0 {
                        *then
                    } else {
                        *otherwise
                    }
                }
                Terminator::Switch { on, cases, default } => {
                    if let Operand::Copy(place) = on {
                        self.note(format!("{place:?} switch"), place);
                    }
                    let value = self.int(on);
                    cases.iter().find(|(case, _)| *case == value).map_or(*default, |(_, to)| *to)
                }
                Terminator::Return(Some(value)) => return self.int(value),
                other => panic!("{other:?}"),
            };
        }
        panic!("does not end");
    }
}

fn compare(seed: u64) {
    let mut c = Choices(seed);
    let ty = Type::random(&mut c, 3);
    let mut names = 0;
    let mut clauses: Vec<Clause> = (0..1 + c.below(9))
        .map(|i| (Pat::random(&ty, &mut c, &mut names, 4), (c.below(4) == 0).then_some(i)))
        .collect();
    let (text, unit, body) = accepted(&ty, &mut clauses);
    for _ in 0..24 {
        let value = Value::random(&ty, &mut c, 3);
        let bits = c.below(1 << 10) as i128;
        let mut bound = HashMap::new();
        let expected = clauses.iter().position(|(pattern, guard)| {
            bound.clear();
            pattern.matches(&value, &mut bound) && guard.is_none_or(|bit| bits >> bit & 1 == 1)
        });
        let locals = HashMap::from([(0, value.clone()), (1, Value::Int(bits))]);
        let mut machine = Machine { body: &body, locals, tests: HashSet::new() };
        let got = machine.run();
        let context = || format!("{text}\n{value:?} guards {bits:b}\n{}", print(&unit, std::slice::from_ref(&body)));
        assert_eq!(got, expected.map_or(-1, |i| i as i128), "{}", context());
        for (name, value) in &bound {
            if expected.is_none() {
                break;
            }
            let local = body.locals.iter().position(|l| l.name.is_some_and(|n| n.as_str() == name));
            let held = &machine.locals[&(local.expect("the variable is a local") as u32)];
            assert_eq!(held, value, "{name}\n{}", context());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]
    #[test]
    fn decision_trees_do_what_clauses_say(seed in any::<u64>()) {
        compare(seed);
    }
}

fn lowered(text: &str) -> Body {
    let (unit, problems) = cyc_syntax::parse(text, &cyc_syntax::Options::default());
    assert!(!problems.has_errors(), "{problems:?}");
    let source = cyc_base::SourceMap::new("test.cyc", text.into());
    let (typed, problems) = cyc_check::check(&unit, &source);
    assert!(!problems.has_errors(), "{problems:?}");
    lower(&typed).remove(0)
}

#[test]
fn three_hundred_clauses_stay_small() {
    let mut text = String::from(PRELUDE);
    text.push_str("int f(int a, datatype Tree *t, char c) {\n  switch ($(a, t, c)) {\n");
    for i in 0..300 {
        let tree = ["NULL", "&Node(1, _)", "&Node(_, &Pair(&On, 'x'))", "&Pair(&Off, k)"][i % 4];
        let _ = writeln!(text, "  case $({}, {tree}, {}): return {i};", i / 4, if i % 3 == 0 { "_" } else { "'y'" });
    }
    text.push_str("  case $(_, &Leaf, _): return 300;\n  default: return -1;\n  }\n}\n");
    let start = std::time::Instant::now();
    let body = lowered(&text);
    assert!(body.blocks.len() < 3000, "{} blocks", body.blocks.len());
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

#[test]
fn dense_constants_are_one_switch() {
    let mut text = String::from("int f(int x) { switch (x) {\n");
    for i in 0..300 {
        let _ = writeln!(text, "  case {i}: return {};", i * 7 % 11);
    }
    text.push_str("  default: return -1; } }");
    let body = lowered(&text);
    let switches = body.blocks.iter().filter(|b| matches!(b.term, Terminator::Switch { .. })).count();
    let ifs = body.blocks.iter().filter(|b| matches!(b.term, Terminator::If { .. })).count();
    assert_eq!((switches, ifs), (1, 0));
}

/// The classic that makes decision trees exponential: each clause looks at two columns only.
#[test]
fn a_match_that_would_explode_is_decided_clause_after_clause() {
    let columns = 24;
    let tuple = vec!["int"; columns].join(", ");
    let mut text = format!("int f($({tuple}) x) {{ switch (x) {{\n");
    for i in 0..columns - 1 {
        for k in 0..3 {
            let parts: Vec<String> = (0..columns)
                .map(|j| {
                    if j == i {
                        k.to_string()
                    } else if j == columns - 1 - i && j != i {
                        "9".into()
                    } else {
                        "_".into()
                    }
                })
                .collect();
            let _ = writeln!(text, "  case $({}): return {};", parts.join(", "), i * 3 + k);
        }
    }
    text.push_str("  default: return -1; } }");
    let start = std::time::Instant::now();
    let body = lowered(&text);
    assert!(body.blocks.len() < 20_000, "{} blocks", body.blocks.len());
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}
