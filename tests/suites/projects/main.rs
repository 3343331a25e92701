//! Projects: what `cyc new`, `build`, `run` and `test` do with a `cyc.toml`, builds by other tools, and the real programs of
//! `examples/projects`.

mod builds;
mod environment;
mod grep;
mod httpd;
mod manifest;
mod miniml;
mod programs;
mod scratch;
mod text;
mod tools;
