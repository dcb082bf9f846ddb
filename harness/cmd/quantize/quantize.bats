#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause

load ../measuring

# npy FILE DESCR SHAPE ORDER BYTES: a .npy file, version 1, whose numbers are this many zero bytes, or the standard input with "-".
npy() {
    local header="{'descr': '$2', 'fortran_order': $4, 'shape': $3, }"
    printf '\223NUMPY\001\000' >"$1"
    printf "\\x$(printf %02x $((${#header} + 1)))\\000" >>"$1"
    printf '%s\n' "$header" >>"$1"
    if [ "$5" = - ]; then cat >>"$1"; else head -c "$5" /dev/zero >>"$1"; fi
}

# error OF FORMAT: the weighted error of a format in file out, times 10^6
error() {
    sed -n "s/.*\"format\":\"$1\".*\"weights\":\"$2\".*\"weighted_error\":\([0-9.e-]*\).*/\1/p" out | awk '{ printf "%.0f\n", $1 * 1e6 }'
}

@test "quantize: codebooks lose less than Q2_K in fewer bits, on what they were found for and on each kind" {
    kept_quiet quantize --json --seed=77 q2_k cb2_4 cb2_16
    lines_have quantized format weights bits weighted_error output_error db_per_bit
    [ "$(wc -l <out)" -eq 12 ]
    for kind in gaussian student laplace outliers; do
        [ "$(error cb2_4 $kind)" -lt "$(error q2_k $kind)" ]
        [ "$(error cb2_16 $kind)" -lt "$(error cb2_4 $kind)" ]
    done
    [ "$(grep -c '"format":"cb2_4".*"bits":2.5625' out)" -eq 4 ]
}

@test "quantize: a table, one row a format and matrix" {
    kept_quiet quantize --weights=laplace q4_0 iq4_nl
    grep -qE '^weights +format +bits +weighted error +output error +dB/bit$' out
    [ "$(grep -cE '^laplace +(q4_0|iq4_nl) +4\.500 +[0-9.]+e-[0-9]+ +[0-9.]+e-[0-9]+ +[0-9.]+$' out)" -eq 2 ]
    grep -q '^bits: per weight' out
}

@test "quantize: a .npy file, of which nothing is lost where a format has its weights" {
    # 1.0 as 32-bit floats, 2 x 256
    yes "$(printf '\\0\\0\\200\\077')" | head -n 512 | tr -d '\n' | xargs -0 printf >ones
    npy ones.npy '<f4' '(2, 256)' False - <ones
    kept_quiet quantize --weights=ones.npy --json q8_0
    grep -q '"weights":"ones.npy","bits":8.5,"weighted_error":[0-9.]*e-' out
    npy zeros.npy '<f2' '(2, 256)' False 1024
    refuses "zeros.npy: q8_0: all weights are zero" quantize --weights=zeros.npy q8_0
    # -8 and 0, which are codes of q4_0; 2^127, whose scale has no binary16
    for i in $(seq 256); do printf '\0\0\0\301\0\0\0\0'; done | npy exact.npy '<f4' '(2, 256)' False -
    kept_quiet quantize --weights=exact.npy --json q4_0
    grep -q '"weighted_error":0.0,"output_error":0.0,"db_per_bit":null}' out
    for i in $(seq 512); do printf '\0\0\0\177'; done | npy large.npy '<f4' '(2, 256)' False -
    refuses "large.npy: q4_0: weights or activations are too large" quantize --weights=large.npy q4_0
    refuses "large.npy: weights of 65504 and more" quantize --mixed --weights=large.npy
}

@test "quantize: what is no matrix is refused in a line that says why" {
    refuses "none.npy cannot be read: No such file" quantize --weights=none.npy
    echo text >text.npy
    refuses "text.npy is not a .npy file" quantize --weights=text.npy
    npy short.npy '<f4' '(2, 256)' False 100
    refuses "short.npy ends before the last of its numbers" quantize --weights=short.npy
    npy integers.npy '<i4' '(2, 256)' False 2048
    refuses "integers.npy has no little-endian floats" quantize --weights=integers.npy
    npy fortran.npy '<f4' '(2, 256)' True 2048
    refuses "fortran.npy is in Fortran order" quantize --weights=fortran.npy
    npy flat.npy '<f4' '(256,)' False 1024
    refuses "flat.npy does not have two dimensions" quantize --weights=flat.npy
    npy deep.npy '<f4' '(2, 2, 256)' False 4096
    refuses "deep.npy does not have two dimensions" quantize --weights=deep.npy
    npy narrow.npy '<f4' '(2, 48)' False 384
    refuses "narrow.npy: q2_k: " quantize --weights=narrow.npy q2_k
    refuses "no format 'q9' can be quantized to" quantize q9
    refuses "did you mean 'q4_0'?" quantize q4_0x
    refuses "no format 'int2_planes' can be quantized to" quantize int2_planes
    refuses "--values takes a whole number from 2 to 16" quantize --values=17
}

