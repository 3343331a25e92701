//! Where locals are live: read later, or written in part, before they are written as a whole.
//!
//! Each local is followed by itself, backwards from the blocks that read it before they write it. So the cost is the sum of
//! the lengths of their lives, in blocks, and not the number of locals times that of blocks. What a handler reads is live
//! throughout its `try`. Uses through pointers are not seen: who asks about a local whose address is taken has to think
//! of them.
//!
//! Analyses ask where they carry much along, so that most functions need none of this.

use crate::graph::{reverse_postorder, successors};
use crate::mir::*;
use crate::visit;

/// A mention of a local; an instruction that reads and then writes one has two.
#[derive(Clone, Copy)]
struct Mention {
    block: u32,
    /// The instruction; [`AT_END`]: the terminator.
    index: u32,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Use,
    /// A part of it is written, which keeps the rest.
    Part,
    /// It is written as a whole, or its life begins or ends.
    Define,
}

/// The place of a terminator among the instructions of its block.
pub const AT_END: u32 = u32::MAX;

/// What asks about a local.
#[derive(Clone, Copy, PartialEq)]
pub enum Asking {
    Uses,
    /// The end of its life too, and that of a loan of a place in it.
    UsesAndEnds,
}

pub struct Live {
    /// The mentions of local `i`, in order, are `mentions[starts[i]..starts[i + 1]]`.
    mentions: Vec<Mention>,
    starts: Vec<u32>,
    /// What is live where a block begins, in order.
    entries: Vec<Vec<Local>>,
    /// What is live where it ends, in order.
    exits: Vec<Vec<Local>>,
    /// The handler's block of each.
    catches: Vec<Option<BlockId>>,
}

impl Live {
    /// Follows the locals for which `of` holds.
    pub fn new(body: &Body, asking: Asking, of: impl Fn(Local) -> bool) -> Live {
        let (mut mentions, starts) = mentions(body, asking, of);
        begin_lives(body, &mut mentions, &starts);
        let blocks = body.blocks.len();
        let catch = |handler: HandlerId| body.handlers[handler.0 as usize].catch;
        let catches = body.blocks.iter().map(|block| block.handler.map(catch)).collect();
        let mut live = Live { mentions, starts, entries: vec![vec![]; blocks], exits: vec![vec![]; blocks], catches };
        let before = Before::new(body);
        let mut walk = Walk {
            defined: vec![NONE; blocks],
            entered: vec![NONE; blocks],
            left: vec![NONE; blocks],
            waiting: vec![],
        };
        for i in 0..body.locals.len() {
            let local = Local(i as u32);
            walk.begin(local, live.of(local));
            while let Some(at) = walk.waiting.pop() {
                live.entries[at as usize].push(local);
                for &(from, thrown) in before.of(at) {
                    let from_index = from as usize;
                    if std::mem::replace(&mut walk.left[from_index], i as u32) != i as u32 {
                        live.exits[from_index].push(local);
                    }
                    if thrown || walk.defined[from_index] != i as u32 {
                        walk.enter(local, from);
                    }
                }
            }
        }
        live
    }

    fn of(&self, local: Local) -> &[Mention] {
        let i = local.0 as usize;
        &self.mentions[self.starts[i] as usize..self.starts[i + 1] as usize]
    }

    /// Is the local live where the block begins?
    pub fn at_entry(&self, block: BlockId, local: Local) -> bool {
        self.entries[block.0 as usize].binary_search(&local).is_ok()
    }

    /// Is it live where control leaves the block?
    fn at_exit(&self, block: BlockId, local: Local) -> bool {
        self.exits[block.0 as usize].binary_search(&local).is_ok()
    }

    /// Is it live throughout the block, since its handler reads it?
    fn throughout(&self, block: BlockId, local: Local) -> bool {
        self.catches[block.0 as usize].is_some_and(|catch| self.at_entry(catch, local))
    }

