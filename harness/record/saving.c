/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/record/saving.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "harness/record/machine_records.h"
#include "harness/record/provenance.h"
#include "harness/record/recorder.h"
#include "platforms/clock.h"

int saving_create(const char *results, const char *node, const struct session *session, int argc, char **argv,
                  struct run **run, char *why, size_t size)
{
    char platform[128], name[96], folder[4096];
    provenance_platform_name(session, platform, sizeof platform);
    provenance_run_name(node, name, sizeof name);
    if (snprintf(folder, sizeof folder, "%s/%s", results, platform) >= (int)(sizeof folder - sizeof name)) {
        snprintf(why, size, "the path of %.64s… is too long; choose a shorter --results", results);
        return -ENAMETOOLONG;
    }
    json_t *meta = provenance_meta(session, argc, argv);
    if (node)
        json_object_set_new(meta, "node", json_string(node));
    int error = meta ? run_create_unique(folder, name, meta, run, why, size) : -ENOMEM;
    json_decref(meta);
    return error;
}

int saving_continue(const char *path, const struct session *session, struct plan *plan, struct run **run,
                    unsigned *block, char *why, size_t size)
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
    long restored = plan ? recorder_restore(&records, plan) : 0;
    *block = recorder_next_block(&records);
    run_records_free(&records);
    return restored < 0 ? (int)restored : run_reopen(path, run, why, size);
}

static int append(void *context, json_t *record)
{
    struct saving *saving = context;
    int error = record ? run_append(saving->run, record) : -ENOMEM;
    json_decref(record);
    if (error && !saving->error)
        saving->error = error;
    return error;
}

static int append_machine(struct saving *saving, struct session *session)
{
    int error = append(saving, machine_record(&session->machine));
    for (size_t b = 0; !error && b < COUNTERS_BACKENDS; b++)
        error = append(saving, instruments_probe_record(&session->instruments.probes[b]));
    return error ? error : clock_records(session, append, saving);
}

static int cannot_write(const struct saving *saving, int error, char *why, size_t size)
{
    if (error)
        snprintf(why, size, "cannot write records into %s: %s", run_path(saving->run), strerror(-error));
    return error;
}

int saving_open(const struct saving_request *request, const char *command, struct session *session,
                struct saving *saving, char *why, size_t size)
{
    *saving = (struct saving){.command = command, .block = 1, .started_s = clock_monotonic_s()};
    if (request->into)
        return saving_continue(request->into, session, NULL, &saving->run, &saving->block, why, size);
    if (!request->results)
        return 0;
    int error = saving_create(request->results, NULL, session, request->argc, request->argv, &saving->run, why, size);
    if (error)
        return error;
    saving->created = true;
    error = cannot_write(saving, append_machine(saving, session), why, size);
    if (error)
        saving_close(saving);
    return error;
}

static void keep_samples(void *context, const struct cell *cell, size_t first, size_t roof_first)
{
    struct saving *saving = context;
    struct recorder recorder = recorder_of_run(saving->run, saving->block);
    int error = recorder_samples(&recorder, cell, first, roof_first);
    if (error && !saving->error)
        saving->error = error;
}

struct execution saving_execution(struct saving *saving)
{
    return saving->run ? (struct execution){.visited = keep_samples, .context = saving} : (struct execution){0};
}

static json_t *end_record(const struct saving *saving, const struct cells *cells)
{
    size_t rejected[SAMPLE_CAUSES], samples, without = 0;
    json_t *causes = json_object(), *skipped = json_array();
    recorder_rejected(cells, rejected, &samples);
    for (int cause = SAMPLE_KEPT + 1; cause < SAMPLE_CAUSES; cause++)
        json_object_set_new(causes, sample_cause_name((enum sample_cause)cause),
                            json_integer((json_int_t)rejected[cause]));
    for (size_t i = 0; i < cells->count; i++) {
        if (cells->cell[i].samples.count)
            continue;
        without++;
        json_array_append_new(skipped,
                              json_pack("{s:s, s:s}", "name", cells->cell[i].name, "reason", cells->cell[i].why));
    }
    double seconds = clock_monotonic_s() - saving->started_s;
    json_t *record = json_pack("{s:s, s:s, s:b, s:b, s:f, s:f, s:i, s:i, s:i, s:o, s:o}", "type", "end", "name",
                               saving->command, "complete", without == 0, "interrupted", 0, "seconds", seconds,
                               "budget_s", seconds, "cells", (int)cells->count, "cells_skipped", (int)without,
                               "samples", (int)samples, "rejected", causes, "skipped", skipped);
    if (record)
        recorder_entered(cells, record);
    return record;
}

int saving_finish(struct saving *saving, const struct session *session, struct cells *cells, char *why, size_t size)
{
    if (!saving->run)
        return 0;
    struct recorder recorder = recorder_of_run(saving->run, saving->block);
    int error = saving->error ? saving->error : recorder_summaries(&recorder, session, cells);
    for (unsigned member = 0; !error && member < session->threads; member++) {
        if (session->pool[member].bytes)
            error = append(saving, memory_record(session, member));
    }
    if (!error && saving->created)
        error = append(saving, end_record(saving, cells));
    return cannot_write(saving, error, why, size);
}

void saving_close(struct saving *saving)
{
    if (saving->run)
        run_close(saving->run);
    saving->run = NULL;
}
