//! What the collector is told of an allocated object: a shape, as `cyc_rt.h` has it. Objects in which any word may hold a pointer
//! are scanned without a map, which is faster; so are those whose other words hold small numbers only.

use crate::types::CTypes;
use cyc_types::Ty;
use cyc_types::trace::Word;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::rc::Rc;

/// The maps that a unit's allocations mention, each once.
#[derive(Default)]
pub(crate) struct Maps {
    known: RefCell<Vec<Vec<bool>>>,
    /// The types that are scanned by a map, in C, with the number of their words.
    described: RefCell<BTreeMap<Rc<str>, usize>>,
}

impl Maps {
    /// The shape of an object of type `elem`, or of an array of such objects.
    pub fn shape(&self, c: &CTypes, elem: Ty, array: bool) -> String {
        let types = c.types();
        let single = if array || types.may_hold_array(elem) { "" } else { "1" };
        let Some(words) = types.words(elem) else { return format!("CYC_ANY{single}") };
        if !words.contains(&Word::Pointer) {
            return format!("CYC_BITS{single}");
        }
        if !words.contains(&Word::Number) {
            return format!("CYC_ANY{single}");
        }
        self.described.borrow_mut().insert(c.text(elem), words.len());
        let map: Vec<bool> = words.iter().map(|word| *word == Word::Pointer).collect();
        let mut known = self.known.borrow_mut();
        let place = known.iter().position(|other| *other == map).unwrap_or_else(|| {
            known.push(map);
            known.len() - 1
        });
        format!("CYC_LAYOUT{single}(_cycL{place})")
    }

    pub fn definitions(&self) -> String {
        let mut out = String::new();
        for (i, map) in self.known.borrow().iter().enumerate() {
            let bits = |chunk: &[bool]| chunk.iter().rev().fold(0u64, |bits, bit| bits << 1 | u64::from(*bit));
            let bits: Vec<String> = map.chunks(64).map(|chunk| format!("{:#x}ul", bits(chunk))).collect();
            let _ = writeln!(out, "static const cyc_u64 _cycM{i}[] = {{{}}};", bits.join(", "));
            let _ = writeln!(out, "static struct cyc_layout _cycL{i} = {{0, {}, _cycM{i}}};", map.len());
        }
        for (ty, words) in self.described.borrow().iter() {
            let _ = writeln!(out, "_Static_assert(sizeof({ty}) == {}, \"a map is as long as its object\");", words * 8);
        }
        out
    }
}
