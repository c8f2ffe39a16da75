// SPDX-License-Identifier: Apache-2.0 OR MIT
// HMC in C++ on simulated GPUs: two processes, each with a buffer in host memory and one on a GPU of each
// vendor, all of which are connected to all of the other process. Everything between each pair: transfers
// with messages behind them, several at once, streams between memory of the program. One thread of each
// process uses all vendors.
#include "gpus.hpp"

namespace {

constexpr std::size_t BYTES = 1 << 18, STREAM = BYTES + BYTES / 2 + 17;
constexpr std::size_t SIZES[] = {1, 4097, 100003};
const char *const HERE = "127.0.0.1";
constexpr MemoryType TYPES[] = {MemoryType::CPU, MemoryType::NVIDIA_GPU, MemoryType::AMD_GPU, MemoryType::MOORE_GPU, MemoryType::CAMBRICON_MLU};
constexpr std::size_t COUNT = sizeof TYPES / sizeof TYPES[0];

// A buffer of one type, and memory of the program of the same type.
struct Side {
    std::shared_ptr<ConnBuffer> buffer;
    Communicator comm;
    Memory memory;
    void *data = nullptr;

    Side(int device, MemoryType type) : buffer(std::make_shared<ConnBuffer>(device, BYTES, type)), comm(buffer, 2), memory(device, type)
    {
        IS(SUCCESS, memory.allocateBuffer(&data, STREAM));
    }
    ~Side() { IS(SUCCESS, memory.freeBuffer(data)); }
    Side(const Side &) = delete;
    Side &operator=(const Side &) = delete;

