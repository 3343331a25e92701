//! Do separately compiled units agree about what they share? (core, section 12.5)
//!
//! Every object that comes from Cyclone tells the types of the symbols that it defines or uses, and the definitions of
//! the named types behind them, in its section `.cyc.types` (written by `cyc-emit`, which has the format). Before
//! linking, everything that two units share must agree: a symbol's type, and a named type's definition where both
//! know it. Types that no shared symbol leads to may differ, as in C. Objects without the section are C's and trusted;
//! so are shared libraries, and objects of link-time optimisation without machine code, which ours have
//! (`Options::fat_objects`).

use crate::problem::Problem;
use object::read::archive::ArchiveFile;
use object::{Object, ObjectSection, ObjectSymbol};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

const SECTION: &str = ".cyc.types";
const SEPARATOR: char = '\u{1f}';

/// What one compilation told.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Unit {
    name: String,
    /// Words of a fat pointer.
    fat_words: String,
    symbols: BTreeMap<String, Entry>,
    definitions: BTreeMap<String, Entry>,
    /// By function or variable: its sort is the signature.
    pub mentions: BTreeMap<String, Entry>,
    /// Functions that are given to other threads, and where.
    pub runs: Vec<(String, String)>,
}

#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Entry {
    pub signature: String,
    /// Named types on which it depends.
    pub mentions: Vec<String>,
    /// The declaration, for people.
    pub shown: String,
}

/// An object file, or a member of an archive.
#[derive(Default)]
struct Module {
    units: Vec<Unit>,
    defined: Vec<String>,
    undefined: Vec<String>,
}

/// Compares what the units behind `inputs` (object files and archives among the linker's arguments; of archives those
/// members that the linker would take) say about what they share.
///
/// # Errors
/// The first disagreement, with both sides. Files that cannot be read are left to the linker.
pub(crate) fn check(inputs: &[&Path]) -> Result<(), Problem> {
    let taken = taken(inputs);
    let units: Vec<&Unit> = taken.iter().flat_map(|module| &module.units).collect();
    compare(&units)?;
    crate::threads::check(&units)
}

/// The symbols that the files behind `inputs` use and none of them defines, in alphabetical order.
pub(crate) fn open_symbols(inputs: &[&Path]) -> BTreeSet<String> {
    let taken = taken(inputs);
    let defined: BTreeSet<&String> = taken.iter().flat_map(|module| &module.defined).collect();
    taken.iter().flat_map(|module| &module.undefined).filter(|name| !defined.contains(name)).cloned().collect()
}

/// The object files among `inputs`, and the members of archives that the linker would take.
fn taken(inputs: &[&Path]) -> Vec<Module> {
    let mut taken = vec![];
    let mut members = vec![];
    for input in inputs {
        let Ok(bytes) = std::fs::read(input) else { continue };
        match ArchiveFile::parse(&*bytes) {
            Ok(archive) => {
                let each = archive.members().flatten().filter_map(|member| member.data(&*bytes).ok());
                members.extend(each.filter_map(module));
            }
            Err(_) => taken.extend(module(&bytes)),
        }
    }
    take_members(&mut taken, members);
    taken
}

fn module(bytes: &[u8]) -> Option<Module> {
    let file = object::File::parse(bytes).ok()?;
    let mut module = Module::default();
    for symbol in file.symbols().filter(|symbol| symbol.is_global()) {
        let Ok(name) = symbol.name() else { continue };
        let list = if symbol.is_undefined() { &mut module.undefined } else { &mut module.defined };
        list.push(name.to_string());
    }
    let text = file.section_by_name(SECTION).and_then(|section| section.data().ok().map(<[u8]>::to_vec));
    module.units = units(&String::from_utf8_lossy(&text.unwrap_or_default()));
    Some(module)
}

/// Moves the members that define what is still undefined, until nothing more is found.
fn take_members(taken: &mut Vec<Module>, members: Vec<Module>) {
    let mut members: Vec<Option<Module>> = members.into_iter().map(Some).collect();
    let mut owner: HashMap<String, usize> = HashMap::new();
    for (i, member) in members.iter().enumerate() {
        for name in member.iter().flat_map(|m| &m.defined) {
            owner.entry(name.clone()).or_insert(i);
        }
    }
    let mut defined: BTreeSet<String> = taken.iter().flat_map(|m| m.defined.iter().cloned()).collect();
    let mut wanted: Vec<String> = taken.iter().flat_map(|m| m.undefined.iter().cloned()).collect();
    while let Some(name) = wanted.pop() {
        if defined.contains(&name) {
            continue;
        }
        let Some(member) = owner.get(&name).and_then(|i| members[*i].take()) else { continue };
        defined.extend(member.defined.iter().cloned());
        wanted.extend(member.undefined.iter().cloned());
        taken.push(member);
    }
}

