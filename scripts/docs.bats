#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# The pages of docs/: every block of commands runs as it stands, by a shell that stops at the first that fails. What would measure
# for long is parsed by the tool, its kernels, models and figures are held against what there is, and it is then answered as if it had
# been measured; what only reads and computes runs. How the commands behave that measure, the tests of each say; the recipes of
# docs/gate.md run whole in docs_gate.bats, the examples of plug-ins in examples.bats.

load ../harness/cmd/comparing

setup_file() {
    ROOT=$(realpath "$BATS_TEST_DIRNAME/..")
    TOOL=$(realpath "${KNEEPOINT:-$ROOT/build/kneepoint-steady}")
    NAMES=$BATS_FILE_TMPDIR/names
    STORED=$BATS_FILE_TMPDIR/stored
    BIN=$BATS_FILE_TMPDIR/bin
    export ROOT TOOL NAMES STORED BIN
    local what
    for what in kernels sequences shapes figures; do
        "$TOOL" list "$what" --json | sed -n 's/^{"type":"[^"]*","name":"\([^"]*\)".*/\1/p' >"$NAMES.$what"
        [ -s "$NAMES.$what" ]
    done
    make -s -C "$ROOT" help | sed -n 's/^  make \([a-z-]*\) .*/\1/p' >"$NAMES.targets"
    stored_run "$STORED" blocks=11
    cp "$ROOT/platforms/known/arl.json" "$STORED/platform.json"
    make_programs
}

# What the pages call, in $BIN: the tool, and what is there instead of programs that would build, install or start machines.
make_programs() {
    mkdir "$BIN"
    printf '#!/bin/bash\nexec bash "%s/instead.bash" "$@"\n' "$BATS_TEST_DIRNAME" >"$BIN/kneepoint"
    cat >"$BIN/make" <<'END'
#!/bin/bash
for word; do
    [[ $word == *=* ]] || grep -qx -- "$word" "$NAMES.targets" || { echo "make: no target $word" >&2; exit 2; }
done
END
    chmod +x "$BIN"/*
}

# blocks PAGE: its fenced commands.
blocks() {
    awk '$0 == "```" { on = 0 } on { print } $0 == "```sh" { on = 1 }' "$1"
}

# a_place PAGE: a folder as the page expects it, with the scripts of this tree doing nothing, and files that it names.
a_place() {
    local script
    mkdir -p scripts/measuring results/runs/here
    cp -r "$STORED" results/runs/here/20260101T000000Z-1
    for script in "$ROOT"/scripts/* "$ROOT"/scripts/measuring/*; do
        [ -x "$script" ] && [ -f "$script" ] || continue
        printf '#!/bin/sh\n%s\n' "$([ "${script##*/}" != fleet ] || echo 'echo results/runs/here/20260101T000000Z-1')" >"${script#"$ROOT"/}"
        chmod +x "${script#"$ROOT"/}"
    done
    # this one runs, with a tool for aarch64 that has predicted one gamma
    printf '%s\n' '#!/bin/sh' "echo '{\"name\":\"q4_0.signed.neon_dotprod\",\"bytes_per_vector\":18,\"mca_gamma\":1.5,\"mca_llvm\":19}'" >"$BIN/aarch64_tool"
    chmod +x "$BIN/aarch64_tool"
    printf '#!/bin/sh\nKNEEPOINT_AARCH64=%s exec %s "$@"\n' "$BIN/aarch64_tool" "$ROOT/scripts/measuring/predicted_platform" >scripts/measuring/predicted_platform
    mkdir -p build/plugins
    touch libmine.so before.so after.so model.gguf build/plugins/ggml.so build/plugins/ik_llama.so
    awk '$0 == "```" { on = 0 } on { print } $0 == "```asm" { on = 1 }' "$1" >mine.avx2.S
    git init -q . && git config user.name n && git config user.email e
    git add mine.avx2.S && git commit -qm before && git commit -q --allow-empty -m now
}

@test "docs: every command of every page runs" {
    local page failed=
    for page in "$ROOT"/docs/*.md; do
        mkdir "$BATS_TEST_TMPDIR/place"
        cd "$BATS_TEST_TMPDIR/place"
        a_place "$page"
        blocks "$page" >../commands
        PATH=$BIN:$PATH bash -eu ../commands >../out 2>&1 || { echo "# ${page##*/}: $(tail -n 3 ../out)"; failed="$failed ${page##*/}"; }
        cd "$BATS_TEST_TMPDIR" && rm -r place
    done
    [ -z "$failed" ]
}

@test "docs: a command that the tool would refuse is one that fails" {
    local line
    cd "$BATS_TEST_TMPDIR"
    for line in 'kneepoint gemv --model=LLaMA3-8B Q4_0' 'kneepoint decode BF16'; do
        echo "$line"
        env PATH="$BIN:$PATH" bash -eu -c "$line"
    done
    for line in 'kneepoint gemv --sideways' 'kneepoint gemv no_such_format' 'kneepoint gemv --model=no-such-model' 'kneepoint figure no_such' \
        'kneepoint gamma ./not_there.avx2.S' 'make no-such-target' 'kneepoint gemv --shape=4096' 'kneepoint report not/there' \
        'kneepoint predict --platform=none-such'; do
        echo "$line"
        run env PATH="$BIN:$PATH" bash -eu -c "$line"
        [ "$status" -ne 0 ]
    done
}

