// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The arguments of a launch: 8 bytes a slot, and data behind them that slots may point to.
//!
//! A program hands them over whole, or builds them up in a list: append, finalize, launch, and again after
//! updates. Each call copies its input at once, except placeholder data, which the program may write into a
//! buffer at any time before the launch: that is copied at the launch.

use std::alloc::Layout;
use std::ffi::c_void;
use std::ptr::NonNull;
use std::sync::Mutex;

use mf_base::sync::lock;

use crate::codes::acl;
use crate::fault::{Fault, Outcome, ensure};

/// Arguments that a kernel can have.
pub const MOST: usize = 128;
/// Bytes of a slot.
const SLOT: usize = 8;
/// Bytes of the program's memory that a list needs, besides the arguments.
pub const OVERHEAD: usize = 32;

/// Arguments and data, as a kernel gets them.
#[derive(Clone, Debug, Default)]
pub struct Image {
    /// The slots, then the data.
    pub bytes: Vec<u8>,
    /// Slots that receive the device address of data: their offset, and the data's.
    pub pointers: Vec<(usize, usize)>,
}

impl Image {
    /// Builds arguments from one buffer with placeholders.
    ///
    /// # Errors
    /// 107000 for a placeholder that does not lie where it must.
    pub fn with_placeholders(bytes: Vec<u8>, placeholders: &[(u32, u32)]) -> Outcome<Self> {
        let wrong = |slot: u32, data: u32, why: &str| {
            Fault::new(
                acl::RT_PARAM_INVALID,
                format_args!("placeholder at {slot} for data at {data} of {} bytes: {why}", bytes.len()),
            )
        };
        // The arguments end where the first data begin.
        let end = placeholders.iter().map(|(_, data)| *data).min().unwrap_or(0);
        let mut pointers = Vec::with_capacity(placeholders.len());
        for &(slot, data) in placeholders {
            let at = usize::try_from(slot).unwrap_or(usize::MAX);
            let to = usize::try_from(data).unwrap_or(usize::MAX);
            if !at.is_multiple_of(SLOT) {
                return Err(wrong(slot, data, "the slot is not a multiple of 8"));
            }
            if !to.is_multiple_of(4) {
                return Err(wrong(slot, data, "the data is not a multiple of 4"));
            }
            if at.saturating_add(SLOT) > usize::try_from(end).unwrap_or(0) {
                return Err(wrong(slot, data, "the slot is not in front of all data"));
            }
            if to >= bytes.len() {
                return Err(wrong(slot, data, "the data is behind the end"));
            }
            pointers.push((at, to));
        }
        Ok(Self { bytes, pointers })
    }
}

/// A list of arguments that a program builds.
pub struct List {
    /// Its handle.
    pub handle: usize,
    /// Handle of the function that it is for.
    pub function: usize,
    /// Capacity in bytes; `None` for no limit.
    capacity: Option<usize>,
    state: Mutex<ListState>,
}

/// An argument as a program holds it: the handle of its list, and its number there.
pub struct Parameter {
    /// Of its list.
    pub list: usize,
    /// In it.
    pub index: usize,
}

#[derive(Default)]
struct ListState {
    phase: Phase,
    slots: Vec<Slot>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Phase {
    /// Arguments may be appended.
    #[default]
    Growing,
    /// Values changed since it was finalized.
    Updated,
    /// It can be launched.
    Final,
}

enum Slot {
    Value { bytes: Vec<u8>, size: usize },
    Placeholder(Option<Buffer>),
}

impl Slot {
    /// Bytes that it takes among the arguments, and behind them.
    fn bytes(&self) -> (usize, usize) {
        match self {
            Self::Value { bytes, .. } => (bytes.len(), 0),
            Self::Placeholder(buffer) => (SLOT, buffer.as_ref().map_or(0, |buffer| padded(buffer.bytes))),
        }
    }
}

impl List {
    /// An empty list for a function, by their handles.
    pub fn new(handle: *mut c_void, function: usize, capacity: Option<usize>) -> Self {
        Self { handle: handle.addr(), function, capacity, state: Mutex::default() }
    }

    /// Appends a value and returns its number.
    ///
    /// # Errors
    /// 107000 after finalizing, over the most arguments, over the memory given.
    pub fn append(&self, value: Vec<u8>) -> Outcome<usize> {
        let size = value.len();
        let mut bytes = value;
        bytes.resize(padded(size), 0);
        self.push(Slot::Value { bytes, size })
    }

