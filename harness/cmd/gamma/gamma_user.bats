#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# Sequences that users bring: a good one, and what becomes of broken ones.

load ../measuring

setup_file() {
    [ "$(uname -m)" = x86_64 ] || skip "not on this machine: sequences of users are for x86_64 here"
    grep -q avx2 /proc/cpuinfo || skip "not on this machine: this CPU has no AVX2"
    export TMPDIR=$BATS_FILE_TMPDIR/temporary
    mkdir "$TMPDIR"
}

# good [SED...]: mine.S, a 2-bit sequence, with these changes.
good() {
    sed -e 's/^#define FORMAT .*/#define FORMAT "two"\n#define ISA "avx2"/' \
        -e 's/^#define SEQUENCE .*/#define SEQUENCE "mine"/' -e '/^#define ORIGIN/d' -e '/^#define CLAIMED/d' "$@" \
        "$BATS_TEST_DIRNAME/../../assemble/fixtures/sequence.S" >mine.S
}

# broken TEXT: gamma says it in one line, exit 1 (or $exit), and leaves nothing behind.
broken() {
    exit=${exit:-1} refuses "$1" gamma ./mine.S
    [ -z "$(ls -A "$TMPDIR")" ]
}

@test "user sequence: measured like a built-in one, beside one" {
    good
    kept_quiet gamma ./mine.S int8_vnni4.dot.avx2 -a 4 --samples 4 --json
    lines_have gamma isa format accumulators gamma usable best exact
    grep -q '"name":"two.mine.avx2".*"origin":"user".*"exact":true.*"file":"./mine.S","file_hash":"[0-9a-f]\{16\}"' out
    grep -q '"name":"int8_vnni4.dot.avx2"' out
    [ "$(grep -c '"file"' out)" -eq 1 ]
    [ -z "$(ls -A "$TMPDIR")" ]
}

@test "user sequence: the one of docs/sequence.md" {
    sed -n '/^```asm$/,/^```$/p' "$BATS_TEST_DIRNAME/../../../docs/sequence.md" | grep -v '^```' >mine.avx2.S
    [ -s mine.avx2.S ]
    kept_quiet gamma ./mine.avx2.S --samples 2 --json
    [ "$(grep -c '"name":"four.mine.avx2".*"exact":true' out)" -eq 8 ]
}

@test "user sequence: needs nothing but the program, and takes the ISA from the file's name" {
    good -e '/^#define ISA/d'
    mv mine.S mine.avx2.S
    cp "$KNEEPOINT" here
    KNEEPOINT=./here kept_quiet gamma mine.avx2.S -a 4 --samples 2
    grep -q '^two.mine.avx2 ' out
}

@test "user sequence: a copy of a built-in one, with the step that it includes, outside of the tree" {
    for name in int2_vnni4.mask int8_vnni4.dot tl1.bytes; do
        # what make counts of a built-in one, a file states
        uops=$("$KNEEPOINT" list sequences "$name.avx2" --json | grep -o '"group_uops":[0-9]*' | cut -d: -f2)
        { echo "#define GROUP_UOPS $uops"; cat "$BATS_TEST_DIRNAME/../../../micro/formats/${name%.*}/$name.avx2.S"; } >"$name.avx2.S"
        kept_quiet gamma "./$name.avx2.S" -a 2 --samples 2 --json
        grep -q "\"name\":\"$name.avx2\".*\"exact\":true.*\"file\":\"./$name.avx2.S\"" out
    done
}

@test "user sequence: a scalar result in C" {
    good -e '/^\.macro dot_facts/,/^\.endm/d' -e 's/^#include .*/&\n#ifdef __ASSEMBLER__/'
    cat >>mine.S <<'END'
#else
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    static const int shift[] = {0, 0, 4, 4}, mask[] = {3, 12, 3, 12};
    const int8_t *activations = (const int8_t *)data->activations;
    (void)magnitude;
    for (int i = 0; i < 32; i++)
        ((int32_t *)sum)[i / 4] += (data->weights[i] >> shift[dot] & mask[dot]) * activations[i];
}
#endif
END
    kept_quiet gamma ./mine.S -a 4 --samples 2 --json
    grep -q '"exact":true' out
    sed -i 's/{3, 12, 3, 12}/{3, 12, 3, 8}/' mine.S
    broken "./mine.S is wrong: the loop of U dot products with 1 accumulator, random values: accumulator 0 lane 0 is "
}

