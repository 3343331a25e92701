//! Terms: the numbers that bounds facts are about. A number here is an integer of mathematics; the operations of the
//! program wrap, and the transfer functions give facts only where they prove that nothing wraps.

use crate::place;
use cyc_check::tast::TypedUnit;
use cyc_mir::mir::*;
use cyc_mir::types::{int_shape, is_fat};
use cyc_types::{Bound, Ty, TyKind};
use rustc_hash::FxHashMap;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Term(pub u32);

/// The number 0.
pub const ZERO: Term = Term(0);

/// Which number of a place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// The value of an integer.
    Value,
    /// A fat pointer: the lowest index in bounds.
    Low,
    /// A fat pointer: the index after the last one in bounds.
    High,
    /// `numelts` of a fat pointer: `High` if 0 is in bounds, else 0.
    Count,
    /// A thin zero-terminated pointer: the index of the first zero.
    Reach,
}

const KINDS: usize = 5;

/// No object has more bytes: x86-64 has addresses of 47 bits for programs.
const ADDRESSES: i64 = 1 << 47;

impl Kind {
    /// The number of the value that an instruction is about to store: it becomes that of the place.
    pub fn new_value(self) -> Term {
        Term(1 + self as u32)
    }
}

/// What a term's number depends on in memory (beside the locals that its place mentions).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Memory {
    /// Numbers that are read through pointers, from globals, or from locals whose address is taken.
    pub numbers: bool,
    /// Pointers read from there.
    pub pointers: bool,
    /// That elements which are not zero stay so.
    pub elements: bool,
}

impl Memory {
    pub const ALL: Memory = Memory { numbers: true, pointers: true, elements: true };

    pub fn meets(self, other: Memory) -> bool {
        self.numbers && other.numbers || self.pointers && other.pointers || self.elements && other.elements
    }
}

struct Info {
    /// None for [`ZERO`] and the new values.
    place: Option<Place>,
    kind: Kind,
    memory: Memory,
    /// The range that the type gives, as far as it fits (a missing end is unknown or beyond `i64`).
    range: (Option<i64>, Option<i64>),
    /// The `Low` of a `High`, and the other way round.
    partner: Option<Term>,
}

/// The terms of one body, numbered when they are first met.
pub struct Terms<'a> {
    pub unit: &'a TypedUnit,
    by_place: FxHashMap<(Kind, Place), Option<Term>>,
    /// Locals whose numbers may matter to a check.
    relevant: Vec<bool>,
    /// Does a check of the body ask for the end of a zero-terminated sequence?
    pub scans: bool,
    /// The same for whole locals.
    by_local: Vec<[Option<Option<Term>>; KINDS]>,
    infos: Vec<Info>,
    /// The terms whose places mention each local.
    mentioning: Vec<Vec<Term>>,
    /// The terms that depend on memory.
    in_memory: Vec<Term>,
}

