/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Shapes from text and the shapes of the models that are built in.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "embedded.h"
#include "micro/shape.h"
#include "unit_test.h"

TEST(shapes_that_parse)
{
    static const struct {
        const char *text;
        size_t m, k;
    } cases[] = {
        {"4096x4096", 4096, 4096},      {"1x1", 1, 1},      {"320x1600", 320, 1600},
        {"2147483647x1", INT32_MAX, 1}, {"007x010", 7, 10},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t m = 0, k = 0;
        assert_int_equal(shape_parse(cases[i].text, &m, &k), 0);
        assert_int_equal(m, cases[i].m);
        assert_int_equal(k, cases[i].k);
    }
}

TEST(shapes_that_do_not_parse)
{
    static const char *const texts[] = {
        "",
        "x",
        "0x5",
        "5x0",
        "5x",
        "x5",
        "5",
        "-1x2",
        "1x-2",
        "+1x2",
        "1x+2",
        "3x4x5",
        "99999999999x1",
        "1x99999999999",
        "2147483648x1",
        "99999999999999999999999x1",
        "33 x77",
        "33x 77",
        "33x77 ",
        " 33x77",
        "33X77",
        "33*77",
        "0x10x5",
        "1e3x5",
        "1.5x2",
        "\n1x2",
        "1x2\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        size_t m = 111, k = 222;
        if (shape_parse(texts[i], &m, &k) != -EINVAL)
            fail_msg("'%s' was taken as %zux%zu", texts[i], m, k);
        assert_int_equal(m, 111); /* nothing half-written */
        assert_int_equal(k, 222);
    }
}

/* Published configurations of the models. */
static const struct model {
    const char *name;
    size_t layers, hidden, ffn, heads, kv_heads, head_dim, vocab;
} models[] = {
    {"falcon3-1b", 18, 2048, 8192, 8, 4, 256, 131072},
    {"llama3-8b", 32, 4096, 14336, 32, 8, 128, 128256},
    {"mobilellm-1.5b", 54, 1600, 4352, 25, 5, 64, 32000},
};
enum { MODELS = sizeof models / sizeof models[0], SHAPES_A_MODEL = 5 };

static void must_have(const struct shape *shapes, size_t count, const struct model *model, const char *roles, size_t m,
                      size_t k, size_t times)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(shapes[i].model, model->name) != 0 || strcmp(shapes[i].roles, roles) != 0)
            continue;
        found++;
        assert_int_equal(shapes[i].m, m);
        assert_int_equal(shapes[i].k, k);
        assert_int_equal(shapes[i].count, times);
    }
    if (found != 1)
        fail_msg("%s has %zu rows for %s", model->name, found, roles);
}

TEST(models_are_complete)
{
    struct shape shapes[SHAPES_MAX];
    size_t count = shapes_all(shapes, SHAPES_MAX);
    for (size_t i = 0; i < MODELS; i++) {
        const struct model *model = &models[i];
        size_t queries = model->heads * model->head_dim, keys = model->kv_heads * model->head_dim;
        assert_int_equal(queries, model->hidden); /* else q and o are two shapes */
        must_have(shapes, count, model, "q,o", queries, model->hidden, 2 * model->layers);
        must_have(shapes, count, model, "k,v", keys, model->hidden, 2 * model->layers);
        must_have(shapes, count, model, "gate,up", model->ffn, model->hidden, 2 * model->layers);
        must_have(shapes, count, model, "down", model->hidden, model->ffn, model->layers);
        must_have(shapes, count, model, "lm_head", model->vocab, model->hidden, 1);
    }
}

/* The configuration that the first line of a file states. */
static const char *stated_model(const struct embedded_file *file, struct model *model, char name[64])
{
    const char *at = strstr(file->bytes, ": ");
    if (strncmp(file->path, "micro/shapes/", 13) != 0)
        return NULL;
    if (sscanf(file->bytes, "# GEMV shapes (M x K) of %63[^ ,]", name) != 1 || !at ||
        sscanf(at, ": %zu layers, hidden %zu, ffn %zu, %zu heads, %zu key-value heads of %zu, vocabulary %zu",
               &model->layers, &model->hidden, &model->ffn, &model->heads, &model->kv_heads, &model->head_dim,
               &model->vocab) != 7)
        fail_msg("the first line of %s states no configuration", file->path);
    model->name = name;
    return name;
}