@test "user sequence: a wrong result names the lane" {
    good -e 's/0x3030303/0x3030301/'
    broken "./mine.S is wrong: the loop of U dot products with 1 accumulator, random values: accumulator 0 lane "
    grep -qE 'is -?[0-9.]+, not -?[0-9.]+ \([0-9]+ lanes differ\), seed [0-9]+$' err
}

@test "user sequence: a loop that leaves after its first iteration is no gamma of nearly 0" {
    good -e 's/^\.macro group/&\n    mov r9d, 1/'
    broken "./mine.S is wrong: the loop of U dot products with 1 accumulator and 7 iterations, random values: its sums are those of one iteration; it ignores \`iterations\`"
    # sums that a later iteration loses
    good -e 's/^\.macro group/&\n    cmp r9, 3\n    jne 8f\n    vpxor ymm0, ymm0, ymm0\n8:/'
    broken "./mine.S is wrong: the loop of U dot products with 1 accumulator and 7 iterations, random values: accumulator 0 lane "
}

@test "user sequence: an illegal instruction names the place and its bytes" {
    good -e 's/^\.macro group/&\n    ud2/'
    broken "./mine.S: illegal instruction (0f 0b "
    grep -qE 'at byte 0x[0-9a-f]+ of the loop of U dot products with 1 accumulator' err
}

@test "user sequence: an instruction outside its ISA does not assemble" {
    good -e 's/^\.macro group/&\n    vpandd zmm14, zmm14, zmm14/'
    exit=2 broken "./mine.S does not assemble: ./mine.S:"
    grep -q 'vpandd' err
}

@test "user sequence: a callee-saved register that is lost is named" {
    good -e 's/^\.macro load_constants/&\n    xor ebx, ebx\n    xor r14d, r14d/'
    broken "./mine.S: did not restore rbx, r14 in the loop of U dot products with 1 accumulator"
    good -e 's/^\.macro load_constants/&\n    std/'
    broken "./mine.S: changed direction flag in the loop of U dot products with 1 accumulator"
}

@test "user sequence: a lost stack ends nothing but its own process" {
    good -e 's/^\.macro load_constants/&\n    sub rsp, 64/'
    broken "./mine.S: touched memory "
    good -e 's/^\.macro load_constants/&\n    xor esp, esp/'
    broken "./mine.S: touched memory "
}

@test "user sequence: reading past the weights" {
    good -e 's/vmovdqu ymm14, \[\\base + \\offset\]/vmovdqu ymm14, [\\base + \\offset + 8]/'
    grep -q 'offset + 8' mine.S
    broken "./mine.S: touched memory 0 bytes past the end of its weights, at byte 0x"
}

@test "user sequence: writing in front of the accumulators" {
    good -e 's/^\.macro group/&\n    mov [r8 - 8], rax/'
    broken "./mine.S: touched memory 8 bytes in front of its accumulators, at byte 0x"
}

@test "user sequence: a loop without an end is stopped" {
    good -e 's/^\.macro group/&\n    inc r9/'
    KNEEPOINT_CHILD_LIMIT_MS=500 broken "./mine.S does not end: the loop of U dot products with 1 accumulator still ran after 10 s, and was stopped"
}

@test "user sequence: one that ends the process" {
    good -e 's/^\.macro group/&\n    mov eax, 231\n    syscall/'
    broken "./mine.S ended the process that checked it, with status "
}

