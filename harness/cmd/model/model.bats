#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause

setup() {
    kneepoint=${KNEEPOINT:-$BATS_TEST_DIRNAME/../../../build/kneepoint-steady}
    write=$BATS_TEST_DIRNAME/../../gguf/fixtures/write_gguf
    cd "$BATS_TEST_TMPDIR"
    cat >host.json <<'JSON'
{"kneepoint_platform": 1, "name": "host", "title": "A CPU", "read_bandwidth": {"value": 18, "unit": "GB/s"},
 "start": {"value": 1, "unit": "us"}, "kinds": [{"kind": "P", "cores": 2, "clock": {"value": 3, "unit": "GHz"},
 "beta": {"value": 3, "unit": "B/cycle"}, "gamma": {"q4_0.rows.avx2": {"value": 3, "unit": "cycles", "bits": 4.5},
 "q4_0.reference.avx2": {"value": 5, "unit": "cycles", "bits": 4.5}, "tq2_0.mask.avx2": {"value": 11, "unit": "cycles", "bits": 2.0625}}}]}
JSON
}

# refuses WORDS ARGUMENT...: exit 2, nothing on standard output, one line that has the words.
refuses() {
    local words=$1 status=0
    shift
    "$kneepoint" model "$@" >out 2>err || status=$?
    cat err
    [ "$status" -eq 2 ]
    [ ! -s out ]
    [ "$(wc -l <err)" -eq 1 ]
    grep -qF -- "$words" err
}

# field FILTER: of the JSON of the last run.
field() {
    jq -rs "$1" <<<"$output"
}

@test "model: types, the groups of a token and what limits each" {
    "$write" a.gguf model=2 "extra.weight@TQ2_0@256x4096" "new.weight@77@100x64"
    run "$kneepoint" model a.gguf --platform=host.json --context=512
    echo "$output"
    [ "$status" -eq 0 ]
    [[ ${lines[0]} == "At most "*" tokens/s: "*"Predicted: "*" tokens/s, "* ]]
    [[ ${lines[1]} == "Small (llama), GGUF version 3, "*"GiB in 1 file: a.gguf" ]]
    [[ $output == *"23 tensors, "*"2 layers, embedding of 4096 numbers, 32 heads, 8 key-value heads, context of up to 8192 positions"* ]]
    [[ $output == *"attn_q, attn_output "*" Q4_0 "*"4096x4096 "*" 4 "*"memory "*" q4_0.rows.avx2"* ]]
    [[ $output == *"extra "*"TQ2_0 "*"4096x256"*"up-convert "*" tq2_0.mask.avx2"* ]]
    [[ $output == *"new "*"type 77 "*"read at the roof no kernel of type 77"* ]]
    [[ $output == *"type 77 "*"none: unknown type"* ]]
    [[ $output == *"keys and values"*"16 bits"* ]]
    [[ $output != *$'\033'* ]]
}

@test "model: what fewer cores than all read is no bound; where no gamma is known it says what measures it" {
    "$write" a.gguf model=1 "extra.weight@Q2_K@256x4096"
    run "$kneepoint" model a.gguf --platform=host.json --threads=2
    echo "$output"
    [[ $output == *"At most "*" tokens/s: "* ]]
    [[ $output != *"alone they may read more"* ]]
    [[ $output == *"host has no gamma for a kernel of q2_k"*"Where no gamma is known, only reading is counted. "* ]]
    run "$kneepoint" model a.gguf --platform=host.json --threads=1
    [[ $output == "About "*" tokens/s: "*"alone they may read more"* ]]
    [[ $output != *"At most"* ]]
}

