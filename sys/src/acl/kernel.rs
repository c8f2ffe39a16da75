// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Kernel binaries and launches.

use std::ffi::{CStr, c_void};

use super::older::{Image, List};
use super::{Acl, Binary, Function, Stream, call, older};
use crate::loader::Capability;
use crate::raw::types::*;
use crate::{AclError, Result};

/// A launch of a kernel.
#[derive(Debug)]
pub struct Launch<'a> {
    /// The kernel.
    pub function: Function,
    /// Number of blocks.
    pub blocks: u32,
    /// The stream that it is a task of.
    pub stream: Stream,
    /// Attributes; may be empty.
    pub attributes: &'a mut [aclrtLaunchKernelAttr],
    /// The arguments, each in its size rounded up to 8, and behind them the data of the placeholders. Copied
    /// during the call.
    pub arguments: &'a mut [u8],
    /// Which arguments receive the device address of which data; may be empty.
    pub placeholders: &'a mut [aclrtPlaceHolderInfo],
}

impl Acl {
    /// Loads a kernel binary from a file, named by an absolute path, for the context of the calling thread.
    ///
    /// # Errors
    /// [`NotFound`](crate::Class::NotFound) when the file is missing or not a binary.
    pub fn load_binary_file(&self, path: &CStr, options: &mut [aclrtBinaryLoadOption]) -> Result<Binary> {
        let mut options = load_options(options);
        let mut binary = std::ptr::null_mut();
        call!(self, aclrtBinaryLoadFromFile(path.as_ptr(), &raw mut options, &raw mut binary))?;
        Ok(Binary::new(binary))
    }

    /// Loads a kernel binary from memory.
    ///
    /// # Errors
    /// [`NotFound`](crate::Class::NotFound) when it is not a binary · ACL's: options, where CANN has only
    /// the older calls.
    pub fn load_binary(&self, data: &[u8], options: &mut [aclrtBinaryLoadOption]) -> Result<Binary> {
        if options.is_empty() && !self.origin.can(Capability::BinariesFromMemory) {
            return self.load_image(data);
        }
        let options = load_options(options);
        let mut binary = std::ptr::null_mut();
        call!(
            self,
            aclrtBinaryLoadFromData(data.as_ptr().cast(), data.len(), &raw const options, &raw mut binary)
        )?;
        Ok(Binary::new(binary))
    }

    /// Unloads a binary, after the launches that are queued.
    ///
    /// # Errors
    /// ACL's.
    ///
    /// # Safety
    /// The binary, or a kernel of it, is not used again.
    pub unsafe fn unload_binary(&self, binary: Binary) -> Result<()> {
        // Forget before unloading: afterwards CANN may reuse the values of this handle and of its kernels.
        let image = older::forget(binary);
        let done = call!(self, aclrtBinaryUnLoad(binary.as_raw()));
        match (image, &done) {
            // Unloading failed, so CANN still needs the image.
            (Some(image), Err(_)) => older::keep(binary, image),
            (Some(image), Ok(())) => call!(self, aclrtDestroyBinary(image.handle()))?,
            (None, _) => {}
        }
        done
    }

    /// Loads a binary by the older calls.
    fn load_image(&self, data: &[u8]) -> Result<Binary> {
        let Ok(create) = &self.table.aclrtCreateBinary else {
            return Err(AclError::missing(&self.origin, "aclrtBinaryLoadFromData"));
        };
        let image = Image::from_data(data, |data, bytes| {
            // SAFETY: the signature matches the header, and the image keeps the bytes as long as the binary
            // is loaded.
            unsafe { create(data, bytes) }
        });
        let Some(image) = image else {
            let text = self.recent_message().unwrap_or_else(|| "it gave no binary".to_owned());
            let (library, class) = (crate::loader::Library::Acl, crate::Class::NotFound);
            return Err(AclError::refused(library, "aclrtCreateBinary", class, text));
        };
        let mut binary = std::ptr::null_mut();
        if let Err(error) = call!(self, aclrtBinaryLoad(image.handle(), &raw mut binary)) {
            call!(self, aclrtDestroyBinary(image.handle()))?;
            return Err(error);
        }
        let binary = Binary::new(binary);
        older::keep(binary, image);
        Ok(binary)
    }

