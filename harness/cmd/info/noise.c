/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/info/info_command.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "platforms/system/noise.h"
#include "results/records/record.h"

static const uint64_t noise_scan_ns = 50 * 1000 * 1000;

static void print_noise(const struct machine *machine)
{
    (void)machine;
    const struct noise noise = noise_scan(noise_scan_ns);
    const struct gap_scan *gaps = &noise.gaps;
    info_heading("Noise just now (one CPU spinning on the clock)");
    printf("  lost its CPU for %.2f%% of %.0f ms, at most %.1f us at a time\n",
           100 * (double)gaps->lost_ns / (double)gaps->duration_ns, 1e-6 * (double)gaps->duration_ns,
           1e-3 * (double)gaps->longest_ns);
    printf("  gaps: %" PRIu64 " of 1-10 us, %" PRIu64 " of 10-100 us, %" PRIu64 " of 0.1-1 ms, %" PRIu64 " longer\n",
           gaps->gaps[0], gaps->gaps[1], gaps->gaps[2], gaps->gaps[3]);
    char line[256];
    snprintf(line, sizeof line,
             "meanwhile on all CPUs: %" PRIu64 " interrupts, %" PRIu64 " context switches, %" PRIu64
             " ticks stolen by a hypervisor",
             noise.during.interrupts, noise.during.context_switches, noise.during.steal_ticks);
    if (noise.during_known)
        info_print_behind(2, line);
}

static int record_noise(const struct machine *machine)
{
    (void)machine;
    const struct noise noise = noise_scan(noise_scan_ns);
    json_auto_t *record = noise_record(&noise);
    return record ? record_write_line(stdout, record) : -ENOMEM;
}

const struct info_section info_noise = {print_noise, record_noise};
