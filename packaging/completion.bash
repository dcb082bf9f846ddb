# SPDX-License-Identifier: BSD-3-Clause
#
# Completion of kneepoint for bash. The tool is asked for everything: commands and options through --help, names through
# --json; only which kind of name goes where is written down here.

# Values of "name" in JSON Lines, once each.
_kneepoint_names() {
    "$@" --json 2>/dev/null | sed -n 's/^{"type":"[^"]*","name":"\([^"]*\)".*/\1/p' | sort -u
}

# _kneepoint_options PROGRAM COMMAND: long options, with '=' where they take a value.
_kneepoint_options() {
    "$1" "$2" --help 2>/dev/null | sed -n 's/^ \{2,6\}\(-[^ ,]*, \)\{0,1\}\(--[a-z][a-z-]*=\{0,1\}\).*/\2/p'
}

# The placeholder of an option's value (DIR, NAME|FILE, …), empty if it takes none. Its short form may be given.
_kneepoint_placeholder() {
    "$1" "$2" --help 2>/dev/null | awk -v option="$3" '
        match($0, /^ *(-[^ ,]*, )?--[a-z][a-z-]*=[^ ]+/) {
            text = substr($0, RSTART, RLENGTH)
            count = split(text, part, /[ ,=]+/)
            for (i = 1; i < count; i++)
                if (part[i] == option) { sub(/^[^=]*=/, "", text); print text; exit }
        }'
}

# What the command takes besides options, as its usage lines say.
_kneepoint_arguments() {
    ARGP_HELP_FMT=rmargin=250 "$1" "$2" --help 2>/dev/null | sed -n 's/^\(Usage\|  or\): *kneepoint [a-z]* *\(\[OPTION\.\.\.\]\)\{0,1\} *//p'
}

# _kneepoint_values PROGRAM COMMAND OPTION PLACEHOLDER: the names that the place takes; none leaves file names.
_kneepoint_values() {
    case $2,$3,$4 in
    *,--platform,* | *,-p,*) _kneepoint_names "$1" list platforms ;;
    *,--model,* | *,-m,*) _kneepoint_names "$1" list shapes; echo all ;;
    figure,,*) _kneepoint_names "$1" list figures ;;
    explain,,*) _kneepoint_names "$1" list kernels; _kneepoint_names "$1" list sequences; _kneepoint_names "$1" explain ;;
    gamma,,* | knee,,* | *,*,SEQUENCE*) _kneepoint_names "$1" list sequences ;;
    compare,,*) _kneepoint_names "$1" list kernels; _kneepoint_names "$1" list sequences; _kneepoint_names "$1" baseline list ;;
    *KERNEL*) _kneepoint_names "$1" list kernels ;;
    *PAPER*) "$1" papers --json 2>/dev/null | sed -n 's/.*"paper":"\([^"]*\)".*/\1/p' | sort -u ;;
    baseline,,*) grep -o '^[a-z]*' <<<"$4"; _kneepoint_names "$1" baseline list ;;
    *) grep -o '^\[*[a-z|]*' <<<"$4" | tr -d '[' | tr '|' '\n' ;; # the words themselves: sequences|kernels|…
    esac
}

_kneepoint() {
    local program=${COMP_WORDS[0]} current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
    local command=${COMP_WORDS[1]} option='' placeholder words
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        words=$("$program" --help 2>/dev/null | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p')
        COMPREPLY=($(compgen -W "$words --help --version" -- "$current"))
        return
    fi
    # '=' is a word of its own: --option = value
    if [ "$current" = = ]; then
        option=$previous current=
    elif [ "$previous" = = ]; then
        option=${COMP_WORDS[COMP_CWORD - 2]}
    elif [[ $current == -* ]]; then
        COMPREPLY=($(compgen -W "$(_kneepoint_options "$program" "$command")" -- "$current"))
        [[ ${COMPREPLY[*]} != *= ]] || compopt -o nospace 2>/dev/null
        return
    elif [[ $previous == -* ]]; then
        option=$previous
    fi
    placeholder=
    [ -z "$option" ] || placeholder=$(_kneepoint_placeholder "$program" "$command" "$option")
    [ -n "$placeholder" ] || { option='' placeholder=$(_kneepoint_arguments "$program" "$command"); }
    words=$(_kneepoint_values "$program" "$command" "$option" "$placeholder")
    COMPREPLY=($(compgen -W "$words" -- "$current"))
    case $placeholder in
    *DIR* | *RUN* | *FILE* | *PLUGIN*) mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- "$current"); compopt -o filenames 2>/dev/null ;;
    esac
}

complete -F _kneepoint kneepoint