/* Weights of the layers that one token reads. */
static size_t weights_of_layers(const struct model *model, bool gated)
{
    size_t attention = 2 * model->hidden * (model->heads + model->kv_heads) * model->head_dim;
    return model->layers * (attention + (gated ? 3u : 2u) * model->hidden * model->ffn);
}

TEST(shapes_follow_from_the_configuration_that_their_file_states)
{
    static struct shape shapes[SHAPES_MAX];
    size_t count = shapes_all(shapes, SHAPES_MAX), files = 0;
    for (const struct embedded_file *file = embedded_files; file->path; file++) {
        struct model model;
        char name[64], path[128];
        if (!stated_model(file, &model, name))
            continue;
        files++;
        snprintf(path, sizeof path, "micro/shapes/%s.tsv", name);
        assert_string_equal(file->path, path);
        bool gated = !strstr(file->bytes, "No gate matrix.");
        must_have(shapes, count, &model, gated ? "gate,up" : "up", model.ffn, model.hidden,
                  (gated ? 2 : 1) * model.layers);
        must_have(shapes, count, &model, "lm_head", model.vocab, model.hidden, 1);
        size_t weights = 0;
        for (size_t i = 0; i < count; i++) {
            if (strcmp(shapes[i].model, name) == 0 && !shape_is_head(&shapes[i]))
                weights += shapes[i].m * shapes[i].k * shapes[i].count;
        }
        assert_int_equal(weights, weights_of_layers(&model, gated));
    }
    assert_true(files >= MODELS);
}

/* A model's lines are of different shapes: a kernel would otherwise be measured twice on one. */
TEST(a_model_names_a_shape_once)
{
    static struct shape shapes[SHAPES_MAX];
    size_t count = shapes_all(shapes, SHAPES_MAX);
    for (size_t i = 0; i < count; i++) {
        for (size_t j = i + 1; j < count && strcmp(shapes[i].model, shapes[j].model) == 0; j++)
            assert_false(shapes[i].m == shapes[j].m && shapes[i].k == shapes[j].k);
    }
}

/* Parameters that the names of the models of [bitnet-cpp, Table 7] promise, within a twentieth. */
TEST(models_are_as_large_as_they_are_called)
{
    static struct shape shapes[SHAPES_MAX];
    size_t count = shapes_all(shapes, SHAPES_MAX), found = 0;
    for (size_t i = 0; i < count; i++) {
        double weights = 0, named;
        char unit;
        if (!shape_is_timed_by(&shapes[i], "bitnet-cpp, Table 7") || !shape_is_head(&shapes[i]))
            continue;
        assert_int_equal(sscanf(shapes[i].model, "bitnet-%lf%c", &named, &unit), 2);
        for (size_t j = 0; j < count; j++) {
            if (strcmp(shapes[j].model, shapes[i].model) == 0)
                weights += (double)(shapes[j].m * shapes[j].k * shapes[j].count);
        }
        named *= unit == 'm' ? 1e6 : 1e9;
        if (fabs(weights / named - 1) > 0.05)
            fail_msg("%s has %g weights", shapes[i].model, weights);
        found++;
    }
    assert_int_equal(found, 8);
}

