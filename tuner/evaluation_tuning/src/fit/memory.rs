//! How much memory traces may take.

/// Bytes that are `share` of this machine's memory; no limit where the system does not tell it.
pub fn limit(share: f64) -> usize {
    let told = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    total(&told).map_or(usize::MAX, |bytes| (share * bytes) as usize)
}

/// The bytes of memory that a text like Linux's /proc/meminfo tells.
fn total(told: &str) -> Option<f64> {
    let line = told.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kilobytes: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(1024.0 * kilobytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_read_in_kilobytes() {
        let told = "MemFree:  1 kB\nMemTotal:       16384 kB\nCached: 5 kB\n";
        assert_eq!(total(told), Some(16_777_216.0));
        assert_eq!(total("MemFree: 1 kB\n"), None);
        assert!(limit(0.5) > 1 << 20);
    }
}
