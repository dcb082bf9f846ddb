/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Weights of formats and sequences that do not take any byte: the pool becomes a row of their units, a stretch drawn at
 * random and repeated, since a draw for each byte of a pool would take longer than what is measured on it.
 */
#include <stdlib.h>
#include <string.h>

#include "harness/measure/session_pool.h"

/**
 * Drawn before it is repeated. Repeats at an odd number of granules, so that cache sets and pages see no period. Of
 * sequences less, since they take turns with the pool.
 */
enum { STRETCH_BYTES = 2 << 20, SEQUENCE_STRETCH_BYTES = 256 << 10 };

struct filling {
    struct session *session;
    unsigned threads;
    struct session_pool_filling with; /* bytes 0: all */
    size_t unit_bytes, granule;
};

static size_t greatest_divisor(size_t a, size_t b)
{
    return b ? greatest_divisor(b, a % b) : a;
}

static void draw(const struct session_pool_filling *with, uint8_t *bytes, size_t units, uint64_t random)
{
    uint8_t unused[SEQUENCE_ACTIVATION_BYTES_MAX];
    if (with->sequence)
        sequence_draw(with->sequence, random, units, bytes, unused);
    else
        format_fill(with->format, bytes, units, with->k, &random);
}

static void fill_member(void *context, unsigned member)
{
    const struct filling *job = context;
    struct memory_block *block = &job->session->pool[member];
    struct session_pool_filling *holds = &job->session->pool_filling[member], with = job->with;
    with.bytes = with.bytes && with.bytes < block->length ? with.bytes : block->length;
    if (holds->format == with.format && holds->k == with.k && holds->sequence == with.sequence &&
        holds->bytes >= with.bytes)
        return;
    size_t stretch = with.sequence ? SEQUENCE_STRETCH_BYTES : STRETCH_BYTES;
    stretch = (stretch / job->granule | 1) * job->granule;
    size_t whole = with.bytes / job->unit_bytes * job->unit_bytes;
    if (stretch > whole)
        stretch = whole;
    draw(&with, block->bytes, stretch / job->unit_bytes, 1 + member);
    for (size_t at = stretch; at < whole; at += stretch)
        memcpy(block->bytes + at, block->bytes, whole - at < stretch ? whole - at : stretch);
    *holds = with;
    if (!job->with.bytes)
        session_pool_clean(job->session, member, job->threads);
}

/** @return the granule; 0 without a team */
static size_t fill(struct session *session, unsigned threads, const struct session_pool_filling *with, size_t unit)
{
    char why[SESSION_WHY];
    struct filling job = {
        .session = session,
        .threads = threads,
        .with = *with,
        .unit_bytes = unit,
        .granule = unit / greatest_divisor(unit, 64) * 64,
    };
    struct team *team = session_team(session, threads, why, sizeof why);
    if (!team)
        return 0;
    team_run(team, fill_member, &job);
    return job.granule;
}

size_t session_pool_fill(struct session *session, unsigned threads, const struct format *format, size_t k)
{
    bool uniform = format_is_uniform(format);
    struct session_pool_filling with = {.format = format, .k = uniform ? 0 : k};
    if (!format->fill)
        return 64;
    return fill(session, threads, &with, uniform ? format->step_bytes : format_panel_bytes(format, k));
}

size_t session_pool_fill_sequence(struct session *session, unsigned threads, const struct sequence *sequence,
                                  size_t bytes)
{
    struct session_pool_filling with = {.sequence = sequence, .bytes = bytes};
    if (sequence->weight_values == SEQUENCE_BYTES)
        return 64;
    return fill(session, threads, &with, sequence->weight_bytes);
}
