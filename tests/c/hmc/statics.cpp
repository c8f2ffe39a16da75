// SPDX-License-Identifier: Apache-2.0 OR MIT
// Objects of HMC that are made before main and used until they end after it, in two sources of one program.
#include <cstdio>

#include <hmc.h>

// In statics_other.cpp, with objects constructed, and destroyed, before or after the ones here.
hmc::status_t other_round(hmc::ConnBuffer &buffer);

namespace {

// Writes, reads and compares, and asks the control channel. Texts of errors end with the thread, before
// statics do.
bool works(hmc::ConnBuffer &buffer, bool has_texts = true)
{
    char here[] = "before and after main", there[sizeof here] = "";
    hmc::Memory memory(0, hmc::MemoryType::CPU);
    void *address = nullptr;
    bool is_right = memory.allocateBuffer(&address, sizeof here) == hmc::status_t::SUCCESS;
    is_right = is_right && memory.copyHostToDevice(address, here, sizeof here) == hmc::status_t::SUCCESS;
    is_right = is_right && buffer.writeFromCpu(address, sizeof here, 5) == hmc::status_t::SUCCESS;
    is_right = is_right && buffer.readToCpu(there, sizeof here, 5) == hmc::status_t::SUCCESS;
    is_right = is_right && memory.freeBuffer(address) == hmc::status_t::SUCCESS;
    is_right = is_right && buffer.writeFromCpu(here, 1, buffer.buffer_size) == hmc::status_t::ERROR;
    is_right = is_right && (!has_texts || !hmc::last_error().empty());
    is_right = is_right && !hmc::CtrlSocketManager::instance().sendInt(1, 1);
    return is_right && std::string(here) == there;
}

struct Used {
    std::shared_ptr<hmc::ConnBuffer> buffer = std::make_shared<hmc::ConnBuffer>(0, 64, hmc::MemoryType::CPU);
    hmc::Communicator comm{buffer};
    bool worked = works(*buffer);

    ~Used()
    {
        // Behind main there is only the exit status to say it.
        if (!works(*buffer, false)) std::_Exit(3);
        if (comm.checkConn("127.0.0.1", 1, hmc::ConnType::UCX) != hmc::status_t::NOT_FOUND) std::_Exit(4);
        std::puts("worked after main");
    }
};
hmc::Memory memory(0);
hmc::Memory host_memory(0, hmc::MemoryType::CPU);
Used used;

} // namespace

int main()
{
    if (!used.worked || !works(*used.buffer)) return 1;
    if (other_round(*used.buffer) != hmc::status_t::SUCCESS) return 2;
    return memory.getMemoryType() == hmc::memory_supported() && host_memory.getInitStatus() == hmc::status_t::SUCCESS ? 0 : 5;
}
