/* SPDX-License-Identifier: BSD-3-Clause */
#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "harness/record/provenance.h"
#include "micro/kernel.h"
#include "micro/sequence.h"
#include "results/records/run.h"
#include "unit_test.h"

static json_t *meta_of_this_machine(void)
{
    struct session *session;
    char why[SESSION_WHY];
    struct session_request request = {.seed = 1};
    char *command[] = {"kneepoint characterize", "--budget=20"};
    assert_int_equal(session_open(&request, &session, why, sizeof why), 0);
    json_t *meta = provenance_meta(session, 2, command);
    session_close(session);
    assert_non_null(meta);
    return meta;
}

TEST(meta_says_where_a_run_comes_from)
{
    json_auto_t *meta = meta_of_this_machine();
    static const char *const fields[] = {"kneepoint",    "schema",   "started", "command", "cpu",      "isa",
                                         "topology",     "host",     "team",    "tsc_hz",  "compiler", "flags",
                                         "kernel_flags", "revision", "dirty",   "code"};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        if (!json_object_get(meta, fields[i]))
            fail_msg("no '%s'", fields[i]);
    }
    assert_string_equal(json_string_value(json_object_get(meta, "kneepoint")), KNEEPOINT_VERSION);
    assert_int_equal(json_integer_value(json_object_get(meta, "schema")), RECORD_SCHEMA);
    assert_string_equal(json_string_value(json_array_get(json_object_get(meta, "command"), 1)), "--budget=20");
    const char *started = json_string_value(json_object_get(meta, "started"));
    assert_int_equal(strlen(started), strlen("2026-11-20T23:00:00Z"));
    assert_true(started[10] == 'T' && started[19] == 'Z');
    assert_true(json_array_size(json_object_get(meta, "team")) >= 1);
    assert_true(json_string_value(json_object_get(json_object_get(meta, "cpu"), "name")) != NULL);
}

TEST(the_code_of_every_kernel_and_sequence_is_hashed_the_same_twice)
{
    json_t *meta = meta_of_this_machine(), *again = meta_of_this_machine();
    const json_t *code = json_object_get(meta, "code");
    assert_true(json_equal(code, json_object_get(again, "code")));
    for (const struct kernel *const *kernel = kernel_all(); *kernel; kernel++) {
        const char *hash = json_string_value(json_object_get(code, (*kernel)->name));
        assert_non_null(hash);
        assert_int_equal(strlen(hash), 64); /* SHA-256 */
    }
    for (const struct sequence *const *sequence = sequence_all(); *sequence; sequence++)
        assert_non_null(json_string_value(json_object_get(code, (*sequence)->name)));
    json_decref(meta);
    json_decref(again);
}

TEST(a_narrowed_team_is_recorded_and_comes_back)
{
    char why[SESSION_WHY] = "";
    static const struct session_request request = {.seed = 1};
    struct session *session;
    assert_int_equal(session_open(&request, &session, why, sizeof why), 0);
    json_auto_t *whole = provenance_meta(session, 0, NULL);
    assert_null(json_object_get(whole, "shared_cores"));
    unsigned asked = session->threads, last = session->cpus[asked - 1];
    assert_int_equal(provenance_narrow(whole, session, why, sizeof why), 0);
    assert_int_equal(session->threads, asked);
    session_narrow(session, &last, 1, 0.125, 0.5);
    json_auto_t *narrow = provenance_meta(session, 0, NULL);
    session_close(session);

    assert_int_equal(session_open(&request, &session, why, sizeof why), 0);
    assert_int_equal(provenance_narrow(narrow, session, why, sizeof why), 0);
    assert_int_equal(session->threads, 1);
    assert_int_equal(session->cpus[0], last);
    assert_int_equal(session->narrowed.asked, asked);
    assert_true(session->narrowed.undisturbed_asked == 0.125 && session->narrowed.undisturbed_chosen == 0.5);

    /* CPUs that do not exist, are not numbers or are named twice; an empty list; no list */
    static const char *const teams[] = {"[99999]", "[\"0\"]", "[-1]", "[0, 0]", "[1e9]", "[]", "{}"};
    session_close(session);
    /* of all CPUs, with CPU 0, for which nothing else must stand */
    assert_int_equal(session_open(&request, &session, why, sizeof why), 0);
    for (size_t i = 0; i < sizeof teams / sizeof *teams; i++) {
        json_object_set_new(narrow, "team", json_loads(teams[i], 0, NULL));
        assert_int_equal(provenance_narrow(narrow, session, why, sizeof why), -EXDEV);
        assert_true(strlen(why) > 0 && !strchr(why, '\n'));
    }
    session_close(session);
}

