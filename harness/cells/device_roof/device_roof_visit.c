/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the worker of a visit does with the device.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cells/device_roof/device_roof.h"
#include "results/text/refuse.h"

enum { WORD = 4 };

/** A variant that can be launched. */
struct ready {
    bool can;
    struct roof_variant arranged;
    void *kernel; /* NULL: a copy */
    const void *host;
    double seconds; /* of a launch, as far as it was looked at */
};

/** What a bench has of a roof. */
struct rig {
    struct device_bench *bench;
    struct opencl_work *work;
    const struct device_roof *roof;
    void *words, *out, *mapped;
    uint32_t *host; /* of what is written and read */
    size_t words_most, items_most;
    bool filled; /* the words */
    struct ready ready[ROOF_VARIANTS_MOST];
};

/** The kernel's text after what all have in common. */
static int build(struct rig *rig, const struct roof_variant *variant, void **program)
{
    const char *const of_bytes[] = {"micro/opencl/vector.h", "micro/opencl/dot.h", rig->roof->source, NULL};
    const char *const of_others[] = {"micro/opencl/vector.h", rig->roof->source, NULL};
    char *whole = device_text(rig->roof == &device_roofs[DEVICE_ROOF_INT8_DOT] ? of_bytes : of_others);
    if (!whole)
        return -ENOMEM;
    int error = opencl_work_build(rig->work, whole, variant->options, program);
    free(whole);
    return error;
}

static int set_arguments(struct rig *rig, void *kernel, uint32_t each)
{
    int error = opencl_work_argument(rig->work, kernel, 0, sizeof rig->words, &rig->words);
    if (!error)
        error = opencl_work_argument(rig->work, kernel, 1, sizeof rig->out, &rig->out);
    return error ? error : opencl_work_argument(rig->work, kernel, 2, sizeof each, &each);
}

/** The words, by the device where they are many. */
static int fill_words(struct rig *rig, void *program)
{
    enum { EACH = 1024, GROUP = 1 };
    const uint32_t each = EACH;
    struct opencl_series series;
    void *kernel;
    if (!rig->roof->fills)
        return opencl_work_write(rig->work, rig->words, 0, rig->host, rig->words_most * WORD);
    int error = opencl_work_kernel(rig->work, program, "fill", &kernel);
    if (!error)
        error = opencl_work_argument(rig->work, kernel, 0, sizeof rig->words, &rig->words);
    if (!error)
        error = opencl_work_argument(rig->work, kernel, 1, sizeof each, &each);
    const struct opencl_launch launch = {kernel, rig->words_most / EACH, GROUP, NULL};
    return error ? error : opencl_work_launch(rig->work, &launch, 1, 1, &series);
}

static int run(struct rig *rig, const struct ready *ready, unsigned launches, struct opencl_series *series)
{
    const struct roof_variant *variant = &ready->arranged;
    const struct opencl_launch launch = {ready->kernel, variant->items, variant->group, NULL};
    if (ready->kernel)
        return opencl_work_launch(rig->work, &launch, 1, launches, series);
    return opencl_work_send(rig->work, rig->words, ready->host, variant->words * WORD, launches, series);
}

/** Of a launch: what all work-items returned. */
static int check_sum(struct rig *rig, const struct roof_variant *variant)
{
    uint32_t sum = 0;
    int error = opencl_work_read(rig->work, rig->out, rig->host, variant->items * WORD);
    for (size_t i = 0; i < variant->items; i++)
        sum += rig->host[i];
    if (error || sum == variant->sum || rig->roof->unit == ROOF_LAUNCHES)
        return error;
    return refuse(-EILSEQ, rig->work->why, sizeof rig->work->why,
                  "a wrong result, 0x%08x instead of 0x%08x, of %s: a fault of the driver or of the device", sum,
                  variant->sum, variant->label);
}

/** Of a copy: what arrived. */
static int check_copy(struct rig *rig, const struct ready *ready, uint32_t *arrived)
{
    const size_t bytes = ready->arranged.words * WORD;
    int error = opencl_work_read(rig->work, rig->words, arrived, bytes);
    if (!error && memcmp(arrived, ready->host, bytes) != 0)
        error =
            refuse(-EILSEQ, rig->work->why, sizeof rig->work->why, "a copy %s arrived changed", ready->arranged.label);
    return error;
}

