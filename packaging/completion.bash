# SPDX-License-Identifier: BSD-3-Clause
#
# Completion of kneepoint for bash. The tool is asked for everything: commands, options and the words that they take through --help
# and errors, names through --json; only which kind of name goes where is written down here.

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

# _kneepoint_field FIELD: its values in JSON Lines on standard input, once each.
_kneepoint_field() {
    sed -n 's/.*"'"$1"'":"\([^"]*\)".*/\1/p' | sort -u
}

# _kneepoint_running PROGRAM LIST [PATTERN]: kernels or sequences that run here, whose records match.
_kneepoint_running() {
    "$1" list "$2" --json 2>/dev/null | grep '"runs":true' | grep -E -- "${3:-}" | _kneepoint_field name
}

# _kneepoint_help_words PROGRAM COMMAND OPTION: what the help of an option lists, as in "Only cores of this kind: P, E or LP".
_kneepoint_help_words() {
    ARGP_HELP_FMT=rmargin=250 "$1" "$2" --help 2>/dev/null |
        sed -n "/^ *\(-., \)\{0,1\}$3=/{s/^ *\(-., \)\{0,1\}[^ ]* *//; s/ *([^)]*)//g; s/;.*//; s/^.*: //; s/, \| or /\n/g; p; q}"
}

# _kneepoint_told PROGRAM BEGINNING ARGUMENT...: the names, separated by commas, that an error lists after BEGINNING.
_kneepoint_told() {
    local program=$1 beginning=$2
    shift 2
    "$program" "$@" 2>&1 >/dev/null </dev/null | sed -n "s/.*$beginning//; t found; d; :found; s/; .*//; s/, /\n/g; p"
}

# The same that is listed, for names of what a command takes.
_kneepoint_subjects() {
    case $2 in
    gemv | terms) _kneepoint_running "$1" kernels '"gemv":true' ;;
    gemm) _kneepoint_running "$1" kernels '"gemm":true' ;;
    decode) _kneepoint_running "$1" kernels '"gemv":true'; "$1" list kernels --json 2>/dev/null | grep '"runs":true' | grep '"gemv":true' | _kneepoint_field format ;;
    gamma) _kneepoint_running "$1" sequences; _kneepoint_running "$1" kernels '"unpacks_alone":true' ;;
    knee) _kneepoint_running "$1" sequences ;;
    tune) _kneepoint_running "$1" kernels ;;
    *) _kneepoint_running "$1" kernels; _kneepoint_running "$1" sequences ;;
    esac
}

# _kneepoint_values PROGRAM COMMAND OPTION PLACEHOLDER: the names that the place takes; none leaves file names.
_kneepoint_values() {
    case $2,$3,$4 in
    *,--platform,* | *,-p,*) _kneepoint_names "$1" list platforms ;;
    *,--model,* | *,-m,*) _kneepoint_names "$1" list shapes; echo all ;;
    figure,--format,*) ;;
    *,--format,* | *,--isa,* | *,--origin,*) { "$1" list kernels --json; "$1" list sequences --json; } 2>/dev/null | _kneepoint_field "${3#--}" ;;
    *,--level,* | *,-l,LEVEL) _kneepoint_help_words "$1" "$2" --level ;;
    *,--cache,* | *,--counters,* | *,--kind,* | *,--verdict,* | *,--image,* | *,--output-format,*) _kneepoint_help_words "$1" "$2" "$3" ;;
    tune,--sort,* | model,--sort,*) _kneepoint_told "$1" 'the columns are ' "$2" none --sort=. ;;
    *,--sort,*) _kneepoint_told "$1" 'the columns are ' "$2" --sort=. ;;
    *,--for,*) _kneepoint_told "$1" '--for is one of ' "$2" --for=. | grep -v "^not " ;;
    *,--type,*) _kneepoint_told "$1" '--type is one of ' model --type=. . | grep -v "^not " ;;
    *,--only,*) _kneepoint_subjects "$1" "$2" ;;
    *,--head,*) _kneepoint_subjects "$1" "$2"; echo same ;;
    model,,*) _kneepoint_names "$1" list shapes ;;
    figure,,*) _kneepoint_names "$1" list figures ;;
    explain,,*) "$1" list kernels --json 2>/dev/null | _kneepoint_field format; _kneepoint_names "$1" list kernels; _kneepoint_names "$1" list sequences; _kneepoint_names "$1" explain ;;
    help,,*) _kneepoint_commands "$1"; _kneepoint_told "$1" 'other pages are ' help . ;;
    quantize,,*) _kneepoint_told "$1" 'these can: ' quantize . ;;
    gamma,,* | knee,,* | gemv,,* | gemm,,* | terms,,* | tune,,* | decode,,*) _kneepoint_subjects "$1" "$2" ;;
    *,*,SEQUENCE*) _kneepoint_names "$1" list sequences ;;
    compare,,*) _kneepoint_subjects "$1" "$2"; _kneepoint_names "$1" baseline list ;;
    *PAPER*) "$1" papers --json 2>/dev/null | _kneepoint_field paper ;;
    baseline,,*) grep -o '^[a-z]*' <<<"$4"; _kneepoint_names "$1" baseline list ;;
    *) grep -o '^\[*[a-z|]*' <<<"$4" | tr -d '[' | tr '|' '\n' ;; # the words themselves: sequences|kernels|…
    esac
}

_kneepoint_commands() {
    "$1" --help 2>/dev/null | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'
}

_kneepoint() {
    local program=${COMP_WORDS[0]} current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
    local command=${COMP_WORDS[1]} option='' placeholder words
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "$(_kneepoint_commands "$program") --help --version" -- "$current"))
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
    if [ "$command" = list ] && [ -z "$option" ] && [ "$COMP_CWORD" -gt 2 ]; then # list kernels NAME
        words=$(_kneepoint_names "$program" list "${COMP_WORDS[2]}")
    else
        words=$(_kneepoint_values "$program" "$command" "$option" "$placeholder" | awk '!/ / && !seen[$0]++')
    fi
    [ "$option" != --sort ] || [[ $current != -* ]] || words=$(sed 's/^/-/' <<<"$words") # -COLUMN: largest first
    COMPREPLY=($(compgen -W "$words" -- "$current"))
    case $placeholder in
    *DIR* | *RUN* | *RESULTS* | *FILE* | *PLUGIN*) mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- "$current"); compopt -o filenames 2>/dev/null ;;
    esac
}

complete -F _kneepoint kneepoint
