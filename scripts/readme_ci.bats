#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# The examples of the README's section on continuous integration: the YAML parses, and its commands run as they stand, on a
# library of one kernel whose work is counted (scripts/gate_calibration.c), with 10% more work planted and with nothing
# changed. Where the tool itself says that the machine is too noisy to tell, the test says so, too.
#
# timed: it measures, some seconds each, and noise of other tests would make it inconclusive.
# slow: four runs of seven processes each.

load ../harness/cmd/measuring
load ../harness/cmd/comparing

setup() {
    python3 -c 'import yaml' 2>/dev/null || skip "not on this machine: no python3-yaml"
    ROOT=$(realpath "$BATS_TEST_DIRNAME/..")
    KNEEPOINT=$(realpath "${KNEEPOINT:-$ROOT/build/kneepoint}")
    README=$ROOT/README.md
    cd "$BATS_TEST_TMPDIR"
    mkdir bin
    ln -s "$KNEEPOINT" bin/kneepoint
    PATH=$PWD/bin:$PATH
    export GITHUB_STEP_SUMMARY=$PWD/summary.md
}

# block LANGUAGE NUMBER: the fenced code of that language and number within the section.
block() {
    sed -n '/^## In continuous integration$/,/^## How a number/p' "$README" |
        awk -v fence="\`\`\`$1" -v number="$2" '/^```$/ { on = 0 } on { print } $0 == fence && ++seen == number { on = 1 }'
}

# commands NUMBER PYTHON: what an expression of the YAML document `it` says.
commands() {
    block yaml "$1" | python3 -c "import sys, yaml
it = yaml.safe_load(sys.stdin)
print($2)"
}

github() { commands 1 '"\n".join(step["run"] for step in it["jobs"]["speed"]["steps"] if "run" in step)'; }
gitlab() { commands 2 '"\n".join(it["speed"]["script"])'; }

# library PERCENT: a repository of two revisions, of which the second does so much more work
library() {
    command -v "${CC:-cc}" >/dev/null || skip "not on this machine: no compiler"
    git init -q . && git config user.name n && git config user.email e
    cp "$ROOT/scripts/gate_calibration.c" mine.c
    printf 'libmine.so: mine.c\n\t%s -O2 -shared -fPIC -DKERNELS=1 -I%s -o $@ mine.c\n' "${CC:-cc}" "$ROOT" >Makefile
    git add mine.c Makefile && git commit -qm before
    sed -i "s/^#define PLANTED_1 0$/#define PLANTED_1 $1 \/* more *\//" mine.c
    git commit -qam now
}

# carry_out COMMAND: what the recipe says; noise is no failure of the recipe
carry_out() {
    "$1" >job
    apart bash -eo pipefail job
    cat job out err
    [ ! -e summary.md ] || cat summary.md
}

# Where the tool says that no cell could fail: skip, if every run of the recipe has samples of the kernel from all of its
# seven processes, so that it is what was rejected that is missing and not what was planned. Anything else goes on, and fails.
spare_a_starved_run() {
    local run
    grep -qs 'no cell could fail' err speed.md || return 0
    for run in results/runs/*/*/; do
        [ "$(grep '^{"type":"samples","name":"gemv/' "$run/records.jsonl" | grep -o '"block":[0-9]*' | sort -u | wc -l)" -eq 7 ] ||
            return 0
    done
    skip "noise: so few samples were kept that $(grep -ohs 'no cell could fail[^|"<]*' err speed.md | head -n 1)"
}

# Where the host is shared, a loss of memory cells counts from 8% on, and reading may hide some of the planted work: skip, if
# the loss was seen but is below that. A pass on another host, or of a cell that looks no slower, goes on, and fails.
spare_a_hidden_loss() {
    local seen
    grep -qs '^shared host' out err || return 0
    seen=$(awk '/^gemv\/counted.* pass$/ && $5 + 0 >= 2 && $4 + 0 < $7 + 0 { print $4 " of a threshold of " $7 }' out err | head -n 1)
    [ -z "$seen" ] || skip "noise: on this shared host 10% more work takes $seen"
}

