//! Clauses compiled to a decision tree: Maranget, "Compiling pattern matching to good decision trees", 2008, in the
//! form of Jacobs, "How to compile pattern matching", 2021: a clause is the set of the tests that its pattern still
//! needs, and a test splits the clauses by what they need at one place.
//!
//! A state of the match is the list of the clauses that may still match, with their needs. Equal states are one
//! block, so the tree is a graph; on no path is a test made twice. Where a match would grow beyond a multiple of
//! its patterns, the rest of it is decided clause after clause ([`Decision::chain`]).

use super::{FrameId, Lower};
use crate::mir::*;
use crate::types::is_fat;
use cyc_base::{Span, Symbol};
use cyc_check::tast::{Pattern, PatternKind, Switch};
use cyc_types::{DatatypeId, FloatTy, Ty, TyKind};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// What a pattern asks of the value at its place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Shape {
    Int(i128),
    /// By value, where the precision is known; else by text.
    Float(u64),
    FloatText(Symbol),
    Null,
    Pointer,
    Variant(DatatypeId, u32),
    Member(u32),
}

/// A test that a clause needs: the number of a place, and the pattern for what lies there.
#[derive(Clone, Copy)]
struct Need<'p> {
    place: u32,
    shape: Shape,
    pattern: &'p Pattern,
}

/// A clause that may still match. Needs stand in the order of their places.
#[derive(Clone)]
struct Row<'p> {
    clause: usize,
    needs: Vec<Need<'p>>,
}

type Rows<'p> = Vec<Row<'p>>;

struct Decision<'p> {
    switch: &'p Switch,
    root: Place,
    bodies: &'p [BlockId],
    places: Vec<Place>,
    numbers: FxHashMap<Place, u32>,
    states: FxHashMap<Vec<u32>, BlockId>,
    work: Vec<(BlockId, Rows<'p>)>,
    /// Binds a clause's variables and goes to its body.
    leaves: Vec<Option<BlockId>>,
    /// What each clause's variables have lent to them, and the frame of its body, once it is bound somewhere.
    lent: Vec<(VecDeque<LoanId>, Option<FrameId>)>,
    /// Decides a clause from the start, and those after it.
    chains: Vec<Option<BlockId>>,
    no_match: BlockId,
    /// Rows that new states may still have before the rest goes clause after clause.
    budget: usize,
    span: Span,
}

impl<'a> Lower<'a> {
    /// Tests the value at `place` and goes to the body of the first clause that matches, its variables bound; to
    /// `no_match` if none does. The result: the frames in which the bodies run; they give back at their ends what the
    /// variables took.
    pub(super) fn decide(
        &mut self,
        switch: &Switch,
        place: Place,
        bodies: &[BlockId],
        no_match: BlockId,
        span: Span,
    ) -> Vec<Option<FrameId>> {
        let mark = self.mark();
        let mut decision = Decision {
            switch,
            root: place.clone(),
            bodies,
            places: vec![],
            numbers: FxHashMap::default(),
            states: FxHashMap::default(),
            work: vec![],
            leaves: vec![None; bodies.len()],
            lent: vec![(VecDeque::new(), mark); bodies.len()],
            chains: vec![None; bodies.len()],
            no_match,
            budget: 0,
            span,
        };
        let mut rows = vec![];
        for (clause, c) in switch.clauses.iter().enumerate() {
            let mut row = Row { clause, needs: vec![] };
            self.need(&c.pattern, &place, &mut decision, &mut row);
            rows.push(row);
        }
        let needs: usize = rows.iter().map(|row| row.needs.len() + 1).sum();
        decision.budget = 4096 + 64 * needs;
        let first = decision.state(self, rows);
        self.goto(first, span);
        while let Some((block, rows)) = decision.work.pop() {
            self.start(block);
            self.step(&mut decision, rows);
        }
        self.chains(&mut decision);
        decision.lent.into_iter().map(|(_, frame)| frame).collect()
    }

