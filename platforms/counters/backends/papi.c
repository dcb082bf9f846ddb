/* SPDX-License-Identifier: BSD-3-Clause */
#include <ctype.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platforms/counters/backend.h"
#include "platforms/counters/perf_counter.h"
#include "platforms/counters/perf_facts.h"
#include "platforms/counters/reason.h"
#include "platforms/counters/system.h"
#include "platforms/process/child.h"
#include "platforms/process/library.h"

/**
 * PAPI 7, an event set per thread in its default thread granularity. It opens the same perf events as the perf back end
 * through libpfm, which makes it an independent check of which events are counted.
 */

#if __has_include(<papi.h>) && !defined(WITHOUT_PAPI)
#include <papi.h>
#if PAPI_VERSION_MAJOR(PAPI_VERSION) == 7
#define HAS_PAPI
#endif
#endif

#ifdef HAS_PAPI

/* The soname carries the minor version; the symbols used are the same in all of 7. */
static const char *const papi_libraries[] = {"libpapi.so.7.2", "libpapi.so.7.1", "libpapi.so.7.0",
                                             "libpapi.so.7",   "libpapi.so",     NULL};

// clang-format off
#define PAPI_FUNCTIONS(X) \
    X(PAPI_library_init) X(PAPI_thread_init) X(PAPI_register_thread) X(PAPI_get_component_index) \
    X(PAPI_get_component_info) X(PAPI_create_eventset) X(PAPI_assign_eventset_component) X(PAPI_add_event) \
    X(PAPI_start) X(PAPI_read) X(PAPI_stop) X(PAPI_cleanup_eventset) X(PAPI_destroy_eventset) X(PAPI_strerror)
// clang-format on
struct papi_functions {
    PAPI_FUNCTIONS(LIBRARY_FUNCTION)
};
#define PAPI_SYMBOL(function) LIBRARY_SYMBOL(papi_functions, function)
static const struct library_symbol papi_symbols[] = {PAPI_FUNCTIONS(PAPI_SYMBOL)};

struct papi_event {
    enum counter_quantity quantity;
    int preset;
};

static const struct papi_event papi_events[] = {
    {COUNTER_CORE_CYCLES, PAPI_TOT_CYC},
    {COUNTER_REFERENCE_CYCLES, PAPI_REF_CYC},
    {COUNTER_INSTRUCTIONS, PAPI_TOT_INS},
    {COUNTER_LLC_MISSES, PAPI_L3_TCM},
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

/* The library accepts only its own major and minor version. What is used of it is the same in all of 7, so ask for each
 * that is known: a tool that was built beside one runs beside another. */
static int initialise(const struct papi_functions *papi, char *why, size_t size)
{
    static const int versions[] = {PAPI_VER_CURRENT, PAPI_VERSION_NUMBER(7, 2, 0, 0), PAPI_VERSION_NUMBER(7, 1, 0, 0),
                                   PAPI_VERSION_NUMBER(7, 0, 0, 0)};
    int got = 0;
    pthread_mutex_lock(&initialisation);
    for (size_t v = 0; v < sizeof versions / sizeof versions[0]; v++)
        if ((got = papi->PAPI_library_init(versions[v])) == versions[v])
            break;
    if (PAPI_VERSION_MAJOR(got) == 7)
        papi->PAPI_thread_init(thread_identity);
    pthread_mutex_unlock(&initialisation);
    if (PAPI_VERSION_MAJOR(got) == 7)
        return 0;
    snprintf(why, size, "PAPI_library_init refused versions 7.0 to 7.2 (%s)", papi->PAPI_strerror(got));
    return -ELIBBAD;
}

/* Index of the perf_event component, -ELIBBAD without one, -ENODEV with PAPI's reason if it is disabled. */
static int perf_event_component(const struct papi_functions *papi, char *why, size_t size)
{
    int index = papi->PAPI_get_component_index("perf_event");
    if (index < 0) {
        snprintf(why, size, "PAPI was built without its perf_event component");
        return -ELIBBAD;
    }
    const PAPI_component_info_t *info = papi->PAPI_get_component_info(index);
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
        int status = session->papi.PAPI_add_event(session->set, papi_events[e].preset);
        if (status == PAPI_OK)
            session->order[session->count++] = quantity;
        else
            snprintf(session->reason[quantity], sizeof session->reason[quantity], "PAPI cannot count %s: %s",
                     counter_quantity_name(quantity), session->papi.PAPI_strerror(status));
    }
}

