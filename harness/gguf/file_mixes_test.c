/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How many matrices of which type llama.cpp's loader reports of published files, less their embeddings, which have the type of most
 * matrices; and the tensors of such a file of a listed model.
 */
#include <errno.h>
#include <string.h>

#include "harness/gguf/given_model.h"
#include "harness/gguf/listed_file.h"
#include "unit_test.h"

static struct model model_named(const char *name)
{
    struct model model;
    char why[256];
    assert_int_equal(model_find(name, &model, why, sizeof why), 0);
    return model;
}

static size_t count(const char *mix, const struct model *model, const char *type)
{
    const struct file_mix *of = file_mix_find(mix);
    size_t matches = strcmp(file_mix_type(of, model, 0, DECODE_ROLES), type) == 0;
    for (size_t i = 0; i < model->layers * DECODE_ROLES; i++)
        matches += strcmp(file_mix_type(of, model, i / DECODE_ROLES, (int)(i % DECODE_ROLES)), type) == 0;
    return matches;
}

TEST(matrices_have_the_types_of_published_files)
{
    static const struct {
        const char *mix, *model, *type;
        size_t matrices;
    } published[] = {
        {"q4_k_m", "llama3-8b", "Q4_K", 192}, {"q4_k_m", "llama3-8b", "Q6_K", 33},
        {"q5_k_m", "llama3-8b", "Q5_K", 192}, {"q5_k_m", "llama3-8b", "Q6_K", 33},
        {"q4_k_s", "llama3-8b", "Q5_K", 8},   {"q4_k_s", "llama3-8b", "Q4_K", 216},
        {"q3_k_m", "llama3-8b", "Q3_K", 128}, {"q3_k_m", "llama3-8b", "Q4_K", 92},
        {"q3_k_m", "llama3-8b", "Q5_K", 4},   {"q3_k_m", "llama3-8b", "Q6_K", 1},
        {"q3_k_l", "llama3-8b", "Q5_K", 96},  {"q3_k_s", "llama3-8b", "Q3_K", 224},
        {"q2_k", "llama3-8b", "Q2_K", 128},   {"q2_k", "llama3-8b", "Q3_K", 64},
        {"q2_k", "llama3-8b", "Q4_K", 32},    {"q2_k", "llama2-7b", "Q3_K", 96},
        {"q2_k_s", "llama3-8b", "Q4_K", 36},  {"q2_k_s", "llama2-7b", "Q4_K", 4},
        {"q4_0", "llama3-8b", "Q4_0", 224},   {"q4_0", "llama3-8b", "Q6_K", 1},
        {"q8_0", "llama3-8b", "Q8_0", 225},   {"q6_k", "llama3-8b", "Q6_K", 225},
        {"q4_k_m", "llama2-70b", "Q5_K", 40}, {"q4_k_m", "llama2-70b", "Q6_K", 81},
    };
    for (size_t i = 0; i < sizeof published / sizeof *published; i++) {
        const struct model model = model_named(published[i].model);
        print_message("# %s %s %s\n", published[i].model, published[i].mix, published[i].type);
        assert_int_equal(count(published[i].mix, &model, published[i].type), published[i].matrices);
    }
}

/* 1600 columns are no whole blocks of 256, and 4352 are. */
TEST(rows_of_no_whole_blocks_fall_back)
{
    const struct model model = model_named("mobilellm-1.5b");
    const struct file_mix *mix = file_mix_find("q4_k_m");
    assert_string_equal(file_mix_type(mix, &model, 20, DECODE_Q), "Q5_0");
    assert_string_equal(file_mix_type(mix, &model, 0, DECODE_V), "Q8_0");
    assert_string_equal(file_mix_type(mix, &model, 0, DECODE_DOWN), "Q6_K");
    assert_string_equal(file_mix_type(mix, &model, 0, DECODE_ROLES), "Q8_0");
    assert_string_equal(file_mix_type(file_mix_find("q3_k_s"), &model, 0, DECODE_Q), "Q4_0");
    assert_string_equal(file_mix_type(file_mix_find("q5_k_s"), &model, 0, DECODE_Q), "Q5_1");
}

