#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/pack: what is packed comes back byte for byte, and a malformed file is refused.

setup() {
    SCRIPT=$BATS_TEST_DIRNAME/pack
    cd "$BATS_TEST_TMPDIR"
}

@test "pack: files come back byte for byte, whatever is in them" {
    mkdir files
    : >files/empty
    echo >files/newline
    printf 'no newline' >files/open
    printf '== a\n\n \n:\\x41\n\tb\303\244\377\r\n%100000s\\' last >files/hard
    for ((byte = 0; byte < 256; byte++)); do printf "\\x$(printf %02x $byte)"; done >files/bytes
    head -c 1000 /dev/zero >files/zeros
    local name
    for name in $(ls files); do
        "$SCRIPT" "$name" <"files/$name"
    done >packed
    "$SCRIPT" --unpack packed unpacked
    diff -r files unpacked
    # and the text is one that editors and diffs take
    tr -d '\t' <packed | LC_ALL=C grep -avE '^(== [a-z]+|[ :][[:print:]]*)$' && return 1
    [ "$("$SCRIPT" a/b <<<'text \ of a line')" = $'== a/b\n text \\ of a line' ]
    [ "$(printf 'GGUF\3\0\\\nlast' | "$SCRIPT" a)" = $'== a\n:GGUF\\x03\\x00\\x5c\\x0a\n:last' ]
}

# refused TEXT WHY: a packed file that holds TEXT, as printf has it, is not unpacked, and nothing is left.
refused() {
    printf "$1" >packed
    run "$SCRIPT" --unpack packed folder
    echo "$output"
    [[ $status -eq 2 && $output == "pack: packed, "$2 ]] || return 1
    [ ! -e folder ]
}

@test "pack: a malformed file is refused in one line, and nothing is left" {
    refused '' 'line 0: no file'
    refused ' text\n' 'line 1: neither "== PATH" nor of a file:  text'
    refused '== a/b\n b\nc\n' 'line 3: neither "== PATH" nor of a file: c'
    refused '== a/b\n b\n\n' 'line 3: neither "== PATH" nor of a file: '
    refused '== a/b\n:b\\n\n' 'line 2: no byte: \\n'
    refused '== a/b\n:\\x4\n' 'line 2: no byte: \\x4'
    refused '== a/b\n b\n== a/b\n' 'line 3: a/b is there twice'
    refused '== a/b\n b\n== a/b/c\n c\n' '*a/b/c*'
    local path
    for path in /a a/../../b a/ 'a/$(touch x)' 'a b' . .. -a ''; do
        refused "== $path\n" "line 1: no path below the folder: $path"
    done
    run "$SCRIPT" --unpack nonesuch folder
    [[ $status -eq 2 && $output == "pack: no file nonesuch" && ! -e folder ]]
    local arguments
    for arguments in '' --unpack '--unpack packed' '--pack a' 'a b'; do
        run "$SCRIPT" $arguments </dev/null
        [[ $status -eq 2 && $output == "pack: usage: "* ]] || return 1
    done
    echo '== a' >packed
    mkdir folder
    run "$SCRIPT" --unpack packed folder
    [[ $status -eq 2 && ${#lines[@]} -eq 1 && -z $(ls folder) ]]
}

# Runs that are committed weigh on every clone.
@test "runs: those that are committed take 6 MB at most" {
    cd "$BATS_TEST_DIRNAME/.."
    committed() { git ls-files -z -- results/runs 2>/dev/null || true; } # none where there is no git
    bytes=$(committed | xargs -0r cat | wc -c)
    echo "$bytes bytes"
    [ "$bytes" -le 6000000 ]
}
