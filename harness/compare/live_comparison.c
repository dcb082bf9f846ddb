/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/compare/live_comparison.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "harness/plugin/plugin.h"
#include "harness/record/provenance.h"
#include "results/refuse.h"

static int compare_result(const struct live_comparison_request *request, const struct live_result *result,
                          struct comparison *comparison, char *why, size_t size)
{
    const struct comparison_request pairs = {
        .paired = true, .seed = request->seed, .floor = machine_floor_of, .context = request->floor};
    int error = comparison_make(&result->base, &result->head, &pairs, comparison);
    return error ? refuse(error, why, size, "no memory") : 0;
}

unsigned live_comparison_confirming_pairs(unsigned blocks)
{
    return 2 * blocks < LIVE_BLOCKS_MOST ? 2 * blocks : LIVE_BLOCKS_MOST;
}

/** Measure the suspects once more. */
static int confirm(const struct live_comparison_request *request, struct comparison *comparison, char *why, size_t size)
{
    struct live_result result;
    struct comparison fresh;
    const char **labels = calloc(comparison->count + 1, sizeof *labels);
    if (!labels)
        return refuse(-ENOMEM, why, size, "no memory");
    size_t count = comparison_suspects(comparison, labels);
    unsigned pairs = live_comparison_confirming_pairs(request->blocks);
    int error = live_measure(request->live, pairs, labels, count, &result, why, size);
    free(labels);
    if (error)
        return error;
    error = compare_result(request, &result, &fresh, why, size);
    if (!error) {
        compare_confirm(comparison->outcome, comparison->count, COMPARE_FRESH_BASE, fresh.outcome, fresh.count);
        comparison_release(&fresh);
    }
    live_result_release(&result);
    return error;
}

int live_comparison_make(const struct live_comparison_request *request, struct live_comparison *live, char *why,
                         size_t size)
{
    *live = (struct live_comparison){0};
    int error = live_measure(request->live, request->blocks, NULL, 0, &live->result, why, size);
    if (error)
        return error;
    error = compare_result(request, &live->result, &live->comparison, why, size);
    if (!error) {
        live->confirmed = comparison_suspects(&live->comparison, NULL) > 0;
        error = live->confirmed ? confirm(request, &live->comparison, why, size) : 0;
        if (error)
            comparison_release(&live->comparison);
    }
    if (error)
        live_result_release(&live->result);
    return error;
}

void live_comparison_release(struct live_comparison *live)
{
    comparison_release(&live->comparison);
    live_result_release(&live->result);
}

int live_comparison_keep(const struct live_comparison *live, int side, const char *results, const char *run_name,
                         char *path, size_t path_size, char *why, size_t size)
{
    static const char *const names[] = {"base", "head"};
    const struct run_records *records = &live->result.runs[side];
    char platform[128], folder[4096];
    struct run *run;
    machine_floor_platform(records->meta, platform, sizeof platform);
    int error = run_folder(results, platform, folder, sizeof folder);
    if (error || (size_t)snprintf(path, path_size, "%s/%s-%s", folder, run_name, names[side]) >= path_size)
        return refuse(-ENAMETOOLONG, why, size, "the path of %s is too long; choose a shorter --results", results);
    error = run_create(path, records->meta, &run, why, size);
    if (error)
        return error;
    for (size_t i = 0; !error && i < json_array_size(records->records); i++)
        error = run_append(run, json_array_get(records->records, i));
    run_close(run);
    return error ? refuse(error, why, size, "cannot write records into %s: %s", path, strerror(-error)) : 0;
}

json_t *live_comparison_meta(const struct session *session, const char *const given[2])
{
    char *command[] = {(char *)"kneepoint compare", (char *)"--live", (char *)given[0], (char *)given[1]};
    json_t *meta = provenance_meta(session, 4, command), *subjects = json_array();
    for (int side = 0; meta && side < 2; side++) {
        char hash[20];
        if (plugin_is_named(given[side]) && plugin_hash(given[side], hash, sizeof hash) == 0)
            json_array_append_new(subjects, json_pack("{s:s, s:s}", "file", given[side], "hash", hash));
    }
    if (json_array_size(subjects))
        json_object_set(meta, "subjects", subjects);
    json_decref(subjects);
    return meta;
}