@test "model: a token's time is the sum of its parts, each bytes over what reads them" {
    "$write" a.gguf model=2
    run "$kneepoint" model a.gguf --platform=host.json --context=512 --json
    [ "$status" -eq 0 ]
    # two cores of 3 GHz at 3 bytes a cycle
    [ "$(field '.[-1].roof_bytes_per_s')" = 18000000000 ]
    # four matrices of 4096 x 4096 x 18/32 bytes at the roof, and four calls that start in 1 us
    field '.[] | select(.name == "attn_q, attn_output") | .least_s * 18e9' | awk '{ exit !($1 / (4 * 4096 * 4096 * 18 / 32) < 1.0001 && $1 / (4 * 4096 * 4096 * 18 / 32) > 0.9999) }'
    field '.[] | select(.name == "attn_q, attn_output") | (.predicted_s - .least_s) * 1e6' | awk '{ exit !($1 > 3.99 && $1 < 4.01) }'
    # 2 layers x 8 heads x (128 + 128) numbers x 2 bytes x 512 positions
    [ "$(field '.[-1].kv_bytes')" = 4194304 ]
    [ "$(field '.[] | select(.name == "keys and values") | .token_bytes')" = 4194304 ]
    # one row of the embeddings
    [ "$(field '.[] | select(.name == "token_embd") | .token_bytes')" = $((4096 * 18 / 32)) ]
    field '(.[-1].predicted_s - ([.[] | select(.type == "model_part").predicted_s] | add)) / .[-1].predicted_s' | awk '{ exit !($1 < 1e-6 && $1 > -1e-6) }'
    field '.[-1] | .tokens_per_s * .predicted_s' | awk '{ exit !($1 > 0.99999 && $1 < 1.00001) }'
    [ "$(field '[.[] | select(.type == "model_part").token_bytes] | add')" = "$(field '.[-1].token_bytes')" ]
}

@test "model: activations are prepared once for matrices that share them" {
    jq -c '.kinds[0] += {"beta_alone": {"value": 4, "unit": "B/cycle"}, "kernels": {"q4_0.rows.avx2": {"bits": 4.5,
        "gamma": {"value": 3, "unit": "cycles"}, "omega": {"value": 1, "unit": "1"}, "prepare": {"value": 4.096, "unit": "us", "k": 4096}}}}' \
        host.json >prepared.json
    "$write" a.gguf general.architecture=str:llama llama.block_count=u32:2 \
        blk.0.attn_q.weight@Q4_0@4096x4096 blk.0.attn_k.weight@Q4_0@4096x1024 blk.0.attn_v.weight@Q4_0@4096x1024 \
        blk.0.attn_output.weight@Q4_0@4096x4096 blk.0.ffn_up.weight@Q4_0@4096x8192 blk.0.ffn_gate.weight@Q4_0@4096x8192 \
        blk.0.ffn_down.weight@Q4_0@8192x4096 blk.1.attn_q.weight@Q4_0@4096x4096
    run "$kneepoint" model a.gguf --platform=prepared.json --json
    [ "$status" -eq 0 ]
    # attention's vector of both layers and that of the output; k and v come too late; of gate and up one; of 8192 activations down's
    [ "$(field '[.[] | select(.type == "model_part" and .kernel).vectors] | join(" ")')" = "3 0 1 1" ]
    field '[.[] | select(.type == "model_part" and .kernel).prepare_s * 1e9 | round] | join(" ")'
    [ "$(field '[.[] | select(.type == "model_part" and .kernel).prepare_s * 1e9 | round] | join(" ")')" = "12288 0 4096 8192" ]
    [ "$(field '.[-1].prepare_s * 1e9 | round')" = 24576 ]
    with=$(field '.[-1] | "\(.predicted_s) \(.least_s)"')
    jq -c 'del(.kinds[0].kernels["q4_0.rows.avx2"].prepare)' prepared.json >bare.json
    run "$kneepoint" model a.gguf --platform=bare.json --json
    [ "$(field '.[-1].prepare_s')" = null ]
    echo "$with $(field '.[-1] | "\(.predicted_s) \(.least_s)"')" | awk '{ exit !(($1 - $3) * 1e9 > 24575 && ($1 - $3) * 1e9 < 24577 && ($2 - $4) * 1e9 > 24575 && ($2 - $4) * 1e9 < 24577) }'
    "$kneepoint" model a.gguf --platform=prepared.json | grep -q 'These tokens/s include 0.025 ms of activation packing'
    "$kneepoint" model a.gguf --platform=bare.json | grep -q 'The time to pack activations is unknown there and not counted.'
    jq -c '.kinds[0].kernels["q4_0.rows.avx2"].prepare.k = 0' prepared.json >wrong.json
    refuses 'prepare.k' a.gguf --platform=wrong.json
}

