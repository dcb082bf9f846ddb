/* SPDX-License-Identifier: BSD-3-Clause
 *
 * For tests that run beside others: a member spins at the barrier for a moment and then sleeps, so that the member it waits for can
 * have its CPU. Only spinning would use up a whole time slice at each barrier of a busy machine. That of join.c never spins: each of
 * its waits is a context switch, for which the sampler would take the sample again.
 */
#include <limits.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "harness/team/team.h"

void __wrap_team_barrier(struct team *team);

enum { SPINS = 2000 };

/* of the one team that a process has at a time */
static atomic_uint arrived, phase, asleep;

void __wrap_team_barrier(struct team *team)
{
    const unsigned threads = team_threads(team), now = atomic_load(&phase);
    if (threads == 1)
        return;
    if (atomic_fetch_add(&arrived, 1) + 1 == threads) {
        atomic_store(&arrived, 0);
        atomic_store(&phase, now + 1);
        if (atomic_load(&asleep))
            syscall(SYS_futex, &phase, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
        return;
    }
    for (unsigned spins = 0; spins < SPINS && atomic_load(&phase) == now; spins++)
        team_relax();
    atomic_fetch_add(&asleep, 1);
    while (atomic_load(&phase) == now)
        syscall(SYS_futex, &phase, FUTEX_WAIT_PRIVATE, now, NULL, NULL, 0);
    atomic_fetch_sub(&asleep, 1);
}
