/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Every kernel for OpenCL devices against the scalar reference, in some of its variants, and every variant with some kernels: on PoCL, with the shapes and fills of the tests of
 * kernels for CPUs, and on Oclgrind, which interprets work-items and prints what they access beyond buffers and where they race, with small ones.
 * Guards lie around results and after weights and activations.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "harness/cells/device/device_product.h"
#include "platforms/process/worker.h"
#include "results/files/folder.h"
#include "results/text/refuse.h"
#include "results/text/words.h"
#include "unit_test.h"

/** A driver, and what it has time for: the first so many of M and K, and fills. */
struct driver {
    const char *package, *file; /* that is there with the package */
    bool alone;                 /* the file is the driver, and the only one that is loaded */
    size_t ms, ks, fills;
    bool dots; /* a macro stands in for the instruction of cl_khr_integer_dot_product, which the driver lacks */
};
static const struct driver pocl = {"pocl-opencl-icd", "/etc/OpenCL/vendors/pocl.icd", false, 5, 4, DEVICE_FILLS, false};
static const struct driver oclgrind = {"oclgrind", "/usr/lib/oclgrind/liboclgrind-rt-icd.so", true, 2, 2, 1, false};

static const struct driver pocl_with_dots = {
    "pocl-opencl-icd", "/etc/OpenCL/vendors/pocl.icd", false, 2, 2, DEVICE_FILLS, true};

/** Tokens of GEMMs: at most as many as variants take at once. */
enum { MANY = 4 };

struct trial {
    const struct device_kernel *kernel;
    size_t number; /* of the kernel */
    const struct driver *driver;
};

/** What a worker finds, in memory that this process sees too: a worker that crashes has said of what. */
struct found {
    int error;
    char why[OPENCL_WHY], of[160];
    size_t rows, tried;
    uint32_t of_one, of_many; /* variants of GEMVs and of GEMMs that were tried, a bit each */
};

/** Kernels that a worker tries. */
struct trials {
    const struct driver *driver;
    const char *folder;
    size_t first, end;
    struct found *found;
};

/** A shape, tokens and how they are filled. */
struct matrix {
    struct shape shape;
    size_t tokens;
    enum device_fill fill;
};

/** Each matrix once, by every variant: M of a panel and around it, K of steps and, where it may be, with columns that pad. */
static int try_shape(struct opencl_work *work, const struct device_kernel *kernel,
                     const struct device_compiled *compiled, const struct matrix *matrix, struct found *found)
{
    struct device_product product;
    const size_t m = matrix->shape.m, k = matrix->shape.k, tokens = matrix->tokens;
    uint64_t random = 7919 * (m + 3 * k + matrix->fill) + tokens;
    struct reference_check check = {0};
    int error = device_product_open(&product, work, kernel, &matrix->shape, tokens, 0, matrix->fill, random);
    for (size_t v = 0; !error && v < PRODUCT_VARIANTS; v++) {
        struct device_variant variant;
        if (!compiled[v].product || !device_product_arrange(kernel, &work->facts, m, tokens, v, &variant))
            continue;
        snprintf(found->of, sizeof found->of, "%s, %zux%zu, %zu tokens, fill %d, %s", kernel->name, m, k, tokens,
                 (int)matrix->fill, variant.label);
        error = device_product_bind(&product, work, &compiled[v]);
        if (!error)
            error = device_product_try(&product, work, &compiled[v], &variant, &random, &check);
        found->tried++;
    }
    found->rows += check.rows;
    device_product_free(&product);
    return error;
}

/** @param many  tokens: with these, one fewer and more than two tiles of them */
static int try_shapes(struct opencl_work *work, const struct trial *trial, const struct device_compiled *compiled,
                      size_t many, struct worker_beat *heart, struct found *found)
{
    const struct driver *driver = trial->driver;
    const struct format *format = device_kernel_format(trial->kernel);
    const size_t rows = format->rows_per_panel, step = format->k_multiple ? format->k_multiple : format->k_per_step;
    const size_t ms[] = {1, rows + 1, rows, 5 * rows + 3, 67 * rows};
    const size_t ks[] = {step, format->k_multiple ? 3 * step : 3 * step - 1, 8 * step, 33 * step};
    int error = 0;
    for (size_t i = 0; !error && i<driver->ms * driver->ks * driver->fills; i += many> 1 ? 3 : 1) {
        const size_t tokens[] = {many, 2 * many + 1, many - 1};
        const struct matrix matrix = {.shape = {.m = ms[i % driver->ms], .k = ks[i / driver->ms % driver->ks]},
                                      .tokens = many > 1 ? tokens[i / 3 % 3] : 1,
                                      .fill = (enum device_fill)(i / driver->ms / driver->ks)};
        error = try_shape(work, trial->kernel, compiled, &matrix, found);
        worker_beat(heart);
    }
    return error;
}

