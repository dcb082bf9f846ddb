/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/plan/protocol.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "harness/cells/beta/beta.h"
#include "harness/cells/cell/kind.h"
#include "harness/cells/cell/rounds.h"
#include "harness/cells/pool/pool.h"
#include "harness/measure/session_pool.h"

struct effort protocol_effort(unsigned samples, unsigned visits, size_t settled, double patience_s)
{
    unsigned rounds = samples == 0 ? 0 : samples < visits ? 1 : visits;
    return (struct effort){
        .rounds = rounds, .samples = rounds ? samples / rounds : 0, .settled = settled, .patience_s = patience_s};
}

double protocol_seconds(const struct session *session, const struct cells *cells, size_t first, size_t end,
                        const struct effort *effort)
{
    static const double SWEPT_VISITS = 3, SWEPT_SAMPLES = 12; /* of what is carried out as its kind does it */
    double visits = effort->rounds ? effort->rounds : SWEPT_VISITS, seconds = 0;
    double samples = effort->rounds ? visits * effort->samples : SWEPT_SAMPLES;
    for (size_t i = first; i < end; i++) {
        struct cell_cost cost = cell_cost(session, &cells->cell[i]);
        seconds += cost.once_s + visits * cost.visit_s + samples * cost.sample_s;
    }
    return seconds;
}

int protocol_measure(struct session *session, struct cells *cells, size_t first, size_t end,
                     const struct effort *effort, const struct execution *execution, size_t *failed)
{
    if (first == end)
        return 0;
    int error = effort->once ? execution_added(execution, cells, first, end, effort->settled, failed) : 0;
    if (error)
        return error;
    static const double VISITED = 0.9;
    struct execution_span spans[2];
    const struct execution visits = execution_spanning(&spans[0], execution, 0, effort->patience_s > 0 ? VISITED : 1),
                           settling = execution_spanning(&spans[1], execution, VISITED, 1);
    error = effort->rounds ? cells_visit(session, cells, first, end, effort->rounds, effort->samples, &visits, failed)
                           : cells->cell[first].kind->carry_out(session, cells, first, end, &visits, failed);
    if (!error && effort->patience_s > 0)
        error = cells_settle(session, cells, first, end, effort->settled, effort->patience_s, &settling, failed);
    return error;
}

int protocol_roof(struct session *session, struct cells *cells, const char *level, unsigned threads,
                  const struct execution *execution, size_t *failed)
{
    static const double POOL = 0.15;
    const bool memory = strcmp(level, "memory") == 0;
    struct execution_span spans[2];
    const struct execution pool = execution_spanning(&spans[0], execution, 0, POOL),
                           roof = execution_spanning(&spans[1], execution, memory ? POOL : 0, 1);
    int error = memory ? pool_find(session, cells, &pool, failed) : 0;
    return error ? error : beta_find_roof(session, cells, level, threads, &roof, failed);
}

void protocol_why(const struct cells *cells, size_t failed, int error, char *why, size_t size)
{
    const char *said = failed < cells->count ? cells->cell[failed].why : "";
    if (!said[0] && error == -ENOMEM)
        session_no_memory("what is measured", why, size);
    else
        snprintf(why, size, "%s", said[0] ? said : strerror(-error));
}
