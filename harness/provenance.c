/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/provenance.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "build_info.h"
#include "micro/kernel.h"
#include "micro/sequence.h"
#include "platforms/host.h"

static json_t *text_or_null(const char *text)
{
    return text[0] ? json_string(text) : json_null();
}

static json_t *flag_or_null(int flag)
{
    return flag < 0 ? json_null() : json_boolean(flag);
}

static json_t *count_or_null(long count)
{
    return count < 0 ? json_null() : json_integer(count);
}

static json_t *host_object(void)
{
    struct host_facts facts;
    host_facts_read("", &facts);
    json_t *host = json_object();
    json_object_set_new(host, "hostname", text_or_null(facts.hostname));
    json_object_set_new(host, "kernel", text_or_null(facts.kernel));
    json_object_set_new(host, "distribution", text_or_null(facts.distribution));
    json_object_set_new(host, "hypervisor", text_or_null(facts.hypervisor));
    json_object_set_new(host, "microcode", text_or_null(facts.microcode));
    json_object_set_new(host, "governor", text_or_null(facts.governor));
    json_object_set_new(host, "turbo", flag_or_null(facts.turbo));
    json_object_set_new(host, "smt", flag_or_null(facts.smt));
    json_object_set_new(host, "thp_enabled", text_or_null(facts.thp_enabled));
    json_object_set_new(host, "hugetlb_total", count_or_null(facts.hugetlb_total));
    json_object_set_new(host, "hugetlb_free", count_or_null(facts.hugetlb_free));
    json_object_set_new(host, "hugepage_bytes", count_or_null(facts.hugepage_bytes));
    json_object_set_new(host, "numa_balancing", flag_or_null(facts.numa_balancing));
    json_object_set_new(host, "isolated_cpus", text_or_null(facts.isolated_cpus));
    json_object_set_new(host, "memory_total_bytes", json_integer((json_int_t)facts.memory_total_bytes));
    return host;
}

/** FNV-1a over the machine code of a function, up to a bound that holds any kernel's own code. */
static json_t *code_hash(const void *function)
{
    enum { CODE_BYTES = 256 };
    const unsigned char *code = function;
    uint64_t hash = 0xcbf29ce484222325u;
    for (int i = 0; i < CODE_BYTES; i++)
        hash = (hash ^ code[i]) * 0x100000001b3u;
    char text[20];
    snprintf(text, sizeof text, "%016lx", (unsigned long)hash);
    return json_string(text);
}

static json_t *code_object(void)
{
    json_t *code = json_object();
    for (const struct sequence *const *sequence = sequence_all(); *sequence; sequence++) {
        const struct sequence_variant *variant = &(*sequence)->variant[(*sequence)->variants - 1];
        json_object_set_new(code, (*sequence)->name, code_hash((const void *)(uintptr_t)variant->run_u));
    }
    for (const struct kernel *const *kernel = kernel_all(); *kernel; kernel++)
        json_object_set_new(code, (*kernel)->name, code_hash((*kernel)->code));
    return code;
}

static json_t *topology_object(const struct session *session)
{
    json_t *topology = json_object(), *cpus = json_array();
    for (unsigned i = 0; i < session->threads; i++) {
        const struct topology_core *core = topology_core_of_cpu(session->topology, session->cpus[i]);
        json_array_append_new(cpus, json_pack("{s:i, s:s, s:i, s:i}", "cpu", (int)session->cpus[i], "kind",
                                              core_kind_name(core->kind), "numa_node", (int)core->numa_node, "llc",
                                              (int)core->llc));
    }
    json_object_set_new(topology, "team", cpus);
    json_object_set_new(topology, "cores", json_integer((json_int_t)topology_core_count(session->topology)));
    json_object_set_new(topology, "llc_bytes", json_integer((json_int_t)session->llc_bytes));
    return topology;
}

