/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The text of micro/shapes/<model>.tsv: its shapes, its configuration, and a shape as a user gives it.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz/frame/target.h"
#include "micro/layers/model.h"
#include "micro/shape.h"

static void hold_shape(const struct shape *shape)
{
    hold(memchr(shape->model, 0, sizeof shape->model) && memchr(shape->roles, 0, sizeof shape->roles));
    hold(memchr(shape->timed_by, 0, sizeof shape->timed_by));
    hold(shape_is_timed_by(shape, "envelope") + shape_is_head(shape) <= 2);
    (void)shape_operands(shape);
}

FUZZ_TARGET(bytes, length)
{
    struct shape shapes[32];
    struct model model;
    size_t m = 1, k = 1;
    char why[256] = "", *text = fuzz_text(bytes, length);
    size_t count = shapes_parse("given", text, shapes, sizeof shapes / sizeof *shapes);
    hold(count <= sizeof shapes / sizeof *shapes);
    for (size_t i = 0; i < count; i++)
        hold_shape(&shapes[i]);
    if (shape_parse(text, &m, &k) == 0)
        hold(m && k && m <= INT32_MAX && k <= INT32_MAX);
    if (model_parse(text, &model, why, sizeof why))
        hold_refusal(why);
    else
        hold(model_head_padded(&model) >= model.head_size);
    free(text);
}
