/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/record/recorder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cells/cell/kind.h"
#include "results/records/record.h"
#include "results/text/refuse.h"

static int append_to_run(void *run, const json_t *record)
{
    return run_append(run, record);
}

static int write_to_stream(void *stream, const json_t *record)
{
    return record_write_line(stream, record);
}

struct recorder recorder_of_run(struct run *run, unsigned block, double tsc_hz)
{
    return (struct recorder){append_to_run, run, block, tsc_hz};
}

struct recorder recorder_of_stream(FILE *stream, unsigned block, double tsc_hz)
{
    return (struct recorder){write_to_stream, stream, block, tsc_hz};
}

unsigned recorder_next_block(const struct run_records *records)
{
    json_int_t last = 0;
    size_t i;
    const json_t *record;
    json_array_foreach(records->records, i, record)
    {
        json_int_t block = json_integer_value(json_object_get(record, "block"));
        last = block > last ? block : last;
    }
    return (unsigned)last + 1;
}

static int append(const struct recorder *recorder, json_t *record)
{
    if (!record)
        return -ENOMEM;
    int error = recorder->append(recorder->context, record);
    json_decref(record);
    return error;
}

static int append_cell(const struct recorder *recorder, const struct cell *cell)
{
    json_t *record = json_pack("{s:s, s:s, s:I, s:i, s:I, s:b, s:f}", "type", "cell", "name", cell->name, "iterations",
                               (json_int_t)cell->iterations, "repeats", (int)cell->repeats, "roof_bytes",
                               (json_int_t)cell->roof_bytes, "exact", cell->exact, "error", cell->error);
    if (record && cell->kind->never_compared)
        json_object_set_new(record, "compared", json_false());
    if (record && cell->kind->describe)
        cell->kind->describe(cell, record);
    return append(recorder, record);
}

int recorder_samples(const struct recorder *recorder, const struct cell *cell, size_t first, size_t roof_first)
{
    int error = first == 0 ? append_cell(recorder, cell) : 0;
    if (error || first == cell->samples.count)
        return error;
    json_t *line = sample_line(cell, first, roof_first, recorder->block, recorder->tsc_hz);
    if (line && cell->kind->describe_samples)
        cell->kind->describe_samples(cell, first, line);
    if (line)
        energy_describe(cell, first, line);
    return append(recorder, line);
}

/** Of a cell that was only looked at, to choose another, nothing can be said. */
static bool is_looked_at(const struct cell *cell)
{
    return cell->kind->kept && cell->kind->kept(cell) == SIZE_MAX && summary_time(cell).summary.n < STATS_KEPT_LEAST;
}

/** Takes the record's reference. */
static size_t line_bytes(json_t *record)
{
    size_t length = 0;
    free(record ? record_format_line(record, &length) : NULL);
    json_decref(record);
    return length;
}

size_t recorder_summary_bytes(const struct session *session, const struct cells *cells, const struct cell *cell)
{
    if (!cell->samples.count || is_looked_at(cell))
        return 0;
    return line_bytes(summary_record(session, cells, cell)) + line_bytes(derived_record(session, cells, cell));
}

int recorder_summaries(const struct recorder *recorder, const struct session *session, struct cells *cells)
{
    int error = 0;
    cell_kinds_settle(cells);
    for (size_t i = 0; !error && i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        if (!cell->samples.count || is_looked_at(cell))
            continue;
        error = append(recorder, summary_record(session, cells, cell));
        json_t *derived = error ? NULL : derived_record(session, cells, cell);
        if (derived)
            error = append(recorder, derived);
    }
    return error;
}

static struct cell *cell_named(const struct cells *cells, const char *name)
{
    return name ? cells_find(cells, name) : NULL;
}

/** Whether a whole number of a cell's record lies within least … most; a member that is missing is 0. */
static int check_number(const struct cell *cell, const json_t *record, const char *field, json_int_t least,
                        json_int_t most, char *why, size_t size)
{
    const json_t *value = json_object_get(record, field);
    json_int_t number = json_integer_value(value);
    if ((!value || json_is_integer(value)) && number >= least && number <= most)
        return 0;
    char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
    int error = refuse(-EINVAL, why, size, "the record of %s has %s %.40s; here it is %lld to %lld", cell->name, field,
                       text ? text : "none", (long long)least, (long long)most);
    free(text);
    return error;
}

/**
 * What is taken over decides how long a sample runs and what it reads: nothing but what a visit here would have chosen.
 */
static int check_choice(const struct cell *cell, const json_t *record, char *why, size_t size)
{
    const struct cell_kind *kind = cell->kind;
    const json_int_t unknown = 1 << 20, bytes_most = (json_int_t)1 << 40;
    json_int_t iterations = kind->iterations_most ? (json_int_t)kind->iterations_most : unknown;
    json_int_t planned = cell->repeats, repeats = kind->repeats_most ? (json_int_t)kind->repeats_most : unknown;
    int error = check_number(cell, record, "iterations", kind->iterations_most ? 1 : 0, iterations, why, size);
    if (!error)
        error = check_number(cell, record, "repeats",
                             planned              ? planned
                             : kind->repeats_most ? 1
                                                  : 0,
                             planned ? planned : repeats, why, size);
    return error ? error : check_number(cell, record, "roof_bytes", 0, bytes_most, why, size);
}

