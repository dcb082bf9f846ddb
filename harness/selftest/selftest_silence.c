/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Selftest of silence: the checks that reject a sample trip when they must and only then, and memory is what was asked
 * for.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "harness/selftest/selftest.h"
#include "platforms/clock/clock.h"
#include "platforms/clock/quiet.h"
#include "platforms/memory/memory.h"

/* ---------------------------------------------------------------- the interrupt check */

/** Whether the check trips over a region of this many seconds. */
static bool trips_over(double seconds, double tsc_hz)
{
    quiet_arm();
    uint64_t end = tsc_begin().ticks + (uint64_t)(seconds * tsc_hz);
    while (tsc_begin().ticks < end)
        continue;
    bool tripped = quiet_interrupted();
    quiet_disarm();
    return tripped;
}

static void check_interrupt_trips(struct session *session, struct selftest_line *line)
{
    enum { TRIES = 5 };
    static const double region_s = 11e-3; /* a tick is due every 10 ms at the latest */
    unsigned tripped = 0;
    if (interrupts_undetectable()) {
        selftest_unavailable(line, "%s; as root, --prove counts what entered the kernel", interrupts_undetectable());
        return;
    }
    for (int i = 0; i < TRIES; i++)
        tripped += trips_over(region_s, session->instruments.tsc_hz);
    if (tripped) {
        selftest_judge(line, tripped == TRIES, tripped, "of 5", "%u of %d regions of 11 ms were seen to be interrupted",
                       tripped, TRIES);
        return;
    }
    bool ever = trips_over(1.5, session->instruments.tsc_hz); /* without a tick the kernel still comes once a second */
    selftest_judge(line, ever, ever, "of 1",
                   ever ? "this CPU has no timer tick (nohz_full); 1.5 s were seen to be interrupted"
                        : "no interrupt was seen in 1.5 s: the check does not work here");
}

static void check_interrupt_quiet(struct session *session, struct selftest_line *line)
{
    enum { REGIONS = 10000, MOST = REGIONS / 200 };
    unsigned tripped = 0;
    (void)session;
    if (interrupts_undetectable()) {
        selftest_unavailable(line, "%s", interrupts_undetectable());
        return;
    }
    for (int i = 0; i < REGIONS; i++) {
        quiet_arm();
        tripped += quiet_interrupted();
        quiet_disarm();
    }
    selftest_judge(line, tripped <= MOST, tripped, "regions", "%u of %d empty regions were seen to be interrupted",
                   tripped, REGIONS);
}

/* ---------------------------------------------------------------- planted disturbances */

enum { PLANTED = 8 };

struct plant {
    unsigned char *pages; /* fresh ones, one a sample */
    size_t page_bytes;
};

static void doze(void *context, unsigned member, unsigned sample)
{
    (void)context, (void)member, (void)sample;
    nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL);
}

static void touch(void *context, unsigned member, unsigned sample)
{
    (void)member;
    const struct plant *plant = context;
    *(volatile unsigned char *)&plant->pages[sample * plant->page_bytes] = 1;
}

/** How many of the planted samples were rejected for the cause; -1 with a line that says why not. */
static int count_rejected(struct session *session, void (*run)(void *, unsigned, unsigned), void *context,
                          enum sample_cause cause, struct selftest_line *line)
{
    struct sample samples[PLANTED];
    char why[SESSION_WHY];
    const struct sampler_work work = {.context = context, .run = run};
    struct team *team = session_team(session, 1, why, sizeof why);
    int error = team ? sampler_take(team, &session->instruments, &work, samples, PLANTED) : -EINVAL;
    if (error) {
        selftest_judge(line, false, NAN, "samples", "no samples could be taken: %s", team ? strerror(-error) : why);
        return -1;
    }
    int count = 0;
    for (int i = 0; i < PLANTED; i++)
        count += samples[i].cause == cause || samples[i].cause == SAMPLE_CONTEXT_SWITCH;
    return count;
}

