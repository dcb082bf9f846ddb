#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause

load ../measuring

@test "gamma: a sequence as JSON Lines" {
    sequence_or_skip
    kept_quiet gamma "$sequence" --samples 8 --json
    lines_have gamma isa format accumulators gamma bound claimed usable best knee exact
    quantities_have gamma
    [ "$(grep -c '"best":true' out)" -eq 1 ]
    [ "$(grep -c '"exact":true' out)" -eq "$(wc -l <out)" ]
}

@test "gamma: a table, leading parts of a name, one number of accumulators" {
    sequence_or_skip
    kept_quiet gamma "${sequence%.*}" --accumulators 4 --samples 4
    grep -qE "^$sequence +4 +[0-9.]+ .* (best|probe)" out
    kept_quiet gamma "${sequence%%.*}" --accumulators 4 --samples 4
    grep -q "^$sequence " out
    if grep -q "$(printf '\033')" out; then false; fi
}

@test "gamma: there are at least as many samples as asked for" {
    sequence_or_skip
    kept_quiet gamma "$sequence" -a 4 --samples 8 --json
    counts=$(sed 's/.*"n":\([0-9]*\),"rejected":\([0-9]*\).*/\1 + \2/' out)
    [ $((counts)) -ge 8 ]
}

@test "gamma: every number of accumulators from one on, and one row for each" {
    sequence_or_skip
    most=$("$KNEEPOINT" list sequences --json | grep "\"name\":\"$sequence\"" | sed 's/.*"most_accumulators":\([0-9]*\).*/\1/')
    kept_quiet gamma "$sequence" --samples 2 --json
    [ "$(sed 's/.*"accumulators":\([0-9]*\).*/\1/' out | tr '\n' ' ')" = "$(seq -s ' ' 1 "$most") " ]
}

@test "gamma: without --samples the best number of accumulators gets the most of them" {
    sequence_or_skip
    kept_quiet gamma "$sequence" --json
    counts='s/.*"gamma":{[^}]*"n":\([0-9]*\),"rejected":\([0-9]*\).*/\1 + \2/'
    [ $(($(grep '"best":true' out | sed "$counts"))) -ge 48 ]
    grep -v '"best":true' out | sed "$counts" | while read -r count; do [ $((count)) -ge 12 ]; done
}

@test "gamma: a number of accumulators that the registers do not allow" {
    few=$("$KNEEPOINT" list sequences --json | grep '"runs":true' | grep -v '"most_accumulators":12' | head -n 1)
    [ -n "$few" ] || skip "not on this machine: every sequence that runs here allows 12"
    sequence=$(sed 's/.*"name":"\([^"]*\)".*/\1/' <<<"$few")
    refuses "no sequence given has 12 accumulators; " gamma "$sequence" --accumulators 12
}

@test "gamma: what does not exist is named" {
    refuses "no sequence 'int3_vnni4'; \`kneepoint list sequences\`" gamma int3_vnni4
    refuses "no sequence ''" gamma ''
    refuses "no sequence 'int2_vnin4'; \`kneepoint list sequences\` shows them; did you mean 'int2_vnni4'?" gamma int2_vnin4
    refuses "no sequence 'int2_vnni4' has --origin=llama.cpp" gamma int2_vnni4 --origin llama.cpp
}

@test "gamma: what cannot run here says what the CPU lacks" {
    sequence=$(one_that_does_not_run sequences)
    [ -n "$sequence" ] || skip "not on this machine: every sequence runs here"
    refuses "$sequence cannot run on this CPU: it " gamma "$sequence"
}

@test "gamma: wrong numbers" {
    refuses "--accumulators takes a whole number from 1 to 12, not '0'" gamma --accumulators 0
    refuses "--samples takes a whole number" gamma --samples -1
    refuses "--samples takes a whole number" gamma --samples 1e3
    refuses "--seed takes a whole number" gamma --seed 0
}

@test "gamma: if no sample is kept, there is no number, and the cause is printed" {
    sequence_or_skip
    keeps_none "gamma: $sequence: no sample was kept: " gamma "$sequence" -a 4 --samples 6 --mca=none
    grep -qE "^$sequence +4 +- .* 0 of [1-9][0-9]* samples kept, 6 needed$" out
    if grep -q "graded wall" out; then false; fi
    keeps_none "gamma: $sequence: no sample was kept: " gamma "$sequence" -a 4 --samples 6 --mca=none --json
    no_number gamma
    [ "$(jq -r '.bound_reason' out)" = "too few samples were kept" ]
}

@test "gamma: a full device is an error" {
    [ -w /dev/full ] || skip "not on this machine: no /dev/full"
    sequence_or_skip
    status=0
    "$KNEEPOINT" gamma "$sequence" --samples 2 --json >/dev/full 2>err || status=$?
    [ "$status" -eq 2 ]
    grep -q "kneepoint gamma: cannot write to standard output" err
}

