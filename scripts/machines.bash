# SPDX-License-Identifier: BSD-3-Clause
#
# For machines.bats and machines_aarch64.bats.

setup() {
    root=$BATS_TEST_DIRNAME/..
}

# check NAME: all that the machine's file checks. Skipped where an emulator is missing or the packages that a machine is made of cannot be had.
check() {
    [ "$(dirname -- "$KNEEPOINT")" -ef "$root/build" ] || skip "not on this machine: machines run what lies in build, not another build"
    run "$root/scripts/machines" check "$1"
    echo "$output"
    [ "$status" -ne 2 ] || [[ $output != *"machines: "*" is missing: install "* && $output != *"machines: apt-get "* && $output != *" is not built here"* ]] ||
        skip "not on this machine: ${output##*machines: }"
    [ "$status" -eq 0 ]
    [[ $output == *"ok 1 - $1: "* ]]
    [[ $output != *"not ok"* ]]
}
