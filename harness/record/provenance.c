/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/record/provenance.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "build_info.h"
#include "micro/kernel.h"
#include "micro/sequence.h"
#include "results/records/cpu_key.h"
#include "results/records/run.h"

/** Of plug-ins, the hash of their file. */
static json_t *code_object(const struct plugins *plugins)
{
    json_t *code = json_object();
    for (const struct build_code *at = build_code; at->name; at++)
        json_object_set_new(code, at->name, json_string(at->sha256));
    for (unsigned i = 0; i < plugins->count; i++) {
        const struct plugin *plugin = &plugins->plugin[i];
        for (const struct kernel *const *kernel = plugin->kernels; *kernel; kernel++)
            json_object_set_new(code, (*kernel)->name, json_string(plugin->file.hash));
        for (const struct sequence *const *sequence = plugin->sequences; *sequence; sequence++)
            json_object_set_new(code, (*sequence)->name, json_string(plugin->file.hash));
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

/** Why the widest team is not the one that was asked for; NULL if it is. */
static json_t *shared_cores(const struct session *session)
{
    if (!session->narrowed.asked)
        return NULL;
    return json_pack("{s:i, s:i, s:f, s:f}", "threads_asked", (int)session->narrowed.asked, "threads",
                     (int)session->threads, "undisturbed_asked", session->narrowed.undisturbed_asked, "undisturbed",
                     session->narrowed.undisturbed_chosen);
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
    json_object_set_new(meta, "schema", json_integer(RECORD_SCHEMA));
    json_object_set_new(meta, "started", json_string(started));
    json_object_set_new(meta, "command", command);
    json_object_set_new(meta, "cpu", machine_cpu_json(&session->machine));
    json_object_set_new(meta, "isa", machine_isa_json(&session->machine));
    json_object_set_new(meta, "topology", machine_topology_json(&session->machine));
    json_object_set_new(meta, "host", machine_host_json(&session->machine));
    json_object_set_new(meta, "team", team_array(session));
    json_object_set_new(meta, "shared_cores", shared_cores(session)); /* absent if NULL */
    json_object_set_new(meta, "tsc_hz", json_real(session->instruments.tsc_hz));
    json_object_set_new(meta, "compiler", json_string(build_compiler));
    json_object_set_new(meta, "flags", json_string(build_flags));
    json_object_set_new(meta, "kernel_flags", json_string(build_kernel_flags));
    json_object_set_new(meta, "revision", build_revision[0] ? json_string(build_revision) : json_null());
    json_object_set_new(meta, "dirty", json_boolean(build_dirty));
    json_object_set_new(meta, "code", code_object(&session->plugins));
    if (session->plugins.count)
        json_object_set_new(meta, "plugins", plugins_json(&session->plugins));
    return meta;
}

static bool has_cpu(const unsigned *cpus, unsigned count, json_int_t cpu)
{
    for (unsigned i = 0; i < count; i++) {
        if (cpus[i] == cpu)
            return true;
    }
    return false;
}

int provenance_narrow(const json_t *meta, struct session *session, char *why, size_t size)
{
    const json_t *shared = json_object_get(meta, "shared_cores"), *team = json_object_get(meta, "team");
    unsigned cpus[SESSION_CPUS_MAX], threads = 0;
    if (!json_is_object(shared))
        return 0;
    for (size_t i = 0; i < json_array_size(team); i++) {
        const json_t *number = json_array_get(team, i);
        json_int_t cpu = json_is_integer(number) ? json_integer_value(number) : -1;
        if (!has_cpu(session->cpus, session->threads, cpu) || has_cpu(cpus, threads, cpu)) {
            snprintf(why, size, "was measured on CPU %lld, which this process does not have, or names it twice",
                     (long long)cpu);
            return -EXDEV;
        }
        cpus[threads++] = (unsigned)cpu;
    }
    if (!threads) {
        snprintf(why, size, "does not name the CPUs that it was measured on");
        return -EXDEV;
    }
    session_narrow(session, cpus, threads, json_number_value(json_object_get(shared, "undisturbed_asked")),
                   json_number_value(json_object_get(shared, "undisturbed")));
    return 0;
}

static bool differs_in(const json_t *old, const json_t *now, const char *key)
{
    const json_t *before = json_object_get(old, key);
    return before && !json_equal(before, json_object_get(now, key));
}

static const char *const sides[] = {"there", "here"};

bool provenance_same_cpu(const json_t *old, const json_t *now)
{
    char how[8];
    return cpu_key_match(old, now, sides, how, sizeof how) == CPU_KEY_SAME;
}

/** "another CPU, 'Z80'", or where the name is the same "another CPU: model 207 there, 173 here". @return false: the same */
static bool is_other_cpu(const json_t *old, const json_t *now, char *why, size_t size)
{
    char how[256];
    const char *name = json_string_value(json_object_get(json_object_get(old, "cpu"), "name"));
    const char *here = json_string_value(json_object_get(json_object_get(now, "cpu"), "name"));
    enum cpu_key_match match = cpu_key_match(old, now, sides, how, sizeof how);
    if (match == CPU_KEY_OTHER && name && here && strcmp(name, here) != 0)
        snprintf(why, size, "another CPU, '%s'", name);
    else if (match == CPU_KEY_OTHER)
        snprintf(why, size, "another CPU: %s", how);
    else if (match != CPU_KEY_SAME)
        snprintf(why, size, "a CPU that may be a different one: %s", how);
    return match != CPU_KEY_SAME;
}

const char *provenance_differs(const json_t *old, const json_t *now, char *why, size_t size)
{
    if (is_other_cpu(old, now, why, size))
        return why;
    static const char *const built[] = {"compiler", "flags"};
    for (size_t i = 0; i < sizeof built / sizeof *built; i++) {
        if (differs_in(old, now, built[i])) {
            snprintf(why, size, "other compiler settings, '%s'", json_string_value(json_object_get(old, built[i])));
            return why;
        }
    }
    const char *measured;
    json_t *code, *codes = json_object_get(old, "code");
    json_object_foreach(codes, measured, code)
    {
        const json_t *here = json_object_get(json_object_get(now, "code"), measured);
        if (here && !json_equal(code, here)) {
            snprintf(why, size, "other code of %s", measured);
            return why;
        }
    }
    return NULL;
}

/** Letters and digits, lower case, words joined by '-'. */
static void write_file_name(const char *full, char *name, size_t size)
{
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

void provenance_cpu_folder(const json_t *meta, char *name, size_t size)
{
    char full[160], code[9];
    const json_t *cpu = json_object_get(meta, "cpu");
    const char *brand = json_string_value(json_object_get(cpu, "name"));
    const char *design = json_string_value(json_object_get(cpu, "microarchitecture"));
    bool is_named = brand && brand[strspn(brand, " ")];
    cpu_key_code(meta, code);
    size_t code_length = code[0] ? strlen(code) + 1 : 0;
    snprintf(full, sizeof full, "%s %s", is_named ? brand : "unknown cpu", design ? design : "");
    write_file_name(full, name, size > code_length ? size - code_length : 0);
    if (code_length && size > code_length) /* also after a name that was cut */
        snprintf(name + strlen(name), code_length + 1, "%s%s", name[0] ? "-" : "", code);
}

void provenance_machine_name(const struct machine *machine, char *name, size_t size)
{
    json_t *meta =
        json_pack("{s:o, s:o}", "cpu", machine_cpu_json(machine), "topology", machine_topology_json(machine));
    provenance_cpu_folder(meta, name, size);
    json_decref(meta);
}

void provenance_run_name(const char *node, char *name, size_t size)
{
    time_t now = time(NULL);
    struct tm utc;
    char stamp[24];
    strftime(stamp, sizeof stamp, "%Y%m%dT%H%M%SZ", gmtime_r(&now, &utc));
    char of_node[48];
    write_file_name(node ? node : "", of_node, sizeof of_node);
    snprintf(name, size, "%s%s%s-%ld", stamp, of_node[0] ? "-" : "", of_node, (long)getpid());
}
