//! A board: the men, whose turn it is, and the counters.

use super::{Bitboard, Color, Kind, Move, Piece, Square, attacks, keys};

/// Plies without capture after which a game is drawn.
pub const NATURAL_LIMIT: u32 = 120;
/// Checks of a side that the natural limit counts.
const COUNTED_CHECKS: u8 = 10;
/// The code of an empty square in the list of men.
const NOBODY: u8 = Piece::COUNT as u8;

/// A board without its past.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Board {
    kinds: [Bitboard; Kind::COUNT],
    colors: [Bitboard; 2],
    /// The men that check the side to move.
    checkers: Bitboard,
    /// By square, the index of the man.
    men: [u8; Square::COUNT],
    kings: [Square; 2],
    mover: Color,
    /// Checks of each side since the last capture, as far as they are counted.
    checks: [u8; 2],
    /// The check that stands, or the last one, was not counted.
    is_check_free: bool,
    /// Plies since the last capture, without checks beyond the tenth and their answers.
    clock: u32,
    /// Plies since the last capture, the last pass, or the first board.
    shuffled: u32,
    /// Number of the move, from 1.
    number: u32,
    key: u64,
    pawn_key: u64,
    /// Of the other men of each side.
    side_keys: [u64; 2],
}

impl Board {
    /// A board with these men. Each side must have its king.
    ///
    /// # Panics
    /// If one has none.
    pub(super) fn new(
        men: impl IntoIterator<Item = (Square, Piece)>,
        mover: Color,
        clock: u32,
        number: u32,
    ) -> Board {
        let mut board = Board {
            kinds: [Bitboard::EMPTY; Kind::COUNT],
            colors: [Bitboard::EMPTY; 2],
            checkers: Bitboard::EMPTY,
            men: [NOBODY; Square::COUNT],
            kings: [Square::at(0); 2],
            mover,
            checks: [0; 2],
            is_check_free: false,
            clock,
            shuffled: 0,
            number,
            key: if mover == Color::Black { keys::BLACK_TO_MOVE } else { 0 },
            pawn_key: 0,
            side_keys: [0; 2],
        };
        for (square, piece) in men {
            board.toggle(piece, square);
            board.men[square.index()] = piece.index() as u8;
        }
        for color in Color::ALL {
            let king = board.of(color, Kind::King).first().expect("each side has its king");
            board.kings[color.index()] = king;
        }
        board.checkers = board.checkers_of(mover);
        board
    }

    /// The men of a kind, of both sides.
    #[inline]
    pub fn kind(&self, kind: Kind) -> Bitboard {
        self.kinds[kind.index()]
    }

    /// The men of a side.
    #[inline]
    pub fn color(&self, color: Color) -> Bitboard {
        self.colors[color.index()]
    }

    /// The men of a kind of a side.
    #[inline]
    pub fn of(&self, color: Color, kind: Kind) -> Bitboard {
        self.kind(kind) & self.color(color)
    }

    /// All men.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    /// Where a side's king stands.
    #[inline]
    pub fn king(&self, color: Color) -> Square {
        self.kings[color.index()]
    }

    /// The man on a square.
    #[inline]
    pub fn man_on(&self, square: Square) -> Option<Piece> {
        let code = self.men[square.index()];
        (code != NOBODY).then(|| {
            let (color, kind) = (code / Kind::COUNT as u8, code % Kind::COUNT as u8);
            Piece { color: Color::ALL[usize::from(color)], kind: Kind::ALL[usize::from(kind)] }
        })
    }

    /// Whose turn it is.
    #[inline]
    pub fn side_to_move(&self) -> Color {
        self.mover
    }

    /// The men that check the side to move.
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// Whether the side to move is in check.
    #[inline]
    pub fn in_check(&self) -> bool {
        self.checkers.any()
    }

    /// Plies since the last capture as the natural limit counts them: no checks of a side beyond its
    /// tenth, nor the answers to them.
    #[inline]
    pub fn clock(&self) -> u32 {
        self.clock
    }

    /// Plies since the last capture, the last pass, or the first board: those that could be undone.
    #[inline]
    pub(super) fn shuffled(&self) -> u32 {
        self.shuffled
    }

    /// The number of the move about to be played, from 1.
    #[inline]
    pub fn number(&self) -> u32 {
        self.number
    }

    /// A key of men and turn.
    #[inline]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// A key of the pawns.
    #[inline]
    pub fn pawn_key(&self) -> u64 {
        self.pawn_key
    }

    /// A key of the men of a side that are no pawns.
    #[inline]
    pub fn side_key(&self, color: Color) -> u64 {
        self.side_keys[color.index()]
    }

    /// The key after a move, and the turn gone over.
    #[inline]
    pub fn key_after(&self, mv: Move) -> u64 {
        let (from, to) = (mv.from(), mv.to());
        let mut key = self.key ^ keys::BLACK_TO_MOVE;
        if let Some(piece) = self.man_on(from) {
            key ^= keys::man(piece, from) ^ keys::man(piece, to);
        }
        if let Some(captured) = self.man_on(to) {
            key ^= keys::man(captured, to);
        }
        key
    }

