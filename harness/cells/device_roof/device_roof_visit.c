/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the worker of a visit does with the device.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cells/cell/visit_apart.h"
#include "harness/cells/device_roof/device_roof.h"
#include "platforms/devices/opencl_work.h"
#include "platforms/process/worker.h"
#include "reports/draw/embedded_text.h"
#include "results/statistics/stats.h"
#include "results/text/refuse.h"

/** How long a look at a variant and a sample take at least, and how many looks there are. */
#define LOOK_S   5e-3
#define SAMPLE_S 20e-3
enum { LOOKS = 3, LAUNCHES_MOST = 100000, WORD = 4 };

struct order {
    const struct device_roof_cell *cell;
    unsigned count, launches; /* 0: nothing is chosen yet */
};

/** What a worker reports first, and then its series. */
struct answer {
    int error;
    char why[OPENCL_WHY];
    uint32_t variant;
    unsigned launches;
    size_t count;
};

/* ---- in the worker ---- */

/** A variant that can be launched. */
struct ready {
    bool can;
    struct roof_variant arranged;
    void *kernel; /* NULL: a copy */
    const void *host;
    double seconds; /* of a launch, as far as it was looked at */
};

struct bench {
    struct opencl_work work;
    const struct device_roof *roof;
    struct worker_beat *heart;
    void *words, *out, *mapped;
    uint32_t *host; /* of what is written and read */
    size_t words_most, items_most;
    struct ready ready[ROOF_VARIANTS_MOST];
};

/** The kernel's text after what all have in common. */
static int build(struct bench *bench, const struct roof_variant *variant, void **program)
{
    const char *common = embedded_text("micro/opencl/vector.h"), *text = embedded_text(bench->roof->source);
    const size_t size = strlen(common) + strlen(text) + 1;
    char *whole = malloc(size);
    if (!whole)
        return -ENOMEM;
    snprintf(whole, size, "%s%s", common, text);
    int error = opencl_work_build(&bench->work, whole, variant->options, program);
    free(whole);
    return error;
}

static int set_arguments(struct bench *bench, void *kernel, uint32_t each)
{
    int error = opencl_work_argument(&bench->work, kernel, 0, sizeof bench->words, &bench->words);
    if (!error)
        error = opencl_work_argument(&bench->work, kernel, 1, sizeof bench->out, &bench->out);
    return error ? error : opencl_work_argument(&bench->work, kernel, 2, sizeof each, &each);
}

/** The words, by the device where they are many. */
static int fill_words(struct bench *bench, void *program)
{
    enum { EACH = 1024, GROUP = 1 };
    const uint32_t each = EACH;
    struct opencl_series series;
    void *kernel;
    if (!bench->roof->fills)
        return opencl_work_write(&bench->work, bench->words, bench->host, bench->words_most * WORD);
    int error = opencl_work_kernel(&bench->work, program, "fill", &kernel);
    if (!error)
        error = opencl_work_argument(&bench->work, kernel, 0, sizeof bench->words, &bench->words);
    if (!error)
        error = opencl_work_argument(&bench->work, kernel, 1, sizeof each, &each);
    return error ? error : opencl_work_launch(&bench->work, kernel, bench->words_most / EACH, GROUP, 1, &series);
}

static int run(struct bench *bench, const struct ready *ready, unsigned launches, struct opencl_series *series)
{
    const struct roof_variant *variant = &ready->arranged;
    if (ready->kernel)
        return opencl_work_launch(&bench->work, ready->kernel, variant->items, variant->group, launches, series);
    return opencl_work_send(&bench->work, bench->words, ready->host, variant->words * WORD, launches, series);
}

/** Of a launch: what all work-items returned. */
static int check_sum(struct bench *bench, const struct roof_variant *variant)
{
    uint32_t sum = 0;
    int error = opencl_work_read(&bench->work, bench->out, bench->host, variant->items * WORD);
    for (size_t i = 0; i < variant->items; i++)
        sum += bench->host[i];
    if (error || sum == variant->sum || bench->roof->unit == ROOF_LAUNCHES)
        return error;
    return refuse(-EILSEQ, bench->work.why, sizeof bench->work.why,
                  "a wrong result, 0x%08x instead of 0x%08x, of %s: a fault of the driver or of the device", sum,
                  variant->sum, variant->label);
}

/** Of a copy: what arrived. */
static int check_copy(struct bench *bench, const struct ready *ready, uint32_t *arrived)
{
    const size_t bytes = ready->arranged.words * WORD;
    int error = opencl_work_read(&bench->work, bench->words, arrived, bytes);
    if (!error && memcmp(arrived, ready->host, bytes) != 0)
        error = refuse(-EILSEQ, bench->work.why, sizeof bench->work.why, "a copy %s arrived changed",
                       ready->arranged.label);
    return error;
}