/** Let the loader find this driver and no other. */
static void choose_driver(const struct trials *trials)
{
    char path[600];
    if (!trials->driver->alone)
        return;
    snprintf(path, sizeof path, "%s/one.icd", trials->folder);
    FILE *file = fopen(path, "w");
    if (file) {
        fprintf(file, "%s\n", trials->driver->file);
        fclose(file);
    }
    setenv("OCL_ICD_VENDORS", path, 1);
    setenv("OCLGRIND_DATA_RACES", "1", 1);
    setenv("OCLGRIND_CHECK_API", "1", 1);
    setenv("OCLGRIND_BUILD_OPTIONS", "-cl-opt-disable", 1); /* its interpreter does not know all that LLVM makes */
}

/** Of the unsigned bytes of u and the signed ones of a. */
static const char dot_stands_in[] =
    " -Ddot_4x8packed_us_int(u,a)=((int)((u)&255)*(char)(a)+(int)((u)>>8&255)*(char)((a)>>8)+"
    "(int)((u)>>16&255)*(char)((a)>>16)+(int)((u)>>24)*(char)((a)>>24))";

/**
 * As users have it where no kernel before had this variant, and where no other of this kernel is; else without optimization, which
 * takes a compiler half of its time.
 * @param seen  variants so far, a bit each; @param optimized whether one of this kernel was
 */
static int make(struct opencl_work *at, const struct trial *trial, size_t v, struct device_variant *variant,
                uint32_t *seen, bool *optimized, struct worker_beat *heart, struct device_compiled *compiled)
{
    if (trial->driver->dots)
        words_append(variant->options, sizeof variant->options, "%s", dot_stands_in);
    if (*optimized && *seen >> v & 1)
        words_append(variant->options, sizeof variant->options, " -cl-opt-disable");
    *optimized = true;
    *seen |= UINT32_C(1) << v;
    int error = device_product_make(trial->kernel, at, variant, compiled);
    worker_beat(heart);
    return error;
}

/** Of how many variants a kernel tries one: of the dots and of a row that has few all, fewer where a kernel before has the same text. */
static size_t variants_apart(const struct trial *trial)
{
    size_t apart = trial->driver->alone ? 5 : 3;
    if (trial->driver->dots || device_kernel_macro(trial->kernel, "ONLY", PRODUCT_VARIANTS) < PRODUCT_VARIANTS)
        return 1;
    for (size_t i = 0; apart < 5 && i < trial->number; i++)
        apart += strcmp(device_kernels[i].source, trial->kernel->source) == 0;
    return apart;
}

/** GEMVs by some variants, other kernels by others; of the dots by each width once. */
static int try_one_token(struct opencl_work *at, const struct trial *trial, struct worker_beat *heart,
                         struct found *found)
{
    struct device_compiled compiled[PRODUCT_VARIANTS] = {0};
    struct device_variant variant;
    size_t can = trial->number;
    bool optimized = false;
    int error = 0;
    for (size_t v = 0; !error && v < PRODUCT_VARIANTS; v++) {
        if (!device_product_arrange(trial->kernel, &at->facts, 1, 1, v, &variant) ||
            (trial->driver->dots && (variant.split > 1 || variant.staged)) || can++ % variants_apart(trial) != 0)
            continue;
        error = make(at, trial, v, &variant, &found->of_one, &optimized, heart, &compiled[v]);
    }
    return error ? error : try_shapes(at, trial, compiled, 1, heart, found);
}

/**
 * GEMMs by one variant that reads activations as they lie and one that brings them to local memory; other kernels have others. The
 * interpreter has time for one of the two.
 */
static int try_many_tokens(struct opencl_work *at, const struct trial *trial, struct worker_beat *heart,
                           struct found *found)
{
    struct device_compiled compiled[PRODUCT_VARIANTS] = {0};
    struct device_variant variant;
    bool optimized = false,
         have[2] = {trial->driver->alone && trial->number % 2 == 0, trial->driver->alone && trial->number % 2 == 1};
    int error = 0;
    for (size_t i = 0; !error && i < PRODUCT_VARIANTS; i++) {
        const size_t v = (trial->number + i) % PRODUCT_VARIANTS;
        if (!device_product_arrange(trial->kernel, &at->facts, 1, MANY, v, &variant) || have[variant.staged])
            continue;
        have[variant.staged] = true;
        error = make(at, trial, v, &variant, &found->of_many, &optimized, heart, &compiled[v]);
    }
    return error ? error : try_shapes(at, trial, compiled, MANY, heart, found);
}