/// Reads the section's text. Lines that this version does not know are passed over.
pub(crate) fn units(text: &str) -> Vec<Unit> {
    let mut units: Vec<Unit> = vec![];
    for line in text.lines() {
        let mut fields = line.split(SEPARATOR);
        let tag = fields.next().unwrap_or_default();
        let mut field = || fields.next().unwrap_or_default().to_string();
        if tag == "U" {
            units.push(Unit { name: field(), fat_words: field(), ..Unit::default() });
            continue;
        }
        let (key, signature, mentions, shown) = (field(), field(), field(), field());
        let mentions = mentions.split(',').filter(|m| !m.is_empty()).map(String::from).collect();
        let entry = Entry { signature, mentions, shown };
        let Some(unit) = units.last_mut() else { continue };
        match tag {
            "S" => drop(unit.symbols.insert(key, entry)),
            "D" => drop(unit.definitions.insert(key, entry)),
            "M" => drop(unit.mentions.insert(key, entry)),
            "T" => unit.runs.push((key, entry.shown)),
            _ => {}
        }
    }
    units
}

fn compare(units: &[&Unit]) -> Result<(), Problem> {
    if let Some(other) = units.iter().find(|unit| unit.fat_words != units[0].fat_words) {
        return Err(Problem::fat_words_differ(&units[0].name, &units[0].fat_words, &other.name, &other.fat_words));
    }
    let mut first: BTreeMap<&str, (&Unit, &Entry)> = BTreeMap::new();
    // Named types that a shared symbol leads to, in each of the units that share it.
    let mut shared: Vec<BTreeSet<&str>> = vec![BTreeSet::new(); units.len()];
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for unit in units {
        for (name, entry) in &unit.symbols {
            *counts.entry(name).or_default() += 1;
            let (other, known) = *first.entry(name).or_insert((unit, entry));
            if known.signature != entry.signature {
                let sides = [(other.name.as_str(), known.shown.as_str()), (&unit.name, &entry.shown)];
                return Err(Problem::types_differ(name, sides));
            }
        }
    }
    for (i, unit) in units.iter().enumerate() {
        let mut open: Vec<&str> = vec![];
        for (name, entry) in unit.symbols.iter().filter(|(name, _)| counts[name.as_str()] > 1) {
            open.extend(entry.mentions.iter().map(String::as_str));
            open.extend(unit.definitions.get_key_value(&length_of(name)).map(|(key, _)| key.as_str()));
        }
        while let Some(name) = open.pop() {
            if shared[i].insert(name) {
                open.extend(unit.definitions.get(name).iter().flat_map(|e| e.mentions.iter().map(String::as_str)));
            }
        }
    }
    compare_definitions(units, &shared)
}

/// Under which name the length of an array is compared.
fn length_of(symbol: &str) -> String {
    format!("the length of {symbol}")
}

fn compare_definitions(units: &[&Unit], shared: &[BTreeSet<&str>]) -> Result<(), Problem> {
    let mut first: BTreeMap<&str, (&Unit, &Entry)> = BTreeMap::new();
    for (unit, names) in units.iter().zip(shared) {
        for name in names {
            let Some(entry) = unit.definitions.get(*name) else { continue };
            let (other, known) = *first.entry(name).or_insert((unit, entry));
            if known.signature != entry.signature {
                return Err(Problem::definitions_differ(name, &other.name, &unit.name));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit(lines: &[&str]) -> Unit {
        let text: String = lines.iter().map(|line| line.replace('|', "\u{1f}") + "\n").collect();
        units(&text).pop().unwrap()
    }

    fn judge(all: &[Unit]) -> Result<(), String> {
        compare(&all.iter().collect::<Vec<_>>()).map_err(|problem| problem.message)
    }

    #[test]
    fn shared_symbols_agree_in_type() {
        let a = unit(&["U|a|2", "S|f|int||int f"]);
        let b = unit(&["U|b|2", "S|f|long||long f", "S|g|int||int g"]);
        let c = unit(&["U|c|2", "S|g|int||int g"]);
        assert!(judge(&[a, b]).unwrap_err().contains('f'));
        let b = unit(&["U|b|2", "S|f|long||long f", "S|g|int||int g"]);
        assert_eq!(judge(&[b, c]), Ok(()));
    }

    #[test]
    fn definitions_count_where_a_shared_symbol_leads_to_them() {
        let one = |name: &str, symbol: &str, s: &str| {
            let lines = [format!("U|{name}|2"), format!("S|{symbol}|t|struct T|"), "D|struct T|x|struct S|".into()];
            let mut lines: Vec<String> = lines.into();
            lines.push(format!("D|struct S|{s}||"));
            unit(&lines.iter().map(String::as_str).collect::<Vec<_>>())
        };
        assert!(judge(&[one("a", "f", "int"), one("b", "f", "long")]).is_err());
        assert_eq!(judge(&[one("a", "f", "int"), one("b", "f", "int")]), Ok(()));
        // Private types of the same name.
        assert_eq!(judge(&[one("a", "f", "int"), one("b", "g", "long")]), Ok(()));
        // `b` knows `struct S` as incomplete, but hands it on between two units that disagree.
        let b = unit(&["U|b|2", "S|f|t|struct T|", "S|g|t|struct T|"]);
        assert!(judge(&[one("a", "f", "int"), b, one("c", "g", "long")]).is_err());
    }

    #[test]
    fn fat_pointers_agree_in_size() {
        assert!(judge(&[unit(&["U|a|2"]), unit(&["U|b|3"])]).is_err());
    }
}
