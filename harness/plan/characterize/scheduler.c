/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/plan/characterize/characterization_plan.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "harness/cells/beta/beta.h"
#include "harness/cells/cell/kind.h"
#include "harness/cells/cell/rounds.h"
#include "harness/plan/characterize/pace.h"
#include "harness/plan/characterize/parts.h"
#include "harness/plan/characterize/planner.h"
#include "harness/plan/characterize/room.h"
#include "micro/least.h"
#include "platforms/clock/clock.h"
#include "results/statistics/stats.h"

/** Part of the time that is left which one wave may take, and how long it may take in any case. */
static const double WAVE_SHARE = 0.2, WAVE_S = 4;

/** Part of the time that is left which a search may take where it is slower than estimated; of no end, seconds. */
static const double SEARCH_SHARE = 0.1, SEARCH_S = 30;

/** Of a wave, for cells whose samples were rejected. */
static const double PATIENCE_SHARE = 0.5, PATIENCE_S = 1;

/** After this many rounds it is not patience that a cell lacks. */
enum { ROUNDS_MOST = 20 };

struct scheduler {
    struct characterization *job;
    struct cells *cells;
    struct parts parts;
    bool *done;          /* [parts.count]: carried out, or nothing can be */
    size_t *kept_before; /* [cells->count]: samples that do not count, since they are of a run that is measured again */
    bool *planned;       /* [cells->count]: at first */
    double *owed;        /* [cells->count]: bytes of the samples that a cell which was begun lacks */
    unsigned least_value; /* of all parts: without those nothing else is worth anything */
    double began_s, end_s;
    struct pace pace;
    struct room room;
    enum execution_room room_for;
    struct execution execution;
};

/* ---- what is told ---- */

/** How many of the samples from `first` on were kept, or of the pairs, which are counted in *taken. */
static size_t kept_since(const struct cell *cell, size_t first, size_t roof_first, size_t *taken)
{
    size_t step = cell->kind->halves ? 2 : 1, kept = 0;
    *taken = (cell->samples.count - first) / step;
    for (size_t i = 0; i < *taken; i++) {
        const struct sample *sample = &cell->samples.sample[first + step * i];
        bool both = sample[0].cause == SAMPLE_KEPT && sample[step - 1].cause == SAMPLE_KEPT;
        if (roof_first + i < cell->roof.count)
            both &= cell->roof.sample[roof_first + i].cause == SAMPLE_KEPT;
        kept += both;
    }
    return kept;
}

static double written_bytes(const struct scheduler *scheduler)
{
    const struct run *run = scheduler->job->writer.run;
    return run ? (double)run_bytes(run) : 0;
}

static void pass_progress_on(void *context, double fraction, const char *now)
{
    struct scheduler *scheduler = context;
    (void)fraction;
    double elapsed_s = clock_monotonic_s() - scheduler->began_s;
    double whole_s = isfinite(scheduler->job->budget_s) ? scheduler->job->budget_s
                                                        : fmax(scheduler->job->planned_sum.seconds, elapsed_s);
    if (scheduler->job->progress)
        scheduler->job->progress(scheduler->job->context, elapsed_s / whole_s, whole_s - elapsed_s, now);
}

/* ---- which cells ---- */

static size_t kept_now(const struct scheduler *scheduler, size_t i)
{
    size_t kept = cell_kept(&scheduler->cells->cell[i]);
    return kept == SIZE_MAX ? kept : kept - scheduler->kept_before[i];
}

/** Whether rounds visit a cell, and not its kind's own way. */
static bool is_visited(const struct cell *cell)
{
    return !cell->kind->carry_out || cell->kind->refine;
}

static size_t wanted_of(const struct scheduler *scheduler, size_t i)
{
    return parts_wanted(&scheduler->cells->cell[i], scheduler->job->purpose);
}

/** Whether nothing more is wanted of a cell; what is found for the session is found again by every process. */
static bool has_enough(const struct scheduler *scheduler, size_t i)
{
    return is_visited(&scheduler->cells->cell[i]) && kept_now(scheduler, i) >= wanted_of(scheduler, i);
}

static void suspend_all(const struct scheduler *scheduler)
{
    for (size_t i = 0; i < scheduler->cells->count; i++)
        scheduler->cells->cell[i].suspended = true;
}

/** Those cells of [first, end) that were begun and have fewer than `wanted` samples go on. @return how many */
static size_t resume_undersampled(const struct scheduler *scheduler, size_t first, size_t end, size_t wanted)
{
    size_t count = 0;
    for (size_t i = first; i < end; i++) {
        struct cell *cell = &scheduler->cells->cell[i];
        cell->suspended = cell->left_out || cell->why[0] || !cell->samples.count ||
                          kept_now(scheduler, i) >= least(wanted, wanted_of(scheduler, i));
        count += !cell->suspended;
    }
    return count;
}

