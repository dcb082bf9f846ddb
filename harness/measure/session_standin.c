/* SPDX-License-Identifier: BSD-3-Clause
 *
 * For tests of bookkeeping, layout and order: sessions that open quickly.
 */
#include "harness/measure/session_stream.h"
#include "platforms/machine/machine_standin.h"
#include "platforms/topology/topology.h"

/*
 * The machine states small last-level caches. A pool is several times as
 * large as they are, and most of what a short measurement took was to fill it; with hundreds of megabytes of cache it would
 * be minutes. What is read from it is then not from memory, which no such test says. A recorded machine, on which nothing
 * is measured, states its own, since its plan goes by them.
 */
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

/*
 * Few of the read streams to choose a roof among, all that do not prefetch and
 * some of the hundreds that do. Every session of a measuring command begins with that search; which one wins, no such test
 * says.
 */
bool __real_session_stream_at(size_t index, struct session_stream *stream);
bool __wrap_session_stream_at(size_t index, struct session_stream *stream);

/** A prime, so that instruction sets, places, hints and distances are all among them. */
enum { ONE_IN = 13 };

bool __wrap_session_stream_at(size_t index, struct session_stream *stream)
{
    size_t kept = 0;
    for (size_t i = 0; __real_session_stream_at(i, stream); i++) {
        if ((!stream->variant->hint || i % ONE_IN == 0) && kept++ == index)
            return true;
    }
    return false;
}
