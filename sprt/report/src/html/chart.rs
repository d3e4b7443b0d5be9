//! Charts as inline SVG: scales, axes, lines, bars. Colors come from the style sheet by class.

use std::fmt::Write;

use maud::{Markup, PreEscaped, Render, html};

use super::document::{CHART_STYLE, COLORS};
use super::words::dotted_name;

/// The room of a chart in its own units, which the page scales to the room there is.
#[derive(Clone, Copy, Debug)]
pub struct Area {
    /// All of its width.
    pub width: f64,
    /// All of its height.
    pub height: f64,
    /// Room beside the plane for the labels of the ordinate.
    pub left: f64,
    /// Room below the plane for those of the abscissa.
    pub bottom: f64,
}

impl Area {
    /// A chart in a panel.
    pub const PANEL: Area = Area { width: 460.0, height: 250.0, left: 48.0, bottom: 34.0 };
    const RIGHT: f64 = 16.0;
    const TOP: f64 = 16.0;

    fn right(&self) -> f64 {
        self.width - Area::RIGHT
    }

    fn floor(&self) -> f64 {
        self.height - self.bottom
    }
}

/// A linear scale: from values to places.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Scale {
    /// A scale from the place `from` to the place `to`.
    pub fn new(low: f64, high: f64, from: f64, to: f64) -> Scale {
        // A scale of no extent has every value in its middle.
        let (low, high) = if high > low { (low, high) } else { (low - 0.5, low + 0.5) };
        Scale { low, high, from, to }
    }

    /// The place of a value.
    pub fn at(&self, value: f64) -> f64 {
        self.from + (value - self.low) / (self.high - self.low) * (self.to - self.from)
    }

    /// The place of a value, or of the end of the scale that it is beyond.
    pub fn clamped(&self, value: f64) -> f64 {
        self.at(value.clamp(self.low, self.high))
    }
}

/// A range that holds these values with some room around them.
pub fn widened(values: impl Iterator<Item = f64>) -> (f64, f64) {
    spread(values, 0.06)
}

/// A range that holds these values, as far as they are finite, with a share of it as room at either
/// end.
pub fn spread(values: impl IntoIterator<Item = f64>, share: f64) -> (f64, f64) {
    let finite = values.into_iter().filter(|value| value.is_finite());
    let (low, high) = finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
        (low.min(value), high.max(value))
    });
    if low > high {
        return (0.0, 1.0);
    }
    let room = share * (high - low).max(1e-6);
    (low - room, high + room)
}

/// Round values that divide a range into about `parts`.
pub fn ticks(low: f64, high: f64, parts: usize) -> Vec<f64> {
    ticks_of((high - low) / parts as f64, low, high)
}

/// As [`ticks`] for what is counted: whole numbers alone.
fn whole_ticks(low: f64, high: f64, parts: usize) -> Vec<f64> {
    ticks_of(((high - low) / parts as f64).max(1.0), low, high)
}

/// Round values in a range, about as far apart as `rough`.
fn ticks_of(rough: f64, low: f64, high: f64) -> Vec<f64> {
    if !rough.is_finite() || rough <= 0.0 {
        return vec![low];
    }
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .map(|factor| factor * power)
        .find(|step| *step >= rough * 0.999)
        .unwrap_or(10.0 * power);
    let first = (low / step - 1e-9).ceil() as i64;
    let last = (high / step + 1e-9).floor() as i64;
    (first..=last).map(|index| index as f64 * step).collect()
}

/// A value on an axis, as short as the distance of its ticks allows.
pub fn tick_label(value: f64, step: f64) -> String {
    let (value, step, unit) = match step {
        step if step >= 1e6 => (value / 1e6, step / 1e6, "M"),
        step if step >= 1e3 => (value / 1e3, step / 1e3, "k"),
        step if value.abs() >= 1e4 => (value / 1e3, step / 1e3, "k"),
        step => (value, step, ""),
    };
    let decimals = (0..6).find(|&digits| {
        let scaled = step * 10f64.powi(digits);
        (scaled - scaled.round()).abs() < 1e-6 * scaled.max(1.0) && scaled >= 0.999
    });
    let text = format!("{value:.*}", decimals.unwrap_or(0) as usize);
    if value == 0.0 { "0".to_owned() } else { text.replace('-', "−") + unit }
}

/// A plane with two axes.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// The room it takes.
    pub area: Area,
    /// Scale of the abscissa.
    pub x: Scale,
    /// Scale of the ordinate.
    pub y: Scale,
}