@test "model: embeddings that are the output head are looked up and multiplied, and counted once" {
    "$write" a.gguf general.architecture=str:llama token_embd.weight@Q4_0@64x1000
    run "$kneepoint" model a.gguf --platform=host.json --json
    [ "$status" -eq 0 ]
    [ "$(field '.[-1].tied')" = true ]
    [ "$(field '[.[] | select(.name == "token_embd").use] | join(" ")')" = "head looked up" ]
    [ "$(field '.[-1].bytes')" = 36000 ]
    [ "$(field '.[-1].token_bytes')" = 36036 ]
}

@test "model: of experts those that a token uses" {
    "$write" a.gguf general.architecture=str:moe moe.expert_count=u32:8 moe.expert_used_count=u32:2 \
        blk.0.ffn_up_exps.weight@Q4_0@64x32x8 blk.0.ffn_gate_inp.weight@F32@64x8
    run "$kneepoint" model a.gguf --platform=host.json --json
    [ "$status" -eq 0 ]
    [ "$(field '.[] | select(.name == "ffn_up_exps") | [.use, .matrices, .calls, .bytes, .token_bytes] | join(" ")')" = "experts 8 2 9216 2304" ]
    "$kneepoint" model a.gguf | grep -q '8 experts of which a token uses 2'
}

@test "model: layers with different key-value heads, latent attention, a sliding window" {
    "$write" a.gguf general.architecture=str:a a.block_count=u32:3 a.embedding_length=u32:64 a.attention.head_count=u32:4 \
        'a.attention.head_count_kv=i32[]:4,0,2' a.attention.sliding_window=u32:100
    run "$kneepoint" model a.gguf --context=256 --json
    [ "$(field '.[-1].kv_bytes')" = $((2 * (4 + 0 + 2) * (16 + 16) * 100)) ]
    "$write" a.gguf general.architecture=str:a a.block_count=u32:3 a.embedding_length=u32:64 a.attention.head_count=u32:4 \
        a.attention.kv_lora_rank=u32:512 a.rope.dimension_count=u32:64
    run "$kneepoint" model a.gguf --context=256 --json
    [ "$(field '.[-1].kv_bytes')" = $((2 * 3 * (512 + 64) * 256)) ]
}

@test "model: without a run of this machine there is a census and a reason, and no time" {
    "$write" a.gguf model=1
    run "$kneepoint" model a.gguf
    [ "$status" -eq 0 ]
    [[ $output == *"no time: no characterization of this machine, "*", below results; run \`kneepoint characterize\`"* ]]
    [[ $output != *"tokens/s"* ]]
    run "$kneepoint" model a.gguf --json
    [ "$(field '.[-1] | [.predicted_s, .tokens_per_s_most, .platform] | map(. == null) | all')" = true ]
    [[ $(field '.[-1].predicted_s_reason') == "no characterization of this machine"* ]]
}

@test "model: the newest characterization of this machine, or the run that is named" {
    local folder
    "$write" a.gguf model=1
    folder=$("$kneepoint" model a.gguf | sed -n 's/.*of this machine, \([^,]*\), below.*/\1/p')
    [ -n "$folder" ]
    mkdir -p "results/runs/$folder/20260101T000000Z" "results/runs/$folder/20260201T000000Z" "results/runs/$folder/20260301T000000Z"
    touch results/runs/"$folder"/20260{1,2,3}01T000000Z/meta.json
    cp host.json "results/runs/$folder/20260101T000000Z/platform.json"
    cp host.json "results/runs/$folder/20260201T000000Z/platform.json"
    run "$kneepoint" model a.gguf
    [ "$status" -eq 0 ]
    [[ $output == *"on A CPU by results/runs/$folder/20260201T000000Z/platform.json, 2 threads"* ]]
    run "$kneepoint" model a.gguf --run="results/runs/$folder/20260101T000000Z" --threads=1
    [[ $output == *"by results/runs/$folder/20260101T000000Z/platform.json, 1 thread"* ]]
    refuses "has no platform.json, which \`kneepoint characterize\` writes" a.gguf --run="results/runs/$folder/20260301T000000Z"
}