@test "user sequence: missing facts and macros are named, with what to add" {
    export exit=2
    for fact in FORMAT SEQUENCE BYTES GROUP_DOTS GROUP_UOPS LEAST MOST ISA; do
        good -e "/^#define $fact\\b/d" -e "/ISA\\b/{/^#define $fact/d}"
        sed -i "/^#define $fact\\b/d" mine.S
        broken "./mine.S states no $fact: add '#define $fact "
    done
    for macro in load_constants load_weights group dot_into; do
        good -e "s/^\\.macro $macro\\b/.macro other/"
        broken "./mine.S states no $macro: add '.macro $macro"
    done
    good -e '/^\.macro dot_facts/,/^\.endm/d'
    broken "./mine.S states no scalar result: add '.macro dot_facts'"
    good -e '/^#include/d'
    broken "./mine.S states no frame: add '#include "
}

@test "user sequence: wrong facts" {
    export exit=2
    good -e 's/^#define MOST .*/#define MOST 13/'
    broken "./mine.S does not assemble: "
    good -e 's/^#define GROUP_DOTS .*/#define GROUP_DOTS 5/'
    broken "dot_facts must state GROUP_DOTS facts"
    good
    sed -i 's/^#define ISA .*/#define ISA "avx3"/' mine.S
    broken "./mine.S is for 'avx3', which is no instruction set"
    sed -i 's/^#define ISA .*/#define ISA "neon_dotprod"/' mine.S
    broken "./mine.S cannot run on this CPU: it is for aarch64"
}

@test "user sequence: no file, no compiler, no folder" {
    export exit=2
    rm -f mine.S
    broken "cannot read ./mine.S: No such file or directory"
    good
    CC=no-such-compiler broken "no compiler 'no-such-compiler' to assemble ./mine.S: install gcc, or set CC"
    TMPDIR=/nowhere refuses "cannot create the folder /nowhere/kneepoint-" gamma ./mine.S
    TMPDIR=/nowhere refuses ": No such file or directory; set TMPDIR" gamma ./mine.S
}

@test "user sequence: CC may hold options, and a name that begins like an option is a file" {
    command -v cc >/dev/null || skip "not on this machine: no C compiler"
    good
    CC='cc -m64 -g' kept_quiet gamma ./mine.S -a 4 --samples 2
    grep -q '^two.mine.avx2 ' out
    mv mine.S ./-oX.S
    kept_quiet gamma -a 4 --samples 2 -- -oX.S
    grep -q '^two.mine.avx2 ' out
    [ ! -e X.S ]
    mv ./-oX.S mine.S
    exit=2 CC='no-such-compiler -m64' refuses "no compiler 'no-such-compiler' to assemble ./mine.S" gamma ./mine.S
}

@test "user sequence: a compiler that is stopped leaves nothing behind either" {
    good
    printf '#!/bin/sh\nmktemp >>%s/made && kill -9 $$\n' "$BATS_FILE_TMPDIR" >stopped
    chmod +x stopped
    exit=2 CC=./stopped broken "./mine.S does not assemble: the compiler failed without a message"
    [ -s "$BATS_FILE_TMPDIR/made" ]
    if grep -v "^$TMPDIR/kneepoint-" "$BATS_FILE_TMPDIR/made"; then false; fi
}

@test "user sequence: a broken one among good ones stops before anything is measured" {
    good
    mv mine.S fine.S
    good -e 's/0x3030303/0x3030301/'
    exit=1 refuses "./mine.S is wrong" gamma ./fine.S ./mine.S --samples 2
}

@test "user sequence: an interrupt leaves nothing behind" {
    good -e 's/^\.macro group/&\n    inc r9/'
    # to it and to the process that checks the sequence, as from a terminal
    timeout -s INT 1 "$KNEEPOINT" gamma ./mine.S >out 2>err || status=$?
    [ "${status:-0}" -eq 124 ] || [ "${status:-0}" -eq 130 ]
    [ -z "$(ls -A "$TMPDIR")" ]
}

# later NAME FROM INSTRUCTIONS: NAME.S does these with FROM iterations or more to go, of which the check has seven.
later() {
    good -e "s/^\\.macro group/&\\n    cmp r9, $2\\n    jb 8f\\n    $3\\n8:/"
    sed "s/\"mine\"/\"$1\"/" mine.S >"$1.S"
}

