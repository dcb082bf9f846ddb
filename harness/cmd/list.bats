#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause

load measuring

@test "list: every list as a table and as JSON Lines" {
    for what in sequences:sequence kernels:kernel shapes:shape platforms:platform figures:figure; do
        kept_quiet list "${what%:*}"
        [ -s out ]
        kept_quiet list "${what%:*}" --json
        lines_have "${what#*:}"
    done
}

@test "list: what cannot run says why, what can says so" {
    for what in sequences kernels; do
        kept_quiet list $what --json
        [ "$(grep -c '"runs":true,"reason":null' out)" -eq "$(grep -c '"runs":true' out)" ]
        [ "$(grep -cE '"runs":false,"reason":"[^"]+"' out)" -eq "$(grep -c '"runs":false' out)" ]
    done
}

@test "list: sequences and kernels state what they are" {
    kept_quiet list sequences --json
    lines_have sequence format sequence isa origin bytes_per_vector group_uops group_dots least_accumulators most_accumulators claimed
    kept_quiet list kernels --json
    lines_have kernel format sequence isa origin bits rows_per_panel k_per_step k_multiple max_k activations result lossless error_bound weight_min weight_max
    for name in int8_vnni4.dot int2_vnni4.envelope int1_vnni4.envelope; do
        grep -q "\"name\":\"$name\." out
    done
}

@test "list: the shapes of three models, 1600x1600 among them" {
    kept_quiet list shapes --json
    lines_have shape roles m k count
    for model in falcon3-1b mobilellm-1.5b llama3-8b; do
        grep -q "\"name\":\"$model\"" out
    done
    grep -q '"m":1600,"k":1600,' out
}

@test "list: names are unique" {
    for what in sequences kernels platforms figures; do
        kept_quiet list $what --json
        [ -z "$(sed 's/.*"name":"\([^"]*\)".*/\1/' out | sort | uniq -d)" ]
    done
}

@test "list: what is not a list" {
    refuses "no list of 'birds'; there are sequences, kernels, shapes, platforms, figures" list birds
    refuses "list what? sequences, kernels, shapes, platforms, figures or plan" list
    refuses "one list at a time" list kernels shapes
    refuses "--certificate is of kernels" list shapes --certificate
}

@test "list: closed and full standard output are errors" {
    status=0
    "$KNEEPOINT" list kernels >&- 2>err || status=$?
    [ "$status" -eq 2 ]
    grep -q "kneepoint list: cannot write to standard output" err
    [ -w /dev/full ] || return 0
    status=0
    "$KNEEPOINT" list kernels --json >/dev/full 2>err || status=$?
    [ "$status" -eq 2 ]
    grep -q "kneepoint list: cannot write to standard output" err
}

@test "list plan: what a budget would measure, and what not" {
    "$KNEEPOINT" list plan --budget 60 >out
    grep -q '^yes .* roofs  *sync/barrier/t1$' out
    grep -q '^no .*not planned: beyond the budget of 60 s' out
    # the streams that a roof is chosen among are one line, and all of them in JSON
    of=$(grep -oE '^yes .* roofs  *beta/memory/t1: [0-9]+ to choose among$' out | grep -oE '[0-9]+ to' | cut -d' ' -f1)
    [ "$(grep -c 'beta/memory/t1/' out)" -eq 1 ]
    "$KNEEPOINT" list plan --budget 60 --json >out.json
    [ "$(grep '"name":"beta/memory/t1/' out.json | grep -cv '/roof"')" -eq "$of" ]
    tail -n 15 out | grep -q 'cells, 12 samples of each, in about [0-9]* s and [0-9.]* MB:'
    "$KNEEPOINT" list plan --budget full >full
    if grep -q '^no' full; then false; fi
    # the papers' tokens, with a head of 16 bits, where a kernel of their formats runs
    kernels=$("$KNEEPOINT" list kernels --json | grep '"runs":true' | grep -cE '"format":"(bf16|i2_s)".*"gemv":true')
    [ "$kernels" -lt 2 ] || grep -q '^yes .* papers  *decode/bitnet-700m/i2_s[^/]*/bf16[^/]*/c512/t[0-9]*$' full
    if grep -q '^yes.* decode/' out; then false; fi
    "$KNEEPOINT" list plan --json >out
    grep -q '^{"type":"planned","name":"sync/barrier/t1","value":"roofs","cost_s":.*"chosen":true,"reason":null}$' out
    grep -q '"chosen":false,"reason":"not planned: beyond the budget of 150 s' out
    refuses "a budget of 5 s is too small; give at least 20" list plan --budget 5
    refuses "--budget is of \`list plan\`" list kernels --budget 60
}
