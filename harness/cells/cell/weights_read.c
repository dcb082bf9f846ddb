/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/cell/weights_read.h"

#include <errno.h>
#include <stdlib.h>

#include "harness/measure/session_level.h"
#include "harness/measure/session_pool.h"
#include "platforms/system/host.h"

/** The roof's stream reads at least this much a member, so that its start-up does not show. */
enum { ROOF_BYTES_LEAST = 2 << 20, ROOF_BYTES_MOST = 16 << 20 };

/** A matrix of this many times the last-level caches is cold though it is read again and again. */
enum { ONE_LAYER_CACHES = 2 };

size_t weights_roof_bytes(const struct weights_read *read)
{
    size_t roof = read->share < ROOF_BYTES_LEAST  ? ROOF_BYTES_LEAST
                  : read->share > ROOF_BYTES_MOST ? ROOF_BYTES_MOST
                                                  : read->share;
    return roof / SESSION_STREAM_UNIT * SESSION_STREAM_UNIT;
}

size_t weights_pool_bytes(const struct session *session, const struct weights_read *read)
{
    char why[SESSION_WHY];
    size_t cold = read->cold ? session_cold_bytes(session, read->threads) : 0;
    if (read->cold &&
        cold < weights_roof_bytes(read)) /* a pool that was given, and is smaller than what is read of it beside */
        cold = weights_roof_bytes(read);
    if (read->share >= cold)
        return read->share;
    bool one_is_cold = read->share * read->threads >= ONE_LAYER_CACHES * session->llc_bytes && session->llc_bytes;
    if (one_is_cold && session_memory_fits(session_pool_growth(session, read->threads, cold), host_memory_available(""),
                                           "", why, sizeof why))
        return read->share;
    return cold;
}

int weights_fit(const struct session *session, const struct weights_read *read, uint64_t more_bytes, const char *what,
                char *why, size_t size)
{
    uint64_t more = more_bytes + session_pool_growth(session, read->threads, weights_pool_bytes(session, read));
    return session_memory_fits(more, host_memory_available(""), what, why, size);
}

size_t weights_copies(const struct session *session, const struct weights_read *read, size_t granule)
{
    const struct session_stream *stream = &session->roof[read->threads].stream;
    size_t roof = weights_roof_bytes(read), least = session_pool_length(weights_pool_bytes(session, read)),
           fewest = SIZE_MAX;
    const struct session_cold_read turn[2] = {{stream->variant ? session_stream_span(stream, roof) : roof, 64},
                                              {read->share, granule}};
    for (unsigned t = 0; t < read->threads; t++) {
        size_t length = session->pool[t].length > least ? session->pool[t].length : least;
        size_t copies = session_cold_copies(session, read->threads, length, turn);
        fewest = copies < fewest ? copies : fewest;
    }
    return fewest;
}

void weights_add_filling(const struct session *session, const struct cell *cell, double bytes, struct cell_cost *cost)
{
    static const double DRAW_S = 3e-3, COPY_S = 2e-10; /* the stretch that places are copies of; a byte of a copy */
    bool all = cell->cold && !MEMORY_COPIES_PAST_CACHES;
    if (!cell->kernel->format->fill)
        return;
    double pool = all ? (double)session_cold_bytes(session, cell->threads) : 0, own = bytes / cell->threads;
    cost->visit_s += DRAW_S + COPY_S * (pool > own ? pool : own);
    cost->sample_s += cell->cold && !all ? COPY_S * own : 0;
}

int weights_need_roof(const struct session *session, struct cell *cell)
{
    if (!cell->cold || session->roof[cell->threads].chosen)
        return 0;
    session_roof_missing(session, "memory", cell->threads, cell->why, sizeof cell->why);
    return -ENODATA;
}

int weights_begin(struct weights_visit *visit, struct session *session, struct cell *cell,
                  const struct weights_read *read, size_t k)
{
    *visit = (struct weights_visit){.session = session, .cell = cell, .read = *read};
    visit->roof_bytes = weights_roof_bytes(read);
    cell->roof_bytes = visit->roof_bytes * cell->threads;
    int error = session_pool(session, cell->threads, weights_pool_bytes(session, read), cell->why, sizeof cell->why);
    if (!error)
        visit->granule = session_pool_fill(session, cell->threads, cell->kernel->format, k,
                                           (struct session_pool_need){read->share, cell->cold});
    if (!error && !visit->granule)
        error = -EINVAL;
    if (!error && cell->cold) {
        visit->copies = weights_copies(session, read, visit->granule);
        visit->one_layer = visit->copies == 1 && 2 * read->share >= session_cold_bytes(session, read->threads);
    }
    if (!error && !session_team_from(session, cell->member, cell->threads, cell->why, sizeof cell->why))
        error = -EINVAL;
    return error;
}

bool weights_is_roof(const struct cell *cell, unsigned sample)
{
    return cell->cold && sample % 2 == 0;
}

static const struct session_stream *roof_stream(const struct weights_visit *visit)
{
    return &visit->session->roof[visit->cell->threads].stream;
}

const uint8_t *weights_place(struct weights_visit *visit, unsigned member, unsigned sample, size_t bytes)
{
    unsigned threads = visit->cell->threads;
    if (!weights_is_roof(visit->cell, sample))
        return session_cold_weights(visit->session, member, threads, bytes, visit->granule);
    visit->roof_place[member] = session_cold_place(visit->session, member, threads,
                                                   session_stream_span(roof_stream(visit), visit->roof_bytes), 64);
    session_cold_weights_ahead(visit->session, member, threads, bytes, visit->granule);
    return NULL;
}

void weights_read_roof(const struct weights_visit *visit, unsigned member)
{
    session_stream_read(roof_stream(visit), visit->roof_place[member], visit->roof_bytes, true);
}

void weights_meet_roof(const struct weights_visit *visit, unsigned member)
{
    session_stream_read(roof_stream(visit), visit->session->pool[member].bytes, SESSION_STREAM_UNIT, true);
}

int weights_take(struct weights_visit *visit, const struct sampler_work *work, unsigned count)
{
    struct cell *cell = visit->cell;
    unsigned total = cell->cold ? 2 * count : count;
    struct sample *samples = calloc(total, sizeof *samples);
    int error =
        samples ? sampler_take(visit->session->team, &visit->session->instruments, work, samples, total) : -ENOMEM;
    for (unsigned i = 0; !error && i < total; i++)
        samples[i].stream = weights_is_roof(cell, i) ? session_stream_id(roof_stream(visit)) : 0;
    for (unsigned i = 0; !error && i < total; i++)
        error = samples_append(weights_is_roof(cell, i) ? &cell->roof : &cell->samples, &samples[i], 1);
    free(samples);
    return error;
}