# iterations COUNT FILE...: samples of this many iterations, as JSON Lines in file out.
iterations() {
    KNEEPOINT_ITERATIONS=$1 KNEEPOINT_CHILD_LIMIT_MS=5000 apart "$KNEEPOINT" gamma "${@:2}" -a 4 --samples 2 --mca none --json
    cat err
    [ -z "$(ls -A "$TMPDIR")" ]
}

@test "user sequence: right in its check and wrong later: named and left out, and the others are measured" {
    later crash 50 'xor eax, eax\n    mov [rax], eax'
    later leave 50 'mov eax, 231\n    xor edi, edi\n    syscall'
    later hang 50 '7:  mov eax, 34\n    syscall\n    jmp 7b' # pause()
    later dirty 50 fld1
    later wrong 50 'vpxor ymm0, ymm0, ymm0'
    later backwards 50 std
    later rounds 50 'mov dword ptr [rsp - 8], 0x5f80\n    ldmxcsr [rsp - 8]'
    good
    iterations 100 ./crash.S ./leave.S ./hang.S ./dirty.S ./wrong.S ./backwards.S ./rounds.S ./mine.S
    [ "$status" -eq 1 ]
    grep -q '"type":"gamma","name":"two.mine.avx2".*"exact":true' out
    [ "$(grep -c '"type":"gamma"' out)" -eq 1 ]
    [ "$(grep -c '"type":"withheld"' out)" -eq 7 ]
    grep -qE '^kneepoint gamma: ./crash.S: two.crash.avx2 crashed while it was measured: signal 11 \(Segmentation fault\); it is left out, seed [0-9]+$' err
    grep -qE '^kneepoint gamma: ./leave.S: two.leave.avx2 ended its process while it was measured, with status 0; it is left out' err
    grep -qE '^kneepoint gamma: ./hang.S: two.hang.avx2 does not end: a call while it was measured took more than ' err
    grep -qE '^kneepoint gamma: ./dirty.S: two.dirty.avx2 leaves x87 or MMX registers in use' err
    grep -qE '^kneepoint gamma: ./wrong.S: two.wrong.avx2 with 4 accumulators is wrong in [0-9]+ lanes after 100 iterations' err
    grep -qE '^kneepoint gamma: ./backwards.S: two.backwards.avx2 leaves the direction flag set' err
    grep -qE '^kneepoint gamma: ./rounds.S: two.rounds.avx2 leaves rounding or traps changed' err
}

@test "user sequence: one that is left out does not hide that standard output is full" {
    [ -w /dev/full ] || skip "not on this machine: no /dev/full"
    later dirty 50 fld1
    good
    KNEEPOINT_ITERATIONS=100 "$KNEEPOINT" gamma ./dirty.S ./mine.S -a 4 --samples 2 --mca none >/dev/full 2>err || status=$?
    cat err
    [ "$status" -eq 2 ]
    grep -q 'two.dirty.avx2 leaves x87 or MMX registers in use.*; it is left out' err
    grep -q '^kneepoint gamma: cannot write to standard output' err
}

@test "user sequence: what any call leaves behind is found, in whatever number of iterations" {
    local from files=()
    for from in 8 20 50 99 100 101 1000; do
        later "from$from" "$from" fld1
        files+=("./from$from.S")
    done
    iterations 100 "${files[@]}"
    [ "$status" -eq 1 ]
    for from in 8 20 50 99 100; do
        grep -qF "./from$from.S: two.from$from.avx2 leaves x87 or MMX registers in use" err
    done
    # nothing that was measured does it
    for from in 101 1000; do
        grep -q "\"type\":\"gamma\",\"name\":\"two.from$from.avx2\".*\"exact\":true" out
    done
    # samples of few iterations, chosen by a longer call
    iterations 4 ./from8.S ./from50.S ./from1000.S
    [ "$(grep -c 'leaves x87 or MMX registers in use' err)" -eq 2 ]
    grep -q '"type":"gamma","name":"two.from1000.avx2"' out
}
