//! A run in memory: who plays, and what was counted so far.

use std::path::Path;
use std::sync::Arc;

use work::journal::checksum;

use super::copies::Copies;
use super::folder::{self, Header, find_openings};
use super::journal::PairReader;
use super::pairs::{self, Pairs};
use super::{Competition, Description, RunError, RunTally, Workers};
use crate::game::PairRecord;
use crate::openings::Book;
use crate::pgn::PgnTags;
use crate::player::{Identity, Loaded};
use crate::playing::{Referee, Tablebase};

/// A run in memory: what is played, and what was counted so far.
pub(super) struct Run<C: Competition> {
    pub header: Header<C::Rules>,
    pub competition: C,
    /// Who plays whom from every opening.
    pub pairings: Vec<[usize; 2]>,
    /// Who plays; nobody if the run is only looked at.
    pub players: Vec<Loaded>,
    pub openings: Arc<Book>,
    /// Endgame tables; none if the run is only looked at.
    pub tablebase: Option<Tablebase>,
    /// Finds pairs that equal earlier ones, where players repeat themselves.
    pub copies: Option<Copies>,
    pub tally: RunTally,
}

impl<C: Competition> Run<C> {
    pub fn new(
        header: Header<C::Rules>,
        competition: C,
        players: Vec<Loaded>,
        openings: Book,
    ) -> Run<C> {
        let identities: Vec<Identity> =
            header.players.iter().map(|entry| entry.identity.clone()).collect();
        let pairings = competition.pairings();
        let contestants = header.players.iter().map(|entry| &entry.contestant);
        Run {
            tally: RunTally::new(&identities),
            copies: Copies::of_run(contestants, (openings.len() * pairings.len()) as u64),
            pairings,
            header,
            competition,
            players,
            openings: Arc::new(openings),
            tablebase: None,
        }
    }

    /// A run without players. Loads the openings from its folder, and checks that they are the same
    /// as then.
    pub fn load(header: Header<C::Rules>, folder: &Path) -> Result<Run<C>, RunError> {
        let identities: Vec<Identity> =
            header.players.iter().map(|it| it.identity.clone()).collect();
        let competition = C::new(&header.rules, &identities)?;
        let path = find_openings(folder);
        let openings = Book::load(&path, &competition.play_rules().openings)?;
        folder::unchanged(&path, checksum(openings.bytes()), &header.openings)?;
        Ok(Run::new(header, competition, Vec::new(), openings))
    }

    pub fn description(&self, folder: &Path) -> Description<C::Rules> {
        let Header { players, rules, openings: checksum, .. } = &self.header;
        Description {
            folder: folder.to_path_buf(),
            contestants: players.iter().map(|entry| entry.contestant.clone()).collect(),
            identities: players.iter().map(|entry| entry.identity.clone()).collect(),
            openings: self.openings.clone(),
            openings_checksum: checksum.clone(),
            rules: rules.clone(),
        }
    }

    pub fn tags(&self) -> PgnTags {
        PgnTags {
            event: PgnTags::event(self.competition.play_rules().seed),
            players: self.header.players.iter().map(|it| it.identity.name.clone()).collect(),
            limits: self.header.players.iter().map(|it| it.contestant.limits).collect(),
            comments: self.competition.play_rules().pgn_comments,
            notation: self.competition.play_rules().notation(),
        }
    }

    /// True if the pair equals an earlier one, so that it says nothing new.
    pub fn is_copy(&self, pair: &PairRecord) -> bool {
        self.copies.as_ref().is_some_and(|copies| copies.contains(pair))
    }

    /// Counts a pair; returns false for a copy of an earlier one, which adds nothing but itself.
    pub fn count(&mut self, pair: &PairRecord) -> bool {
        let is_copy = self.is_copy(pair);
        if is_copy {
            self.tally.copies += 1;
        } else {
            self.tally.count(pair);
            self.competition.count(pair);
        }
        if let Some(copies) = &mut self.copies {
            copies.note(pair);
            self.tally.is_exhausted = copies.are_all();
        }
        self.pass_over();
        !is_copy
    }

    /// Counts a pair of the journal, which must be the next one, as [`Run::count`] does.
    pub fn count_due(&mut self, pair: &PairRecord, reader: &PairReader) -> Result<bool, RunError> {
        if pair.number != self.tally.next_pair() {
            let reason = format!("pair {} is out of order", pair.number);
            return Err(reader.damaged(reason).into());
        }
        Ok(self.count(pair))
    }

    /// True if this pairing is not played any more.
    pub fn is_left_out(&self, players: [usize; 2]) -> bool {
        players.iter().any(|&player| self.competition.is_withdrawn(player))
    }

    /// Passes over the pairs that are left out before the next one that is played.
    pub fn pass_over(&mut self) {
        let end = self.competition.pairs();
        if self.pairings.iter().all(|&players| self.is_left_out(players)) {
            self.tally.left_out = end - self.tally.pairs - self.tally.copies;
        }
        let pairings = self.pairings.len() as u64;
        while self.tally.next_pair() < end
            && self.is_left_out(self.pairings[(self.tally.next_pair() % pairings) as usize])
        {
            self.tally.left_out += 1;
        }
    }

    pub fn progress(&self, resumed_pairs: u64) -> C::Progress {
        self.competition.progress(&self.tally, resumed_pairs)
    }

    /// Whether the run is over, which depends on nothing but the pairs counted so far.
    pub fn is_over(&self) -> bool {
        self.competition.is_decided() || self.tally.is_at_end(self.competition.pairs())
    }

    /// Whether the run goes on, by what the players did wrong.
    pub fn check(&self) -> Result<(), RunError> {
        let rules = self.competition.play_rules();
        self.tally.check(rules, |player| self.competition.is_withdrawn(player))?;
        match self.is_over() && self.competition.has_verdict() {
            true => self.tally.check_verdict(rules),
            false => Ok(()),
        }
    }

    /// The pairs of the run as units of work.
    pub fn pairs_to_play(&self, workers: &Workers) -> Pairs {
        let rules = self.competition.play_rules();
        Pairs {
            card: pairs::card(&self.header, C::KIND, rules),
            players: self.players.clone(),
            openings: self.openings.clone(),
            tags: self.tags(),
            seed: rules.seed,
            referee: Referee { settings: rules.game, tablebase: self.tablebase.clone() },
            workers: workers.clone(),
        }
    }

    pub fn summary(mut self) -> C::Summary {
        self.tally.openings_repeated =
            self.tally.pairs > (self.openings.distinct() * self.pairings.len()) as u64;
        let (identities, contestants) =
            self.header.players.into_iter().map(|it| (it.identity, it.contestant)).unzip();
        self.competition.summary(contestants, identities, self.tally)
    }
}
