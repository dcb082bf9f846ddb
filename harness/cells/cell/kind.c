/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/cell/kind.h"

#include <string.h>

#include "registry.h"

#define DECLARE(name) extern const struct cell_kind name;
REGISTRY_CELL_KINDS(DECLARE)

#define ENTRY(name) &name,
static const struct cell_kind *const kinds[] = {REGISTRY_CELL_KINDS(ENTRY) NULL};

const struct cell_kind *const *cell_kind_all(void)
{
    return kinds;
}

const struct cell_kind *cell_kind_find(const char *name)
{
    for (const struct cell_kind *const *kind = kinds; *kind; kind++) {
        if (strcmp((*kind)->name, name) == 0)
            return *kind;
    }
    return NULL;
}
