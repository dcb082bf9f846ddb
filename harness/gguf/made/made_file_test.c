/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Files that are made: their header is that of a public writer byte for byte, they are read back, and their numbers are of the magnitudes
 * that are promised; what cannot be made leaves nothing.
 */
#include "harness/gguf/made/made_file.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/gguf/made/drawn_blocks.h"
#include "harness/gguf/tensor_rows.h"
#include "unit_test.h"

struct bench {
    char folder[64], path[96];
    struct model model;
    struct listed_file listed;
    struct model_file file;
    uint64_t bytes;
    char why[512];
};

static int set_up(void **state)
{
    struct bench *bench = calloc(1, sizeof *bench);
    assert_non_null(bench);
    strcpy(bench->folder, "/tmp/kneepoint-made.XXXXXX");
    assert_non_null(mkdtemp(bench->folder));
    snprintf(bench->path, sizeof bench->path, "%s/a.gguf", bench->folder);
    *state = bench;
    return 0;
}

static int tear_down(void **state)
{
    struct bench *bench = *state;
    model_file_close(&bench->file);
    listed_file_close(&bench->listed);
    unlink(bench->path);
    assert_int_equal(rmdir(bench->folder), 0); /* nothing else is left in it */
    free(bench);
    return 0;
}

/** A model of one small layer. */
static void list(struct bench *bench, const char *model, const char *type)
{
    assert_int_equal(model_find(model, &bench->model, bench->why, sizeof bench->why), 0);
    bench->model.layers = 1;
    bench->model.vocabulary = bench->model.ffn = 512;
    assert_int_equal(
        listed_file_open(&bench->model, file_mix_find(type), &bench->listed, bench->why, sizeof bench->why), 0);
}

static int write_it(struct bench *bench, const volatile int *stop)
{
    return made_file_write(&bench->listed, bench->path, stop, &bench->bytes, bench->why, sizeof bench->why);
}

static void make(struct bench *bench, const char *model, const char *type)
{
    list(bench, model, type);
    int error = write_it(bench, NULL);
    if (error || model_file_open(bench->path, &bench->file, bench->why, sizeof bench->why))
        fail_msg("%s", bench->why);
    assert_int_equal(bench->file.tensor_count, bench->listed.file.tensor_count);
}

static const struct model_tensor *tensor_named(const struct bench *bench, const char *name)
{
    for (size_t i = 0; i < bench->file.tensor_count; i++) {
        if (gguf_text_is(bench->file.tensors[i].tensor->name, name))
            return &bench->file.tensors[i];
    }
    fail_msg("no tensor %s", name);
    return NULL;
}

struct moments {
    double mean, deviation;
};

static struct moments moments_of(const struct format *format, const uint8_t *panels, size_t rows, size_t k,
                                 double scale)
{
    double sum = 0, squares = 0;
    for (size_t row = 0; row < rows; row++) {
        for (size_t column = 0; column < k; column++) {
            double weight =
                scale * format_weight(format, panels + row * format_panel_bytes(format, k), k, 0, (uint32_t)column);
            assert_true(isfinite(weight));
            sum += weight;
            squares += weight * weight;
        }
    }
    double count = (double)rows * (double)k, mean = sum / count;
    return (struct moments){mean, sqrt(squares / count - mean * mean)};
}

static struct moments moments_of_tensor(const struct bench *bench, const char *name, size_t rows)
{
    const struct model_tensor *tensor = tensor_named(bench, name);
    const struct format *format = tensor_format(tensor->tensor);
    assert_non_null(format);
    return moments_of(format, tensor->data, rows, tensor->tensor->size[0], tensor_scale(tensor));
}

static size_t read_fixture(uint8_t *bytes, size_t size)
{
    char line[256];
    size_t length = 0;
    FILE *file = fopen("harness/gguf/fixtures/public_header.txt", "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        for (unsigned byte, at = 0; line[0] != '#' && sscanf(line + at, "%2x", &byte) == 1; at += 2) {
            assert_true(length < size);
            bytes[length++] = (uint8_t)byte;
        }
    }
    fclose(file);
    return length;
}

TEST_GIVEN_BY(the_header_is_that_of_a_public_writer, struct bench *bench, set_up, tear_down)
{
    uint8_t theirs[4096], ours[4096];
    size_t length = read_fixture(theirs, sizeof theirs);
    make(bench, "llama3.2-1b", "q4_k_m");
    FILE *file = fopen(bench->path, "rb");
    assert_non_null(file);
    assert_int_equal(fread(ours, 1, length, file), length);
    fclose(file);
    assert_true(length > 1000);
    assert_memory_equal(ours, theirs, length);
}

TEST_GIVEN_BY(matrices_and_norms_have_their_magnitudes, struct bench *bench, set_up, tear_down)
{
    make(bench, "llama3.2-1b", "q4_k_m");
    static const struct {
        const char *name;
        double deviation;
    } matrices[] = {
        {"token_embd.weight", 1 / 45.25}, {"blk.0.attn_q.weight", 1 / 45.25}, {"blk.0.ffn_down.weight", 1 / 22.63}};
    for (size_t i = 0; i < sizeof matrices / sizeof *matrices; i++) {
        struct moments moments = moments_of_tensor(bench, matrices[i].name, 64);
        assert_true(fabs(moments.deviation / matrices[i].deviation - 1) < 0.05);
        assert_true(fabs(moments.mean) < 0.05 * matrices[i].deviation);
    }
    struct moments norm = moments_of_tensor(bench, "blk.0.ffn_norm.weight", 1);
    assert_true(fabs(norm.mean - 1) < 0.02 && fabs(norm.deviation - 0.1) < 0.02);
    const struct model_tensor *q = tensor_named(bench, "blk.0.attn_q.weight");
    const size_t row = q->tensor->bytes / q->tensor->size[1];
    for (size_t i = 1; i < q->tensor->size[1]; i++)
        assert_memory_not_equal(q->data, q->data + i * row, row);
}

