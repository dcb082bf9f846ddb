#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause

setup() {
    kneepoint=${KNEEPOINT:-build/kneepoint-steady}
}

# Exit 2, nothing on standard output, and a complaint that mentions the words.
refuses() {
    local words=$1
    shift
    local status=0
    "$kneepoint" predict "$@" >"$BATS_TEST_TMPDIR/out" 2>"$BATS_TEST_TMPDIR/err" || status=$?
    cat "$BATS_TEST_TMPDIR/err"
    [ "$status" -eq 2 ]
    [ ! -s "$BATS_TEST_TMPDIR/out" ]
    head -n 1 "$BATS_TEST_TMPDIR/err" | grep -qF -- "$words"
}

@test "predict: all known platforms by default, with the bandwidths of the paper in GiB/s" {
    run "$kneepoint" predict
    [ "$status" -eq 0 ]
    [[ $output == *"(arl)"* && $output == *"(arlh)"* && $output == *"(lnl)"* ]]
    grep -qE '^int1_vnni4\.envelope .* 59\.0 +54\.9 ' <<<"$output"
    grep -qE '^int1_vnni4\.envelope .* 39\.9 +37\.2 ' <<<"$output"
    [[ $output != *$'\033'* ]]
}

@test "predict: a shape adds seconds, with and without overlap" {
    run "$kneepoint" predict --platform arl --kernel int2_vnni4.envelope --shape 1600x1600
    [ "$status" -eq 0 ]
    grep -qE ' 640000 +7\.08 +8\.39 +-$' <<<"$output"
}

@test "predict: --json writes one prediction record a line" {
    run "$kneepoint" predict --json --shape 64x64
    [ "$status" -eq 0 ]
    [ "${#lines[@]}" -eq 14 ] # two kernels on three CPUs, four on two GPUs
    for line in "${lines[@]}"; do
        [[ $line == '{"type":"prediction","name":"'*'}' || $line == '{"type":"gpu_prediction","name":"'*'}' ]]
        [[ $line == *'"predicted_s":'* ]]
    done
}

# [envelope, IV-C]: 6 us and a launch of 2 us; up to 47 TFLOPS with the scales by a kernel of their own.
@test "predict: a GPU by its bandwidth, matrix units and launches" {
    run "$kneepoint" predict --platform arc-140v --shape 1600x1600
    [ "$status" -eq 0 ]
    [[ $output == *"matrix units at least 53 Tops/s of 8-bit integers; launch 2.0 us"* ]]
    grep -qE '^int2_bf16\.fused +2 +174\.8 +8\.21 +- +78\.0 +0\.62 memory$' <<<"$output"
    run "$kneepoint" predict --platform ARC-140V --kernel INT2_BF16.separate --shape 4096x4096 --tokens 1024
    grep -qE '^int2_bf16\.separate .* 46\.89 matrix units$' <<<"$output"
    [[ $output != *fused* ]]
    run "$kneepoint" predict --platform arc-140v --kernel bf16 --shape 4096x4096 --tokens 2
    [[ $output == *"no peak of such weights is stated"* ]]
}

@test "predict: of a GPU whose read bandwidth is only a limit, the roof and what was attained" {
    run "$kneepoint" predict --platform b580 --shape 14336x4096
    [ "$status" -eq 0 ]
    [[ $output == *"bandwidth 456.0 GB/s by its data sheet, at least 380.0 read;"*"launch not stated, counted as 0"* ]]
    grep -qE '^int2_bf16\.fused +2 +[0-9.]+ +32\.27 +38\.73 +454\.9 ' <<<"$output"
    run "$kneepoint" predict --platform b580 --shape 14336x4096 --json
    [ "${#lines[@]}" -eq 4 ]
    [[ ${lines[0]} == '{"type":"gpu_prediction","name":"b580/int2_bf16.fused",'*'"launch_s":null,'* ]]
    [[ ${lines[0]} == *'"predicted_attained_s":'* && ${lines[0]} == *'"binds":"memory"}' ]]
}

@test "predict: several platforms, in the order given, or none of them" {
    run "$kneepoint" predict --platform=b580,arl
    [ "$status" -eq 0 ]
    [[ $output == *"(b580)"*"(arl)"* ]]
    refuses "unknown platform 'vax'" --platform=b580,vax
    refuses "unknown platform ''" --platform=b580,
}

@test "predict: what fits cores alone is refused for a GPU, and the other way round" {
    refuses "--threads chooses cores, and b580 is a GPU" --platform b580 --threads 2
    refuses "no kernel 'int2_vnni4.envelope' on a GPU; there are int2_bf16.fused, int2_bf16.separate, int8, bf16" \
        --platform b580 --kernel int2_vnni4.envelope
    refuses "--tokens is for GPUs" --platform arl --tokens 16 --shape 64x64
    refuses "--tokens needs --shape=MxK" --platform b580 --tokens 16
    refuses "--tokens" --platform b580 --shape 64x64 --tokens 0
    run "$kneepoint" predict --tokens 4 --shape 64x64
    [[ $status -eq 0 && $output == *b580* && $output != *"(arl)"* ]]
    run "$kneepoint" predict --threads 4
    [[ $status -eq 0 && $output == *"(arl)"* && $output != *"(b580)"* ]]
}

