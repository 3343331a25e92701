//! Name lookup. Three name spaces: ordinary identifiers, tags of structs, unions and enumerations,
//! and names of datatypes. (Labels belong to statements.)

pub use crate::lookup::nearest;
use crate::tast::{GlobalId, LocalId};
use cyc_base::{Span, Symbol};
use cyc_syntax::ast::Root;
use cyc_types::{AggrId, DatatypeId, EnumId, QTy, Region, Ty, TyParam};
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
    /// What it is abstracted over: [`cyc_types::Var::Own`] in its meaning.
    pub params: Vec<TyParam>,
    pub qty: QTy,
    /// What an abstract one of kind E stands for, in the place of a type.
    pub region: Option<Region>,
    /// `aligned(n)` on the typedef, in bytes.
    pub align: Option<u32>,
    /// Declared in the C text of an `extern "C include"`.
    pub from_c_text: bool,
    pub span: Span,
}

/// One name space: names of blocks, with a log that restores what inner ones hid, and those of each namespace.
#[derive(Debug)]
struct Space<V> {
    locals: FxHashMap<Symbol, Entry<V>>,
    log: Vec<(Symbol, Option<Entry<V>>)>,
    /// Indexed by [`NamespaceId`].
    namespaces: Vec<FxHashMap<Symbol, Entry<V>>>,
}

#[derive(Clone, Copy, Debug)]
struct Entry<V> {
    value: V,
    level: u32,
    span: Span,
}

impl<V> Default for Space<V> {
    fn default() -> Self {
        Space {
            locals: FxHashMap::default(),
            log: vec![],
            namespaces: vec![FxHashMap::default(), FxHashMap::default()],
        }
    }
}

impl<V: Copy> Space<V> {
    fn declare(&mut self, name: Symbol, value: V, level: u32, span: Span) {
        let old = self.locals.insert(name, Entry { value, level, span });
        self.log.push((name, old));
    }

    fn restore(&mut self, mark: usize) {
        while self.log.len() > mark {
            let Some((name, old)) = self.log.pop() else { break };
            match old {
                Some(entry) => self.locals.insert(name, entry),
                None => self.locals.remove(&name),
            };
        }
    }

    fn within(&self, namespace: NamespaceId, name: Symbol) -> Option<V> {
        self.namespaces[namespace.0 as usize].get(&name).map(|e| e.value)
    }

    /// The first meaning that `fits`, searched as core, section 12.2 says: blocks, then the namespaces from the inside out.
    fn find(&self, name: Symbol, names: (&[NamespaceId], &Level), fits: impl Fn(&V) -> bool) -> Option<V> {
        let (order, root) = names;
        if let Some(entry) = self.locals.get(&name)
            && fits(&entry.value)
        {
            return Some(entry.value);
        }
        order.iter().rev().find_map(|namespace| {
            let entry = self.namespaces[namespace.0 as usize].get(&name).filter(|e| fits(&e.value))?;
            let used = if *namespace == NamespaceId::ROOT { self.used_later(name, entry.span, root) } else { None };
            Some(used.filter(|v| fits(v)).unwrap_or(entry.value))
        })
    }

    /// What a `using` that follows a declaration of the root brings in its place.
    fn used_later(&self, name: Symbol, declared: Span, root: &Level) -> Option<V> {
        let later = root.usings.iter().zip(&root.begins).rev().filter(|(_, at)| **at > declared.lo);
        later.map(|(namespace, _)| *namespace).find_map(|namespace| self.within(namespace, name))
    }

    fn visible<'a>(&'a self, order: &'a [NamespaceId]) -> impl Iterator<Item = Symbol> + 'a {
        let outside = order.iter().flat_map(|namespace| self.namespaces[namespace.0 as usize].keys().copied());
        self.locals.keys().copied().chain(outside)
    }
}

/// A namespace, for the whole unit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct NamespaceId(u32);

impl NamespaceId {
    /// `Cyc::…`
    pub const ROOT: NamespaceId = NamespaceId(0);
    /// `C::…`: what has a plain name in C, declared in whatever namespace.
    pub const C: NamespaceId = NamespaceId(1);
}

/// An open `namespace` with the `using`s directly within it.
#[derive(Debug)]
struct Level {
    namespace: NamespaceId,
    usings: Vec<NamespaceId>,
    /// Where they begin.
    begins: Vec<u32>,
}

