#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# Sequences and kernels that were called otherwise: micro/former_names.tsv. The command line takes both names; runs,
# baselines and platform files of before compare with those of today.

load measuring

setup() {
    root=$BATS_TEST_DIRNAME/../..
    cd "$BATS_TEST_TMPDIR"
}

# formerly FILE: as an older version would have written it
formerly() {
    sed -e 's/\(int[124]_vnni4\)\.envelope/\1.paper/g' -e 's/"sequence":"envelope"/"sequence":"paper"/g' "$1"
}

@test "former names: each stands for one of today and is none itself" {
    "$KNEEPOINT" list sequences --json >all
    "$KNEEPOINT" list kernels --json >>all
    grep -q '"format":"int2_vnni4"' all || skip "not on this machine: the names are those of x86-64"
    while IFS="$(printf '\t')" read -r former now; do
        case $now in *.neon* | *.sve*) continue ;; esac # only a machine with these instruction sets lists them
        case $former in '#'*) continue ;; esac
        # a name of a format and a sequence, or of one instruction set of them
        grep -qE "\"name\":\"$now(\.[a-z0-9_]*)?\"" all || { echo "no $now"; false; }
        ! grep -qE "\"name\":\"$former(\.[a-z0-9_]*)?\"" all || { echo "$former is still there"; false; }
    done <"$root/micro/former_names.tsv"
}

@test "former names: gamma and gemv take them, records have those of today" {
    grep -q '"name":"int2_vnni4.envelope.avx2".*"runs":true' <("$KNEEPOINT" list sequences --json) || skip "not on this machine: no AVX2 here"
    kept_quiet gamma int2_vnni4.paper.avx2 -a 4 --samples 2 --json
    grep -q '"name":"int2_vnni4.envelope.avx2".*"sequence":"envelope"' out
    if grep -q paper out; then false; fi
    kept_quiet gemv tl1.paper_0 --shape 64x64 --warm --threads 1 --samples 2 --json
    grep -q '"name":"tl1.bitnet_tl1_0.avx2"' out
}

@test "former names: predict takes them, and platform files that have them" {
    "$KNEEPOINT" predict --platform arl --kernel int2_vnni4.paper --json >new
    grep -q '"name":"arl/int2_vnni4.envelope"' new
    formerly "$root/platforms/known/arl.json" >old.json
    grep -q 'int2_vnni4.paper' old.json
    "$KNEEPOINT" predict --platform ./old.json --kernel int2_vnni4.envelope --json >old
    grep -q '"kernel":"int2_vnni4.envelope"' old
}

# run_of FOLDER NAME: a run whose one measured kernel has this name
run_of() {
    mkdir "$1"
    for file in meta.json records.jsonl; do
        sed "s/int8_vnni4\.dot\.avx512_vnni/$2/g" "$root/reports/fixtures/run/$file" >"$1/$file"
    done
}

@test "former names: a run of before has the cells of one of today" {
    run_of old int2_vnni4.paper.avx512_vnni
    run_of new int2_vnni4.envelope.avx512_vnni
    run_of other int2_vnni4.mask.avx512_vnni
    status=0
    "$KNEEPOINT" compare --allow all --format json old new >compared || status=$?
    [ $status -eq 4 ] # of two visits each no cell could fail
    grep -q '"name":"gemv/int2_vnni4.envelope.avx512_vnni/4096x4096/t2/cold"' compared
    grep -q '"cells":1,' compared
    if grep -q 'vnni4\.paper' compared; then false; fi
    status=0
    "$KNEEPOINT" compare --allow all --format json --cell 'gemv/int2_vnni4.paper*' new old >compared || status=$?
    grep -q '"cells":1,' compared
    status=0
    "$KNEEPOINT" compare --allow all --format json old other >compared 2>&1 || status=$?
    [ $status -ne 0 ]
    if grep -q '"cells":1,' compared; then false; fi
}
