#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# Plug-ins that pass every check and misbehave while they are measured: each is named, and all the others are measured. One call of
# the tool for all of them. Each call of the tool has a bound in real time: `timeout` ends it with 124, which no test expects.

load measuring

ROOT=$BATS_TEST_DIRNAME/../..
# For what hangs, the limits of its calls, and as much again several times over for a machine that is busy.
BOUND_S=120

setup_file() {
    command -v "${CC:-cc}" >/dev/null || skip "not on this machine: no C compiler"
    cd "$BATS_FILE_TMPDIR"
    KNEEPOINT=${KNEEPOINT:-$BATS_TEST_DIRNAME/../../build/kneepoint-steady}
    export MARK=orphan-of-$$
    "${CC:-cc}" -O3 -w -shared -fPIC -I"$ROOT" -D_GNU_SOURCE -DMARK="\"$MARK\"" -o hostile.so \
        "$ROOT/harness/plugin/fixtures/hostile.c" -lpthread
    status=0
    export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0 # what exit() leaves behind in the middle of a call is no leak
    # as long as a busy machine may take for what does not hang
    (
        for fd in /proc/"$BASHPID"/fd/*; do # one of them writes into all that it has, and those of bats are not ours
            fd=${fd##*/}
            if [ "$fd" -gt 2 ] && [ "$fd" -lt 64 ]; then eval "exec $fd>&-"; fi
        done
        KNEEPOINT_CHILD_LIMIT_MS=5000 timeout $BOUND_S "$KNEEPOINT" gemv --plugin ./hostile.so bytes --shape 64x96 --threads 1 --samples 12 --warm --json \
            >out 2>err
    ) || status=$?
    echo "$status" >status
}

setup() {
    cd "$BATS_FILE_TMPDIR"
    KNEEPOINT=${KNEEPOINT:-$BATS_TEST_DIRNAME/../../build/kneepoint-steady}
    echo "exit $(cat status), standard error:"
    cat err
}

# is_named KERNEL TEXT: one line on standard error says that of it, and there are no numbers of it.
is_named() {
    [ "$(grep -c "^kneepoint .*bytes.$1.reference" err)" -eq 1 ] # beside lines of progress, on a slow machine
    grep -qE "^kneepoint gemv: plug-in ./hostile.so: bytes.$1.reference.* ?$2.*; it is left out$" err
    grep -q "\"type\":\"withheld\",\"name\":\"bytes.$1.reference\"" out
    if grep -q "\"type\":\"gemv\",\"name\":\"bytes.$1.reference\"" out; then false; fi
}

# bounded: $KNEEPOINT is the tool within the bound.
bounded() {
    printf '#!/bin/sh\nexec timeout %s "%s" "$@"\n' "$BOUND_S" "$KNEEPOINT" >"$BATS_TEST_TMPDIR/bounded"
    chmod +x "$BATS_TEST_TMPDIR/bounded"
    KNEEPOINT=$BATS_TEST_TMPDIR/bounded
}

# busy: a busy loop on each CPU until the test ends.
busy() {
    local cpu
    loops=
    for ((cpu = 0; cpu < $(nproc); cpu++)); do
        (exec 3>&- && while :; do :; done) &
        loops="$loops $!"
    done
}

teardown() {
    [ -z "${loops:-}" ] || kill $loops
}

is_measured() {
    grep -q "\"type\":\"gemv\",\"name\":\"bytes.$1.reference\",.*\"exact\":true" out
}

@test "hostile: the exit status says that something is wrong, and the good one is measured" {
    [ "$(cat status)" -eq 1 ]
    is_measured good
    if grep -q "^kneepoint .*bytes.good" err; then false; fi
}

@test "hostile: one that does not end" {
    is_named hangs 'does not end: a call while it was measured took more than '
}

@test "hostile: one that ends the process is never taken for success" {
    is_named exits 'ended its process while it was measured, with status 0'
    is_named leaves 'ended its process while it was measured, with status 0'
}

@test "hostile: one that crashes" {
    is_named crashes 'crashed while it was measured: signal 11 \(Segmentation fault\)'
}

@test "hostile: threads of its own" {
    is_named spins 'started 1 thread of its own, which ran for '
    is_named threads 'starts threads of its own, which ran for '
}

