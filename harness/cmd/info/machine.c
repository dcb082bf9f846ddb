/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/info/info_command.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "harness/cmd/console/table.h"
#include "harness/record/run_writer.h"
#include "platforms/cpu/emulator.h"
#include "results/records/record.h"

/* CPU, system, cores, caches and memory: one record, a line or two each. */

enum { CACHES_MOST = 5, NODES_MOST = 64, CPUS_SHOWN = 24 };

static const char *plural(size_t count)
{
    return count == 1 ? "" : "s";
}

struct line {
    char text[1024];
    size_t length;
};

/** A line of several parts, one after the other; cut where it is full. */
__attribute__((format(printf, 2, 3))) static void add(struct line *line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line->text + line->length, sizeof line->text - line->length, format, arguments);
    va_end(arguments);
    if (length > 0)
        line->length +=
            (size_t)length < sizeof line->text - line->length ? (size_t)length : sizeof line->text - line->length - 1;
}

static void print_line(const char *title, const struct line *line)
{
    info_title(title);
    console_print_hanging(INFO_TITLE_COLUMNS, line->text);
}

static void print_cpu(const struct machine *machine)
{
    const struct cpu_identity *identity = &machine->identity;
    struct line name = {0}, design = {0}, masked = {0}, guest = {0};
    add(&name, "%s", machine_cpu_name(machine));
    print_line("CPU", &name);
    add(&design, "%s", identity->microarchitecture[0] ? identity->microarchitecture : "core design unknown");
    if (machine->dump.midr)
        add(&design, ", %s implementer 0x%x part 0x%x r%up%u", identity->vendor, identity->family, identity->model,
            identity->stepping >> 4, identity->stepping & 0xf);
    else if (identity->vendor[0])
        add(&design, ", %s family %u model %u stepping %u", identity->vendor, identity->family, identity->model,
            identity->stepping);
    if (machine->host.microcode[0])
        add(&design, ", microcode %s", machine->host.microcode);
    print_line("", &design);
    if (identity->contradiction[0]) {
        add(&masked, "%s by its features; %s", identity->microarchitecture[0] ? "named" : "not named",
            identity->contradiction);
        print_line("", &masked);
    }
    if (machine_emulator(machine)[0])
        add(&guest, "emulated by %s: " EMULATOR_MEANS, machine_emulator(machine));
    else if (machine->host.hypervisor[0])
        add(&guest, "in a virtual machine (%s): the host may take the CPU away and hide counters",
            hypervisor_name(machine->host.hypervisor));
    if (guest.length)
        print_line("", &guest);
}

static void print_system(const struct machine *machine)
{
    const struct host_facts *host = &machine->host;
    struct line line = {0};
    add(&line, "%s, Linux %.*s%s%s", host->distribution[0] ? host->distribution : "unknown distribution",
        (int)strcspn(host->kernel, " "), host->kernel, host->hostname[0] ? ", host " : "", host->hostname);
    print_line("System", &line);
}

static void print_kinds(const struct machine *machine)
{
    const struct topology *topology = machine->topology;
    const struct topology_core *cores = topology_cores(topology);
    size_t count = topology_core_count(topology);
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first; end < count && cores[end].kind == cores[first].kind; end++)
            continue;
        struct line line = {0};
        const char *design = machine->core_designs[cores[first].kind];
        add(&line, "kind %s: %zu %s%score%s, CPU", core_kind_name(cores[first].kind), end - first, design,
            design[0] ? " " : "", plural(end - first));
        for (size_t i = first; i < end && i < first + CPUS_SHOWN; i++)
            add(&line, "%s%u", i == first ? " " : ",", cores[i].cpu);
        add(&line, "%s", end - first > CPUS_SHOWN ? ",..." : "");
        print_line("", &line);
    }
}

static void print_cores(const struct machine *machine)
{
    char allowed[256], spread[512];
    struct line line = {0};
    size_t cores = topology_core_count(machine->topology), cpus = topology_allowed_pus(machine->topology);
    topology_allowed_list(machine->topology, allowed, sizeof allowed);
    add(&line, "%zu core%s, CPU%s %s", cores, plural(cores), plural(cpus),
        info_spread_list(allowed, spread, sizeof spread));
    if (cpus != cores)
        add(&line, " (%zu hardware threads; one a core is used)", cpus);
    if (topology_joined(machine->topology))
        add(&line, "; the hypervisor shows %zu cores, and timing shows which of them share one", cpus);
    if ((long)cpus < machine->online_cpus)
        add(&line, "; %ld more online, not allowed to this process", machine->online_cpus - (long)cpus);
    print_line("Cores", &line);
    if (!topology_is_this_machine(machine->topology)) {
        struct line named = {0};
        add(&named, "this topology is the one that HWLOC_* variables name, not this machine's: no thread can be bound");
        print_line("", &named);
    }
    if (topology_lacks_sysfs(machine->topology)) {
        struct line lacks = {0};
        add(&lacks, "/sys shows no CPUs: cores and caches are as far as the CPU itself tells; mount /sys");
        print_line("", &lacks);
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
    struct line line = {0};
    for (size_t i = 0; i < count; i++)
        add(&line, "%sL%u %u x %s%s", i ? ", " : "", caches[i].level, caches[i].instances, up_to,
            caches[i].bytes ? info_bytes(caches[i].bytes, size, sizeof size) : "unknown size");
    add(&line, "%s", count ? "" : "not visible");
    print_line("Caches", &line);
}

static void print_memory(const struct machine *machine)
{
    struct topology_node nodes[NODES_MOST];
    size_t count = topology_nodes(machine->topology, nodes, NODES_MOST);
    uint64_t total = machine->host.memory_total_bytes, available = machine->memory_available_bytes;
    uint64_t limit = machine->host.memory_limit_bytes;
    char text[32];
    struct line line = {0};
    add(&line, "%s, ", total ? info_bytes(total, text, sizeof text) : "size unknown");
    add(&line, "%s free for this process", available ? info_bytes(available, text, sizeof text) : "unknown amount");
    if (limit)
        add(&line, " (cgroup limit %s)", info_bytes(limit, text, sizeof text));
    add(&line, ", %zu NUMA node%s", count, plural(count));
    print_line("Memory", &line);
}

/** One line for all that the sections here show. */
static int record_machine(const struct machine *machine)
{
    json_auto_t *record = machine_record(machine);
    return !record || json_object_set_new(record, "identity", machine_cpu_json(machine)) ||
                   json_object_set_new(record, "topology", machine_topology_json(machine)) ||
                   json_object_set_new(record, "host", machine_host_json(machine))
               ? -ENOMEM
               : record_write_line(stdout, record);
}

const struct info_section info_cpu = {print_cpu, record_machine};
const struct info_section info_system = {print_system, NULL};
const struct info_section info_cores = {print_cores, NULL};
const struct info_section info_caches = {print_caches, NULL};
const struct info_section info_memory = {print_memory, NULL};
