/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/compare/live.h"

#include <errno.h>
#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/compare/live_process.h"
#include "harness/compare/live_roofs.h"
#include "harness/compare/live_withheld.h"
#include "harness/compare/subject.h"
#include "harness/plugin/plugin.h"
#include "platforms/clock/clock.h"
#include "platforms/system/host.h"
#include "results/text/refuse.h"

struct live {
    struct session *session;
    struct live_request request;
    struct live_offers offers[2];
    struct live_withheld withheld;
    const char **labels; /* to measure, borrowed from the offers */
    size_t label_count, left_out;
    struct live_roofs roofs;
    json_t *layout; /* records of what a change of layout alone does */
    struct live_process process;
};

/* ---- what the subjects offer ---- */

/** Hash of a side's plug-in as the provenance of the comparison has it; NULL for what is no plug-in. */
static const char *hash_in_meta(const struct live *live, int side)
{
    const json_t *subject;
    size_t i;
    json_array_foreach(json_object_get(live->request.meta, "subjects"), i, subject)
    {
        const char *file = json_string_value(json_object_get(subject, "file"));
        if (file && strcmp(file, live->request.given[side]) == 0)
            return json_string_value(json_object_get(subject, "hash"));
    }
    return NULL;
}

static bool has_hash(const char *path, const char *expected)
{
    char hash[PLUGIN_HASH];
    return plugin_hash(path, hash, sizeof hash) == 0 && strcmp(hash, expected) == 0;
}

/** The file of a side, or of --plugin, that is another now than in the provenance of the comparison; NULL: none. */
static const char *rebuilt(const struct live *live, int side)
{
    const char *first = hash_in_meta(live, side);
    if (first && !has_hash(live->request.given[side], first))
        return live->request.given[side];
    const struct plugins *plugins = &live->session->plugins;
    for (unsigned i = 0; i < plugins->count; i++) {
        if (!has_hash(plugins->plugin[i].path, plugins->plugin[i].file.hash))
            return plugins->plugin[i].path;
    }
    return NULL;
}

/**
 * A block in a process of its own, which loads plug-ins anew: from the files that they were at first. What it withholds is
 * not measured again.
 */
static int run_block(struct live *live, int side, unsigned block, const char *const *only, size_t only_count,
                     json_t *records, char *why, size_t size)
{
    int error = live_process_run(&live->process, side, block, only, only_count, records, why, size);
    if (error && live_stopped(live))
        return refuse(-EINTR, why, size, "interrupted"); /* as the block was */
    const char *other = error ? NULL : rebuilt(live, side);
    if (other)
        return refuse(-ESTALE, why, size, "%s was rebuilt while the comparison ran; start it again", other);
    if (!error)
        live_process_take_said(records, &live->session->plugins.said);
    if (!error && live_withheld_take(records, live_side_name(side), live->request.given[side], &live->withheld))
        error = refuse(-ENOMEM, why, size, "no memory");
    return error;
}

static int ask(struct live *live, int side, char *why, size_t size)
{
    json_auto_t *records = json_array();
    int error = run_block(live, side, 0, NULL, 0, records, why, size);
    if (!error && live_offers_take(records, &live->offers[side]))
        error = refuse(-ENOMEM, why, size, "no memory");
    return error;
}

const char *live_cell_name(const struct live *live, int side, const char *label)
{
    const struct live_offer *offer = live_offers_find(&live->offers[side], label);
    return offer ? offer->name : NULL;
}

static bool is_asked(const struct live_request *request, const char *label)
{
    for (size_t i = 0; i < request->pattern_count; i++) {
        if (fnmatch(request->patterns[i], label, 0) == 0)
            return true;
    }
    return request->pattern_count == 0;
}

