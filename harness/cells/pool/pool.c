/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How much memory a pool needs to be cold. All members of the widest team read their parts round and round with plain
 * loads; some chunks of the lap are timed, so that a sample is short, and each chunk was read a whole lap ago.
 */
#include "harness/cells/pool/pool.h"

#include <errno.h>
#include <stdio.h>

#include "harness/cells/cell/fields.h"
#include "harness/cells/cell/kind.h"
#include "harness/cells/cell/rounds.h"
#include "harness/measure/session_pool.h"
#include "platforms/clock/clock.h"

/** A chunk of a lap, and how many a lap has at least. */
enum { CHUNK_BYTES = 342 * SESSION_STREAM_UNIT, CHUNKS_LEAST = 4 };

/** Sizes that are always read, then those until it stops falling; and the largest. */
enum { TIMES_ALWAYS = 8, TIMES_MOST = 64 };

/** A run that is continued and has read this size had its search: what it left out stays so. */
enum { TIMES_SEARCHED = 4 };

/** Chunks of a lap that are timed, where it has this many. */
enum { TIMED_CHUNKS = 8 };

/** Samples a visit, how many are wanted kept, and in how many visits. */
enum { SAMPLES = 6, KEPT = 12, TRIES = 6 };

/* ---- which cells ---- */

/** Loads of one place, as wide as this CPU has them. */
static bool widest_stream(const struct session *session, struct session_stream *widest)
{
    struct session_stream stream;
    *widest = (struct session_stream){0};
    for (size_t i = 0; session_stream_at(i, &stream); i++) {
        if (session_runs(session, stream.stream->isa) && !stream.variant->hint && stream.variant->streams == 1 &&
            (!widest->stream || stream.stream->load_bytes > widest->stream->load_bytes))
            *widest = stream;
    }
    return widest->stream;
}

static int add(struct cells *cells, const struct session *session, unsigned times, const struct session_stream *stream)
{
    struct cell *cell = cells_add(cells, &cell_kind_pool);
    if (!cell)
        return -ENOMEM;
    size_t bytes = (size_t)(times * session_stated_bytes(session) / session->threads), chunk = bytes / CHUNKS_LEAST;
    chunk = chunk < CHUNK_BYTES ? chunk / SESSION_STREAM_UNIT * SESSION_STREAM_UNIT : CHUNK_BYTES;
    *pool_cell(cell) = (struct pool_cell){
        .times = times, .bytes = bytes, .sample_bytes = chunk ? chunk : SESSION_STREAM_UNIT, .stream = *stream};
    cell->threads = session->threads;
    cell->cold = true;
    cell->repeats = 1;
    snprintf(cell->name, sizeof cell->name, "pool/t%u/x%u", cell->threads, times);
    return 0;
}

static int add_all(struct cells *cells, const struct session *session)
{
    struct session_stream stream;
    int error = 0;
    if (!widest_stream(session, &stream))
        return 0;
    for (unsigned times = 1; !error && times <= TIMES_MOST; times *= 2)
        error = add(cells, session, times, &stream);
    return error;
}

/* ---- taking samples ---- */

struct job {
    struct session *session;
    const struct pool_cell *own;
    size_t chunks, stride, first; /* of a lap; from one sample to the next; the one that the first sample reads */
};

static void read_chunk(const struct job *job, unsigned member, size_t chunk)
{
    const uint8_t *place = job->session->pool[member].bytes + chunk % job->chunks * job->own->sample_bytes;
    session_stream_read(&job->own->stream, place, job->own->sample_bytes, false);
}

/** The lap goes on up to the sample's chunk; before the first sample it is a whole one, since another cell was here. */
static void read_lap(void *context, unsigned member, unsigned sample)
{
    const struct job *job = context;
    size_t skipped = (sample ? job->stride : job->chunks) - 1, chunk = job->first + sample * job->stride;
    for (size_t i = skipped; i > 0; i--)
        read_chunk(job, member, chunk + job->chunks - i);
}

static void run(void *context, unsigned member, unsigned sample)
{
    const struct job *job = context;
    read_chunk(job, member, job->first + sample * job->stride);
}

static int visit(struct session *session, struct cell *cell, unsigned count)
{
    struct pool_cell *own = pool_cell(cell);
    int error = session_pool(session, cell->threads, own->bytes, cell->why, sizeof cell->why);
    own->no_memory = error == -ENOMEM;
    if (error)
        return error;
    size_t chunks = own->bytes / own->sample_bytes, stride = chunks > TIMED_CHUNKS ? chunks / TIMED_CHUNKS : 1;
    struct job job = {session, own, chunks, stride, cell->samples.count * stride};
    struct sampler_work work = {.context = &job, .region = cell->name, .before = read_lap, .run = run};
    if (!session_team(session, cell->threads, cell->why, sizeof cell->why))
        return -EINVAL;
    return cell_take(session, cell, &work, count);
}

/* ---- what they say ---- */

struct graded pool_bandwidth(const struct cell *cell)
{
    return summary_per_second(cell, (double)pool_cell(cell)->sample_bytes * cell->threads);
}