static bool is_tried(const struct driver *driver, const struct device_kernel *kernel)
{
    return !driver->dots || device_kernel_definition(kernel).takes == KERNEL_TAKES_INT8;
}

static int try_kernel(struct opencl_work *at, const struct trial *trial, struct worker_beat *heart, struct found *found)
{
    const size_t rows = found->rows, tried = found->tried;
    snprintf(found->of, sizeof found->of, "%s", trial->kernel->name);
    int error = try_one_token(at, trial, heart, found);
    if (!error && !trial->driver->dots)
        error = try_many_tokens(at, trial, heart, found);
    if (error || (found->tried - tried >= 4 && found->rows - rows >= found->tried - tried))
        return error;
    return refuse(-ENODATA, at->why, sizeof at->why, "only %zu products tried", found->tried - tried);
}

static void work(void *context, struct worker *worker)
{
    const struct trials *trials = context;
    struct found *found = trials->found;
    struct trial trial = {.driver = trials->driver};
    struct opencl_source source;
    static struct opencl_work at;
    choose_driver(trials);
    opencl_source_host(&source);
    found->error = opencl_work_open(&source, trials->folder, 0, &at);
    at.facts.integer_dot_product = trials->driver->dots ? OPENCL_YES : at.facts.integer_dot_product;
    for (size_t i = trials->first; i < trials->end && !found->error; i++) {
        trial.kernel = &device_kernels[i];
        trial.number = i;
        if (is_tried(trials->driver, trial.kernel))
            found->error = try_kernel(&at, &trial, worker_heart(worker), found);
    }
    memcpy(found->why, at.why, sizeof found->why);
}

/** Some kernels, in a worker, which loads a driver and what it compiles with once; text is what is wrong. */
static void try_some(const struct trials *trials, char *text, size_t size)
{
    struct worker_result result;
    struct found *found = trials->found;
    const struct worker_job job = {.body = work, .context = (void *)trials, .limit_ms = 60000};
    found->error = -EPROTO;
    worker_run(&job, &result);
    free(result.report);
    if (result.outcome != WORKER_RETURNED || found->error)
        snprintf(text, size, "%s: %s: %s %s", found->of, strerror(-found->error), found->why, result.printed);
    else if (result.printed[0])
        snprintf(text, size, "%s: %s", found->of, result.printed);
}

static void try_all(const struct driver *driver)
{
    char folder[512], text[WORKER_PRINTED + 1024] = "";
    if (access(driver->file, R_OK) != 0) {
        print_message("# not on this machine: no %s\n", driver->package);
        skip();
    }
    assert_int_equal(temporary_folder_make(folder, sizeof folder, text, sizeof text), 0);
    struct found *found = mmap(NULL, sizeof *found, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(found, MAP_FAILED);
    struct trials trials = {driver, folder, .found = found};
    while (device_kernels[trials.first].name && !text[0]) {
        trials.end = trials.first + 1;
        while (!driver->alone && device_kernels[trials.end].name)
            trials.end++;
        try_some(&trials, text, sizeof text);
        trials.first = trials.end;
    }
    temporary_folder_remove(folder);
    assert_string_equal(text, "");
    if (!driver->dots && !driver->alone) {
        assert_int_equal(found->of_one, (1 << PRODUCT_VARIANTS) - 1);
        assert_int_equal(found->of_many, (1 << PRODUCT_VARIANTS) - 1);
    }
    munmap(found, sizeof *found);
}

TEST(results_are_those_of_the_reference)
{
    try_all(&pocl);
}

TEST(so_with_dot_products_of_the_device)
{
    try_all(&pocl_with_dots);
}

TEST(no_access_is_out_of_bounds_or_races)
{
    try_all(&oclgrind);
}

TEST(a_row_says_how_lanes_are_shared)
{
    static const struct opencl_device small = {.group_items = 64, .local_bytes = 16384};
    struct device_variant variant;
    for (const struct device_kernel *kernel = device_kernels; kernel->name; kernel++) {
        size_t can = 0;
        assert_non_null(device_kernel_format(kernel));
        for (size_t v = 0; v < PRODUCT_VARIANTS; v++) {
            if (!device_product_arrange(kernel, &small, 1000, 1, v, &variant))
                continue;
            can++;
            assert_true(variant.group <= 64 && variant.items % variant.group == 0);
            assert_true(strlen(variant.options) < sizeof variant.options - 1);
        }
        assert_true(can > 0);
        assert_int_equal(device_kernel_macro(kernel, "NO_SUCH_MACRO", 5), 5);
    }
}

RUN_TESTS(NULL, NULL)
