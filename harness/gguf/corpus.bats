#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# Inputs of the fuzz targets: those that are written by a recipe are what it writes. Others were found by fuzzing.

@test "the corpus of gguf is what its recipes write" {
    local fixtures=$BATS_TEST_DIRNAME/fixtures root=$BATS_TEST_DIRNAME/../.. name recipe count=0
    "$root/scripts/pack" --unpack "$root/fuzz/corpus/gguf.txt" "$BATS_TEST_TMPDIR/gguf"
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
    cd "$BATS_TEST_DIRNAME/../../fuzz/corpus"
    [ "$(find . -type f -exec cat {} + | wc -c)" -lt 200000 ]
}
