//! The schemas in `docs/schemas`, which are derived from the types.

use std::path::Path;

use crate::check;
use matches::{sequential_test, tournament};
use report::stream;
use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value};

use super::{calculate, plan, simulate};

/// The schema of what a type is written as.
fn schema_of<T: JsonSchema>(name: &str, title: &str) -> String {
    let mut schema = SchemaSettings::draft2020_12()
        .for_serialize()
        .with_transform(RecursiveTransform(close))
        .with_transform(RecursiveTransform(describe))
        .into_generator()
        .into_root_schema_for::<T>();
    schema.insert("$id".to_owned(), format!("kamerton/{name}.schema.json").into());
    schema.insert("title".to_owned(), title.into());
    serde_json::to_string_pretty(&schema).expect("plain data becomes JSON") + "\n"
}

/// Says what is written: nothing but what is described, of optional fields those that have a value,
/// and nothing of how a number lies in memory.
fn close(schema: &mut Schema) {
    schema.remove("format");
    let required = schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) else {
        return;
    };
    for (name, property) in properties {
        let Some(property) = property.as_object_mut() else { continue };
        let is_always_there = required.iter().any(|required| required == name);
        if is_always_there || property.get("default").is_some_and(Value::is_null) {
            property.remove("default");
        }
        if !is_always_there {
            forbid_null(property);
        }
        if let Some(Value::String(text)) = property.get_mut("description") {
            *text = text.replace("`None`", if is_always_there { "null" } else { "missing" });
        }
    }
    if schema.get("additionalProperties").is_none() {
        schema.insert("additionalProperties".to_owned(), false.into());
    }
}

/// A field without a value is left out.
fn forbid_null(property: &mut Map<String, Value>) {
    if let Some(Value::Array(types)) = property.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            property.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(mut options)) = property.remove("anyOf") {
        options.retain(|option| option["type"] != "null");
        let only = options.pop().filter(|_| options.is_empty());
        property.extend(only.and_then(|only| only.as_object().cloned()).expect("an optional type"));
    }
}

/// Comments on code become sentences of text, without line breaks and links.
fn describe(schema: &mut Schema) {
    if let Some(Value::String(text)) = schema.get_mut("description") {
        let words: Vec<&str> = text.split_whitespace().collect();
        *text = words.join(" ").replace("[`", "`").replace("`]", "`");
    }
}

#[test]
fn schemas_are_those_of_the_types() {
    let schemas = [
        ("test", schema_of::<sequential_test::Summary>("test", "Result of a test")),
        ("tournament", schema_of::<tournament::Summary>("tournament", "Result of a tournament")),
        ("regress", schema_of::<revisions::Outcome>("regress", "Result of a regression test")),
        ("stream", schema_of::<stream::Event>("stream", "Line of a streamed test")),
        ("calculate", schema_of::<calculate::Calculation>("calculate", "Figures of a match")),
        ("ratings", schema_of::<calculate::Tournament>("ratings", "Rating table")),
        ("check", schema_of::<check::Report>("check", "What a check of an engine found")),
        ("plan", schema_of::<plan::Forecast>("plan", "What to expect of a test")),
        ("simulate", schema_of::<simulate::Report>("simulate", "Simulated tests")),
    ];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/schemas");
    for (name, text) in schemas {
        let path = folder.join(format!("{name}.schema.json"));
        if std::env::var_os("KAMERTON_BLESS").is_some() {
            std::fs::write(&path, &text).expect("writable");
        }
        let expected = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(text == expected, "{name} has changed (KAMERTON_BLESS=1 accepts it):\n{text}");
    }
}