impl<'a> Terms<'a> {
    pub fn new(unit: &'a TypedUnit, body: &Body) -> Terms<'a> {
        let mut terms = Terms {
            unit,
            by_place: FxHashMap::default(),
            relevant: relevant(body),
            scans: scans(body),
            by_local: vec![[None; KINDS]; body.locals.len()],
            infos: vec![],
            mentioning: vec![vec![]; body.locals.len()],
            in_memory: vec![],
        };
        let zero = (Some(0), Some(0));
        let nameless = |kind, range| Info { place: None, kind, memory: Memory::default(), range, partner: None };
        terms.infos.push(nameless(Kind::Value, zero));
        for kind in [Kind::Value, Kind::Low, Kind::High, Kind::Count, Kind::Reach] {
            debug_assert_eq!(kind.new_value().0 as usize, terms.infos.len());
            terms.infos.push(nameless(kind, (None, None)));
        }
        terms
    }

    pub fn place(&self, term: Term) -> Option<&Place> {
        self.infos[term.0 as usize].place.as_ref()
    }

    pub fn kind(&self, term: Term) -> Kind {
        self.infos[term.0 as usize].kind
    }

    pub fn memory(&self, term: Term) -> Memory {
        self.infos[term.0 as usize].memory
    }

    pub fn min(&self, term: Term) -> Option<i64> {
        self.infos[term.0 as usize].range.0
    }

    pub fn max(&self, term: Term) -> Option<i64> {
        self.infos[term.0 as usize].range.1
    }

    /// With `High`, `Low` and the other way round: `0 <= High - Low <= most_elements`.
    pub fn partner(&self, term: Term) -> Option<Term> {
        self.infos[term.0 as usize].partner
    }

    /// The `c` of `term - partner <= c`.
    pub fn most_from(&self, term: Term) -> i64 {
        if self.kind(term) == Kind::High { self.most_elements() } else { 0 }
    }

    /// May a place have terms at all? Not in a local whose numbers concern no check.
    pub fn concern(&self, place: &Place) -> bool {
        !matches!(place.base, Base::Local(local) if !self.relevant[local.0 as usize])
    }

    pub fn mentioning(&self, local: Local) -> &[Term] {
        &self.mentioning[local.0 as usize]
    }

    pub fn in_memory(&self) -> &[Term] {
        &self.in_memory
    }

    /// Most elements that a fat pointer's object can have (`CYC_FAT_MAX` of the run time).
    pub fn most_elements(&self) -> i64 {
        if self.wide() { 1 << 47 } else { 0x7fff_ffff }
    }

    /// Have fat pointers three words, and so 64-bit positions?
    pub fn wide(&self) -> bool {
        self.unit.types.fat_words == 3
    }

    /// The term, if the place has such a number and keeps it until something writes to it.
    pub fn get(&mut self, body: &Body, kind: Kind, place: &Place) -> Option<Term> {
        match place.as_local() {
            Some(local) => {
                if let Some(known) = self.by_local[local.0 as usize][kind as usize] {
                    return known;
                }
                let term = self.make(body, kind, place);
                self.by_local[local.0 as usize][kind as usize] = Some(term);
                term
            }
            None => {
                let key = (kind, place.clone());
                if let Some(known) = self.by_place.get(&key) {
                    return *known;
                }
                let term = self.make(body, kind, place);
                self.by_place.insert(key, term);
                term
            }
        }
    }

    fn make(&mut self, body: &Body, kind: Kind, place: &Place) -> Option<Term> {
        if !self.concern(place) {
            return None;
        }
        let ty = place::type_of(self.unit, body, place);
        let range = self.range(kind, ty)?;
        if !place::is_steady(self.unit, body, place) || self.is_bit_field(body, place) {
            return None;
        }
        let term = Term(self.infos.len() as u32);
        let memory = memory_of(body, kind, place);
        self.infos.push(Info { place: Some(place.clone()), kind, memory, range, partner: None });
        if let Base::Local(local) = place.base {
            self.mentioning[local.0 as usize].push(term);
        }
        if memory != Memory::default() {
            self.in_memory.push(term);
        }
        let other = match kind {
            Kind::Low => Kind::High,
            Kind::High => Kind::Low,
            _ => return Some(term),
        };
        // Registered first, so that the partner finds it.
        match place.as_local() {
            Some(local) => self.by_local[local.0 as usize][kind as usize] = Some(Some(term)),
            None => drop(self.by_place.insert((kind, place.clone()), Some(term))),
        }
        let partner = self.get(body, other, place);
        self.infos[term.0 as usize].partner = partner;
        Some(term)
    }

    fn range(&self, kind: Kind, ty: Ty) -> Option<(Option<i64>, Option<i64>)> {
        let types = &self.unit.types;
        match kind {
            Kind::Value => int_range(self.unit, ty),
            Kind::Reach if !self.scans => None,
            Kind::Reach => {
                let ptr = types.as_pointer(ty)?;
                (ptr.zeroterm && ptr.bound != Bound::Fat && is_number(self.unit, ptr.to.ty))
                    .then_some((Some(0), Some(ADDRESSES)))
            }
            _ if !is_fat(types, ty) => None,
            Kind::Count => Some((Some(0), Some(self.most_elements()))),
            _ if self.wide() => Some((None, None)),
            // The position is any 32-bit number, the length one that is not negative.
            Kind::Low => Some((Some(-0x7fff_ffff), Some(0x8000_0000))),
            Kind::High => Some((Some(-0x7fff_ffff), Some(0xffff_ffff))),
        }
    }

    fn is_bit_field(&self, body: &Body, place: &Place) -> bool {
        let Some((Proj::Field(field), outer)) = place.proj.split_last() else { return false };
        let base = place::base_type(self.unit, body, place.base);
        let outer = outer.iter().fold(base, |ty, proj| place::step(self.unit, ty, proj));
        match self.unit.types.kind(outer) {
            TyKind::Aggr(id) => {
                let fields = self.unit.types.fields(*id);
                fields.is_some_and(|fields| fields[*field as usize].bits.is_some())
            }
            _ => false,
        }
    }
}

/// The values of an integer type of at most 64 bits; an end beyond `i64` is missing.
pub fn int_range(unit: &TypedUnit, ty: Ty) -> Option<(Option<i64>, Option<i64>)> {
    let (bits, signed) = int_shape(&unit.types, ty)?;
    match (bits, signed) {
        (128.., _) => None,
        (64, false) => Some((Some(0), None)),
        (64, true) => Some((Some(i64::MIN), Some(i64::MAX))),
        (_, false) => Some((Some(0), Some((1 << bits) - 1))),
        (_, true) => Some((Some(-(1 << (bits - 1))), Some((1 << (bits - 1)) - 1))),
    }
}

pub fn is_number(unit: &TypedUnit, ty: Ty) -> bool {
    matches!(unit.types.kind(ty), TyKind::Bool | TyKind::Int(_) | TyKind::Enum(_) | TyKind::Float(_))
}

fn scans(body: &Body) -> bool {
    let asks = |stmt: &Stmt| match &stmt.kind {
        StmtKind::Check(check) => {
            matches!(check.kind, CheckKind::ZeroScan { .. } | CheckKind::ZeroStep { .. } | CheckKind::ZeroWrite { .. })
        }
        _ => false,
    };
    body.blocks.iter().flat_map(|block| &block.stmts).any(asks)
}

/// The locals whose numbers may matter to a check: those that occur in one, and what they are computed from, copied to
/// or compared with.
fn relevant(body: &Body) -> Vec<bool> {
    let mut found = vec![false; body.locals.len()];
    let stmts = || body.blocks.iter().flat_map(|block| &block.stmts);
    for stmt in stmts() {
        if let (StmtKind::Check(check), true) = (&stmt.kind, super::is_candidate(stmt)) {
            check.kind.for_each_operand(&mut |operand| mark(&mut found, operand));
        }
    }
    // A bound on the rounds: what is found later in a long chain is left out.
    for _ in 0..4 {
        let before = found.iter().filter(|found| **found).count();
        for stmt in stmts() {
            match &stmt.kind {
                StmtKind::Assign(place, rvalue) => relate(&mut found, place, rvalue),
                StmtKind::Alloc(Alloc { dst, count: Some(count), .. }) if base_of(&found, dst) => {
                    mark(&mut found, count)
                }
                _ => {}
            }
        }
        if found.iter().filter(|found| **found).count() == before {
            break;
        }
    }
    found
}

fn relate(found: &mut [bool], place: &Place, rvalue: &Rvalue) {
    let mut any = base_of(found, place);
    let copies = matches!(
        rvalue,
        Rvalue::Use(_) | Rvalue::Arith(..) | Rvalue::Retype(..) | Rvalue::FatNumelts(_) | Rvalue::FatAdd { .. }
    );
    let compares = matches!(rvalue, Rvalue::Binary(op, ..) if super::tests::compares(*op));
    if copies || compares {
        rvalue.for_each_operand(&mut |operand| any |= matches!(operand, Operand::Copy(from) if base_of(found, from)));
    }
    if any {
        rvalue.for_each_operand(&mut |operand| mark(found, operand));
        if let (Base::Local(local), true) = (place.base, copies) {
            found[local.0 as usize] = true;
        }
    }
}

fn base_of(found: &[bool], place: &Place) -> bool {
    matches!(place.base, Base::Local(local) if found[local.0 as usize])
}

fn mark(found: &mut [bool], operand: &Operand) {
    if let Operand::Copy(place) = operand {
        place::each_local_of(place, &mut |local| found[local.0 as usize] = true);
    }
}

/// What the number of a place depends on.
fn memory_of(body: &Body, kind: Kind, place: &Place) -> Memory {
    let mut in_memory = match place.base {
        Base::Local(local) => body.locals[local.0 as usize].address_taken,
        Base::Global(_) => true,
    };
    let mut memory = Memory { elements: kind == Kind::Reach, ..Memory::default() };
    for step in &place.proj {
        if let Proj::Deref(_) = step {
            memory.pointers |= in_memory;
            in_memory = true;
        }
    }
    match kind {
        Kind::Value => memory.numbers |= in_memory,
        _ => memory.pointers |= in_memory,
    }
    memory
}

/// What a store to a place of this type may change in memory. Types tell apart what pointers may not: numbers can be
/// seen under another type of numbers, pointers only as pointers.
pub fn stored(unit: &TypedUnit, ty: Ty, may_be_zero: bool) -> Memory {
    match unit.types.kind(ty) {
        _ if is_number(unit, ty) => Memory { numbers: true, pointers: false, elements: may_be_zero },
        TyKind::Pointer(_) => Memory { numbers: false, pointers: true, elements: false },
        _ => Memory::ALL,
    }
}