/// All names that are visible at the point being checked.
#[derive(Debug)]
pub struct Names {
    values: Space<Entity>,
    tags: Space<Tag>,
    datatypes: Space<DatatypeId>,
    /// Type variables of the function being checked, as indices of its parameters.
    tyvars: Vec<(Symbol, u32)>,
    /// Lengths of the four logs at the start of each open block.
    marks: Vec<[usize; 4]>,
    pub typedefs: Vec<Typedef>,
    /// `A::B` of each namespace; empty for the root.
    paths: Vec<Symbol>,
    by_path: FxHashMap<Symbol, NamespaceId>,
    /// The open namespaces, the root first.
    levels: Vec<Level>,
    /// The namespaces of `levels` in the reverse of the order in which they are searched.
    order: Vec<NamespaceId>,
    /// Where declarations outside functions go: the innermost namespace, unless an absolute name is being declared.
    target: NamespaceId,
}

impl Default for Names {
    fn default() -> Names {
        let root = NamespaceId::ROOT;
        let paths = vec![Symbol::new(""), Symbol::new("C")];
        Names {
            values: Space::default(),
            tags: Space::default(),
            datatypes: Space::default(),
            tyvars: vec![],
            marks: vec![],
            typedefs: vec![],
            by_path: FxHashMap::from_iter([(paths[0], root)]),
            paths,
            levels: vec![Level { namespace: root, usings: vec![], begins: vec![] }],
            order: vec![root],
            target: root,
        }
    }
}

impl Names {
    pub fn push(&mut self) {
        let logs = [self.values.log.len(), self.tags.log.len(), self.datatypes.log.len(), self.tyvars.len()];
        self.marks.push(logs);
    }

    pub fn pop(&mut self) {
        if let Some([values, tags, datatypes, tyvars]) = self.marks.pop() {
            self.tyvars.truncate(tyvars);
            self.values.restore(values);
            self.tags.restore(tags);
            self.datatypes.restore(datatypes);
        }
    }

    /// 0 at the top level.
    pub fn level(&self) -> u32 {
        self.marks.len() as u32
    }

    // ------------------------------------------------------------ namespaces

    /// The innermost open namespace.
    pub fn current(&self) -> NamespaceId {
        self.levels.last().map_or(NamespaceId::ROOT, |level| level.namespace)
    }

    /// Where a declaration outside functions goes.
    pub fn target(&self) -> NamespaceId {
        self.target
    }

    /// Sends declarations outside functions to `namespace`; returns where they went before.
    pub fn declare_in(&mut self, namespace: NamespaceId) -> NamespaceId {
        std::mem::replace(&mut self.target, namespace)
    }

    /// `A::B`; empty for the root.
    pub fn path(&self, namespace: NamespaceId) -> Symbol {
        self.paths[namespace.0 as usize]
    }

    /// A name of the current scope as messages show it: with the path of its namespace.
    pub fn qualified(&self, name: Symbol) -> Symbol {
        match self.level() {
            0 => join(self.path(self.target), name),
            _ => name,
        }
    }

    /// `namespace name {`: makes it if it is new.
    pub fn enter_namespace(&mut self, name: Symbol) {
        let path = join(self.path(self.current()), name);
        let namespace = match self.by_path.get(&path) {
            Some(known) => *known,
            None => {
                let new = NamespaceId(self.paths.len() as u32);
                self.paths.push(path);
                self.values.namespaces.push(FxHashMap::default());
                self.tags.namespaces.push(FxHashMap::default());
                self.datatypes.namespaces.push(FxHashMap::default());
                self.by_path.insert(path, new);
                new
            }
        };
        self.levels.push(Level { namespace, usings: vec![], begins: vec![] });
        self.order.push(namespace);
        self.target = namespace;
    }

    pub fn leave_namespace(&mut self) {
        self.levels.pop();
        self.target = self.current();
        self.reorder();
    }

    /// `using namespace {`
    pub fn enter_using(&mut self, namespace: NamespaceId, at: Span) {
        if let Some(level) = self.levels.last_mut() {
            level.usings.push(namespace);
            level.begins.push(at.lo);
        }
        self.reorder();
    }

    pub fn leave_using(&mut self) {
        if let Some(level) = self.levels.last_mut() {
            level.usings.pop();
            level.begins.pop();
        }
        self.reorder();
    }

    /// From the inside out, a namespace's own names before those of its `using`s, the latest of these first.
    fn reorder(&mut self) {
        self.order.clear();
        for level in &self.levels {
            self.order.extend(&level.usings);
            self.order.push(level.namespace);
        }
    }

