//! A node of the tree, from its window to its last move.

use crate::prelude::*;

/// A node as it is known before its moves are tried.
#[derive(Clone, Copy)]
pub(crate) struct Node<M> {
    /// Plies left to search, after what methods add or take off.
    pub(crate) depth: i32,
    pub(crate) ply: usize,
    pub(crate) in_check: bool,
    /// From the mover's view, none in check.
    pub(crate) evaluation: Option<Value>,
    /// The move to try first, or NONE.
    pub(crate) first: M,
    /// Some move will be at least as good as a pass.
    pub(crate) may_pass: bool,
    /// A position of the principal tree, whose moves are all searched.
    pub(crate) trusted: bool,
    /// The node is not cut before its moves: it is trusted, or the answer to a move of a trusted
    /// one.
    pub(crate) uncut: bool,
    /// Value that the mover has for sure, by standing pat.
    pub(crate) at_least: Value,
}

impl<G: TextbookGame> Search<'_, G> {
    /// The value of the current position from the mover's view, `depth` plies deep: exact within
    /// the window, else a bound.
    pub(crate) fn node(&mut self, alpha: Value, beta: Value, depth: i32, ply: usize) -> Value {
        if depth <= 0 && ply > 0 {
            return self.leaf(alpha, beta, ply);
        }
        if self.enter(ply) {
            return DRAW;
        }
        if ply == 0 {
            return self.open_node(alpha, beta, depth, ply);
        }
        self.by_rules((alpha, beta), (depth, ply), |search, alpha, beta| {
            search.open_node(alpha, beta, depth, ply)
        })
    }

    /// The value of a node that the rules of the game leave open.
    pub(crate) fn open_node(
        &mut self,
        mut alpha: Value,
        mut beta: Value,
        depth: i32,
        ply: usize,
    ) -> Value {
        if ply >= MAX_PLY - 1 {
            return self.game.evaluate();
        }
        let known = self.probe(ply);
        if let Some(value) = self.try_table_cutoff(known, (&mut alpha, &mut beta), depth, ply) {
            return value;
        }
        // At the root the last iteration knows better than the table, which an earlier search filled.
        let table_move = known.filter(|_| ply > 0).map(|known| known.mv);
        let mut node = self.look_at(table_move, depth, ply);
        if ply > 0 {
            node.depth += self.single_reply(&node);
            let cut = self
                .try_frontier(&mut node, beta)
                .or_else(|| self.try_static_search(&mut node, beta))
                .or_else(|| self.try_razoring(&mut node, alpha))
                .or_else(|| self.try_null_move(&mut node, beta));
            if self.stopped {
                return DRAW;
            }
            if let Some(value) = cut {
                return value;
            }
            if node.depth <= 0 {
                return self.leaf(alpha, beta, ply);
            }
        }
        if let Some(value) = self.deepen_internally(&mut node, known, depth, (alpha, beta)) {
            return value;
        }
        let value = self.try_moves(&node, alpha, beta);
        if self.stopped {
            return DRAW;
        }
        let value = self.methods.fail_soft.returned(value, (alpha, beta), self.methods.mtd);
        self.store(ply, depth, value, (alpha, beta));
        value
    }

    /// The node as it is known without a search.
    fn look_at(&mut self, table_move: Option<G::Move>, depth: i32, ply: usize) -> Node<G::Move> {
        let in_check = self.game.in_check();
        let evaluation = (!in_check).then(|| self.game.evaluate());
        self.evaluations[ply] = evaluation;
        let mut node = Node {
            depth,
            ply,
            in_check,
            evaluation,
            first: self.playable(table_move).unwrap_or_else(|| self.move_of_last_line(ply)),
            may_pass: self.game.may_pass(),
            trusted: false,
            uncut: false,
            at_least: -INFINITY,
        };
        self.trust(&mut node);
        node
    }

    /// The move, if it is one and can be played here: it may come from elsewhere.
    pub(crate) fn playable(&self, mv: Option<G::Move>) -> Option<G::Move> {
        mv.filter(|&mv| mv != G::Move::NONE && self.game.is_plausible(mv))
    }

    /// Tries the moves one by one; the value of the best, or of having none.
    fn try_moves(&mut self, node: &Node<G::Move>, alpha: Value, beta: Value) -> Value {
        let (ply, window) = (node.ply, (alpha, beta));
        let mut best = node.at_least;
        let mut alpha = self.methods.alpha_beta.raised(alpha, best);
        let moves = if ply == 0 { self.root_moves.clone() } else { self.game.legal_moves() };
        if moves.is_empty() {
            return self.game.stuck(ply);
        }
        self.killers[ply + 1].clear();
        for (index, mv) in self.sorted(moves, ply, node.first).into_iter().enumerate() {
            if let Some(bound) = self.skip_futile(node, mv, alpha, best) {
                best = best.max(bound);
                continue;
            }
            let value = self.try_move(node, mv, index == 0, (alpha, beta));
            if self.stopped {
                return DRAW;
            }
            if value <= best {
                continue;
            }
            best = value;
            if value > alpha {
                self.improve_line(ply, mv);
                self.learn(mv, node, value >= beta);
                if ply == 0 {
                    self.answer(value, node.depth, window);
                }
            }
            alpha = self.methods.alpha_beta.raised(alpha, best);
            if alpha >= beta {
                break;
            }
        }
        best
    }

    /// Plays and searches one move of a node; its value from the mover's view.
    fn try_move(
        &mut self,
        node: &Node<G::Move>,
        mv: G::Move,
        is_first: bool,
        window: (Value, Value),
    ) -> Value {
        let pressure = self.pressure_before();
        self.play(mv, node.trusted);
        let depth = node.depth - 1 + self.extension(node, pressure);
        let lazy = self.try_lazy_eval(node, is_first, depth, window.0);
        let value = lazy.unwrap_or_else(|| self.scout(is_first, window, depth, node.ply + 1));
        self.undo();
        value
    }
}
