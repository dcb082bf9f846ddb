/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/machine/machine.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "platforms/cpu/emulator.h"
#include "platforms/topology/affinity.h"

enum { CACHES_MOST = 5, NODES_MOST = 64 };

static const struct topology_core *first_core_of(const struct topology *topology, enum core_kind kind)
{
    const struct topology_core *cores = topology_cores(topology);
    for (size_t i = 0; i < topology_core_count(topology); i++) {
        if (cores[i].kind == kind)
            return &cores[i];
    }
    return NULL;
}

static void name_kind(struct machine *machine, enum core_kind kind)
{
    strcpy(machine->core_designs[kind], machine->identity.microarchitecture);
    strcpy(machine->stated_cores[kind], machine->identity.stated_core);
}

/** CPUID speaks for the core it runs on: visit one of each kind, the first kind last, and return to where we were. */
static int identify_kinds(struct machine *machine, char *why, size_t size)
{
    struct affinity *before;
    int error = affinity_keep(&before);
    for (int kind = CORE_KIND_LOW_POWER; before && error != -ENOMEM && kind >= CORE_KIND_PERFORMANCE; kind--) {
        const struct topology_core *core = first_core_of(machine->topology, (enum core_kind)kind);
        error = core ? topology_bind_thread(machine->topology, core->cpu, why, size) : -ENXIO;
        if (error)
            continue;
        cpuid_dump_host(&machine->dump);
        cpu_identity_of(&machine->dump, &machine->identity);
        name_kind(machine, (enum core_kind)kind);
    }
    affinity_restore(before);
    if (error == -ENOMEM)
        snprintf(why, size, "no memory to look at each kind of core");
    return error == -ENOMEM ? error : 0;
}

int machine_open(struct machine *machine, char *why, size_t size)
{
    memset(machine, 0, sizeof *machine);
    int error = topology_open(NULL, &machine->topology, why, size);
    if (error != 0)
        return error;
    cpuid_dump_host(&machine->dump); /* without CPUID or hwcaps no feature is available, which is the truth for us */
    cpu_identity_of(&machine->dump, &machine->identity);
    if (topology_kind_count(machine->topology) <= 1)
        name_kind(machine, CORE_KIND_PERFORMANCE);
    else if ((error = identify_kinds(machine, why, size)) != 0) {
        machine_close(machine);
        return error;
    }
    machine->features = isa_features_of(&machine->dump);
    host_facts_read("", &machine->host);
    uint64_t available = host_memory_available("");
    machine->memory_available_bytes = available == UINT64_MAX ? 0 : available;
    machine->online_cpus = sysconf(_SC_NPROCESSORS_ONLN);
    return 0;
}

void machine_close(struct machine *machine)
{
    topology_close(machine->topology);
    machine->topology = NULL;
}

const char *machine_cpu_name(const struct machine *machine)
{
    if (machine->identity.brand[0])
        return machine->identity.brand;
    if (machine->host.cpu_model[0])
        return machine->host.cpu_model;
    return machine->identity.vendor[0] ? machine->identity.vendor : "unnamed CPU";
}

const char *machine_emulator(const struct machine *machine)
{
    const char *shown = emulator_of_cpu(&machine->identity);
    return shown[0] ? shown : machine->host.emulator;
}

/* ---------------------------------------------------------------- values that may be unknown */

static json_t *text_or_null(const char *text)
{
    return text[0] ? json_string(text) : json_null();
}

static json_t *count_or_null(long value)
{
    return value >= 0 ? json_integer(value) : json_null();
}

static json_t *switch_or_null(int value)
{
    return value >= 0 ? json_boolean(value) : json_null();
}

static json_t *bytes_or_null(uint64_t bytes)
{
    return bytes > 0 ? json_integer((json_int_t)bytes) : json_null();
}

/** Absent where the machine is real. Takes no reference; NULL stays NULL. */
static json_t *with_emulator(json_t *object, const struct machine *machine)
{
    const char *emulator = machine_emulator(machine);
    if (object && emulator[0])
        json_object_set_new(object, "emulated", json_string(emulator));
    return object;
}