TEST(what_differs_from_a_run_is_named)
{
    char why[256];
    json_t *meta = meta_of_this_machine(), *old = json_deep_copy(meta);
    assert_null(provenance_differs(old, meta, why, sizeof why));
    json_object_del(json_object_get(old, "code"), "f32.dot.avx2"); /* it had no such kernel yet */
    json_object_del(old, "flags");
    assert_null(provenance_differs(old, meta, why, sizeof why));

    const char *measured = json_object_iter_key(json_object_iter(json_object_get(old, "code")));
    if (measured) {
        json_object_set_new(json_object_get(old, "code"), measured, json_string("0"));
        assert_non_null(strstr(provenance_differs(old, meta, why, sizeof why), measured));
    }
    json_object_set_new(old, "flags", json_string("-O0"));
    assert_string_equal(provenance_differs(old, meta, why, sizeof why), "other compiler settings, '-O0'");
    assert_true(provenance_same_cpu(old, meta));
    json_t *cpu = json_object_get(old, "cpu");
    json_object_set_new(cpu, "model", json_integer(-1));
    assert_false(provenance_same_cpu(old, meta));
    assert_non_null(strstr(provenance_differs(old, meta, why, sizeof why), "another CPU: model -1 there, "));
    json_object_set(cpu, "model", json_object_get(json_object_get(meta, "cpu"), "model"));
    assert_true(provenance_same_cpu(old, meta));
    json_object_del(cpu, "features");
    assert_false(provenance_same_cpu(old, meta));
    assert_string_equal(provenance_differs(old, meta, why, sizeof why),
                        "a CPU that may be a different one: features unknown there");
    json_object_set_new(cpu, "name", json_string("Z80"));
    assert_false(provenance_same_cpu(old, meta));
    assert_string_equal(provenance_differs(old, meta, why, sizeof why), "another CPU, 'Z80'");
    json_object_del(old, "cpu");
    assert_non_null(strstr(provenance_differs(old, meta, why, sizeof why), "name unknown there"));
    assert_false(provenance_same_cpu(old, meta));
    json_decref(old);
    json_decref(meta);
}

/** Of a CPU that states no more. */
static const char *folder_of(const char *brand, const char *microarchitecture, size_t size)
{
    static char name[160];
    json_auto_t *meta = json_pack("{s:{s:s, s:s?}}", "cpu", "name", brand, "microarchitecture", microarchitecture);
    provenance_cpu_folder(meta, name, size);
    return name;
}

TEST(a_platform_name_is_a_folder_name)
{
    assert_string_equal(folder_of("Intel(R) Core(TM) Ultra 9 285K", "Lion Cove", 160),
                        "intel-core-ultra-9-285k-lion-cove");
    assert_string_equal(folder_of("AMD Ryzen 9 9950X 16-Core Processor", NULL, 160),
                        "amd-ryzen-9-9950x-16-core-processor");
    assert_string_equal(folder_of("", "", 160), "unknown-cpu");
    assert_string_equal(folder_of("Arm", "Neoverse N1", 160), "arm-neoverse-n1");
    assert_string_equal(folder_of("Xeon", "Golden Cove (server) or Raptor Cove (server)", 160),
                        "xeon-golden-cove-server-or-raptor-cove-server");
    assert_string_equal(folder_of("   ", "", 160), "unknown-cpu");
    assert_string_equal(folder_of("../../etc/passwd", "", 160), "etc-passwd");
    assert_string_equal(folder_of("a (", "", 160), "a");
    assert_string_equal(folder_of("Xeon(R) @ 2.10GHz", "", 8), "xeon-2");
    for (size_t size = 1; size < 12; size++)
        assert_true(strlen(folder_of("Intel(R) Core(TM)", "", size)) < size);
}

/** Two CPUs with the same name and model have two folders, and neither loses its code where the name is cut. */
TEST(a_folder_ends_in_the_code_of_a_cpu_that_states_all)
{
    char name[160], other[160], cut[12];
    json_auto_t *meta = meta_of_this_machine();
    provenance_cpu_folder(meta, name, sizeof name);
    const char *code = strrchr(name, '-');
    assert_true(code && strlen(code) == 9 && strspn(code + 1, "0123456789abcdef") == 8);
    provenance_cpu_folder(meta, cut, sizeof cut);
    assert_true(strlen(cut) < sizeof cut && strlen(cut) > 8);
    assert_string_equal(cut + strlen(cut) - 9, code);
    json_array_append_new(json_object_get(json_object_get(meta, "cpu"), "features"), json_string("another"));
    provenance_cpu_folder(meta, other, sizeof other);
    assert_string_not_equal(name, other);
    *strrchr(name, '-') = *strrchr(other, '-') = 0;
    assert_string_equal(name, other);
    for (size_t size = 1; size < 24; size++) {
        provenance_cpu_folder(meta, other, size);
        assert_true(strlen(other) < size);
    }
}

TEST(a_run_name_begins_with_the_time)
{
    char name[64];
    provenance_run_name(NULL, name, sizeof name);
    assert_true(strlen(name) > 17 && name[8] == 'T' && name[15] == 'Z' && name[16] == '-');
    for (int i = 0; i < 15; i++)
        assert_true(i == 8 || isdigit((unsigned char)name[i]));
    char again[64];
    provenance_run_name(NULL, again, sizeof again);
    assert_true(strcmp(name, again) <= 0);
}

TEST(a_run_name_of_a_node_has_it)
{
    char name[96], expected[32];
    snprintf(expected, sizeof expected, "-node07-rack-2-%ld", (long)getpid());
    provenance_run_name("Node07.rack/2", name, sizeof name);
    assert_string_equal(name + 16, expected);
    snprintf(expected, sizeof expected, "-%ld", (long)getpid());
    provenance_run_name("/../", name, sizeof name);
    assert_string_equal(name + 16, expected);
    char longest[200];
    memset(longest, 'n', sizeof longest - 1);
    longest[sizeof longest - 1] = 0;
    provenance_run_name(longest, name, sizeof name);
    assert_true(strlen(name) < 80);
    assert_string_equal(name + strlen(name) - strlen(expected), expected);
}

RUN_TESTS(NULL, NULL)
