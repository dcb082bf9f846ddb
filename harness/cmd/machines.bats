#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# All that prints and measures nothing, on every machine of platforms/fixtures/machines, as KNEEPOINT_MACHINE has the tool believe
# (platforms/machine/machine_standin.c). With KNEEPOINT_MACHINES_TABLE=FILE what ran over each is written there.

setup_file() {
    local root=$BATS_TEST_DIRNAME/../.. machine
    for machine in "$root"/platforms/fixtures/machines/*.txt; do
        "$root/scripts/pack" --unpack "$machine" "$BATS_FILE_TMPDIR/$(basename "$machine" .txt)"
    done
}

setup() {
    KNEEPOINT=${KNEEPOINT:-$BATS_TEST_DIRNAME/../../build/kneepoint-steady}
    MACHINES=$BATS_FILE_TMPDIR
    cd "$BATS_TEST_TMPDIR"
    [[ $KNEEPOINT = *-steady ]] || skip "not on this machine: only the tool with stand-ins believes in another"
}

# What `info` calls machine $1.
called() {
    case $1 in
    alder_lake) echo 'Golden Cove (client)' ;;
    arrow_lake) echo 'Lion Cove' ;;
    granite_rapids_masked) echo 'Redwood Cove (server)' ;;
    haswell) echo 'Haswell (client)' ;;
    ice_lake_server) echo 'Sunny Cove (server)' ;;
    neoverse_n1) echo 'Neoverse N1' ;;
    neoverse_v1) echo 'Neoverse V1' ;;
    neoverse_v2) echo 'Neoverse V2' ;;
    kvm64 | no_name) echo 'core design unknown' ;;
    raspberry_pi_5) echo 'Cortex-A76' ;;
    sapphire_rapids*) echo 'Golden Cove (server)' ;;
    sierra_forest) echo 'Crestmont (server)' ;;
    zen2_guest) echo 'Zen 2' ;;
    zen*) echo "Zen ${1#zen}" ;;
    *) echo "no name in machines.bats" ;;
    esac
}

on() {
    KNEEPOINT_MACHINE=$MACHINES/$1 "$KNEEPOINT" "${@:2}"
}

# in_terminal MACHINE COMMAND...: as a terminal of 80 columns shows them, in file out, each after a line "== COMMAND".
in_terminal() {
    local machine=$1 command silent
    shift
    KNEEPOINT_MACHINE=$MACHINES/$machine TERM=xterm NO_COLOR=1 script -qec "stty cols 80
        $(for command; do echo "echo '== $command'; '$KNEEPOINT' $command"; done)" /dev/null </dev/null |
        sed 's/\r$//; s/.*\r//; s/\x1b\[K//g' >out
    printf "$machine: %s\n" "$@" >>"${KNEEPOINT_MACHINES_TABLE:-/dev/null}"
    silent=$(awk '/^== / { if (command && !lines) print command; command = $0; lines = 0; next } { lines++ } END { if (!lines) print command }' out)
    [ -z "$silent" ] && [ "$(grep -c '^== ' out)" -eq $# ] || { echo "$machine: nothing is printed by $silent"; return 1; }
    # code and commands stay in one piece
    ! grep -vE "^ +(echo|sudo|kneepoint) |\`" out | LC_ALL=C.UTF-8 grep -E '^.{81,}' || { echo "$machine: one of $* is wider"; return 1; }
}

@test "machines: info and doctor fit a terminal, and call every machine what it is" {
    command -v script >/dev/null || skip "not on this machine: no script(1)"
    local folder machine
    for folder in "$MACHINES"/*; do
        machine=${folder##*/}
        in_terminal "$machine" doctor info
        sed -n '/^== info$/,$p' out | grep -qF "$(called "$machine")" || { echo "$machine is not called '$(called "$machine")'"; cat out; return 1; }
    done
}

