/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* For tests only: two small models, teams, and code of the layers. Include cmocka's headers first. */

#include <errno.h>
#include <malloc.h>
#include <sched.h>
#include <string.h>

#include "harness/decode/decode_check.h"
#include "platforms/cpu/cpuid_dump.h"
#include "platforms/cpu/isa.h"
#include "platforms/topology/topology.h"
#include "unit_test.h"

/* What K of formats are multiples of, 256 and 128 among them, fits all sides. */
static const struct model small = {.name = "small",
                                   .layers = 3,
                                   .hidden = 512,
                                   .ffn = 768,
                                   .heads = 8,
                                   .kv_heads = 2,
                                   .head_size = 64,
                                   .vocabulary = 321,
                                   .activation = LAYER_SILU,
                                   .rope_base = 10000,
                                   .rope_values = 64};

/* Sides that no vector divides, a head that is padded, and of which a part is rotated. */
static const struct model odd = {.name = "odd",
                                 .layers = 2,
                                 .hidden = 301,
                                 .ffn = 333,
                                 .heads = 6,
                                 .kv_heads = 2,
                                 .head_size = 38,
                                 .vocabulary = 77,
                                 .activation = LAYER_RELU2,
                                 .rope_base = 500,
                                 .rope_values = 20,
                                 .sub_norms = true};

struct bench {
    struct topology *topology;
    struct decode_code best, plainest;
    struct team *team; /* NULL between the tests */
};

static inline bool runs_here(const char *isa)
{
    static struct cpuid_dump dump; /* read once: a guest's CPUID traps, and every kernel is asked for */
    static bool is_read;
    is_read = is_read || cpuid_dump_host(&dump) == 0;
    return is_read && isa_runs(isa_find(isa), isa_features_of(&dump));
}

static inline int open_bench(void **state)
{
    static struct bench bench;
    char why[256];
    *state = &bench;
    /* weights in double of one model after another, which would be mapped, touched and unmapped each time */
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, 256 << 20);
    for (const struct layer_kernel *const *at = layer_kernel_all(); *at; at++) {
        const struct layer_kernel **to = &bench.best.part[(*at)->part];
        if ((*at)->part == LAYER_ATTENTION && (*at)->attention.cache != LAYER_CACHE_BF16)
            continue;
        if (strcmp((*at)->isa, "reference") == 0)
            bench.plainest.part[(*at)->part] = *at;
        if (runs_here((*at)->isa) && (!*to || isa_find((*at)->isa)->priority > isa_find((*to)->isa)->priority))
            *to = *at;
    }
    for (const struct quantizer *const *at = quantizer_all(); *at; at++) {
        if (strcmp((*at)->isa, "reference") == 0)
            bench.best.quantizer = bench.plainest.quantizer = *at;
    }
    return topology_open(NULL, &bench.topology, why, sizeof why);
}

static inline int close_bench(void **state)
{
    topology_close(((struct bench *)*state)->topology);
    return 0;
}

static inline void with_team(struct bench *bench, unsigned threads)
{
    char why[256];
    unsigned cpus[2];
    cpu_set_t allowed;
    struct team_request request = {.threads = threads, .use_smt = true};
    sched_getaffinity(0, sizeof allowed, &allowed);
    skip_if(CPU_COUNT(&allowed) < (int)threads, "not on this machine: one CPU");
    assert_int_equal(topology_plan_team(bench->topology, &request, cpus, 2, why, sizeof why), threads);
    assert_int_equal(team_create(bench->topology, cpus, threads, &bench->team, why, sizeof why), 0);
}

static inline void end_team(struct bench *bench)
{
    team_destroy(bench->team);
    bench->team = NULL;
}

/** The kernel of a format that is the fastest to be had here, for one token or for prompts; NULL: none runs. */
static inline const struct kernel *best_of(const struct format *format, bool prompts)
{
    const struct kernel *best = NULL;
    for (const struct kernel *const *at = kernel_all(); *at; at++) {
        bool has = prompts ? (*at)->gemm.run != NULL : (*at)->gemv != NULL;
        if ((*at)->format == format && has && runs_here((*at)->isa) &&
            (!best || isa_find((*at)->isa)->priority > isa_find(best->isa)->priority))
            best = *at;
    }
    return best;
}

/** One that takes any K, of weights around zero: with others the mean of the activations hides what they differ in. */
static inline const struct kernel *any_kernel(enum kernel_takes takes, bool prompts)
{
    for (const struct format *const *format = format_all(); *format; format++) {
        const struct kernel *kernel = best_of(*format, prompts);
        if (kernel && kernel->takes == takes && !(*format)->k_multiple &&
            (*format)->weight_min + (*format)->weight_max == 0)
            return kernel;
    }
    print_message("# not on this machine: no %s of that kind runs here\n", prompts ? "GEMM" : "kernel");
    skip();
    return NULL;
}

/** All matrices of one kernel; tokens: 0 of a pass of one. */
static inline struct decode_weights_request request_of(const struct model *facts, const struct kernel *kernel,
                                                       size_t tokens)
{
    struct decode_weights_request request = {
        .facts = facts, .distinct = facts->layers, .head = kernel, .tokens = tokens, .seed = 5};
    for (int role = 0; role < DECODE_ROLES; role++)
        request.kernel[role] = kernel;
    return request;
}

static inline void multiply_nothing(const struct gemm_slice *slice)
{
    (void)slice;
}

/** The check of a reduced model lets a request pass, and refuses it once the kernel at one place of it multiplies nothing. */
static inline void wrong_kernel_is_seen(struct bench *bench, const struct decode_weights_request *request,
                                        const struct kernel **place)
{
    struct kernel wrong = **place;
    char why[256];
    double distance;
    with_team(bench, 2);
    assert_int_equal(decode_check(request, &bench->best, bench->team, &distance, why, sizeof why), 0);
    assert_true(distance <= decode_check_bound(request));
    wrong.gemm.run = multiply_nothing;
    *place = &wrong;
    assert_int_equal(decode_check(request, &bench->best, bench->team, &distance, why, sizeof why), -EILSEQ);
    end_team(bench);
}