impl Frame {
    /// A plane for these ranges in a panel.
    pub fn new(x: (f64, f64), y: (f64, f64)) -> Frame {
        Frame::within(Area::PANEL, x, y)
    }

    /// A plane for these ranges in other room.
    pub fn within(area: Area, x: (f64, f64), y: (f64, f64)) -> Frame {
        Frame {
            area,
            x: Scale::new(x.0, x.1, area.left, area.right()),
            y: Scale::new(y.0, y.1, area.floor(), Area::TOP),
        }
    }

    /// Grid and labels. `x_name` stands at the right below the axis.
    pub fn axes(&self, x_name: &str) -> Markup {
        self.axes_at(&ticks(self.x.low, self.x.high, 5), x_name)
    }

    /// As [`Frame::axes`] over what is counted, such as pairs: only whole numbers are labeled.
    pub fn counting_axes(&self, x_name: &str) -> Markup {
        self.axes_at(&whole_ticks(self.x.low, self.x.high, 5), x_name)
    }

    fn axes_at(&self, x_ticks: &[f64], x_name: &str) -> Markup {
        html! {
            (self.ordinate())
            @for &tick in x_ticks {
                text.tick x=(place(self.x.at(tick))) y=(self.area.floor() + 15.0)
                    text-anchor="middle" { (tick_label(tick, step_of(x_ticks))) }
            }
            (self.abscissa_name(x_name))
        }
    }

    /// Horizontal grid with labels.
    pub fn ordinate(&self) -> Markup {
        self.ordinate_at(&ticks(self.y.low, self.y.high, 5))
    }

    fn ordinate_at(&self, y_ticks: &[f64]) -> Markup {
        html! {
            @for &tick in y_ticks {
                (self.level(tick, "grid"))
                text.tick x=(self.area.left - 6.0) y=(place(self.y.at(tick) + 4.0))
                    text-anchor="end" { (tick_label(tick, step_of(y_ticks))) }
            }
        }
    }

    /// The name of the abscissa.
    pub fn abscissa_name(&self, name: &str) -> Markup {
        html! {
            text.axis x=(self.area.right()) y=(self.area.height - 3.0) text-anchor="end" { (name) }
        }
    }

    /// A vertical line at a value.
    pub fn upright(&self, value: f64, class: &str) -> Markup {
        let x = place(self.x.clamped(value));
        html! { line class=(class) x1=(x) x2=(x) y1=(Area::TOP) y2=(self.area.floor()) {} }
    }

    /// A point with an error bar.
    pub fn error_bar(&self, x: f64, [low, middle, high]: [f64; 3]) -> Markup {
        let x = place(self.x.clamped(x));
        let [low, middle, high] = [low, middle, high].map(|value| place(self.y.clamped(value)));
        html! {
            line.error-bar x1=(x) x2=(x) y1=(low) y2=(high) {}
            circle.dot.cand cx=(x) cy=(middle) r="3.5" {}
        }
    }

    /// A label below the axis that reads upwards.
    pub fn upright_label(&self, x: f64, label: &str) -> Markup {
        let (x, y) = (place(self.x.at(x) + 4.0), self.area.floor() + 8.0);
        html! {
            text.tick x=(x) y=(y) text-anchor="end" transform={ "rotate(-90 " (x) " " (y) ")" } {
                (label)
            }
        }
    }

    /// A horizontal line at a value, through the whole plane.
    pub fn level(&self, value: f64, class: &str) -> Markup {
        let y = place(self.y.clamped(value));
        let Area { left, .. } = self.area;
        html! { line class=(class) x1=(left) x2=(self.area.right()) y1=(y) y2=(y) {} }
    }

    /// Everything between two values of the ordinate.
    pub fn zone(&self, low: f64, high: f64, class: &str) -> Markup {
        let (top, bottom) = (self.y.clamped(high), self.y.clamped(low));
        html! {
            rect class=(class) x=(self.area.left) y=(place(top))
                width=(self.area.right() - self.area.left)
                height=(place((bottom - top).max(0.0))) {}
        }
    }

    /// A line through points.
    pub fn line(&self, points: &[(f64, f64)], class: &str) -> Markup {
        html! { path class={ "line " (class) } d=(self.path(points.iter().copied())) {} }
    }

