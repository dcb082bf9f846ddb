#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/measuring/measure_*, by the first word of a test: the commands that it would run, and what it makes of what a stand-in for the
# program gives. Nothing is measured.

setup() {
    command -v jq >/dev/null || skip "not on this machine: jq is not installed"
    SCRIPT=$BATS_TEST_DIRNAME/${BATS_TEST_DESCRIPTION%%:*}
    TOOL=${KNEEPOINT:-$BATS_TEST_DIRNAME/../../build/kneepoint-steady}
    cd "$BATS_TEST_TMPDIR"
}

# It ends without the program, and where its first measurement fails.
ends_where_nothing_measures() {
    KNEEPOINT=/nowhere run "$SCRIPT"
    [ "$status" -eq 2 ]
    [[ $output == *"no /nowhere; make builds it" ]]
    printf '#!/bin/sh\n[ "$1" != list ] || exec "%s" "$@"\nexit 2\n' "$TOOL" >kneepoint
    chmod +x kneepoint
    KNEEPOINT=$PWD/kneepoint run "$SCRIPT"
    [ "$status" -ne 0 ]
}

# It runs with a stand-in for the program, and its first command, of this name, makes the run that all others go into.
makes_one_run() {
    local first=${1:-gemv}
    cat >kneepoint <<END
#!/bin/sh
case "\$1" in
list) exec "$TOOL" "\$@" ;;
esac
echo "\$*" >>"$PWD/asked"
[ "\$1" = characterize ] || printf 'a table\n\nsaved: '
echo results/runs/here/1
END
    chmod +x kneepoint
    KNEEPOINT=$PWD/kneepoint "$SCRIPT" >made
    [ "$(cat made)" = results/runs/here/1 ]
    head -n 1 asked | grep -q "^$first --results=results "
    [ "$(tail -n +2 asked | grep -v "^tune " | grep -vc -- ' --into=results/runs/here/1')" -eq 0 ]
}

# a cell: kernel, shape, share of the roof, samples, what a read of its bytes attains of the roof
cell() {
    printf '{"type":"gemv","origin":"kneepoint","format":"f16","name":"%s","m":%s,"k":%s,"packed_bytes":%s,' "$1" "${2%x*}" "${2#*x}" "$((${2/x/*}))"
    printf '"time_s":{"median":1e-5},"roof_fraction":{"median":%s,"ci95":[%s,%s],"n":%s},"read_roof_fraction":%s}\n' "$3" "$3" "$3" "$4" "${5:-1}"
}

# the program lists its kernels as ever, and "measures" what the file `cells` holds
stand_in() {
    printf '#!/bin/sh\ncase "$1" in\nlist) exec "%s" "$@" ;;\nesac\necho "$*" >>asked\ncat cells\n' "$TOOL" >kneepoint
    chmod +x kneepoint
}

@test "measure_arm: --print shows the commands; the formats are known, and a prompt has no output head" {
    KNEEPOINT=$TOOL "$SCRIPT" --print somewhere >commands 2>said
    grep -qE '^measure_arm: about [0-9]+ min on two cores' said
    [ "$(wc -l <commands)" -eq 18 ]
    head -n 1 commands | grep -q ' gemv --results=somewhere --cold --best --model=llama3.2-3b q4_0 '
    [ "$(grep -c -- ' --into=RUN ' commands)" -eq 17 ]
    "$TOOL" list kernels --json | jq -r .format | sort -u >known
    sed 's/[.][a-z0-9_]*[.][a-z0-9_]*//g' commands | grep -oE ' [a-z][a-z0-9_]*' | tr -d ' ' | grep -vxE 'gemv|gemm|decode' | sort -u >asked
    [ "$(wc -l <asked)" -ge 10 ]
    comm -23 asked known >unknown
    [ ! -s unknown ]
    [ "$(grep -c -- --tokens=128 commands)" -eq 3 ]
    [ "$(grep -- --tokens=128 commands | grep -c 128256)" -eq 0 ]
    grep -q -- ' --tokens=4,8 --shape=128256x4096 ' commands
    KNEEPOINT=$TOOL "$SCRIPT" --print --into=here --model=llama3.2-1b >commands 2>less
    [ "$(wc -l <commands)" -eq 2 ]
    [ "$(grep -c -- ' --into=here ' commands)" -eq 2 ]
    [ "$(grep -oE '[0-9]+ min' less | tr -dc 0-9)" -lt "$(grep -oE '[0-9]+ min' said | tr -dc 0-9)" ]
}