    /// Finds a kernel by name.
    ///
    /// # Errors
    /// ACL's: no such kernel.
    pub fn function(&self, binary: Binary, name: &CStr) -> Result<Function> {
        let mut function = std::ptr::null_mut();
        call!(self, aclrtBinaryGetFunction(binary.as_raw(), name.as_ptr(), &raw mut function))?;
        Ok(Function::new(function))
    }

    /// Finds a global variable of a binary: its device address and size.
    ///
    /// # Errors
    /// [`NotFound`](crate::Class::NotFound); the function is optional.
    pub fn global(&self, binary: Binary, name: &CStr) -> Result<(*mut c_void, usize)> {
        let (mut address, mut bytes) = (std::ptr::null_mut(), 0);
        call!(self, aclrtBinaryGetGlobal(binary.as_raw(), name.as_ptr(), &raw mut address, &raw mut bytes))?;
        Ok((address, bytes))
    }

    /// Launches a kernel.
    ///
    /// # Errors
    /// ACL's; failures of the kernel show when the stream is waited for · ACL's: placeholders, where CANN
    /// has only the older calls.
    ///
    /// # Safety
    /// The arguments match the kernel's parameters, and the memory they point to stays valid until the kernel
    /// has finished.
    pub unsafe fn launch(&self, launch: Launch<'_>) -> Result<()> {
        let Launch { function, blocks, stream, attributes, arguments, placeholders } = launch;
        if placeholders.is_empty() && !self.origin.can(Capability::HostArguments) {
            return self.launch_with_list(function, blocks, stream, attributes, arguments);
        }
        let mut config = aclrtLaunchKernelCfg { attrs: attributes.as_mut_ptr(), numAttrs: attributes.len() };
        let config = if attributes.is_empty() { std::ptr::null_mut() } else { &raw mut config };
        let places = if placeholders.is_empty() { std::ptr::null_mut() } else { placeholders.as_mut_ptr() };
        call!(
            self,
            aclrtLaunchKernelWithHostArgs(
                function.as_raw(),
                blocks,
                stream.as_raw(),
                config,
                arguments.as_mut_ptr().cast(),
                arguments.len(),
                places,
                placeholders.len()
            )
        )
    }

    /// Launches with a list of arguments, which is one block here: values stand in slots of 8 bytes in both
    /// forms.
    fn launch_with_list(
        &self,
        function: Function,
        blocks: u32,
        stream: Stream,
        attributes: &mut [aclrtLaunchKernelAttr],
        arguments: &mut [u8],
    ) -> Result<()> {
        let mut config = aclrtLaunchKernelCfg { attrs: attributes.as_mut_ptr(), numAttrs: attributes.len() };
        let config = if attributes.is_empty() { std::ptr::null_mut() } else { &raw mut config };
        let value = arguments.as_mut_ptr().cast();
        older::with_list(function, arguments.len(), |list| {
            let list = match list {
                Some(list) => {
                    call!(self, aclrtKernelArgsParaUpdate(list.handle, list.value, value, arguments.len()))?;
                    list
                }
                None => {
                    let mut list = List { handle: std::ptr::null_mut(), value: std::ptr::null_mut() };
                    call!(self, aclrtKernelArgsInit(function.as_raw(), &raw mut list.handle))?;
                    call!(
                        self,
                        aclrtKernelArgsAppend(list.handle, value, arguments.len(), &raw mut list.value)
                    )?;
                    list
                }
            };
            call!(self, aclrtKernelArgsFinalize(list.handle))?;
            let nothing = std::ptr::null_mut();
            call!(
                self,
                aclrtLaunchKernelWithConfig(
                    function.as_raw(),
                    blocks,
                    stream.as_raw(),
                    config,
                    list.handle,
                    nothing
                )
            )?;
            Ok(list)
        })
    }
}

fn load_options(options: &mut [aclrtBinaryLoadOption]) -> aclrtBinaryLoadOptions {
    let place = if options.is_empty() { std::ptr::null_mut() } else { options.as_mut_ptr() };
    aclrtBinaryLoadOptions { options: place, numOpt: options.len() }
}
