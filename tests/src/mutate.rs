//! Mutilated programs: bytes and tokens changed, moved, repeated, taken from other programs. Each case has a number from
//! which it can be made again.

use std::path::Path;

/// A preprocessed program: its text, and where the user's own part of it begins.
pub struct Base {
    pub name: String,
    pub text: String,
    own: usize,
    tokens: Vec<String>,
}

impl Base {
    pub fn new(name: String, text: String) -> Base {
        let own = own_part(&text);
        let tokens = tokens(&text[own..]).map(str::to_string).collect();
        Base { name, text, own, tokens }
    }
}

/// The programs in a folder of preprocessed files, in order of their names.
///
/// # Errors
/// The folder cannot be read, or holds nothing.
pub fn corpus(folder: &Path) -> Result<Vec<Base>, String> {
    let files = crate::tools::files_below(folder, ".i");
    let read = |path: &std::path::PathBuf| -> Result<Base, String> {
        let bytes = std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
        Ok(Base::new(path.display().to_string(), String::from_utf8_lossy(&bytes).into_owned()))
    };
    let bases: Vec<Base> = files.iter().map(read).collect::<Result<_, _>>()?;
    if bases.is_empty() { Err(format!("{} holds no program", folder.display())) } else { Ok(bases) }
}

/// Where the user's own part begins: after the last marker that returns from a header.
fn own_part(text: &str) -> usize {
    let mut own = 0;
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        offset += line.len();
        if line.starts_with("# ") && line.trim_end().ends_with("\" 2") {
            own = offset;
        }
    }
    own
}

/// A rough split into tokens and the space between them; the pieces add up to the text.
fn tokens(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let len = match first {
            c if c.is_alphanumeric() || c == '_' => run(rest, |c| c.is_alphanumeric() || c == '_'),
            c if c.is_whitespace() => run(rest, char::is_whitespace),
            '"' | '\'' => quoted(rest, first),
            '+' | '-' | '=' | '<' | '>' | '&' | '|' | ':' => run(rest, |c| c == first).min(2),
            c => c.len_utf8(),
        };
        let (token, left) = rest.split_at(len);
        rest = left;
        Some(token)
    })
}

fn run(text: &str, of: impl Fn(char) -> bool) -> usize {
    text.find(|c| !of(c)).unwrap_or(text.len())
}

/// Length of a literal up to its closing quote or the end of the line.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '\n' => return at,
            c if c == quote && !escaped => return at + 1,
            c => escaped = c == '\\' && !escaped,
        }
    }
    text.len()
}

/// What the language is made of, to be strewn into programs.
const POOL: &[&str] = &[
    "int",
    "char",
    "unsigned",
    "long",
    "double",
    "void",
    "struct",
    "union",
    "enum",
    "typedef",
    "static",
    "extern",
    "const",
    "volatile",
    "if",
    "else",
    "while",
    "for",
    "do",
    "switch",
    "case",
    "default",
    "break",
    "continue",
    "return",
    "goto",
    "try",
    "catch",
    "throw",
    "new",
    "malloc",
    "calloc",
    "sizeof",
    "numelts",
    "let",
    "_",
    "NULL",
    "fallthru",
    "region",
    "datatype",
    "namespace",
    "using",
    "@tagged",
    "@fat",
    "@notnull",
    "@zeroterm",
    "@nozeroterm",
    "@numelts",
    "`H",
    "`r",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ";",
    ",",
    ":",
    "?",
    "@",
    "*",
    "&",
    "+",
    "-",
    "++",
    "--",
    "=",
    "==",
    "<=",
    ">>",
    "<<=",
    "!",
    "~",
    "^",
    "|",
    "||",
    "&&",
    ".",
    "->",
    "...",
    "$",
    "$(",
    "@{3}",
    "*{2}",
    "0",
    "1",
    "-1",
    "2147483648",
    "0x7fffffff",
    "18446744073709551615",
    "99999999999999999999",
    "1.5e308",
    "1e999",
    "'a'",
    "'\\0'",
    "'",
    "\"",
    "\"s\"",
    "\"%d\"",
    "L\"w\"",
    "'\\777'",
    "08",
    "__attribute__((noreturn))",
    "__attribute__((packed))",
    "asm(\"nop\")",
    "extern \"C\"",
    ":=:",
    "<>",
    "::",
    "`",
    "\\",
    "#",
    "\n# 1 \"x.h\" 1\n",
    "\u{fffd}",
    "ß",
    "\u{202e}",
    "\0",
    "/*",
    "//",
    "({",
    "})",
    "offsetof",
    "inline",
    "__typeof__",
    "main",
    "printf",
    "tag_t",
    "valueof",
    "assert",
    "tagcheck",
    "rnew",
    "abstract",
    "inject",
    "single",
];

