// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Serialized form of single fields, on the wire and in etcd, where the derived form would be slow or is
//! missing.

/// Bytes as one block instead of element by element: `#[serde(with = "raw_bytes")]`.
pub mod raw_bytes {
    use std::fmt;

    use serde::de::{Error, Visitor};
    use serde::{Deserializer, Serializer};

    /// Writes the bytes.
    ///
    /// # Errors
    /// Errors of the serializer.
    pub fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(bytes)
    }

    /// Reads the bytes.
    ///
    /// # Errors
    /// Errors of the deserializer; no block of bytes.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
        deserializer.deserialize_byte_buf(Block)
    }

    pub(super) struct Block;

    impl Visitor<'_> for Block {
        type Value = Vec<u8>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a block of bytes")
        }

        fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Vec<u8>, E> {
            Ok(bytes.to_vec())
        }

        fn visit_byte_buf<E: Error>(self, bytes: Vec<u8>) -> Result<Vec<u8>, E> {
            Ok(bytes)
        }
    }
}

/// As [`raw_bytes`], possibly absent.
pub(crate) mod optional_raw_bytes {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    struct Owned(#[serde(with = "super::raw_bytes")] Vec<u8>);

    struct Borrowed<'a>(&'a [u8]);

    impl Serialize for Borrowed<'_> {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_bytes(self.0)
        }
    }

    // The signature that `serde(with)` requires.
    #[allow(clippy::ref_option)]
    pub(crate) fn serialize<S: Serializer>(
        bytes: &Option<Vec<u8>>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        bytes.as_deref().map(Borrowed).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Vec<u8>>, D::Error> {
        Ok(Option::<Owned>::deserialize(deserializer)?.map(|owned| owned.0))
    }
}

/// A rank as its number.
pub mod optional_rank {
    use mf_base::Rank;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    /// Writes the rank.
    ///
    /// # Errors
    /// Errors of the serializer.
    pub fn serialize<S: Serializer>(rank: &Option<Rank>, serializer: S) -> Result<S::Ok, S::Error> {
        rank.map(|rank| rank.0).serialize(serializer)
    }

    /// Reads the rank.
    ///
    /// # Errors
    /// Errors of the deserializer.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Rank>, D::Error> {
        Ok(Option::<u32>::deserialize(deserializer)?.map(Rank))
    }
}

/// A rank as its number, where there always is one.
pub(crate) mod rank {
    use mf_base::Rank;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    // The signature that `serde(with)` requires.
    #[allow(clippy::trivially_copy_pass_by_ref)]
    pub(crate) fn serialize<S: Serializer>(rank: &Rank, serializer: S) -> Result<S::Ok, S::Error> {
        rank.0.serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Rank, D::Error> {
        u32::deserialize(deserializer).map(Rank)
    }
}