@test "measure_arm: passes of one user, of several and of a prompt, with what others published and runs here" {
    KNEEPOINT=$TOOL "$SCRIPT" --print --model=llama3-8b 2>said | grep ' decode ' >commands
    [ "$(grep -c -- ' --head=same --model=llama3-8b ' commands)" -eq 3 ]
    [ "$(grep -c -- ' --users=4,8,16,32 ' commands)" -eq 1 ]
    [ "$(grep -c -- ' --prefill=128 ' commands)" -eq 1 ]
    "$TOOL" list kernels --json | jq -r 'select(.runs and .gemm and .origin == "llama.cpp" and .format == "q4_0") | .name' >rows
    [ -s rows ]
    for name in $(cat rows); do
        [ "$(grep -c -- " $name\( \|$\)" commands)" -eq 3 ]
    done
    # a pass needs one of a gemv, and batches and prompts one of a gemm
    for product in gemv gemm; do
        "$TOOL" list kernels --json | jq -r "select(.$product | not) | .name" | sort -u >without
        grep -v -- "--users\|--prefill" commands >asked
        [ $product = gemv ] || grep -- "--users\|--prefill" commands >asked
        grep -oE '[a-z0-9_]+[.][a-z0-9_]+[.][a-z0-9_]+' asked | sort -u | comm -12 - without >unfit
        [ ! -s unfit ]
    done
}

@test "measure_arm: the first command makes the run that all others go into" {
    makes_one_run
}

@test "measure_arm: what it does not know, and a measurement that fails, end it" {
    for option in --all --model=gpt; do
        KNEEPOINT=$TOOL run "$SCRIPT" $option
        [ "$status" -eq 2 ]
        [[ $output == "measure_arm: unknown option '$option'"* ]]
    done
    ends_where_nothing_measures
}

@test "measure_bit_serial: --print shows the commands, whose kernels all run here, each size of weights once" {
    KNEEPOINT=$TOOL "$SCRIPT" --print --models somewhere >commands 2>said
    grep -qE '^measure_bit_serial: about [0-9]+ min on two cores' said
    [ "$(wc -l <commands)" -ge 7 ]
    head -n 1 commands | grep -q ' gemv --results=somewhere --threads=1 --cold --shape=4096x4096 w1\.'
    [ "$(grep -c -- --results= commands)" -eq 1 ]
    [ "$(grep -c -- --into=RUN commands)" -eq $(($(wc -l <commands) - 1)) ]
    for command in gemv gemm; do
        "$TOOL" list kernels --json | jq -r "select(.runs and .$command).name" | sort >able
        grep " $command " commands | grep -oE ' [a-z0-9_]+\.[a-z0-9_]+\.[a-z0-9_]+' | tr -d ' ' | sort -u >asked
        [ -s asked ]
        comm -23 asked able >unable
        [ ! -s unable ]
    done
    grep -q ' int8_vnni4\.tile\.' commands
    grep -q ' --shape=18944x3584 ' commands
    [ "$(grep -c 128256 commands)" -eq 0 ] # no output head
    for model in llama3-8b qwen2.5-7b; do # passes of the models of apt_13 that have them
        grep " decode .* --model=$model " commands >passes
        [ "$(grep -c -- ' --prefill=64 ' passes)" -eq 1 ]
        [ "$(grep -c ' w2\.a2_.* int4_vnni4\..*f16\.' passes)" -eq 2 ]
        [ "$(grep -c ' int1_' passes)" -eq 0 ]
    done
    KNEEPOINT=$TOOL "$SCRIPT" --print >commands 2>less
    [ "$(grep -cE '18944|decode' commands)" -eq 0 ]
    [ "$(grep -oE '[0-9]+ min' less | tr -dc 0-9)" -lt "$(grep -oE '[0-9]+ min' said | tr -dc 0-9)" ]
}

