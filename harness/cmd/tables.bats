#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# What holds for the tables of every command: they fit the terminal, and --csv, --markdown, --wide and --sort work on them. Here
# are those that measure nothing; what is said of the others is that they have the options.

load measuring
load comparing

# The command lines, one a line, and a column of the table of each that has one.
lines() {
    cat <<END
papers envelope	-claim
predict --platform=lnl,arl,b580 --shape=1600x1600	kernel
list kernels int2_vnni4	-bits
list sequences int1	name
list shapes llama3-8b	m
list platforms
list figures
list kernels --certificate int2_vnni4.mask	verdict
quantize q4_0 --weights=gaussian	-dB/bit
quantize --bipolar w2a2 --weights=gaussian	bits
list
explain gamma
explain q4_0
explain omega knee
explain int2_vnni4.mask.avx2
explain q4_k.rows.avx2
explain q4_k.rows.avx2 --mca=znver4
explain w8.a8_any.avx512_vpopcntdq
explain bf16_tiles.rows16_k64_loads.amx_bf16
predict --platform=b580 --shape=4096x4096 --tokens=1024	kernel
model --type=q4_k_m llama3-8b
model --type=q4_k_m llama3-8b --platform=arl
compare $BATS_FILE_TMPDIR/base $BATS_FILE_TMPDIR/head	slower
doctor
info
END
}

setup_file() {
    stored_run "$BATS_FILE_TMPDIR/base"
    stored_run "$BATS_FILE_TMPDIR/head" seed=2
    stored_run "$BATS_FILE_TMPDIR/slow" seed=2 slow=1.05
}

# in_terminal COLUMNS ARGUMENTS...: as a terminal of this many columns shows it, in file out.
in_terminal() {
    local columns=$1
    shift
    script -qec "stty cols $columns; TERM=xterm NO_COLOR=1 '$KNEEPOINT' $*" /dev/null </dev/null | sed 's/\r$//; s/.*\r//; s/\x1b\[K//g' >out
}

@test "tables: nothing is wider than a terminal of 80 columns" {
    command -v script >/dev/null || skip "not on this machine: no script(1)"
    local line sort wide=
    while IFS=$'\t' read -r line sort; do
        in_terminal 80 "$line"
        [ -s out ]
        # code and commands stay in one piece
        if grep -vE "^ +(echo|sudo|kneepoint) |\`" out | LC_ALL=C.UTF-8 grep -E '^.{81,}'; then wide="$wide $line;"; fi
    done < <(lines && echo "compare $BATS_FILE_TMPDIR/base $BATS_FILE_TMPDIR/slow --allow=unconfirmed")
    echo "wider: $wide"
    [ -z "$wide" ]
}

@test "tables: --csv has as many cells in every row, --markdown nothing but tables, of all of them" {
    local line sort
    while IFS=$'\t' read -r line sort; do
        # texts with line ends are in their cells; a verdict is more than its table
        [[ $line != info && $line != explain* && $line != compare* ]] || continue
        "$KNEEPOINT" $line --csv >out || [ $? -eq 3 ]
        [ ! -s out ] || [ "$(sed 's/"[^"]*"//g' out | awk -F, '{ print NF }' | sort -u | wc -l)" -eq 1 ] || { echo "$line --csv"; cat out; return 1; }
        "$KNEEPOINT" $line --markdown >out || [ $? -eq 3 ]
        [ "$(grep -cvE '^(\||### |$)' out)" -eq 0 ] || { echo "$line --markdown"; cat out; return 1; }
    done < <(lines)
}

@test "tables: --sort orders by a column, --wide shows all of them; a column that there is not is refused" {
    local line sort
    while IFS=$'\t' read -r line sort; do
        [ -n "$sort" ] || continue
        kept_quiet $line --wide --sort="$sort"
        [ -s out ]
        refuses "--sort" $line --sort=nonesuch
    done < <(lines)
}

@test "tables: every command with --json has --csv and --markdown, and what has --wide has --sort" {
    local name
    for name in $("$KNEEPOINT" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
        "$KNEEPOINT" "$name" --help >out
        grep -q -- '--json' out || continue
        grep -q -- '--csv' out && grep -q -- '--markdown' out || { echo "$name has no --csv or --markdown"; return 1; }
        [ "$(grep -c -- ' --wide ' out)" -eq "$(grep -c -- ' --sort=' out)" ]
    done
}
