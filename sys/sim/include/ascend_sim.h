// SPDX-License-Identifier: Apache-2.0 OR MIT
/// The simulator's own interface: tests make trouble with it and look for leaks.
///
/// Look the functions up with dlsym in the library that answers as libascendcl.so: no library of CANN has
/// them, and a program that finds ascsim_version runs on the simulator.
///
/// Functions that return int32_t answer 0 or an aclError; aclGetRecentErrMsg returns the reason. They may be
/// called from any thread. Device numbers are the program's (as for aclrtSetDevice) unless noted.
#ifndef ASCEND_SIM_H
#define ASCEND_SIM_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The version of this interface that this header describes. Later ones only add.
#define ASCSIM_API_VERSION 2

/// Name and version of the simulator, for ever.
const char *ascsim_version(void);

/// The version of this interface that the library has.
uint32_t ascsim_api_version(void);

/// Adds rules as they stand in ASCEND_SIM_FAULTS, which count from now on:
///   aclrtMalloc@3=207001      the third call of a function fails with a number
///   memcpy@2+=link            from the second on, a task of a stream fails as over a broken link
///   oom@10, kernel launch@1=hang, slow(200), lost(1), drop-notify, ecc, aicore
int32_t ascsim_add_faults(const char *rules);

/// Clears all fault rules, including those of ASCEND_SIM_FAULTS. Lost devices stay lost.
int32_t ascsim_clear_faults(void);

/// Loses a device, for all processes of the machine: what concerns it fails with 507899 until a process
/// resets it.
int32_t ascsim_lose_device(int32_t device);

/// Heals a lost device, as a reset does.
int32_t ascsim_heal_device(int32_t device);

/// Cuts the link between two devices, for all processes: what crosses it fails with 507056. Devices are
/// numbered over the whole machine: server times 4096 plus device.
int32_t ascsim_cut_link(uint32_t one, uint32_t other);

/// Mends it.
int32_t ascsim_mend_link(uint32_t one, uint32_t other);

/// Stops starting tasks on the streams that this process has on the device.
int32_t ascsim_pause_device(int32_t device);

/// Starts them again.
int32_t ascsim_resume_device(int32_t device);

/// Since version 2. Appends a task to a stream (NULL: the default stream) that fails with a number of
/// aclError and a text: the next synchronisation of the stream returns the number. Launchers call it for
/// kernels that could not be launched.
int32_t ascsim_fail_stream(void *stream, int32_t code, const char *why);

/// Sets the HBM of a device, or for -1 the host memory of this server, in bytes, for all processes. Existing
/// allocations stay.
int32_t ascsim_set_memory_limit(int32_t device, uint64_t bytes);

/// Pools of ascsim_set_pool_limit.
enum ascsim_pool { ASCSIM_STREAMS = 0, ASCSIM_EVENTS = 1, ASCSIM_NOTIFIES = 2 };

/// Sets how many of them a device has, for all processes; 0: as many as hardware.
int32_t ascsim_set_pool_limit(int32_t device, uint32_t pool, uint32_t numbers);

/// Sets the clock of this process forward: timeouts that lie in between expire.
int32_t ascsim_advance_clock(uint64_t nanoseconds);

/// Counts this process's objects of a kind: context, stream, event, notify (default streams and contexts
/// count), physical, mapping, reservation, allocation, host-allocation, host-registration, ipc, binary,
/// communicator, data (buffers and datasets), pool, graph, and, of the simulator itself, thread and
/// descriptor.
int32_t ascsim_count(const char *kind, uint64_t *count);

#ifdef __cplusplus
}
#endif

#endif
