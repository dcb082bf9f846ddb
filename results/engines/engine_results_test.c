/* SPDX-License-Identifier: BSD-3-Clause */
#include "results/engines/engine_results.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "unit_test.h"

static const char path[] = "engine.json";

static int read_text(const char *text, struct engine_results *results, char *why, size_t size)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
    int error = engine_results_read(path, results, why, size);
    unlink(path);
    return error;
}

static void takes(const char *text, struct engine_results *results)
{
    char why[512] = "";
    int error = read_text(text, results, why, sizeof why);
    assert_string_equal(why, "");
    assert_int_equal(error, 0);
}

static void refuses(const char *text, const char *reason)
{
    struct engine_results results;
    char why[512] = "";
    assert_int_equal(read_text(text, &results, why, sizeof why), -EINVAL);
    assert_non_null(strstr(why, reason));
    assert_non_null(strstr(why, path));
    assert_null(results.result);
}

TEST(tests_of_llama_bench_are_results)
{
    struct engine_results results;
    takes(
        "[{\"cpu_info\": \"A CPU\", \"model_type\": \"llama 1B Q4_0\", \"model_size\": 1000, \"model_n_params\": 2000, "
        "\"n_threads\": 2, \"n_gpu_layers\": 99, \"repack\": true, \"mla_attn\": 3, \"type_k\": \"q8_0\", \"n_ubatch\": 128, "
        "\"n_batch\": 2048, \"flash_attn\": false, \"n_prompt\": 0, \"n_gen\": 32, \"samples_ns\": [2e9, 1e9, 4e9]},"
        " {\"n_threads\": 4, \"backends\": \"CUDA,CPU\", \"n_gpu_layers\": 99, \"flash_attn\": 1, \"n_prompt\": 512, "
        "\"n_gen\": 0, \"n_depth\": 100, \"samples_ns\": [1e9]}]",
        &results);
    assert_int_equal(results.count, 2);
    const struct engine_result *token = &results.result[0], *prompt = &results.result[1];
    assert_string_equal(token->test, "tg32");
    assert_string_equal(token->engine, "ik_llama");
    assert_string_equal(token->options, "-rtr 1 -ctk q8_0 -ub 128");
    assert_true(token->repacked && engine_result_is_token(token) && !engine_result_is_prompt(token));
    assert_int_equal(engine_result_context(token), 16);
    assert_int_equal(token->threads, 2);
    assert_true(fabs(token->tokens_per_s - 16) <= 1e-9);
    assert_true(fabs(token->least - 8) <= 1e-9);
    assert_true(fabs(token->most - 32) <= 1e-9);
    assert_int_equal(token->repetitions, 3);
    assert_string_equal(token->gpu, "");
    assert_string_equal(prompt->test, "pp512 @ d100");
    assert_string_equal(prompt->engine, "ggml");
    assert_string_equal(prompt->options, "-fa 1");
    assert_string_equal(prompt->gpu, "CUDA");
    assert_true(engine_result_is_prompt(prompt));
    assert_int_equal(engine_result_context(prompt), 612);
    assert_true(isnan(prompt->least) && isnan(prompt->model_bytes));
    engine_results_release(&results);
}

TEST(back_ends_of_a_cpu_are_no_gpu)
{
    struct engine_results results;
    takes("{\"backends\": \"CPU, BLAS\", \"n_gpu_layers\": 99, \"n_gen\": 1, \"samples_ns\": [1]}\n"
          "{\"backends\": \"CUDA\", \"n_gpu_layers\": 0, \"n_gen\": 1, \"samples_ns\": [1]}\n"
          "{\"vulkan\": true, \"n_gpu_layers\": 5, \"n_gen\": 1, \"n_prompt\": 8, \"samples_ns\": [1]}\n",
          &results);
    assert_int_equal(results.count, 3);
    assert_string_equal(results.result[0].gpu, "");
    assert_string_equal(results.result[1].gpu, "");
    assert_string_equal(results.result[2].gpu, "vulkan");
    assert_int_equal(results.result[2].gpu_layers, 5);
    assert_false(engine_result_is_token(&results.result[2]) || engine_result_is_prompt(&results.result[2]));
    engine_results_release(&results);
}

