/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/console/command_session.h"

#include <string.h>
#include <unistd.h>

#include "harness/cells/pool/pool.h"
#include "harness/cmd/console/console.h"
#include "harness/cmd/console/interruption.h"
#include "harness/command/command.h"
#include "harness/command/exit_code.h"
#include "harness/measure/session_pool.h"
#include "harness/plugin/plugin_crash.h"
#include "harness/record/end_record.h"
#include "platforms/cpu/emulator.h"

/** From so much on that others use the machine is busy: a part of a CPU, and on a large machine one in a hundred, which is its own housekeeping. */
static const double BUSY_CPUS = 0.3, BUSY_SHARE = 0.01;

/** Once each. */
static void report_faults(const char *command, struct session *session)
{
    struct plugins *plugins = &session->plugins;
    for (size_t i = 0; i < plugins->faults; i++) {
        struct plugin_fault *fault = &plugins->fault[i];
        if (!fault->reported)
            complain(0, command, "plug-in %s: %s; it is left out%s", fault->plugin->path, fault->why,
                     fault->plugin->found ? " of the peers, and the exit status does not count it" : "");
        fault->reported = true;
    }
    for (size_t i = 0; i < plugins->refusals; i++) {
        struct plugin_refusal *refusal = &plugins->refusal[i];
        if (!refusal->reported)
            complain(0, command, "%s; it is left out", refusal->why);
        refusal->reported = true;
    }
}

static const char *reporting; /* the command of the session */

static void tell_faults(struct session *session)
{
    report_faults(reporting, session);
}

void command_session_report_said(const char *command, struct plugin_output *said)
{
    for (; said->reported < said->count; said->reported++)
        complain(0, command, "%s %s", said->line[said->reported].name, said->line[said->reported].text);
    if (said->left_out)
        complain(0, command, "plug-ins printed %lu more line%s", said->left_out, said->left_out == 1 ? "" : "s");
    said->left_out = 0;
}

/** What the pool of cold cells is not, where memory or time was short. */
static void report_pool(const char *command, const struct session *session)
{
    const double wanted = 1e-9 * (double)session_cold_wanted(session),
                 has = 1e-9 * (double)session_cold_bytes(session, 1), most = 1e-9 * (double)session_pool_most(session);
    bool pooled = false;
    for (unsigned i = 0; i < session->threads; i++)
        pooled = pooled || session->pool[i].bytes;
    if (pooled && has < wanted)
        complain(
            0, command,
            "cold cells rotate through %.2f GB, not the %.2f GB that the caches ask for: pools take at most a third of the "
            "memory available, %.2f GB; free memory for a larger one",
            has, wanted, most);
    else if (session->search.end == SESSION_SEARCH_MEMORY)
        complain(0, command,
                 "the search for a cold pool ended before %.2f GB: pools take at most a third of the memory available, "
                 "%.2f GB; cold cells rotate through %.2f GB",
                 1e-9 * (double)session->search.next_bytes, most, has);
    else if (session->search.end == SESSION_SEARCH_TIME)
        complain(0, command,
                 "the search for a cold pool ended after %.1f s, before %.2f GB: it takes at most %.0f s; cold cells "
                 "rotate through %.2f GB",
                 session->search.seconds, 1e-9 * (double)session->search.next_bytes, POOL_SEARCH_MOST_S, has);
}

void command_session_warn_busy(const char *command, const struct session *session)
{
    const struct topology *topology = session->machine.topology;
    size_t cpus = topology_core_count(topology);
    if (topology_is_this_machine(topology) && session->others_cpus >= BUSY_CPUS + BUSY_SHARE * (double)cpus)
        complain(0, command,
                 "the machine is busy: other programs use %.1f CPUs; samples that they interrupt are rejected, so "
                 "numbers take longer or are missing; `kneepoint doctor` says what helps",
                 session->others_cpus);
}

/** In a container or a chroot. */
static void report_sysfs(const char *command, const struct machine *machine)
{
    if (topology_lacks_sysfs(machine->topology))
        complain(0, command,
                 "/sys shows no CPUs: cores and caches are as far as the CPU itself tells, and settings are unknown; "
                 "`mount -t sysfs sysfs /sys` shows them");
}

/** What the numbers that follow are not. */
static void report_emulator(const char *command, const struct machine *machine)
{
    if (machine_emulator(machine)[0])
        complain(0, command, "emulated by %s: " EMULATOR_MEANS, machine_emulator(machine));
}

int command_session_open(const char *command, const struct session_request *request, struct session **session)
{
    char why[SESSION_WHY];
    interruption_catch(command);
    if (session_open(request, session, why, sizeof why))
        return complain(EXIT_USAGE, command, "%s", why);
    report_emulator(command, &(*session)->machine);
    report_sysfs(command, &(*session)->machine);
    size_t joined = topology_joined((*session)->machine.topology);
    if (joined)
        complain(
            0, command,
            "the hypervisor shows hardware threads as cores: %zu CPU%s share%s the core of another, as timing shows; "
            "teams take one CPU per core (--smt takes all)",
            joined, joined == 1 ? "" : "s", joined == 1 ? "s" : "");
    reporting = command;
    (*session)->tell_faults = tell_faults;
    report_faults(command, *session);
    command_session_report_said(command, &(*session)->plugins.said);
    if (request->plugins.count)
        crash_report_for(command);
    return EXIT_DONE;
}

int command_session_needs_machine(const char *command, const struct session *session)
{
    return machine_emulator(&session->machine)[0]
               ? complain(EXIT_USAGE, command,
                          "nothing is measured here: the times would be the emulator's; run this "
                          "on real hardware")
               : EXIT_DONE;
}

int command_session_close(const char *command, struct session *session, int code)
{
    report_pool(command, session);
    report_faults(command, session);
    command_session_report_said(command, &session->plugins.said);
    bool caught = false;
    for (size_t i = 0; i < session->plugins.faults; i++)
        caught = caught || !session->plugins.fault[i].plugin->found;
    session_close(session);
    return code == EXIT_DONE && caught ? EXIT_CHECK_FAILED : code;
}

int command_session_print_withheld(const char *command, const struct session *session)
{
    int code = EXIT_DONE;
    for (size_t i = 0; !code && i < session->plugins.faults; i++)
        code = print_record(command, withheld_record(&session->plugins.fault[i]));
    return code;
}

int command_session_run(const char *command, const struct session_request *request,
                        int (*measure)(const void *options, struct session *session, struct cells *cells),
                        const void *options)
{
    struct session *session;
    int code = command_session_open(command, request, &session);
    if (code)
        return code;
    struct cells cells = {0};
    code = measure(options, session, &cells);
    cells_release(&cells);
    return command_session_close(command, session, code);
}

/* A signal handler finds nothing but what lies in static memory. */
static const char *volatile crash_command;

/** Only what a signal handler may call. */
static void say(const char *text)
{
    if (write(STDERR_FILENO, text, strlen(text)) < 0)
        return;
}

static void report_crash(const char *measured, const char *signal_name)
{
    say("kneepoint ");
    say(crash_command);
    say(": ");
    say(measured);
    say(signal_name ? " crashed while it was measured: " : " called exit() while it was measured");
    say(signal_name ? signal_name : "");
    say("; leave it out by naming others\n");
    _exit(EXIT_CHECK_FAILED);
}

void crash_report_for(const char *command)
{
    crash_command = command;
    plugin_crash_catch(report_crash);
}
