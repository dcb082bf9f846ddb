/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef REPORTS_MODEL_SHAPES_H
#define REPORTS_MODEL_SHAPES_H

#include <stdbool.h>
#include <stddef.h>

/** The weight matrices of the models in micro/shapes, as they travel inside the binary. */
enum { MODEL_SHAPES_MAX = 128 };

struct model_shape {
    char model[48];
    double m, k;
    double count; /* such matrices that one token reads */
    bool head;    /* the output head, which stays in 16 bits */
};

/** All of them, model by model. @return how many were written. */
size_t model_shapes(struct model_shape *shapes, size_t capacity);

#endif
