/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/cells/prefill/prefill.h"

/** Layers whose matrices have the same kernels are of one kind, which is the number of its first layer. */

/** Find the kinds of a cell whose work is set, and the steps that it times. @return 0 or -ENOMEM */
int prefill_list_steps(struct prefill_cell *own);

/** Layers that are of a kind. */
size_t prefill_layers_of_kind(const struct prefill_cell *own, size_t kind);

/** The layer of a kind that is run in this round. */
size_t prefill_layer_of_round(const struct prefill_cell *own, size_t kind, size_t round);
