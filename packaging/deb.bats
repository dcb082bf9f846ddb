#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# What can be told of the Debian packages in seconds; scripts/check_deb builds, installs and uses them.

setup() {
    root=$(realpath "$BATS_TEST_DIRNAME/..")
    unset MAKEFLAGS MAKELEVEL MFLAGS
}

@test "deb: the version of the changelog is that of the program" {
    [ "$(sed -n '1s/^kneepoint (\(.*\)) .*/\1/p' "$root/debian/changelog")" = "$(sed -n 's/^VERSION *:= *//p' "$root/Makefile")" ]
}

@test "deb: so is that of CHANGELOG.md, whose versions are those of the package, newest first" {
    sed -n 's/^## \[\([0-9.]*\)\] - 20[0-9][0-9]-[01][0-9]-[0-3][0-9]$/\1/p' "$root/CHANGELOG.md" >"$BATS_TEST_TMPDIR/versions"
    [ "$(grep -c '^## ' "$root/CHANGELOG.md")" -eq "$(wc -l <"$BATS_TEST_TMPDIR/versions")" ]
    sed -n 's/^kneepoint (\(.*\)) .*/\1/p' "$root/debian/changelog" | diff - "$BATS_TEST_TMPDIR/versions"
    sort -rV "$BATS_TEST_TMPDIR/versions" | diff - "$BATS_TEST_TMPDIR/versions"
    [ "kneepoint $(head -n 1 "$BATS_TEST_TMPDIR/versions")" = "$("${KNEEPOINT:-$root/build/kneepoint-steady}" --version)" ]
}

@test "deb: the licence is that of the tree" {
    diff <(sed -n '/^ Redistribution/,$s/^ //p' "$root/debian/copyright" | sed 's/^\.$//') \
        <(sed -n '/^Redistribution/,$p' "$root/LICENSE")
}

@test "deb: what install makes is in one of the packages" {
    local part
    for part in bin include share/bash-completion share/kneepoint share/man share/pkgconfig; do
        [ "$(cat "$root"/debian/*.install | grep -cx "usr/$part")" -eq 1 ]
    done
}

@test "make deb: without its tools, one line with the package to install" {
    mkdir "$BATS_TEST_TMPDIR/bin"
    local tool path
    for tool in make sh uname sed git env grep head printf; do
        path=$(type -P $tool) || continue # git need not be there
        ln -s "$path" "$BATS_TEST_TMPDIR/bin/"
    done
    PATH=$BATS_TEST_TMPDIR/bin run make -s -C "$root" BUILD="$BATS_TEST_TMPDIR/build" deb
    [ "$status" -ne 0 ]
    [[ $output == *"make deb: dpkg-buildpackage is missing: install debhelper and dpkg-dev (Debian)"* ]]
    [ ! -e "$BATS_TEST_TMPDIR/build/deb" ]
}

@test "check_deb: not root is one line, exit 2" {
    mkdir "$BATS_TEST_TMPDIR/bin"
    printf '#!/bin/sh\necho 1000\n' >"$BATS_TEST_TMPDIR/bin/id"
    chmod +x "$BATS_TEST_TMPDIR/bin/id"
    PATH=$BATS_TEST_TMPDIR/bin:$PATH run "$root/scripts/check_deb"
    [ "$status" -eq 2 ]
    [ "$output" = "bare_root: not root, which debootstrap and chroot need" ]
}