TEST(papers_that_time_a_model)
{
    struct shape shape = {.timed_by = "[envelope, Fig. 5-8, 12-16] [apt-llm]."};
    assert_true(shape_is_timed_by(&shape, "envelope"));
    assert_true(shape_is_timed_by(&shape, "envelope, Fig. 5-8"));
    assert_true(shape_is_timed_by(&shape, "apt-llm"));
    assert_false(shape_is_timed_by(&shape, "apt"));
    assert_false(shape_is_timed_by(&shape, "envelope, Fig. 5"));
    assert_false(shape_is_timed_by(&shape, "Fig. 5-8"));
    assert_false(shape_is_timed_by(&(struct shape){.timed_by = ""}, "envelope"));

    static struct shape shapes[SHAPES_MAX];
    size_t count = shapes_all(shapes, SHAPES_MAX), published = 0;
    for (size_t i = 0; i < count; i++)
        published += shape_is_timed_by(&shapes[i], "envelope, Fig. 5-8");
    assert_int_equal(published, MODELS * SHAPES_A_MODEL - 2); /* but 320x1600 and 1024x2048 */
    count = shapes_of("mobilellm-1.5b", shapes, SHAPES_MAX);
    assert_int_equal(count, SHAPES_A_MODEL);
    for (size_t i = 0; i < count; i++) {
        assert_true(shape_is_timed_by(&shapes[i], "envelope"));
        assert_int_equal(shape_is_timed_by(&shapes[i], "envelope, Fig. 5-8"), shapes[i].m != 320);
    }
    count = shapes_of("bitnet-2b-4t", shapes, SHAPES_MAX);
    assert_true(count > 0);
    assert_false(shape_is_timed_by(&shapes[0], "envelope"));
    assert_int_equal(shapes_of("no-such-model", shapes, SHAPES_MAX), 0);
}

/* Llama3-2B-Base is Llama3-8B with fewer layers; and what no paper times adds nothing to what characterize measures. */
TEST(a_trimmed_model_has_the_matrices_of_the_whole)
{
    struct shape whole[SHAPES_MAX], trimmed[SHAPES_MAX];
    assert_int_equal(shapes_of("llama3-8b", whole, SHAPES_MAX), SHAPES_A_MODEL);
    assert_int_equal(shapes_of("llama3-2b", trimmed, SHAPES_MAX), SHAPES_A_MODEL);
    for (size_t i = 0; i < SHAPES_A_MODEL; i++) {
        assert_string_equal(trimmed[i].roles, whole[i].roles);
        assert_true(trimmed[i].m == whole[i].m && trimmed[i].k == whole[i].k);
        assert_int_equal(trimmed[i].count, shape_is_head(&whole[i]) ? 1 : whole[i].count / 32 * 6);
    }
    size_t count = shapes_of("bert-base", whole, SHAPES_MAX);
    assert_true(count > 0);
    for (size_t i = 0; i < count; i++)
        assert_string_equal(whole[i].timed_by, "");
}

TEST(shapes_are_in_order_and_named)
{
    struct shape shapes[SHAPES_MAX];
    size_t count = shapes_all(shapes, SHAPES_MAX), square_1600 = 0;
    assert_true(count >= MODELS * SHAPES_A_MODEL && count < SHAPES_MAX);
    for (size_t i = 0; i < count; i++) {
        assert_true(shapes[i].model[0] && shapes[i].roles[0] && shapes[i].m && shapes[i].k && shapes[i].count);
        assert_true(i == 0 || strcmp(shapes[i - 1].model, shapes[i].model) <= 0);
        square_1600 += shapes[i].m == 1600 && shapes[i].k == 1600;
    }
    assert_true(square_1600 >= 1);
}

TEST(a_small_array_is_not_overrun)
{
    struct shape shapes[3], all[SHAPES_MAX];
    memset(shapes, 0x7f, sizeof shapes);
    assert_int_equal(shapes_all(shapes, 2), 2);
    assert_int_equal(shapes[2].model[0], 0x7f);
    assert_int_equal(shapes_all(shapes, 0), 0);
    assert_true(shapes_all(all, SHAPES_MAX) > 2);
    assert_memory_equal(shapes, all, 2 * sizeof *all);
}

static unsigned operands_of(const char *roles, unsigned count)
{
    struct shape shape = {.count = count};
    snprintf(shape.roles, sizeof shape.roles, "%s", roles);
    return shape_operands(&shape);
}

TEST(matrices_of_one_input_share_their_operand)
{
    assert_int_equal(operands_of("q,k,v,o", 96), 48); /* 24 layers: one for q, k and v, one for o */
    assert_int_equal(operands_of("q,o", 64), 64);
    assert_int_equal(operands_of("k,v", 64), 0);
    assert_int_equal(operands_of("gate,up", 48), 24);
    assert_int_equal(operands_of("up", 24), 24);
    assert_int_equal(operands_of("down", 24), 24);
    assert_int_equal(operands_of("lm_head", 1), 1);
    assert_int_equal(operands_of("", 3), 3);
}

RUN_TESTS(NULL, NULL)