/** Labels to measure: those that both offer, of plug-ins those that either does; nothing that either withholds. */
static int match(struct live *live, char *why, size_t size)
{
    live->labels = calloc(live->offers[0].count + live->offers[1].count + 1, sizeof *live->labels);
    if (!live->labels)
        return refuse(-ENOMEM, why, size, "no memory");
    bool all_named = true;
    for (int side = 0; side < 2; side++) {
        bool named = subject_kind_of(live->request.given[side])->named_by_subject;
        all_named = all_named && named;
        for (size_t i = 0; i < live->offers[side].count; i++) {
            const char *label = live->offers[side].offer[i].label;
            bool both = live_offers_find(&live->offers[!side], label) != NULL;
            if (!is_asked(&live->request, label) || live_withheld_has(&live->withheld, label))
                continue;
            if (!both && named)
                live->left_out++;
            else if (!both || side == 0)
                live->labels[live->label_count++] = label;
        }
    }
    if (all_named && !live->request.pattern_count && live_offers_check(live->offers, live->request.given, why, size))
        return -EINVAL;
    if (live->label_count)
        return 0;
    if (live->withheld.count)
        return refuse(-EILSEQ, why, size, "%s", live->withheld.fault[0].why);
    return refuse(-ENOENT, why, size, "%s and %s have no cell in common%s", live->request.given[0],
                  live->request.given[1], live->request.pattern_count ? " that --cell asks for" : "");
}

bool live_stopped(const struct live *live)
{
    return live->request.stop && *live->request.stop;
}

size_t live_left_out(const struct live *live)
{
    return live->left_out;
}

bool live_wants(const void *live, const char *label)
{
    return !live_withheld_has(&((const struct live *)live)->withheld, label);
}

struct live_withheld *live_faults(struct live *live)
{
    return &live->withheld;
}

size_t live_cells(const struct live *live)
{
    return live->label_count;
}

const char *live_label(const struct live *live, const char *label)
{
    for (size_t i = 0; i < live->label_count; i++) {
        if (strcmp(live->labels[i], label) == 0)
            return live->labels[i];
    }
    return NULL;
}

/* ---- roofs ---- */

static void widest_teams(const struct live *live, unsigned teams[COMPARE_CLASSES])
{
    for (size_t i = 0; i < live->label_count; i++) {
        for (int side = 0; side < 2; side++) {
            const struct live_offer *offer = live_offers_find(&live->offers[side], live->labels[i]);
            if (offer && offer->threads > teams[offer->class])
                teams[offer->class] = offer->threads;
        }
    }
}

static bool has_cold(const struct live *live, unsigned threads)
{
    for (size_t i = 0; i < live->label_count; i++) {
        for (int side = 0; side < 2; side++) {
            const struct live_offer *offer = live_offers_find(&live->offers[side], live->labels[i]);
            if (offer && offer->cold && offer->threads == threads)
                return true;
        }
    }
    return false;
}

/** A read stream for the cold cells of each team; that of the widest is known already. */
static int find_streams(struct live *live, char *why, size_t size)
{
    struct session *session = live->session;
    size_t count = 0;
    int error = 0;
    for (unsigned threads = 1; !error && threads <= session->threads && count < LIVE_BLOCK_ROOFS; threads++) {
        if (!has_cold(live, threads))
            continue;
        struct live_roofs found = {0};
        const unsigned teams[COMPARE_CLASSES] = {[COMPARE_MEMORY] = threads};
        if (!session->roof[threads].chosen)
            error = live_roofs_find(session, teams, live->request.stop, &found, why, size);
        live_roofs_release(&found);
        char label[80];
        if (!error)
            session_stream_label(&session->roof[threads].stream, label, sizeof label);
        if (!error && asprintf(&live->process.roof_arguments[count++], "--roof=%u:%s", threads, label) < 0)
            error = -ENOMEM;
    }
    return error;
}

/** What a change of layout does to cells like those that are compared. */
static int measure_layout(struct live *live, char *why, size_t size)
{
    bool wanted[BIAS_SUBJECTS] = {false};
    for (size_t i = 0; i < live->label_count; i++) {
        for (int side = 0; side < 2; side++) {
            const struct live_offer *offer = live_offers_find(&live->offers[side], live->labels[i]);
            if (offer)
                wanted[live_layout_subject(offer->name, offer->class)] = true;
        }
    }
    live->layout = json_array();
    if (!live->layout)
        return refuse(-ENOMEM, why, size, "no memory");
    return live_layout_measure(live->session, wanted, live->request.stop, live->layout, why, size);
}

