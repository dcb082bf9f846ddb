/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/product/product_cells.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/cells/product/main_kernels.h"
#include "harness/cells/product/product_summary.h"
#include "results/blocks/blocks.h"
#include "results/text/refuse.h"

/* ---- which cells ---- */

static struct cell *add(struct cells *cells, const struct kernel *kernel, const struct shape *shape, size_t tokens,
                        unsigned threads, bool cold)
{
    struct cell *cell = cells_add(cells, tokens ? &cell_kind_gemm : &cell_kind_gemv);
    if (!cell)
        return NULL;
    struct product_cell *own = product_cell(cell);
    own->m = shape->m;
    own->k = shape->k;
    own->tokens = tokens;
    snprintf(own->models, sizeof own->models, "%s", shape->model);
    snprintf(own->roles, sizeof own->roles, "%s", shape->roles);
    cell->kernel = kernel;
    cell->threads = threads;
    cell->cold = cell->beside_roof = cold;
    char many[32] = "";
    if (tokens)
        snprintf(many, sizeof many, "/n%zu", tokens);
    snprintf(cell->name, sizeof cell->name, "%s/%s/%zux%zu%s/t%u/%s", cell->kind->name, kernel->name, shape->m,
             shape->k, many, threads, cold ? "cold" : "warm");
    return cell;
}

int product_add(struct cells *cells, const struct kernel *kernel, const struct shape *shape, size_t tokens,
                unsigned threads, bool cold)
{
    return add(cells, kernel, shape, tokens, threads, cold) ? 0 : -ENOMEM;
}

/** Give the cell its schedule, and the name that goes with it. */
static int set_schedule(struct cell *cell, const struct product_schedule_request *request)
{
    struct product_schedule *schedule = product_schedule_make(request, cell->threads);
    if (!schedule)
        return -ENOMEM;
    product_cell(cell)->schedule = schedule;
    product_schedule_name(schedule, cell);
    return 0;
}

int product_add_scheduled(struct cells *cells, const struct kernel *kernel, const struct shape *shape, size_t tokens,
                          unsigned threads, bool cold, const struct product_schedule_request *request)
{
    struct cell *cell = add(cells, kernel, shape, tokens, threads, cold);
    if (!cell)
        return -ENOMEM;
    return product_schedule_is_plain(request, threads) ? 0 : set_schedule(cell, request);
}

int product_add_alone(struct cells *cells, const struct kernel *kernel, const struct shape *shape, size_t tokens,
                      unsigned member, double speed, bool cold)
{
    if (product_find_alone(cells, kernel, shape, tokens, member, speed, cold))
        return 0;
    struct cell *cell = add(cells, kernel, shape, tokens, 1, cold);
    if (!cell)
        return -ENOMEM;
    cell->member = member;
    const struct product_schedule_request request = {.kind = SCHEDULE_STATIC, .speeds = &speed};
    return member || speed < 1 ? set_schedule(cell, &request) : 0;
}

int product_add_teams(struct cells *cells, const struct kernel *kernel, const struct shape *shape, size_t tokens,
                      const unsigned *sizes, size_t teams, bool cold, bool warm)
{
    int error = 0;
    for (size_t t = 0; !error && t < teams; t++) {
        if (cold)
            error = product_add(cells, kernel, shape, tokens, sizes[t], true);
        if (!error && warm)
            error = product_add(cells, kernel, shape, tokens, sizes[t], false);
    }
    return error;
}

const struct cell *product_find_alone(const struct cells *cells, const struct kernel *kernel, const struct shape *shape,
                                      size_t tokens, unsigned member, double speed, bool cold)
{
    for (size_t i = 0; i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        const struct product_cell *own = product_cell(cell);
        if (own && cell->kernel == kernel && own->m == shape->m && own->k == shape->k && own->tokens == tokens &&
            cell->threads == 1 && cell->cold == cold && cell->member == member &&
            (own->schedule ? own->schedule->speed[0] : 1) == speed)
            return cell;
    }
    return NULL;
}

/** Whether two teams of a size have members of the same speeds. */
static bool are_alike(const struct product_schedule *one, const struct product_schedule *other)
{
    for (unsigned t = 0; t < one->members; t++) {
        if (one->speed[t] != other->speed[t])
            return false;
    }
    return true;
}

const struct cell *product_find_contended(const struct cells *cells, const struct cell *cell)
{
    const struct product_cell *own = product_cell(cell);
    for (size_t i = 0; own->schedule && i < cells->count; i++) {
        const struct cell *other = &cells->cell[i];
        const struct product_cell *its = product_cell(other);
        if (its && its->schedule && its->schedule->contended && other->kernel == cell->kernel && its->m == own->m &&
            its->k == own->k && its->tokens == own->tokens && other->threads == cell->threads &&
            other->cold == cell->cold && are_alike(its->schedule, own->schedule))
            return other;
    }
    return NULL;
}

