/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "micro/shape.h"

/**
 * Whether a model stands before another in a figure: in the order in which the papers show them, those of the envelope paper
 * first, then those of bitnet.cpp by size. Models that no paper's figure orders come last, by name; "" after all.
 */
bool models_before(const char *model, const char *other);

/**
 * The shapes that a paper times there ("envelope, Fig. 5-8", as shape_is_timed_by() has it), model by model in the order
 * of models_before(), those of a model as they are stored. @return how many
 */
size_t models_timed_by(const char *where, struct shape shapes[SHAPES_MAX]);