@test "hostile: one that is wrong every so often, or writes past its results" {
    is_named lapses 'gives other results for the same operands when it is called again'
    is_named overruns 'wrote past the end of its results'
}

@test "hostile: state of its thread" {
    is_named moves 'leaves its thread bound to other CPUs than it was called on'
    is_named nices 'leaves its thread with another scheduler class or nice value'
    is_named blocks 'leaves other signals blocked than before'
    [ "$(uname -m)" = x86_64 ] || skip "not on this machine: others have no x87"
    is_named flushes 'leaves rounding or traps changed'
    is_named singles 'leaves rounding or traps changed'
    is_named mmx 'leaves x87 or MMX registers in use \(no emms before it returns\)'
    grep -q avx /proc/cpuinfo || skip "not on this machine: no AVX"
    is_measured uppers
    grep -qE '^kneepoint gemv: bytes.uppers.reference leaves upper halves of vector registers in use, ' err
}

@test "hostile: state of its process" {
    is_named times 'leaves a timer running that sends signals \(setitimer\)'
    grep -qE '^kneepoint gemv: plug-in ./hostile.so: bytes.writes.reference wrote to a descriptor that is not its own while it was measured.*; it is left out$' err
    if grep -q '"type":"gemv","name":"bytes.writes.reference"' out; then false; fi
    is_named limits 'leaves limits of its process changed \(setrlimit\)'
}

@test "hostile: what it prints goes to standard error, after its name" {
    is_measured prints
    grep -qxF 'kneepoint gemv: bytes.prints.reference printed: {"type":"gemv"}' err
    [ "$(grep -vc '^{"type":"[a-z_]*","name":' out)" -eq 0 ]
}

@test "hostile: what it starts ends with it" {
    is_measured forks
    if ps -ef | grep -v grep | grep -q "$MARK"; then false; fi
}

@test "hostile: a thread that keeps running after loading is refused" {
    "${CC:-cc}" -O1 -w -shared -fPIC -I"$ROOT" -D_GNU_SOURCE -DMARK='""' -DCONSTRUCTOR -o spinning.so \
        "$ROOT/harness/plugin/fixtures/hostile.c" -lpthread
    cd "$BATS_TEST_TMPDIR"
    bounded
    refuses "spinning.so starts a thread when it is loaded that keeps running: " list kernels --plugin "$BATS_FILE_TMPDIR/spinning.so"
}

# passes BUILD ARGUMENT...: a plug-in of so built kernels, which misbehave on the matrices of a model alone, through decode.
passes() {
    "${CC:-cc}" -O3 -w -shared -fPIC -I"$ROOT" -D_GNU_SOURCE -DMARK='""' -DK=1536 -DPANELS=0 $1 -o passes.so \
        "$ROOT/harness/plugin/fixtures/hostile.c" -lpthread
    shift
    status=0
    KNEEPOINT_CHILD_LIMIT_MS=5000 timeout $BOUND_S "$KNEEPOINT" decode --plugin ./passes.so --model bitnet-700m --head same --layers 1 --threads 1 \
        --samples 1 --json "$@" >out 2>err || status=$?
    cat err
    [ "$status" -eq 1 ]
}

@test "hostile: one that does not end while it is tried is ended as soon, beside a busy loop on each CPU as well" {
    cd "$BATS_TEST_TMPDIR"
    "${CC:-cc}" -O1 -w -shared -fPIC -I"$ROOT" -D_GNU_SOURCE -DMARK='""' -DK=96 -DPANELS=8 -DMANY=20 -DEACH=97 -DONLY='&kernel_hangs' -o hangs.so \
        "$ROOT/harness/plugin/fixtures/hostile.c" -lpthread
    busy
    status=0
    KNEEPOINT_CHILD_LIMIT_MS=2000 timeout $BOUND_S "$KNEEPOINT" gemv --plugin ./hangs.so bytes.hangs --shape 64x96 --threads 1 --warm >out 2>err || status=$?
    cat out err
    [ "$status" -eq 1 ]
    grep -qx 'kneepoint gemv: plug-in ./hangs.so: bytes.hangs.reference on 64x96 with 1 thread: does not end: a call took more than 10 s; it is left out' err
}