TEST(every_kind_has_types_that_files_have)
{
    const struct model model = model_named("llama2-70b");
    const struct file_mix *mix;
    for (size_t i = 0; (mix = file_mix_at(i)); i++) {
        assert_ptr_equal(file_mix_find(mix->name), mix);
        assert_true(mix->is_format == (format_find(mix->name) != NULL));
        for (size_t at = 0; mix->types && at < model.layers * DECODE_ROLES; at++)
            assert_non_null(gguf_type_named(file_mix_type(mix, &model, at / DECODE_ROLES, (int)(at % DECODE_ROLES))));
    }
    assert_ptr_equal(file_mix_find("Q4_K_M"), file_mix_find("q4_k_m"));
    assert_null(file_mix_find("iq3_m")->types);
}

/* Of each type that a format is: layers of it alone, a head of no fewer bits, and embeddings that llama-quantize would leave so. */
TEST(a_type_is_a_kind_of_file)
{
    static const struct {
        const char *type, *layers, *head, *embeddings;
    } plain[] = {{"q4_k", "Q4_K", "Q6_K", "Q4_K"},    {"Q5_K", "Q5_K", "Q6_K", "Q5_K"},
                 {"bf16", "BF16", "BF16", "BF16"},    {"tq2_0", "TQ2_0", "Q6_K", "Q4_K"},
                 {"mxfp4", "MXFP4", "Q6_K", "MXFP4"}, {"i2_s", "I2_S", "Q6_K", "Q4_K"}};
    const struct model model = model_named("llama3-8b");
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
        const struct file_mix *mix = file_mix_find(plain[i].type);
        assert_non_null(mix);
        assert_true(mix->is_format && mix->file_type == 0);
        assert_string_equal(file_mix_type(mix, &model, 31, DECODE_DOWN), plain[i].layers);
        assert_string_equal(file_mix_type(mix, &model, 0, DECODE_V), plain[i].layers);
        assert_string_equal(file_mix_type(mix, &model, 0, DECODE_ROLES), plain[i].head);
        assert_string_equal(file_mix_embedding_type(mix, &model), plain[i].embeddings);
    }
    assert_null(file_mix_find("iq3_s"));
    assert_null(file_mix_find("int2_planes"));
    assert_string_equal(file_mix_type(file_mix_find("q2_k"), &model, 0, DECODE_DOWN),
                        "Q3_K"); /* a recipe comes first */
    assert_string_equal(file_mix_embedding_type(file_mix_find("q2_k"), &model), "Q2_K");
}

/* What takes a file takes it: all matrices are there and have formats, and none has data. */
TEST(a_listed_file_is_a_given_model_without_data)
{
    const struct model model = model_named("bitnet-700m");
    struct listed_file listed;
    struct given_model given;
    char why[256];
    assert_int_equal(listed_file_open(&model, file_mix_find("q4_k_m"), &listed, why, sizeof why), 0);
    assert_string_equal(listed.model.name, "bitnet-700m-q4_k_m");
    assert_int_equal(listed.file.tensor_count, 24 * (DECODE_ROLES + 4) + 2); /* the embeddings are the head */
    assert_int_equal(given_model_open(&listed.file, &listed.facts, listed.model.name, &given, why, sizeof why), 0);
    assert_null(given.given.packed);
    assert_null(given.prompts.packed);
    assert_int_equal(given.model.ffn, model.ffn);
    assert_int_equal(given.model.head_size, model.head_size);
    assert_true(given.model.sub_norms);
    assert_string_equal(given.type[DECODE_V]->name, "Q6_K");
    assert_string_equal(given.format[DECODE_Q]->name, "q4_k");
    given_model_close(&given);
    listed_file_close(&listed);
}

TEST(what_no_such_file_is_of)
{
    struct listed_file listed;
    char why[256];
    struct model model = model_named("chatglm3-6b");
    assert_int_equal(listed_file_open(&model, file_mix_find("q4_k_m"), &listed, why, sizeof why), -ENOTSUP);
    assert_string_equal(why, "chatglm3-6b: q, k and v are one matrix in its files, and the types here are of three");
    model = model_named("llama3-8b");
    model.ffn = 14330;
    assert_int_equal(listed_file_open(&model, file_mix_find("q4_k_m"), &listed, why, sizeof why), -ENOTSUP);
    assert_string_equal(why, "llama3-8b: rows of 14330 columns are no whole blocks of 32, which q4_k_m needs");
}

RUN_TESTS(NULL, NULL)