    /// The key after a pass.
    #[inline]
    pub fn key_after_pass(&self) -> u64 {
        self.key ^ keys::BLACK_TO_MOVE
    }

    /// Men of a side that attack a square over these men. A king attacks beside it alone.
    pub fn attackers(&self, color: Color, square: Square, occupied: Bitboard) -> Bitboard {
        let pawns = attacks::pawns_of(color, square) & self.kind(Kind::Pawn);
        let kings = attacks::king(square) & self.kind(Kind::King);
        let advisors = attacks::advisor(square) & self.kind(Kind::Advisor);
        let elephants = attacks::elephant(square, occupied) & self.kind(Kind::Elephant);
        let horses = attacks::horses_to(square, occupied) & self.kind(Kind::Horse);
        let cannons = attacks::cannon(square, occupied) & self.kind(Kind::Cannon);
        let rooks = attacks::rook(square, occupied) & self.kind(Kind::Rook);
        let all = pawns | kings | advisors | elephants | horses | cannons | rooks;
        all & self.color(color) & occupied
    }

    /// Men of a side that would check the other's king there over these men. Kings that face each other do.
    #[inline]
    pub(super) fn checking(&self, color: Color, king: Square, occupied: Bitboard) -> Bitboard {
        let straight = self.kind(Kind::Rook) | self.kind(Kind::King);
        let men = (attacks::rook(king, occupied) & straight)
            | (attacks::cannon(king, occupied) & self.kind(Kind::Cannon))
            | (attacks::horses_to(king, occupied) & self.kind(Kind::Horse))
            | (attacks::pawns_of(color, king) & self.kind(Kind::Pawn));
        men & self.color(color)
    }

    /// The men that check a side's king.
    #[inline]
    pub(super) fn checkers_of(&self, color: Color) -> Bitboard {
        self.checking(!color, self.king(color), self.occupied())
    }

    /// Takes a man up, or puts it down, in all but the list of men.
    #[inline]
    fn toggle(&mut self, piece: Piece, square: Square) {
        let set = Bitboard::of(square);
        self.kinds[piece.kind.index()] ^= set;
        self.colors[piece.color.index()] ^= set;
        let number = keys::man(piece, square);
        self.key ^= number;
        match piece.kind {
            Kind::Pawn => self.pawn_key ^= number,
            _ => self.side_keys[piece.color.index()] ^= number,
        }
    }

    /// Plays a move of the side to move.
    pub(super) fn play(&mut self, mv: Move) {
        let (from, to) = (mv.from(), mv.to());
        let piece = self.man_on(from).expect("a man that moves");
        let captured = self.man_on(to);
        if let Some(captured) = captured {
            self.toggle(captured, to);
        }
        self.toggle(piece, from);
        self.toggle(piece, to);
        self.men[to.index()] = self.men[from.index()];
        self.men[from.index()] = NOBODY;
        if piece.kind == Kind::King {
            self.kings[piece.color.index()] = to;
        }
        let was_free = self.in_check() && self.is_check_free;
        self.hand_over();
        self.checkers = self.checkers_of(self.mover);
        if captured.is_some() {
            (self.clock, self.checks, self.is_check_free) = (0, [0; 2], false);
            self.shuffled = 0;
        } else {
            self.shuffled += 1;
            let is_free = self.count_check(piece.color);
            self.clock += u32::from(!was_free && !is_free);
        }
    }

    /// Counts the check that a side may have given just now; true if the natural limit does not.
    fn count_check(&mut self, color: Color) -> bool {
        if !self.in_check() {
            return false;
        }
        let count = &mut self.checks[color.index()];
        self.is_check_free = *count >= COUNTED_CHECKS;
        *count += u8::from(!self.is_check_free);
        self.is_check_free
    }

    /// Gives the turn to the other side; not in check.
    pub(super) fn pass(&mut self) {
        self.hand_over();
        self.clock += 1;
        self.shuffled = 0;
    }

    fn hand_over(&mut self) {
        self.number += u32::from(self.mover == Color::Black);
        self.mover = !self.mover;
        self.key ^= keys::BLACK_TO_MOVE;
        self.checkers = Bitboard::EMPTY;
    }

    /// The same board with its counters as at the start of a game.
    #[must_use]
    pub fn without_counters(mut self) -> Board {
        (self.clock, self.checks, self.is_check_free, self.number) = (0, [0; 2], false, 1);
        self.shuffled = 0;
        self
    }

    /// The men with their squares.
    pub fn men(&self) -> impl Iterator<Item = (Square, Piece)> {
        self.occupied().filter_map(|square| Some((square, self.man_on(square)?)))
    }

    /// The board with left and right exchanged.
    pub fn mirrored(&self) -> Board {
        let men = self.men().map(|(square, piece)| (square.mirrored(), piece));
        Board::new(men, self.mover, self.clock, self.number)
    }

    /// The board with the sides exchanged: the same position for the side to move.
    pub fn turned(&self) -> Board {
        let men = self.men().map(|(square, piece)| {
            (square.turned(), Piece { color: !piece.color, kind: piece.kind })
        });
        Board::new(men, !self.mover, self.clock, self.number)
    }
}
