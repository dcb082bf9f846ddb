/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "results/blocks/foreign.h"
#include "results/records/testing.h"
#include "unit_test.h"

static const char path[] = "foreign.json";

static int read_text(const char *text, struct blocks *blocks, char *why, size_t size)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
    memset(blocks, 0, sizeof *blocks);
    int error = foreign_read(path, blocks, why, size);
    unlink(path);
    return error;
}

static void takes(const char *text, struct blocks *blocks)
{
    char why[512] = "";
    int error = read_text(text, blocks, why, sizeof why);
    assert_string_equal(why, "");
    assert_int_equal(error, 0);
}

static void refuses(const char *text, const char *reason)
{
    struct blocks blocks;
    char why[512] = "";
    assert_int_equal(read_text(text, &blocks, why, sizeof why), -EINVAL);
    assert_non_null(strstr(why, reason));
    assert_non_null(strstr(why, path));
    assert_null(blocks.cell);
}

static const char two_tests[] =
    "[{\"build_commit\": \"3469684\", \"cpu_info\": \"A CPU\", \"gpu_info\": \"\", \"model_filename\": \"a.gguf\","
    " \"model_type\": \"llama 7B Q4_0\", \"n_batch\": 2048, \"n_threads\": 4, \"type_k\": \"f16\", \"n_prompt\": 512,"
    " \"n_gen\": 0, \"avg_ns\": 2000, \"samples_ns\": [2000, 1000, 3000, 4000, 2500], \"samples_ts\": [1, 2, 3, 4, 5]},"
    " {\"cpu_info\": \"A CPU\", \"model_type\": \"llama 7B Q4_0\", \"n_batch\": 128, \"n_threads\": 4, \"type_k\": \"q8_0\","
    " \"n_prompt\": 0, \"n_gen\": 128, \"n_depth\": 4096, \"future\": {\"a\": 1}, \"samples_ns\": [5e6, 0, -1]}]";

TEST(tests_of_llama_bench_are_cells)
{
    struct blocks blocks;
    takes(two_tests, &blocks);
    assert_string_equal(blocks.source, "llama-bench");
    assert_false(blocks.processes);
    assert_int_equal(blocks.cells, 2);
    assert_int_equal(blocks.count, 5);
    const struct blocks_cell *prompt = blocks_find(&blocks, "llama 7B Q4_0/pp512/t4");
    assert_non_null(prompt);
    assert_int_equal(prompt->count, 5);
    assert_close(prompt->value[1], 1e-6);
    assert_close(prompt->timed_s, 2.5e-6);
    assert_int_equal(prompt->class, COMPARE_MEMORY);
    assert_true(isnan(prompt->roof_s[0]));
    assert_string_equal(json_string_value(json_object_get(json_object_get(blocks.meta, "cpu"), "name")), "A CPU");
    blocks_release(&blocks);
}

TEST(parameters_off_their_defaults_are_in_the_name)
{
    struct blocks blocks;
    takes(two_tests, &blocks);
    const struct blocks_cell *cell =
        blocks_find(&blocks, "llama 7B Q4_0/tg128 @ d4096/t4 n_batch=128 type_k=q8_0 future={\"a\":1}");
    assert_non_null(cell);
    assert_int_equal(cell->count, 1);
    assert_int_equal(cell->rejected, 2); /* no time, and a negative one */
    blocks_release(&blocks);
}

TEST(lines_of_llama_bench_are_the_same)
{
    struct blocks blocks;
    takes("{\"model_type\": \"m\", \"n_threads\": 2, \"n_gen\": 8, \"samples_ns\": [10, 20]}\n\n"
          "{\"model_type\": \"m\", \"n_threads\": 2, \"n_gen\": 8, \"samples_ns\": [30]}\n",
          &blocks);
    assert_int_equal(blocks.cells, 1);
    assert_string_equal(blocks.cell[0].name, "m/tg8/t2");
    assert_int_equal(blocks.cell[0].count, 3);
    assert_int_equal(blocks.cell[0].block[2], 2);
    blocks_release(&blocks);
}

static const char context[] = "{\"context\": {\"host_name\": \"here\", \"num_cpus\": 2, \"library_build_type\": "
                              "\"release\"}, \"benchmarks\": [";