    /// Binds a clause's variables and goes to its body, if its guard holds, else to `otherwise`.
    fn enter_clause(&mut self, decision: &mut Decision, number: usize, otherwise: BlockId) {
        let clause = &decision.switch.clauses[number];
        let mark = self.mark();
        let (mut loans, frame) = std::mem::take(&mut decision.lent[number]);
        let first = loans.is_empty();
        if first {
            self.enter_variables(&clause.body);
        }
        self.bind(&clause.pattern, decision.root.clone(), Some(&mut loans));
        if first && loans.is_empty() {
            // Variables that are bound otherwise need no frame of the clause: its block makes one.
            self.at_frame(mark);
        }
        let frame = if first { self.mark() } else { frame };
        decision.lent[number] = (loans, frame);
        match &clause.guard {
            None => self.goto(decision.bodies[number], clause.span),
            Some(guard) if frame == mark => self.cond(guard, decision.bodies[number], otherwise),
            Some(guard) => {
                self.at_frame(frame);
                let undo = self.new_block();
                self.cond(guard, decision.bodies[number], undo);
                self.start(undo);
                self.end_loans(mark, clause.span);
                self.goto(otherwise, clause.span);
            }
        }
        self.at_frame(mark);
    }

    /// Adds what a pattern needs of the value at `place` before its parts can be looked at.
    fn need<'p>(&self, pattern: &'p Pattern, place: &Place, decision: &mut Decision<'p>, row: &mut Row<'p>) {
        match self.shape(pattern) {
            Some(shape) => {
                let place = decision.number(place);
                let at = row.needs.partition_point(|need| need.place < place);
                row.needs.insert(at, Need { place, shape, pattern });
            }
            None => {
                for (part, place) in self.parts(pattern, place) {
                    self.need(part, &place, decision, row);
                }
            }
        }
    }

    /// What a pattern tests at its place itself; None if every value of the type has the shape.
    fn shape(&self, pattern: &Pattern) -> Option<Shape> {
        Some(match &pattern.kind {
            PatternKind::Int(value) => Shape::Int(*value),
            PatternKind::Float(digits) => self.float(*digits, pattern.ty),
            PatternKind::Null => Shape::Null,
            PatternKind::Pointer(_) => {
                let ptr = self.pointer(pattern.ty);
                let sure = ptr.is_some_and(|ptr| !ptr.nullable) && !is_fat(self.types(), pattern.ty);
                return (!sure).then_some(Shape::Pointer);
            }
            PatternKind::Variant { datatype, variant, .. } => {
                let open = matches!(self.types().kind(pattern.ty), TyKind::Datatype(_));
                let sum = self.types().datatype(*datatype);
                return (open && (sum.extensible || sum.variants.len() > 1))
                    .then_some(Shape::Variant(*datatype, *variant));
            }
            PatternKind::Member(id, member, _) => {
                let only = self.types().fields(*id).is_some_and(|fields| fields.len() == 1);
                return (!only).then_some(Shape::Member(*member));
            }
            PatternKind::Wild
            | PatternKind::Bind(_)
            | PatternKind::Alias(_)
            | PatternKind::Tag(_)
            | PatternKind::As(..)
            | PatternKind::Ref(..)
            | PatternKind::Tuple(_)
            | PatternKind::Struct(..) => return None,
        })
    }

    /// Equal constants are one shape, however they are written.
    fn float(&self, digits: Symbol, ty: Ty) -> Shape {
        let value = match self.types().kind(ty) {
            TyKind::Float(FloatTy::Float) => digits.as_str().parse::<f32>().ok().map(f64::from),
            TyKind::Float(FloatTy::Double) => digits.as_str().parse::<f64>().ok(),
            _ => None,
        };
        // Both zeros are equal.
        value.map_or(Shape::FloatText(digits), |value| Shape::Float((value + 0.0).to_bits()))
    }

    /// Decides one state in the current block.
    fn step<'p>(&mut self, decision: &mut Decision<'p>, rows: Rows<'p>) {
        let Some(first) = rows.first() else { return self.goto(decision.no_match, decision.span) };
        if first.needs.is_empty() {
            return self.leaf(decision, rows);
        }
        let place = most_needed(&rows);
        let mut shapes: Vec<(Shape, &Pattern)> = vec![];
        let mut known: FxHashMap<Shape, ()> = FxHashMap::default();
        for need in rows.iter().filter_map(|row| row.at(place)) {
            if known.insert(need.shape, ()).is_none() {
                shapes.push((need.shape, need.pattern));
            }
        }
        let at = decision.places[place as usize].clone();
        match shapes[0].0 {
            Shape::Int(_) if self.is_wide(shapes[0].1.ty) => self.one_by_one(decision, &rows, place, &at, &shapes),
            Shape::Int(_) => self.constants(decision, &rows, place, at, &shapes),
            Shape::Float(_) | Shape::FloatText(_) => self.one_by_one(decision, &rows, place, &at, &shapes),
            Shape::Null | Shape::Pointer => self.pointer_test(decision, &rows, place, &at, &shapes),
            Shape::Variant(datatype, _) if self.types().datatype(datatype).extensible => {
                self.one_by_one(decision, &rows, place, &at, &shapes)
            }
            Shape::Variant(datatype, _) => {
                let all = self.types().datatype(datatype).variants.len();
                self.tags(decision, &rows, place, &at, &shapes, all)
            }
            Shape::Member(_) => {
                let TyKind::Aggr(id) = self.types().kind(shapes[0].1.ty) else { unreachable!("members are of unions") };
                let all = self.types().fields(*id).map_or(0, <[_]>::len);
                self.tags(decision, &rows, place, &at, &shapes, all)
            }
        }
    }

    /// The first clause needs no more tests: it matches, if its guard holds.
    fn leaf<'p>(&mut self, decision: &mut Decision<'p>, mut rows: Rows<'p>) {
        let switch = decision.switch;
        let clause = &switch.clauses[rows[0].clause];
        let number = rows[0].clause;
        match &clause.guard {
            None => {
                if let Some(leaf) = decision.leaves[number] {
                    return self.goto(leaf, clause.span);
                }
                decision.leaves[number] = Some(self.current);
                let no_match = decision.no_match;
                self.enter_clause(decision, number, no_match);
            }
            Some(_) => {
                rows.remove(0);
                let otherwise = decision.state(self, rows);
                self.enter_clause(decision, number, otherwise);
            }
        }
    }

    /// The rows that are left when the value at a place has a shape, their needs refined.
    fn with_shape<'p>(&self, decision: &mut Decision<'p>, rows: &[Row<'p>], place: u32, shape: Shape) -> Rows<'p> {
        let mut out = vec![];
        for row in rows {
            let Some(need) = row.at(place) else {
                out.push(row.clone());
                continue;
            };
            if need.shape == shape {
                let mut row = row.clone();
                row.needs.retain(|need| need.place != place);
                let at = decision.places[place as usize].clone();
                for (part, place) in self.parts(need.pattern, &at) {
                    self.need(part, &place, decision, &mut row);
                }
                out.push(row);
            } else if matches!((need.shape, shape), (Shape::FloatText(_), Shape::FloatText(_))) {
                // Constants of unknown value may yet be equal.
                out.push(row.clone());
            }
        }
        out
    }

    /// Integers, characters, enumerators, all at once.
    fn constants<'p>(
        &mut self,
        decision: &mut Decision<'p>,
        rows: &[Row<'p>],
        place: u32,
        at: Place,
        shapes: &[(Shape, &'p Pattern)],
    ) {
        if shapes.len() == 1 {
            return self.one_by_one(decision, rows, place, &at, shapes);
        }
        let mut cases = vec![];
        for (shape, _) in shapes {
            let Shape::Int(value) = shape else { unreachable!("one place has one type") };
            let rows = self.with_shape(decision, rows, place, *shape);
            cases.push((*value, decision.state(self, rows)));
        }
        let default = decision.state(self, without(rows, place));
        self.terminate(Terminator::Switch { on: Operand::Copy(at), cases, default }, shapes[0].1.span);
    }

    /// Variants of a closed datatype, or members of a tagged union: one of `all`.
    fn tags<'p>(
        &mut self,
        decision: &mut Decision<'p>,
        rows: &[Row<'p>],
        place: u32,
        at: &Place,
        shapes: &[(Shape, &'p Pattern)],
        all: usize,
    ) {
        let span = shapes[0].1.span;
        let mut cases = vec![];
        for (shape, _) in shapes {
            let tag = match shape {
                Shape::Variant(_, variant) => i128::from(*variant),
                Shape::Member(member) => i128::from(*member) + 1,
                _ => unreachable!("one place has one type"),
            };
            let rows = self.with_shape(decision, rows, place, *shape);
            cases.push((tag, decision.state(self, rows)));
        }
        // Every object has one of the tags: the last needs no test when the others are none.
        let default = match cases.len() == all {
            true => cases.pop().map(|(_, block)| block),
            false => None,
        };
        let default = default.unwrap_or_else(|| decision.state(self, without(rows, place)));
        match cases.as_slice() {
            [] => self.goto(default, span),
            [(_, block)] => self.branch(shapes[0], at, *block, default),
            _ => {
                let on = self.in_temp(Rvalue::Tag(at.clone()), Ty::UINT, span);
                self.terminate(Terminator::Switch { on, cases, default }, span);
            }
        }
    }

    /// Null and not null; for a fat pointer also out of bounds, which is neither.
    fn pointer_test<'p>(
        &mut self,
        decision: &mut Decision<'p>,
        rows: &[Row<'p>],
        place: u32,
        at: &Place,
        shapes: &[(Shape, &'p Pattern)],
    ) {
        let fat = is_fat(self.types(), shapes[0].1.ty);
        let find = |wanted| shapes.iter().find(|(shape, _)| *shape == wanted).copied();
        let left = without(rows, place);
        match (find(Shape::Pointer), find(Shape::Null)) {
            (Some(pointer), null) => {
                let target = self.with_shape(decision, rows, place, Shape::Pointer);
                let target = decision.state(self, target);
                let rest = match null {
                    Some(_) => self.with_shape(decision, rows, place, Shape::Null),
                    None => left.clone(),
                };
                if let (true, Some(null)) = (fat, null) {
                    let more = self.new_block();
                    self.branch(pointer, at, target, more);
                    self.start(more);
                    let (yes, no) = (decision.state(self, rest), decision.state(self, left));
                    self.branch(null, at, yes, no);
                } else {
                    let rest = decision.state(self, rest);
                    self.branch(pointer, at, target, rest);
                }
            }
            (None, Some(null)) => {
                let yes = self.with_shape(decision, rows, place, Shape::Null);
                let (yes, no) = (decision.state(self, yes), decision.state(self, left));
                self.branch(null, at, yes, no);
            }
            (None, None) => unreachable!("some row needs a test here"),
        }
    }

    /// One shape against all others.
    fn one_by_one<'p>(
        &mut self,
        decision: &mut Decision<'p>,
        rows: &[Row<'p>],
        place: u32,
        at: &Place,
        shapes: &[(Shape, &'p Pattern)],
    ) {
        let shape = shapes[0].0;
        let yes = self.with_shape(decision, rows, place, shape);
        let no = rows.iter().filter(|row| row.at(place).is_none_or(|need| need.shape != shape)).cloned().collect();
        let (yes, no) = (decision.state(self, yes), decision.state(self, no));
        self.branch(shapes[0], at, yes, no);
    }

    /// Tests one shape.
    fn branch(&mut self, (shape, pattern): (Shape, &Pattern), at: &Place, yes: BlockId, no: BlockId) {
        let (span, ty) = (pattern.span, pattern.ty);
        let value = Operand::Copy(at.clone());
        let (test, yes, no) = match shape {
            Shape::Int(constant) => (Rvalue::Binary(BinOp::Eq, value, Operand::int(constant, ty), ty), yes, no),
            Shape::Float(_) | Shape::FloatText(_) => {
                let PatternKind::Float(digits) = pattern.kind else { unreachable!("the pattern has the shape") };
                let constant = Operand::Const(Const::Float(digits, ty));
                (Rvalue::Binary(BinOp::Eq, value, constant, ty), yes, no)
            }
            Shape::Null => (Rvalue::IsNonNull(value), no, yes),
            Shape::Pointer if is_fat(self.types(), ty) => {
                let count = self.in_temp(Rvalue::FatNumelts(value), Ty::ULONG, span);
                let none = Operand::int(0, Ty::ULONG);
                (Rvalue::Binary(BinOp::Ne, count, none, Ty::ULONG), yes, no)
            }
            Shape::Pointer => (Rvalue::IsNonNull(value), yes, no),
            Shape::Variant(datatype, variant) => (Rvalue::IsVariant(at.clone(), datatype, variant), yes, no),
            Shape::Member(member) => (self.is_member(at.clone(), member, span), yes, no),
        };
        let cond = self.in_temp(test, Ty::INT, span);
        self.terminate(Terminator::If { cond, then: yes, otherwise: no }, span);
    }

    /// Integers that C's `switch` does not take.
    fn is_wide(&self, ty: Ty) -> bool {
        matches!(self.types().kind(ty), TyKind::Int(int) if int.bits() > 64)
    }

    // ------------------------------------------------------------ clause after clause

    /// Goes on in the current block when the value at `place` matches, else to `fail`.
    pub(super) fn match_one(&mut self, pattern: &Pattern, place: Place, fail: BlockId) {
        if let Some(shape) = self.shape(pattern) {
            let more = self.new_block();
            self.branch((shape, pattern), &place, more, fail);
            self.start(more);
        }
        for (part, place) in self.parts(pattern, &place) {
            self.match_one(part, place, fail);
        }
    }

    /// The chains that some state goes to, to the last clause.
    fn chains(&mut self, decision: &mut Decision) {
        let switch = decision.switch;
        let Some(first) = decision.chains.iter().position(Option::is_some) else { return };
        for number in first..switch.clauses.len() {
            let clause = &switch.clauses[number];
            let block = decision.chain(self, number);
            let next = decision.chain(self, number + 1);
            self.start(block);
            self.match_one(&clause.pattern, decision.root.clone(), next);
            self.enter_clause(decision, number, next);
        }
    }
}

impl<'p> Decision<'p> {
    fn number(&mut self, place: &Place) -> u32 {
        if let Some(known) = self.numbers.get(place) {
            return *known;
        }
        let number = self.places.len() as u32;
        self.places.push(place.clone());
        self.numbers.insert(place.clone(), number);
        number
    }

    /// The block that decides among these rows.
    fn state(&mut self, lower: &mut Lower, mut rows: Rows<'p>) -> BlockId {
        let Some(clause) = rows.first().map(|row| row.clause) else { return self.no_match };
        // A clause that matches whatever follows hides those after it.
        let sure = |row: &Row| row.needs.is_empty() && self.switch.clauses[row.clause].guard.is_none();
        if let Some(last) = rows.iter().position(sure) {
            rows.truncate(last + 1);
        }
        // At one place a clause has one pattern: the places tell the needs.
        let key: Vec<u32> = rows
            .iter()
            .flat_map(|row| {
                [row.clause as u32, row.needs.len() as u32].into_iter().chain(row.needs.iter().map(|n| n.place))
            })
            .collect();
        if let Some(known) = self.states.get(&key) {
            return *known;
        }
        if self.budget < rows.len() {
            return self.chain(lower, clause);
        }
        self.budget -= rows.len();
        let block = lower.new_block();
        self.states.insert(key, block);
        self.work.push((block, rows));
        block
    }

    /// The block that decides a clause from the start, and if it does not match those after it.
    fn chain(&mut self, lower: &mut Lower, clause: usize) -> BlockId {
        match self.chains.get_mut(clause) {
            Some(chain) => *chain.get_or_insert_with(|| lower.new_block()),
            None => self.no_match,
        }
    }
}

impl<'p> Row<'p> {
    fn at(&self, place: u32) -> Option<Need<'p>> {
        self.needs.binary_search_by_key(&place, |need| need.place).ok().map(|i| self.needs[i])
    }
}

/// The rows that need nothing at a place.
fn without<'p>(rows: &[Row<'p>], place: u32) -> Rows<'p> {
    rows.iter().filter(|row| row.at(place).is_none()).cloned().collect()
}

/// Of the places that the first row needs, the one that most rows need.
fn most_needed(rows: &[Row]) -> u32 {
    let mut counts: FxHashMap<u32, usize> = rows[0].needs.iter().map(|need| (need.place, 0)).collect();
    for need in rows.iter().flat_map(|row| &row.needs) {
        if let Some(count) = counts.get_mut(&need.place) {
            *count += 1;
        }
    }
    let by_count = |need: &&Need| (counts[&need.place], std::cmp::Reverse(need.place));
    rows[0].needs.iter().max_by_key(by_count).map_or(0, |need| need.place)
}
