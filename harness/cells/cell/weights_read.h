/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/cells/cell/kind.h"
#include "harness/measure/session_stream.h"

/**
 * How the packed weights of a matrix are read, by cells of every kind that multiplies one. Cold: every sample reads
 * another copy, as the layers of a model do, from a pool of at least four times the caches; before each of them the
 * roof's read stream reads as much, so the fraction of the roof compares neighbours in time. Warm: the same weights again
 * and again.
 *
 * The pool holds random bytes, or random units of formats for which not every byte is a weight, so a copy costs no
 * packing.
 */
struct weights_read {
    size_t share; /* bytes of the member that has most */
    unsigned threads;
    bool cold;
};

/** Bytes of a member in a read of the roof. */
size_t weights_roof_bytes(const struct weights_read *read);

/**
 * Pool of each member: of a cold cell several times the caches. Where that finds no memory but one matrix does, one is
 * enough if it is larger than the caches it would have to stay in: a single layer, read again and again.
 */
size_t weights_pool_bytes(const struct session *session, const struct weights_read *read);

/**
 * Whether there is memory for its pool and this many bytes more. Nothing is allocated.
 * @param what  "f32.dot.avx2 on 64x64 with 2 threads", for the reason
 * @return 0, or -ENOMEM with the amounts in why
 */
int weights_fit(const struct session *session, const struct weights_read *read, uint64_t more_bytes, const char *what,
                char *why, size_t size);

/**
 * Copies of its matrix that a cold cell reads in a lap of its pool, which the reads of the roof between them take room
 * of; the fewest of its members. A matrix that fills a pool is one layer, read again and again, however much memory an
 * earlier cell has left there.
 */
size_t weights_copies(const struct session *session, const struct weights_read *read, size_t granule);

/** Of a visit: where its members read, and what is taken of it. */
struct weights_visit {
    struct session *session;
    struct cell *cell;
    struct weights_read read;
    size_t granule;    /* at which weights begin in the pool */
    size_t copies;     /* of the matrix, of a cold cell; else 0 */
    bool one_layer;    /* one copy, and it is half of the pool or more: what makes it cold is its own size */
    size_t roof_bytes; /* of a member */
    const uint8_t *roof_place[SESSION_CPUS_MAX];
};

/**
 * Add what it takes to write a matrix of this many bytes to the places where a cell reads it, if its format does not take any
 * bytes; of a cold cell with each sample, or the whole pool with each visit where a CPU cannot write past its caches.
 */
void weights_add_filling(const struct session *session, const struct cell *cell, double bytes, struct cell_cost *cost);

/** -ENODATA with a line in the cell's why where a cold one has no roof to be read before each sample; else 0. */
int weights_need_roof(const struct session *session, struct cell *cell);

/** Pool and team of a cell, filled with weights for matrices of K columns. @return 0 or negative errno, cell->why says why */
int weights_begin(struct weights_visit *visit, struct session *session, struct cell *cell,
                  const struct weights_read *read, size_t k);

/** Whether a sample is a read of the roof: of a cold cell every other one, the first. */
bool weights_is_roof(const struct cell *cell, unsigned sample);

/** The place of the next sample, by the member; of weights (this many bytes), else of the roof: NULL. */
const uint8_t *weights_place(struct weights_visit *visit, unsigned member, unsigned sample, size_t bytes);

/** Read the roof, by the member. */
void weights_read_roof(const struct weights_visit *visit, unsigned member);

/**
 * Read the first bytes of a pool as the roof is read, by the member, in a process that was forked for the visit: its pages of that code are mapped
 * when it is first executed, and a sample with that page fault would be rejected, of each visit the first.
 */
void weights_meet_roof(const struct weights_visit *visit, unsigned member);

/** Take this many samples, of a cold cell as many reads of the roof before them, and append them. 0 or negative errno. */
int weights_take(struct weights_visit *visit, const struct sampler_work *work, unsigned count);

/** Whether a member has a place in the pool for its weights: they begin there. */
static inline const uint8_t *weights_first(const struct weights_visit *visit, unsigned member)
{
    return visit->session->pool[member].bytes;
}