# gguf FILE ITEM...: a model file of random weights
gguf() {
    python3 "$BATS_TEST_DIRNAME/../../gguf/fixtures/write_gguf" "$@"
}

@test "quantize --gguf: every quantizer on each matrix and in all, by ascending bits" {
    gguf m.gguf random=3 tiny=1,F16
    kept_quiet quantize --gguf=m.gguf --tensor='blk.0.attn_[qk]*'
    grep -qE '^weights +type +rows +format +bits +weighted error +output error +dB/bit$' out
    for format in w2 w4 w8 cb2_4 cb2_16 cb3 mixed24 mixed24_o05 q2_k q4_0 q4_k iq4_nl mxfp4 tq2_0; do
        [ "$(grep -cE "^blk.0.attn_q.weight +F16 +64/256 +$format +[0-9.]+ +[0-9.]+e-[0-9]+ " out)" -eq 1 ]
        [ "$(grep -cE "^in all blk.0.attn_\[qk\]\* +- +$format +[0-9.]+ +[0-9.]+e-[0-9]+ " out)" -eq 1 ]
    done
    ! grep -qE ' (q4_0_8x8|q2_k_m16|f16|tl1) ' out
    awk '$1 == "blk.0.attn_q.weight" { if ($5 < last) exit 1; last = $5 }' out
    grep -q 'errors are of quantizing a second time' out
    # all rows of a file whose blocks have one scale, so that integers with a scale a row lose nothing
    gguf q.gguf random=3 tiny=1,Q4_0
    kept_quiet quantize --gguf=q.gguf --tensor='blk.0.attn_*' --rows=0 --json q4_0 q8_0 w4
    lines_have quantized format weights bits weighted_error output_error db_per_bit
    [ "$(grep -c '"tensor_type":"Q4_0","rows":256,"rows_of":256' out)" -eq 6 ] # of q and output
    [ "$(grep -c '"weights":"in all blk.0.attn_\*".*"tensors":4' out)" -eq 3 ]
    [ "$(error q8_0 blk.0.attn_q.weight)" -lt "$(error q4_0 blk.0.attn_q.weight)" ]
    [ "$(error w4 blk.0.attn_q.weight)" -eq 0 ]
}

@test "quantize --gguf: what formats do not take is said in their rows, what is no matrix in a line" {
    gguf m.gguf random=3 A@F16@96x32 B@F16@256x64 norm@F32@256 few@F16@256x8 other@IQ4_XS@256x64 deep@F16@256x64x2
    "$KNEEPOINT" quantize --gguf=m.gguf q2_k q4_0 >out 2>err
    grep -qF 'kneepoint quantize: 4 tensors are left out: norm has 1 dimension, and a matrix has two, …' err
    grep -qE '^A +F16 +32 +q2_k +[0-9.]+ +- +- +- +none: ' out
    grep -qE '^in all +- +q2_k .* of 1 of 2 tensors$' out
    grep -qE '^in all +- +q4_0 +4.500 +[0-9.]+e-[0-9]+ ' out
    refuses "m.gguf: norm has 1 dimension, and a matrix has two; \`kneepoint model m.gguf\` lists its matrices" quantize --gguf=m.gguf --tensor=norm
    refuses "m.gguf: few has 8 rows, and 16 are the least" quantize --gguf=m.gguf --tensor=few
    refuses "m.gguf: other is of type IQ4_XS, whose weights cannot be read here" quantize --gguf=m.gguf --tensor=other
    refuses "m.gguf: deep has 3 dimensions" quantize --gguf=m.gguf --tensor=deep
    refuses "m.gguf: no tensor of its 6 is named like 'blk*'; \`kneepoint model m.gguf\` lists them" quantize --gguf=m.gguf --tensor='blk*'
    head -c 1000 m.gguf >short.gguf
    refuses "short.gguf: tensor 1 'B', offset at byte " quantize --gguf=short.gguf
    refuses "none.gguf: No such file" quantize --gguf=none.gguf
    refuses "--tensor and --rows need --gguf=FILE" quantize --tensor=A
    refuses "--gguf takes no --weights and no --mixed" quantize --gguf=m.gguf --mixed
    refuses "--gguf takes no --weights and no --mixed" quantize --gguf=m.gguf --weights=laplace
    refuses "cannot write /nowhere/books" quantize --gguf=m.gguf --tensor=B --codebooks=/nowhere/books
}

