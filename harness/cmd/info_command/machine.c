/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/info_command/section.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "harness/cmd/console/table.h"
#include "harness/cmd/info_command/layout.h"
#include "harness/record/machine_records.h"
#include "results/record.h"

/* CPU, system, cores, caches and memory: one record, a line or two each. */

enum { CACHES_MOST = 5, NODES_MOST = 64, CPUS_SHOWN = 24 };

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

static void print_cpu(const struct machine *machine)
{
    const struct cpu_identity *identity = &machine->identity;
    info_title("CPU");
    printf("%s\n", machine_cpu_name(machine));
    info_title("");
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
        info_title("");
        char line[256];
        snprintf(line, sizeof line, "in a virtual machine (%s): the host may take the CPU away and hide counters",
                 machine->host.hypervisor);
        console_print_hanging(INFO_TITLE_COLUMNS, line);
    }
}

static void print_system(const struct machine *machine)
{
    const struct host_facts *host = &machine->host;
    info_title("System");
    printf("%s, Linux %.*s%s%s\n", host->distribution[0] ? host->distribution : "unknown distribution",
           (int)strcspn(host->kernel, " "), host->kernel, host->hostname[0] ? ", host " : "", host->hostname);
}

static void print_kinds(const struct machine *machine)
{
    const struct topology *topology = machine->topology;
    const struct topology_core *cores = topology_cores(topology);
    size_t count = topology_core_count(topology);
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first; end < count && cores[end].kind == cores[first].kind; end++)
            continue;
        info_title("");
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
    info_title("Cores");
    printf("%zu core%s, CPU%s %s", cores, plural(cores), plural(cpus), allowed);
    if (cpus != cores)
        printf(" (%zu hardware threads; one a core is used)", cpus);
    if (topology_joined(machine->topology))
        printf("; which of them share a core was timed: the hypervisor shows %zu cores", cpus);
    if ((long)cpus < machine->online_cpus)
        printf("; %ld more online, not allowed to this process", machine->online_cpus - (long)cpus);
    putchar('\n');
    if (!topology_is_this_machine(machine->topology)) {
        info_title("");
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
    info_title("Caches");
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
    info_title("Memory");
    printf("%s, ", total ? bytes_text(total, text, sizeof text) : "size unknown");
    printf("%s free for this process", available ? bytes_text(available, text, sizeof text) : "unknown amount");
    if (limit)
        printf(" (cgroup limit %s)", bytes_text(limit, text, sizeof text));
    printf(", %zu NUMA node%s\n", count, plural(count));
}

/** One line for all that the sections here show. */
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

const struct info_section info_cpu = {print_cpu, record_machine};
const struct info_section info_system = {print_system, NULL};
const struct info_section info_cores = {print_cores, NULL};
const struct info_section info_caches = {print_caches, NULL};
const struct info_section info_memory = {print_memory, NULL};