@test "machines: if a hypervisor masks the model, both cores are named, and what separated them" {
    on granite_rapids_masked info >out
    tr -s ' \n' ' ' <out | grep -qF 'in a virtual machine (KVM)'
    grep -q 'Redwood Cove (server), GenuineIntel family 6 model 167' out
    tr -s ' \n' ' ' <out | grep -qF "named by its features; the model stated, 6/167, is Rocket Lake's, which has no avx_vnni, avx512_bf16, avx512_fp16 and 6 more"
    on granite_rapids_masked info --json | jq -e -s '.[] | select(.type == "machine") | .microarchitecture == "Redwood Cove (server)" and
        .microarchitecture_stated == "Cypress Cove" and .identity.microarchitecture_stated == "Cypress Cove" and .kinds[0].microarchitecture_stated == "Cypress Cove"'
    [ "$(on sapphire_rapids info --json | jq -r 'select(.type == "machine") | .contradiction')" = null ]
}

@test "machines: what is emulated is said, by CPUID's leaf or a word of the kernel's command line, and once" {
    local said='emulated by QEMU TCG: results and instruction counts are right, but cycles, times and rates are the emulator'"'"'s'
    cp -r "$MACHINES/haswell" leaf
    cp -r "$MACHINES/neoverse_n1" word
    MACHINES=$PWD
    sed -i -E 's/^( *0x00000001 0x00: .*)ecx=0x7/\1ecx=0xf/; $a\   0x40000000 0x00: eax=0x40000001 ebx=0x54474354 ecx=0x43544743 edx=0x47435447' leaf/cpuid.txt
    sed -i 's/^flags.*/& hypervisor/' leaf/proc/cpuinfo
    echo 'console=ttyAMA0 quiet kneepoint.emulated=qemu' >word/proc/cmdline
    for machine in leaf word; do
        on $machine info >out
        [ "$(grep -c "^ \+$said$" out)" -eq 1 ]
        ! grep -q 'in a virtual machine' out || { cat out; return 1; }
        on $machine info --json | jq -e -s '.[] | select(.type == "machine") | .emulated == "QEMU TCG" and .identity.emulated == "QEMU TCG"'
        run on $machine doctor
        [ "$status" -eq 3 ]
        [[ ${lines[0]} == "These make results wrong"* && ${lines[1]} == " 1. "*"emulator: QEMU TCG; results and"* ]]
        ! grep -q 'virtual machine' <<<"$output" || { echo "$output"; return 1; }
    done
    rm word/proc/cmdline
    on word info >out
    ! grep -q emulate out || { cat out; return 1; }
    on word info --json | jq -e -s '[.[] | .. | objects | has("emulated")] | any | not'
}

@test "machines: info --cpuid is a recorded cpuid.txt, of every machine" {
    local folder machine
    for folder in "$MACHINES"/*; do
        machine=${folder##*/}
        grep -v '^#' "$folder/cpuid.txt" >wanted
        on "$machine" info --cpuid | diff -i wanted - || { echo "$machine: another CPUID"; return 1; }
    done
    run on haswell info --cpuid --json
    [[ $status -eq 2 && $output == "kneepoint info: --cpuid prints text, not JSON; leave out --cpuid or --json" ]]
}

@test "machines: a clock that the kernel gave up is not to be chosen" {
    on zen2_guest info >out
    grep -q '^  clock source  *hpet' out
    ! grep -q 'echo tsc' out || return 1
    grep -q 'dmesg | grep -i tsc' out
}

@test "machines: what is listed and explained fits a terminal" {
    command -v script >/dev/null || skip "not on this machine: no script(1)"
    local folder machine
    for folder in "$MACHINES"/*; do
        machine=${folder##*/}
        in_terminal "$machine" list "list kernels int1" "list sequences int1" "list shapes" "list platforms" "list figures" "explain gamma" "explain q4_0"
    done
    for machine in granite_rapids_masked alder_lake neoverse_v2; do # most kernels, two kinds of cores, no x86-64
        in_terminal "$machine" "list plan" "list plan --for=compare"
    done
}