@test "quantize --gguf: codebooks of 16 values for a file, and its matrices as bipolar integers" {
    gguf m.gguf random=3 tiny=1,Q4_K
    kept_quiet quantize --gguf=m.gguf --tensor='blk.*' --books=8 --values=16 --codebooks=found.inc
    grep -qE '^8 codebooks of 16 values from [0-9]+ groups: ' out
    grep -qF ' *     kneepoint quantize --gguf=m.gguf --tensor=blk.* --books=8 --values=16 --seed=1 --codebooks=FILE' found.inc
    [ "$(grep -cE '^\{(-?[0-9]+, ){15}-?[0-9]+\},$' found.inc)" -eq 8 ]
    kept_quiet quantize --gguf=m.gguf --tensor='blk.0.attn_[qk]*' --bipolar w4a4
    [ "$(grep -cE '^blk.0.attn_[qk].weight +w4a4 +256 +f(16|32) ' out)" -eq 4 ]
}

@test "quantize --codebooks: a file that says what found it, the same for the same seed" {
    kept_quiet quantize --weights=gaussian --books=2 --values=4 --codebooks=found.inc
    grep -qE '^2 codebooks of 4 values from 65536 groups: mean squared error of a value [0-9.]+, first [0-9.]+$' out
    grep -qF ' *     kneepoint quantize --weights=gaussian --books=2 --values=4 --seed=1 --codebooks=FILE' found.inc
    [ "$(grep -cE '^\{(-?[0-9]+, ){3}-?[0-9]+\},$' found.inc)" -eq 2 ]
    kept_quiet quantize --weights=gaussian --books=2 --values=4 --codebooks=again.inc --json
    lines_have codebooks weights groups seed codebooks mean_squared_error
    cmp found.inc again.inc
    refuses "cannot write none/found.inc" quantize --weights=gaussian --books=1 --codebooks=none/found.inc
    refuses "--codebooks takes no format" quantize --codebooks=x.inc q4_0
    refuses "--books and --values need --codebooks" quantize --books=2
    refuses "--books and --values need --codebooks" quantize --mixed --values=4
}

@test "quantize --codebooks: those of the formats are what the command in them finds" {
    file=$BATS_TEST_DIRNAME/../../../micro/formats/cb2_4/codebooks.inc
    command=$(sed -n 's/^ \*     kneepoint \(quantize .*\)--codebooks=FILE$/\1/p' "$file")
    [ -n "$command" ]
    # shellcheck disable=SC2086
    kept_quiet $command --codebooks=found.inc
    diff <(grep '^{' "$file") <(grep '^{' found.inc)
}

@test "quantize --bipolar: what the conversion changes, in f16 and f32" {
    kept_quiet quantize --bipolar --weights=laplace --group=128 --json
    lines_have bipolar weights weight_bits activation_bits group arithmetic output_error_before output_error_after \
        relative_difference equal largest_ulp largest_ulp_of_largest
    [ "$(wc -l <out)" -eq 6 ]
    kept_quiet quantize --bipolar --weights=laplace w3a8
    [ "$(grep -cE '^laplace +w3a8 +4096 f(16|32) +[0-9.]+e[-+][0-9]+ +[0-9.]+e[-+][0-9]+ +[0-9.]+e-[0-9]+ +[0-9.]+% ' out)" -eq 2 ]
    kept_quiet quantize --bipolar --weights=student # with f16 having no number for sums of rows so long
    [ "$(grep -cE '^student +w[246]a[246] +4096 f(16|32) ' out)" -eq 6 ]
    grep -qE '^student +w2a2 +4096 f16 .* none: an output is beyond the numbers of f16$' out
    grep -qE '^student +w2a2 +4096 f32 +[0-9.]+e' out
    kept_quiet quantize --bipolar --weights=student w2a2 --json
    grep -q '"arithmetic":"f16","output_error_before":null,.*"reason":"an output is beyond the numbers of f16"' out
    refuses "--bipolar takes bits from w2a2 to w8a8, not 'w1a2'" quantize --bipolar w1a2
    refuses "laplace: w2a2: its 4096 columns are no multiple of the group size 100" quantize --bipolar --weights=laplace --group=100
    refuses "--bipolar goes only with" quantize --group=128
}

