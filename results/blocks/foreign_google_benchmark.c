/* SPDX-License-Identifier: BSD-3-Clause
 *
 * google/benchmark with --benchmark_format=json or --benchmark_out: an object with a "context" of the machine and
 * "benchmarks". Those of run_type "iteration" are repetitions, with the time of an iteration in their time_unit.
 */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "results/blocks/foreign.h"
#include "results/records/record.h"
#include "results/text/refuse.h"

static const char remedy[] = "run it with --benchmark_repetitions=20, and without --benchmark_report_aggregates_only";

bool foreign_is_google_benchmark(const json_t *document)
{
    return json_is_object(json_object_get(document, "context")) &&
           json_is_array(json_object_get(document, "benchmarks"));
}

/** Seconds of a unit; NaN for one that the library does not have. */
static double seconds_of(const char *unit)
{
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}, {"", 1e-9}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (strcmp(unit, units[i].name) == 0)
            return units[i].seconds;
    }
    return NAN;
}

static bool has_failed(const json_t *benchmark)
{
    return json_is_true(json_object_get(benchmark, "error_occurred")) ||
           json_is_true(json_object_get(benchmark, "skipped"));
}

static int take_one(const json_t *benchmark, size_t number, struct blocks *blocks, char *why, size_t size)
{
    const char *name =
        record_text(benchmark, "run_name")[0] ? record_text(benchmark, "run_name") : record_text(benchmark, "name");
    const json_t *time = json_object_get(benchmark, "real_time");
    double unit = seconds_of(record_text(benchmark, "time_unit"));
    if (strcmp(record_text(benchmark, "run_type"), "aggregate") == 0)
        return 0;
    if (!name[0])
        return refuse(-EINVAL, why, size, "benchmark %zu has no name", number + 1);
    if (has_failed(benchmark))
        return foreign_add(blocks, name, NAN);
    if (!json_is_number(time) || isnan(unit))
        return refuse(-EINVAL, why, size, "benchmark %zu, '%.100s', has no real_time in ns, us, ms or s", number + 1,
                      name);
    return foreign_add(blocks, name, unit * json_number_value(time));
}

/** The library does not name the CPU: what it says of it has to do. */
static void keep_facts(const json_t *context, json_t *meta)
{
    json_t *cpu = json_object(), *host = json_object();
    const char *build = record_text(context, "library_build_type");
    if (json_is_integer(json_object_get(context, "num_cpus")))
        json_object_set(cpu, "num_cpus", json_object_get(context, "num_cpus"));
    if (json_is_array(json_object_get(context, "caches")))
        json_object_set(cpu, "caches", json_object_get(context, "caches"));
    if (record_text(context, "host_name")[0])
        json_object_set(host, "hostname", json_object_get(context, "host_name"));
    if (json_is_boolean(json_object_get(context, "cpu_scaling_enabled")))
        json_object_set(host, "cpu_scaling_enabled", json_object_get(context, "cpu_scaling_enabled"));
    if (build[0])
        json_object_set_new(host, "library_build_type", json_string(build));
    json_object_set_new(meta, "cpu", cpu);
    json_object_set_new(meta, "host", host);
}

int foreign_take_google_benchmark(const json_t *document, struct blocks *blocks, char *why, size_t size)
{
    const json_t *benchmarks = json_object_get(document, "benchmarks");
    int error = 0;
    for (size_t i = 0; !error && i < json_array_size(benchmarks); i++)
        error = take_one(json_array_get(benchmarks, i), i, blocks, why, size);
    if (!error && !blocks->cells)
        return refuse(-EINVAL, why, size, "it has no repetitions, only aggregates or nothing at all: %s", remedy);
    keep_facts(json_object_get(document, "context"), blocks->meta);
    return error;
}