/** The most samples that a cell which does not wait lacks. */
static size_t max_missing(const struct scheduler *scheduler, size_t first, size_t end, size_t wanted)
{
    size_t most = 0;
    for (size_t i = first; i < end; i++) {
        size_t own = least(wanted, wanted_of(scheduler, i));
        if (!scheduler->cells->cell[i].suspended && own - kept_now(scheduler, i) > most)
            most = own - kept_now(scheduler, i);
    }
    return most;
}

/* ---- what a visit tells ---- */

/** What a cell still wants of which the last visit took `taken` samples, or pairs, and wrote this many bytes. */
static void owe(struct scheduler *scheduler, const struct cell *cell, double written, size_t taken)
{
    size_t i = (size_t)(cell - scheduler->cells->cell);
    size_t wanted = wanted_of(scheduler, i), kept = kept_now(scheduler, i);
    double lacking = is_visited(cell) && kept < wanted ? (double)(wanted - kept) : 0;
    double owed = taken ? written / (double)taken * lacking / pace_kept_share(&scheduler->pace) : 0;
    scheduler->room.owed += owed - scheduler->owed[i];
    scheduler->owed[i] = owed;
}

static bool is_bounded_in_bytes(const struct scheduler *scheduler)
{
    return isfinite(scheduler->job->budget_bytes) && !scheduler->job->again;
}

static void note_visit(void *context, const struct cell *cell, size_t first, size_t roof_first)
{
    struct scheduler *scheduler = context;
    const struct characterization *job = scheduler->job;
    struct cell_cost cost = cell_cost(job->session, cell);
    size_t taken, kept = kept_since(cell, first, roof_first, &taken);
    double estimated_s = cost.visit_s + (double)taken * cost.sample_s + (first ? 0 : cost.once_s);
    pace_note(&scheduler->pace, cell_kind_number(cell->kind), estimated_s, cell->last_visit_s, taken, kept);
    double before = written_bytes(scheduler);
    run_writer_visited(&scheduler->job->writer, cell, first, roof_first);
    double written = written_bytes(scheduler) - before;
    struct room_estimate estimate = parts_cell_bytes(job->session, cell, job->purpose);
    room_note(&scheduler->room, cell_kind_number(cell->kind), first ? NULL : &estimate, written);
    owe(scheduler, cell, written, taken);
    /* what comes first is measured whatever it takes */
    if (!is_bounded_in_bytes(scheduler) || cell->value <= scheduler->least_value)
        return;
    if (room_wants_look(&scheduler->room, job->budget_bytes, written_bytes(scheduler)))
        room_look(&scheduler->room, job->session, scheduler->cells, written_bytes(scheduler));
    scheduler->room_for = room_for(&scheduler->room, job->budget_bytes, written_bytes(scheduler));
}

/* ---- how they are visited ---- */

/**
 * What memory gives, once more: predictions rest on it, and a beta of the first minute predicts little in the third where
 * neighbours come and go. Only roofs that were found.
 */
static int read_memory_again(struct scheduler *scheduler, size_t *failed)
{
    struct session *session = scheduler->job->session;
    struct execution own = scheduler->execution;
    own.deadline_s = scheduler->end_s;
    int error = 0;
    for (unsigned threads = 1; !error && threads <= session->threads; threads++) {
        struct cell *roof = beta_roof_cell(scheduler->cells, "memory", threads);
        if (!roof || !session->roof[threads].chosen || !roof->samples.count)
            continue;
        bool suspended = roof->suspended;
        roof->suspended = false;
        error = beta_find_roof(session, scheduler->cells, "memory", threads, &own, failed);
        roof->suspended = suspended;
    }
    return error == -ETIME ? 0 : error;
}

static bool is_held_against_memory(const struct scheduler *scheduler, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++) {
        if (scheduler->cells->cell[i].beside_roof && scheduler->cells->cell[i].cold &&
            !scheduler->cells->cell[i].suspended)
            return true;
    }
    return false;
}

static int visit(struct scheduler *scheduler, size_t first, size_t end, unsigned rounds, size_t wanted, double until_s,
                 size_t *failed)
{
    struct execution own = scheduler->execution;
    own.deadline_s = until_s;
    int error = 0;
    for (unsigned round = 0; !error && round < rounds; round++) {
        error = cells_visit(scheduler->job->session, scheduler->cells, first, end, 1,
                            pace_samples(&scheduler->pace, wanted), &own, failed);
        if (!error && is_held_against_memory(scheduler, first, end))
            error = read_memory_again(scheduler, failed);
    }
    return error == -ETIME ? 0 : error;
}

