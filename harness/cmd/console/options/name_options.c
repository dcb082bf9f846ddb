/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/console/options/name_options.h"

enum { OPTION_FORMAT = 0x600, OPTION_ISA, OPTION_ORIGIN, OPTION_BITS };

static const struct argp_option option_table[] = {
    {"format", OPTION_FORMAT, "NAME", 0,
     "Only this format of weights; as with --isa and --origin a name, its beginning or a shell pattern, or several separated by "
     "commas",
     1},
    {"isa", OPTION_ISA, "NAME", 0, "Only this instruction set, such as avx2", 1},
    {"origin", OPTION_ORIGIN, "NAME", 0, "Only of this paper or library, such as llama.cpp", 1},
    {"bits", OPTION_BITS, "N[..N]", 0, "Only this many bits per packed weight, such as 1..2", 1},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct name_filter *filter = state->input;
    switch (key) {
    case OPTION_FORMAT: filter->format = argument; return 0;
    case OPTION_ISA: filter->isa = argument; return 0;
    case OPTION_ORIGIN: filter->origin = argument; return 0;
    case OPTION_BITS:
        if (name_filter_parse_bits(argument, filter))
            argp_error(state, "--bits takes a number or a range such as 2, 1..2 or 4.., not '%s'", argument);
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp names_argp = {.options = option_table, .parser = parse};
