//! Parts of our JSON schemas that the types do not give by themselves.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

/// A map whose keys are the names of an enumeration: left to itself, the schema of one takes any.
pub fn by_name<K: JsonSchema, V: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "object",
        "propertyNames": generator.subschema_for::<K>(),
        "additionalProperties": generator.subschema_for::<V>(),
    })
}
