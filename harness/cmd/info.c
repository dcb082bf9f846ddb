/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/cmd/console/console.h"
#include "harness/cmd/console/table.h"
#include "harness/command.h"
#include "harness/measure/hidden_siblings.h"
#include "harness/measure/instruments.h"
#include "harness/record/machine_records.h"
#include "platforms/affinity.h"
#include "platforms/clock.h"
#include "platforms/counters/backends.h"
#include "platforms/machine.h"
#include "platforms/noise.h"
#include "platforms/settings.h"
#include "platforms/tiles.h"
#include "results/record.h"

/* This command looks; it changes nothing. A section is a function that prints it and one that writes its records. */

enum { CACHES_MOST = 5, NODES_MOST = 64, TITLE_COLUMNS = 10, CPUS_SHOWN = 24 };

static const double CALIBRATION_S = 0.02;
static const uint64_t noise_scan_ns = 50 * 1000 * 1000;

/* ---------------------------------------------------------------- layout */

/** Begin a line: a title in the left column, "" to continue the one above. */
static void title(const char *text)
{
    printf("%s%-*s%s", console_bold(), TITLE_COLUMNS, text, console_plain());
}

static void heading(const char *text)
{
    printf("\n%s%s%s\n", console_bold(), text, console_plain());
}

/** "48 KiB", "2 MiB", "23.5 GiB". */
static const char *bytes_text(uint64_t bytes, char *text, size_t size)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    double value = (double)bytes;
    unsigned unit = 0;
    for (; value >= 1024 && unit < 4; unit++)
        value /= 1024;
    bool whole = value == (double)(uint64_t)value;
    snprintf(text, size, "%.*f %s", whole || value >= 100 ? 0 : 1, value, units[unit]);
    return text;
}

static const char *plural(size_t count)
{
    return count == 1 ? "" : "s";
}

/* ---------------------------------------------------------------- CPU and system */

static void print_cpu(const struct machine *machine)
{
    const struct cpu_identity *identity = &machine->identity;
    title("CPU");
    printf("%s\n", machine_cpu_name(machine));
    title("");
    printf("%s", identity->microarchitecture[0] ? identity->microarchitecture : "core design unknown");
    if (machine->dump.midr)
        printf(", %s implementer 0x%x part 0x%x r%up%u", identity->vendor, identity->family, identity->model,
               identity->stepping >> 4, identity->stepping & 0xf);
    else if (identity->vendor[0])
        printf(", %s family %u model %u stepping %u", identity->vendor, identity->family, identity->model,
               identity->stepping);
    if (machine->host.microcode[0])
        printf(", microcode %s", machine->host.microcode);
    putchar('\n');
    if (machine->host.hypervisor[0]) {
        title("");
        char line[256];
        snprintf(line, sizeof line, "in a virtual machine (%s): the host may take the CPU away and hide counters",
                 machine->host.hypervisor);
        console_print_hanging(TITLE_COLUMNS, line);
    }
}

static void print_system(const struct machine *machine)
{
    const struct host_facts *host = &machine->host;
    title("System");
    printf("%s, Linux %.*s%s%s\n", host->distribution[0] ? host->distribution : "unknown distribution",
           (int)strcspn(host->kernel, " "), host->kernel, host->hostname[0] ? ", host " : "", host->hostname);
}

/* ---------------------------------------------------------------- cores, caches, memory */

static void print_kinds(const struct machine *machine)
{
    const struct topology *topology = machine->topology;
    const struct topology_core *cores = topology_cores(topology);
    size_t count = topology_core_count(topology);
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first; end < count && cores[end].kind == cores[first].kind; end++)
            continue;
        title("");
        const char *design = machine->core_designs[cores[first].kind];
        printf("kind %s: %zu %s%score%s, CPU", core_kind_name(cores[first].kind), end - first, design,
               design[0] ? " " : "", plural(end - first));
        for (size_t i = first; i < end && i < first + CPUS_SHOWN; i++)
            printf("%s%u", i == first ? " " : ",", cores[i].cpu);
        puts(end - first > CPUS_SHOWN ? ",..." : "");
    }
}

