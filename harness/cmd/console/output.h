/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>

#include "harness/cmd/console/table.h"

/**
 * --csv and --markdown of every command that has --json: the command writes its JSON Lines, to a file in memory, and these
 * are written as what was asked for when it has ended. Its exit code stays.
 */
enum output_form { OUTPUT_AS_IT_IS, OUTPUT_CSV, OUTPUT_MARKDOWN };

struct output {
    enum output_form form;
    const char *sort;
    int kept;   /* standard output as it was */
    int memory; /* what stands in for it */
};

/**
 * Look for --csv and --markdown; where one is given, it becomes --json, and standard output is set aside.
 * @return 0, or the exit code after complaining
 */
int output_begin(const char *command, int argc, char **argv, struct output *output);

/** Write what was set aside. @return exit_code, or EXIT_USAGE after complaining */
int output_end(const char *command, struct output *output, const struct table *const *tables, int exit_code);
