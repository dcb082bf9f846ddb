#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/check_includes on small trees: one that keeps every rule, and that tree with one rule broken at a time.

setup() {
    check=$BATS_TEST_DIRNAME/check_includes
    tree=$BATS_TEST_TMPDIR/tree
    local folder
    for folder in micro platforms results roofline reports harness; do
        source_file "$folder/own.h" '<stddef.h>'
        source_file "$folder/own.c" "\"$folder/own.h\"" '"registry.h"' '<hwloc.h>'
    done
    source_file reports/figure.c '"results/own.h"' '"platforms/own.h"' '"roofline/own.h"'
    source_file harness/main.c '"reports/own.h"' '"micro/own.h"' '"platforms/own.h"' '"results/own.h"' '"roofline/own.h"' '"own.h"'
}

# source_file PATH INCLUDE...: a file with its licence and these includes.
source_file() {
    mkdir -p "$tree/${1%/*}"
    { echo '/* SPDX-License-Identifier: BSD-3-Clause */'; shift; printf '#include %s\n' "$@"; } >"$tree/$1"
}

# refuses TEXT...: the check fails and its output holds each TEXT.
refuses() {
    run "$check" "$tree"
    [ "$status" -eq 1 ] || return 1
    local text
    for text; do
        [[ $output == *"$text"* ]] || { echo "no '$text' in: $output"; return 1; }
    done
}

@test "the tree that keeps the rules passes" {
    run "$check" "$tree"
    echo "$output"
    [ "$status" -eq 0 ]
    [ "${lines[0]}" = 1..5 ]
    [ "$(grep -c '^ok ' <<<"$output")" -eq 5 ]
}

@test "unit_test.h is for tests and what they share" {
    source_file micro/own_test.c '"unit_test.h"'
    source_file micro/own_testing.h '"unit_test.h"'
    run "$check" "$tree"
    echo "$output"
    [ "$status" -eq 0 ]
    source_file micro/edge.c '"unit_test.h"'
    refuses 'not ok 1' 'micro/edge.c:2: "unit_test.h" is for tests and what they share'
}

@test "a room includes itself and the floors below it, no other" {
    source_file harness/measure/own.h '"harness/command/exit_code.h"' '"harness/team/own.h"'
    source_file harness/cells/own.c '"harness/measure/own.h"' '"harness/cells/own.h"'
    source_file harness/main.c '"harness/cmd/console/own.h"'
    source_file platforms/counters/own.c '"platforms/own.h"' '"platforms/process/own.h"'
    source_file reports/figures/own.c '"reports/draw/own.h"' '"reports/select/own.h"'
    source_file harness/measure/own_test.c '"harness/cells/own.h"' # a test may look from above
    source_file micro/own_of.c '"micro/isa/own.h"'
    source_file micro/families/amx/own.h '"micro/isa/own.h"' '"micro/own.h"' '"micro/frames/own.h"' '"micro/families/blocks/own.h"' 'OF_FORMAT(layout.h)'
    source_file micro/formats/one/own.c '"micro/families/amx/own.h"' '"micro/formats/two/layout.h"'
    source_file micro/registry/own.c '"micro/formats/one/own.h"' '"registry.h"'
    run "$check" "$tree"
    echo "$output"
    [ "$status" -eq 0 ]
    source_file harness/measure/edge.c '<stdio.h>' '"harness/cells/own.h"'
    refuses 'not ok 1' 'harness/measure/edge.c:3: harness/measure must not include harness/cells/own.h, which lies above it'
    source_file harness/measure/edge.c '"harness/cmd/console/own.h"'
    refuses 'harness/measure/edge.c:2: harness/measure must not include harness/cmd/console/own.h, which lies above it'
    rm "$tree/harness/measure/edge.c"
    source_file platforms/edge.c '"platforms/counters/own.h"'
    refuses 'platforms/edge.c:2: platforms must not include platforms/counters/own.h, which lies above it'
    rm "$tree/platforms/edge.c"
    source_file reports/select/edge.c '"reports/draw/own.h"'
    refuses 'reports/select/edge.c:2: reports/select must not include reports/draw/own.h, which lies above it'
    rm "$tree/reports/select/edge.c"
    source_file reports/select/run/edge.h '"reports/select/tokens/own.h"'
    refuses 'reports/select/run/edge.h:2: reports/select/run must not include reports/select/tokens/own.h, which lies above it'
    rm "$tree/reports/select/run/edge.h"
    source_file harness/cmd/one/edge.h '"harness/cmd/two/own.h"'
    refuses 'harness/cmd/one/edge.h:2: harness/cmd/one must not include harness/cmd/two/own.h, which lies beside it'
    source_file harness/cmd/one/edge.h '"harness/cmd/console/own.h"' '"harness/cmd/decode/own.h"' '"harness/cmd/one/own.h"'
    rm "$tree/harness/cmd/one/edge.h"
    source_file harness/cells/cell/rounds_testing.h '"harness/cells/sync/own.h"' # what tests share may not
    refuses 'harness/cells/cell/rounds_testing.h:2: harness/cells/cell must not include harness/cells/sync/own.h, which lies above it'
    rm "$tree/harness/cells/cell/rounds_testing.h"
    source_file harness/cells/sync/edge.h '"harness/cells/cell/own.h"' '"harness/cells/product/own.h"' '"harness/cells/beta/own.h"'
    refuses 'harness/cells/sync/edge.h:4: harness/cells/sync must not include harness/cells/beta/own.h, which lies beside it'
    rm "$tree/harness/cells/sync/edge.h"
    source_file harness/gguf/edge.h '"harness/gguf/made/own.h"'
    refuses 'harness/gguf/edge.h:2: harness/gguf must not include harness/gguf/made/own.h, which lies above it'
    rm "$tree/harness/gguf/edge.h"
    source_file micro/isa/edge.h '"micro/frames/own.h"'
    refuses 'micro/isa/edge.h:2: micro/isa must not include micro/frames/own.h, which lies above it'
    source_file micro/isa/edge.h '"micro/own.h"'
    refuses 'micro/isa/edge.h:2: micro/isa must not include micro/own.h, which lies above it'
    rm "$tree/micro/isa/edge.h"
    source_file micro/edge.c '"micro/formats/one/own.h"'
    refuses 'micro/edge.c:2: micro must not include micro/formats/one/own.h, which lies above it'
    rm "$tree/micro/edge.c"
    source_file micro/families/blocks/edge.h '"micro/formats/one/layout.h"' '"micro/families/amx/own.h"'
    refuses 'micro/families/blocks/edge.h:2: micro/families must not include micro/formats/one/layout.h, which lies above it' \
        'micro/families/blocks/edge.h:3: micro/families/blocks must not include micro/families/amx/own.h, which lies above it'
    rm "$tree/micro/families/blocks/edge.h"
    source_file micro/families/planes/edge.h '"micro/families/lookup/own.h"'
    refuses 'micro/families/planes/edge.h:2: micro/families/planes must not include micro/families/lookup/own.h, which lies beside it'
    rm "$tree/micro/families/planes/edge.h"
    source_file harness/attic/edge.c '"harness/team/own.h"'
    refuses 'room harness/attic has no floor in scripts/check_includes'
}