struct pool_verdict pool_verdict(const struct cells *cells, const struct cell **of)
{
    struct pool_point points[16];
    const struct cell *cell[16];
    size_t count = 0;
    for (size_t i = 0; i < cells->count && count < sizeof points / sizeof *points; i++) {
        if (!pool_cell(&cells->cell[i]) || !(summary_stated(pool_bandwidth(&cells->cell[i])) > 0))
            continue;
        cell[count] = &cells->cell[i];
        points[count] =
            (struct pool_point){(double)pool_cell(cell[count])->bytes, summary_stated(pool_bandwidth(cell[count]))};
        count++;
    }
    struct pool_verdict verdict = pool_settles(points, count);
    *of = verdict.end == POOL_UNKNOWN ? NULL : cell[verdict.index];
    return verdict;
}

/* ---- until it stops falling ---- */

struct search {
    struct session *session;
    struct cells *cells;
    const struct execution *execution;
    size_t *failed;
    double begin_s, last_s;  /* of the search; that the size before took */
    bool had;                /* the run that is continued had its search */
    enum session_search end; /* SESSION_SEARCH_NONE: it goes on */
    const char *enough;      /* why it does not */
};

static int read_one(struct search *search, size_t index)
{
    struct execution own = *search->execution;
    struct cell *cell = &search->cells->cell[index];
    own.keep_going = false;
    double begin_s = clock_monotonic_s(), now_s = begin_s;
    int error = 0;
    for (unsigned i = 0; !error && i < TRIES && pool_bandwidth(cell).summary.n < KEPT && !cell->why[0] &&
                         (!i || now_s - search->begin_s < POOL_SEARCH_MOST_S);
         i++) {
        error = cells_visit_round(search->session, search->cells, &index, 1, SAMPLES, &own, 0, 1, search->failed);
        cell = &search->cells->cell[index];
        if (error == -ENOMEM && pool_cell(cell)->no_memory) /* a smaller pool will do; nothing is smaller of all else */
            error = 0;
        now_s = clock_monotonic_s();
    }
    search->last_s = now_s - begin_s;
    return error;
}

static void end_search(struct search *search, enum session_search end, const struct cell *next, const char *why)
{
    search->end = end;
    search->enough = why;
    if (end == SESSION_SEARCH_TIME || end == SESSION_SEARCH_MEMORY)
        search->session->search.next_bytes = pool_cell(next)->bytes * next->threads;
}

/** Whether a size may be looked at: of one that has its samples already it is no question. */
static void look_ahead(struct search *search, const struct cell *cell)
{
    uint64_t bytes = pool_cell(cell)->bytes * (uint64_t)cell->threads;
    double passed_s = clock_monotonic_s() - search->begin_s;
    if (pool_bandwidth(cell).summary.n >= KEPT)
        return;
    if (bytes > session_pool_most(search->session))
        end_search(search, SESSION_SEARCH_MEMORY, cell,
                   "a pool of this size is more than a third of the memory available");
    else if (search->had || passed_s + 2 * search->last_s > POOL_SEARCH_MOST_S)
        end_search(search, SESSION_SEARCH_TIME, cell, "the search for what is cold had taken its time");
}

/** After a size was read: whether a larger one would say more. */
static void look_back(struct search *search, const struct cell *cell)
{
    const struct cell *of;
    if (cell->why[0] && pool_cell(cell)->no_memory)
        end_search(search, SESSION_SEARCH_MEMORY, cell, "there is no memory for a smaller pool");
    else if (cell->why[0])
        end_search(search, SESSION_SEARCH_FALLS, NULL, "a smaller pool could not be read");
    else if (pool_cell(cell)->times >= TIMES_ALWAYS && pool_verdict(search->cells, &of).end == POOL_SETTLED)
        end_search(search, SESSION_SEARCH_SETTLED, NULL, "reading had stopped getting slower");
}

static void leave_out(struct cell *cell, const char *why)
{
    if (cell->samples.count || cell->why[0])
        return;
    cell->needless = true;
    snprintf(cell->why, sizeof cell->why, "%s", why);
}

/** At most this many bytes of all members are cold; of a curve that fell to its end it is the largest that was read. */
static void tell_session(const struct search *search)
{
    struct session *session = search->session;
    const struct cell *of;
    pool_verdict(search->cells, &of);
    session->cold_bytes = of ? pool_cell(of)->bytes * of->threads : 4 * session_stated_bytes(session);
    session->search.end = search->end ? search->end : SESSION_SEARCH_FALLS;
    session->search.seconds = clock_monotonic_s() - search->begin_s;
}

/** All sizes, with the samples that the run which is continued has of them. */
static int add_known(struct search *search)
{
    size_t first = search->cells->count;
    int error = add_all(search->cells, search->session);
    if (!error)
        error = execution_added(search->execution, search->cells, first, search->cells->count, KEPT, search->failed);
    for (size_t i = first; !error && i < search->cells->count; i++) {
        const struct cell *cell = &search->cells->cell[i];
        search->had |= pool_cell(cell)->times >= TIMES_SEARCHED && pool_bandwidth(cell).summary.n >= KEPT;
    }
    return error;
}

