#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause

load measuring

# A GEMM kernel of integers that runs here, and a skip where there is none or no team of two.
a_team_of_two() {
    [ "$(most_threads)" -ge 2 ] || skip "not on this machine: one CPU"
    kernel=$("$KNEEPOINT" list kernels --json | grep '"runs":true' | grep '"gemm":true' | grep '"result":"int32"' |
        sed -n 's/.*"name":"\([^"]*\)".*/\1/p' | head -1)
    [ -n "$kernel" ] || skip "not on this machine: no GEMM kernel runs here"
}

@test "gemm --schedule: every schedule in one run, members alone beside, right results; the run has weights and names" {
    a_team_of_two
    kept_quiet gemm "$kernel" --shape 1280x256 --tokens 5 --threads 2 --samples 6 --warm --schedule=static,weighted,dynamic --slow-member=1:0.5 --json \
        --results runs
    grep '"type":"gemm"' out >gemms
    name="gemm/$kernel/1280x256/n5/t2/warm"
    grep -qF "\"cell\":\"$name/speed=1:0.5\",\"schedule\":\"static\"" gemms
    grep -qF "\"cell\":\"$name/schedule=weighted/speed=1:0.5\",\"schedule\":\"weighted\"" gemms
    grep -qF "\"cell\":\"$name/schedule=dynamic/speed=1:0.5\",\"schedule\":\"dynamic\"" gemms
    grep -qF "\"cell\":\"gemm/$kernel/1280x256/n5/t1/warm/member=1/speed=1:0.5\",\"schedule\":\"static\",\"member\":1,\"emulated_speeds\":[0.5]" gemms
    [ "$(grep -c '"threads":1,' gemms)" -eq 2 ] # the first member and the slow one alone
    [ "$(grep -c '"exact":true' gemms)" -eq 5 ]
    [ "$(grep '"threads":2,' gemms | grep -c '"emulated_speeds":\[1.0,0.5\].*"alone_bytes_per_s":\[[0-9.e+]*,[0-9.e+]*\],"sum_bytes_per_s":[0-9.e+]*,"of_sum":[0-9.e-]*,"of_attainable":[0-9.e-]*')" -eq 3 ]
    [ "$(grep -cE '"weights":\[[0-9.e-]+,[0-9.e-]+\],"weights_from":"measured","weights_n":[0-9]+' gemms)" -eq 2 ]
    [ "$(grep '"schedule":"dynamic"' gemms | grep -cE '"tail_share":0.25,"tail_panels":[0-9]+,"pieces":[0-9]+,"piece_bytes":[0-9]+,"pieces_drawn":\[[0-9.]+,[0-9.]+\]')" -eq 1 ]
    [ "$(grep '"threads":2,' gemms | grep -c '"predicted_s":null,"predicted_s_reason":"the model covers only equal shares of the first members at their own speed"')" -eq 3 ]
    run=$(sed -n 's/.*"type":"run","name":"gemm","path":"\([^"]*\)".*/\1/p' out)
    grep -qE '"type":"cell","name":"gemm/[^"]*/schedule=weighted/speed=1:0.5",.*"weights":\[[0-9.,e-]+\],"weights_n":[0-9]+' "$run/records.jsonl"
}

@test "gemm --schedule: what gemv refuses, a team of one, and panels too few to share" {
    refuses "--schedule is static, weighted or dynamic, or several separated by commas, not 'guided'" gemm --schedule=guided
    refuses "--tail needs --schedule=dynamic" gemm --schedule=weighted --tail=10
    kernel_or_skip
    refuses "--weights=Q=1: no kind of core 'Q'; there are P, E and LP" gemm --schedule=weighted --weights=Q=1
    refuses "a schedule needs a team of two threads or more, and this team has one" gemm --threads 1 --schedule=dynamic
    a_team_of_two
    refuses "--slow-member 2 is not in a team of 2, whose members are 0 to 1" gemm "$kernel" --threads 2 --slow-member=2:0.5
    refuses "has 1 for 2 threads, who share its tokens equally instead" gemm "$kernel" --shape 1x256 --threads 2 --schedule=weighted
    refuses "--weights=lp=1 has no weight of this team's" gemm "$kernel" --schedule=weighted --weights=lp=1 --threads 2
}