    /// The area between two lines over the same abscissas: `(x, low, high)`.
    pub fn band(&self, points: &[(f64, f64, f64)], class: &str) -> Markup {
        let there = points.iter().map(|&(x, _, high)| (x, high));
        let back = points.iter().rev().map(|&(x, low, _)| (x, low));
        html! { path class=(class) d={ (self.path(there.chain(back))) "Z" } {} }
    }

    /// A dot with a label beside it, on the side where there is room.
    pub fn mark(&self, (x, y): (f64, f64), label: &str, class: &str) -> Markup {
        let (x, y) = (self.x.clamped(x), self.y.clamped(y));
        let right = x < 0.75 * self.area.width;
        let (shift, anchor) = if right { (8.0, "start") } else { (-8.0, "end") };
        let label_y = if y < Area::TOP + 16.0 { y + 16.0 } else { y - 8.0 };
        html! {
            circle class={ "dot " (class) } cx=(place(x)) cy=(place(y)) r="3.5" {}
            text.value x=(place(x + shift)) y=(place(label_y)) text-anchor=(anchor) { (label) }
        }
    }

    /// A label at the right end of the plane, above the value.
    pub fn level_label(&self, value: f64, label: &str, above: bool) -> Markup {
        let shift = if above { -5.0 } else { 13.0 };
        html! {
            text.note x=(self.area.left + 6.0) y=(place(self.y.clamped(value) + shift)) { (label) }
        }
    }

    fn path(&self, points: impl Iterator<Item = (f64, f64)>) -> String {
        let mut data = String::new();
        for (x, y) in points {
            let command = if data.is_empty() { 'M' } else { 'L' };
            let (x, y) = (place(self.x.clamped(x)), place(self.y.clamped(y)));
            write!(data, "{command}{x} {y}").expect("writing to a string");
        }
        data
    }
}

/// A column of a bar chart: parts from the bottom up, each with its class and tooltip.
pub struct Column {
    /// Text below it; may be empty.
    pub label: String,
    /// Text above it; may be empty.
    pub value: String,
    /// Heights, classes and tooltips.
    pub parts: Vec<(f64, &'static str, String)>,
}

/// Columns side by side, whose heights are counts. `gap` is the share of a column's room that is left free.
pub fn columns(columns: &[Column], gap: f64, x_name: &str) -> Markup {
    let height = |column: &Column| column.parts.iter().map(|part| part.0).sum::<f64>();
    let most = columns.iter().map(height).fold(0.0, f64::max).max(1.0);
    let frame = Frame::new((0.0, columns.len() as f64), (0.0, most * 1.12));
    html! {
        (frame.ordinate_at(&whole_ticks(frame.y.low, frame.y.high, 5)))
        @for (index, column) in columns.iter().enumerate() {
            @let left = frame.x.at(index as f64 + gap / 2.0);
            @let right = frame.x.at(index as f64 + 1.0 - gap / 2.0);
            @for (base, (part, class, tooltip)) in stacked(&column.parts) {
                @let (top, bottom) = (frame.y.at(base + part), frame.y.at(base));
                rect class=(class) x=(place(left)) width=(place(right - left)) y=(place(top))
                    height=(place(bottom - top)) { title { (tooltip) } }
            }
            @if !column.value.is_empty() {
                text.value x=(place((left + right) / 2.0)) text-anchor="middle"
                    y=(place(frame.y.at(height(column)) - 5.0)) { (column.value) }
            }
            text.tick x=(place((left + right) / 2.0)) y=(frame.area.floor() + 15.0)
                text-anchor="middle" { (column.label) }
        }
        (frame.level(0.0, "axis-line"))
        (frame.abscissa_name(x_name))
    }
}

/// Parts with what lies below them.
fn stacked<'a>(
    parts: &'a [(f64, &'static str, String)],
) -> impl Iterator<Item = (f64, &'a (f64, &'static str, String))> {
    parts.iter().scan(0.0, |base, part| {
        let below = *base;
        *base += part.0;
        Some((below, part))
    })
}

