/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where time goes beside bytes over beta and gamma times vectors: each term alone, as the difference of two that have all
 * else in common.
 */
#include "harness/cells/term/term.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "harness/cells/cell/fields.h"
#include "harness/cells/product/main_kernels.h"
#include "harness/measure/session_level.h"
#include "harness/measure/session_pool.h"
#include "harness/team/gemv.h"
#include "micro/stream.h"
#include "results/text/refuse.h"

/** A member reads so much of a stream in a sample. */
enum { STREAM_BYTES = 512 * SESSION_STREAM_UNIT };

/** Panels that a member has at least in a cache, so that the kernel goes through them as through a matrix in memory. */
enum { WARM_PANELS = 4 };

/** A long row is this many times longer: the ends that are fewer then are the ones that the GEMV has. */
enum { LONGER = 2 };

enum { BASE_PAGE = 4096 };

/* ---- cells ---- */

static struct cell *add(struct cells *cells, const char *term, const char *subject, const char *variant,
                        unsigned threads)
{
    struct cell *cell = cells_add(cells, &cell_kind_term);
    if (!cell)
        return NULL;
    struct term_cell *own = term_cell(cell);
    own->term = term;
    snprintf(own->subject, sizeof own->subject, "%s", subject);
    snprintf(own->variant, sizeof own->variant, "%s", variant);
    cell->threads = threads;
    cell->beside_roof = cell->cold = true;
    cell->repeats = 1;
    snprintf(cell->name, sizeof cell->name, "term/%s/%s%s%s/t%u", term, subject, variant[0] ? "/" : "", variant,
             threads);
    return cell;
}

/* ---- of a stream ---- */

static const struct stream_variant *variant_of(const struct stream *stream, unsigned streams, enum stream_hint hint)
{
    const struct stream_variant *found = NULL;
    for (uint32_t v = 0; v < stream->count; v++) {
        const struct stream_variant *variant = &stream->variants[v];
        if (variant->streams == streams && variant->hint == hint && (!found || variant->run_bytes < found->run_bytes))
            found = variant;
    }
    return found;
}

static const struct stream *widest_stream(const struct session *session)
{
    const struct stream *widest = NULL;
    struct session_stream at;
    for (size_t i = 0; session_stream_at(i, &at); i++) {
        if (session_runs(session, at.stream->isa) && (!widest || at.stream->load_bytes > widest->load_bytes))
            widest = at.stream;
    }
    return widest;
}

static struct term_side read_of(const struct stream *stream, unsigned streams, enum stream_hint hint, size_t distance)
{
    struct term_side side = {.repeats = 1, .stream = {stream, variant_of(stream, streams, hint), hint ? distance : 0}};
    session_stream_label(&side.stream, side.label, sizeof side.label);
    return side;
}

static int add_read(struct cells *cells, const char *term, unsigned threads, struct term_side without,
                    struct term_side with)
{
    char subject[80];
    session_stream_label(&with.stream, subject, sizeof subject);
    struct cell *cell = add(cells, term, subject, "", threads);
    if (!cell)
        return -ENOMEM;
    struct term_cell *own = term_cell(cell);
    own->side[0] = without;
    own->side[1] = with;
    own->bytes = STREAM_BYTES;
    if (with.base_pages) {
        own->event = "page";
        own->events = own->all_events = (double)own->bytes / BASE_PAGE;
    }
    return 0;
}

static int add_prefetches(struct cells *cells, const struct stream *stream, unsigned streams, unsigned threads)
{
    static const enum stream_hint hints[] = {STREAM_PREFETCH_T0, STREAM_PREFETCH_T1, STREAM_PREFETCH_BOTH};
    static const size_t distances[] = {512, 1024, 2048, 4096};
    enum { HINTS = 3, DISTANCES = 4 };
    const struct term_side none = read_of(stream, streams, STREAM_NO_PREFETCH, 0);
    int error = 0;
    for (size_t i = 0; !error && i < HINTS * DISTANCES; i++)
        error = add_read(cells, "prefetch", threads, none,
                         read_of(stream, streams, hints[i / DISTANCES], distances[i % DISTANCES]));
    return error;
}

static int add_pages(struct cells *cells, unsigned threads, struct term_side side)
{
    struct term_side with = side;
    with.base_pages = true;
    return add_read(cells, "pages", threads, side, with);
}