@test "measure_bit_serial: the first command makes the run that all others go into" {
    makes_one_run
}

@test "measure_bit_serial: what it does not know, and a measurement that fails, end it" {
    KNEEPOINT=$TOOL run "$SCRIPT" --all
    [ "$status" -eq 2 ]
    [[ $output == "measure_bit_serial: unknown option '--all'"* ]]
    ends_where_nothing_measures
}

@test "measure_mixed: --print shows the commands; the formats are known, and each size of weights is there once" {
    KNEEPOINT=$TOOL "$SCRIPT" --print somewhere >commands
    [ "$(wc -l <commands)" -eq 6 ]
    [ "$(grep -c -- ' --results=somewhere ' commands)" -eq 1 ]
    [ "$(grep -c -- ' --into=RUN ' commands)" -eq 5 ]
    { ls "$BATS_TEST_DIRNAME/../../micro/formats"; awk 'NF && !/^#/ { print $1 }' "$BATS_TEST_DIRNAME"/../../micro/*/*/formats.def; } | sort >known
    sed 's/[.][a-z_]*//g' commands | grep -oE ' [a-z][a-z0-9_]*' | tr -d ' ' | grep -vxE 'gemv|decode|quantize' | sort -u >asked
    [ "$(wc -l <asked)" -ge 5 ]
    comm -23 asked known >unknown
    [ ! -s unknown ]
    sed -n 3p commands | grep -oE -- '--shape=[0-9x]+' >shapes
    [ "$(wc -l <shapes)" -eq "$(sort -u shapes | wc -l)" ]
    grep -qx -- --shape=28672x8192 shapes
    [ "$(grep -c 32000x shapes)" -eq 0 ]
    sed -n 4p commands | grep -q -- ' --shape=65024x4096 f16$'
    grep -q -- ' decode .* --context=512,4096 f16 mixed24_o02.outliers_fused$' commands
    tail -n 1 commands | grep -q -- ' quantize --into=RUN --mixed$' # matrices for their ranges, and a stack
}

@test "measure_mixed: the first command makes the run that all others go into" {
    makes_one_run
    KNEEPOINT=$TOOL run "$SCRIPT" --all
    [ "$status" -eq 2 ]
    [[ $output == "measure_mixed: unknown option '--all'"* ]]
}

@test "measure_papers: says how long it takes; the first command makes the run; formats, models and commands are known" {
    KNEEPOINT=$TOOL "$SCRIPT" --print somewhere >commands 2>said
    grep -qE '^measure_papers: about [0-9]+ min on two cores' said
    head -n 1 commands | grep -q ' characterize --results=somewhere '
    [ "$(tail -n +2 commands | grep -v ' tune ' | grep -vc -- ' --into=RUN')" -eq 0 ]
    "$TOOL" list shapes | awk '{ print $1 }' | sort -u >models
    grep -oE -- '--model=[a-z0-9.-]+' commands | cut -d= -f2 | sort -u | comm -23 - models >unknown
    [ ! -s unknown ]
    { ls "$BATS_TEST_DIRNAME/../../micro/formats"; awk 'NF && !/^#/ { print $1 }' "$BATS_TEST_DIRNAME"/../../micro/*/*/formats.def; } | sort >known
    grep -v measure_ commands | grep -oE ' [a-z][a-z0-9_]*( |$)' | tr -d ' ' | grep -vxE 'gemv|gemm|decode|quantize|tune|knee|characterize|w[123]|elut' |
        sort -u >asked
    [ "$(wc -l <asked)" -ge 15 ]
    comm -23 asked known >unknown
    cat unknown
    [ ! -s unknown ]
}

@test "measure_papers: a part alone, into a run that is there" {
    KNEEPOINT=$TOOL "$SCRIPT" --print --into=here --only=planes --only=context >commands 2>said
    [ "$(grep -c -- ' decode --into=here --model=' commands)" -eq 1 ]
    [ "$(grep -vc -- ' --into=here ' commands)" -eq 0 ]
    grep -q -- ' w1.a2_' commands
    KNEEPOINT=$TOOL "$SCRIPT" --print 2>all >whole
    [ "$(wc -l <whole)" -gt "$(wc -l <commands)" ]
    [ "$(grep -oE '[0-9]+' said | head -n 1)" -lt "$(grep -oE '[0-9]+' all | head -n 1)" ]
}

