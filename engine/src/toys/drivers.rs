//! The drivers of the textbook's search, which `kamerton toy` counts in small games.

use search::{Control, Limits, Outcome};
use textbook::{Memory, Methods, TextbookGame};

/// Each driver with the methods that make it; every one has the value of minimax.
pub const DRIVERS: [(&str, &[&str]); 6] = [
    ("minimax", &[]),
    ("alpha-beta", &["alpha_beta", "fail_soft"]),
    ("alpha-beta with a table", &["alpha_beta", "fail_soft", "table", "table_cutoff"]),
    ("principal-variation search", &["alpha_beta", "fail_soft", "principal_variation"]),
    ("NegaScout", &["alpha_beta", "fail_soft", "negascout"]),
    ("MTD(f)", &["alpha_beta", "mtd"]),
];

/// Searches a position to a depth in plies with these methods on, and all others off.
///
/// # Panics
/// If there is no method of a name.
pub fn search<G: TextbookGame>(game: &mut G, methods: &[&str], depth: u32) -> Outcome<G::Move> {
    let mut on = Methods::declared();
    for name in methods {
        let is_own = |number: &parameters::Number| {
            number.declaration.group == *name && number.declaration.name == "enabled"
        };
        let number = Methods::numbers().find(is_own).expect("a method's name");
        on.cells_mut()[number.cell()] = 1;
    }
    let (limits, control) = (Limits::depth(depth), Control::new());
    textbook::search(game, &on, &mut Memory::default(), &limits, &control, &mut |_| {})
}