@test "readme: the GitHub workflow fails 10% more work, by the real commands, and so does the same as JUnit" {
    library 10
    carry_out github
    cp -a results/runs "$BATS_FILE_TMPDIR/measured"
    spare_a_starved_run
    [ "$status" -eq 1 ] || spare_a_hidden_loss
    [ "$status" -eq 1 ] || grep -q '::warning::inconclusive' out # never a pass
    [ "$status" -eq 1 ] || skip "noise: $(grep -Eo '(inconclusive|suspected): [^|]*' summary.md | head -n 1)"
    grep -q '^### Kneepoint: fail: 1 of 1 cell failed' summary.md
    grep -q '\*\*fail\*\*: slower, confirmed' summary.md
    # the GitLab job has these commands but for the format, as another test says: the runs are as good for it
    mapfile -t run < <(ls -d results/runs/*/*/)
    [ "${#run[@]}" -eq 4 ]
    ends_with 1 compare "${run[0]}" "${run[1]}" --confirm-base="${run[2]}" --confirm-run="${run[3]}" --format=junit --output=speed.xml
    grep -q 'tests="1" failures="1" errors="0" skipped="0"' speed.xml
}

# The runs of the library before its change that the other test measured, the first and the one that confirmed it, are what
# the first two `characterize` of the recipe give, if there are both; all that follow measure.
hand_over_unchanged() {
    local run
    mapfile -t run < <(ls -d "$BATS_FILE_TMPDIR"/measured/*/*/ 2>/dev/null)
    [ "${#run[@]}" -eq 4 ] || return 0
    mkdir -p results/runs/cpu
    cp -a "${run[0]}" "${run[2]}" results/runs/cpu
    ls -d results/runs/cpu/* >measured
    rm bin/kneepoint
    cat >bin/kneepoint <<SHIM
#!/bin/sh
if [ "\$1" = characterize ] && [ -s "$PWD/measured" ]; then
    sed -n 1p "$PWD/measured" && sed -i 1d "$PWD/measured" && exit
fi
exec "$KNEEPOINT" "\$@"
SHIM
    chmod +x bin/kneepoint
}

@test "readme: the GitHub workflow passes what did not change, by the real commands" {
    library 0
    hand_over_unchanged
    carry_out github
    spare_a_starved_run
    [ "$status" -eq 0 ]
    grep -q '^### Kneepoint: ' summary.md
    [ -z "$(grep '\*\*fail\*\*' summary.md)" ]
    [ -z "$(grep warning out)" ] || skip "noise: $(grep -Eo '(inconclusive|suspected): [^|]*' summary.md | head -n 1)"
    grep -q '^### Kneepoint: pass: 0 of 1 cell failed, 1 passed, 0 inconclusive$' summary.md
}

@test "readme: the workflow is one that GitHub would run, and the GitLab job has its commands" {
    [ "$(commands 1 'it["name"], it[True], it["jobs"]["speed"]["runs-on"], it["jobs"]["speed"]["steps"][0]["uses"]')" = \
        "speed pull_request ['self-hosted', 'bench'] actions/checkout@v4" ]
    [ "$(commands 1 'it["jobs"]["speed"]["steps"][0]["with"]["fetch-depth"]')" -eq 2 ]
    github | sed -e 's/markdown --output=speed.md/FORMAT/' -e '/^cat speed/,$d' >one
    gitlab | sed -e 's/junit --output=speed.xml/FORMAT/' -e '/^exit/,$d' >other
    [ "$(wc -l <one)" -ge 12 ]
    diff one other
    gitlab | grep -q -- " --format=junit --output=$(commands 2 'it["speed"]["artifacts"]["reports"]["junit"]')"
    [ "$(commands 2 'it["speed"]["allow_failure"]["exit_codes"]')" -eq 3 ] # inconclusive
}

@test "readme: a baseline by name and the newest run, in one line" {
    stored_run runs/base seed=1
    "$KNEEPOINT" baseline save main runs/base
    stored_run results/runs/cpu/20260201T000000Z-1 seed=2
    grep -qF '`kneepoint compare main`' "$README"
    ends_with 0 compare main
    grep -q '^main -> results/runs/cpu/20260201T000000Z-1$' out
}

@test "readme: two versions of a sequence" {
    grep -q avx2 /proc/cpuinfo || skip "not on this machine: this CPU has no AVX2"
    command -v "${CC:-cc}" >/dev/null || skip "not on this machine: no compiler"
    git init -q . && git config user.name n && git config user.email e
    sed -n '/^```asm$/,/^```$/p' "$README" | grep -v '^```' >mine.avx2.S
    git add mine.avx2.S && git commit -qm before
    echo '/* the same */' >>mine.avx2.S
    git add mine.avx2.S && git commit -qm now
    block sh 1 >job
    [ "$(wc -l <job)" -eq 2 ]
    apart bash -e job
    cat out err
    # the verdict is the noise's: on a busy machine it may be unsure, and is wrong once in a hundred
    [ "$status" -eq 0 ] || [ "$status" -eq 3 ] || [ "$status" -eq 1 ]
    grep -q '^before.avx2.S -> mine.avx2.S$' out
}
