/* SPDX-License-Identifier: BSD-3-Clause */
#include <ctype.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platforms/counters/backend.h"
#include "platforms/process/child.h"
#include "platforms/counters/library.h"
#include "platforms/counters/perf_counter.h"
#include "platforms/counters/perf_facts.h"
#include "platforms/counters/reason.h"
#include "platforms/counters/system.h"

/**
 * PAPI 7, an event set per thread in its default thread granularity. It opens the same perf events as the perf back end
 * through libpfm, which makes it an independent check of which events are counted.
 */

/* The few values of papi.h that are used; they are part of the library's ABI. */
enum { PAPI_OK = 0, PAPI_NULL = -1 };

static const int PAPI_PRESET = (int)0x80000000u;
enum { PRESET_L3_TCM = 0x08, PRESET_TOT_INS = 0x32, PRESET_TOT_CYC = 0x3b, PRESET_REF_CYC = 0x6b };

/* Head of PAPI_component_info_t, the same in 7.0 to 7.2. */
struct papi_component_head {
    char name[128], short_name[64], description[128], version[64], support_version[64], kernel_version[64];
    char disabled_reason[1024];
};

/* The soname carries the minor version; the symbols used are the same in all of 7. */
static const char *const papi_libraries[] = {"libpapi.so.7.2", "libpapi.so.7.1", "libpapi.so.7.0",
                                             "libpapi.so.7",   "libpapi.so",     NULL};

struct papi_functions {
    int (*library_init)(int version);
    int (*thread_init)(unsigned long (*identify)(void));
    int (*register_thread)(void);
    int (*get_component_index)(const char *name);
    const struct papi_component_head *(*get_component_info)(int index);
    int (*create_eventset)(int *set);
    int (*assign_eventset_component)(int set, int index);
    int (*add_event)(int set, int event);
    int (*start)(int set);
    int (*read)(int set, long long *values);
    int (*stop)(int set, long long *values);
    int (*cleanup_eventset)(int set);
    int (*destroy_eventset)(int *set);
    char *(*error_text)(int status);
};

#define SYMBOL(field, name)                                                                                            \
    {                                                                                                                  \
        name, offsetof(struct papi_functions, field)                                                                   \
    }
static const struct library_symbol papi_symbols[] = {
    SYMBOL(library_init, "PAPI_library_init"),
    SYMBOL(thread_init, "PAPI_thread_init"),
    SYMBOL(register_thread, "PAPI_register_thread"),
    SYMBOL(get_component_index, "PAPI_get_component_index"),
    SYMBOL(get_component_info, "PAPI_get_component_info"),
    SYMBOL(create_eventset, "PAPI_create_eventset"),
    SYMBOL(assign_eventset_component, "PAPI_assign_eventset_component"),
    SYMBOL(add_event, "PAPI_add_event"),
    SYMBOL(start, "PAPI_start"),
    SYMBOL(read, "PAPI_read"),
    SYMBOL(stop, "PAPI_stop"),
    SYMBOL(cleanup_eventset, "PAPI_cleanup_eventset"),
    SYMBOL(destroy_eventset, "PAPI_destroy_eventset"),
    SYMBOL(error_text, "PAPI_strerror"),
};
#undef SYMBOL

struct papi_event {
    enum counter_quantity quantity;
    int preset;
};

static const struct papi_event papi_events[] = {
    {COUNTER_CORE_CYCLES, PRESET_TOT_CYC},
    {COUNTER_REFERENCE_CYCLES, PRESET_REF_CYC},
    {COUNTER_INSTRUCTIONS, PRESET_TOT_INS},
    {COUNTER_LLC_MISSES, PRESET_L3_TCM},
};
enum { PAPI_EVENTS = 4 };

struct counters_session {
    struct papi_functions papi;
    counter_set asked;
    int set;
    size_t count;
    enum counter_quantity order[PAPI_EVENTS];
    long long begin[PAPI_EVENTS], end[PAPI_EVENTS];
    int begin_status, end_status;
    char reason[COUNTER_QUANTITIES][COUNTERS_TEXT];
};

/* PAPI's own initialisation is per process and not thread-safe. */
static pthread_mutex_t initialisation = PTHREAD_MUTEX_INITIALIZER;

static unsigned long thread_identity(void)
{
    return (unsigned long)pthread_self();
}

/* The library accepts only its own major and minor version, so ask for each that is known. */
static int initialise(const struct papi_functions *papi, char *why, size_t size)
{
    static const int versions[] = {7 << 24 | 2 << 16, 7 << 24 | 1 << 16, 7 << 24};
    int got = 0;
    pthread_mutex_lock(&initialisation);
    for (size_t v = 0; v < sizeof versions / sizeof versions[0]; v++)
        if ((got = papi->library_init(versions[v])) == versions[v])
            break;
    if (got >> 24 == 7)
        papi->thread_init(thread_identity);
    pthread_mutex_unlock(&initialisation);
    if (got >> 24 == 7)
        return 0;
    snprintf(why, size, "PAPI_library_init refused versions 7.0 to 7.2 (%s)", papi->error_text(got));
    return -ELIBBAD;
}

