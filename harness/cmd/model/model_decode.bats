#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause

load ../measuring

write() {
    "$BATS_TEST_DIRNAME/../../gguf/fixtures/write_gguf" "$@"
}

@test "model --decode: a pass with the file's weights, as JSON Lines and as text" {
    write a.gguf random=1 tiny=2,BF16
    kept_quiet model a.gguf --decode --threads 1 --samples 6 --context 16 --json
    grep '"type":"decode"' out >pass
    [ "$(wc -l <pass)" -eq 1 ]
    [ "$(jq -r '[.model, .format, .head_format, .layers, .context, .threads, .weights] | join(" ")' pass)" = "a.gguf bf16 f16 2 16 1 of the file" ]
    [ "$(jq '.layer_bytes' pass)" -eq $((2 * 2 * (256 * 256 * 2 + 2 * 256 * 128 + 3 * 256 * 512))) ]
    [ "$(jq -s '[.[] | select(.type == "model")] | length' out)" -eq 1 ]
    kept_quiet model a.gguf --decode --threads 1 --samples 6 --context 16
    grep -q "^Measured with the file's own weights, .*: bf16.dot.*, head f16.dot.*, 1 threads, 2 of 2 layers" out
    grep -q "attention " out
    ! grep -q EMULATED out || { cat out; return 1; }
    KNEEPOINT_EMULATED="QEMU TCG" apart "$KNEEPOINT" model a.gguf --decode --threads 1 --samples 6 --context 16
    grep -A 1 '^EMULATED by QEMU TCG: no speed of a machine$' out | grep -q "^Measured with the file's own weights"
}

@test "model --cache: keys and values in fewer bits, predicted and measured" {
    write a.gguf random=1 tiny=2,BF16
    kept_quiet model a.gguf --decode --cache q8_0 --threads 1 --samples 6 --context 64 --json
    [ "$(jq -r 'select(.type == "decode") | [.cache, .cache_bytes] | join(" ")' out)" = "$(jq -r 'select(.type == "model") | [.cache, .kv_bytes] | join(" ")' out)" ]
    [ "$(jq -r 'select(.type == "model") | .cache' out)" = q8_0 ]
    kept_quiet model a.gguf --decode --cache q4_0 --threads 1 --samples 6 --context 64
    grep -q '^One token at 64 positions, keys and values in q4_0' out
    grep -q "^Measured with the file's own weights, .*, keys and values in q4_0$" out
    refuses "--cache takes bf16, q8_0 or q4_0, not 'q8'" model a.gguf --cache q8
    refuses "--make only writes the file" model --make b.gguf --type=q4_k_m bitnet-700m --cache q8_0
}

