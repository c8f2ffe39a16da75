// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Canonical form of generated bindings: an order independent of the headers, without comments, one fact per
//! line, so that two headers' definitions of the same names can be compared.

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

/// Returns one fact per line: a function of a table (without the body of its method), a field of a structure,
/// a size or an offset. Everything else is a separate line.
fn lines_of(item: &str) -> Vec<String> {
    if item.contains("impl ") && item.contains("Table {") {
        return Vec::new();
    }
    if item.contains("const _: () = {") {
        return item.split("[\"").skip(1).filter_map(layout).collect();
    }
    let kinds = ["pub struct ", "pub union "];
    let body = kinds.iter().find_map(|kind| item.split_once(kind)?.1.split_once(" {"));
    let Some((name, fields)) = body else { return vec![item.to_owned()] };
    let fields = fields.trim_end_matches('}').split(" pub ").skip(1);
    fields.map(|field| format!("{name} {}", field.trim().trim_end_matches(','))).collect()
}

/// `Offset of field: X::f = 8usize`, of an assertion from behind its opening.
fn layout(assertion: &str) -> Option<String> {
    let (fact, rest) = assertion.split_once('"')?;
    let number = rest.rsplit_once("- ")?.1.split(']').next()?;
    Some(format!("{fact} = {number}"))
}
