/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Interface between the simulator and a kernel binary.
 *
 * On the simulator a "device binary" is a shared object for the host. A kernel `add` is one function in it,
 *
 *     void mfk_launch_add(const void *args, size_t bytes);
 *
 * which the simulator calls once for each block, each call on a separate thread. `args` are the launch's
 * arguments, 8 bytes a slot, as the launching program gave them; they stay unchanged until the call returns.
 *
 * Nothing else is required. Further exports are optional, and the simulator uses them if present:
 *
 *     int mfk_attach(const struct mfk_host *host);     called once when the binary is loaded; 0, or loading
 *     fails.
 *                                                      The table stays valid for ever.
 *     const struct mfk_kernel mfk_kernel_add;          facts about the kernel `add`.
 *     void mfk_launch_entry_7(const void *, size_t);   what aclrtBinaryGetFunctionByEntry finds as entry 7.
 *
 * Rules for kernels:
 * - A call must return. When is_cancelled() says so it must return soon: the launch is lost, and the thread
 *   of a call that does not come back is given up, with everything it uses, until it does.
 * - A call must not throw, jump or unwind out of itself.
 * - Addresses among the arguments are device addresses. With ASCEND_SIM_ADDR=same they may be dereferenced;
 *   with ASCEND_SIM_ADDR=alias only translate() and visit() lead to the memory. An invalid access raises
 *   SIGSEGV and ends the process, because the simulator installs no signal handlers. visit() reports it as an
 *   error instead.
 */
#ifndef ASCEND_SIM_KERNEL_H
#define ASCEND_SIM_KERNEL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Version of this file. A higher one only appends to the structures. */
#define MFK_VERSION 2

/* Access kinds for translate() and visit(). */
#define MFK_READ 1
#define MFK_WRITE 2

/*
 * Functions of the simulator. They refer to the block of the calling thread; on any other thread they answer
 * 0 or NULL and do nothing, until enter().
 */
struct mfk_host {
    uint32_t version; /* MFK_VERSION of the simulator */
    uint32_t bytes;   /* size of this structure there */

    /* The block's number (counted from the launch's block offset), and how many the launch has. */
    uint32_t (*block_index)(void);
    uint32_t (*block_count)(void);
    /* Cores that this launch may use at once: more blocks than that run in waves. */
    uint32_t (*core_count)(void);
    /* Unified buffer of one core, and the dynamic buffer requested by the launch, in bytes. */
    uint64_t (*ub_bytes)(void);
    uint64_t (*dynamic_ub_bytes)(void);
    /* The device, as its program numbers it. */
    uint32_t (*device)(void);
    /* Name of the kernel. */
    const char *(*kernel_name)(void);
    /* Seed for the binary's random orders; 0 for a fixed order. */
    uint64_t (*seed)(void);
    /* Returns nonzero if behaviour that hardware merely tolerates is an error (ASCEND_SIM_STRICT). */
    int (*is_strict)(void);

    /* Ends the launch with an error: `code` of aclError, or 0 for the usual one of a kernel's fault. The
     * first report counts. The calling block must return by itself. */
    void (*report_fault)(const char *text, int32_t code);
    /* Returns nonzero if the launch is lost; the block must then return. */
    int (*is_cancelled)(void);
    /* The block got on: a launch in which no block does for the time limit has failed. */
    void (*progress)(void);
    /* Waits until every block of the launch is here. 0, or 1 when the launch is lost. */
    int (*sync_all)(void);

    /* Bytes from a device address to the end of its allocation or mapping; 0 for an unmapped address. An
     * access across adjacent mappings must be split. */
    uint64_t (*extent)(uint64_t address);
    /* Returns the host address for accessing `bytes` bytes at a device address, or NULL unless one allocation
     * or mapping with this access right for the device covers them all. The program must not free the memory
     * meanwhile. */
    void *(*translate)(uint64_t address, uint64_t bytes, int access);
    /* Calls body(where, context) while the memory is kept in place, and returns 0; 1 where translate()
     * says NULL. The body must not visit again, wait, or unwind. */
    int (*visit)(uint64_t address, uint64_t bytes, int access, void (*body)(void *where, void *context),
                 void *context);
    /* Describes the memory at an address, for error texts: writes at most `bytes` bytes, NUL-terminated.
     * Returns the length of the whole description. */
    size_t (*name_address)(uint64_t address, char *text, size_t bytes);

    /* Since version 2. */

    /* Returns nonzero if the binary should run fast with few checks (ASCEND_SIM_KERNELS=eager). */
    int (*is_eager)(void);
    /* A block may be run by several threads, as the cores of a mixed kernel: a thread of the binary's own
     * calls enter() with what block() said on the thread of the call, and leave() before it ends, which
     * must be before the call returns. */
    void *(*block)(void);
    void (*enter)(void *block);
    void (*leave)(void);
    /* Number of the launch: not 0, and another one for each launch of the process. */
    uint64_t (*launch)(void);
    /* Sets the wait reason of the calling thread for the text of a timeout: "for the signal of rank 3". The
     * text is copied. NULL clears it. */
    void (*waits)(const char *what);
};

/* Properties of a kernel, declared by the binary. */
struct mfk_kernel {
    uint32_t version; /* MFK_VERSION */
    uint32_t bytes;   /* sizeof(struct mfk_kernel) */
    int32_t type;     /* 0 AI core, 1 cube, 2 vector, 3 mix */
    int32_t ratio;    /* vector cores for each cube core of a mixed kernel */
    int32_t schedule; /* 1: all blocks at once or not at all */
    uint32_t arguments;
    const uint32_t *argument_bytes; /* size of each argument; needed for aclrtLaunchKernelWithArgsArray alone */
};

#ifdef __cplusplus
}
#endif

#endif
