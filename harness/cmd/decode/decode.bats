#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# slow: a model of 700 million weights is made and read.

load ../measuring

# A model that is small, with a small head.
small="--model bitnet-700m --head same --layers 2"

@test "decode: a pass, its parts and what it was, as JSON Lines" {
    kernel_or_skip
    kept_quiet decode "$kernel" $small --context 33 --threads 1 --samples 12 --json
    # what the parts between the matrices are predicted from
    [ "$(jq -r 'select(.type == "layer") | .name' out | sort | tr '\n' ' ')" = "attention attention.cold gate norm rope " ]
    jq -es 'map(select(.type == "layer")) | all(.time_s.median > 0) and (map(select(.name == "attention.cold"))[0] | .cache == "bf16" and .roof_fraction.median > 0)' out
    grep '^{"type":"decode"' out >kept && mv kept out
    jq -e '.predicted_parts_s | [.attention, .norm, .rope, .gate] | all(. > 0)' out
    [ "$(wc -l <out)" -eq 1 ]
    lines_have decode name model head context cache threads layers distinct_layers tokens_per_s time_s parts alpha layer_bytes head_bytes \
        cache_bytes joins sync_s stamps stamp_s distance layer_kernels kept_though_switched off_core roof_fraction roof_bytes_per_s
    quantities_have tokens_per_s
    quantities_have alpha
    grep -qE '"joules_per_token":(\{"median"|null,"joules_per_token_reason":"[^"]+")' out
    grep -q '"model":"bitnet-700m".*"context":33,"cache":"bf16","layers":24,"distinct_layers":2' out
    for part in norm quantize operand q,k,v rope attention o gate,up gate down head; do
        grep -q "\"part\":\"$part\"" out
    done
}

@test "decode: a table and a run; few samples are no number" {
    kernel_or_skip
    kept_quiet decode "$kernel" $small --context 7 --threads 1 --samples 2 --results here
    grep -q '^bitnet-700m: 24 layers, hidden 1536, ' out
    grep -q "^$kernel " out
    run=$(sed -n 's/^saved: //p' out)
    grep -q '"type":"samples","name":"decode/bitnet-700m/' "$run/records.jsonl"
    grep -q '"type":"decode","name":"'"$kernel" "$run/records.jsonl"
    tail -n 1 "$run/records.jsonl" | grep -q '"type":"end","name":"decode"'
}

@test "decode: several contexts, a pass of each, and their figure" {
    kernel_or_skip
    kept_quiet decode "$kernel" $small --context 33,7 --threads 1 --samples 8 --results contexts
    grep -q '^one token after 6 and 32, 1 thread' out
    run=$(dirname "$(find contexts -name records.jsonl)")
    [ "$(jq -r 'select(.type == "decode") | .context' "$run/records.jsonl" | sort -n | tr '\n' ' ')" = "7 33 " ]
    "$KNEEPOINT" figure context --run="$run" -o drawn >drawn.out
    grep -qE '^7 [0-9.]+ ' drawn/context.dat
}

