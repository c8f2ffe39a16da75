#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Runs the cache product memcache_hybrid, as it was released, over this library: cache.sh FOLDER_OF_MF PYTHON_VENV WORK_FOLDER.
# The environment has our packages. Skips, with the reason, only where the product cannot be had.
set -euo pipefail
mf=$1/mf venv=$2 work=$3
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
package=memcache_hybrid==1.3.0

skip() { echo "skip the cache product: $*"; exit 0; }

# With pip's check of its requirements: our memfabric_hybrid has to satisfy them.
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --only-binary :all: "$package" ||
    skip "$package cannot be installed here"
"$venv/bin/python" -m pip check

rm -rf "$work" && mkdir -p "$work"
"$mf" certs init "$work/certs" >/dev/null
"$mf" certs issue "$work/certs" service >/dev/null
run() { timeout 280 "${@:2}" "$venv/bin/python" "$here/cache/run.py" "$1" "$work/$1"; }
for protocol in host_shm host_tcp host_rdma; do run $protocol; done
run device_sdma "$mf" sim --devices 1 --
timeout 280 "$venv/bin/python" "$here/cache/run.py" host_tcp "$work/encrypted" --tls "$work"/certs/{ca.pem,service.pem,service.key}
runs=5
# Two hosts: network namespaces with a cable between them.
hosts=mfk$$
if [ "$(id -u)" = 0 ] && command -v ip >/dev/null && ip netns add ${hosts}a 2>/dev/null; then
    trap 'ip netns del ${hosts}a; ip netns del ${hosts}b 2>/dev/null || true' EXIT
    ip netns add ${hosts}b
    ip link add cable netns ${hosts}a type veth peer name cable netns ${hosts}b
    for place in a:1 b:2; do
        ip -n $hosts${place%:*} link set lo up
        ip -n $hosts${place%:*} addr add 10.213.9.${place#*:}/24 dev cable
        ip -n $hosts${place%:*} link set cable up
    done
    timeout 280 ip netns exec ${hosts}a "$venv/bin/python" "$here/cache/run.py" host_tcp "$work/hosts" \
        --tls "$work"/certs/{ca.pem,service.pem,service.key} --hosts 10.213.9.1 10.213.9.2 ${hosts}b
    runs=6
else
    echo "skip the cache product on two hosts: network namespaces cannot be made here (would help: root and iproute2)"
fi
echo "the cache product: $runs runs, all right"
