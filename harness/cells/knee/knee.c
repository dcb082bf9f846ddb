/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The knee put to the test: a sequence with the loads of its weights, as a stream from one level of the memory, on a
 * team. Just before each sample the roof's read stream reads as much from the same place or, of memory, from another
 * cold one, so that beta is that of the same minute. Each member reads its own first-touched memory.
 *
 * From a cache the stream reads the same weights again and again; each pass enters it anew, as a kernel is entered.
 */
#include "harness/cells/knee/knee.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cells/cell/call_watch.h"
#include "harness/cells/cell/external_code.h"
#include "harness/cells/cell/fields.h"
#include "harness/cells/cell/kind.h"
#include "harness/cells/knee/knee_summary.h"
#include "harness/measure/session_level.h"
#include "harness/measure/session_pool.h"
#include "results/text/refuse.h"

/** A member reads this much memory in a sample, so that the start of a stream does not show. */
enum { MEMORY_BYTES = 2 << 20 };

/** More than a share of any last-level cache. */
enum { BYTES_MOST = 1 << 30 };

/**
 * From a cache a sample takes about so long, so that the meeting of the team does not show: the roof by its bytes, the
 * sequence by its uops, three a cycle.
 */
enum { ROOF_SAMPLE_BYTES = 4 << 20, SAMPLE_CYCLES = 200000, UOPS_PER_CYCLE = 3 };

/** Bytes that a core reads in a second, and seconds of a sample from a cache, where that is not known yet. */
static const double SLOW_MEMORY = 8e9, SLOW_SAMPLE = 1e-4;

/* ---- which cells ---- */

/** Bytes that a software prefetch runs ahead: of memory 80 to 120 ns away, at 2 to 10 bytes a cycle. */
static const size_t distances[] = {1024, 2048, 4096};
enum { DISTANCES = sizeof distances / sizeof *distances };

static int add(struct cells *cells, const struct sequence *sequence, const char *level, unsigned threads,
               bool prefetches, size_t distance)
{
    struct cell *cell = cells_add(cells, &cell_kind_knee);
    if (!cell)
        return -ENOMEM;
    *knee_cell(cell) = (struct knee_cell){
        .level = level, .prefetches = prefetches, .competes = distance > 0, .prefetch_bytes = distance};
    cell->sequence = sequence;
    cell->threads = threads;
    cell->cold = strcmp(level, "memory") == 0;
    cell->beside_roof = true;
    int length = snprintf(cell->name, sizeof cell->name, "knee/%s/%s/t%u/%s", sequence->name, level, threads,
                          prefetches ? "prefetch" : "plain");
    if (distance && length > 0 && (size_t)length < sizeof cell->name)
        snprintf(cell->name + length, sizeof cell->name - (size_t)length, "+%zu", distance);
    return 0;
}

int knee_add(struct cells *cells, const struct sequence *sequence, const char *const *levels, size_t level_count,
             const unsigned *sizes, size_t team_count)
{
    int error = 0;
    for (size_t level = 0; !error && level < level_count; level++) {
        for (size_t t = 0; !error && t < team_count; t++) {
            bool competes = level == 0 && t + 1 == team_count;
            error = add(cells, sequence, levels[level], sizes[t], false, 0);
            for (size_t d = 0; !error && d < (competes ? DISTANCES : 1); d++)
                error = add(cells, sequence, levels[level], sizes[t], true, competes ? distances[d] : 0);
        }
    }
    return error;
}

/* ---- taking samples ---- */

/** A team member's own, on cache lines of its own. */
struct member {
    _Alignas(64) uint8_t accumulators[SEQUENCE_ACCUMULATORS_MAX * SEQUENCE_VECTOR_BYTES_MAX];
    _Alignas(64) uint8_t activations[SEQUENCE_ACTIVATION_BYTES_MAX];
    struct sequence_operands operands;
    const uint8_t *roof_place;
};

struct job {
    struct session *session;
    struct cell *cell;
    struct knee_cell *own;
    const struct session_stream *roof;
    size_t roof_member_bytes; /* one pass */
    unsigned roof_repeats;
    uint64_t groups; /* of the sequence, one pass */
    size_t granule;  /* at which weights begin in the pool */
    struct member *member;
    struct call_watch *watch; /* of a sequence that is not ours; else NULL */
};

