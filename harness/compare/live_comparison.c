/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/compare/live_comparison.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "harness/plugin/plugin.h"
#include "harness/record/provenance.h"
#include "platforms/clock/clock.h"
#include "results/gate/looks.h"
#include "results/text/refuse.h"

/** A series of looks at one result. */
struct series {
    const struct live_comparison_request *request;
    struct looks looks;
    double until_s; /* of all looks but the first */
    struct compare_outcome *decided;
    size_t decided_count;
    const char **open; /* labels of the cells that are not */
    size_t open_count;
};

static int open_series(struct series *series, const char *const *only, size_t count, char *why, size_t size)
{
    size_t cells = live_cells(series->request->live);
    series->decided = calloc(cells + 1, sizeof *series->decided);
    series->open = calloc(cells + 1, sizeof *series->open);
    if (!series->decided || !series->open)
        return refuse(-ENOMEM, why, size, "no memory");
    for (size_t i = 0; i < count; i++)
        series->open[series->open_count++] = live_label(series->request->live, only[i]);
    return 0;
}

static void close_series(struct series *series)
{
    free(series->decided);
    free(series->open);
}

/** Sort the cells into those that are decided and those that go on. */
static void take_stock(struct series *series, const struct comparison *comparison)
{
    series->decided_count = series->open_count = 0;
    for (size_t i = 0; i < comparison->count; i++) {
        const struct compare_outcome *outcome = &comparison->outcome[i];
        const char *label = live_label(series->request->live, outcome->name);
        if (!looks_have_decided(outcome)) {
            series->open[series->open_count++] = label;
            continue;
        }
        series->decided[series->decided_count] = *outcome;
        series->decided[series->decided_count++].name = label;
    }
}

static int look(struct series *series, size_t number, struct live_result *result, struct comparison *comparison,
                char *why, size_t size)
{
    const struct live_comparison_request *request = series->request;
    unsigned more = (unsigned)(series->looks.pairs[number] - (number ? series->looks.pairs[number - 1] : 0));
    int error = live_measure(request->live, more, series->open, series->open_count, number ? series->until_s : 0,
                             result, why, size);
    if (error)
        return error;
    double layout[COMPARE_CLASSES];
    machine_floor_layout(request->floor, layout);
    const struct comparison_request pairs = {
        .paired = true,
        .layout = layout,
        .seed = request->seed,
        .floor = machine_floor_of,
        .context = request->floor,
        .alpha = series->looks.alpha[number],
        .decided = series->decided,
        .decided_count = series->decided_count,
        .wanted = live_wants,
        .wanted_context = request->live,
    };
    error = comparison_make(&result->base, &result->head, &pairs, comparison);
    if (error) {
        live_result_release(result);
        return refuse(error, why, size, "no memory");
    }
    looks_give_up(&series->looks, comparison->outcome, comparison->count);
    return 0;
}

/** Look until every cell is decided, the looks are used up or the time is. Of an error nothing is left to release. */
static int look_on(struct series *series, struct live_result *result, struct comparison *comparison, char *why,
                   size_t size)
{
    int error = look(series, 0, result, comparison, why, size);
    for (size_t number = 1; !error && number < series->looks.count; number++) {
        take_stock(series, comparison);
        if (!series->open_count || live_stopped(series->request->live) ||
            (series->until_s > 0 && clock_monotonic_s() >= series->until_s))
            break;
        comparison_release(comparison);
        error = look(series, number, result, comparison, why, size);
    }
    return error;
}

/** All looks at a fresh result of some cells; none: all cells. */
static int measure_and_look(const struct live_comparison_request *request, double until_s, const char *const *only,
                            size_t count, struct live_result *result, struct comparison *comparison, char *why,
                            size_t size)
{
    double alpha = compare_rule_default().alpha;
    struct series series = {
        .request = request,
        .looks = request->once ? looks_once(request->blocks, alpha) : looks_of(request->blocks, alpha),
        .until_s = until_s,
    };
    *result = (struct live_result){0};
    int error = open_series(&series, only, count, why, size);
    if (!error)
        error = look_on(&series, result, comparison, why, size);
    close_series(&series);
    return error;
}

static bool any_wanted(const struct live *live, const char *const *labels, size_t count)
{
    size_t i = 0;
    while (i < count && !live_wants(live, labels[i]))
        i++;
    return i < count;
}

/** Measure the suspects once more. They may all be withheld meanwhile. */
static int confirm(const struct live_comparison_request *request, double until_s, struct live_comparison *live,
                   char *why, size_t size)
{
    struct comparison *comparison = &live->comparison, fresh;
    struct live_result result;
    const char **labels = calloc(comparison->count + 1, sizeof *labels);
    if (!labels)
        return refuse(-ENOMEM, why, size, "no memory");
    size_t count = comparison_suspects(comparison, labels);
    int error = measure_and_look(request, until_s, labels, count, &result, &fresh, why, size);
    bool left = any_wanted(request->live, labels, count);
    free(labels);
    if (error)
        return error == -EINTR || (error == -EILSEQ && !left) ? 0 : error;
    compare_confirm(comparison->outcome, comparison->count, COMPARE_FRESH_BASE, fresh.outcome, fresh.count);
    live->confirming_pairs = result.pairs;
    comparison_release(&fresh);
    live_result_release(&result);
    return 0;
}

int live_comparison_make(const struct live_comparison_request *request, struct live_comparison *live, char *why,
                         size_t size)
{
    double began_s = clock_monotonic_s(), budget_s = request->budget_s;
    *live = (struct live_comparison){0};
    int error = measure_and_look(request, budget_s > 0 ? began_s + budget_s * 2 / 3 : 0, NULL, 0, &live->result,
                                 &live->comparison, why, size);
    if (error)
        return error;
    if (comparison_suspects(&live->comparison, NULL) && !live_stopped(request->live))
        error = confirm(request, budget_s > 0 ? began_s + budget_s : 0, live, why, size);
    if (!error && comparison_leave_out(&live->comparison, live_wants, request->live))
        error = refuse(-ENOMEM, why, size, "no memory");
    if (!error && !live->comparison.count && live_faults(request->live)->count)
        error = refuse(-EILSEQ, why, size, "nothing is left to compare");
    if (error)
        live_comparison_release(live);
    live->seconds = clock_monotonic_s() - began_s;
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
    provenance_cpu_folder(records->meta, platform, sizeof platform);
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
