#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# Real kernels boot in an emulator: the x86 machines of platforms/emulated that show most; aarch64's are in machines_aarch64.bats, and all
# of them are checked by `make machines`.

load machines

@test "machines: two sockets, two nodes, hardware threads: where threads and memory are" {
    check two_nodes
}

@test "machines: a CPU on which nothing of ours runs" {
    check x86-models=kvm64-v1
}

@test "machines: list has a line a machine" {
    run "$root/scripts/machines" list
    [ "$status" -eq 0 ]
    [ "${#lines[@]}" -eq "$(ls "$root/platforms/emulated" | wc -l)" ]
    [[ $output == *"cortex-a57 "*PAPI* ]]
}

@test "machines: what cannot be run is one line, exit 2" {
    run "$root/scripts/machines" pdp-11 true
    [ "$status" -eq 2 ]
    [[ $output == "machines: no machine 'pdp-11': there are "*cortex-a57* ]]
    run "$root/scripts/machines" two_nodes
    [ "$status" -eq 2 ]
    [ "$output" = "machines: usage: scripts/machines two_nodes COMMAND..." ]
    run "$root/scripts/machines"
    [ "$status" -eq 2 ]
    [[ $output == "machines: usage: "* ]]
    mkdir "$BATS_TEST_TMPDIR/bin"
    local tool
    for tool in sh dirname uname ls sed; do
        ln -s "$(command -v $tool)" "$BATS_TEST_TMPDIR/bin/$tool"
    done
    PATH=$BATS_TEST_TMPDIR/bin run "$root/scripts/machines" two_nodes true
    [ "$status" -eq 2 ]
    [ "$output" = "machines: qemu-system-x86_64 is missing: install qemu-system-x86 or run scripts/setup check" ]
}

@test "machines: a check that does not hold is not ok, and says what was said" {
    sed -n "/<<'CHECKS'/,/^CHECKS\$/p" "$root/scripts/machines" | sed '1d;$d' >"$BATS_TEST_TMPDIR/checks"
    cd "$BATS_TEST_TMPDIR"
    run sh -c ". ./checks; says '^b' echo abc; says '^a' echo abc; exits 3 sh -c 'exit 3'; exits 0 false; holds name false; exits 3 sh -c 'echo once >>ran; echo why; exit 3'; says '^w'; says '^o'"
    [ "${lines[0]}" = "# abc" ]
    [ "${lines[1]}" = "not ok 1 - echo abc says '^b'" ]
    [ "${lines[2]}" = "ok 2 - echo abc says '^a'" ]
    [ "${lines[3]}" = "ok 3 - sh -c exit 3 exits 3" ]
    [ "${lines[4]}" = "not ok 4 - false exits 0, not 1" ]
    [ "${lines[5]}" = "not ok 5 - name" ]
    [ "${lines[7]}" = "ok 7 - sh -c echo once >>ran; echo why; exit 3 says '^w'" ]
    [ "${lines[8]}" = "# why" ]
    [ "${lines[9]}" = "not ok 8 - sh -c echo once >>ran; echo why; exit 3 says '^o'" ]
    [ "$(cat ran)" = once ]
}
