/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/cell/external_code.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "harness/cells/cell/kind.h"

static bool is_of_plugin(struct external_code *code, const char *name, const struct plugin *plugin)
{
    *code = (struct external_code){name, plugin, NULL};
    return plugin;
}

/** A sequence that neither we nor a plug-in registered is in a file. */
static bool is_foreign_sequence(const struct session *session, const struct sequence *sequence,
                                struct external_code *code)
{
    if (is_of_plugin(code, sequence->name, plugins_of_sequence(&session->plugins, sequence)))
        return true;
    code->sequence = sequence;
    return sequence_find(sequence->name) != sequence;
}

/** What a cell runs at a place: its kernel, its sequence, and then what a visit calls. @return whether it is of others; *end after the last place */
static bool foreign_in(const struct session *session, const struct cell *cell, size_t place, struct external_code *code,
                       bool *end)
{
    const struct kernel *kernel = cell->kernel;
    if (place == 1)
        return cell->sequence && is_foreign_sequence(session, cell->sequence, code);
    if (place > 1) {
        kernel = cell->kind->calls ? cell->kind->calls(cell, place - 2) : NULL;
        *end = !kernel;
    }
    return kernel && is_of_plugin(code, kernel->name, plugins_of_kernel(&session->plugins, kernel));
}

/** Whether one of the places before runs the same. */
static bool is_seen(const struct session *session, const struct cell *cell, size_t places, const char *name)
{
    struct external_code code;
    bool end = false;
    for (size_t place = 0; place < places; place++) {
        if (foreign_in(session, cell, place, &code, &end) && strcmp(code.name, name) == 0)
            return true;
    }
    return false;
}

bool external_code_at(const struct session *session, const struct cell *cell, size_t number, struct external_code *code)
{
    bool end = false;
    for (size_t place = 0; !end; place++) {
        if (foreign_in(session, cell, place, code, &end) && !is_seen(session, cell, place, code->name) && number-- == 0)
            return true;
    }
    return false;
}

bool external_code_is_any(const struct session *session, const struct cell *cell)
{
    struct external_code code;
    return external_code_at(session, cell, 0, &code);
}

const char *external_code_name(const struct session *session, const struct cell *cell, char *text, size_t size)
{
    struct external_code code;
    snprintf(text, size, "%s", cell->kernel ? cell->kernel->name : cell->sequence ? cell->sequence->name : cell->name);
    for (size_t i = 0, used = 0; used < size && external_code_at(session, cell, i, &code); i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", i ? " or " : "", code.name);
    return text;
}

bool external_code_is_withheld(const struct session *session, struct cell *cell)
{
    struct external_code code;
    const struct plugin_fault *fault = NULL;
    for (size_t i = 0; !fault && external_code_at(session, cell, i, &code); i++)
        fault = code.plugin ? plugins_fault(&session->plugins, code.name) : NULL;
    if (fault)
        snprintf(cell->why, sizeof cell->why, "%s", fault->why);
    return fault;
}

/** There is no list of the cells of a file: the others learn it here. */
static void end_cells(struct cells *cells, const struct sequence *sequence, const char *why)
{
    for (size_t i = 0; i < cells->count; i++) {
        struct cell *cell = &cells->cell[i];
        if (cell->sequence == sequence && !cell->why[0])
            snprintf(cell->why, sizeof cell->why, "%s", why);
    }
}

int external_code_withhold(struct session *session, struct cells *cells, const struct cell *cell)
{
    struct external_code code;
    if (!external_code_at(session, cell, 0, &code))
        return -ENOENT;
    if (code.plugin)
        return plugins_withhold(&session->plugins, code.plugin, code.name, cell->why);
    end_cells(cells, code.sequence, cell->why);
    return 0;
}
