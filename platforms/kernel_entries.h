/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PLATFORMS_KERNEL_ENTRIES_H
#define PLATFORMS_KERNEL_ENTRIES_H

#include <stddef.h>
#include <stdint.h>

/**
 * Proof of silence: how often the kernel was entered on the calling thread, by cause, from the kernel's own
 * tracepoints. They need root (or CAP_PERFMON) and a mounted tracefs.
 *
 *     kernel_entries_probe(&system, why, sizeof why);          once
 *     kernel_entries_open(&system, &entries, why, sizeof why); on the thread
 *       kernel_entries_begin(entries);  …  kernel_entries_end(entries);
 *       kernel_entries_result(entries, &counts);
 *     kernel_entries_close(entries);
 *
 * Begin and end are system calls themselves; what they add is measured on nothing at all when opened, and taken off.
 *
 * Errors: 0 or negative errno with one line in why.
 */

struct counters_system;
struct kernel_entries;

enum kernel_entry {
    KERNEL_ENTRY_IRQ,
    KERNEL_ENTRY_SOFTIRQ,
    KERNEL_ENTRY_TIMER,      /* local timer interrupt; on x86 not one of irq */
    KERNEL_ENTRY_RESCHEDULE, /* interrupt from another CPU */
    KERNEL_ENTRY_PAGE_FAULT,
    KERNEL_ENTRY_SYSTEM_CALL,
    KERNEL_ENTRY_SWITCH, /* to another thread */
    KERNEL_ENTRY_NMI,
    KERNEL_ENTRIES,
};

const char *kernel_entry_name(enum kernel_entry entry); /* "irq", "softirq", … */

/** Entries of one region; a tracepoint that this kernel lacks counts -1. */
struct kernel_entry_counts {
    int64_t of[KERNEL_ENTRIES];
};

/** Sum of all that were counted. */
uint64_t kernel_entries_total(const struct kernel_entry_counts *counts);

/** Whether the tracepoints can be opened here; why names cause and remedy. @return 0, -ENOENT, -EACCES, … */
int kernel_entries_probe(const struct counters_system *system, char *why, size_t size);

/** Open on the calling thread. The system table must outlive it. */
int kernel_entries_open(const struct counters_system *system, struct kernel_entries **entries, char *why, size_t size);
void kernel_entries_begin(struct kernel_entries *entries);
void kernel_entries_end(struct kernel_entries *entries);

/** Counts between the last begin and end. @return 0, or -EIO if they could not be read or the group was not counting */
int kernel_entries_result(const struct kernel_entries *entries, struct kernel_entry_counts *counts);
void kernel_entries_close(struct kernel_entries *entries);

#endif
