#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause

load ../measuring

@test "beta: memory as JSON Lines, one roof" {
    kept_quiet beta --threads 1 --samples 2 --json
    lines_have beta level threads cpus stream bytes_per_s bytes_per_cycle_per_core load_bytes streams prefetch prefetch_bytes roof
    quantities_have bytes_per_s
    [ "$(grep -c '"roof":true' out)" -eq 1 ]
    [ "$(grep -c '"level":"memory","threads":1,"cpus":\[[0-9]*\]' out)" -eq "$(grep -c '"type":"beta"' out)" ]
    # is cold cold: pools of one to eight times the caches at least
    lines_have pool threads cpus times bytes stream stated_bytes bytes_per_s bytes_per_cycle_per_core cold pool_bytes
    for times in 1 2 4 8; do
        [ "$(grep -c "\"type\":\"pool\".*\"times\":$times," out)" -eq 1 ]
    done
}

@test "beta: a table of the fastest eight, all with --all" {
    kept_quiet beta --threads 1 --samples 2 --level L1
    grep -qE '^L1: [0-9.]+ B/cycle \([0-9.]+ GB/s\) with one core$' <(head -n 1 out)
    [ "$(grep -c '^L1 ' out)" -le 8 ]
    [ "$(grep -c ' roof$' out)" -eq 1 ]
    shown=$(grep -c '^L1 ' out)
    kept_quiet beta --threads 1 --samples 2 --level L1 --all --sort=stream
    grep '^L1 ' out | awk '{ print $3 }' >streams
    sort -cV streams
    [ "$(grep -c '^L1 ' out)" -ge "$shown" ]
}

@test "beta: caches of less than a megabyte are not 0 MB" {
    kept_quiet beta --threads 1 --samples 2
    grep -qE '^cold: (not known: )?buffers of [0-9]+ times the last-level cache \(0\.26 MB, as reported\) .*; [0-9.]*[1-9][0-9.]* MB used$' out
}

@test "beta: the CPUs named are the CPUs used" {
    cpu=$(taskset -cp $$ | sed 's/.*[ ,-]//')
    kept_quiet beta --cpus "$cpu" --samples 1 --level L1 --json
    [ "$(grep -c "\"cpus\":\[$cpu\]" out)" -eq "$(wc -l <out)" ]
}

@test "beta: if no sample is kept, the cause is printed and no stream" {
    keeps_none "beta: no sample was kept: " beta --threads 1 --level L1 --samples 2 --json
    if grep -q '"type":"beta"' out; then no_number bytes_per_s; fi
    keeps_none "beta: latency/L1" beta --latency --threads 1 --level L1 --samples 2
}

@test "beta: that others use the machine is said before it measures, how much, and it measures all the same" {
    KNEEPOINT_OTHERS=1.26 apart "$KNEEPOINT" beta --threads 1 --level L1 --samples 6
    [ "$status" -eq 0 ]
    [ "$(wc -l <err)" -eq 1 ]
    grep -q '^kneepoint beta: the machine is busy: other programs use 1.3 CPUs; .*`kneepoint doctor` says what helps$' err
    KNEEPOINT_OTHERS=0.2 kept_quiet beta --threads 1 --level L1 --samples 6
    KNEEPOINT_OTHERS=nan kept_quiet beta --threads 1 --level L1 --samples 6
    KNEEPOINT_OTHERS=1.26 HWLOC_XMLFILE="$BATS_TEST_DIRNAME/../../../platforms/fixtures/topology/server_2s_smt.xml" \
        refuses "recorded on another machine" beta --threads 1 # which is not busy
}

@test "beta: that the machine is emulated is said before it measures, and its numbers carry it" {
    KNEEPOINT_EMULATED="QEMU TCG" apart "$KNEEPOINT" beta --threads 1 --level L1 --samples 6
    [ "$status" -eq 0 ]
    [ "$(cat err)" = "kneepoint beta: emulated by QEMU TCG: results and instruction counts are right, but cycles, times and rates are the emulator's" ]
    grep -qx "EMULATED by QEMU TCG: no speed of a machine" out
    KNEEPOINT_EMULATED="QEMU TCG" apart "$KNEEPOINT" beta --threads 1 --level L1 --samples 6 --json
    jq -es 'map(select(.type == "beta")) | length > 0 and all(.emulated == "QEMU TCG")' out
    KNEEPOINT_EMULATED="QEMU TCG" apart "$KNEEPOINT" beta --threads 1 --level L1 --samples 6 --csv
    head -n 1 out | grep -qE '(^|,)emulated(,|$)'
    kept_quiet beta --threads 1 --level L1 --samples 6 --json
    ! grep -qi emulated out || { cat out; return 1; }
}

