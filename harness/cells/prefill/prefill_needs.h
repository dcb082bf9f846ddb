/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/cells/cell/kind.h"
#include "harness/cells/prefill/prefill.h"

/**
 * Whether a visit of this many layers can be made: the formats hold the matrices, and memory holds the weights of the layers,
 * or of so many that reading them round and round finds none in a cache.
 * @param distinct  receives how many layers get weights
 * @return 0; -EINVAL, -ENOMEM with one line in why
 */
int prefill_fits(const struct session *session, const struct decode_work *work, size_t layers, size_t *distinct,
                 char *why, size_t size);

/** Packed bytes that a pass reads of the layers' matrices and of the head, and writes and reads of keys and values. */
uint64_t prefill_layer_bytes(const struct decode_work *work);
uint64_t prefill_head_bytes(const struct decode_work *work);
uint64_t prefill_cache_bytes(const struct decode_work *work);

/**
 * What a visit takes, estimated before anything is known: weights are written at a byte in a nanosecond and multiplied at
 * 50e9 a second and thread, and the rest of a layer takes half as long again.
 */
struct cell_cost prefill_cost(const struct session *session, const struct cell *cell);
