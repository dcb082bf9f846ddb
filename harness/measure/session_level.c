/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/measure/session_level.h"

#include <stdio.h>

#include "harness/measure/sampler.h"
#include "results/files/need.h"

/** What each core of a team has of a cache level at least; 0: it has none. */
static uint64_t share_of(const struct session *session, unsigned level, unsigned threads)
{
    if (!session->level_bytes[level])
        return 0;
    uint64_t bytes;
    if (session->machine.topology)
        return need_result(topology_cache_share(session->machine.topology, session->cpus, threads, level, &bytes))
                   ? 0
                   : bytes;
    return session->level_bytes[level] / (level == 3 ? threads : 1); /* nothing is known of who shares what */
}

const char *session_level_of(const struct session *session, size_t bytes, unsigned threads)
{
    /* half of L1 and three quarters of L2 stay resident beside activations and code */
    if (bytes <= share_of(session, 1, threads) / 2)
        return "L1";
    if (bytes <= share_of(session, 2, threads) / 4 * 3)
        return "L2";
    if (bytes <= share_of(session, 3, threads) / 2)
        return "L3";
    return "memory";
}

size_t session_cache_bytes(const struct session *session, const char *level, unsigned threads)
{
    unsigned index = (unsigned)(level[1] - '0');
    uint64_t share = share_of(session, index, threads), bytes = share / 2;
    if (index == 3) {
        uint64_t l2 = share_of(session, 2, threads);
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

void session_roof_missing(const struct session *session, const char *level, unsigned threads, char *why, size_t size)
{
    char rejections[192];
    sampler_rejections(&session->instruments, rejections, sizeof rejections);
    snprintf(
        why, size,
        "no sample of the read roof of %s with %u thread%s was kept (%s): the machine is too busy, `kneepoint info` "
        "and `kneepoint selftest` show what disturbs it; try again%s",
        level, threads, threads == 1 ? "" : "s", rejections, threads == 1 ? "" : ", or with fewer threads");
}

void session_set_roof(struct session *session, const char *level, unsigned threads, const struct session_roof *roof)
{
    if (level[0] == 'L')
        session->cache_roof[level[1] - '0'][threads] = *roof;
    else
        session->roof[threads] = *roof;
}