/** Until all cells of [first, end) that were begun have `wanted` samples, or until a time. */
static int settle(struct scheduler *scheduler, size_t first, size_t end, size_t wanted, double until_s, size_t *failed)
{
    int error = 0;
    for (unsigned round = 0; !error && round < ROUNDS_MOST && clock_monotonic_s() < until_s; round++) {
        if (!resume_undersampled(scheduler, first, end, wanted))
            break;
        error = visit(scheduler, first, end, 1, max_missing(scheduler, first, end, wanted), until_s, failed);
    }
    return error;
}

static size_t end_of_kind(const struct cells *cells, size_t first)
{
    size_t end = first + 1;
    while (end < cells->count && cells->cell[end].kind == cells->cell[first].kind)
        end++;
    return end;
}

/** End of the cells that are carried out together with the first. */
static size_t end_of_group(const struct cells *cells, size_t first)
{
    const struct cell *head = &cells->cell[first];
    size_t end = first + 1;
    while (end < cells->count && cells->cell[end].kind == head->kind &&
           (!head->kind->together || head->kind->together(head, &cells->cell[end])))
        end++;
    return end;
}

static bool any_awake(const struct cells *cells, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++) {
        if (!cells->cell[i].suspended)
            return true;
    }
    return false;
}

/** When a group has to be over that is carried out in the way of its kind: a search goes on as long as it may. */
static double end_of_search(const struct scheduler *scheduler, double wave_s)
{
    double now_s = clock_monotonic_s(), left_s = scheduler->end_s - now_s;
    return fmin(scheduler->end_s, now_s + fmax(3 * wave_s, isfinite(left_s) ? SEARCH_SHARE * left_s : SEARCH_S));
}

/** In the way of the kind, group by group. */
static int carry_out(struct scheduler *scheduler, size_t first, size_t end, double wave_s, size_t *failed)
{
    struct execution own = scheduler->execution;
    int error = 0;
    for (size_t at = first; !error && at < end; at = end_of_group(scheduler->cells, at)) {
        size_t group = end_of_group(scheduler->cells, at);
        own.deadline_s = end_of_search(scheduler, wave_s);
        if (any_awake(scheduler->cells, at, group))
            error = scheduler->cells->cell[at].kind->carry_out(scheduler->job->session, scheduler->cells, at, group,
                                                               &own, failed);
        error = error == -ETIME ? 0 : error;
    }
    return error;
}

/** Two visits close together, and more of those that lack samples. */
static int visit_kind(struct scheduler *scheduler, size_t first, size_t end, double patience_s, size_t *failed)
{
    const struct cell_kind *kind = scheduler->cells->cell[first].kind;
    unsigned wanted = parts_wanted(&scheduler->cells->cell[first], scheduler->job->purpose);
    struct execution own = scheduler->execution;
    own.deadline_s = scheduler->end_s;
    int error = visit(scheduler, first, end, PARTS_VISITS - 1, (wanted + PARTS_VISITS - 1) / PARTS_VISITS,
                      scheduler->end_s, failed);
    if (!error)
        error = settle(scheduler, first, end, STATS_KEPT_LEAST,
                       fmin(clock_monotonic_s() + patience_s, scheduler->end_s), failed);
    if (!error && kind->refine)
        error = kind->refine(scheduler->job->session, scheduler->cells, first, end, &own, failed);
    return error == -ETIME ? 0 : error;
}

/** The cells that do not wait, kind by kind. */
static int measure_wave(struct scheduler *scheduler, double wave_s, size_t *failed)
{
    const struct cells *cells = scheduler->cells;
    double patience_s = fmax(PATIENCE_S, PATIENCE_SHARE * wave_s);
    int error = 0;
    for (size_t first = 0, end; !error && first < cells->count; first = end) {
        end = end_of_kind(cells, first);
        if (!any_awake(cells, first, end))
            continue;
        error = is_visited(&cells->cell[first]) ? visit_kind(scheduler, first, end, patience_s, failed)
                                                : carry_out(scheduler, first, end, wave_s, failed);
    }
    return error;
}

/* ---- which wave comes next ---- */

