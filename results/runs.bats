#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# Runs that are committed weigh on every clone.

@test "runs: those that are committed take 6 MB at most" {
    cd "$BATS_TEST_DIRNAME/.."
    committed() { git ls-files -z -- results/runs 2>/dev/null || true; } # none where there is no git
    bytes=$(committed | xargs -0r cat | wc -c)
    echo "$bytes bytes"
    [ "$bytes" -le 6000000 ]
}
