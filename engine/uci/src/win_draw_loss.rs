//! Chances of win, draw and loss from a score, for `UCI_ShowWDL`.

/// Chances of win, draw and loss in permille for the side to move, from its score in centipawns.
///
/// The model is two logistic curves: the chance to win is σ((score − a)/b), the chance to lose
/// σ((−score − a)/b), a draw is the rest. `a` is the score at which half of all games are won, `b`
/// how fast chances change. Both are round numbers near what games at fast controls show; nothing
/// in the engine depends on them.
pub fn win_draw_loss(centipawns: i32) -> [u32; 3] {
    const HALF_WON: f64 = 160.0;
    const SPREAD: f64 = 90.0;
    let win = |score: f64| 1000.0 / (1.0 + ((HALF_WON - score) / SPREAD).exp());
    let score = f64::from(centipawns);
    let (win, loss) = (win(score).round() as u32, win(-score).round() as u32);
    [win, 1000 - win - loss, loss]
}
