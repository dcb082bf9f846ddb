/* SPDX-License-Identifier: BSD-3-Clause */
#include <sched.h>
#include <string.h>

#include "platforms/machine/machine.h"
#include "platforms/system/noise.h"
#include "unit_test.h"

/** A machine put together from recorded parts. */
static struct machine recorded(const char *cpuid, const char *xml)
{
    struct machine machine = {.online_cpus = 24};
    char why[256];
    assert_int_equal(cpuid_dump_read(cpuid, &machine.dump, NULL), 0);
    assert_int_equal(topology_open(xml, &machine.topology, why, sizeof why), 0);
    cpu_identity_of(&machine.dump, &machine.identity);
    machine.features = isa_features_of(&machine.dump);
    strcpy(machine.core_designs[CORE_KIND_PERFORMANCE], "Lion Cove");
    strcpy(machine.host.hostname, "bench");
    machine.host.turbo = machine.host.smt = machine.host.numa_balancing = machine.host.nmi_watchdog = -1;
    machine.host.hugetlb_total = machine.host.hugetlb_free = machine.host.hugepage_bytes = -1;
    machine.host.perf_event_paranoid = -9;
    machine.host.cpu_quota_cores = -1;
    machine.host.memory_total_bytes = UINT64_C(1) << 36;
    return machine;
}

static struct machine arrow_lake(void)
{
    return recorded(UNPACKED "/platforms/fixtures/machines/arrow_lake/cpuid.txt",
                    UNPACKED "/platforms/fixtures/machines/arrow_lake/topology.xml");
}

/** Compare with expected JSON, and release. */
static void assert_json(json_t *actual, const char *expected)
{
    json_t *wanted = json_loads(expected, 0, NULL);
    assert_non_null(wanted);
    if (!actual || !json_equal(actual, wanted))
        fail_msg("%s\nis not\n%s", actual ? json_dumps(actual, JSON_COMPACT) : "NULL", expected);
    json_decref(wanted);
    json_decref(actual);
}

TEST(the_machine_record_follows_its_interface)
{
    struct machine machine = arrow_lake();
    assert_json(
        machine_record(&machine),
        "{\"type\":\"machine\",\"name\":\"bench\",\"cpu\":\"Intel(R) Core(TM) Ultra 9 285K\","
        "\"microarchitecture\":\"Lion Cove\",\"microarchitecture_stated\":\"Lion Cove\",\"contradiction\":null,\"cores\":24,\"kinds\":["
        "{\"kind\":\"P\",\"microarchitecture\":\"Lion Cove\",\"microarchitecture_stated\":null,\"cores\":8,\"cpus\":[0,1,2,3,4,5,6,7]},"
        "{\"kind\":\"E\",\"microarchitecture\":null,\"microarchitecture_stated\":null,\"cores\":16,\"cpus\":[8,9,10,11,12,13,14,15,16,17,18,19,"
        "20,21,22,23]}],"
        "\"caches\":[{\"level\":1,\"bytes\":49152,\"instances\":24},{\"level\":2,\"bytes\":4194304,"
        "\"instances\":12},{\"level\":3,\"bytes\":37748736,\"instances\":1}],\"llc_bytes\":37748736,"
        "\"memory_bytes\":68719476736,\"memory_available_bytes\":null,"
        "\"nodes\":[{\"node\":0,\"bytes\":68719476736,\"cores\":24}]}");
    machine_close(&machine);
}

TEST(the_isa_rows_are_stated_by_name)
{
    struct machine machine = arrow_lake();
    json_t *isa = machine_isa_json(&machine);
    size_t count;
    isa_rows(&count);
    assert_int_equal(json_object_size(isa), count);
    assert_true(json_is_true(json_object_get(isa, "avx_vnni_int8")));
    assert_true(json_is_false(json_object_get(isa, "avx512_vnni")));
    json_decref(isa);
    machine_close(&machine);
}

TEST(stated_and_inferred_stand_apart)
{
    struct machine machine = recorded(UNPACKED "/platforms/fixtures/machines/granite_rapids_masked/cpuid.txt",
                                      UNPACKED "/platforms/fixtures/machines/granite_rapids_masked/topology.xml");
    json_t *cpu = machine_cpu_json(&machine), *record = machine_record(&machine);
    const json_t *const objects[] = {cpu, record};
    for (size_t i = 0; i < 2; i++) {
        assert_string_equal(json_string_value(json_object_get(objects[i], "microarchitecture")),
                            "Redwood Cove (server)");
        assert_string_equal(json_string_value(json_object_get(objects[i], "microarchitecture_stated")), "Cypress Cove");
        const char *contradiction = json_string_value(json_object_get(objects[i], "contradiction"));
        assert_true(contradiction && strstr(contradiction, "the model stated, 6/167, is Rocket Lake's"));
    }
    bool found = false;
    const json_t *features = json_object_get(cpu, "features");
    for (size_t i = 0; i < json_array_size(features); i++)
        found = found || strcmp(json_string_value(json_array_get(features, i)), "prefetchi") == 0;
    assert_true(found);
    machine.dump.xcr0 = 0; /* what the system saves is no property of the CPU */
    json_t *again = machine_cpu_json(&machine);
    assert_true(json_equal(cpu, again));
    json_decref(again);
    json_decref(cpu);
    json_decref(record);
    machine_close(&machine);
}

