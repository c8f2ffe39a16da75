// SPDX-License-Identifier: Apache-2.0 OR MIT
// Meeting of agents: each has a home, an endpoint at the store where others find it, and visits the stores of
// others. Without a common store the home's store runs in this process:
//
//   agent A                                  agent B
//   home: store and endpoint <---visit------ endpoint of B's name
//   endpoint of A's name ------visit-------> home: store and endpoint
//
// All endpoints of an agent have one name, hence one inbox. Memory is registered at the home alone.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <unordered_map>

#include "endpoint.h"
#include "names.h"

namespace mf {

// Another agent, or this one.
struct Peer {
    ConnectionInfo info;
    // Copies to and from it need no other host.
    bool is_here = false;
    // It was lost: all that follows fails. Metadata that is loaded again makes another Peer.
    std::atomic<bool> is_lost{false};
    // Guards `endpoint`.
    std::mutex meeting;
    // Endpoint here that reaches it; stays once set.
    std::shared_ptr<Endpoint> endpoint;
    // The same, null until the peer was found.
    std::atomic<Endpoint *> met{nullptr};
};

// Parameters of the backend that concern the meeting; empty texts are defaults.
struct MeetingOptions {
    std::string store;
    std::string session;
    std::string nic;
    std::uint32_t timeout_s;
};

class Meeting {
public:
    // Opens the home of an agent. Null on failure, with the reason in `why`.
    static std::unique_ptr<Meeting> open(const Library &library, const std::string &agent, const MeetingOptions &options,
                                         std::string &why);
    ~Meeting();
    Meeting(const Meeting &) = delete;
    Meeting &operator=(const Meeting &) = delete;

    const ConnectionInfo &own() const { return own_; }
    Endpoint &home() const { return *home_; }

    // Remembers where an agent is met. The same again changes nothing unless it was lost.
    void load(const std::string &agent, const ConnectionInfo &info);
    // Forgets an agent. Requests to it stay usable.
    void forget(const std::string &agent);
    // Null if it is unknown.
    std::shared_ptr<Peer> find(const std::string &agent) const;
    // Returns the endpoint that reaches a peer; visits its store the first time, and blocks for that, at most
    // for the timeout. Null on failure, with the library's code.
    Endpoint *reach(Peer &peer, int &code) const;

private:
    explicit Meeting(const Library &library) : library_(library) {}
    bool serve(const std::string &session, std::string &why);

    const Library &library_;
    EndpointOptions options_;
    ConnectionInfo own_;
    // URL of the store that runs here; empty: it meets others at a common one.
    std::string served_;
    std::shared_ptr<Endpoint> home_;
    mutable std::shared_mutex lock_;
    std::unordered_map<std::string, std::shared_ptr<Peer>> peers_;
    // By the URL of the store; shared by the agents that are met there.
    mutable std::mutex visiting_;
    mutable std::unordered_map<std::string, std::weak_ptr<Endpoint>> visits_;
};

}  // namespace mf
