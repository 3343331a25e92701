//! The declarations of a header with the comments above them, read from its text as it stands.

/// What a header says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// As in `#include <name>`.
    pub name: String,
    /// What the comment at its head says; the paragraphs.
    pub about: String,
    /// What all examples need at top level.
    pub prelude: Option<Example>,
    pub groups: Vec<Group>,
}

/// Declarations that share a comment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Group {
    /// `List`, or nothing at top level.
    pub namespace: String,
    pub text: String,
    pub example: Option<Example>,
    pub items: Vec<Item>,
}

/// Lines of code in a comment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Example {
    /// 1-based line of the first one.
    pub line: usize,
    pub code: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ItemKind {
    Function,
    Macro,
    Type,
    Exception,
    Value,
}

impl ItemKind {
    pub fn word(self) -> &'static str {
        match self {
            ItemKind::Function => "function",
            ItemKind::Macro => "macro",
            ItemKind::Type => "type",
            ItemKind::Exception => "exception",
            ItemKind::Value => "value",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    pub kind: ItemKind,
    pub name: String,
    /// As declared, without its body.
    pub declaration: String,
    /// 1-based.
    pub line: usize,
}

impl Page {
    /// Functions and macros with parameters that have no description, or that no example of theirs mentions.
    pub fn undocumented(&self) -> Vec<&Item> {
        let mentions = |code: &str, name: &str| code.split(|c: char| !is_word(c)).any(|word| word == name);
        let mut found = vec![];
        for group in &self.groups {
            let shown = |item: &Item| group.example.as_ref().is_some_and(|e| mentions(&e.code, &item.name));
            let callable = |item: &&Item| {
                let head = format!("#define {}(", item.name);
                item.kind == ItemKind::Function || item.declaration.starts_with(&head)
            };
            found.extend(group.items.iter().filter(callable).filter(|item| group.text.is_empty() || !shown(item)));
        }
        found
    }
}

/// Reads a text that the front end accepts; of other texts it makes something.
pub fn scan(name: &str, text: &str) -> Page {
    let mut scanner = Scanner {
        text,
        at: 0,
        line: 1,
        scopes: vec![],
        page: Page { name: name.into(), ..Page::default() },
        open: false,
        head: true,
    };
    scanner.run();
    let mut page = scanner.page;
    page.groups.retain(|group| !group.items.is_empty());
    page
}

enum Scope {
    Namespace(String),
    Other,
}

struct Scanner<'a> {
    text: &'a str,
    at: usize,
    line: usize,
    scopes: Vec<Scope>,
    page: Page,
    /// Declarations belong to the last group.
    open: bool,
    /// Nothing but comments so far.
    head: bool,
}