    /// Appends a slot for the address of data that is still to come.
    ///
    /// # Errors
    /// As [`List::append`].
    pub fn append_placeholder(&self) -> Outcome<usize> {
        self.push(Slot::Placeholder(None))
    }

    fn push(&self, slot: Slot) -> Outcome<usize> {
        let mut state = lock(&self.state);
        ensure(state.phase == Phase::Growing, acl::RT_PARAM_INVALID, || {
            "the arguments were finalized; nothing can be appended any more".to_owned()
        })?;
        ensure(state.slots.len() < MOST, acl::RT_PARAM_INVALID, || {
            format!("a kernel takes {MOST} arguments at most")
        })?;
        let (front, behind) = slot.bytes();
        self.check_room(&state, front.saturating_add(behind))?;
        state.slots.push(slot);
        Ok(state.slots.len() - 1)
    }

    fn check_room(&self, state: &ListState, more: usize) -> Outcome {
        let Some(capacity) = self.capacity else { return Ok(()) };
        let used =
            state.slots.iter().map(Slot::bytes).fold(OVERHEAD, |sum, (front, behind)| sum + front + behind);
        ensure(used.saturating_add(more) <= capacity, acl::RT_PARAM_INVALID, || {
            format!("{more} more bytes do not fit: {used} of the {capacity} given are used")
        })
    }

    /// Makes the buffer for a placeholder's data.
    ///
    /// # Errors
    /// 107000 for a value, a second buffer, after finalizing, over the memory given · 207001 without memory.
    pub fn buffer(&self, index: usize, bytes: usize) -> Outcome<*mut c_void> {
        let mut state = lock(&self.state);
        ensure(state.phase == Phase::Growing, acl::RT_PARAM_INVALID, || {
            "the arguments were finalized; a placeholder gets its buffer before that".to_owned()
        })?;
        self.check_room(&state, padded(bytes))?;
        match state.slots.get_mut(index) {
            Some(Slot::Placeholder(buffer @ None)) => {
                let made = Buffer::new(bytes)?;
                let at = made.at.as_ptr();
                *buffer = Some(made);
                Ok(at.cast())
            }
            Some(Slot::Placeholder(Some(_))) => Err(Fault::new(
                acl::RT_PARAM_INVALID,
                format_args!("placeholder {index} has its buffer already"),
            )),
            _ => {
                Err(Fault::new(acl::RT_PARAM_INVALID, format_args!("argument {index} is not a placeholder")))
            }
        }
    }

    /// Replaces a value by one of the same size.
    ///
    /// # Errors
    /// 107000 for a placeholder or another size.
    pub fn update(&self, index: usize, value: Vec<u8>) -> Outcome {
        let mut state = lock(&self.state);
        match state.slots.get_mut(index) {
            Some(Slot::Value { bytes, size }) => {
                ensure(value.len() == *size, acl::RT_PARAM_INVALID, || {
                    format!("argument {index} has {size} bytes, not {}", value.len())
                })?;
                let padded = bytes.len();
                *bytes = value;
                bytes.resize(padded, 0);
            }
            _ => {
                return Err(Fault::new(
                    acl::RT_PARAM_INVALID,
                    format_args!("argument {index} is not a value"),
                ));
            }
        }
        if state.phase == Phase::Final {
            state.phase = Phase::Updated;
        }
        Ok(())
    }

    /// Ends editing.
    ///
    /// # Errors
    /// 107000 when a placeholder has no buffer, or nothing changed since the last time.
    pub fn finalize(&self) -> Outcome {
        let mut state = lock(&self.state);
        let bare = state.slots.iter().position(|slot| matches!(slot, Slot::Placeholder(None)));
        if let Some(bare) = bare {
            return Err(Fault::new(acl::RT_PARAM_INVALID, format_args!("placeholder {bare} has no buffer")));
        }
        ensure(state.phase != Phase::Final, acl::RT_PARAM_INVALID, || {
            "the arguments are final already".to_owned()
        })?;
        state.phase = Phase::Final;
        Ok(())
    }

