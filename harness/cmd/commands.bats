#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# Commands with few tests each.

load measuring

needs_a_kernel() {
    "$KNEEPOINT" list kernels --json | grep '"runs":true' | grep '"bits":2.0' | grep -q '"result":"int32"' ||
        skip "not on this machine: no kernel of 2 bits in int8 runs here"
}

@test "bias: every factor of every subject, as a table and as JSON Lines" {
    needs_a_kernel
    kept_quiet bias --threads 1 --samples 6
    grep -q '^What a change of layout alone does here$' out
    for factor in nothing addresses stack buffer data pages; do
        grep -qE "^[a-z0-9_.]+ +warm +$factor +[0-9]+ +[0-9.]+% +[0-9.]+% .* 6$" out
    done
    grep -qE ' cold +pages +2 ' out
    grep -qE ' gamma +stack +16 ' out
    [ "$(grep -cE ' gamma +(buffer|pages) ' out)" -eq 0 ]
    kept_quiet bias --threads 1 --samples 6 --json
    lines_have bias subject class factor layout unit levels spread distance noise net
    [ -z "$(grep -v '"factor":"nothing"' out | grep '"net":null')" ]
}

@test "bias: fewer than six samples of a level are no number, and the count says so" {
    needs_a_kernel
    kept_quiet bias --threads 1 --samples 5
    # from memory there are four rounds for one of the others
    [ -z "$(grep -E '^[a-z0-9_]+\.[a-z]' out | grep -v ' cold ' | grep '%')" ]
    [ "$(grep -cE ' - +- +- +- +[1-5]$' out)" -ge 10 ]
    [ "$(grep -cE ' cold .*% +12$' out)" -eq 5 ]
}

@test "bias: the levels on request" {
    needs_a_kernel
    kept_quiet bias --threads 1 --samples 6 --levels
    [ "$(grep -c ' ones and -128 .* cycles .* 6$' out)" -ge 1 ]
    [ "$(grep -cE ' base pages .* (us|cycles) ' out)" -eq 2 ]
}

@test "bias: wrong options" {
    refuses "--samples" bias --samples 0
    refuses "Too many arguments" bias warm
}

@test "doctor: every problem with its effect and its fix, as text and as records; exit 3 or 0" {
    apart "$KNEEPOINT" doctor --json
    [ ! -s err ]
    [ "$status" -eq "$([ -s out ] && echo 3 || echo 0)" ]
    [ -s out ] && lines_have hindrance cost value harm remedy
    [ "$(grep -cE '"cost":"(wrong|spread|missing)"' out)" -eq "$(wc -l <out)" ]
    [ "$(grep -c '"\(value\|harm\|remedy\)":""' out)" -eq 0 ]
    # the worst first
    sed 's/.*"cost":"\([a-z]*\)".*/\1/; s/wrong/1/; s/spread/2/; s/missing/3/' out | sort -c
    # settings are info's, in a half second in which no one changed them
    "$KNEEPOINT" info --json | grep '"type":"setting"' | grep -v '"harm":null' | sed 's/.*"name":"\([^"]*\)".*/\1/' | sort >harms
    grep -vE '"name":"(busy sibling|busy cores|noise|stolen CPU|virtual machine|no counters|perf_event_paranoid)"' out |
        sed 's/.*"name":"\([^"]*\)".*/\1/' | sort | diff - harms
    apart "$KNEEPOINT" doctor
    [ ! -s err ]
    if [ "$status" -eq 0 ]; then
        grep -q '^No problems found' out
    else
        [ "$status" -eq 3 ]
        grep -qE '^[0-9]+ problems?, worst first' out
    fi
    if grep -q "$(printf '\033')" out; then false; fi
}

@test "doctor: no PMU in a virtual machine is a reason" {
    ls -d /sys/bus/event_source/devices/cpu* 2>/dev/null && skip "not on this machine: there is a PMU"
    grep -q '^flags.* hypervisor' /proc/cpuinfo || skip "not on this machine: not a virtual machine"
    apart "$KNEEPOINT" doctor --json
    [ "$status" -eq 3 ]
    grep '"name":"no counters"' out | grep -q '"value":"no PMU in this VM'
    grep -q '"name":"virtual machine"' out
}

@test "doctor: another machine's topology, arguments and a full disk are one line and exit 2" {
    refuses "takes no argument, but was given 'now'" doctor now
    status=0
    HWLOC_SYNTHETIC="core:4 pu:1" "$KNEEPOINT" doctor >out 2>err || status=$?
    [ "$status" -eq 2 ]
    [ ! -s out ]
    grep -q "HWLOC_\* variables name another machine's topology; unset them" err
}

