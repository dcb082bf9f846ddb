#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# The tool itself measures, with the sampler that rejects what was disturbed; the other files here run the one that keeps
# every sample. What was kept is the machine's business: each number is one or is null, and what is said is said.
#
# timed: it measures.
# shipped: the instrument itself.

load measuring

setup() {
    KNEEPOINT=$(realpath "${KNEEPOINT:-$BATS_TEST_DIRNAME/../../build/kneepoint}")
    cd "$BATS_TEST_TMPDIR"
}

@test "measured: gamma, beta, knee and gemv end, and count every sample as kept or as rejected" {
    sequence=$(one_that_runs sequences)
    kernel=$(one_that_runs kernels)
    [ -n "$sequence" ] && [ -n "$kernel" ] || skip "not on this machine: nothing runs here"
    local command
    for command in "gamma $sequence -a 4 --samples 8" "beta --threads 1 --samples 4" \
        "knee $sequence --level L1 --threads 1 --samples 4" "gemv $kernel --shape 320x320 --threads 1 --warm --samples 8"; do
        apart "$KNEEPOINT" $command --json
        echo "$command: exit $status, standard error '$(cat err)'"
        [ "$status" -eq 0 ]
        lines_have "${command%% *}" name
        [ "$(grep -c '"n":[0-9]*,"rejected":[0-9]*' out)" -gt 0 ]
    done
}

@test "measured: a run that can be read and drawn" {
    kernel=$(one_that_runs kernels)
    [ -n "$kernel" ] || skip "not on this machine: no kernel runs here"
    apart "$KNEEPOINT" gemv "$kernel" --shape 320x320 --threads 1 --warm --samples 8 --results=results
    cat err
    [ "$status" -eq 0 ]
    run_folder=$(ls -d results/runs/*/*)
    "$KNEEPOINT" report "$run_folder" -o page
    [ -s page/index.html ]
}