/* ---------------------------------------------------------------- topology */

static json_t *kinds_json(const struct machine *machine)
{
    json_t *kinds = json_array();
    const struct topology *topology = machine->topology;
    const struct topology_core *cores = topology_cores(topology);
    size_t count = topology_core_count(topology);
    for (size_t first = 0, end; first < count; first = end) {
        json_t *cpus = json_array();
        for (end = first; end < count && cores[end].kind == cores[first].kind; end++)
            json_array_append_new(cpus, json_integer(cores[end].cpu));
        json_array_append_new(
            kinds, json_pack("{s:s, s:o, s:o, s:I, s:o}", "kind", core_kind_name(cores[first].kind),
                             "microarchitecture", text_or_null(machine->core_designs[cores[first].kind]),
                             "microarchitecture_stated", text_or_null(machine->stated_cores[cores[first].kind]),
                             "cores", (json_int_t)(end - first), "cpus", cpus));
    }
    return kinds;
}

static json_t *caches_json(const struct topology *topology)
{
    json_t *list = json_array();
    struct topology_cache caches[CACHES_MOST];
    size_t count = topology_caches(topology, caches, CACHES_MOST);
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, json_pack("{s:i, s:I, s:i}", "level", (int)caches[i].level, "bytes",
                                              (json_int_t)caches[i].bytes, "instances", (int)caches[i].instances));
    return list;
}

static json_t *nodes_json(const struct topology *topology)
{
    json_t *list = json_array();
    struct topology_node nodes[NODES_MOST];
    size_t count = topology_nodes(topology, nodes, NODES_MOST);
    uint64_t total = 0; /* some node has memory, or the system does not say which */
    for (size_t i = 0; i < count; i++)
        total += nodes[i].bytes;
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, json_pack("{s:i, s:o, s:i}", "node", (int)nodes[i].os_index, "bytes",
                                              total ? json_integer((json_int_t)nodes[i].bytes) : json_null(), "cores",
                                              (int)nodes[i].cores));
    return list;
}

static uint64_t llc_bytes(const struct topology *topology)
{
    /* Each core alone, counted once a domain: the sum over all cores needs no array of pointers. */
    uint64_t bytes = 0;
    const struct topology_core *cores = topology_cores(topology);
    for (size_t i = 0; i < topology_core_count(topology); i++) {
        size_t before = 0;
        while (before < i && cores[before].llc != cores[i].llc)
            before++;
        const struct topology_core *core = &cores[i];
        bytes += before == i ? topology_llc_bytes(topology, &core, 1) : 0;
    }
    return bytes;
}

json_t *machine_topology_json(const struct machine *machine)
{
    const struct topology *topology = machine->topology;
    char allowed[256];
    topology_allowed_list(topology, allowed, sizeof allowed);
    return json_pack("{s:I, s:I, s:s, s:I, s:o, s:o, s:I, s:o, s:o}", "cores",
                     (json_int_t)topology_core_count(topology), "hidden_siblings",
                     (json_int_t)topology_joined(topology), "allowed_cpus", allowed, "online_cpus",
                     (json_int_t)machine->online_cpus, "kinds", kinds_json(machine), "caches", caches_json(topology),
                     "llc_domains", (json_int_t)topology_llc_count(topology), "llc_bytes",
                     bytes_or_null(llc_bytes(topology)), "nodes", nodes_json(topology));
}

json_t *machine_record(const struct machine *machine)
{
    const struct topology *topology = machine->topology;
    const char *name = machine->host.hostname[0] ? machine->host.hostname : "unnamed";
    json_t *record = json_pack(
        "{s:s, s:s, s:s, s:o, s:o, s:o, s:I, s:o, s:o, s:o, s:o, s:o, s:o}", "type", "machine", "name", name, "cpu",
        machine_cpu_name(machine), "microarchitecture", text_or_null(machine->identity.microarchitecture),
        "microarchitecture_stated", text_or_null(machine->identity.stated_core), "contradiction",
        text_or_null(machine->identity.contradiction), "cores", (json_int_t)topology_core_count(topology), "kinds",
        kinds_json(machine), "caches", caches_json(topology), "llc_bytes", bytes_or_null(llc_bytes(topology)),
        "memory_bytes", bytes_or_null(machine->host.memory_total_bytes), "memory_available_bytes",
        bytes_or_null(machine->memory_available_bytes), "nodes", nodes_json(topology));
    return with_emulator(record, machine);
}