@test "beta: unknown level" {
    refuses "--level is memory, L1, L2, L3 or all, not 'L4'" beta --level L4
    refuses "--level is memory, L1, L2, L3 or all, not ''" beta --level ''
    refuses "not 'memry'; did you mean 'memory'?" beta --level memry
}

@test "beta: a level in lower case" {
    kept_quiet beta --threads 1 --level l1 --samples 6 --json
    grep -q '"type":"beta".*"level":"L1"' out
}

@test "beta: more threads than allowed CPUs" {
    refuses "$(($(most_threads) + 1)) threads asked" beta --threads $(($(most_threads) + 1))
    refuses "--threads takes a whole number from 1 to 1024, not '0'" beta --threads 0
    refuses "not '2x'" beta --threads 2x
    cpu=$(taskset -cp $$ | sed 's/.*[ ,-]//')
    status=0
    taskset -c "$cpu" "$KNEEPOINT" beta --threads 2 >out 2>err || status=$?
    [ "$status" -eq 2 ]
    [ ! -s out ]
    grep -q "2 threads asked, but this process has 1 core" err
}

@test "beta: a CPU that is not allowed, something that is not a list, a kind that is not there" {
    refuses "cpu $(forbidden_cpu) is not allowed to this process" beta --cpus "$(forbidden_cpu)"
    refuses "0-" beta --cpus 0-
    refuses "no core of kind 'Q'" beta --kind Q
}

@test "beta: arguments that mean nothing" {
    refuses "Too many arguments" beta memory
    refuses "--sort: no column 'speed'; the columns are level, thr, stream, GB/s" beta --sort=speed
}

@test "beta --latency: every level, and memory while the others read" {
    kept_quiet beta --latency --samples 8 --json
    lines_have latency level threads cpus readers bytes pause huge_fraction latency_s latency_cycles load_bytes_per_s
    quantities_have latency_s
    [ "$(grep -c '"name":"memory/idle"' out)" -eq 1 ]
    [ "$(grep -c '"name":"L1/idle"' out)" -eq 1 ]
    [ "$(grep '"readers":0' out | grep -cv '"pause":null.*"load_bytes_per_s":null')" -eq 0 ]
    [ "$(most_threads)" -eq 1 ] || grep -q '"readers":1,.*"pause":0,.*"load_bytes_per_s":' out
}

@test "beta --latency: a level alone, a team alone, as a table" {
    kept_quiet beta --latency --level L2 --samples 8
    [ "$(grep -c '^L2 .* idle ' out)" -eq 1 ]
    [ "$(grep -c '^L1\|^L3\|^memory' out)" -eq 0 ]
    kept_quiet beta --latency --level memory --threads 1 --samples 1
    [ "$(grep -c '^memory ' out)" -eq 1 ]
}

@test "beta --tiles: loaded and multiplied, by both loads, from a level" {
    "$KNEEPOINT" list sequences | grep -qE '^int8_tiles\..* yes$' || skip "not on this machine: no tiles"
    kept_quiet beta --tiles --level L1 --threads 1 --samples 8 --json
    lines_have tiles level threads cpus isa tile_bytes tile_operations multiplied streamed bytes cycles_per_tile bytes_per_s
    quantities_have cycles_per_tile
    [ "$(grep -c '"name":"L1/amx_int8/' out)" -eq 4 ]
    [ "$(grep -c '"level":"L1"' out)" -eq "$(grep -c '"type":"tiles"' out)" ]
    kept_quiet beta --tiles --level L2 --threads 1 --samples 8
    [ "$(grep -cE '^L2 +1 amx_int8 +load, multiply +(ordinary|streaming) ' out)" -eq 2 ]
}

@test "beta --tiles: what does not go with it, and a CPU without tiles" {
    refuses "--all prints streams, and --tiles measures none" beta --tiles --all
    refuses "--latency and --tiles measure different things; give one of the two" beta --latency --tiles
    "$BATS_TEST_DIRNAME/../../../scripts/pack" --unpack "$BATS_TEST_DIRNAME/../../../platforms/fixtures/machines/haswell.txt" haswell
    KNEEPOINT_MACHINE=$PWD/haswell refuses "no stream of tiles runs on this CPU: amx_" beta --tiles
}

@test "beta --latency: what does not go with it" {
    refuses "--all prints streams, and --latency measures none" beta --latency --all
    refuses "--level is memory, L1, L2, L3 or all, not 'L4'" beta --latency --level L4
}
