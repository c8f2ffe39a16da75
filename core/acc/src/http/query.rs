// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Parameters of a query string.

/// Parameters ordered by name, and those with one name as sent. Names and values end with a zero byte, for C;
/// a zero byte in the query cuts the text for C.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parameters(Vec<(Vec<u8>, Vec<u8>)>);

impl Parameters {
    /// Parses a query string.
    pub fn read(query: &str) -> Self {
        let pairs = query.split('&').filter(|pair| !pair.is_empty());
        let mut pairs: Vec<_> = pairs
            .map(|pair| {
                let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
                (decoded(name), decoded(value))
            })
            .collect();
        pairs.sort_by(|one, other| one.0.cmp(&other.0));
        Self(pairs)
    }

    /// Returns the first value of a name, with a zero byte at its end.
    pub fn first(&self, name: &[u8]) -> Option<&[u8]> {
        let found =
            self.0.iter().find(|(known, _)| known.split_last().is_some_and(|(_, known)| known == name));
        found.map(|(_, value)| &value[..])
    }

    /// Returns all of them, with zero bytes at their ends.
    pub fn all(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        self.0.iter().map(|(name, value)| (&name[..], &value[..]))
    }
}

/// Decodes a text: a plus sign is a blank, `%hh` a byte; a malformed escape stays as it is.
fn decoded(text: &str) -> Vec<u8> {
    let digit = |byte: Option<&u8>| byte.and_then(|byte| char::from(*byte).to_digit(16));
    let bytes = text.as_bytes();
    let mut plain = Vec::with_capacity(bytes.len() + 1);
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let escape = match byte {
            b'%' => digit(bytes.get(at + 1)).zip(digit(bytes.get(at + 2))),
            _ => None,
        };
        match (byte, escape) {
            (_, Some((high, low))) => {
                plain.push(u8::try_from(high << 4 | low).unwrap_or_default());
                at += 2;
            }
            (b'+', None) => plain.push(b' '),
            (other, None) => plain.push(*other),
        }
        at += 1;
    }
    plain.push(0);
    plain
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(query: &str) -> Vec<(String, String)> {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes.strip_suffix(&[0]).unwrap()).into_owned();
        Parameters::read(query).all().map(|(name, value)| (text(name), text(value))).collect()
    }

    #[test]
    fn pairs_are_split_decoded_and_ordered() {
        let table: &[(&str, &[(&str, &str)])] = &[
            ("", &[]),
            ("&&", &[]),
            ("b=2&a=1", &[("a", "1"), ("b", "2")]),
            ("a=x=y", &[("a", "x=y")]),
            ("a", &[("a", "")]),
            ("=v", &[("", "v")]),
            ("a=1&b=&a=0", &[("a", "1"), ("a", "0"), ("b", "")]),
            ("k%65y+1=%2B%26%3d", &[("key 1", "+&=")]),
            ("a=%&b=%1&c=%zz&d=%4", &[("a", "%"), ("b", "%1"), ("c", "%zz"), ("d", "%4")]),
            ("a=%E4%BD%A0", &[("a", "你")]),
        ];
        for (query, expected) in table {
            let expected: Vec<(String, String)> =
                expected.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
            assert_eq!(read(query), expected, "{query}");
        }
        let repeated = Parameters::read("n=1&n=2");
        assert_eq!(repeated.first(b"n"), Some(&b"1\0"[..]));
        assert_eq!(repeated.first(b"m"), None);
    }

    proptest! {
        #[test]
        fn any_query_is_read(query in ".*") {
            let found = Parameters::read(&query);
            prop_assert!(found.all().all(|(name, value)| name.ends_with(&[0]) && value.ends_with(&[0])));
        }
    }
}
