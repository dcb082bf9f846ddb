#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# `beta`, `gamma`, `gemv` and `gemm --device`: what fails, with a loader of our own (harness/cells/device_roof/fixtures), and all roofs and kernels, with PoCL.

setup_file() {
    local root=$BATS_TEST_DIRNAME/../..
    ! command -v cc >/dev/null || cc -shared -fPIC -O1 -w -I"$root" -o "$BATS_FILE_TMPDIR/libOpenCL.so.1" \
        "$root/harness/cells/device_roof/fixtures/fake_opencl.c"
}

setup() {
    KNEEPOINT=${KNEEPOINT:-$BATS_TEST_DIRNAME/../../build/kneepoint-steady}
    cd "$BATS_TEST_TMPDIR"
    mkdir temporary
    export TMPDIR=$PWD/temporary
    [[ $KNEEPOINT = *-steady ]] || skip "not on this machine: only the tool with stand-ins takes another loader"
    [ -e "$BATS_FILE_TMPDIR/libOpenCL.so.1" ] || skip "not on this machine: no C compiler"
}

# fails CODE BEHAVIOUR LINE COMMAND ARGUMENTS...: with the fake loader; the line is all of standard error, and no folder is left.
fails() {
    code=0
    KNEEPOINT_OPENCL=$BATS_FILE_TMPDIR/libOpenCL.so.1 FAKE_OPENCL=$2 "$KNEEPOINT" "${@:4}" >out 2>err || code=$?
    cat err
    [ "$code" -eq "$1" ]
    [ "$(cat err)" = "kneepoint $4: $3" ]
    [ ! -s out ]
    [ -z "$(ls temporary)" ]
}

# refused PART COMMAND ARGUMENTS...: as fails, of a listing of five devices, with this part of the line.
refused() {
    code=0
    KNEEPOINT_OPENCL=$BATS_FILE_TMPDIR/libOpenCL.so.1 FAKE_OPENCL=kinds "$KNEEPOINT" "${@:2}" >out 2>err || code=$?
    cat err
    [ "$code" -eq 2 ]
    [ "$(wc -l <err)" -eq 1 ]
    [ ! -s out ]
    grep -qF -- "$1" err
}

# pocl: the loader is that of this machine.
pocl() {
    [ -e /etc/OpenCL/vendors/pocl.icd ] || skip "not on this machine: no pocl-opencl-icd"
    export KNEEPOINT_OPENCL=libOpenCL.so.1 KNEEPOINT_OPENCL_BUFFER=$((32 << 20))
}

# kept: what PoCL compiles is kept for the tests after this one; others see that the tool removes it.
kept() {
    export KNEEPOINT_OPENCL_KEPT=$BATS_FILE_TMPDIR/compiled
    mkdir -p "$KNEEPOINT_OPENCL_KEPT"
}

# of_products COMMAND...: with fewer variants and without optimization, which takes the compiler half of its time; each variant, and as users have it,
# is in harness/check/device_kernels_test.c.
of_products() {
    POCL_MAX_WORK_GROUP_SIZE=64 POCL_EXTRA_BUILD_FLAGS=-cl-opt-disable "$@"
}

# valid FILE...: records as their schema has them
valid() {
    python3 -c 'import jsonschema' || skip "not on this machine: no python3-jsonschema"
    python3 -W ignore - "$BATS_TEST_DIRNAME/../../results/record.schema.json" "$@" <<'PYTHON'
import json, sys
from jsonschema import Draft202012Validator
validator = Draft202012Validator(json.load(open(sys.argv[1])))
for file in sys.argv[2:]:
    for line in open(file):
        validator.validate(json.loads(line))
PYTHON
}