int term_add_streams(struct cells *cells, const struct session *session, unsigned threads)
{
    static const unsigned many[] = {2, 4, 8}, few[] = {1, 4};
    const struct stream *stream = widest_stream(session);
    int error = 0;
    for (size_t i = 0; stream && !error && i < sizeof many / sizeof *many; i++)
        error = add_read(cells, "streams", threads, read_of(stream, 1, STREAM_NO_PREFETCH, 0),
                         read_of(stream, many[i], STREAM_NO_PREFETCH, 0));
    for (size_t i = 0; stream && !error && i < sizeof few / sizeof *few; i++) {
        error = add_prefetches(cells, stream, few[i], threads);
        if (!error)
            error = add_pages(cells, threads, read_of(stream, few[i], STREAM_NO_PREFETCH, 0));
        if (!error)
            error = add_pages(cells, threads, read_of(stream, few[i], STREAM_PREFETCH_T1, 1024));
    }
    return error;
}

/* ---- of a kernel ---- */

static struct term_side gemv_of(const struct kernel *kernel, size_t m, size_t k, const char *label)
{
    struct term_side side = {.m = m, .k = k, .repeats = 1, .prefetch_bytes = kernel->prefetch_bytes};
    snprintf(side.label, sizeof side.label, "%s", label);
    return side;
}

static struct cell *add_gemv(struct cells *cells, const struct kernel *kernel, const char *term, const char *variant,
                             const struct shape *shape, unsigned threads, struct term_side without,
                             struct term_side with)
{
    struct cell *cell = add(cells, term, kernel->name, variant, threads);
    if (!cell)
        return NULL;
    cell->kernel = kernel;
    term_cell(cell)->m = shape->m;
    term_cell(cell)->k = shape->k;
    term_cell(cell)->side[0] = without;
    term_cell(cell)->side[1] = with;
    return cell;
}

static int add_distances(struct cells *cells, const struct kernel *kernel, const struct shape *shape, unsigned threads)
{
    static const size_t distances[] = {0, 512, 1024, 2048, 4096, 8192};
    for (size_t i = 0; i < sizeof distances / sizeof *distances; i++) {
        char variant[32], own[32];
        snprintf(variant, sizeof variant, "+%zu", distances[i]);
        snprintf(own, sizeof own, "+%zu", kernel->prefetch_bytes);
        struct term_side without = gemv_of(kernel, shape->m, shape->k, own),
                         with = gemv_of(kernel, shape->m, shape->k, variant);
        with.prefetch_bytes = distances[i];
        if (distances[i] != kernel->prefetch_bytes &&
            !add_gemv(cells, kernel, "prefetch", variant, shape, threads, without, with))
            return -ENOMEM;
    }
    return 0;
}

/** Whether a core reads this many bytes again and again from its own caches. */
static bool stays_near(const struct session *session, size_t bytes)
{
    const char *level = session_level_of(session, bytes, 1);
    return strcmp(level, "L1") == 0 || strcmp(level, "L2") == 0;
}

/** Rows of a matrix of K columns, `most` at most, that stay near a core: a power of two of panels; 0: too few would. */
static size_t warm_rows(const struct session *session, const struct kernel *kernel, size_t k, size_t most)
{
    const struct format *format = kernel->format;
    size_t panel = format_panel_bytes(format, k), panels = WARM_PANELS;
    if (!stays_near(session, panels * panel))
        return 0;
    while (stays_near(session, 2 * panels * panel) && 2 * panels * format->rows_per_panel <= most)
        panels *= 2;
    return panels * format->rows_per_panel <= most ? panels * format->rows_per_panel : 0;
}

/** The whole matrix against a part of it that stays in the second cache, as often as makes as many rows. */
static int add_memory(struct cells *cells, const struct session *session, const struct kernel *kernel,
                      const struct shape *shape, unsigned threads)
{
    size_t each = shape->m / threads, rows = warm_rows(session, kernel, shape->k, each);
    if (!rows || each % rows)
        return 0;
    struct term_side without = gemv_of(kernel, rows * threads, shape->k, "from L2"),
                     with = gemv_of(kernel, shape->m, shape->k, "from memory");
    without.repeats = (unsigned)(each / rows);
    without.warm = true;
    return add_gemv(cells, kernel, "memory", "", shape, threads, without, with) ? 0 : -ENOMEM;
}

/**
 * The GEMV against as many bytes in rows of twice the length: from memory, or a part of both from the second cache, again
 * and again. Not of formats whose panels are filled for one K.
 */
