# SPDX-License-Identifier: Apache-2.0 OR MIT
# Sets $features, the optional parts that this machine can build, as arguments of cargo. Sourced.

features=()
if [ -n "${PROTOC:-}" ] || command -v protoc >/dev/null; then
    features=(--features mf-store/etcd)
else
    echo "etcd:// stores are left out of this build: protoc is not here (Debian: apt-get install protobuf-compiler)" >&2
fi
