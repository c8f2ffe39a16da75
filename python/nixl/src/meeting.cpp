// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "meeting.h"

#include "addresses.h"

namespace mf {
namespace {

// A store that ends with its process refuses at once; a host that is gone does not answer.
constexpr int probe_ms = 1000;
// Ports that are tried for the own store, since another process may take one first.
constexpr int port_tries = 16;

bool choose_session(const MeetingOptions &options, Session &session, std::string &why) {
    if (!options.session.empty()) {
        if (parse_session(options.session, session)) return true;
        why = "invalid name \"" + options.session + "\": must be ip, ip:port or [ip6]:port";
        return false;
    }
    if (options.nic.empty() || address_of_nic(options.nic, session) || !options.store.empty()) return true;
    why = "invalid nic \"" + options.nic + "\": it is neither an address nor an interface of this host; set name to an address";
    return false;
}

}  // namespace

bool Meeting::serve(const std::string &session, std::string &why) {
    const std::string url = "tcp://" + session;
    const int code = library_.smem_create_config_store(url.c_str(), 0);
    if (code == SMEM_OK) {
        served_ = own_.store = url;
        return true;
    }
    why = "cannot open the store " + url + ": " + library_.last_error();
    return false;
}

std::unique_ptr<Meeting> Meeting::open(const Library &library, const std::string &agent, const MeetingOptions &options,
                                       std::string &why) {
    Session session;
    if (!choose_session(options, session, why)) return nullptr;
    std::unique_ptr<Meeting> meeting(new Meeting(library));
    if (!options.store.empty()) {
        meeting->own_.store = options.store;
    } else if (session.port != 0) {
        if (!meeting->serve(session.text(), why)) return nullptr;
    } else {
        for (int tries = port_tries; meeting->served_.empty(); --tries) {
            session.port = free_port(session.host);
            if (session.port == 0) why = "no free port at " + session.host + ": is it an address of this host?";
            if (session.port == 0 || tries == 0) return nullptr;
            if (!meeting->serve(session.text(), why) && library.smem_get_last_err_code() != SMEM_RES_IN_USE) return nullptr;
        }
    }
    meeting->own_.host = host_id();
    meeting->own_.name = endpoint_name(session.text(), random_nonce(), agent);
    if (meeting->own_.name.empty()) {
        why = "agent name too long: " + std::to_string(agent.size()) + " bytes: at most " + std::to_string(agent_bytes_max) +
              ", where a byte outside a-z, A-Z, 0-9, '-' and '.' counts as three";
        return nullptr;
    }
    meeting->options_ = {meeting->own_.name, options.nic, options.timeout_s};
    int code = SMEM_OK;
    meeting->home_ = Endpoint::make(library, meeting->own_.store, meeting->options_, code, why);
    if (meeting->home_ == nullptr) {
        why = "cannot join the store " + meeting->own_.store + ": " + why;
        return nullptr;
    }
    meeting->load(agent, meeting->own_);
    return meeting;
}

Meeting::~Meeting() {
    peers_.clear();
    home_.reset();
    if (!served_.empty()) library_.smem_destroy_config_store(served_.c_str());
}

void Meeting::load(const std::string &agent, const ConnectionInfo &info) {
    std::unique_lock<std::shared_mutex> guard(lock_);
    std::shared_ptr<Peer> &known = peers_[agent];
    if (known != nullptr && !known->is_lost.load() && known->info.name == info.name && known->info.store == info.store) return;
    known = std::make_shared<Peer>();
    known->info = info;
    known->is_here = !own_.host.empty() && info.host == own_.host;
    if (info.store == own_.store) known->endpoint = home_;
}

void Meeting::forget(const std::string &agent) {
    std::shared_ptr<Peer> dropped;
    std::unique_lock<std::shared_mutex> guard(lock_);
    const auto found = peers_.find(agent);
    if (found == peers_.end() || found->second->info.name == own_.name) return;
    dropped = std::move(found->second);
    peers_.erase(found);
    // Its visit may end here, which waits for messages being sent.
    guard.unlock();
}

std::shared_ptr<Peer> Meeting::find(const std::string &agent) const {
    std::shared_lock<std::shared_mutex> guard(lock_);
    const auto found = peers_.find(agent);
    return found == peers_.end() ? nullptr : found->second;
}

Endpoint *Meeting::reach(Peer &peer, int &code) const {
    if (Endpoint *met = peer.met.load(std::memory_order_acquire)) return met;
    std::lock_guard<std::mutex> meeting(peer.meeting);
    if (peer.endpoint == nullptr) {
        if (!answers(peer.info.store, probe_ms)) {
            code = SMEM_NOT_CONNECTED;
            return nullptr;
        }
        std::lock_guard<std::mutex> guard(visiting_);
        std::weak_ptr<Endpoint> &visit = visits_[peer.info.store];
        peer.endpoint = visit.lock();
        std::string why;
        if (peer.endpoint == nullptr) peer.endpoint = Endpoint::make(library_, peer.info.store, options_, code, why);
        visit = peer.endpoint;
        if (peer.endpoint == nullptr) return nullptr;
    }
    // Found here, it fails later transfers as soon as its process ends, without a question to its store.
    code = library_.mfx_trans_find(peer.endpoint->handle(), peer.info.name.c_str());
    if (code != SMEM_OK) return nullptr;
    // Release: a thread that loads `met` sees the endpoint complete.
    peer.met.store(peer.endpoint.get(), std::memory_order_release);
    return peer.endpoint.get();
}

}  // namespace mf
