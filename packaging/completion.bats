#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# packaging/completion.bash, asked as bash asks it.

setup() {
    KNEEPOINT=$(realpath "${KNEEPOINT:-$BATS_TEST_DIRNAME/../build/kneepoint-steady}")
    PATH=$(dirname "$KNEEPOINT"):$PATH
    source "$BATS_TEST_DIRNAME/completion.bash"
    compopt() { options_set="$options_set $*"; }
    cd "$BATS_TEST_TMPDIR"
}

# completes WORD...: file out has what the last WORD is completed to, one a line.
completes() {
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=() options_set=
    _kneepoint || true # not below -e
    printf '%s\n' "${COMPREPLY[@]}" >out
}

names() {
    "$KNEEPOINT" list "$1" --json | sed 's/.*"name":"\([^"]*\)".*/\1/' | sort -u
}

# running LIST [PATTERN]: those that run here, whose records match.
running() {
    "$KNEEPOINT" list "$1" --json | grep '"runs":true' | grep -E -- "${2:-}" | sed 's/.*"name":"\([^"]*\)".*/\1/' | sort -u
}

@test "it is registered for kneepoint" {
    [[ $(complete -p kneepoint) == *_kneepoint* ]]
}

@test "commands: all of them, and those that begin so" {
    completes kneepoint ''
    "$KNEEPOINT" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' | diff - <(grep -v ^-- out)
    completes kneepoint char
    [ "$(cat out)" = characterize ]
    completes kneepoint --v
    [ "$(cat out)" = --version ]
}

