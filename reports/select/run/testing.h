/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef REPORTS_SELECT_RUN_TESTING_H
#define REPORTS_SELECT_RUN_TESTING_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/select/run/reported.h"
#include "unit_test.h"

/** A run made of JSON text, for the tests of all rooms. */
struct made_run {
    struct run_records records;
    struct view view;
};

/** lines: records separated by commas, as in an array without its brackets. Single quotes stand for double ones. */
static inline void make_run(struct made_run *run, const char *meta, const char *lines)
{
    size_t size = strlen(lines) + 3;
    char *array = malloc(size), *object = strdup(meta);
    snprintf(array, size, "[%s]", lines);
    for (char *at = array; *at; at++)
        *at = *at == '\'' ? '"' : *at;
    for (char *at = object; *at; at++)
        *at = *at == '\'' ? '"' : *at;
    run->records = (struct run_records){.meta = json_loads(object, 0, NULL), .records = json_loads(array, 0, NULL)};
    free(array);
    free(object);
    assert_non_null(run->records.meta);
    assert_non_null(run->records.records);
    assert_int_equal(view_open("results/machine/run", &run->records, &run->view), 0);
}

static inline void free_run(struct made_run *run)
{
    view_close(&run->view);
    json_decref(run->records.meta);
    json_decref(run->records.records);
}

#define assert_contains(text, part)                                                                                    \
    do {                                                                                                               \
        if (!strstr(text, part))                                                                                       \
            fail_msg("'%s' is not in: %s", part, text);                                                                \
    } while (0)
#define assert_near(value, expected, tolerance) assert_true(fabs((value) - (expected)) <= (tolerance))
#define assert_lacks(text, part)                                                                                       \
    do {                                                                                                               \
        if (strstr(text, part))                                                                                        \
            fail_msg("'%s' should not be in: %s", part, text);                                                         \
    } while (0)

/* A small run with known numbers: beta 4 and 3, a 2-bit sequence of the paper (knee 8/1.25 = 6.4) and ours (16). */
#define BETA(threads, rate, cycle, roof)                                                                               \
    "{'type':'beta','name':'s.t" #threads "','level':'memory','threads':" #threads ",'stream':'s','roof':" #roof       \
    ",'bytes_per_s':{'median':" #rate ",'ci95':[1,2]},'bytes_per_cycle_per_core':{'median':" #cycle "}}"
#define GAMMA(name, sequence, bytes, accumulators, gamma, claimed, usable)                                             \
    "{'type':'gamma','name':'" name "','isa':'avx_vnni','sequence':'" sequence "','accumulators':" #accumulators       \
    ",'bytes_per_vector':" #bytes ",'gamma':{'median':" #gamma "},'bound':'latency','claimed':" #claimed               \
    ",'usable':" #usable "}"
#define GEMV(name, sequence, bits, m, k, threads, protocol, time, cycle, fraction, residual)                           \
    "{'type':'gemv','name':'" name "','sequence':'" sequence "','isa':'avx_vnni','bits':" #bits                        \
    ",'models':['model-a'],'m':" #m ",'k':" #k ",'n':1,'threads':" #threads ",'protocol':'" protocol                   \
    "','time_s':{'median':" #time "},'bytes_per_s':{'median':1e9},'bytes_per_cycle_per_core':{'median':" #cycle        \
    "},'roof_fraction':{'median':" #fraction "},'residual':" #residual ",'overlap':0.5}"

/* A stream of a 2-bit sequence with its knee at 6.4; overlap, residual and distance as the harness would say. */
#define KNEE(name, level, threads, prefetch, beta, e_bw, distance, overlap, residual)                                  \
    "{'type':'knee','name':'" name "','isa':'avx_vnni','sequence':'paper','accumulators':4,'level':'" level            \
    "','threads':" #threads ",'prefetch_bytes':" #prefetch ",'chosen':true,'bytes_per_vector':8.0,'gamma':{'median':"  \
    "1.25},'knee':6.4,'beta':{'median':" #beta "},'e_bw':{'median':" #e_bw "},'distance':" #distance                   \
    ",'predicted':6.4,'predicted_serial':3.2,'overlap':" #overlap ",'residual':" #residual                             \
    ",'residual_serial':-0.5,'exact':true,'above_roof':false,'above_gamma':false}"

#define SMALL_RUN                                                                                                      \
    BETA(1, 10e9, 4.0, true)                                                                                           \
    "," BETA(2, 15e9, 3.0, true) "," GAMMA("int2.envelope.avx_vnni", "envelope", 8.0, 1, 5.0, 1.25, false) "," GAMMA(  \
        "int2.envelope.avx_vnni", "envelope", 8.0, 4, 1.25, 1.25,                                                      \
        true) "," GAMMA("int2.mask.avx_vnni", "mask", 8.0, 8, 0.5, null,                                               \
                        true) "," GEMV("int2.envelope.avx_vnni", "envelope", 2.0, 64, 128, 2, "cold", 4e-6, 1.5, 0.5,  \
                                       0.30) "," GEMV("int2.mask.avx_vnni", "mask", 2.0, 64, 128, 2, "cold", 2e-6,     \
                                                      2.7, 0.9, -0.10) "," GEMV("int2.mask.avx_vnni", "mask", 2.0, 64, \
                                                                                128, 2, "warm", 1e-6, 5.0, null, 0.9)

#endif