@test "machines: no kernel or sequence runs whose instruction set the machine lacks, and all others do" {
    local folder machine what
    for folder in "$MACHINES"/*; do
        machine=${folder##*/}
        # "runs" in `info` follows the features; a list says it of each item
        on "$machine" info --json | sed -n 's/^{"type":"isa","name":"\([a-z0-9_]*\)","runs":true.*/\1/p' >isas
        grep -qx reference isas
        for what in kernels sequences; do
            on "$machine" list $what --json >all
            [ -s all ]
            awk 'NR == FNR { has[$1] = 1; next }
                { match($0, /"isa":"[^"]*"/); isa = substr($0, RSTART + 7, RLENGTH - 8); runs = /"runs":true/
                  if (runs != (isa in has)) { print isa ": runs is " runs; exit 1 } }' isas all >wrong ||
                { echo "$machine, $what: $(cat wrong)"; return 1; }
            echo "$machine: list $what --json: $(grep -c '"runs":true' all) of $(wc -l <all) run" >>"${KNEEPOINT_MACHINES_TABLE:-/dev/null}"
        done
    done
}

@test "machines: a plan is within its budget, roofs come first and whole" {
    local folder machine budget
    for folder in "$MACHINES"/*; do
        machine=${folder##*/}
        for budget in 60 100 900; do
            on "$machine" list plan --budget=$budget --json >plan || { echo "$machine: no plan of $budget s"; return 1; }
            echo "$machine: list plan --budget=$budget" >>"${KNEEPOINT_MACHINES_TABLE:-/dev/null}"
            # what a budget holds at least: the roofs and gamma; of 100 s calibration as well
            awk -v budget=$budget '
                !match($0, /"cost_s":[0-9.e+-]+/) { print "no cost: " $0; exit }
                /"chosen":true/ { sum += substr($0, RSTART + 9, RLENGTH - 9); chosen++ }
                /"chosen":false/ && (/"value":"(roofs|gamma)"/ || budget >= 100 && /"value":"calibration"/) { missing++ }
                END { if (!chosen) print "nothing is planned"
                      if (sum > budget) print "costs " sum " s of " budget
                      if (missing) print missing " of the first cells left out" }' plan >wrong
            [ ! -s wrong ] || { echo "$machine:"; cat wrong; return 1; }
        done
    done
}

# made_up MACHINE: the made-up run of reports/fixtures, as if that machine had measured it, in folder run.
made_up() {
    local fixture=$BATS_TEST_DIRNAME/../../reports/fixtures/run
    rm -rf run && mkdir run
    on "$1" info --json >told
    jq -c 'select(.type == "machine") | .llc_bytes = ([.caches[] | select(.level > 2).bytes] | add)' told >machine
    jq --slurpfile machine machine --slurpfile told told '.cpu = $machine[0].identity | .topology = $machine[0].topology |
        .host = $machine[0].host | .isa = ([$told[] | select(.type == "isa") | {(.name): .runs}] | add)' "$fixture/meta.json" >run/meta.json
    { cat machine; grep -v '"type":"machine"' "$fixture/records.jsonl"; } >run/records.jsonl
}

# What is chosen where nothing is named differs from machine to machine.
@test "machines: what a command measures where nothing is named can be measured on every machine" {
    local folder command
    for folder in "$MACHINES"/*; do
        [[ $folder != */neoverse* && $folder != */raspberry* && $folder != */kvm64 ]] || continue # this build has no code that runs there
        for command in gamma knee beta gemv "gemm --tokens=4" decode "decode --prefill=16" "tune q4_0"; do
            [[ $folder != */zen2_guest || $command != tune* ]] || continue # emulated: tune would judge the emulator
            run on "${folder##*/}" $command
            echo "${folder##*/}: $command" >>"${KNEEPOINT_MACHINES_TABLE:-/dev/null}"
            [[ $status -eq 2 && ${lines[-1]} == "kneepoint ${command%% *}: KNEEPOINT_MACHINE names a recorded machine"* ]] ||
                { echo "${folder##*/}: $command: $output"; return 1; }
        done
    done
}

