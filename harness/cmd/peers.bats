#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# gemv --peers and gemm --peers, with plug-ins that stand for libraries.

load measuring

ROOT=$BATS_TEST_DIRNAME/../..

setup_file() {
    command -v "${CC:-cc}" >/dev/null || skip "not on this machine: no C compiler"
    export KNEEPOINT_PLUGINS=$BATS_FILE_TMPDIR/libraries
    mkdir "$KNEEPOINT_PLUGINS"
    peer one -DGEMM=many_right
    peer two -DGEMM=many_right -DGOOD_NAME='"five.good.reference"' -DFORMAT_NAME='"five"'
}

# peer NAME [FLAG...]: a plug-in of that name from harness/plugin/fixtures/plugin.c, with a kernel of 4 bits.
peer() {
    local name=$1
    shift
    "${CC:-cc}" -O2 -w -DALONE -shared -fPIC -I"$ROOT" -DNAME="\"$name\"" "$@" -o "${folder:-$KNEEPOINT_PLUGINS}/$name.so" \
        "$ROOT/harness/plugin/fixtures/plugin.c" -lm
}

@test "peers: of each width and kind the best of ours and of each plug-in, and how many times as fast" {
    kept_quiet gemv --peers q4_0 --shape 64x256 --threads 1 --samples 12 --warm
    cat out
    head -n 1 out | grep -qE '^ours is [0-9.]+ \[[0-9.]+, [0-9.]+\] times as fast as the best plug-in(: no difference beyond the noise)?$'
    sed -n 3p out | grep -qE '^width kind +shape thr proto tokens +kernel +from +bits +time us +GB/s +op/c +x peer +95%$'
    [ "$(grep -c '^ *4 ' out)" -eq 3 ]
    sed -n 4p out | grep -qE ' q4_0\.[a-z0-9_.]+ +[a-z.]+ +4.50 .* [0-9.]+ +\[ *[0-9.]+, *[0-9.]+\]$'
    grep -qE ' four\.good +one +4\.00 ' out
    grep -qE ' five\.good +two +4\.00 ' out
    [ "$(grep -c ' best *$' out)" -eq 1 ]
    [ "$(grep -cE '\[ *[0-9.]+, *[0-9.]+\]$' out)" -eq 2 ]
    tr '\n' ' ' <out | grep -q ' x peer: how many times as fast as the fastest plug-in, .* 95%: interval of x peer\. '
}

@test "peers: on a terminal a line says what is done while the rest is measured" {
    script -qec "'$KNEEPOINT' gemv --peers q4_0 --shape 64x256 --shape 128x256 --threads 1 --samples 12 --warm" /dev/null </dev/null | tr '\r' '\n' >out
    cat out
    grep -qE '^.\[K4 bits 64x256 t1 warm: q4_0\.[a-z0-9_.]+ [0-9.]+ us, (four|five)\.good\.reference [0-9.]+ us$' out
    sed '/4 bits 128x256 t1 warm: /q' out >before
    [ "$(grep -c '4 bits 128x256' before)" -eq 1 ]
    if grep 'ours are faster' before; then false; fi
}

@test "peers: records say the width, the best peer, and the ratio with its interval" {
    kept_quiet gemv --peers q4_0 --shape 64x256 --threads 1 --samples 12 --warm --json
    lines_have gemv width best_peer x_best_peer
    [ "$(grep -c '"type":"gemv",.*"plugin":"one"' out)" -eq 1 ]
    grep '"type":"gemv","name":"q4_0' out | grep -qE '"width":4\.0,"best_peer":"(four|five)\.good\.reference","x_best_peer":\{"median":[0-9]'
    [ "$(grep -c '"x_best_peer":null,"x_best_peer_reason":"it is the best peer itself"' out)" -eq 1 ]
    # too few for a number
    kept_quiet gemv --peers q4_0 --shape 64x256 --threads 1 --samples 1 --warm --json
    grep '"type":"gemv","name":"q4_0' out >ours
    grep -qE '"x_best_peer":\{"median":(null|[0-9])' ours
    grep -qE '"why":"[0-9] kept, 6 needed"|"n":([6-9]|[1-9][0-9])' ours
}

@test "peers: with --reads, too" {
    kept_quiet gemv --peers q4_0 --reads --shape 64x256 --shape 128x256 --threads 1 --samples 12
    [ "$(grep -cE '^ *4 .* 1 cold ' out)" -eq 6 ]
}

@test "peers: GEMMs of every number of tokens" {
    kept_quiet gemm --peers q4_0 --shape 64x256 --threads 1 --tokens 1,3 --samples 12 --warm
    cat out
    [ "$(grep -cE '^ *4 scaled integers +64x256 +1 warm +1 ' out)" -eq 3 ]
    [ "$(grep -cE '^ *4 scaled integers +64x256 +1 warm +3 ' out)" -eq 3 ]
}

