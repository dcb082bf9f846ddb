#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# Plug-ins: a good one beside our own kernels, and what becomes of each kind of broken one.

load measuring

ROOT=$BATS_TEST_DIRNAME/../..

# built NAME [FLAG...]: NAME.so from harness/plugin/fixtures/plugin.c.
built() {
    local name=$1
    shift
    "${CC:-cc}" -O1 -w -shared -fPIC -I"$ROOT" "$@" -o "$name.so" "$ROOT/harness/plugin/fixtures/plugin.c" -lm
}

setup_file() {
    command -v "${CC:-cc}" >/dev/null || skip "not on this machine: no C compiler"
}

# measured PLUGIN NAME...: one short GEMV of each of those kernels.
measured() {
    local plugin=$1
    shift
    apart "$KNEEPOINT" gemv --plugin "$plugin" "$@" --shape 64x96 --threads 1 --samples 2 --warm --json
    echo "$plugin $*: exit $status, standard error '$(cat err)'"
}

# caught TEXT FLAG...: the plug-in built with these flags has a faulty kernel, which is named with TEXT.
caught() {
    local text=$1
    shift
    built broken "$@"
    measured ./broken.so four.faulty
    is_caught "$text"
}

is_caught() {
    [ "$status" -eq 1 ]
    [ "$(wc -l <err)" -eq 1 ]
    grep -qF "kneepoint gemv: plug-in ./broken.so: four.faulty.reference $1" err
    grep -q '; it is left out$' err
    if grep -q '"type":"gemv","name":"four.faulty.reference"' out; then false; fi
    grep -qF '{"type":"withheld","name":"four.faulty.reference","plugin":"broken","plugin_hash":"' out
}

@test "plug-in: a kernel of its own format is measured beside ours, with the file in its records" {
    built mine -DNAME='"mine"'
    measured mine.so four.good f32
    [ "$status" -eq 0 ]
    [ ! -s err ]
    grep -q '"type":"gemv","name":"four.good.reference","format":"four".*"origin":"mine".*"within_bound":true.*"plugin":"mine","plugin_hash":"[0-9a-f]\{16\}"' out
    grep '"type":"gemv","name":"f32' out >ours || "$KNEEPOINT" list kernels | grep '^f32' | grep -qv 'yes$'
    if grep -q '"plugin"' ours; then false; fi
}

@test "plug-in: a kernel of a format of ours is checked against our reference" {
    built ours -DNAME='"ours"' -DOUR_FORMAT
    measured ./ours.so int2_vnni4.ours
    [ "$status" -eq 0 ]
    grep -q '"type":"gemv","name":"int2_vnni4.ours.reference","format":"int2_vnni4".*"exact":true' out
    built ours -DNAME='"ours"' -DOUR_FORMAT -DOUR_FORMAT_WRONG
    measured ./ours.so int2_vnni4.ours
    [ "$status" -eq 1 ]
    grep -qF 'int2_vnni4.ours.reference differs from the scalar reference in ' err
    if grep -q '"type":"gemv"' out; then false; fi
}

# built_sequence [SED...]: plug-in mine.so with sequence two.mine.avx2, the fixture with these changes.
built_sequence() {
    "${CC:-cc}" -c -I"$ROOT" -DSELF=two -DSELF_NAME='"two.mine.avx2"' -DSELF_ISA='"avx2"' -DFORMAT='"two"' -x assembler-with-cpp \
        <(sed -e '/^#define FORMAT/d' -e 's/^#define SEQUENCE .*/#define SEQUENCE "mine"/' "$@" "$ROOT/harness/assemble/fixtures/sequence.S") \
        -o sequence.o
    built mine -DNAME='"mine"' -DSEQUENCE_TOO sequence.o
}

