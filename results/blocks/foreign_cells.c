/* SPDX-License-Identifier: BSD-3-Clause */
#include "results/blocks/foreign.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct blocks_cell *find(struct blocks *blocks, const char *name)
{
    for (size_t i = 0; i < blocks->cells; i++) {
        if (strcmp(blocks->cell[i].name, name) == 0)
            return &blocks->cell[i];
    }
    return NULL;
}

static struct blocks_cell *make(struct blocks *blocks, const char *name)
{
    struct blocks_cell *grown = realloc(blocks->cell, (blocks->cells + 1) * sizeof *grown);
    if (!grown)
        return NULL;
    blocks->cell = grown;
    /* the time of a whole program depends on memory and on all that cores share */
    struct blocks_cell *cell = &grown[blocks->cells];
    *cell = (struct blocks_cell){.name = strdup(name), .class = COMPARE_MEMORY};
    if (!cell->name)
        return NULL;
    blocks->cells++;
    return cell;
}

static int append(struct blocks_cell *cell, double seconds)
{
    size_t count = cell->count + 1;
    double *value = realloc(cell->value, count * sizeof *value);
    cell->value = value ? value : cell->value;
    double *roof_s = realloc(cell->roof_s, count * sizeof *roof_s);
    cell->roof_s = roof_s ? roof_s : cell->roof_s;
    unsigned *block = realloc(cell->block, count * sizeof *block);
    cell->block = block ? block : cell->block;
    if (!value || !roof_s || !block)
        return -ENOMEM;
    value[cell->count] = seconds;
    roof_s[cell->count] = NAN;
    block[cell->count] = (unsigned)cell->count;
    cell->count = count;
    cell->kept++;
    return 0;
}

int foreign_add(struct blocks *blocks, const char *name, double seconds)
{
    struct blocks_cell *cell = find(blocks, name);
    if (!cell)
        cell = make(blocks, name);
    if (!cell)
        return -ENOMEM;
    if (isfinite(seconds) && seconds > 0)
        return append(cell, seconds);
    cell->rejected++;
    return 0;
}
