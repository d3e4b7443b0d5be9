//! Lists of codes as bytes: two for each code, or, for positions with many, the gaps between them.

/// A gap of so much or more goes on in the next byte.
const LONG: u8 = u8::MAX;

/// Appends codes in the order they have.
pub fn push_plain(bytes: &mut Vec<u8>, codes: &[u16]) {
    codes.iter().for_each(|code| bytes.extend_from_slice(&code.to_le_bytes()));
}

/// Hands on what [`push_plain`] appended.
#[inline(always)]
pub fn each_plain(bytes: &[u8], mut take: impl FnMut(usize)) {
    for code in bytes.as_chunks().0 {
        take(usize::from(u16::from_le_bytes(*code)));
    }
}

/// Sorts codes, those from `first` on before others, and appends their gaps: little more than a byte
/// for each code where the frequent ones are the first.
pub fn push_gaps(bytes: &mut Vec<u8>, codes: &mut [u16], first: u16) {
    codes.sort_unstable_by_key(|code| code.wrapping_sub(first));
    let mut last = first;
    for &code in &*codes {
        let mut gap = code.wrapping_sub(last);
        while gap >= u16::from(LONG) {
            bytes.push(LONG);
            gap -= u16::from(LONG);
        }
        bytes.push(gap as u8);
        last = code;
    }
}

/// Hands on what [`push_gaps`] appended with the same `first`.
#[inline(always)]
pub fn each_gap(bytes: &[u8], first: u16, mut take: impl FnMut(usize)) {
    let mut code = first;
    for &gap in bytes {
        code = code.wrapping_add(u16::from(gap));
        if gap != LONG {
            take(usize::from(code));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_come_back_and_near_codes_take_a_byte_each() {
        let near = vec![300, 301, 400, 654, 654, 901];
        let far = vec![0, 254, 255, 256, 300, 554, 555, 556, 12_000, u16::MAX, u16::MAX];
        for (codes, expected) in [(vec![], 0), (near, 6), (far, 264)] {
            let (mut bytes, mut found) = (Vec::new(), Vec::new());
            push_gaps(&mut bytes, &mut codes.iter().rev().copied().collect::<Vec<_>>(), 300);
            each_gap(&bytes, 300, |code| found.push(code as u16));
            // Codes before the first come last.
            let before = found.iter().position(|&code| code < 300).unwrap_or(found.len());
            found.rotate_left(before);
            assert_eq!(found, codes);
            assert_eq!(bytes.len(), expected, "{bytes:?}");
            bytes.clear();
            found.clear();
            push_plain(&mut bytes, &codes);
            each_plain(&bytes, |code| found.push(code as u16));
            assert_eq!(found, codes);
        }
    }
}