static void print_cores(const struct machine *machine)
{
    char allowed[256];
    size_t cores = topology_core_count(machine->topology), cpus = topology_allowed_pus(machine->topology);
    topology_allowed_list(machine->topology, allowed, sizeof allowed);
    title("Cores");
    printf("%zu core%s, CPU%s %s", cores, plural(cores), plural(cpus), allowed);
    if (cpus != cores)
        printf(" (%zu hardware threads; one a core is used)", cpus);
    if (topology_joined(machine->topology))
        printf("; which of them share a core was timed: the hypervisor shows %zu cores", cpus);
    if ((long)cpus < machine->online_cpus)
        printf("; %ld more online, not allowed to this process", machine->online_cpus - (long)cpus);
    putchar('\n');
    if (!topology_is_this_machine(machine->topology)) {
        title("");
        puts("this is the topology that HWLOC_* variables name, not this machine: no thread can be bound");
    }
    if (topology_kind_count(machine->topology) > 1)
        print_kinds(machine);
}

static void print_caches(const struct machine *machine)
{
    struct topology_cache caches[CACHES_MOST];
    size_t count = topology_caches(machine->topology, caches, CACHES_MOST);
    const char *up_to = topology_kind_count(machine->topology) > 1 ? "up to " : ""; /* kinds differ */
    char size[32];
    title("Caches");
    for (size_t i = 0; i < count; i++)
        printf("%sL%u %u x %s%s", i ? ", " : "", caches[i].level, caches[i].instances, up_to,
               bytes_text(caches[i].bytes, size, sizeof size));
    puts(count ? "" : "not visible");
}

static void print_memory(const struct machine *machine)
{
    struct topology_node nodes[NODES_MOST];
    size_t count = topology_nodes(machine->topology, nodes, NODES_MOST);
    uint64_t total = machine->host.memory_total_bytes, available = machine->memory_available_bytes;
    uint64_t limit = machine->host.memory_limit_bytes;
    char text[32];
    title("Memory");
    printf("%s, ", total ? bytes_text(total, text, sizeof text) : "size unknown");
    printf("%s free for this process", available ? bytes_text(available, text, sizeof text) : "unknown amount");
    if (limit)
        printf(" (cgroup limit %s)", bytes_text(limit, text, sizeof text));
    printf(", %zu NUMA node%s\n", count, plural(count));
}

/* ---------------------------------------------------------------- instruction sets */

/** Features that no row asks for. */
static void print_other_features(const struct machine *machine)
{
    size_t count;
    const struct isa *rows = isa_rows(&count);
    isa_features others = machine->features;
    for (size_t i = 0; i < count; i++)
        others &= ~rows[i].required;
    if (!others)
        return;
    printf("  %-20s", "also there");
    for (unsigned feature = 0; feature < ISA_FEATURE_COUNT; feature++) {
        if (others >> feature & 1)
            printf(" %s", isa_feature_name((enum isa_feature)feature));
    }
    putchar('\n');
}

/** What there is to say of tiles where an architecture could have them. */
static void print_tiles(const struct machine *machine)
{
    char text[200];
    if (strcmp(cpuid_dump_architecture(&machine->dump), "x86_64") != 0)
        return;
    tiles_describe(&machine->dump, text, sizeof text);
    printf("  %-20s %s\n", "AMX tiles", text);
}

/** How long SVE's vectors are where an architecture could have them. */
static void print_sve(const struct machine *machine)
{
    uint64_t bytes = machine->dump.sve_bytes;
    if (strcmp(cpuid_dump_architecture(&machine->dump), "aarch64") != 0)
        return;
    if (bytes)
        printf("  %-20s %" PRIu64 " bits\n", "SVE vectors", bytes * 8);
    else
        printf("  %-20s none\n", "SVE vectors");
}

static void print_isa(const struct machine *machine)
{
    size_t count;
    const struct isa *rows = isa_rows(&count);
    heading("Instruction sets (which kernels can run here)");
    for (size_t i = 0; i < count; i++) {
        char missing[128];
        isa_missing(&rows[i], &machine->dump, missing, sizeof missing);
        printf("  %-20s %s%s\n", rows[i].name, missing[0] ? "no: " : "yes", missing);
    }
    print_tiles(machine);
    print_sve(machine);
    print_other_features(machine);
}

static int record_isa(const struct machine *machine)
{
    size_t count;
    const struct isa *rows = isa_rows(&count);
    int error = 0;
    for (size_t i = 0; i < count && error == 0; i++) {
        char missing[128];
        isa_missing(&rows[i], &machine->dump, missing, sizeof missing);
        json_t *record = json_pack("{s:s, s:s, s:b, s:o}", "type", "isa", "name", rows[i].name, "runs", !missing[0],
                                   "missing", missing[0] ? json_string(missing) : json_null());
        error = record ? record_write_line(stdout, record) : -ENOMEM;
        json_decref(record);
    }
    return error;
}

