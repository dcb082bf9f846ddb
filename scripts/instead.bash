#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# For docs.bats, in place of kneepoint: what measures or draws is parsed by the tool ($TOOL), its names are held against what there
# is ($NAMES.*), and it is answered as if it had been measured; everything else is the tool itself.
set -u
command=${1-} answer=

known() { # WHAT NAME: it, or the leading parts of one, in upper or lower case
    grep -qiE "^$(sed 's/\./\\./g' <<<"$2")(\.|$)" "$NAMES.$1"
}

give_up() {
    echo "kneepoint $command: $1" >&2
    exit 2
}

# Options of the long form, and arguments of each command.
look_at_words() {
    local word
    for word in "${@:2}"; do
        case $word in
        --model=*) known shapes "${word#--model=}" || give_up "no model '$word'" ;;
        --plugin=*) [ -e "${word#--plugin=}" ] || give_up "no file '$word'" ;;
        --run=* | --into=* | --resume=*) [ -e "${word#*=}/meta.json" ] || give_up "no run '$word'" ;;
        -*) ;;
        */* | *.S | *.so | *.gguf) [ -e "$word" ] || give_up "no file '$word'" ;;
        *)
            case $command in
            gamma | knee | gemv | gemm | tune | decode | terms | compare)
                [[ " $* " == *" --plugin="* ]] || known kernels "$word" || known sequences "$word" || give_up "no kernel or sequence '$word'"
                ;;
            figure) known figures "$word" || give_up "no figure '$word'" ;;
            esac
            ;;
        esac
    done
}

case $command in
beta | gamma | knee | gemv | gemm | tune | decode | terms | bias | selftest | model | figure | report) answer=: ;;
characterize) answer='echo results/runs/here/20260101T000000Z-1' ;;
compare) [[ " $* " != *" --live "* ]] || answer=: ;;
list) [[ " $* " != *" --certificate "* && " $* " != *" --plugin="* ]] || answer=: ;;
quantize) [[ " $* " != *" --mixed "* ]] || answer=: ;;
esac
[ -n "$answer" ] || exec "$TOOL" "$@"
"$TOOL" "$@" --help >/dev/null || exit $?
look_at_words "$@"
$answer