@test "plug-in: a sequence is checked, measured and listed" {
    [ "$(uname -m)" = x86_64 ] && grep -q avx2 /proc/cpuinfo || skip "not on this machine: the sequence is for AVX2"
    built_sequence
    kept_quiet gamma --plugin ./mine.so two.mine -a 4 --samples 2 --json
    grep -q '"type":"gamma","name":"two.mine.avx2".*"exact":true.*"plugin":"mine"' out
    kept_quiet list sequences --plugin ./mine.so
    grep -q '^two.mine.avx2 ' out
    # the lowest bits of every weight lost
    built_sequence -e 's/0x3030303/0x3030301/'
    apart "$KNEEPOINT" gamma --plugin ./mine.so two.mine -a 4 --samples 2 --json
    [ "$status" -eq 1 ]
    grep -qF 'plug-in ./mine.so: two.mine.avx2 is wrong: ' err
    # a loop that ignores how often it should run
    built_sequence -e 's/^\.macro group/&\n    mov r9d, 1/'
    apart "$KNEEPOINT" gamma --plugin ./mine.so two.mine -a 4 --samples 2 --json
    [ "$status" -eq 1 ]
    grep -qF 'its sums are those of one iteration; it ignores `iterations`' err
    if grep -q '"type":"gamma"' out; then false; fi
}

@test "plug-in: a sequence that only leaves registers in use where it reads a cache has a gamma and no knee" {
    [ "$(uname -m)" = x86_64 ] && grep -q avx2 /proc/cpuinfo || skip "not on this machine: the sequence is for AVX2"
    built_sequence -e 's/^\.macro group/&\n    cmp r9, 200\n    jb 8f\n    fld1\n8:/'
    KNEEPOINT_ITERATIONS=100 apart "$KNEEPOINT" knee --plugin ./mine.so two.mine --level L1 --threads 1 --samples 2 --json
    cat err
    [ "$status" -eq 1 ]
    grep -q 'two.mine.avx2 leaves x87 or MMX registers in use' err
    if grep -q '"type":"knee"' out; then false; fi
}

@test "plug-in: list shows it with file and hash" {
    built mine -DNAME='"mine"'
    kept_quiet list kernels --plugin ./mine.so
    grep -qE '^four.good +mine +4 ' out
    grep -qE '^plug-in mine 1.0: ./mine.so, hash [0-9a-f]{16}$' out
    kept_quiet list kernels --plugin ./mine.so --json
    [ "$(grep -c '"name":"four.good.reference".*"plugin":"mine"' out)" -eq 1 ]
    kept_quiet list kernels --json
    if grep -q '"plugin"' out; then false; fi
}

@test "plug-in: control characters of its version and its path move no cursor" {
    built mine -DNAME='"mine"' -DVERSION='"1\033[2J\n\302\233x"'
    mv mine.so "$(printf 'a\033[2Jb.so')"
    for as in '' --json; do
        kept_quiet list kernels --plugin "$(printf './a\033[2Jb.so')" $as
        if LC_ALL=C grep -qP '\x1b|\xc2\x9b' out; then false; fi
        grep -qF mine out
    done
    kept_quiet list kernels --plugin "$(printf './a\033[2Jb.so')"
    grep -qF 'plug-in mine 1\x1b[2J\x0a\x9bx: ./a\x1b[2Jb.so, hash' out
}

@test "plug-in: a wrong result; the run continues with the other kernels" {
    built broken -DFAULT=wrong
    measured ./broken.so four.faulty four.good
    is_caught 'differs from the scalar reference in '
    grep -qE ': gemv\(\), 1 panel, K = 1, random weights, activations all -127, seed 1; the first, row 7, is -?[0-9.]+ and must be -?[0-9.]+; it is left out$' err
    grep -q '"type":"gemv","name":"four.good.reference"' out
}

@test "plug-in: what it prints before it ends its process" {
    caught 'ended its process with signal 6 (Aborted): gemv(), 1 panel, K = 1, random weights, activations all -127, seed 1; it printed: terminate called after throwing an instance of '\''bad'\'' what(): no such table; it is left out' -DFAULT=says
}

@test "plug-in: a crash has its signal and place" {
    caught 'touched memory at an invalid address (Segmentation fault): gemv(), 1 panel, K = 1, ' -DFAULT=crashes
}

@test "plug-in: a byte past the weights" {
    caught 'touched memory 0 bytes past the end of its weights (Segmentation fault): gemv(), ' -DFAULT=reads_past
}

@test "plug-in: a row past the output" {
    caught 'wrote outside its output: gemv(), ' -DFAULT=writes_past
}

@test "plug-in: weights are only read" {
    caught 'touched memory within its weights, which are only read (Segmentation fault): gemv(), ' -DFAULT=writes_weights
}