static int add_panel_ends(struct cells *cells, const struct session *session, const struct kernel *kernel,
                          const struct shape *shape, unsigned threads, bool warm)
{
    const struct format *format = kernel->format;
    char why[160];
    size_t each = shape->m / threads, rows = warm ? warm_rows(session, kernel, shape->k, each) : each;
    size_t long_rows = rows / LONGER, long_k = LONGER * shape->k;
    if (!format_is_uniform(format) || shape->m % threads || long_rows < WARM_PANELS * format->rows_per_panel ||
        long_rows * LONGER != rows || kernel_accepts(kernel, long_rows * threads, long_k, why, sizeof why) ||
        format_packed_bytes(format, long_rows, long_k) != format_packed_bytes(format, rows, shape->k))
        return 0;
    struct term_side without = gemv_of(kernel, long_rows * threads, long_k, "long rows"),
                     with = gemv_of(kernel, rows * threads, shape->k, "its rows");
    without.warm = with.warm = warm;
    without.repeats = with.repeats = (unsigned)(each / rows);
    struct cell *cell = add_gemv(cells, kernel, "panel_end", warm ? "L2" : "memory", shape, threads, without, with);
    if (!cell)
        return -ENOMEM;
    struct term_cell *own = term_cell(cell);
    double ends = (double)format_panels(format, rows), fewer = (double)format_panels(format, long_rows);
    own->event = "panel";
    own->all_events = (double)format_panels(format, shape->m) / threads;
    own->events = (ends - fewer) * with.repeats;
    return 0;
}

static int add_kernel_pages(struct cells *cells, const struct kernel *kernel, const struct shape *shape,
                            unsigned threads)
{
    struct term_side without = gemv_of(kernel, shape->m, shape->k, "as the pool"), with = without;
    snprintf(with.label, sizeof with.label, "base pages");
    with.base_pages = true;
    struct cell *cell = add_gemv(cells, kernel, "pages", "", shape, threads, without, with);
    if (!cell)
        return -ENOMEM;
    struct term_cell *own = term_cell(cell);
    own->event = "page";
    own->events = own->all_events =
        (double)format_packed_bytes(kernel->format, shape->m, shape->k) / BASE_PAGE / threads;
    return 0;
}

int term_add_kernel(struct cells *cells, const struct session *session, const struct kernel *kernel,
                    const struct shape *shape, unsigned threads, char *why, size_t size)
{
    int error = kernel_accepts(kernel, shape->m, shape->k, why, size);
    if (!error && !kernel->gemv)
        error = refuse(-EINVAL, why, size, "it has no GEMV, which terms need");
    if (!error)
        error = add_memory(cells, session, kernel, shape, threads);
    if (!error)
        error = add_panel_ends(cells, session, kernel, shape, threads, false);
    if (!error)
        error = add_panel_ends(cells, session, kernel, shape, threads, true);
    if (!error)
        error = add_kernel_pages(cells, kernel, shape, threads);
    return error ? error : add_distances(cells, kernel, shape, threads);
}

/* ---- what they say ---- */

/** The seconds of the side that a pair has first, and of the other; both kept. */
static bool pair_of(const struct cell *cell, size_t i, double seconds[2], enum sample_grade *grade)
{
    const struct sample *without = &cell->roof.sample[i], *with = &cell->samples.sample[i];
    seconds[0] = without->wall_s;
    seconds[1] = with->wall_s;
    *grade = without->grade < with->grade ? without->grade : with->grade;
    return without->cause == SAMPLE_KEPT && with->cause == SAMPLE_KEPT;
}

static bool without_of(const struct cell *cell, size_t i, double *value, enum sample_grade *grade)
{
    double seconds[2];
    bool kept = pair_of(cell, i, seconds, grade);
    *value = seconds[0];
    return kept;
}

static bool with_of(const struct cell *cell, size_t i, double *value, enum sample_grade *grade)
{
    double seconds[2];
    bool kept = pair_of(cell, i, seconds, grade);
    *value = seconds[1];
    return kept;
}

static bool difference_of(const struct cell *cell, size_t i, double *value, enum sample_grade *grade)
{
    double seconds[2];
    bool kept = pair_of(cell, i, seconds, grade);
    *value = seconds[1] - seconds[0];
    return kept;
}

static bool change_of(const struct cell *cell, size_t i, double *value, enum sample_grade *grade)
{
    double seconds[2];
    bool kept = pair_of(cell, i, seconds, grade);
    *value = seconds[1] / seconds[0] - 1;
    return kept;
}

static bool cost_of(const struct cell *cell, size_t i, double *value, enum sample_grade *grade)
{
    bool kept = difference_of(cell, i, value, grade);
    *value /= term_cell(cell)->events;
    return kept && term_cell(cell)->event;
}

static struct graded of_pairs(const struct cell *cell, derive *value_of)
{
    return summary_derive(cell, summary_roof_pairs(cell), false, value_of);
}

struct graded term_without(const struct cell *cell)
{
    return of_pairs(cell, without_of);
}

struct graded term_with(const struct cell *cell)
{
    return of_pairs(cell, with_of);
}

struct graded term_difference(const struct cell *cell)
{
    return of_pairs(cell, difference_of);
}