@test "docs: every page has commands and shows an output, and the README leads to every page" {
    local page
    for page in "$ROOT"/docs/*.md; do
        echo "$page"
        [ "$(blocks "$page" | wc -l)" -ge 1 ]
        grep -q '^```console ' "$page"
        grep -qF "](docs/${page##*/})" "$ROOT/README.md"
        head -n 1 "$page" | grep -q SPDX
    done
}

@test "docs: every link leads to a file" {
    local page link
    for page in "$ROOT/README.md" "$ROOT/CONTRIBUTING.md" "$ROOT"/docs/*.md; do
        while read -r link; do
            echo "$page: $link"
            [ -e "$(dirname "$page")/${link%%#*}" ]
        done < <(grep -oE '\]\([^)]*\)' "$page" | sed 's/^](//; s/)$//' | grep -v '^https\{0,1\}:')
    done
}

@test "docs: the README is read in a sitting" {
    [ "$(wc -l <"$ROOT/README.md")" -le 150 ]
}

@test "docs: the README's first column of commands is what the tool has" {
    local command
    sed -n 's/^|.*| `kneepoint \([a-z]*\).*` |$/\1/p' "$ROOT/README.md" >"$BATS_TEST_TMPDIR/named"
    [ -s "$BATS_TEST_TMPDIR/named" ]
    while read -r command; do
        "$TOOL" --help | grep -q "^  $command "
    done <"$BATS_TEST_TMPDIR/named"
}

@test "docs: outputs that are shown are what the commands print" {
    command -v script >/dev/null || skip "not on this machine: no script(1)"
    git -C "$ROOT" ls-files 2>/dev/null | grep -q '^results/runs/' || skip "not on this machine: no repository with its runs"
    [ "$(uname -m)" = x86_64 ] && grep -q avx2 /proc/cpuinfo || skip "not on this machine: pages show what runs with AVX2"
    command -v "${CC:-cc}" >/dev/null || skip "not on this machine: no C compiler"
    grep -lE '^```console ' "$ROOT/README.md" "$ROOT"/docs/*.md >"$BATS_TEST_TMPDIR/pages"
    [ "$(wc -l <"$BATS_TEST_TMPDIR/pages")" -ge 12 ]
    while read -r page; do
        KNEEPOINT=$TOOL "$ROOT/scripts/shown" "$page" | diff "$page" - || { echo "$page: run scripts/shown -i $page"; return 1; }
    done <"$BATS_TEST_TMPDIR/pages"
}

@test "docs: a stale output is made anew, and one that nothing prints is refused" {
    command -v script >/dev/null || skip "not on this machine: no script(1)"
    export KNEEPOINT=$TOOL
    cd "$BATS_TEST_TMPDIR"
    printf '%s\n' '```console 2 from=^q4_0' '$ kneepoint quantize --markdown q4_0' '```' >none.md
    printf '%s\n' 'before' '```console 1 from=^gaussian' '$ kneepoint quantize q4_0' '...' 'gaussian q4_0 9' '...' '```' 'after' >stale.md
    cp stale.md kept.md
    "$ROOT/scripts/shown" stale.md >anew.md
    cmp stale.md kept.md
    ! cmp -s stale.md anew.md || return 1
    [[ $(sed -n 5p anew.md) =~ ^gaussian\ q4_0\ +4\.500\  ]]
    "$ROOT/scripts/shown" -i stale.md
    cmp stale.md anew.md
    run "$ROOT/scripts/shown" none.md
    [ "$status" -eq 2 ]
    [[ $output == *"shown: 'kneepoint quantize --markdown q4_0' prints nothing like '^q4_0'"* ]]
}

# drawing SVG: what it says, and what it is made of, without places, sizes and colours, which are gnuplot's version's.
drawing() {
    python3 - "$1" <<'END'
import sys, xml.etree.ElementTree as tree
for element in tree.parse(sys.argv[1]).iter():
    text = " ".join("".join(element.itertext()).split()) if element.tag.endswith(("text", "title", "desc")) else ""
    if element.tag.endswith(("text", "title", "desc")) or element.get("id", "").startswith("gnuplot_plot"):
        print(element.tag.split("}")[-1], element.get("id", ""), text)
END
}

@test "docs: the picture of the README is small, and what make picture draws" {
    command -v gnuplot >/dev/null || skip "not on this machine: no gnuplot"
    [ "$(stat -c %s "$ROOT/docs/hero.svg")" -lt 60000 ]
    git -C "$ROOT" ls-files 2>/dev/null | grep -q '^results/runs/' || skip "not on this machine: no repository with its runs"
    env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS -u SAN make -s -C "$ROOT" -o "${TOOL%/*}/kneepoint" BUILD="${TOOL%/*}" DRAWN="$BATS_TEST_TMPDIR/hero.svg" picture
    drawing "$ROOT/docs/hero.svg" >"$BATS_TEST_TMPDIR/committed"
    [ "$(wc -l <"$BATS_TEST_TMPDIR/committed")" -ge 20 ]
    drawing "$BATS_TEST_TMPDIR/hero.svg" | diff "$BATS_TEST_TMPDIR/committed" - || { echo "run make picture"; return 1; }
}