/* Index of the perf_event component, -ELIBBAD without one, -ENODEV with PAPI's reason if it is disabled. */
static int perf_event_component(const struct papi_functions *papi, char *why, size_t size)
{
    int index = papi->get_component_index("perf_event");
    if (index < 0) {
        snprintf(why, size, "PAPI was built without its perf_event component");
        return -ELIBBAD;
    }
    const struct papi_component_head *info = papi->get_component_info(index);
    if (info && strcmp(info->name, "perf_event") == 0 && isprint((unsigned char)info->disabled_reason[0])) {
        snprintf(why, size, "PAPI's perf_event component is disabled: %.120s", info->disabled_reason);
        return -ENODEV;
    }
    return index;
}

/* Add what was asked for; what PAPI refuses gets its reason. */
static void add_events(struct counters_session *session)
{
    for (size_t e = 0; e < PAPI_EVENTS; e++) {
        enum counter_quantity quantity = papi_events[e].quantity;
        if (!(session->asked & COUNTER_SET(quantity)))
            continue;
        int status = session->papi.add_event(session->set, PAPI_PRESET | papi_events[e].preset);
        if (status == PAPI_OK)
            session->order[session->count++] = quantity;
        else
            snprintf(session->reason[quantity], sizeof session->reason[quantity], "PAPI cannot count %s: %s",
                     counter_quantity_name(quantity), session->papi.error_text(status));
    }
}

static void release(struct counters_session *session)
{
    if (session->set != PAPI_NULL) {
        session->papi.cleanup_eventset(session->set);
        session->papi.destroy_eventset(&session->set);
    }
    /* The library stays loaded: it keeps state of the process and of other threads. */
    free(session);
}

static int start_set(struct counters_session *session, char *why, size_t size)
{
    int component = perf_event_component(&session->papi, why, size);
    if (component < 0)
        return component;
    session->papi.register_thread();
    int status = session->papi.create_eventset(&session->set);
    if (status == PAPI_OK)
        status = session->papi.assign_eventset_component(session->set, component);
    if (status == PAPI_OK) {
        add_events(session);
        if (session->count == 0) {
            for (int q = COUNTER_QUANTITIES - 1; q >= 0; q--)
                if (session->reason[q][0])
                    snprintf(why, size, "%s", session->reason[q]);
            return -ENODEV;
        }
        status = session->papi.start(session->set);
    }
    if (status == PAPI_OK)
        return 0;
    snprintf(why, size, "PAPI cannot start counting: %s", session->papi.error_text(status));
    return -EBUSY;
}

static int papi_open(const struct counters_system *system, const struct counters_request *request,
                     struct counters_session **out, char *why, size_t size)
{
    if (!request->system_calls) {
        snprintf(why, size, "PAPI may read with a system call, which is not made around this sample");
        return -ENOTSUP;
    }
    struct counters_session *session = calloc(1, sizeof *session);
    if (!session) {
        snprintf(why, size, "papi: no memory");
        return -ENOMEM;
    }
    session->set = PAPI_NULL;
    session->asked = request->quantities;
    int status = library_open(system, papi_libraries, papi_symbols, sizeof papi_symbols / sizeof papi_symbols[0],
                              &session->papi, why, size);
    if (status == 0)
        status = initialise(&session->papi, why, size);
    if (status == 0)
        status = start_set(session, why, size);
    if (status) {
        release(session);
        return status;
    }
    *out = session;
    return 0;
}

static void papi_begin(struct counters_session *session)
{
    session->begin_status = session->papi.read(session->set, session->begin);
}

static void papi_end(struct counters_session *session)
{
    session->end_status = session->papi.read(session->set, session->end);
}

static void papi_result(struct counters_session *session, struct counters_sample *sample)
{
    int status = session->begin_status != PAPI_OK ? session->begin_status : session->end_status;
    for (int q = 0; q < COUNTER_QUANTITIES; q++)
        if (session->asked & COUNTER_SET(q))
            value_unavailable(&sample->of[q], "%s",
                              session->reason[q][0] ? session->reason[q] : "PAPI does not count this");
    for (size_t e = 0; e < session->count; e++) {
        struct counter_value *value = &sample->of[session->order[e]];
        if (status != PAPI_OK)
            value_unavailable(value, "PAPI_read failed: %s", session->papi.error_text(status));
        else
            *value = (struct counter_value){.grade = COUNTER_MEASURED,
                                            .value = (double)(session->end[e] - session->begin[e])};
    }
}

static void papi_close(struct counters_session *session)
{
    long long values[PAPI_EVENTS];
    session->papi.stop(session->set, values);
    release(session);
}

/* ---- probe */

struct papi_report {
    int status;
    counter_set quantities;
    char why[COUNTERS_TEXT];
    char reason[COUNTER_QUANTITIES][COUNTERS_TEXT];
};

struct papi_trial {
    const struct counters_system *system;
    struct counters_request request;
};