TEST(what_is_emulated_says_so)
{
    struct machine machine = arrow_lake();
    assert_string_equal(machine_emulator(&machine), "");
    strcpy(machine.host.emulator, "gem5");
    json_t *cpu = machine_cpu_json(&machine), *record = machine_record(&machine);
    assert_string_equal(json_string_value(json_object_get(cpu, "emulated")), "gem5");
    assert_string_equal(json_string_value(json_object_get(record, "emulated")), "gem5");
    json_decref(cpu);
    json_decref(record);
    strcpy(machine.identity.hypervisor, "TCGTCGTCGTCG"); /* what executes is known better than what was typed */
    assert_string_equal(machine_emulator(&machine), "QEMU TCG");
    machine_close(&machine);
}

/* Where no node is said to have memory, nothing is said of any; else a node without memory has 0 bytes. */
TEST(memory_of_nodes_is_null_where_it_is_not_known)
{
    static const char cpuid[] = UNPACKED "/platforms/fixtures/machines/haswell/cpuid.txt";
    struct machine silent = recorded(cpuid, "platforms/fixtures/topology/memory_unsaid.xml");
    struct machine apart = recorded(cpuid, "platforms/fixtures/topology/memory_apart.xml");
    json_t *unsaid = machine_record(&silent), *said = machine_record(&apart);
    assert_true(json_is_null(json_object_get(json_array_get(json_object_get(unsaid, "nodes"), 0), "bytes")));
    assert_int_equal(json_array_size(json_object_get(said, "nodes")), 3);
    const json_t *empty = json_object_get(json_array_get(json_object_get(said, "nodes"), 0), "bytes");
    assert_true(json_is_integer(empty) && json_integer_value(empty) == 0);
    json_decref(unsaid);
    json_decref(said);
    machine_close(&silent);
    machine_close(&apart);
}

TEST(unknown_facts_are_null)
{
    struct machine machine = arrow_lake();
    assert_json(machine_host_json(&machine),
                "{\"hostname\":\"bench\",\"distribution\":null,\"kernel\":null,\"hypervisor\":null,\"governor\":null,"
                "\"turbo\":null,\"smt\":null,\"transparent_huge_pages\":null,\"hugetlb_total\":null,"
                "\"hugetlb_free\":null,\"huge_page_bytes\":null,\"numa_balancing\":null,\"isolated_cpus\":null,"
                "\"nmi_watchdog\":null,\"perf_event_paranoid\":null,\"clock_source\":null,\"cpu_quota_cores\":null,"
                "\"memory_total_bytes\":68719476736,\"memory_limit_bytes\":null}");
    machine_close(&machine);
}

TEST(a_cpu_always_has_a_name)
{
    struct machine machine = {.identity.vendor = "", .host.cpu_model = ""};
    assert_string_equal(machine_cpu_name(&machine), "unnamed CPU");
    strcpy(machine.identity.vendor, "GenuineIntel");
    assert_string_equal(machine_cpu_name(&machine), "GenuineIntel");
    strcpy(machine.host.cpu_model, "from proc");
    assert_string_equal(machine_cpu_name(&machine), "from proc");
    strcpy(machine.identity.brand, "from CPUID");
    assert_string_equal(machine_cpu_name(&machine), "from CPUID");
}

TEST(looking_leaves_the_affinity_alone)
{
    struct machine machine;
    cpu_set_t before, after;
    char why[256];
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    assert_int_equal(machine_open(&machine, why, sizeof why), 0);
    assert_int_equal(sched_getaffinity(0, sizeof after, &after), 0);
    assert_true(CPU_EQUAL(&before, &after));
    assert_true(machine.memory_available_bytes > 0);
    assert_true(isa_runs(isa_find("reference"), machine.features));
    machine_close(&machine);
}

TEST(noise_that_is_unknown_is_null)
{
    struct noise noise = {
        .gaps = {.duration_ns = 1000000000, .longest_ns = 500000000, .lost_ns = 250000000, .gaps = {4, 3, 2, 1}}};
    json_t *record = noise_record(&noise);
    assert_true(json_is_null(json_object_get(record, "steal_ticks")));
    assert_true(json_real_value(json_object_get(record, "longest_gap_s")) == 0.5);
    json_t *first = json_array_get(json_object_get(record, "gaps"), 0);
    assert_int_equal(json_integer_value(json_object_get(first, "count")), 4);
    json_decref(record);

    noise.during_known = true;
    noise.during.steal_ticks = 7;
    record = noise_record(&noise);
    assert_int_equal(json_integer_value(json_object_get(record, "steal_ticks")), 7);
    json_decref(record);
}

RUN_TESTS(NULL, NULL)