@test "predict: a platform file" {
    cat >"$BATS_TEST_TMPDIR/host.json" <<'JSON'
{"kneepoint_platform": 1, "name": "host", "read_bandwidth": {"value": 12, "unit": "GB/s"}, "kinds": [{"kind": "P",
 "cores": 2, "clock": {"value": 3, "unit": "GHz"}, "gamma": {"q.mask.avx2": {"value": 8, "unit": "cycles", "bits": 2}}}]}
JSON
    run "$kneepoint" predict -p "$BATS_TEST_TMPDIR/host.json" -k Q.MASK
    [ "$status" -eq 0 ]
    grep -qE '^q\.mask .* up-convert +6\.0 ' <<<"$output"
    echo '{"kneepoint_platform": 1,' >"$BATS_TEST_TMPDIR/host.json"
    refuses "host.json: line " -p "$BATS_TEST_TMPDIR/host.json"
}

@test "predict: omega of a platform file, or max and so named" {
    cat >"$BATS_TEST_TMPDIR/host.json" <<'JSON'
{"kneepoint_platform": 1, "name": "host", "read_bandwidth": {"value": 24, "unit": "GB/s"}, "kinds": [{"kind": "P",
 "cores": 2, "clock": {"value": 3, "unit": "GHz"}, "gamma": {"q.mask.avx2": {"value": 1, "unit": "cycles", "bits": 2},
 "q.other.avx2": {"value": 1, "unit": "cycles", "bits": 2}}, "kernels": {"q.mask.avx2": {"bits": 2,
 "gamma": {"value": 1, "unit": "cycles"}, "omega": {"value": 0.5, "unit": "1", "low": 0.25, "high": 0.75}}}}]}
JSON
    run "$kneepoint" predict -p "$BATS_TEST_TMPDIR/host.json" -s 1600x1600
    [ "$status" -eq 0 ]
    grep -qE '^q\.mask\.avx2 .* 0\.50 \[0\.25, 0\.75\] +19\.2 +640000 .* 33\.33$' <<<"$output"
    grep -qE '^q\.other\.avx2 .* - +- +640000 .* -$' <<<"$output"
    [[ $output == *"Without an omega the model is max"* ]]
    sed -i 's/"high": 0.75/"high": 0.3/' "$BATS_TEST_TMPDIR/host.json"
    refuses "kinds[0].kernels.q.mask.avx2.omega.value is 0.5, which is not between low and high" -p "$BATS_TEST_TMPDIR/host.json"
}

@test "predict: wrong input is refused in one line with exit 2" {
    refuses "known: a100, arc-140v, arl, arlh, b580," --platform vax
    refuses "cannot read the platform file" --platform /absent/host.json
    refuses "it has: int2_vnni4.envelope, int1_vnni4.envelope" --kernel int8_vnni4.envelope
    refuses "MxK such as 4096x4096, not '33'" --shape 33
    refuses "more cores than arlh has" --threads 20
    refuses "bad threads" --threads X=1
    refuses "unexpected argument" something
    refuses "unrecognized option" --bogus
}

@test "predict: a machine of which no gamma is known is refused with those that have one" {
    for name in a100 h800 i5-13400f i7-13700h m2-ultra rtx-2080 rtx-3090 rtx-4090; do
        refuses "$name cannot be predicted: no gamma, clock or number of cores is stated; these can: arl, arlh, lnl" --platform $name
    done
    refuses "graviton3 cannot be predicted: no gamma is stated; these can: arl, arlh, lnl" --platform graviton3 --json
}

@test "predict: without --platform, what cannot be predicted is named at the end, and left out of JSON" {
    run "$kneepoint" predict
    [ "$status" -eq 0 ]
    [[ ${lines[-1]} == "Nothing to predict, because neither gamma nor matrix units are known: a100, graviton2,"* ]]
    run "$kneepoint" predict --json
    [[ $output != *a100* ]]
}

# 1600x1600 with 2 bits: of arl, which states its synchronisation, and of two that do not.
@test "predict: says what figure envelope_5_7 draws, synchronisation included" {
    command -v gnuplot >/dev/null || skip "not on this machine: no gnuplot"
    mkdir "$BATS_TEST_TMPDIR/empty"
    "$kneepoint" figure envelope_5_7 --results "$BATS_TEST_TMPDIR/empty" -o "$BATS_TEST_TMPDIR"
    drawn=$(awk '/1600×1600, 2-bit:/ { printf "%.1f ", $2 }' "$BATS_TEST_TMPDIR/envelope_5_7.dat")
    for name in arl arlh lnl; do
        "$kneepoint" predict --platform $name --kernel int2_vnni4.envelope --shape 1600x1600 --json >>"$BATS_TEST_TMPDIR/predicted"
    done
    predicted=$(python3 -c 'import json, sys
for line in open(sys.argv[1]):
    it = json.loads(line)
    print("%.1f" % (it["packed_bytes"] / it["predicted_s"] / 1e9), end=" ")' "$BATS_TEST_TMPDIR/predicted")
    echo "drawn $drawn, predicted $predicted"
    [ "$(wc -w <<<"$drawn")" -eq 3 ]
    [ "$drawn" = "$predicted" ]
}

@test "predict: a full device is reported" {
    [ -c /dev/full ] || skip "not on this machine: no /dev/full"
    run bash -c '"$1" predict --json >/dev/full' _ "$kneepoint"
    [ "$status" -eq 2 ]
    [[ $output == *"cannot write"* ]]
}

@test "predict: --help exits 0" {
    run "$kneepoint" predict --help
    [ "$status" -eq 0 ]
    [[ $output == *"--platform"* ]]
}
