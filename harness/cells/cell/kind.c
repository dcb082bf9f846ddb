/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/cell/kind.h"

#include <stdlib.h>
#include <string.h>

#include "harness/cells/cell/summary.h"
#include "platforms/clock/clock.h"
#include "registry.h"
#include "results/files/need.h"

#define DECLARE(name) extern const struct cell_kind name;
REGISTRY_CELL_KINDS(DECLARE)

#define ENTRY(name) &name,
static const struct cell_kind *const kinds[] = {REGISTRY_CELL_KINDS(ENTRY) NULL};

const struct cell_kind *const *cell_kind_all(void)
{
    return kinds;
}

unsigned cell_kind_number(const struct cell_kind *kind)
{
    unsigned number = 0;
    while (cell_kind_all()[number] != kind)
        number++;
    return number;
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
    if (one->rank != other->rank)
        return one->rank < other->rank;
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

/* Of a purpose a terminal shows 51 characters beside its numbers. */
static const struct {
    const char *name, *purpose;
} values[CELL_VALUES] = {
    [CELL_ROOFS] = {"roofs", "bandwidth of memory, for one core and for all"},
    [CELL_CACHES] = {"caches", "bandwidth of the caches, and idle latencies"},
    [CELL_GAMMA] = {"gamma", "cycles of each sequence, operands in registers"},
    [CELL_CALIBRATION] = {"calibration", "main kernels from memory, one core: overlap"},
    [CELL_REFERENCE] = {"reference", "the same, widest team: the fastest of each width"},
    [CELL_TEAMS] = {"teams", "how many cores fill memory"},
    [CELL_MODELS] = {"models", "main kernels on a model's matrices: tokens/s"},
    [CELL_STREAMS] = {"streams", "streams beside the model, loaded latency, layout"},
    [CELL_WARM] = {"warm", "main kernels from the caches"},
    [CELL_KERNELS] = {"kernels", "all other kernels, and kernels with other teams"},
    [CELL_GEMM] = {"gemm", "many tokens at once"},
    [CELL_TERMS] = {"terms", "cost of prefetch, pages and panel ends"},
    [CELL_PAPERS] = {"papers", "what papers time"},
    [CELL_BREADTH] = {"breadth", "everything else"},
};

const char *cell_value_name(enum cell_value value)
{
    return value < CELL_VALUES ? values[value].name : "other";
}

const char *cell_value_purpose(enum cell_value value)
{
    return value < CELL_VALUES ? values[value].purpose : "";
}

struct cell_cost cell_cost(const struct session *session, const struct cell *cell)
{
    static const struct cell_cost unknown = {.visit_s = 2e-3, .sample_s = 1e-4};
    return cell->kind->cost ? cell->kind->cost(session, cell) : unknown;
}

size_t cell_kept(const struct cell *cell)
{
    return cell->kind->kept ? cell->kind->kept(cell) : summary_time(cell).summary.n;
}

void cell_kinds_settle(struct cells *cells)
{
    for (const struct cell_kind *const *kind = kinds; *kind; kind++) {
        if ((*kind)->settle)
            (*kind)->settle(cells);
    }
}

/** Room for one more. */
static bool grow(struct cells *cells)
{
    if (cells->count < cells->capacity)
        return true;
    size_t capacity = cells->capacity ? 2 * cells->capacity : 64;
    struct cell *grown = need_longer(cells->cell, capacity * sizeof *grown);
    if (!grown)
        return false;
    cells->cell = grown;
    cells->capacity = capacity;
    return true;
}

struct cell *cells_add(struct cells *cells, const struct cell_kind *kind)
{
    void *own = need(1, kind->own + 1);
    if (!own || !grow(cells)) {
        free(own);
        return NULL;
    }
    struct cell *cell = &cells->cell[cells->count++];
    *cell = (struct cell){.kind = kind, .threads = 1, .own = own};
    return cell;
}

static void set_turn(struct samples *samples, size_t first, long turn)
{
    for (size_t i = first; i < samples->count; i++)
        samples->sample[i].turn = turn;
}

int cell_visit(struct session *session, struct cell *cell, unsigned count)
{
    double begin_s = clock_monotonic_s();
    size_t first = cell->samples.count, roof_first = cell->roof.count;
    int error = cell->kind->visit(session, cell, count);
    cell->last_visit_s = clock_monotonic_s() - begin_s;
    cell->visits++;
    session->turn++;
    set_turn(&cell->samples, first, session->turn);
    set_turn(&cell->roof, roof_first, session->turn);
    return error;
}