@test "every forbidden edge is found, with file and line" {
    local from to
    for from in micro platforms results roofline reports; do
        for to in micro platforms results roofline reports harness; do
            [ "$from" != "$to" ] || continue
            [[ $from != reports || " micro harness " == *" $to "* ]] || continue
            source_file "$from/edge.c" '<stdio.h>' "\"$to/own.h\""
            refuses 'not ok 1' "$from/edge.c:3: $from must not include $to/own.h"
            rm "$tree/$from/edge.c"
        done
    done
}

@test "figures may know the shapes of models, and nothing else of micro" {
    source_file micro/shape.h '<stddef.h>'
    source_file reports/figure.c '"micro/shape.h"'
    run "$check" "$tree"
    [ "$status" -eq 0 ]
    source_file roofline/edge.c '"micro/shape.h"'
    refuses 'roofline must not include micro/shape.h'
}

@test "an edge hidden by <> or by odd spacing is found" {
    source_file micro/deep/edge.c '<platforms/own.h>'
    refuses 'micro must not include platforms/own.h'
    source_file micro/deep/edge.c
    printf '  #  include\t"harness/own.h"\n' >>"$tree/micro/deep/edge.c"
    refuses 'micro must not include harness/own.h'
}

@test "headers and assembly are checked too" {
    source_file roofline/edge.h '"results/own.h"'
    source_file micro/edge.S '"platforms/own.h"'
    refuses 'roofline/edge.h:2' 'micro/edge.S:2'
}

@test "an include that climbs, leads nowhere or stands in a folder without a rule" {
    source_file micro/a.c '"../platforms/own.h"'
    source_file micro/b.c '"absent.h"'
    source_file elsewhere/c.c '"micro/own.h"'
    refuses 'micro/a.c:2' 'climbs' 'micro/b.c:2' 'neither beside this file' 'folder "elsewhere" has no include rule'
}

@test "what was built and what was measured is left alone" {
    source_file build/edge.c '"nowhere.h"'
    source_file build-clang/edge.c '"nowhere.h"'
    mkdir -p "$tree/results/machine-0a1b2c3d/run"
    echo "int x;" >"$tree/results/machine-0a1b2c3d/run/x.c"
    run "$check" "$tree"
    [ "$status" -eq 0 ]
}

