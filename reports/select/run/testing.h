/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

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

/** Records side by side, as make_run takes them: RECORDS(BETA(…), GAMMA(…)). */
#define RECORDS(...)                                                                                                   \
    RECORDS_OF(__VA_ARGS__, RECORDS_24, RECORDS_23, RECORDS_22, RECORDS_21, RECORDS_20, RECORDS_19, RECORDS_18,        \
               RECORDS_17, RECORDS_16, RECORDS_15, RECORDS_14, RECORDS_13, RECORDS_12, RECORDS_11, RECORDS_10,         \
               RECORDS_9, RECORDS_8, RECORDS_7, RECORDS_6, RECORDS_5, RECORDS_4, RECORDS_3, RECORDS_2, RECORDS_1)      \
    (__VA_ARGS__)
#define RECORDS_OF(_1, _2, _3, _4, _5, _6, _7, _8, _9, _10, _11, _12, _13, _14, _15, _16, _17, _18, _19, _20, _21,     \
                   _22, _23, _24, of, ...)                                                                             \
    of
#define RECORDS_1(record)       record
#define RECORDS_2(record, ...)  record "," RECORDS_1(__VA_ARGS__)
#define RECORDS_3(record, ...)  record "," RECORDS_2(__VA_ARGS__)
#define RECORDS_4(record, ...)  record "," RECORDS_3(__VA_ARGS__)
#define RECORDS_5(record, ...)  record "," RECORDS_4(__VA_ARGS__)
#define RECORDS_6(record, ...)  record "," RECORDS_5(__VA_ARGS__)
#define RECORDS_7(record, ...)  record "," RECORDS_6(__VA_ARGS__)
#define RECORDS_8(record, ...)  record "," RECORDS_7(__VA_ARGS__)
#define RECORDS_9(record, ...)  record "," RECORDS_8(__VA_ARGS__)
#define RECORDS_10(record, ...) record "," RECORDS_9(__VA_ARGS__)
#define RECORDS_11(record, ...) record "," RECORDS_10(__VA_ARGS__)
#define RECORDS_12(record, ...) record "," RECORDS_11(__VA_ARGS__)
#define RECORDS_13(record, ...) record "," RECORDS_12(__VA_ARGS__)
#define RECORDS_14(record, ...) record "," RECORDS_13(__VA_ARGS__)
#define RECORDS_15(record, ...) record "," RECORDS_14(__VA_ARGS__)
#define RECORDS_16(record, ...) record "," RECORDS_15(__VA_ARGS__)
#define RECORDS_17(record, ...) record "," RECORDS_16(__VA_ARGS__)
#define RECORDS_18(record, ...) record "," RECORDS_17(__VA_ARGS__)
#define RECORDS_19(record, ...) record "," RECORDS_18(__VA_ARGS__)
#define RECORDS_20(record, ...) record "," RECORDS_19(__VA_ARGS__)
#define RECORDS_21(record, ...) record "," RECORDS_20(__VA_ARGS__)
#define RECORDS_22(record, ...) record "," RECORDS_21(__VA_ARGS__)
#define RECORDS_23(record, ...) record "," RECORDS_22(__VA_ARGS__)
#define RECORDS_24(record, ...) record "," RECORDS_23(__VA_ARGS__)

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

/** A run of records alone, which is freed with its block: `MADE_RUN(run, SMALL_RUN);`. */
#define MADE_RUN(name, lines) MADE_RUN_OF(name, "{}", lines)
#define MADE_RUN_OF(name, meta, lines)                                                                                 \
    struct made_run name __attribute__((cleanup(free_run)));                                                           \
    make_run(&name, meta, lines)

/** Another run in place of one. */
static inline void remake_run(struct made_run *run, const char *meta, const char *lines)
{
    free_run(run);
    make_run(run, meta, lines);
}

/** A text that is freed with its block: `freed char *settings, *data;`. */
static inline void free_text(char **text)
{
    free(*text);
}
#define freed __attribute__((cleanup(free_text)))

/* Whether each of the parts is in a text, or none is. */
static inline void assert_parts(const char *text, bool there, const char *const *parts, size_t count, const char *file,
                                int line)
{
    for (size_t i = 0; i < count; i++) {
        if (!strstr(text, parts[i]) != there)
            continue;
        print_error("'%s' %s in: %s\n", parts[i], there ? "is not" : "should not be", text);
        _fail(file, line);
    }
}
#define assert_contains(text, ...)                                                                                     \
    assert_parts(text, true, (const char *const[]){__VA_ARGS__}, COUNT(((const char *const[]){__VA_ARGS__})),          \
                 __FILE__, __LINE__)
#define assert_lacks(text, ...)                                                                                        \
    assert_parts(text, false, (const char *const[]){__VA_ARGS__}, COUNT(((const char *const[]){__VA_ARGS__})),         \
                 __FILE__, __LINE__)
#define assert_near(value, expected, tolerance) assert_true(fabs((value) - (expected)) <= (tolerance))

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
    RECORDS(BETA(1, 10e9, 4.0, true), BETA(2, 15e9, 3.0, true),                                                        \
            GAMMA("int2.envelope.avx_vnni", "envelope", 8.0, 1, 5.0, 1.25, false),                                     \
            GAMMA("int2.envelope.avx_vnni", "envelope", 8.0, 4, 1.25, 1.25, true),                                     \
            GAMMA("int2.mask.avx_vnni", "mask", 8.0, 8, 0.5, null, true),                                              \
            GEMV("int2.envelope.avx_vnni", "envelope", 2.0, 64, 128, 2, "cold", 4e-6, 1.5, 0.5, 0.30),                 \
            GEMV("int2.mask.avx_vnni", "mask", 2.0, 64, 128, 2, "cold", 2e-6, 2.7, 0.9, -0.10),                        \
            GEMV("int2.mask.avx_vnni", "mask", 2.0, 64, 128, 2, "warm", 1e-6, 5.0, null, 0.9))
