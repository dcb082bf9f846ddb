#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# model --beside, on results that are written here: that of a real engine is nothing that a test could hold.

load ../measuring

ROOT=$BATS_TEST_DIRNAME/../../..

write() {
    "$ROOT/harness/gguf/fixtures/write_gguf" "$@"
}

# results FILE [JQ]: two tests of llama-bench of a.gguf, tg32 with 2 threads and pp16 with 1, changed by the filter.
results() {
    "$KNEEPOINT" model a.gguf --json | jq -s --argjson common '{"build_commit": "abc", "cpu_info": "", "gpu_info": "", "model_type": "llama ?B all F32",
        "n_gpu_layers": 0, "n_prompt": 0, "n_gen": 0, "n_depth": 0, "type_k": "f16", "mla_attn": 3}' '
        map(select(.type == "model"))[0] as $model |
        [{n_gen: 32, n_threads: 1, samples_ns: [64e9, 32e9, 128e9]}, {n_prompt: 16, n_threads: 1, samples_ns: [16e9, 8e9]}] |
        map($common + {model_size: $model.bytes, model_n_params: $model.weights} + .) | '"${2:-.}" >"$1"
}

@test "model --beside: memory, our pass and the engine, with its threads and context" {
    write a.gguf random=1 tiny=2,BF16
    results r.json
    kept_quiet model a.gguf --beside r.json --samples 6 --json
    lines_have engine model test threads context tokens_per_s time_s pass_s share_of_pass parts_s
    jq -es 'map(select(.type == "engine") | [.name, .model, .threads, .context, .tokens_per_s, .tokens_per_s_spread, .repetitions, (.time_s * 1000 | round)]) ==
        [["tg32/t1", "a.gguf", 1, 16, 0.5, [0.25, 1], 3, 2000], ["pp16/t1", "a.gguf", 1, 16, 1.5, [1, 2], 2, 10667]]' out
    [ "$(jq -r 'select(.type == "decode" or .type == "prefill") | [.type, .threads, .context] | join(" ")' out)" = "decode 1 16
prefill 1 16" ]
    # the roof is that beside our pass, since there is no run, and of a prompt that beside the token's; parts add up
    jq -es 'map(select(.name == "pp16/t1"))[0] as $p | map(select(.name == "tg32/t1"))[0] as $t |
        $p.memory_from == "read beside our pass of a token" and $p.memory_s_reason == null and $p.memory_s > 0 and $p.memory_s < $t.memory_s' out
    jq -es 'map(select(.name == "tg32/t1"))[0] | .memory_from == "read beside our pass" and .share_of_pass > 0 and .share_of_pass < 1 and
        .share_of_pass_spread[0] < .share_of_pass and .kernels_s == null and (.kernels_s_reason | contains("--plugin=FILE")) and
        ([.parts_s.memory, .parts_s.everything_else] | add - 2 | fabs < 1e-6) and .parts_s.kernels_beyond == null and
        ([.pass_parts_s[]] | add) > 0 and .most_saved_by == "the whole pass"' out
    fits_schema
}

# fits_schema: the engine lines of file out, and they have no field that the schema does not name.
fits_schema() {
    python3 -c 'import jsonschema' 2>/dev/null || return 0
    grep '"type":"engine"' out >engines
    python3 -W ignore - "$ROOT/results/record.schema.json" <<'PYTHON'
import json, sys
from jsonschema import Draft202012Validator
schema = json.load(open(sys.argv[1]))
for line in open("engines"):
    record = json.loads(line)
    Draft202012Validator(schema).validate(record)
    assert set(record) <= set(schema["$defs"]["record_engine"]["properties"]) | {"type", "name"}, line
PYTHON
}

@test "model --beside: text begins with the sentence; a saved run draws the figure" {
    write a.gguf random=1 tiny=2,BF16
    results r.json '.[0:1]'
    kept_quiet model a.gguf --beside r.json --samples 16 --results kept
    head -n 1 out | grep -qE "^tg32/t1: the engine attains [0-9]+% of what our pass attains on this machine, which attains [0-9]+% of what memory allows\.$"
    grep -qE '^result +context +memory +our pass +engine +spread +of our pass +of memory$' out
    grep -qE '^tg32/t1 +16 .* 0\.50 +\[0\.25, 1\] ' out
    grep -qE '^tg32/t1 +engine +2000\.00 +[0-9.]+ +- +[0-9.]+$' out
    grep -qE '^tg32/t1 +our pass +[0-9.]+ +[0-9.]+ +[0-9.]+ +[0-9.]+$' out
    grep -q '^tg32/t1: most would be saved by our pass in place of it: ' out
    tr '\n' ' ' <out | grep -qF "tg32/t1: the engine's repetitions differ by a factor of 4.0; run it again on a quiet machine before you use its parts."
    run=$(sed -n 's/^saved: //p' out)
    grep -q '"type":"engine","name":"tg32/t1"' "$run/records.jsonl"
    "$KNEEPOINT" figure engine_token --run="$run" --output=drawn || [ -s drawn/engine_token.dat ]
    grep -q '"tg32/t1, our pass"' drawn/engine_token.dat
}

@test "model --beside: a plug-in's kernels on the types of the file, in interleaved rows where the engine repacked" {
    command -v "${CC:-cc}" >/dev/null || skip "not on this machine: no C compiler"
    "${CC:-cc}" -O2 -w -DALONE -DGEMM=many_right -shared -fPIC -I"$ROOT" -DNAME='"ik_llama"' -DFORMAT_NAME='"mine_q4_0_r8"' -o mine.so "$ROOT/harness/plugin/fixtures/plugin.c" -lm
    write a.gguf random=1 tiny=2,Q4_0 output.weight@Q4_0@256x500
    results r.json 'map(.repack = true)'
    kept_quiet model a.gguf --beside r.json --samples 6 --plugin ./mine.so --json
    jq -es 'map(select(.name == "tg32/t1 -rtr 1"))[0] | .plugin == "ik_llama" and .kernels_weights == "random" and .kernels[0].kernel == "mine_q4_0_r8.good.reference" and
        .kernels_s > 0 and .pass_with_kernels_s > 0 and ([.parts_s[]] | add - 2 | fabs < 1e-6) and .most_saved_by == "everything else"' out
    jq -es 'map(select(.name == "pp16/t1 -rtr 1"))[0] | .kernels_weights == "random" and .kernels[0].kernel == "mine_q4_0_r8.good.reference" and .kernels_s > 0 and .kernels_s < .pass_with_kernels_s' out
    fits_schema
    mkdir found && mv mine.so found/
    KNEEPOINT_PLUGINS=found kept_quiet model a.gguf --beside r.json --samples 6 --peers
    head -n 1 out | grep -qE '^tg32/t1 -rtr 1: of 2000\.0 ms a token: [0-9.]+ memory, [0-9.]+ its kernels beyond it, [0-9.]+ everything else\.$'
    grep -q 'most would be saved by everything else as in our pass: ' out
    # rows as they are: of these it has no kernel
    results r.json '.[0:1]'
    kept_quiet model a.gguf --beside r.json --samples 6 --plugin found/mine.so
    grep -q 'No kernels of tg32/t1: the plug-in ik_llama has no GEMV of Q4_0 that can be used here\.' out
    # another engine's
    results r.json '.[0:1] | map(del(.mla_attn))'
    KNEEPOINT_PLUGINS=found kept_quiet model a.gguf --beside r.json --samples 6 --peers
    grep -q 'No kernels of tg32/t1: no plug-in that was found is ggml; name another with --plugin=FILE\.' out
}

@test "model --beside: keys and values are as large as the engine's types make them, and ours alike where both are of a kind that we have" {
    write a.gguf random=1 tiny=2,BF16
    results r.json '.[0:1] | .[0] as $r | [$r, ($r | .type_k = "q8_0"), ($r | .type_k = "q8_0" | .type_v = "q8_0"), ($r | .type_k = "q8_0" | .type_v = "q4_0"), ($r | .type_v = "q9_KV")]'
    kept_quiet model a.gguf --beside r.json --samples 6 --json
    jq -es 'map(select(.type == "engine")) | map(.name) == ["tg32/t1", "tg32/t1 -ctk q8_0", "tg32/t1 -ctk q8_0 -ctv q8_0", "tg32/t1 -ctk q8_0 -ctv q4_0", "tg32/t1 -ctv q9_KV"]' out
    # of 16 bits a number: 34 bytes for 32 of q8_0, 18 of q4_0; as many keys as values
    "$KNEEPOINT" model a.gguf --context=16 --json | jq -c 'select(.type == "model") | .kv_bytes' >kv
    jq -es --argjson kv "$(cat kv)" 'map(select(.type == "engine")) | $kv > 0 and (.[0].bytes - .[1].bytes | . == $kv / 2 * (1 - 34 / 64)) and
        (.[0].bytes - .[2].bytes | . == $kv * (1 - 34 / 64)) and (.[0].bytes - .[3].bytes | . == $kv / 2 * (2 - 34 / 64 - 18 / 64))' out
    jq -es 'map(select(.type == "engine"))[4] | .bytes == null and .memory_s == null and .memory_tokens_per_s == null and .share_of_memory == null and .parts_s.memory == null and
        .memory_s_reason == "what a number of the cache'"'"'s type q9_KV takes is not known; run the engine with -ctv f16" and .pass_parts_s.memory > 0' out
    jq -es 'map(select(.type == "engine").pass_parts_s.memory) | length == 5 and .[0] == .[1] and .[0] == .[3] and .[0] == .[4]' out
    # our passes: one over bf16, one over q8_0, each with what it reads at the roof beside it
    jq -es --argjson kv "$(cat kv)" '(map(select(.type == "decode") | {key: .cache, value: .roof_bytes_per_s.median}) | from_entries) as $roof
        | ($roof | keys == ["bf16", "q8_0"]) and (map(select(.type == "engine").pass_parts_s.memory)
        | .[0] * $roof.bf16 - .[2] * $roof.q8_0 - $kv * (1 - 34 / 64) | fabs < 2)' out
    fits_schema
}

@test "model --tokens-per-second: one result by hand" {
    write a.gguf random=1 tiny=1,BF16
    kept_quiet model a.gguf --tokens-per-second 0.5 --threads 1 --context 40 --cache q4_0 --samples 6 --json
    jq -es 'map(.cache // .name) == ["q4_0", "by hand/t1 -ctk q4_0 -ctv q4_0"]' out
    kept_quiet model a.gguf --tokens-per-second 0.5 --threads 1 --context 40 --samples 6 --json
    jq -e 'select(.type == "engine") | .name == "by hand/t1" and .context == 40 and .time_s == 2 and .share_of_pass > 0 and .tokens_per_s_spread == null and .repetitions == null and
        (.tokens_per_s_spread_reason | contains("not said"))' out
}

@test "model --beside: other engines' output, with what it does not say from options" {
    write a.gguf random=1 tiny=1,BF16
    printf 'num_threads,mean,std\r\n1,0.5,0.1\r\n' >tmac.csv
    kept_quiet model a.gguf --beside /dev/stdin --context 40 --samples 6 --json < <(cat tmac.csv)
    jq -e 'select(.type == "engine") | .name == "tg/t1" and .context == 40 and .tokens_per_s == 0.5 and .tokens_per_s_spread == [0.4, 0.6] and .share_of_pass > 0' out
    printf 'prompt eval count:    21 token(s)\nprompt eval rate:     0.60 tokens/s\neval count:           16 token(s)\neval rate:            0.54 tokens/s\n' >answer
    kept_quiet model a.gguf --beside answer --threads 1 --samples 6 --json
    jq -es 'map(select(.type == "engine")) | map([.name, .context, .tokens_per_s]) == [["pp21/t1", 21, 0.6], ["tg16 @ d21/t1", 29, 0.54]] and .[1].share_of_pass > 0' out
    echo 'llama_perf_context_print:        eval time =    8000.00 ms /     4 runs   ( 2000.00 ms per token,     0.50 tokens per second)' >cli.log
    kept_quiet model a.gguf --beside cli.log --threads 1 --samples 6 --json
    jq -e 'select(.type == "engine") | .name == "tg4/t1" and .context == 2 and .tokens_per_s == 0.5' out
}

@test "model --beside: a prompt without a token beside it has a bound of memory by the roof of a run or platform, and says so without one" {
    write a.gguf random=1 tiny=1,BF16
    results r.json '.[1:2]'
    kept_quiet model a.gguf --beside r.json --samples 6
    tr '\n' ' ' <out | grep -qE 'No bound of memory of pp16/t1: no characterization of this machine, [^ ]+, below results; run `kneepoint characterize`, or name one with --run or --platform\.'
    grep -qE '^pp16/t1 +16 +- ' out # no bound
    ! grep -q 'Where the time goes' out
    kept_quiet model a.gguf --beside r.json --samples 6 --json
    jq -e 'select(.type == "engine") | .memory_s == null and .memory_from == null and .memory_tokens_per_s == null and .share_of_memory == null and .pass_share_of_memory == null and
        ([.parts_s[], .pass_parts_s[]] | all(. == null)) and .share_of_pass > 0 and
        .most_saved_by == "the whole pass" and (.most_saved_s - .time_s + .pass_s | fabs < 1e-6)' out
    kept_quiet model a.gguf --beside r.json --samples 6 --platform arl --json
    [ "$(jq -r 'select(.type == "engine") | .most_saved_by' out)" = "the whole pass" ]
    # all tokens together read the weights once
    jq -e 'select(.type == "engine") | .memory_s > 0 and .memory_from == "arl" and .memory_s_reason == null and (.memory_tokens_per_s * .memory_s - 16 | fabs < 1e-6)' out
    # the pass came from a cache, or this machine is faster than that one; else it has its account
    jq -e 'select(.type == "engine") | (.pass_parts_s.memory == null) == (.pass_parts_s_reason != null)' out
    bytes=$("$KNEEPOINT" model a.gguf --context=0 --json | jq 'select(.type == "model") | .token_bytes')
    jq -e --argjson bytes "$bytes" 'select(.type == "engine") | .bytes == $bytes' out
}

@test "model --beside: what no pass is like has its reason, and the engine's numbers" {
    write a.gguf random=1 tiny=1,BF16
    results r.json '[.[0] | .n_prompt = 4] + [.[1] | .n_depth = 9] + [.[0] | .n_threads = 4000 | .samples_ns = [1e9]]'
    kept_quiet model a.gguf --beside r.json --samples 6
    grep -q '^No pass of ours of pp4+tg32/t1: it is of a prompt and tokens together' out
    tr '\n' ' ' <out | grep -q 'No bound of memory of pp4+tg32/t1: it is of a prompt and tokens together; run the engine with -p and -n apart\.'
    grep -q '^No pass of ours of pp16 @ d9/t1: our prompts begin with an empty cache, and it had 9 positions\.' out
    grep -q '^No pass of ours of tg32/t4000: it has 4000 threads, and a team here ' out
    tr '\n' ' ' <out | grep -q 'No spread of tg32/t4000: fewer than two repetitions; run llama-bench with -r 5 or more\.'
    head -n 1 out | grep -q 'nothing that it could be held against was measured'
}

@test "model --beside: results of another model or machine, or of a GPU, are named" {
    write a.gguf tiny=1,F16
    results r.json
    jq 'map(.model_size += 1e6)' r.json >size.json
    exit=4 refuses "size.json: nothing in it is of a.gguf on this machine: tg32: it is of another model: model_size is " model a.gguf --beside size.json
    jq 'map(.model_n_params *= 2)' r.json >params.json
    exit=4 refuses "it is of another model: model_n_params is " model a.gguf --beside params.json
    jq 'map(.model_type = "qwen2 1B F16")' r.json >type.json
    exit=4 refuses "it is of another model: model_type is 'qwen2 1B F16', and the file's architecture llama" model a.gguf --beside type.json
    jq 'map(.cpu_info = "Some CPU")' r.json >cpu.json
    exit=4 refuses "it is of another machine: cpu_info is 'Some CPU', and this is " model a.gguf --beside cpu.json
    jq 'map(.n_gpu_layers = 99 | .backends = "CUDA")' r.json >gpu.json
    exit=4 refuses "it has 99 layers on a GPU (CUDA), and this is what the CPU attains; run llama-bench with -ngl 0" model a.gguf --beside gpu.json
    # embeddings that are the head are two tensors for some engines
    jq 'map(.model_size += 500 * 256 * 2 | .model_n_params += 500 * 256 | .cpu_info = "Some CPU")' r.json >tied.json
    exit=4 refuses "it is of another machine" model a.gguf --beside tied.json
    # the others of a file are shown
    jq '.[0].cpu_info = "Some CPU" | .[1].n_threads = 4000' r.json >some.json
    apart "$KNEEPOINT" model a.gguf --beside some.json
    [ "$status" -eq 0 ]
    grep -q "some.json: left out 1 of 2 results: tg32: it is of another machine" err
}

@test "model --beside: an engine names the CPU as Linux does, or as its brand string" {
    [ "$(uname -m)" = x86_64 ] || skip "not on this machine: the recorded one is x86-64"
    write a.gguf tiny=1,F16
    results r.json 'map(.n_gpu_layers = 99 | .backends = "CUDA")' # refused after the name
    "$ROOT/scripts/pack" --unpack "$ROOT/platforms/fixtures/machines/zen5.txt" guest
    sed -i 's/^model name.*/model name\t: AMD EPYC/' guest/proc/cpuinfo
    jq 'map(.cpu_info = "AMD EPYC")' r.json >guest.json
    KNEEPOINT_MACHINE=guest exit=4 refuses "it has 99 layers on a GPU (CUDA)" model a.gguf --beside guest.json
    jq 'map(.cpu_info = "AMD Ryzen 9 9950X 16-Core Processor")' r.json >guest.json
    KNEEPOINT_MACHINE=guest exit=4 refuses "it has 99 layers on a GPU (CUDA)" model a.gguf --beside guest.json
}

@test "model --beside: bad input is one line" {
    write a.gguf tiny=1,F16
    results r.json
    : >empty
    head -c 100 r.json >cut.json
    echo '{"elapsed_time": 3.5, "tokens_per_second": 100}' >vllm.json
    refuses "empty: it is empty, cut off, or output of none of ollama --verbose, llama-bench -o json, llama-bench, llama-cli, T-MAC's bench_e2e.py; make it with llama-bench -o json" model a.gguf --beside empty
    refuses "cut.json: it is empty, cut off" model a.gguf --beside cut.json
    refuses "vllm.json: it is empty, cut off, or output of none of " model a.gguf --beside vllm.json
    refuses "cannot read absent.json" model a.gguf --beside absent.json
    refuses "choose one" model a.gguf --beside r.json --tokens-per-second 3
    refuses "it takes no --decode and no --prefill" model a.gguf --beside r.json --decode
    refuses "--beside: r.json says it itself: leave --threads out" model a.gguf --beside r.json --threads 1
    refuses "--beside: r.json says it itself: leave --context out" model a.gguf --beside r.json --context 8
    refuses "--beside: r.json says it itself: leave --cache out" model a.gguf --beside r.json --cache q8_0
    printf 'num_threads,mean,std\n1,0.5,0.1\n' >tmac.csv
    refuses "--beside: tmac.csv does not say how many positions a token attends to: --context=N" model a.gguf --beside tmac.csv
    refuses "--beside: tmac.csv says it itself: leave --threads out" model a.gguf --beside tmac.csv --context 8 --threads 1
    printf 'prompt eval count:    21 token(s)\nprompt eval rate:     0.60 tokens/s\neval count:           16 token(s)\neval rate:            0.54 tokens/s\n' >answer
    refuses "--beside: answer does not say how many threads there were: --threads=N" model a.gguf --beside answer
    refuses "--beside takes --threads=N, not 'P=1'" model a.gguf --beside answer --threads P=1
    refuses "--peers needs --beside" model a.gguf --peers
    refuses "--plugin needs --beside" model a.gguf --plugin x.so
    refuses "--tokens-per-second takes a number above 0, not '0'" model a.gguf --tokens-per-second 0
    refuses "--tokens-per-second takes --threads=N, not 'P=1'" model a.gguf --tokens-per-second 3 --threads P=1
}

# recipe NUMBER: the commands of that number below "A gate" in docs/engines.md.
recipe() {
    awk -v number="$1" '/^### A gate/ { gate = 1 } $0 == "```" { on = 0 } on { print } gate && $0 == "```text" && ++seen == number { on = 1 }' "$ROOT/docs/engines.md" >job
    [ -s job ]
}

# build_of JQ: what the recipe measures of a build, whose results the filter changes.
build_of() {
    results results.json "$1"
    recipe 1
    apart bash -eo pipefail job
    cat err
    [ "$status" -eq 0 ]
    [ ! -s err ]
}

# gates STATUS TEXT: what the recipe makes of before.jsonl and now.jsonl
gates() {
    recipe 2
    apart bash -eo pipefail job
    cat out err
    [ "$status" -eq "$1" ]
    [[ $(cat out err) == *"$2"* ]]
}

# Repetitions are far apart and the other build is slower by far more, so that what a pass takes on a busy machine changes no verdict.
@test "docs/engines.md: the gate passes as fast a build, and fails a slower one, one without a result, and one without repetitions" {
    write model.gguf random=1 tiny=2,BF16
    ln -s model.gguf a.gguf
    mkdir bin && ln -s "$(realpath "$KNEEPOINT")" bin/kneepoint
    PATH=$PWD/bin:$PATH
    build_of .
    mv now.jsonl before.jsonl
    build_of .
    gates 0 true
    build_of 'map(.samples_ns |= map(. * 1000))'
    gates 5 'slower: ["pp16/t1","tg32/t1"]'
    build_of '.[0].samples_ns |= map(. * 1000)'
    gates 5 'slower: ["tg32/t1"]'
    build_of '.[0:1]'
    gates 5 'no share with a spread now: ["pp16/t1"]'
    build_of 'map(.samples_ns |= .[0:1])'
    gates 5 'no share with a spread now: ["pp16/t1","tg32/t1"]'
    cp now.jsonl before.jsonl
    gates 5 'before.jsonl has no share with a spread'
}
