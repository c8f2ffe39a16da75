// SPDX-License-Identifier: Apache-2.0 OR MIT
//! S58: arguments.

use super::*;

/// A list of arguments for a function.
fn list(function: *mut c_void) -> *mut c_void {
    let mut list = null_mut();
    assert_eq!(call!(aclrtKernelArgsInit(function, &raw mut list)), 0, "{}", last_error());
    list
}

fn append(list: *mut c_void, bytes: &mut [u8]) -> Result<*mut c_void, i32> {
    let mut parameter = null_mut();
    let at = bytes.as_mut_ptr().cast();
    match call!(aclrtKernelArgsAppend(list, at, bytes.len(), &raw mut parameter)) {
        0 => Ok(parameter),
        code => Err(code),
    }
}

fn launch_list(function: *mut c_void, stream: *mut c_void, list: *mut c_void) -> i32 {
    call!(aclrtLaunchKernelWithConfig(function, 1, stream, null_mut(), list, null_mut()))
}

#[test]
fn s58_a_list_of_arguments() {
    with_binary("plain.c", &[], |binary, stream| {
        let echo = function(binary, "echo");
        let result = Words::new(&[9; 4]);
        let list = list(echo);
        let mut value = result.address().to_ne_bytes();
        append(list, &mut value).unwrap();
        value.fill(0);
        let small = append(list, &mut [1, 2, 3]).unwrap();
        append(list, &mut [5; 16]).unwrap();
        assert_eq!(launch_list(echo, stream, list), WRONG, "not finalized");
        assert_eq!(call!(aclrtKernelArgsFinalize(list)), 0);
        assert_eq!(append(list, &mut [1]), Err(WRONG), "finalized");
        assert_eq!(launch_list(echo, stream, list), 0);
        assert_eq!(wait(stream), 0);
        assert_eq!(result.get(), [0x03_0201, 0x0505_0505_0505_0505, 0x0505_0505_0505_0505, 9]);
        // Once more with another value.
        let mut other = [7_u8, 8, 9];
        let at: *mut c_void = other.as_mut_ptr().cast();
        assert_eq!(call!(aclrtKernelArgsParaUpdate(list, small, at, 2)), WRONG, "another size");
        assert_eq!(call!(aclrtKernelArgsParaUpdate(list, small, at, 3)), 0);
        other.fill(0);
        assert_eq!(launch_list(echo, stream, list), WRONG, "changed since it was finalized");
        assert_eq!(call!(aclrtKernelArgsFinalize(list)), 0);
        assert_eq!(launch_list(echo, stream, list), 0);
        assert_eq!(wait(stream), 0);
        assert_eq!(result.get()[0], 0x09_0807);
        assert_eq!(launch_list(function(binary, "add"), stream, list), WRONG, "another kernel's");
        let reserved = call!(aclrtLaunchKernelWithConfig(echo, 1, stream, null_mut(), list, list));
        assert_eq!(reserved, 100_000);
        assert_eq!(call!(aclrtBinaryUnLoad(binary)), 0);
        assert_eq!(append(list, &mut [1]), Err(WRONG), "it went with its binary");
    });
}

#[test]
fn s58_at_most_128_arguments() {
    with_binary("plain.c", &[], |binary, stream| {
        let echo = function(binary, "echo");
        let result = Words::bytes(127 * 8);
        let full = list(echo);
        append(full, &mut result.address().to_ne_bytes()).unwrap();
        for number in 1..128_u8 {
            append(full, &mut [number]).unwrap();
        }
        assert_eq!(append(full, &mut [1]), Err(WRONG));
        assert!(last_error().contains("128"));
        assert_eq!(call!(aclrtKernelArgsFinalize(full)), 0);
        assert_eq!(launch_list(echo, stream, full), 0);
        assert_eq!(wait(stream), 0);
        assert_eq!(result.get(), (1..128).collect::<Vec<u64>>());
        assert_eq!(launch(echo, 1, stream, &[result.address(); 129]), WRONG);
    });
}

