/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_MEASURE_OPTIONS_H
#define HARNESS_MEASURE_OPTIONS_H

#include <argp.h>
#include <stdbool.h>

#include "harness/measure/session.h"

/** Options that every measuring subcommand has, as an argp child: its input is a struct measuring_options. */
struct measuring_options {
    struct session_request request;
    bool json;
    unsigned samples;   /* 0: the command's default */
    bool threads_given; /* --threads N: only this team size */
};
extern const struct argp measuring_argp;
/** --samples, for commands whose time is not given; the same input. */
extern const struct argp samples_argp;

/** --plugin, for commands that run kernels or sequences; the input is a struct plugins_request. */
extern const struct argp plugins_argp;

/** Whether a name the user gave means this sequence or kernel: the whole name, or leading parts of it up to a dot. */
bool option_means(const char *given, const char *name);

/** The kernel or sequence of a plug-in that a name the user gave means, if it was caught; else NULL. */
const struct plugin_fault *option_withheld(const char *given, const struct plugins *plugins);

/** Parse a whole number in [least, most]; argp_error()s with the option's name otherwise. */
unsigned long option_number(const char *text, unsigned long least, unsigned long most, const char *option,
                            struct argp_state *state);

/** Parse a level of the memory: one of session_levels, or "all"; argp_error()s otherwise. */
const char *option_level(const char *text, struct argp_state *state);

#endif
