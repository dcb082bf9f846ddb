/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Selftest of workers: code of plug-ins is measured in another process than ours (harness/cells/cell/visit_apart.h), and a number must
 * not depend on that. The same of ours is measured in both ways, in turns of random order.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cells/beta/beta.h"
#include "harness/cells/cell/kind.h"
#include "harness/cells/cell/summary.h"
#include "harness/cells/cell/visit_apart.h"
#include "harness/cells/gamma/gamma.h"
#include "harness/cells/product/product_cells.h"
#include "harness/measure/session_pool.h"
#include "harness/selftest/selftest.h"
#include "results/statistics/stats.h"

/** Turns, and samples (or pairs) of each way in one: of cold cells a lap of the pool, or the second would find the places of the first in a cache. */
enum { TURNS = 32, SAMPLES = 6 };

/** How far both may be apart. */
static const double agreement = 0.005;

/** The same cell twice: the first is visited in this process, the second in workers. */
struct both {
    struct session *session;
    struct cells cells;
    size_t first;
    struct graded (*value)(const struct cell *cell);
    const char *unit;
    unsigned samples;        /* of a visit */
    size_t begins[2][TURNS]; /* first sample of each turn */
    unsigned turns;
    char what[200];
};

/** The first kernel of ours that runs here, has a GEMV of its own instruction set, and a sequence. */
static const struct kernel *subject(const struct session *session)
{
    for (const struct kernel *const *kernel = kernel_all(); *kernel; kernel++) {
        if (session_runs(session, (*kernel)->isa) && (*kernel)->gemv && strcmp((*kernel)->isa, "reference") != 0 &&
            sequence_find(kernel_gamma(*kernel)))
            return *kernel;
    }
    return NULL;
}

/** One visit to each, which read the same places of the pool. */
static int take_turn(struct both *both, size_t ahead)
{
    struct session *session = both->session;
    size_t bytes = session->threads * sizeof *session->pool_at;
    size_t *from = malloc(bytes + 1);
    int error = from ? 0 : -ENOMEM;
    if (from)
        memcpy(from, session->pool_at, bytes);
    for (size_t i = 0; !error && i < 2; i++) {
        size_t way = i ^ ahead;
        struct cell *cell = &both->cells.cell[both->first + way];
        memcpy(session->pool_at, from, bytes);
        both->begins[way][both->turns] = cell->samples.count;
        error = way ? visit_apart(session, cell, both->samples, NULL) : cell_visit(session, cell, both->samples);
        if (error)
            snprintf(both->what, sizeof both->what, "%.190s", cell->why);
    }
    both->turns += !error;
    free(from);
    return error;
}

static int visit_both(struct both *both)
{
    int error = 0;
    while (!error && both->turns < TURNS)
        error = take_turn(both, session_random(both->session) >> 63);
    return error;
}

/** Of one turn alone. */
static double value_of(const struct both *both, size_t way, unsigned turn)
{
    struct cell view = both->cells.cell[both->first + way];
    size_t begin = both->begins[way][turn],
           end = turn + 1 < both->turns ? both->begins[way][turn + 1] : view.samples.count;
    view.samples.sample += begin;
    view.samples.count = end - begin;
    const struct summary summary = both->value(&view).summary;
    return summary.n ? summary.median : NAN;
}

/** In workers over here, turn by turn, since the machine changes from one to the next. */
static void judge(const struct both *both, struct selftest_line *line)
{
    double ratio[TURNS];
    size_t n = 0;
    for (unsigned turn = 0; turn < both->turns; turn++) {
        ratio[n] = value_of(both, 1, turn) / value_of(both, 0, turn);
        n += isfinite(ratio[n]);
    }
    const struct summary in = both->value(&both->cells.cell[both->first]).summary,
                         apart = both->value(&both->cells.cell[both->first + 1]).summary;
    struct summary of = {0};
    if (stats_summarize(ratio, n, &of) || of.n < STATS_KEPT_LEAST) {
        selftest_unavailable(line,
                             "%s: %zu turns with samples kept both ways, %d needed; try again on a quieter machine",
                             both->what, of.n, STATS_KEPT_LEAST);
        return;
    }
    double low = 100 * (of.ci95[0] - 1), high = 100 * (of.ci95[1] - 1), difference = 100 * (of.median - 1);
    const double bound = 100 * agreement;
    bool agrees = fabs(difference) <= bound, tells = low > bound || high < -bound;
    if (!agrees && !tells)
        selftest_unavailable(
            line,
            "%s: %+.2f%% [%+.2f%%, %+.2f%%] in workers, which is less than it varies; try again on a quieter machine",
            both->what, difference, low, high);
    else
        selftest_judge(line, agrees, difference, "%",
                       "%s: %.6g %s here and %.6g in workers, %+.2f%% [%+.2f%%, %+.2f%%] in %zu turns", both->what,
                       in.median, both->unit, apart.median, difference, low, high, of.n);
}

