/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>

/**
 * What code of plug-ins printed where it was caught: lines for standard error, since what goes to standard output is this program's,
 * and read by others. Of each name the first ones.
 */
enum { PLUGIN_SAID_LINES = 8, PLUGIN_SAID_LINE = 200, PLUGIN_SAID_NAME = 160 };

struct plugin_output_line {
    char name[PLUGIN_SAID_NAME];      /* kernel, sequence, or file of a plug-in */
    char text[PLUGIN_SAID_LINE + 16]; /* that continues it: "printed: …", or a note */
};

struct plugin_output {
    struct plugin_output_line *line;
    size_t count;
    size_t reported; /* lines that the user has seen */
    unsigned long left_out;
};

/** Add the lines of a text, each once; more than there is room for, by name or in memory, are counted as left out. */
void plugin_output_add(struct plugin_output *said, const char *name, const char *text);

/** What is to be said of it, once. */
void plugin_output_note(struct plugin_output *said, const char *name, const char *text);
void plugin_output_release(struct plugin_output *said);