    /// The namespace that a path means here: its first part is searched like a name.
    pub fn namespace(&self, root: Root, parts: &[Symbol]) -> Option<NamespaceId> {
        let below = |outer: NamespaceId, parts: &[Symbol]| {
            let path = parts.iter().fold(self.path(outer), |path, part| join(path, *part));
            self.by_path.get(&path).copied()
        };
        match root {
            Root::C => parts.is_empty().then_some(NamespaceId::C),
            Root::Cyclone => below(NamespaceId::ROOT, parts),
            Root::Relative => {
                let first = &parts[..parts.len().min(1)];
                let outer = self.order.iter().rev().find(|outer| below(**outer, first).is_some())?;
                below(*outer, parts)
            }
        }
    }

    /// Paths of all namespaces, for "did you mean".
    pub fn namespaces(&self) -> impl Iterator<Item = Symbol> + '_ {
        self.paths.iter().copied().filter(|path| !path.as_str().is_empty())
    }

    /// The first namespace that declares a name, for "did you mean"; of those that programs can write.
    pub fn namespace_with(&self, name: Symbol) -> Option<Symbol> {
        let mut ids = (0..).map(NamespaceId).zip(&self.paths).skip(NamespaceId::C.0 as usize + 1);
        ids.find_map(|(id, path)| self.value_within(id, name).map(|_| *path))
    }

    // ------------------------------------------------------------ ordinary names

    pub fn value(&self, name: Symbol) -> Option<Entity> {
        self.values.find(name, (&self.order, &self.levels[0]), |_| true)
    }

    /// The typedef of that name: other names of inner namespaces do not hide it, as they do not for the parser.
    pub fn value_as_type(&self, name: Symbol) -> Option<Entity> {
        self.values
            .find(name, (&self.order, &self.levels[0]), |entity| matches!(entity, Entity::Typedef(_) | Entity::Error))
    }

    pub fn value_within(&self, namespace: NamespaceId, name: Symbol) -> Option<Entity> {
        self.values.within(namespace, name)
    }

    /// The meaning that the innermost scope itself gives a name, and where.
    pub fn value_here(&self, name: Symbol) -> Option<(Entity, Span)> {
        self.here(&self.values, name)
    }

    /// Where the innermost meaning of a name was declared, if that was in a function.
    pub(crate) fn local_span(&self, name: Symbol) -> Option<Span> {
        self.values.locals.get(&name).map(|entry| entry.span)
    }

    pub fn declare_value(&mut self, name: Symbol, entity: Entity, span: Span) {
        let (level, target) = (self.level(), self.target);
        match level {
            0 => drop(self.values.namespaces[target.0 as usize].insert(name, Entry { value: entity, level, span })),
            _ => self.values.declare(name, entity, level, span),
        }
    }

    /// Makes a name of C known as `C::name`.
    pub fn declare_c_value(&mut self, name: Symbol, entity: Entity, span: Span) {
        let outer = self.declare_in(NamespaceId::C);
        if self.level() == 0 {
            self.declare_value(name, entity, span);
        }
        self.declare_in(outer);
    }

    /// Makes a name of the top level undeclared, if it means `entity`.
    pub(crate) fn forget_value(&mut self, name: Symbol, entity: Entity) {
        for namespace in [self.target, NamespaceId::C] {
            if self.value_within(namespace, name) == Some(entity) {
                self.values.namespaces[namespace.0 as usize].remove(&name);
            }
        }
    }

    // ------------------------------------------------------------ tags and datatypes

    fn here<V: Copy>(&self, space: &Space<V>, name: Symbol) -> Option<(V, Span)> {
        let entry = match self.level() {
            0 => space.namespaces[self.target.0 as usize].get(&name)?,
            level => space.locals.get(&name).filter(|e| e.level == level)?,
        };
        Some((entry.value, entry.span))
    }

    pub fn tag(&self, name: Symbol) -> Option<Tag> {
        self.tags.find(name, (&self.order, &self.levels[0]), |_| true)
    }

    pub fn tag_within(&self, namespace: NamespaceId, name: Symbol) -> Option<Tag> {
        self.tags.within(namespace, name)
    }

    pub fn tag_here(&self, name: Symbol) -> Option<(Tag, Span)> {
        self.here(&self.tags, name)
    }

    pub fn declare_tag(&mut self, name: Symbol, tag: Tag, span: Span) {
        let (level, target) = (self.level(), self.target);
        match level {
            0 => drop(self.tags.namespaces[target.0 as usize].insert(name, Entry { value: tag, level, span })),
            _ => self.tags.declare(name, tag, level, span),
        }
    }

    /// Makes a tag of C known as `C::name`.
    pub fn declare_c_tag(&mut self, name: Symbol, tag: Tag, span: Span) {
        let outer = self.declare_in(NamespaceId::C);
        if self.level() == 0 {
            self.declare_tag(name, tag, span);
        }
        self.declare_in(outer);
    }

    pub fn datatype(&self, name: Symbol) -> Option<DatatypeId> {
        self.datatypes.find(name, (&self.order, &self.levels[0]), |_| true)
    }

    pub fn datatype_within(&self, namespace: NamespaceId, name: Symbol) -> Option<DatatypeId> {
        self.datatypes.within(namespace, name)
    }

    pub fn declare_datatype(&mut self, name: Symbol, id: DatatypeId, span: Span) {
        let (level, target) = (self.level(), self.target);
        match level {
            0 => drop(self.datatypes.namespaces[target.0 as usize].insert(name, Entry { value: id, level, span })),
            _ => self.datatypes.declare(name, id, level, span),
        }
    }

    /// The type variable of that name in the function being checked: an index of its parameters.
    pub fn tyvar(&self, name: Symbol) -> Option<u32> {
        self.tyvars.iter().rfind(|(known, _)| *known == name).map(|(_, index)| *index)
    }

    /// The type variables of the innermost block.
    pub fn tyvars_here(&self) -> Vec<(Symbol, u32)> {
        let first = self.marks.last().map_or(0, |logs| logs[3]);
        self.tyvars[first..].to_vec()
    }

    pub fn declare_tyvar(&mut self, name: Symbol, index: u32) {
        self.tyvars.push((name, index));
    }

    pub fn typedef(&self, id: TypedefId) -> &Typedef {
        &self.typedefs[id.0 as usize]
    }

    /// Visible tags, for "did you mean".
    pub fn visible_tags(&self) -> impl Iterator<Item = Symbol> + '_ {
        self.tags.visible(&self.order)
    }

    /// Visible ordinary names, for "did you mean".
    pub fn visible(&self) -> impl Iterator<Item = Symbol> + '_ {
        self.values.visible(&self.order)
    }
}