@test "gamma: --predict measures nothing, and needs a core and a built-in sequence" {
    mkdir fake
    printf '#!/bin/sh\ncat >/dev/null\nprintf "LLVM version 30\\nIterations: 200\\nTotal Cycles: 19200\\n"\n' >fake/llvm-mca-30
    chmod +x fake/llvm-mca-30
    local sequence=$("$KNEEPOINT" list sequences --json | sed -n '1s/.*"name":"\([^"]*\)".*/\1/p')
    local core=sapphirerapids
    [ "$(uname -m)" != aarch64 ] || core=neoverse-v1
    PATH=$PWD/fake:$PATH apart "$KNEEPOINT" gamma "$sequence" --predict --mca=$core --json
    [ "$status" -eq 0 ]
    [ "$(wc -l <out)" -eq 1 ]
    grep -q '"type":"mca".*"mca_gamma":[0-9.]*,"mca_cpu":"'$core'","mca_llvm":30' out
    apart "$KNEEPOINT" gamma "$sequence" --predict
    [ "$status" -eq 2 ]
    grep -q -- "--predict needs --mca=CPU" err
    PATH=$PWD/fake:$PATH apart "$KNEEPOINT" gamma no.such --predict --mca=znver3
    [ "$status" -eq 2 ]
    grep -q "no built-in sequence has such a name" err
    : >user.S
    apart "$KNEEPOINT" gamma user.S --predict --mca=znver3
    [ "$status" -eq 2 ]
    grep -q "takes built-in sequences, not 'user.S'" err
}

@test "gamma: --predict refuses a core that lacks what the sequence needs" {
    local tiles=$("$KNEEPOINT" list sequences --json | sed -n 's/.*"name":"\([^"]*[.]amx_int8\)".*/\1/p' | head -n 1)
    [ -n "$tiles" ] || skip "not on this machine: no sequence of tiles"
    mkdir fake
    printf '#!/bin/sh\ncat >/dev/null\nprintf "LLVM version 30\\nIterations: 200\\nTotal Cycles: 19200\\n"\n' >fake/llvm-mca-30
    chmod +x fake/llvm-mca-30
    PATH=$PWD/fake:$PATH apart "$KNEEPOINT" gamma "$tiles" --predict --mca=rocketlake
    [ "$status" -eq 2 ]
    [ "$(cat err)" = "kneepoint gamma: nothing is predicted; $tiles: 'rocketlake', Cypress Cove, has no amx_tile, amx_int8" ]
    PATH=$PWD/fake:$PATH apart "$KNEEPOINT" gamma "$tiles" --predict --mca=sapphirerapids --json
    [ "$status" -eq 0 ]
    PATH=$PWD/fake:$PATH kept_quiet explain "$tiles" --mca=rocketlake
    grep -q "^Port pressure is not shown: 'rocketlake', Cypress Cove, has no amx_tile, amx_int8[.]" out
}

@test "gamma: llvm-mca's prediction is beside it, or the reason why not" {
    sequence_or_skip
    kept_quiet gamma "$sequence" --samples 2 --json
    [ "$(grep -cE '"mca_gamma":([0-9.]+,"mca_cpu":"[^"]+","mca_llvm":[0-9]+|null,"mca_reason":"[^"]+")' out)" -eq 1 ]
    local why=$(sed -n 's/.*"mca_reason":"\([^"]*\)".*/\1/p' out) # that of explain, which asks for the same core
    [ -z "$why" ] || "$KNEEPOINT" explain "$sequence" | tr '\n' ' ' | grep -qF "Port pressure is not shown: $why"
    kept_quiet gamma "$sequence" --samples 2 --json --mca=none
    [ "$(grep -c '"mca_gamma":null,"mca_reason":"not asked for"' out)" -eq 1 ]
    mkdir empty
    PATH=$PWD/empty apart "$KNEEPOINT" gamma "$sequence" --samples 2 --json --mca=znver3
    [ "$status" -eq 2 ]
    grep -q "no llvm-mca on PATH: install llvm" err
}

@test "gamma: of several sequences the best of each, or all" {
    [ "$("$KNEEPOINT" list sequences --json | grep -c '"runs":true')" -gt 1 ] || skip "not on this machine: fewer than two sequences run here"
    kept_quiet gamma --samples 2 --mca=none
    # of two samples none may be called the best, but each has one row
    grep -oE '^[a-z0-9_]+\.[a-z0-9_]+\.[a-z0-9_]+ ' out >rows
    [ "$(wc -l <rows)" -gt 1 ]
    [ -z "$(sort rows | uniq -d)" ]
}

# A GEMM kernel that unpacks to scratch and runs here.
unpacking_kernel() {
    "$KNEEPOINT" list kernels --json | grep '"runs":true' | grep '"unpacks_alone":true' |
        sed -n 's/.*"name":"\([^"]*\)".*/\1/p' | head -1
}

@test "gamma: what unpacking takes of a kernel, alone and with tokens" {
    kernel=$(unpacking_kernel)
    [ -n "$kernel" ] || skip "not on this machine: no kernel that unpacks to scratch runs here"
    kept_quiet gamma "$kernel" --samples 8 --json
    lines_have unpack format isa n m k scratch_bytes bytes_per_vector cycles_per_vector exact
    [ "$(sed 's/.*"n":\([0-9]*\),"k".*/\1/' out | tr '\n' ' ')" = "0 1 4 8 16 32 " ]
    [ "$(grep -c '"exact":true' out)" -eq 6 ]
    [ "$(grep -c '"beyond_unpacking":[0-9.-]*' out)" -eq 5 ]
    kept_quiet gamma "$kernel" --samples 6
    grep -qE "^$kernel +[0-9.]+ +[0-9.]+ +[a-z]+( +[0-9.-]+){5}$" out
    refuses "$kernel is a kernel with nothing to measure here, with --accumulators" gamma "$kernel" --accumulators 4
    refuses "f32.tile.avx2 is a kernel with nothing to measure here: it does not unpack to scratch" gamma f32.tile.avx2
}
