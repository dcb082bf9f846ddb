/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/command/command.h"

#include <stddef.h>
#include <string.h>

#include "registry.h"

#define DECLARE(name) extern const struct command name;
REGISTRY_COMMANDS(DECLARE)

#define ENTRY(name) &name,
static const struct command *const commands[] = {REGISTRY_COMMANDS(ENTRY) NULL};

const struct command *const *command_all(void)
{
    return commands;
}

const struct command *command_find(const char *name)
{
    for (const struct command *const *command = commands; *command; command++) {
        if (strcmp((*command)->name, name) == 0)
            return *command;
    }
    return NULL;
}