@test "peers: without a plug-in, or with none of use" {
    mkdir empty
    KNEEPOINT_PLUGINS=$PWD/empty:/none refuses "--peers: found no plug-in in $PWD/empty or /none; build some with \`make plugins\`, or name their folder in KNEEPOINT_PLUGINS" gemv --peers
    KNEEPOINT_PLUGINS=/none refuses "--peers: found no plug-in in /none; build some" gemm --peers
    KNEEPOINT_PLUGINS='' refuses "--peers: found no plug-in in any folder; build some" gemv --peers
    refuses "--peers: no plug-in that can be used here has a GEMV of a width and kind that was asked for" gemv --peers f32
}

@test "peers: one that refuses, and a file that is no plug-in, are left out with the reason" {
    mkdir folder
    folder=folder peer able
    folder=folder peer unable -DINIT='snprintf(why, size, "needs permission for AMX"); return -1' -DFORMAT_NAME='"six"' -DGOOD_NAME='"six.good.reference"'
    echo text >folder/text.so
    mkdir folder/folder.so
    mkfifo folder/pipe.so
    KNEEPOINT_PLUGINS=folder apart "$KNEEPOINT" gemv --peers q4_0 --shape 64x256 --threads 1 --samples 12 --warm
    cat out err
    [ "$status" -eq 0 ]
    [ "$(grep -c '; it is left out$' err)" -eq 4 ]
    grep -qF 'kneepoint gemv: cannot read plug-in folder/pipe.so: it is a pipe, a socket or a device; ' err
    grep -qF 'kneepoint gemv: folder/unable.so will not be measured here: needs permission for AMX; it is left out' err
    grep -qF 'kneepoint gemv: folder/text.so cannot be loaded: ' err
    grep -qF 'kneepoint gemv: cannot read plug-in folder/folder.so: Is a directory; ' err
    grep -q ' able ' out
    # nothing else is there
    rm -r folder/able.so folder/text.so folder/folder.so folder/pipe.so
    KNEEPOINT_PLUGINS=folder apart "$KNEEPOINT" gemv --peers
    cat err
    [ "$status" -eq 2 ]
    grep -qF 'kneepoint gemv: --peers: no plug-in that can be used here has a GEMV of its own' err
}

@test "peers: a kernel of a peer that fails its check is left out and named, and is no failure; of one that is named it is" {
    mkdir folder
    folder=folder peer able
    folder=folder peer broken -UALONE -DFAULT=wrong -DFORMAT_NAME='"six"'
    KNEEPOINT_PLUGINS=$PWD/folder apart "$KNEEPOINT" gemv --peers q4_0 --shape 64x256 --threads 1 --samples 12 --warm
    cat out err
    [ "$status" -eq 0 ]
    grep -q "^kneepoint gemv: plug-in $PWD/folder/broken.so: six.faulty.reference .*; it is left out of the peers, and the exit status does not count it\$" err
    grep -q ' able ' out
    KNEEPOINT_PLUGINS=$PWD/folder apart "$KNEEPOINT" gemv --peers q4_0 --plugin folder/broken.so --shape 64x256 --threads 1 --samples 12 --warm
    cat err
    [ "$status" -eq 1 ]
    grep -q 'six.faulty.reference .*; it is left out$' err
}

@test "peers: --plugin is one more of them" {
    mkdir empty mine
    folder=mine peer named
    KNEEPOINT_PLUGINS=$PWD/empty kept_quiet gemv --peers q4_0 --plugin mine/named.so --shape 64x256 --threads 1 --samples 12 --warm
    grep -q ' named ' out
    # once, though it would be found as well
    KNEEPOINT_PLUGINS=$PWD/mine kept_quiet gemv --peers q4_0 --plugin mine/named.so --shape 64x256 --threads 1 --samples 12 --warm
    grep -q ' named ' out
}

@test "peers: a folder that others can write is said, of what is named as well" {
    mkdir open
    folder=open peer able
    chmod 777 open
    KNEEPOINT_PLUGINS=open apart "$KNEEPOINT" gemv --peers q4_0 --shape 64x256 --threads 1 --samples 12 --warm
    told gemv
    [ "$status" -eq 0 ]
    [ "$(grep -c "^kneepoint gemv: open/able.so lies in $(realpath open), where others can put another, which would run as you; \`chmod go-w\` that folder$" err)" -eq 1 ]
    apart "$KNEEPOINT" list kernels 'four.*' --plugin open/able.so
    told list
    [ "$status" -eq 0 ]
    one_line 'kneepoint list: open/able.so lies in '
    chmod 755 open
    chmod 646 open/able.so
    apart "$KNEEPOINT" list kernels 'four.*' --plugin open/able.so
    told list
    one_line 'kneepoint list: open/able.so can be written by others, whose code would run as you; `chmod go-w` it'
}