#[test]
fn s58_lists_in_memory_of_the_program() {
    with_binary("plain.c", &[], |binary, stream| {
        let echo = function(binary, "echo");
        let (mut handle_bytes, mut bytes) = (0, 0);
        assert_eq!(call!(aclrtKernelArgsGetHandleMemSize(echo, &raw mut handle_bytes)), 0);
        assert_eq!(call!(aclrtKernelArgsGetMemSize(echo, 16, &raw mut bytes)), 0);
        assert!(handle_bytes > 0 && bytes >= 16);
        let (mut handle, mut memory) = (vec![0_u8; handle_bytes], vec![0_u8; bytes]);
        let list: *mut c_void = handle.as_mut_ptr().cast();
        for _ in 0..2 {
            let code = call!(aclrtKernelArgsInitByUserMem(echo, list, memory.as_mut_ptr().cast(), bytes));
            assert_eq!(code, 0);
            let result = Words::new(&[0]);
            append(list, &mut result.address().to_ne_bytes()).unwrap();
            append(list, &mut [4]).unwrap();
            assert_eq!(append(list, &mut [4]), Err(WRONG), "there was memory for two");
            assert_eq!(call!(aclrtKernelArgsFinalize(list)), 0);
            assert_eq!(launch_list(echo, stream, list), 0);
            assert_eq!(wait(stream), 0);
            assert_eq!(result.get(), [4]);
        }
    });
}

#[test]
fn s58_placeholders_in_a_list() {
    with_binary("attached.c", &[("ADDR", "alias")], |binary, stream| {
        let follow = function(binary, "follow");
        let result = Words::new(&[0]);
        let list = list(follow);
        let mut data = null_mut();
        assert_eq!(call!(aclrtKernelArgsAppendPlaceHolder(list, &raw mut data)), 0);
        let to = append(list, &mut result.address().to_ne_bytes()).unwrap();
        assert_eq!(call!(aclrtKernelArgsFinalize(list)), WRONG, "there are no data yet");
        let mut buffer = null_mut();
        assert_eq!(call!(aclrtKernelArgsGetPlaceHolderBuffer(list, to, 8, &raw mut buffer)), WRONG);
        assert_eq!(call!(aclrtKernelArgsGetPlaceHolderBuffer(list, data, 8, &raw mut buffer)), 0);
        // SAFETY: the buffer has 8 bytes.
        unsafe { buffer.cast::<u64>().write(41) };
        assert_eq!(call!(aclrtKernelArgsFinalize(list)), 0);
        assert_eq!(launch_list(follow, stream, list), 0);
        // SAFETY: as above; the launch has taken the data.
        unsafe { buffer.cast::<u64>().write(42) };
        assert_eq!(wait(stream), 0, "{}", last_error());
        assert_eq!(result.get(), [41]);
        assert_eq!(launch_list(follow, stream, list), 0);
        assert_eq!(wait(stream), 0);
        assert_eq!(result.get(), [42]);
    });
}

#[test]
fn s58_placeholders_in_host_arguments() {
    with_binary("attached.c", &[], |binary, stream| {
        let follow = function(binary, "follow");
        let result = Words::new(&[0]);
        let launch = |slot: u32, data: u32| {
            let mut words = [0, result.address(), 55, 66];
            let mut placeholder = aclrtPlaceHolderInfo { addrOffset: slot, dataOffset: data };
            let code = call!(aclrtLaunchKernelWithHostArgs(
                follow,
                3,
                stream,
                null_mut(),
                words.as_mut_ptr().cast(),
                32,
                &raw mut placeholder,
                1
            ));
            words.fill(0);
            code
        };
        for (data, value) in [(16, 55), (24, 66), (20, 66 << 32)] {
            assert_eq!(launch(0, data), 0);
            assert_eq!(wait(stream), 0, "{}", last_error());
            assert_eq!(result.get(), [value]);
        }
        for (slot, data, why) in [
            (4, 16, "the slot is not a multiple of 8"),
            (0, 18, "the data is not a multiple of 4"),
            (0, 4, "the slot is not in front"),
            (16, 16, "the slot is not in front"),
            (0, 32, "behind the end"),
        ] {
            assert_eq!(launch(slot, data), WRONG);
            let text = last_error();
            assert!(text.contains(why), "{text}");
        }
    });
}