/* ---------------------------------------------------------------- counters */

/** Probe every back end on the first core; false when it is not this machine's. */
static bool probe_counters(const struct machine *machine, struct instruments *instruments)
{
    if (!topology_is_this_machine(machine->topology))
        return false;
    instruments_clocks(instruments, tsc_calibrate_hz(CALIBRATION_S));
    counters_probe_all(&instruments->system, topology_cores(machine->topology)[0].cpu, instruments->probes);
    return true;
}

enum { BACKEND_COLUMNS = 11, CLOCK_COLUMNS = 12 };

/** Behind so many blanks. */
static void print_behind(size_t indent, const char *text)
{
    printf("%*s", (int)indent, "");
    console_print_hanging(indent, text);
}

static void print_remedy(const struct counters_reason *reason)
{
    if (reason->remedy[0])
        print_behind(BACKEND_COLUMNS, reason->remedy);
}

/** "core_cycles, instructions" of one grade; false if there is none. */
static bool print_quantities(const struct counters_probe *probe, enum counter_grade grade, const char *before)
{
    bool any = false;
    for (int q = 0; q < COUNTER_QUANTITIES; q++) {
        if (probe->of[q].grade != grade)
            continue;
        printf("%s%s", any ? ", " : before, counter_quantity_name((enum counter_quantity)q));
        any = true;
    }
    return any;
}

/** What a working back end lacks, each cause once; what it never counts anywhere is not spoken of. */
static void print_lacks(const struct counters_probe *probe)
{
    for (int q = 0; q < COUNTER_QUANTITIES; q++) {
        const struct counters_reason *reason = &probe->of[q].reason;
        bool shown = !reason->remedy[0];
        for (int former = 0; former < q && !shown; former++)
            shown = strcmp(probe->of[former].reason.cause, reason->cause) == 0;
        if (!shown) {
            printf("           no %s: %s\n", counter_quantity_name((enum counter_quantity)q), reason->cause);
            print_remedy(reason);
        }
    }
}

static void print_backend(const struct counters_probe *probe)
{
    printf("  %-8s ", probe->backend->name);
    if (!probe->works) {
        char line[1024];
        snprintf(line, sizeof line, "no: %s", probe->reason.cause);
        console_print_hanging(BACKEND_COLUMNS, line);
        print_remedy(&probe->reason);
        return;
    }
    bool measures = print_quantities(probe, COUNTER_MEASURED, "yes: measures ");
    print_quantities(probe, COUNTER_ESTIMATED, measures ? "; estimates " : "yes: estimates ");
    putchar('\n');
    if (probe->reason.cause[0])
        print_behind(BACKEND_COLUMNS, probe->reason.cause);
    print_remedy(&probe->reason);
    print_lacks(probe);
}

static void print_counters(const struct machine *machine)
{
    struct instruments instruments;
    heading("Counters (what can count, and what would change it)");
    if (!probe_counters(machine, &instruments)) {
        puts("  not probed: the topology is not this machine's");
        return;
    }
    for (size_t b = 0; b < COUNTERS_BACKENDS; b++)
        print_backend(&instruments.probes[b]);
}

static int record_counters(const struct machine *machine)
{
    struct instruments instruments;
    int error = 0;
    if (!probe_counters(machine, &instruments))
        return 0;
    for (size_t b = 0; b < COUNTERS_BACKENDS && error == 0; b++) {
        json_t *record = instruments_probe_record(&instruments.probes[b]);
        error = record ? record_write_line(stdout, record) : -ENOMEM;
        json_decref(record);
    }
    return error;
}

/* ---------------------------------------------------------------- clocks */

static bool leads_kind(const struct topology_core *cores, size_t i)
{
    for (size_t former = 0; former < i; former++) {
        if (cores[former].kind == cores[i].kind)
            return false;
    }
    return true;
}

