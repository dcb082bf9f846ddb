/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/plugin/plugin_output.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t lines_of(const struct plugin_output *said, const char *name)
{
    size_t count = 0;
    for (size_t i = 0; i < said->count; i++)
        count += strncmp(said->line[i].name, name, PLUGIN_SAID_NAME - 1) == 0;
    return count;
}

/** Every process that runs it may print the same. */
static bool is_known(const struct plugin_output *said, const struct plugin_output_line *line)
{
    for (size_t i = 0; i < said->count; i++) {
        if (strcmp(said->line[i].name, line->name) == 0 && strcmp(said->line[i].text, line->text) == 0)
            return true;
    }
    return false;
}

static void add(struct plugin_output *said, const char *name, const char *prefix, const char *text, size_t length)
{
    struct plugin_output_line next;
    snprintf(next.name, sizeof next.name, "%s", name);
    snprintf(next.text, sizeof next.text, "%s%.*s", prefix, length < PLUGIN_SAID_LINE ? (int)length : PLUGIN_SAID_LINE,
             text);
    if (is_known(said, &next))
        return;
    struct plugin_output_line *grown =
        lines_of(said, name) < PLUGIN_SAID_LINES ? realloc(said->line, (said->count + 1) * sizeof *grown) : NULL;
    if (!grown) {
        said->left_out++;
        return;
    }
    said->line = grown;
    grown[said->count++] = next;
}

void plugin_output_add(struct plugin_output *said, const char *name, const char *text)
{
    while (*text) {
        size_t length = strcspn(text, "\n");
        if (length)
            add(said, name, "printed: ", text, length);
        text += length + (text[length] == '\n');
    }
}

void plugin_output_note(struct plugin_output *said, const char *name, const char *text)
{
    add(said, name, "", text, strlen(text));
}

void plugin_output_release(struct plugin_output *said)
{
    free(said->line);
    *said = (struct plugin_output){0};
}
