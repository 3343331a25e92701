//! The control-flow graph as a graph: orders, dominators, natural loops. The handler of a `try` is a successor of the
//! block that enters its body.

use crate::mir::{BlockId, Body, Const, Operand, Terminator};
use smallvec::{SmallVec, smallvec};

/// No block.
pub const NONE: u32 = u32::MAX;

/// Edges of all blocks in one list: those of block `b` are `edges[first[b]..first[b + 1]]`.
pub struct Edges {
    first: Vec<u32>,
    edges: Vec<u32>,
}

impl Edges {
    pub fn of(&self, block: u32) -> &[u32] {
        &self.edges[self.first[block as usize] as usize..self.first[block as usize + 1] as usize]
    }

    /// The edges turned round; parallel ones count once, edges from blocks outside of `sources` not at all.
    fn reversed(&self, sources: &[u32]) -> Edges {
        let n = self.first.len() - 1;
        let mut first = vec![0u32; n + 1];
        for (i, block) in sources.iter().enumerate() {
            debug_assert!(i == 0 || *block != sources[i - 1]);
            self.of(*block).iter().for_each(|to| first[*to as usize + 1] += 1);
        }
        for i in 0..n {
            first[i + 1] += first[i];
        }
        let mut filled = first.clone();
        let mut edges = vec![NONE; first[n] as usize];
        for block in sources {
            for to in self.of(*block) {
                let start = first[*to as usize];
                let end = &mut filled[*to as usize];
                if !edges[start as usize..*end as usize].contains(block) {
                    edges[*end as usize] = *block;
                    *end += 1;
                }
            }
        }
        // Close the gaps that parallel edges left.
        let mut packed = vec![];
        let mut starts = Vec::with_capacity(n + 1);
        for i in 0..n {
            starts.push(packed.len() as u32);
            packed.extend(&edges[first[i] as usize..filled[i] as usize]);
        }
        starts.push(packed.len() as u32);
        Edges { first: starts, edges: packed }
    }
}

pub struct Graph {
    pub succs: Edges,
    pub preds: Edges,
    /// Blocks in reverse postorder.
    pub order: Vec<u32>,
    /// Position in `order`.
    pub number: Vec<u32>,
}

impl Graph {
    pub fn new(body: &Body) -> Graph {
        let n = body.blocks.len();
        let mut succs = Edges { first: Vec::with_capacity(n + 1), edges: Vec::with_capacity(2 * n) };
        for block in &body.blocks {
            succs.first.push(succs.edges.len() as u32);
            if let Terminator::Try { handler, .. } = block.term {
                succs.edges.push(body.handlers[handler.0 as usize].catch.0);
            }
            block.term.for_each_successor(|to| succs.edges.push(to.0));
        }
        succs.first.push(succs.edges.len() as u32);
        let mut number = vec![NONE; n];
        let mut order = Vec::with_capacity(n);
        // Depth first, successors visited last first, so that text order follows the source.
        let mut stack = vec![(0u32, succs.of(0).len())];
        let mut seen = vec![false; n];
        seen[0] = true;
        while let Some((block, left)) = stack.last_mut() {
            if *left == 0 {
                order.push(*block);
                stack.pop();
                continue;
            }
            *left -= 1;
            let next = succs.of(*block)[*left];
            if !std::mem::replace(&mut seen[next as usize], true) {
                stack.push((next, succs.of(next).len()));
            }
        }
        order.reverse();
        for (i, block) in order.iter().enumerate() {
            number[*block as usize] = i as u32;
        }
        let preds = succs.reversed(&order);
        Graph { succs, preds, order, number }
    }

    /// Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm".
    pub fn dominators(&self) -> Dominators {
        let mut idom = vec![NONE; self.number.len()];
        idom[0] = 0;
        let mut changed = true;
        while changed {
            changed = false;
            for &block in &self.order[1..] {
                let mut new = NONE;
                for &pred in self.preds.of(block) {
                    if idom[pred as usize] == NONE {
                        continue;
                    }
                    new = if new == NONE { pred } else { self.meet(&idom, pred, new) };
                }
                if idom[block as usize] != new {
                    idom[block as usize] = new;
                    changed = true;
                }
            }
        }
        let times = tree_times(self, &idom);
        Dominators { parent: idom, times }
    }

    fn meet(&self, idom: &[u32], mut a: u32, mut b: u32) -> u32 {
        while a != b {
            while self.number[a as usize] > self.number[b as usize] {
                a = idom[a as usize];
            }
            while self.number[b as usize] > self.number[a as usize] {
                b = idom[b as usize];
            }
        }
        a
    }
}

/// Natural loops: the innermost header of each block, and the header around each header.
pub struct Loops {
    pub of: Vec<u32>,
    pub around: Vec<u32>,
}

