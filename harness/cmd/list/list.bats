#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause

load ../measuring

@test "list: every list as a table and as JSON Lines" {
    for what in sequences:sequence kernels:kernel device-kernels:device_kernel shapes:shape platforms:platform figures:figure; do
        kept_quiet list "${what%:*}"
        [ -s out ]
        kept_quiet list "${what%:*}" --json
        lines_have "${what#*:}"
    done
}

@test "list figures: what each is made of, and what a run lacks for it" {
    "$KNEEPOINT" list figures --json >out
    jq -es 'map(select(.name == "arm_1"))[0] | .measured and .stated == "arm-kernels-codebooks" and .modelled == null and (has("drawn") | not)' out
    jq -es 'map(select(.name == "envelope_16"))[0] | (.measured | not) and .modelled == "arc-140v,b580"' out
    "$KNEEPOINT" list figures --run="$BATS_TEST_DIRNAME/../../../reports/fixtures/run" --json >out
    jq -es 'map(select(.name == "knee"))[0] | .drawn and .reason == null' out
    jq -es 'map(select(.name == "envelope_16"))[0].drawn' out # of described machines alone
    jq -es 'map(select(.name == "engine_token"))[0] | (.drawn | not) and (.reason | contains("engine"))' out
    "$KNEEPOINT" list figures knee engine_token --run="$BATS_TEST_DIRNAME/../../../reports/fixtures/run" >out
    grep -q '^knee  *yes ' out
    grep -q '^engine_token  *lacking ' out
    refuses "none: " list figures --run=none
    refuses "--run needs figures: kneepoint list figures --run=none" list kernels --run=none
}