@test "beta --device: a device that is not there, and what does not go with one, is a line and exit 2" {
    refused "no OpenCL device is named 'opencl:9': choose one of opencl:0 (Fake Device 0), opencl:1 (Fake Device 1)" beta --device=opencl:9
    refused "5 OpenCL devices are named 'fake'" beta --device=fake
    refused "--level is of this machine's cores, and --device runs on a device; give one of the two" beta --device=opencl:0 --level=L2
    refused "--threads is of this machine's cores, and --device runs on a device; give one of the two" beta --device=opencl:0 --threads=1
    refused "--all prints streams, and --device measures none" beta --device=opencl:0 --all
    mkdir drivers
    OCL_ICD_VENDORS=$PWD/drivers fails 2 none "there is no OpenCL device: no OpenCL driver (ICD) is installed in $PWD/drivers; for any CPU (Debian): sudo apt install pocl-opencl-icd" beta --device=opencl:0
}

@test "beta --device: a driver that fails is named with what failed, and nothing is left behind" {
    local read="memory read on opencl:0"
    fails 2 clCreateContext "$read: clCreateContext: device not available: it may be lost, or in use (-2)" beta --device=opencl:0
    fails 2 clBuildProgram "$read: clBuildProgram: build program failure (-11): <source>:3:1: error: unknown type name 'vector' vector sum = 0;" beta --device=opencl:0
    fails 2 clCreateBuffer "$read: clCreateBuffer: invalid buffer size (-61)" beta --device=opencl:0
    fails 2 clFinish "$read: clFinish: invalid command queue: the device may be lost (-36)" beta --device=opencl:0
    fails 2 crash_kernel "$read crashed while it was measured: signal 11 (Segmentation fault)" beta --device=opencl:0
    KNEEPOINT_OPENCL_MS=5000 fails 2 hang_kernel "$read does not end: a call while it was measured took more than 5 s" beta --device=opencl:0
    TMPDIR=$PWD/none KNEEPOINT_OPENCL=$BATS_FILE_TMPDIR/libOpenCL.so.1 FAKE_OPENCL=kinds "$KNEEPOINT" beta --device=opencl:0 2>err >out || code=$?
    [ "$code" -eq 2 ]
    grep -q "^kneepoint beta: cannot create the folder $PWD/none/kneepoint-[^:]*: No such file or directory; set TMPDIR" err
}

@test "beta --device: a kernel that returns something else is a wrong result, exit 1" {
    code=0
    KNEEPOINT_OPENCL=$BATS_FILE_TMPDIR/libOpenCL.so.1 FAKE_OPENCL=wrong "$KNEEPOINT" beta --device=opencl:0 >out 2>err || code=$?
    cat err
    [ "$code" -eq 1 ]
    [ ! -s out ]
    [ "$(wc -l <err)" -eq 1 ]
    grep -q '^kneepoint beta: [a-z0-9 ,-]* on opencl:0: a wrong result, 0x[0-9a-f]* instead of 0x[0-9a-f]*, of .*: a fault of the driver or of the device$' err
}

@test "beta --device: a copy that does not arrive is seen where the same bytes were copied before" {
    fails 1 lost_copy "host to device on opencl:0: a copy from mapped memory arrived changed" beta --device=opencl:0
}