static bool is_roof(unsigned sample)
{
    return sample % 2 == 0;
}

static void read_roof(const struct job *job, unsigned member)
{
    session_stream_read(job->roof, job->member[member].roof_place, job->roof_member_bytes, job->cell->cold);
}

static void stream(const struct job *job, unsigned member)
{
    const struct knee_cell *own = job->own;
    (own->prefetches ? own->variant->stream_prefetch : own->variant->stream)(&job->member[member].operands, job->groups,
                                                                             own->prefetch_bytes);
}

static void choose_place(void *context, unsigned member, unsigned sample)
{
    struct job *job = context;
    struct member *own = &job->member[member];
    if (job->watch)
        call_watch_between(job->watch, job->session->team, member);
    if (!job->cell->cold) {
        own->roof_place = own->operands.weights = job->session->pool[member].bytes;
        if (is_roof(sample))
            read_roof(job, member);
        else
            stream(job, member);
    } else if (is_roof(sample)) {
        own->roof_place = session_cold_place(job->session, member, job->cell->threads,
                                             session_stream_span(job->roof, job->roof_member_bytes), 64);
        session_cold_weights_ahead(job->session, member, job->cell->threads, job->own->bytes, job->granule);
    } else {
        own->operands.weights =
            session_cold_weights(job->session, member, job->cell->threads, job->own->bytes, job->granule);
    }
}

static void run(void *context, unsigned member, unsigned sample)
{
    const struct job *job = context;
    for (unsigned i = 0; is_roof(sample) && i < job->roof_repeats; i++)
        read_roof(job, member);
    for (unsigned i = 0; !is_roof(sample) && i < job->cell->repeats; i++)
        stream(job, member);
}

/** The sequence reads as many whole rotations of its accumulators as the roof's bytes have room for, one at least. */
static int size_work(struct job *job)
{
    struct cell *cell = job->cell;
    const struct sequence *sequence = cell->sequence;
    size_t rotation = sequence->weight_bytes * job->own->variant->stream_groups;
    job->roof_member_bytes = cell->cold ? (size_t)MEMORY_BYTES / SESSION_STREAM_UNIT * SESSION_STREAM_UNIT
                                        : session_cache_bytes(job->session, job->own->level, cell->threads);
    job->roof_repeats = cell->cold ? 1 : (unsigned)(ROOF_SAMPLE_BYTES / job->roof_member_bytes) + 1;
    cell->roof_bytes = job->roof_member_bytes * job->roof_repeats * cell->threads;
    size_t bytes = job->roof_member_bytes < rotation ? rotation : job->roof_member_bytes / rotation * rotation;
    if (job->own->bytes && job->own->bytes != bytes)
        return refuse(-EINVAL, cell->why, sizeof cell->why,
                      "the resumed run reads %zu bytes of %s, but here it would be %zu", job->own->bytes, cell->name,
                      bytes);
    job->own->bytes = bytes;
    job->groups = job->own->bytes / sequence->weight_bytes;
    double cycles = (double)job->groups * sequence_uops(sequence) / UOPS_PER_CYCLE;
    if (!cell->repeats)
        cell->repeats = cell->cold ? 1 : (unsigned)(SAMPLE_CYCLES / cycles) + 1;
    return 0;
}

/** Memory for the team, with valid weights where the cell reads. */
static int fill_pool(struct job *job)
{
    struct session *session = job->session;
    struct cell *cell = job->cell;
    size_t cold = cell->cold ? session_cold_bytes(session, cell->threads) : 0;
    size_t span = session_stream_span(job->roof, job->roof_member_bytes);
    size_t bytes = cold > span ? cold : span;
    bytes = bytes > job->own->bytes ? bytes : job->own->bytes;
    int error = session_pool(session, cell->threads, bytes, cell->why, sizeof cell->why);
    if (!error)
        job->granule = session_pool_fill_sequence(session, cell->threads, cell->sequence,
                                                  (struct session_pool_need){job->own->bytes, cell->cold});
    return error ? error : job->granule ? 0 : -ENOMEM;
}