TEST(the_table_of_llama_bench_is_read)
{
    struct engine_results results;
    takes(
        "loading\n"
        "| model                          |       size |     params | backend    | threads | fa | rtr |          test |              t/s |\n"
        "| ------------------------------ | ---------: | ---------: | ---------- | ------: | -: | --: | ------------: | ---------------: |\n"
        "| llama 1B Q4_0                  | 729.75 MiB |     1.24 B | CPU        |       2 |  0 |   1 | tg32 @ d4096  |     25.60 ± 0.13 |\n"
        "| bitnet 2B I2_S                 |   1.10 GiB |   500.00 M | CUDA       |       4 |  1 |   0 |         pp512 |           183.00 |\n"
        "\nbuild: abc (1)\n| not | a | row |\n",
        &results);
    assert_int_equal(results.count, 2);
    const struct engine_result *token = &results.result[0], *prompt = &results.result[1];
    assert_string_equal(token->test, "tg32 @ d4096");
    assert_string_equal(token->settings, "fa=0 rtr=1");
    assert_string_equal(token->options, "-rtr 1");
    assert_true(token->repacked);
    assert_int_equal(token->generated, 32);
    assert_int_equal(token->depth, 4096);
    assert_int_equal(engine_result_context(token), 4112);
    assert_true(fabs(token->model_bytes - 729.75 * 0x1p20) <= 1);
    assert_true(fabs(token->model_weights - 1.24e9) <= 1);
    assert_true(fabs(token->tokens_per_s - 25.6) <= 1e-9);
    assert_true(fabs(token->least - 25.47) <= 1e-9);
    assert_int_equal(token->repetitions, 0);
    assert_int_equal(prompt->prompt, 512);
    assert_true(fabs(prompt->model_bytes - 1.1 * 0x1p30) <= 1);
    assert_true(fabs(prompt->model_weights - 5e8) <= 1);
    assert_true(isnan(prompt->least));
    assert_string_equal(token->gpu, "");
    assert_string_equal(prompt->gpu, "CUDA"); /* with as many layers as are usual, where no column says how many */
    engine_results_release(&results);
}

/* bitnet.cpp's e2e_benchmark.py, and T-MAC's run_pipeline.py, show what llama-bench -b 1 prints. */
TEST(the_table_that_scripts_show_is_read)
{
    struct engine_results results;
    takes(
        "| model                          |       size |     params | backend    | threads | n_batch | type_k |          test |                  t/s |\n"
        "| ------------------------------ | ---------: | ---------: | ---------- | ------: | ------: | -----: | ------------: | -------------------: |\n"
        "| bitnet-b1.58 2B I2_S - 2 bpw ternary |   1.71 GiB |     2.74 B | CPU        |       2 |       1 |   q8_0 |         pp512 |         20.25 \302\261 0.25 |\n"
        "| bitnet-b1.58 2B I2_S - 2 bpw ternary |   1.71 GiB |     2.74 B | ZenDNN,BLAS |       2 |       1 |   q8_0 |         tg128 |         21.50 \302\261 0.00 |\n"
        "\nbuild: 40ed0f29 (3960)\n",
        &results);
    assert_int_equal(results.count, 2);
    assert_string_equal(results.result[0].options, "-ctk q8_0 -b 1");
    assert_string_equal(results.result[0].type_k, "q8_0");
    assert_string_equal(results.result[0].type_v, "");
    assert_true(fabs(results.result[0].most - 20.5) <= 1e-9);
    assert_true(isnan(results.result[1].most) && !results.result[1].gpu[0]);
    assert_int_equal(results.result[1].generated, 128);
    engine_results_release(&results);
}

TEST(timings_of_llama_cpp_are_read_from_its_log)
{
    struct engine_results results;
    takes(
        "llama_model_loader: - kv   0:                       general.architecture str              = llama\n"
        "llm_load_print_meta: model params     = 1.24 B\n"
        "llm_load_print_meta: model size       = 729.75 MiB (4.95 BPW) \n"
        "llm_load_tensors: offloaded 0/17 layers to GPU\n"
        "system_info: n_threads = 2 (n_threads_batch = 4) / 8 | AVX = 1 | AVX2 = 1 |\n"
        "llama_print_timings:        load time =     231.04 ms\n"
        "llama_print_timings: prompt eval time =     250.00 ms /    20 tokens (   12.50 ms per token,    80.00 tokens per second)\n"
        "llama_print_timings:        eval time =    5080.00 ms /   127 runs   (   40.00 ms per token,    25.00 tokens per second)\n"
        "llama_print_timings:       total time =    5400.00 ms /   147 tokens\n"
        "0.00.037.660 I print_info: file size   = 63.84 MiB (16.12 BPW) \n"
        "load_tensors: offloaded 3/17 layers to GPU\n"
        "0.00.389.737 I llama_perf_context_print: prompt eval time =      32.47 ms /     9 tokens (    3.61 ms per token,   277.19 tokens per second)\n"
        "0.00.389.738 I llama_perf_context_print:        eval time =       0.00 ms /     1 runs   (    0.00 ms per token,      inf tokens per second)\n",
        &results);
    assert_int_equal(results.count, 3); /* what took no time was not run */
    const struct engine_result *prompt = &results.result[0], *token = &results.result[1], *next = &results.result[2];
    assert_string_equal(prompt->test, "pp20");
    assert_int_equal(prompt->threads, 4);
    assert_true(fabs(prompt->tokens_per_s - 80) <= 1e-9);
    assert_string_equal(token->test, "tg127 @ d20");
    assert_int_equal(token->threads, 2);
    assert_int_equal(token->depth, 20);
    assert_int_equal(token->repetitions, 1);
    assert_true(fabs(token->tokens_per_s - 25) <= 1e-9);
    assert_true(fabs(token->model_bytes - 729.75 * 0x1p20) <= 1 && fabs(token->model_weights - 1.24e9) <= 1);
    assert_string_equal(token->model_type, "llama");
    assert_string_equal(token->gpu, "");
    assert_true(fabs(next->model_bytes - 63.84 * 0x1p20) <= 1);
    assert_string_equal(next->gpu, "GPU");
    assert_int_equal(next->gpu_layers, 3);
    engine_results_release(&results);
}