int live_open(struct session *session, const struct live_request *request, struct live **result, char *why, size_t size)
{
    struct live *live = calloc(1, sizeof *live);
    if (!live)
        return refuse(-ENOMEM, why, size, "no memory");
    live->session = session;
    live->request = *request;
    live->process = (struct live_process){
        .given = {request->given[0], request->given[1]},
        .program = request->program,
        .arguments = request->arguments,
        .limit_s = request->block_limit_s,
        .random = {request->seed},
    };
    unsigned teams[COMPARE_CLASSES] = {0};
    int error = ask(live, 0, why, size);
    if (!error)
        error = ask(live, 1, why, size);
    if (!error)
        error = match(live, why, size);
    if (!error) {
        widest_teams(live, teams);
        error = live_roofs_find(session, teams, request->stop, &live->roofs, why, size);
    }
    if (!error)
        error = find_streams(live, why, size);
    if (!error)
        error = measure_layout(live, why, size);
    live->process.pool_bytes = session->cold_bytes; /* found with the roofs: blocks would each have to look again */
    if (error)
        live_close(live);
    else
        *result = live;
    return error;
}

void live_close(struct live *live)
{
    if (!live)
        return;
    for (int side = 0; side < 2; side++)
        live_offers_release(&live->offers[side]);
    for (int i = 0; i < LIVE_BLOCK_ROOFS; i++)
        free(live->process.roof_arguments[i]);
    live_roofs_release(&live->roofs);
    json_decref(live->layout);
    live_withheld_release(&live->withheld);
    free(live->labels);
    free(live);
}

/* ---- pairs ---- */

/** The roofs around each pair. */
struct around {
    struct live_roof_reading before, after;
};

/** What one result has beside its blocks. */
struct live_measured {
    double began_s;
    struct host_disturbance before;
    struct around *around; /* [pairs] */
    bool has_end;          /* the last record of both runs is that of the end */
};

/** Pairs that are being added to a result. */
struct measurement {
    struct live *live;
    const char *const *only;
    size_t only_count, first, wanted; /* pairs before and after */
    double began_s, until_s;
    struct live_result *result;
};

static void report_progress(const struct measurement *measurement)
{
    const struct live_request *request = &measurement->live->request;
    size_t done = measurement->result->pairs - measurement->first, all = measurement->wanted - measurement->first;
    double elapsed_s = clock_monotonic_s() - measurement->began_s;
    char now[96];
    if (!request->progress)
        return;
    snprintf(now, sizeof now, "pair %zu of %zu", measurement->result->pairs + 1, measurement->wanted);
    request->progress(request->context, (double)done / (double)all,
                      done ? elapsed_s / (double)done * (double)(all - done) : 0, now);
}

/** Whether both subjects offer just what is measured: then no labels are passed. */
static bool wants_all(const struct live *live)
{
    return !live->withheld.count && live->label_count == live->offers[0].count &&
           live->label_count == live->offers[1].count;
}

/** Whether any of the cells is not withheld by now. */
static bool has_more(const struct measurement *measurement)
{
    size_t i = 0;
    while (i < measurement->only_count && !live_wants(measurement->live, measurement->only[i]))
        i++;
    return i < measurement->only_count;
}

/** One block of a side, of what is not withheld by now. */
static int measure_side(struct measurement *measurement, int side, char *why, size_t size)
{
    struct live *live = measurement->live;
    struct live_result *result = measurement->result;
    const char **only = calloc(measurement->only_count + 1, sizeof *only);
    json_auto_t *records = json_array();
    size_t count = 0;
    for (size_t i = 0; only && i < measurement->only_count; i++) {
        if (live_wants(live, measurement->only[i]))
            only[count++] = measurement->only[i];
    }
    int error = only && records ? 0 : refuse(-ENOMEM, why, size, "no memory");
    if (!error && count)
        error = run_block(live, side, (unsigned)result->pairs + 1, only,
                          measurement->only == live->labels && wants_all(live) ? 0 : count, records, why, size);
    if (!error && json_array_extend(result->runs[side].records, records))
        error = refuse(-ENOMEM, why, size, "no memory");
    free(only);
    return error;
}