impl<'a> Scanner<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn advance(&mut self, bytes: usize) {
        let end = (self.at + bytes).min(self.text.len());
        self.line += self.text[self.at..end].matches('\n').count();
        self.at = end;
    }

    fn run(&mut self) {
        while self.at < self.text.len() {
            let rest = self.rest();
            let space = rest.len() - rest.trim_start().len();
            if space > 0 {
                if rest[..space].matches('\n').count() > 1 {
                    self.open = false;
                }
                self.advance(space);
            } else if rest.starts_with("//") || rest.starts_with("/*") {
                self.comment();
            } else if rest.starts_with('#') {
                self.directive();
            } else if let Some(stripped) = rest.strip_prefix(['}', ';']) {
                if rest.starts_with('}') {
                    self.scopes.pop();
                }
                self.advance(rest.len() - stripped.len());
            } else if !self.scope() {
                self.declaration();
            }
        }
    }

    /// Takes a comment; lines of `//` one below the other are one.
    fn comment(&mut self) {
        let line = self.line;
        let mut lines: Vec<&str> = vec![];
        if self.rest().starts_with("/*") {
            let end = self.rest().find("*/").map_or(self.rest().len(), |end| end + 2);
            let inside = self.rest()[2..end].trim_end_matches("*/");
            lines.extend(inside.lines().map(|l| {
                let trimmed = l.trim_start();
                trimmed.strip_prefix('*').unwrap_or(l)
            }));
            self.advance(end);
        } else {
            while let Some(rest) = self.rest().strip_prefix("//") {
                let text = rest.lines().next().unwrap_or_default();
                lines.push(text);
                self.advance(2 + text.len());
                let space = self.rest().len() - self.rest().trim_start().len();
                if self.rest()[..space].matches('\n').count() != 1 || !self.rest()[space..].starts_with("//") {
                    break;
                }
                self.advance(space);
            }
        }
        let (text, example) = split(&lines, line);
        if std::mem::replace(&mut self.head, false) {
            self.page.about = text;
            self.page.prelude = example;
        } else {
            let namespace = self.namespace();
            self.page.groups.push(Group { namespace, text, example, items: vec![] });
            self.open = true;
        }
    }

    fn namespace(&self) -> String {
        let names = self.scopes.iter().filter_map(|scope| match scope {
            Scope::Namespace(name) => Some(name.as_str()),
            Scope::Other => None,
        });
        names.collect::<Vec<_>>().join("::")
    }

    fn add(&mut self, item: Item) {
        self.head = false;
        if !self.open || self.page.groups.is_empty() {
            let namespace = self.namespace();
            self.page.groups.push(Group { namespace, ..Group::default() });
            self.open = true;
        }
        if let Some(group) = self.page.groups.last_mut() {
            group.items.push(item);
        }
    }

    /// A directive of the preprocessor, with the lines that continue it.
    fn directive(&mut self) {
        self.head = false;
        let (line, rest) = (self.line, self.rest());
        let mut end = 0;
        for part in rest.split_inclusive('\n') {
            end += part.len();
            if !part.trim_end().ends_with('\\') {
                break;
            }
        }
        let text = rest[..end].trim_end();
        self.advance(text.len());
        let Some(definition) = text.strip_prefix("#define ") else { return };
        let name: String = definition.chars().take_while(|c| is_word(*c)).collect();
        let has_value = definition.len() > name.len();
        if has_value && !name.starts_with('_') {
            self.add(Item { kind: ItemKind::Macro, name, declaration: text.into(), line });
        }
    }

    /// `namespace X {`, `extern "C" {`, `using X {`, `using X;`.
    fn scope(&mut self) -> bool {
        let rest = self.rest();
        let head = &rest[..rest.find(['{', ';', '(']).unwrap_or(rest.len())];
        let opens = rest[head.len()..].starts_with('{');
        let words: Vec<&str> = head.split_whitespace().collect();
        let scope = match words.as_slice() {
            ["namespace", name] if opens => Scope::Namespace((*name).into()),
            ["extern", language] if opens && language.starts_with('"') => Scope::Other,
            ["using", _] if opens => Scope::Other,
            ["using", _] => {
                self.advance(head.len() + 1);
                return true;
            }
            _ => return false,
        };
        self.head = false;
        self.scopes.push(scope);
        self.advance(head.len() + 1);
        true
    }

    /// A declaration, up to its semicolon or the end of its body.
    fn declaration(&mut self) {
        let line = self.line;
        let rest = self.rest();
        let (signature, end) = extent(rest);
        let declaration = without_comments(rest[..signature].trim_end());
        self.advance(end);
        // A comment behind a declaration is part of it.
        let behind = self.rest().lines().next().unwrap_or_default();
        if behind.trim_start().starts_with("//") {
            self.advance(behind.len());
        }
        for (kind, name) in declared(&declaration) {
            self.add(Item { kind, name, declaration: declaration.clone(), line });
        }
        self.head = false;
    }
}