struct graded term_change(const struct cell *cell)
{
    return of_pairs(cell, change_of);
}

struct graded term_cost(const struct cell *cell)
{
    return of_pairs(cell, cost_of);
}

static size_t kept(const struct cell *cell)
{
    return term_difference(cell).summary.n;
}

static json_t *record_of(const struct session *session, const struct cells *cells, const struct cell *cell)
{
    (void)session, (void)cells;
    const struct term_cell *own = term_cell(cell);
    char name[160];
    snprintf(name, sizeof name, "%s/%s%s%s", own->term, own->subject, own->variant[0] ? "/" : "", own->variant);
    json_t *record = json_pack("{s:s, s:s, s:s, s:s, s:s, s:i, s:s, s:s}", "type", "term", "name", name, "term",
                               own->term, "subject", own->subject, "variant", own->variant, "threads",
                               (int)cell->threads, "without", own->side[0].label, "with", own->side[1].label);
    if (cell->kernel) {
        field_set(record, "m", json_integer((json_int_t)own->m));
        field_set(record, "k", json_integer((json_int_t)own->k));
        field_set(record, "format", json_string(cell->kernel->format->name));
    }
    field_set_quantity(record, "without_s", term_without(cell), "s");
    field_set_quantity(record, "with_s", term_with(cell), "s");
    field_set_quantity(record, "difference_s", term_difference(cell), "s");
    field_set_quantity(record, "change", term_change(cell), "1");
    field_set(record, "event", own->event ? json_string(own->event) : json_null());
    if (own->event) {
        field_set_number(record, "events", own->events);
        field_set_number(record, "all_events", own->all_events);
        field_set_quantity(record, "cost_s", term_cost(cell), "s");
    }
    return record;
}

/* ---- in a characterization ---- */

enum { REFERENCE_SIDE = 4096 };

/** Of a read stream and of main kernels, for one thread and for the widest team. */
static int plan(struct cells *cells, const struct planning *planning)
{
    static const struct shape reference = {.m = REFERENCE_SIDE, .k = REFERENCE_SIDE, .count = 1};
    const struct session *session = planning->session;
    int error = 0;
    for (size_t t = 0; !error && t<planning->teams; t += planning->teams> 1 ? planning->teams - 1 : 1) {
        char why[SESSION_WHY];
        error = term_add_streams(cells, session, planning->sizes[t]);
        for (const struct kernel *const *kernel = kernel_all(); !error && *kernel; kernel++) {
            if (session_runs(session, (*kernel)->isa) && gemv_is_main(session, *kernel))
                error = term_add_kernel(cells, session, *kernel, &reference, planning->sizes[t], why, sizeof why);
            error = error == -EINVAL ? 0 : error; /* a format that does not hold the shape has no terms */
        }
    }
    return error;
}

static enum cell_value value(const struct planning *planning, const struct cell *cell)
{
    return cell->threads == planning->sizes[0] ? CELL_TERMS : CELL_BREADTH;
}

/** Where the machine is not known yet: bytes a second of a core, weights a second of one; to compare and to copy. */
static struct cell_cost cost(const struct session *session, const struct cell *cell)
{
    static const double SLOW_CORE = 8e9, SLOW_WEIGHTS = 2e10, COMPARE_S = 1e-2, COPY_S = 1e-9, BEGIN_S = 5e-4;
    const struct term_cell *own = term_cell(cell);
    double bytes = (double)own->bytes * cell->threads, weights = 0;
    struct cell_cost of = {.visit_s = BEGIN_S};
    if (cell->kernel) {
        bytes =
            (double)format_packed_bytes(cell->kernel->format, own->side[1].m, own->side[1].k) * own->side[1].repeats;
        weights = (double)own->side[1].m * (double)own->side[1].k * own->side[1].repeats;
        of.once_s = 2 * COMPARE_S;
    }
    if (own->side[1].base_pages)
        of.visit_s += COPY_S * (double)session_cold_bytes(session, cell->threads) * cell->threads;
    of.sample_s = 2 * (1e-4 + (bytes / SLOW_CORE + weights / SLOW_WEIGHTS) / cell->threads);
    return of;
}

static struct session_pool_filling filling(const struct cell *cell)
{
    struct session_pool_filling any = {0};
    return cell->kernel ? (struct session_pool_filling){.format = cell->kernel->format, .k = term_cell(cell)->side[0].k}
                        : any;
}

const struct cell_kind cell_kind_term = {
    .name = "term",
    .never_compared = true,
    .own = sizeof(struct term_cell),
    .plan = plan,
    .visit = term_visit,
    .apart = true,
    .filling = filling,
    .kept = kept,
    .rank = 70,
    .value = value,
    .cost = cost,
    .record = record_of,
};