# rarely_wrong KERNEL BUILD ARGUMENT...: a plug-in of it alone, so built, is named and left out.
rarely_wrong() {
    local kernel=$1 build=$2
    cd "$BATS_TEST_TMPDIR"
    "${CC:-cc}" -O3 -w -shared -fPIC -I"$ROOT" -D_GNU_SOURCE -DMARK='""' -DK=96 -DPANELS=8 $build -DONLY="&kernel_$kernel" -o rare.so \
        "$ROOT/harness/plugin/fixtures/hostile.c" -lpthread
    shift 2
    status=0
    timeout $BOUND_S "$KNEEPOINT" gemv --plugin ./rare.so "bytes.$kernel" --shape 64x96 --threads 1 "$@" >out 2>err || status=$?
    cat err
    [ "$status" -eq 1 ]
    grep -q "^kneepoint gemv: plug-in ./rare.so: bytes.$kernel.reference gives other results for the same operands when it is called again; " err
}

@test "hostile: one result in a thousand is wrong" {
    rarely_wrong lapses "-DMANY=0 -DEACH=1009" --warm --samples 12
}

@test "hostile: one timed call is wrong, with weights that no other call has" {
    rarely_wrong errs "-DMANY=140 -DEACH=1" --samples 600
}

@test "hostile: a pass through a model is no other matter" {
    cd "$BATS_TEST_TMPDIR"
    passes "-DMANY=200 -DEACH=97" bytes.good bytes.leaves bytes.lapses
    grep -q '"type":"decode","name":"bytes.good.reference"' out
    [ "$(grep -c '"type":"decode"' out)" -eq 1 ]
    [ "$(grep -c '"type":"withheld"' out)" -eq 2 ]
    grep -qx "kneepoint decode: plug-in ./passes.so: bytes.leaves.reference ended its process while it was measured, with status 0; it is left out" err
    grep -qx "kneepoint decode: plug-in ./passes.so: bytes.lapses.reference in decode gives other results for the same operands when it is called again; it is left out" err
}

@test "hostile: so is a prompt" {
    cd "$BATS_TEST_TMPDIR"
    passes "-DTOKENS -DMANY=8 -DEACH=7" bytes.crashes --prefill 1
    grep -qx "kneepoint decode: plug-in ./passes.so: bytes.crashes.reference crashed while it was measured: signal 11 (Segmentation fault); it is left out" err
}

@test "hostile: so are builds that are compared" {
    cd "$BATS_TEST_TMPDIR"
    bounded
    "${CC:-cc}" -O1 -w -shared -fPIC -I"$ROOT" -D_GNU_SOURCE -DMARK='""' -DK=96 -DPANELS=8 -DMANY=400 -DEACH=97 \
        -DONLY='&kernel_good, &kernel_leaves, &kernel_prints' -o head.so "$ROOT/harness/plugin/fixtures/hostile.c" -lpthread
    status=0
    "$KNEEPOINT" compare --live "$BATS_FILE_TMPDIR/hostile.so" ./head.so --cell '*good*' --cell '*leaves*' --cell '*prints*' \
        --shape 64x96 --threads 1 --warm --blocks 5 --samples 12 --json >out 2>err || status=$?
    cat out err
    [ "$status" -eq 1 ]
    [ "$(grep -c "^kneepoint compare: .*: bytes.leaves.reference ended its process while it was measured, with status 0; it is left out$" err)" -eq 1 ]
    grep -qE '"type":"withheld","name":"bytes.leaves.reference",.*"side":"(BASE|HEAD)"' out
    grep -q '"type":"comparison","name":"gemv/bytes.good.reference/64x96/t1/warm"' out
    if grep -q 'comparison","name":"gemv/bytes.leaves' out; then false; fi
    grep -q '"type":"verdict","name":"fail",.*"withheld":[1-9]' out
    grep -qxF 'kneepoint compare: bytes.prints.reference printed: {"type":"gemv"}' err
    # nothing is left
    status=0
    "$KNEEPOINT" compare --live ./head.so ./head.so --cell '*leaves*' --shape 64x96 --threads 1 --warm --blocks 5 --samples 500 --json \
        >out 2>err || status=$?
    cat out err
    [ "$status" -eq 1 ]
    grep -qx 'kneepoint compare: nothing is left to compare' err
    [ "$(tail -n 1 err)" = 'kneepoint compare: nothing is left to compare' ] # after the cause
    grep -q '"type":"withheld","name":"bytes.leaves.reference"' out
}
