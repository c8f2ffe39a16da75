# SPDX-License-Identifier: Apache-2.0 OR MIT
# Sets $features, the optional parts that this machine can build, as arguments of cargo. Sourced.

features=()
protoc=${PROTOC:-$(command -v protoc || true)}
if [ -n "$protoc" ] && [ -f "$(dirname "$protoc")/../include/google/protobuf/descriptor.proto" ]; then
    features=(--features mf-store/etcd)
else
    echo "etcd:// stores are left out of this build: protoc and its files are not here" \
        "(Debian: apt-get install protobuf-compiler libprotobuf-dev)" >&2
fi