@test "machines: where nothing runs, what a command would measure is refused by the least that is missing" {
    [ "$(uname -m)" = x86_64 ] || skip "not on this machine: its kernels are another's"
    local command
    for command in gamma knee gemv "gemm --tokens=4" "gemv q4_0" "gamma int2_vnni4"; do
        run on kvm64 $command
        echo "$command: $output"
        [[ $status -eq 2 && ${lines[-1]} == "kneepoint ${command%% *}: "*".avx2 cannot run on this CPU: it needs avx2, fma, f16c, bmi2" ]]
    done
    run on kvm64 decode
    [[ $status -eq 2 && $output == *"no kernel of the usual formats runs on this CPU"* ]]
}

# Pictures are drawn of two; the words of the others need none.
@test "machines: the page of a made-up run calls the machine what it is, and nothing else" {
    local folder machine
    mkdir without # a PATH without gnuplot: the report ends with exit 2, and its page is there
    for folder in "$MACHINES"/*; do
        machine=${folder##*/} path=$PWD/without
        [[ $machine != granite_rapids_masked && $machine != no_name ]] || path=$PATH
        made_up "$machine"
        run env PATH="$path" "$KNEEPOINT" report run -o page
        [ "$status" -eq 0 ] || [[ $path != "$PATH" && $status -eq 2 && $output == *"the report is written without it"* ]]
        echo "$machine: report" >>"${KNEEPOINT_MACHINES_TABLE:-/dev/null}"
        called=$(called "$machine")
        grep -qF "$(jq -r .cpu machine | cut -c 1-40)" page/index.html || { echo "$machine: its name is not on its page"; return 1; }
        if [[ $machine = no_name || $machine = kvm64 ]]; then
            ! grep -qE '(Cove|Zen [0-9]|Neoverse)' page/index.html
        else
            grep -qF "$called" page/index.html || { echo "$machine is not called $called"; return 1; }
        fi
        [[ $called == *'Golden Cove (server)'* ]] || ! grep -qF 'Golden Cove (server)' page/index.html # whose numbers were made up
        if [ "$machine" = granite_rapids_masked ]; then
            grep -o '.\{0,60\}Cypress Cove' page/index.html >stated
            grep -q 'microarchitecture_stated</th>' stated
            ! grep -v microarchitecture_stated stated || return 1
            grep -qF "Named by its features; the model stated, 6/167, is Rocket Lake" page/index.html
        fi
        rm -r page
    done
}

@test "machines: nothing is measured on a recorded machine; one that is not there or is packed is named" {
    local command
    printf 'nothing\n' >mine.avx2.S
    printf 'nothing\n' >mine.so
    for command in beta knee bias selftest terms "gamma ./mine.avx2.S" "gemv --plugin ./mine.so f32" \
        "list kernels --plugin ./mine.so" "characterize --budget=60 --plugin ./mine.so"; do
        run on granite_rapids_masked $command
        echo "$command: $output"
        [ "$status" -eq 2 ]
        [[ $output == *"names a recorded machine"* ]]
        [ "${#lines[@]}" -eq 1 ]
    done
    run on nonesuch info
    [ "$status" -eq 2 ]
    [[ $output == *"nonesuch/topology.xml"* ]]
    MACHINES=$BATS_TEST_DIRNAME/../../platforms/fixtures/machines run on haswell.txt info
    echo "$output"
    [[ $status -eq 2 && ${#lines[@]} -eq 1 && $output == *"haswell.txt is packed: unpack it with scripts/pack --unpack" ]]
    run env KNEEPOINT_MACHINE="$MACHINES/haswell" "${KNEEPOINT%-steady}" info
    [[ $output != *i7-4770* ]] || grep -q i7-4770 /proc/cpuinfo
}