int pool_find(struct session *session, struct cells *cells, const struct execution *execution, size_t *failed)
{
    struct search search = {session, cells, execution, failed, .begin_s = clock_monotonic_s()};
    bool any = false;
    int error = 0;
    for (size_t i = 0; i < cells->count; i++)
        any |= pool_cell(&cells->cell[i]) != NULL;
    if (session->cold_bytes)
        return 0;
    if (!any)
        error = add_known(&search);
    for (size_t i = 0; !error && i < cells->count; i++) {
        if (!pool_cell(&cells->cell[i]))
            continue;
        if (!search.end)
            look_ahead(&search, &cells->cell[i]);
        if (search.end) {
            leave_out(&cells->cell[i], search.enough);
            continue;
        }
        error = read_one(&search, i);
        look_back(&search, &cells->cell[i]);
    }
    if (!error)
        tell_session(&search);
    return error;
}

static int carry_out(struct session *session, struct cells *cells, size_t first, size_t end,
                     const struct execution *execution, size_t *failed)
{
    (void)first, (void)end;
    return pool_find(session, cells, execution, failed);
}

/* ---- the kind ---- */

static json_t *record_of(const struct session *session, const struct cells *cells, const struct cell *cell)
{
    const struct pool_cell *own = pool_cell(cell);
    const struct cell *of;
    struct pool_verdict verdict = pool_verdict(cells, &of);
    char label[80];
    session_stream_label(&own->stream, label, sizeof label);
    json_t *record = json_pack("{s:s, s:s, s:i, s:o, s:i, s:I, s:s}", "type", "pool", "name", cell->name + 5, "threads",
                               (int)cell->threads, "cpus", field_cpus(session, cell->threads), "times", (int)own->times,
                               "bytes", (json_int_t)(own->bytes * cell->threads), "stream", label);
    field_set(record, "stated_bytes", session->llc_bytes ? json_integer((json_int_t)session->llc_bytes) : json_null());
    field_set_quantity(record, "bytes_per_s", pool_bandwidth(cell), "B/s");
    field_set_quantity(record, "bytes_per_cycle_per_core", summary_per_cycle(cell, (double)own->sample_bytes),
                       "B/cycle");
    field_set(record, "cold",
              verdict.end == POOL_SETTLED ? json_boolean(own->bytes >= pool_cell(of)->bytes) : json_null());
    field_set(record, "pool_bytes", json_integer((json_int_t)(session_cold_bytes(session, 1))));
    field_set(record, "pool_wanted_bytes", json_integer((json_int_t)session_cold_wanted(session)));
    field_set(record, "search", json_string(session_search_name(session->search.end)));
    field_set_counters(record, cell);
    return record;
}

static int plan(struct cells *cells, const struct planning *planning)
{
    return add_all(cells, planning->session);
}

static enum cell_value value(const struct planning *planning, const struct cell *cell)
{
    (void)planning, (void)cell;
    return CELL_ROOFS;
}

/** Sizes beyond those that are always read are seldom needed. A lap is read in each visit, and a part of one before each sample. */
static struct cell_cost cost(const struct session *session, const struct cell *cell)
{
    (void)session;
    static const double FILL_S = 1.5e-9, READ_S = 1e-10;
    const struct pool_cell *own = pool_cell(cell);
    if (own->times > TIMES_ALWAYS)
        return (struct cell_cost){0};
    return (struct cell_cost){.once_s = own->times == TIMES_ALWAYS ? FILL_S * (double)own->bytes : 0,
                              .visit_s = 1e-3 + READ_S * (double)own->bytes,
                              .sample_s = 1e-4 + READ_S / TIMED_CHUNKS * (double)own->bytes};
}

/** A size that is not needed, or finds no memory, is not waited for. */
static size_t kept(const struct cell *cell)
{
    return cell->why[0] || pool_cell(cell)->times > TIMES_ALWAYS ? SIZE_MAX : pool_bandwidth(cell).summary.n;
}

static void describe(const struct cell *cell, json_t *record)
{
    char label[80];
    session_stream_label(&pool_cell(cell)->stream, label, sizeof label);
    field_set(record, "bytes", json_integer((json_int_t)pool_cell(cell)->bytes));
    field_set(record, "stream", json_string(label));
}

/** Samples of another size, from a machine that stated another cache, say nothing of this one. */
static void restore(struct cell *cell, const json_t *record)
{
    struct pool_cell *own = pool_cell(cell);
    own->known = json_integer_value(json_object_get(record, "bytes")) == (json_int_t)own->bytes;
}

static bool lacks_choice(const struct cell *cell)
{
    return !pool_cell(cell)->known;
}

const struct cell_kind cell_kind_pool = {
    .name = "pool",
    .never_compared = true,
    .own = sizeof(struct pool_cell),
    .plan = plan,
    .visit = visit,
    .kept = kept,
    .rank = 15,
    .value = value,
    .cost = cost,
    .carry_out = carry_out,
    .record = record_of,
    .describe = describe,
    .restore = restore,
    .lacks_choice = lacks_choice,
};
