// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Values are bytes. In text, control characters are escaped as `\xNN` (and `\n`, `\t`, `\\`); in JSON, a
//! value that is UTF-8 is `value`, any other is `value_hex`.

use std::fmt::Write as _;

use mf_store::{Cause, Change, Entry};
use serde_json::{Map, Value, json};

/// Bytes as text that is unambiguous and can be read back.
pub(crate) fn escaped(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            match character {
                '\\' => text.push_str("\\\\"),
                '\n' => text.push_str("\\n"),
                '\t' => text.push_str("\\t"),
                '\r' => text.push_str("\\r"),
                character if character.is_control() => {
                    let mut buffer = [0; 4];
                    push_hex(&mut text, character.encode_utf8(&mut buffer).as_bytes());
                }
                character => text.push(character),
            }
        }
        push_hex(&mut text, chunk.invalid());
    }
    text
}

fn push_hex(text: &mut String, bytes: &[u8]) {
    for byte in bytes {
        // Writing to a string cannot fail.
        let _ = write!(text, "\\x{byte:02x}");
    }
}

/// At most `characters` of a text, with a mark where it was cut.
pub(super) fn shortened(text: &str, characters: usize) -> String {
    match text.char_indices().nth(characters) {
        Some((end, _)) => format!("{}...", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// An entry as JSON.
pub(super) fn entry_json(entry: &Entry) -> Value {
    let mut object = Map::new();
    object.insert("key".to_owned(), json!(entry.key));
    add_value(&mut object, &entry.value);
    object.insert("bytes".to_owned(), json!(entry.value.len()));
    object.insert("revision".to_owned(), json!(entry.revision));
    object.insert("owner".to_owned(), json!(entry.owner.map(|rank| rank.0)));
    Value::Object(object)
}

fn add_value(object: &mut Map<String, Value>, value: &[u8]) {
    match str::from_utf8(value) {
        Ok(text) => object.insert("value".to_owned(), json!(text)),
        Err(_) => {
            let hex = value.iter().fold(String::with_capacity(value.len() * 2), |mut hex, byte| {
                // Writing to a string cannot fail.
                let _ = write!(hex, "{byte:02x}");
                hex
            });
            object.insert("value_hex".to_owned(), json!(hex))
        }
    };
}

/// The word for what happened.
pub(super) fn word(change: &Change) -> &'static str {
    match change {
        Change::Put(_) => "put",
        Change::Removed { cause: Cause::Deleted, .. } => "deleted",
        Change::Removed { cause: Cause::Left, .. } => "left",
        Change::Removed { cause: Cause::Lost, .. } => "lost",
        Change::Removed { cause: Cause::Expired, .. } => "expired",
        Change::StoreLost => "store-lost",
    }
}

/// A change as a line of text.
pub(super) fn change_line(change: &Change) -> String {
    match change {
        Change::Put(entry) => format!("put {} {}\n", escaped(entry.key.as_bytes()), escaped(&entry.value)),
        Change::Removed { key, .. } => format!("{} {}\n", word(change), escaped(key.as_bytes())),
        Change::StoreLost => "store-lost\n".to_owned(),
    }
}

/// A change as a line of JSON.
pub(super) fn change_json(change: &Change) -> String {
    let mut object = match change {
        Change::Put(entry) => entry_json(entry),
        Change::Removed { key, revision, owner, .. } => {
            json!({ "key": key, "revision": revision, "owner": owner.map(|rank| rank.0) })
        }
        Change::StoreLost => json!({}),
    };
    if let Value::Object(object) = &mut object {
        object.insert("change".to_owned(), json!(word(change)));
    }
    format!("{object}\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use mf_base::Rank;

    #[test]
    fn bytes_are_escaped_and_text_is_not() {
        for (bytes, text) in [
            (&b"plain"[..], "plain"),
            ("größe".as_bytes(), "größe"),
            (b"a\nb\tc\\d\r", "a\\nb\\tc\\\\d\\r"),
            (b"\x00\x1b[31m\xff\xfe", "\\x00\\x1b[31m\\xff\\xfe"),
            ("\u{85}".as_bytes(), "\\xc2\\x85"),
            (b"", ""),
        ] {
            assert_eq!(escaped(bytes), text);
        }
    }

    #[test]
    fn json_distinguishes_text_from_bytes() {
        let entry = |value: &[u8]| Entry {
            key: "k".to_owned(),
            value: value.to_vec(),
            revision: 7,
            owner: Some(Rank(1)),
        };
        let text = entry_json(&entry(b"text"));
        assert_eq!(text["value"], "text");
        assert_eq!((&text["owner"], &text["revision"], &text["bytes"]), (&json!(1), &json!(7), &json!(4)));
        let bytes = entry_json(&entry(b"\xff\x00"));
        assert_eq!(bytes["value_hex"], "ff00");
        assert!(bytes.get("value").is_none());
    }

    #[test]
    fn each_change_is_one_line() {
        let put =
            Change::Put(Entry { key: "a\nb".to_owned(), value: b"1\n".to_vec(), revision: 1, owner: None });
        assert_eq!(change_line(&put), "put a\\nb 1\\n\n");
        let gone = Change::Removed { key: "a".to_owned(), revision: 2, owner: None, cause: Cause::Expired };
        assert_eq!(change_line(&gone), "expired a\n");
        let json: Value = serde_json::from_str(&change_json(&gone)).unwrap();
        assert_eq!((&json["change"], &json["key"]), (&json!("expired"), &json!("a")));
    }

    #[test]
    fn long_texts_are_cut_between_characters() {
        assert_eq!(shortened("größe", 3), "grö...");
        assert_eq!(shortened("größe", 5), "größe");
    }
}