    std::vector<char> bytes(std::size_t count)
    {
        std::vector<char> found(count);
        IS(SUCCESS, memory.copyDeviceToHost(found.data(), data, count));
        return found;
    }
    void write(std::vector<char> bytes, std::size_t bias) { IS(SUCCESS, buffer->writeFromCpu(bytes.data(), bytes.size(), bias)); }
};

// All of a process, at ports from `port` on, one for each type.
std::vector<std::unique_ptr<Side>> listening(std::uint16_t port, std::uint16_t ctrl, int nvidia_device)
{
    std::vector<std::unique_ptr<Side>> sides;
    for (const MemoryType type : TYPES) {
        sides.emplace_back(new Side(type == MemoryType::NVIDIA_GPU ? nvidia_device : 0, type));
        const std::uint16_t own = static_cast<std::uint16_t>(port + sides.size() - 1);
        IS(SUCCESS, sides.back()->comm.initServer(HERE, own, ctrl, "", ConnType::UCX));
    }
    return sides;
}

void meet(Communicator &comm, std::uint32_t peer, std::uint64_t expected)
{
    std::uint64_t tag = 0;
    IS(SUCCESS, comm.ctrlRecv(peer, &tag));
    CHECK(tag == expected);
}

// Received data is in memory of another type than the buffer's if the buffer is in host memory.
void receive(Side &side, std::uint16_t port, MemoryType type, std::size_t seed)
{
    std::size_t count = 0;
    IS(SUCCESS, side.comm.recvDataFrom(HERE, port, side.data, STREAM, type, &count, ConnType::UCX));
    CHECK(count == STREAM && side.bytes(STREAM) == bytes_of(STREAM, seed));
}

void serve(Side &side, std::uint16_t port, std::size_t seed)
{
    Communicator &comm = side.comm;
    IS(SUCCESS, until_success([&] { return comm.checkConn(HERE, port, ConnType::UCX); }));
    for (const std::size_t size : SIZES) {
        meet(comm, 1, size);
        CHECK(has(*side.buffer, bytes_of(size, seed + size), 7));
        IS(SUCCESS, comm.ctrlSend(1, size));
    }
    meet(comm, 1, 1);
    CHECK(has(*side.buffer, bytes_of(BYTES / 2, seed), BYTES / 2));
    // By its own initiative, in both directions.
    IS(SUCCESS, comm.put(HERE, port, BYTES / 2, 3, 5000, ConnType::UCX));
    IS(SUCCESS, comm.get(HERE, port, 11, 3, 5000, ConnType::UCX));
    CHECK(has(*side.buffer, bytes_of(5000, seed), 11));
    IS(ERROR, comm.put(HERE, port, 0, BYTES, 1, ConnType::UCX));
    IS(SUCCESS, comm.ctrlSend(1, 2));
    receive(side, port, side.memory.getMemoryType(), seed + 1);
    IS(SUCCESS, comm.sendDataTo(HERE, port, side.data, STREAM, side.memory.getMemoryType(), ConnType::UCX));
    meet(comm, 1, 3);
}

void use(Side &side, std::uint16_t port, std::size_t seed)
{
    Communicator &comm = side.comm;
    for (const std::size_t size : SIZES) {
        side.write(bytes_of(size, seed + size), 5);
        IS(SUCCESS, comm.put(HERE, port, 5, 7, size, ConnType::UCX));
        IS(SUCCESS, comm.ctrlSend(0, size));
        IS(SUCCESS, comm.get(HERE, port, BYTES / 2, 7, size, ConnType::UCX));
        CHECK(has(*side.buffer, bytes_of(size, seed + size), BYTES / 2));
        meet(comm, 0, size);
    }
    side.write(bytes_of(BYTES / 2, seed), 0);
    std::uint64_t ids[4] = {};
    constexpr std::size_t PIECE = BYTES / 8;
    for (std::size_t at = 0; at < 4; at++) IS(SUCCESS, comm.putNB(HERE, port, at * PIECE, BYTES / 2 + at * PIECE, PIECE, &ids[at], ConnType::UCX));
    IS(SUCCESS, comm.wait(ids[2]));
    const auto all = [&] { return comm.wait({ids[3], ids[0], ids[1]}); };
    status_t waited = all();
    while (waited == status_t::TIMEOUT) waited = all();
    IS(SUCCESS, waited);
    IS(SUCCESS, comm.putPipeline(HERE, port, 100, BYTES / 2 + 100, PIECE, 9999, 3, ConnType::UCX));
    IS(SUCCESS, comm.getPipeline(HERE, port, BYTES / 2, BYTES / 2, BYTES / 2, 50001, 2, ConnType::UCX));
    CHECK(has(*side.buffer, bytes_of(BYTES / 2, seed), BYTES / 2));
    IS(SUCCESS, comm.ctrlSend(0, 1));
    meet(comm, 0, 2);
    CHECK(has(*side.buffer, bytes_of(5000, seed), 3));
    const std::vector<char> stream = bytes_of(STREAM, seed + 1);
    IS(SUCCESS, side.memory.copyHostToDevice(side.data, stream.data(), STREAM));
    IS(SUCCESS, comm.sendDataTo(HERE, port, side.data, STREAM, side.memory.getMemoryType(), ConnType::UCX));
    receive(side, port, side.memory.getMemoryType(), seed + 1);
    IS(SUCCESS, comm.ctrlSend(0, 3));
}

// Which pair it is, for bytes that differ from all others.
std::size_t seed_of(std::size_t from, std::size_t to) { return 1000 * from + 100 * to; }

std::uint16_t port_of(std::uint16_t port, std::size_t at) { return static_cast<std::uint16_t>(port + at); }

int server(std::uint16_t port, const std::string &)
{
    const std::uint16_t ctrl = port_of(port, 2 * COUNT);
    const auto sides = listening(port, ctrl, 0);
    // The link may be known here later than the first connection.
    std::uint64_t tag = 0;
    IS(SUCCESS, until_success([&] { return sides[0]->comm.ctrlRecv(1, &tag); }));
    for (std::size_t from = 0; from < COUNT; from++)
        for (std::size_t to = 0; to < COUNT; to++) serve(*sides[to], port_of(port, COUNT + from), seed_of(from, to));
    IS(SUCCESS, sides[0]->comm.closeServer());
    return check_failures == 0 ? 0 : 1;
}

int client(std::uint16_t port, const std::string &)
{
    Communicator::CtrlLink link;
    link.ip = HERE;
    link.port = port_of(port, 2 * COUNT);
    const auto sides = listening(port_of(port, COUNT), 0, 1);
    for (const auto &side : sides)
        for (std::size_t to = 0; to < COUNT; to++)
            IS(SUCCESS, until_success([&] { return side->comm.connectTo(0, 1, HERE, port_of(port, to), link, ConnType::UCX); }));
    IS(SUCCESS, sides[0]->comm.ctrlSend(0, 4711));
    for (std::size_t from = 0; from < COUNT; from++)
        for (std::size_t to = 0; to < COUNT; to++) use(*sides[from], port_of(port, to), seed_of(from, to));
    // The server ends its links.
    IS(ERROR, sides[0]->comm.ctrlRecv(0, nullptr));
    return check_failures == 0 ? 0 : 1;
}

} // namespace

int main(int, char **argv) { return two_processes(argv, server, client, 2 * COUNT); }