/** The first launch, which is not timed, into a buffer without what another one left there. */
static int try_out(struct rig *rig, struct ready *ready)
{
    struct opencl_series series = {0};
    const size_t words = ready->kernel ? rig->items_most : ready->arranged.words;
    uint32_t *empty = calloc(words, WORD);
    if (!empty)
        return -ENOMEM;
    int error = opencl_work_write(rig->work, ready->kernel ? rig->out : rig->words, 0, empty, words * WORD);
    if (!error)
        error = run(rig, ready, 1, &series);
    if (!error)
        error = ready->kernel ? check_sum(rig, &ready->arranged) : check_copy(rig, ready, empty);
    if (!error)
        error = run(rig, ready, 1, &series);
    ready->seconds = series.host_s;
    free(empty);
    worker_beat(rig->bench->heart);
    return error;
}

static int make_kernel(struct rig *rig, struct ready *ready)
{
    void *program;
    int error = build(rig, &ready->arranged, &program);
    worker_beat(rig->bench->heart);
    if (!error && !rig->filled)
        error = fill_words(rig, program);
    rig->filled |= !error;
    if (!error)
        error = opencl_work_kernel(rig->work, program, "roof", &ready->kernel);
    return error ? error : set_arguments(rig, ready->kernel, ready->arranged.each);
}

/** What a copy is from: memory of this process, or a buffer that the driver mapped. */
static int choose_host(struct rig *rig, struct ready *ready)
{
    void *mapped;
    const size_t bytes = ready->arranged.words * WORD;
    ready->host = rig->host;
    if (!ready->arranged.mapped)
        return 0;
    int error = opencl_work_buffer(rig->work, bytes, true, &rig->mapped);
    if (!error)
        error = opencl_work_map(rig->work, rig->mapped, bytes, &mapped);
    if (!error)
        ready->host = memcpy(mapped, rig->host, bytes);
    return error;
}

/** Buffers for every variant that can run, and in the host's memory as many words. */
static int make_buffers(struct rig *rig)
{
    rig->items_most = 1;
    for (size_t v = 0; v < rig->roof->variants; v++) {
        const struct ready *ready = &rig->ready[v];
        if (ready->can && ready->arranged.items > rig->items_most)
            rig->items_most = ready->arranged.items;
        if (ready->can && ready->arranged.words > rig->words_most)
            rig->words_most = ready->arranged.words;
    }
    const size_t written = rig->roof->fills ? 0 : rig->words_most;
    rig->host = malloc((written > rig->items_most ? written : rig->items_most) * WORD);
    if (!rig->host)
        return -ENOMEM;
    for (size_t i = 0; i < written; i++)
        rig->host[i] = roof_word(i);
    int error = opencl_work_buffer(rig->work, rig->words_most * WORD, false, &rig->words);
    return error ? error : opencl_work_buffer(rig->work, rig->items_most * WORD, false, &rig->out);
}

static int open_rig(struct device_bench *bench, const struct cell *cell)
{
    struct rig *rig = bench->own;
    bool any = false;
    rig->bench = bench;
    rig->work = &bench->work;
    rig->roof = device_roof_cell(cell)->roof;
    bench->exact = true;
    for (size_t v = 0; v < rig->roof->variants; v++) {
        struct ready *ready = &rig->ready[v];
        ready->can = device_wants(bench, v) && rig->roof->arrange(&rig->work->facts, v, &ready->arranged);
        bench->ready[v].can = ready->can;
        any |= ready->can;
    }
    return any ? make_buffers(rig) : 0;
}

static int ready(struct device_bench *bench, size_t v)
{
    struct rig *rig = bench->own;
    struct ready *variant = &rig->ready[v];
    int error = rig->roof->source ? make_kernel(rig, variant) : choose_host(rig, variant);
    if (!error)
        error = try_out(rig, variant);
    bench->ready[v].seconds = variant->seconds;
    bench->ready[v].amount = variant->arranged.amount;
    return error;
}

static int run_variant(struct device_bench *bench, size_t variant, unsigned launches, struct opencl_series *series)
{
    struct rig *rig = bench->own;
    return run(rig, &rig->ready[variant], launches, series);
}

int device_roof_visit(struct session *session, struct cell *cell, unsigned count)
{
    const struct device_roof *roof = device_roof_cell(cell)->roof;
    const struct device_ops ops = {
        .variants = roof->variants, .own = sizeof(struct rig), .open = open_rig, .ready = ready, .run = run_variant};
    return device_visit(session, cell, count, &ops, roof->title);
}
