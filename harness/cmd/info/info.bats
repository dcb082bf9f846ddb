#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause

setup() {
    KNEEPOINT=${KNEEPOINT:-$BATS_TEST_DIRNAME/../../../build/kneepoint-steady}
    cd "$BATS_TEST_TMPDIR"
}

# record TYPE: the records of a type.
record() {
    "$KNEEPOINT" info --json | grep "^{\"type\":\"$1\""
}

@test "info fits a screen, and names every instruction set" {
    run "$KNEEPOINT" info
    echo "$output"
    [ "$status" -eq 0 ]
    [ "${#lines[@]}" -le 60 ]
    local row foreign
    foreign=$(sed -n '/^  for [a-z]/,/^  [^ ]/p' <<<"$output" | tr -d ',')
    [ "$(grep -c '^  for [a-z0-9_]* *no: ' <<<"$foreign")" -eq 1 ]
    for row in $(sed -n 's/^ISA(\([a-z0-9_]*\),.*/\1/p' "$BATS_TEST_DIRNAME/../../../platforms/isa.def"); do
        [[ $output =~ "  $row "+(yes|no: needs) ]] || grep -qw -- "$row" <<<"$foreign" || { echo "no $row"; false; }
    done
}

@test "info says nothing on standard error and uses no colour in a pipe" {
    "$KNEEPOINT" info >out 2>err
    [ ! -s err ]
    if grep -q "$(printf '\033')" out; then false; fi
}

@test "the latency that the clock rests on is shown, and recorded" {
    local cycles
    cycles=$(record clock | head -n 1 | sed 's/.*"multiply_cycles":\([0-9]*\).*/\1/')
    [ "$cycles" -ge 2 ]
    run "$KNEEPOINT" info
    echo "$output"
    [[ $output == *"GHz by a chain of multiplies, of $cycles cycles each, and one of adds"* ]]
    [[ $output == *"the time-stamp counter runs at "*" GHz, in steps of "*" ns"* ]]
}

@test "info --json is one JSON object a line" {
    "$KNEEPOINT" info --json >out
    [ "$(wc -l <out)" -gt 10 ]
    python3 -c 'import json, sys; [json.loads(line)["type"] for line in sys.stdin]' <out
}

@test "the machine's record agrees with the kernel" {
    run record machine
    [[ $output == *"\"cores\":"* && $output == *"\"caches\":["* ]]
    local kib bytes
    kib=$(awk '/^MemTotal:/ { print $2 }' /proc/meminfo)
    bytes=$(sed 's/.*"memory_bytes":\([0-9]*\).*/\1/' <<<"$output")
    [ "$bytes" -eq $((kib * 1024)) ]
}

@test "the reference row always runs; a row that does not says why" {
    record isa | grep '"name":"reference"' | grep -q '"runs":true,"missing":null'
    if record isa | grep '"runs":false' | grep '"missing":null'; then false; fi
}

@test "taskset is respected" {
    local cpu
    cpu=$(taskset -pc $$ | sed 's/.*[^0-9]//')
    run taskset -c "$cpu" "$KNEEPOINT" info
    echo "$output"
    [[ $output == *"1 core, CPU $cpu"* ]]
}

@test "a recorded topology in hwloc's environment is shown as what it is" {
    run env HWLOC_XMLFILE="$BATS_TEST_DIRNAME/../../../platforms/fixtures/topology/lunar_lake_4p4e.xml" "$KNEEPOINT" info
    echo "$output"
    [[ $output == *"kind P: 4 "*"CPU 0,1,2,3"*"kind E: 4 "*"CPU 4,5,6,7"* ]]
    [[ $output == *"L3 1 x up to 12 MiB"* ]]
    [[ $output == *"not read: the topology describes another machine"* ]]
    [[ $output == *"not this machine"* ]]
}

@test "an unreadable topology is one line and exit 2" {
    run env HWLOC_HIDE_ERRORS=2 HWLOC_XMLFILE=/dev/null HWLOC_COMPONENTS=xml,stop "$KNEEPOINT" info
    echo "$output"
    [ "$status" -eq 2 ]
    [ "${#lines[@]}" -eq 1 ]
    [[ $output == *"hwloc cannot read this machine's topology"* ]]
}

@test "wrong usage is one line and exit 2" {
    run "$KNEEPOINT" info extra
    [ "$status" -eq 2 ]
    [ "${#lines[@]}" -eq 1 ]
    run "$KNEEPOINT" info --colour
    [ "$status" -eq 2 ]
    [ "${#lines[@]}" -eq 1 ]
}

@test "a full disk is an error" {
    run sh -c '"$1" info --json >/dev/full' sh "$KNEEPOINT"
    echo "$output"
    [ "$status" -eq 2 ]
    [ "${#lines[@]}" -eq 1 ]
}

@test "every counter back end works or says why not, in text and in records" {
    run "$KNEEPOINT" info
    local name
    for name in perf papi likwid tsc powercap; do
        [[ $output =~ "  $name "+(yes: |no: )[^$'\n']+ ]] || { echo "no $name"; false; }
    done
    record counters >records
    [ "$(wc -l <records)" -eq 5 ]
    python3 - <<'PY'
import json
for line in open("records"):
    record = json.loads(line)
    assert record["works"] or record["cause"], record["name"]
    assert record["works"] == any(q["grade"] != "unavailable" for q in record["quantities"].values()), record["name"]
    for name, quantity in record["quantities"].items():
        assert (quantity["grade"] == "unavailable") == (quantity["cause"] is not None), (record["name"], name)
PY
}

@test "in a virtual machine without PMU, perf names the cause and the remedy" {
    ls -d /sys/bus/event_source/devices/cpu* 2>/dev/null && skip "not on this machine: there is a PMU"
    grep -q '^flags.* hypervisor' /proc/cpuinfo || skip "not on this machine: not a virtual machine"
    run "$KNEEPOINT" info
    echo "$output"
    [[ $output == *"perf     no: no PMU in this VM"*"bare-metal"* ]]
}

@test "a machine with more CPUs than a set of the C library holds is shown, and a team that is too large is one line" {
    export HWLOC_SYNTHETIC="pack:2 core:800 pu:2"
    run "$KNEEPOINT" info
    [ "$status" -eq 0 ]
    [[ $output == *"1600 cores, CPUs 0-3199"* ]]
    run "$KNEEPOINT" beta
    [ "$status" -eq 2 ]
    [ "${#lines[@]}" -eq 1 ]
    [[ $output == *"a team of more than 1024 CPUs; choose fewer by number or by name"* ]]
}

# kvm64 and qemu64, which hypervisors give to guests without a chosen model, have no rdtscp: info ended in SIGILL there.
@test "the tool has no instruction outside its kernels that an x86-64 may lack and that is not looked up in CPUID" {
    [ "$(uname -m)" = x86_64 ] || skip "not on this machine: its code is another's"
    command -v objdump >/dev/null || skip "not on this machine: no objdump"
    objdump -d --no-show-raw-insn "$KNEEPOINT" >code
    grep -qw rdtsc code
    ! grep -wE 'rdtscp|rdpid|rdrand|rdseed|cmpxchg16b|clflushopt|clwb|prefetchw|tpause|umwait' code || false
}
