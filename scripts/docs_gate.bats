#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# The recipes of docs/gate.md: the YAML parses, and its commands run as they stand, on a repository of two revisions that builds a
# library. characterize is answered with runs as if it had measured them: of a head that is slower, that is not, that looked
# slower once, and of another CPU; one run of a plug-in is measured. How often the gate errs is counted by
# scripts/measuring/gate_calibration.

load ../harness/cmd/measuring
load ../harness/cmd/comparing

setup() {
    python3 -c 'import yaml' 2>/dev/null || skip "not on this machine: no python3-yaml"
    ROOT=$(realpath "$BATS_TEST_DIRNAME/..")
    KNEEPOINT=$(realpath "${KNEEPOINT:-$ROOT/build/kneepoint-steady}")
    PAGE=$ROOT/docs/gate.md
    cd "$BATS_TEST_TMPDIR"
    a_program
    PATH=$PWD/bin:$PATH
    export GITHUB_STEP_SUMMARY=$PWD/summary.md
}

# block LANGUAGE NUMBER: the fenced code of that language and number.
block() {
    awk -v fence="\`\`\`$1" -v number="$2" '/^```$/ { on = 0 } on { print } $0 == fence && ++seen == number { on = 1 }' "$PAGE"
}

# commands NUMBER PYTHON: what an expression of the YAML document `it` says.
commands() {
    block yaml "$1" | python3 -c "import sys, yaml
it = yaml.safe_load(sys.stdin)
print($2)"
}

github() { commands 1 '"\n".join(step["run"] for step in it["jobs"]["speed"]["steps"] if "run" in step)'; }
gitlab() { commands 2 '"\n".join(it["speed"]["script"])'; }

# library: a repository of two revisions of a library with a kernel
library() {
    command -v "${CC:-cc}" >/dev/null || skip "not on this machine: no compiler"
    git init -q . && git config user.name n && git config user.email e
    echo 'int kernel(void) { return 1; }' >mine.c
    printf 'libmine.so: mine.c\n\t%s -shared -fPIC -o $@ mine.c\n' "${CC:-cc}" >Makefile
    git add mine.c Makefile && git commit -qm before
    echo 'int other(void) { return 2; }' >>mine.c
    git commit -qam now
}

# a_program: bin/kneepoint, whose characterize is parsed by the tool, looks for the plug-in, and prints the first line that is left
# of runs_of_base or runs_of_head.
a_program() {
    mkdir bin
    cat >bin/kneepoint <<SHIM
#!/bin/sh
[ "\$1" = characterize ] || exec "$KNEEPOINT" "\$@"
"$KNEEPOINT" "\$@" --help >/dev/null || exit 2
case "\$*" in
*--for=compare*--plugin=base/libmine.so) runs="$PWD/runs_of_base" file=base/libmine.so ;;
*--for=compare*--plugin=./libmine.so) runs="$PWD/runs_of_head" file=./libmine.so ;;
*) exit 2 ;;
esac
[ -f "\$file" ] && sed -n 1p "\$runs" && sed -i 1d "\$runs"
SHIM
    chmod +x bin/kneepoint
}

# measured WHO [NAME=VALUE]...: the next run of base or head, as stored_run has it
measured() {
    runs=$((${runs:-0} + 1))
    stored_run "$PWD/runs/$runs" seed="$runs" "${@:2}"
    echo "$PWD/runs/$runs" >>"runs_of_$1"
}

# carry_out COMMAND: what the recipe says
carry_out() {
    "$1" >job
    apart bash -eo pipefail job
    cat job out err
    [ ! -e summary.md ] || cat summary.md
}

@test "docs/gate: the GitHub workflow fails what is slower each time" {
    library
    measured base && measured head slow=1.1 && measured base && measured head slow=1.1
    carry_out github
    [ "$status" -eq 1 ]
    grep -q '^### Kneepoint: fail: 1 of 3 cells failed' summary.md
    grep -q '\*\*fail\*\*: slower, confirmed' summary.md
    [ ! -s runs_of_base ] && [ ! -s runs_of_head ]
}