#[test]
fn s58_arguments_in_device_memory() {
    with_binary("plain.c", &[("SCHEDULE", "slow(1000)")], |binary, stream| {
        let echo = function(binary, "echo");
        let result = Words::new(&[0]);
        let arguments = Words::new(&[0, 0]);
        let words = [result.address(), 77];
        // The arguments come on the same stream, in front of the kernel.
        let copied = call!(aclrtMemcpyAsync(arguments.at, 16, words.as_ptr().cast(), 16, 1, stream));
        assert_eq!(copied, 0);
        let code = call!(aclrtLaunchKernelV2(echo, 1, arguments.at, 16, null_mut(), stream));
        assert_eq!(code, 0, "{}", last_error());
        assert_eq!(wait(stream), 0, "{}", last_error());
        assert_eq!(result.get(), [77]);
        let host = call!(aclrtLaunchKernelV2(echo, 1, words.as_ptr().cast(), 16, null_mut(), stream));
        assert_eq!(host, WRONG, "host memory");
        result.set(&[0]);
        for at in [arguments.at.cast_const(), words.as_ptr().cast()] {
            assert_eq!(call!(aclrtLaunchKernel(echo, 1, at, 16, stream)), 0);
            assert_eq!(wait(stream), 0);
            assert_eq!(result.get(), [77]);
        }
        // Freed before the kernel starts.
        assert_eq!(call!(aclrtLaunchKernelV2(echo, 1, arguments.at, 16, null_mut(), stream)), 0);
        assert_eq!(call!(aclrtFree(arguments.at)), 0);
        assert_ne!(wait(stream), 0);
    });
}

#[test]
fn s58_arguments_as_an_array() {
    with_binary("attached.c", &[], |binary, stream| {
        let result = Words::new(&[0]);
        let (mut to, mut word, mut byte) = (result.address(), 1000_u32, 7_u8);
        let mut pointers: [*mut c_void; 3] =
            [(&raw mut to).cast(), (&raw mut word).cast(), (&raw mut byte).cast()];
        let mixed = function(binary, "mixed");
        let at = pointers.as_mut_ptr();
        assert_eq!(
            call!(aclrtLaunchKernelWithArgsArray(mixed, 1, stream, null_mut(), at)),
            0,
            "{}",
            last_error()
        );
        assert_eq!(wait(stream), 0);
        assert_eq!(result.get(), [1007]);
        let spin = function(binary, "spin");
        assert_eq!(call!(aclrtLaunchKernelWithArgsArray(spin, 1, stream, null_mut(), at)), 207_000);
    });
}

#[test]
fn s58_strict_mode_refuses_mismatched_argument_sizes() {
    for (strict, code) in [("1", WRONG), ("0", 0)] {
        with_binary("attached.c", &[("STRICT", strict)], |binary, stream| {
            let place = Words::new(&[7]);
            let mixed = function(binary, "mixed");
            assert_eq!(launch(mixed, 1, stream, &[place.address(), 1]), code, "{}", last_error());
            if code == WRONG {
                assert!(
                    last_error().contains("takes 3 arguments, of [8, 4, 1] bytes: 24"),
                    "{}",
                    last_error()
                );
            }
            assert_eq!(launch(mixed, 1, stream, &[place.address(), 1, 2]), 0, "{}", last_error());
            assert_eq!(wait(stream), 0, "{}", last_error());
            assert_eq!(place.get(), [3]);
        });
    }
}
