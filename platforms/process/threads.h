/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PLATFORMS_PROCESS_THREADS_H
#define PLATFORMS_PROCESS_THREADS_H

#include <stdint.h>

/**
 * Threads of this process, as the system counts them: of whoever started them. Times are those on a CPU, in nanoseconds.
 */
struct threads {
    unsigned count;       /* that there are */
    uint64_t others_ns;   /* of those but the calling one so far */
    uint64_t finished_ns; /* of those that have ended */
};

/** What there is now; count 0: this system does not say. */
void threads_read(struct threads *now);

/** Cores that threads other than the calling one keep busy, which sleeps for so long meanwhile; 0 where there are none. */
double threads_running(double seconds);

#endif