TEST(rates_of_ollama_and_ktransformers_are_read)
{
    struct engine_results results;
    takes(
        "An answer: 42.\n\ntotal duration:       18.293521648s\nload duration:        97.885315ms\n"
        "prompt eval count:    21 token(s)\nprompt eval duration: 1.346030951s\nprompt eval rate:     15.60 tokens/s\n"
        "eval count:           160 token(s)\neval duration:        16.774703785s\neval rate:            9.54 tokens/s\n"
        "prompt eval count:    8 token(s)\nprompt eval rate:     nan tokens/s\neval count:           0 token(s)\neval rate: 3 tokens/s\n",
        &results);
    assert_int_equal(results.count, 2); /* of no tokens there is no rate */
    assert_string_equal(results.result[0].test, "pp21");
    assert_true(fabs(results.result[0].tokens_per_s - 15.6) <= 1e-9);
    assert_string_equal(results.result[1].test, "tg160 @ d21");
    assert_true(fabs(results.result[1].tokens_per_s - 9.54) <= 1e-9);
    assert_int_equal(results.result[1].threads, 0);
    assert_false(results.result[1].no_context);
    engine_results_release(&results);
}

TEST(the_file_of_t_mac_is_read)
{
    struct engine_results results;
    takes("num_threads,mean,std\r\n1,10.5,0.25\r\n2,18.0,0.0\r\n", &results);
    assert_int_equal(results.count, 2);
    assert_true(results.result[0].no_context && engine_result_is_token(&results.result[0]));
    assert_true(fabs(results.result[0].least - 10.25) <= 1e-9);
    assert_int_equal(results.result[1].threads, 2);
    assert_true(isnan(results.result[1].least));
    engine_results_release(&results);
}

TEST(texts_can_be_printed_and_saved)
{
    struct engine_results results;
    takes("| model | size | threads | x\033 | test | t/s |\n| a\033[2J | -1 B | 2 | \377 | tg8 | 1 \302\261 3 |\n",
          &results);
    assert_string_equal(results.result[0].model_type, "a\\x1b[2J");
    assert_string_equal(results.result[0].settings, "x\\x1b=?");
    assert_true(isnan(results.result[0].model_bytes));
    assert_true(fabs(results.result[0].least) <= 0); /* no rate is below 0 */
    engine_results_release(&results);
}

TEST(what_has_no_results_is_refused)
{
    refuses("", "it is empty, cut off, or output of none of ollama --verbose, llama-bench -o json");
    refuses("{\"elapsed_time\": 1, \"tokens_per_second\": 3}",
            "output of none of ollama --verbose, llama-bench -o json");
    refuses("[{\"n_gen\": 32, \"samples_ns\": [1]}", "cut off");
    refuses("[]", "it is empty");
    refuses("[{\"n_gen\": 32, \"samples_ns\": [1]}, {\"n_gen\": 32, \"samples_ns\": [0, \"a\"]}]",
            "test 2 has no tokens");
    refuses("[{\"samples_ns\": [1]}]", "test 1 has no tokens");
    refuses("[{\"n_gen\": 8, \"samples_ns\": [1e-320]}]", "no samples_ns with a time");
    refuses("[{\"n_gen\": 3e18, \"samples_ns\": [1]}]", "test 1 has no tokens");
    refuses("| test | t/s |\n| tg99999999999 | 3 |\n", "row 1 of its table");
    refuses("| test | t/s |\n| tg32 | fast |\n", "row 1 of its table");
    refuses("| test | t/s |\n| all | 3 |\n", "row 1 of its table");
    refuses("num_threads,mean,std\n1,fast,0\n", "row 1 has no threads, mean and std");
    refuses("eval rate: 9.54 tokens/s\n", "it is empty, cut off"); /* of how many tokens */
    struct engine_results results;
    char why[512] = "";
    assert_int_equal(engine_results_read("absent.json", &results, why, sizeof why), -ENOENT);
    assert_non_null(strstr(why, "absent.json"));
}

RUN_TESTS(NULL, NULL)
