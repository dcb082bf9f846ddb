/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/select/kernels/models.h"

#include <string.h>

static const char *const ordered[] = {
    "falcon3-1b",  "mobilellm-1.5b", "llama3-8b",   "llama3-2b", /* [envelope, Fig. 5 and IV-F] */
    "bitnet-700m", "bitnet-1.5b",    "bitnet-3b",   "bitnet-3.8b", "bitnet-7b",
    "bitnet-13b",                                                                 /* [bitnet-cpp, Table 7] */
    "bitnet-30b",  "bitnet-70b",     "bitnet-100b", "llama3.2-1b", "llama3.2-3b", /* [arm-kernels, Fig. 6] */
    "opt-6.7b",    "qwen2.5-7b",     "bloom-7.1b",                                /* [apt-llm, Fig. 13] */
    "llama2-7b",   "llama2-13b",     "llama2-70b",  "chatglm3-6b", "bert-base",   /* [mixed-2-4-16] */
};
enum { ORDERED = sizeof ordered / sizeof *ordered };

static size_t place_of(const char *model)
{
    size_t at = 0;
    while (at < ORDERED && strcmp(ordered[at], model) != 0)
        at++;
    return *model ? at : ORDERED + 1;
}

bool models_before(const char *model, const char *other)
{
    size_t left = place_of(model), right = place_of(other);
    return left != right ? left < right : strcmp(model, other) < 0;
}

/* After those of the same model, before those of later ones. */
static void insert(struct shape *shapes, size_t count, const struct shape *shape)
{
    size_t at = count;
    for (; at > 0 && models_before(shape->model, shapes[at - 1].model); at--)
        shapes[at] = shapes[at - 1];
    shapes[at] = *shape;
}

size_t models_timed_by(const char *where, struct shape shapes[SHAPES_MAX])
{
    size_t total = shapes_all(shapes, SHAPES_MAX), count = 0;
    for (size_t i = 0; i < total; i++) {
        struct shape shape = shapes[i];
        if (shape_is_timed_by(&shape, where))
            insert(shapes, count++, &shape);
    }
    return count;
}