static void judge_rejected(struct selftest_line *line, int rejected, const char *what)
{
    if (rejected >= 0)
        selftest_judge(line, rejected == PLANTED, rejected, "samples", "%d of %d samples with a %s were rejected",
                       rejected, PLANTED, what);
}

static void check_switch(struct session *session, struct selftest_line *line)
{
    judge_rejected(line, count_rejected(session, doze, NULL, SAMPLE_CONTEXT_SWITCH, line), "context switch");
}

static void check_fault(struct session *session, struct selftest_line *line)
{
    struct plant plant = {.page_bytes = (size_t)sysconf(_SC_PAGESIZE)};
    size_t bytes = PLANTED * plant.page_bytes;
    void *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) {
        selftest_judge(line, false, NAN, "samples", "no memory");
        return;
    }
    madvise(pages, bytes, MADV_NOHUGEPAGE);
    plant.pages = pages;
    judge_rejected(line, count_rejected(session, touch, &plant, SAMPLE_PAGE_FAULT, line), "page fault");
    munmap(pages, bytes);
}

/* ---------------------------------------------------------------- memory */

void selftest_judge_pages(const struct host_facts *host, const struct memory_block *block, struct selftest_line *line)
{
    double fraction = memory_huge_fraction(block);
    bool transparent = block->pages == MEMORY_THP && strcmp(host->thp_enabled, "never") != 0;
    if (block->pages != MEMORY_HUGETLB && !transparent) {
        selftest_unavailable(line, "transparent huge pages are off and none are reserved; run: "
                                   "echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled");
        return;
    }
    selftest_judge(line, fraction >= 0.9, fraction, "1", "%.0f%% of 64 MiB lie on huge pages (%s)%s", 100 * fraction,
                   memory_pages_name(block->pages),
                   fraction >= 0.9 ? "" : "; memory is fragmented, run: echo 1 | sudo tee /proc/sys/vm/compact_memory");
}

static void check_huge_pages(struct session *session, struct selftest_line *line)
{
    struct memory_block block;
    if (memory_reserve(64u << 20, &block) != 0 || memory_fill_random(&block, 1) != 0) {
        memory_release(&block);
        selftest_judge(line, false, NAN, "1", "no memory");
        return;
    }
    selftest_judge_pages(&session->machine.host, &block, line);
    memory_release(&block);
}

static void check_placement(struct session *session, struct selftest_line *line)
{
    const struct topology *topology = session->machine.topology;
    const struct topology_core *core = topology_core_of_cpu(topology, session->cpus[0]);
    char why[SESSION_WHY];
    unsigned node;
    struct memory_block block = {0};
    if (!session_team(session, 1, why, sizeof why) || memory_reserve(4u << 20, &block) != 0 ||
        memory_fill_random(&block, 1) != 0) {
        memory_release(&block);
        selftest_judge(line, false, NAN, "node", "no memory or no thread to place");
        return;
    }
    int error = topology_memory_node(topology, block.bytes, block.mapped, &node, why, sizeof why);
    memory_release(&block);
    if (error == -ENOTSUP || error == -ENOSYS)
        selftest_unavailable(line, "%s", why);
    else if (error)
        selftest_judge(line, false, NAN, "node", "%s", why);
    else
        selftest_judge(line, node == core->numa_node, node, "node",
                       "memory that CPU %u touched first lies on node %u; its own node is %u", session->cpus[0], node,
                       core->numa_node);
}

const struct selftest_check selftest_silence_checks[] = {
    {"interrupt_trips", "the interrupt check reports regions of more than 10 ms", false, check_interrupt_trips},
    {"interrupt_quiet", "the interrupt check does not report empty regions", false, check_interrupt_quiet},
    {"context_switch", "a sample with a context switch is rejected", false, check_switch},
    {"page_fault", "a sample with a page fault is rejected", false, check_fault},
    {"huge_pages", "memory lies on huge pages", false, check_huge_pages},
    {"placement", "memory lies on the NUMA node of the core that touched it", false, check_placement},
    {0},
};