@test "plug-in: a register that belongs to the caller" {
    [ "$(uname -m)" = x86_64 ] || skip "not on this machine: written for x86_64"
    caught 'clobbered a callee-saved register: rbx: gemv(), ' -DCLOBBERS
}

@test "plug-in: abort() and exit()" {
    built broken -DFAULT=aborts
    measured ./broken.so four.faulty four.good
    is_caught 'ended its process with signal 6 (Aborted): gemv(), '
    grep -q '"type":"gemv","name":"four.good.reference"' out
    caught 'ended its process with status 7: gemv(), ' -DFAULT=exits
}

@test "plug-in: one that does not end" {
    KNEEPOINT_CHILD_LIMIT_MS=2000 caught 'does not return: a call still ran after ' -DFAULT=hangs
}

@test "plug-in: an illegal instruction, an arithmetic exception" {
    caught 'has an illegal instruction (' -DFAULT=traps
    [ "$(uname -m)" = x86_64 ] || skip "not on this machine: others do not trap on a division by zero"
    caught 'had an arithmetic exception (Floating point exception): gemv(), ' -DFAULT=divides
}

@test "plug-in: prepare() that writes too much" {
    caught 'touched memory 0 bytes past the end of its prepared operand (Segmentation fault): prepare(), ' -DFAULT=good -DPREPARES=4096
}

@test "plug-in: says it is lossless and is not" {
    caught 'says it is lossless, but in its format pack() stores ' -DFAULT=good -DLOSSLESS
    grep -qE ', and weight\(\) gives -?[0-9.]+: name in its values the integers that it keeps: gemv\(\), 3 panels, K = 1, integers -1, 0 and 1, activations ' err
}

@test "plug-in: is further off than its bound" {
    caught 'differs from the scalar reference in ' -DFAULT=coarse
    built mine -DFAULT=coarse -DBOUND=0.01
    measured ./mine.so four.faulty
    [ "$status" -eq 0 ]
    grep -q '"type":"gemv","name":"four.faulty.reference".*"exact":false.*"within_bound":true' out
}

@test "plug-in: a pack() and a weight() that do not end are named" {
    for function in pack weight; do
        built broken -D"${function^^}_HANGS"
        KNEEPOINT_CHILD_LIMIT_MS=500 measured ./broken.so four
        [ "$status" -eq 1 ]
        [ "$(grep -cE "four\.(good|faulty)\.reference does not return: a call still ran after 10 s and was stopped: $function\(\), .*; it is left out\$" err)" -eq 2 ]
    done
}

@test "plug-in: it is checked with other random values each time, and with the same ones where their seed is given" {
    built broken -DFAULT=coarse
    export KNEEPOINT_CLOCK_SEED=1
    measured ./broken.so four.faulty
    is_caught 'differs from the scalar reference in '
    seed=$(sed -n 's/.*, seed \([0-9]*\); the first.*/\1/p' err)
    grep -q "^{\"type\":\"withheld\",.*\"seed\":$seed}" out
    mv err before
    measured ./broken.so four.faulty
    if cmp -s err before; then false; fi
    measured ./broken.so four.faulty --seed "$seed"
    cmp err before
}

@test "plug-in: what only a larger matrix shows is caught before it is measured" {
    built broken -DFAULT=crashes_on_many
    apart "$KNEEPOINT" gemv --plugin ./broken.so four --shape 256x96 --shape 64x96 --threads 1 --samples 2 --warm --json
    echo "exit $status, standard error '$(cat err)'"
    [ "$status" -eq 1 ]
    grep -qF 'plug-in ./broken.so: four.faulty.reference on 256x96 with 1 thread: crashed with signal 11 (Segmentation fault); it is left out' err
    [ "$(grep -c '"type":"gemv","name":"four.good.reference"' out)" -eq 2 ]
    if grep -q '"type":"gemv","name":"four.faulty' out; then false; fi
}

@test "plug-in: one that crashes while it is measured is named; the others are measured" {
    built broken -DFAULT=crashes_later
    apart "$KNEEPOINT" gemv --plugin ./broken.so four --shape 8x8 --threads 1 --samples 4 --warm --json
    is_caught 'crashed while it was measured: signal 11 (Segmentation fault)'
    grep -q '"type":"gemv","name":"four.good.reference"' out
}