@test "model --prefill: prompts with the file's weights, beside a token" {
    write a.gguf random=1 tiny=2,BF16
    kept_quiet model a.gguf --decode --prefill 3,40 --threads 1 --samples 6 --context 16 --json
    [ "$(jq -r 'select(.type == "prefill") | [.model, .format, .head_format, .layers, .tokens, .weights] | join(" ")' out)" = \
        "a.gguf bf16 f16 2 3 of the file
a.gguf bf16 f16 2 40 of the file" ]
    [ "$(jq -s '[.[] | select(.type == "decode")] | length' out)" -eq 1 ]
    kept_quiet model a.gguf --prefill 40 --threads 1 --samples 6
    grep -q '^  a prompt of 40 tokens: [0-9.]* tokens/s' out
    grep -q "attention " out
}

@test "model --type: a listed model needs no file" {
    kept_quiet model --type=q4_k_m bitnet-700m --decode --threads 1 --samples 6 --context 16 --json
    grep '"type":"decode"' out >pass
    [ "$(jq -r '[.model, .format, .head_format, .weights] | join(" ")' pass)" = "bitnet-700m-q4_k_m q4_k q6_k random" ]
    [ "$(jq -c 'select(.type == "model") | [.name, .path, .version, .files, .layers]' out)" = '["bitnet-700m-q4_k_m",null,null,0,24]' ]
    kept_quiet model --type=Q4_K_M bitnet-700m --decode --threads 1 --samples 6 --context 16
    grep -q '^bitnet-700m-q4_k_m, as in GGUF files of that kind: 0.42 GiB$' out
    grep -qE '^Q4_K +144 ' out
    grep -q '^Measured with random weights, .*: q4_k\..*, head q6_k\.' out
    grep -qE '^  q6_k +25 matrices with the head' out
    refuses "no model 'lama3-8b'; \`kneepoint list shapes\` shows them; did you mean 'llama3-8b'?" model --type=q4_k_m lama3-8b
    refuses "--type is one of q2_k, " model --type=q9 llama3-8b
    refuses "--type=q4_k_m: chatglm3-6b: q, k and v are one matrix" model --type=q4_k_m chatglm3-6b
    refuses "llama3-8b: No such file or directory; a model of that name needs no file: say which types it has, as with --type=q4_k_m" model llama3-8b
}

@test "model --decode: --results saves a run, and --into adds to it" {
    write a.gguf random=1 tiny=2,BF16
    kept_quiet model a.gguf --decode --prefill 3 --threads 1 --samples 6 --context 16 --results kept
    run=$(sed -n 's/^saved: //p' out)
    grep -q '"type":"samples","name":"decode/a.gguf/' "$run/records.jsonl"
    grep -q '"type":"samples","name":"prefill/a.gguf/' "$run/records.jsonl"
    tail -n 1 "$run/records.jsonl" | grep -q '"type":"end","name":"model"'
    kept_quiet model a.gguf --decode --threads 1 --samples 6 --context 16 --into "$run"
    grep -q "^saved: $run$" out
    [ "$(grep -c '"type":"decode","name":"bf16' "$run/records.jsonl")" -eq 2 ]
    refuses "no run at nowhere" model a.gguf --decode --into nowhere
    refuses "--into needs --decode or --prefill, which measure" model a.gguf --into "$run"
    refuses "choose one" model a.gguf --decode --into "$run" --results kept
}

@test "model --decode: the one scale of an I2_S tensor, after its rows" {
    write a.gguf random=1 tiny=1,I2_S
    kept_quiet model a.gguf --decode --threads 1 --samples 6 --context 16 --json
    [ "$(jq -r 'select(.type == "decode") | .format' out)" = i2_s ]
}

@test "model --decode: Q4_K and Q6_K side by side, as Q4_K_M files have them, each by kernels of its own" {
    write a.gguf random=1 tiny=2,Q4_K+Q6_K output.weight@Q6_K@256x500
    kept_quiet model a.gguf --decode --threads 1 --samples 6 --context 16 --json
    grep '"type":"decode"' out >pass
    [ "$(jq -c '[.matrices[] | [.format, .matrices, .head, .supported]]' pass)" = '[["q4_k",7,false,true],["q6_k",8,true,true]]' ]
    [ "$(jq '.head_bytes' pass)" -eq $((500 * 210)) ]
}

@test "model --prefill: layers, and matrices that read the same activations, of several types, beside a token" {
    write a.gguf random=1 tiny=3,Q4_K+Q6_K+BF16 blk.0.attn_v.weight@Q6_K@256x128 blk.1.ffn_up.weight@F16@256x512
    kept_quiet model a.gguf --decode --prefill 40 --threads 1 --samples 6 --json
    jq -c 'select(.type == "decode" or .type == "prefill") | [.type, [.matrices[] | [.format, .matrices, .supported]]]' out >uses
    [ "$(cat uses)" = '["decode",[["q4_k",6,true],["q6_k",7,true],["f16",2,true],["bf16",7,true]]]
["prefill",[["q4_k",6,true],["q6_k",7,true],["f16",2,true],["bf16",7,true]]]' ]
    [ "$(jq 'select(.type == "prefill") | .distance < 0.004' out)" = true ]
    [ "$(jq -r 'select(.type == "decode") | .matrices[0].kernel' out)" != "$(jq -r 'select(.type == "prefill") | .matrices[0].kernel' out)" ] ||
        ! grep -q amx_int8 /proc/cpuinfo
    kept_quiet model a.gguf --prefill 40 --threads 1 --samples 6
    grep -qE '^  q6_k +7 matrices, ' out
}

@test "model --decode: layers of several types, and a head that no kernel takes, which is read at the roof" {
    write a.gguf random=1 tiny=3,Q8_0+F16+IQ4_XS output.weight@IQ4_XS@256x500
    kept_quiet model a.gguf --decode --threads 1 --samples 6 --context 16 --json
    grep '"type":"decode"' out >pass
    [ "$(jq -c '[.matrices[] | [.format, .matrices, .head, .supported]]' pass)" = '[["q8_0",7,false,true],["f16",7,false,true],["IQ4_XS",8,true,false]]' ]
    [ "$(jq -r '.matrices[2].kernel_reason' pass)" = "not supported: read at the roof" ]
    [ "$(jq '.head_bytes' pass)" -eq $((500 * 136)) ]
    [ "$(jq '.layer_bytes' pass)" -eq $(((2 * 256 * 256 + 2 * 256 * 128 + 3 * 256 * 512) / 256 * (272 + 512 + 136))) ]
    kept_quiet model a.gguf --decode --threads 1 --samples 6 --context 16
    grep -q "^  IQ4_XS       8 matrices with the head, 0.00[0-9] GB: not supported: read at the roof" out
    grep -q "^  f16          7 matrices, 0.00[0-9] GB: f16.dot" out
}

@test "model --decode: if no sample is kept, the cause is printed and no pass" {
    write a.gguf random=1 tiny=1,BF16
    keeps_none "model: --decode: no sample of the read roof of memory with 1 thread was kept (" model a.gguf --decode \
        --threads 1 --samples 6 --context 16 --json
    [ "$(jq -s '[.[] | select(.type == "decode")] | length' out)" -eq 0 ]
}

@test "model --decode: what cannot be measured is one line, and nothing is printed" {
    write a.gguf tiny=1,F16
    write unknown.gguf tiny=1,F16 output.weight@77@256x500
    write xs.gguf tiny=1,F16 output.weight@IQ4_XS@256x500
    refuses "unknown.gguf: --decode: output.weight is of type unknown, whose row size is unknown" model unknown.gguf --decode
    write moe.gguf general.architecture=str:a a.expert_count=u32:2
    refuses "only dense layers can run" model moe.gguf --decode
    refuses "--decode takes --threads=N, not 'P=1'" model a.gguf --decode --threads P=1
    refuses "--samples needs --decode or --prefill" model a.gguf --samples 3
    refuses "--prefill takes --threads=N, not 'P=1'" model a.gguf --prefill 16 --threads P=1
    refuses "xs.gguf: --prefill: the head is of type IQ4_XS, and no kernel takes such rows as they are" model xs.gguf --prefill 16
    refuses "--prefill" model a.gguf --prefill 0
    refuses "--prefill=16,16: 16 is given twice" model a.gguf --prefill 16,16
}
