#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause

load measuring

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
