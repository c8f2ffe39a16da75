// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Text of others, made fit for an error, a log or a terminal: a host name with a line feed must not forge a
//! line, one with an escape sequence must not control the reader's terminal.

use std::borrow::Cow;

/// Escapes every invisible character of a text (`\n`, `\u{1b}`): control characters, line separators, and
/// marks that change the direction of writing. Other text is unchanged.
pub fn escaped(text: &str) -> Cow<'_, str> {
    if !text.contains(is_unfit) {
        return Cow::Borrowed(text);
    }
    let mut fit = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if is_unfit(character) {
            fit.extend(character.escape_default());
        } else {
            fit.push(character);
        }
    }
    Cow::Owned(fit)
}

/// Strips user and password from a URL, with any characters in them.
pub fn without_password(url: &str) -> Cow<'_, str> {
    let start = url.find("://").map_or(0, |at| at + 3);
    match url.rfind('@') {
        Some(end) if end >= start => Cow::Owned(format!("{}***{}", &url[..start], &url[end..])),
        _ => Cow::Borrowed(url),
    }
}

fn is_unfit(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invisible_characters_are_escaped() {
        assert_eq!(escaped("node1\n9.0 error forged"), "node1\\n9.0 error forged");
        assert_eq!(escaped("\u{1b}[2J\u{9b}x\u{202e}\0"), "\\u{1b}[2J\\u{9b}x\\u{202e}\\u{0}");
    }

    #[test]
    fn passwords_of_urls_are_masked() {
        for (url, shown) in [
            ("tcp://10.0.0.1:5570", "tcp://10.0.0.1:5570"),
            ("tcp://user:word@host:1", "tcp://***@host:1"),
            ("tcp://user:w@o/r,d@host:1", "tcp://***@host:1"),
            ("user:word@host", "***@host"),
            ("a@b://c", "a@b://c"),
            ("", ""),
        ] {
            assert_eq!(without_password(url), shown);
        }
    }

    #[test]
    fn harmless_text_is_unchanged() {
        for text in ["", "node-1.example", "Größe \\n 計算機 \"x\""] {
            assert!(matches!(escaped(text), Cow::Borrowed(same) if same == text));
        }
    }
}
