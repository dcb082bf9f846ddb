/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* For tests only: runs as if they had been measured. Include cmocka.h before it. */

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "results/records/run.h"
#include "unit_test.h"

/** Records of a run without any; free with run_records_free. */
static inline struct run_records made_run(void)
{
    return (struct run_records){
        .meta = json_pack(
            "{s:s, s:{s:s, s:s, s:s, s:[s, s], s:i, s:i, s:i, s:s}, s:s, s:s, s:{s:s, s:s}, s:{s:i, s:[{s:i, s:i}]}}",
            "kneepoint", "0.1.0", "cpu", "name", "Test CPU", "vendor", "Test", "microarchitecture", "Test", "features",
            "avx2", "fma", "family", 6, "model", 143, "stepping", 8, "microcode", "0x1", "compiler", "gcc 12", "flags",
            "-O2", "host", "hostname", "here", "kernel", "6.1", "topology", "online_cpus", 2, "caches", "level", 3,
            "bytes", 1 << 25),
        .records = json_array(),
    };
}

static inline void made_cell(struct run_records *run, const char *name, int iterations, int repeats)
{
    json_array_append_new(run->records,
                          json_pack("{s:s, s:s, s:i, s:i, s:i, s:b}", "type", "cell", "name", name, "iterations",
                                    iterations, "repeats", repeats, "roof_bytes", 0, "exact", 1));
}

/** This many ticks a second that a time in them is right to 12 digits. */
#define MADE_TSC_HZ 0x1p60

/** A record of one sample to be changed further, borrowed. block 0: without the field. */
static inline json_t *made_sample(struct run_records *run, const char *name, unsigned block, unsigned visit,
                                  double time_s, double core_hz)
{
    json_t *sample = json_pack("{s:s, s:s, s:i, s:f, s:s, s:[I], s:[f]}", "type", "samples", "name", name, "visit",
                               (int)visit, "tsc_hz", MADE_TSC_HZ, "grade", "chain", "ticks",
                               (json_int_t)llround(time_s * MADE_TSC_HZ), "core_khz", core_hz / 1e3);
    if (block)
        json_object_set_new(sample, "block", json_integer(block));
    json_array_append_new(run->records, sample);
    return sample;
}

/** Make it one of the roof. */
static inline void made_roof(json_t *sample)
{
    json_object_set_new(sample, "roof",
                        json_pack("{s:i, s:s, s:O, s:O}", "stream", 0, "grade", "chain", "ticks",
                                  json_object_get(sample, "ticks"), "core_khz", json_object_get(sample, "core_khz")));
    json_object_set_new(sample, "ticks", json_array());
    json_object_set_new(sample, "core_khz", json_array());
}

static inline void made_unroll(json_t *sample, int unroll)
{
    json_object_set_new(sample, "unroll", json_pack("[i]", unroll));
}

static inline void made_rejected(json_t *sample, const char *cause)
{
    json_object_set_new(sample, "rejected", json_pack("{s:[i]}", cause, 0));
}

static inline void set_text(json_t *object, const char *field, const char *text)
{
    json_object_set_new(object, field, json_string(text));
}

static inline void assert_close(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-9 * fabs(expected) + 1e-15))
        fail_msg("%.12g is not %.12g", value, expected);
}