/// `outer::name`, or `name` in the root.
pub(crate) fn join(outer: Symbol, name: Symbol) -> Symbol {
    match outer.as_str() {
        "" => name,
        outer => Symbol::new(&format!("{outer}::{name}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inner_names_hide_outer_ones_until_the_block_ends() {
        let mut names = Names::default();
        let x = Symbol::new("x");
        names.declare_value(x, Entity::Error, Span::NONE);
        names.push();
        assert!(names.value_here(x).is_none());
        names.declare_value(x, Entity::Local(LocalId(2)), Span::NONE);
        assert_eq!(names.value(x), Some(Entity::Local(LocalId(2))));
        names.pop();
        assert_eq!(names.value(x), Some(Entity::Error));
        assert!(names.value_here(x).is_some());
    }

    #[test]
    fn own_names_come_before_those_of_usings_and_inner_namespaces_before_outer_ones() {
        let mut names = Names::default();
        let (x, a, b, c) = (Symbol::new("x"), Symbol::new("A"), Symbol::new("B"), Symbol::new("C1"));
        let declare = |names: &mut Names, path: &[Symbol], n: u32| {
            path.iter().for_each(|part| names.enter_namespace(*part));
            names.declare_value(x, Entity::Local(LocalId(n)), Span::NONE);
            path.iter().for_each(|_| names.leave_namespace());
        };
        declare(&mut names, &[a], 1);
        declare(&mut names, &[b], 2);
        declare(&mut names, &[a, c], 3);
        let of = |names: &Names, parts: &[Symbol]| names.namespace(Root::Relative, parts).unwrap();
        let meaning = |names: &Names| names.value(x);
        assert_eq!(meaning(&names), None);
        // The latest `using` of a level wins, and own names win over both.
        names.enter_using(of(&names, &[a]), Span::NONE);
        names.enter_using(of(&names, &[b]), Span::NONE);
        assert_eq!(meaning(&names), Some(Entity::Local(LocalId(2))));
        names.leave_using();
        assert_eq!(meaning(&names), Some(Entity::Local(LocalId(1))));
        // `C1` is found in `A` through the `using`.
        assert_eq!(names.value_within(of(&names, &[c]), x), Some(Entity::Local(LocalId(3))));
        declare(&mut names, &[], 4);
        assert_eq!(meaning(&names), Some(Entity::Local(LocalId(4))));
        names.enter_namespace(b);
        names.enter_using(of(&names, &[a, c]), Span::NONE);
        assert_eq!(meaning(&names), Some(Entity::Local(LocalId(2))));
        names.leave_using();
        names.leave_namespace();
        assert_eq!(names.qualified(x), x);
    }
}
