//! The shape of a graph as nested text: which blocks stand inside which loop, which follow each other,
//! which are written at the one jump that reaches them. (After Ramsey, "Beyond Relooper", ICFP 2022;
//! `goto` takes what does not nest.)

use cyc_mir::{BlockId, Body, Terminator};

pub(crate) struct Structure {
    pub is_header: Vec<bool>,
    /// Only one block jumps here: written where it does.
    pub inline: Vec<bool>,
    /// Written after the block's own code; inside of the loop if the block is a header.
    pub followers: Vec<Vec<BlockId>>,
    /// Written after the loop that the block is the header of.
    pub after_loop: Vec<Vec<BlockId>>,
}

const NONE: u32 = u32::MAX;

/// Edges of all blocks in one list: those of block `b` are `edges[first[b]..first[b + 1]]`.
struct Edges {
    first: Vec<u32>,
    edges: Vec<u32>,
}

impl Edges {
    fn of(&self, block: u32) -> &[u32] {
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

struct Graph {
    succs: Edges,
    preds: Edges,
    /// Blocks in reverse postorder.
    order: Vec<u32>,
    /// Position in `order`.
    number: Vec<u32>,
}

impl Graph {
    fn new(body: &Body) -> Graph {
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

    /// Immediate dominators (Cooper, Harvey, Kennedy).
    fn dominators(&self) -> Vec<u32> {
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
        idom
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
struct Loops {
    of: Vec<u32>,
    around: Vec<u32>,
}

impl Loops {
    fn new(graph: &Graph, dominates: impl Fn(u32, u32) -> bool) -> Loops {
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

    fn contains(&self, header: u32, block: u32) -> bool {
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

impl Structure {
    pub fn new(body: &Body) -> Structure {
        if body.blocks.len() == 1 && body.blocks[0].term.successors().is_empty() {
            return Structure {
                is_header: vec![false],
                inline: vec![false],
                followers: vec![vec![]],
                after_loop: vec![vec![]],
            };
        }
        let graph = Graph::new(body);
        let idom = graph.dominators();
        let times = tree_times(&graph, &idom);
        let dominates = |a: u32, b: u32| {
            let (a, b) = (times[a as usize], times[b as usize]);
            a.0 <= b.0 && b.1 <= a.1
        };
        let loops = Loops::new(&graph, dominates);
        let n = body.blocks.len();
        let mut structure = Structure {
            is_header: (0..n as u32).map(|b| loops.of[b as usize] == b).collect(),
            inline: vec![false; n],
            followers: vec![vec![]; n],
            after_loop: vec![vec![]; n],
        };
        for &block in &graph.order[1..] {
            let parent = idom[block as usize];
            let mut left = NONE;
            let mut around = loops.of[parent as usize];
            while around != NONE && !loops.contains(around, block) {
                left = around;
                around = loops.around[around as usize];
            }
            let entries = graph.preds.of(block).iter().filter(|pred| !dominates(block, **pred)).count();
            // What leaves a loop from its test stands after it; a single exit from elsewhere stays where it is.
            let tests = |parent: u32| parent == left || graph.succs.of(parent).contains(&left);
            if left != NONE && (entries > 1 || tests(parent)) {
                structure.after_loop[left as usize].push(BlockId(block));
            } else if entries == 1 {
                structure.inline[block as usize] = true;
            } else {
                structure.followers[parent as usize].push(BlockId(block));
            }
        }
        structure
    }
}
