//! What the generator knows at a point of a function: the variables in scope, and whether they can be used.

/// What makes a region, and so what outlives it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    Heap,
    /// The caller's: a parameter of the function.
    Caller,
    Block,
    Lexical,
    Alias,
    /// That of what a call returns for a borrowed argument.
    Result,
    Dynamic,
}

/// Of a region: what it is called, and whether it is live.
#[derive(Clone)]
pub struct Region {
    /// `` `r ``; empty where it is inferred.
    pub name: String,
    pub live: bool,
    pub sort: Sort,
}

/// An index into [`State::regions`].
pub type RegionId = usize;

pub const HEAP: RegionId = 0;

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Int,
    /// `int *\U`, in a region.
    Unique(RegionId),
    /// ``struct Node *`U``
    Node,
    /// `int ?\RC`, in a region.
    Counted(RegionId),
    /// `union Tag`
    Tag,
    /// ``struct Box<int *`U>``
    Boxed,
    /// `int *`, into a region.
    Pointer(RegionId),
    /// A list of `struct Cell` in a region.
    Cells(RegionId),
    /// The handle of a region.
    Handle(RegionId),
    /// The unique key of a dynamic region, and one of its counted keys.
    Key(RegionId),
    CountedKey(RegionId),
    /// The right to make the region after this one.
    Generator(RegionId),
    /// `int ?@autoreleased`, whose count the region holds.
    Pooled(RegionId),
    /// ``struct Box<int *`U> *``, shared, in a region.
    Shelf(RegionId),
    /// ``datatype Shape *`H``
    Shape,
    /// ``int ?`U``
    Wide,
    /// `struct Hidden`
    Hidden,
}

impl Kind {
    /// The region that must be live where the variable is followed.
    pub fn region(self) -> RegionId {
        match self {
            Kind::Unique(r)
            | Kind::Counted(r)
            | Kind::Pointer(r)
            | Kind::Cells(r)
            | Kind::Handle(r)
            | Kind::Pooled(r)
            | Kind::Shelf(r) => r,
            _ => HEAP,
        }
    }

    /// The region that a key opens.
    pub fn opens(self) -> Option<RegionId> {
        match self {
            Kind::Key(r) | Kind::CountedKey(r) => Some(r),
            _ => None,
        }
    }
}

/// What has become of a variable's value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fate {
    Here,
    /// Borrowed: it comes back.
    Lent,
    /// Borrowed while a pointer is used that a call returned: it comes back after the last use.
    Used,
    Gone,
}

#[derive(Clone)]
pub struct Var {
    pub name: String,
    pub kind: Kind,
    pub fate: Fate,
    /// It must keep the value that it has: somebody else counts on that.
    pub fixed: bool,
}

#[derive(Clone)]
pub struct State {
    pub vars: Vec<Var>,
    pub regions: Vec<Region>,
    /// The first variable of each open block.
    pub blocks: Vec<usize>,
}

impl State {
    /// Only the heap.
    pub fn new() -> State {
        let heap = Region { name: "`H".into(), live: true, sort: Sort::Heap };
        State { vars: vec![], regions: vec![heap], blocks: vec![] }
    }

    /// Does a pointer into the region `a` serve as one into the region `b`, both live?
    pub fn outlives(&self, a: RegionId, b: RegionId) -> bool {
        let before = matches!(self.regions[a].sort, Sort::Caller | Sort::Lexical) && a < b;
        a == b || a == HEAP || before && self.regions[b].sort == Sort::Lexical
    }

    /// Is the variable declared in the block that the lexical region belongs to?
    pub fn in_block_of(&self, var: usize, region: RegionId) -> bool {
        let handle = self.vars.iter().position(|var| var.kind == Kind::Handle(region));
        handle.is_some_and(|handle| !self.blocks.iter().any(|first| (handle + 1..=var).contains(first)))
    }

    pub fn fates(&self) -> Vec<Fate> {
        self.vars.iter().map(|var| var.fate).collect()
    }

    /// Where two paths meet, what is gone on one of them is gone.
    pub fn join(&mut self, fates: &[Fate]) {
        for (var, fate) in self.vars.iter_mut().zip(fates) {
            var.fate = var.fate.max(*fate);
        }
    }

    pub fn set(&mut self, fates: &[Fate]) {
        self.vars.truncate(fates.len());
        self.vars.iter_mut().zip(fates).for_each(|(var, fate)| var.fate = *fate);
    }

    /// Variables that can be used and are as `fits` wants them.
    pub fn usable(&self, fits: impl Fn(&Var) -> bool) -> Vec<usize> {
        let usable = |var: &Var| var.fate == Fate::Here && self.regions[var.kind.region()].live;
        (0..self.vars.len()).filter(|i| usable(&self.vars[*i]) && fits(&self.vars[*i])).collect()
    }
}
