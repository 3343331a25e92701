//! What functions and initialisers mention: functions, called or as values, and variables.

use crate::tast::operands::{Named, Way};
use crate::tast::*;
use crate::visit::Visitor;
use cyc_base::Span;
use cyc_types::SubsetId;
use rustc_hash::{FxHashMap, FxHashSet};

/// By function or variable; the first mention of each thing.
pub(super) type Mentions = FxHashMap<GlobalId, Vec<Mention>>;

#[derive(Default)]
struct Collector {
    found: Vec<Mention>,
    seen: FxHashSet<(GlobalId, bool)>,
    /// Whose conditions are checked.
    subsets: Vec<SubsetId>,
}

impl Collector {
    fn mention(&mut self, to: GlobalId, address: bool, span: Span) {
        if self.seen.insert((to, address)) {
            self.found.push(Mention { to, address, span });
        }
    }
}

/// The variable that a place is or lies in, without a pointer in between.
fn variable_of(place: &Place) -> Option<GlobalId> {
    match &place.kind {
        PlaceKind::Global(id) => Some(*id),
        PlaceKind::Element(place, _) | PlaceKind::Field(place, _) | PlaceKind::Component(place, _) => {
            variable_of(place)
        }
        PlaceKind::Local(_) | PlaceKind::Deref(_) | PlaceKind::Index(..) | PlaceKind::Temp(_) => None,
    }
}

impl Visitor for Collector {
    fn global(&mut self, _: Named, id: &GlobalId, span: Span) {
        self.mention(*id, false, span);
    }

    fn subset(&mut self, id: &SubsetId) {
        self.subsets.push(*id);
    }

    fn place(&mut self, way: Way, place: &Place, at: Span) {
        if let (Way::Address, Some(id)) = (way, variable_of(place)) {
            self.mention(id, true, at);
        }
        self.parts_of_place(place);
    }
}

/// What everything in the unit mentions.
pub(super) fn collect(unit: &TypedUnit) -> Mentions {
    let mut mentions = Mentions::default();
    let mut cx = Collector::default();
    let mut keep = |cx: &mut Collector, id: GlobalId| {
        with_subsets(cx, &unit.subsets);
        cx.seen.clear();
        mentions.entry(id).or_default().append(&mut cx.found);
    };
    for function in &unit.functions {
        cx.block(&function.body);
        keep(&mut cx, function.global);
    }
    for (i, global) in unit.globals.iter().enumerate() {
        if let Some(value) = &global.init {
            cx.expr(value);
            keep(&mut cx, GlobalId(i as u32));
        }
    }
    for (id, contracts) in &unit.contracts {
        for contract in contracts {
            let Contract { requires, checks, ensures, .. } = contract;
            requires.iter().chain(checks).chain(ensures).for_each(|e| cx.expr(e));
        }
        keep(&mut cx, *id);
    }
    mentions
}

/// Conditions of subsets that are checked in what was visited are as if they stood there.
fn with_subsets(cx: &mut Collector, subsets: &[Subset]) {
    let mut done = FxHashSet::default();
    while let Some(id) = cx.subsets.pop() {
        if let Some(subset) = subsets.get(id.0 as usize).filter(|_| done.insert(id)) {
            cx.expr(&subset.condition);
        }
    }
}
