/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <argp.h>
#include <stdbool.h>

#include "harness/measure/process_arguments.h"
#include "harness/measure/session.h"
#include "harness/plugin/plugins_find.h"

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

/**
 * --peers: request the plug-ins that are found, beside those that were named.
 * @param found  receives what the request points to: released after the session, in any case
 * @return EXIT_DONE, or EXIT_USAGE after complaining that there is none
 */
int peers_find(const char *command, struct plugins_request *request, struct plugins_found *found);

/** Parse a whole number in [least, most]; argp_error()s with the option's name otherwise. */
unsigned long option_number(const char *text, unsigned long least, unsigned long most, const char *option,
                            struct argp_state *state);

/**
 * Parse a time as budget_parse does (harness/plan/characterize/planner.h); argp_error()s with the option's name otherwise.
 * @param full  whether "full" is one
 * @return seconds; INFINITY for "full"
 */
double option_seconds(const char *text, bool full, const char *option, struct argp_state *state);

/** Parse a level of the memory: one of session_levels, or "all"; argp_error()s otherwise. */
const char *option_level(const char *text, struct argp_state *state);

/** Give these options to another process as the user gave them; not the seed, which every process draws of its own. */
void options_pass_on(const struct measuring_options *options, struct process_arguments *arguments);
