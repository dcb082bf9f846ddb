#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/record_machine: what is recorded of this machine comes back byte for byte.

setup() {
    SCRIPT=$BATS_TEST_DIRNAME/record_machine
    cd "$BATS_TEST_TMPDIR"
}

# stub NAME: a program of that name, from standard input, before all others.
stub() {
    mkdir -p bin
    { echo '#!/bin/sh'; cat; } >"bin/$1"
    chmod +x "bin/$1"
}

@test "record_machine: files come back byte for byte, empty ones and those without a last newline too" {
    stub kneepoint <<<'echo "$*"'
    stub lstopo-no-graphics <<<'echo "<topology/>"; echo "<info name=\"HostName\" value=\"secret\"/>"'
    printf '== proc/stat\n\n \n:\\x41\nb\303\244\377\r\n%100000s\\x41' last >hard
    # /etc/os-release is hard, /proc/self/cgroup empty, /proc/stat a newline, and /proc/sys/kernel/version cannot be read
    stub cat <<END
case \$1 in
/etc/os-release) exec $(command -v cat) hard ;;
/proc/self/cgroup) ;;
/proc/stat) echo ;;
/proc/sys/kernel/version) exit 1 ;;
*) exec $(command -v cat) "\$@" ;;
esac
END
    PATH=$PWD/bin:$PATH "$SCRIPT"
    [ "$(ls)" = $'bin\nhard\nrecorded.txt' ]
    "${SCRIPT%/*}/pack" --unpack recorded.txt unpacked
    [ "$(ls unpacked | tr '\n' ' ')" = "cpuid.txt etc proc sys topology.xml " ]
    [ "$(cat unpacked/cpuid.txt unpacked/topology.xml)" = $'info --cpuid\n<topology/>' ]
    cmp hard unpacked/etc/os-release
    [ -f unpacked/proc/self/cgroup ] && [ ! -s unpacked/proc/self/cgroup ]
    echo | cmp - unpacked/proc/stat
    [ ! -e unpacked/proc/sys/kernel/version ]
    [ "$(cat unpacked/proc/sys/kernel/hostname)" = recorded ]
    cmp /proc/sys/kernel/osrelease unpacked/proc/sys/kernel/osrelease
    cmp /sys/devices/system/cpu/online unpacked/sys/devices/system/cpu/online
    [ "$(sed 's/:.*//' unpacked/proc/self/status)" = Cpus_allowed_list ]
    [ "$(sed -n '/^$/=' unpacked/proc/cpuinfo)" = "$(wc -l <unpacked/proc/cpuinfo)" ]
    PATH=$PWD/bin:$PATH run "$SCRIPT"
    [[ $status -eq 2 && $output == "record_machine: recorded.txt is there already" ]]
}
