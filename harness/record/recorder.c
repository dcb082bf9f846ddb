/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/record/recorder.h"

#include <errno.h>
#include <string.h>

#include "results/record.h"

static int append_to_run(void *run, const json_t *record)
{
    return run_append(run, record);
}

static int write_to_stream(void *stream, const json_t *record)
{
    return record_write_line(stream, record);
}

struct recorder recorder_of_run(struct run *run, unsigned block)
{
    return (struct recorder){append_to_run, run, block};
}

struct recorder recorder_of_stream(FILE *stream, unsigned block)
{
    return (struct recorder){write_to_stream, stream, block};
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

/** What a knee cell chose when it was first visited. */
static void set_choice(json_t *record, const struct cell *cell)
{
    json_object_set_new(record, "accumulators", json_integer((json_int_t)cell->variant->accumulators));
    json_object_set_new(record, "prefetch_bytes", json_integer((json_int_t)cell->prefetch_bytes));
    json_object_set_new(record, "bytes", json_integer((json_int_t)cell->bytes));
}

static int append_cell(const struct recorder *recorder, const struct cell *cell)
{
    json_t *record = json_pack("{s:s, s:s, s:I, s:i, s:I, s:b, s:f}", "type", "cell", "name", cell->name, "iterations",
                               (json_int_t)cell->iterations, "repeats", (int)cell->repeats, "roof_bytes",
                               (json_int_t)cell->roof_bytes, "exact", cell->exact, "error", cell->error);
    if (record && cell->kind == CELL_GAMMA && cell->variant)
        json_object_set_new(record, "vectors", json_real(summary_vectors(cell)));
    if (record && cell->kind == CELL_KNEE)
        set_choice(record, cell);
    return append(recorder, record);
}

static int append_sample(const struct recorder *recorder, const struct cell *cell, size_t i, bool roof)
{
    json_t *record = summary_sample(cell, i, roof);
    if (record)
        json_object_set_new(record, "block", json_integer(recorder->block));
    return append(recorder, record);
}

/* The roof sample goes just before the sample it belongs to, so that a run that was killed between them shows it. */
int recorder_samples(const struct recorder *recorder, const struct cell *cell, size_t first, size_t roof_first)
{
    int error = first == 0 ? append_cell(recorder, cell) : 0;
    size_t roofs = cell->roof.count - roof_first, count = cell->samples.count - first;
    for (size_t i = 0; !error && i < count; i++) {
        if (i < roofs)
            error = append_sample(recorder, cell, roof_first + i, true);
        if (!error)
            error = append_sample(recorder, cell, first + i, false);
    }
    return error;
}

int recorder_summaries(const struct recorder *recorder, const struct session *session, struct cells *cells)
{
    int error = 0;
    for (unsigned threads = 1; threads <= session->threads; threads++)
        summary_choose_roofs(cells, threads);
    for (size_t i = 0; !error && i < cells->count; i++) {
        if (cells->cell[i].samples.count)
            error = append(recorder, summary_record(session, cells, &cells->cell[i]));
    }
    return error;
}

static struct cell *cell_named(struct cells *cells, const char *name)
{
    for (size_t i = 0; name && i < cells->count; i++) {
        if (strcmp(cells->cell[i].name, name) == 0)
            return &cells->cell[i];
    }
    return NULL;
}

static enum sample_cause cause_named(const char *name)
{
    for (int cause = SAMPLE_KEPT + 1; name && cause < SAMPLE_CAUSES; cause++) {
        if (strcmp(name, sample_cause_name((enum sample_cause)cause)) == 0)
            return (enum sample_cause)cause;
    }
    return SAMPLE_KEPT;
}

static enum sample_grade grade_named(const char *name)
{
    for (int grade = SAMPLE_GRADES - 1; name && grade > SAMPLE_WALL; grade--) {
        if (strcmp(name, sample_grade_name((enum sample_grade)grade)) == 0)
            return (enum sample_grade)grade;
    }
    return SAMPLE_WALL;
}

static void restore_choice(struct cell *cell, const json_t *record)
{
    json_int_t accumulators = json_integer_value(json_object_get(record, "accumulators"));
    for (uint64_t i = 0; i < cell->sequence->variants; i++) {
        if (cell->sequence->variant[i].accumulators == (uint64_t)accumulators)
            cell->variant = &cell->sequence->variant[i];
    }
    cell->prefetch_bytes = (size_t)json_integer_value(json_object_get(record, "prefetch_bytes"));
    cell->bytes = (size_t)json_integer_value(json_object_get(record, "bytes"));
}

static void restore_cell(struct cell *cell, const json_t *record)
{
    cell->iterations = (uint64_t)json_integer_value(json_object_get(record, "iterations"));
    cell->repeats = (unsigned)json_integer_value(json_object_get(record, "repeats"));
    cell->roof_bytes = (size_t)json_integer_value(json_object_get(record, "roof_bytes"));
    cell->exact = json_is_true(json_object_get(record, "exact"));
    cell->error = json_number_value(json_object_get(record, "error"));
    cell->verified = true;
    if (cell->kind == CELL_KNEE)
        restore_choice(cell, record);
}

static void restore_counts(struct sample *sample, const json_t *record)
{
    const json_t *entered = json_object_get(record, "entered");
    for (int q = 0; q < COUNTER_QUANTITIES; q++) {
        const json_t *count = json_object_get(record, counter_quantity_name((enum counter_quantity)q));
        if (!json_is_number(count))
            continue;
        sample->counted |= COUNTER_SET(q);
        sample->count[q] = json_number_value(count);
    }
    sample->proven = json_is_object(entered);
    for (int e = 0; sample->proven && e < KERNEL_ENTRIES; e++) {
        const json_t *count = json_object_get(entered, kernel_entry_name((enum kernel_entry)e));
        sample->entered.of[e] = json_is_integer(count) ? json_integer_value(count) : -1;
    }
}

static struct sample sample_of(const json_t *record)
{
    struct sample sample = {
        .wall_s = json_number_value(json_object_get(record, "time_s")),
        .core_hz = json_number_value(json_object_get(record, "core_hz")),
        .grade = grade_named(json_string_value(json_object_get(record, "grade"))),
        .interrupted = json_is_true(json_object_get(record, "interrupted")),
        .cause = cause_named(json_string_value(json_object_get(record, "rejected"))),
        .stream = (unsigned)json_integer_value(json_object_get(record, "stream")),
    };
    restore_counts(&sample, record);
    return sample;
}

/** Whether samples of this cell come in twos: roof and GEMV or stream, or U and 2U. */
static bool comes_in_pairs(const struct cell *cell)
{
    return cell->kind == CELL_GAMMA || cell->kind == CELL_KNEE || (cell->kind == CELL_GEMV && cell->cold);
}

static bool is_first_of_pair(const struct cell *cell, const json_t *record)
{
    return cell->kind == CELL_GAMMA ? json_integer_value(json_object_get(record, "unroll")) == 1
                                    : json_is_true(json_object_get(record, "roof"));
}

/** What the samples of a knee cell are of is in its cell record; without it they are of nothing. */
static bool lacks_choice(const struct cell *cell)
{
    return cell->kind == CELL_KNEE && !cell->variant;
}

/** Take a pair whose halves stand one after the other; half a pair is where the run was killed, and is left out. */
static int restore_pair(struct cell *cell, const json_t *former, const json_t *record)
{
    struct sample pair[] = {sample_of(former), sample_of(record)};
    if (cell->kind == CELL_GAMMA)
        return samples_append(&cell->samples, pair, 2);
    int error = samples_append(&cell->roof, &pair[0], 1);
    return error ? error : samples_append(&cell->samples, &pair[1], 1);
}

long recorder_restore(const struct run_records *records, struct cells *cells)
{
    long restored = 0;
    size_t i;
    json_t *record;
    const json_t *half = NULL; /* first of a pair, in the record just before */
    struct cell *half_of = NULL;
    json_array_foreach(records->records, i, record)
    {
        const char *type = json_string_value(json_object_get(record, "type"));
        struct cell *cell = cell_named(cells, json_string_value(json_object_get(record, "name")));
        const json_t *former = cell && cell == half_of ? half : NULL;
        half = NULL;
        half_of = NULL;
        if (!type || !cell)
            continue;
        if (strcmp(type, "cell") == 0)
            restore_cell(cell, record);
        if (strcmp(type, "sample") != 0 || lacks_choice(cell))
            continue;
        int error = 0;
        if (!comes_in_pairs(cell)) {
            struct sample sample = sample_of(record);
            error = samples_append(&cell->samples, &sample, 1);
            restored++;
        } else if (is_first_of_pair(cell, record)) {
            half = record;
            half_of = cell;
        } else if (former) {
            error = restore_pair(cell, former, record);
            restored += 2;
        }
        if (error)
            return error;
    }
    return restored;
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
           sample->cause == SAMPLE_PAGE_FAULT || (sample->proven && kernel_entries_total(&sample->entered) > 0);
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