/** The first launch, which is not timed, into a buffer without what another one left there. */
static int try_out(struct bench *bench, struct ready *ready)
{
    struct opencl_series series = {0};
    const size_t words = ready->kernel ? bench->items_most : ready->arranged.words;
    uint32_t *empty = calloc(words, WORD);
    if (!empty)
        return -ENOMEM;
    int error = opencl_work_write(&bench->work, ready->kernel ? bench->out : bench->words, empty, words * WORD);
    if (!error)
        error = run(bench, ready, 1, &series);
    if (!error)
        error = ready->kernel ? check_sum(bench, &ready->arranged) : check_copy(bench, ready, empty);
    if (!error)
        error = run(bench, ready, 1, &series);
    ready->seconds = series.host_s;
    free(empty);
    worker_beat(bench->heart);
    return error;
}

static int make_kernel(struct bench *bench, struct ready *ready, bool *filled)
{
    void *program;
    int error = build(bench, &ready->arranged, &program);
    worker_beat(bench->heart);
    if (!error && !*filled)
        error = fill_words(bench, program);
    *filled = true;
    if (!error)
        error = opencl_work_kernel(&bench->work, program, "roof", &ready->kernel);
    return error ? error : set_arguments(bench, ready->kernel, ready->arranged.each);
}

/** What a copy is from: memory of this process, or a buffer that the driver mapped. */
static int choose_host(struct bench *bench, struct ready *ready)
{
    void *mapped;
    const size_t bytes = ready->arranged.words * WORD;
    ready->host = bench->host;
    if (!ready->arranged.mapped)
        return 0;
    int error = opencl_work_buffer(&bench->work, bytes, true, &bench->mapped);
    if (!error)
        error = opencl_work_map(&bench->work, bench->mapped, bytes, &mapped);
    if (!error)
        ready->host = memcpy(mapped, bench->host, bytes);
    return error;
}

/** Buffers for every variant that can run, and in the host's memory as many words. */
static int make_buffers(struct bench *bench)
{
    bench->items_most = 1;
    for (size_t v = 0; v < bench->roof->variants; v++) {
        const struct ready *ready = &bench->ready[v];
        if (ready->can && ready->arranged.items > bench->items_most)
            bench->items_most = ready->arranged.items;
        if (ready->can && ready->arranged.words > bench->words_most)
            bench->words_most = ready->arranged.words;
    }
    const size_t written = bench->roof->fills ? 0 : bench->words_most;
    bench->host = malloc((written > bench->items_most ? written : bench->items_most) * WORD);
    if (!bench->host)
        return -ENOMEM;
    for (size_t i = 0; i < written; i++)
        bench->host[i] = roof_word(i);
    int error = opencl_work_buffer(&bench->work, bench->words_most * WORD, false, &bench->words);
    return error ? error : opencl_work_buffer(&bench->work, bench->items_most * WORD, false, &bench->out);
}

/** Compile what can run, and see that it is right. */
static int prepare(struct bench *bench, const struct order *order)
{
    bool filled = false, any = false;
    for (size_t v = 0; v < bench->roof->variants; v++) {
        struct ready *ready = &bench->ready[v];
        const bool wanted = !order->launches || v == order->cell->variant;
        ready->can = wanted && bench->roof->arrange(&bench->work.facts, v, &ready->arranged);
        any |= ready->can;
    }
    int error = any ? make_buffers(bench)
                    : refuse(-ENOTSUP, bench->work.why, sizeof bench->work.why, "the device has none of its variants");
    for (size_t v = 0; !error && v < bench->roof->variants; v++) {
        struct ready *ready = &bench->ready[v];
        if (!ready->can)
            continue;
        error = bench->roof->source ? make_kernel(bench, ready, &filled) : choose_host(bench, ready);
    }
    for (size_t v = 0; !error && v < bench->roof->variants; v++) {
        if (bench->ready[v].can)
            error = try_out(bench, &bench->ready[v]);
    }
    return error;
}

static unsigned launches_for(double seconds, double launch_s)
{
    const double launches = seconds / (launch_s > 1e-7 ? launch_s : 1e-7) + 1;
    return launches < LAUNCHES_MOST ? (unsigned)launches : LAUNCHES_MOST;
}