/// A bar of stacked parts that fills the width it is given: share of the width, class, tooltip.
pub fn bar(name: &str, parts: &[(f64, &'static str, String)]) -> Markup {
    html! {
        svg.bar viewBox="0 0 100 10" preserveAspectRatio="none" role="img" aria-label=(name) {
            @for (base, (part, class, tooltip)) in stacked(parts) {
                @if *part > 0.0 {
                    rect class=(class) x=(place(100.0 * base)) y="0" height="10"
                        width=(place(100.0 * part)) { title { (tooltip) } }
                }
            }
        }
    }
}

/// A chart in a panel with its name and what it shows, for those who cannot see it.
pub fn figure(id: &str, name: &str, description: &str, content: &Markup) -> Markup {
    figure_of(Area::PANEL, id, name, description, content)
}

/// A chart of another size.
pub fn figure_of(
    Area { width, height, .. }: Area,
    id: &str,
    name: &str,
    description: &str,
    content: &Markup,
) -> Markup {
    html! {
        svg.chart viewBox={ "0 0 " (width) " " (height) } role="img"
            aria-labelledby={ (id) "-name " (id) "-text" } {
            title id={ (id) "-name" } { (name) }
            desc id={ (id) "-text" } { (description) }
            (content)
        }
    }
}

/// One of several small charts: its name and what is told of it stand above.
pub fn small_figure(
    area: Area,
    id: &str,
    name: &str,
    value: impl Render,
    description: &str,
    content: &Markup,
) -> Markup {
    html! {
        figure {
            figcaption { span { (dotted_name(name)) } span.value { (value) } }
            (figure_of(area, id, name, description, content))
        }
    }
}

/// A chart as a picture in a file of its own: by day, because not all that show pictures know the
/// variables of a style sheet.
pub fn picture(Area { width, height, .. }: Area, name: &str, content: &Markup) -> String {
    let markup = html! {
        svg xmlns="http://www.w3.org/2000/svg" width=(width) height=(height)
            viewBox={ "0 0 " (width) " " (height) } font-family="system-ui, sans-serif" {
            title { (name) }
            style { (PreEscaped(without_variables(CHART_STYLE))) }
            rect.card width=(width) height=(height) {}
            (content)
        }
    };
    markup.into_string() + "\n"
}

/// A style sheet with the first value of each variable, which is that by day, in its place.
fn without_variables(style: &str) -> String {
    let (day, _) = COLORS.split_once('}').unwrap_or_default();
    let day = day.trim_start_matches(":root {").split(';').filter_map(|it| it.split_once(':'));
    day.fold(style.to_owned(), |style, (name, value)| {
        style.replace(&format!("var({})", name.trim()), value.trim())
    })
}

/// How far apart ticks are.
pub fn step_of(ticks: &[f64]) -> f64 {
    match ticks {
        [first, second, ..] => second - first,
        _ => 1.0,
    }
}

/// A coordinate with a precision that the eye can see.
pub fn place(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_within() {
        assert_eq!(ticks(0.0, 1000.0, 5), [0.0, 200.0, 400.0, 600.0, 800.0, 1000.0]);
        assert_eq!(ticks(-3.4, 3.4, 5), [-2.0, 0.0, 2.0]);
        assert_eq!(ticks(5.0, 5.0, 5), [5.0]);
        let small = ticks(0.0, 0.03, 3);
        assert!(small.len() == 4 && (small[1] - 0.01).abs() < 1e-12, "{small:?}");
        for (low, high) in [(0.0, 1e-9), (1e9, 1e12), (-1e6, 1.0)] {
            let ticks = ticks(low, high, 5);
            assert!((2..=11).contains(&ticks.len()), "{ticks:?}");
        }
    }

    #[test]
    fn what_is_counted_has_whole_numbers_alone() {
        for (low, high, expected) in [
            (1.0, 2.0, vec![1.0, 2.0]),
            (0.0, 3.4, vec![0.0, 1.0, 2.0, 3.0]),
            (4.7, 6.1, vec![5.0, 6.0]),
            (0.0, 1000.0, vec![0.0, 200.0, 400.0, 600.0, 800.0, 1000.0]),
        ] {
            assert_eq!(whole_ticks(low, high, 5), expected);
        }
        let axes = Frame::new((1.0, 2.0), (0.0, 50.0)).counting_axes("round").0;
        assert!(!axes.contains(">1.5<") && axes.contains(">2<"), "{axes}");
    }

    #[test]
    fn labels_of_ticks_are_short() {
        let rows = [
            (0.0, 0.5, "0"),
            (-1.5, 0.5, "−1.5"),
            (200.0, 200.0, "200"),
            (4000.0, 2000.0, "4k"),
            (12_500.0, 500.0, "12.5k"),
            (3e6, 1e6, "3M"),
            (0.25, 0.25, "0.25"),
        ];
        for (value, step, expected) in rows {
            assert_eq!(tick_label(value, step), expected);
        }
    }
}
