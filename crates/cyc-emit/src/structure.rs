//! The shape of a graph as nested text: which blocks stand inside which loop, which follow each other,
//! which are written at the one jump that reaches them. (After Ramsey, "Beyond Relooper", ICFP 2022;
//! `goto` takes what does not nest.)

use cyc_mir::graph::{Graph, Loops, NONE};
use cyc_mir::{BlockId, Body};

pub(crate) struct Structure {
    pub is_header: Vec<bool>,
    /// Only one block jumps here: written where it does.
    pub inline: Vec<bool>,
    /// Written after the block's own code; inside of the loop if the block is a header.
    pub followers: Vec<Vec<BlockId>>,
    /// Written after the loop that the block is the header of.
    pub after_loop: Vec<Vec<BlockId>>,
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
        let dominators = graph.dominators();
        let dominates = |a: u32, b: u32| dominators.dominates(a, b);
        let loops = Loops::new(&graph, &dominators);
        let n = body.blocks.len();
        let mut structure = Structure {
            is_header: (0..n as u32).map(|b| loops.of[b as usize] == b).collect(),
            inline: vec![false; n],
            followers: vec![vec![]; n],
            after_loop: vec![vec![]; n],
        };
        for &block in &graph.order[1..] {
            let parent = dominators.parent[block as usize];
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
