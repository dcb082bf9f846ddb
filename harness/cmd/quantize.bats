#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause

load measuring

# npy FILE DESCR SHAPE ORDER BYTES: a .npy file, version 1, whose numbers are so many zero bytes, or the standard input with "-".
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
    grep -q '^bits: of a weight' out
}

@test "quantize: a .npy file, of which nothing is lost where a format has its weights" {
    # 1.0 as 32-bit floats, 2 x 256
    yes "$(printf '\\0\\0\\200\\077')" | head -n 512 | tr -d '\n' | xargs -0 printf >ones
    npy ones.npy '<f4' '(2, 256)' False - <ones
    kept_quiet quantize --weights=ones.npy --json q8_0
    grep -q '"weights":"ones.npy","bits":8.5,"weighted_error":[0-9.]*e-' out
    npy zeros.npy '<f2' '(2, 256)' False 1024
    refuses "zeros.npy: q8_0: all weights are zero" quantize --weights=zeros.npy q8_0
}

@test "quantize: what is no matrix is refused in a line that says why" {
    refuses "none.npy cannot be read: No such file" quantize --weights=none.npy
    echo text >text.npy
    refuses "text.npy is no .npy file" quantize --weights=text.npy
    npy short.npy '<f4' '(2, 256)' False 100
    refuses "short.npy ends before the last of its weights" quantize --weights=short.npy
    npy integers.npy '<i4' '(2, 256)' False 2048
    refuses "integers.npy has no little-endian floats" quantize --weights=integers.npy
    npy fortran.npy '<f4' '(2, 256)' True 2048
    refuses "fortran.npy is in Fortran order" quantize --weights=fortran.npy
    npy flat.npy '<f4' '(256,)' False 1024
    refuses "flat.npy has not two dimensions" quantize --weights=flat.npy
    npy deep.npy '<f4' '(2, 2, 256)' False 4096
    refuses "deep.npy has not two dimensions" quantize --weights=deep.npy
    npy narrow.npy '<f4' '(2, 48)' False 384
    refuses "narrow.npy: q2_k: " quantize --weights=narrow.npy q2_k
    refuses "no format 'q9' that quantizes" quantize q9
    refuses "no format 'int2_planes' that quantizes" quantize int2_planes
    refuses "--values takes a whole number from 2 to 8" quantize --values=9
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
}

@test "quantize --codebooks: those of the formats are what the command in them finds" {
    file=$BATS_TEST_DIRNAME/../../micro/kernels/cb2_4/codebooks.inc
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
    grep -qE '^student +w2a2 +4096 f16  *none: an output is beyond the numbers of f16$' out
    grep -qE '^student +w2a2 +4096 f32 +[0-9.]+e' out
    kept_quiet quantize --bipolar --weights=student w2a2 --json
    grep -q '"arithmetic":"f16","output_error_before":null,.*"reason":"an output is beyond the numbers of f16"' out
    refuses "--bipolar takes bits from w2a2 to w8a8, not 'w1a2'" quantize --bipolar w1a2
    refuses "laplace: w2a2: its 4096 columns are no whole groups of 100" quantize --bipolar --weights=laplace --group=100
    refuses "--bipolar is alone" quantize --group=128
}
