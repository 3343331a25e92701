//! Random C programs (csmith) must print the same compiled by `cyc` and by gcc.
//!
//! csmith is told to keep to what Cyclone keeps of C: no pointers to locals, because its functions hand pointers on
//! without saying how long their targets live; everything else (pointers to globals to any depth, arrays, structs,
//! bit-fields, unions of bits, volatile, const, jumps, 64-bit arithmetic) stays. [`adapt`] then writes in types what C
//! leaves open; it changes no statement.

use crate::parallel::{pieces, processors};
use crate::tools::{Job, Ran, crash_text, need, root};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

/// Fixed options: what Cyclone leaves out of C (`argc` as csmith uses it, `#pragma pack`, pointers to locals).
/// Qualifiers match exactly: csmith's looser rule converts under two levels of pointers, which Cyclone does not.
const OPTIONS: &[&str] = &[
    "--no-argc",
    "--no-packed-struct",
    "--no-addr-taken-of-locals",
    "--no-hash-value-printf",
    "--match-exact-qualifiers",
    // A size that keeps several hundred programs within minutes.
    "--max-funcs",
    "6",
    "--max-block-depth",
    "4",
];

/// The error for a check that always fails. csmith writes such checks where control never comes.
const DEFINITE_FAILURE: &str = "error[E0710]";

/// The family of errors for pointers that would outlive what they point to.
const ESCAPE: &str = "error[E03";

/// Why a program is passed over in which csmith hands on the address of a part of a local.
pub const PART_OF_A_LOCAL: &str = "hands on the address of a part of a local";

/// Programs may loop for ever; those that run longer than this under gcc are passed over: seconds of processor time, so
/// that a busy machine judges as an idle one does (the others end within milliseconds).
const PATIENCE: u32 = 1;

/// What became of one seed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Printed the same, both ways.
    Same,
    /// gcc's program did not end in time, or differs between its own levels of optimisation.
    Unfit(String),
    /// `cyc` rejects the program: the first error.
    Rejected(String),
    /// `cyc` failed otherwise, or the program prints something else: a bug.
    Wrong(String),
}

/// Types whose pointers would be zero-terminated by default.
const BYTES: &[&str] = &["int8_t", "uint8_t"];
const INTEGERS: &[&str] =
    &["int8_t", "uint8_t", "int16_t", "uint16_t", "int32_t", "uint32_t", "int64_t", "uint64_t", "float"];

/// What the compiler may know about local pointers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Facts {
    Known,
    /// Local pointers are `volatile`: nothing that the program does tells whether they are null.
    Hidden,
}

/// Rewrites a program of csmith: `(void*)0` becomes `NULL`, pointers to bytes say that they are not zero-terminated,
/// pointer parameters say that they point into the heap region (where globals live), and local arrays of pointers are
/// initialised where they are declared.
pub fn adapt(c: &str, facts: Facts) -> String {
    let mut out = String::with_capacity(c.len() + c.len() / 8);
    for line in c.lines() {
        let line = line.replace("(void*)0", "NULL");
        let line = mark_pointers(&line, is_signature(&line), facts);
        out.push_str(&initialise(&line));
        out.push('\n');
    }
    out
}

/// A function's prototype or the head of its definition.
fn is_signature(line: &str) -> bool {
    line.starts_with("static ") && line.contains(" func_") && line.contains('(') && !line.contains('=')
}

/// The word that starts at `at`, if one does.
fn word_at(line: &str, at: usize) -> &str {
    let bytes = line.as_bytes();
    let is_word = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    if at > 0 && is_word(bytes[at - 1]) {
        return "";
    }
    let len = bytes[at..].iter().take_while(|b| is_word(**b)).count();
    &line[at..at + len]
}

