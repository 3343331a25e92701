//! Random programs of loops over fat, counted and zero-terminated pointers, for `suites/elim.rs`: a check that is removed
//! although it is needed shows as an exception that is missing or as a wrong element.

use fastrand::Rng;
use std::fmt::Write;

/// Functions of one program.
const FUNCTIONS: usize = 24;

const HEAD: &str = r#"#include <stdio.h>
#include <core.h>

static int g;
static unsigned calls;
static int spare[7] = {3, 1, 4, 1, 5, 9, 2};
struct Box { int ?`H data; int len; unsigned pos; };

static void bump(void) { g = g + 1; calls++; }
static void poke(int @x, int by) { *x = (int)((unsigned)*x + (unsigned)by); }
static int ?make(int n) { return new {for i < (unsigned)n : (int)(i * 3u + 1u)}; }

"#;

/// A program by its seed.
pub fn program(seed: u64) -> String {
    let mut rng = Rng::with_seed(seed);
    let mut out = HEAD.to_string();
    for i in 0..FUNCTIONS {
        let mut function = Function { rng: &mut rng, out: String::new(), depth: 1, loops: 0, labels: 0 };
        function.body();
        let text = function.out;
        let _ = writeln!(
            out,
            "static unsigned f{i}(int ?`H p, int ?`H q, int n, unsigned m, int @{{8}} c, char *s, struct Box @b) {{\n  \
             unsigned sum = 7; int fuel = 0; int i = 0; int j = 0; int k = n; unsigned u = 0; long w = 0;\n  \
             int a[8] = {{1, 2, 3, 4, 5, 6, 7, 8}};\n{text}  return sum + (unsigned)i + (unsigned)j * 3u + u;\n}}\n"
        );
    }
    out.push_str("int main() {\n  int counted[8] = {8, 7, 6, 5, 4, 3, 2, 1};\n");
    for i in 0..FUNCTIONS {
        for _ in 0..4 {
            let (len, other, n) = (rng.i32(1..12), rng.i32(1..12), number(&mut rng));
            let moved = rng.i32(-3..4);
            let _ = writeln!(
                out,
                "  g = {}; for (int x = 0; x < 8; x++) counted[x] = 8 - x;\n  \
                 {{ int ?p = make({len}) + {moved}; int ?q = {}; struct Box box = Box{{q, {}, {}}};\n    \
                 char s[12] @zeroterm = {{for z < 11 : (char)(z < {}u ? 97 : 0)}};\n    \
                 try printf(\"f{i}: %u\\n\", f{i}(p, q, {n}, {}, counted, s, &box));\n    \
                 catch {{ case &Array_bounds: printf(\"f{i}: bounds\\n\"); break; case &Null_Exception: \
                 printf(\"f{i}: null\\n\"); break; default: \
                 printf(\"f{i}: other\\n\"); break; }}\n    \
                 unsigned left = (unsigned)box.len; for (int x = 0; x < (int)numelts(p); x++) left = left * 31u + (unsigned)p[x];\n    \
                 for (int x = 0; x < 8; x++) left = left * 31u + (unsigned)counted[x];\n    \
                 printf(\"  %u %d %u\\n\", left, g, calls); }}",
                rng.i32(-2..9),
                if rng.u8(0..4) == 0 { "p".into() } else { format!("make({other})") },
                rng.i32(-1..12),
                rng.u32(0..12),
                rng.i32(0..12),
                rng.u32(0..13),
            );
        }
    }
    out.push_str("  return 0;\n}\n");
    out
}

fn number(rng: &mut Rng) -> String {
    match rng.u8(0..12) {
        0 => "-1".into(),
        1 => "(-2147483647 - 1)".into(),
        2 => "2147483647".into(),
        3 => "2147483645".into(),
        _ => rng.i32(0..13).to_string(),
    }
}

struct Function<'r> {
    rng: &'r mut Rng,
    out: String,
    depth: usize,
    loops: usize,
    labels: usize,
}

impl Function<'_> {
    fn line(&mut self, text: impl AsRef<str>) {
        let _ = writeln!(self.out, "{:1$}{2}", "", self.depth * 2, text.as_ref());
    }

    fn pick<'t>(&mut self, of: &[&'t str]) -> &'t str {
        of[self.rng.usize(0..of.len())]
    }

    fn body(&mut self) {
        for _ in 0..self.rng.usize(2..5) {
            self.statement();
        }
    }

    fn block(&mut self) {
        self.depth += 1;
        for _ in 0..self.rng.usize(1..4) {
            self.statement();
        }
        self.depth -= 1;
    }

    fn variable(&mut self) -> &'static str {
        self.pick(&["i", "j", "k", "i", "j", "i", "n", "u", "w", "g"])
    }

    fn constant(&mut self) -> String {
        match self.rng.u8(0..10) {
            0 => "2147483647".into(),
            1 => "-1".into(),
            _ => self.rng.i32(0..10).to_string(),
        }
    }

    fn index(&mut self) -> String {
        let v = self.variable();
        let c = self.rng.i32(0..4);
        match self.rng.u8(0..14) {
            0 => format!("{v} + {c}"),
            1 | 2 => format!("{v} - {c}"),
            3 => format!("{v} & 7"),
            4 => format!("{v} / 2"),
            5 => format!("{v} % 5"),
            6 => format!("(int)((unsigned){v} % 8u)"),
            7 => c.to_string(),
            8 => format!("n - {v}"),
            9 => format!("i + {v}"),
            10 => format!("{v} >> 1"),
            _ => v.into(),
        }
    }

    fn bound(&mut self) -> String {
        match self.rng.u8(0..9) {
            0 => self.constant(),
            1 => "(int)numelts(p)".into(),
            2 => "(int)numelts(q)".into(),
            3 => "b->len".into(),
            4 => "(int)m".into(),
            5 => "k".into(),
            6 => "j".into(),
            _ => "n".into(),
        }
    }

    fn pointer(&mut self) -> &'static str {
        self.pick(&["p", "q", "p", "q", "b->data", "c", "a", "spare"])
    }

    fn condition(&mut self) -> String {
        let v = self.variable();
        let op = self.pick(&["<", "<", "<=", ">", ">=", "!=", "=="]);
        match self.rng.u8(0..7) {
            0 => format!("{v} >= 0 && {v} < {}", self.bound()),
            1 => format!("{v} < numelts({})", self.pick(&["p", "q", "b->data"])),
            2 => format!("!({v} {op} {})", self.bound()),
            3 => format!("{v} {op} {} || {} > 2", self.bound(), self.variable()),
            _ => format!("{v} {op} {}", self.bound()),
        }
    }

    fn statement(&mut self) {
        let deep = self.depth > 4;
        match self.rng.u8(0..if deep { 12 } else { 22 }) {
            0..4 => {
                let (p, x) = (self.pointer(), self.index());
                self.line(format!("sum = sum * 5u + (unsigned){p}[{x}];"));
            }
            4 | 5 => {
                let (p, x) = (self.pointer(), self.index());
                self.line(format!("{p}[{x}] = (int)sum & 15;"));
            }
            6 | 7 => {
                let v = self.pick(&["i", "j", "k", "u"]);
                let step = self.pick(&["++", "--", " += 2", " -= 3", " = 0", " = n", " = n - 1", " = j", " = k / 2"]);
                self.line(format!("{v}{step};"));
            }
            8 => {
                let call = self.pick(&[
                    "bump();",
                    "poke(&i, 1);",
                    "poke(&j, -1);",
                    "b->len++;",
                    "b->pos--;",
                    "n--;",
                    "w = i;",
                ]);
                self.line(call);
            }
            9 => {
                let step = self.pick(&[
                    "p++;",
                    "q++;",
                    "p += i;",
                    "q--;",
                    "p = q;",
                    "q = b->data;",
                    "p = p - 1;",
                    "b->data = p;",
                ]);
                self.line(step);
            }
            10 => {
                let (x, text) = (self.index(), self.pick(&["s[", "s["]));
                self.line(format!("sum += (unsigned){text}{x}];"));
            }
            11 => {
                let jump = if self.loops > 0 {
                    self.pick(&["if (sum % 7u == 3u) break;", "if (sum % 5u == 1u) continue;"])
                } else {
                    "sum++;"
                };
                self.line(jump);
            }
            12..15 => self.if_statement(),
            15 => self.text_loop(),
            16 => self.goto_loop(),
            _ => self.counted_loop(),
        }
    }

    fn if_statement(&mut self) {
        let cond = self.condition();
        self.line(format!("if ({cond}) {{"));
        self.block();
        if self.rng.bool() {
            self.line("} else {");
            self.block();
        }
        self.line("}");
    }

    fn counted_loop(&mut self) {
        let v = self.pick(&["i", "j", "i", "u", "k"]);
        let start = match self.rng.u8(0..8) {
            0 => "n - 1".into(),
            1 => "(int)numelts(p) - 1".into(),
            2 => "j".into(),
            3 => self.constant(),
            4 => "1".into(),
            _ => "0".into(),
        };
        let bound = self.bound();
        let down = self.rng.u8(0..4) == 0;
        let (op, step) = if down {
            (self.pick(&[">= 0", "> 0", ">= 1"]).to_string(), self.pick(&["--", " -= 2"]))
        } else {
            (format!("{} {bound}", self.pick(&["<", "<", "<", "<=", "!="])), self.pick(&["++", "++", "++", " += 2"]))
        };
        match self.rng.u8(0..3) {
            0 => self.line(format!("{v} = {start}; while ({v} {op} && fuel++ < 40) {{ {v}{step};")),
            1 => self.line(format!("{v} = {start}; while ({v} {op}) {{ if (fuel++ > 40) break;")),
            _ => self.line(format!("for ({v} = {start}; {v} {op}; {v}{step}) {{ if (fuel++ > 60) break;")),
        }
        self.loops += 1;
        self.block();
        if self.rng.bool() {
            self.depth += 1;
            let p = self.pointer();
            self.line(format!("sum += (unsigned){p}[{v}];"));
            self.depth -= 1;
        }
        self.loops -= 1;
        self.line("}");
        if self.rng.bool() {
            let p = self.pointer();
            self.line(format!("sum ^= (unsigned){p}[{v}];"));
        }
    }

    fn text_loop(&mut self) {
        match self.rng.u8(0..4) {
            0 => self.line("for (; *s; s++) { sum = sum * 3u + (unsigned)*s; if (fuel++ > 40) break;"),
            1 => self.line("for (i = 0; s[i]; i++) { sum += (unsigned)s[i]; if (fuel++ > 40) break;"),
            2 => self.line("for (i = 0; s[i] != 'b'; i++) { sum += (unsigned)s[i]; if (fuel++ > 40) break;"),
            _ => self.line("while (fuel++ < 30) { if (s[j] == 0) break; j++; sum += (unsigned)s[j];"),
        }
        self.loops += 1;
        self.block();
        self.loops -= 1;
        self.line("}");
    }

    /// A loop of labels, with a second way in.
    fn goto_loop(&mut self) {
        let label = self.labels;
        self.labels += 1;
        let (cond, p, x) = (self.condition(), self.pointer(), self.index());
        if self.rng.bool() {
            self.line(format!("if ({cond}) goto M{label};"));
        }
        self.line(format!("L{label}: if (fuel++ > 50) goto E{label};"));
        self.line(format!("sum += (unsigned){p}[{x}];"));
        let v = self.pick(&["i", "j", "u"]);
        self.line(format!("M{label}: {v}++;"));
        let (bound, q) = (self.bound(), self.pointer());
        self.line(format!("sum += (unsigned){q}[{v} - 1];"));
        self.line(format!("if ({v} < {bound}) goto L{label};"));
        self.line(format!("E{label}: sum++;"));
    }
}