static int print_clock(json_t *record)
{
    double step_ns = 1e9 * (double)json_integer_value(json_object_get(record, "tsc_step")) /
                     json_number_value(json_object_get(record, "tsc_hz"));
    const char *disagreement = json_string_value(json_object_get(record, "disagreement"));
    const json_t *hz = json_object_get(record, "core_hz"), *ratio = json_object_get(record, "imul_add_ratio");
    char line[512], agreement[64] = "";
    if (!disagreement)
        snprintf(agreement, sizeof agreement, ", which agree to %.2f%%",
                 100 * fabs(json_number_value(json_object_get(ratio, "median")) - 1));
    snprintf(line, sizeof line, "%.3f GHz by a chain of multiplies, of %lld cycles each, and one of adds%s",
             1e-9 * json_number_value(json_object_get(hz, "median")),
             (long long)json_integer_value(json_object_get(record, "multiply_cycles")), agreement);
    printf("  kind %-2s   ", json_string_value(json_object_get(record, "kind")));
    console_print_hanging(CLOCK_COLUMNS, line);
    snprintf(line, sizeof line, "the time-stamp counter runs at %.3f GHz, in steps of %.1f ns",
             1e-9 * json_number_value(json_object_get(record, "tsc_hz")), step_ns);
    print_behind(CLOCK_COLUMNS, line);
    snprintf(line, sizeof line, "%s; cycles are graded wall", disagreement ? disagreement : "");
    if (disagreement)
        print_behind(CLOCK_COLUMNS, line);
    return 0;
}

static int write_clock(json_t *record)
{
    return record_write_line(stdout, record);
}

/** The clock of the first core of each kind, taken on it. */
static int each_clock(const struct machine *machine, int (*take)(json_t *record))
{
    char why[SESSION_WHY];
    const struct topology_core *cores = topology_cores(machine->topology);
    double tsc_hz = tsc_calibrate_hz(CALIBRATION_S);
    struct affinity *before = affinity_keep();
    int error = 0;
    for (size_t i = 0; i < topology_core_count(machine->topology) && error == 0; i++) {
        if (!leads_kind(cores, i) || topology_bind_thread(machine->topology, cores[i].cpu, why, sizeof why) != 0)
            continue;
        json_t *record = clock_record(&cores[i], tsc_hz);
        error = record ? take(record) : -ENOMEM;
        json_decref(record);
    }
    affinity_restore(before);
    return error;
}

static void print_clocks(const struct machine *machine)
{
    heading("Clock (of the first core of a kind)");
    if (topology_is_this_machine(machine->topology))
        each_clock(machine, print_clock);
    else
        puts("  not read: the topology is not this machine's");
}

static int record_clocks(const struct machine *machine)
{
    return topology_is_this_machine(machine->topology) ? each_clock(machine, write_clock) : 0;
}

/* ---------------------------------------------------------------- noise */

