# SPDX-License-Identifier: BSD-3-Clause
#
# What scripts/measuring/measure_* share, sourced: each makes one run out of several commands and prints its path.
#
#     options='--print and --into=RUN'     # the script's, for the message on another one
#     for argument; do measuring_option "$argument"; done
#     measuring_tool
#     measuring_takes MINUTES
#     measure gemv ...
#
# --into adds to a run, --print shows the commands and measures nothing. KNEEPOINT is the tool: build/kneepoint.
name=$(basename "$0")
root=$(dirname "$0")/../..
kneepoint=${KNEEPOINT:-$root/build/kneepoint}
print='' results=results run=''

measuring_option() { # one that all have, or the folder for results
    case $1 in
    --print) print=yes ;;
    --into=*) run=${1#*=} ;;
    -*) echo "$name: unknown option '$1'; there are $options" >&2 && exit 2 ;;
    *) results=$1 ;;
    esac
}

measuring_tool() {
    [ -x "$kneepoint" ] || { echo "$name: no $kneepoint; make builds it" >&2 && exit 2; }
}

measuring_takes() { # said before anything is measured
    echo "$name: about $1 min on two cores; longer where memory is slower or the machine is busy" >&2
}

# The CPUs that a run began with: a virtual machine's may seem to share a core for some minutes, and teams would be of one of them.
team_of() {
    [ "$2" = quantize ] || [ ! -e "$1/meta.json" ] || tr -d ' \n' <"$1/meta.json" | sed -n 's/.*"team":\[\([0-9,]*\)\].*/--cpus=\1/p'
}

measure() { # a command and its options; the first makes the run, which it names in a line "saved: RUN", or alone
    local where=("--into=$run")
    if [ "$run" ]; then mapfile -t -O 1 where < <(team_of "$run" "$1"); else where=("--results=$results"); fi
    if [ "$print" ]; then
        echo "$kneepoint" "$1" "${where[@]}" "${@:2}"
        run=${run:-RUN}
    elif [ -z "$run" ]; then
        run=$("$kneepoint" "$1" "${where[@]}" "${@:2}" | sed -n 's/^saved: //p; t; 1{$p}')
        [ -n "$run" ] || { echo "$name: $1 saved no run" >&2 && exit 2; }
    else
        "$kneepoint" "$1" "${where[@]}" "${@:2}" >/dev/null
    fi
}