/* ---------------------------------------------------------------- CPU and host */

/** Names of all that the CPU states, in the order of isa_features.def; what the system grants is in "isa". */
static json_t *features_json(const struct machine *machine)
{
    json_t *names = json_array();
    isa_features stated = isa_features_stated(&machine->dump);
    for (unsigned i = 0; i < ISA_FEATURE_COUNT; i++) {
        if (stated >> i & 1)
            json_array_append_new(names, json_string(isa_feature_name((enum isa_feature)i)));
    }
    return names;
}

json_t *machine_cpu_json(const struct machine *machine)
{
    const struct cpu_identity *identity = &machine->identity;
    json_t *cpu =
        json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:i, s:i, s:i, s:o, s:o, s:b}", "name", machine_cpu_name(machine),
                  "vendor", text_or_null(identity->vendor), "microarchitecture",
                  text_or_null(identity->microarchitecture), "microarchitecture_stated",
                  text_or_null(identity->stated_core), "contradiction", text_or_null(identity->contradiction),
                  "features", features_json(machine), "family", (int)identity->family, "model", (int)identity->model,
                  "stepping", (int)identity->stepping, "microcode", text_or_null(machine->host.microcode), "hypervisor",
                  text_or_null(identity->hypervisor), "hybrid", (int)identity->hybrid);
    return with_emulator(cpu, machine);
}

json_t *machine_isa_json(const struct machine *machine)
{
    json_t *object = json_object();
    size_t count;
    const struct isa *rows = isa_rows(&count);
    for (size_t i = 0; i < count; i++)
        json_object_set_new(object, rows[i].name, json_boolean(isa_runs(&rows[i], machine->features)));
    return object;
}

/** Set what may be unknown: each a line, so that a field and its meaning stay together. */
static void set_settings(json_t *object, const struct host_facts *host)
{
    json_object_set_new(object, "governor", text_or_null(host->governor));
    json_object_set_new(object, "turbo", switch_or_null(host->turbo));
    json_object_set_new(object, "smt", switch_or_null(host->smt));
    json_object_set_new(object, "transparent_huge_pages", text_or_null(host->thp_enabled));
    json_object_set_new(object, "hugetlb_total", count_or_null(host->hugetlb_total));
    json_object_set_new(object, "hugetlb_free", count_or_null(host->hugetlb_free));
    json_object_set_new(object, "huge_page_bytes", count_or_null(host->hugepage_bytes));
    json_object_set_new(object, "numa_balancing", switch_or_null(host->numa_balancing));
    json_object_set_new(object, "isolated_cpus", host->isolated_known ? json_string(host->isolated_cpus) : json_null());
    json_object_set_new(object, "nmi_watchdog", switch_or_null(host->nmi_watchdog));
    json_object_set_new(object, "perf_event_paranoid",
                        host->perf_event_paranoid == -9 ? json_null() : json_integer(host->perf_event_paranoid));
    json_object_set_new(object, "clock_source", text_or_null(host->clocksource));
    json_object_set_new(object, "cpu_quota_cores",
                        host->cpu_quota_cores < 0 ? json_null() : json_real(host->cpu_quota_cores));
    json_object_set_new(object, "memory_total_bytes", bytes_or_null(host->memory_total_bytes));
    json_object_set_new(object, "memory_limit_bytes", bytes_or_null(host->memory_limit_bytes));
}

json_t *machine_host_json(const struct machine *machine)
{
    const struct host_facts *host = &machine->host;
    json_t *object = json_pack("{s:o, s:o, s:o, s:o}", "hostname", text_or_null(host->hostname), "distribution",
                               text_or_null(host->distribution), "kernel", text_or_null(host->kernel), "hypervisor",
                               text_or_null(host->hypervisor));
    if (object)
        set_settings(object, host);
    return object;
}
