#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause

load measuring

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