@test "beta --device: a GPU has all roofs; a run takes those of several devices, and its page has a table" {
    export KNEEPOINT_OPENCL=$BATS_FILE_TMPDIR/libOpenCL.so.1 FAKE_OPENCL=right
    "$KNEEPOINT" beta --device=opencl:0 --samples=6 --json --results=. >lines
    grep '"type":"device_roof"' lines >out
    jq -es 'map(.roof) | sort == ["host to device", "int8 dot product", "launch", "local memory", "memory read",
        "multiply-add, fp16", "multiply-add, fp32"]' out
    jq -es 'all(.kind == "gpu" and .title == "Fake Device 0" and .driver == "26.1" and .time_s.n == 6)' out
    jq -es 'map(select(.roof | startswith("multiply-add") or . == "int8 dot product")) | length == 3 and all(.operations_per_s.n == 6)' out
    run=$(echo runs/*/*)
    FAKE_OPENCL=kinds "$KNEEPOINT" beta --device='device 1' --samples=6 --into="$run"
    jq -es 'map(select(.type == "device_roof")) | length == 13 and (map(.name) | unique | length == 13)' "$run/records.jsonl"
    "$KNEEPOINT" report "$run" -o page >report 2>&1 || cat report
    grep -q 'Roofs of OpenCL devices' page/index.html
    grep -q '<td>Fake Device 0 (gpu)</td><td>int8 dot product</td>' page/index.html
    grep -q '<td>Fake Device 1 (cpu)</td><td>int8 dot product</td>' page/index.html
    [ -z "$(ls temporary)" ]
}

@test "beta --device: a variant that the driver refuses is left out, and others are measured" {
    KNEEPOINT_OPENCL=$BATS_FILE_TMPDIR/libOpenCL.so.1 FAKE_OPENCL=small_groups "$KNEEPOINT" beta --device=opencl:0 --samples=6 --json >lines 2>err
    grep '"type":"device_roof"' lines >out
    jq -es 'length == 7 and all(.time_s.n == 6 and (.variant | contains("256") | not))' out
    fails 2 clEnqueueNDRangeKernel "memory read on opencl:0: clEnqueueNDRangeKernel: invalid work group size (-54)" beta --device=opencl:0
}

@test "beta --device: PoCL has all roofs of a CPU, right, recorded, and is said to be no GPU" {
    pocl
    kept
    "$KNEEPOINT" beta --device=opencl:0 --samples=6 --results=. >out 2>err
    cat out
    [ -z "$(ls temporary)" ]
    grep -q '^opencl:0: CPU .*, driver ' out
    grep -q '^The cores of this machine, through OpenCL: not a GPU\.$' out
    grep -q '^roof  *GB/s' out
    for roof in 'memory read' 'local memory' 'int8 dot product' 'multiply-add, fp32' launch 'host to device'; do
        grep -q "^$roof " out
    done
    jq -ces 'map(select(.type == "device_roof"))[]' runs/*/*/records.jsonl >records
    jq -es '(map(.name) | sort) == (["copy", "fma_f32", "int8_dot", "launch", "local", "read"] | map("opencl:0/" + .)) and
        all(.device == "opencl:0" and .kind == "cpu" and .launches >= 1 and (.variant | length > 4) and .time_s.n == 6) and
        all(.profiled[0] <= .profiled[1] and (.timers_agree | type == "boolean"))' records
    jq -es 'map(select(.roof == "memory read"))[0] | .bytes_per_s.median > 0 and .bytes >= 33554432 and
        .bytes_per_s.median <= 1.000001 * .bytes / .time_s.min' records
    jq -es 'map(select(.roof == "launch"))[0] | .time_s.median > 0 and (has("bytes_per_s") | not) and (has("operations_per_s") | not)' records
    valid runs/*/*/records.jsonl
}

@test "gemv --device: what does not go with a device, and no kernel of that name, is a line and exit 2" {
    refused "no OpenCL device is named 'opencl:9'" gemv --device=opencl:9
    refused "no kernel for OpenCL devices is named 'int2_planes.prefix'; there are f16.rows, i2_s.mask, int1_planes.mask, " gemv --device=opencl:0 int2_planes.prefix
    refused "q4_0.rows.opencl on 64x80: " gemv --device=opencl:0 q4_0 --shape=64x80
    refused "no kernel for OpenCL devices has --bits=7; there are f16.rows, i2_s.mask, " gemv --device=opencl:0 --bits=7
    local option
    for option in --threads=1 --cold --warm --prefetch=64 --tuning=none --best --peers --from=run --reads --plugin=./none.so --schedule=dynamic; do
        refused "${option%%=*} is of this machine's cores, and --device runs on a device; give one of the two" gemv --device=opencl:0 "$option"
    done
}

