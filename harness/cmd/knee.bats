#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause

load measuring

@test "knee: a sequence as JSON Lines, without and with prefetch" {
    sequence_or_skip
    kept_quiet knee "$sequence" --level L1 --threads 1 --json
    lines_have knee isa format sequence origin accumulators level threads prefetch prefetch_bytes chosen e_bw beta gamma \
        roof_fraction roof_stream bytes_per_vector knee distance predicted predicted_serial overlap omega residual exact
    quantities_have e_bw
    quantities_have beta
    quantities_have gamma
    [ "$(grep -c '"exact":true' out)" -eq "$(wc -l <out)" ]
    [ "$(grep -c '"prefetch":"none","prefetch_bytes":0,"chosen":true' out)" -eq 1 ]
    [ "$(grep -c '"prefetch":"t0","prefetch_bytes":[1-9][0-9]*,"chosen":true' out)" -eq 1 ]
    [ "$(grep -c '"chosen":false' out)" -ge 1 ]
}

@test "knee: a table by level, and the distances that were tried with --all" {
    sequence_or_skip
    kept_quiet knee "$sequence" --level memory --threads 1 --samples 3
    grep -qE "^$sequence +[0-9]+ memory +1 +none +[0-9.]+ +[0-9.]+ +[0-9.]+ " out
    if grep -q " tried" out; then false; fi
    shown=$(grep -c "^$sequence " out)
    kept_quiet knee "$sequence" --level memory --threads 1 --samples 3 --all
    [ "$(grep -c "^$sequence " out)" -gt "$shown" ]
    grep -q " tried" out
}

@test "knee: every level that there is, and a name twice counts once" {
    sequence_or_skip
    apart "$KNEEPOINT" knee "$sequence" "$sequence" --threads 1 --samples 2 --json
    [ "$status" -eq 0 ]
    for level in memory $("$KNEEPOINT" info --json | grep -o '"level":[123]' | sort -u | sed 's/.*:/L/'); do
        [ "$(grep -c "\"level\":\"$level\",\"threads\":1,\"prefetch\":\"none\"" out)" -eq 1 ]
    done
}

@test "knee: what does not exist is named" {
    refuses "no sequence 'int3_vnni4'; \`kneepoint list sequences\`" knee int3_vnni4
    refuses "no sequence ''" knee ''
    refuses "--level is memory, L1, L2, L3 or all, not 'L4'" knee --level L4
}

@test "knee: what cannot run here says what the CPU lacks" {
    sequence=$(one_that_does_not_run sequences)
    [ -n "$sequence" ] || skip "not on this machine: every sequence runs here"
    refuses "$sequence cannot run on this CPU: it " knee "$sequence"
}

@test "knee: wrong numbers and machines" {
    refuses "--samples takes a whole number" knee --samples 0
    refuses "$(($(most_threads) + 1)) threads asked" knee --threads $(($(most_threads) + 1))
    refuses "cpu $(forbidden_cpu) is not allowed" knee --cpus "$(forbidden_cpu)"
}

@test "knee: if no sample is kept, no knee is measured, and the cause is printed" {
    sequence_or_skip
    keeps_none "knee: $sequence: no sample was kept: " knee "$sequence" --level L1 --threads 1 --samples 6
    [ ! -s out ]
}

@test "knee: a full device is an error" {
    [ -w /dev/full ] || skip "not on this machine: no /dev/full"
    sequence_or_skip
    status=0
    "$KNEEPOINT" knee "$sequence" --level L1 --threads 1 --samples 1 --json >/dev/full 2>err || status=$?
    [ "$status" -eq 2 ]
    grep -q "kneepoint knee: cannot write to standard output" err
}
