//! What functions and initialisers mention: functions, called or as values, and variables.

use crate::tast::*;
use crate::visit::{self, Visitor};
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
    fn place(&mut self, p: &mut Place) {
        if let PlaceKind::Global(id) = p.kind {
            self.mention(id, false, p.span);
        }
        visit::place(self, p);
    }

    fn expr(&mut self, e: &mut Expr) {
        match &e.kind {
            ExprKind::FunctionAddr(id, _) => self.mention(*id, false, e.span),
            ExprKind::AddrOf(place) => {
                if let Some(id) = variable_of(place) {
                    self.mention(id, true, e.span);
                }
            }
            ExprKind::Coerce(Coercion::Subset(id), _) => self.subsets.push(*id),
            ExprKind::Call { callee: Callee::Direct(id, _), .. } => self.mention(*id, false, e.span),
            _ => {}
        }
        visit::expr(self, e);
    }
}

/// What everything in the unit mentions.
pub(super) fn collect(unit: &mut TypedUnit) -> Mentions {
    let mut mentions = Mentions::default();
    let mut cx = Collector::default();
    let mut keep = |cx: &mut Collector, id: GlobalId| {
        cx.seen.clear();
        mentions.entry(id).or_default().append(&mut cx.found);
    };
    for function in &mut unit.functions {
        visit::block(&mut cx, &mut function.body);
        with_subsets(&mut cx, &mut unit.subsets);
        keep(&mut cx, function.global);
    }
    for (i, global) in unit.globals.iter_mut().enumerate() {
        if let Some(value) = &mut global.init {
            cx.expr(value);
            keep(&mut cx, GlobalId(i as u32));
        }
    }
    for (id, contracts) in &mut unit.contracts {
        for contract in contracts {
            let Contract { requires, checks, ensures, .. } = contract;
            requires.iter_mut().chain(checks).chain(ensures).for_each(|e| cx.expr(e));
        }
        keep(&mut cx, *id);
    }
    mentions
}

/// Conditions of subsets that are checked in what was visited are as if they stood there.
fn with_subsets(cx: &mut Collector, subsets: &mut [Subset]) {
    let mut done = FxHashSet::default();
    while let Some(id) = cx.subsets.pop() {
        if let Some(subset) = subsets.get_mut(id.0 as usize).filter(|_| done.insert(id)) {
            cx.expr(&mut subset.condition);
        }
    }
}