@test "docs/gate: the GitLab job likewise, as JUnit" {
    library
    measured base && measured head slow=1.1 && measured base && measured head slow=1.1
    carry_out gitlab
    [ "$status" -eq 1 ]
    grep -q 'tests="3" failures="1" errors="0" skipped="0"' speed.xml
}

@test "docs/gate: the GitHub workflow passes what did not change, and measures it once" {
    library
    measured base && measured head && measured base && measured head
    carry_out github
    [ "$status" -eq 0 ]
    grep -q '^### Kneepoint: pass: 0 of 3 cells failed, 3 passed, 0 inconclusive$' summary.md
    [ -z "$(grep warning out)" ]
    [ "$(wc -l <runs_of_base)" -eq 1 ] && [ "$(wc -l <runs_of_head)" -eq 1 ]
}

@test "docs/gate: what looked slower once is a warning, and no failure" {
    library
    measured base && measured head slow=1.1 && measured base && measured head
    carry_out github
    [ "$status" -eq 0 ]
    grep -q '::warning::inconclusive' out
    [ -z "$(grep '\*\*fail\*\*' summary.md)" ]
}

@test "docs/gate: a run of another CPU fails the job" {
    library
    measured base cpu='Some CPU' && measured head cpu='Another CPU'
    carry_out github
    [ "$status" -ne 0 ]
}

@test "docs/gate: the workflow is one that GitHub would run, and the GitLab job has its commands" {
    [ "$(commands 1 'it["name"], it[True], it["jobs"]["speed"]["runs-on"], it["jobs"]["speed"]["steps"][0]["uses"]')" = \
        "speed pull_request ['self-hosted', 'bench'] actions/checkout@v4" ]
    [ "$(commands 1 'it["jobs"]["speed"]["steps"][0]["with"]["fetch-depth"]')" -eq 2 ]
    github | sed -e 's/markdown --output=speed.md/FORMAT/' -e '/^cat speed/,$d' >one
    gitlab | sed -e 's/junit --output=speed.xml/FORMAT/' -e '/^exit/,$d' >other
    [ "$(wc -l <one)" -ge 12 ]
    diff one other
    gitlab | grep -q -- " --output-format=junit --output=$(commands 2 'it["speed"]["artifacts"]["reports"]["junit"]')"
    [ "$(commands 2 'it["speed"]["allow_failure"]["exit_codes"]')" -eq 3 ] # inconclusive
}

@test "docs/gate: a baseline by name and the newest run, in one line" {
    stored_run runs/base seed=1
    "$KNEEPOINT" baseline save main runs/base
    stored_run results/runs/cpu/20260201T000000Z-1 seed=2
    grep -qx 'kneepoint compare main' "$PAGE"
    ends_with 0 compare main
    grep -q '^main -> results/runs/cpu/20260201T000000Z-1$' out
}

@test "docs/gate: what characterize measures of a plug-in is what compare takes" {
    command -v "${CC:-cc}" >/dev/null || skip "not on this machine: no compiler"
    "${CC:-cc}" -O2 -shared -fPIC -DKERNELS=1 -I"$ROOT" -o libmine.so "$ROOT/scripts/measuring/gate_calibration.c"
    kept=$("$KNEEPOINT" characterize --for=compare --blocks=1 --budget=20 --plugin=./libmine.so 2>err) || { cat err; return 1; }
    grep -q '^{"type":"samples","name":"gemv/counted.kernel1.reference/' "$kept/records.jsonl"
    apart "$KNEEPOINT" compare "$kept" "$kept"
    cat out err
    # one process against itself: equal, or too noisy to tell, or with so few samples kept that nothing could fail
    [ "$status" -eq 0 ] || [ "$status" -eq 3 ] || { [ "$status" -eq 4 ] && grep -q 'no cell can fail' err; }
}