@test "decode --cache: keys and values in fewer bits, a pass of each, and their curves" {
    kernel_or_skip
    kept_quiet decode "$kernel" $small --context 33,70 --cache q4_0,bf16,q8_0 --threads 1 --samples 8 --results here
    grep -q '^one token after 32 and 69, 1 thread, keys and values in bf16, q8_0, q4_0$' out
    [ "$(sed '/^pass /,$d' out | grep -cE "^$kernel .* (33|70) +(bf16|q8_0|q4_0) ")" -eq 6 ]
    [ "$(sed '1,/^pass /d' out | grep -cE ' (33|70) +(bf16|q8_0|q4_0) +(ms|share %) ')" -eq 12 ]
    run=$(sed -n 's/^saved: //p' out)
    jq -c 'select(.type == "decode")' "$run/records.jsonl" >passes
    jq -es 'all(.distance < 0.001) and (map([.context, .cache]) | unique | length == 6)' passes
    # of a tile of 64 positions 16 bits a value, or 8 and 4 and a scale of 16 for 32 of them: 70 positions take two tiles
    jq -es '[.[] | select(.context == 70)] | map({key: .cache, value: .cache_bytes}) | from_entries
        | .q8_0 * 16 * 70 == .bf16 * 8.5 * 128 and .q4_0 * 16 * 70 == .bf16 * 4.5 * 128' passes
    jq -es 'map({key: .cache, value: [.layer_kernels[] | select(startswith("attention"))]}) | from_entries
        | (.q8_0[0] | startswith("attention_q8_0.")) and (.q4_0[0] | startswith("attention_q4_0.")) and (.bf16[0] | startswith("attention."))' passes
    grep -q '"type":"samples","name":"decode/bitnet-700m/.*/c33/q8_0/t1"' "$run/records.jsonl"
    "$KNEEPOINT" figure context --run="$run" -o drawn >drawn.out 2>drawn.err
    [ "$(grep -c '^# .* keys and values in ' drawn/context.dat)" -eq 3 ]
    ! grep 'records.jsonl is wrong' drawn.err || return 1 # every record is what its type is
    # the same again into that run: only samples are added
    samples() { jq -r 'select(.type == "samples").name' "$run/records.jsonl" | grep -c '/c33/q8_0/t1$'; }
    before=$(samples)
    kept_quiet decode "$kernel" $small --context 33 --cache q8_0 --threads 1 --samples 8 --into "$run"
    [ "$(samples)" -gt "$before" ]
}

@test "decode --cache: what is no kind of cache, and what it excludes" {
    refuses "--cache takes bf16, q8_0, q4_0 or several of them with commas between them, such as bf16,q8_0, not 'f32'" decode --cache=f32
    refuses "such as bf16,q8_0, not ''" decode --cache=
    refuses "such as bf16,q8_0, not 'q8_0,'" decode --cache=q8_0,
    refuses "--cache=q8_0,q8_0: q8_0 is given twice" decode --cache=q8_0,q8_0
    refuses "--prefill runs a prompt into a cache of bf16: it takes no --cache" decode --prefill=16 --cache=bf16
}

@test "decode: the fastest first, and what takes most of a token is in sight at 80 columns" {
    command -v script >/dev/null || skip "not on this machine: no script(1)"
    kernel_or_skip
    kept_quiet decode "$kernel" $small --context 7 --threads 1 --samples 8 --json
    most=$(grep '^{"type":"decode"' out | jq -r '.parts | max_by(.share.median).part')
    script -qec "stty cols 80; TERM=xterm NO_COLOR=1 '$KNEEPOINT' decode $kernel $small --context 7 --threads 1 --samples 8" /dev/null \
        </dev/null | sed 's/\r$//; s/.*\r//; s/\x1b\[K//g' >out
    cat out
    grep -qE "^here: ${kernel//./\\.}, [0-9.]+ token/s, [0-9]+% of the roof" out
    grep -qE '^kernel .* token/s .* model limit' out
    grep -qE "^pass .* $most( |\$)" out
    if LC_ALL=C.UTF-8 grep -E '^.{81,}' out; then false; fi
    tr '\n' ' ' <out | grep -q ' model limit: the largest of reading at the roof, barriers and computing'
    if grep -q 'max diff: ' out; then false; fi
}

@test "decode: what cannot be decoded" {
    kernel_or_skip
    refuses "no model 'llama9'; \`kneepoint list shapes\` shows them" decode --model llama9
    refuses "no model 'llama-3.2-1b'; \`kneepoint list shapes\` shows them; did you mean 'llama3.2-1b'?" decode --model llama-3.2-1b
    refuses "opt-6.7b: its layers are not of the kind that decode computes" decode --model opt-6.7b
    refuses "no format or kernel 'int9'; \`kneepoint list kernels\` shows them" decode int9
    refuses "no format or kernel 'int9'" decode --head int9
    refuses "q5_k_m is a kind of file, not a format: name q5_k and q6_k" decode Q5_K_M
    refuses "--context" decode --context 0
    refuses "--context" decode --context many
    refuses "--context=7,9,7: 7 is given twice" decode --context 7,9,7
    refuses "--context takes numbers separated by commas, such as 16,512,2048, or by + for users who differ, not '7,'" decode --context 7,
    refuses "--layers=17: llama3.2-1b has 16" decode --layers 17
    refuses "--layers=17: llama3.2-1b has 16" decode --model LLaMA3.2-1B --layers 17
    refuses "--results makes a new run and --into adds to an existing one; choose one" decode --results a --into b
    foreign=$(one_that_does_not_run kernels '"gemv":true')
    [ -z "$foreign" ] || refuses "$foreign cannot run on this CPU" decode "$foreign"
    refuses "GB more memory" decode "$kernel" --model bitnet-100b --context 1048576
}