int product_offer(struct cells *cells, const struct kernel *kernel, const size_t *tokens, size_t count,
                  const struct cell_options *options, char *why, size_t size)
{
    int error = 0;
    for (size_t i = 0; kernel && !error && i < count * options->shape_count; i++) {
        const struct shape *shape = &options->shapes[i / count];
        error = kernel_accepts(kernel, shape->m, shape->k, why, size);
        if (!error)
            error = product_add_teams(cells, kernel, shape, tokens[i % count], options->teams, options->team_count,
                                      options->cold, options->warm);
    }
    return error == -ENOMEM ? refuse(error, why, size, "no memory") : error;
}

/* ---- members of both kinds ---- */

void product_release(struct cell *cell)
{
    product_schedule_release(product_cell(cell)->schedule);
}

/** The schedule learns who drew what, and the weights of members. */
void *product_owned(const struct cell *cell, size_t number, size_t *bytes)
{
    return number ? NULL : product_schedule_memory(product_cell(cell)->schedule, bytes);
}

struct session_pool_filling product_filling(const struct cell *cell)
{
    return (struct session_pool_filling){.format = cell->kernel->format, .k = product_cell(cell)->k};
}

/** Of a cold cell those count whose read of the roof was kept, too; and of those with cycles enough must have them. */
size_t product_kept(const struct cell *cell)
{
    size_t pairs = cell->cold ? product_roof_fraction(cell).summary.n : SIZE_MAX;
    size_t cycles = product_operations(cell).summary.n;
    return pairs < cycles ? pairs : cycles;
}

enum compare_class product_class_of(const struct session *session, const struct cell *cell)
{
    return blocks_class(cell->kind->name, cell->cold ? "cold" : "warm", product_level(session, cell));
}

void product_describe(const struct cell *cell, json_t *record)
{
    const struct product_settings *settings = &product_cell(cell)->settings;
    if (settings->self_tuned)
        json_object_set_new(record, "prefetch_bytes", json_integer((json_int_t)settings->prefetch_bytes));
    product_schedule_describe(product_cell(cell)->schedule, record);
}

void product_restore(struct cell *cell, const json_t *record)
{
    struct product_settings *settings = &product_cell(cell)->settings;
    const json_t *bytes = json_object_get(record, "prefetch_bytes");
    if (product_distance_is_read(bytes)) {
        settings->self_tuned = true;
        settings->prefetch_bytes = (size_t)json_integer_value(bytes);
    }
    product_schedule_restore(product_cell(cell)->schedule, record);
}

/** A schedule whose shares have no known weights has no samples. */
bool product_lacks_choice(const struct cell *cell)
{
    return product_schedule_needs_weights(product_cell(cell)->schedule);
}

/* ---- what a cell takes ---- */

/** Where the machine is not known yet: bytes a second of a core and of memory. */
static const double SLOW_CORE = 8e9, SLOW_MEMORY = 24e9;

/** To begin a visit: the team, the vectors; around each timed region: the clocks. Seconds. */
static const double BEGIN_S = 5e-4, CLOCKS_S = 6e-5;

double product_cost_reading(const struct cell *cell)
{
    return product_packed_bytes(cell) / fmin(SLOW_CORE * cell->threads, SLOW_MEMORY);
}

struct cell_cost product_cost(const struct session *session, const struct cell *cell, double call_s)
{
    double bytes = product_packed_bytes(cell);
    struct cell_cost cost = {.visit_s = BEGIN_S + energy_visit_s(session), .sample_s = call_s + CLOCKS_S};
    if (cell->cold)
        cost.sample_s += CLOCKS_S + fmin(bytes + (2 << 20), 16.0 * (1 << 20) * cell->threads) / SLOW_CORE;
    weights_add_filling(session, cell, bytes, &cost);
    if (product_says_distance(session, cell))
        cost.once_s += PRODUCT_DISTANCES * PRODUCT_DISTANCE_SAMPLES * cost.sample_s;
    return cost;
}

bool product_is_tuned_here(const struct session *session, const struct cell *cell)
{
    const struct product_cell *own = product_cell(cell);
    return session->tunes && !own->tokens && !own->schedule && !own->settings.prefetch_given &&
           cell->kernel->prefetch_bytes && !plugins_of_kernel(&session->plugins, cell->kernel);
}

int product_take_distances(struct session *session, const struct cells *cells)
{
    int error = 0;
    for (size_t i = 0; !error && i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        const struct product_cell *own = product_cell(cell);
        if (own && own->settings.self_tuned)
            error = session_keep_distance(session, cell->kernel, cell->threads, own->settings.prefetch_bytes);
    }
    return error;
}

bool product_says_distance(const struct session *session, const struct cell *cell)
{
    const struct product_cell *own = product_cell(cell);
    if (!product_is_tuned_here(session, cell))
        return false;
    return session->tunes == SESSION_TUNES_CELLS ||
           (cell->cold && own->m == PRODUCT_REFERENCE_SIDE && own->k == PRODUCT_REFERENCE_SIDE);
}
