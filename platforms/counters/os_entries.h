/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>
#include <stdint.h>

/**
 * Proof of silence: how often the kernel was entered on the calling thread, by cause, from the kernel's own
 * tracepoints. They need root (or CAP_PERFMON) and a mounted tracefs.
 *
 *     os_entries_probe(&system, why, sizeof why);          once
 *     os_entries_open(&system, &entries, why, sizeof why); on the thread
 *       os_entries_begin(entries);  …  os_entries_end(entries);
 *       os_entries_result(entries, &counts);
 *     os_entries_close(entries);
 *
 * Begin and end are system calls themselves; what they add is measured on nothing at all when opened, and taken off.
 *
 * Errors: 0 or negative errno with one line in why.
 */

struct counters_system;
struct os_entries;

enum os_entry {
    OS_ENTRY_IRQ,
    OS_ENTRY_SOFTIRQ,
    OS_ENTRY_TIMER,      /* local timer interrupt; on x86 not one of irq */
    OS_ENTRY_RESCHEDULE, /* interrupt from another CPU */
    OS_ENTRY_PAGE_FAULT,
    OS_ENTRY_SYSTEM_CALL,
    OS_ENTRY_SWITCH, /* to another thread */
    OS_ENTRY_NMI,
    OS_ENTRIES,
};

const char *os_entry_name(enum os_entry entry); /* "irq", "softirq", … */

/** Entries of one region; a tracepoint that this kernel lacks counts -1. */
struct os_entry_counts {
    int64_t of[OS_ENTRIES];
};

/** Sum of all that were counted. */
uint64_t os_entries_total(const struct os_entry_counts *counts);

/** Whether the tracepoints can be opened here; why names cause and remedy. @return 0, -ENOENT, -EACCES, … */
int os_entries_probe(const struct counters_system *system, char *why, size_t size);

/** Open on the calling thread. The system table must outlive it. */
int os_entries_open(const struct counters_system *system, struct os_entries **entries, char *why, size_t size);
void os_entries_begin(struct os_entries *entries);
void os_entries_end(struct os_entries *entries);

/** Counts between the last begin and end. @return 0, or -EIO if they could not be read or the group was not counting */
int os_entries_result(const struct os_entries *entries, struct os_entry_counts *counts);
void os_entries_close(struct os_entries *entries);
