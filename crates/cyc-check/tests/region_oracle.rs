//! Random functions full of pointers to locals, judged twice: by the checker, and by running them with
//! every object's end of life recorded. What the checker accepts must never follow a dead pointer.

use cyc_base::SourceMap;
use std::collections::{BTreeSet, HashMap};
use std::fmt::Write;

/// What every program begins with.
const HEAD: &str = "int *`r id(int *`r p) { return p; }
int *`r pick(int *`r p, int *`r q, int k) { return k ? p : q; }
void set(int *`r *`s pp, int *`r p) { if (pp != NULL) *pp = p; }
int *`r get(int *`r *`s pp) { return *pp; }
int total;
int *kept;
";

/// A linear congruential generator: the same programs every time.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % n
    }

    fn pick(&mut self, from: &[String]) -> Option<String> {
        if from.is_empty() { None } else { Some(from[self.below(from.len())].clone()) }
    }
}

/// An expression of type `int *`.
#[derive(Clone)]
enum Pointer {
    AddressOf(String),
    AddressOfGlobal,
    Variable(String),
    Identity(Box<Pointer>),
    Either(Box<Pointer>, Box<Pointer>, bool),
    Behind(String, bool),
    First(String),
    /// A statement expression with a variable of its own, whose address it gives if there is no other value.
    Block(String, Option<Box<Pointer>>),
}

#[derive(Clone)]
enum Stmt {
    Int(String),
    Pointer(String, Pointer, bool),
    ToPointer(String, String),
    Tuple(String, Pointer),
    Assign(String, Pointer),
    AssignBehind(String, Pointer, bool),
    AssignTo(String, String),
    AssignFirst(String, Pointer),
    Swap(String, String),
    Keep(Pointer),
    Use(String),
    UseBehind(String),
    Inner(&'static str, Vec<Stmt>),
}

/// The variables in scope, by sort.
#[derive(Clone, Default)]
struct Scope {
    ints: Vec<String>,
    pointers: Vec<String>,
    to_pointers: Vec<String>,
    tuples: Vec<String>,
}

struct Generator {
    random: Random,
    names: usize,
}

impl Generator {
    fn name(&mut self, sort: char) -> String {
        self.names += 1;
        format!("{sort}{}", self.names)
    }

    fn pointer(&mut self, scope: &Scope) -> Pointer {
        let address = Pointer::AddressOf(self.random.pick(&scope.ints).expect("a function has a variable"));
        let variable = self.random.pick(&scope.pointers).map(|p| Box::new(Pointer::Variable(p)));
        match (self.random.below(12), variable) {
            (0 | 1, Some(p)) => *p,
            (2, Some(p)) => Pointer::Identity(p),
            (3, Some(p)) => Pointer::Either(p, Box::new(address), true),
            (4, Some(p)) => Pointer::Either(p, Box::new(address), false),
            (5, Some(p)) => Pointer::Block(self.name('i'), Some(p)),
            (6, _) if self.random.below(8) == 0 => Pointer::Block(self.name('i'), None),
            (7, _) => Pointer::AddressOfGlobal,
            (8, _) if !scope.to_pointers.is_empty() => {
                let call = self.random.below(2) == 0;
                Pointer::Behind(self.random.pick(&scope.to_pointers).unwrap_or_default(), call)
            }
            (9, _) if !scope.tuples.is_empty() => Pointer::First(self.random.pick(&scope.tuples).unwrap_or_default()),
            _ => address,
        }
    }

    fn block(&mut self, outer: &Scope, depth: usize) -> Vec<Stmt> {
        let mut scope = outer.clone();
        let mut stmts = vec![];
        for _ in 0..2 + self.random.below(5) {
            let p = self.random.pick(&scope.pointers);
            let q = self.random.pick(&scope.pointers);
            let pp = self.random.pick(&scope.to_pointers);
            let t = self.random.pick(&scope.tuples);
            let stmt = match (self.random.below(16), p, q, pp, t) {
                (0 | 1, ..) => {
                    scope.ints.push(self.name('i'));
                    Stmt::Int(scope.ints.last().cloned().unwrap_or_default())
                }
                (2 | 3, ..) => {
                    let (value, inferred) = (self.pointer(&scope), self.random.below(15) == 0);
                    scope.pointers.push(self.name('p'));
                    Stmt::Pointer(scope.pointers.last().cloned().unwrap_or_default(), value, inferred)
                }
                (4, Some(p), ..) => {
                    scope.to_pointers.push(self.name('q'));
                    Stmt::ToPointer(scope.to_pointers.last().cloned().unwrap_or_default(), p)
                }
                (5, ..) => {
                    let value = self.pointer(&scope);
                    scope.tuples.push(self.name('t'));
                    Stmt::Tuple(scope.tuples.last().cloned().unwrap_or_default(), value)
                }
                (6 | 7, Some(p), ..) => Stmt::Assign(p, self.pointer(&scope)),
                (8, _, _, Some(pp), _) => Stmt::AssignBehind(pp, self.pointer(&scope), self.random.below(2) == 0),
                (9, Some(p), _, Some(pp), _) => Stmt::AssignTo(pp, p),
                (10, _, _, _, Some(t)) => Stmt::AssignFirst(t, self.pointer(&scope)),
                (11, Some(p), Some(q), ..) if p != q => Stmt::Swap(p, q),
                (12, ..) if self.random.below(20) == 0 => Stmt::Keep(self.pointer(&scope)),
                (13, Some(p), ..) => Stmt::Use(p),
                (14, _, _, Some(pp), _) => Stmt::UseBehind(pp),
                _ if depth < 3 => {
                    let head = ["{", "if (k) {", "for (int z = 0; z < 2; z++) {"][self.random.below(3)];
                    Stmt::Inner(head, self.block(&scope, depth + 1))
                }
                _ => continue,
            };
            stmts.push(stmt);
        }
        stmts
    }
}

fn show(p: &Pointer) -> String {
    match p {
        Pointer::AddressOf(i) => format!("&{i}"),
        Pointer::AddressOfGlobal => "&total".into(),
        Pointer::Variable(p) => p.clone(),
        Pointer::Identity(p) => format!("id({})", show(p)),
        Pointer::Either(a, b, true) => format!("pick({}, {}, k)", show(a), show(b)),
        Pointer::Either(a, b, false) => format!("(k ? {} : {})", show(a), show(b)),
        Pointer::Behind(pp, true) => format!("get({pp})"),
        Pointer::Behind(pp, false) => format!("*{pp}"),
        Pointer::First(t) => format!("{t}[0]"),
        Pointer::Block(i, None) => format!("({{ int {i} = 1; &{i}; }})"),
        Pointer::Block(i, Some(value)) => format!("({{ int {i} = 1; {}; }})", show(value)),
    }
}

fn write(stmts: &[Stmt], out: &mut String) {
    for stmt in stmts {
        let text = match stmt {
            Stmt::Int(i) => format!("int {i} = 1;"),
            Stmt::Pointer(p, value, true) => format!("let {p} = {};", show(value)),
            Stmt::Pointer(p, value, false) => format!("int *{p} = {};", show(value)),
            Stmt::ToPointer(pp, p) => format!("int **{pp} = &{p};"),
            Stmt::Tuple(t, value) => format!("$(int *, int) {t} = $({}, 1);", show(value)),
            Stmt::Assign(p, value) => format!("{p} = {};", show(value)),
            Stmt::AssignBehind(pp, value, true) => format!("set({pp}, {});", show(value)),
            Stmt::AssignBehind(pp, value, false) => format!("*{pp} = {};", show(value)),
            Stmt::AssignTo(pp, p) => format!("{pp} = &{p};"),
            Stmt::AssignFirst(t, value) => format!("{t}[0] = {};", show(value)),
            Stmt::Swap(p, q) => format!("{p} :=: {q};"),
            Stmt::Keep(value) => format!("kept = {};", show(value)),
            Stmt::Use(p) => format!("total += *{p};"),
            Stmt::UseBehind(pp) => format!("total += **{pp};"),
            Stmt::Inner(head, inner) => {
                out.push_str(head);
                out.push('\n');
                write(inner, out);
                "}".into()
            }
        };
        out.push_str(&text);
        out.push('\n');
    }
}

/// An object: what it holds (the number of the object it points to; 0 points nowhere), and whether it lives.
#[derive(Clone, Copy)]
struct Object {
    holds: usize,
    lives: bool,
}

/// Number of the global variable `total`, and of `kept`.
const TOTAL: usize = 1;
const KEPT: usize = 2;

/// One run of a function. `None` as a result: a dead object was touched.
struct Machine {
    objects: Vec<Object>,
    random: Random,
}

impl Machine {
    fn make(&mut self, holds: usize) -> usize {
        self.objects.push(Object { holds, lives: true });
        self.objects.len() - 1
    }

    fn load(&self, object: usize) -> Option<usize> {
        self.objects[object].lives.then_some(self.objects[object].holds)
    }

    fn value(&mut self, p: &Pointer, env: &HashMap<String, usize>) -> Option<usize> {
        match p {
            Pointer::AddressOf(i) => Some(env[i]),
            Pointer::AddressOfGlobal => Some(TOTAL),
            Pointer::Variable(p) => self.load(env[p]),
            Pointer::First(t) => self.load(env[t]),
            Pointer::Identity(p) => self.value(p, env),
            Pointer::Either(a, b, _) => {
                let (a, b) = (self.value(a, env)?, self.value(b, env)?);
                Some(if self.random.below(2) == 0 { a } else { b })
            }
            Pointer::Behind(pp, _) => self.load(self.load(env[pp])?),
            Pointer::Block(_, inner) => {
                let object = self.make(0);
                let value = match inner {
                    Some(inner) => self.value(inner, env)?,
                    None => object,
                };
                self.objects[object].lives = false;
                Some(value)
            }
        }
    }

    fn run(&mut self, stmts: &[Stmt], env: &HashMap<String, usize>) -> Option<()> {
        let mut env = env.clone();
        let mut mine = vec![];
        for stmt in stmts {
            let made = match stmt {
                Stmt::Int(i) => Some((i, self.make(0))),
                Stmt::Pointer(name, value, _) | Stmt::Tuple(name, value) => {
                    let value = self.value(value, &env)?;
                    Some((name, self.make(value)))
                }
                Stmt::ToPointer(pp, p) => Some((pp, self.make(env[p]))),
                other => {
                    self.step(other, &env)?;
                    None
                }
            };
            if let Some((name, object)) = made {
                env.insert(name.clone(), object);
                mine.push(object);
            }
        }
        for object in mine {
            self.objects[object].lives = false;
        }
        Some(())
    }

    fn step(&mut self, stmt: &Stmt, env: &HashMap<String, usize>) -> Option<()> {
        match stmt {
            Stmt::Assign(name, value) | Stmt::AssignFirst(name, value) => {
                self.objects[env[name]].holds = self.value(value, env)?;
            }
            Stmt::AssignBehind(pp, value, _) => {
                let value = self.value(value, env)?;
                let target = self.load(env[pp])?;
                self.load(target)?;
                self.objects[target].holds = value;
            }
            Stmt::AssignTo(pp, p) => self.objects[env[pp]].holds = env[p],
            Stmt::Swap(p, q) => {
                let held = self.objects[env[p]].holds;
                self.objects[env[p]].holds = self.objects[env[q]].holds;
                self.objects[env[q]].holds = held;
            }
            Stmt::Keep(value) => self.objects[KEPT].holds = self.value(value, env)?,
            Stmt::Use(p) => {
                self.load(self.load(env[p])?)?;
            }
            Stmt::UseBehind(pp) => {
                self.load(self.load(self.load(env[pp])?)?)?;
            }
            Stmt::Inner(head, inner) => {
                let times = match *head {
                    "if (k) {" => self.random.below(2),
                    "{" => 1,
                    _ => 2,
                };
                for _ in 0..times {
                    self.run(inner, env)?;
                }
            }
            Stmt::Int(_) | Stmt::Pointer(..) | Stmt::ToPointer(..) | Stmt::Tuple(..) => {}
        }
        Some(())
    }
}

/// Does some run of the function touch a dead object, or leave a pointer to one behind?
fn fails(function: &[Stmt]) -> bool {
    (0..12).any(|seed| {
        let objects = vec![Object { holds: 0, lives: true }; 3];
        let mut machine = Machine { objects, random: Random(seed * 7919 + 1) };
        machine.run(function, &HashMap::new()).is_none() || machine.load(machine.objects[KEPT].holds).is_none()
    })
}

#[test]
fn what_is_accepted_never_follows_a_dead_pointer() {
    const FUNCTIONS: usize = 1500;
    let mut generator = Generator { random: Random(11), names: 0 };
    let mut text = String::from(HEAD);
    let mut functions = vec![];
    for i in 0..FUNCTIONS {
        let scope = Scope { ints: vec!["first".into()], ..Scope::default() };
        let mut body = vec![Stmt::Int("first".into())];
        body.extend(generator.block(&scope, 0));
        let start = text.len();
        writeln!(text, "void f{i}(int k) {{").unwrap();
        write(&body, &mut text);
        text.push_str("}\n");
        functions.push((body, start..text.len()));
    }
    let source = SourceMap::new("oracle.cyc", text);
    let (unit, syntax) = cyc_syntax::parse(source.text(), &cyc_syntax::Options::default());
    assert!(!syntax.has_errors(), "{syntax:?}");
    let (_, diags) = cyc_check::check(&unit, &source);
    let errors: BTreeSet<usize> = diags.iter().filter(|d| d.is_error()).map(|d| d.span().lo as usize).collect();
    let (mut accepted, mut rightly) = (0, 0);
    for (body, range) in functions {
        let failing = fails(&body);
        if errors.range(range.clone()).next().is_some() {
            rightly += usize::from(failing);
        } else {
            accepted += 1;
            assert!(!failing, "accepted, but a run follows a dead pointer:\n{}", &source.text()[range]);
        }
    }
    assert!(accepted > FUNCTIONS / 5, "only {accepted} functions were accepted");
    assert!(rightly > FUNCTIONS / 10, "only {rightly} functions could fail");
}