/// Adds qualifiers after the stars of pointer types. A star belongs to a type when only `const`, `volatile` and other
/// stars stand between it and a type's name.
fn mark_pointers(line: &str, signature: bool, facts: Facts) -> String {
    let mut out = String::new();
    let mut at = 0;
    // Within a type: whether its target is a byte, and how many stars came so far.
    let mut chain: Option<(bool, usize)> = None;
    let parameters = line.find('(').unwrap_or(line.len());
    let mut tag_follows = false;
    while at < line.len() {
        let word = word_at(line, at);
        if !word.is_empty() {
            let type_name = INTEGERS.contains(&word) || std::mem::take(&mut tag_follows);
            tag_follows = word == "struct" || word == "union";
            if type_name {
                chain = Some((BYTES.contains(&word), 0));
            } else if word != "const" && word != "volatile" {
                let declared = chain.take().is_some_and(|(_, stars)| stars > 0);
                if declared && facts == Facts::Hidden && (word.starts_with("l_") || word.starts_with("p_")) {
                    out.push_str("volatile ");
                }
            }
            out.push_str(word);
            at += word.len();
            continue;
        }
        let c = line[at..].chars().next().expect("inside the line");
        out.push(c);
        match (&mut chain, c) {
            (Some((byte, stars)), '*') => {
                if *byte && *stars == 0 {
                    out.push_str("@nozeroterm");
                }
                if signature && at > parameters {
                    out.push_str("`H");
                }
                *stars += 1;
                let name_follows = line[at + 1..].starts_with(|c: char| c.is_alphanumeric() || c == '_');
                if name_follows && !out.ends_with('*') {
                    out.push(' ');
                }
            }
            (_, c) if !c.is_whitespace() => chain = None,
            _ => {}
        }
        at += c.len_utf8();
    }
    out
}

/// Gives a local array of pointers without initialiser one of `NULL`s.
fn initialise(line: &str) -> String {
    let declaration = line.trim_start();
    let local = line.starts_with(' ') && declaration.ends_with("];") && declaration.contains('*');
    let starts_type = |w: &str| INTEGERS.contains(&w) || matches!(w, "const" | "volatile" | "struct" | "union");
    if !local || declaration.contains('=') || !starts_type(word_at(declaration, 0)) {
        return line.into();
    }
    let Some(open) = line.find('[') else { return line.into() };
    let sizes: Vec<usize> = line[open..].split(['[', ']', ';']).filter_map(|n| n.parse().ok()).collect();
    let value = sizes.iter().rev().fold("NULL".to_string(), |inner, n| format!("{{{}}}", vec![inner; *n].join(",")));
    format!("{} = {value};", line.trim_end_matches(';'))
}

/// Lets csmith write the program of a seed into `c`.
fn generate(seed: u64, c: &Path, more: &[&str]) -> Result<String, String> {
    let folder = c.parent().unwrap_or(c);
    let seed = seed.to_string();
    let ran = Job::new("csmith").args(["--seed", &seed]).args(OPTIONS).args(more).arg("-o").arg(c).dir(folder).run();
    let text = std::fs::read_to_string(c).unwrap_or_default();
    if ran.status != 0 || text.is_empty() { Err(format!("csmith itself ends with {}", ran.status)) } else { Ok(text) }
}

/// Reading a pointer out of an untagged union is one of the holes that Cyclone closes.
fn has_union_of_pointers(text: &str) -> bool {
    let bodies = text.split("\nunion ").skip(1).filter_map(|rest| rest.split_once("{\n")?.1.split_once("};"));
    bodies.into_iter().any(|(fields, _)| fields.contains('*'))
}

/// csmith's option against pointers to locals means whole variables: the address of a local's member or element may
/// still go to a global or an outer block, which Cyclone rejects. Is `why` an escape of a local of which the program
/// takes such an address (and never the address of the whole)?
fn part_of_a_local_escapes(text: &str, why: &str) -> bool {
    let local = why.split('`').find(|word| word.starts_with("l_"));
    let Some(local) = local.filter(|_| why.starts_with(ESCAPE)) else { return false };
    let address = format!("&{local}");
    let follows = text.match_indices(&address).filter_map(|(at, _)| text[at + address.len()..].chars().next());
    let mut follows = follows.filter(|c| !c.is_ascii_digit()).peekable();
    follows.peek().is_some() && follows.all(|c| matches!(c, '.' | '['))
}

