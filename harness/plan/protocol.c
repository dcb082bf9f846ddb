/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/plan/protocol.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "harness/cells/beta.h"
#include "harness/cells/cell/kind.h"
#include "harness/cells/cell/rounds.h"
#include "harness/cells/pool.h"

struct effort protocol_effort(unsigned samples, unsigned visits, size_t settled, double patience_s)
{
    unsigned rounds = samples == 0 ? 0 : samples < visits ? 1 : visits;
    return (struct effort){rounds, rounds ? samples / rounds : 0, settled, patience_s};
}

int protocol_measure(struct session *session, struct cells *cells, size_t first, size_t end,
                     const struct effort *effort, const struct execution *execution, size_t *failed)
{
    if (first == end)
        return 0;
    int error = effort->rounds
                    ? cells_visit(session, cells, first, end, effort->rounds, effort->samples, execution, failed)
                    : cells->cell[first].kind->carry_out(session, cells, first, end, execution, failed);
    if (!error && effort->patience_s > 0)
        error = cells_settle(session, cells, first, end, effort->settled, effort->patience_s, execution, failed);
    return error;
}

int protocol_roof(struct session *session, struct cells *cells, const char *level, unsigned threads,
                  const struct execution *execution, size_t *failed)
{
    int error = strcmp(level, "memory") == 0 ? pool_find(session, cells, execution, failed) : 0;
    return error ? error : beta_find_roof(session, cells, level, threads, execution, failed);
}

void protocol_why(const struct cells *cells, size_t failed, int error, char *why, size_t size)
{
    const char *said = failed < cells->count ? cells->cell[failed].why : "";
    snprintf(why, size, "%s", said[0] ? said : error == -ENOMEM ? "no memory" : strerror(-error));
}
