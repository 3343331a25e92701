//! Reading the table.

use super::{Extent, Function, Outcome, Param, Role};

/// The functions of the table.
///
/// # Errors
/// A line that is not understood.
pub fn parse(table: &str) -> Result<Vec<Function>, String> {
    let mut functions = vec![];
    let mut header = String::new();
    for (number, line) in table.lines().enumerate() {
        let line = line.trim();
        if let Some(name) = line.strip_prefix("== ") {
            header = name.to_string();
        } else if let Some(names) = line.strip_prefix("numbers: ") {
            functions.extend(names.split_whitespace().map(|name| of_numbers(&header, name)));
        } else if !line.is_empty() && !line.starts_with('#') {
            functions.push(function(&header, line).ok_or(format!("line {}: `{line}` is not understood", number + 1))?);
        }
    }
    Ok(functions)
}

fn of_numbers(header: &str, name: &str) -> Function {
    let (header, name) = (header.to_string(), name.to_string());
    Function { header, name, params: None, varargs: false, outcome: Outcome::Number, raises: None }
}

/// function ::= name '(' params ')' [ '->' outcome ] [ 'raises' exception ]
fn function(header: &str, line: &str) -> Option<Function> {
    let (name, rest) = line.split_once('(')?;
    let (params, rest) = rest.split_once(')')?;
    let mut words: Vec<&str> = params.split(", ").filter(|p| !p.is_empty()).collect();
    let varargs = words.last() == Some(&"...");
    words.truncate(words.len() - usize::from(varargs));
    let params: Option<Vec<Param>> = words.into_iter().map(param).collect();
    let (rest, raises) = match rest.split_once("raises ") {
        Some((before, exception)) => (before.trim(), Some(exception.to_string())),
        None => (rest.trim(), None),
    };
    let outcome = if rest.is_empty() { Outcome::Number } else { outcome(rest.strip_prefix("-> ")?)? };
    let (header, name) = (header.to_string(), name.to_string());
    Some(Function { header, name, params: Some(params?), varargs, outcome, raises })
}

/// param ::= [ 'keeps' ] [ role ] name [ '[' extent ']' ] [ '?' ]
fn param(text: &str) -> Option<Param> {
    let (keeps, text) = text.strip_prefix("keeps ").map_or((false, text), |rest| (true, rest));
    let (role, rest) =
        text.split_once(' ').map_or(Some((Role::Plain, text)), |(word, rest)| Some((role(word)?, rest)))?;
    let (rest, nullable) = rest.strip_suffix('?').map_or((rest, false), |rest| (rest, true));
    let (name, extent) = match rest.strip_suffix(']') {
        Some(rest) => rest.split_once('[').map(|(name, size)| (name, extent(size)))?,
        None => (rest, Extent::One),
    };
    Some(Param { name: name.to_string(), role, keeps, nullable, extent })
}

fn role(word: &str) -> Option<Role> {
    Some(match word {
        "reads" => Role::Reads,
        "writes" => Role::Writes,
        "updates" => Role::Updates,
        "overwrites" => Role::Overwrites,
        "passes" => Role::Passes,
        "counts" => Role::Counts,
        "handle" => Role::Handle,
        "takes" => Role::Takes,
        "calls" => Role::Calls,
        "shares" => Role::Shares,
        "starts" => Role::Starts,
        _ => return None,
    })
}

fn extent(size: &str) -> Extent {
    match size {
        ".." => Extent::Text,
        "." => Extent::Bounds,
        size => match size.parse() {
            Ok(n) => Extent::Fixed(n),
            Err(_) => Extent::Arguments(size.split('*').map(String::from).collect()),
        },
    }
}

fn outcome(text: &str) -> Option<Outcome> {
    Some(match text.split_once(' ') {
        None => match text {
            "never" => Outcome::Never,
            "value" => Outcome::Value,
            "fresh" => Outcome::Fresh(None),
            "static" => Outcome::Static,
            "current" => Outcome::Current,
            _ => return None,
        },
        Some(("fresh", handle)) => Outcome::Fresh(Some(handle.to_string())),
        Some(("in", argument)) => Outcome::In(argument.to_string()),
        Some(_) => return None,
    })
}
