/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/counters/fake_system.h"
#include "platforms/counters/pmu.h"

TEST(cpu_lists)
{
    unsigned cpus[4];
    assert_int_equal(cpu_list_parse("0-2,8", cpus, 4), 4);
    assert_int_equal(cpus[0], 0);
    assert_int_equal(cpus[2], 2);
    assert_int_equal(cpus[3], 8);
    assert_int_equal(cpu_list_parse("0-9", cpus, 2), 10);
    assert_int_equal(cpu_list_parse("", cpus, 4), 0);
    assert_int_equal(cpu_list_parse("3-1", cpus, 4), -EINVAL);
    assert_int_equal(cpu_list_parse("a", cpus, 4), -EINVAL);
    assert_int_equal(cpu_list_parse("1-", cpus, 4), -EINVAL);
    assert_int_equal(cpu_list_parse("1;2", cpus, 4), -EINVAL);
    assert_true(cpu_list_contains("0-3,8-11", 8));
    assert_true(cpu_list_contains("0-3,8-11", 11));
    assert_false(cpu_list_contains("0-3,8-11", 4));
    assert_false(cpu_list_contains("0-3,8-11", 12));
    assert_false(cpu_list_contains("", 0));
}

TEST_GIVEN_BY(no_event_sources, struct fake_machine *machine, open_machine, close_machine)
{
    struct pmu pmu;
    unsigned core_pmus;
    assert_false(pmu_sysfs_is_visible(machine->root));
    assert_int_equal(pmu_of_core(machine->root, 0, &pmu, &core_pmus), -ENOENT);
    assert_int_equal(core_pmus, 0);
    fake_pmu(machine, "software", "type", "1");
    assert_true(pmu_sysfs_is_visible(machine->root));
    assert_int_equal(pmu_of_core(machine->root, 0, &pmu, &core_pmus), -ENOENT);
}

TEST_GIVEN_BY(homogeneous, struct fake_machine *machine, open_machine, close_machine)
{
    struct pmu pmu;
    unsigned core_pmus;
    fake_cpu_pmu(machine);
    assert_int_equal(pmu_of_core(machine->root, 5, &pmu, &core_pmus), 0);
    assert_string_equal(pmu.name, "cpu");
    assert_int_equal(pmu.type, 4);
    assert_int_equal(core_pmus, 1);
}

TEST_GIVEN_BY(hybrid_by_the_cpus_files, struct fake_machine *machine, open_machine, close_machine)
{
    struct pmu pmu;
    unsigned core_pmus;
    fake_hybrid_pmus(machine);
    assert_int_equal(pmu_of_core(machine->root, 7, &pmu, &core_pmus), 0);
    assert_string_equal(pmu.name, "cpu_core");
    assert_int_equal(core_pmus, 2);
    assert_int_equal(pmu_of_core(machine->root, 8, &pmu, &core_pmus), 0);
    assert_string_equal(pmu.name, "cpu_atom");
    assert_int_equal(pmu.type, 10);
    assert_int_equal(pmu_of_core(machine->root, 24, &pmu, &core_pmus), -ENOENT);
}

TEST_GIVEN_BY(big_little_by_the_cpus_files, struct fake_machine *machine, open_machine, close_machine)
{
    struct pmu pmu;
    unsigned core_pmus;
    fake_big_little_pmus(machine);
    assert_int_equal(pmu_of_core(machine->root, 4, &pmu, &core_pmus), 0);
    assert_string_equal(pmu.name, "armv8_cortex_a76");
    assert_int_equal(core_pmus, 2);
}

TEST_GIVEN_BY(a_malformed_type_is_no_pmu, struct fake_machine *machine, open_machine, close_machine)
{
    struct pmu pmu;
    unsigned core_pmus;
    fake_pmu(machine, "cpu", "type", "four");
    assert_int_equal(pmu_of_core(machine->root, 0, &pmu, &core_pmus), -EINVAL);
}