@test "options: those of --help of each command" {
    local command
    for command in $("$KNEEPOINT" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
        completes kneepoint "$command" --
        "$KNEEPOINT" "$command" --help | grep -oE '^ {2,6}(-[A-Za-z0-9?], )?--[a-z][a-z-]*=?' | sed 's/.*--/--/' | sort |
            diff - <(sort out)
    done
    completes kneepoint gamma --accu
    [ "$(cat out)" = --accumulators= ]
    [[ $options_set == *nospace* ]]
    completes kneepoint gamma --al
    [ "$(cat out)" = --all ]
    [ -z "$options_set" ]
}

@test "sequences, kernels, figures, papers, lists, by command" {
    completes kneepoint gamma ''
    running sequences | diff - <(grep -xFf <(names sequences) out)
    completes kneepoint knee int2_vnni4.
    running sequences | grep '^int2_vnni4\.' | diff - out
    completes kneepoint gemv ''
    running kernels '"gemv":true' | diff - <(sort out)
    completes kneepoint gemm ''
    running kernels '"gemm":true' | diff - <(sort out)
    completes kneepoint decode q4_0
    grep -qx q4_0 out
    running kernels '"gemv":true' | grep '^q4_0' | diff - <(grep -F . out | sort)
    completes kneepoint tune --sort = sha
    [ "$(sort out | tr '\n' ' ')" = 'shape share ' ]
    completes kneepoint figure ''
    names figures | diff - <(sort out)
    completes kneepoint papers env
    [ "$(cat out)" = envelope ]
    completes kneepoint list ''
    [ "$(sort out | tr '\n' ' ')" = 'figures kernels plan platforms sequences shapes ' ]
    completes kneepoint list kernels int2_vnni4.
    names kernels | grep '^int2_vnni4\.' | diff - <(sort out)
    completes kneepoint list shapes llama3-8
    [ "$(cat out)" = llama3-8b ]
    completes kneepoint explain q4_
    grep -qx q4_k out
    completes kneepoint compare --live int2_vnni4.mask.
    grep -q '^int2_vnni4\.mask\.' out
    completes kneepoint baseline ''
    grep -qx save out && grep -qx show out
}

@test "model: a listed model and its kind of file, with --make as well; files where --beside names one" {
    completes kneepoint model --make=made.gguf --type = i2
    [ "$(cat out)" = i2_s ]
    completes kneepoint model --make=made.gguf --type=i2_s --layers=1 bitnet-70
    [ "$(tr '\n' ' ' <out)" = 'bitnet-700m bitnet-70b ' ]
    touch made.gguf made.json
    completes kneepoint model --beside = made
    [ "$(sort out | tr '\n' ' ')" = 'made.gguf made.json ' ]
    completes kneepoint model --beside=made.json made
    [ "$(sort out | tr '\n' ' ')" = 'made.gguf made.json ' ]
    completes kneepoint model --make = made
    [ "$(sort out | tr '\n' ' ')" = 'made.gguf made.json ' ]
    completes kneepoint model --plugin = made
    [ "$(sort out | tr '\n' ' ')" = 'made.gguf made.json ' ]
    completes kneepoint model --tokens-per-second = 1
    [ -z "$(cat out)" ]
    completes kneepoint model --layers = 1
    [ -z "$(cat out)" ]
}

@test "values of options: after '=', which is a word, and after a short option" {
    completes kneepoint predict --platform = ar
    names platforms | grep ^ar | diff - out
    completes kneepoint predict -p arl
    grep -qx arlh out
    completes kneepoint gemv --model = falc
    [ "$(cat out)" = falcon3-1b ]
    completes kneepoint gemv --model falc
    [ "$(cat out)" = falcon3-1b ]
    completes kneepoint gamma --all int2_vnni4.envelope.avx2
    [ "$(cat out)" = int2_vnni4.envelope.avx2 ]
    completes kneepoint gemv --model =
    grep -qx all out
    completes kneepoint decode --type = q4_k
    [ "$(tr '\n' ' ' <out)" = 'q4_k_s q4_k_m q4_k ' ]
    completes kneepoint model --type=q4_k_m llama3-8
    [ "$(cat out)" = llama3-8b ]
    completes kneepoint predict --kernel = int1_vnni4.envelope.avx2
    [ "$(cat out)" = int1_vnni4.envelope.avx2 ]
}

@test "values of options that are words: as help and errors of the command list them" {
    completes kneepoint beta --level = ''
    [ "$(tr '\n' ' ' <out)" = 'memory L1 L2 L3 all ' ]
    completes kneepoint knee -l L
    [ "$(tr '\n' ' ' <out)" = 'L1 L2 L3 ' ]
    completes kneepoint gemv --counters = p
    [ "$(tr '\n' ' ' <out)" = 'perf papi powercap ' ]
    for command in decode model; do
        completes kneepoint $command --cache = ''
        [ "$(tr '\n' ' ' <out)" = 'bf16 q8_0 q4_0 ' ]
    done
    completes kneepoint gemv --kind = ''
    [ "$(tr '\n' ' ' <out)" = 'P E LP ' ]
    completes kneepoint papers --verdict = ''
    [ "$(tr '\n' ' ' <out)" = 'holds holds-with undecided differs ' ]
    completes kneepoint compare --output-format = ''
    [ "$(tr '\n' ' ' <out)" = 'text markdown junit json csv ' ]
    completes kneepoint figure --image = ''
    [ "$(tr '\n' ' ' <out)" = 'svg png pdf tex ' ]
    completes kneepoint characterize --for = ''
    [ "$(sort out | tr '\n' ' ')" = 'compare machine ' ]
    completes kneepoint gemv --isa = avx2
    [ "$(cat out)" = avx2 ]
    completes kneepoint list --origin = llama
    [ "$(cat out)" = llama.cpp ]
    completes kneepoint knee --format = q4_k
    grep -qx q4_k out
}

@test "every command with --sort completes its columns, and the largest first" {
    local command
    for command in $("$KNEEPOINT" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
        "$KNEEPOINT" "$command" --help | grep -q -e ' --sort=' || continue
        completes kneepoint "$command" --sort = ''
        [ "$(grep -c . out)" -ge 3 ] || { echo "$command"; cat out; false; }
        [ -z "$(sort out | uniq -d)" ]
    done
    completes kneepoint gemv --sort = -tim
    [ "$(cat out)" = -timers ] # "time us" has a blank
    completes kneepoint gemv --sort = -thr
    [ "$(cat out)" = -thr ]
}

@test "help: commands and the other pages; quantize: formats that have a quantizer" {
    completes kneepoint help ''
    { "$KNEEPOINT" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'
      ls "$BATS_TEST_DIRNAME/../man" | sed -n 's/^kneepoint-\(.*\)\.[57]$/\1/p'; } | sort | diff - <(sort out)
    completes kneepoint help re
    [ "$(sort out | tr '\n' ' ')" = 'records report ' ]
    completes kneepoint quantize q2_k
    grep -qx q2_k out
    completes kneepoint quantize int2_pl
    [ -z "$(cat out)" ]
}

@test "files where a run, a folder or a file may stand" {
    mkdir mine && touch mine.avx2.S
    completes kneepoint gamma mine
    [ "$(sort out | tr '\n' ' ')" = 'mine mine.avx2.S ' ]
    [[ $options_set == *filenames* ]]
    completes kneepoint report mi
    grep -qx mine out
    completes kneepoint figure --run = mi
    grep -qx mine out
    touch 'a b.so'
    completes kneepoint figure --run = a
    [ "$(cat out)" = 'a b.so' ]
    completes kneepoint beta --threads = mi
    [ -z "$(cat out)" ]
}

@test "an unknown command has no completion, and prints nothing" {
    completes kneepoint bogus '' 2>err
    [ -z "$(cat out err)" ]
    completes no-such-program '' 2>err
    [ -z "$(grep -v ^-- out)" ] && [ ! -s err ]
}