static void set_operands(struct job *job)
{
    const struct sequence *sequence = job->cell->sequence;
    uint8_t unused[SEQUENCE_WEIGHT_BYTES_MAX];
    for (unsigned t = 0; t < job->cell->threads; t++) {
        struct member *own = &job->member[t];
        sequence_draw(sequence, session_random(job->session), 1, unused, own->activations);
        own->operands = (struct sequence_operands){job->session->pool[t].bytes, own->activations, own->accumulators};
    }
}

/** A rotation or two of the function that is going to be timed, on the weights of each member. */
static int verify(struct job *job)
{
    struct cell *cell = job->cell;
    uint64_t rotation = job->own->variant->stream_groups, groups = job->groups > rotation ? 2 * rotation : rotation;
    size_t wrong = 0;
    for (unsigned t = 0; t < cell->threads; t++)
        wrong += sequence_check_stream(cell->sequence, job->own->variant, &job->member[t].operands, groups,
                                       job->own->prefetches ? job->own->prefetch_bytes : 0);
    cell->verified = true;
    cell->exact = wrong == 0;
    if (wrong)
        snprintf(cell->why, sizeof cell->why, "%s with %lu accumulators is wrong as a stream in %zu lanes",
                 cell->sequence->name, (unsigned long)job->own->variant->accumulators, wrong);
    return wrong ? -EILSEQ : 0;
}

/** What samples of a sequence that is not ours left behind. 0 or -EILSEQ */
static int judge(const struct job *job)
{
    struct cell *cell = job->cell;
    struct team *team = job->session->team;
    char text[160];
    call_watch_last(job->watch, team);
    int error = call_watch_judge(job->watch, team, (struct call_results){false, false}, text, sizeof text);
    return error ? refuse(error, cell->why, sizeof cell->why, "%s %s", cell->sequence->name, text) : 0;
}

static int take(struct job *job, unsigned total)
{
    struct cell *cell = job->cell;
    struct sample *samples = calloc(total, sizeof *samples);
    if (!samples)
        return -ENOMEM;
    struct sampler_work work = {.context = job, .region = cell->name, .before = choose_place, .run = run};
    int error = sampler_take(job->session->team, &job->session->instruments, &work, samples, total);
    if (!error && job->watch)
        error = judge(job);
    for (unsigned i = 0; !error && i < total; i++) {
        samples[i].stream = is_roof(i) ? session_stream_id(job->roof) : 0;
        error = samples_append(is_roof(i) ? &cell->roof : &cell->samples, &samples[i], 1);
    }
    free(samples);
    return error;
}

static int take_watched(struct job *job, unsigned total)
{
    struct call_watch *watch = job->watch = calloc(1, sizeof *watch);
    int error = watch ? call_watch_begin(watch) : -ENOMEM;
    if (!error)
        error = take(job, total);
    if (watch)
        call_watch_end(watch);
    free(watch);
    return error;
}

static int visit(struct session *session, struct cell *cell, unsigned pairs)
{
    const struct session_roof *roof = session_roof(session, knee_cell(cell)->level, cell->threads);
    if (!roof->chosen) {
        session_roof_missing(session, knee_cell(cell)->level, cell->threads, cell->why, sizeof cell->why);
        return -ENODATA;
    }
    struct job job = {.session = session, .cell = cell, .own = knee_cell(cell), .roof = &roof->stream};
    job.member = aligned_alloc(64, cell->threads * sizeof *job.member);
    int error = job.member ? 0 : -ENOMEM;
    if (!error)
        error = size_work(&job);
    if (!error)
        error = fill_pool(&job);
    if (!error && !session_team(session, cell->threads, cell->why, sizeof cell->why))
        error = -EINVAL;
    if (!error) {
        set_operands(&job);
        error = verify(&job);
    }
    if (!error)
        error = (external_code_is_any(session, cell) ? take_watched : take)(&job, 2 * pairs);
    free(job.member);
    return error;
}

/* ---- what a run keeps of it ---- */

/** What was chosen at the first visit. */
static void describe(const struct cell *cell, json_t *record)
{
    const struct knee_cell *own = knee_cell(cell);
    field_set(record, "accumulators", json_integer((json_int_t)own->variant->accumulators));
    field_set(record, "prefetch_bytes", json_integer((json_int_t)own->prefetch_bytes));
    field_set(record, "bytes", json_integer((json_int_t)own->bytes));
}

