//! `compile_commands.json`, by which editors and other tools know how C sources are compiled.

use super::plan::Plan;
use crate::cc::is_cyclone;
use crate::compile::{Session, publish};
use crate::problem::Problem;

/// Writes the commands of the project's C sources, if they have changed.
pub fn write(session: &Session, plan: &Plan) -> Result<(), Problem> {
    let place = plan.folder.join("compile_commands.json");
    let directory = std::env::current_dir().map_err(|e| Problem::cannot_read(".".as_ref(), &e))?;
    let commands: Vec<_> = plan
        .units()
        .filter(|unit| !is_cyclone(&unit.source))
        .map(|unit| {
            let mut arguments = vec![session.cc.path.to_string_lossy().into_owned()];
            arguments.extend(session.cc.leading.iter().map(|word| word.to_string_lossy().into_owned()));
            arguments.extend(session.c_arguments(&unit.source, &unit.object, "-c", &[]));
            serde_json::json!({"directory": directory, "file": unit.source, "output": unit.object, "arguments": arguments})
        })
        .collect();
    let text = format!("{:#}\n", serde_json::Value::Array(commands));
    if std::fs::read_to_string(&place).is_ok_and(|old| old == text) {
        return Ok(());
    }
    publish(&place, |path| std::fs::write(path, &text).map_err(|e| Problem::cannot_write(&place, &e)))
}
