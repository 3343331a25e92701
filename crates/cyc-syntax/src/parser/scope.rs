//! Typedef feedback: which identifiers are type names here (sections 1.2, 2 and 12.2).
//!
//! Names are the numbers of the lexer's table, so that asking is one array access. A scope keeps
//! an undo log. At file level a visible typedef wins over an ordinary identifier of any namespace;
//! in function scopes an ordinary declaration hides it, as in C.

use cyc_base::Symbol;
use rustc_hash::{FxHashMap, FxHashSet};

/// The full path of a namespace, components joined by `::`; the root is empty.
type Path = String;

pub(super) struct Scopes {
    /// By name: is it a type name at this point?
    typedefs: Vec<bool>,
    /// Former values, to be restored at the end of the scopes in `marks`.
    undo: Vec<(u32, bool)>,
    marks: Vec<usize>,
    /// Typedefs declared in each namespace.
    namespaces: FxHashMap<Path, FxHashSet<u32>>,
    /// The open namespaces, the root first, each with the `using`s directly within it.
    levels: Vec<(Path, Vec<Path>)>,
    local_depth: u32,
    /// Names already reported as unknown types.
    unknown: FxHashSet<u32>,
}

impl Scopes {
    pub fn new(names: usize) -> Scopes {
        let mut namespaces = FxHashMap::default();
        namespaces.insert(Path::new(), FxHashSet::default());
        Scopes {
            typedefs: vec![false; names],
            undo: vec![],
            marks: vec![],
            namespaces,
            levels: vec![(Path::new(), vec![])],
            local_depth: 0,
            unknown: FxHashSet::default(),
        }
    }

    pub fn is_typedef(&self, name: u32) -> bool {
        self.typedefs[name as usize]
    }

    pub fn is_unknown_type(&self, name: u32) -> bool {
        !self.unknown.is_empty() && self.unknown.contains(&name)
    }

    /// True the first time.
    pub fn note_unknown_type(&mut self, name: u32) -> bool {
        self.unknown.insert(name)
    }

    /// Is `A::B::t` a typedef? `name` is the number of the last part.
    pub fn is_qualified_typedef(&self, parts: &[Symbol], name: u32) -> bool {
        let path: Vec<&str> = parts[..parts.len() - 1].iter().map(|s| s.as_str()).collect();
        match path.as_slice() {
            ["C"] => self.typedefs[name as usize] || self.namespaces.values().any(|t| t.contains(&name)),
            path => self.find(path).and_then(|path| self.namespaces.get(&path)).is_some_and(|t| t.contains(&name)),
        }
    }

    /// The namespace that a path means: its first part is searched from the inside out, in each open namespace and
    /// then in its `using`s, the latest first; after `Cyc` in the root.
    fn find(&self, path: &[&str]) -> Option<Path> {
        let known = |path: &Path| self.namespaces.contains_key(path);
        let (outer, rest) = match path {
            ["Cyc", rest @ ..] => ("", rest),
            [first, ..] => {
                let order =
                    self.levels.iter().rev().flat_map(|(own, usings)| [own].into_iter().chain(usings.iter().rev()));
                (order.into_iter().find(|outer| known(&join(outer, first)))?.as_str(), path)
            }
            [] => ("", path),
        };
        let path = join(outer, &rest.join("::"));
        known(&path).then_some(path)
    }

    fn set(&mut self, name: u32, value: bool) {
        let slot = &mut self.typedefs[name as usize];
        if *slot != value {
            self.undo.push((name, *slot));
            *slot = value;
        }
    }

    pub fn declare_typedef(&mut self, name: u32) {
        self.set(name, true);
        if self.local_depth == 0 {
            let path = self.levels.last().map(|(own, _)| own.clone()).unwrap_or_default();
            self.namespaces.entry(path).or_default().insert(name);
        }
    }

    /// A variable, function, parameter or enumeration constant is declared.
    pub fn declare_ordinary(&mut self, name: u32) {
        if self.local_depth > 0 {
            self.set(name, false);
        }
    }

    /// A function, block or prototype scope.
    pub fn enter_local(&mut self) {
        self.marks.push(self.undo.len());
        self.local_depth += 1;
    }

    pub fn leave_local(&mut self) {
        self.local_depth = self.local_depth.saturating_sub(1);
        self.restore();
    }

    fn restore(&mut self) {
        let mark = self.marks.pop().unwrap_or(0);
        for (name, value) in self.undo.drain(mark..).rev() {
            self.typedefs[name as usize] = value;
        }
    }

    /// `namespace N {`
    pub fn enter_namespace(&mut self, name: Symbol) {
        let path = join(self.levels.last().map_or("", |(own, _)| own), name.as_str());
        self.namespaces.entry(path.clone()).or_default();
        self.marks.push(self.undo.len());
        self.show(&path);
        self.levels.push((path, vec![]));
    }

    /// What it, or a namespace in it, has come to hold is seen by a `using` around.
    pub fn leave_namespace(&mut self) {
        let closed = self.levels.pop();
        self.restore();
        let Some((path, _)) = closed else { return };
        let within =
            |used: &&Path| used.strip_prefix(&path).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"));
        let used: Vec<Path> = self.levels.iter().flat_map(|(_, usings)| usings).filter(within).cloned().collect();
        used.iter().for_each(|path| self.show(path));
    }

    /// `using A::B {`
    pub fn enter_using(&mut self, name: &crate::ast::Name) {
        let root = (name.root == crate::ast::Root::Cyclone).then_some("Cyc");
        let parts: Vec<&str> =
            root.into_iter().chain(name.path.iter().chain([&name.name]).map(|s| s.as_str())).collect();
        let found = self.find(&parts).unwrap_or_else(|| parts.join("::"));
        self.marks.push(self.undo.len());
        self.show(&found);
        if let Some((_, usings)) = self.levels.last_mut() {
            usings.push(found);
        }
    }

    pub fn leave_using(&mut self) {
        if let Some((_, usings)) = self.levels.last_mut() {
            usings.pop();
        }
        self.restore();
    }

    /// Makes the names of a namespace visible.
    fn show(&mut self, path: &str) {
        let names: Vec<u32> = self.namespaces.get(path).into_iter().flatten().copied().collect();
        for name in names {
            self.set(name, true);
        }
    }
}

fn join(outer: &str, inner: &str) -> Path {
    match (outer, inner) {
        ("", inner) => inner.to_string(),
        (outer, "") => outer.to_string(),
        (outer, inner) => format!("{outer}::{inner}"),
    }
}