/** @param again  the reading after the pair before is that before this one: nothing came between */
static int measure_pair(struct measurement *measurement, bool base_first, bool again, char *why, size_t size)
{
    struct live *live = measurement->live;
    struct live_result *result = measurement->result;
    struct around *around = &result->measured->around[result->pairs];
    int error = 0;
    if (again)
        around->before = around[-1].after;
    else
        error = live_roofs_read(live->session, &live->roofs, &around->before);
    for (int turn = 0; !error && turn < 2; turn++) {
        int side = (turn == 0) == base_first ? 0 : 1;
        error = measure_side(measurement, side, why, size);
    }
    if (!error)
        error = live_roofs_read(live->session, &live->roofs, &around->after);
    if (error == -ENODATA && measurement->live->withheld.count)
        error = refuse(-EILSEQ, why, size, "nothing is left to compare");
    if (error && !why[0])
        snprintf(why, size, "the roofs could not be measured: %s", strerror(-error));
    result->pairs += !error;
    return error;
}

/** Stopped, or the next pair would not be done in time; too few for any bound would be of no use. */
static bool time_is_up(const struct measurement *measurement)
{
    size_t done = measurement->result->pairs - measurement->first;
    double now_s = clock_monotonic_s(), pair_s = done ? (now_s - measurement->began_s) / (double)done : 0;
    return live_stopped(measurement->live) ||
           (measurement->until_s > 0 && measurement->result->pairs >= LIVE_BLOCKS_LEAST &&
            now_s + pair_s > measurement->until_s);
}

/** Of a pair that is cut off nothing counts. */
static void shorten(json_t *records, size_t count)
{
    while (json_array_size(records) > count)
        json_array_remove(records, json_array_size(records) - 1);
}

static int measure_pairs(struct measurement *measurement, char *why, size_t size)
{
    struct live_result *result = measurement->result;
    size_t more = measurement->wanted - measurement->first;
    struct around *grown = realloc(result->measured->around, (measurement->wanted + 1) * sizeof *grown);
    bool *base_first = calloc(more + 1, sizeof *base_first);
    int error = grown && base_first ? 0 : -ENOMEM;
    if (grown)
        result->measured->around = grown;
    if (!error)
        live_orders(more, &measurement->live->process.random, base_first);
    for (size_t i = 0; !error && i < more && has_more(measurement) && !time_is_up(measurement); i++) {
        const size_t before[2] = {json_array_size(result->runs[0].records), json_array_size(result->runs[1].records)};
        report_progress(measurement);
        error = measure_pair(measurement, base_first[i], i > 0, why, size);
        for (int side = 0; error == -EINTR && side < 2; side++)
            shorten(result->runs[side].records, before[side]);
    }
    free(base_first);
    bool too_few = live_stopped(measurement->live) && result->pairs < LIVE_BLOCKS_LEAST;
    return error && error != -EINTR ? error : too_few ? -EINTR : 0;
}

/* ---- from records to blocks ---- */

/** The label of a cell; a gamma goes by its sequence, without the number of accumulators, once it is a block. */
static char *label_of(void *context, const char *name)
{
    const struct live_offers *offers = context;
    const struct cell_kind *kind = cell_kind_of_name(name);
    size_t length = strlen(name);
    for (size_t i = 0; i < offers->count; i++) {
        const char *own = offers->offer[i].name;
        if (strcmp(own, name) == 0 ||
            (kind && kind->one_a_subject && strncmp(own, name, length) == 0 && own[length] == '/'))
            return strdup(offers->offer[i].label);
    }
    return NULL;
}

static int reduce(struct measurement *measurement)
{
    struct live_result *result = measurement->result;
    struct blocks *sides[2] = {&result->base, &result->head};
    int error = 0;
    for (int side = 0; !error && side < 2; side++) {
        blocks_release(sides[side]);
        error = blocks_of_live_run(&result->runs[side], sides[side]);
        if (!error)
            blocks_rename(sides[side], label_of, &measurement->live->offers[side]);
    }
    return error;
}

/** The roofs around the pairs are controls of both sides: no subject plays a part in them. */
static int look_at_roofs(struct measurement *measurement)
{
    struct live_result *result = measurement->result;
    struct blocks_noise *noise[2] = {&result->base.noise, &result->head.noise};
    double *level = calloc(result->pairs + 1, sizeof *level);
    for (int c = 0; level && c < COMPARE_CLASSES; c++) {
        enum compare_class class = (enum compare_class)c;
        result->moved[class] = 0;
        for (size_t i = 0; i < result->pairs; i++) {
            const struct around *around = &result->measured->around[i];
            level[i] = live_roof_level(&around->after, class);
            result->moved[class] +=
                live_roof_moved(&measurement->live->roofs, &around->before, &around->after, class, false);
        }
        double spread = blocks_spread_of(level, result->pairs);
        for (int side = 0; side < 2; side++)
            noise[side]->control_spread[class] = fmax(noise[side]->control_spread[class], spread);
    }
    free(level);
    return level ? 0 : -ENOMEM;
}

