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

/// Successors with the handler of a `try`.
pub(crate) fn successors(body: &Body, term: &Terminator) -> Vec<BlockId> {
    match term {
        Terminator::Try { handler, body: inside } => vec![body.handlers[handler.0 as usize].catch, *inside],
        term => term.successors(),
    }
}

struct Graph {
    succs: Vec<Vec<u32>>,
    preds: Vec<Vec<u32>>,
    /// Blocks in reverse postorder.
    order: Vec<u32>,
    /// Position in `order`.
    number: Vec<u32>,
}

impl Graph {
    fn new(body: &Body) -> Graph {
        let n = body.blocks.len();
        let succs: Vec<Vec<u32>> =
            body.blocks.iter().map(|b| successors(body, &b.term).into_iter().map(|s| s.0).collect()).collect();
        let mut preds = vec![vec![]; n];
        let mut number = vec![NONE; n];
        let mut order = vec![];
        // Depth first, successors visited last first, so that text order follows the source.
        let mut stack = vec![(0u32, succs[0].len())];
        let mut seen = vec![false; n];
        seen[0] = true;
        while let Some((block, left)) = stack.last_mut() {
            if *left == 0 {
                order.push(*block);
                stack.pop();
                continue;
            }
            *left -= 1;
            let next = succs[*block as usize][*left];
            if !std::mem::replace(&mut seen[next as usize], true) {
                stack.push((next, succs[next as usize].len()));
            }
        }
        order.reverse();
        for (i, block) in order.iter().enumerate() {
            number[*block as usize] = i as u32;
        }
        for &block in &order {
            for &next in &succs[block as usize] {
                if !preds[next as usize].contains(&block) {
                    preds[next as usize].push(block);
                }
            }
        }
        Graph { succs, preds, order, number }
    }

    /// Immediate dominators (Cooper, Harvey, Kennedy).
    fn dominators(&self) -> Vec<u32> {
        let mut idom = vec![NONE; self.succs.len()];
        idom[0] = 0;
        let mut changed = true;
        while changed {
            changed = false;
            for &block in &self.order[1..] {
                let mut new = NONE;
                for &pred in &self.preds[block as usize] {
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
        let n = graph.succs.len();
        let mut loops = Loops { of: vec![NONE; n], around: vec![NONE; n] };
        // Inner headers stand later in the order.
        for &header in graph.order.iter().rev() {
            let mut work: Vec<u32> =
                graph.preds[header as usize].iter().copied().filter(|latch| dominates(header, *latch)).collect();
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
                    work.extend(&graph.preds[block as usize]);
                    continue;
                }
                while loops.around[outermost as usize] != NONE {
                    outermost = loops.around[outermost as usize];
                }
                if outermost != header {
                    loops.around[outermost as usize] = header;
                    work.extend(graph.preds[outermost as usize].iter().filter(|p| !dominates(outermost, **p)));
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
    let mut children = vec![vec![]; idom.len()];
    for &block in &graph.order[1..] {
        children[idom[block as usize] as usize].push(block);
    }
    let mut times = vec![(0, 0); idom.len()];
    let mut clock = 0;
    let mut stack = vec![(0u32, 0)];
    while let Some((block, next)) = stack.last_mut() {
        if *next == 0 {
            times[*block as usize].0 = clock;
            clock += 1;
        }
        match children[*block as usize].get(*next) {
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
            let entries = graph.preds[block as usize].iter().filter(|pred| !dominates(block, **pred)).count();
            // What leaves a loop from its test stands after it; a single exit from elsewhere stays where it is.
            let tests = |parent: u32| parent == left || graph.succs[parent as usize].contains(&left);
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