@test "knee: a sequence as JSON Lines, without and with prefetch" {
    sequence_or_skip
    kept_quiet knee "$sequence" --level L1 --threads 1 --json
    lines_have knee isa format sequence origin accumulators level threads prefetch prefetch_bytes chosen e_bw beta gamma \
        roof_fraction roof_stream bytes_per_vector knee distance predicted predicted_serial overlap omega residual exact
    quantities_have e_bw
    quantities_have beta
    quantities_have gamma
    [ "$(grep -c '"exact":true' out)" -eq "$(wc -l <out)" ]
    [ "$(grep -c '"prefetch":"none","prefetch_bytes":0,"chosen":true' out)" -eq 1 ]
    [ "$(grep -c '"prefetch":"t0","prefetch_bytes":[1-9][0-9]*,"chosen":true' out)" -eq 1 ]
    [ "$(grep -c '"chosen":false' out)" -ge 1 ]
}

@test "knee: a table by level, and the distances that were tried with --all" {
    sequence_or_skip
    kept_quiet knee "$sequence" --level memory --threads 1 --samples 3
    grep -qE "^$sequence +[0-9]+ memory +1 +none +[0-9.]+ +[0-9.]+ +[0-9.]+ " out
    if grep -q " tried" out; then false; fi
    shown=$(grep -c "^$sequence " out)
    kept_quiet knee "$sequence" --level memory --threads 1 --samples 3 --all
    [ "$(grep -c "^$sequence " out)" -gt "$shown" ]
    grep -q " tried" out
}

@test "knee: every level that there is, and a name twice counts once" {
    sequence_or_skip
    apart "$KNEEPOINT" knee "$sequence" "$sequence" --threads 1 --samples 2 --json
    [ "$status" -eq 0 ]
    for level in memory $("$KNEEPOINT" info --json | grep -o '"level":[123]' | sort -u | sed 's/.*:/L/'); do
        [ "$(grep -c "\"level\":\"$level\",\"threads\":1,\"prefetch\":\"none\"" out)" -eq 1 ]
    done
}

@test "knee: what does not exist is named" {
    refuses "no sequence 'int3_vnni4'; \`kneepoint list sequences\`" knee int3_vnni4
    refuses "no sequence ''" knee ''
    refuses "--level is memory, L1, L2, L3 or all, not 'L4'" knee --level L4
}

@test "knee: what cannot run here says what the CPU lacks" {
    sequence=$(one_that_does_not_run sequences)
    [ -n "$sequence" ] || skip "not on this machine: every sequence runs here"
    refuses "$sequence cannot run on this CPU: it " knee "$sequence"
}

@test "knee: wrong numbers and machines" {
    refuses "--samples takes a whole number" knee --samples 0
    refuses "$(($(most_threads) + 1)) threads asked" knee --threads $(($(most_threads) + 1))
    refuses "cpu $(forbidden_cpu) is not allowed" knee --cpus "$(forbidden_cpu)"
}

@test "knee: if no sample is kept, no knee is measured, and the cause is printed" {
    sequence_or_skip
    keeps_none "knee: $sequence: no sample was kept: " knee "$sequence" --level L1 --threads 1 --samples 6
    [ ! -s out ]
}

@test "knee: a full device is an error" {
    [ -w /dev/full ] || skip "not on this machine: no /dev/full"
    sequence_or_skip
    status=0
    "$KNEEPOINT" knee "$sequence" --level L1 --threads 1 --samples 1 --json >/dev/full 2>err || status=$?
    [ "$status" -eq 2 ]
    grep -q "kneepoint knee: cannot write to standard output" err
}

@test "papers: a table with formula, inputs, recomputed, stated and verdict, and exit 0 though some differ" {
    kept_quiet papers
    [ "$(grep -c ': ' out)" -ge 5 ]
    for paper in apt-llm arm-kernels-codebooks bitnet-cpp envelope mixed-2-4-16; do
        grep -qE "^$paper +[0-9]+ +[0-9]+ +[0-9]+ +[0-9]+ +[0-9]+$" out
    done
    grep -qE '^section +claim +recomputed +stated +verdict +formula; inputs$' out
    grep -qE '^III-F +knee-2bit-p +6\.4 \[6\.375, 6\.426\] B/cycle +6\.4 B/cycle +holds +B / gamma; B =8 B, gamma 1\.25 cycles$' out
    grep -qE '^IV-B +lnl-1bit-e .*2\.92 GB/s +holds with GiB/s in place of GB/s ' out
    grep -qE '^C\.2 +tbl-add-cvt-over-mad .*~68 % +holds with TBL as the base, not MAD ' out
    grep -qE '^IV-C +lnl-gpu-1600-bandwidth .*differs by \+50\.9% ' out
    [ "$(awk '/^all /{ print $2 }' out)" -ge 70 ]
}

@test "papers: names choose papers" {
    kept_quiet papers envelope bitnet-cpp
    [ "$(grep -cE '^(envelope|bitnet-cpp): ' out)" -eq 2 ]
    [ "$(grep -c apt-llm out)" -eq 0 ]
    refuses "no paper 'apt'; there are apt-llm, arm-kernels-codebooks, bitnet-cpp, envelope, mixed-2-4-16" papers apt
    refuses "no paper 'envelop'; there are apt-llm, arm-kernels-codebooks, bitnet-cpp, envelope, mixed-2-4-16; did you mean 'envelope'?" papers envelop
    refuses "no paper 'x'" papers envelope x
}

