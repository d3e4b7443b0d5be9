//! Lists of cores, and which of them each game has.

use system::processes::available_cores;

/// The cores of each of so many threads that need so many each: of those listed, or of all.
///
/// # Errors
/// In words, if it is no list, or the cores are too few.
pub fn places(list: Option<&str>, each: usize, threads: usize) -> Result<Vec<Vec<usize>>, String> {
    let available = available_cores();
    let cores = list.map_or(Ok(available.clone()), |list| parse_cores(list, &available))?;
    if threads * each > cores.len() {
        return Err(format!(
            "{threads} games at once need {} cores, and there are {}",
            threads * each,
            cores.len()
        ));
    }
    Ok(cores.chunks(each).map(<[usize]>::to_vec).collect())
}

/// Reads `0-3,8`.
///
/// # Errors
/// In words, if it is no list, or a core is not among those available.
pub fn parse_cores(list: &str, available: &[usize]) -> Result<Vec<usize>, String> {
    let mut cores = Vec::new();
    for part in list.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (Ok(first), Ok(last)) = (first.trim().parse(), last.trim().parse::<usize>()) else {
            return Err("cores are listed as in 0-3,8".to_owned());
        };
        if let Some(missing) = (first..=last).find(|core| !available.contains(core)) {
            return Err(format!("there is no core {missing} to use"));
        }
        cores.extend(first..=last);
    }
    cores.sort_unstable();
    cores.dedup();
    Ok(cores)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cores_are_listed() {
        let available: Vec<usize> = (0..9).collect();
        let read = |list| parse_cores(list, &available);
        assert_eq!(read("0-3,8"), Ok(vec![0, 1, 2, 3, 8]));
        assert_eq!(read("2,1-2"), Ok(vec![1, 2]));
        for (list, message) in [("9", "no core 9"), ("x", "as in 0-3,8"), ("", "as in 0-3,8")] {
            assert!(read(list).expect_err("wrong").contains(message));
        }
    }
}