json_t *provenance_meta(const struct session *session, int argc, char **argv)
{
    char started[32];
    time_t now = time(NULL);
    struct tm utc;
    strftime(started, sizeof started, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));

    json_t *command = json_array(), *isa = json_object();
    for (int i = 0; i < argc; i++)
        json_array_append_new(command, json_string(argv[i]));
    size_t rows;
    const struct isa *row = isa_rows(&rows);
    for (size_t i = 0; i < rows; i++)
        json_object_set_new(isa, row[i].name, json_boolean(isa_runs(&row[i], session->features)));

    json_t *meta = json_object();
    json_object_set_new(meta, "kneepoint", json_string(KNEEPOINT_VERSION));
    json_object_set_new(meta, "schema", json_integer(1));
    json_object_set_new(meta, "started", json_string(started));
    json_object_set_new(meta, "command", command);
    const struct cpu_identity *cpu = &session->identity;
    json_object_set_new(meta, "cpu",
                        json_pack("{s:s, s:s, s:i, s:i, s:i, s:o, s:o}", "vendor", cpu->vendor, "brand", cpu->brand,
                                  "family", (int)cpu->family, "model", (int)cpu->model, "stepping", (int)cpu->stepping,
                                  "hypervisor", text_or_null(cpu->hypervisor), "microarchitecture",
                                  text_or_null(cpu->microarchitecture)));
    json_object_set_new(meta, "isa", isa);
    json_object_set_new(meta, "topology", topology_object(session));
    json_object_set_new(meta, "host", host_object());
    json_object_set_new(meta, "tsc_hz", json_real(session->tsc_hz));
    json_object_set_new(meta, "compiler", json_string(build_compiler));
    json_object_set_new(meta, "flags", json_string(build_flags));
    json_object_set_new(meta, "revision", text_or_null(build_revision));
    json_object_set_new(meta, "dirty", json_boolean(build_dirty));
    json_object_set_new(meta, "code", code_object());
    return meta;
}

json_t *provenance_machine(const struct session *session)
{
    struct host_facts facts;
    host_facts_read("", &facts);
    json_t *caches = json_array(), *kinds = json_array();
    struct topology_cache cache[8];
    size_t count = topology_caches(session->topology, cache, 8);
    for (size_t i = 0; i < count; i++)
        json_array_append_new(caches, json_pack("{s:i, s:I, s:i}", "level", (int)cache[i].level, "bytes",
                                                (json_int_t)cache[i].bytes, "instances", (int)cache[i].instances));
    int cores_of_kind[3] = {0};
    for (unsigned i = 0; i < session->threads; i++)
        cores_of_kind[topology_core_of_cpu(session->topology, session->cpus[i])->kind]++;
    for (int kind = 0; kind < 3; kind++) {
        if (cores_of_kind[kind])
            json_array_append_new(kinds, json_pack("{s:s, s:i}", "kind", core_kind_name((enum core_kind)kind), "cores",
                                                   cores_of_kind[kind]));
    }
    return json_pack("{s:s, s:s, s:s, s:i, s:o, s:o, s:I, s:I}", "type", "machine", "name",
                     facts.hostname[0] ? facts.hostname : "localhost", "cpu",
                     session->identity.brand[0] ? session->identity.brand : facts.cpu_model, "cores",
                     (int)session->threads, "kinds", kinds, "caches", caches, "llc_bytes",
                     (json_int_t)session->llc_bytes, "memory_bytes", (json_int_t)facts.memory_total_bytes);
}

void provenance_platform_name(const struct session *session, char *name, size_t size)
{
    const struct cpu_identity *cpu = &session->identity;
    char full[160];
    snprintf(full, sizeof full, "%s %s", cpu->brand[0] ? cpu->brand : "unknown cpu", cpu->microarchitecture);
    size_t length = 0;
    bool gap = false;
    for (const char *at = full; *at && length + 2 < size; at++) {
        if (strncmp(at, "(R)", 3) == 0 || strncmp(at, "(TM)", 4) == 0) {
            at += at[1] == 'R' ? 2 : 3;
            gap = true;
        } else if (isalnum((unsigned char)*at)) {
            if (gap && length)
                name[length++] = '-';
            gap = false;
            name[length++] = (char)tolower((unsigned char)*at);
        } else {
            gap = true;
        }
    }
    name[length] = 0;
}

void provenance_run_name(char *name, size_t size)
{
    time_t now = time(NULL);
    struct tm utc;
    char stamp[24];
    strftime(stamp, sizeof stamp, "%Y%m%dT%H%M%SZ", gmtime_r(&now, &utc));
    snprintf(name, size, "%s-%ld", stamp, (long)getpid());
}