# mixed_error METHOD FOUR_BIT OUTLIERS [SPREAD]: the output error of the first such record in file out, times 10^6
mixed_error() {
    sed -n "s|.*\"name\":\"mixed/$WEIGHTS/$1/$2/$3${4:+/$4}\",.*\"output_error\":\([0-9.e-]*\).*|\1|p" out |
        awk 'NR == 1 { printf "%.0f\n", $1 * 1e6 }'
}

@test "quantize --mixed: errors fall with 4-bit groups and outliers, and layers that are alike gain most mixed within" {
    kept_quiet quantize --mixed --json
    lines_have mixed weights method four_bit outliers outliers_of error_feedback layers bits weighted_error output_error \
        db_per_bit
    jq -es 'map(select(if .weights == "stack" then has("ranges") else .ranges[-1] != {"share": 1, "rows": .ranges[-1].rows,
        "columns": .ranges[-1].columns} or .ranges[-1].rows < .ranges[0].rows end)) == []' out
    jq -es '(.[] | select(.name == "mixed/outliers/within/0/0") | .ranges[-1].columns) > 2' out # every fourth group has a large column
    [ "$(wc -l <out)" -eq $((4 * 9 + 2 * 4 * 3)) ]
    [ "$(sed 's/.*"name":"\([^"]*\)".*/\1/' out | sort -u | wc -l)" -eq "$(wc -l <out)" ]
    for WEIGHTS in gaussian student laplace outliers; do
        [ "$(mixed_error within 0 0)" -gt "$(mixed_error within 0.1 0)" ]
        [ "$(mixed_error within 0.1 0)" -gt "$(mixed_error within 0.25 0)" ]
        [ "$(mixed_error within 0.25 0)" -gt "$(mixed_error within 0.25 0.002)" ]
        [ "$(mixed_error within 0.25 0.002)" -gt "$(mixed_error within 0.25 0.005)" ]
        [ "$(mixed_error within 0.25 0.005)" -gt "$(mixed_error within 1 0)" ]
        [ "$(mixed_error within 0.25 0.005 2-bit-largest)" -ge "$(mixed_error within 0.25 0.005)" ]
    done
    WEIGHTS=stack
    for share in 0.1 0.25; do
        [ "$(mixed_error within $share 0 0)" -lt "$(mixed_error best_layers $share 0 0)" ]
        [ "$(mixed_error best_layers $share 0 0)" -le "$(mixed_error first_layers $share 0 0)" ]
    done
    [ "$(grep -c '"four_bit":0.25,"outliers":0.0,.*"bits":2.84375,' out)" -ge 4 ]
    grep -q '"weights":"stack","method":"first_layers",.*"layers":20,.*"spread":0.25}' out
}

@test "quantize --mixed: a matrix and activations of files, one variant" {
    # 16 x 64 floats of two values, and 24 tokens of 64 columns, one of them always zero
    for i in $(seq 512); do printf '\0\0\200\077\0\0\200\276'; done | npy w.npy '<f4' '(16, 64)' False -
    for i in $(seq 24); do
        for j in $(seq 31); do printf '\0\0\200\077\0\0\0\100'; done
        printf '\0\0\0\0\0\0\200\077'
    done | npy x.npy '<f4' '(24, 64)' False -
    kept_quiet quantize --mixed --weights=w.npy --calibration=x.npy --four-bit=25 --outliers=0.5 --error-feedback
    grep -qE '^weights +4-bit +outliers +outliers of +method +spread +bits +weighted error +output error +dB/bit$' out
    grep -qE '^w\.npy +25% +0\.5% 2-bit groups +- +- +3\.[0-9]+ +[0-9.]+e-[0-9]+ ' out
    kept_quiet quantize --mixed --weights=w.npy --four-bit=100 --json # activations are drawn
    [ "$(wc -l <out)" -eq 1 ]
    grep -q '"weights":"w.npy","method":"within","four_bit":1.0,"outliers":0.0,"outliers_of":"2-bit groups","error_feedback":false' out
    kept_quiet quantize --mixed --weights=laplace --calibration=x.npy --outliers-from=all --json
    grep -q '"weights":"laplace",.*"outliers_of":"all groups"' out
}

@test "quantize --mixed --into: the records are added to a run, whose figure they are" {
    mkdir run
    echo '{"kneepoint":"0.1.0"}' >run/meta.json
    echo '{"type":"machine","name":"here"}' >run/records.jsonl
    kept_quiet quantize --mixed --weights=gaussian --four-bit=25 --into=run
    grep -qE '^gaussian +25% ' out
    [ "$(wc -l <run/records.jsonl)" -eq 2 ]
    tail -n 1 run/records.jsonl | grep -q '^{"type":"mixed","name":"mixed/gaussian/within/0.25/0",'
    kept_quiet quantize --mixed --weights=stack --json --into=run
    [ "$(wc -l <out)" -eq 24 ]
    tail -n 24 run/records.jsonl | cmp - out
    "$KNEEPOINT" figure mixed_4 --run=run -o drawn >drawn.out
    grep -q '^# gaussian: ' drawn/mixed_4.dat
    refuses "nowhere" quantize --mixed --weights=gaussian --into=nowhere
    refuses "--into need --mixed" quantize --into=run q4_0
}

@test "quantize --mixed: what does not go together is refused in a line that says why" {
    npy w.npy '<f4' '(4, 64)' False - < <(for i in $(seq 256); do printf '\0\0\200\077'; done)
    npy zeros.npy '<f4' '(4, 64)' False 1024
    npy narrow.npy '<f4' '(4, 48)' False - < <(for i in $(seq 192); do printf '\0\0\200\077'; done)
    npy odd.npy '<f4' '(4, 40)' False - < <(for i in $(seq 160); do printf '\0\0\200\077'; done)
    npy one.npy '<f4' '(1, 64)' False - < <(for i in $(seq 64); do printf '\0\0\200\077'; done)
    npy nan.npy '<f4' '(1, 64)' False - < <(for i in $(seq 64); do printf '\0\0\300\177'; done)
    npy empty.npy '<f4' '(4, 0)' False 0
    : >nothing.npy
    refuses "narrow.npy has activations of 48 columns, w.npy has 64" quantize --mixed --weights=w.npy --calibration=narrow.npy
    refuses "odd.npy: 40 columns are no multiple of 16" quantize --mixed --weights=odd.npy
    refuses "odd.npy: 40 columns" quantize --mixed --calibration=odd.npy
    refuses "zeros.npy calibrates nothing" quantize --mixed --weights=w.npy --calibration=zeros.npy
    refuses "one.npy calibrates nothing" quantize --mixed --weights=w.npy --calibration=one.npy
    refuses "nan.npy has numbers that are not finite" quantize --mixed --weights=w.npy --calibration=nan.npy
    refuses "empty.npy has no numbers" quantize --mixed --weights=w.npy --calibration=empty.npy
    refuses "nothing.npy is not a .npy file" quantize --mixed --weights=w.npy --calibration=nothing.npy
    refuses "none.npy cannot be read" quantize --mixed --weights=w.npy --calibration=none.npy
    refuses "zeros.npy: all weights are zero" quantize --mixed --weights=zeros.npy --calibration=w.npy
    refuses "--weights=stack draws activations" quantize --mixed --weights=stack --calibration=w.npy
    refuses "stack cannot be read" quantize --weights=stack
    refuses "--four-bit takes a number from 0 to 100" quantize --mixed --four-bit=101
    refuses "--outliers takes a number from 0 to 10" quantize --mixed --outliers=x
    refuses "--outliers-from is 2-bit, 2-bit-largest, all or largest, not 'some'" quantize --mixed --outliers-from=some
    refuses "need --mixed" quantize --error-feedback
    refuses "--mixed takes no format" quantize --mixed q4_0
    refuses "--bipolar goes only with" quantize --mixed --bipolar
}
