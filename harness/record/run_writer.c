/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/record/run_writer.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "harness/record/provenance.h"
#include "platforms/counters/backends.h"
#include "results/text/refuse.h"

/* ---- where it goes ---- */

static int no_memory(char *why, size_t size)
{
    snprintf(why, size, "no memory for the run");
    return -ENOMEM;
}

static int create(struct run_writer *writer, const struct run_request *request, const struct session *session,
                  char *why, size_t size)
{
    char platform[128], name[96], folder[4096];
    provenance_machine_name(&session->machine, platform, sizeof platform);
    provenance_run_name(request->node, name, sizeof name);
    if (run_folder(request->results, platform, folder, sizeof folder - sizeof name)) {
        snprintf(why, size, "the path of %.64s… is too long; choose a shorter --results", request->results);
        return -ENAMETOOLONG;
    }
    json_t *meta = provenance_meta(session, request->argc, request->argv);
    if (request->node)
        json_object_set_new(meta, "node", json_string(request->node));
    int error = meta ? run_create_unique(folder, name, meta, &writer->run, why, size) : no_memory(why, size);
    json_decref(meta);
    if (error)
        return error;
    writer->created = true;
    writer->recorder = recorder_of_run(writer->run, 1, session->instruments.tsc_hz);
    return 0;
}

/** Whether what was recorded last is an end, and not that of an interrupt. */
static bool came_to_its_end(const struct run_records *records)
{
    const json_t *last = json_array_get(records->records, json_array_size(records->records) - 1);
    const char *type = json_string_value(json_object_get(last, "type"));
    return type && strcmp(type, "end") == 0 && !json_is_true(json_object_get(last, "interrupted"));
}

static int reopen(struct run_writer *writer, const char *path, const struct session *session, struct cells *restored,
                  char *why, size_t size)
{
    struct run_records records;
    int error = run_read(path, &records, why, size);
    if (error)
        return error;
    char how[256];
    json_t *meta = provenance_meta(session, 0, NULL);
    const char *differs = provenance_differs(records.meta, meta, how, sizeof how);
    json_decref(meta);
    if (differs) {
        snprintf(why, size, "%s was measured with %s, and cannot be continued here; start a new run", path, differs);
        run_records_free(&records);
        return -EXDEV;
    }
    long count = restored ? recorder_restore(&records, restored, how, sizeof how) : 0;
    unsigned block = recorder_next_block(&records);
    writer->completed = came_to_its_end(&records);
    if (restored)
        run_records_free(&records);
    else
        writer->had = records;
    error = count < 0 ? refuse((int)count, why, size, "%s cannot be continued: %s", path, how)
                      : run_reopen(path, &writer->run, why, size);
    if (!error)
        writer->recorder = recorder_of_run(writer->run, block, session->instruments.tsc_hz);
    else
        run_records_free(&writer->had);
    return error;
}

int run_writer_open(struct run_writer *writer, const struct run_request *request, const struct session *session,
                    struct cells *restored, char *why, size_t size)
{
    *writer = (struct run_writer){0};
    if (request->into)
        return reopen(writer, request->into, session, restored, why, size);
    return request->results ? create(writer, request, session, why, size) : 0;
}

void run_writer_to_stream(struct run_writer *writer, FILE *stream, unsigned block, const struct session *session)
{
    *writer = (struct run_writer){.recorder = recorder_of_stream(stream, block, session->instruments.tsc_hz)};
}

const char *run_writer_path(const struct run_writer *writer)
{
    return writer->run ? run_path(writer->run) : NULL;
}

void run_writer_close(struct run_writer *writer)
{
    if (writer->run)
        run_close(writer->run);
    run_records_free(&writer->had);
    *writer = (struct run_writer){0};
}

/* ---- what goes there ---- */

static bool is_writing(const struct run_writer *writer)
{
    return writer->recorder.append;
}

static int note(struct run_writer *writer, int error)
{
    if (error && !writer->error)
        writer->error = error;
    return error;
}

/** Takes the record's reference; NULL: there was no memory for it. */
static int append(void *context, json_t *record)
{
    struct run_writer *writer = context;
    int error = record ? writer->recorder.append(writer->recorder.context, record) : -ENOMEM;
    json_decref(record);
    return note(writer, error);
}

/** The first failure and its reason. */
static int first_failure(const struct run_writer *writer, char *why, size_t size)
{
    if (writer->error)
        snprintf(why, size, "cannot write records%s%s: %s", writer->run ? " into " : "",
                 writer->run ? run_path(writer->run) : "", strerror(-writer->error));
    return writer->error;
}

int run_writer_machine(struct run_writer *writer, struct session *session, char *why, size_t size)
{
    int error = 0;
    if (!is_writing(writer))
        return 0;
    error = append(writer, machine_record(&session->machine));
    for (size_t b = 0; !error && b < COUNTERS_BACKENDS; b++)
        error = append(writer, instruments_probe_record(&session->instruments.probes[b]));
    if (!error)
        clock_records(session, append, writer);
    return first_failure(writer, why, size);
}

int run_writer_record(struct run_writer *writer, json_t *record, char *why, size_t size)
{
    if (is_writing(writer))
        append(writer, record);
    else
        json_decref(record);
    return first_failure(writer, why, size);
}

void run_writer_visited(void *context, const struct cell *cell, size_t first, size_t roof_first)
{
    struct run_writer *writer = context;
    if (is_writing(writer))
        note(writer, recorder_samples(&writer->recorder, cell, first, roof_first));
}

int run_writer_added(void *context, struct cells *cells, size_t first, size_t end)
{
    const struct run_writer *writer = context;
    struct cells added = {.cell = cells->cell + first, .count = end - first};
    char how[256];
    if (!writer->had.records)
        return 0;
    long count = recorder_restore(&writer->had, &added, how, sizeof how);
    return count < 0 ? refuse((int)count, added.cell->why, sizeof added.cell->why, "%s cannot be continued: %s",
                              run_path(writer->run), how)
                     : 0;
}

int run_writer_finish(struct run_writer *writer, const struct session *session, struct cells *cells,
                      const struct run_end *end, char *why, size_t size)
{
    if (!is_writing(writer))
        return 0;
    int error = note(writer, recorder_summaries(&writer->recorder, session, cells));
    for (unsigned member = 0; !error && member < session->threads; member++) {
        if (session->pool[member].bytes)
            error = append(writer, memory_record(session, member));
    }
    if (!error && end)
        append(writer, end_record(end, cells));
    error = first_failure(writer, why, size);
    return error || !writer->run ? error : run_commit(writer->run, why, size);
}
