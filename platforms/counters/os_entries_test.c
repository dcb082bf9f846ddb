/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/counters/fake_system.h"
#include "platforms/counters/os_entries.h"

enum { IRQ_ID = 101, SYSTEM_CALL_ID = 105 };

static const char *const folders[] = {"irq/irq_handler_entry",
                                      "irq/softirq_entry",
                                      "irq_vectors/local_timer_entry",
                                      "irq_vectors/reschedule_entry",
                                      "raw_syscalls/sys_enter",
                                      "sched/sched_switch",
                                      "nmi/nmi_handler"};

/** A tracepoint in this machine's tracefs. */
static void add_tracepoint(struct fake_machine *machine, const char *below, const char *event, unsigned id)
{
    char path[128], number[16];
    snprintf(path, sizeof path, "%s/events/%s/id", below, event);
    snprintf(number, sizeof number, "%u", id);
    fake_file(machine, path, number);
}

static void add_tracepoints(struct fake_machine *machine)
{
    for (unsigned i = 0; i < sizeof folders / sizeof folders[0]; i++)
        add_tracepoint(machine, "sys/kernel/tracing", folders[i], IRQ_ID + i);
}

/** The group's values; reading is a system call, which its own tracepoint counts. */
static ssize_t read_group(void *context, int fd, void *buffer, size_t bytes)
{
    struct fake_machine *machine = context;
    uint64_t words[3 + FAKE_EVENTS] = {0, machine->now_ns += machine->enabled_step, 0};
    words[2] = machine->tsc += machine->running_step;
    assert_int_equal(fd, FAKE_FD); /* of the leader */
    for (int e = 0; e < FAKE_EVENTS && machine->events[e].open; e++) {
        if (machine->events[e].attr.type == PERF_TYPE_TRACEPOINT && machine->events[e].attr.config == SYSTEM_CALL_ID)
            machine->events[e].count++;
        words[3 + words[0]++] = machine->events[e].count;
    }
    assert_int_equal(bytes, (3 + words[0]) * sizeof words[0]);
    memcpy(buffer, words, bytes);
    return (ssize_t)bytes;
}

static int set_up(void **state)
{
    static struct fake_machine machine;
    fake_machine_open(&machine);
    machine.system.read = read_group;
    *state = &machine;
    return 0;
}

static struct os_entries *open_entries(struct fake_machine *machine)
{
    struct os_entries *entries = NULL;
    char why[256] = "";
    assert_int_equal(os_entries_open(&machine->system, &entries, why, sizeof why), 0);
    return entries;
}

static struct fake_event *event_of(struct fake_machine *machine, uint64_t id)
{
    for (int e = 0; e < machine->opened; e++) {
        if (machine->events[e].attr.type == PERF_TYPE_TRACEPOINT && machine->events[e].attr.config == id)
            return &machine->events[e];
    }
    fail_msg("no event %lu", (unsigned long)id);
    return NULL;
}

TEST_GIVEN_BY(silence_is_zero_though_reading_is_a_system_call, struct fake_machine *machine, set_up, close_machine)
{
    struct os_entry_counts counts;
    add_tracepoints(machine);
    struct os_entries *entries = open_entries(machine);
    os_entries_begin(entries);
    os_entries_end(entries);
    assert_int_equal(os_entries_result(entries, &counts), 0);
    for (int e = 0; e < OS_ENTRIES; e++)
        assert_int_equal(counts.of[e], 0);
    assert_int_equal(os_entries_total(&counts), 0);
    os_entries_close(entries);
}