static void print_noise(const struct machine *machine)
{
    (void)machine;
    const struct noise noise = noise_scan(noise_scan_ns);
    const struct gap_scan *gaps = &noise.gaps;
    heading("Noise just now (one CPU spinning on the clock)");
    printf("  away from us for %.2f%% of %.0f ms, at most %.1f us at a time\n",
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
        print_behind(2, line);
}

static int record_noise(const struct machine *machine)
{
    (void)machine;
    const struct noise noise = noise_scan(noise_scan_ns);
    json_t *record = noise_record(&noise);
    int error = record ? record_write_line(stdout, record) : -ENOMEM;
    json_decref(record);
    return error;
}

/* ---------------------------------------------------------------- settings */

static size_t judge(const struct machine *machine, struct setting settings[SETTINGS_MOST])
{
    struct topology_node nodes[NODES_MOST];
    return settings_judge(&machine->host, topology_nodes(machine->topology, nodes, NODES_MOST), settings);
}

static void print_setting(const struct setting *setting)
{
    char line[1024];
    snprintf(line, sizeof line, "%s is %s: %s", setting->name, setting->value, setting->harm);
    print_behind(2, line);
    print_behind(6, setting->remedy);
}

static void print_remedies(const struct setting *settings, size_t count)
{
    heading("To measure better (nothing was changed; these commands would)");
    for (size_t i = 0; i < count; i++) {
        if (settings[i].harm)
            print_setting(&settings[i]);
    }
}

static void print_settings(const struct machine *machine)
{
    struct setting settings[SETTINGS_MOST];
    size_t count = judge(machine, settings), harmful = 0;
    heading(machine->host.hypervisor[0] ? "Settings (what is not visible is up to the virtual machine's host)"
                                        : "Settings");
    for (size_t i = 0; i < count; i++) {
        printf("  %-23s %s%s\n", settings[i].name, settings[i].value, settings[i].harm ? "  <- see below" : "");
        harmful += settings[i].harm != NULL;
    }
    if (harmful > 0)
        print_remedies(settings, count);
}

static int record_settings(const struct machine *machine)
{
    struct setting settings[SETTINGS_MOST];
    size_t count = judge(machine, settings);
    int error = 0;
    for (size_t i = 0; i < count && error == 0; i++) {
        const struct setting *setting = &settings[i];
        json_t *record = json_pack("{s:s, s:s, s:s, s:o, s:o}", "type", "setting", "name", setting->name, "value",
                                   setting->value, "harm", setting->harm ? json_string(setting->harm) : json_null(),
                                   "remedy", setting->harm ? json_string(setting->remedy) : json_null());
        error = record ? record_write_line(stdout, record) : -ENOMEM;
        json_decref(record);
    }
    return error;
}

/* ---------------------------------------------------------------- all sections */

/** One line for all that print_cpu to print_memory show. */
static int record_machine(const struct machine *machine)
{
    json_t *record = machine_record(machine);
    int error = !record || json_object_set_new(record, "identity", machine_cpu_json(machine)) ||
                        json_object_set_new(record, "topology", machine_topology_json(machine)) ||
                        json_object_set_new(record, "host", machine_host_json(machine))
                    ? -ENOMEM
                    : record_write_line(stdout, record);
    json_decref(record);
    return error;
}

struct section {
    void (*print)(const struct machine *machine);
    int (*record)(const struct machine *machine); /* NULL: in the record of type "machine" */
};

static const struct section sections[] = {
    {print_cpu, record_machine},
    {print_system, NULL},
    {print_cores, NULL},
    {print_caches, NULL},
    {print_memory, NULL},
    {print_isa, record_isa},
    {print_counters, record_counters},
    {print_clocks, record_clocks},
    {print_settings, record_settings},
    {print_noise, record_noise},
};

/** Cores that a hypervisor shows as two are joined before anything is said. Where that cannot be looked at, nothing is. */
static void join_hidden_siblings(struct machine *machine)
{
    char why[SESSION_WHY];
    struct clock clock;
    struct affinity *before = affinity_keep();
    if (machine->identity.hypervisor[0] && topology_core_count(machine->topology) > 1 &&
        topology_bind_thread(machine->topology, topology_cores(machine->topology)[0].cpu, why, sizeof why) == 0) {
        clock_calibrate(tsc_calibrate_hz(CALIBRATION_S), &clock);
        hidden_siblings_join(machine->topology, &clock, clock_issue_width(&clock), why, sizeof why);
    }
    affinity_restore(before);
}

static int show(const struct machine *machine, bool json)
{
    int error = 0;
    for (size_t i = 0; i < sizeof sections / sizeof sections[0] && error == 0; i++) {
        if (!json)
            sections[i].print(machine);
        else if (sections[i].record)
            error = sections[i].record(machine);
    }
    return error;
}

/* ---------------------------------------------------------------- command line */

static const struct argp_option options[] = {
    {"json", 'j', NULL, 0, "JSON Lines on standard output", 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    bool *json = state->input;
    switch (key) {
    case 'j': *json = true; return 0;
    case ARGP_KEY_ARG: argp_error(state, "takes no argument, but was given '%s'", argument); return EINVAL;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static int run(int argc, char **argv)
{
    static const struct argp argp = {
        .options = options,
        .parser = parse,
        .doc = "This machine as kneepoint sees it: CPU, cores, caches, memory, which kernels can run, and what would "
               "disturb a measurement.\vIt changes nothing and needs no privileges.",
    };
    bool json = false;
    int code = parse_options(&argp, argc, argv, &json);
    if (code != 0)
        return code;

    struct machine machine;
    char why[256];
    if (machine_open(&machine, why, sizeof why) != 0)
        return complain(EXIT_USAGE, "info", "%s", why);
    join_hidden_siblings(&machine);
    int error = show(&machine, json);
    machine_close(&machine);
    return error ? complain(EXIT_USAGE, "info", "cannot write the records: %s", strerror(-error)) : EXIT_DONE;
}

const struct command command_info = {
    .name = "info",
    .summary = "this machine as the tool sees it, and what would disturb a measurement",
    .run = run,
};
