//! Sets of numbers of any game.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use parameters::{Declaration, Declared, Format, NameError, Named, Number, ParameterSet, Table};
use search::Margins;

use crate::Game;

/// A complete set of numbers in a box; [`ParameterSet`] describes each question.
pub trait NumberSet: Send + Sync {
    /// See [`ParameterSet::get`].
    ///
    /// # Errors
    /// As there.
    fn get(&self, name: &str) -> Result<i32, NameError>;

    /// The set with one number changed, see [`ParameterSet::set`].
    ///
    /// # Errors
    /// As there.
    fn with(&self, name: &str, value: i64) -> Result<Arc<dyn NumberSet>, NameError>;

    /// The set with one number changed.
    ///
    /// # Errors
    /// The value is out of range, or the set does not have the number.
    fn with_number(&self, number: &Number, value: i64) -> Result<Arc<dyn NumberSet>, NameError>;

    /// See [`Number::value`].
    fn value(&self, number: &Number) -> i32;

    /// See [`ParameterSet::declarations`].
    fn declarations(&self, table: Table) -> &'static [Declaration];

    /// See [`ParameterSet::search_table`].
    fn search_table(&self) -> Table;

    /// The numbers of the search.
    fn margins(&self) -> &Margins;

    /// Every number of the set, weights first, in the order of declaration.
    fn own_numbers(&self) -> Vec<Number> {
        let tables = [Table::Weights, self.search_table()];
        let declarations = tables.into_iter().flat_map(|table| self.declarations(table));
        declarations.flat_map(Declaration::numbers).collect()
    }

    /// See [`ParameterSet::find`].
    ///
    /// # Errors
    /// As there.
    fn find(&self, name: &str) -> Result<Number, NameError>;

    /// See [`ParameterSet::to_toml`].
    fn to_toml(&self) -> String {
        self.to_toml_with_notes("")
    }

    /// See [`ParameterSet::to_toml_with_notes`].
    fn to_toml_with_notes(&self, notes: &str) -> String;

    /// See [`ParameterSet::format_some`].
    fn format_some(&self, format: Format, wanted: &dyn Fn(&Declaration) -> bool) -> String;

    /// See [`ParameterSet::fingerprint`].
    fn fingerprint(&self) -> String;

    /// The set as its game has it.
    fn into_any(self: Arc<Self>) -> Arc<dyn Any + Send + Sync>;
}

impl<W, T> NumberSet for ParameterSet<W, Margins, T>
where
    W: Named + Send + Sync + 'static,
    T: Declared + Send + Sync + 'static,
{
    fn get(&self, name: &str) -> Result<i32, NameError> {
        ParameterSet::get(self, name)
    }

    fn with(&self, name: &str, value: i64) -> Result<Arc<dyn NumberSet>, NameError> {
        let mut changed = self.clone();
        changed.set(name, value)?;
        Ok(Arc::new(changed))
    }

    fn with_number(&self, number: &Number, value: i64) -> Result<Arc<dyn NumberSet>, NameError> {
        let mut changed = self.clone();
        number.set(&mut changed, value)?;
        Ok(Arc::new(changed))
    }

    fn value(&self, number: &Number) -> i32 {
        number.value(self)
    }

    fn declarations(&self, table: Table) -> &'static [Declaration] {
        ParameterSet::<W, Margins, T>::declarations(table)
    }

    fn search_table(&self) -> Table {
        ParameterSet::search_table(self)
    }

    fn margins(&self) -> &Margins {
        &self.margins
    }

    fn find(&self, name: &str) -> Result<Number, NameError> {
        ParameterSet::<W, Margins, T>::find(name)
    }

    fn to_toml_with_notes(&self, notes: &str) -> String {
        ParameterSet::to_toml_with_notes(self, notes)
    }

    fn format_some(&self, format: Format, wanted: &dyn Fn(&Declaration) -> bool) -> String {
        ParameterSet::format_some(self, format, wanted)
    }

    fn fingerprint(&self) -> String {
        ParameterSet::fingerprint(self)
    }

    fn into_any(self: Arc<Self>) -> Arc<dyn Any + Send + Sync> {
        self
    }
}

/// Weights of a game.
pub trait OfGame: Named + Send + Sync + 'static {
    /// The game.
    const GAME: Game;
}

/// A complete set of numbers with which a game is played. Clones share them.
#[derive(Clone)]
pub struct Numbers {
    game: Game,
    set: Arc<dyn NumberSet>,
}

impl Numbers {
    /// The numbers of a game.
    pub fn new(game: Game, set: Arc<dyn NumberSet>) -> Numbers {
        Numbers { game, set }
    }

    /// The game.
    pub fn game(&self) -> Game {
        self.game
    }

    /// The numbers as their game has them.
    ///
    /// # Panics
    /// If they are of another game.
    pub fn typed<P: Send + Sync + 'static>(&self) -> Arc<P> {
        let typed = Arc::clone(&self.set).into_any().downcast();
        typed.unwrap_or_else(|_| panic!("numbers of another game: {:?}", self.game))
    }

    /// Sets one number by its name, see [`ParameterSet::set`].
    ///
    /// # Errors
    /// As there; nothing is changed then.
    pub fn set(&mut self, name: &str, value: i64) -> Result<(), NameError> {
        self.set = self.set.with(name, value)?;
        Ok(())
    }

    /// Sets one number.
    ///
    /// # Errors
    /// The value is out of range, or the set does not have the number; nothing is changed then.
    pub fn set_number(&mut self, number: &Number, value: i64) -> Result<(), NameError> {
        self.set = self.set.with_number(number, value)?;
        Ok(())
    }

    /// Whether both share one set.
    pub fn is_same(&self, other: &Numbers) -> bool {
        std::ptr::addr_eq(Arc::as_ptr(&self.set), Arc::as_ptr(&other.set))
    }
}

impl<W, T> From<Arc<ParameterSet<W, Margins, T>>> for Numbers
where
    W: OfGame,
    T: Declared + Send + Sync + 'static,
{
    fn from(set: Arc<ParameterSet<W, Margins, T>>) -> Numbers {
        Numbers::new(W::GAME, set)
    }
}

impl std::ops::Deref for Numbers {
    type Target = dyn NumberSet;

    fn deref(&self) -> &(dyn NumberSet + 'static) {
        &*self.set
    }
}

impl PartialEq for Numbers {
    fn eq(&self, other: &Numbers) -> bool {
        self.game == other.game && self.fingerprint() == other.fingerprint()
    }
}

impl fmt::Debug for Numbers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {}", self.game, self.fingerprint())
    }
}