    /// The arguments for a launch, with the data that the buffers hold now.
    ///
    /// # Errors
    /// 107000 when they are not final.
    pub fn image(&self) -> Outcome<Image> {
        let state = lock(&self.state);
        ensure(state.phase == Phase::Final, acl::RT_PARAM_INVALID, || {
            "the arguments are not final; call aclrtKernelArgsFinalize after the last change".to_owned()
        })?;
        let mut image = Image::default();
        let mut slots = Vec::new();
        for slot in &state.slots {
            match slot {
                Slot::Value { bytes, .. } => image.bytes.extend_from_slice(bytes),
                Slot::Placeholder(buffer) => {
                    slots.push((image.bytes.len(), buffer.as_ref()));
                    image.bytes.extend_from_slice(&[0; SLOT]);
                }
            }
        }
        for (slot, buffer) in slots {
            image.pointers.push((slot, image.bytes.len()));
            if let Some(buffer) = buffer {
                buffer.append_to(&mut image.bytes)?;
            }
        }
        Ok(image)
    }
}

/// The size of a value among the arguments.
pub fn padded(bytes: usize) -> usize {
    bytes.checked_next_multiple_of(SLOT).unwrap_or(usize::MAX)
}

/// Memory for the data of a placeholder. The program writes there whenever it likes, so it is never a slice.
struct Buffer {
    at: NonNull<u8>,
    bytes: usize,
}

// SAFETY: the memory belongs to the buffer alone and is only read through its pointer.
unsafe impl Send for Buffer {}

impl Buffer {
    fn layout(bytes: usize) -> Option<Layout> {
        Layout::from_size_align(padded(bytes.max(1)), 64).ok()
    }

    fn new(bytes: usize) -> Outcome<Self> {
        // SAFETY: the layout is not empty.
        let at =
            Self::layout(bytes).and_then(|layout| NonNull::new(unsafe { std::alloc::alloc_zeroed(layout) }));
        let at = at.ok_or_else(|| {
            Fault::new(acl::MEMORY_ALLOCATION, format_args!("no {bytes} bytes for the data of a placeholder"))
        })?;
        Ok(Self { at, bytes })
    }

    fn append_to(&self, into: &mut Vec<u8>) -> Outcome {
        let bytes = padded(self.bytes);
        into.try_reserve(bytes).map_err(|_| {
            Fault::new(acl::MEMORY_ALLOCATION, format_args!("no {bytes} bytes for a copy of the arguments"))
        })?;
        let end = into.spare_capacity_mut().as_mut_ptr().cast();
        // SAFETY: the buffer has so many bytes, the vector room for them, and they do not overlap.
        unsafe { std::ptr::copy_nonoverlapping(self.at.as_ptr(), end, bytes) };
        // SAFETY: these bytes were just written.
        unsafe { into.set_len(into.len() + bytes) };
        Ok(())
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        if let Some(layout) = Self::layout(self.bytes) {
            // SAFETY: it was allocated with this layout and no longer claim on it was given out.
            unsafe { std::alloc::dealloc(self.at.as_ptr(), layout) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn argument_values_fill_slots_and_data_follows() {
        let list = List::new(std::ptr::null_mut(), 1, None);
        list.append(vec![1, 2, 3]).unwrap();
        let data = list.append_placeholder().unwrap();
        list.append(vec![9; 16]).unwrap();
        assert_eq!(list.finalize().unwrap_err().code, acl::RT_PARAM_INVALID);
        let at = list.buffer(data, 5).unwrap();
        // SAFETY: the buffer has 5 bytes.
        unsafe { at.cast::<[u8; 5]>().write([7; 5]) };
        list.finalize().unwrap();
        let image = list.image().unwrap();
        assert_eq!(image.pointers, [(8, 32)]);
        assert_eq!(image.bytes[..8], [1, 2, 3, 0, 0, 0, 0, 0]);
        assert_eq!(image.bytes[16..32], [9; 16]);
        assert_eq!(image.bytes[32..], [7, 7, 7, 7, 7, 0, 0, 0]);
    }

    #[test]
    fn argument_list_stays_inside_caller_memory() {
        let list = List::new(std::ptr::null_mut(), 1, Some(OVERHEAD + 16));
        list.append(vec![1]).unwrap();
        list.append(vec![1; 8]).unwrap();
        assert_eq!(list.append(vec![1]).unwrap_err().code, acl::RT_PARAM_INVALID);
    }
}
