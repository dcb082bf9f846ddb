/* SPDX-License-Identifier: BSD-3-Clause
 *
 * For tests of bookkeeping, layout and order: the machine states small last-level caches. A pool is several times as
 * large as they are, and most of what a short measurement took was to fill it; with hundreds of megabytes of cache it would
 * be minutes. What is read from it is then not from memory, which no such test says. A recorded machine, on which nothing
 * is measured, states its own, since its plan goes by them.
 */
#include "platforms/machine/machine_standin.h"
#include "platforms/topology/topology.h"

uint64_t __real_topology_llc_bytes(const struct topology *topology, const struct topology_core *const *cores,
                                   size_t count);
uint64_t __wrap_topology_llc_bytes(const struct topology *topology, const struct topology_core *const *cores,
                                   size_t count);

enum { MOST_BYTES = 256 << 10 };

uint64_t __wrap_topology_llc_bytes(const struct topology *topology, const struct topology_core *const *cores,
                                   size_t count)
{
    uint64_t bytes = __real_topology_llc_bytes(topology, cores, count);
    return machine_standin_folder() || bytes < MOST_BYTES ? bytes : MOST_BYTES;
}
