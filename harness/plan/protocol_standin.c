/* SPDX-License-Identifier: BSD-3-Clause
 *
 * On a recorded machine (platforms/machine/machine_standin.c) no cell is measured, also where those that fail are left out.
 */
#include "platforms/machine/machine_standin.h"

#include "harness/plan/protocol.h"

int __real_protocol_measure(struct session *session, struct cells *cells, size_t first, size_t end,
                            const struct effort *effort, const struct execution *execution, size_t *failed);
int __wrap_protocol_measure(struct session *session, struct cells *cells, size_t first, size_t end,
                            const struct effort *effort, const struct execution *execution, size_t *failed);

int __wrap_protocol_measure(struct session *session, struct cells *cells, size_t first, size_t end,
                            const struct effort *effort, const struct execution *execution, size_t *failed)
{
    int error = first < end ? machine_standin_refuse(cells->cell[first].why, sizeof cells->cell[first].why) : 0;
    if (error)
        *failed = first;
    return error ? error : __real_protocol_measure(session, cells, first, end, effort, execution, failed);
}