/** What the last visits take of the cells that were begun. */
static double last_visits_s(const struct scheduler *scheduler)
{
    double sum_s = 0, share = pace_kept_share(&scheduler->pace);
    for (size_t i = 0; i < scheduler->cells->count; i++) {
        const struct cell *cell = &scheduler->cells->cell[i];
        size_t wanted = wanted_of(scheduler, i);
        if (cell->left_out || !cell->samples.count || kept_now(scheduler, i) >= wanted)
            continue;
        struct cell_cost cost = cell_cost(scheduler->job->session, cell);
        double lacking = (double)(wanted - kept_now(scheduler, i));
        sum_s +=
            pace_of(&scheduler->pace, cell_kind_number(cell->kind)) * (cost.visit_s + lacking / share * cost.sample_s);
    }
    return sum_s;
}

static void leave_out(struct scheduler *scheduler, const struct part *part, bool left_out)
{
    for (size_t i = part->first; i < part->end; i++) {
        struct cell *cell = &scheduler->cells->cell[i];
        cell->left_out = left_out && !cell->samples.count;
    }
}

/** Parts that nothing was done for yet, with what they take at the pace of this machine. */
static size_t list_remaining(const struct scheduler *scheduler, struct planner_item *items, size_t *part_of)
{
    double rejected = PARTS_KEPT_SHARE / pace_kept_share(&scheduler->pace);
    size_t count = 0;
    for (size_t p = 0; p < scheduler->parts.count; p++) {
        const struct part *part = &scheduler->parts.part[p];
        if (scheduler->done[p] || (scheduler->job->again && scheduler->cells->cell[part->first].left_out))
            continue;
        items[count] = part->item;
        if (scheduler->cells->cell[part->first].samples.count)
            items[count].bytes = 0; /* an earlier process wrote them, and the summary is counted */
        items[count].bytes *= room_of(&scheduler->room, cell_kind_number(scheduler->cells->cell[part->first].kind));
        items[count].cost_s *=
            rejected * pace_of(&scheduler->pace, cell_kind_number(scheduler->cells->cell[part->first].kind));
        part_of[count++] = p;
    }
    return count;
}

/** Bytes that records may still take. A block after the first measures what that did, whatever it takes. */
static double left_bytes(struct scheduler *scheduler)
{
    if (!is_bounded_in_bytes(scheduler))
        return INFINITY;
    room_look(&scheduler->room, scheduler->job->session, scheduler->cells, written_bytes(scheduler));
    scheduler->room_for = ROOM_FOR_ALL;
    return room_left(&scheduler->room, scheduler->job->budget_bytes, written_bytes(scheduler));
}

/**
 * Choose again from what remains, by the time that is left, and wake the cells of the next wave: parts of one value.
 * @return how long they will take; 0: nothing more fits
 */
static double next_wave(struct scheduler *scheduler, struct planner_item *items, size_t *part_of, size_t *order)
{
    double bytes = left_bytes(scheduler);
    double left_s = (scheduler->end_s - clock_monotonic_s()) - last_visits_s(scheduler), wave_s = 0;
    size_t count = list_remaining(scheduler, items, part_of);
    /* a tenth for what is rejected; what comes first is measured even if it turns out slow */
    size_t chosen = planner_choose(items, count, (struct planner_budget){fmax(0, 0.9 * left_s), bytes}, order, NULL);
    while (chosen < count && items[order[chosen]].value == scheduler->least_value)
        chosen++;
    double most_s = isfinite(left_s) ? fmax(WAVE_S, WAVE_SHARE * left_s) : 10 * WAVE_S;
    suspend_all(scheduler);
    for (size_t i = 0; i < count; i++) {
        const struct part *part = &scheduler->parts.part[part_of[order[i]]];
        bool comes = i < chosen && items[order[i]].value == items[order[0]].value &&
                     (i == 0 || wave_s + items[order[i]].cost_s <= most_s);
        leave_out(scheduler, part, i >= chosen);
        if (!comes)
            continue;
        wave_s += items[order[i]].cost_s;
        scheduler->done[part_of[order[i]]] = true;
        for (size_t c = part->first; c < part->end; c++)
            scheduler->cells->cell[c].suspended = scheduler->cells->cell[c].why[0] || has_enough(scheduler, c);
    }
    return wave_s;
}

/** One wave after the other as long as one fits. @return as scheduler_measure; *any: there was one */
static int measure_waves(struct scheduler *scheduler, bool *any, size_t *failed)
{
    size_t count = scheduler->parts.count + 1;
    struct planner_item *items = calloc(count, sizeof *items);
    size_t *part_of = calloc(count, sizeof *part_of), *order = calloc(count, sizeof *order);
    int error = items && part_of && order ? 0 : -ENOMEM;
    double wave_s;
    *any = false;
    while (!error && (wave_s = next_wave(scheduler, items, part_of, order)) > 0) {
        *any = true;
        error = measure_wave(scheduler, wave_s, failed);
    }
    free(items);
    free(part_of);
    free(order);
    return error;
}

