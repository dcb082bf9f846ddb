# SPDX-License-Identifier: BSD-3-Clause
#
# For the bats files of the measuring commands: `load measuring`. They look at layout and order, not at numbers, so they run the
# tool that keeps every sample (harness/measure/sampler_standin.c).

setup() {
    KNEEPOINT=${KNEEPOINT:-${BASH_SOURCE[0]%/*}/../../build/kneepoint-steady}
    cd "$BATS_TEST_TMPDIR"
}

# apart COMMAND...: $status, standard output in file out, standard error in file err, without the progress that what takes long shows.
apart() {
    local text
    status=0
    "$@" >out 2>err || status=$?
    IFS= read -r -d '' text <err || true
    [[ $text != *"%, "*" left: "* ]] || sed -i '/^[a-z]* *[0-9]*%, .* left: /d' err
}

# told: what standard output and standard error were, in $stdout and $stderr; read without a process, since hundreds of calls do so.
told() {
    IFS= read -r -d '' stdout <out || true
    IFS= read -r -d '' stderr <err || true
    echo "$*: exit $status, standard output '$stdout', standard error '$stderr'"
}

# one_line TEXT: standard error is one line, with TEXT in it.
one_line() {
    [[ $stderr == *"$1"* && $stderr == *$'\n' && ${stderr%$'\n'} != *$'\n'* ]]
}

# files_here: the names of all files, with these two, in $files.
files_here() {
    local names IFS=$'\n'
    : >>out >>err
    shopt -s globstar dotglob
    names=(**)
    shopt -u globstar dotglob
    files="${names[*]}"
}

# refuses TEXT COMMAND...: exit 2 (or $exit), nothing on standard output, one line with TEXT on standard error, and no file
# is made.
refuses() {
    local text=$1 before stdout stderr files
    shift
    files_here
    before=$files
    apart "$KNEEPOINT" "$@"
    told "$@"
    [ "$status" -eq "${exit:-2}" ]
    [ -z "$stdout" ]
    one_line "$text"
    files_here
    [ "$before" = "$files" ]
}

# kept_quiet COMMAND...: exit 0 and nothing on standard error.
kept_quiet() {
    local stdout stderr
    apart "$KNEEPOINT" "$@"
    told "$@"
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
}

# keeps_none TEXT COMMAND...: where every sample is rejected, exit 3 and one line with TEXT and the cause on standard error.
keeps_none() {
    local text=$1 stdout stderr
    shift
    KNEEPOINT_REJECT_SAMPLES=1 apart "$KNEEPOINT" "$@"
    told "$@"
    [ "$status" -eq 3 ]
    one_line "kneepoint $text"
    grep -qE '(of ([1-9][0-9]*) samples \2 were interrupted)' err
}

# no_number FIELD...: file out is JSON Lines, in which those fields are there, each time without a number, for a reason.
no_number() {
    local field
    for field; do
        jq -es --arg field "$field" 'map(.[$field] // empty) | length > 0 and all(.median == null and .n == 0 and .why == "0 kept, 6 needed")' out
    done
}

# lines_have TYPE FIELD...: file out is JSON Lines, and every line of that type, at least one, has the fields.
lines_have() {
    local type=$1 field
    shift
    [ -s out ]
    [ "$(grep -cv '^{"type":"[a-z_]*","name":".*}$' out)" -eq 0 ]
    if command -v jq >/dev/null; then
        jq -es 'all(type == "object")' out >/dev/null
    fi
    grep "^{\"type\":\"$type\"," out >of_type
    for field; do
        [ "$(grep -cv "\"$field\":" of_type)" -eq 0 ] || { echo "$type without $field: $(grep -v "\"$field\":" of_type | head -n 1)"; return 1; }
    done
    rm of_type
}

# quantities_have FIELD: every quantity of that name in file out has the fields that quantities have, and samples; those
# of fewer than 6 have no numbers but the count and the reason, and at least one has enough.
quantities_have() {
    local number='-?[0-9][0-9.e+-]*'
    local about='\"unit\":\"[^\"]+\",\"grade\":\"(pmu|chain|wall)\"'
    local whole="\"$1\":\{\"median\":$number,\"min\":$number,\"mad\":$number,\"ci95\":\[$number,$number\],\"n\":([6-9]|[1-9][0-9]+),\"rejected\":[0-9]+,$about(,\"halves\":\[\{[^{]*\{[^{]*\}\])?\}"
    local few="\"$1\":\{\"median\":null,\"min\":null,\"mad\":null,\"ci95\":null,\"n\":([0-5]),\"rejected\":[0-9]+,$about,\"why\":\"[0-5] kept, 6 needed\"\}"
    [ "$(grep -cE "$whole" out)" -gt 0 ]
    [ "$(grep "\"$1\":{" out | grep -cvE "$whole|$few")" -eq 0 ]
}

# A sequence or kernel (of list $1) that runs here, that does not; empty if there is none.
one_that_runs() {
    "$KNEEPOINT" list "$1" --json | grep '"runs":true' | head -n 1 | sed 's/.*"name":"\([^"]*\)".*/\1/'
}

# samples_in FILE: how many samples its lines hold, reads of the roof included.
samples_in() {
    grep -o '"ticks":\[[^]]*' "$1" | tr ',' '\n' | wc -l
}

# A kernel of int8 activations that runs here, whose results are exact.
exact_kernel() {
    "$KNEEPOINT" list kernels --json | grep '"runs":true' | grep '"k_multiple":1,' | grep '"result":"int32".*"lossless":true' | head -n 1 |
        sed 's/.*"name":"\([^"]*\)".*/\1/'
}

# kernel_or_skip, sequence_or_skip: $kernel and $sequence run here. format_or_skip FORMAT...: of each a GEMV does.
kernel_or_skip() {
    kernel=$(exact_kernel)
    [ -n "$kernel" ] || skip "not on this machine: no kernel runs here"
}

sequence_or_skip() {
    sequence=$(one_that_runs sequences)
    [ -n "$sequence" ] || skip "not on this machine: no sequence runs here"
}

format_or_skip() {
    local format
    for format in "$@"; do
        "$KNEEPOINT" list kernels --format="$format" --json | grep '"gemv":true' | grep -q '"runs":true' ||
            skip "not on this machine: no GEMV of $format runs here"
    done
}

one_that_does_not_run() {
    "$KNEEPOINT" list "$1" --json | grep '"runs":false' | grep -e "${2:-}" | head -n 1 | sed 's/.*"name":"\([^"]*\)".*/\1/'
}

most_threads() {
    nproc
}

# A CPU that this process may not use.
forbidden_cpu() {
    echo 4095
}
