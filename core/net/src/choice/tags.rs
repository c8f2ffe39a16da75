// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Tags of members, and rules that say which engine serves which pair of tags.

use std::fmt;

use mf_base::{Error, Result};

use super::names::{EngineName, EngineSet};

/// Longest tag, in bytes.
pub const TAG_BYTES_MAX: usize = 30;
/// Longest list of rules, in bytes of its text.
pub const RULES_BYTES_MAX: usize = 255;

/// A member's tag, for use in rules. Empty: no tag.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Tag(String);

impl Tag {
    /// Parses letters, digits and `_`, at most 30; or nothing.
    ///
    /// # Errors
    /// `InvalidParam` other characters.
    pub fn parse(operation: &'static str, text: &str) -> Result<Self> {
        let is_allowed = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if text.len() <= TAG_BYTES_MAX && text.chars().all(is_allowed) {
            return Ok(Self(text.to_owned()));
        }
        Err(Error::invalid(operation, "the tag is not acceptable")
            .with("tag", text.escape_default())
            .with("bytes", text.len())
            .hint(format!("letters, digits and _, at most {TAG_BYTES_MAX}")))
    }

    /// The tag.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_empty() { "(no tag)" } else { &self.0 })
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Rule {
    one: Tag,
    name: EngineName,
    other: Tag,
}

/// Rules `tagA:ENGINE:tagB`. Each holds in both directions; several for one pair are a set, as if their
/// engines had been asked for together. An empty tag in a rule means the members that have none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TagRules(Vec<Rule>);

impl TagRules {
    /// Parses rules separated by commas; an empty text has no rule.
    ///
    /// # Errors
    /// `InvalidParam` names the rule and its fault.
    pub fn parse(operation: &'static str, text: &str) -> Result<Self> {
        if text.is_empty() {
            return Ok(Self::default());
        }
        if text.len() > RULES_BYTES_MAX {
            return Err(Error::invalid(operation, "the list of tag rules is too long")
                .with("bytes", text.len())
                .with("most", RULES_BYTES_MAX));
        }
        text.split(',').map(|rule| parse_rule(operation, rule)).collect::<Result<_>>().map(Self)
    }

    /// Returns the engines that the rules allow for a pair; `None` if no rule matches it.
    pub fn of_pair(&self, one: &Tag, other: &Tag) -> Option<EngineSet> {
        let speaks = |rule: &&Rule| {
            (&rule.one, &rule.other) == (one, other) || (&rule.other, &rule.one) == (one, other)
        };
        let set: EngineSet = self.0.iter().filter(speaks).map(|rule| rule.name).collect();
        (!set.is_auto()).then_some(set)
    }

    /// For every tag that the rules pair with `own`: the engines of the pair.
    pub fn of_member(&self, own: &Tag) -> Vec<EngineSet> {
        let mut others: Vec<&Tag> = self.0.iter().filter_map(|rule| rule.partner(own)).collect();
        others.sort_unstable_by_key(|tag| tag.as_str());
        others.dedup();
        others.into_iter().filter_map(|other| self.of_pair(own, other)).collect()
    }

    /// Returns true if there is no rule.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Rule {
    fn partner(&self, own: &Tag) -> Option<&Tag> {
        match (&self.one == own, &self.other == own) {
            (true, _) => Some(&self.other),
            (false, true) => Some(&self.one),
            (false, false) => None,
        }
    }
}

/// The text that [`TagRules::parse`] reads.
impl fmt::Display for TagRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, rule) in self.0.iter().enumerate() {
            let comma = if place == 0 { "" } else { "," };
            write!(f, "{comma}{}:{}:{}", rule.one.as_str(), rule.name, rule.other.as_str())?;
        }
        Ok(())
    }
}

fn parse_rule(operation: &'static str, text: &str) -> Result<Rule> {
    let fields: Vec<&str> = text.split(':').collect();
    let [one, name, other] = fields[..] else {
        return Err(Error::invalid(operation, "a tag rule is not tagA:ENGINE:tagB")
            .with("rule", text.escape_default())
            .hint("rules are separated by single commas, for example train:HOST_RDMA:train,train:HOST_TCP:cache"));
    };
    let in_rule = |error: Error| error.with("rule", text.escape_default());
    let tag = |tag| Tag::parse(operation, tag).map_err(in_rule);
    let name = EngineName::of(name).ok_or_else(|| {
        let known: Vec<&str> = EngineName::ALL.iter().map(|name| name.as_str()).collect();
        Error::invalid(operation, "a tag rule names no engine")
            .with("engine", name.escape_default())
            .with("rule", text.escape_default())
            .hint(known.join(", "))
    })?;
    Ok(Rule { one: tag(one)?, name, other: tag(other)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tag(text: &str) -> Tag {
        Tag::parse("test", text).unwrap()
    }

    fn rules(text: &str) -> TagRules {
        TagRules::parse("test", text).unwrap()
    }

    #[test]
    fn rules_hold_in_both_directions_and_add_up() {
        let rules = rules("a:HOST_TCP:b,b:HOST_RDMA:a,a:DEVICE_MTE:a,:HOST_URMA:b");
        let both: EngineSet = [EngineName::HostTcp, EngineName::HostRdma].into_iter().collect();
        assert_eq!(rules.of_pair(&tag("a"), &tag("b")), Some(both));
        assert_eq!(rules.of_pair(&tag("b"), &tag("a")), Some(both));
        assert_eq!(rules.of_pair(&tag("a"), &tag("a")), Some(EngineSet::one(EngineName::DeviceMte)));
        assert_eq!(rules.of_pair(&tag(""), &tag("b")), Some(EngineSet::one(EngineName::HostUrma)));
        assert_eq!(rules.of_pair(&tag("b"), &tag("b")), None);
        assert_eq!(rules.of_member(&tag("a")), [EngineSet::one(EngineName::DeviceMte), both]);
        assert!(rules.of_member(&tag("c")).is_empty());
    }

    #[test]
    fn text_is_read_back() {
        for text in ["", "a:HOST_TCP:b", "a:HOST_TCP:b,b1_:DEVICE_UBOE:", ":HOST_SHM:"] {
            assert_eq!(rules(text).to_string(), text);
        }
    }

    #[test]
    fn bad_rules_are_refused_with_the_rule_and_the_remedy() {
        let long = format!("{}:HOST_TCP:b", "a".repeat(31));
        let many = ["a:HOST_TCP:b"; 20].join(",");
        for (text, part) in [
            ("alpha:beta", "tagA:ENGINE:tagB"),
            ("a:HOST_TCP:b:c", "tagA:ENGINE:tagB"),
            ("a:HOST_TCP:b,", "tagA:ENGINE:tagB"),
            (",", "tagA:ENGINE:tagB"),
            ("a:host_tcp:b", "DEVICE_SDMA"),
            ("a::b", "names no engine"),
            ("a:HOST_TCP:b-c", "letters, digits and _"),
            ("a b:HOST_TCP:c", "letters, digits and _"),
            (long.as_str(), "at most 30"),
            (many.as_str(), "too long"),
        ] {
            let error = TagRules::parse("test", text).unwrap_err();
            assert_eq!(error.code(), -2000);
            assert!(error.to_string().contains(part), "{error}");
        }
    }

    #[test]
    fn tags_are_short_words() {
        for good in ["", "a", "Train_01", &"x".repeat(30)] {
            tag(good);
        }
        for bad in ["not-a-tag", "a b", "ä", &"x".repeat(31), "a,b", "a:b"] {
            assert_eq!(Tag::parse("test", bad).unwrap_err().code(), -2000, "{bad}");
        }
    }
}