@test "list: what cannot run says why, what can says so" {
    for what in sequences kernels; do
        kept_quiet list $what --json
        [ "$(grep -c '"runs":true,"reason":null' out)" -eq "$(grep -c '"runs":true' out)" ]
        [ "$(grep -cE '"runs":false,"reason":"[^"]+"' out)" -eq "$(grep -c '"runs":false' out)" ]
    done
}

@test "list: sequences and kernels state what they are" {
    kept_quiet list sequences --json
    lines_have sequence format sequence isa origin bytes_per_vector group_uops group_dots least_accumulators most_accumulators claimed
    kept_quiet list kernels --json
    lines_have kernel format sequence isa origin bits rows_per_panel k_per_step k_multiple max_k activations result lossless error_bound weight_min weight_max
    kept_quiet list device-kernels int1 i2_s --json
    lines_have device_kernel format bits gives source
    [ "$(grep -c '"gives":"int32"' out)" -eq "$(wc -l <out)" ]
    kept_quiet list kernels --json
    for name in int8_vnni4.dot int2_vnni4.envelope int1_vnni4.envelope; do
        grep -q "\"name\":\"$name\." out
    done
}

@test "list: the shapes of three models, 1600x1600 among them" {
    kept_quiet list shapes --json
    lines_have shape roles m k count
    for model in falcon3-1b mobilellm-1.5b llama3-8b; do
        grep -q "\"name\":\"$model\"" out
    done
    grep -q '"m":1600,"k":1600,' out
}

@test "list: names are unique" {
    for what in sequences kernels device-kernels platforms figures; do
        kept_quiet list $what --json
        [ -z "$(sed 's/.*"name":"\([^"]*\)".*/\1/' out | sort | uniq -d)" ]
    done
}

@test "list: what is not a list" {
    refuses "there is no list of 'birds'; choose from sequences, kernels, device-kernels, shapes, platforms, figures" list birds
    refuses "there is no list of 'kernel'; choose from sequences, kernels, device-kernels, shapes, platforms, figures, plan; did you mean 'kernels'?" list kernel
    refuses "one list at a time" list kernels shapes
    refuses "--certificate needs kernels" list shapes --certificate
}

@test "list alone: how many there are of each, and how to see them" {
    kept_quiet list
    for what in sequences kernels device-kernels shapes platforms figures; do
        count=$("$KNEEPOINT" list $what --json | wc -l)
        grep -qE "^ *$count $what " out
    done
    grep -q '^kneepoint list kernels ' out
    kept_quiet list --json
    lines_have list what count run
    [ "$(wc -l <out)" -eq 6 ]
}

names() {
    "$KNEEPOINT" list "$@" --json | sed 's/.*"name":"\([^"]*\)".*/\1/'
}

@test "list: names by their beginning and by patterns, and filters" {
    # what a name was, it is: whole parts come before beginnings
    diff <(names kernels int2_vnni4) <(names kernels | grep '^int2_vnni4\.')
    diff <(names kernels int2_vnni4.mask) <(names kernels | grep '^int2_vnni4\.mask\.')
    diff <(names kernels int2_vnni) <(names kernels | grep '^int2_vnni')
    diff <(names kernels '*.avx2' int1) <(names kernels | grep -E '\.avx2$|^int1')
    diff <(names sequences 'int[12]_vnni4.*.avx2') <(names sequences | grep -E '^int[12]_vnni4\..*\.avx2$')
    diff <(names kernels --isa=avx2,avx_vnni) <(names kernels | grep -E '\.(avx2|avx_vnni)$')
    diff <(names kernels 'int*' --isa=avx512_v --format='int2*') <(names kernels | grep -E '^int2.*\.avx512_v[^.]*$')
    diff <(names kernels 'INT2' --isa=AVX2 --format='Int2*' --origin=KneePoint) <(names kernels int2 --isa=avx2 --format='int2*' --origin=kneepoint)
    diff <(names shapes LLaMA3-8B) <(names shapes llama3-8b)
    diff <(names shapes llama3-8b) <(names shapes | grep '^llama3-8b$')
    kept_quiet list kernels --bits=1..2 --json
    [ "$(wc -l <out)" -gt 10 ]
    if sed 's/.*"bits":\([0-9.]*\).*/\1/' out | awk '$1 < 1 || $1 > 2' | grep .; then false; fi
    kept_quiet list kernels --origin=bitnet-cpp --json
    [ "$(grep -c '"origin":"bitnet-cpp"' out)" -eq "$(wc -l <out)" ]
    refuses "no kernel 'q4_k_m'; \`kneepoint list kernels\` shows them; q4_k_m is a kind of file, not a format: name q4_k and q6_k" list kernels q4_k_m
    refuses "--format=q3_k_l: no kernel or sequence here has that format; \`kneepoint list kernels\` shows them; q3_k_l is a kind of file" list kernels --format=q3_k_l
    refuses "no kernel 'int2_vnin4'; \`kneepoint list kernels\` shows them; did you mean 'int2_vnni4'?" list kernels int2_vnin4
    refuses "no figure 'gamm_predicted'; \`kneepoint list figures\` shows them; did you mean 'gamma_predicted'?" list figures gamm_predicted
    refuses "--bits=1: chooses kernels and sequences only" list shapes --bits=1
    refuses "no kernels has --isa=avx2 --bits=99" list kernels --bits=99 --isa=avx2
    refuses "\`list plan\` takes no names" list plan kernel_of_mine
}

@test "list: the same records as CSV and as Markdown" {
    kept_quiet list kernels --csv
    cp out csv
    kept_quiet list kernels --markdown
    cp out markdown
    kept_quiet list kernels --json
    python3 - <<'PY'
import csv, json
records = [json.loads(line) for line in open("out")]
rows = list(csv.DictReader(open("csv")))
assert len(rows) == len(records)
for row, record in zip(rows, records):
    for field, value in record.items():
        got = row[field]
        want = "" if value is None else str(value).lower() if isinstance(value, bool) else value
        assert got == want or float(got) == float(want), (record["name"], field, got, want)
lines = open("markdown").read().splitlines()
assert len(lines) == len(records) + 2 and all(line.count("|") == lines[0].count("|") for line in lines), lines[:3]
assert [line.split("|")[1].strip() for line in lines[2:]] == [record["name"] for record in records]
PY
    refuses "--csv and --markdown exclude each other; choose one" list kernels --csv --markdown
    refuses "write --csv and --markdown out in full" list kernels --mark
    refuses "there is no list of 'birds'" list birds --csv
}

@test "list: a table that fits a terminal says what it leaves out; --wide and --sort" {
    in_terminal() { script -qec "stty cols $1; TERM=xterm NO_COLOR=1 '$KNEEPOINT' list $2" /dev/null </dev/null | tr -d '\r' >out; }
    command -v script >/dev/null || skip "not on this machine: no script program"
    in_terminal 80 "kernels int1_vnni4.envelope"
    sed '/^Not shown/,$d' out >rows
    [ "$(wc -l <rows)" -ge 3 ]
    [ "$(awk 'length > 80' rows | wc -l)" -eq 0 ]
    grep -q '^Not shown in 80 columns:.* largest K' out
    in_terminal 80 "kernels int1_vnni4.envelope --wide"
    head -n 1 out | grep -q 'largest K'
    if grep -q '^Not shown' out; then false; fi
    script -qec "stty cols 80; TERM=xterm '$KNEEPOINT' list kernels int1_vnni4.envelope" /dev/null </dev/null | head -n 1 | grep -q "$(printf '\033')"
    kept_quiet list kernels --sort=-bits
    sed '/^$/,$d' out | awk 'NR > 1 { print $3 }' >bits
    sort -rg bits | diff bits -
    if grep -q "$(printf '\033')" out; then false; fi
    refuses "--sort: the table of shapes has no column 'bits'" list shapes --sort=bits
    refuses "--sort: no column 'speed'" list kernels --sort=speed
}

@test "list: closed and full standard output are errors" {
    status=0
    "$KNEEPOINT" list kernels >&- 2>err || status=$?
    [ "$status" -eq 2 ]
    grep -q "kneepoint list: cannot write to standard output" err
    [ -w /dev/full ] || return 0
    status=0
    "$KNEEPOINT" list kernels --json >/dev/full 2>err || status=$?
    [ "$status" -eq 2 ]
    grep -q "kneepoint list: cannot write to standard output" err
}

@test "list plan: what a budget would measure, and what not" {
    kernel_or_skip
    "$KNEEPOINT" list plan --budget 60 >out
    grep -q '^yes .* roofs  *sync/barrier/t1$' out
    grep -q '^no .*not planned: beyond the budget of 60 s' out
    # the streams that a roof is chosen among are one line, and all of them in JSON
    of=$(grep -oE '^yes .* roofs  *beta/memory/t1: [0-9]+ to choose among$' out | grep -oE '[0-9]+ to' | cut -d' ' -f1)
    [ "$(grep -c 'beta/memory/t1/' out)" -eq 1 ]
    "$KNEEPOINT" list plan --budget 60 --json >out.json
    [ "$(grep '"name":"beta/memory/t1/' out.json | grep -cv '/roof"')" -eq "$of" ]
    tail -n 15 out | grep -q 'cells, 12 samples of each, in about [0-9]* s and [0-9.]* MB:'
    "$KNEEPOINT" list plan --budget full >full
    if grep -q '^no' full; then false; fi
    # the papers' tokens, with a head of 16 bits, where a kernel of their formats runs
    kernels=$("$KNEEPOINT" list kernels --json | grep '"runs":true' | grep -cE '"format":"(bf16|i2_s)".*"gemv":true')
    [ "$kernels" -lt 2 ] || grep -q '^yes .* papers  *decode/bitnet-700m/i2_s[^/]*/bf16[^/]*/c512/t[0-9]*$' full
    if grep -q '^yes.* decode/' out; then false; fi
    "$KNEEPOINT" list plan --json >out
    grep -q '^{"type":"planned","name":"sync/barrier/t1","value":"roofs","cost_s":.*"chosen":true,"reason":null}$' out
    grep -q '"chosen":false,"reason":"not planned: beyond the budget of 100 s' out
    refuses "a budget of 5 s is too small; give at least 20" list plan --budget 5s
    refuses "--budget goes with \`list plan\` only" list kernels --budget 60
}

@test "list kernels: a rendering of published code prefetches nothing, unless it says so or has a row of its own for that" {
    command -v objdump >/dev/null || skip "not on this machine: no objdump"
    build=$(dirname "$(realpath "$KNEEPOINT")")
    seen=0
    "$KNEEPOINT" list kernels --json | jq -r 'select(.type == "kernel" and .origin != "kneepoint") |
        "\(.format)/\(.sequence).\(.isa) \(.prefetch_beside) \(.differs // "")"' >renderings
    while read -r name beside differs; do
        for object in "$build/micro/formats/$name.o" "$build/micro/formats/$name.microkernel.o"; do
            [ -e "$object" ] || continue
            objdump -d --no-show-raw-insn "$object" | awk '/^[0-9a-f]+ </ { of = $2 }
                /\t(prefetch|prfm)/ && of !~ /gamma_(prefetch|long)/' >found
            [ ! -s found ] || [ "$beside" -gt 0 ] || [[ $differs == *"our prefetch"* ]] || { echo "$name"; cat found; false; }
            seen=$((seen + 1))
        done
    done <renderings
    [ "$seen" -gt 10 ]
}

@test "list kernels --certificate: every kernel that runs here, and nothing wrong" {
    kept_quiet list kernels --certificate
    "$KNEEPOINT" list kernels --json | grep '"runs":true' >kernels
    runs=$(grep -oE '"(gemv|gemm)":true' kernels | wc -l)
    [ "$(grep -cE ' (exact|within bound)$' out)" -eq "$runs" ]
    grep -qE '^kernel +of +ends +saturating +largest_k +tails +random +least ' out
}

@test "list kernels --certificate --json: the same of the first kernels, each as it is done" {
    "$KNEEPOINT" list kernels --certificate --json | head -n 16 >out
    [ "$(wc -l <out)" -eq 16 ]
    grep -q '"product":"gemv"' out
    grep -q '"product":"gemm"' out
    lines_have certificate product format isa verdict reason patterns
    [ "$(grep -cE '"verdict":"(exact|within bound)","reason":null' out)" -eq 16 ]
}

@test "list kernels --certificate NAME: of these alone" {
    kept_quiet list kernels --certificate --json int2_vnni4.mask
    [ "$(wc -l <out)" -eq "$("$KNEEPOINT" list kernels --json int2_vnni4.mask | grep -c '"runs":true')" ]
    [ "$(grep -cv '"name":"int2_vnni4.mask.[a-z0-9_]*","product":"gemv"' out)" -eq 0 ]
    refuses "no kernel 'nothing.at.all'" list kernels --certificate nothing.at.all
}