@test "measure_papers: the first command makes the run that all others go into, whatever part it begins with" {
    makes_one_run characterize
    for script in measure_arm measure_bit_serial measure_mixed; do
        KNEEPOINT=$TOOL "$BATS_TEST_DIRNAME/$script" --print --into=here | head -n 1 >first
        grep -qF -- "$(sed 's/.* --into=here //; s/ .*//' first)" asked
    done
    : >asked
    KNEEPOINT=$PWD/kneepoint "$SCRIPT" --only=mixed elsewhere >made
    [ "$(cat made)" = results/runs/here/1 ]
    head -n 1 asked | grep -q '^gemv --results=elsewhere '
    : >asked
    KNEEPOINT=$PWD/kneepoint "$SCRIPT" --only=tune --into=results/runs/here/1 >made
    grep -q '^tune .* --out=results/tuning/here.json w1 w2 w3$' asked
}

@test "measure_papers: what it does not know, and a measurement that fails, end it" {
    for option in --all --only=nothing; do
        KNEEPOINT=$TOOL run "$SCRIPT" $option
        [ "$status" -eq 2 ]
        [[ $output == "measure_papers: unknown option '$option'; there are --print, --into=RUN and --only=machine"* ]]
    done
    printf '#!/bin/sh\n[ "$1" != list ] || exec "%s" "$@"\n[ "$1" != knee ] || exit 3\necho results/runs/here/1\n' "$TOOL" >kneepoint
    chmod +x kneepoint
    KNEEPOINT=$PWD/kneepoint run "$SCRIPT"
    [ "$status" -eq 3 ]
    [[ $output == *"measure_papers: stopped in knee; go on with --into=results/runs/here/1 --only=knee, and "* ]]
}

