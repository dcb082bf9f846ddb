/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/measure/session_level.h"

const char *session_level_of(const struct session *session, size_t bytes)
{
    /* half of L1 and three quarters of L2 stay resident beside activations and code; L3 is shared by the cores */
    if (session->level_bytes[1] && bytes <= session->level_bytes[1] / 2)
        return "L1";
    if (session->level_bytes[2] && bytes <= session->level_bytes[2] / 4 * 3)
        return "L2";
    if (session->level_bytes[3] && bytes * session->threads <= session->level_bytes[3] / 2)
        return "L3";
    return "memory";
}

/** Most members of a team that share a last-level cache. */
static unsigned most_on_one_llc(const struct session *session, unsigned threads)
{
    unsigned most = 1;
    if (!session->machine.topology)
        return threads;
    for (unsigned i = 0; i < threads; i++) {
        const struct topology_core *own = topology_core_of_cpu(session->machine.topology, session->cpus[i]);
        unsigned count = 0;
        for (unsigned j = 0; own && j < threads; j++) {
            const struct topology_core *other = topology_core_of_cpu(session->machine.topology, session->cpus[j]);
            count += other && other->llc == own->llc;
        }
        most = count > most ? count : most;
    }
    return most;
}

size_t session_cache_bytes(const struct session *session, const char *level, unsigned threads)
{
    int index = level[1] - '0';
    uint64_t bytes = session->level_bytes[index] / 2;
    if (index == 3) {
        uint64_t l2 = session->level_bytes[2], share = session->level_bytes[3] / most_on_one_llc(session, threads);
        bytes = l2 && 3 * l2 < l2 + share / 2 ? 3 * l2 : l2 + share / 2;
    }
    return bytes < SESSION_STREAM_UNIT ? SESSION_STREAM_UNIT : bytes / SESSION_STREAM_UNIT * SESSION_STREAM_UNIT;
}

const char *const session_levels[SESSION_LEVELS] = {"memory", "L3", "L2", "L1"};

bool session_has_level(const struct session *session, const char *level)
{
    return level[0] != 'L' || session->level_bytes[level[1] - '0'];
}

const struct session_roof *session_roof(const struct session *session, const char *level, unsigned threads)
{
    return level[0] == 'L' ? &session->cache_roof[level[1] - '0'][threads] : &session->roof[threads];
}

void session_set_roof(struct session *session, const char *level, unsigned threads, const struct session_roof *roof)
{
    if (level[0] == 'L')
        session->cache_roof[level[1] - '0'][threads] = *roof;
    else
        session->roof[threads] = *roof;
}
