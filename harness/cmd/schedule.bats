#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause

load measuring

# A kernel, and a skip where there is none or no team of two.
a_team_of_two() {
    [ "$(most_threads)" -ge 2 ] || skip "not on this machine: one CPU"
    kernel_or_skip
}

# A GEMM kernel of integers that runs here, and a skip where there is none or no team of two.
a_team_with_gemm() {
    [ "$(most_threads)" -ge 2 ] || skip "not on this machine: one CPU"
    kernel=$("$KNEEPOINT" list kernels --json | grep '"runs":true' | grep '"gemm":true' | grep '"result":"int32"' |
        sed -n 's/.*"name":"\([^"]*\)".*/\1/p' | head -1)
    [ -n "$kernel" ] || skip "not on this machine: no GEMM kernel runs here"
}

@test "gemv --schedule: every schedule in one run, members alone beside, right results; the run has weights and names" {
    a_team_of_two
    kept_quiet gemv "$kernel" --shape 320x1600 --threads 2 --samples 6 --cold --schedule=static,weighted,dynamic --slow-member=1:0.5 --json --results runs
    grep '"type":"gemv"' out >gemvs
    name="gemv/$kernel/320x1600/t2/cold"
    grep -qF "\"cell\":\"$name/speed=1:0.5\",\"schedule\":\"static\"" gemvs
    grep -qF "\"cell\":\"$name/schedule=weighted/speed=1:0.5\",\"schedule\":\"weighted\"" gemvs
    grep -qF "\"cell\":\"$name/schedule=dynamic/speed=1:0.5\",\"schedule\":\"dynamic\"" gemvs
    grep -qF "\"cell\":\"gemv/$kernel/320x1600/t1/cold/member=1/speed=1:0.5\",\"schedule\":\"static\",\"member\":1,\"emulated_speeds\":[0.5]" gemvs
    [ "$(grep -c '"threads":1,' gemvs)" -eq 2 ] # the first member and the slow one alone
    [ "$(grep -c '"exact":true' gemvs)" -eq 6 ]
    [ "$(grep '"threads":2,' gemvs | grep -c '"emulated_speeds":\[1.0,0.5\].*"alone_bytes_per_s":\[[0-9.e+]*,[0-9.e+]*\],"sum_bytes_per_s":[0-9.e+]*,"of_sum":[0-9.e-]*,"of_attainable":[0-9.e-]*,"contended_bytes_per_s":[0-9.e+]*,"of_contended":[0-9.e-]*')" -eq 3 ]
    [ "$(grep -cF "\"cell\":\"$name/schedule=weighted/speed=1:0.5/contended\",\"schedule\":\"weighted\",\"contended\":true" gemvs)" -eq 1 ]
    [ "$(grep -cE '"weights":\[[0-9.e-]+,[0-9.e-]+\],"weights_from":"measured","weights_n":[0-9]+' gemvs)" -eq 3 ]
    [ "$(grep '"schedule":"dynamic"' gemvs | grep -cE '"tail_share":0.25,"tail_panels":[0-9]+,"pieces":[0-9]+,"piece_bytes":[0-9]+,"pieces_drawn":\[[0-9.]+,[0-9.]+\]')" -eq 1 ]
    run=$(sed -n 's/.*"type":"run","name":"gemv","path":"\([^"]*\)".*/\1/p' out)
    grep -qE '"type":"cell","name":"gemv/[^"]*/schedule=weighted/speed=1:0.5",.*"weights":\[[0-9.,e-]+\],"weights_n":[0-9]+' "$run/records.jsonl"
}

@test "gemv --weights: by kind of core, a tail of another size, and what is emulated are in the table" {
    a_team_of_two
    kind=$("$KNEEPOINT" info --json | grep -o '"kind":"[A-Z]*"' | head -n 1 | sed 's/.*:"\(.*\)"/\1/')
    kept_quiet gemv "$kernel" --shape 320x1024 --threads 2 --samples 6 --warm --kind="$kind" --schedule=dynamic --weights="$kind=2" --tail=50 \
        --slow-member=1:0.5
    grep -qE "^$kernel .* exact.*  dynamic [0-9.]+% of the sum, [0-9.]+% of contended  emulated: member 1 at 0.5 of its speed$" out
    grep -qE "^$kernel .* exact.*  contended [0-9.]+% of the sum  emulated: member 1 at 0.5 of its speed$" out
    grep -qE "^$kernel .* exact.*  member 1  emulated: member 1 at 0.5 of its speed$" out
}

@test "gemv --schedule: an unknown schedule is refused" {
    for schedule in guided '' Static static, ,dynamic dynamic,fast; do
        refuses "--schedule is static, weighted or dynamic, or several separated by commas, not '" gemv --schedule="$schedule"
    done
    refuses "--schedule names weighted twice" gemv --schedule=weighted,static,weighted
    for percent in 0 -5 101 x 5x '' nan inf; do
        refuses "--tail takes a number of percent, above 0 and up to 100, not '$percent'" gemv --schedule=dynamic --tail="$percent"
    done
    refuses "--tail needs --schedule=dynamic" gemv --schedule=weighted --tail=10
    refuses "--weights needs --schedule=weighted or dynamic" gemv --weights=P=1
    for slow in 1 1: 1:0 1:1 1:2 x:0.5 -1:0.5 1:0.5x 1:nan ''; do
        refuses "--slow-member takes a member and its speed, from 0.01 to less than 1, such as 1:0.5, not '$slow'" gemv --slow-member="$slow"
    done
}

@test "gemv --schedule: a team of one has nothing to share, and a member must be in its team" {
    kernel_or_skip
    refuses "a schedule needs a team of two threads or more, and this team has one" gemv --threads 1 --schedule=dynamic
    a_team_of_two
    refuses "--slow-member 2 is not in a team of 2, whose members are 0 to 1" gemv --threads 2 --slow-member=2:0.5
}

@test "gemv --weights: of kinds that are not known" {
    a_team_of_two
    refuses "--weights=Q=1: no kind of core 'Q'; there are P, E and LP" gemv --schedule=weighted --weights=Q=1
    for weights in P= P=0 P=x P=1,P=2 P=1,E P=-1; do
        refuses "--weights=$weights: give one number above 0 for each kind, such as P=2,E=1" gemv --schedule=weighted --weights="$weights"
    done
    refuses "no kind of core ''; there are P, E and LP" gemv --schedule=weighted --weights=P=1,
    refuses "nowhere" gemv --schedule=weighted --weights=nowhere
    refuses "--weights=LP=1 has no weight of this team's" gemv "$kernel" --schedule=weighted --weights=LP=1 --threads 2
    refuses "--weights=graviton2 has no weight of this team's" gemv "$kernel" --schedule=weighted --weights=graviton2 --threads 2
}

@test "gemm --schedule: every schedule in one run, members alone beside, right results; the run has weights and names" {
    a_team_with_gemm
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
    a_team_with_gemm
    refuses "--slow-member 2 is not in a team of 2, whose members are 0 to 1" gemm "$kernel" --threads 2 --slow-member=2:0.5
    refuses "has 1 for 2 threads, who share its tokens equally instead" gemm "$kernel" --shape 1x256 --threads 2 --schedule=weighted
    refuses "--weights=lp=1 has no weight of this team's" gemm "$kernel" --schedule=weighted --weights=lp=1 --threads 2
}
