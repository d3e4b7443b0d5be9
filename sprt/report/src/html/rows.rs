//! Intervals below each other on one scale, as a table: each beside its name and its value, so that
//! nothing is written over what is drawn.

use maud::{Markup, html};

use super::chart::{Scale, place, spread, step_of, tick_label, ticks};

/// Rows that share a scale.
pub struct Rows {
    name: String,
    scale: Scale,
    ticks: Vec<f64>,
    /// Upright lines: value, class, and what stands above, if anything.
    lines: Vec<(f64, &'static str, &'static str)>,
    rows: Vec<Row>,
}

/// A row: its name, what is drawn, its value.
struct Row {
    label: Markup,
    drawn: Markup,
    value: String,
}

impl Rows {
    /// Values on the scale.
    const TICKS: usize = 4;

    /// No rows yet, on a scale that holds the values; `name` says what it measures.
    pub fn new(name: &str, values: impl IntoIterator<Item = f64>) -> Rows {
        let (low, high) = spread(values, 0.06);
        let scale = Scale::new(low, high, 0.0, 100.0);
        let ticks = ticks(low, high, Rows::TICKS);
        Rows { name: name.to_owned(), scale, ticks, lines: Vec::new(), rows: Vec::new() }
    }

    /// Draws an upright line through all rows.
    pub fn line(self, value: f64, class: &'static str) -> Rows {
        self.named_line(value, class, "")
    }

    /// Draws an upright line with a name above it.
    pub fn named_line(mut self, value: f64, class: &'static str, name: &'static str) -> Rows {
        self.lines.push((value, class, name));
        self
    }

    /// Adds an interval with its middle.
    pub fn interval(&mut self, label: Markup, [low, middle, high]: [f64; 3], value: &str) {
        let [left, middle, right] = [low, middle, high].map(|it| place(self.scale.clamped(it)));
        let drawn = html! {
            line.interval x1=(left) x2=(right) y1="5" y2="5" {}
            (dot(middle, "cand"))
        };
        self.rows.push(Row { label, drawn, value: value.to_owned() });
    }

    /// Adds a row of single values.
    pub fn dots(&mut self, label: Markup, values: &[f64]) {
        let drawn = html! {
            @for &value in values { (dot(place(self.scale.clamped(value)), "faint")) }
        };
        self.rows.push(Row { label, drawn, value: String::new() });
    }

    /// The table; nothing without rows. `description` is for those who cannot see it.
    pub fn into_markup(self, description: &str) -> Markup {
        let at = |value: f64| format!("left:{}%", place(self.scale.clamped(value)));
        let has_names = self.lines.iter().any(|(_, _, name)| !name.is_empty());
        html! {
            @if !self.rows.is_empty() {
                table.rows aria-label=(description) {
                    @if has_names { tr.scale {
                        td {}
                        td.plot { div {
                            @for (value, _, name) in &self.lines {
                                span class=(self.side_of(*value)) style=(at(*value)) { (name) }
                            }
                        } }
                        td {}
                    } }
                    @for row in &self.rows { tr {
                        th scope="row" { (row.label) }
                        td.plot { (self.plot(row)) }
                        td { (row.value) }
                    } }
                    tr.scale {
                        td {}
                        td.plot { div {
                            @for &tick in &self.ticks {
                                span style=(at(tick)) { (tick_label(tick, step_of(&self.ticks))) }
                            }
                        } }
                        td {}
                    }
                    tr.scale { td {} td.plot.unit { (self.name) } td {} }
                }
            }
        }
    }

    /// Where the name of a line stands, so that those of two close lines can be told apart.
    fn side_of(&self, value: f64) -> &'static str {
        let mut others =
            self.lines.iter().filter(|(other, _, name)| !name.is_empty() && *other != value);
        match others.next() {
            Some((other, ..)) if *other > value => "before",
            Some(_) => "after",
            None => "middle",
        }
    }

    fn plot(&self, row: &Row) -> Markup {
        html! {
            svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true" {
                @for &tick in &self.ticks { (self.upright(tick, "grid")) }
                @for (value, class, _) in &self.lines { (self.upright(*value, class)) }
                (row.drawn)
            }
        }
    }

    fn upright(&self, value: f64, class: &str) -> Markup {
        let x = place(self.scale.clamped(value));
        html! { line class=(class) x1=(x) x2=(x) y1="0" y2="10" {} }
    }
}

/// A dot that stays round however wide its row is: a line of no length with round ends.
fn dot(x: f64, class: &str) -> Markup {
    html! { line class={ "point " (class) } x1=(x) x2=(x) y1="5" y2="5" {} }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_has_its_name_and_its_value_beside_what_is_drawn() {
        let mut rows = Rows::new("Elo", [-10.0, 30.0]).named_line(0.0, "axis-line", "equal");
        rows.interval(html! { "one" }, [-10.0, 5.0, 20.0], "+5.0");
        rows.dots(html! { "two" }, &[0.0, 30.0]);
        let text = rows.into_markup("Elo of two").0;
        let row = text.split("<tr>").nth(1).expect("a row");
        let cells: Vec<&str> = row.split("<td").collect();
        assert!(cells[0].contains("<th scope=\"row\">one</th>"), "{row}");
        assert!(cells[1].contains("class=\"interval\"") && !cells[1].contains("<text"), "{row}");
        assert!(cells[2].contains(">+5.0</td>"), "{row}");
        assert!(text.contains(">equal</span>") && text.contains(">Elo</td>"), "{text}");
        assert_eq!(Rows::new("Elo", [0.0]).into_markup("none").0, "");
    }
}
