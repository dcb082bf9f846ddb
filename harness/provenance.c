/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/provenance.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "build_info.h"
#include "harness/hash.h"
#include "micro/kernel.h"
#include "micro/sequence.h"

/** FNV-1a over the machine code of a function, up to a bound that holds any kernel's own code. */
static json_t *code_hash(const void *function)
{
    enum { CODE_BYTES = 256 };
    char text[20];
    snprintf(text, sizeof text, "%016lx", (unsigned long)hash_bytes(HASH_BEGIN, function, CODE_BYTES));
    return json_string(text);
}

/** Of our own; the code of plug-ins is told apart by their files. */
static json_t *code_object(const struct plugins *plugins)
{
    json_t *code = json_object();
    for (const struct sequence *const *sequence = sequence_all(); *sequence; sequence++) {
        if (plugins_of_sequence(plugins, *sequence))
            continue;
        const struct sequence_variant *variant = &(*sequence)->variant[(*sequence)->variants - 1];
        json_object_set_new(code, (*sequence)->name, code_hash((const void *)(uintptr_t)variant->run_u));
    }
    for (const struct kernel *const *kernel = kernel_all(); *kernel; kernel++) {
        if (!plugins_of_kernel(plugins, *kernel))
            json_object_set_new(code, (*kernel)->name, code_hash((*kernel)->code));
    }
    return code;
}

static json_t *team_array(const struct session *session)
{
    json_t *team = json_array();
    for (unsigned i = 0; i < session->threads; i++)
        json_array_append_new(team, json_integer(session->cpus[i]));
    return team;
}

json_t *provenance_meta(const struct session *session, int argc, char **argv)
{
    char started[32];
    time_t now = time(NULL);
    struct tm utc;
    strftime(started, sizeof started, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));

    json_t *command = json_array();
    for (int i = 0; i < argc; i++)
        json_array_append_new(command, json_string(argv[i]));

    json_t *meta = json_object();
    json_object_set_new(meta, "kneepoint", json_string(KNEEPOINT_VERSION));
    json_object_set_new(meta, "schema", json_integer(1));
    json_object_set_new(meta, "started", json_string(started));
    json_object_set_new(meta, "command", command);
    json_object_set_new(meta, "cpu", machine_cpu_json(&session->machine));
    json_object_set_new(meta, "isa", machine_isa_json(&session->machine));
    json_object_set_new(meta, "topology", machine_topology_json(&session->machine));
    json_object_set_new(meta, "host", machine_host_json(&session->machine));
    json_object_set_new(meta, "team", team_array(session));
    json_object_set_new(meta, "tsc_hz", json_real(session->instruments.tsc_hz));
    json_object_set_new(meta, "compiler", json_string(build_compiler));
    json_object_set_new(meta, "flags", json_string(build_flags));
    json_object_set_new(meta, "revision", build_revision[0] ? json_string(build_revision) : json_null());
    json_object_set_new(meta, "dirty", json_boolean(build_dirty));
    json_object_set_new(meta, "code", code_object(&session->plugins));
    if (session->plugins.count)
        json_object_set_new(meta, "plugins", plugins_json(&session->plugins));
    return meta;
}

bool provenance_same_plugins(const json_t *meta, const struct session *session)
{
    const json_t *there = json_object_get(meta, "plugins");
    if (json_object_size(there) != session->plugins.count)
        return false;
    for (unsigned i = 0; i < session->plugins.count; i++) {
        const struct plugin *plugin = &session->plugins.plugin[i];
        const json_t *same = json_object_get(there, plugin->description->name);
        const char *hash = json_string_value(json_object_get(same, "hash"));
        if (!hash || strcmp(hash, plugin->hash) != 0)
            return false;
    }
    return true;
}

void provenance_platform_name(const struct session *session, char *name, size_t size)
{
    const struct cpu_identity *cpu = &session->machine.identity;
    bool named = cpu->brand[strspn(cpu->brand, " ")]; /* Arm cores have no brand string */
    provenance_cpu_folder(named ? cpu->brand : cpu->vendor, cpu->microarchitecture, name, size);
}

void provenance_cpu_folder(const char *cpu, const char *microarchitecture, char *name, size_t size)
{
    char full[160];
    bool named = cpu && cpu[strspn(cpu, " ")];
    snprintf(full, sizeof full, "%s %s", named ? cpu : "unknown cpu", microarchitecture ? microarchitecture : "");
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
