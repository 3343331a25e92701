//! What the names of a program mean: lookup by path, and names that were perhaps meant.

use crate::cx::Checker;
use crate::errors;
use crate::scope::{Entity, NamespaceId, Tag, TypedefId, join};
use crate::tast::LocalId;
use cyc_base::{Span, Symbol};
use cyc_syntax::ast::{self, Ident, Root};
use cyc_types::{DatatypeId, QTy};

/// Where a name is looked up.
#[derive(Clone, Copy)]
enum Within {
    /// In the scopes around its use.
    Scopes,
    Namespace(NamespaceId),
}

/// An error was reported: the name's namespace does not exist.
pub struct Reported;

impl Checker<'_> {
    /// Where a name is looked up by its path.
    fn within(&mut self, name: &ast::Name) -> Result<Within, Reported> {
        if name.as_ident().is_some() {
            return Ok(Within::Scopes);
        }
        match self.names.namespace(name.root, &name.path) {
            Some(namespace) => Ok(Within::Namespace(namespace)),
            None => {
                self.report_unknown_namespace(name.span, name.root, &name.path);
                Err(Reported)
            }
        }
    }

    pub(crate) fn report_unknown_namespace(&mut self, span: Span, root: Root, parts: &[Symbol]) {
        let path = parts.iter().fold(Symbol::new(""), |path, part| join(path, *part));
        let near = nearest(path, self.names.namespaces());
        let path = if root == Root::C { Symbol::new(&format!("C::{path}")) } else { path };
        self.report(errors::decl::unknown_namespace(span, path, near));
    }

    /// What a name in expression or pattern position means; None when it is not declared.
    /// (Where its namespace is unknown an error is reported here, and the answer is [`Entity::Error`].)
    pub fn lookup(&mut self, name: &ast::Name) -> Option<Entity> {
        let found = match self.within(name) {
            Ok(Within::Scopes) => self.names.value(name.name),
            Ok(Within::Namespace(namespace)) => self.names.value_within(namespace, name.name),
            Err(Reported) => Some(Entity::Error),
        };
        if let Some(Entity::Global(id)) = found {
            self.unit.globals[id.0 as usize].used = true;
        }
        found
    }

    /// The typedef that a name means.
    pub(crate) fn lookup_typedef(&mut self, name: &ast::Name) -> Option<TypedefId> {
        let found = match self.within(name) {
            Ok(Within::Scopes) => self.names.value_as_type(name.name),
            Ok(Within::Namespace(namespace)) => self.names.value_within(namespace, name.name),
            Err(Reported) => None,
        };
        if let Some(Entity::Typedef(id)) = found { Some(id) } else { None }
    }

    /// As [`Checker::lookup_typedef`], without reports.
    pub(crate) fn peek_typedef(&self, name: &ast::Name) -> Option<TypedefId> {
        let found = match name.as_ident() {
            Some(_) => self.names.value_as_type(name.name),
            None => self.names.value_within(self.names.namespace(name.root, &name.path)?, name.name),
        };
        if let Some(Entity::Typedef(id)) = found { Some(id) } else { None }
    }

    /// As [`Checker::lookup_tag`], without reports.
    pub(crate) fn peek_tag(&self, name: &ast::Name) -> Option<Tag> {
        match name.as_ident() {
            Some(_) => self.names.tag(name.name),
            None => self.names.tag_within(self.names.namespace(name.root, &name.path)?, name.name),
        }
    }

    /// As [`Checker::lookup_datatype`], without reports.
    pub(crate) fn peek_datatype(&self, name: &ast::Name) -> Option<DatatypeId> {
        match name.as_ident() {
            Some(_) => self.names.datatype(name.name),
            None => self.names.datatype_within(self.names.namespace(name.root, &name.path)?, name.name),
        }
    }

    pub(crate) fn lookup_tag(&mut self, name: &ast::Name) -> Result<Option<Tag>, Reported> {
        Ok(match self.within(name)? {
            Within::Scopes => self.names.tag(name.name),
            Within::Namespace(namespace) => self.names.tag_within(namespace, name.name),
        })
    }

    pub(crate) fn lookup_datatype(&mut self, name: &ast::Name) -> Result<Option<DatatypeId>, Reported> {
        Ok(match self.within(name)? {
            Within::Scopes => self.names.datatype(name.name),
            Within::Namespace(namespace) => self.names.datatype_within(namespace, name.name),
        })
    }

    /// Declares a local variable: from here to the end of the block the name means this one (core, section 5.1).
    pub fn declare_local(&mut self, ident: Ident, qty: QTy) -> LocalId {
        self.warn_of_hidden(ident);
        let id = self.add_local(ident.name, qty, false, ident.span);
        self.names.declare_value(ident.name, Entity::Local(id), ident.span);
        id
    }

    /// `-Woverride`: a declaration in a function that hides a local one.
    pub(crate) fn warn_of_hidden(&mut self, ident: Ident) {
        if let Some(before) = self.names.local_span(ident.name)
            && self.options.warn_override
        {
            self.report(errors::decl::hides(ident, before));
        }
    }
}

/// The visible name nearest to a misspelt one, if one is near enough: for "did you mean".
pub fn nearest(name: Symbol, candidates: impl Iterator<Item = Symbol>) -> Option<Symbol> {
    let limit = match name.as_str().len() {
        0..=2 => return None,
        3..=5 => 1,
        _ => 2,
    };
    candidates
        .filter(|c| *c != name)
        .map(|c| (distance(name.as_str(), c.as_str(), limit), c))
        .filter(|(d, _)| *d <= limit)
        .min()
        .map(|(_, c)| c)
}

/// Edit distance (insert, delete, replace, exchange neighbours), cut off above `limit`.
fn distance(a: &str, b: &str, limit: usize) -> usize {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len().abs_diff(b.len()) > limit {
        return limit + 1;
    }
    let mut before = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_finds_one_slip_and_not_more() {
        let known = ["count", "counter", "total"].map(Symbol::new);
        assert_eq!(nearest(Symbol::new("conut"), known.into_iter()), Some(Symbol::new("count")));
        assert_eq!(nearest(Symbol::new("tally"), known.into_iter()), None);
    }
}
