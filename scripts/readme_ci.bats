#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# The examples of the README's section on continuous integration: the YAML parses, and its commands run as they stand,
# but for the minutes that `characterize` takes: a stand-in makes runs, after the real one has accepted the options.

load ../harness/cmd/measuring
load ../harness/cmd/comparing

setup() {
    python3 -c 'import yaml' 2>/dev/null || skip "not on this machine: no python3-yaml"
    KNEEPOINT=$(realpath "${KNEEPOINT_STEADY:-${KNEEPOINT:-$BATS_TEST_DIRNAME/../build/kneepoint-steady}}")
    README=$BATS_TEST_DIRNAME/../README.md
    cd "$BATS_TEST_TMPDIR"
    mkdir -p build scripts bin
    printf '#!/bin/sh\necho "$0" >>"%s/log"\n' "$PWD" | tee scripts/setup >bin/make
    chmod +x scripts/setup bin/make
    PATH=$PWD/bin:$PATH
    export GITHUB_STEP_SUMMARY=$PWD/summary.md KNEEPOINT
    stored_run runs/base seed=1
    "$KNEEPOINT" baseline save main runs/base
    cat >build/kneepoint <<'END'
#!/bin/sh
if [ "$1" != characterize ]; then exec "$KNEEPOINT" "$@"; fi
# below a file no run can lie; a budget or an option that is wrong is told before that
"$KNEEPOINT" "$@" --results=/dev/null/runs 2>&1 | grep -q /dev/null || exit 2
touch "measured.$(ls | grep -c measured)"
echo "runs/$(ls | grep measured | tail -n 1)"
END
    chmod +x build/kneepoint
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

# measured SLOW SLOW_AGAIN: what the two runs of characterize will be.
measured() {
    stored_run runs/measured.0 seed=2 slow="$1"
    stored_run runs/measured.1 seed=3 slow="$2"
}

github() {
    commands 1 '"\n".join(step["run"] for step in it["jobs"]["speed"]["steps"] if "run" in step)' >job
    [ "$(wc -l <job)" -ge 7 ]
    apart bash -e job
    cat job out err
}

# as GitLab runs them, one after the other in one shell
gitlab() {
    commands 2 '"\n".join(it["speed"]["script"])' >job
    [ "$(wc -l <job)" -eq 4 ]
    apart bash -eo pipefail job
    cat job out err
}

@test "readme: the GitHub workflow passes what did not change, with a summary" {
    measured 1 1
    github
    [ "$status" -eq 0 ]
    grep -q '^### Kneepoint: pass: 0 of 3 cells failed' summary.md
    [ -z "$(grep warning out)" ]
    [ "$(wc -l <log)" -eq 2 ]
}

@test "readme: the GitHub workflow fails a confirmed loss, warns of one that is not, fails what cannot be compared" {
    measured 1.05 1.05
    github
    [ "$status" -eq 1 ]
    grep -q '\*\*fail\*\*: slower in two runs of HEAD' summary.md
    rm measured.* summary.md
    measured 1.05 1
    github
    [ "$status" -eq 0 ]
    grep -q '::warning::inconclusive' out
    rm measured.* summary.md
    stored_run runs/measured.0 cpu='Another CPU'
    github
    [ "$status" -ne 0 ]
    grep -q 'cannot be compared' summary.md
}

@test "readme: the workflow is one that GitHub would run" {
    [ "$(commands 1 'it["name"], it[True], it["jobs"]["speed"]["runs-on"], it["jobs"]["speed"]["steps"][0]["uses"]')" = \
        "speed pull_request ['self-hosted', 'bench'] actions/checkout@v4" ]
}

@test "readme: the GitLab job passes, fails and may fail with 3, with a JUnit report" {
    measured 1 1
    gitlab
    [ "$status" -eq 0 ]
    grep -q 'tests="3" failures="0"' "$(commands 2 'it["speed"]["artifacts"]["reports"]["junit"]')"
    rm measured.*
    measured 1.05 1.05
    gitlab
    [ "$status" -eq 1 ]
    grep -q 'failures="1"' speed.xml
    rm measured.*
    measured 1.05 1
    gitlab
    [ "$status" -eq "$(commands 2 'it["speed"]["allow_failure"]["exit_codes"]')" ]
}

@test "readme: a baseline by name and the newest run, in one line" {
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
    ln -s "$KNEEPOINT" bin/kneepoint
    block sh 1 >job
    [ "$(wc -l <job)" -eq 2 ]
    apart bash -e job
    cat out err
    # the verdict is the noise's: on a busy machine it may be unsure, and is wrong once in a hundred
    [ "$status" -eq 0 ] || [ "$status" -eq 3 ] || [ "$status" -eq 1 ]
    grep -q '^before.avx2.S -> mine.avx2.S$' out
}
