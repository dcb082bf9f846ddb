#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# OpenCL devices of `info`, with a loader of our own as KNEEPOINT_OPENCL has it (platforms/devices/opencl_standin.c), and with PoCL.

setup_file() {
    local root=$BATS_TEST_DIRNAME/../../..
    ! command -v cc >/dev/null || cc -shared -fPIC -O1 -w -I"$root" -o "$BATS_FILE_TMPDIR/libOpenCL.so.1" \
        "$root/platforms/devices/fixtures/fake_opencl.c"
}

setup() {
    KNEEPOINT=${KNEEPOINT:-$BATS_TEST_DIRNAME/../../../build/kneepoint-steady}
    cd "$BATS_TEST_TMPDIR"
    [[ $KNEEPOINT = *-steady ]] || skip "not on this machine: only the tool with stand-ins takes another loader"
    [ -e "$BATS_FILE_TMPDIR/libOpenCL.so.1" ] || skip "not on this machine: no C compiler"
}

# behaving BEHAVIOUR ARGUMENTS...: the tool with the fake loader; nothing on standard error.
behaving() {
    KNEEPOINT_OPENCL=$BATS_FILE_TMPDIR/libOpenCL.so.1 FAKE_OPENCL=$1 "$KNEEPOINT" "${@:2}" 2>err
    [ ! -s err ]
}

# section: what `info` says of OpenCL, in file out.
section() {
    behaving "$1" info >whole
    grep -q '^Noise just now' whole
    sed -n '/^OpenCL devices/,/^$/p' whole | sed '1d;/^$/d' >out
    cat out
}

@test "devices: without a loader a line says so, and another which packages there are" {
    "$KNEEPOINT" info >whole 2>err
    [ ! -s err ]
    sed -n '/^OpenCL devices/,/^$/p' whole >out
    cat out
    grep -qx '  none: libOpenCL.so.1 is not installed' out
    grep -qx '    for any CPU (Debian): sudo apt install ocl-icd-libopencl1 pocl-opencl-icd' out
    "$KNEEPOINT" info --json | jq -es 'map(select(.type == "devices"))[0] |
        .devices == 0 and .platforms == [] and .cause == "libOpenCL.so.1 is not installed" and (.remedy | contains("pocl-opencl-icd"))'
    "$KNEEPOINT" info --json | jq -es 'all(.type != "device")'
}

@test "devices: each type is described, and a CPU is said to be no GPU" {
    section kinds
    cat >wanted <<'END'
  opencl:0  GPU: Fake Device 0
            OpenCL 3.0 by Fake Platform, driver 26.1
            20 compute units, up to 2.67 GHz; memory 12 GiB, largest buffer 4 GiB; local memory 128 KiB
            sub-groups of 8, 16, 32; fp16 yes; integer dot product yes; timer resolution 52 ns
  opencl:1  CPU: Fake Device 1
            the cores above, through OpenCL: not a GPU
            OpenCL 3.0 by Fake Platform, driver 26.1
            21 compute units, up to 2.67 GHz; memory 12 GiB, largest buffer 4 GiB; local memory 128 KiB in global memory
            sub-groups of 32; fp16 no; integer dot product no; timer resolution 52 ns
END
    head -n 9 out | diff wanted -
    grep -qx '  opencl:2  accelerator: Fake Device 2' out
    grep -qx '  opencl:3  custom device: Fake Device 3' out
    grep -qx '  opencl:4  device of unknown type: Fake Device 4' out
    [ "$(grep -c 'not a GPU' out)" -eq 1 ]
    [ "$(grep -c 'sub-groups no;' out)" -eq 1 ]
    [ "$(grep -c 'sub-groups unknown;' out)" -eq 1 ]
}

@test "devices: the records say the same, and null what a driver does not say" {
    behaving kinds info --json >out
    jq -es 'map(select(.type == "devices"))[0] | .devices == 5 and .cause == null and
        .platforms == [{"name": "Fake Platform", "version": "OpenCL 3.0 FAKE", "devices": 5, "cause": null}]' out
    jq -es 'map(select(.type == "device")) | map(.name) == ["opencl:0", "opencl:1", "opencl:2", "opencl:3", "opencl:4"] and
        map(.kind) == ["gpu", "cpu", "accelerator", "custom", null] and
        map(.sub_group_sizes) == [[8, 16, 32], [32], [64], [], null]' out
    jq -es 'map(select(.type == "device"))[0] | .title == "Fake Device 0" and .driver == "26.1" and .version == "OpenCL 3.0 NEO of its vendor" and
        .compute_units == 20 and .clock_hz == 2670000000 and .memory_bytes == 12884901888 and .buffer_bytes == 4294967296 and
        .local_bytes == 131072 and .local_is_own and .fp16 and .integer_dot_product and .timer_ns == 52' out
    behaving silent info --json >out
    jq -es 'map(select(.type == "device"))[0] | del(.type, .name, .platform) | length == 14 and all(.[]; . == null)' out
    section silent
    grep -q 'device of unknown type: unknown' out
    grep -q 'unknown number of compute units, unknown clock; memory unknown' out
}

