//! Tables of `cyc.toml`, read key by key; every mistake is noted with its place and what to do.

use cyc_base::{Diagnostic, Span, Symbol};
use std::cell::RefCell;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A string and where it stands.
#[derive(Clone, Debug)]
pub struct Text {
    pub value: String,
    pub span: Span,
}

/// The keys that a table may have.
pub struct Keys {
    /// Its name; empty for the whole file.
    pub table: &'static str,
    pub known: &'static [&'static str],
}

/// A table that is being read, and where mistakes are noted.
pub struct Table<'t> {
    entries: &'t DeTable<'t>,
    span: Range<usize>,
    wrong: &'t RefCell<Vec<Diagnostic>>,
}

fn span(range: Range<usize>) -> Span {
    Span::new(range.start as u32, range.end as u32)
}

impl<'t> Table<'t> {
    pub fn new(entries: &'t DeTable<'t>, span: Range<usize>, wrong: &'t RefCell<Vec<Diagnostic>>) -> Table<'t> {
        Table { entries, span, wrong }
    }

    /// Notes a mistake in a value.
    pub fn wrong(&self, at: Span, what: String, todo: &str) {
        self.wrong.borrow_mut().push(Diagnostic::error("E0083", at, what).help(todo));
    }

    /// Refuses all other keys.
    pub fn only(&self, keys: &Keys) {
        for key in self.entries.keys().filter(|key| !keys.known.contains(&key.get_ref().as_ref())) {
            let name = key.get_ref();
            let what = match keys.table {
                "" => format!("there is no key `{name}` at the top of `cyc.toml`"),
                table => format!("there is no key `{name}` in `{table}`"),
            };
            let unknown = Diagnostic::error("E0082", span(key.span()), what);
            let known = keys.known.iter().map(|k| Symbol::new(k));
            self.wrong.borrow_mut().push(match cyc_check::nearest(Symbol::new(name), known) {
                Some(near) => unknown.edit(span(key.span()), near.as_str(), format!("did you mean `{near}`?")),
                None => unknown.help(format!("the keys are `{}`", keys.known.join("`, `"))),
            });
        }
    }

    fn value(&self, key: &str) -> Option<&'t Spanned<DeValue<'t>>> {
        self.entries.iter().find(|(k, _)| k.get_ref() == key).map(|(_, value)| value)
    }

    fn mismatch(&self, key: &str, value: &Spanned<DeValue>, wanted: &str) {
        let found = value.get_ref().type_str();
        self.wrong(span(value.span()), format!("`{key}` is {wanted}"), &format!("it is of the type {found} here"));
    }

    /// A string, if the key is there.
    pub fn text(&self, key: &str) -> Option<Text> {
        let value = self.value(key)?;
        let text = value.get_ref().as_str().map(|text| Text { value: text.into(), span: span(value.span()) });
        if text.is_none() {
            self.mismatch(key, value, "a string");
        }
        text
    }

    /// A string that has to be there.
    pub fn required(&self, key: &str) -> Option<Text> {
        if self.value(key).is_none() {
            let at = span(self.span.clone());
            self.wrong(at, format!("the key `{key}` is missing"), &format!("add `{key} = \"…\"`"));
        }
        self.text(key)
    }

    /// A list of strings, if the key is there.
    pub fn texts(&self, key: &str) -> Option<Vec<Text>> {
        let value = self.value(key)?;
        let Some(list) = value.get_ref().as_array() else {
            self.mismatch(key, value, "a list of strings");
            return None;
        };
        let mut texts = vec![];
        for item in list.iter() {
            match item.get_ref().as_str() {
                Some(text) => texts.push(Text { value: text.into(), span: span(item.span()) }),
                None => self.mismatch(key, item, "a list of strings"),
            }
        }
        Some(texts)
    }

    /// A level of optimisation, a number or a string.
    pub fn level(&self, key: &str) -> Option<String> {
        let value = self.value(key)?;
        let level = match value.get_ref() {
            DeValue::Integer(n) => n.as_str().to_string(),
            DeValue::String(text) => text.to_string(),
            _ => String::new(),
        };
        if ["0", "1", "2", "3", "s", "z", "g", "fast"].contains(&level.as_str()) {
            return Some(level);
        }
        self.wrong(
            span(value.span()),
            format!("`{key}` is no level of optimisation"),
            "write 0, 1, 2, 3, \"s\" or \"g\"",
        );
        None
    }

    /// A table, if the key is there.
    pub fn table(&self, key: &str) -> Option<Table<'t>> {
        let value = self.value(key)?;
        let Some(entries) = value.get_ref().as_table() else {
            self.mismatch(key, value, &format!("a table: begin it with `[{key}]`"));
            return None;
        };
        Some(Table { entries, span: value.span(), wrong: self.wrong })
    }

    /// A list of tables, if the key is there.
    pub fn tables(&self, key: &str) -> Option<Vec<Table<'t>>> {
        let value = self.value(key)?;
        let items = value.get_ref().as_array().map(|list| list.iter()).into_iter().flatten();
        let tables = items.map(|item| Some((item.get_ref().as_table()?, item.span())));
        let tables: Option<Vec<_>> = tables.collect();
        let Some(tables) = tables.filter(|list| !list.is_empty()) else {
            self.mismatch(key, value, &format!("a list of tables: begin each with `[[{key}]]`"));
            return None;
        };
        Some(tables.into_iter().map(|(entries, span)| Table { entries, span, wrong: self.wrong }).collect())
    }

    pub fn missing_table(&self, key: &str) {
        let help = format!("begin the file with `[{key}]` and `name = \"…\"`");
        self.wrong(span(self.span.clone()), format!("the table `{key}` is missing"), &help);
    }

    /// The name of a program becomes that of a file.
    pub fn check_name(&self, name: &Text) {
        if !super::is_name(&name.value) {
            let what = format!("`{}` cannot be the name of a program", name.value);
            self.wrong(name.span, what, super::NAMES);
        }
    }
}
