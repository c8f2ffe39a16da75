# SPDX-License-Identifier: Apache-2.0 OR MIT
# Launching programs of OpenSHMEM on one host and on two. Sourced by run.sh.

# job COUNT PREFIX COMMAND…: the command as COUNT processes; the words of PREFIX, with % for the number, set
# the launcher's variables.
job() {
    local count=$1 prefix=$2 pids=() pid rank status=0
    shift 2
    for ((rank = 0; rank < count; rank++)); do
        # shellcheck disable=SC2086
        timeout "$deadline" env ${prefix//%/$rank} "$@" &
        pids+=($!)
    done
    for pid in "${pids[@]}"; do wait "$pid" || status=$?; done
    return $status
}

# rings COUNT COMMAND…: the command prints the line of each of the PEs 0 to COUNT - 1, once.
rings() {
    local count=$1 pe
    shift
    "$@" >"$work/said" 2>&1 </dev/null || { echo "$*: status $?"; cat "$work/said"; return 1; }
    for ((pe = 0; pe < count; pe++)); do
        if [ "$(grep -cx "PE $pe of $count after $(((pe + count - 1) % count))" "$work/said")" -ne 1 ]; then
            echo "$*: no line, or several, of PE $pe of $count"
            cat "$work/said"
            return 1
        fi
    done
}

# stops STATUS TEXT COMMAND…: the command ends with that status, and says so.
stops() {
    local wanted=$1 text=$2 status=0
    shift 2
    "$@" >"$work/said" 2>&1 </dev/null || status=$?
    if [ "$status" -eq "$wanted" ] && grep -qF -- "$text" "$work/said"; then return 0; fi
    echo "$*: status $status, expected $wanted with \"$text\"; it printed:"
    cat "$work/said"
    return 1
}

# launches PROGRAM: by oshrun, by nothing, and by the variables of launchers; what oshrun says of a PE that fails.
launches() {
    local program=$1 oshrun=$work/osh/bin/oshrun
    rings 1 "$program" && rings 1 "$program" returns && rings 1 "$oshrun" "$program" &&
        rings 3 timeout "$deadline" "$oshrun" -np 3 "$program" &&
        rings 3 timeout "$deadline" "$oshrun" -n 3 "$program" returns &&
        rings 12 timeout "$deadline" "$oshrun" --np=12 -x SHMEM_SYMMETRIC_SIZE=1m "$program" || return 1
    rings 3 job 3 "RANK=% WORLD_SIZE=3 LOCAL_RANK=% LOCAL_WORLD_SIZE=3 MASTER_ADDR=127.0.0.1 MASTER_PORT=$("$work/free_port")" "$program" &&
        rings 2 job 2 "SLURM_PROCID=% SLURM_NTASKS=2 SLURM_LOCALID=% SLURM_JOB_ID=$$ SLURM_STEP_ID=0 SLURM_STEP_NODELIST=localhost \
            SLURM_STEP_NUM_NODES=1 SLURM_STEP_NUM_TASKS=2 SLURM_STEP_TASKS_PER_NODE=2" "$program" || return 1
    stops 3 "oshrun: PE 2 exited with code 3" timeout "$deadline" "$oshrun" -np 3 "$program" exits &&
        stops 3 "oshrun: PE 0 exited with code 3" timeout "$deadline" "$oshrun" "$program" exits &&
        stops 137 "oshrun: PE 1 was ended by SIGKILL" timeout "$deadline" "$oshrun" -np 2 "$program" is-killed &&
        stops 127 "oshrun: command not found" "$oshrun" -np 2 no-such-program &&
        stops 2 "--np" "$oshrun" -np 0 "$program"
}

# mpirun_launches PROGRAM: by the launchers of MPI that are here, which know nothing of us.
mpirun_launches() {
    local program=$1 found=no as_root=()
    [ "$(id -u)" != 0 ] || as_root=(--allow-run-as-root)
    if command -v mpirun.openmpi >/dev/null; then
        found=yes
        rings 3 timeout "$deadline" mpirun.openmpi --oversubscribe "${as_root[@]}" -n 3 "$program" || return 1
    fi
    if command -v mpirun.mpich >/dev/null; then
        found=yes
        rings 1 timeout "$deadline" mpirun.mpich -n 1 "$program" && rings 3 timeout "$deadline" mpirun.mpich -n 3 "$program" || return 1
    fi
    [ $found = yes ]
}

# Two hosts: network namespaces with a cable between them, for as long as this script runs.
hosts=mfc$$
make_hosts() {
    local host=0 name
    for name in a b; do
        host=$((host + 1))
        ip netns add "$hosts$name" && ip -n "$hosts$name" link set lo up || return 1
    done
    ip link add cable netns "${hosts}a" type veth peer name cable netns "${hosts}b" &&
        ip -n "${hosts}a" addr add 10.213.8.1/24 dev cable && ip -n "${hosts}a" link set cable up &&
        ip -n "${hosts}b" addr add 10.213.8.2/24 dev cable && ip -n "${hosts}b" link set cable up
}

remove_hosts() {
    ip netns del "${hosts}a" 2>/dev/null || true
    ip netns del "${hosts}b" 2>/dev/null || true
}

# on_two_hosts COUNT COMMAND…: as COUNT PEs, of which the second half is on the other host.
on_two_hosts() (
    count=$1 pids=() status=0
    shift
    # Programs of OpenSHMEM use the URL, programs of CANN SHMEM the address.
    export WORLD_SIZE=$count MF_CONFIG_STORE_URL=tcp://10.213.8.1:5570 MF_JOB_SECRET=a-secret-of-sixteen-bytes-and-more
    export MASTER_ADDR=10.213.8.1 MASTER_PORT=5570
    for ((rank = 0; rank < count; rank++)); do
        host=${hosts}a
        [ $((2 * rank)) -lt "$count" ] || host=${hosts}b
        RANK=$rank timeout "$deadline" ip netns exec "$host" "$@" &
        pids+=($!)
    done
    for pid in "${pids[@]}"; do wait "$pid" || status=$?; done
    exit "$status"
)

# seven_on_two_hosts COUNT COMMAND…: every PE ends with status 7.
seven_on_two_hosts() {
    local count=$1
    shift
    on_two_hosts "$count" bash -c '"$@"; [ $? -eq 7 ]' seven "$@"
}