@test "decode --type: every matrix in the format that it has in such a file" {
    format_or_skip q4_k q6_k
    kept_quiet decode --type=q4_k_m --model bitnet-700m --context 7 --threads 1 --samples 8 --results here
    grep -q '^bitnet-700m-q4_k_m: 24 layers, hidden 1536, ' out
    grep -qE '^  q4_k +144 matrices, 0\.[0-9]+ GB: q4_k\.' out
    grep -qE '^  q6_k +25 matrices with the head, 0\.[0-9]+ GB: q6_k\.' out
    run=$(sed -n 's/^saved: //p' out)
    kept_quiet decode --type=Q4_K_M --model bitnet-700m --context 7 --threads 1 --samples 8 --into "$run" --json
    [ "$(grep -c '"type":"decode","name":"q4_k' "$run/records.jsonl")" -eq 2 ]
    grep '^{"type":"decode"' out >pass
    [ "$(jq -r '[.model, .format, .head_format, .distinct_layers] | join(" ")' pass)" = "bitnet-700m-q4_k_m q4_k q6_k 24" ]
    [ "$(jq -c '[.matrices[] | [.format, .matrices, .head, .supported]]' pass)" = '[["q4_k",144,false,true],["q6_k",25,true,true]]' ]
}

@test "decode --type: what is no kind of file, and what it excludes" {
    refuses "--type is one of q2_k, q2_k_s, q3_k_s, q3_k_m, q3_k_l, q4_0, q4_k_s, q4_k_m, q5_k_s, q5_k_m, q6_k, q8_0, f32, f16, q3_k, q4_k, q5_k, iq4_nl, bf16, tq1_0, tq2_0, i2_s, mxfp4, nvfp4, q1_0, q2_0, pq2_0, ptq1_0, not 'q4_km'; did you mean 'q4_k_m'?" decode --type=q4_km
    refuses "--type=iq3_m: its types are no formats here; \`kneepoint model FILE.gguf\` takes such a file" decode --type=IQ3_M
    refuses "--type=int2_planes: that is a format, not a kind of file: \`kneepoint decode int2_planes\`" decode --type=int2_planes
    refuses "--type=q4_k_m: chatglm3-6b: q, k and v are one matrix in its files" decode --type=q4_k_m --model chatglm3-6b
    for other in --head=same --layers=2 --tuning=table.json --schedule=dynamic q4_0; do
        refuses "--type says the format of every matrix: it takes no FORMAT, --head, --layers, --tuning=FILE, --schedule or --slow-member" \
            decode --type=q4_k_m "$other"
    done
}

@test "decode: kernels find their prefetch distances before the first pass, those of a file, too; --tuning=none leaves each its own" {
    "$KNEEPOINT" list kernels --json | grep '"name":"q4_0.rows.avx2"' | grep -q '"runs":true' || skip "not on this machine: no AVX2"
    kept_quiet decode q4_0 $small --threads 1 --samples 6 --json
    [ "$(jq -cr 'select(.type == "decode") | .settings' out)" = self-tuned ]
    # of all of q4_0, too little of the budget may come to the one that is used
    apart "$KNEEPOINT" tune "$(jq -r 'select(.type == "decode") | .name' out)" --shape=64x256 --threads=1 --tokens=1 --budget=1 --out=table.json
    [ "$status" -eq 0 ]
    kept_quiet decode q4_0 $small --threads 1 --samples 6 --json --tuning=table.json # which has a distance for every matrix
    [ "$(jq -cr 'select(.type == "decode") | .settings' out)" != self-tuned ]
    kept_quiet decode --type=q4_0 --model bitnet-700m --threads 1 --samples 6 --json
    [ "$(jq -cr 'select(.type == "decode") | .settings' out)" = self-tuned ]
    kept_quiet decode --type=q4_0 --model bitnet-700m --threads 1 --samples 6 --json --tuning=none
    [ "$(jq -cr 'select(.type == "decode") | .settings' out)" = default ]
}

@test "decode --type --prefill: each matrix of a prompt with the GEMM of its own type" {
    format_or_skip q4_k
    kept_quiet decode --type=q4_k_m --model bitnet-700m --prefill 2 --threads 1 --samples 8 --results here
    grep -qE '^  q4_k +144 matrices, 0\.[0-9]+ GB: q4_k\.' out
    grep -qE '^  q6_k +25 matrices with the head, 0\.[0-9]+ GB: q6_k\.' out
    grep '^{"type":"prefill"' here/*/*/*/records.jsonl >pass
    [ "$(jq -r '[.model, .format, .head_format, .tokens, .distinct_layers] | join(" ")' pass)" = "bitnet-700m-q4_k_m q4_k q6_k 2 24" ]
    [ "$(jq -c '[.matrices[] | [.format, .matrices, .head, .supported]]' pass)" = '[["q4_k",144,false,true],["q6_k",25,true,true]]' ]
    [ "$(jq '.steps' pass)" -gt 24 ] # of both kinds of layers
}

@test "decode --schedule: what gemv refuses, and a team of one" {
    refuses "--schedule is static, weighted or dynamic, or several separated by commas, not 'guided'" decode --schedule=guided
    kernel_or_skip
    refuses "a schedule needs a team of two threads or more, and this team has one" decode --threads 1 --schedule=dynamic
    refuses "--weights=Q=1: no kind of core 'Q'; there are P, E and LP" decode --schedule=weighted --weights=Q=1
    [ "$(most_threads)" -ge 2 ] || skip "not on this machine: one CPU"
    refuses "--weights=LP=1 has no weight of this team's" decode --schedule=weighted --weights=LP=1 --threads 2
}

gemm_kernel() {
    "$KNEEPOINT" list kernels --json | grep '"runs":true' | grep '"gemm":true' | grep '"k_multiple":1,' |
        grep '"result":"int32"' | head -n 1 | sed 's/.*"name":"\([^"]*\)".*/\1/'
}

@test "decode --prefill: prompts, their parts and what they were" {
    kernel=$(gemm_kernel)
    [ -n "$kernel" ] || skip "not on this machine: no GEMM kernel of integers runs here"
    kept_quiet decode "$kernel" --model bitnet-700m --head same --layers 1 --prefill 3,1 --threads 1 --samples 12 --json
    grep '^{"type":"prefill"' out >kept && mv kept out
    [ "$(wc -l <out)" -eq 2 ]
    lines_have prefill name model head tokens context threads layers distinct_layers tokens_per_s time_s parts alpha layer_bytes \
        head_bytes cache_bytes joins steps distance layer_kernels kept_though_switched off_core predicted_s predicted_parts_s predicted_terms_s residual
    quantities_have tokens_per_s
    grep -q '"context":3,"tokens":3,' out
    grep -q '"layer_kernels":\[.*"prefill_attention\.' out
}

@test "decode --prefill: a table" {
    kernel=$(gemm_kernel)
    [ -n "$kernel" ] || skip "not on this machine: no GEMM kernel of integers runs here"
    kept_quiet decode "$kernel" --model bitnet-700m --head same --layers 1 --prefill 2 --threads 1 --samples 2 --results here
    grep -q '^a prompt into an empty cache, 1 thread' out
    grep -q "^$kernel " out
    grep -qE '^kernel .* model limit' out
    tr '\n' ' ' <out | grep -q 'Only the last token goes through the output head'
    run=$(sed -n 's/^saved: //p' out)
    grep -q '"type":"cell","name":"prefill/bitnet-700m/.*"pieces":\[' "$run/records.jsonl"
    grep -q '"type":"prefill","name":"'"$kernel" "$run/records.jsonl"
    "$KNEEPOINT" decode "$kernel" --model bitnet-700m --head same --layers 1 --prefill 2 --threads 1 --samples 2 --into "$run" >out
    [ "$(grep -c '"type":"samples","name":"prefill/bitnet-700m/' "$run/records.jsonl")" -ge 2 ]
}

@test "decode --prefill: what is no prompt" {
    refuses "--prefill takes numbers separated by commas, such as 16,512,2048, not '16,'" decode --prefill=16,
    refuses "--prefill=16,16: 16 is given twice" decode --prefill=16,16
    refuses "--prefill" decode --prefill=0
    refuses "it takes no --context" decode --prefill=16 --context 7
    refuses "it takes no --schedule" decode --prefill=16 --schedule=dynamic
    kernel=$(gemm_kernel)
    [ -z "$kernel" ] || refuses "GB more memory" decode "$kernel" --model bitnet-100b --prefill=65536
}

@test "decode --users: a token of each user, in all and of each" {
    kernel=$(gemm_kernel)
    [ -n "$kernel" ] || skip "not on this machine: no GEMM kernel of integers runs here"
    kept_quiet decode "$kernel" $small --users 4,1 --context 33 --threads 1 --samples 12 --json
    grep '^{"type":"decode"' out >kept && mv kept out
    lines_have decode name model head context cache threads layers distinct_layers tokens_per_s time_s parts alpha layer_bytes head_bytes \
        cache_bytes joins sync_s stamps stamp_s distance layer_kernels kept_though_switched off_core roof_fraction roof_bytes_per_s \
        users tokens_per_s_of_user predicted_s predicted_parts_s predicted_terms_s residual
    quantities_have tokens_per_s
    quantities_have tokens_per_s_of_user
    [ "$(jq -c '[.users, .context]' out | sort | tr '\n' ' ')" = "[1,33] [4,33] " ]
    jq -es 'sort_by(.users) | .[1].cache_bytes == 4 * .[0].cache_bytes' out
    jq -es 'map(select((.tokens_per_s.median / .users / .tokens_per_s_of_user.median - 1 | fabs) > 1e-6)) == []' out
    jq -es 'map(select(.distance > 0.001 or has("prefetch_bytes"))) == []' out
}

@test "decode --users: a table and a run, to which more is added" {
    kernel=$(gemm_kernel)
    [ -n "$kernel" ] || skip "not on this machine: no GEMM kernel of integers runs here"
    kept_quiet decode "$kernel" $small --users 2 --context 7,9 --threads 1 --samples 8 --results here
    grep -q '^one token of each of 2 users, after 6 and 8, 1 thread' out
    grep -qE '^kernel .* users .* token/s +/user ' out
    grep -qE "^pass .* users " out
    run=$(sed -n 's/^saved: //p' out)
    grep -q '"type":"samples","name":"decode/bitnet-700m/.*/c7/u2/t1"' "$run/records.jsonl"
    kept_quiet decode "$kernel" $small --users 2 --context 9 --threads 1 --samples 8 --into "$run"
    kernel_or_skip # which may have no GEMM
    kept_quiet decode "$kernel" $small --context 9,11 --threads 1 --samples 8 --into "$run"
    [ "$(jq -sc '[.[] | select(.type == "decode") | [.context, .users // 0]] | unique' "$run/records.jsonl")" = '[[7,2],[9,0],[9,2],[11,0]]' ]
    "$KNEEPOINT" figure context --run="$run" -o drawn >drawn.out
    [ "$(grep -cE '^[0-9]+ [0-9.]+ ' drawn/context.dat)" -eq 2 ] # batches are no tokens of one user
}

@test "decode --users: users of several lengths, in one pass" {
    kernel=$(gemm_kernel)
    [ -n "$kernel" ] || skip "not on this machine: no GEMM kernel of integers runs here"
    kept_quiet decode "$kernel" $small --users 3 --context 40,7+40 --threads 1 --samples 8 --results here
    grep -q '^one token of each of 3 users, after 6+39 and 39, 1 thread' out
    [ "$(sed '/^pass /,$d' out | grep -cE "^$kernel .* (40|7\+40) +3 ")" -eq 2 ]
    [ "$(sed '1,/^pass /d' out | grep -cE ' (40|7\+40) +3 +(ms|share %) ')" -eq 4 ]
    run=$(sed -n 's/^saved: //p' out)
    jq -c 'select(.type == "decode")' "$run/records.jsonl" >passes
    [ "$(jq -c '[.context, .contexts, .users]' passes | sort)" = $'[40,[7,40],3]\n[40,null,3]' ]
    # the keys and values that each reads: 7, 40 and 7 positions, or 40 of all
    jq -es 'map({key: (.contexts != null | tostring), value: .cache_bytes}) | from_entries | .true * 120 == .false * 54' passes
    jq -es 'map({key: (.contexts != null | tostring), value: .predicted_parts_s.attention}) | from_entries | .true < .false' passes
    jq -es 'all(.distance < 0.001 and .predicted_s != null)' passes
    grep -q '"type":"samples","name":"decode/bitnet-700m/.*/c7+40/u3/t1"' "$run/records.jsonl"
    samples() { jq -r 'select(.type == "samples").name' "$run/records.jsonl" | grep -c '/c7+40/u3/t1$'; }
    before=$(samples)
    kept_quiet decode "$kernel" $small --users 3 --context 7+40 --threads 1 --samples 8 --into "$run"
    [ "$(samples)" -gt "$before" ]
}

@test "decode: what takes more than a minute says so beforehand, and what makes it shorter" {
    kernel=$(gemm_kernel)
    [ -n "$kernel" ] || skip "not on this machine: no GEMM kernel of integers runs here"
    for options in "--users=512,1024 --context=8" --prefill=65536; do
        "$KNEEPOINT" decode "$kernel" $small $options --threads 1 >out 2>err 3>&- &
        until grep -q 'this takes' err || ! kill -0 $!; do sleep 0.1; done
        kill -INT $! || true
        wait $! || true
        grep -qE '^kneepoint decode: this takes about [0-9]+ minutes; fewer kernels or (users|tokens) [(]'"${options%%=*}"'[)] ' err
    done
}

@test "decode --users --type: each matrix with the GEMM of its own type" {
    format_or_skip q4_k
    kept_quiet decode --type=Q4_K_M --model bitnet-700m --users 2 --context 7 --threads 1 --samples 8 --json
    grep '^{"type":"decode"' out >pass
    [ "$(jq -r '[.model, .users, .distinct_layers] | join(" ")' pass)" = "bitnet-700m-q4_k_m 2 24" ]
    [ "$(jq -c '[.matrices[] | [.format, .matrices, .head, .supported]]' pass)" = '[["q4_k",144,false,true],["q6_k",25,true,true]]' ]
}

@test "decode --users: what is no number of users, and what it excludes" {
    refuses "--users takes a whole number from 1 to 1024, not '0'" decode --users=0
    refuses "--users takes a whole number from 1 to 1024, not '1025'" decode --users=1025
    refuses "--users takes a whole number from 1 to 1024, not 'many'" decode --users=many
    refuses "--users takes numbers separated by commas, such as 16,512,2048, not '4,'" decode --users=4,
    refuses "--users=4,4: 4 is given twice" decode --users=4,4
    refuses "--context=7+9 is for several users: add --users=2 or more" decode --context=16,7+9
    refuses "--context=7+9+7 is for several users: add --users=3 or more" decode --users=8,2 --context=7+9+7
    refuses "--context=7+9,7+9: 7+9 is given twice" decode --users=4 --context=7+9,7+9
    refuses "--context takes a whole number from 1 to 1048576, not '0'" decode --users=4 --context=7+0
    refuses "--context takes at most 8 numbers with + between them" decode --users=9 --context=1+2+3+4+5+6+7+8+9
    refuses "or by + for users who differ, not '7+,9'" decode --users=4 --context=7+,9
    refuses "it takes no --context" decode --prefill=16 --context 7+9
    refuses "--prefill runs prompts and --users decodes one token of each user; choose one" decode --users=4 --prefill=16
    refuses "--users shares its GEMMs equally: it takes no --schedule and no --slow-member" decode --users=4 --schedule=dynamic
    refuses "--users runs GEMMs with the kernels' own settings: it takes no --tuning" decode --users=4 --tuning=none
    kernel=$(gemm_kernel)
    [ -z "$kernel" ] || refuses "decoding bitnet-100b with $kernel for 1024 users, each over 1048576 positions needs" \
        decode "$kernel" --model bitnet-100b --users=1024 --context 1048576
    [ -z "$kernel" ] || refuses "choose fewer users (--users), fewer positions (--context) or a smaller model" \
        decode "$kernel" --model bitnet-700m --users=1024 --context 1048576
}
