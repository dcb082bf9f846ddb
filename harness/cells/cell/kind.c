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

const struct cell_kind *cell_kind_of_name(const char *cell_name)
{
    size_t length = strcspn(cell_name, "/");
    for (const struct cell_kind *const *kind = kinds; *kind; kind++) {
        if (strlen((*kind)->name) == length && strncmp((*kind)->name, cell_name, length) == 0)
            return *kind;
    }
    return NULL;
}

/** Whether one kind comes before another; those of one rank in name order. */
static bool is_before(const struct cell_kind *one, const struct cell_kind *other)
{
    if (one->share.rank != other->share.rank)
        return one->share.rank < other->share.rank;
    return strcmp(one->name, other->name) < 0;
}

const struct cell_kind *cell_kind_after(const struct cell_kind *former)
{
    const struct cell_kind *next = NULL;
    for (const struct cell_kind *const *kind = kinds; *kind; kind++) {
        if ((!former || is_before(former, *kind)) && (!next || is_before(*kind, next)))
            next = *kind;
    }
    return next;
}

void cell_kinds_settle(struct cells *cells)
{
    for (const struct cell_kind *const *kind = kinds; *kind; kind++) {
        if ((*kind)->settle)
            (*kind)->settle(cells);
    }
}
