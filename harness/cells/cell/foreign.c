/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/cell/foreign.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "harness/cells/cell/kind.h"

static void add(struct foreign *foreign, const char *name, const struct plugin *plugin, const struct sequence *sequence)
{
    for (size_t i = 0; i < foreign->count; i++) {
        if (strcmp(foreign->code[i].name, name) == 0)
            return;
    }
    if (foreign->count < FOREIGN_MOST)
        foreign->code[foreign->count++] = (struct foreign_code){name, plugin, sequence};
}

static void add_kernel(const struct session *session, struct foreign *foreign, const struct kernel *kernel)
{
    const struct plugin *plugin = plugins_of_kernel(&session->plugins, kernel);
    if (plugin)
        add(foreign, kernel->name, plugin, NULL);
}

/** A sequence that neither we nor a plug-in registered is in a file. */
static void add_sequence(const struct session *session, struct foreign *foreign, const struct sequence *sequence)
{
    const struct plugin *plugin = plugins_of_sequence(&session->plugins, sequence);
    if (plugin)
        add(foreign, sequence->name, plugin, NULL);
    else if (sequence_find(sequence->name) != sequence)
        add(foreign, sequence->name, NULL, sequence);
}

struct foreign foreign_of(const struct session *session, const struct cell *cell)
{
    struct foreign foreign = {.count = 0};
    if (cell->kernel)
        add_kernel(session, &foreign, cell->kernel);
    if (cell->sequence)
        add_sequence(session, &foreign, cell->sequence);
    const struct kernel *kernel;
    for (size_t i = 0; cell->kind->calls && (kernel = cell->kind->calls(cell, i)); i++)
        add_kernel(session, &foreign, kernel);
    return foreign;
}

const char *foreign_name(const struct session *session, const struct cell *cell, char *text, size_t size)
{
    const struct foreign foreign = foreign_of(session, cell);
    snprintf(text, size, "%s", cell->kernel ? cell->kernel->name : cell->sequence ? cell->sequence->name : cell->name);
    for (size_t i = 0, used = 0; i < foreign.count && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", i ? " or " : "", foreign.code[i].name);
    return text;
}

bool foreign_is_withheld(const struct session *session, struct cell *cell)
{
    const struct foreign foreign = foreign_of(session, cell);
    const struct plugin_fault *fault = NULL;
    for (size_t i = 0; !fault && i < foreign.count; i++)
        fault = foreign.code[i].plugin ? plugins_fault(&session->plugins, foreign.code[i].name) : NULL;
    if (fault)
        snprintf(cell->why, sizeof cell->why, "%s", fault->why);
    return fault;
}

/** Of a file nobody has a list: its other cells learn it here. */
static void end_cells(struct cells *cells, const struct sequence *sequence, const char *why)
{
    for (size_t i = 0; i < cells->count; i++) {
        struct cell *cell = &cells->cell[i];
        if (cell->sequence == sequence && !cell->why[0])
            snprintf(cell->why, sizeof cell->why, "%s", why);
    }
}

int foreign_withhold(struct session *session, struct cells *cells, const struct cell *cell)
{
    const struct foreign foreign = foreign_of(session, cell);
    if (!foreign.count)
        return -ENOENT;
    const struct foreign_code *code = &foreign.code[0];
    if (code->plugin)
        return plugins_withhold(&session->plugins, code->plugin, code->name, cell->why);
    end_cells(cells, code->sequence, cell->why);
    return 0;
}
