//! What other threads run, followed from unit to unit (docs/adr/005): does it come to a variable that several threads touch?
//!
//! Each unit has judged what it sees of itself; here what one mentions of another is put together. Symbols that begin with `.`
//! belong to one unit. What no unit tells about is C's, and trusted.

use crate::interface::{Entry, Unit};
use crate::problem::Problem;
use std::collections::{BTreeMap, VecDeque};

/// A function or variable: the unit it belongs to, if it is that unit's alone, and its symbol.
type Node<'a> = (Option<usize>, &'a str);

/// # Errors
/// The first function that runs in another thread and must not, with a shortest way to what it may touch.
pub(crate) fn check(units: &[&Unit]) -> Result<(), Problem> {
    let mut known: BTreeMap<Node, (usize, &Entry)> = BTreeMap::new();
    for (i, unit) in units.iter().enumerate() {
        for (symbol, entry) in &unit.mentions {
            known.entry(node(i, symbol)).or_insert((i, entry));
        }
    }
    for (i, unit) in units.iter().enumerate() {
        for (root, place) in &unit.runs {
            follow(&known, node(i, root), place)?;
        }
    }
    Ok(())
}

fn node(unit: usize, symbol: &str) -> Node<'_> {
    (symbol.starts_with('.').then_some(unit), symbol)
}

fn follow(known: &BTreeMap<Node, (usize, &Entry)>, root: Node, place: &str) -> Result<(), Problem> {
    let mut from: BTreeMap<Node, Node> = BTreeMap::new();
    let mut open = VecDeque::from([root]);
    while let Some(at) = open.pop_front() {
        let Some((unit, entry)) = known.get(&at) else { continue };
        for mention in &entry.mentions {
            let to = node(*unit, mention.trim_start_matches('&'));
            if let Some((touched, is_code)) = forbidden(mention, known.get(&to).map(|(_, entry)| *entry)) {
                let mut way = vec![at];
                while let Some(before) = way.last().filter(|node| **node != root).and_then(|node| from.get(node)) {
                    way.push(*before);
                }
                let shown = way.iter().rev().filter_map(|node| Some(known.get(node)?.1.shown.as_str()));
                return Err(Problem::thread_touches(place, &shown.collect::<Vec<_>>(), touched, is_code));
            }
            if to != root && !from.contains_key(&to) {
                from.insert(to, at);
                open.push_back(to);
            }
        }
    }
    Ok(())
}

/// Of a mention, and what is known of the mentioned: what must not be touched, and whether it is code.
fn forbidden<'a>(mention: &'a str, of: Option<&'a Entry>) -> Option<(&'a str, bool)> {
    if let Some(code) = mention.strip_prefix('!') {
        return Some((code, true));
    }
    let touched = of.filter(|e| e.signature == "v" || (e.signature == "p" && mention.starts_with('&')))?;
    Some((&touched.shown, false))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interface::units;

    fn judge(all: &[&[&str]]) -> Result<(), String> {
        let text = |lines: &&[&str]| lines.iter().map(|line| line.replace('|', "\u{1f}") + "\n").collect::<String>();
        let all: Vec<Unit> = all.iter().flat_map(|lines| units(&text(lines))).collect();
        check(&all.iter().collect::<Vec<_>>()).map_err(|problem| problem.notes.join("; "))
    }

    const MAIN: &[&str] = &["U|a|2", "M|main||f|main", "M|f||g,.h|f", "M|.h||g|h", "T|f|||a.cyc:3"];

    #[test]
    fn mentions_are_followed_from_unit_to_unit() {
        assert_eq!(judge(&[MAIN, &["U|b|2", "M|g||k|g", "M|.h||n|h", "M|n|v||n"]]), Ok(()));
        let said = judge(&[MAIN, &["U|b|2", "M|g||.h|g", "M|.h||n|h", "M|n|v||n"]]).unwrap_err();
        assert!(said.contains("a.cyc:3") && said.contains("`f` mentions `g` mentions `h` mentions `n`"), "{said}");
    }

    #[test]
    fn what_runs_in_the_first_thread_only_may_touch_everything() {
        assert_eq!(judge(&[&["U|a|2", "M|main||n|main", "M|n|v||n"]]), Ok(()));
    }

    #[test]
    fn a_variable_of_each_thread_has_no_address() {
        assert_eq!(judge(&[MAIN, &["U|b|2", "M|g||n|g", "M|n|p||n"]]), Ok(()));
        assert!(judge(&[MAIN, &["U|b|2", "M|g||&n|g", "M|n|p||n"]]).is_err());
    }

    #[test]
    fn code_that_is_not_for_threads_is_named() {
        assert!(judge(&[MAIN, &["U|b|2", "M|g||!strtok|g"]]).unwrap_err().contains("`g` mentions `strtok`"));
    }
}