/// Runs one seed in `scratch`.
///
/// # Errors
/// A tool is missing or csmith fails: nothing is known about the seed.
fn run_seed(seed: u64, scratch: &Path) -> Result<Outcome, String> {
    let c = scratch.join("program.c");
    let mut text = generate(seed, &c, &[]);
    if text.as_deref().is_ok_and(has_union_of_pointers) {
        text = generate(seed, &c, &["--no-unions"]);
    }
    let text = match text {
        Ok(text) => text,
        Err(why) => return Ok(Outcome::Unfit(why)),
    };
    let mut prints = vec![];
    for level in ["-O0", "-O2"] {
        let out = scratch.join("by-gcc");
        let built = Job::new("gcc").args(["-w", level, "-I/usr/include/csmith"]).arg(&c).arg("-o").arg(&out).run();
        if built.status != 0 {
            return Err(format!("gcc cannot compile seed {seed} (libcsmith-dev installed?):\n{}", built.err()));
        }
        let ran = run_patiently(&out, PATIENCE);
        if ran.status == OUT_OF_PATIENCE {
            return Ok(Outcome::Unfit("does not end in time".into()));
        }
        prints.push(ran);
    }
    if prints[0] != prints[1] || prints[0].status != 0 {
        return Ok(Outcome::Unfit("gcc's two programs differ or fail".into()));
    }
    let source = scratch.join("program.cyc");
    let attempt = |facts: Facts| -> Result<Outcome, String> {
        std::fs::write(&source, adapt(&text, facts)).map_err(|e| e.to_string())?;
        Ok(compare(seed, scratch, &source, &prints[0]))
    };
    match attempt(Facts::Known)? {
        Outcome::Rejected(why) if why.starts_with(DEFINITE_FAILURE) => attempt(Facts::Hidden),
        Outcome::Rejected(why) if part_of_a_local_escapes(&text, &why) => Ok(Outcome::Unfit(PART_OF_A_LOCAL.into())),
        outcome => Ok(outcome),
    }
}

/// What the shell says of a program that used up its processor time: 128 + SIGXCPU.
const OUT_OF_PATIENCE: i32 = 128 + 24;

/// Runs a program with a limit of processor time, in seconds.
fn run_patiently(program: &Path, seconds: u32) -> Ran {
    Job::new("sh").args(["-c", &format!("ulimit -S -t {seconds}; exec \"$0\"")]).arg(program).run()
}

/// Builds with `cyc` at both levels and compares; every fourth seed with clang behind it.
fn compare(seed: u64, scratch: &Path, source: &Path, expected: &Ran) -> Outcome {
    let cc = if seed % 4 == 3 { "clang" } else { "gcc" };
    for level in ["-O0", "-O2"] {
        let out = scratch.join("by-cyc");
        let built = Job::cyc()
            .args(["build", level, "-I"])
            .arg(root().join("tests/csmith/include"))
            .arg("-I/usr/include/csmith")
            .arg(source)
            .arg("-o")
            .arg(&out)
            .env("CC", cc)
            .seconds(120)
            .run();
        let text = built.err();
        if let Some(sign) = crash_text(&text) {
            return Outcome::Wrong(format!("cyc crashed ({sign}): {}", text.chars().take(1500).collect::<String>()));
        }
        if built.status != 0 {
            let mut lines = text.lines().skip_while(|l| !l.starts_with("error"));
            let first = lines.next().unwrap_or("no message").to_string();
            let place = lines.next().unwrap_or_default().trim().to_string();
            let rejected = built.status == 1 && first.starts_with("error[E0") && !first.starts_with("error[E00");
            let what = format!("{first} {place}");
            return if rejected { Outcome::Rejected(what) } else { Outcome::Wrong(format!("{cc} {level}: {text}")) };
        }
        let ran = run_patiently(&out, 60 * PATIENCE);
        if ran.stdout != expected.stdout || ran.status != expected.status {
            let (want, got) = (expected.out(), ran.out());
            return Outcome::Wrong(format!(
                "{cc} {level}: expected {:?}, got status {} and {:?} {}",
                want.trim(),
                ran.status,
                got.trim(),
                ran.err()
            ));
        }
    }
    Outcome::Same
}

/// What became of a range of seeds.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    pub same: usize,
    pub unfit: BTreeMap<u64, String>,
    pub rejected: BTreeMap<u64, String>,
    pub wrong: BTreeMap<u64, String>,
}

impl Tally {
    /// How many programs hand on the address of a part of a local.
    pub fn parts_of_locals(&self) -> usize {
        self.unfit.values().filter(|why| *why == PART_OF_A_LOCAL).count()
    }

    /// The share of fit programs that `cyc` accepts, 0 to 1.
    pub fn accepted(&self) -> f64 {
        let accepted = self.same + self.wrong.len();
        accepted as f64 / (accepted + self.rejected.len()).max(1) as f64
    }

