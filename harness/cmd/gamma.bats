#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause

load measuring

@test "gamma: a sequence as JSON Lines" {
    sequence=$(one_that_runs sequences)
    [ -n "$sequence" ] || skip "no sequence runs here"
    kept_quiet gamma "$sequence" --samples 8 --json
    lines_have gamma isa format accumulators gamma bound claimed usable best knee exact
    quantities_have gamma
    [ "$(grep -c '"best":true' out)" -eq 1 ]
    [ "$(grep -c '"exact":true' out)" -eq "$(wc -l <out)" ]
}

@test "gamma: a table, leading parts of a name, one number of accumulators" {
    sequence=$(one_that_runs sequences)
    [ -n "$sequence" ] || skip "no sequence runs here"
    kept_quiet gamma "${sequence%.*}" --accumulators 4 --samples 4
    grep -qE "^$sequence +4 +[0-9.]+ .* best" out
    kept_quiet gamma "${sequence%%.*}" --accumulators 4 --samples 4
    grep -q "^$sequence " out
    ! grep -q "$(printf '\033')" out
}

@test "gamma: there are at least as many samples as asked for" {
    sequence=$(one_that_runs sequences)
    [ -n "$sequence" ] || skip "no sequence runs here"
    kept_quiet gamma "$sequence" -a 4 --samples 8 --json
    counts=$(sed 's/.*"n":\([0-9]*\),"rejected":\([0-9]*\).*/\1 + \2/' out)
    [ $((counts)) -ge 8 ]
}

@test "gamma: what does not exist is named" {
    refuses "no sequence 'int3_vnni4'; \`kneepoint list sequences\`" gamma int3_vnni4
    refuses "no sequence ''" gamma ''
    refuses "no sequence 'int2_vnn'" gamma int2_vnn
    refuses "no sequence given has 3 accumulators; try" gamma --accumulators 3
}

@test "gamma: what cannot run here says what the CPU lacks" {
    sequence=$(one_that_does_not_run sequences)
    [ -n "$sequence" ] || skip "every sequence runs here"
    refuses "$sequence cannot run on this CPU: it " gamma "$sequence"
}

@test "gamma: wrong numbers" {
    refuses "--accumulators wants a whole number from 1 to 12, not '0'" gamma --accumulators 0
    refuses "--samples wants a whole number" gamma --samples -1
    refuses "--samples wants a whole number" gamma --samples 1e3
    refuses "--seed wants a whole number" gamma --seed 0
}

@test "gamma: a full device is an error" {
    [ -w /dev/full ] || skip "no /dev/full"
    sequence=$(one_that_runs sequences)
    [ -n "$sequence" ] || skip "no sequence runs here"
    status=0
    "$KNEEPOINT" gamma "$sequence" --samples 2 --json >/dev/full 2>err || status=$?
    [ "$status" -eq 2 ]
    grep -q "kneepoint gamma: cannot write to standard output" err
}
