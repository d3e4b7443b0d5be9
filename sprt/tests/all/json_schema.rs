//! A validator for the part of JSON Schema that `docs/schemas` uses. Complete ones take longer to
//! compile than this whole crate.

use std::fs;
use std::path::Path;

use regex::Regex;
use serde_json::{Map, Value};

/// Checks JSON against a schema of `docs/schemas`.
pub fn check_schema(name: &str, text: &str) {
    let (schema, mut value) = checked(name, text);
    let version = value["schema"].as_str().expect("a name");
    assert!(version.starts_with(&format!("kamerton-{name}/")), "{version}");
    assert_eq!(schema["properties"]["schema"]["const"], version);
    // Nothing can be added to the output and not to the schema.
    value["surprise"] = Value::Bool(true);
    assert_eq!(Validator { root: &schema }.errors(&schema, &value, "").len(), 1);
}

/// Checks a line of JSON against a schema of `docs/schemas` that knows several kinds of lines.
pub fn check_line(name: &str, text: &str) {
    let (schema, mut value) = checked(name, text);
    value["surprise"] = Value::Bool(true);
    assert!(!Validator { root: &schema }.errors(&schema, &value, "").is_empty(), "{text}");
}

/// A schema, and a value that it allows.
fn checked(name: &str, text: &str) -> (Value, Value) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/schemas");
    let schema = fs::read_to_string(path.join(format!("{name}.schema.json"))).expect("readable");
    let schema: Value = serde_json::from_str(&schema).expect("JSON");
    let value: Value = serde_json::from_str(text).expect("JSON");
    let errors = Validator { root: &schema }.errors(&schema, &value, "");
    assert!(errors.is_empty(), "{name}: {errors:#?}\n{text}");
    (schema, value)
}

fn is_of_type(value: &Value, name: &Value) -> bool {
    match name.as_str().expect("a name") {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        other => panic!("unknown type {other}"),
    }
}

struct Validator<'a> {
    root: &'a Value,
}

impl Validator<'_> {
    /// The errors of a value at a path.
    fn errors(&self, schema: &Value, value: &Value, path: &str) -> Vec<String> {
        let schema = schema.as_object().expect("a schema is an object");
        schema
            .iter()
            .flat_map(|(keyword, rule)| self.errors_of(keyword, rule, schema, value, path))
            .collect()
    }

    /// The errors by one keyword.
    ///
    /// # Panics
    /// If the keyword is unknown: a rule must not pass because nobody looked at it.
    fn errors_of(
        &self,
        keyword: &str,
        rule: &Value,
        schema: &Map<String, Value>,
        value: &Value,
        path: &str,
    ) -> Vec<String> {
        let number = |compare: fn(&f64, &f64) -> bool| {
            value.as_f64().is_none_or(|it| compare(&it, &rule.as_f64().expect("a number")))
        };
        let length = value.as_array().map(|items| items.len() as u64);
        let holds = match keyword {
            "$schema" | "$id" | "$defs" | "title" | "description" | "default" => true,
            "type" => match rule {
                Value::Array(names) => names.iter().any(|name| is_of_type(value, name)),
                name => is_of_type(value, name),
            },
            "const" => value == rule,
            "enum" => rule.as_array().expect("a list").contains(value),
            "pattern" => {
                let pattern = Regex::new(rule.as_str().expect("a pattern")).expect("a good one");
                value.as_str().is_none_or(|text| pattern.is_match(text))
            }
            "minimum" => number(f64::ge),
            "maximum" => number(f64::le),
            "exclusiveMinimum" => number(f64::gt),
            "exclusiveMaximum" => number(f64::lt),
            "minItems" => length.is_none_or(|length| length >= rule.as_u64().expect("a number")),
            "maxItems" => length.is_none_or(|length| length <= rule.as_u64().expect("a number")),
            "required" => rule.as_array().expect("a list").iter().all(|name| {
                value.as_object().is_none_or(|it| it.contains_key(name.as_str().expect("a name")))
            }),
            "anyOf" => self.matches(rule, value, path) > 0,
            "oneOf" => self.matches(rule, value, path) == 1,
            "$ref" => {
                let pointer = rule.as_str().and_then(|text| text.strip_prefix('#'));
                let target = self.root.pointer(pointer.expect("within the file"));
                return self.errors(target.expect("it is there"), value, path);
            }
            "properties" | "additionalProperties" | "propertyNames" | "items" | "prefixItems" => {
                return self.errors_within(keyword, rule, schema, value, path);
            }
            other => panic!("unknown keyword {other}"),
        };
        if holds { Vec::new() } else { vec![format!("{path}: {value} is not {keyword} {rule}")] }
    }

    /// How many of some schemas a value agrees with.
    fn matches(&self, schemas: &Value, value: &Value, path: &str) -> usize {
        let schemas = schemas.as_array().expect("a list").iter();
        schemas.filter(|schema| self.errors(schema, value, path).is_empty()).count()
    }

    /// The errors of the parts of a value.
    fn errors_within(
        &self,
        keyword: &str,
        rule: &Value,
        schema: &Map<String, Value>,
        value: &Value,
        path: &str,
    ) -> Vec<String> {
        let known = schema.get("properties").and_then(Value::as_object);
        let mut errors = Vec::new();
        for (name, part) in value.as_object().into_iter().flatten() {
            let at = format!("{path}/{name}");
            let is_known = known.is_some_and(|known| known.contains_key(name));
            match keyword {
                "properties" if is_known => errors.extend(self.errors(&rule[name], part, &at)),
                "propertyNames" => errors.extend(self.errors(rule, &name.as_str().into(), &at)),
                "additionalProperties" if !is_known && *rule == false => {
                    errors.push(format!("{at} is unknown"));
                }
                "additionalProperties" if !is_known => errors.extend(self.errors(rule, part, &at)),
                _ => {}
            }
        }
        if keyword == "items" {
            for (index, part) in value.as_array().into_iter().flatten().enumerate() {
                errors.extend(self.errors(rule, part, &format!("{path}/{index}")));
            }
        }
        if keyword == "prefixItems" {
            let rules = rule.as_array().expect("a list");
            for (part, rule) in value.as_array().into_iter().flatten().zip(rules) {
                errors.extend(self.errors(rule, part, path));
            }
        }
        errors
    }
}
