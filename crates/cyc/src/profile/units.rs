//! Bytes and times as people read them, and round numbers for the ticks of an axis.

/// `1.5 MiB`: three digits at most, and exact below a KiB.
pub fn bytes(n: u64) -> String {
    const UNITS: [&str; 6] = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];
    let unit = (63 - n.max(1).leading_zeros() as usize) / 10;
    let unit = unit.min(UNITS.len() - 1);
    scaled(n as f64 / (1u64 << (10 * unit)) as f64, UNITS[unit])
}

pub fn time(ns: u64) -> String {
    match ns {
        0..1_000 => scaled(ns as f64, "ns"),
        1_000..1_000_000 => scaled(ns as f64 / 1e3, "µs"),
        1_000_000..1_000_000_000 => scaled(ns as f64 / 1e6, "ms"),
        _ => scaled(ns as f64 / 1e9, "s"),
    }
}

fn scaled(value: f64, unit: &str) -> String {
    let digits = if value >= 100.0 { 0 } else { usize::from(value < 10.0) + 1 };
    let text = format!("{value:.digits$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    format!("{text} {unit}")
}

/// Multiples of a round number from 0 to `most`, four to ten of them: powers of two for bytes.
pub fn byte_ticks(most: u64) -> Vec<u64> {
    let step = (most / 4).max(1);
    ticks(most, 1 << (63 - step.leading_zeros()))
}

/// The same for times: 1, 2 or 5 times a power of ten.
pub fn time_ticks(most: u64) -> Vec<u64> {
    let target = (most / 4).max(1);
    let power = 10u64.pow(target.ilog10());
    let factor = [5, 2, 1].into_iter().find(|f| power * f <= target).unwrap_or(1);
    ticks(most, power * factor)
}

fn ticks(most: u64, step: u64) -> Vec<u64> {
    (0..=most / step).map(|i| i * step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!(["0 B", "1023 B", "1 KiB", "1.5 KiB", "977 KiB"], [0, 1023, 1024, 1536, 1_000_000].map(bytes)[..]);
        assert_eq!(["999 ns", "1 µs", "12.3 ms", "2 s"], [999, 1000, 12_345_678, 2_000_000_000].map(time)[..]);
        assert_eq!(bytes(u64::MAX), "16384 PiB");
    }

    #[test]
    fn ticks_are_round() {
        assert_eq!(byte_ticks(1000), [0, 128, 256, 384, 512, 640, 768, 896]);
        assert_eq!(time_ticks(1000), [0, 200, 400, 600, 800, 1000]);
        for most in [0, 1, 2, 3, 5, 17, 999_999_999, u64::MAX] {
            for ticks in [byte_ticks(most), time_ticks(most)] {
                assert!(ticks.len() <= 10 && *ticks.last().unwrap() <= most, "{most}: {ticks:?}");
            }
        }
    }
}