/** Which is fastest, by the median of some looks in turns. */
static int choose(struct bench *bench, struct answer *answer)
{
    double looks[ROOF_VARIANTS_MOST][LOOKS], least = 0;
    const size_t variants = bench->roof->variants;
    for (unsigned look = 0; look < LOOKS; look++) {
        for (size_t v = 0; v < variants; v++) {
            struct opencl_series series;
            const struct ready *ready = &bench->ready[v];
            const unsigned launches = launches_for(LOOK_S, ready->seconds);
            int error = ready->can ? run(bench, ready, launches, &series) : 0;
            if (error)
                return error;
            looks[v][look] = ready->can ? series.host_s / launches / ready->arranged.amount : 0;
            worker_beat(bench->heart);
        }
    }
    for (size_t v = 0; v < variants; v++) {
        const double median = stats_median(looks[v], LOOKS);
        if (bench->ready[v].can && (least == 0 || median < least)) {
            least = median;
            answer->variant = (uint32_t)v;
        }
    }
    answer->launches = launches_for(SAMPLE_S, least * bench->ready[answer->variant].arranged.amount);
    return 0;
}

static int take(struct bench *bench, const struct order *order, struct answer *answer, struct opencl_series *series)
{
    const struct device *device = order->cell->device;
    int error = opencl_work_open(&device->source, device->folder, device->index, &bench->work);
    worker_beat(bench->heart);
    if (!error)
        error = prepare(bench, order);
    if (!error && !order->launches)
        error = choose(bench, answer);
    for (unsigned i = 0; !error && i < order->count; i++) {
        error = run(bench, &bench->ready[answer->variant], answer->launches, &series[i]);
        worker_beat(bench->heart);
    }
    return error;
}

static void work(void *context, struct worker *worker)
{
    const struct order *order = context;
    struct answer answer = {.variant = order->cell->variant, .launches = order->launches, .count = order->count};
    struct bench *bench = calloc(1, sizeof *bench);
    struct opencl_series *series = calloc(order->count, sizeof *series);
    answer.error = bench && series ? 0 : -ENOMEM;
    if (!answer.error) {
        bench->roof = order->cell->roof;
        bench->heart = worker_heart(worker);
        answer.error = take(bench, order, &answer, series);
        memcpy(answer.why, bench->work.why, sizeof answer.why);
    }
    if (answer.error)
        answer.count = 0;
    worker_send(worker, &answer, sizeof answer);
    worker_send(worker, series, answer.count * sizeof *series);
}

/* ---- in this process ---- */

static void note_timers(struct device_roof_cell *own, const struct opencl_series *series)
{
    const double share = series->host_s > 0 ? series->device_s / series->host_s : 0;
    own->timers[0] = own->timers[1] == 0 || share < own->timers[0] ? share : own->timers[0];
    own->timers[1] = share > own->timers[1] ? share : own->timers[1];
    own->agreed += share >= 1 - DEVICE_TIMERS_APART && share <= 1 + DEVICE_TIMERS_APART;
}

/** What a worker sent may be anything: a driver could have written over it. */
static int take_over(struct cell *cell, const struct worker_result *result, const struct order *order)
{
    struct device_roof_cell *own = device_roof_cell(cell);
    struct answer answer = {.error = -EPROTO};
    if (result->report_bytes >= sizeof answer)
        memcpy(&answer, result->report, sizeof answer);
    answer.why[sizeof answer.why - 1] = '\0';
    if (answer.error && answer.error != -EPROTO)
        return refuse(answer.error, cell->why, sizeof cell->why, "%s on %s: %.300s", own->roof->title,
                      own->device->number, answer.why[0] ? answer.why : strerror(-answer.error));
    const struct opencl_series *series = (const void *)(result->report + sizeof answer);
    if (answer.error || answer.count != order->count || answer.variant >= own->roof->variants || answer.launches == 0 ||
        answer.launches > LAUNCHES_MOST || result->report_bytes != sizeof answer + answer.count * sizeof *series)
        return refuse(-EIO, cell->why, sizeof cell->why, "the driver of %s wrote over memory that is not its own",
                      own->device->number);
    own->variant = answer.variant;
    cell->repeats = answer.launches;
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

int device_roof_visit(struct session *session, struct cell *cell, unsigned count)
{
    const struct device_roof_cell *own = device_roof_cell(cell);
    char name[64];
    const bool chosen = cell->repeats != 0;
    struct order order = {.cell = own, .count = count, .launches = chosen ? cell->repeats : 0};
    struct worker_result result;
    session_dissolve_team(session); /* a driver may use every core, and this thread is bound to none */
    const struct worker_job job = {.body = work, .context = &order, .limit_ms = own->device->source.limit_ms};
    worker_run(&job, &result);
    snprintf(name, sizeof name, "%s on %s", own->roof->title, own->device->number);
    int error = visit_apart_end(&result, name, job.limit_ms, cell);
    if (error == -EILSEQ)
        error = -EIO; /* of a driver that crashes, no result is wrong */
    if (!error)
        error = take_over(cell, &result, &order);
    free(result.report);
    return error;
}
