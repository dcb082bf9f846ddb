#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/fleet with stand-ins for ssh, srun, mpirun and the tool, then with two processes as two machines, and with a Slurm of
# two nodes that are this machine.

setup() {
    fleet=$BATS_TEST_DIRNAME/fleet
    tool=$(realpath "${KNEEPOINT:-$BATS_TEST_DIRNAME/../build/kneepoint-steady}")
    unset KNEEPOINT SLURMD_NODENAME SLURM_LOCALID OMPI_COMM_WORLD_LOCAL_RANK MPI_LOCALRANKID
    cd "$BATS_TEST_TMPDIR"
    mkdir bin shared
    PATH=$PWD/bin:$PATH
    # Says how it was started, a word a line, and leaves a mark of the machine.
    stand_in kneepoint 'for word; do echo "<$word>"; done; echo "progress" >&2'
    # A machine that is whole, whatever these tests may use of this one.
    stand_in getconf 'exec nproc'
    # As sshd does: one shell line, from a home of its own.
    stand_in ssh '[ "$1 $2" = "-o BatchMode=yes" ] || exit 9
        host=$3 line=$4
        [ $# -eq 4 ] || exit 8
        [ "$host" != dead ] || { echo "ssh: connect to host dead: No route to host" >&2; exit 255; }
        cd / && exec env -u OLDPWD sh -c "$line"'
}

# stand_in NAME BODY
stand_in() {
    printf '#!/bin/sh\n%s\n' "$2" >"bin/$1"
    chmod +x "bin/$1"
}

# apart COMMAND...: $status, standard output in file out, standard error in file err.
apart() {
    status=0
    "$@" >out 2>err || status=$?
    cat out err
}

refuses() {
    local text=$1
    shift
    apart "$fleet" "$@"
    [ "$status" -eq 2 ] && [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ] && grep -qF -- "$text" err
}

@test "fleet: usage" {
    refuses 'which launcher? fleet slurm|mpirun|ssh' 
    refuses 'which launcher?' rsh shared n1
    refuses 'which folder for the results?' ssh
    refuses 'nowhere is not there; make the folder' ssh nowhere n1
    refuses 'which hosts?' ssh shared
    refuses "'--budget=20' is not a host; options of characterize follow --" ssh shared n1 --budget=20
    apart "$fleet" --help
    [ "$status" -eq 0 ]
    grep -q 'fleet slurm  RESULTS' out
}

@test "fleet ssh: one process a host, with its name, the folder and the options as they were given" {
    apart "$fleet" ssh shared n1 n2 -- --budget=20 "--odd=it's \$HOME; a \"b\""
    [ "$status" -eq 0 ]
    [ ! -s err ]
    local host
    for host in n1 n2; do
        printf '<%s>\n' characterize "--node=$host" "--results=$PWD/shared" --budget=20 "--odd=it's \$HOME; a \"b\""
    done | diff - out
}

@test "fleet ssh: a host that fails is named with its last words, the others are kept, exit 1" {
    apart "$fleet" ssh shared n1 dead n2
    [ "$status" -eq 1 ]
    [ "$(cat err)" = 'fleet: dead: exit 255: ssh: connect to host dead: No route to host' ]
    [ "$(grep -c '<characterize>' out)" -eq 2 ]
}

@test "fleet ssh: a machine without the tool, or without the shared folder" {
    KNEEPOINT=no-such-tool apart "$fleet" ssh shared n1
    [ "$status" -eq 1 ]
    grep -qF "fleet: n1: exit 2: fleet: n1: no program 'no-such-tool'; install it there, or set KNEEPOINT" err
    stand_in ssh 'rmdir shared; exec sh -c "$4"'
    apart "$fleet" ssh shared n1
    [ "$status" -eq 1 ]
    grep -q 'shared is not there; the folder has to be one that all machines share' err
}

@test "fleet ssh: a program of the build tree is found from any folder" {
    KNEEPOINT=bin/kneepoint apart "$fleet" ssh shared n1
    [ "$status" -eq 0 ]
    grep -q '<--node=n1>' out
}

@test "fleet slurm: whole nodes, one process each, under the node's name" {
    stand_in srun 'echo "$1 $2 $3 $4" >asked
        while [ "$1" != sh ]; do shift; done
        for node in n1 n2; do SLURMD_NODENAME=$node SLURM_LOCALID=0 "$@"; done'
    apart "$fleet" slurm shared -N2 -- --budget=20
    [ "$status" -eq 0 ]
    [ "$(cat asked)" = '--ntasks-per-node=1 --exclusive --cpu-bind=none -N2' ]
    printf '<%s>\n' characterize --node=n1 "--results=$PWD/shared" --budget=20 \
        characterize --node=n2 "--results=$PWD/shared" --budget=20 | diff - out
}

@test "fleet: a second process of a machine does nothing, and says so" {
    stand_in srun 'while [ "$1" != sh ]; do shift; done
        for rank in 0 1; do SLURMD_NODENAME=n1 SLURM_LOCALID=$rank "$@"; done'
    apart "$fleet" slurm shared
    [ "$status" -eq 0 ]
    [ "$(grep -c '<characterize>' out)" -eq 1 ]
    grep -q 'fleet: n1: process 1 of this machine has nothing to do' err
}

@test "fleet mpirun: Open MPI and Hydra get their own options; the machine's name is found out" {
    stand_in mpirun '[ "$1" != --version ] || { echo "mpirun (Open MPI) 4.1.4"; exit; }
        echo "$1 $2 $3 $4" >asked
        while [ "$1" != sh ]; do shift; done
        OMPI_COMM_WORLD_LOCAL_RANK=0 "$@"'
    apart "$fleet" mpirun shared --hostfile hosts
    [ "$status" -eq 0 ]
    [ "$(cat asked)" = '--map-by ppr:1:node --bind-to none' ]
    grep -qx "<--node=$(uname -n)>" out
    sed -i 's/(Open MPI) 4.1.4/HYDRA build details/; s/OMPI_COMM_WORLD_LOCAL_RANK/MPI_LOCALRANKID/' bin/mpirun
    apart "$fleet" mpirun shared
    [ "$(cat asked)" = '-ppn 1 -bind-to none' ]
}

@test "fleet: a line names a machine that may not use all its CPUs" {
    stand_in getconf '[ "$1" = _NPROCESSORS_ONLN ] && echo 4096'
    apart "$fleet" ssh shared n1
    [ "$status" -eq 0 ]
    grep -q "fleet: n1: only $(nproc) of 4096 CPUs may be used; ask the launcher for whole machines" err
    stand_in srun 'while [ "$1" != sh ]; do shift; done; SLURMD_NODENAME=n1 "$@"'
    apart "$fleet" slurm shared
    [ "$status" -eq 0 ]
    grep -q "fleet: n1: only $(nproc) of 4096 CPUs may be used; ask the launcher for whole machines" err
}

# two_runs: file out has the paths of two whole runs, of machines n1 and n2, side by side below shared.
two_runs() {
    [ "$(wc -l <out)" -eq 2 ]
    local run node
    for node in n1 n2; do
        run=$(grep -e "Z-$node-[0-9]*$" out)
        [[ $run == "$PWD/shared/"* ]]
        grep -q "\"node\": \"$node\"" "$run/meta.json"
        grep -q '"type":"end".*"interrupted":false' "$run/records.jsonl"
    done
    [ "$(ls -d shared/runs/*/*/ | wc -l)" -eq 2 ]
    "$tool" report $(cat out) -o page
    grep -q 'node n2' page/index.html
}

@test "fleet: two processes as two machines, at the same time, into one folder" {
    KNEEPOINT=$tool apart "$fleet" ssh shared n1 n2 -- --budget=20 --threads=1
    [ "$status" -eq 0 ]
    two_runs
}

# slurm_starts: a Slurm of two nodes that are this machine, all of it in folder slurm.
slurm_starts() {
    local folder=$PWD/slurm host port=$((20000 + $$ % 20000)) node
    host=$(uname -n)
    mkdir -p slurm/munge slurm/state slurm/spool
    chmod 755 slurm
    chmod 700 slurm/munge
    head -c 1024 /dev/urandom >slurm/munge/key
    chmod 400 slurm/munge/key
    cat >slurm/slurm.conf <<CONF
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=$folder/munge/socket
SlurmctldPort=$port
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool/%n
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.%n.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.%n.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
ReturnToService=2
NodeName=n1 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 1)) CPUs=$(nproc)
NodeName=n2 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 2)) CPUs=$(nproc)
PartitionName=all Nodes=ALL Default=YES State=UP
CONF
    export SLURM_CONF=$folder/slurm.conf
    munged --force --key-file="$folder/munge/key" --socket="$folder/munge/socket" --pid-file="$folder/munge/pid" \
        --log-file="$folder/munge/log" --seed-file="$folder/munge/seed" 3>&- &&
        slurmctld 3>&- && slurmd -N n1 3>&- && slurmd -N n2 3>&- || return 1
    for _ in $(seq 1200); do
        [ "$(sinfo -h -o %D -t idle 2>/dev/null)" != 2 ] || return 0
        sleep 0.1
    done
    return 1
}

teardown() {
    local file pid
    for file in slurm/slurmd.n1.pid slurm/slurmd.n2.pid slurm/slurmctld.pid slurm/munge/pid; do
        [ -s "$BATS_TEST_TMPDIR/$file" ] || continue
        pid=$(cat "$BATS_TEST_TMPDIR/$file")
        kill "$pid" || continue
        for _ in $(seq 100); do # its folder is removed next, and it writes its state when it ends
            kill -0 "$pid" 2>/dev/null || break
            sleep 0.1
        done
    done
}

@test "fleet slurm: real Slurm, two nodes at the same time, into one folder" {
    local program
    for program in munged slurmctld slurmd srun; do
        command -v $program >/dev/null || skip "not on this machine: no $program (Debian: slurm-wlm, munge)"
    done
    slurm_starts || skip "not on this machine: Slurm does not start here: $(cat slurm/*.log slurm/munge/log 2>/dev/null | tail -n 1)"
    KNEEPOINT=$tool apart "$fleet" slurm shared -N2 -- --budget=20 --threads=1
    [ "$status" -eq 0 ]
    two_runs
}
