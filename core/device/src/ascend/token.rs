// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Token: the encoding of a block of device memory for another process.
//!
//! ```text
//! | version 1 | form | physical device, 4 bytes | exporting process, 4 bytes | handle of CANN, 8 or 128 bytes |
//! ```
//! Little endian. The physical device shows the importer the device behind the memory; the process, whether
//! the exporter is the importer, which CANN does not allow.

use mf_base::{Error, Result};

use crate::{FabricHandle, Token};

const OP: &str = "import device memory";
const VERSION: u8 = 1;
const HEADER_BYTES: usize = 10;

/// Kind of CANN's handle. The number is part of the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Form {
    /// `aclrtMemExportToShareableHandle`: 8 bytes.
    AclV1 = 1,
    /// `aclrtMemExportToShareableHandleV2`, default type: 8 bytes.
    AclV2 = 2,
    /// `halMemExportToShareableHandle`: 8 bytes.
    HalV1 = 3,
    /// `halMemExportToShareableHandleV2`, fabric type: 128 bytes.
    HalFabric = 4,
    /// `aclrtMemExportToShareableHandleV2`, fabric type: 128 bytes.
    AclFabric = 5,
}

impl Form {
    const ALL: [Form; 5] = [Form::AclV1, Form::AclV2, Form::HalV1, Form::HalFabric, Form::AclFabric];

    /// Bytes of the handle.
    const fn handle_bytes(self) -> usize {
        match self {
            Form::AclV1 | Form::AclV2 | Form::HalV1 => 8,
            Form::HalFabric | Form::AclFabric => 128,
        }
    }
}

/// An exported block, as another process needs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ticket {
    /// Kind of the handle.
    pub(super) form: Form,
    /// Physical number of the device that owns the memory.
    pub(super) device: u32,
    /// The exporting process, as CANN counts it.
    pub(super) process: i32,
    /// CANN's handle; its length depends on the form.
    pub(super) handle: Vec<u8>,
}

impl Ticket {
    /// The bytes to send.
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(HEADER_BYTES + self.handle.len());
        bytes.extend([VERSION, self.form as u8]);
        bytes.extend(self.device.to_le_bytes());
        bytes.extend(self.process.to_le_bytes());
        bytes.extend(&self.handle);
        bytes
    }

    /// Decodes a token from another process.
    ///
    /// # Errors
    /// `InvalidParam` for bytes that [`encode`](Self::encode) does not make.
    pub(super) fn decode(bytes: &[u8]) -> Result<Self> {
        let bad = |what: &str| Error::invalid(OP, what).with("bytes", bytes.len());
        let Some((header, handle)) = bytes.split_first_chunk::<HEADER_BYTES>() else {
            return Err(bad("the handle of a block is too short"));
        };
        let [version, form, d0, d1, d2, d3, p0, p1, p2, p3] = *header;
        if version != VERSION {
            return Err(bad("the handle of a block has another format")
                .with("theirs", version)
                .with("ours", VERSION)
                .hint("all members run the same release"));
        }
        let Some(form) = Form::ALL.into_iter().find(|known| *known as u8 == form) else {
            return Err(bad("the handle of a block is of an unknown form").with("form", form));
        };
        if handle.len() != form.handle_bytes() {
            return Err(bad("the handle of a block has the wrong length").with("form", format!("{form:?}")));
        }
        let device = u32::from_le_bytes([d0, d1, d2, d3]);
        let process = i32::from_le_bytes([p0, p1, p2, p3]);
        Ok(Self { form, device, process, handle: handle.to_vec() })
    }

    /// Returns it in its encoded form.
    pub(super) fn token(&self) -> Token {
        Token::Handle(self.encode())
    }

    /// Decodes a received token.
    ///
    /// # Errors
    /// As [`decode`](Self::decode), also for a descriptor.
    pub(super) fn from_token(token: &Token) -> Result<Self> {
        Self::decode(token.handle()?)
    }

    /// The handle of a form that has 128 bytes.
    pub(super) fn fabric(&self) -> Result<FabricHandle> {
        FabricHandle::try_from(&*self.handle).map_err(|_| self.unexpected())
    }

    /// The handle of a form that has 8 bytes.
    pub(super) fn number(&self) -> Result<u64> {
        let bytes = <[u8; 8]>::try_from(&*self.handle).map_err(|_| self.unexpected())?;
        Ok(u64::from_ne_bytes(bytes))
    }

    /// A form that the CANN of this process does not make.
    #[cold]
    pub(super) fn unexpected(&self) -> Error {
        Error::invalid(OP, "the handle of a block is of a form that this device does not take")
            .with("form", format!("{:?}", self.form))
            .hint("all members run on the same product, with the same release of CANN")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::HANDLE_BYTES_MAX;
    use proptest::prelude::*;

    #[test]
    fn tickets_survive_the_transfer_and_fit() {
        for form in Form::ALL {
            let ticket = Ticket { form, device: 7, process: 4711, handle: vec![0xa5; form.handle_bytes()] };
            let bytes = ticket.encode();
            assert!(bytes.len() <= HANDLE_BYTES_MAX);
            assert_eq!(Ticket::decode(&bytes).unwrap(), ticket);
            for length in 0..bytes.len() {
                assert!(Ticket::decode(&bytes[..length]).is_err());
            }
        }
    }

    #[test]
    fn another_format_is_refused_with_both_versions() {
        let mut bytes = Ticket { form: Form::AclV2, device: 0, process: 1, handle: vec![0; 8] }.encode();
        bytes[0] = 9;
        let text = Ticket::decode(&bytes).unwrap_err().to_string();
        assert!(text.contains("theirs 9") && text.contains("ours 1"), "{text}");
    }

    proptest! {
        #[test]
        fn random_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            if let Ok(ticket) = Ticket::decode(&bytes) {
                prop_assert_eq!(ticket.encode(), bytes);
            }
        }
    }
}
