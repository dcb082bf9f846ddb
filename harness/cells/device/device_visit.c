/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the worker of a visit does with the device.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cells/cell/fields.h"
#include "harness/cells/cell/visit_apart.h"
#include "harness/cells/device/device_cell.h"
#include "reports/draw/embedded_text.h"
#include "results/records/record.h"
#include "results/statistics/stats.h"
#include "results/text/refuse.h"

/** How long a look at a variant and a sample take at least, and how many looks there are. */
#define LOOK_S   5e-3
#define SAMPLE_S 20e-3
enum { LOOKS = 3, LAUNCHES_MOST = 100000 };

struct order {
    const struct cell *cell;
    const struct device_ops *ops;
    unsigned count, launches; /* 0: nothing is chosen yet */
};

/** What a worker reports first, and then its series. */
struct answer {
    int error;
    char why[OPENCL_WHY];
    uint32_t variant;
    unsigned launches;
    size_t count;
    double distance; /* from the definition */
    bool exact;
};

char *device_text(const char *const *paths)
{
    size_t size = 1;
    for (const char *const *path = paths; *path; path++)
        size += strlen(embedded_text(*path));
    char *whole = calloc(size, 1);
    for (const char *const *path = paths; whole && *path; path++)
        strcat(whole, embedded_text(*path));
    return whole;
}

/* ---- in the worker ---- */

static unsigned launches_for(double seconds, double launch_s)
{
    const double launches = seconds / (launch_s > 1e-7 ? launch_s : 1e-7) + 1;
    return launches < LAUNCHES_MOST ? (unsigned)launches : LAUNCHES_MOST;
}

/** Launches that take long are not looked at again where one is twice as fast. */
static void drop_slow(struct device_bench *bench, size_t variants)
{
    double least = INFINITY;
    for (size_t v = 0; v < variants; v++) {
        if (bench->ready[v].can)
            least = fmin(least, bench->ready[v].seconds / bench->ready[v].amount);
    }
    for (size_t v = 0; v < variants; v++) {
        const struct device_ready *ready = &bench->ready[v];
        bench->ready[v].can = ready->can && (ready->seconds < LOOK_S || ready->seconds / ready->amount < 2 * least);
    }
}

/** Which is fastest, by the median of some looks in turns. */
static int choose(struct device_bench *bench, const struct device_ops *ops, struct answer *answer)
{
    double looks[DEVICE_VARIANTS_MOST][LOOKS], least = 0;
    drop_slow(bench, ops->variants);
    for (unsigned look = 0; look < LOOKS; look++) {
        for (size_t v = 0; v < ops->variants; v++) {
            struct opencl_series series;
            const struct device_ready *ready = &bench->ready[v];
            const unsigned launches = launches_for(LOOK_S, ready->seconds);
            int error = ready->can ? ops->run(bench, v, launches, &series) : 0;
            if (error)
                return error;
            looks[v][look] = ready->can ? series.host_s / launches / ready->amount : 0;
            worker_beat(bench->heart);
        }
    }
    for (size_t v = 0; v < ops->variants; v++) {
        const double median = stats_median(looks[v], LOOKS);
        if (bench->ready[v].can && (least == 0 || median < least)) {
            least = median;
            answer->variant = (uint32_t)v;
        }
    }
    answer->launches = launches_for(SAMPLE_S, least * bench->ready[answer->variant].amount);
    return 0;
}

/** All variants that can be; of those that the driver refuses, for too many registers or work-items, the first is said if no other is left. */
static int ready_all(struct device_bench *bench, const struct order *order)
{
    char refused[OPENCL_WHY] = "";
    bool any = false;
    int error = order->ops->open(bench, order->cell);
    for (size_t v = 0; !error && v < order->ops->variants; v++) {
        if (!bench->ready[v].can)
            continue;
        error = order->ops->ready(bench, v);
        bench->ready[v].can = !error;
        any |= !error;
        worker_beat(bench->heart);
        if (error != -EIO)
            continue;
        if (!refused[0])
            memcpy(refused, bench->work.why, sizeof refused);
        error = 0;
    }
    if (error || any)
        return error;
    return refuse(refused[0] ? -EIO : -ENOTSUP, bench->work.why, sizeof bench->work.why, "%s",
                  refused[0] ? refused : "the device has none of its variants");
}

static int take(struct device_bench *bench, const struct order *order, struct answer *answer,
                struct opencl_series *series)
{
    const struct device *device = bench->cell->device;
    int error = opencl_work_open(&device->source, device->folder, device->index, &bench->work);
    worker_beat(bench->heart);
    if (!error)
        error = ready_all(bench, order);
    if (!error && !order->launches)
        error = choose(bench, order->ops, answer);
    for (unsigned i = 0; !error && i < order->count; i++) {
        error = order->ops->run(bench, answer->variant, answer->launches, &series[i]);
        worker_beat(bench->heart);
    }
    if (order->ops->release)
        order->ops->release(bench);
    answer->distance = bench->error;
    answer->exact = bench->exact;
    return error;
}

