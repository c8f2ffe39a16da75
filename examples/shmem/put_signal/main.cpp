// SPDX-License-Identifier: Apache-2.0 OR MIT
// A message goes round the PEs, on streams of ACL: each PE waits for its signal on its stream, where the
// kernel that passes the message on stands behind the wait. The kernel is launched by <<<…>>>
// (kernel.cpp).
#include "program.h"

#include <acl/acl.h>

void launch_put_signal(void *stream, uint8_t *to, uint8_t *from, uint8_t *signal, uint32_t bytes, int32_t turn);

int main(int count, char **words)
{
    uint32_t devices = 0;
    aclrtStream stream = nullptr;
    Program::check(aclInit(nullptr), "aclInit");
    Program::check(aclrtGetDeviceCount(&devices), "aclrtGetDeviceCount");
    Program::check(aclrtSetDevice(count > 2 ? std::atoi(words[2]) % static_cast<int>(devices) : 0), "aclrtSetDevice");
    Program program(count, words);
    Program::check(aclrtCreateStream(&stream), "aclrtCreateStream");
    enum { BYTES = 50001, TURNS = 3 };
    char *first = program.heap(BYTES), *mine = program.heap(BYTES), *signal = program.heap(64);
    const auto at = [](char *address) { return reinterpret_cast<uint8_t *>(address); };
    bool right = true;
    for (int32_t turn = 1; turn <= TURNS; turn++) {
        std::vector<char> message(BYTES, static_cast<char>(turn));
        message[BYTES - 1] = 100;
        if (program.pe == 0) {
            program.to_heap(first, message.data(), BYTES);
            launch_put_signal(stream, at(mine), at(first), at(signal), BYTES, turn);
        }
        aclshmemx_signal_wait_until_on_stream(reinterpret_cast<int32_t *>(signal), ACLSHMEM_CMP_GE, turn, stream);
        if (program.pe != 0) launch_put_signal(stream, at(mine), at(mine), at(signal), BYTES, turn);
        Program::check(aclrtSynchronizeStream(stream), "aclrtSynchronizeStream");
        right &= program.from_heap(mine, BYTES) == message;
        // The next message comes after all have compared this one.
        aclshmem_barrier_all();
    }
    Program::check(aclrtDestroyStream(stream), "aclrtDestroyStream");
    return program.report("messages that went round", right);
}