@test "gemv --device: a result that is not the reference's, and a driver that fails, are a line and no number" {
    local kernel="int2_vnni4.mask.opencl on opencl:0"
    fails 2 clFinish "memory read on opencl:0: clFinish: invalid command queue: the device may be lost (-36)" gemv --device=opencl:0 int2_vnni4
    code=0
    KNEEPOINT_OPENCL=$BATS_FILE_TMPDIR/libOpenCL.so.1 FAKE_OPENCL=right "$KNEEPOINT" gemv --device=opencl:0 int2_vnni4 --shape=64x64 >out 2>err || code=$?
    cat err
    [ "$code" -eq 1 ]
    [ ! -s out ]
    grep -q "^kneepoint gemv: $kernel: [0-9]* of 64 results compared are wrong, of uint[0-9]*, .*: one is [-0-9]* instead of [-0-9]*: a fault of the driver or of the device\$" err
    [ -z "$(ls temporary)" ]
}

@test "gemv --device: PoCL multiplies exactly, beside its own read roof; the page has a table" {
    pocl
    kept
    of_products "$KNEEPOINT" gemv --device=opencl:0 int2_vnni4 q4_0 --shape=100x256 --shape=64x80 --samples=6 --results=. >out 2>err
    cat out err
    [ -z "$(ls temporary)" ]
    grep -q '^The cores of this machine, through OpenCL: not a GPU\.$' out
    grep -q '^kernel  *shape  *time us' out
    grep -q '^int2_vnni4\.mask\.opencl  *100x256 .* exact ' out
    grep -q "^left out: device_gemv/opencl:0/q4_0.rows.opencl/64x80: " out
    jq -ces 'map(select(.type == "device_gemv"))[]' runs/*/*/records.jsonl >records
    jq -es 'map(.name) | sort == ["opencl:0/int2_vnni4.mask.opencl/100x256", "opencl:0/int2_vnni4.mask.opencl/64x80",
        "opencl:0/q4_0.rows.opencl/100x256"]' records
    jq -es 'all(.kind == "cpu" and .time_s.n == 6 and .bytes_per_s.median > 0 and .roof_fraction > 0 and .error < 1e-5) and
        all(.exact == (.format == "int2_vnni4"))' records
    jq -es 'all(.memory_s > 0 and .compute_s > 0 and .launch_s > 0 and .predicted_s > .memory_s and (.binds | IN("memory", "up-convert", "launch")))' records
    jq -es 'map(select(.type == "device_roof") | .roof) | sort == ["launch", "memory read"]' runs/*/*/records.jsonl
    jq -es 'map(select(.type == "device_gamma") | .kernel) | sort == ["int2_vnni4.mask.opencl", "q4_0.rows.opencl"]' runs/*/*/records.jsonl
    valid runs/*/*/records.jsonl
    "$KNEEPOINT" report runs/*/* -o page >report 2>&1 || cat report
    grep -q 'GEMV on OpenCL devices' page/index.html
    grep -q 'γ on OpenCL devices' page/index.html
    grep -q '<td>int2_vnni4.mask.opencl</td><td>100×256</td>' page/index.html
}

@test "gemm --device: what does not go with a device is a line and exit 2" {
    refused "no OpenCL device is named 'opencl:9'" gemm --device=opencl:9
    refused "--tokens takes a whole number from 1 to 65536, not 'x'" gemm --device=opencl:0 --tokens=x
    refused "q4_0.rows.opencl on 64x80: " gemm --device=opencl:0 q4_0 --shape=64x80
    refused "--threads is of this machine's cores, and --device runs on a device; give one of the two" gemm --device=opencl:0 --threads=1
}

@test "gemm --device: PoCL multiplies many tokens, BF16 quantized within, before or by another kernel, beside its roofs" {
    pocl
    kept
    of_products "$KNEEPOINT" gemm --device=opencl:0 w1.a2_basic int2_vnni16.separate --shape=64x128 --tokens=3,8 --samples=6 --results=. >out 2>err
    cat out err
    [ -z "$(ls temporary)" ]
    grep -q '^kernel  *shape  *tokens  *time us' out
    jq -ces 'map(select(.type == "device_gemm"))[]' runs/*/*/records.jsonl >records
    jq -es 'map(.name) | sort == ["opencl:0/int2_vnni16.separate.opencl/64x128x3", "opencl:0/int2_vnni16.separate.opencl/64x128x8",
        "opencl:0/w1.a2_basic.opencl/64x128x3", "opencl:0/w1.a2_basic.opencl/64x128x8"]' records
    jq -es 'all(.kind == "cpu" and .time_s.n == 6 and (.n == 3 or .n == 8) and .bytes == .m * .k * .bits / 8 and
        .operations_per_s.median > 0 and .operations_per_s.median <= 1.000001 * 2 * .m * .k * .n / .time_s.min)' records
    jq -es 'map(select(.format == "int2_vnni16")) | all(.memory_s > 0 and .compute_s > 0 and .roof_fraction > 0 and .error < 0.02 and
        (.binds | IN("memory", "multiply", "launch")))' records
    jq -es 'map(select(.format == "w1")) | all(.roof_fraction == null and .roof_fraction_reason == "no roof of multiplied bits is measured on a device" and
        .variant == "ulong1, 4 tokens, groups of 64")' records
    jq -es 'map(select(.type == "device_roof") | .roof) | sort == ["int8 dot product", "launch", "memory read"]' runs/*/*/records.jsonl
    valid runs/*/*/records.jsonl
    "$KNEEPOINT" report runs/*/* -o page >report 2>&1 || cat report
    grep -q 'GEMM on OpenCL devices' page/index.html
    grep -q '<td>int2_vnni16.separate.opencl</td><td>64×128</td>' page/index.html
}

@test "characterize --device: a device beside the machine; one whose results are wrong, or that is not there, is a line" {
    refused "no OpenCL device is named 'opencl:9'" characterize --device=opencl:9 --budget=20
    code=0
    KNEEPOINT_OPENCL=$BATS_FILE_TMPDIR/libOpenCL.so.1 FAKE_OPENCL=right "$KNEEPOINT" characterize --device=opencl:0 --budget=20 --only=int2_vnni4.mask --results=. >out 2>err || code=$?
    cat err
    [ "$code" -eq 1 ]
    grep -q '^kneepoint characterize: [a-z0-9_.]* on opencl:0: [0-9]* of [0-9]* results compared are wrong, of ' err
    jq -es 'map(select(.type == "device_roof")) | length == 7 and all(.time_s.n >= 6)' runs/*/*/records.jsonl
    jq -es 'map(select(.type == "device_gamma" and .kernel == "int2_vnni4.mask.opencl"))[0] | .vector_s.n >= 6' runs/*/*/records.jsonl
    jq -es 'any(.type == "gamma") and all(.type != "device_gemv")' runs/*/*/records.jsonl
    KNEEPOINT_OPENCL=$BATS_FILE_TMPDIR/libOpenCL.so.1 FAKE_OPENCL=right "$KNEEPOINT" characterize --resume="$(echo runs/*/*)" >out 2>err || true
    grep -q "^kneepoint characterize: continues with --device=opencl:0, as runs/[^ ]* was started$" err
    [ -z "$(ls temporary)" ]
}

@test "gamma --device: kernels with operands in registers, and their knee" {
    refused "no kernel for OpenCL devices is named 'int2_planes.prefix'; there are f16.rows, i2_s.mask, " gamma --device=opencl:0 int2_planes.prefix
    local option
    for option in --threads=1 --accumulators=2 --all --mca=znver4 --plugin=./none.so; do
        refused "${option%%=*} is of this machine's cores, and --device runs on a device; give one of the two" gamma --device=opencl:0 "$option"
    done
    pocl
    "$KNEEPOINT" gamma --device=opencl:0 int1_vnni4 q4_k --samples=6 --json >out 2>err
    [ -z "$(ls temporary)" ]
    jq -es 'map(select(.type == "device_gamma")) | length == 2 and all(.vector_s.n == 6 and .vector_s.median > 0 and .units >= 1 and
        ((.knee_bytes_per_s * .vector_s.median / .units / .bytes_per_vector - 1) | fabs < 1e-6))' out
    jq -es 'map(.bytes_per_vector) | sort == [4, 18]' out
    grep '"device_gamma"' out >records
    valid records
}