    /// The instruction of the block that uses last what the local holds after instruction `index`, [`AT_END`] if it is
    /// the terminator or one of another block; None if nothing does. (For the beginning of the block, `at_entry` says
    /// whether there is one, and `last_use_from(block, 0, local)` which.)
    pub fn last_use_after(&self, block: BlockId, index: u32, local: Local) -> Option<u32> {
        index.checked_add(1).and_then(|from| self.last_use_from(block, from, local))
    }

    /// As `last_use_after`, instruction `from` included.
    pub fn last_use_from(&self, block: BlockId, from: u32, local: Local) -> Option<u32> {
        if self.throughout(block, local) {
            return Some(AT_END);
        }
        let mentions = self.of(local);
        let next = mentions.partition_point(|mention| (mention.block, mention.index) < (block.0, from));
        let mut last = None;
        for mention in mentions[next..].iter().take_while(|mention| mention.block == block.0) {
            if mention.kind == Kind::Define {
                return last;
            }
            last = Some(mention.index);
        }
        if self.at_exit(block, local) { Some(AT_END) } else { last }
    }

    /// The uses of the local in the block from instruction `from` to `to`.
    pub fn uses(&self, block: BlockId, from: u32, to: u32, local: Local) -> impl Iterator<Item = u32> {
        let mentions = self.of(local);
        let next = mentions.partition_point(|mention| (mention.block, mention.index) < (block.0, from));
        let within = move |mention: &&Mention| mention.block == block.0 && mention.index <= to;
        mentions[next..]
            .iter()
            .take_while(within)
            .filter(|mention| mention.kind != Kind::Define)
            .map(|mention| mention.index)
    }
}

const NONE: u32 = u32::MAX;

/// The way of one local through the blocks: for each the last local for which it was marked.
struct Walk {
    /// It is written as a whole there.
    defined: Vec<u32>,
    entered: Vec<u32>,
    left: Vec<u32>,
    waiting: Vec<u32>,
}

impl Walk {
    /// Begins with the blocks that read the local before they write it.
    fn begin(&mut self, local: Local, mentions: &[Mention]) {
        let mut last = NONE;
        for mention in mentions {
            let first = mention.block != std::mem::replace(&mut last, mention.block);
            match mention.kind {
                Kind::Define => self.defined[mention.block as usize] = local.0,
                Kind::Use | Kind::Part if first => self.enter(local, mention.block),
                Kind::Use | Kind::Part => {}
            }
        }
    }

    fn enter(&mut self, local: Local, block: u32) {
        if std::mem::replace(&mut self.entered[block as usize], local.0) != local.0 {
            self.waiting.push(block);
        }
    }
}

/// From where control comes to each block; `true`: by an exception, from anywhere in the block.
struct Before {
    edges: Vec<(u32, bool)>,
    starts: Vec<u32>,
}

impl Before {
    fn new(body: &Body) -> Before {
        let mut all: Vec<(u32, u32, bool)> = vec![];
        for (at, block) in body.blocks.iter().enumerate() {
            all.extend(successors(&block.term).into_iter().map(|to| (to.0, at as u32, false)));
            all.extend(block.handler.map(|handler| (body.handlers[handler.0 as usize].catch.0, at as u32, true)));
        }
        let (sorted, starts) = sort_by_key(&all, body.blocks.len(), |edge| edge.0);
        Before { edges: sorted.into_iter().map(|(_, from, thrown)| (from, thrown)).collect(), starts }
    }

    fn of(&self, block: u32) -> &[(u32, bool)] {
        &self.edges[self.starts[block as usize] as usize..self.starts[block as usize + 1] as usize]
    }
}

