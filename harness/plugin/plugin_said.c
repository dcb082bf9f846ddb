/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/plugin/plugin_said.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t lines_of(const struct plugin_said *said, const char *name)
{
    size_t count = 0;
    for (size_t i = 0; i < said->count; i++)
        count += strncmp(said->line[i].name, name, PLUGIN_SAID_NAME - 1) == 0;
    return count;
}

static void add(struct plugin_said *said, const char *name, const char *text, size_t length)
{
    struct plugin_said_line *grown =
        lines_of(said, name) < PLUGIN_SAID_LINES ? realloc(said->line, (said->count + 1) * sizeof *grown) : NULL;
    if (!grown) {
        said->left_out++;
        return;
    }
    said->line = grown;
    struct plugin_said_line *line = &grown[said->count++];
    snprintf(line->name, sizeof line->name, "%s", name);
    snprintf(line->text, sizeof line->text, "%.*s", length < PLUGIN_SAID_LINE ? (int)length : PLUGIN_SAID_LINE, text);
}

void plugin_said_add(struct plugin_said *said, const char *name, const char *text)
{
    while (*text) {
        size_t length = strcspn(text, "\n");
        if (length)
            add(said, name, text, length);
        text += length + (text[length] == '\n');
    }
}

void plugin_said_release(struct plugin_said *said)
{
    free(said->line);
    *said = (struct plugin_said){0};
}
