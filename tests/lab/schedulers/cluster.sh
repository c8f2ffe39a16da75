# SPDX-License-Identifier: Apache-2.0 OR MIT
# A cluster of Slurm in the namespaces of this process: node n0, with the controller, is here; node n1 has a network and a
# host name of its own. Sourced by slurm.sh.

# start_cluster WORK: starts the daemons, and returns when both nodes are idle.
start_cluster() {
    local work=$1 end
    hostname n0
    printf '127.0.0.1 localhost\n10.213.11.1 n0\n10.213.11.2 n1\n' >"$work/hosts"
    mount --bind "$work/hosts" /etc/hosts
    mount -t tmpfs tmpfs /run
    mkdir -p /run/netns
    ip link set lo up
    ip netns add n1
    ip link add cable type veth peer name cable netns n1
    ip addr add 10.213.11.1/24 dev cable
    ip link set cable up
    ip -n n1 addr add 10.213.11.2/24 dev cable
    ip -n n1 link set cable up
    ip -n n1 link set lo up
    head -c 1024 /dev/urandom >"$work/key" && chmod 400 "$work/key"
    munged --force --key-file="$work/key" --socket="$work/munge" --pid-file="$work/munge.pid" --log-file="$work/log/munge" --seed-file="$work/seed"
    cat >"$work/slurm.conf" <<CONF
ClusterName=lab
SlurmctldHost=n0
AuthType=auth/munge
AuthInfo=socket=$work/munge
SlurmUser=root
SlurmctldPidFile=$work/ctld.pid
SlurmdPidFile=$work/slurmd-%n.pid
SlurmdSpoolDir=$work/spool/%n
StateSaveLocation=$work/state
SlurmctldLogFile=$work/log/ctld
SlurmdLogFile=$work/log/%n
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdTimeout=5
KillWait=3
ReturnToService=2
SlurmdParameters=config_overrides
NodeName=n0,n1 CPUs=8 RealMemory=1000
PartitionName=lab Nodes=n0,n1 Default=YES OverSubscribe=FORCE State=UP
CONF
    export SLURM_CONF=$work/slurm.conf
    # Folders of PMIx have the same names on both nodes.
    echo "PMIxCliTmpDirBase=$work/pmix" >"$work/mpi.conf"
    mkdir "$work/spool/n0" "$work/spool/n1" "$work/pmix" "$work/pmix-n1"
    slurmctld -i
    slurmd -N n0
    # The daemon of the other node leads all of its processes, and they end with it.
    setsid nsenter --net=/run/netns/n1 unshare --mount --uts --pid --fork --mount-proc --kill-child \
        sh -c 'hostname n1 && mount --bind "$1/pmix-n1" "$1/pmix" && exec slurmd -D -N n1' n1 "$work" >"$work/log/n1.out" 2>&1 &
    node_n1=$!
    end=$((SECONDS + 60))
    until [ "$(sinfo -h -N -o %t | sort -u)" = idle ]; do
        [ $SECONDS -lt $end ] || { echo "the nodes do not become idle" >&2; sinfo -N >&2; tail -n 5 "$work"/log/* >&2; return 1; }
        sleep 0.2
    done
}

# end_node n1: kills all processes of the node and cuts its cable.
end_node() {
    ip link set cable down
    kill -KILL "$node_n1"
}