# What is measured is what the records' hash is of. In each of these the file changes while it is first tried.

@test "plug-in: another file takes its place while it is loaded" {
    built next
    built mine -DCONSTRUCTOR='rename("next.so", "mine.so")'
    apart "$KNEEPOINT" gemv --plugin ./mine.so four --shape 64x96 --threads 1 --warm --json
    echo "exit $status, standard error '$(cat err)'"
    [ "$status" -eq 2 ]
    [ ! -s out ]
    [ "$(cat err)" = "kneepoint gemv: ./mine.so was rebuilt while it was being loaded; let the build finish and run again" ]
    # now that it has taken its place
    measured ./mine.so four.good
    [ "$status" -eq 0 ]
}

@test "plug-in: its file is written over while it is loaded" {
    built mine -DCONSTRUCTOR='FILE *file = fopen("mine.so", "a"); fputc(0, file); fclose(file)'
    apart "$KNEEPOINT" list kernels --plugin mine.so
    echo "exit $status, standard error '$(cat err)'"
    [ "$status" -eq 2 ]
    [ "$(cat err)" = "kneepoint list: mine.so was rebuilt while it was being loaded; let the build finish and run again" ]
}

@test "plug-in: its file is written over while it is measured; those samples are discarded" {
    built broken -DFAULT=rewrites_its_file
    apart "$KNEEPOINT" gemv --plugin ./broken.so four.faulty --shape 8x8 --threads 1 --samples 4 --warm --json
    echo "exit $status, standard error '$(cat err)'"
    [ "$status" -eq 1 ]
    grep -qF 'four.faulty.reference: ./broken.so was changed while it was measured' err
    if grep -q '"type":"gemv","name":"four.faulty' out; then false; fi
}

@test "plug-in: libraries beside its file are found" {
    mkdir beside
    echo 'int theirs(void) { return 0; }' | "${CC:-cc}" -shared -fPIC -x c - -o beside/libtheirs.so
    built beside/mine -DCONSTRUCTOR='extern int theirs(void); theirs()' -Lbeside -Wl,-rpath,'$ORIGIN' -Wl,--no-as-needed -ltheirs
    measured beside/mine.so four.good
    [ "$status" -eq 0 ]
    grep -q '"type":"gemv","name":"four.good.reference"' out
}

@test "plug-in: files that are not plug-ins" {
    refuses "cannot read plug-in ./nothing.so: No such file or directory" gemv --plugin ./nothing.so
    echo text >text.so
    refuses "./text.so cannot be loaded: " gemv --plugin ./text.so
    echo 'int kneepoint;' | "${CC:-cc}" -shared -fPIC -x c - -o other.so
    refuses "./other.so is no plug-in: it exports no kneepoint_plugin (micro/plugin.h says how)" gemv --plugin ./other.so
    echo 'int missing(void); int call(void) { return missing(); }' | "${CC:-cc}" -shared -fPIC -x c - -o lacking.so
    refuses "./lacking.so cannot be loaded: undefined symbol: missing; if a library is missing, build or install it, then build the plug-in again" gemv --plugin ./lacking.so
    mkdir folder.so
    refuses "folder.so: Is a directory" gemv --plugin folder.so
}

@test "plug-in: another ABI, another size, no name, nothing in it" {
    for abi in 3 5; do
        built old -DABI=$abi
        refuses "./old.so is built for plug-in ABI $abi, and this version takes 4: build it again with this version's headers" gemv --plugin ./old.so
    done
    built old -DKERNEL_BYTES=8
    refuses "./old.so has a struct kernel of 8 bytes where this version has " gemv --plugin ./old.so
    built old -DNAME=NULL
    refuses "./old.so has no name of 1 to 63 letters" gemv --plugin ./old.so
    built old -DNAME='"a b"'
    refuses "./old.so has no name of 1 to 63 letters" gemv --plugin ./old.so
    built old -DEMPTY
    refuses "./old.so has no format, kernel or sequence" gemv --plugin ./old.so
}

