# SPDX-License-Identifier: Apache-2.0 OR MIT
# What stands around the blocks of a page in the script that blocks.py makes of them. Sourced there.

blocks_run=0 blocks_not_run=0 block="" namespaces=()
trap 'ended $?' EXIT

begin() { block=$1; echo "-- $block"; }
end() { blocks_run=$((blocks_run + 1)) block=""; }

# not_run PLACE REASON
not_run() {
    blocks_not_run=$((blocks_not_run + 1))
    echo "skip the block at $1: $2"
}

finish() { echo "$blocks_run blocks run, $blocks_not_run not run"; }

ended() {
    local name
    for name in "${namespaces[@]}"; do ip netns del "$name" || true; done
    [ "$1" = 0 ] || echo "FAILED the block at $block: exit status $1"
}

# on_machines FILE: lines that end with "# on ADDRESS" are run on hosts that have these addresses, at the same time; what stands
# before them on all. The hosts are network namespaces with a cable between them.
on_machines() {
    local lines address addresses line pids=() pid name status=0
    mapfile -t lines <"$1"
    mapfile -t addresses < <(sed -n 's/.*# on \([0-9.]*\).*/\1/p' "$1" | sort -u)
    if ! network "${addresses[@]}" 2>"$1.network"; then
        not_run "$block" "it needs two machines, and network namespaces cannot be made here: $(tail -n 1 "$1.network")"
        blocks_run=$((blocks_run - 1))
        return 0
    fi
    for line in "${lines[@]}"; do
        if [[ $line =~ '# on '([0-9.]+) ]]; then
            address=${BASH_REMATCH[1]}
            for name in "${namespaces[@]}"; do
                [ "$name" = "readme-$$-$address" ] || continue
                ip netns exec "$name" bash -c "$line" &
                pids+=($!)
            done
        else
            eval "$line"
        fi
    done
    for pid in "${pids[@]}"; do wait "$pid" || status=$?; done
    return "$status"
}

# network ADDRESS ADDRESS: two hosts with these addresses.
network() {
    local name index=0 cable=r$$
    command -v ip >/dev/null || { echo "there is no ip (iproute2)" >&2; return 1; }
    ip link add "${cable}a" type veth peer name "${cable}b" || return 1
    for end in a b; do
        name=readme-$$-${*:index+1:1}
        ip netns add "$name" || return 1
        namespaces+=("$name")
        ip link set "$cable$end" netns "$name" && ip -n "$name" addr add "${*:index+1:1}/24" dev "$cable$end" &&
            ip -n "$name" link set "$cable$end" up && ip -n "$name" link set lo up || return 1
        index=$((index + 1))
    done
}