@test "measure_renderings: each rendering and its original in one run, in pairs of one format or of the list; few samples give no number" {
    kernel() { # NAME ORIGIN GEMM [PLUGIN]
        printf '{"type":"kernel","name":"%s","format":"%s","origin":"%s","gemv":true,"gemm":%s,"runs":true' "$1" "${1%%.*}" "$2" "$3"
        printf '%s}\n' "${4:+,\"plugin\":\"$4\"}"
    }
    product() { # NAME MxK TOKENS PROTOCOL MICROSECONDS SAMPLES
        printf '{"type":"%s","name":"%s","m":%s,"k":%s,"n":%s,"protocol":"%s","threads":1,' "$([ "$3" -eq 1 ] && echo gemv || echo gemm)" "$1" "${2%x*}" "${2#*x}" "$3" "$4"
        printf '"time_s":{"median":%se-6,"ci95":[%se-6,%se-6],"n":%s}}\n' "$5" "$5" "$(($5 + 10))" "$6"
    }
    mkdir plugins run
    : >plugins/one.so
    { kernel q4_0.reference.avx2 llama.cpp true; kernel q4_0.rows.avx2 kneepoint true; kernel q4_0.ggml.reference ggml true ggml
      kernel int1_vnni4.envelope.avx512_vnni envelope false; kernel int1_xsmm_m64.libxsmm.reference libxsmm false libxsmm
      kernel tl2_160x96.tiles.avx2 bitnet-cpp false; kernel tl2_160x96.bitnet_cpp_3200x8640.reference bitnet_cpp false bitnet_cpp; } >kernels
    { product q4_0.reference.avx2 4096x4096 1 cold 99 9 # of a command before
      product q4_0.reference.avx2 4096x4096 1 cold 90 9; product q4_0.ggml.reference 4096x4096 1 cold 100 9
      product q4_0.reference.avx2 4096x4096 16 cold 90 5; product q4_0.ggml.reference 4096x4096 16 cold 100 9
      product int1_vnni4.envelope.avx512_vnni 4096x4096 1 warm 50 9; product int1_xsmm_m64.libxsmm.reference 4096x4096 1 warm 40 9
      product tl2_160x96.tiles.avx2 3200x8640 1 cold 200 9; product tl2_160x96.bitnet_cpp_3200x8640.reference 3200x8640 1 cold 200 9; } >run/records.jsonl
    echo '{"kneepoint":"9.9.9","started":"2026-11-30T10:00:00Z","cpu":{"name":"A CPU","microarchitecture":null}}' >run/meta.json
    printf '#!/bin/sh\ncase "$1" in\nlist) exec cat kernels ;;\nesac\necho "$*" >>asked\necho saved: run\n' >kneepoint
    chmod +x kneepoint
    KNEEPOINT=$PWD/kneepoint "$SCRIPT" >table 2>said
    cat asked table said
    grep -qE '^measure_renderings: about [0-9]+ min on two cores' said
    [ "$(cut -d ' ' -f 1,2 asked | tr '\n' ';')" = "gemv --results=results;gemv --into=run;gemm --into=run;" ]
    [ "$(grep -c -- ' --plugin=[^ ]*/plugins/one[.]so --threads=1 ' asked)" -eq 3 ]
    sed -n 1p asked | grep -qF -- ' --shape=3200x8640 tl2_160x96.bitnet_cpp_3200x8640.reference tl2_160x96.tiles.avx2'
    sed -n 2p asked | grep -qF -- ' --shape=4096x4096 int1_vnni4.envelope.avx512_vnni int1_xsmm_m64.libxsmm.reference q4_0.ggml.reference q4_0.reference.avx2'
    sed -n 3p asked | grep -qF -- ' --cold --tokens=16,64 --shape=4096x4096 q4_0.ggml.reference q4_0.reference.avx2'
    head -n 1 table | grep -qF 'A CPU (unnamed), kneepoint 9.9.9, 2026-11-30; '
    [ "$(grep -c '^| [a-z0-9_]*[.]' table)" -eq 4 ]
    grep -qxF '| q4_0.reference.avx2 | q4_0.ggml.reference | 4096x4096 | 1 | memory | 100 | 90 | 0.9 [0.82, 1] |' table
    grep -qxF '| q4_0.reference.avx2 | q4_0.ggml.reference | 4096x4096 | 16 | memory | 100 | - | - |' table
    grep -qxF '| int1_vnni4.envelope.avx512_vnni | int1_xsmm_m64.libxsmm.reference | 4096x4096 | 1 | a cache | 40 | 50 | 1.25 [1, 1.5] |' table
    grep -qxF '| tl2_160x96.tiles.avx2 | tl2_160x96.bitnet_cpp_3200x8640.reference | 3200x8640 | 1 | memory | 200 | 200 | 1 [0.95, 1.05] |' table
}

@test "measure_renderings: without plug-ins, with none of use, or told what it does not know, a line and exit 2" {
    KNEEPOINT=$TOOL KNEEPOINT_PLUGINS=$PWD/none run "$SCRIPT"
    [ "$status" -eq 2 ]
    [ "$output" = "measure_renderings: no plug-in in '$PWD/none'; \`make plugins\` builds them" ]
    mkdir plugins
    : >plugins/one.so
    printf '#!/bin/sh\n' >kneepoint
    chmod +x kneepoint
    KNEEPOINT=$PWD/kneepoint run "$SCRIPT"
    [ "$status" -eq 2 ]
    [[ $output == "measure_renderings: no kernel of the plug-ins in '"*"/plugins' is the original of a rendering that runs here" ]]
    KNEEPOINT=$TOOL run "$SCRIPT" --all
    [ "$status" -eq 2 ]
    [[ $output == "measure_renderings: unknown option '--all'"* ]]
}

