/* SPDX-License-Identifier: BSD-3-Clause */
#include "results/records/cpu_key.h"
#include "results/records/testing.h"
#include "unit_test.h"

static const char *const of[] = {"in BASE", "in HEAD"};

static json_t *cpu_of(json_t *meta)
{
    return json_object_get(meta, "cpu");
}

static void assert_match(const json_t *one, const json_t *other, enum cpu_key_match expected, const char *words)
{
    char how[480];
    enum cpu_key_match match = cpu_key_match(one, other, of, how, sizeof how);
    if (match != expected || strcmp(how, words) != 0)
        fail_msg("match %d, '%s'; not %d, '%s'", (int)match, how, (int)expected, words);
}

TEST(each_fact_separates_cpus)
{
    static const struct {
        const char *fact, *value, *how;
    } table[] = {
        {"name", "\"Other\"", "name 'Test CPU' in BASE, 'Other' in HEAD"},
        {"vendor", "null", "vendor 'Test' in BASE, null in HEAD"},
        {"family", "25", "family 6 in BASE, 25 in HEAD"},
        {"model", "207", "model 143 in BASE, 207 in HEAD"},
        {"stepping", "0", "stepping 8 in BASE, 0 in HEAD"},
        {"microarchitecture", "\"Raptor Cove\"", "microarchitecture 'Test' in BASE, 'Raptor Cove' in HEAD"},
        {"microarchitecture", "null", "microarchitecture 'Test' in BASE, null in HEAD"},
        {"features", "[\"fma\", \"avx2\", \"a\", \"b\"]", "features a, b only in HEAD"},
        {"features", "[\"fma\"]", "features avx2 only in BASE"},
        {"features", "[\"fma\", \"a\"]", "features avx2 only in BASE, features a only in HEAD"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct run_records run = made_run();
        char before[9], after[9];
        json_t *other = json_deep_copy(run.meta);
        json_object_set_new(cpu_of(other), table[i].fact, json_loads(table[i].value, JSON_DECODE_ANY, NULL));
        assert_match(run.meta, other, CPU_KEY_OTHER, table[i].how);
        cpu_key_code(run.meta, before);
        cpu_key_code(other, after);
        assert_int_equal(strlen(before), 8);
        assert_string_not_equal(before, after);
        json_decref(other);
        run_records_free(&run);
    }
}

TEST(a_third_of_the_cache_is_another_cpu)
{
    struct run_records run = made_run();
    char before[9], after[9];
    cpu_key_code(run.meta, before);
    json_t *other = json_deep_copy(run.meta);
    json_t *cache = json_array_get(json_object_get(json_object_get(other, "topology"), "caches"), 0);
    json_object_set_new(cache, "instances", json_integer(7)); /* follows the CPUs that a process may use */
    assert_match(run.meta, other, CPU_KEY_SAME, "");
    cpu_key_code(other, after);
    assert_string_equal(before, after);
    json_object_set_new(cache, "bytes", json_integer((1 << 25) / 3));
    assert_match(run.meta, other, CPU_KEY_OTHER, "caches 'L3 32 MiB' in BASE, 'L3 10922 KiB' in HEAD");
    cpu_key_code(other, after);
    assert_string_not_equal(before, after);
    json_array_clear(json_object_get(json_object_get(other, "topology"), "caches"));
    assert_match(run.meta, other, CPU_KEY_OTHER, "caches 'L3 32 MiB' in BASE, 'none visible' in HEAD");
    json_decref(other);
    run_records_free(&run);
}

TEST(what_is_not_stated_does_not_differ_and_is_not_the_same)
{
    struct run_records run = made_run();
    char code[9];
    json_t *other = json_deep_copy(run.meta);
    json_object_del(cpu_of(other), "features");
    assert_match(run.meta, other, CPU_KEY_UNSTATED, "features unknown in HEAD");
    cpu_key_code(other, code);
    assert_string_equal(code, "");
    json_object_set_new(cpu_of(other), "features", json_null());
    assert_match(run.meta, other, CPU_KEY_UNSTATED, "features unknown in HEAD");
    json_object_del(other, "topology");
    assert_match(other, other, CPU_KEY_UNSTATED,
                 "features unknown in BASE, unknown in HEAD, caches unknown in BASE, unknown in HEAD");
    json_object_set_new(cpu_of(other), "model", json_integer(1));
    assert_match(run.meta, other, CPU_KEY_OTHER, "model 143 in BASE, 1 in HEAD");
    json_object_del(cpu_of(other), "model");
    assert_match(run.meta, other, CPU_KEY_NAMELESS,
                 "model unknown in HEAD, features unknown in HEAD, caches unknown in HEAD");
    json_t *empty = json_object();
    char how[480];
    assert_int_equal(cpu_key_match(empty, NULL, of, how, sizeof how), CPU_KEY_NAMELESS);
    json_decref(empty);
    json_decref(other);
    run_records_free(&run);
}

TEST(hostile_facts_are_taken_as_they_are)
{
    static const char *const metas[] = {
        "{\"cpu\":[],\"topology\":3}",
        "{\"cpu\":{\"name\":{},\"features\":[1,{},[\"a\"]]},\"topology\":{\"caches\":[1,{\"level\":\"x\",\"bytes\":[]}]}}",
    };
    struct run_records run = made_run();
    char how[16], code[9];
    for (size_t i = 0; i < sizeof metas / sizeof *metas; i++) {
        json_t *meta = json_loads(metas[i], 0, NULL);
        assert_non_null(meta);
        assert_int_not_equal(cpu_key_match(meta, run.meta, of, how, sizeof how), CPU_KEY_SAME);
        assert_true(strlen(how) < sizeof how);
        cpu_key_code(meta, code);
        json_decref(meta);
    }
    run_records_free(&run);
}

TEST(many_features_are_cut_to_a_line)
{
    struct run_records run = made_run();
    json_t *other = json_deep_copy(run.meta);
    for (int i = 0; i < 200; i++)
        json_array_append_new(json_object_get(cpu_of(other), "features"), json_sprintf("feature_%d", i));
    char how[480];
    assert_int_equal(cpu_key_match(run.meta, other, of, how, sizeof how), CPU_KEY_OTHER);
    assert_true(strlen(how) < sizeof how);
    json_decref(other);
    run_records_free(&run);
}

TEST(an_emulated_cpu_is_another)
{
    struct run_records run = made_run();
    json_t *other = json_deep_copy(run.meta);
    char real[9], emulated[9];
    cpu_key_code(run.meta, real);
    json_object_set_new(cpu_of(other), "emulated", json_string("QEMU TCG"));
    cpu_key_code(other, emulated);
    assert_match(run.meta, other, CPU_KEY_OTHER, "emulated false in BASE, 'QEMU TCG' in HEAD");
    assert_match(other, other, CPU_KEY_SAME, "");
    assert_true(real[0] && emulated[0] && strcmp(real, emulated) != 0);
    json_decref(other);
    run_records_free(&run);
}

TEST(what_is_taken_over_has_the_same_key)
{
    struct run_records run = made_run();
    json_t *copy = json_object();
    assert_int_equal(cpu_key_take_over(copy, run.meta), 0);
    assert_match(run.meta, copy, CPU_KEY_SAME, "");
    assert_null(json_object_get(json_object_get(copy, "topology"), "online_cpus"));
    json_object_clear(copy);
    json_t *bare = json_object();
    assert_int_equal(cpu_key_take_over(copy, bare), 0);
    assert_int_equal(json_object_size(copy), 0);
    json_decref(bare);
    json_decref(copy);
    run_records_free(&run);
}

RUN_TESTS(NULL, NULL)
