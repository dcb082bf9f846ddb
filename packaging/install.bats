#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# make install into a folder, and the tool used from there as if there were no source tree.
#
# shipped: what is installed is the program itself.

setup_file() {
    root=$(realpath "$BATS_TEST_DIRNAME/..")
    binary=$(realpath "${KNEEPOINT:-$root/build/kneepoint}")
    export root binary stage=$BATS_FILE_TMPDIR/stage
    installing install
}

setup() {
    installed=$stage/opt/kp/bin/kneepoint
    share=$stage/opt/kp/share
    cd "$BATS_TEST_TMPDIR"
    # As a build with sanitizers runs below strace.
    export ASAN_OPTIONS=detect_leaks=0
}

# installing TARGET [VARIABLE=VALUE]...: the binary that is tested, whatever flags it was built with, is not built again.
installing() {
    env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS -u SAN make -s -C "$root" -o "$binary" BUILD="$(dirname "$binary")" PREFIX=/opt/kp \
        DESTDIR="$stage" "$@"
}

@test "install: every kind of file is there, with its mode" {
    local file
    for file in bin/kneepoint:755 share/man/man1/kneepoint.1:644 share/man/man1/kneepoint-gemv.1:644 share/man/man5/kneepoint-records.5:644 \
        share/man/man7/kneepoint-plugin.7:644 share/pkgconfig/kneepoint.pc:644 \
        share/bash-completion/completions/kneepoint:644 include/kneepoint/micro/kernel.h:644 \
        include/kneepoint/micro/sequences/sequence_frame.h:644 include/kneepoint/micro/plugin.h:644 \
        share/kneepoint/examples/plugin/README.md:644 share/kneepoint/examples/plugin_cpp/plugin.cpp:644 share/kneepoint/platforms/known/arl.json:644 \
        share/kneepoint/platforms/platform.schema.json:644 share/kneepoint/results/record.schema.json:644 \
        share/kneepoint/roofline/papers/envelope.json:644 share/kneepoint/reports/figures/own/knee.gp:644 \
        share/kneepoint/reports/draw/style.gnuplot:644 share/kneepoint/reports/page/report.css:644 \
        share/kneepoint/reports/page/report.js:644 share/kneepoint/micro/shapes/llama3-8b.tsv:644; do
        echo "$file"
        [ "$(stat -c %a "$stage/opt/kp/${file%:*}")" = "${file#*:}" ]
    done
    cmp "$binary" "$installed"
    diff <(cd "$root/man" && ls -- *.[1-9]) <(cd "$share/man" && ls man?/* | sed 's|.*/||' | sort)
}

@test "install: no file names the folder it was staged in, nor the source tree" {
    run grep -rlIF -e "$stage" -e "$root" "$stage"
    [ -z "$output" ]
}

@test "install: a PREFIX with a blank" {
    installing install PREFIX='/opt/two words'
    "$stage/opt/two words/bin/kneepoint" --version
    grep -qx 'prefix=/opt/two words' "$stage/opt/two words/share/pkgconfig/kneepoint.pc"
    installing uninstall PREFIX='/opt/two words'
    [ -z "$(find "$stage/opt/two words" ! -type d)" ]
}

@test "install: a place that cannot be written is an error" {
    echo file >not-a-folder
    run installing install DESTDIR="$PWD/not-a-folder"
    [ "$status" -ne 0 ]
}

@test "uninstall removes what install made, and nothing else" {
    local away=$PWD/away
    installing install DESTDIR="$away"
    echo mine >"$away/opt/kp/share/mine"
    installing uninstall DESTDIR="$away"
    [ "$(find "$away" ! -type d)" = "$away/opt/kp/share/mine" ]
    [ ! -e "$away/opt/kp/include/kneepoint" ]
    installing uninstall DESTDIR="$away"
}

@test "installed: runs from an empty folder, with nothing but a PATH" {
    env -i PATH=/usr/bin:/bin ASAN_OPTIONS="$ASAN_OPTIONS" "$installed" list shapes >shapes
    grep -q 'llama3-8b' shapes
    env -i PATH=/usr/bin:/bin ASAN_OPTIONS="$ASAN_OPTIONS" "$installed" predict --platform=arl >predicted
    [ -s predicted ]
    env -i PATH=/usr/bin:/bin ASAN_OPTIONS="$ASAN_OPTIONS" "$installed" papers envelope >papers
    grep -q envelope papers
}

@test "installed: reads nothing of the source tree and none of its own data files" {
    command -v strace >/dev/null || skip "not on this machine: no strace"
    strace -f -o log true || skip "not on this machine: no permission to trace"
    cp -r "$root/reports/fixtures/run" stored
    local program=$(realpath "$installed") command
    for command in info "list sequences" "predict --platform=arl" "papers envelope" "figure knee --run stored -o out" \
        "report stored -o out"; do
        echo "$command"
        strace -f --seccomp-bpf -e trace=%file -o log "$program" $command >/dev/null
        [ -s log ]
        if grep -F "\"$root/" log; then false; fi
        if grep -F "$stage/opt/kp/share" log; then false; fi
    done
}

@test "installed: a sequence of one's own needs the program and a compiler" {
    [ "$(uname -m)" = x86_64 ] || skip "not on this machine: the sequence is for x86_64"
    grep -q avx2 /proc/cpuinfo || skip "not on this machine: this CPU has no AVX2"
    sed -n '/^```asm$/,/^```$/p' "$root/docs/sequence.md" | grep -v '^```' >mine.avx2.S
    if command -v strace >/dev/null && strace -f -o log true; then
        strace -f --seccomp-bpf -e trace=%file -o log "$installed" gamma ./mine.avx2.S -a 4 --samples 2 --mca=none >out || [ $? -eq 3 ] # on a busy machine
        grep -q '"/[^"]*sequence_frame.h"' log
        if grep -F "\"$root/" log; then false; fi
        if grep -F "$stage/opt/kp/include" log; then false; fi
    else
        "$installed" gamma ./mine.avx2.S -a 4 --samples 2 --mca=none >out || [ $? -eq 3 ] # on a busy machine
    fi
    grep -q '^four.mine.avx2 ' out
}

@test "headers: each compiles alone where pkg-config finds it, and what they include is installed" {
    command -v pkg-config >/dev/null || skip "not on this machine: no pkg-config"
    local header flags
    flags=$(PKG_CONFIG_SYSROOT_DIR=$stage PKG_CONFIG_LIBDIR=$share/pkgconfig pkg-config --cflags kneepoint)
    [ "$flags" = "-I$stage/opt/kp/include/kneepoint " ] || [ "$flags" = "-I$stage/opt/kp/include/kneepoint" ]
    for header in "$stage"/opt/kp/include/kneepoint/micro/*.h; do
        header=${header#"$stage/opt/kp/include/kneepoint/"}
        printf '#include "%s"\nint nothing;\n' "$header" >one.c
        ${CC:-cc} -std=c17 -Wall -Werror $flags -fsyntax-only one.c
    done
    (cd "$stage/opt/kp/include/kneepoint" &&
        find . -name '*.h' -exec sed -n 's/^ *# *include *"\(micro\/[^"]*\)".*/\1/p' {} + | sort -u) >included
    [ -s included ]
    while read -r header; do
        echo "$header"
        [ -f "$stage/opt/kp/include/kneepoint/$header" ]
    done <included
}

@test "headers: the example of a plug-in, built and run from the installed place by its own text" {
    command -v pkg-config >/dev/null || skip "not on this machine: no pkg-config"
    [ "$(uname -m)" = x86_64 ] && grep -q avx2 /proc/cpuinfo || skip "not on this machine: the example is for AVX2"
    local text=$share/kneepoint/examples/plugin/README.md language
    for language in c sh; do
        awk -v begin="\`\`\`$language" '$0 == "```" { inside = 0 } inside { print } $0 == begin { inside = 1 }' "$text" >mine.$language
    done
    [ "$(wc -l <mine.sh)" -ge 2 ]
    # what is installed loads it; what measures is the tool of the tests, which keeps its samples on a busy machine, too
    mkdir bin
    printf '#!/bin/sh\n[ "$1" = list ] && exec "%s" "$@"\nexec "%s" "$@"\n' "$installed" "$binary-steady" >bin/kneepoint
    chmod +x bin/kneepoint
    PKG_CONFIG_SYSROOT_DIR=$stage PKG_CONFIG_LIBDIR=$share/pkgconfig PATH=$PWD/bin:$PATH sh -e mine.sh >out
    grep -q '^four.mine.avx2  *mine  *.* yes$' out
    grep -q '^four.mine.avx2 .*[0-9]%' out
}

@test "pkg-config: version and folders" {
    command -v pkg-config >/dev/null || skip "not on this machine: no pkg-config"
    export PKG_CONFIG_LIBDIR=$share/pkgconfig
    [ "kneepoint $(pkg-config --modversion kneepoint)" = "$("$installed" --version)" ]
    [ "$(pkg-config --variable=datadir kneepoint)" = /opt/kp/share/kneepoint ]
}

@test "the manual page is found by man" {
    command -v man >/dev/null || skip "not on this machine: no man program"
    MANPATH=$share/man man kneepoint | grep -q 'low-bit matrix kernels'
}
