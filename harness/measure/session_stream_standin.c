/* SPDX-License-Identifier: BSD-3-Clause
 *
 * For tests of bookkeeping, layout and order: few of the read streams to choose a roof among, all that do not prefetch and
 * some of the hundreds that do. Every session of a measuring command begins with that search; which one wins, no such test
 * says.
 */
#include "harness/measure/session_stream.h"

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
