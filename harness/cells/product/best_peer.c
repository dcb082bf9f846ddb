/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/product/best_peer.h"

#include <math.h>
#include <stdlib.h>

#include "harness/cells/cell/fields.h"
#include "harness/cells/product/main_kernels.h"
#include "harness/cells/product/product_cell.h"
#include "micro/format_kind.h"
#include "results/files/need.h"
#include "results/records/record.h"

double best_peer_width(double bits)
{
    return bits < 1.5 ? 1 : bits < 1.9 ? 1.58 : floor(bits + 0.1);
}

bool best_peer_compares(const struct kernel *one, const struct kernel *other)
{
    return best_peer_width(one->format->bits) == best_peer_width(other->format->bits) &&
           kernel_keeps_activations(one) == kernel_keeps_activations(other) &&
           (one->format == other->format || format_kind(one->format) == format_kind(other->format));
}

/** A product as a cell has it; m 0: it has none that could be compared. */
struct product {
    size_t m, k, tokens;
};

static struct product product_of(const struct cell *cell)
{
    const struct product_cell *own = product_cell(cell);
    return own && !own->schedule && !own->beside ? (struct product){own->m, own->k, own->tokens} : (struct product){0};
}

bool best_peer_is_alike(const struct cell *one, const struct cell *other)
{
    const struct product a = product_of(one), b = product_of(other);
    return a.m && a.m == b.m && a.k == b.k && a.tokens == b.tokens && one->threads == other->threads &&
           one->member == other->member && one->cold == other->cold && best_peer_compares(one->kernel, other->kernel);
}

/** One past the last sample of the visit that begins at one. */
static size_t visit_end(const struct cell *cell, size_t first)
{
    size_t end = first;
    while (end < cell->samples.count && cell->samples.sample[end].turn == cell->samples.sample[first].turn)
        end++;
    return end;
}

/** Time of the next sample that was kept, from *at on and before end. @return false if there is none */
static bool next_kept(const struct cell *cell, size_t *at, size_t end, double *seconds)
{
    enum sample_grade grade;
    while (*at < end && !summary_time_of(cell, *at, seconds, &grade))
        ++*at;
    return (*at)++ < end;
}

struct summary best_peer_ratio(const struct cell *cell, const struct cell *other)
{
    double *ratio = need(cell->samples.count + 1, sizeof *ratio);
    struct summary summary;
    size_t n = 0;
    for (size_t a = 0, b = 0; ratio && a < cell->samples.count && b < other->samples.count;) {
        size_t a_end = visit_end(cell, a), b_end = visit_end(other, b);
        double own_s, others_s;
        while (next_kept(cell, &a, a_end, &own_s) && next_kept(other, &b, b_end, &others_s))
            ratio[n++] = others_s / own_s;
        a = a_end;
        b = b_end;
    }
    stats_summarize(ratio, n, &summary);
    free(ratio);
    return summary;
}

static bool is_measured(const struct session *session, const struct cell *cell)
{
    return cell->kernel && cell->samples.count && !plugins_fault(&session->plugins, cell->kernel->name);
}

static double median_s(const struct cell *cell)
{
    return summary_time(cell).summary.median;
}

/** Whose cells are looked at. */
enum whose { OURS, ANY_PEER, ONE_PEER };

static const struct cell *fastest(const struct session *session, const struct cells *cells, const struct cell *like,
                                  enum whose whose, const struct plugin *of)
{
    const struct cell *best = NULL;
    for (size_t i = 0; i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        if (!is_measured(session, cell) || !best_peer_is_alike(cell, like))
            continue;
        const struct plugin *plugin = plugins_of_kernel(&session->plugins, cell->kernel);
        bool wanted = whose == OURS ? !plugin : whose == ANY_PEER ? plugin != NULL : plugin == of;
        if (wanted && !isnan(median_s(cell)) && (!best || median_s(cell) < median_s(best)))
            best = cell;
    }
    return best;
}

const struct cell *best_peer_fastest(const struct session *session, const struct cells *cells, const struct cell *like,
                                     const struct plugin *of)
{
    return fastest(session, cells, like, of ? ONE_PEER : ANY_PEER, of);
}

const struct cell *best_peer_fastest_of_ours(const struct session *session, const struct cells *cells,
                                             const struct cell *like)
{
    return fastest(session, cells, like, OURS, NULL);
}

bool best_peer_lacks(const struct session *session, const struct cells *cells, const struct cell *cell)
{
    const struct cell *peer = is_measured(session, cell) ? best_peer_fastest(session, cells, cell, NULL) : NULL;
    return cell->samples.count && !cell->why[0] &&
           (cell_kept(cell) < STATS_KEPT_LEAST ||
            (peer && peer != cell && best_peer_ratio(cell, peer).n < STATS_KEPT_LEAST));
}

static void set_ratio(json_t *record, const struct cell *cell, const struct cell *peer)
{
    const struct summary ratio = best_peer_ratio(cell, peer);
    if (cell == peer || ratio.n == 0)
        field_set_number_or_why(record, "x_best_peer", (double)NAN,
                                cell == peer ? "it is the best peer itself"
                                             : "no samples of both were kept in the same round");
    else
        field_set(record, "x_best_peer", record_quantity(&ratio, "1", "wall"));
}

void best_peer_record(json_t *record, const struct session *session, const struct cells *cells, const struct cell *cell)
{
    const struct cell *peer = session->plugins.count ? best_peer_fastest(session, cells, cell, NULL) : NULL;
    if (!peer)
        return;
    field_set(record, "width", json_real(best_peer_width(cell->kernel->format->bits)));
    field_set(record, "best_peer", json_string(peer->kernel->name));
    set_ratio(record, cell, peer);
}