@test "papers: a verdict chooses claims, and the counts add up" {
    kept_quiet papers --json
    all=$(wc -l <out)
    sum=0
    for verdict in holds holds-with undecided differs; do
        kept_quiet papers --json --verdict=$verdict
        [ "$(grep -c "\"verdict\":\"$verdict\"" out)" -eq "$(wc -l <out)" ]
        [ "$(wc -l <out)" -gt 0 ]
        sum=$((sum + $(wc -l <out)))
    done
    [ "$sum" -eq "$all" ]
    kept_quiet papers --verdict=differs
    [ "$(awk '/^all /{ print $2 }' out)" -eq "$all" ]
    [ "$(sed -n '1,/^paper /p' out | grep -vE '^(section |paper |$|[a-z0-9-]+: )' | grep -cv ' differs by ')" -eq 0 ]
    refuses "--verdict takes holds, holds-with, undecided or differs, not 'true'" papers --verdict=true
}

@test "papers: --json writes one record of type claim a line" {
    kept_quiet papers --json
    lines_have claim paper id section says formula inputs recomputed stated verdict with difference
    [ -z "$(sed 's/.*"name":"\([^"]*\)".*/\1/' out | sort | uniq -d)" ]
    grep -q '"recomputed":{"nominal":6.4,"low":6.37' out
}

@test "papers: --long says what a claim says, its other readings and notes" {
    kept_quiet papers --long envelope
    grep -q '^      says: a P core of ARLH reads 1.44 bytes a cycle$' out
    grep -qE '^      with GiB/s in place of GB/s: 1\.438 \[1\.411, 1\.466\] B/cycle, stated 1\.44 B/cycle; ' out
    grep -q '^      note: printed as 4 GHz' out
}

@test "papers: no colour where it is not wanted" {
    kept_quiet papers
    [ "$(grep -c $'\033' out)" -eq 0 ]
    command -v script >/dev/null || skip "not on this machine: no script(1)"
    script -qec "TERM=xterm '$KNEEPOINT' papers envelope" /dev/null >out </dev/null
    grep -q $'\033\[1m' out
    script -qec "NO_COLOR=1 TERM=xterm '$KNEEPOINT' papers envelope" /dev/null >out </dev/null
    [ "$(grep -c $'\033' out)" -eq 0 ]
}

@test "papers: a full or closed standard output is reported" {
    [ -w /dev/full ] || skip "not on this machine: no /dev/full"
    for option in --json --long; do
        status=0
        "$KNEEPOINT" papers $option >/dev/full 2>err || status=$?
        [ "$status" -eq 2 ]
        grep -q "cannot write to standard output" err
    done
}

@test "terms: of the read stream, as a table and as JSON Lines" {
    kernel_or_skip
    kept_quiet terms --threads 1 --samples 2
    [ "$(grep -c '^streams ' out)" -ge 3 ]
    [ "$(grep -c '^prefetch .*t1+1024 ' out)" -ge 1 ]
    # 2 samples are no number
    if grep -E '^(streams|prefetch|pages) .* [0-9]+\.[0-9]' out; then false; fi
    kept_quiet terms --threads 1 --samples 8 --json
    [ -z "$(grep '^{"type":"term"' out | grep -v '"subject":"read\.')" ]
    grep -v '^{"type":"skipped"' out >kept && mv kept out
    lines_have term term subject variant threads without with without_s with_s difference_s change event
    quantities_have difference_s
}

@test "terms: of a kernel, saved in a run that says what it is" {
    kernel_or_skip
    kept_quiet terms "$kernel" --threads 1 --samples 2 --shape 512x4096 --results here
    grep -q "^panel_end *$kernel" out
    grep -q "^prefetch *$kernel *+0 " out
    run=$(sed -n 's/^saved: //p' out)
    grep -q '"type":"samples","name":"term/panel_end/' "$run/records.jsonl"
    grep -q '"type":"term","name":"panel_end/' "$run/records.jsonl"
    tail -n 1 "$run/records.jsonl" | grep -q '"type":"end","name":"terms"'
}

@test "terms: if no sample is kept, there is no number, and the cause is printed once, or for the kernel" {
    kernel_or_skip
    keeps_none "terms: no sample was kept: " terms --threads 1 --samples 2
    if grep -E '^(streams|prefetch|pages) .* [0-9]+\.[0-9]' out; then false; fi
    keeps_none "terms: $kernel: no sample was kept: " terms "$kernel" --threads 1 --samples 6 --shape 64x4096 --json
    no_number without_s with_s difference_s
}

@test "terms: what cannot be measured" {
    refuses "no kernel 'int9'; \`kneepoint list kernels\` shows them" terms int9
    refuses "--shape takes MxK such as 4096x4096, not '4096'" terms --shape 4096
    refuses "--results makes a new run and --into adds to an existing one; choose one" terms --results a --into b
    refuses "0" terms --samples 0
    foreign=$(one_that_does_not_run kernels '"gemv":true')
    [ -z "$foreign" ] || refuses "$foreign cannot run on this CPU" terms "$foreign"
    kernel_or_skip
    refuses "K" terms "$kernel" --shape 64x1000000000
}