/// The mentions of each local, as in [`Live`].
fn mentions(body: &Body, asking: Asking, of: impl Fn(Local) -> bool) -> (Vec<Mention>, Vec<u32>) {
    let mut all: Vec<(Local, Mention)> = vec![];
    for (at, block) in body.blocks.iter().enumerate() {
        let mention = |index: u32, kind: Kind| Mention { block: at as u32, index, kind };
        for (index, stmt) in block.stmts.iter().enumerate() {
            let (first, index) = (all.len(), index as u32);
            let mut used = |local: Local| {
                if of(local) {
                    all.push((local, mention(index, Kind::Use)));
                }
            };
            visit::each_local_of(&mut stmt.kind.clone(), &mut |local| used(*local));
            match &stmt.kind {
                StmtKind::EndLoan(loan) if asking == Asking::UsesAndEnds => {
                    let loan = &body.loans[loan.0 as usize];
                    visit::each_local_of_place(&mut loan.place.clone(), &mut |local| used(*local));
                    if let LoanKind::Pattern(local) = loan.kind {
                        used(local);
                    }
                }
                StmtKind::Dead(local) if asking == Asking::UsesAndEnds => used(*local),
                _ => {}
            }
            if let Some((written, kind)) = written(&stmt.kind).filter(|(local, _)| of(*local)) {
                // One of its mentions is not a read.
                let at = all[first..].iter().rposition(|(local, _)| *local == written);
                all.remove(first + at.expect("it is mentioned"));
                all.push((written, mention(index, kind)));
            }
        }
        visit::each_local_of_terminator(&mut block.term.clone(), &mut |local| {
            if of(*local) {
                all.push((*local, mention(AT_END, Kind::Use)));
            }
        });
    }
    let (sorted, starts) = sort_by_key(&all, body.locals.len(), |(local, _)| local.0);
    (sorted.into_iter().map(|(_, mention)| mention).collect(), starts)
}

/// A variable that is initialised part by part has no value before: what comes first of all its mentions, in an order in
/// which predecessors come first, begins its life. (A value that comes back there by a loop is of no use: a path to where it is
/// read without another write would also be there the first time, and reading what was not written is an error.)
fn begin_lives(body: &Body, mentions: &mut [Mention], starts: &[u32]) {
    if !mentions.iter().any(|mention| mention.kind == Kind::Part) {
        return;
    }
    let rank = reverse_postorder(body);
    for i in body.params as usize..body.locals.len() {
        let of = &mut mentions[starts[i] as usize..starts[i + 1] as usize];
        let first = of.iter_mut().min_by_key(|mention| (rank[mention.block as usize], mention.index));
        if let Some(first) = first.filter(|first| first.kind == Kind::Part) {
            first.kind = Kind::Define;
        }
    }
}

/// The local that an instruction writes, or whose life it begins or ends.
fn written(kind: &StmtKind) -> Option<(Local, Kind)> {
    match kind {
        StmtKind::Assign(place, _) | StmtKind::Call { dst: Some(place), .. } | StmtKind::SetTag(place, _) => to(place),
        StmtKind::Alloc(alloc) => to(&alloc.dst),
        StmtKind::Uninit(local)
        | StmtKind::Dead(local)
        | StmtKind::PushRegion { handle: local, .. }
        | StmtKind::OpenKey { handle: local, .. } => Some((*local, Kind::Define)),
        _ => None,
    }
}

/// What a write to the place is for its local.
fn to(place: &Place) -> Option<(Local, Kind)> {
    let kind = if place.proj.is_empty() { Kind::Define } else { Kind::Part };
    place.within_local().map(|local| (local, kind))
}

/// Sorts by keys below `keys`, stably; and where each key begins.
fn sort_by_key<T: Copy>(all: &[T], keys: usize, key: impl Fn(&T) -> u32) -> (Vec<T>, Vec<u32>) {
    let mut starts = vec![0u32; keys + 1];
    all.iter().for_each(|one| starts[key(one) as usize + 1] += 1);
    (0..keys).for_each(|i| starts[i + 1] += starts[i]);
    let (mut next, mut sorted) = (starts.clone(), all.to_vec());
    for one in all {
        let slot = &mut next[key(one) as usize];
        sorted[*slot as usize] = *one;
        *slot += 1;
    }
    (sorted, starts)
}