static void restore(struct cell *cell, const json_t *record)
{
    struct knee_cell *own = knee_cell(cell);
    json_int_t accumulators = json_integer_value(json_object_get(record, "accumulators"));
    for (uint64_t i = 0; i < cell->sequence->variants; i++) {
        if (cell->sequence->variant[i].accumulators == (uint64_t)accumulators)
            own->variant = &cell->sequence->variant[i];
    }
    own->prefetch_bytes = (size_t)json_integer_value(json_object_get(record, "prefetch_bytes"));
    own->bytes = (size_t)json_integer_value(json_object_get(record, "bytes"));
}

/** Whole rotations of the accumulators, or a stream would read past what it was given. */
static bool plausible(const struct cell *cell)
{
    const struct knee_cell *own = knee_cell(cell);
    size_t rotation = own->variant ? cell->sequence->weight_bytes * own->variant->stream_groups : 0;
    return !rotation || (own->bytes && own->bytes % rotation == 0 && own->prefetch_bytes <= distances[DISTANCES - 1] &&
                         own->bytes <= BYTES_MOST);
}

/** Also where the sequence has lost its number of accumulators since. */
static bool lacks_choice(const struct cell *cell)
{
    return !knee_cell(cell)->variant;
}

/* ---- in a characterization ---- */

static int plan(struct cells *cells, const struct planning *planning)
{
    const char *levels[SESSION_LEVELS];
    size_t count = 0;
    int error = 0;
    for (size_t i = 0; i < SESSION_LEVELS; i++) {
        if (session_has_level(planning->session, session_levels[i]))
            levels[count++] = session_levels[i];
    }
    for (const struct sequence *const *sequence = sequence_all(); !error && *sequence; sequence++) {
        if (session_runs(planning->session, (*sequence)->isa))
            error = knee_add(cells, *sequence, levels, count, planning->sizes, planning->teams);
    }
    return error;
}

/** Whether a kernel that runs here is made of the sequence. */
static bool is_of_a_kernel(const struct session *session, const struct sequence *sequence)
{
    for (const struct kernel *const *kernel = kernel_all(); *kernel; kernel++) {
        if (strcmp(kernel_gamma(*kernel), sequence->name) == 0 && session_runs(session, (*kernel)->isa))
            return true;
    }
    return false;
}

static enum cell_value value(const struct planning *planning, const struct cell *cell)
{
    return cell->cold && is_of_a_kernel(planning->session, cell->sequence) ? CELL_STREAMS : CELL_BREADTH;
}

static struct cell_cost cost(const struct session *session, const struct cell *cell)
{
    (void)session;
    return (struct cell_cost){
        .visit_s = 1e-3, .sample_s = cell->cold ? 2.0 * MEMORY_BYTES / SLOW_MEMORY : 3 * SLOW_SAMPLE, .bytes = 1100};
}

/** The distance of its prefetch is chosen among all cells of a sequence that read memory. */
static bool inseparable(const struct cell *one, const struct cell *next)
{
    return one->sequence == next->sequence && one->cold == next->cold;
}

/** A distance that competes is looked at, and left where another one is better. */
static size_t kept(const struct cell *cell)
{
    return knee_cell(cell)->competes ? SIZE_MAX : knee_pairs(cell);
}

static int carry_out(struct session *session, struct cells *cells, size_t first, size_t end,
                     const struct execution *execution, size_t *failed)
{
    return knee_measure(session, cells, first, end, 0, execution, failed);
}

const struct cell_kind cell_kind_knee = {
    .repeats_most = SAMPLE_CYCLES + 1,
    .plausible = plausible,
    .name = "knee",
    .own = sizeof(struct knee_cell),
    .plan = plan,
    .visit = visit,
    .apart = true,
    .rank = 50,
    .value = value,
    .cost = cost,
    .inseparable = inseparable,
    .kept = kept,
    .carry_out = carry_out,
    .settle = knee_say_why,
    .record = knee_record,
    .describe = describe,
    .restore = restore,
    .lacks_choice = lacks_choice,
};