    fn add(&mut self, seed: u64, outcome: Outcome) {
        match outcome {
            Outcome::Same => self.same += 1,
            Outcome::Unfit(why) => drop(self.unfit.insert(seed, why)),
            Outcome::Rejected(why) => drop(self.rejected.insert(seed, why)),
            Outcome::Wrong(why) => drop(self.wrong.insert(seed, why)),
        }
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (what, list) in [("rejected", &self.rejected), ("WRONG", &self.wrong)] {
            for (seed, why) in list {
                writeln!(f, "{what} {seed}: {why}")?;
            }
        }
        let (same, wrong, rejected) = (self.same, self.wrong.len(), self.rejected.len());
        let unfit = self.unfit.len();
        write!(
            f,
            "{same} print the same, {wrong} wrong, {rejected} rejected ({:.1} % accepted)",
            100.0 * self.accepted()
        )?;
        write!(
            f,
            ", {unfit} passed over: {} hand on the address of a part of a local, of the others gcc's program does not end or csmith fails",
            self.parts_of_locals()
        )
    }
}

/// Runs these seeds on all processors; `progress` hears about each.
///
/// # Errors
/// One seed about which nothing could be found out.
pub fn run_seeds(seeds: Range<u64>, progress: &(dyn Fn(u64, &Outcome) + Sync)) -> Result<Tally, String> {
    need("csmith", "csmith")?;
    need("gcc", "gcc")?;
    let outcomes = pieces(seeds, 1, processors(), |seeds| {
        let scratch = tempfile::tempdir().expect("a scratch directory");
        let judge = |seed| {
            let outcome = run_seed(seed, scratch.path());
            outcome.inspect(|outcome| progress(seed, outcome)).map(|outcome| (seed, outcome))
        };
        seeds.map(judge).collect()
    });
    let mut tally = Tally::default();
    for outcome in outcomes {
        let (seed, outcome) = outcome?;
        tally.add(seed, outcome);
    }
    Ok(tally)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pointers_say_what_they_point_to() {
        let text = "static int32_t * func_2(int32_t  p_3, const uint8_t * const * p_4);";
        assert_eq!(
            adapt(text, Facts::Known),
            "static int32_t * func_2(int32_t  p_3, const uint8_t *@nozeroterm`H const *`H p_4);\n"
        );
        assert_eq!(adapt("static int8_t *g_1 = (void*)0;", Facts::Known), "static int8_t *@nozeroterm g_1 = NULL;\n");
        assert_eq!(adapt("    struct S0 *l_1 = &g_2;", Facts::Known), "    struct S0 *l_1 = &g_2;\n");
    }

    #[test]
    fn unions_of_pointers_are_seen() {
        assert!(has_union_of_pointers("\nunion U0 {\n   int32_t  f0;\n   int8_t * f1;\n};\n"));
        assert!(!has_union_of_pointers("\nunion U0 {\n   int32_t  f0;\n};\nstatic int32_t *g_1;\n"));
    }

    #[test]
    fn escapes_are_csmiths_only_for_parts_of_locals() {
        let text = "int32_t *l_2 = &l_1.f0; g_3 = &l_12;";
        let why = |code: &str, local: &str| format!("error[{code}]: a pointer to the local `{local}` is stored");
        assert!(part_of_a_local_escapes(text, &why("E0304", "l_1")));
        assert!(!part_of_a_local_escapes(text, &why("E0401", "l_1")));
        assert!(!part_of_a_local_escapes(text, &why("E0304", "l_12")));
        assert!(!part_of_a_local_escapes(text, &why("E0304", "l_2")));
    }

    #[test]
    fn products_are_no_pointers() {
        for line in ["    x = (int8_t)y * 3;", "    return g_1 * g_2;"] {
            assert_eq!(adapt(line, Facts::Known), format!("{line}\n"));
        }
    }

    #[test]
    fn hidden_pointers_are_volatile() {
        let hidden = |line: &str| adapt(line, Facts::Hidden);
        assert_eq!(hidden("    const int32_t **l_5 = &g_6;"), "    const int32_t **volatile l_5 = &g_6;\n");
        assert_eq!(hidden("    int8_t l_5 = 3;"), "    int8_t l_5 = 3;\n");
        assert_eq!(hidden("    (*l_5) = l_6;"), "    (*l_5) = l_6;\n");
        let signature = "static int32_t * func_2(int32_t  p_3, const uint16_t * p_4);";
        assert_eq!(hidden(signature), "static int32_t * func_2(int32_t  p_3, const uint16_t *`H volatile p_4);\n");
    }

    #[test]
    fn arrays_of_pointers_are_initialised() {
        let adapted = adapt("        int32_t *l_4[2][3];", Facts::Known);
        assert_eq!(adapted, "        int32_t *l_4[2][3] = {{NULL,NULL,NULL},{NULL,NULL,NULL}};\n");
        assert_eq!(adapt("        int32_t l_4[2];", Facts::Known), "        int32_t l_4[2];\n");
    }
}