/** The waves, and then the last visits, of which time may be left for another wave. */
static int measure(struct scheduler *scheduler, size_t *failed)
{
    size_t all = scheduler->cells->count, wanted = scheduler->job->purpose->kept;
    double budget_s =
        isfinite(scheduler->job->budget_s) ? scheduler->job->budget_s : scheduler->job->planned_sum.seconds;
    bool any = true;
    int error = 0;
    while (!error && any) {
        error = measure_waves(scheduler, &any, failed);
        if (!error && any)
            error = settle(scheduler, 0, all, wanted, scheduler->end_s, failed);
    }
    double until_s =
        fmax(scheduler->end_s < INFINITY ? scheduler->end_s : 0, clock_monotonic_s()) + CHARACTERIZE_GRACE * budget_s;
    return error ? error : settle(scheduler, 0, all, STATS_KEPT_LEAST, until_s, failed);
}

/* ---- all of it ---- */

/**
 * A part of which nothing was begun goes; of a part that was, every cell with samples stays. Of one without any, that nothing went
 * wrong with, the time ran out: it is left out as well, but for the first that a plan wants, which it is not complete without.
 */
static void count_changes(struct scheduler *scheduler, bool interrupted)
{
    for (size_t i = 0; i < scheduler->cells->count; i++) {
        struct cell *cell = &scheduler->cells->cell[i];
        cell->suspended = false;
        bool late = !interrupted && cell->value > scheduler->least_value, competes = cell_kept(cell) == SIZE_MAX;
        cell->left_out |= !cell->samples.count && !cell->why[0] && (competes || late);
        cell->dropped = scheduler->planned[i] && cell->left_out;
        scheduler->job->dropped += cell->dropped;
        scheduler->job->added += !scheduler->planned[i] && !cell->left_out;
    }
}

static int open_waves(struct scheduler *scheduler, struct characterization *job)
{
    *scheduler = (struct scheduler){.job = job, .cells = &job->cells, .began_s = clock_monotonic_s()};
    scheduler->end_s = scheduler->began_s + job->budget_s;
    scheduler->execution = (struct execution){.stop = job->stop,
                                              .room = &scheduler->room_for,
                                              .keep_going = true,
                                              .visited = note_visit,
                                              .progress = pass_progress_on,
                                              .context = scheduler};
    scheduler->kept_before = calloc(job->cells.count + 1, sizeof *scheduler->kept_before);
    scheduler->planned = calloc(job->cells.count + 1, sizeof *scheduler->planned);
    scheduler->owed = calloc(job->cells.count + 1, sizeof *scheduler->owed);
    int error = parts_of(job->session, &job->cells, job->purpose, &scheduler->parts);
    scheduler->done = calloc(scheduler->parts.count + 1, sizeof *scheduler->done);
    scheduler->least_value = PURPOSE_NOT_WANTED;
    for (size_t p = 0; p < scheduler->parts.count; p++) {
        unsigned value = scheduler->parts.part[p].item.value;
        scheduler->least_value = value < scheduler->least_value ? value : scheduler->least_value;
    }
    for (size_t i = 0; scheduler->kept_before && scheduler->planned && i < job->cells.count; i++) {
        size_t kept = cell_kept(&job->cells.cell[i]);
        scheduler->kept_before[i] = job->again && kept != SIZE_MAX ? kept : 0;
        scheduler->planned[i] = !job->cells.cell[i].left_out;
    }
    return error || !scheduler->kept_before || !scheduler->planned || !scheduler->owed || !scheduler->done ? -ENOMEM
                                                                                                           : 0;
}

int scheduler_measure(struct characterization *job, size_t *failed)
{
    struct scheduler scheduler;
    int error = open_waves(&scheduler, job);
    if (!error) {
        error = measure(&scheduler, failed);
        count_changes(&scheduler, error == -EINTR);
    }
    for (size_t p = 0; p < scheduler.parts.count; p++)
        job->measured_s += scheduler.done && scheduler.done[p] ? scheduler.parts.part[p].item.cost_s : 0;
    job->pace = pace_record(&scheduler.pace);
    parts_release(&scheduler.parts);
    free(scheduler.done);
    free(scheduler.kept_before);
    free(scheduler.planned);
    free(scheduler.owed);
    return error;
}
