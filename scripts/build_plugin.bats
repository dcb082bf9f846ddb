#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# Adapters of plugins/ are built against what is installed or a checkout, and say in one line what is missing. The library and
# the checkout are stand-ins.

bats_require_minimum_version 1.5.0

ROOT=$(cd "$BATS_TEST_DIRNAME/.." && pwd)

setup() {
    export CC=${CC:-cc} CXX=${CXX:-c++} CPPFLAGS="-I$ROOT" CFLAGS=-O0 CXXFLAGS='-std=c++20 -O0' LDFLAGS='' SANITIZED=''
    cd "$BATS_TEST_TMPDIR"
    ROOT_OF_CHECKOUT=$PWD/peer
    mkdir -p peer/include
    echo 'float peer_dot(const float *a, const float *b, int n);' >peer/include/peer_dot.h
    sed 's/;$//' peer/include/peer_dot.h >peer/dot.c
    echo '{ float s[8] = {0}, y = 0; for (int i = 0; i < n; i++) s[i % 8] += a[i] * b[i]; for (int i = 0; i < 8; i++) y += s[i]; return y; }' >>peer/dot.c
    adapter c 'built: libpeer.so'
}

# adapter EXTENSION LINE...: peer.EXTENSION, an adapter of a library that has one function.
adapter() {
    local extension=$1
    shift
    {
        printf '/* SPDX-License-Identifier: BSD-3-Clause\n *\n *     needs: peer_dot.h (libpeer-dev)\n *     variable: PEER\n'
        printf ' *     checkout: the peer that is built, make -C peer\n *     headers: include inc\n'
        printf ' *     %s\n' "$@"
        printf ' */\n'
        [ "$extension" = c ] || echo 'extern "C" {'
        echo '#include <peer_dot.h>'
        [ "$extension" = c ] || echo '}'
        cat <<'ADAPTER'
#include "micro/plugin.h"

static void gemv(const struct gemv_slice *slice)
{
    for (size_t p = 0; p < slice->panels; p++)
        slice->out_f32[p] = peer_dot((const float *)(const void *)(slice->weights + p * slice->panel_bytes), slice->activations_f32, (int)slice->k);
}
static const struct format f32 = {.name = "f32"};
static const struct kernel dot = {.name = "f32.peer.reference", .sequence = "peer", .isa = "reference", .format = &f32,
                                  .takes = KERNEL_TAKES_F32, .gives = KERNEL_GIVES_F32, .gemv = gemv};
static const struct kernel *const kernels[] = {&dot, nullptr_of_c};
KNEEPOINT_PLUGIN = {KNEEPOINT_PLUGIN_BUILT, .name = "peer", .version = PEER_VERSION, .kernels = kernels};
ADAPTER
    } | sed 's/nullptr_of_c/0/' >"peer.$extension"
}

# library FOLDER: the peer, as its own build makes it.
library() {
    mkdir -p "$1"
    "$CC" -shared -fPIC -o "$1/libpeer.so" peer/dot.c
}

built() { # ADAPTER [CHECKOUT]
    run --separate-stderr "$ROOT/scripts/build_plugin" "$1" out "${2-}"
    echo "exit $status, output '$output', errors '$stderr'"
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
}

# fails TEXT ADAPTER [CHECKOUT]: in one line, with the text, and what was built before is gone.
fails() {
    mkdir -p out
    touch out/peer.so
    run --separate-stderr "$ROOT/scripts/build_plugin" "$2" out "${3-}"
    echo "exit $status, output '$output', errors '$stderr'"
    [ "$status" -eq 1 ]
    [ -z "$output" ]
    [ "$(wc -l <<<"$stderr")" -eq 1 ]
    [[ $stderr == "failed: peer: "*"$1"* ]]
    [ ! -e out/peer.so ]
}

@test "adapter: of what is not there it says the header, the package and the variable" {
    built peer.c
    [ "$output" = 'left out: peer needs peer_dot.h (libpeer-dev): set PEER=folder, a checkout of the peer that is built, make -C peer' ]
    [ ! -e out/peer.so ]
}