impl Loops {
    pub fn new(graph: &Graph, dominators: &Dominators) -> Loops {
        let dominates = |a: u32, b: u32| dominators.dominates(a, b);
        let n = graph.number.len();
        let mut loops = Loops { of: vec![NONE; n], around: vec![NONE; n] };
        // Inner headers stand later in the order.
        for &header in graph.order.iter().rev() {
            let mut work: Vec<u32> =
                graph.preds.of(header).iter().copied().filter(|latch| dominates(header, *latch)).collect();
            if work.is_empty() {
                continue;
            }
            while let Some(block) = work.pop() {
                let mut outermost = loops.of[block as usize];
                if outermost == NONE {
                    if block == header {
                        continue;
                    }
                    loops.of[block as usize] = header;
                    work.extend(graph.preds.of(block));
                    continue;
                }
                while loops.around[outermost as usize] != NONE {
                    outermost = loops.around[outermost as usize];
                }
                if outermost != header {
                    loops.around[outermost as usize] = header;
                    work.extend(graph.preds.of(outermost).iter().filter(|p| !dominates(outermost, **p)));
                }
            }
            loops.of[header as usize] = header;
        }
        loops
    }

    pub fn contains(&self, header: u32, block: u32) -> bool {
        let mut at = self.of[block as usize];
        while at != NONE {
            if at == header {
                return true;
            }
            at = self.around[at as usize];
        }
        false
    }
}

/// The dominator tree. Blocks that cannot be reached have the parent [`NONE`].
pub struct Dominators {
    pub parent: Vec<u32>,
    times: Vec<(u32, u32)>,
}

impl Dominators {
    /// Do all paths to `b` lead through `a`? (Both can be reached.)
    pub fn dominates(&self, a: u32, b: u32) -> bool {
        let (a, b) = (self.times[a as usize], self.times[b as usize]);
        a.0 <= b.0 && b.1 <= a.1
    }
}

/// Entry and exit times of the dominator tree's nodes: one dominates another if it encloses it.
fn tree_times(graph: &Graph, idom: &[u32]) -> Vec<(u32, u32)> {
    // A tree's children are the reverse of its parents; the root is its own parent.
    let parents = Edges { first: (0..=idom.len() as u32).collect(), edges: idom.to_vec() };
    let children = parents.reversed(&graph.order[1..]);
    let mut times = vec![(0, 0); idom.len()];
    let mut clock = 0;
    let mut stack = vec![(0u32, 0)];
    while let Some((block, next)) = stack.last_mut() {
        if *next == 0 {
            times[*block as usize].0 = clock;
            clock += 1;
        }
        match children.of(*block).get(*next) {
            Some(child) => {
                *next += 1;
                stack.push((*child, 0));
            }
            None => {
                times[*block as usize].1 = clock;
                clock += 1;
                stack.pop();
            }
        }
    }
    times
}

/// Where control may go at the end of a block, in a fixed order. A branch on a constant has one
/// successor (core, section 9.5). A handler is entered from where an exception may be raised (9.7), not from its `try`.
pub fn successors(term: &Terminator) -> SmallVec<[BlockId; 2]> {
    match term {
        Terminator::Goto(to) | Terminator::Try { body: to, .. } => smallvec![*to],
        Terminator::If { cond: Operand::Const(Const::Int(value, _)), then, otherwise } => {
            smallvec![if *value != 0 { *then } else { *otherwise }]
        }
        Terminator::If { then, otherwise, .. } => smallvec![*then, *otherwise],
        Terminator::Switch { on: Operand::Const(Const::Int(value, _)), cases, default } => {
            smallvec![cases.iter().find(|(case, _)| case == value).map_or(*default, |(_, to)| *to)]
        }
        Terminator::Switch { cases, default, .. } => cases.iter().map(|(_, to)| *to).chain([*default]).collect(),
        Terminator::Throw(_)
        | Terminator::Rethrow(_)
        | Terminator::Return(_)
        | Terminator::MissingReturn
        | Terminator::Unreachable => smallvec![],
    }
}

/// As [`successors`], the handler of a `try` included.
pub fn reached(body: &Body, term: &Terminator) -> SmallVec<[BlockId; 2]> {
    let mut reached = successors(term);
    if let Terminator::Try { handler, .. } = term {
        reached.push(body.handlers[handler.0 as usize].catch);
    }
    reached
}

/// Each block's place in reverse postorder: predecessors first, loops apart.
pub fn reverse_postorder(body: &Body) -> Vec<u32> {
    let mut rank = vec![u32::MAX; body.blocks.len()];
    let mut visited = vec![false; body.blocks.len()];
    let mut next = body.blocks.len() as u32;
    let mut path = vec![(0usize, reached(body, &body.blocks[0].term), 0usize)];
    visited[0] = true;
    while let Some((at, below, i)) = path.last_mut() {
        match below.get(*i) {
            Some(to) => {
                *i += 1;
                let to = to.0 as usize;
                if !std::mem::replace(&mut visited[to], true) {
                    path.push((to, reached(body, &body.blocks[to].term), 0));
                }
            }
            None => {
                next -= 1;
                rank[*at] = next;
                path.pop();
            }
        }
    }
    rank
}