TEST_GIVEN_BY(instances_come_in_order_of_their_number, struct fake_machine *machine, open_machine, close_machine)
{
    struct pmu pmus[8];
    fake_pmu(machine, "uncore_imc_10", "type", "30");
    fake_pmu(machine, "uncore_imc_2", "type", "22");
    fake_pmu(machine, "uncore_imc_0", "type", "20");
    fake_pmu(machine, "uncore_imc_free_running_0", "type", "40");
    assert_int_equal(pmu_find(machine->root, "uncore_imc", pmus, 8), 3);
    assert_int_equal(pmus[0].type, 20);
    assert_int_equal(pmus[1].type, 22);
    assert_int_equal(pmus[2].type, 30);
    assert_int_equal(pmu_find(machine->root, "uncore_imc", pmus, 2), 2);
    assert_int_equal(pmu_find(machine->root, "uncore_imc_free_running", pmus, 8), 1);
    assert_int_equal(pmu_find(machine->root, "power", pmus, 8), 0);
}

TEST_GIVEN_BY(events_are_encoded_by_the_format_files, struct fake_machine *machine, open_machine, close_machine)
{
    struct pmu pmu = {.name = "imc"};
    struct pmu_event event;
    fake_pmu(machine, "imc", "format/event", "config:0-7");
    fake_pmu(machine, "imc", "format/umask", "config:8-15");
    fake_pmu(machine, "imc", "format/wide", "config:0-7,32-35");
    fake_pmu(machine, "imc", "format/filter", "config1:4-11");
    fake_pmu(machine, "imc", "format/edge", "config:18");
    fake_pmu(machine, "imc", "format/second", "config2:0-63");
    fake_pmu(machine, "imc", "events/read", "event=0x04,umask=0x03");
    fake_pmu(machine, "imc", "events/read.scale", "6.103515625e-5");
    fake_pmu(machine, "imc", "events/read.unit", "MiB");
    fake_pmu(machine, "imc", "events/all", "wide=0xabc,filter=0x12,edge,second=0xffffffffffffffff");
    assert_int_equal(pmu_event_read(machine->root, &pmu, "read", &event), 0);
    assert_int_equal(event.config, 0x0304);
    assert_true(event.scale == 6.103515625e-5);
    assert_string_equal(event.unit, "MiB");
    assert_int_equal(pmu_event_read(machine->root, &pmu, "all", &event), 0);
    assert_true(event.config == (0xa00000000u | 0xbcu | 1u << 18));
    assert_true(event.config1 == 0x120);
    assert_true(event.config2 == UINT64_MAX);
    assert_true(event.scale == 1);
    assert_string_equal(event.unit, "");
}

TEST_GIVEN_BY(events_that_are_not_understood, struct fake_machine *machine, open_machine, close_machine)
{
    struct pmu pmu = {.name = "imc"};
    struct pmu_event event;
    static const char *const bad[] = {"event=0x100", "event=zz", "event=", "colour=1", "place=1", "far=1"};
    fake_pmu(machine, "imc", "format/event", "config:0-7");
    fake_pmu(machine, "imc", "format/place", "nowhere:0-7");
    fake_pmu(machine, "imc", "format/far", "config:60-70");
    assert_int_equal(pmu_event_read(machine->root, &pmu, "absent", &event), -ENOENT);
    for (size_t b = 0; b < sizeof bad / sizeof bad[0]; b++) {
        fake_pmu(machine, "imc", "events/bad", bad[b]);
        assert_int_equal(pmu_event_read(machine->root, &pmu, "bad", &event), -EINVAL);
    }
    fake_pmu(machine, "imc", "events/bad", "event=1");
    fake_pmu(machine, "imc", "events/bad.scale", "0");
    assert_int_equal(pmu_event_read(machine->root, &pmu, "bad", &event), -EINVAL);
}

RUN_TESTS(NULL, NULL)