@test "adapter: a checkout's library is found, linked, and listed with its version" {
    case ${KNEEPOINT:=$ROOT/build/kneepoint-steady} in */san/*) return ;; esac # the plug-in has none of the sanitizers
    KNEEPOINT=$(realpath "$KNEEPOINT")
    library "$ROOT_OF_CHECKOUT/build/lib"
    built peer.c peer
    hash=$(sha256sum peer/build/lib/libpeer.so | cut -c 1-12)
    [ "$output" = "built out/peer.so: PEER=$(realpath peer), no git checkout; libpeer.so $hash" ]
    "$KNEEPOINT" list kernels --plugin out/peer.so >listed
    cat listed
    grep -q '^f32.peer ' listed
    grep -qF "no git checkout; libpeer.so $hash" listed
}

@test "adapter: of several builds the newest, and its version is the checkout's own" {
    library peer/build
    library peer/other
    touch -d '1 hour ago' peer/other/libpeer.so
    git init -q .
    built peer.c peer # which lies in another repository
    [[ $output == *', no git checkout; libpeer.so '* ]]
    readelf -d out/peer.so | grep -qF "[$(realpath peer)/build]"
    git init -q peer
    git -C peer -c user.name=a -c user.email=a@b commit -q --allow-empty -m one
    git -C peer tag v1.5
    touch -d '1 hour' peer/other/libpeer.so
    built peer.c peer
    [ "$output" = "built out/peer.so: PEER=$(realpath peer), v1.5" ]
    readelf -d out/peer.so | grep -qF "[$(realpath peer)/other]"
}

@test "adapter: a source of the checkout that is compiled, in C and C++" {
    adapter c 'compiles: d*.c'
    built peer.c peer
    adapter cpp 'compiles: d*.c' 'compile-flags: -DANY'
    built peer.cpp peer
    [ -e out/peer.so ]
    mv peer/dot.c peer/dot.cpp
    sed -i '1s/^/extern "C" /' peer/dot.cpp
    adapter c 'compiles: d*.cpp'
    built peer.c peer
    adapter c 'compiles: e*.c'
    fails "PEER=$(realpath peer) has no e*.c; set PEER=folder, a checkout of the peer that is built" peer.c peer
}

@test "adapter: a folder that is no checkout, is not built, lacks the header or a function, has another interface" {
    fails 'PEER=nowhere is no folder that can be entered; set PEER=folder, a checkout of the peer' peer.c nowhere
    fails "PEER=$(realpath peer) has no libpeer.so: it is not built; set PEER=folder" peer.c peer
    library peer/build
    sed -i 's/peer_dot/other_dot/' peer/dot.c
    library peer/build
    fails 'it does not link: ' peer.c peer
    [[ $stderr == *peer_dot*"; PEER=$(realpath peer) (no git checkout; libpeer.so "*' has another interface than this adapter expects: set PEER='* ]]
    echo 'float peer_dot(const float *a, int n);' >peer/include/peer_dot.h
    fails 'it does not compile: peer.c:' peer.c peer
    echo 'broken' >>peer/dot.c
    adapter c 'compiles: dot.c'
    fails 'peer/dot.c does not compile: ' peer.c peer
    echo '#include "made_by_its_build.h"' >peer/include/peer_dot.h
    fails "PEER=$(realpath peer) has a peer_dot.h that cannot be included (made_by_its_build.h: No such file or directory), so it is not built; set PEER=" peer.c peer
    rm peer/include/peer_dot.h
    fails "PEER=$(realpath peer) has no peer_dot.h below it where one is expected (include inc); set PEER=" peer.c peer
}

@test "adapter: what was built of a checkout is kept without it, and built again where the adapter is newer" {
    library peer/build
    built peer.c peer
    from="PEER=$(realpath peer), no git checkout; libpeer.so $(sha256sum peer/build/libpeer.so | cut -c 1-12)"
    before=$(stat -c %y out/peer.so)
    built peer.c
    [ "$output" = "kept out/peer.so: $from, as it was built before" ]
    [ "$(stat -c %y out/peer.so)" = "$before" ]
    touch -d '1 hour' peer.c
    built peer.c
    [ "$output" = "built out/peer.so: $from" ]
    mv peer gone
    fails 'is no folder that can be entered; set PEER=' peer.c
    [ ! -e out/peer.from ]
    built peer.c
    [[ $output == 'left out: peer needs peer_dot.h'* ]]
}

@test "adapter: an installed package is found by pkg-config, with its version" {
    library lib
    printf 'Name: peer\nDescription: a stand-in\nVersion: 2.7\nCflags: -I%s\nLibs: -L%s -lpeer -Wl,-rpath,%s\n' "$PWD/peer/include" "$PWD/lib" "$PWD/lib" >peer.pc
    adapter c 'pkg-config: no-peer peer'
    PKG_CONFIG_PATH=$PWD built peer.c
    [ "$output" = 'built out/peer.so: 2.7 (package peer)' ]
    rm lib/libpeer.so
    PKG_CONFIG_PATH=$PWD fails 'it does not link: ' peer.c
    [[ $stderr == *'; what is installed (2.7 (package peer)) has another interface than this adapter expects' ]]
}

@test "make plugins: what the user named fails it, and the others are built first" {
    library peer/build
    sed 's/variable: PEER/variable: OTHER/' peer.c >other.c
    run --separate-stderr "${MAKE:-make}" -s -C "$ROOT" plugins BUILD="$PWD/b" PLUGINS="$PWD/other.c $PWD/peer.c" OTHER="$PWD/nowhere" PEER="$PWD/peer"
    echo "exit $status, output '$output', errors '$stderr'"
    [ "$status" -eq 2 ]
    [[ $stderr == "failed: other: OTHER=$PWD/nowhere is no folder that can be entered; "* ]]
    [[ $output == "built $PWD/b/plugins/peer.so: PEER=$(realpath peer), "* ]]
}
