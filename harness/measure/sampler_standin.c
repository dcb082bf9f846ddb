/* SPDX-License-Identifier: BSD-3-Clause
 *
 * For tests of bookkeeping, layout and order: in place of the sampler one that keeps every sample, so that what a
 * table, a record or a plan holds does not depend on how many samples a busy machine lets through. The work is run and
 * timed; a short sample that was disturbed is taken again, then kept; the clock is a round number. No cell of a sequence
 * keeps what one sample did, so a visit to it runs only its first samples; the others repeat their numbers.
 *
 * Where KNEEPOINT_REJECT_SAMPLES is set it rejects every sample instead, as interrupted, for tests of what is said where none is
 * kept.
 *
 * Where KNEEPOINT_SIGNAL_AT is set to a number N, the Nth take of a process, those of its workers counted in, sends the tool that was
 * called the signals of KNEEPOINT_SIGNALS, such as "INT", "KILL", "INT TERM", or "INT 1500 INT" with 1500 ms between the two, for tests of what
 * is printed and saved when it is interrupted; where it is the path of a file, from "/" on, the takes do once there is something in it.
 *
 * No core counts as shared, so that a team is as wide as was asked for.
 *
 * Time that is budgeted passes by samples, and by the clock half as fast: what fits a budget then depends little on
 * the machine and on what else it does, and a budget is spent in a fraction of its time.
 *
 * The linker puts these in place (--wrap) in build/kneepoint-steady and in the test programs that say `steady:`.
 */
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/measure/sampler.h"

int __real_sampler_take(struct team *team, struct instruments *instruments, const struct sampler_work *work,
                        struct sample *samples, unsigned count);
int __wrap_sampler_take(struct team *team, struct instruments *instruments, const struct sampler_work *work,
                        struct sample *samples, unsigned count);
bool __wrap_clock_shared(double issue_width, double undisturbed_width);
double __real_clock_monotonic_s(void);
double __wrap_clock_monotonic_s(void);

/** Of a visit of hundreds of samples, each of them short, no more count as time, unless they are waited for in vain. */
enum { TAKES = 3, COUNTED_MOST = 12 };
/** Even, since samples of a sequence run its short and its long loop in turn. */
enum { SEQUENCE_RUNS = 4 };
static const double core_hz = 2e9, budgeted_s = 2e-3, passing = 0.5;
/** Of a visit's samples together: on a busy machine most that are longer are disturbed, again and again. */
static const double SHORT_S = 2e-3;
/* of workers, too */
static struct shared {
    atomic_uint taken; /* samples */
    atomic_uint takes;
} * shared;
static pid_t tool;

__attribute__((constructor)) static void share(void)
{
    static struct shared own;
    void *memory = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    shared = memory == MAP_FAILED ? &own : memory;
    const char *named = getenv("KNEEPOINT_SIGNAL_TO");
    char own_id[16];
    snprintf(own_id, sizeof own_id, "%d", (int)getpid());
    tool = named ? (pid_t)strtol(named, NULL, 10) : getpid();
    setenv("KNEEPOINT_SIGNAL_TO", own_id, 0); /* programs that it starts signal this one, too */
}

static int signal_of(const char *name)
{
    return strncmp(name, "INT", 3) == 0    ? SIGINT
           : strncmp(name, "HUP", 3) == 0  ? SIGHUP
           : strncmp(name, "KILL", 4) == 0 ? SIGKILL
                                           : SIGTERM;
}

static bool is_signalled(void)
{
    const char *at = getenv("KNEEPOINT_SIGNAL_AT");
    unsigned long take = atomic_fetch_add(&shared->takes, 1) + 1;
    struct stat file;
    if (at && *at == '/')
        return stat(at, &file) == 0 && file.st_size > 0;
    return take == (at ? strtoul(at, NULL, 10) : 0);
}

static void signal_at_take(void)
{
    const char *signals = getenv("KNEEPOINT_SIGNALS");
    if (!is_signalled() || !signals)
        return;
    for (; *signals; signals += strcspn(signals, " "), signals += strspn(signals, " ")) {
        if (*signals >= '0' && *signals <= '9')
            usleep((useconds_t)strtoul(signals, NULL, 10) * 1000);
        else
            kill(tool, signal_of(signals));
    }
}

static unsigned disturbed(const struct sample *samples, unsigned count)
{
    unsigned found = 0;
    for (unsigned i = 0; i < count; i++)
        found += samples[i].cause != SAMPLE_KEPT;
    return found;
}

static bool are_short(const struct sample *samples, unsigned count)
{
    double wall_s = 0;
    for (unsigned i = 0; i < count; i++)
        wall_s += samples[i].wall_s;
    return wall_s < SHORT_S;
}

/** Replace those that were disturbed by the same of another take. */
static int take_again(struct team *team, struct instruments *instruments, const struct sampler_work *work,
                      struct sample *samples, unsigned count)
{
    struct sample *again = calloc(count, sizeof *again);
    int error = again ? __real_sampler_take(team, instruments, work, again, count) : -1;
    for (unsigned i = 0; !error && i < count; i++) {
        if (samples[i].cause != SAMPLE_KEPT)
            samples[i] = again[i];
    }
    free(again);
    return error;
}

/** Samples that were taken, however often, as they are to be seen: all for the same cause or none. */
static void set_cause(struct instruments *instruments, struct sample *samples, unsigned count, enum sample_cause cause)
{
    instruments->judged[cause] += count;
    for (unsigned i = 0; i < count; i++) {
        samples[i].cause = cause;
        samples[i].interrupted = cause == SAMPLE_INTERRUPT;
        samples[i].switched = false;
        samples[i].off_core_share = 0;
        samples[i].grade = SAMPLE_CHAIN;
        samples[i].core_hz = core_hz;
    }
}

int __wrap_sampler_take(struct team *team, struct instruments *instruments, const struct sampler_work *work,
                        struct sample *samples, unsigned count)
{
    bool reject = getenv("KNEEPOINT_REJECT_SAMPLES") != NULL;
    unsigned long judged[INSTRUMENTS_CAUSES_MAX];
    memcpy(judged, instruments->judged, sizeof judged);
    const bool sequence = work->region && strncmp(work->region, "gamma/", strlen("gamma/")) == 0;
    const unsigned runs = sequence && count > SEQUENCE_RUNS ? SEQUENCE_RUNS : count;
    int error = __real_sampler_take(team, instruments, work, samples, runs);
    for (unsigned i = 1; !error && !reject && i < TAKES && disturbed(samples, runs) && are_short(samples, runs); i++)
        error = take_again(team, instruments, work, samples, runs);
    if (!error) {
        for (unsigned i = runs; i < count; i++)
            samples[i] = samples[i % runs];
        memcpy(instruments->judged, judged, sizeof judged);
        set_cause(instruments, samples, count, reject ? SAMPLE_INTERRUPT : SAMPLE_KEPT);
    }
    signal_at_take();
    atomic_fetch_add(&shared->taken, count < COUNTED_MOST || reject ? count : COUNTED_MOST);
    return error;
}

bool __wrap_clock_shared(double issue_width, double undisturbed_width)
{
    (void)issue_width, (void)undisturbed_width;
    return false;
}

double __wrap_clock_monotonic_s(void)
{
    return passing * __real_clock_monotonic_s() + budgeted_s * atomic_load(&shared->taken);
}