TEST_GIVEN_BY(what_enters_between_begin_and_end_is_counted_by_cause, struct fake_machine *machine, set_up,
              close_machine)
{
    struct os_entry_counts counts;
    add_tracepoints(machine);
    struct os_entries *entries = open_entries(machine);
    event_of(machine, IRQ_ID)->count += 7; /* before: not ours */
    os_entries_begin(entries);
    event_of(machine, IRQ_ID)->count += 2;
    event_of(machine, SYSTEM_CALL_ID)->count += 3;
    os_entries_end(entries);
    event_of(machine, IRQ_ID)->count += 9; /* after */
    assert_int_equal(os_entries_result(entries, &counts), 0);
    assert_int_equal(counts.of[OS_ENTRY_IRQ], 2);
    assert_int_equal(counts.of[OS_ENTRY_SYSTEM_CALL], 3);
    assert_int_equal(counts.of[OS_ENTRY_TIMER], 0);
    assert_int_equal(os_entries_total(&counts), 5);
    os_entries_close(entries);
}

TEST_GIVEN_BY(a_tracepoint_that_the_kernel_lacks_is_not_zero, struct fake_machine *machine, set_up, close_machine)
{
    struct os_entry_counts counts;
    add_tracepoint(machine, "sys/kernel/debug/tracing", folders[0], IRQ_ID); /* where older systems show it */
    struct os_entries *entries = open_entries(machine);
    os_entries_begin(entries);
    os_entries_end(entries);
    assert_int_equal(os_entries_result(entries, &counts), 0);
    assert_int_equal(counts.of[OS_ENTRY_IRQ], 0);
    assert_int_equal(counts.of[OS_ENTRY_PAGE_FAULT], 0); /* an event of the kernel's own, always there */
    assert_int_equal(counts.of[OS_ENTRY_TIMER], -1);
    assert_int_equal(counts.of[OS_ENTRY_SYSTEM_CALL], -1);
    assert_int_equal(os_entries_total(&counts), 0);
    os_entries_close(entries);
}

TEST_GIVEN_BY(a_group_that_was_not_counting_all_the_time_proves_nothing, struct fake_machine *machine, set_up,
              close_machine)
{
    struct os_entry_counts counts;
    add_tracepoints(machine);
    struct os_entries *entries = open_entries(machine);
    os_entries_begin(entries);
    machine->running_step /= 2;
    os_entries_end(entries);
    assert_int_equal(os_entries_result(entries, &counts), -EIO);
    assert_int_equal(counts.of[OS_ENTRY_IRQ], -1);
    os_entries_close(entries);
}

static int refuse_all(const struct perf_event_attr *attr, int pid, int cpu)
{
    (void)attr, (void)pid, (void)cpu;
    return EACCES;
}

static int no_perf_events(const struct perf_event_attr *attr, int pid, int cpu)
{
    (void)attr, (void)pid, (void)cpu;
    return ENOSYS;
}

static void assert_refused(struct fake_machine *machine, int error, const char *remedy)
{
    char why[256] = "";
    assert_int_equal(os_entries_probe(&machine->system, why, sizeof why), error);
    if (!strstr(why, remedy))
        fail_msg("'%s' does not say '%s'", why, remedy);
    for (int e = 0; e < machine->opened; e++)
        assert_false(machine->events[e].open);
}

TEST_GIVEN_BY(what_is_missing_is_named_with_the_remedy, struct fake_machine *machine, set_up, close_machine)
{
    assert_refused(machine, -ENOENT, "sudo mount -t tracefs tracefs /sys/kernel/tracing");
    add_tracepoints(machine);
    machine->refuse = refuse_all;
    assert_refused(machine, -EACCES, "run as root");
    machine->refuse = no_perf_events;
    assert_refused(machine, -ENOSYS, "CONFIG_PERF_EVENTS");
}

TEST_WITH(entries_have_the_names_of_the_records, set_up, close_machine)
{
    static const char *const names[OS_ENTRIES] = {"irq",        "softirq",     "timer",  "reschedule",
                                                  "page_fault", "system_call", "switch", "nmi"};
    for (int e = 0; e < OS_ENTRIES; e++)
        assert_string_equal(os_entry_name((enum os_entry)e), names[e]);
}

RUN_TESTS(NULL, NULL)
