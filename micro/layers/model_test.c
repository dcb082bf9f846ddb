/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the files of shapes say of a model's layers.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "embedded.h"
#include "micro/layers/model.h"
#include "unit_test.h"

#define FIRST                                                                                                          \
    "# GEMV shapes (M x K) of m-1b, from nowhere: 4 layers, hidden 64, ffn 128, 8 heads, 2 key-value heads of 12, "    \
    "vocabulary 99.\n"

TEST(a_model_is_read)
{
    struct model model;
    char why[256];
    assert_int_equal(
        model_parse(FIRST "# Layers: relu2, rotary base 5e5 of 6 values, sub-norms. More.\n", &model, why, sizeof why),
        0);
    assert_string_equal(model.name, "m-1b");
    assert_int_equal(model.layers, 4);
    assert_int_equal(model.hidden, 64);
    assert_int_equal(model.ffn, 128);
    assert_int_equal(model.heads, 8);
    assert_int_equal(model.kv_heads, 2);
    assert_int_equal(model.head_size, 12);
    assert_int_equal(model.vocabulary, 99);
    assert_int_equal(model.activation, LAYER_RELU2);
    assert_true(model.rope_base == 5e5);
    assert_int_equal(model.rope_values, 6);
    assert_true(model.sub_norms);
    assert_int_equal(model_head_padded(&model), 16);

    assert_int_equal(model_parse(FIRST "# Layers: silu, rotary base 10000.\n", &model, why, sizeof why), 0);
    assert_int_equal(model.activation, LAYER_SILU);
    assert_int_equal(model.rope_values, 12);
    assert_false(model.sub_norms);
}

TEST(what_is_not_understood_is_refused)
{
    struct model model = {.layers = 77};
    char why[256];
    assert_int_equal(model_parse("# Layers: silu, rotary base 1.\n", &model, why, sizeof why), -EINVAL);
    assert_non_null(strstr(why, "configuration"));
    assert_int_equal(model_parse("# GEMV shapes (M x K) of x: 2 layers, hidden 8, ffn 8, 1 heads, 1 key-value heads of "
                                 "18446744073709551615, vocabulary 9.\n# Layers: silu, rotary base 1.\n",
                                 &model, why, sizeof why),
                     -EINVAL);
    assert_int_equal(
        model_parse("# GEMV shapes (M x K) of x: -2 layers, hidden 8, ffn 8, 1 heads, 1 key-value heads of "
                    "8, vocabulary 9.\n# Layers: silu, rotary base 1.\n",
                    &model, why, sizeof why),
        -EINVAL);
    assert_int_equal(model_parse(FIRST, &model, why, sizeof why), -ENOTSUP);
    assert_non_null(strstr(why, "# Layers:"));
    assert_int_equal(model_parse(FIRST "# Layers: gelu, rotary base 1.\n", &model, why, sizeof why), -ENOTSUP);
    assert_non_null(strstr(why, "gelu, rotary base 1."));
    assert_int_equal(model_parse(FIRST "# Layers: silu, rotary base 10000 of 64 vales\n", &model, why, sizeof why),
                     -ENOTSUP); /* was read on after the end of the text */
    assert_int_equal(model_parse(FIRST "# Layers: silu, learned positions\n", &model, why, sizeof why), -ENOTSUP);
    assert_int_equal(model.layers, 77); /* nothing half-written */
    assert_int_equal(model_find("no-such", &model, why, sizeof why), -ENOENT);
    assert_non_null(strstr(why, "no model 'no-such'"));
    assert_int_equal(model_find("opt-6.7b", &model, why, sizeof why), -ENOTSUP);
    assert_non_null(strstr(why, "opt-6.7b"));
}

/* Every file says what its layers are, or that they are of another kind. */
TEST(every_file_has_the_line)
{
    size_t known = 0;
    for (const struct embedded_file *file = embedded_files; file->path; file++) {
        struct model model;
        char why[256];
        if (strncmp(file->path, "micro/shapes/", 13) != 0)
            continue;
        assert_non_null(strstr(file->bytes, "\n# Layers: "));
        if (model_parse(file->bytes, &model, why, sizeof why))
            continue;
        known++;
        assert_true(model.heads % model.kv_heads == 0);
        assert_true(model.rope_base >= 10000 && model.rope_values <= model.head_size);
    }
    assert_true(known >= 18);
}

RUN_TESTS(NULL, NULL)
