#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause

setup() {
    kneepoint=${KNEEPOINT:-$BATS_TEST_DIRNAME/../../../build/kneepoint-steady}
    cd "$BATS_TEST_TMPDIR"
}

# refuses WORDS ARGUMENT...: exit 2, nothing on standard output, one line that has the words, and nothing is left in the folder.
refuses() {
    local words=$1 status=0 before
    shift
    before=$(ls -A)
    "$kneepoint" model "$@" >out 2>err || status=$?
    cat err
    [ "$status" -eq 2 ]
    [ ! -s out ]
    [ "$(wc -l <err)" -eq 1 ]
    grep -qF -- "$words" err
    rm out err
    [ "$(ls -A)" = "$before" ]
}

@test "model --make: the file is what --type says of the model, and says what to do with it" {
    run "$kneepoint" model --make=a.gguf --type=i2_s --layers=2 bitnet-700m
    echo "$output"
    [ "$status" -eq 0 ]
    [[ ${lines[0]} == "a.gguf: "*" MiB, bitnet-700m-i2_s in 24 tensors, 1.05797e+08 weights of "*" bits" ]]
    [[ ${lines[1]} == "Written in "*" s. What a token of it needs: kneepoint model a.gguf" ]]
    [ "$(ls -A)" = a.gguf ]
    [ $(($(stat -c '%b * 512' a.gguf))) -ge "$(stat -c %s a.gguf)" ] # no holes
    run "$kneepoint" model a.gguf
    echo "$output"
    [ "$status" -eq 0 ]
    [[ $output == *"bitnet-700m-i2_s (bitnet), GGUF version 3, "*" GiB in 1 file: a.gguf"* ]]
    [[ $output == *"24 tensors, 1.058e+08 weights of "*" 2 layers, embedding of 1536 numbers, 16 heads, 16 key-value heads, context of up to 8192 positions"* ]]
    run "$kneepoint" model a.gguf --decode --threads=1 --samples=6 --context=16 --json
    [ "$status" -eq 0 ]
    [[ $output == *'"weights":"of the file"'* ]]
}

@test "model --make: a token of the whole file needs what --type predicts without it" {
    "$kneepoint" model --make=a.gguf --type=q4_0 bitnet-700m
    needs='select(.type == "model" or .type == "model_part") | [.name, .use, .tensor_type, .m, .k, .token_bytes, .weights, .tied]'
    "$kneepoint" model a.gguf --platform=arl --json | jq -c "$needs" >file
    "$kneepoint" model --type=q4_0 bitnet-700m --platform=arl --json | jq -c "$needs" >listed
    [ "$(wc -l <file)" -ge 8 ]
    diff file listed
}

@test "model --make: what cannot be made is said in one line, and nothing is left" {
    echo mine >there.gguf
    refuses "--make: there.gguf is there already; name another file, or remove it first" --make=there.gguf --type=q4_0 bitnet-700m
    [ "$(cat there.gguf)" = mine ]
    refuses "--make: . is there already" --make=. --type=q4_0 bitnet-700m
    refuses "--make: cannot write none/a.gguf: No such file or directory; choose a place that can be written to" --make=none/a.gguf --type=q4_0 bitnet-700m
    refuses "--make: cannot write there.gguf/a.gguf: Not a directory" --make=there.gguf/a.gguf --type=q4_0 bitnet-700m
    refuses "--make needs the types of the file, as in --type=q4_k_m" --make=a.gguf bitnet-700m
    refuses "--layers=25: bitnet-700m has 24" --make=a.gguf --type=q4_0 --layers=25 bitnet-700m
    refuses "--layers needs --make" --type=q4_0 --layers=2 bitnet-700m
    refuses "--make only writes the file: give all other options to \`kneepoint model a.gguf\`" --make=a.gguf --type=q4_0 --decode bitnet-700m
    refuses "--make only writes the file" --make=a.gguf --type=q4_0 --json bitnet-700m
    refuses "--make only writes the file" --make=a.gguf --type=q4_0 --context=9 bitnet-700m
    refuses "mobilellm-1.5b-q4_k_m: blk.0.attn_q.weight would be of type Q5_0, which no format here is" --make=a.gguf --type=q4_k_m mobilellm-1.5b
    refuses "chatglm3-6b: q, k and v are one matrix in its files" --make=a.gguf --type=q4_0 chatglm3-6b
    refuses "opt-6.7b: its layers are not of the kind that decode computes" --make=a.gguf --type=q4_0 opt-6.7b
    refuses "--type=iq3_m: its types are no formats here" --make=a.gguf --type=iq3_m llama3-8b
}

@test "model --make: a full disk, and a file that may not be so large" {
    trap '' XFSZ
    (ulimit -f 1000 && refuses "cannot write a.gguf: File too large; choose a place that can be written to" --make=a.gguf --type=q4_0 bitnet-700m)
    unshare -rm true 2>/dev/null || skip "not on this machine: no namespaces, so no small disk"
    mkdir small
    export kneepoint
    run unshare -rm sh -c 'mount -t tmpfs -o size=1m none small && { "$kneepoint" model --make=small/a.gguf --type=q4_0 bitnet-700m; echo "exit $?"; ls -A small; }'
    echo "$output"
    [ "${#lines[@]}" -eq 2 ]
    [[ ${lines[0]} == *"--make: cannot write small/a.gguf: No space left on device; choose a place that can be written to" ]]
    [ "${lines[1]}" = "exit 2" ]
}

@test "model --make: interrupted, it leaves nothing" {
    "$kneepoint" model --make=a.gguf --type=f32 llama3.2-1b 2>err &
    local pid=$! status=0
    while kill -0 "$pid" && [ -z "$(ls -A | grep tmp)" ]; do sleep 0.01; done
    kill -INT "$pid"
    wait "$pid" || status=$?
    cat err
    [ "$status" -eq 130 ]
    grep -q 'interrupted' err
    [ ! -e a.gguf ]
    [ -z "$(ls -A | grep tmp)" ]
}
