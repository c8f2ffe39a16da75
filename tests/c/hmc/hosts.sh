# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: Apache-2.0 OR MIT
# The programs of HMC on two hosts: network namespaces with an address each and a cable between them. Sourced by run.sh.

# The addresses of the server and of the client.
server_ip=10.213.11.1 client_ip=10.213.11.2

# with_hosts COMMAND…: runs it with both hosts up; on_server and on_client run commands there.
with_hosts() (
    holders=()
    trap 'kill "${holders[@]}" 2>/dev/null' EXIT
    for name in server client; do
        unshare --net sleep 1000 &
        holders+=($!)
    done
    for holder in "${holders[@]}"; do
        # Until it has one of its own.
        until [ "$(readlink "/proc/$holder/ns/net")" != "$(readlink /proc/self/ns/net)" ]; do
            kill -0 "$holder" 2>/dev/null || { echo "no network namespace"; exit 1; }
            sleep 0.01
        done
    done
    on_server=(nsenter "--net=/proc/${holders[0]}/ns/net") on_client=(nsenter "--net=/proc/${holders[1]}/ns/net")
    ip link add eth0 netns "${holders[0]}" type veth peer name eth0 netns "${holders[1]}" || exit
    "${on_server[@]}" ip addr add $server_ip/24 dev eth0 && "${on_client[@]}" ip addr add $client_ip/24 dev eth0 || exit
    for name in lo eth0; do "${on_server[@]}" ip link set $name up && "${on_client[@]}" ip link set $name up || exit; done
    "$@"
)

# on_both PROGRAM: its two processes, with the ports that were free here: there they all are.
on_both() {
    local folder=$work/hosts status=0
    export MF_TEST_URL=none WORLD_SIZE=2 MF_TEST_FOLDER=$folder MF_TEST_SERVER_IP=$server_ip MF_TEST_CLIENT_IP=$client_ip
    rm -rf "$folder" && mkdir "$folder" || return 1
    MF_TEST_PORT=$("${runner[@]}" "$work/hmc_alone" port)
    export MF_TEST_PORT
    RANK=0 MF_TEST_OWN_IP=$server_ip MF_TEST_PEER_IP=$client_ip timeout "$deadline" "${on_server[@]}" "${runner[@]}" "$1" &
    RANK=1 MF_TEST_OWN_IP=$client_ip MF_TEST_PEER_IP=$server_ip timeout "$deadline" "${on_client[@]}" "${runner[@]}" "$1" || status=1
    wait $! || status=1
    return $status
}

# Both generations and uhm, between hosts: encrypted with a secret, and by choice without one.
hmc_hosts() {
    local how
    if ! with_hosts true >"$work/log" 2>&1; then
        skip hmc.hosts "this process may make no network namespaces ($(tail -n 1 "$work/log")); it would help to be root, with iproute2"
        return
    fi
    for how in "MF_JOB_SECRET=a secret of sixteen bytes and more" MF_HMC_OPEN=1; do
        local with=secret
        [ "$how" != MF_HMC_OPEN=1 ] || with=open
        attempt "hmc.hosts.session.$with" with_hosts with_setting "$how" on_both "$work/session"
        attempt "hmc.hosts.addressed.$with" with_hosts with_setting "$how" on_both "$work/addressed"
        attempt "hmc.hosts.uhm.$with" with_hosts with_setting "$how" uhm uhm SERVER_IP=$server_ip CLIENT_IP=$client_ip TCP_SERVER_IP=$server_ip
    done
}

# with_setting NAME=VALUE COMMAND…: runs it with a setting.
with_setting() {
    export "$1"
    "${@:2}"
}