static void compare_both(struct both *both, int error, struct selftest_line *line)
{
    both->samples = both->samples > SAMPLES ? both->samples : SAMPLES;
    if (!error)
        error = visit_both(both);
    if (error)
        selftest_judge(line, false, NAN, both->unit, "%s: %s", both->what, strerror(-error));
    else
        judge(both, line);
    cells_release(&both->cells);
}

/** A machine for which there is no fast kernel. */
static bool lacks_subject(const struct kernel *kernel, struct selftest_line *line)
{
    if (!kernel)
        selftest_unavailable(line, "no kernel with a sequence runs here");
    return !kernel;
}

static void check_gamma(struct session *session, struct selftest_line *line)
{
    const struct kernel *kernel = subject(session);
    if (lacks_subject(kernel, line))
        return;
    const struct sequence *sequence = sequence_find(kernel_gamma(kernel));
    unsigned most = (unsigned)sequence->variant[sequence->variants - 1].accumulators;
    struct both both = {.session = session, .value = gamma_summary, .unit = "cycles a vector"};
    snprintf(both.what, sizeof both.what, "gamma of %s", sequence->name);
    int error = gamma_add(&both.cells, sequence, most);
    if (!error)
        error = gamma_add(&both.cells, sequence, most);
    compare_both(&both, error, line);
}

/** The roof of memory, which cold cells need beside them. */
static int find_roof(struct both *both)
{
    const struct execution execution = {0};
    size_t failed;
    int error = both->session->roof[1].chosen
                    ? 0
                    : beta_find_roof(both->session, &both->cells, "memory", 1, &execution, &failed);
    both->first = both->cells.count;
    return error;
}

static void check_beta(struct session *session, struct selftest_line *line)
{
    struct both both = {.session = session, .value = beta_summary, .unit = "B/cycle", .what = "beta of memory"};
    int error = find_roof(&both);
    for (unsigned i = 0; !error && i < 2; i++) {
        error = beta_add_roof(&both.cells, session, "memory", 1);
        if (!error)
            beta_cell(&both.cells.cell[both.cells.count - 1])->stream = session->roof[1].stream;
    }
    if (!error)
        both.samples = (unsigned)session_cold_places(session, 1, beta_cell(&both.cells.cell[both.first])->bytes);
    compare_both(&both, error, line);
}

static void compare_gemv(struct session *session, bool cold, struct selftest_line *line)
{
    static const struct shape large = {.m = 1024, .k = 4096}, small = {.m = 256, .k = 512};
    const struct kernel *kernel = subject(session);
    if (lacks_subject(kernel, line))
        return;
    const struct shape *shape = cold ? &large : &small;
    struct both both = {.session = session, .value = summary_time, .unit = "s"};
    int error = cold ? find_roof(&both) : 0;
    snprintf(both.what, sizeof both.what, "GEMV of %s, %zux%zu %s", kernel->name, shape->m, shape->k,
             cold ? "cold" : "warm");
    for (unsigned i = 0; !error && i < 2; i++)
        error = product_add(&both.cells, kernel, shape, PRODUCT_GEMV, 1, cold);
    if (!error && cold)
        both.samples = (unsigned)product_places(session, &both.cells.cell[both.first]);
    compare_both(&both, error, line);
}

static void check_cold(struct session *session, struct selftest_line *line)
{
    compare_gemv(session, true, line);
}

static void check_warm(struct session *session, struct selftest_line *line)
{
    compare_gemv(session, false, line);
}

const struct selftest_check selftest_worker_checks[] = {
    {"worker_gamma", "gamma is the same in a worker, to 0.5%", true, check_gamma},
    {"worker_beta", "bandwidth of memory is the same in a worker, to 0.5%", true, check_beta},
    {"worker_cold", "a cold GEMV takes as long in a worker, to 0.5%", true, check_cold},
    {"worker_warm", "a warm GEMV takes as long in a worker, to 0.5%", true, check_warm},
    {0},
};