@test "plug-in: init() comes first, says the version, and may refuse" {
    built mine -DNAME='"mine"' -DINIT='snprintf(version, sizeof version, "made of %d", 42); return 0' -DVERSION=version
    kept_quiet list kernels --plugin ./mine.so
    grep -qE '^plug-in mine made of 42: ./mine.so, hash [0-9a-f]{16}$' out
    built mine -DINIT='snprintf(why, size, "needs permission for AMX"); return -1'
    refuses "./mine.so will not be measured here: needs permission for AMX" gemv --plugin ./mine.so
    built mine -DINIT='return 1'
    refuses "./mine.so will not be measured here: its init() refused and gave no reason" gemv --plugin ./mine.so
    built mine -DINIT='memset(why, 120, size); return 1'
    refuses "./mine.so will not be measured here: xxxx" list kernels --plugin ./mine.so
    built mine -DINIT='fputs("no table\n", stderr); abort()'
    refuses "./mine.so: loading it and reading its description ends with signal 6 (Aborted); it printed: no table" list kernels --plugin ./mine.so
}

@test "plug-in: what a kernel demands of M and K is held, and refused where it does not hold" {
    built mine -DDEMANDS='.k_least = 64, .k_most = 4096, .k_multiple = 32, .panels_per_call = 4, .reads_past = 100' -DFAULT=demands
    apart "$KNEEPOINT" gemv --plugin ./mine.so four.faulty --shape 64x96 --threads 1 --samples 2 --warm --json
    echo "exit $status, standard error '$(cat err)'"
    [ "$status" -eq 0 ]
    grep -q '"type":"gemv","name":"four.faulty.reference".*"within_bound":true' out
    refuses "--shape 64x32: K = 32 is less than 64, the least that four.faulty.reference multiplies" gemv --plugin ./mine.so four.faulty --shape 64x32
    refuses "--shape 64x8192: K = 8192 is more than 4096, the most that four.faulty.reference multiplies" gemv --plugin ./mine.so four.faulty --shape 64x8192
    refuses "--shape 64x80: K = 80 is no multiple of 32, the unit of four.faulty.reference" gemv --plugin ./mine.so four.faulty --shape 64x80
    refuses "--shape 72x96: M = 72 is no multiple of 32, the rows that four.faulty.reference takes at a time" gemv --plugin ./mine.so four.faulty --shape 72x96
}

@test "plug-in: a format whose pack() puts weights where weight() does not read them" {
    built broken -DPACK_WRONG
    measured ./broken.so four
    [ "$status" -eq 1 ]
    [ "$(grep -cE 'four\.(good|faulty)\.reference has a format whose functions disagree: pack\(\) stores -?[0-9.]+ at row [0-9], column [0-9]+, and weight\(\) gives -?[0-9.]+; it is left out$' err)" -eq 2 ]
    built mine -DBITS=3.5
    kept_quiet list kernels --plugin ./mine.so
    grep -qxF 'format four states 3.5 bits a weight, but takes 4' out
}

@test "plug-in: sums that saturate in worst cases, where the kernel says so and where not" {
    caught 'differs from the scalar reference in ' -DFAULT=wraps
    built mine -DFAULT=wraps -DDEMANDS='.wraps_beyond = 0.25'
    measured ./mine.so four.faulty
    [ "$status" -eq 0 ]
    grep -q '"type":"gemv","name":"four.faulty.reference".*"within_bound":true.*"wraps_beyond":0.25' out
}

@test "plug-in: formats that dequantize rows alone" {
    built mine -DROW_WEIGHTS -DNO_WEIGHT
    measured ./mine.so four.good
    [ "$status" -eq 0 ]
    grep -q '"type":"gemv","name":"four.good.reference".*"within_bound":true' out
}

@test "plug-in: a GEMM is checked, and measured" {
    built many -DGEMM=many_right
    apart "$KNEEPOINT" gemm --plugin ./many.so four.good --shape 64x96 --tokens 1,17 --threads 1 --samples 2 --warm --json
    [ "$status" -eq 0 ]
    [ "$(grep -c '"type":"gemm","name":"four.good.reference",.*"within_bound":true' out)" -eq 2 ]
    built many -DGEMM=many_wrong
    apart "$KNEEPOINT" gemm --plugin ./many.so four.good --shape 64x96 --tokens 1,17 --threads 1 --samples 2 --warm --json
    [ "$status" -eq 1 ]
    grep -qE 'four.good.reference differs from the scalar reference in 1 of [0-9]+ results.*gemm.run\(\).*N = 17, random weights, activations [a-z0-9 -]+, seed 1; the first, row 0 of token 16, is ' err
}