/// The text of a comment, and the example in it.
fn split(lines: &[&str], first: usize) -> (String, Option<Example>) {
    let (mut text, mut code, mut start) = (vec![], vec![], 0);
    for (i, line) in lines.iter().enumerate() {
        let body = line.strip_prefix(' ').unwrap_or(line).trim_end();
        if let Some(example) = body.strip_prefix("    ") {
            if code.is_empty() {
                start = first + i;
            }
            code.push(example);
        } else if body.is_empty() && !code.is_empty() {
            code.push("");
        } else {
            text.push(body);
        }
    }
    let example = (!code.is_empty()).then(|| Example { line: start, code: code.join("\n").trim_end().to_string() });
    (text.join("\n").trim().to_string(), example)
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Where the signature of the declaration ends that a text begins with, and where the declaration does.
fn extent(text: &str) -> (usize, usize) {
    let bytes = text.as_bytes();
    let (mut depth, mut at) = (0i32, 0);
    // A function has its parameters before its body.
    let mut body = None;
    while at < bytes.len() {
        match bytes[at] {
            b'/' if text[at..].starts_with("//") => at += text[at..].find('\n').unwrap_or(text.len() - at),
            b'/' if text[at..].starts_with("/*") => at += text[at..].find("*/").map_or(text.len() - at, |end| end + 1),
            b'"' => at += string_end(&text[at..]),
            // A character, unless it is the quote of a type variable.
            b'\'' => at += character_end(&text[at..]),
            b'(' | b'[' => depth += 1,
            b'{' => {
                if depth == 0 && body.is_none() && has_parameters(&text[..at]) {
                    body = Some(at);
                }
                depth += 1;
            }
            b')' | b']' => depth -= 1,
            b'}' => {
                depth -= 1;
                if let (true, Some(start)) = (depth <= 0, body) {
                    return (start, at + 1);
                }
            }
            b';' if depth <= 0 => return (at, at + 1),
            _ => {}
        }
        at += 1;
    }
    (text.len(), text.len())
}

fn string_end(text: &str) -> usize {
    let mut escaped = false;
    for (i, c) in text.char_indices().skip(1) {
        match c {
            '"' if !escaped => return i,
            _ => escaped = c == '\\' && !escaped,
        }
    }
    text.len() - 1
}

fn character_end(text: &str) -> usize {
    let bytes = text.as_bytes();
    let from = if bytes.get(1) == Some(&b'\\') { 3 } else { 2 };
    let end = bytes.iter().skip(from).take(4).position(|b| *b == b'\'');
    end.map_or(0, |end| end + from)
}

/// Are there parameters at the end of what stands before a brace, and not an initialiser or a struct?
fn has_parameters(before: &str) -> bool {
    let first = before.split_whitespace().next().unwrap_or_default();
    let aggregate = ["struct", "union", "enum", "datatype", "@extensible", "@tagged", "typedef"].contains(&first);
    before.contains('(') && !before.contains('=') && (!aggregate || before.trim_end().ends_with(')'))
}

/// A declaration without the comments in it.
fn without_comments(text: &str) -> String {
    let lines = text.lines().map(|line| line.split(" //").next().unwrap_or_default().trim_end());
    lines.filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// What a declaration declares.
fn declared(text: &str) -> Vec<(ItemKind, String)> {
    let mut words = text.split_whitespace();
    let first = words.next().unwrap_or_default();
    let public = |name: &String| !name.is_empty() && !name.starts_with('_');
    if text.starts_with("@extensible") {
        let variants = text.split_once('{').map_or("", |(_, inside)| inside.trim_end_matches('}'));
        let names = variants.split(';').map(|v| word_at(v.trim().trim_start_matches("extern").trim_start()));
        return names.filter(public).map(|name| (ItemKind::Exception, name)).collect();
    }
    let head = text.split('{').next().unwrap_or_default();
    let aggregate = ["struct", "union", "enum", "datatype"].contains(&first) || text.starts_with("@tagged");
    if aggregate && (text.contains('{') || !head.contains('(') && words.clone().count() <= 1) {
        let name = word_at(words.find(|word| *word != "union" && *word != "struct").unwrap_or_default());
        return Some((ItemKind::Type, name)).filter(|(_, name)| public(name)).into_iter().collect();
    }
    if first == "typedef" {
        return Some((ItemKind::Type, typedef_name(text))).filter(|(_, name)| public(name)).into_iter().collect();
    }
    let function = function_name(text);
    let kind = if function.is_some() { ItemKind::Function } else { ItemKind::Value };
    let name = function.unwrap_or_else(|| value_name(text));
    Some((kind, name)).filter(|(_, name)| public(name) && !name.starts_with("cyc_")).into_iter().collect()
}

fn word_at(text: &str) -> String {
    text.chars().take_while(|c| is_word(*c)).collect()
}

fn last_word(text: &str) -> String {
    let text = text.trim_end();
    let start = text.char_indices().rev().take_while(|(_, c)| is_word(*c)).last().map_or(text.len(), |(i, _)| i);
    text[start..].to_string()
}

/// `name` in `type name(parameters)`: the word before the first parenthesis that belongs to no type.
fn function_name(text: &str) -> Option<String> {
    const OF_TYPES: &[&str] =
        &["aqual", "regions", "valueof", "valueof_t", "__attribute__", "single", "tag_t", "asm", "aquals", "sizeof"];
    let (mut round, mut angle) = (0, 0);
    for (i, c) in text.char_indices() {
        match c {
            '(' if round == 0 && angle == 0 => {
                // Explicit type parameters.
                let mut before = text[..i].trim_end();
                if before.ends_with('>') {
                    before = &before[..before.find('<').unwrap_or(0)];
                }
                let name = last_word(before);
                let is_variable = before[..before.len() - name.len()].ends_with('`');
                if !name.is_empty() && !is_variable && !OF_TYPES.contains(&name.as_str()) {
                    return Some(name);
                }
                round += 1;
            }
            '(' => round += 1,
            ')' => round -= 1,
            '<' if round == 0 => angle += 1,
            '>' if round == 0 => angle -= 1,
            '=' if round == 0 && angle == 0 => return None,
            _ => {}
        }
    }
    None
}

fn typedef_name(text: &str) -> String {
    if let Some((_, pointer)) = text.split_once("(@").or_else(|| text.split_once("(*")) {
        return word_at(pointer.trim_start_matches("`H").trim_start());
    }
    // Parameters, `name<`a, `b>`.
    let mut end = text.trim_end();
    if end.ends_with('>') {
        let mut depth = 0;
        let open = end.char_indices().rev().find(|(_, c)| {
            depth += i32::from(*c == '>') - i32::from(*c == '<');
            depth == 0
        });
        end = &end[..open.map_or(0, |(i, _)| i)];
    }
    last_word(end)
}

fn value_name(text: &str) -> String {
    let end = text.find(" asm(").or_else(|| text.find(['=', '['])).unwrap_or(text.len());
    last_word(&text[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<(ItemKind, String)> {
        let page = scan("x.h", text);
        page.groups.into_iter().flat_map(|g| g.items).map(|i| (i.kind, i.name)).collect()
    }

    #[test]
    fn declarations_have_names() {
        use ItemKind::{Exception, Function, Macro, Type, Value};
        let text = "#define _X_H\n#define memcpy(d, s) _copy(d, s)\nnamespace N {\n\
            `a ?@autoreleased `r keep<`a::A>(region_t<`r> h, `a ?p);\n$(`a, `b) @`r choose(int x);\n\
            Iter::iter_t<$(`a, `b), regions($(`a, `b)) + `r1> make_iter(region_t<`r1> r);\n\
            struct T<`a>;\nstruct S { int f(int); };\ntypedef struct S @`H s_t<`a::A, `b>;\ntypedef int (@cmp_t)(int);\n\
            @extensible datatype exn { extern Absent; extern Bad(string_t) };\nextern int count asm(\"n\");\n\
            static int f(int x) { return '}'; }\nint *@aqual(`q) g(int x);\nextern \"C\" { void h(void) asm(\"h2\"); }\n}\n";
        let expected = [
            (Macro, "memcpy"),
            (Function, "keep"),
            (Function, "choose"),
            (Function, "make_iter"),
            (Type, "T"),
            (Type, "S"),
            (Type, "s_t"),
            (Type, "cmp_t"),
            (Exception, "Absent"),
            (Exception, "Bad"),
            (Value, "count"),
            (Function, "f"),
            (Function, "g"),
            (Function, "h"),
        ];
        assert_eq!(names(text), expected.map(|(kind, name)| (kind, name.to_string())));
    }

    #[test]
    fn comments_belong_to_what_stands_below() {
        let text = "// About.\n//\n//     using X;\n\n// Both.\n//\n//     a(1);\n//     b(2);\nint a(int);\nint b(int);\n\nint c(int);\n// Next.\nint d(int);\n";
        let page = scan("x.h", text);
        assert_eq!((page.about.as_str(), page.prelude.map(|p| p.code).as_deref()), ("About.", Some("using X;")));
        let shown: Vec<_> = page.groups.iter().map(|g| (g.text.as_str(), g.items.len())).collect();
        assert_eq!(shown, [("Both.", 2), ("", 1), ("Next.", 1)]);
        let example = page.groups[0].example.as_ref().unwrap();
        assert_eq!((example.line, example.code.as_str()), (7, "a(1);\nb(2);"));
    }

    #[test]
    fn no_text_makes_it_panic() {
        let text = "// a\n//     b\n`a f(int '\\'', \"x\\\"\") { ' } } ; struct { typedef > ( asm( @extensible { = #define X \\\n";
        for start in 0..text.len() {
            for end in start..=text.len() {
                scan("x.h", &text[start..end]);
            }
        }
    }
}
