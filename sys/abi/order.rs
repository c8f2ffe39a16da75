// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Generated bindings in an order that does not depend on that of the headers, without comments: one item, or one function
//! of a table, a line. What two headers say of the same names can then be compared.

/// The normal form of a generated file.
pub(crate) fn normal(generated: &str) -> String {
    let mut lines: Vec<String> = items(generated).iter().flat_map(|item| lines_of(item)).collect();
    lines.sort_unstable();
    lines.dedup();
    lines.join("\n") + "\n"
}

/// The items of a formatted file, each with its words separated by one space.
fn items(generated: &str) -> Vec<String> {
    let mut items = Vec::new();
    let mut item = String::new();
    for line in generated.lines() {
        let words = line.trim();
        if words.is_empty()
            || words.starts_with("//")
            || words.starts_with("#[doc")
            || words.starts_with("#![")
        {
            continue;
        }
        if !item.is_empty() {
            item.push(' ');
        }
        item.push_str(words);
        // An item ends on the left margin; attributes belong to the item behind them.
        let on_the_margin = !line.starts_with(' ') && !line.starts_with("#[");
        if on_the_margin && (line.ends_with(';') || line.ends_with('}')) {
            items.push(std::mem::take(&mut item));
        }
    }
    items.extend((!item.is_empty()).then_some(item));
    items
}

/// A table becomes a line for each function; its methods say nothing more. The attributes of other items count.
fn lines_of(item: &str) -> Vec<String> {
    if item.contains("impl ") && item.contains("Table {") {
        return Vec::new();
    }
    let Some((head, fields)) = item.split_once("Table {") else { return vec![item.to_owned()] };
    let table = format!("{}Table", head.rsplit(' ').next().unwrap_or_default());
    let fields = fields.trim_end_matches('}').split(" pub ").skip(1);
    fields.map(|field| format!("{table} {}", field.trim().trim_end_matches(','))).collect()
}