static int restore_cell(struct cell *cell, const json_t *record, char *why, size_t size)
{
    int error = check_choice(cell, record, why, size);
    if (error)
        return error;
    cell->iterations = (uint64_t)json_integer_value(json_object_get(record, "iterations"));
    cell->repeats = (unsigned)json_integer_value(json_object_get(record, "repeats"));
    cell->roof_bytes = (size_t)json_integer_value(json_object_get(record, "roof_bytes"));
    cell->exact = json_is_true(json_object_get(record, "exact"));
    cell->error = json_number_value(json_object_get(record, "error"));
    cell->verified = true;
    if (cell->kind->restore)
        cell->kind->restore(cell, record);
    if (cell->kind->plausible && !cell->kind->plausible(cell))
        return refuse(-EINVAL, why, size, "the record of %s has sizes that are not chosen here", cell->name);
    return 0;
}

/** Whether samples of this cell come in twos: a read of the roof and the cell's own, or two halves. */
static bool comes_in_pairs(const struct cell *cell)
{
    return cell->kind->halves || cell->beside_roof;
}

static bool is_first_of_pair(const struct cell *cell, const struct recorded_sample *sample)
{
    return cell->kind->halves ? sample->unroll == 1 : sample->roof;
}

/** What its samples are of is in its cell record; without it they are of nothing. */
static bool lacks_choice(const struct cell *cell)
{
    return cell->kind->lacks_choice && cell->kind->lacks_choice(cell);
}

static int restore_pair(struct cell *cell, const struct sample pair[2])
{
    if (cell->kind->halves)
        return samples_append(&cell->samples, pair, 2);
    int error = samples_append(&cell->roof, &pair[0], 1);
    return error ? error : samples_append(&cell->samples, &pair[1], 1);
}

/** The first of a pair, if the sample before was one. */
struct half {
    struct cell *of;
    struct sample sample;
};

/** Half a pair, not followed by its other half, is where a run was killed, and is left out. */
static int restore_sample(struct cell *cell, const struct recorded_sample *recorded, long turn, struct half *half,
                          long *restored)
{
    struct sample sample = sample_restored(recorded);
    sample.turn = turn;
    struct half former = *half;
    half->of = NULL;
    if (!comes_in_pairs(cell)) {
        (*restored)++;
        return samples_append(&cell->samples, &sample, 1);
    }
    if (is_first_of_pair(cell, recorded)) {
        *half = (struct half){cell, sample};
        return 0;
    }
    if (former.of != cell)
        return 0;
    *restored += 2;
    return restore_pair(cell, (struct sample[]){former.sample, sample});
}

long recorder_restore(const struct run_records *records, struct cells *cells, char *why, size_t size)
{
    struct recorded_samples samples = {0};
    long restored = 0, turns = (long)json_array_size(records->records);
    int error = 0;
    for (size_t i = 0; !error && i < json_array_size(records->records); i++) {
        const json_t *record = json_array_get(records->records, i);
        const char *type = json_string_value(json_object_get(record, "type"));
        struct cell *cell = cell_named(cells, json_string_value(json_object_get(record, "name")));
        if (!type || !cell)
            continue;
        if (strcmp(type, "cell") == 0)
            error = restore_cell(cell, record, why, size);
        if (error || lacks_choice(cell))
            continue;
        size_t first = cell->samples.count;
        struct half half = {0};
        error = samples_read(record, &samples);
        for (size_t s = 0; !error && s < samples.count; s++)
            error = restore_sample(cell, &samples.sample[s], (long)i - turns, &half, &restored);
        if (!error && samples.count && cell->kind->restore_samples)
            error = cell->kind->restore_samples(cell, first, record, why, size);
        if (!error && samples.count && energy_restore(cell, record))
            error = refuse(-EINVAL, why, size,
                           "the energy of a visit of %s is not a list of pairs of joules and seconds", cell->name);
    }
    samples_release(&samples);
    if (error == -ENOMEM)
        snprintf(why, size, "no memory");
    return error ? error : restored;
}

static void count_rejected(const struct samples *samples, size_t rejected[SAMPLE_CAUSES])
{
    for (size_t i = 0; i < samples->count; i++)
        rejected[samples->sample[i].cause]++;
}

void recorder_rejected(const struct cells *cells, size_t rejected[SAMPLE_CAUSES], size_t *samples)
{
    memset(rejected, 0, SAMPLE_CAUSES * sizeof *rejected);
    *samples = 0;
    for (size_t i = 0; i < cells->count; i++) {
        count_rejected(&cells->cell[i].samples, rejected);
        count_rejected(&cells->cell[i].roof, rejected);
        *samples += cells->cell[i].samples.count + cells->cell[i].roof.count;
    }
}

/** Entered: interrupted inside the timed region, or switched out or faulted around it. */
static bool was_entered(const struct sample *sample)
{
    return sample->interrupted || sample->cause == SAMPLE_INTERRUPT || sample->cause == SAMPLE_CONTEXT_SWITCH ||
           sample->cause == SAMPLE_PAGE_FAULT || (sample->proven && os_entries_total(&sample->entered) > 0);
}

static void count_entered(const struct samples *samples, size_t *entered, size_t *kept)
{
    for (size_t i = 0; i < samples->count; i++) {
        bool was = was_entered(&samples->sample[i]);
        *entered += was;
        *kept += was && samples->sample[i].cause == SAMPLE_KEPT;
    }
}

void recorder_entered(const struct cells *cells, json_t *record)
{
    size_t entered = 0, kept = 0;
    for (size_t i = 0; i < cells->count; i++) {
        count_entered(&cells->cell[i].samples, &entered, &kept);
        count_entered(&cells->cell[i].roof, &entered, &kept);
    }
    json_object_set_new(record, "entered",
                        json_pack("{s:I, s:I, s:I}", "samples", (json_int_t)entered, "rejected",
                                  (json_int_t)(entered - kept), "kept", (json_int_t)kept));
}
