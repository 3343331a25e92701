//! What a picture needs of a memory profile; the tables of the page read the rest themselves.

use serde_json::Value;

/// The kinds of memory, in the order of the profile's samples.
pub const KINDS: [&str; 5] = ["heap", "unique", "counted", "region", "pool"];

pub struct Sample {
    pub ns: u64,
    /// Bytes allocated until then.
    pub allocated: u64,
    /// Bytes live, by kind.
    pub live: [u64; KINDS.len()],
}

impl Sample {
    pub fn all(&self) -> u64 {
        self.live.iter().fold(0, |sum, bytes| sum.saturating_add(*bytes))
    }
}

pub struct Profile {
    pub program: String,
    /// At least two, in order of time.
    pub samples: Vec<Sample>,
}

impl Profile {
    /// # Errors
    /// Why the text is no profile.
    pub fn parse(text: &str) -> Result<Profile, String> {
        let value: Value = serde_json::from_str(text).map_err(|e| e.to_string())?;
        if value["format"] != "Cyclone memory profile" {
            return Err("it does not say `\"format\": \"Cyclone memory profile\"`".into());
        }
        if value["version"] != 1 {
            return Err(format!("its version is {}, and this `cyc` knows version 1", value["version"]));
        }
        for list in ["kinds", "sites", "regions"] {
            if !value[list].is_array() {
                return Err(format!("the list `{list}` is missing"));
            }
        }
        let samples: Option<Vec<Sample>> = value["samples"].as_array().into_iter().flatten().map(sample).collect();
        let samples = samples.filter(|samples| samples.len() > 1).ok_or("its samples are not as they should be")?;
        Ok(Profile { program: value["program"].as_str().unwrap_or("program").into(), samples })
    }

    /// The sample with most bytes, the first of them.
    pub fn peak(&self) -> &Sample {
        self.samples.iter().rev().max_by_key(|sample| sample.all()).unwrap_or(&self.samples[0])
    }
}

fn sample(value: &Value) -> Option<Sample> {
    let numbers: Vec<u64> = value.as_array()?.iter().map(Value::as_u64).collect::<Option<_>>()?;
    let (ns, rest) = numbers.split_first()?;
    let (allocated, live) = rest.split_first()?;
    Some(Sample { ns: *ns, allocated: *allocated, live: live.try_into().ok()? })
}