/* In a child process: open everything, count a little, see what moves. */
static void try_papi(void *argument, void *out)
{
    const struct papi_trial *trial = argument;
    struct papi_report *report = out;
    struct counters_session *session;
    volatile unsigned work = 0;
    report->status = papi_open(trial->system, &trial->request, &session, report->why, sizeof report->why);
    if (report->status)
        return;
    memcpy(report->reason, session->reason, sizeof report->reason);
    papi_begin(session);
    while (work < 1000000)
        work++;
    papi_end(session);
    for (size_t e = 0; e < session->count; e++) {
        bool moves = session->end[e] > session->begin[e] || session->order[e] == COUNTER_LLC_MISSES;
        if (moves && session->begin_status == PAPI_OK && session->end_status == PAPI_OK)
            report->quantities |= COUNTER_SET(session->order[e]);
        else
            snprintf(report->reason[session->order[e]], COUNTERS_TEXT, "PAPI counts no %s",
                     counter_quantity_name(session->order[e]));
    }
    papi_close(session);
}

/* PAPI has no core events: because nobody has, or because its libpfm is older than the CPU. */
static void explain_no_events(const struct counters_system *system, unsigned cpu, const char *why,
                              struct counters_reason *reason)
{
    struct perf_facts facts;
    struct perf_counter counter = {.fd = -1};
    perf_facts_read(system, cpu, &facts);
    int status = perf_counter_open_core(system, &facts, COUNTER_CORE_CYCLES, &counter);
    if (status) {
        perf_explain_core(&facts, COUNTER_CORE_CYCLES, -status, reason);
        return;
    }
    perf_counter_close(system, &counter);
    reason_cause(reason, "the libpfm inside PAPI is too old for this CPU (%.120s)", why);
    reason_remedy(reason, "install a newer PAPI, or use --counters=perf, which needs none");
}

static void explain_child(const struct child_result *child, unsigned limit_ms, struct counters_reason *reason)
{
    switch (child->outcome) {
    case CHILD_CRASHED: reason_cause(reason, "libpapi crashed: %s", strsignal(child->detail)); break;
    case CHILD_EXITED: reason_cause(reason, "libpapi ended the process with status %d", child->detail); break;
    case CHILD_HUNG: reason_cause(reason, "libpapi did not return within %u ms", limit_ms); break;
    default: reason_cause(reason, "no process to try libpapi in: %s", strerror(child->detail)); break;
    }
    reason_remedy(reason, "use --counters=auto");
}

static void explain_status(const struct counters_system *system, unsigned cpu, const struct papi_report *report,
                           struct counters_reason *reason)
{
    reason_cause(reason, "%s", report->why);
    if (report->status == -ENODEV) {
        explain_no_events(system, cpu, report->why, reason);
    } else if (report->status == -ENOENT) {
        reason_cause(reason, "PAPI 7: %s", report->why);
        reason_remedy(reason, "install PAPI 7 (Debian: sudo apt install libpapi-dev)");
    } else if (report->status == -ELIBBAD) {
        reason_remedy(reason, "install a PAPI 7 with the perf_event component, or use --counters=auto");
    } else if (report->status == -EBUSY) {
        reason_remedy(reason, "stop other profilers");
    }
}

/* It opened and started, but no cycles came. */
static void explain_silence(const struct papi_report *report, struct counters_reason *reason)
{
    reason_cause(reason, "%s", report->reason[COUNTER_CORE_CYCLES]);
    reason_remedy(reason, "stop other profilers");
}

static void papi_probe(const struct counters_system *system, unsigned cpu, struct counters_probe *probe)
{
    struct papi_trial trial = {system, {cpu, COUNTER_SET_THREAD, true}};
    struct papi_report report;
    struct child_result child;
    struct counters_reason reason = {0};
    child_run(try_papi, &trial, &report, sizeof report, system->child_limit_ms, &child);
    if (child.outcome != CHILD_RETURNED)
        explain_child(&child, system->child_limit_ms, &reason);
    else if (report.status)
        explain_status(system, cpu, &report, &reason);
    else if (!(report.quantities & COUNTER_SET(COUNTER_CORE_CYCLES)))
        explain_silence(&report, &reason);
    if (reason.cause[0]) {
        probe_fail(probe, &reason, COUNTER_SET_THREAD);
        return;
    }
    for (int q = 0; q < COUNTER_QUANTITIES; q++) {
        if (!(COUNTER_SET_THREAD & COUNTER_SET(q)))
            continue;
        bool counts = report.quantities & COUNTER_SET(q);
        probe->of[q] =
            (struct counters_support){.grade = counts ? COUNTER_MEASURED : COUNTER_UNAVAILABLE, .system_call = true};
        if (!counts)
            reason_cause(&probe->of[q].reason, "%s", report.reason[q]);
    }
    probe_conclude(probe);
}

const struct counters_backend counters_backend_papi = {
    .name = "papi",
    .summary = "PAPI 7's perf_event component, a cross-check of perf",
    .priority = 30,
    .probe = papi_probe,
    .open = papi_open,
    .begin = papi_begin,
    .end = papi_end,
    .result = papi_result,
    .close = papi_close,
};
