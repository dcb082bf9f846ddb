#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# What is named as a file may be a pipe, a device or a line without an end, the disk may be full, and a home may hold settings of
# other programs, and what is asked for may find no memory: a command says so, or does not care.

load measuring

copy_of_run() {
    mkdir -p run
    cp "$BATS_TEST_DIRNAME/../../reports/fixtures/run/"* run
}

# soon COMMAND...: refuses, within a time in which nothing waits.
soon() {
    local text=$1
    shift
    status=0
    timeout 60 "$KNEEPOINT" "$@" >out 2>err || status=$?
    told "$@"
    [ "$status" -eq 2 ]
    one_line "$text"
}

# no_memory COMMAND...: in 700 MB of addresses, which the tool fits into and what it asks for does not.
no_memory() {
    case $KNEEPOINT in */san/*) skip "not on this machine: a sanitizer needs the address space" ;; esac
    "$KNEEPOINT" list kernels --format=int2_vnni4 --json | grep -q '"runs":true' || skip "not on this machine: no kernel runs here"
    ulimit -v 700000
    refuses " GB " "$@" # how much, of what there is
    grep -qF "free memory, raise the cgroup limit" err
}

@test "a FIFO that nothing writes is empty, wherever a file is named" {
    copy_of_run
    mkfifo fifo fifo.S fifo.npy fifo.json
    soon 'neither a run folder nor a record file' report fifo
    soon 'fifo.S states no FORMAT' gamma ./fifo.S
    soon 'fifo.npy is not a .npy file' quantize --weights=fifo.npy int2
    soon 'fifo.json: it is a device or a pipe; name a file' predict --platform=./fifo.json
    rm run/meta.json
    mkfifo run/meta.json
    soon "run/meta.json line 1: '[' or '{' expected near end of file" report run
}

@test "a device is refused, wherever a file is named" {
    copy_of_run
    ln -s /dev/zero zero.S
    ln -s /dev/zero zero.npy
    ln -s /dev/zero zero.json
    soon 'zero.S: it is a device or a socket; name a file' gamma ./zero.S
    soon 'it is a device or a socket; name a file' quantize --weights=zero.npy int2
    soon 'zero.json: it is a device or a pipe; name a file' predict --platform=./zero.json
    rm run/records.jsonl
    ln -s /dev/zero run/records.jsonl
    soon 'run/records.jsonl: it is a device or a socket; name a file' report run
    soon 'run/records.jsonl: it is a device or a socket; name a file' compare run run
    rm run/meta.json
    ln -s /dev/zero run/meta.json
    soon 'run/meta.json cannot be read: it is a device or a socket; name a file' report run
}

@test "a line without an end is refused, whatever memory there is" {
    copy_of_run
    head -c 17000000 /dev/zero | tr '\0' x >run/records.jsonl
    soon 'cannot read run/records.jsonl: a line of it' report run
    soon 'cannot read run/records.jsonl: a line of it' compare run run
}

@test "a file that the limit of its size cuts off is an error, says so and leaves nothing" {
    copy_of_run
    status=0
    (ulimit -f 8 && "$KNEEPOINT" report run -o page >out 2>err) || status=$?
    told report
    [ "$status" -eq 2 ]
    [[ $stderr == *'File too large'* ]]
    [ ! -e page/index.html ]
    [ -z "$(find . -name '*.tmp')" ]
}

@test "settings of gnuplot in the home of a user change no picture" {
    command -v gnuplot >/dev/null || skip "not on this machine: no gnuplot"
    copy_of_run
    mkdir home
    printf 'set datafile separator ","\nset xrange [0:1]\nset key off\nsystem "touch %s/ran"\n' "$PWD" >home/.gnuplot
    for home in "$PWD" "$PWD/home"; do
        HOME=$home "$KNEEPOINT" figure hero --run=run -o "$home/picture" >out
    done
    cmp picture/hero.svg home/picture/hero.svg
    [ ! -e ran ]
}

@test "without /sys one line says so, and it is ours" {
    unshare -rm sh -c 'mount -t tmpfs none /sys' 2>/dev/null || skip "not on this machine: no mount namespace of a user"
    apart unshare -rm sh -c 'mount -t tmpfs none /sys; "$1" info' sh "$KNEEPOINT"
    told info
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
    grep -q '^ *\/sys shows no CPUs: cores and caches are as far as the CPU itself tells; mount /sys$' out
    apart unshare -rm sh -c 'mount -t tmpfs none /sys; "$1" gemv q4_0 --shape 64x256 --threads 1 --samples 1 --warm' sh "$KNEEPOINT"
    told gemv
    [ "$status" -eq 0 ]
    [ "$(grep -c '^kneepoint gemv: /sys shows no CPUs: .*, and settings are unknown; `mount -t sysfs sysfs /sys` shows them$' err)" -eq 1 ]
    [ "$(grep -vc '^kneepoint gemv: ' err)" -eq 0 ]
}

@test "gemv says that there is no memory for its pool" {
    no_memory gemv int2_vnni4 --shape=60000x60000 --threads=1
}

# One kernel: before the pool each GEMM of the format would have its gammas measured.
@test "gemm says that there is no memory for its pool" {
    local kernel
    kernel=$("$KNEEPOINT" list kernels --format=int2_vnni4 --json | jq -rs 'map(select(.runs and .gemm))[0].name // "int2_vnni4"')
    no_memory gemm "$kernel" --shape=60000x60000 --threads=1
}

@test "decode says that there is no memory for its weights" {
    no_memory decode int2_vnni4 --threads=1
}
