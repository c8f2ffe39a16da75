# SPDX-License-Identifier: Apache-2.0 OR MIT
# Script around the blocks of a page, which blocks.py generates. Sourced there.

blocks_run=0 blocks_not_run=0 blocks_elsewhere=0 blocks_failed=0 block="" namespaces=() background=()
trap 'ended $?' EXIT

begin() { block=$1; echo "-- $block"; }
end() { blocks_run=$((blocks_run + 1)) block=""; }

# not_run PLACE REASON
not_run() {
    blocks_not_run=$((blocks_not_run + 1))
    echo "skip the block at $1: $2"
}

# by_another: a block that another test runs, or that is a part of a file.
by_another() { blocks_elsewhere=$((blocks_elsewhere + 1)); }

finish() { echo "$blocks_run blocks run, $blocks_not_run not run"; }

ended() {
    local name
    for name in "${namespaces[@]}"; do ip netns del "$name" || true; done
    end_background
    [ "$1" = 0 ] || echo "FAILED the block at $block: exit status $1"
}

# on_machines FILE: lines that end with "# on ADDRESS" are run on hosts that have these addresses, at the same
# time; earlier lines on all. The hosts are network namespaces with a cable between them.
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

# guides_begin ROOT FOLDER: common setup of all guides. Their programs find the installation in $PATH and
# $INSTALLED; build results go to $OUT.
guides_begin() {
    root=$1 guides=$2
    readme=$root/tests/readme
    installed="-I $INSTALLED/include -L $INSTALLED/lib -Wl,-rpath,$INSTALLED/lib -lmf_smem"
    export root readme installed
    # Two addresses of hosts, as the guides have them, in a network of this session.
    addresses=yes
    { [ "${GUIDES_NETWORK:-}" = own ] && ip link set lo up && ip addr add 10.0.0.1/24 dev lo && ip addr add 10.0.0.2/24 dev lo; } 2>/dev/null || addresses=no
}

# page NAME: the blocks that follow are of this page. Their folder links to all entries of the tree's root.
page() {
    local name
    end_background
    folder=$guides/$1.d
    rm -rf "$folder" && mkdir "$folder"
    for name in "$root"/*; do
        case ${name##*/} in out | target) ;; *) ln -s "$name" "$folder/" ;; esac
    done
    ln -s "$INSTALLED" "$folder/PREFIX"
    mkdir -p "$folder/target/release"
    ln -s "$INSTALLED/bin/mf" "$INSTALLED"/lib/lib*.so* "$folder/target/release/"
    export OUT=$folder/built
}

# guide PLACE FILE NEEDS UNTIL: runs the commands in FILE.
guide() {
    local output=$2.out status=0
    if [ -n "$3" ] && ! command -v "$3" >/dev/null; then
        not_run "$1" "there is no $3"
        return
    fi
    if [ "$addresses" = no ] && grep -q '10\.0\.0\.[12]' "$2"; then
        not_run "$1" "it needs addresses of two hosts, which cannot be made here"
        return
    fi
    block=$1
    if [ -n "$4" ]; then
        (cd "$folder" && exec setsid bash -eo pipefail "$2" >"$output" 2>&1 </dev/null) &
        background+=($!)
        until_true "$4" "$!" || status=$?
    else
        (cd "$folder" && if [[ $(<"$2") = on_machines* ]]; then . "$2"; else timeout 120 bash -eo pipefail "$2"; fi) \
            >"$output" 2>&1 </dev/null || status=$?
    fi
    if [ "$status" = 0 ]; then
        blocks_run=$((blocks_run + 1))
    else
        blocks_failed=$((blocks_failed + 1))
        echo "FAILED the block at $1: exit status $status"
        sed 's/^/    /' "$output" | tail -n 20
    fi
    block=""
}

# until_true COMMAND PID: waits until the command succeeds while that process lives.
until_true() {
    local end=$((SECONDS + 60))
    until (cd "$folder" && bash -c "$1") >/dev/null 2>&1; do
        kill -0 "$2" 2>/dev/null || return 1
        [ $SECONDS -lt $end ] || return 124
        sleep 0.1 # between two tries
    done
}

end_background() {
    local pid
    for pid in "${background[@]}"; do
        kill -- "-$pid" 2>/dev/null || true
        wait "$pid" 2>/dev/null || true
    done
    background=()
}

guides_end() {
    end_background
    echo "guides: $blocks_run blocks run, $blocks_elsewhere by other tests, $blocks_not_run not run, $blocks_failed failed"
    [ "$blocks_failed" = 0 ]
}