static void release(struct counters_session *session)
{
    if (session->set != PAPI_NULL) {
        session->papi.PAPI_cleanup_eventset(session->set);
        session->papi.PAPI_destroy_eventset(&session->set);
    }
    /* The library stays loaded: it keeps state of the process and of other threads. */
    free(session);
}

static int start_set(struct counters_session *session, char *why, size_t size)
{
    int component = perf_event_component(&session->papi, why, size);
    if (component < 0)
        return component;
    session->papi.PAPI_register_thread();
    int status = session->papi.PAPI_create_eventset(&session->set);
    if (status == PAPI_OK)
        status = session->papi.PAPI_assign_eventset_component(session->set, component);
    if (status == PAPI_OK) {
        add_events(session);
        if (session->count == 0) {
            for (int q = COUNTER_QUANTITIES - 1; q >= 0; q--)
                if (session->reason[q][0])
                    snprintf(why, size, "%s", session->reason[q]);
            return -ENODEV;
        }
        status = session->papi.PAPI_start(session->set);
    }
    if (status == PAPI_OK)
        return 0;
    snprintf(why, size, "PAPI cannot start counting: %s", session->papi.PAPI_strerror(status));
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
    int status = library_open(system->libraries ? system->libraries : papi_libraries, papi_symbols,
                              sizeof papi_symbols / sizeof papi_symbols[0], &session->papi, why, size);
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
    session->begin_status = session->papi.PAPI_read(session->set, session->begin);
}

static void papi_end(struct counters_session *session)
{
    session->end_status = session->papi.PAPI_read(session->set, session->end);
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
            value_unavailable(value, "PAPI_read failed: %s", session->papi.PAPI_strerror(status));
        else
            *value = (struct counter_value){.grade = COUNTER_MEASURED,
                                            .value = (double)(session->end[e] - session->begin[e])};
    }
}

static void papi_close(struct counters_session *session)
{
    long long values[PAPI_EVENTS];
    session->papi.PAPI_stop(session->set, values);
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

/* PAPI goes by this number alone, whatever the process may do. */
enum { PAPI_PARANOID_MOST = 2 };

/* PAPI has no core events: because no back end has, because of that number, or because its libpfm is older than the CPU. */
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
    if (facts.has_paranoid && facts.paranoid > PAPI_PARANOID_MOST) {
        reason_cause(reason, "PAPI counts nothing where kernel.perf_event_paranoid is above %d, and it is %d",
                     PAPI_PARANOID_MOST, facts.paranoid);
        reason_remedy(reason, "run: sudo sysctl kernel.perf_event_paranoid=%d, or use --counters=perf, which may count",
                      PAPI_PARANOID_MOST);
        return;
    }
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

/** What of the report, if anything, keeps it from counting. */
static void try_apart(const struct counters_system *system, unsigned cpu, struct papi_report *report,
                      struct counters_reason *reason)
{
    struct papi_trial trial = {system, {cpu, COUNTER_SET_THREAD, true}};
    struct child_result child;
    child_run(try_papi, &trial, report, sizeof *report, system->child_limit_ms, &child);
    if (child.outcome != CHILD_RETURNED)
        explain_child(&child, system->child_limit_ms, reason);
    else if (report->status)
        explain_status(system, cpu, report, reason);
    else if (!(report->quantities & COUNTER_SET(COUNTER_CORE_CYCLES)))
        explain_silence(report, reason);
}

static void papi_probe(const struct counters_system *system, unsigned cpu, struct counters_probe *probe)
{
    struct papi_report report;
    struct counters_reason reason;
    struct perf_facts facts;
    perf_facts_read(system, cpu, &facts);
    if (!perf_has_no_pmu(&facts, &reason))
        try_apart(system, cpu, &report, &reason);
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

#else

static void papi_probe(const struct counters_system *system, unsigned cpu, struct counters_probe *probe)
{
    (void)system, (void)cpu;
    probe_without_header(probe, "papi.h of PAPI 7", "libpapi-dev");
}

#endif

const struct counters_backend counters_backend_papi = {
    .name = "papi",
    .summary = "PAPI 7's perf_event component, a cross-check of perf",
    .priority = 30,
    .probe = papi_probe,
#ifdef HAS_PAPI
    .open = papi_open,
    .begin = papi_begin,
    .end = papi_end,
    .result = papi_result,
    .close = papi_close,
#endif
};
