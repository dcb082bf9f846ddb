#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# fuzz/commands finds what it is there for, in a stand-in for the tool; the corpora of the other targets.

ROOT=$BATS_TEST_DIRNAME/..

# fuzz BODY [COUNT]: so many commands of a tool that does what the shell commands BODY do.
fuzz() {
    cat >"$BATS_TEST_TMPDIR/tool" <<END
#!/bin/sh
case \$* in
"list figures --json") echo '{"type":"figure","name":"roofline"}' ; exit ;;
*--results=measured) mkdir -p measured/runs/cpu/1 && echo '{}' | tee measured/runs/cpu/1/meta.json >measured/runs/cpu/1/records.jsonl; exit ;;
tune*) echo '{}' >tuning/table.json; exit ;;
esac
$1
END
    chmod +x "$BATS_TEST_TMPDIR/tool"
    run "$ROOT/fuzz/commands" "$BATS_TEST_TMPDIR/tool" "${2:-3}" "$BATS_TEST_TMPDIR/found" 7
    echo "$output" | tail -n 3
}

# finds TEXT: the run before found that, and kept the command, its input and what it printed.
finds() {
    [ "$status" -eq 1 ]
    [[ ${lines[0]} == "kneepoint "*" # $1" ]]
    [[ ${lines[-1]} =~ ^[0-9]+\ commands,\ seed\ 7:.*\ [1-9][0-9]*\ findings$ ]]
    [ "$(cat "$BATS_TEST_TMPDIR"/found/*/command | head -n 1)" = "${lines[0]}" ]
    ls "$BATS_TEST_TMPDIR"/found/*/err
}

@test "fuzz commands: a tool that does as documented has no finding" {
    fuzz 'echo "kneepoint report: no" >&2; exit 2'
    [ "$status" -eq 0 ]
    [[ ${lines[-1]} =~ ^[1-9][0-9]*\ commands,\ seed\ 7:\ [1-9][0-9]*\ with\ exit\ 2,\ 0\ findings$ ]]
}

@test "fuzz commands: a signal" {
    fuzz 'kill -SEGV $$'
    finds 'exit 139'
}

@test "fuzz commands: a sanitizer, and a status that is not documented" {
    fuzz 'echo "a.c:1: runtime error: of this kind" >&2'
    finds sanitizer
    rm -r "$BATS_TEST_TMPDIR/found"
    fuzz 'exit 5'
    finds 'exit 5'
}

@test "fuzz commands: an error without a line, and lines of others" {
    fuzz 'exit 2'
    finds 'exit 2 without a line of its own'
    rm -r "$BATS_TEST_TMPDIR/found"
    fuzz 'echo "** (process:1): CRITICAL" >&2'
    finds 'lines that are not ours'
}

@test "fuzz commands: an input that is written to, and a run whose records are lost" {
    fuzz 'echo >>run/records.jsonl'
    [ "$status" -eq 1 ]
    grep -q '# an input was changed' "$BATS_TEST_TMPDIR"/found/*/command
    rm -r "$BATS_TEST_TMPDIR/found"
    fuzz 'case $* in *--into=a | *--resume=a*) : >a/records.jsonl ;; esac' 30
    [ "$status" -eq 1 ]
    [ "$(cat "$BATS_TEST_TMPDIR"/found/*/command | grep -vc '# records are lost$')" -eq 0 ]
}

@test "fuzz commands: wrong usage is one line" {
    run "$ROOT/fuzz/commands"
    [ "$status" -eq 2 ]
    [ "${#lines[@]}" -eq 1 ]
}

# Inputs that are written by a recipe are what it writes; others were found by fuzzing.

@test "the corpus of gguf is what its recipes write" {
    local fixtures=$ROOT/harness/gguf/fixtures name recipe count=0
    "$ROOT/scripts/pack" --unpack "$ROOT/fuzz/corpus/gguf.txt" "$BATS_TEST_TMPDIR/gguf"
    while IFS=$'\t' read -r name recipe; do
        [[ $name != '#'* ]] || continue
        # shellcheck disable=SC2086 # words of the recipe
        "$fixtures/write_gguf" "$BATS_TEST_TMPDIR/$name" $recipe
        cmp "$BATS_TEST_TMPDIR/$name" "$BATS_TEST_TMPDIR/gguf/$name"
        count=$((count + 1))
    done <"$fixtures/gguf_corpus.txt"
    [ "$count" -ge 10 ]
}

@test "the corpora are small" {
    cd "$ROOT/fuzz/corpus"
    [ "$(find . -type f -exec cat {} + | wc -c)" -lt 200000 ]
}
