//! Name lookup. Three name spaces: ordinary identifiers, tags of structs, unions and enumerations,
//! and names of datatypes. (Labels belong to statements.)

use crate::cx::Checker;
use crate::errors;
use crate::tast::{GlobalId, LocalId};
use cyc_base::{Span, Symbol};
use cyc_syntax::ast::{self, Ident, Root};
use cyc_types::{AggrId, DatatypeId, EnumId, QTy, Ty};
use rustc_hash::FxHashMap;

/// What an ordinary identifier means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Entity {
    Local(LocalId),
    Global(GlobalId),
    Typedef(TypedefId),
    /// An enumeration constant: its type and value.
    Enumerator {
        ty: Ty,
        value: i128,
    },
    /// A datatype's constructor.
    Variant(DatatypeId, u32),
    /// An error was reported where it was declared or named.
    Error,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TypedefId(pub u32);

/// What a tag means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tag {
    Aggr(AggrId),
    Enum(EnumId),
}

/// A typedef: an abbreviation, expanded where it is used.
#[derive(Clone, Debug)]
pub struct Typedef {
    pub name: Symbol,
    pub qty: QTy,
    /// `aligned(n)` on the typedef, in bytes.
    pub align: Option<u32>,
    /// Declared in the C text of an `extern "C include"`.
    pub from_c_text: bool,
    pub span: Span,
}

/// One name space with block structure: a table of what names mean now, and a log that restores it.
#[derive(Debug)]
struct Space<V> {
    now: FxHashMap<Symbol, Entry<V>>,
    log: Vec<(Symbol, Option<Entry<V>>)>,
}

#[derive(Clone, Copy, Debug)]
struct Entry<V> {
    value: V,
    level: u32,
    span: Span,
}

impl<V> Default for Space<V> {
    fn default() -> Self {
        Space { now: FxHashMap::default(), log: vec![] }
    }
}

impl<V: Copy> Space<V> {
    fn declare(&mut self, name: Symbol, value: V, level: u32, span: Span) {
        let old = self.now.insert(name, Entry { value, level, span });
        if level > 0 {
            self.log.push((name, old));
        }
    }

    fn restore(&mut self, mark: usize) {
        while self.log.len() > mark {
            let Some((name, old)) = self.log.pop() else { break };
            match old {
                Some(entry) => self.now.insert(name, entry),
                None => self.now.remove(&name),
            };
        }
    }
}

/// All names that are visible at the point being checked.
#[derive(Debug, Default)]
pub struct Names {
    values: Space<Entity>,
    tags: Space<Tag>,
    datatypes: Space<DatatypeId>,
    /// Lengths of the three logs at the start of each open block.
    marks: Vec<[usize; 3]>,
    pub typedefs: Vec<Typedef>,
}

impl Names {
    pub fn push(&mut self) {
        self.marks.push([self.values.log.len(), self.tags.log.len(), self.datatypes.log.len()]);
    }

    pub fn pop(&mut self) {
        if let Some([values, tags, datatypes]) = self.marks.pop() {
            self.values.restore(values);
            self.tags.restore(tags);
            self.datatypes.restore(datatypes);
        }
    }

    /// 0 at the top level.
    pub fn level(&self) -> u32 {
        self.marks.len() as u32
    }

    pub fn value(&self, name: Symbol) -> Option<Entity> {
        self.values.now.get(&name).map(|e| e.value)
    }

    /// The meaning that the innermost scope itself gives a name, and where.
    pub fn value_here(&self, name: Symbol) -> Option<(Entity, Span)> {
        let entry = self.values.now.get(&name)?;
        (entry.level == self.level()).then_some((entry.value, entry.span))
    }

    pub fn declare_value(&mut self, name: Symbol, entity: Entity, span: Span) {
        let level = self.level();
        self.values.declare(name, entity, level, span);
    }

    /// Makes a name of the top level undeclared.
    pub(crate) fn forget_value(&mut self, name: Symbol) {
        self.values.now.remove(&name);
    }

    pub fn tag(&self, name: Symbol) -> Option<Tag> {
        self.tags.now.get(&name).map(|e| e.value)
    }

    pub fn tag_here(&self, name: Symbol) -> Option<(Tag, Span)> {
        let entry = self.tags.now.get(&name)?;
        (entry.level == self.level()).then_some((entry.value, entry.span))
    }

    pub fn declare_tag(&mut self, name: Symbol, tag: Tag, span: Span) {
        let level = self.level();
        self.tags.declare(name, tag, level, span);
    }

    pub fn datatype(&self, name: Symbol) -> Option<DatatypeId> {
        self.datatypes.now.get(&name).map(|e| e.value)
    }

    pub fn declare_datatype(&mut self, name: Symbol, id: DatatypeId, span: Span) {
        let level = self.level();
        self.datatypes.declare(name, id, level, span);
    }

    pub fn typedef(&self, id: TypedefId) -> &Typedef {
        &self.typedefs[id.0 as usize]
    }

    /// Visible tags, for "did you mean".
    pub fn visible_tags(&self) -> impl Iterator<Item = Symbol> + '_ {
        self.tags.now.keys().copied()
    }

    /// Visible ordinary names, for "did you mean".
    pub fn visible(&self) -> impl Iterator<Item = Symbol> + '_ {
        self.values.now.keys().copied()
    }
}

impl Checker<'_> {
    /// What a name in expression or pattern position means; None when it is not declared.
    /// (For a name in a namespace an error is reported here, and the answer is [`Entity::Error`].)
    pub fn lookup(&mut self, name: &ast::Name) -> Option<Entity> {
        if !self.plain_name(name) {
            return Some(Entity::Error);
        }
        let found = self.names.value(name.name);
        if let Some(Entity::Global(id)) = found {
            self.unit.globals[id.0 as usize].used = true;
        }
        found
    }

    /// A name without namespaces, or an error that these are not supported yet.
    pub(crate) fn plain_name(&mut self, name: &ast::Name) -> bool {
        if name.path.is_empty() && name.root != Root::C {
            return true;
        }
        if name.path.is_empty() {
            return true; // `C::x`: C's names and those of the root are one table as yet.
        }
        self.report(errors::unsupported(name.span, "a name in a namespace"));
        false
    }

    /// Declares a local variable of the current block; an error if the block has the name already.
    pub fn declare_local(&mut self, ident: Ident, qty: QTy) -> LocalId {
        if let Some((_, before)) = self.names.value_here(ident.name) {
            self.report(errors::decl::redeclared_local(ident, before));
        }
        let id = self.add_local(ident.name, qty, false, ident.span);
        self.names.declare_value(ident.name, Entity::Local(id), ident.span);
        id
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
    fn inner_names_hide_outer_ones_until_the_block_ends() {
        let mut names = Names::default();
        let x = Symbol::new("x");
        names.declare_value(x, Entity::Local(LocalId(1)), Span::NONE);
        names.push();
        assert!(names.value_here(x).is_none());
        names.declare_value(x, Entity::Local(LocalId(2)), Span::NONE);
        assert_eq!(names.value(x), Some(Entity::Local(LocalId(2))));
        names.pop();
        assert_eq!(names.value(x), Some(Entity::Local(LocalId(1))));
        assert!(names.value_here(x).is_some());
    }

    #[test]
    fn nearest_finds_one_slip_and_not_more() {
        let known = ["count", "counter", "total"].map(Symbol::new);
        assert_eq!(nearest(Symbol::new("conut"), known.into_iter()), Some(Symbol::new("count")));
        assert_eq!(nearest(Symbol::new("tally"), known.into_iter()), None);
    }
}
