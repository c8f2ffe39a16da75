#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Network of a guest: an RDMA device on each rail, and the network of the orders. Becomes the agent.
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root
ip link set lo up
for rail in 0 1; do
    # The largest unit of RoCE and its headers fit in one frame.
    ip link set "eth$rail" mtu 4500 up
    ip addr add "10.213.$((7 + rail)).$((lab_host + 1))/24" dev "eth$rail"
    rdma link add "rxe$rail" type rxe netdev "eth$rail"
done
ip addr add "10.213.9.$((lab_host + 1))/24" dev eth0
# Orders come over a network of their own, which no program under test sees.
ip netns add orders
ip link set eth2 netns orders
ip -n orders addr add 10.0.2.15/24 dev eth2
ip -n orders link set eth2 up
hostname "guest$lab_host"
ulimit -n 65536
exec /usr/bin/python3 "$lab_folder/agent.py"
