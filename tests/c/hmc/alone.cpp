// SPDX-License-Identifier: Apache-2.0 OR MIT
// HMC in C++ in one process: memory, buffers with their bounds, exceptions of constructors, refusals.
#include "peers.hpp"

#include <cstring>
#include <limits>

#include "../src/memories/mem_type.h"
#include "../src/resource_manager/gpu_interface.h"

namespace {

constexpr std::size_t MOST = std::numeric_limits<std::size_t>::max();

// The status that a call throws; SUCCESS when it throws nothing.
template <typename Call>
status_t thrown(Call call)
{
    try {
        call();
    } catch (const std::runtime_error &error) {
        CHECK(error.what()[0] != '\0');
        const Error *own = dynamic_cast<const Error *>(&error);
        return own != nullptr ? own->status() : status_t::ERROR;
    }
    return status_t::SUCCESS;
}

void texts()
{
    CHECK(std::string(status_to_string(status_t::SUCCESS)) == "Succeeded");
    CHECK(std::string(status_to_string(status_t::ERROR)) == "Error");
    CHECK(std::string(status_to_string(status_t::UNSUPPORT)) == "Unsupported");
    CHECK(std::string(status_to_string(status_t::INVALID_CONFIG)) == "Invalid Config");
    CHECK(std::string(status_to_string(status_t::TIMEOUT)) == "Timeout");
    CHECK(std::string(status_to_string(status_t::NOT_FOUND)) == "Not Found");
    CHECK(std::string(status_to_string(static_cast<status_t>(77))) == "Unknown Status");
    CHECK(Communicator::udsPathFor("/run/x/", 7) == "/run/x/hmc_ctrl_rank_7.sock");
    CHECK(Communicator::udsPathFor("/run/x", 7) == "/run/x/hmc_ctrl_rank_7.sock");
    CHECK(Communicator::udsPathFor("", 0) == "/hmc_ctrl_rank_0.sock");
    CHECK(CtrlSocketManager::udsPathFor("/", 4294967295u) == "/hmc_ctrl_rank_4294967295.sock");
}

void memory()
{
    Memory host(3, MemoryType::CPU);
    CHECK(host.getMemoryType() == MemoryType::CPU && host.getDeviceId() == 3);
    IS(SUCCESS, host.getInitStatus());
    IS(SUCCESS, host.init());
    IS(SUCCESS, host.free());
    void *address = nullptr, *other = nullptr;
    IS(SUCCESS, host.allocateBuffer(&address, 1000));
    IS(SUCCESS, host.allocatePeerableBuffer(&other, 1000));
    char here[1000], there[1000] = "";
    std::memset(here, 'h', sizeof here);
    IS(SUCCESS, host.copyHostToDevice(address, here, sizeof here));
    IS(SUCCESS, host.copyDeviceToDevice(other, address, sizeof here));
    IS(SUCCESS, host.copyDeviceToHost(there, other, sizeof here));
    CHECK(std::memcmp(here, there, sizeof here) == 0);
    IS(ERROR, host.copyHostToDevice(nullptr, here, 1));
    IS(ERROR, host.copyDeviceToHost(there, nullptr, 1));
    IS(SUCCESS, host.copyDeviceToDevice(other, address, 0));
    IS(SUCCESS, host.freeBuffer(address));
    IS(SUCCESS, host.freeBuffer(other));
    IS(ERROR, host.freeBuffer(nullptr));
    IS(ERROR, host.allocateBuffer(&address, MOST));
    IS(ERROR, host.allocateBuffer(nullptr, 8));

    Memory any(0);
    CHECK(any.getMemoryType() == memory_supported() && any.getMemoryType() != MemoryType::DEFAULT);
    CHECK(!memory_dmabuf_supported());
    // Changed by valid calls, and unchanged by invalid ones.
    IS(SUCCESS, any.setDeviceIdAndMemoryType(1, MemoryType::CPU));
    CHECK(any.getDeviceId() == 1 && any.getMemoryType() == MemoryType::CPU);
    for (const MemoryType type : {MemoryType::NVIDIA_GPU, MemoryType::AMD_GPU, MemoryType::CAMBRICON_MLU, MemoryType::MOORE_GPU}) {
        std::int32_t resolved = 0;
        if (mfx_hmc_memory_check(0, static_cast<std::int32_t>(type), &resolved) != 2) continue;
        CHECK(thrown([&] { Memory lacking(0, type); }) == status_t::UNSUPPORT);
        CHECK(thrown([&] { any.setDeviceIdAndMemoryType(0, type); }) == status_t::UNSUPPORT);
        CHECK(thrown([&] { ConnBuffer lacking(0, 64, type); }) == status_t::UNSUPPORT);
        CHECK(any.getDeviceId() == 1 && any.getMemoryType() == MemoryType::CPU);
    }
    Memory unknown(0, static_cast<MemoryType>(77));
    IS(INVALID_CONFIG, unknown.getInitStatus());
    IS(INVALID_CONFIG, unknown.allocateBuffer(&address, 8));
    IS(INVALID_CONFIG, unknown.copyHostToDevice(there, here, 1));
    CHECK(unknown.createMemoryClass(static_cast<MemoryType>(77)) == nullptr);
    const std::unique_ptr<MemoryBase> backend = unknown.createMemoryClass(MemoryType::CPU);
    IS(SUCCESS, backend->init());
    IS(SUCCESS, backend->allocateBuffer(&address, 8));
    IS(SUCCESS, backend->freeBuffer(address));
}

// Answers of a machine without accelerators.
void gpus()
{
    int count = 7;
    std::string where = "kept";
    std::uint64_t free = 0, total = 0;
    IS(ERROR, gpuGetDeviceCount(nullptr));
    if (memory_supported() != MemoryType::CPU) {
        IS(SUCCESS, gpuInit());
        IS(SUCCESS, gpuGetDeviceCount(&count));
        CHECK(count > 0);
        return;
    }
    IS(UNSUPPORT, gpuInit());
    CHECK(std::string(smem_get_last_err_msg()).find("no accelerator") != std::string::npos);
    IS(UNSUPPORT, gpuGetDeviceCount(&count));
    IS(UNSUPPORT, gpuGetPcieBusId(&where, 0));
    IS(UNSUPPORT, gpuGetDeviceMemory(&free, &total));
    IS(UNSUPPORT, gpuSetDevice(0));
    CHECK(count == 0 && where == "kept");
    IS(INVALID_CONFIG, static_cast<status_t>(mfx_hmc_device_count(77, &count)));
}

void buffer()
{
    constexpr std::size_t BYTES = 100;
    CHECK(thrown([] { ConnBuffer none(0, MOST / 2, MemoryType::CPU); }) == status_t::ERROR);
    CHECK(thrown([] { ConnBuffer none(0, 64, static_cast<MemoryType>(-3)); }) == status_t::INVALID_CONFIG);
    ConnBuffer it(0, BYTES, MemoryType::CPU);
    CHECK(it.ptr != nullptr && it.buffer_size == BYTES && it.device_id == 0 && it.mem_type == MemoryType::CPU);
    CHECK(it.mem_ops->getMemoryType() == MemoryType::CPU);
    char here[BYTES], there[BYTES] = "";
    for (std::size_t at = 0; at < BYTES; at++) here[at] = static_cast<char>(at);
    IS(SUCCESS, it.writeFromCpu(here, BYTES));
    CHECK(std::memcmp(it.ptr, here, BYTES) == 0);
    IS(SUCCESS, it.readToCpu(there, 10, 90));
    CHECK(std::memcmp(there, here + 90, 10) == 0);
    IS(SUCCESS, it.copyWithin(5, 0, 20));
    CHECK(std::memcmp(static_cast<char *>(it.ptr) + 5, here, 20) == 0);
    IS(SUCCESS, it.copyWithin(0, 0, BYTES));
    IS(SUCCESS, it.writeFromCpu(here, 0, BYTES));
    // One past the end, and sums that wrap; nothing is written.
    IS(SUCCESS, it.writeFromCpu(here, BYTES));
    IS(ERROR, it.writeFromCpu(there, 1, BYTES));
    IS(ERROR, it.writeFromCpu(there, BYTES + 1));
    IS(ERROR, it.writeFromCpu(there, 5, MOST - 2));
    IS(ERROR, it.readToCpu(there, 5, MOST - 2));
    IS(ERROR, it.copyWithin(MOST - 2, 0, 5));
    IS(ERROR, it.copyWithin(0, MOST - 2, 5));
    IS(ERROR, it.copyWithin(1, 0, BYTES));
    IS(ERROR, it.writeFromCpu(nullptr, 1));
    IS(ERROR, it.writeFromGpu(here, 1));
    IS(ERROR, it.readToGpu(there, 1));
    CHECK(std::memcmp(it.ptr, here, BYTES) == 0);
    CHECK(!last_error().empty());
}

void nobody_there()
{
    const auto buffer = std::make_shared<ConnBuffer>(0, 64, MemoryType::CPU);
    CHECK(thrown([] { Communicator none(nullptr); }) == status_t::INVALID_CONFIG);
    CHECK(thrown([&] { Communicator none(buffer, 0); }) == status_t::INVALID_CONFIG);
    CHECK(thrown([&] { Communicator none(buffer, 17); }) == status_t::INVALID_CONFIG);
    Communicator comm(buffer, 16);
    std::uint64_t id = 77;
    IS(NOT_FOUND, comm.put("127.0.0.1", 1, 0, 0, 8));
    IS(NOT_FOUND, comm.getNB("127.0.0.1", 1, 0, 0, 8, &id));
    CHECK(id == 0);
    IS(NOT_FOUND, comm.putPipeline("127.0.0.1", 1, 0, 0, 8, 0, 0, ConnType::UCX));
    IS(NOT_FOUND, comm.writeTo("127.0.0.1", 0, 8));
    IS(NOT_FOUND, comm.checkConn("127.0.0.1", 1, ConnType::UCX));
    IS(NOT_FOUND, comm.checkConn("127.0.0.1", ConnType::UCX));
    IS(NOT_FOUND, comm.recv("127.0.0.1", 0, 8));
    IS(SUCCESS, comm.disConnect("127.0.0.1", 1, ConnType::UCX));
    IS(SUCCESS, comm.disConnect("127.0.0.1", ConnType::UCX));
    IS(SUCCESS, comm.wait(0));
    IS(NOT_FOUND, comm.wait(5));
    IS(SUCCESS, comm.wait(std::vector<std::uint64_t>{0, 0}));
    IS(NOT_FOUND, comm.wait(std::vector<std::uint64_t>{0, 5}));
    IS(ERROR, comm.ctrlSend(9, 1));
    IS(ERROR, comm.ctrlRecv(9, nullptr));
    IS(SUCCESS, comm.closeCtrlPeer(9));

    Communicator::CtrlLink link;
    IS(ERROR, comm.connectCtrl(9, 8, link));
    link.transport = Communicator::CtrlTransport::UDS;
    IS(ERROR, comm.connectCtrl(9, 8, link));
    link.uds_path = "/nowhere/" + std::string(200, 'x');
    IS(ERROR, comm.connectCtrl(9, 8, link));
    IS(ERROR, comm.connectTo(9, 8, "127.0.0.1", 1, link, ConnType::UCX));
    // A port in use, and an invalid address; a failure leaves no control channel.
    std::uint16_t port = 0;
    const int fd = listen_anywhere(&port);
    IS(ERROR, comm.initServer("127.0.0.1", 0, port, "", ConnType::UCX));
    IS(ERROR, comm.initServer("127.0.0.1", port, 0, "", ConnType::UCX));
    IS(INVALID_CONFIG, comm.initServer("999.0.0.1", port, 0, "", ConnType::RDMA));
    // Also if the control channel is to listen first; 192.0.2.1 is not assigned.
    const std::uint16_t ctrl = free_ports(0);
    for (const char *address : {"999.0.0.1", "192.0.2.1"}) IS(INVALID_CONFIG, comm.initServer(address, port, ctrl, "", ConnType::RDMA));
    close(fd);
    CHECK(!CtrlSocketManager::instance().isServer());
    CHECK(!CtrlSocketManager::instance().sendInt(9, 1));
    IS(SUCCESS, comm.closeServer());
    IS(SUCCESS, comm.closeCtrl());
}

// A rank that another process has now: connectTo makes a link to where it is, and the former one ends.
void rank_elsewhere()
{
    std::uint16_t ports[2] = {};
    const int listeners[2] = {listen_anywhere(&ports[0]), listen_anywhere(&ports[1])};
    int ends[2] = {};
    std::thread accepting([&] {
        for (int at = 0; at < 2; at++) ends[at] = accept(listeners[at], nullptr, nullptr);
    });
    const std::uint16_t data = free_ports(1), other = static_cast<std::uint16_t>(data + 1);
    Communicator server(std::make_shared<ConnBuffer>(0, 64, MemoryType::CPU)), comm(std::make_shared<ConnBuffer>(0, 64, MemoryType::CPU));
    IS(SUCCESS, server.initServer("127.0.0.1", data, 0, "", ConnType::UCX));
    IS(SUCCESS, server.initServer("127.0.0.1", other, 0, "", ConnType::RDMA));
    Communicator::CtrlLink link;
    link.ip = "127.0.0.1";
    link.port = ports[0];
    IS(SUCCESS, comm.connectTo(9, 8, "127.0.0.1", data, link, ConnType::UCX));
    link.port = ports[1];
    IS(SUCCESS, comm.connectTo(9, 8, "127.0.0.1", other, link, ConnType::RDMA));
    accepting.join();
    IS(SUCCESS, comm.ctrlSend(9, 4711));
    // Both got a hello of 12 bytes, and the second one the tag behind another head.
    unsigned char said[28] = "";
    std::uint64_t tag = 0;
    CHECK(recv(ends[0], said, sizeof said, MSG_WAITALL) == 12);
    CHECK(recv(ends[1], said, sizeof said, MSG_WAITALL) == 28);
    std::memcpy(&tag, said + 20, sizeof tag);
    CHECK(tag == 4711);
    // A link to the same place is kept: no new connection is accepted there.
    IS(SUCCESS, comm.disConnect("127.0.0.1", other, ConnType::RDMA));
    IS(SUCCESS, comm.connectTo(9, 8, "127.0.0.1", other, link, ConnType::RDMA));
    // By address alone: two connections of a type, of which neither was made so.
    Communicator third(std::make_shared<ConnBuffer>(0, 64, MemoryType::CPU));
    const std::uint16_t ucx = free_ports(0);
    IS(SUCCESS, third.initServer("127.0.0.1", ucx, 0, "", ConnType::UCX));
    IS(SUCCESS, comm.connectTo(9, 8, "127.0.0.1", ucx, link, ConnType::UCX));
    IS(ERROR, comm.checkConn("127.0.0.1", ConnType::UCX));
    IS(ERROR, comm.writeTo("127.0.0.1", 0, 8, ConnType::UCX));
    IS(ERROR, comm.disConnect("127.0.0.1", ConnType::UCX));
    IS(SUCCESS, comm.disConnect("127.0.0.1", ucx, ConnType::UCX));
    IS(SUCCESS, comm.writeTo("127.0.0.1", 0, 8, ConnType::UCX));
    IS(SUCCESS, comm.disConnect("127.0.0.1", ConnType::UCX));
    IS(NOT_FOUND, comm.checkConn("127.0.0.1", ConnType::UCX));
    IS(SUCCESS, server.closeServer());
    for (int at = 0; at < 2; at++) {
        close(ends[at]);
        close(listeners[at]);
    }
}

} // namespace

int main(int count, char **)
{
    // For uhm_server and uhm_client.
    if (count > 1) {
        std::printf("%u\n", free_ports(3));
        return 0;
    }
    texts();
    memory();
    gpus();
    buffer();
    nobody_there();
    rank_elsewhere();
    logError("%s at %d", "a line", 7);
    return check_failures == 0 ? 0 : 1;
}
