// SPDX-License-Identifier: Apache-2.0 OR MIT
// HMC in C++, peers by address and port: two processes, at 127.0.0.2 and 127.0.0.1 or on two hosts, over both
// types of connections, by TCP and by a socket file.
#include "peers.hpp"

namespace {

constexpr std::size_t BYTES = 1 << 20, STREAM = 3 * BYTES + 17;
const char *const SERVER = address("MF_TEST_SERVER_IP", "127.0.0.2");
const char *const CLIENT = address("MF_TEST_CLIENT_IP", "127.0.0.1");
constexpr std::uint32_t ROUNDS = 100;

std::size_t size_of(std::uint32_t round) { return round * 9973 % (BYTES / 2) + 1; }

// Waits for this tag of the other side.
void meet(Communicator &comm, std::uint32_t peer, std::uint64_t expected)
{
    std::uint64_t tag = 0;
    IS(SUCCESS, comm.ctrlRecv(peer, &tag));
    CHECK(tag == expected);
}

struct Meta {
    std::uint64_t offset;
    std::uint32_t rows[3];
};

// Messages of all kinds: one of another type or length is consumed, and the next is whole.
void say(std::uint32_t peer)
{
    CtrlSocketManager &ctrl = CtrlSocketManager::instance();
    const char text[] = "seven";
    CHECK(ctrl.sendStruct(peer, Meta{1ull << 40, {1, 2, 3}}));
    CHECK(ctrl.send(peer, CTRL_STRUCT, text, sizeof text, 0x7001));
    CHECK(ctrl.send(peer, static_cast<CtrlMsgType>(9), nullptr, 0));
    CHECK(!ctrl.send(peer, CTRL_STRUCT, nullptr, 4));
    CHECK(ctrl.sendInt(peer, -3));
    CHECK(ctrl.sendU64(peer, 1ull << 50));
    CHECK(ctrl.sendInt(peer, 4));
}

void listen_to(std::uint32_t peer)
{
    CtrlSocketManager &ctrl = CtrlSocketManager::instance();
    Meta meta = {};
    CHECK(ctrl.recvStruct(peer, meta) && meta.offset == 1ull << 40 && meta.rows[2] == 3);
    CtrlMsgHeader header = {};
    std::vector<std::uint8_t> payload;
    CHECK(ctrl.recv(peer, header, payload) && header.type == CTRL_STRUCT && header.flags == 0x7001 && header.length == 6);
    CHECK(payload == (std::vector<std::uint8_t>{'s', 'e', 'v', 'e', 'n', 0}));
    CHECK(ctrl.recv(peer, header, payload) && header.type == 9 && payload.empty());
    std::uint64_t large = 0;
    CHECK(!ctrl.recvU64(peer, large) && !ctrl.recvStruct(peer, meta));
    int small = 0;
    CHECK(ctrl.recvInt(peer, small) && small == 4);
}

// A server that puts to and gets from a client that listens nowhere.
void serve(Communicator &comm, ConnBuffer &buffer, ConnType type)
{
    IS(SUCCESS, until_success([&] { return comm.checkConn(CLIENT, 0, type); }));
    // The link may be known later than the connection.
    std::uint64_t tag = 0;
    IS(SUCCESS, until_success([&] { return comm.ctrlRecv(1, &tag); }));
    for (std::uint32_t round = 0; round < ROUNDS; round++) {
        meet(comm, 1, round);
        CHECK(has(buffer, bytes_of(size_of(round), round), BYTES / 2));
        IS(SUCCESS, comm.ctrlSend(1, round));
    }
    meet(comm, 1, 1000);
    std::vector<char> own = bytes_of(5000, 77);
    IS(SUCCESS, buffer.writeFromCpu(own.data(), own.size()));
    IS(SUCCESS, comm.put(CLIENT, 0, 0, 30, own.size(), type));
    IS(SUCCESS, comm.ctrlSend(1, 1001));
    IS(ERROR, comm.put(CLIENT, 0, 0, BYTES, 1, type));

    listen_to(1);
    say(1);
    std::vector<char> received(STREAM, 'r');
    std::size_t count = 0;
    IS(SUCCESS, comm.recvDataFrom(CLIENT, 0, received.data(), received.size(), MemoryType::CPU, &count, type));
    CHECK(count == STREAM && received == bytes_of(STREAM, 5));
    IS(SUCCESS, comm.recvDataFrom(CLIENT, 0, received.data(), received.size(), MemoryType::CPU, nullptr, type));
    IS(SUCCESS, comm.sendDataTo(CLIENT, 0, received.data(), 12345, MemoryType::CPU, type));
    meet(comm, 1, 2000);
}

int server(std::uint16_t port, const std::string &folder)
{
    const auto buffer = std::make_shared<ConnBuffer>(0, BYTES, memory_to_test());
    Communicator comm(buffer, 2);
    const std::string path = Communicator::udsPathFor(folder, 0);
    const std::uint16_t other = static_cast<std::uint16_t>(port + 1), ctrl = static_cast<std::uint16_t>(port + 2);
    IS(SUCCESS, comm.initServer(SERVER, port, ctrl, path, ConnType::UCX));
    IS(SUCCESS, comm.initServer(SERVER, other, ctrl, path, ConnType::RDMA));
    IS(SUCCESS, comm.initServer(SERVER, other, 0, "", ConnType::UCX));
    {
        Communicator second(std::make_shared<ConnBuffer>(0, 64, MemoryType::CPU));
        IS(ERROR, second.initServer(SERVER, port, ctrl, path, ConnType::UCX));
        CHECK(CtrlSocketManager::instance().isServer());
    }
    serve(comm, *buffer, ConnType::UCX);
    serve(comm, *buffer, ConnType::RDMA);
    IS(SUCCESS, comm.closeServer());
    CHECK(!CtrlSocketManager::instance().isServer() && access(path.c_str(), F_OK) != 0);
    return check_failures == 0 ? 0 : 1;
}

void use(Communicator &comm, ConnBuffer &buffer, std::uint16_t port, ConnType type)
{
    IS(SUCCESS, comm.ctrlSend(0, 4711));
    // Puts before the tag are visible when the tag arrives.
    for (std::uint32_t round = 0; round < ROUNDS; round++) {
        std::vector<char> bytes = bytes_of(size_of(round), round);
        IS(SUCCESS, buffer.writeFromCpu(bytes.data(), bytes.size(), 3));
        IS(SUCCESS, comm.put(SERVER, port, 3, BYTES / 2, bytes.size(), type));
        IS(SUCCESS, comm.ctrlSend(0, round));
        meet(comm, 0, round);
    }
    IS(ERROR, comm.put(SERVER, port, 1, 0, BYTES, type));
    IS(ERROR, comm.put(SERVER, port, 0, 1, BYTES, type));
    IS(ERROR, comm.get(SERVER, port, 0, ~std::size_t{0} - 2, 5, type));
    IS(NOT_FOUND, comm.get(SERVER, port, 0, 0, 1, type == ConnType::UCX ? ConnType::RDMA : ConnType::UCX));

    // Several at once, waited for in another order.
    std::vector<char> four = bytes_of(4096, 9);
    std::uint64_t ids[4] = {};
    IS(SUCCESS, buffer.writeFromCpu(four.data(), four.size()));
    for (std::size_t piece = 0; piece < 4; piece++)
        IS(SUCCESS, comm.putNB(SERVER, port, piece * 1024, 8192 + piece * 1024, 1024, &ids[piece], type));
    IS(SUCCESS, comm.wait(ids[3]));
    IS(NOT_FOUND, comm.wait(ids[3] == 0 ? 99 : ids[3]));
    IS(SUCCESS, comm.wait({ids[2], ids[0], 0, ids[1]}));
    IS(SUCCESS, comm.getNB(SERVER, port, 20000, 8192, 4096, &ids[0], type));
    IS(SUCCESS, comm.wait(ids[0]));
    CHECK(has(buffer, four, 20000));
    std::vector<char> large = bytes_of(BYTES / 2, 11);
    IS(SUCCESS, buffer.writeFromCpu(large.data(), large.size()));
    IS(SUCCESS, comm.putPipeline(SERVER, port, 0, 100, large.size(), 50000, 3, type));
    IS(SUCCESS, comm.getPipeline(SERVER, port, BYTES / 2, 100, large.size(), 70000, 0, type));
    CHECK(has(buffer, large, BYTES / 2));

    IS(SUCCESS, comm.ctrlSend(0, 1000));
    meet(comm, 0, 1001);
    CHECK(has(buffer, bytes_of(5000, 77), 30));

    say(0);
    listen_to(0);
    std::vector<char> stream = bytes_of(STREAM, 5);
    IS(SUCCESS, comm.sendDataTo(SERVER, port, stream.data(), stream.size(), MemoryType::CPU, type));
    IS(SUCCESS, comm.sendDataTo(SERVER, port, stream.data(), stream.size(), MemoryType::CPU, type));
    std::vector<char> back(12345);
    std::size_t count = 0;
    IS(SUCCESS, comm.recvDataFrom(SERVER, port, back.data(), back.size(), MemoryType::CPU, &count, type));
    CHECK(count == 12345 && std::equal(back.begin(), back.end(), stream.begin()));
    IS(SUCCESS, comm.ctrlSend(0, 2000));
}

int client(std::uint16_t port, const std::string &folder)
{
    const auto buffer = std::make_shared<ConnBuffer>(0, BYTES, memory_to_test());
    Communicator comm(buffer, 2);
    Communicator::CtrlLink tcp, uds;
    tcp.ip = SERVER;
    tcp.port = static_cast<std::uint16_t>(port + 2);
    uds.transport = Communicator::CtrlTransport::UDS;
    uds.uds_path = Communicator::udsPathFor(folder, 0);
    const std::uint16_t other = static_cast<std::uint16_t>(port + 1);
    IS(SUCCESS, until_success([&] { return comm.connectTo(0, 1, SERVER, port, tcp, ConnType::UCX); }));
    IS(SUCCESS, comm.connectTo(0, 1, SERVER, port, tcp, ConnType::UCX));
    // A failure leaves the link that was there.
    IS(ERROR, comm.connectTo(0, 1, SERVER, static_cast<std::uint16_t>(port + 3), tcp, ConnType::UCX));
    use(comm, *buffer, port, ConnType::UCX);
    IS(SUCCESS, comm.disConnect(SERVER, port, ConnType::UCX));
    IS(NOT_FOUND, comm.checkConn(SERVER, port, ConnType::UCX));
    IS(NOT_FOUND, comm.put(SERVER, port, 0, 0, 1, ConnType::UCX));

    IS(SUCCESS, comm.closeCtrlPeer(0));
    IS(ERROR, comm.ctrlSend(0, 1));
    IS(SUCCESS, until_success([&] { return comm.connectTo(0, 1, SERVER, other, uds, ConnType::RDMA); }));
    use(comm, *buffer, other, ConnType::RDMA);
    // The server ends its links.
    IS(ERROR, comm.ctrlRecv(0, nullptr));
    IS(SUCCESS, comm.closeCtrl());
    return check_failures == 0 ? 0 : 1;
}

} // namespace

int main(int, char **argv) { return two_processes(argv, server, client); }