TEST_GIVEN_BY(the_same_model_is_the_same_file, struct bench *bench, set_up, tear_down)
{
    make(bench, "llama3.2-1b", "q8_0");
    const struct model_shard *first = bench->file.shards;
    uint8_t *copy = malloc(bench->bytes);
    assert_non_null(copy);
    memcpy(copy, first->bytes, bench->bytes);
    assert_int_equal(first->length, bench->bytes);
    unlink(bench->path);
    model_file_close(&bench->file);
    assert_int_equal(write_it(bench, NULL), 0);
    assert_int_equal(model_file_open(bench->path, &bench->file, bench->why, sizeof bench->why), 0);
    assert_memory_equal(bench->file.shards->bytes, copy, bench->bytes);
    free(copy);
}

TEST(every_type_with_a_format_is_drawn)
{
    size_t drawn = 0;
    for (uint32_t id = 0; id < 256; id++) {
        const struct gguf_type *type = gguf_type_find(id, false);
        struct drawn_blocks blocks;
        char why[256];
        if (!type)
            continue;
        int error = drawn_blocks_open(type, 0.02, &blocks, why, sizeof why);
        assert_int_equal(error, type->format ? 0 : -ENOTSUP);
        if (error)
            continue;
        struct moments moments = moments_of(format_find(type->format), blocks.units, 64, 256, (double)blocks.scale);
        print_message("# %s: %g\n", type->name, moments.deviation);
        assert_true(moments.deviation > 0.015 && moments.deviation < 0.025);
        drawn += file_mix_find(type->name) != NULL;
        drawn_blocks_close(&blocks);
    }
    assert_true(drawn >= 19);
}

TEST_GIVEN_BY(architectures_have_their_tensors, struct bench *bench, set_up, tear_down)
{
    make(bench, "qwen2.5-7b", "q4_0");
    assert_string_equal(tensor_named(bench, "output.weight")->tensor->type->name, "Q6_K");
    assert_string_equal(tensor_named(bench, "token_embd.weight")->tensor->type->name, "Q4_0");
    struct moments bias = moments_of_tensor(bench, "blk.0.attn_k.bias", 1);
    assert_true(fabs(bias.mean) < 0.02 && fabs(bias.deviation - 0.1) < 0.02);
    unlink(bench->path);
    model_file_close(&bench->file);
    listed_file_close(&bench->listed);
    make(bench, "bitnet-2b-4t", "i2_s");
    struct moments ternary = moments_of_tensor(bench, "blk.0.attn_q.weight", 64);
    assert_true(fabs(ternary.deviation * sqrt(2560) - 1) < 0.05);
    assert_int_equal(tensor_named(bench, "blk.0.attn_sub_norm.weight")->tensor->size[0], 2560);
    const struct gguf_value *name = gguf_find(&bench->file.shards->gguf, "general.architecture");
    assert_true(gguf_text_is(gguf_string(name), "bitnet-b1.58"));
    assert_null(gguf_find(&bench->file.shards->gguf, "general.file_type"));
}

TEST_GIVEN_BY(what_is_there_already_stays, struct bench *bench, set_up, tear_down)
{
    char text[16] = "";
    FILE *file = fopen(bench->path, "w");
    assert_true(file && fputs("mine", file) >= 0 && fclose(file) == 0);
    list(bench, "llama3.2-1b", "q4_0");
    assert_int_equal(write_it(bench, NULL), -EEXIST);
    assert_non_null(strstr(bench->why, "a.gguf is there already"));
    file = fopen(bench->path, "r");
    assert_non_null(file && fgets(text, sizeof text, file) ? file : NULL);
    fclose(file);
    assert_string_equal(text, "mine");
}

TEST_GIVEN_BY(what_cannot_be_written_leaves_nothing, struct bench *bench, set_up, tear_down)
{
    const volatile int stop = 1;
    list(bench, "mobilellm-1.5b", "q4_k_m");
    assert_int_equal(write_it(bench, NULL), -ENOTSUP);
    assert_string_equal(bench->why,
                        "mobilellm-1.5b-q4_k_m: blk.0.attn_q.weight would be of type Q5_0, which no format here is");
    listed_file_close(&bench->listed);
    list(bench, "llama3.2-1b", "q4_0");
    assert_int_equal(write_it(bench, &stop), -EINTR);
    assert_int_equal(access(bench->path, F_OK), -1);
    char missing[128];
    snprintf(missing, sizeof missing, "%s/none/a.gguf", bench->folder);
    assert_int_equal(made_file_write(&bench->listed, missing, NULL, &bench->bytes, bench->why, sizeof bench->why),
                     -ENOENT);
    assert_non_null(strstr(bench->why, "No such file or directory; choose a place that can be written to"));
}

RUN_TESTS(NULL, NULL)