@test "model: any shard names them all" {
    "$write" m-00001-of-00002.gguf split.no=u16:0 split.count=u16:2 split.tensors.count=i32:2 general.architecture=str:llama a.weight@F16@64x64
    "$write" m-00002-of-00002.gguf split.no=u16:1 split.count=u16:2 b.weight@F16@64x64
    local number
    for number in 1 2; do
        run "$kneepoint" model m-0000$number-of-00002.gguf --json
        [ "$status" -eq 0 ]
        [ "$(field '.[-1] | [.files, .tensors, .bytes, .architecture] | join(" ")')" = "2 2 16384 llama" ]
    done
    refuses "m-00003-of-00002.gguf: is named shard 3 of 2" m-00003-of-00002.gguf
    "$write" m-00002-of-00002.gguf split.no=u16:0 split.count=u16:2 b.weight@F16@64x64
    refuses "m-00002-of-00002.gguf: is named shard 2, and its metadata key 'split.no' is not 1" m-00001-of-00002.gguf
    "$write" m-00002-of-00002.gguf split.no=u16:1 split.count=u16:2 a.weight@F16@64x64
    refuses "two of its shards have a tensor 'a.weight'" m-00001-of-00002.gguf
    "$write" m-00002-of-00002.gguf split.no=u16:1 split.count=u16:2
    refuses "'split.tensors.count' says 2 tensors, and the shards have 1" m-00001-of-00002.gguf
    rm m-00002-of-00002.gguf
    refuses "m-00002-of-00002.gguf: No such file" m-00001-of-00002.gguf
    mv m-00001-of-00002.gguf whole.gguf
    refuses "is one of 2 shards, which are only found where they are named NAME-00001-of-00002.gguf" whole.gguf
}

@test "model: wrong input is one line with exit 2" {
    refuses "which model? name a GGUF file"
    refuses "one model at a time" a.gguf b.gguf
    refuses "absent.gguf: No such file or directory" absent.gguf
    refuses ".: is not a regular file" .
    : >empty.gguf
    refuses "empty.gguf: header, magic at byte 0: the file is empty" empty.gguf
    echo "no model, but a text" >text.gguf
    refuses "text.gguf: header, magic at byte 0: is not 'GGUF'" text.gguf
    "$write" old.gguf version=1
    refuses "old.gguf: header, version at byte 4: is 1" old.gguf
    "$write" a.gguf $'x\ny=u32:1' $'x\ny=u32:1'
    refuses "metadata key 1 'x\\x0ay', name at byte" a.gguf
    "$write" a.gguf
    refuses "choose one" a.gguf --run=x --platform=arl
    refuses "known: a100" a.gguf --platform=vax
    refuses "more cores than" a.gguf --platform=arl --threads=99
    refuses "--context" a.gguf --context=-1
}

@test "model: its records fit their schema" {
    "$write" a.gguf model=1 new.weight@77@100x64
    { "$kneepoint" model a.gguf --json && "$kneepoint" model a.gguf --json --platform=host.json; } >records
    python3 -W ignore - "$BATS_TEST_DIRNAME/../../../results/record.schema.json" <<'PYTHON' || skip "not on this machine: no python3-jsonschema"
import sys
try:
    from jsonschema import Draft202012Validator
except ImportError:
    sys.exit(1)
PYTHON
    python3 -W ignore - "$BATS_TEST_DIRNAME/../../../results/record.schema.json" <<'PYTHON'
import json, sys
from jsonschema import Draft202012Validator
schema = json.load(open(sys.argv[1]))
for line in open("records"):
    record = json.loads(line)
    Draft202012Validator(schema).validate(record)
    assert set(record) <= set(schema["$defs"]["record_" + record["type"]]["properties"]) | {"type", "name"}, line
PYTHON
}

@test "model: what the file says is printed without control characters" {
    "$write" a.gguf general.architecture=str:llama $'general.name=str:a\033[2Jb' $'blk.0.\033.weight@F32@8x8'
    run "$kneepoint" model a.gguf
    [ "$status" -eq 0 ]
    [[ $output == *'a\x1b[2Jb'* ]]
    [[ $output != *$'\033'* ]]
}