/** What disturbed the machine meanwhile, as a run that characterizes records it. */
static int close_runs(struct live_result *result)
{
    const struct live_measured *measured = result->measured;
    const struct host_disturbance *before = &measured->before;
    struct host_disturbance after;
    if (host_disturbance_read("", &after) != 0)
        return 0;
    json_auto_t *record = json_pack("{s:s, s:s, s:f, s:{s:I, s:I, s:I}}", "type", "end", "name", "compare", "seconds",
                                    clock_monotonic_s() - measured->began_s, "disturbance", "steal_ticks",
                                    (json_int_t)(after.steal_ticks - before->steal_ticks), "interrupts",
                                    (json_int_t)(after.interrupts - before->interrupts), "context_switches",
                                    (json_int_t)(after.context_switches - before->context_switches));
    int error = record ? 0 : -ENOMEM;
    for (int side = 0; !error && side < 2; side++)
        error = json_array_append(result->runs[side].records, record) == 0 ? 0 : -ENOMEM;
    result->measured->has_end = !error;
    return error;
}

/** More is to come: the record of the end goes, to be made anew. */
static void open_runs(struct live_result *result)
{
    for (int side = 0; result->measured->has_end && side < 2; side++)
        json_array_remove(result->runs[side].records, json_array_size(result->runs[side].records) - 1);
    result->measured->has_end = false;
}

static int measure_all(struct measurement *measurement, char *why, size_t size)
{
    open_runs(measurement->result);
    int error = measure_pairs(measurement, why, size);
    if (!error && !measurement->first && !has_more(measurement))
        error = refuse(-EILSEQ, why, size, "nothing is left to compare");
    if (!error)
        error = close_runs(measurement->result);
    if (!error)
        error = reduce(measurement);
    if (!error)
        error = look_at_roofs(measurement);
    if (error == -ENODATA && measurement->live->withheld.count)
        error = refuse(-EILSEQ, why, size, "nothing is left to compare");
    if (error && !why[0])
        snprintf(why, size, "%s", error == -ENODATA ? "no sample was taken" : "no memory for what the blocks measured");
    return error;
}

static int begin_result(const struct live *live, struct live_result *result)
{
    result->measured = calloc(1, sizeof *result->measured);
    if (!result->measured)
        return -ENOMEM;
    result->measured->began_s = clock_monotonic_s();
    host_disturbance_read("", &result->measured->before);
    for (int side = 0; side < 2; side++) {
        result->runs[side] = (struct run_records){.meta = json_deep_copy(live->request.meta), .records = json_array()};
        if (!result->runs[side].meta || !result->runs[side].records ||
            json_array_extend(result->runs[side].records, live->layout))
            return -ENOMEM;
    }
    return 0;
}

int live_measure(struct live *live, unsigned pairs, const char *const *only, size_t only_count, double until_s,
                 struct live_result *result, char *why, size_t size)
{
    struct measurement measurement = {
        .live = live,
        .only = only_count ? only : live->labels,
        .only_count = only_count ? only_count : live->label_count,
        .first = result->pairs,
        .wanted = result->pairs + pairs,
        .began_s = clock_monotonic_s(),
        .until_s = until_s,
        .result = result,
    };
    why[0] = 0;
    int error = result->measured ? 0 : begin_result(live, result);
    if (error)
        snprintf(why, size, "no memory");
    else
        error = measure_all(&measurement, why, size);
    if (error)
        live_result_release(result);
    return error;
}

void live_result_release(struct live_result *result)
{
    blocks_release(&result->base);
    blocks_release(&result->head);
    run_records_free(&result->runs[0]);
    run_records_free(&result->runs[1]);
    if (result->measured)
        free(result->measured->around);
    free(result->measured);
    *result = (struct live_result){0};
}
