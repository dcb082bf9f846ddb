#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause

load ../measuring

@test "explain: every number, by its name and its symbol, with commands that are there" {
    kept_quiet explain
    for name in beta gamma omega knee roof model alpha; do
        grep -q "^  $name " out
    done
    kept_quiet explain roofline
    grep -q '^model$' out
    kept_quiet explain bandwidth
    grep -q '^beta: bytes per core cycle' out
    kept_quiet explain α
    grep -q '^alpha: share, 0 to 1$' out
    [ "$(awk 'length > 101' out | wc -l)" -eq 0 ]
    kept_quiet explain γ
    grep -q '^gamma: core cycles per output vector of 32 weights$' out
    grep -q '^  kneepoint gamma NAME' out
    [ "$(awk 'length > 101' out | wc -l)" -eq 0 ]
    kept_quiet explain --json
    lines_have term what how
    "$KNEEPOINT" --help >help
    for command in $(grep -o 'kneepoint [a-z]* ' out | cut -d' ' -f2 | sort -u); do
        grep -q "^  $command " help || { echo "no command $command"; false; }
    done
}

@test "explain: a format, with its kernels; JSON has the same" {
    kept_quiet explain q4_0
    grep -q '^q4_0 is a format of packed weights, 4.5 bits each' out
    grep -qE '^    q4_0\.[a-z0-9_]+\.[a-z0-9_]+$' out
    kept_quiet explain q4_0 --json
    lines_have format_explained bits rows_per_panel k_per_step max_k kernels weight_min weight_max
    refuses "did you mean 'q4_0'" explain q4_o
}

@test "explain: a sequence and a kernel with registers, uops, sources, step, and how to measure them" {
    command -v objdump >/dev/null || skip "not on this machine: no objdump"
    sequence=$("$KNEEPOINT" list sequences --json | grep -o '"name":"int2_vnni4[^"]*"' | head -n 1 | cut -d'"' -f4)
    [ -n "$sequence" ] || skip "not on this machine: no such sequence"
    kept_quiet explain "$sequence" --mca=none --json
    lines_have sequence_explained group_uops uops_per_vector least_accumulators runs sources notes code registers ports_reason
    grep -q '"sources":\["micro/formats/int2_vnni4/[a-z0-9_.]*\.S"\]' out
    grep -q '"code_is_part":true' out
    grep -q '"ports":null,"ports_reason":"not asked for"' out
    kept_quiet explain "$sequence" --mca=none
    grep -q '^registers  *[a-z]*[0-9]' out
    grep -q 'Port pressure is not shown: not asked for' out
    grep -q "^  kneepoint gamma $sequence --all" out
    kernel_or_skip
    kept_quiet explain "$kernel" --mca=none
    grep -q "^$kernel is a " out
    grep -q '^source  *micro/formats/' out
    grep -qE "^  kneepoint gem[vm] $kernel --threads 1" out
}

@test "explain: a kernel in C is its own sequence, and a header that its source names says more" {
    kept_quiet explain q4_k_m16.lanes.avx2 --mca=none --json || skip "not on this machine: no such kernel"
    [ "$(grep -c '"sources":\["micro/families/k_quants/k_quant_lanes.c","micro/families/k_quants/k_quant_lanes_512.h"' out)" -eq 2 ]
    grep -q '"type":"sequence_explained".*"notes":".*GEMV of panels of sixteen rows' out
}

@test "explain: the macros that rows give a source are shown: its own, and for a kernel the sizes of its format" {
    kept_quiet explain int8_tiles.rows4_k64_loads.amx_int8 --mca=none || skip "not on this machine: no such sequence"
    grep -qx 'source  *micro/families/amx/int8_tiles.S' out
    grep -qx 'compiled with TILE_ROWS=4 TILE_K=64 TILE_LOADS=1 BYTES=4.0' out
    kept_quiet explain cb2_4.codebook.avx2 --mca=none --json
    grep -q '"type":"kernel_explained".*"macros":"BLOCK_ROWS=16 BLOCK_COLUMNS=256 .* VALUES_ARE_SIGNED=1"' out
    grep -q '"type":"sequence_explained".*"macros":"VALUES_ARE_SIGNED=1"' out
    kept_quiet explain q4_k_m16.lanes.avx2 --mca=none --json
    [ "$(grep -c '"macros":"BLOCK_ROWS=16 BLOCK_COLUMNS=256 BLOCK_BYTES=2304 K_QUANT_BITS=4"' out)" -eq 2 ]
    kept_quiet explain tl2.bytes.avx2 --mca=none --json
    [ "$(grep -c '"macros":null' out)" -eq 2 ]
}

@test "explain: a source is named once, whether its inner loop lies in it or beside it" {
    kept_quiet explain int2_vnni4.mask.avx2 --mca=none --json || skip "not on this machine: no such kernel"
    grep -q '"type":"kernel_explained".*"sources":\["micro/formats/int2_vnni4/mask.avx2.S"\]' out
    kept_quiet explain tl2.bytes.avx2 --mca=none --json
    grep -q '"type":"kernel_explained".*"sources":\["micro/formats/tl2/bytes.avx2.c".*"micro/formats/tl2/bytes.avx2.S"' out
}

@test "explain: ports where llvm-mca knows the core" {
    "$KNEEPOINT" explain int8_vnni4.dot.avx2 --mca=znver3 --json >out 2>err || skip "not on this machine: no such sequence"
    grep '"ports":"' out || { grep -qE '"ports_reason":"[^"]+' out && skip "not on this machine: $(grep -o '"ports_reason":"[^"]*' out)"; }
    grep -q 'Resource pressure by instruction' out
    grep -q '"mca_cpu":"znver3"' out
    kept_quiet explain int8_vnni4.dot.avx2 --mca=no-such-core
    grep -q "^Port pressure is not shown: .*has no model of 'no-such-core'" out
}

@test "explain: what is not there, or is more than one" {
    kept_quiet explain Q4_0
    grep -q '^q4_0 is a format of packed weights' out
    refuses "q4_k_m is a kind of file, not a format: name q4_k and q6_k, or run \`kneepoint decode --type=q4_k_m\`" explain Q4_K_M
    refuses "nothing is called 'gama'; \`kneepoint explain\` lists the numbers, \`kneepoint list\` the rest; did you mean 'gamma'?" explain gama
    refuses "nothing is called ''" explain ''
    refuses "'int2_vnni4.envelope' means " explain int2_vnni4.envelope
    refuses "name one of them" explain '*.avx2'
}