@test "devices: the records fit their schema" {
    python3 -c 'from jsonschema import Draft202012Validator' 2>/dev/null || skip "not on this machine: no python3-jsonschema"
    local behaviour
    for behaviour in kinds silent hostile broken empty crash many; do
        behaving "$behaviour" info --json | grep '"type":"device' >>out
    done
    python3 -W ignore - "$BATS_TEST_DIRNAME/../../../results/record.schema.json" <<'PYTHON'
import json, sys
from jsonschema import Draft202012Validator
schema = json.load(open(sys.argv[1]))
validator = Draft202012Validator(schema)
records = [json.loads(line) for line in open("out")]
assert len(records) == 7 + 5 + 1 + 1 + 1 + 0 + 0 + 32, len(records)
for record in records:
    validator.validate(record)
    fields = set(record) - {"type", "name"}
    assert fields == set(schema["$defs"]["record_" + record["type"]]["properties"]), fields
PYTHON
}

@test "devices: a loader or driver that crashes, exits or hangs is a line, and the rest is shown" {
    section crash
    [[ $(cat out) == "  none: the OpenCL loader or a driver crashed (Segmentation fault)"*"OCL_ICD_VENDORS="* ]]
    section exit
    [[ $(tr -s ' \n' ' ' <out) == *"ended the process with status 3; it printed: fake driver: no?[31m device node"* ]]
    KNEEPOINT_OPENCL_MS=100 section hang
    [[ $(cat out) == "  none: the OpenCL loader or a driver did not answer within 0.1 s"* ]]
    section error
    [[ $(cat out) == "  none: the OpenCL loader cannot list its platforms: OpenCL error -6" ]]
}

@test "devices: a platform without devices, and one that cannot list them, are named" {
    section empty
    [[ $(cat out) == "  Fake Platform has no device"$'\n'"  none: no OpenCL driver has a device"* ]]
    section broken
    grep -qx '  opencl:0  GPU: Fake Device 0' out
    grep -qx '  Broken Platform cannot list its devices: OpenCL error -33' out
    ! grep -q none: out || false
    behaving broken info --json | jq -es 'map(select(.type == "devices"))[0] | .cause == null and
        .platforms[1].cause == "cannot list its devices: OpenCL error -33"'
    section many
    grep -qx '  8 more not listed' out
}

@test "devices: what a driver prints, and what it puts into its texts, reaches no terminal" {
    behaving print info >out
    ! grep -q 'fake driver' out || false
    behaving hostile info >out
    grep -q 'GPU: ?\[2Jred tape ?? "xxx' out
    ! LC_ALL=C grep -q "$(printf '[\001-\011\013-\037\177-\377]')" out || false
    command -v script >/dev/null || skip "not on this machine: no script(1)"
    KNEEPOINT_OPENCL=$BATS_FILE_TMPDIR/libOpenCL.so.1 FAKE_OPENCL=kinds \
        script -qec "stty cols 80; TERM=xterm NO_COLOR=1 '$KNEEPOINT' info" /dev/null </dev/null | tr -d '\r' >out
    grep -q 'opencl:4' out
    sed -n '/^OpenCL devices/,/^$/p' out | grep -vE '^ +(for any CPU|see which)' | { ! grep -E '^.{81,}' || false; }
}

@test "devices: info alone loads the loader, and not on a recorded machine" {
    export FAKE_OPENCL_LOADED=$PWD/loaded
    behaving kinds info --cpuid >/dev/null
    behaving kinds list kernels >/dev/null
    behaving kinds doctor >/dev/null || [ $? -eq 3 ]
    [ ! -e loaded ]
    "$BATS_TEST_DIRNAME/../../../scripts/pack" --unpack "$BATS_TEST_DIRNAME/../../../platforms/fixtures/machines/zen4.txt" zen4
    KNEEPOINT_MACHINE=$PWD/zen4 behaving kinds info >out
    grep -q 'none: libOpenCL.so.1 is not installed' out
    [ ! -e loaded ]
    behaving kinds info >/dev/null
    [ -e loaded ]
}

@test "devices: the tool that is shipped takes the libOpenCL.so.1 of the system" {
    [ -x "${KNEEPOINT%-steady}" ]
    LD_LIBRARY_PATH=$BATS_FILE_TMPDIR FAKE_OPENCL=kinds "${KNEEPOINT%-steady}" info >out
    grep -qx '  opencl:0  GPU: Fake Device 0' out
}

@test "devices: PoCL is a CPU, and is listed without a file in the user's cache" {
    [ -e /etc/OpenCL/vendors/pocl.icd ] || skip "not on this machine: no pocl-opencl-icd"
    mkdir home
    export HOME=$PWD/home OCL_ICD_VENDORS=/etc/OpenCL/vendors/pocl.icd KNEEPOINT_OPENCL=libOpenCL.so.1
    unset XDG_CACHE_HOME POCL_CACHE_DIR POCL_DEVICES
    "$KNEEPOINT" info --json >out 2>err
    grep '"type":"device' out
    [ ! -s err ]
    jq -es 'map(select(.type == "device")) | length > 0 and all(.[]; .kind == "cpu" and .platform == "Portable Computing Language" and
        .compute_units > 0 and .memory_bytes >= .buffer_bytes and .buffer_bytes > 0 and .timer_ns > 0)' out
    "$KNEEPOINT" info >out
    grep -q '  opencl:0  CPU: ' out
    grep -q 'not a GPU' out
    [ -z "$(find home -mindepth 1)" ]
}
