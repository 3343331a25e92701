//! Diagnostics as data. Passes return them beside their value; only the command renders them.

use crate::Span;

/// A diagnostic's code, `E0412` or `W0007`: the page `docs/errors/E0412.md` explains it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Code(pub &'static str);

#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Severity {
    Warning,
    Error,
}

/// A place in the source and what to say about it there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    pub span: Span,
    pub text: String,
    /// The place where the mistake is; the others explain it.
    pub primary: bool,
}

/// A change to the source that would mend the mistake: replace `span` by `text`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edit {
    pub span: Span,
    pub text: String,
    /// What the edit does, in the imperative: "dereference the pointer".
    pub what: String,
}

/// One mistake: what is wrong, where, why, and how to mend it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    pub code: Code,
    pub severity: Severity,
    pub message: String,
    /// The first is primary.
    pub labels: Vec<Label>,
    pub notes: Vec<String>,
    pub help: Vec<String>,
    pub edits: Vec<Edit>,
}

impl Diagnostic {
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Error, code, span, message.into())
    }

    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Warning, code, span, message.into())
    }

    fn new(severity: Severity, code: &'static str, span: Span, message: String) -> Diagnostic {
        let primary = Label { span, text: String::new(), primary: true };
        Diagnostic {
            code: Code(code),
            severity,
            message,
            labels: vec![primary],
            notes: vec![],
            help: vec![],
            edits: vec![],
        }
    }

    /// Says something at the primary place.
    pub fn here(mut self, text: impl Into<String>) -> Diagnostic {
        self.labels[0].text = text.into();
        self
    }

    /// Says something at another place.
    pub fn label(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.labels.push(Label { span, text: text.into(), primary: false });
        self
    }

    pub fn note(mut self, text: impl Into<String>) -> Diagnostic {
        self.notes.push(text.into());
        self
    }

    pub fn help(mut self, text: impl Into<String>) -> Diagnostic {
        self.help.push(text.into());
        self
    }

    pub fn edit(mut self, span: Span, text: impl Into<String>, what: impl Into<String>) -> Diagnostic {
        self.edits.push(Edit { span, text: text.into(), what: what.into() });
        self
    }

    pub fn span(&self) -> Span {
        self.labels[0].span
    }

    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// What a pass found wrong, in the order of finding.
#[derive(Clone, Default, Debug)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
}

impl Diagnostics {
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.list.push(diagnostic);
    }

    pub fn extend(&mut self, others: Diagnostics) {
        self.list.extend(others.list);
    }

    pub fn has_errors(&self) -> bool {
        self.list.iter().any(Diagnostic::is_error)
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.list.iter()
    }

    /// In source order, exact repetitions removed: what the user is shown.
    pub fn into_sorted(mut self) -> Vec<Diagnostic> {
        self.list.sort_by_key(Diagnostic::span);
        self.list.dedup();
        self.list
    }
}

impl IntoIterator for Diagnostics {
    type Item = Diagnostic;
    type IntoIter = std::vec::IntoIter<Diagnostic>;
    fn into_iter(self) -> Self::IntoIter {
        self.list.into_iter()
    }
}