static void takes_benchmarks(const char *benchmarks, struct blocks *blocks)
{
    char text[4096];
    snprintf(text, sizeof text, "%s%s]}", context, benchmarks);
    takes(text, blocks);
}

static void refuses_benchmarks(const char *benchmarks, const char *reason)
{
    char text[4096];
    snprintf(text, sizeof text, "%s%s]}", context, benchmarks);
    refuses(text, reason);
}

TEST(repetitions_of_google_benchmark_are_samples)
{
    struct blocks blocks;
    takes_benchmarks(
        "{\"name\": \"BM/8\", \"run_name\": \"BM/8\", \"run_type\": \"iteration\", \"real_time\": 2, \"time_unit\": \"us\"},"
        "{\"name\": \"BM/8\", \"run_name\": \"BM/8\", \"run_type\": \"iteration\", \"real_time\": 4, \"time_unit\": \"us\"},"
        "{\"name\": \"BM/8\", \"run_type\": \"iteration\", \"error_occurred\": true},"
        "{\"name\": \"BM/8_mean\", \"run_name\": \"BM/8\", \"run_type\": \"aggregate\", \"real_time\": 9, \"time_unit\": "
        "\"us\"}, {\"name\": \"old\", \"real_time\": 7, \"time_unit\": \"ms\"}",
        &blocks);
    assert_string_equal(blocks.source, "google/benchmark");
    assert_int_equal(blocks.cells, 2);
    const struct blocks_cell *cell = blocks_find(&blocks, "BM/8");
    assert_int_equal(cell->count, 2);
    assert_int_equal(cell->rejected, 1);
    assert_close(cell->timed_s, 3e-6);
    assert_close(blocks_find(&blocks, "old")->value[0], 7e-3);
    blocks_release(&blocks);
}

TEST(damaged_ones_are_refused_by_name)
{
    refuses("[{\"samples_ns\": []}]", "test 1 has no samples_ns");
    refuses("[{\"samples_ns\": [1]}, {\"avg_ns\": 1}]", "test 2 has no samples_ns");
    refuses("[{\"samples_ns\": [1, \"2\"]}]", "samples_ns[1] of test 1 is no number");
    refuses_benchmarks("", "only aggregates or nothing");
    refuses_benchmarks("{\"name\": \"BM_mean\", \"run_type\": \"aggregate\", \"real_time\": 1}",
                       "without --benchmark_report_aggregates_only");
    refuses_benchmarks("{\"real_time\": 1}", "benchmark 1 has no name");
    refuses_benchmarks("{\"name\": \"BM\", \"real_time\": 1, \"time_unit\": \"fortnights\"}", "no real_time in ns");
    refuses_benchmarks("{\"name\": \"BM\", \"real_time\": \"1\"}", "no real_time in ns");
}

TEST(other_files_are_of_no_such_tool)
{
    static const char *const others[] = {"",
                                         "{}",
                                         "[]",
                                         "[1]",
                                         "{\"kneepoint_baseline\": 1, \"cells\": []}",
                                         "no JSON",
                                         "{\"type\": \"beta\"}\n{\"type\": \"end\"}\n",
                                         "[{\"samples_ns\": [1]",
                                         "{\"benchmarks\": []}"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        struct blocks blocks;
        char why[512] = "";
        assert_int_equal(read_text(others[i], &blocks, why, sizeof why), -ENOTSUP);
        assert_string_equal(why, "");
    }
    struct blocks blocks;
    char why[512] = "";
    assert_int_equal(foreign_read("absent.json", &blocks, why, sizeof why), -ENOENT);
    assert_non_null(strstr(why, "absent.json"));
}

TEST(a_baseline_keeps_where_it_comes_from)
{
    struct blocks blocks, again;
    char why[512];
    takes(two_tests, &blocks);
    json_t *object = blocks_to_json(&blocks);
    assert_int_equal(blocks_from_json(object, &again, why, sizeof why), 0);
    assert_string_equal(again.source, "llama-bench");
    assert_string_equal(blocks_replicate(&again), "sample");
    json_decref(object);
    blocks_release(&again);
    blocks_release(&blocks);
}

RUN_TESTS(NULL, NULL)