@test "plug-in: one of GEMMs alone is measured, planned to be compared, and has no GEMV" {
    "${CC:-cc}" -O2 -shared -fPIC -DKERNELS=1 -DGEMM_ONLY -I"$ROOT" -o gemms.so "$ROOT/scripts/measuring/gate_calibration.c"
    refuses "counted.kernel1.reference has no GEMV; GEMV kernels of counted: none (or use \`kneepoint gemm\`)" gemv --plugin ./gemms.so counted
    kept_quiet gemm --plugin ./gemms.so counted --shape 64x96 --tokens 1,17 --threads 1 --samples 2 --warm --json
    [ "$(grep -c '"type":"gemm","name":"counted.kernel1.reference",.*"within_bound":true.*"plugin":"counted"' out)" -eq 2 ]
    kept_quiet list plan --for=compare --plugin ./gemms.so --json
    [ "$(grep -c '"name":"gemm/counted.kernel1.reference/4096x4096/n\(4\|16\|64\)/t1/cold","value":"gemm",.*"chosen":true' out)" -eq 3 ]
    if grep -qE '"name":"(gemv|gamma)/' out; then false; fi
    # without a plug-in: ours of 2 bits and of 4
    kept_quiet list plan --for=compare --json
    [ "$(grep -c '"name":"gemm/' out)" -le 6 ]
    [ "$(uname -m)" != x86_64 ] || [ "$(grep -c '"name":"gemm/.*/n64/t1/cold"' out)" -eq 2 ]
}

@test "plug-in: descriptions that break a rule name entry and field" {
    built bad -DKERNEL_NAME='"four.other.reference"'
    refuses "./bad.so kernel four.other.reference: its name must be four.faulty.reference" gemv --plugin ./bad.so
    built bad -DNAME='"bad"' -DGAMMA='"four.absent.avx2"'
    refuses "./bad.so kernel four.good.reference: gamma names no sequence 'four.absent.avx2'" gemv --plugin ./bad.so
    built bad -DNAME='"bad"' -DGEMM=many_right -DMULTIPLY='"four.absent.avx2"'
    refuses "./bad.so kernel four.good.reference: gemm.multiply names no sequence 'four.absent.avx2'" gemv --plugin ./bad.so
    built bad -DISA='"z80"' -DKERNEL_NAME='"four.faulty.z80"'
    refuses "./bad.so kernel four.faulty.z80: no instruction set 'z80'" gemv --plugin ./bad.so
    built bad -DFORMAT_NAME='"int2_vnni4"'
    refuses "./bad.so format int2_vnni4: the name is taken; choose another" gemv --plugin ./bad.so
    built bad -DNO_WEIGHT
    refuses "./bad.so format four: it has neither weight() nor get()" gemv --plugin ./bad.so
    built bad -DUNLISTED
    refuses "./bad.so kernel four.good.reference: its format four is not among the plug-in's formats" gemv --plugin ./bad.so
    built bad -DOUR_FORMAT -DOUR_FORMAT_NAME='"int9"' 
    refuses "./bad.so kernel int2_vnni4.ours.reference: kneepoint has no format 'int9'" gemv --plugin ./bad.so
}

@test "plug-in: one that crashes when it is loaded, or ends the program" {
    built bad -DCONSTRUCTOR='abort()'
    refuses "./bad.so: loading it and reading its description ends with signal 6 (Aborted)" list kernels --plugin ./bad.so
    built bad -DCONSTRUCTOR='_exit(0)'
    refuses "./bad.so: loading it ends the process with status 0" gemv --plugin ./bad.so
}

@test "plug-in: the same one twice" {
    built mine
    refuses "./mine.so kernel four.good.reference: the name is taken; choose another" gemv --plugin ./mine.so --plugin ./mine.so ||
        refuses "./mine.so format four: the name is taken; choose another" gemv --plugin ./mine.so --plugin ./mine.so
}

@test "plug-in: two builds beside each other have names by their paths" {
    mkdir -p old new
    built old/mine -DNAME='"mine"'
    built new/mine -DNAME='"mine"' -DSLOWER
    built new/ours -DNAME='"mine"' -DOUR_FORMAT
    apart "$KNEEPOINT" gemv ./old/mine.so ./new/mine.so --shape 64x96 --threads 1 --samples 2 --warm --json
    [ "$status" -eq 0 ]
    grep -q '"type":"gemv","name":"four.good.reference","format":"four".*"plugin":"mine","plugin_hash"' out
    grep -q '"type":"gemv","name":"four_new.good.reference","format":"four_new".*"plugin":"mine-new","plugin_hash"' out
    kept_quiet list kernels --plugin old/mine.so --plugin new/ours.so
    grep -q '^int2_vnni4.ours_ours ' out
}

@test "plug-in: a third build whose path has nothing of its own is numbered" {
    mkdir -p old new
    built old/mine -DNAME='"mine"'
    cp old/mine.so new/mine.so
    cp old/mine.so new.so
    cp old/mine.so mine.so
    kept_quiet list kernels --plugin old/mine.so --plugin new/mine.so --plugin ./new.so --plugin ./mine.so
    [ "$(grep -oE '^four[a-z0-9_]*.good' out | sort | tr '\n' ' ')" = "four.good four_2.good four_new.good four_new_2.good " ]
    refuses "./old/mine.so format four: the name is taken; choose another" list kernels --plugin old/mine.so --plugin ./old/mine.so
}

@test "plug-in: a name that is a file means its kernels, also where they are wrong" {
    built mine -DNAME='"mine"'
    apart "$KNEEPOINT" gemv ./mine.so --shape 64x96 --threads 1 --samples 2 --warm --json
    [ "$status" -eq 0 ]
    [ "$(grep -c '"type":"gemv"' out)" -eq "$(grep -c '"type":"gemv".*"plugin":"mine"' out)" ]
    grep -q '"type":"gemv","name":"four.good.reference"' out
    refuses "cannot read plug-in ./nosuch.so: No such file or directory" gemv ./nosuch.so
    built broken -DFAULT=wrong
    measured ./broken.so ./broken.so
    is_caught 'differs from the scalar reference in '
}

@test "plug-in: characterize --only, and list plan of it" {
    kept_quiet list plan --only=int2_vnni4.mask --budget=60
    [ "$(grep -c '^yes .* gemv/' out)" -gt 0 ]
    if grep -E '^(yes|no) .* (gemv|gemm|gamma)/' out | grep -vqE '/int2_vnni4\.mask\.'; then false; fi
    grep -q ' beta/memory/' out
    refuses "no kernel or sequence 'int2_vnni5'" list plan --only=int2_vnni5
}

@test "plug-in: two builds compared live, in pairs of fresh processes" {
    built base
    built head -DSLOWER
    kept=$PWD/kept
    apart "$KNEEPOINT" compare --live ./base.so ./head.so --shape 64x96 --threads 1 --warm --blocks 5 --samples 4 --keep --results "$kept" --json
    echo "exit $status, standard error '$(cat err)'"
    [ "$status" -eq 0 ] || [ "$status" -eq 1 ] || [ "$status" -eq 3 ]
    grep -q '"type":"comparison","name":"gemv/four.good.reference/64x96/t1/warm"' out
    [ "$(find "$kept" -name records.jsonl | wc -l)" -eq 2 ]
    grep -qE '"file": ?"./head.so"' $(find "$kept" -name meta.json | head -n 1)
}

@test "plug-in: a build that is replaced between two blocks of a live comparison" {
    built base
    built next -DSLOWER
    # every process that loads it puts the other in its place as it ends
    built head -DDESTRUCTOR='link("next.so", "new.so"); rename("new.so", "head.so")'
    apart "$KNEEPOINT" compare --live ./base.so ./head.so --shape 64x96 --threads 1 --warm --blocks 5 --samples 4
    echo "exit $status, standard error '$(cat err)'"
    [ "$status" -eq 2 ]
    grep -qxF 'kneepoint compare: ./head.so was rebuilt while the comparison ran; start it again' err
}

@test "plug-in: a live comparison with a build that is wrong, crashes, or is no plug-in" {
    built base
    built head -DFAULT=wrong
    exit=1 refuses "HEAD ./head.so: four.faulty.reference differs from the scalar reference in " compare --live ./base.so ./head.so --cell '*faulty*' --shape 64x96 --threads 1 --warm
    # the other kernel of both builds is compared
    apart "$KNEEPOINT" compare --live ./base.so ./head.so --cell 'gemv/*' --shape 64x96 --threads 1 --warm --blocks 5 --samples 4 --json
    echo "exit $status, standard error '$(cat err)'"
    [ "$status" -eq 1 ]
    [ "$(grep -c '^kneepoint compare: HEAD ./head.so: four.faulty.reference differs from the scalar reference in .*; it is left out$' err)" -eq 1 ]
    grep -q '"type":"comparison","name":"gemv/four.good.reference/64x96/t1/warm"' out
    if grep -q '"comparison","name":"gemv/four.faulty' out; then false; fi
    grep -q '"type":"withheld","name":"four.faulty.reference".*"side":"HEAD"' out
    built head -DFAULT=crashes_on_many
    exit=1 refuses "HEAD ./head.so: four.faulty.reference on 256x96 with 1 thread: crashed with signal 11 (Segmentation fault)" compare --live ./base.so ./head.so --cell '*faulty*' --shape 256x96 --threads 1 --warm --blocks 5 --samples 4
    refuses "HEAD ./nothing.so: cannot read plug-in ./nothing.so: No such file or directory" compare --live ./base.so ./nothing.so
}

@test "plug-in: characterize keeps what it measured of the others, and says so" {
    built broken -DFAULT=wrong
    "${CC:-cc}" -O2 -shared -fPIC -DKERNELS=1 -DGEMM_ONLY -I"$ROOT" -o gemms.so "$ROOT/scripts/measuring/gate_calibration.c"
    apart "$KNEEPOINT" characterize --plugin ./broken.so --plugin ./gemms.so --budget 20 --threads 1 --results kept
    echo "exit $status, standard error '$(cat err)'"
    [ "$status" -eq 1 ]
    run=$(cat out)
    grep -q '"withheld":\[{"name":"four.faulty.reference"' "$run/records.jsonl"
    # the budget may not reach them: they are in the plan
    "$KNEEPOINT" list plan --budget 20 --plugin ./broken.so --plugin ./gemms.so --json >plan
    grep -q '"name":"gemv/four.good.reference/' plan
    if grep -q '"name":"gemv/four.faulty.reference/' "$run/records.jsonl"; then false; fi
    grep -q '"name":"gemm/counted.kernel1.reference/' plan
    if grep -q 'gemv/counted.kernel1' plan "$run/records.jsonl"; then false; fi
    grep -qE '"plugins": ?\{' "$run/meta.json"
    # to be continued with the same build alone
    built broken -DFAULT=coarse
    apart "$KNEEPOINT" characterize --resume "$run" --plugin ./broken.so --plugin ./gemms.so --budget 20 --threads 1
    [ "$status" -eq 4 ]
    grep -qE 'was measured with other code of four\.(good|faulty)\.reference, and cannot be continued here' err
}

@test "plug-in: those for installed libraries are built, measured, or listed as left out" {
    printf '/* \n * needs: no/such_library.h (libno-such-dev)\n * pkg-config: no-such\n * libraries: -lnosuch\n */\n' >absent.c
    "${MAKE:-make}" -s -C "$ROOT" plugins BUILD="$PWD/b" PLUGINS="plugins/onednn.c plugins/openblas.c $PWD/absent.c" >made 2>&1
    cat made
    grep -q '^left out: absent needs no/such_library.h (libno-such-dev)$' made
    [ "$(grep -cE '^(built .*/|left out: )(onednn|openblas)' made)" -eq 2 ]
    case $KNEEPOINT in */san/*) return ;; esac # it loads libraries that leak
    set --
    for library in onednn openblas; do
        [ ! -f "b/plugins/$library.so" ] || set -- "$@" --plugin "b/plugins/$library.so" "f32.$library"
    done
    [ $# -gt 0 ] || skip "not on this machine: neither oneDNN nor OpenBLAS is installed"
    apart "$KNEEPOINT" gemv "$@" --shape 64x96 --threads 1 --samples 2 --warm --json
    echo "exit $status, standard error '$(cat err)'"
    [ "$status" -eq 0 ]
    [ "$(grep -cE '"type":"gemv","name":"f32.(onednn|openblas).reference".*"within_bound":true.*"plugin":' out)" -eq $(($# / 3)) ]
}