/// The text of case `number`: the same for ever, whatever machine it runs on.
pub fn case(bases: &[Base], number: u64) -> String {
    let mut rng = fastrand::Rng::with_seed(number);
    let base = &bases[rng.usize(..bases.len())];
    let whole = rng.u8(..16) == 0;
    let own = if whole { 0 } else { base.own };
    let (kept, part) = base.text.split_at(own);
    let other = &bases[rng.usize(..bases.len())];
    let part = match rng.u8(..10) {
        0 | 1 => mutate_bytes(&mut rng, part),
        2 => splice(&mut rng, part, other),
        3 => truncate(&mut rng, part),
        _ => mutate_tokens(&mut rng, part, other),
    };
    format!("{kept}{part}")
}

fn mutate_bytes(rng: &mut fastrand::Rng, text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..rng.usize(1..=6) {
        if bytes.is_empty() {
            break;
        }
        let at = rng.usize(..bytes.len());
        match rng.u8(..5) {
            0 => bytes[at] ^= 1 << rng.u8(..8),
            1 => bytes[at] = rng.u8(..),
            2 => drop(bytes.remove(at)),
            3 => bytes.insert(at, rng.u8(32..127)),
            _ => {
                let end = (at + rng.usize(..40)).min(bytes.len());
                let stretch = bytes[at..end].to_vec();
                bytes.splice(at..at, stretch);
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn mutate_tokens(rng: &mut fastrand::Rng, text: &str, other: &Base) -> String {
    let mut list: Vec<&str> = tokens(text).collect();
    for _ in 0..rng.usize(1..=4) {
        if list.is_empty() {
            break;
        }
        let at = rng.usize(..list.len());
        let strange = |rng: &mut fastrand::Rng| match other.tokens.is_empty() || rng.bool() {
            true => POOL[rng.usize(..POOL.len())],
            false => other.tokens[rng.usize(..other.tokens.len())].as_str(),
        };
        match rng.u8(..8) {
            0 => drop(list.remove(at)),
            1 => list.insert(at, strange(rng)),
            2 | 3 => list[at] = strange(rng),
            4 => {
                let with = rng.usize(..list.len());
                list.swap(at, with);
            }
            5 => {
                let end = (at + rng.usize(1..30)).min(list.len());
                drop(list.drain(at..end));
            }
            6 => {
                let end = (at + rng.usize(1..30)).min(list.len());
                let stretch = list[at..end].to_vec();
                let to = rng.usize(..=list.len());
                list.splice(to..to, stretch);
            }
            _ => {
                // The same token many times: nesting, long operators, long lists.
                let token = strange(rng);
                list.splice(at..at, std::iter::repeat_n(token, 1 << rng.u8(1..9)));
            }
        }
    }
    list.concat()
}

fn boundary(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The head of one program and the tail of another.
fn splice(rng: &mut fastrand::Rng, text: &str, other: &Base) -> String {
    let cut = boundary(text, rng.usize(..=text.len()));
    let theirs = &other.text[other.own..];
    let from = boundary(theirs, rng.usize(..=theirs.len()));
    format!("{}{}", &text[..cut], &theirs[from..])
}

fn truncate(rng: &mut fastrand::Rng, text: &str) -> String {
    text[..boundary(text, rng.usize(..=text.len()))].into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_add_up_to_the_text() {
        for text in ["int x = 'a' + \"b\\\"c\" ; // ü", "\"open\nnext", "", "'\\''", "a+++b"] {
            assert_eq!(tokens(text).collect::<String>(), text);
        }
    }

    #[test]
    fn cases_are_the_same_every_time_and_differ_from_each_other() {
        let text = "# 1 \"a.h\" 1\nint h;\n# 2 \"a.cyc\" 2\nint main() { return h + 1; }\n";
        let bases = [Base::new("a".into(), text.into())];
        assert_eq!(&text[bases[0].own..], "int main() { return h + 1; }\n");
        let some: Vec<String> = (0..50).map(|n| case(&bases, n)).collect();
        assert_eq!(some, (0..50).map(|n| case(&bases, n)).collect::<Vec<_>>());
        let distinct: std::collections::HashSet<_> = some.iter().collect();
        assert!(distinct.len() > 40);
    }
}