static void work(void *context, struct worker *worker)
{
    const struct order *order = context;
    const struct device_cell *own = order->cell->own;
    struct answer answer = {.variant = own->variant, .launches = order->launches, .count = order->count};
    struct device_bench *bench = calloc(1, sizeof *bench);
    void *of_kind = calloc(1, order->ops->own);
    struct opencl_series *series = calloc(order->count, sizeof *series);
    answer.error = bench && of_kind && series ? 0 : -ENOMEM;
    if (!answer.error) {
        bench->cell = own;
        bench->chosen = order->launches != 0;
        bench->heart = worker_heart(worker);
        bench->own = of_kind;
        answer.error = take(bench, order, &answer, series);
        memcpy(answer.why, bench->work.why, sizeof answer.why);
    }
    if (answer.error)
        answer.count = 0;
    worker_send(worker, &answer, sizeof answer);
    worker_send(worker, series, answer.count * sizeof *series);
}

/* ---- in this process ---- */

static void note_timers(struct device_cell *own, const struct opencl_series *series)
{
    const double share = series->host_s > 0 ? series->device_s / series->host_s : 0;
    own->timers[0] = own->timers[1] == 0 || share < own->timers[0] ? share : own->timers[0];
    own->timers[1] = share > own->timers[1] ? share : own->timers[1];
    own->agreed += share >= 1 - DEVICE_TIMERS_APART && share <= 1 + DEVICE_TIMERS_APART;
}

/** What a worker sent may be anything: a driver could have written over it. */
static int take_over(struct cell *cell, const struct worker_result *result, const struct order *order, const char *name)
{
    struct device_cell *own = cell->own;
    struct answer answer = {.error = -EPROTO};
    if (result->report_bytes >= sizeof answer)
        memcpy(&answer, result->report, sizeof answer);
    answer.why[sizeof answer.why - 1] = '\0';
    if (answer.error && answer.error != -EPROTO)
        return refuse(answer.error, cell->why, sizeof cell->why, "%s: %.300s", name,
                      answer.why[0] ? answer.why : strerror(-answer.error));
    const struct opencl_series *series = (const void *)(result->report + sizeof answer);
    if (answer.error || answer.count != order->count || answer.variant >= order->ops->variants ||
        answer.launches == 0 || answer.launches > LAUNCHES_MOST ||
        result->report_bytes != sizeof answer + answer.count * sizeof *series)
        return refuse(-EIO, cell->why, sizeof cell->why, "the driver of %s wrote over memory that is not its own",
                      own->device->number);
    own->variant = answer.variant;
    cell->repeats = answer.launches;
    cell->exact = answer.exact && (!cell->verified || cell->exact);
    cell->verified = true;
    cell->error = answer.distance > cell->error ? answer.distance : cell->error;
    int error = 0;
    for (size_t i = 0; !error && i < answer.count; i++) {
        struct opencl_series one;
        memcpy(&one, (const uint8_t *)series + i * sizeof one, sizeof one);
        note_timers(own, &one);
        const struct sample sample = {.wall_s = one.host_s, .grade = SAMPLE_WALL, .cause = SAMPLE_KEPT};
        error = samples_append(&cell->samples, &sample, 1);
    }
    return error;
}

int device_visit(struct session *session, struct cell *cell, unsigned count, const struct device_ops *ops,
                 const char *title)
{
    const struct device *device = ((const struct device_cell *)cell->own)->device;
    char name[192];
    struct order order = {.cell = cell, .ops = ops, .count = count, .launches = cell->repeats};
    struct worker_result result;
    session_dissolve_team(session); /* a driver may use every core, and this thread is bound to none */
    const struct worker_job job = {.body = work, .context = &order, .limit_ms = device->source.limit_ms};
    worker_run(&job, &result);
    snprintf(name, sizeof name, "%s on %s", title, device->number);
    int error = visit_apart_end(&result, name, job.limit_ms, cell);
    if (error == -EILSEQ)
        error = -EIO; /* of a driver that crashes, no result is wrong */
    if (!error)
        error = take_over(cell, &result, &order, name);
    free(result.report);
    return error;
}

/* ---- what its record says ---- */

static void set_timers(const struct cell *cell, json_t *record)
{
    const struct device_cell *own = cell->own;
    const bool known = cell->samples.count >= STATS_KEPT_LEAST;
    field_set(record, "profiled", known ? json_pack("[f, f]", own->timers[0], own->timers[1]) : json_null());
    field_set(record, "timers_agree", known ? json_boolean(2 * own->agreed > cell->samples.count) : json_null());
    if (!known)
        field_set_reason(record, "profiled", "fewer than 6 samples");
}

void device_set_fields(json_t *record, const struct cell *cell, const char *variant)
{
    const struct device *device = ((const struct device_cell *)cell->own)->device;
    const char *kind = opencl_kind_word(device->facts.kind);
    field_set(record, "device", json_string(device->number));
    field_set(record, "kind", record_text_or_null(kind ? kind : ""));
    field_set(record, "title", record_text_or_null(device->facts.name));
    field_set(record, "platform", record_text_or_null(device->platform));
    field_set(record, "driver", record_text_or_null(device->facts.driver));
    field_set(record, "variant", json_string(variant));
    field_set(record, "launches", json_integer((json_int_t)cell->repeats));
    field_set_quantity(record, "time_s", summary_time(cell), "s");
    set_timers(cell, record);
}