@test "measure_odd_shapes: --print shows a command a format, with the shapes that its blocks divide" {
    KNEEPOINT=$TOOL "$SCRIPT" --print q4_0 q2_k >commands
    [ "$(wc -l <commands)" -eq 2 ]
    [ "$(sed -n 1p commands | grep -oE -- '--shape=[0-9x]+' | sort -u | wc -l)" -eq 21 ]
    head -n 1 commands | grep -q -- '--cold --reads --best --threads=1 .*--shape=4096x4096 .*--shape=320x1600 .* q4_0$'
    [ "$(sed -n 2p commands | grep -c 320x1600)" -eq 0 ]
    sed -n 2p commands | grep -q -- '--shape=1000x4352 '
}

@test "measure_odd_shapes: what loses more than 3% of its share is marked, and what has few samples is not judged" {
    stand_in
    # 320x1600 attains 0.7 of the roof, and a read of as many bytes 0.8: 0.875 of that, where 4096x4096 has 0.9; 4800x1600 0.8 of a read that was not kept
    { cell f16.dot.avx512 4096x4096 0.9 9; cell f16.dot.avx512 320x1600 0.7 9 0.8; cell f16.dot.avx512 1600x1600 0.8 9; cell f16.dot.avx512 2000x768 0.1 5
      cell f16.dot.avx512 4800x1600 0.1 9 null; } >cells
    KNEEPOINT=$PWD/kneepoint run "$SCRIPT" --records=records f16
    [ "$status" -eq 1 ]
    [[ ${lines[0]} == "shape "*"read "*f16.dot.avx512* ]]
    grep -qE '^4096x4096 +1 +0.9$' <<<"$output"
    grep -qE '^320x1600 +0.8 +0.875$' <<<"$output"
    grep -qE '^1600x1600 +1 +0.8\*$' <<<"$output"
    grep -qE '^2000x768 +1 +\?$' <<<"$output"
    grep -qE '^4800x1600 +\? +\?$' <<<"$output"
    grep -qE '^1000x4352 +\? +-$' <<<"$output"
    KNEEPOINT=$PWD/kneepoint run "$SCRIPT" --records=records --markdown f16
    [ "$status" -eq 1 ]
    [ "${lines[2]}" = '| f16.dot.avx512 | 0.9 | 0.9 | 0.8 | 1 of 4 | 1600x1600 0.8 (0.8) |' ]
    # what is there is not measured again
    KNEEPOINT=$PWD/kneepoint run "$SCRIPT" --records=records f16
    [ "$status" -eq 1 ]
    [ "$(wc -l <asked)" -eq 1 ]
}

@test "measure_odd_shapes: nothing is marked where each share of a read holds, far as the roof may be" {
    stand_in
    { cell f16.dot.avx512 4096x4096 0.9 9; cell f16.dot.avx512 320x1600 0.45 9 0.5; } >cells
    KNEEPOINT=$PWD/kneepoint run "$SCRIPT" --markdown f16
    [ "$status" -eq 0 ]
    [ "${lines[2]}" = '| f16.dot.avx512 | 0.9 | 0.9 | 0.9 | 1 of 1 |  |' ]
}

@test "measure_odd_shapes: it refuses what it cannot do, exit 2" {
    KNEEPOINT=$TOOL run "$SCRIPT" --all
    [ "$status" -eq 2 ]
    [[ $output == "measure_odd_shapes: unknown option '--all'"* ]]
    KNEEPOINT=$TOOL run "$SCRIPT" q9_9
    [ "$status" -eq 2 ]
    [[ $output == *"no format 'q9_9'"* ]]
    stand_in
    KNEEPOINT=$PWD/kneepoint run "$SCRIPT" --records=none/records f16
    [ "$status" -eq 2 ]
    [ "$output" = "measure_odd_shapes: cannot write 'none/records'" ]
    echo '{"type' >torn
    KNEEPOINT=$PWD/kneepoint run "$SCRIPT" --records=torn f16
    [ "$status" -eq 2 ]
    [ "$output" = "measure_odd_shapes: 'torn' is no list of records" ]
    cell f16.dot.avx512 4096x4096 0.9 9 | sed 's/,"read_roof_fraction":1//' >former
    KNEEPOINT=$PWD/kneepoint run "$SCRIPT" --records=former f16
    [ "$status" -eq 2 ]
    [[ $output == "measure_odd_shapes: 'former' has no reads beside its products"* ]]
    [ ! -e asked ]
}