@test "a missing SPDX line is found in sources, figures and scripts, not asked of tables" {
    mkdir -p "$tree/scripts" "$tree/.ci"
    local file
    for file in micro/x.c micro/x.h micro/x.S reports/x.gp micro/x.def harness/x.bats reports/x.1 scripts/x .ci/run; do
        echo x >"$tree/$file"
        refuses 'not ok 2' "$file: no SPDX line"
        rm "$tree/$file"
    done
    echo x >"$tree/micro/x.tsv"
    run "$check" "$tree"
    [ "$status" -eq 0 ]
}

@test "a path of somebody's machine is found; templates and relative paths are not" {
    local folder
    for folder in home root tmp; do
        source_file harness/path.c
        echo "const char *path = \"/$folder/somebody\";" >>"$tree/harness/path.c"
        refuses 'not ok 3' 'harness/path.c:3'
    done
    source_file harness/path.c
    echo 'const char *path = "/'tmp'/kneepoint.XXXXXX", *other = "fixtures/'home'/x";' >>"$tree/harness/path.c"
    run "$check" "$tree"
    [ "$status" -eq 0 ]
}

@test "what assembly and make include is held to the same rules" {
    source_file micro/isa/step.inc '"harness/own.h"'
    refuses 'not ok 1' 'micro/isa/step.inc:2: micro must not include harness/own.h'
    echo '/* no licence */' >"$tree/micro/isa/step.inc"
    refuses 'not ok 2' 'micro/isa/step.inc: no SPDX line'
    rm "$tree/micro/isa/step.inc"
    mkdir -p "$tree/packaging"
    printf '# SPDX-License-Identifier: BSD-3-Clause\nLIBXSMM = /%s/somebody\n' home >"$tree/packaging/part.mk"
    refuses 'not ok 3' 'packaging/part.mk:2'
}

# spoken FILE LINE...: a source file of these lines after its licence.
spoken() {
    source_file "$1"
    { shift; printf '%s\n' "$@"; } >>"$tree/$file"
}

@test "only the command line speaks: whatever prints, ends the process or parses options is found elsewhere" {
    local line file=harness/compare/x.c
    for line in 'printf("x");' 'puts("x");' 'perror("x");' 'fprintf(stderr, "x");' 'vfprintf(stdout, x, y);' 'exit(1);' 'abort();' \
        'errx(1, "x");' 'argp_error(state, "x");' 'write(STDERR_FILENO, "x", 1);' '_exit(1);' '#include <argp.h>' \
        '#include "harness/cmd/console/console.h"' 'puts(/* why */ "\"" );' '/* a */ exit(1); /* b */'; do
        spoken "$file" "$line"
        refuses 'not ok 4' "$file:3:"
    done
    rm "$tree/$file"
    for file in harness/cmd/x.c harness/main.c harness/cmd/console/x.c results/x_test.c harness/check/item_tests.h harness/fixtures/x.c; do
        spoken "$file" 'int main(void) { puts("x"); exit(1); }'
    done
    run "$check" "$tree"
    echo "$output"
    [ "$status" -eq 0 ]
}

@test "what only looks like printing passes: comments, strings, streams that are given, a child that ends" {
    local file=platforms/x.c
    spoken "$file" '/* printf("x") and' '   exit(1) */ int x; // puts("x")' 'fputs("exit(1), stdout", stream);' 'snprintf(why, size, "x");' \
        'dup2(output, STDOUT_FILENO);' 'if (fork() == 0)' '    _exit(127);' 'my_exit(1); strerror(error);'
    run "$check" "$tree"
    echo "$output"
    [ "$status" -eq 0 ]
}

@test "a folder of more than 45 files is found, but of fixtures and of runs" {
    local number
    mkdir -p "$tree/plugins/fixtures" "$tree/results/runs/here"
    for number in $(seq 46); do
        touch "$tree/plugins/fixtures/$number" "$tree/results/runs/here/$number"
        [ "$number" -eq 46 ] || touch "$tree/plugins/$number"
    done
    run "$check" "$tree"
    [ "$status" -eq 0 ]
    touch "$tree/plugins/46"
    refuses 'not ok 5' 'plugins: 46 files, of at most 45'
}

@test "a check that cannot run has not passed" {
    mkdir "$BATS_TEST_TMPDIR/bin"
    printf '#!/bin/sh\nexit 2\n' >"$BATS_TEST_TMPDIR/bin/awk"
    chmod +x "$BATS_TEST_TMPDIR/bin/awk"
    PATH=$BATS_TEST_TMPDIR/bin:$PATH refuses 'not ok 1' 'the check itself failed'
}

@test "a folder that is not there is one line, and exit 2" {
    run "$check" nowhere
    [ "$status" -eq 2 ]
    [ "$output" = "check_includes: cannot enter the folder nowhere" ]
}
