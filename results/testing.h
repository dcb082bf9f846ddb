/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef RESULTS_TESTING_H
#define RESULTS_TESTING_H

/* For tests only: runs as if they had been measured. Include cmocka.h before it. */

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "results/run.h"

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

/** A sample record to be changed further, borrowed. block 0: without the field, as runs of before have none. */
static inline json_t *made_sample(struct run_records *run, const char *name, unsigned block, unsigned visit,
                                  double time_s, double core_hz)
{
    json_t *sample =
        json_pack("{s:s, s:s, s:i, s:f, s:f, s:s, s:b, s:n}", "type", "sample", "name", name, "visit", (int)visit,
                  "time_s", time_s, "core_hz", core_hz, "grade", "chain", "interrupted", 0, "rejected");
    if (block)
        json_object_set_new(sample, "block", json_integer(block));
    json_array_append_new(run->records, sample);
    return sample;
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

#endif
