/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/gguf/file_mixes.h"
#include "micro/layers/model.h"
#include "micro/shape.h"

/** Models as a user names them, in upper or lower case. A name that is not known is complained of with the nearest that is. */

/**
 * Append the shapes of a model, or of all of them: "all".
 * @param shapes  of SHAPES_MAX, of which count are taken
 * @return exit code
 */
int model_names_shapes(const char *command, const char *name, struct shape *shapes, size_t *count);

/** A model to decode. @return exit code */
int model_names_find(const char *command, const char *name, struct model *model);

/** A kind of file that has types: "q4_k_m". @return exit code */
int model_names_type(const char *command, const char *name, const struct file_mix **mix);
