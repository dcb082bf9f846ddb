/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "platforms/topology/topology_testing.h"
#include "unit_test.h"

enum { MIB = 1024 * 1024 };

static size_t count_kind(const struct topology *topology, enum core_kind kind)
{
    size_t count = 0;
    for (size_t i = 0; i < topology_core_count(topology); i++)
        count += topology_cores(topology)[i].kind == kind;
    return count;
}

static uint64_t llc_bytes_of_all(const struct topology *topology)
{
    const struct topology_core *cores[TEAM_CAPACITY];
    for (size_t i = 0; i < topology_core_count(topology); i++)
        cores[i] = &topology_cores(topology)[i];
    return topology_llc_bytes(topology, cores, topology_core_count(topology));
}

/* ---------------------------------------------------------------- what each machine is */

TEST(each_fixture_is_understood)
{
    static const struct {
        const char *fixture;
        size_t p, e, lp, kinds, pus, llcs, nodes;
        uint64_t llc_kib;
    } cases[] = {
        {"guest_2_cores", 2, 0, 0, 1, 2, 1, 1, 107520},
        {"arrow_lake_8p16e", 8, 16, 0, 2, 24, 1, 1, 36864},
        {"arrow_lake_cpuset", 4, 4, 0, 2, 8, 1, 1, 36864},
        {"lunar_lake_4p4e", 4, 4, 0, 2, 8, 2, 1, 12288 + 4096},
        {"meteor_lake_6p8e2lp", 6, 8, 2, 3, 22, 2, 1, 24576 + 2048},
        {"server_2s_smt", 32, 0, 0, 1, 64, 2, 2, 2 * 61440},
        {"amd_8_l3", 32, 0, 0, 1, 64, 8, 4, 8 * 32768},
        {"turbo_max", 10, 0, 0, 1, 20, 1, 1, 19712},
        {"arm_4big_4little", 4, 4, 0, 2, 8, 1, 1, 3072},
        {"arm_1_3_4", 1, 3, 4, 3, 8, 1, 1, 8192},
        {"guest_without_caches", 4, 0, 0, 1, 4, 1, 1, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct topology *topology = open_fixture(cases[i].fixture);
        struct topology_node nodes[8];
        print_message("%s\n", cases[i].fixture);
        assert_int_equal(count_kind(topology, CORE_KIND_PERFORMANCE), cases[i].p);
        assert_int_equal(count_kind(topology, CORE_KIND_EFFICIENCY), cases[i].e);
        assert_int_equal(count_kind(topology, CORE_KIND_LOW_POWER), cases[i].lp);
        assert_int_equal(topology_core_count(topology), cases[i].p + cases[i].e + cases[i].lp);
        assert_int_equal(topology_kind_count(topology), cases[i].kinds);
        assert_int_equal(topology_allowed_pus(topology), cases[i].pus);
        assert_int_equal(topology_llc_count(topology), cases[i].llcs);
        assert_int_equal(topology_nodes(topology, nodes, 8), cases[i].nodes);
        assert_int_equal(llc_bytes_of_all(topology) / 1024, cases[i].llc_kib);
        assert_false(topology_is_this_machine(topology));
        topology_close(topology);
    }
}

TEST(the_last_level_cache_of_a_team_sums_its_domains)
{
    struct topology *amd = open_fixture("amd_8_l3"), *lunar = open_fixture("lunar_lake_4p4e");
    const struct topology_core *team[3] = {topology_core_of_cpu(amd, 0), topology_core_of_cpu(amd, 3),
                                           topology_core_of_cpu(amd, 4)};
    assert_int_equal(topology_llc_bytes(amd, team, 0), 0);
    assert_int_equal(topology_llc_bytes(amd, team, 2), 32 * MIB);
    assert_int_equal(topology_llc_bytes(amd, team, 3), 64 * MIB);

    const struct topology_core *efficiency[2] = {topology_core_of_cpu(lunar, 4), topology_core_of_cpu(lunar, 7)};
    assert_int_equal(topology_llc_bytes(lunar, efficiency, 2), 4 * MIB);
    topology_close(lunar);
    topology_close(amd);
}

static uint64_t share_of(const struct topology *topology, const unsigned *cpus, size_t count, unsigned level)
{
    uint64_t bytes = 1;
    assert_int_equal(topology_cache_share(topology, cpus, count, level, &bytes), 0);
    return bytes;
}

TEST(cores_that_share_a_cache_deal_it_out)
{
    struct topology *amd = open_fixture("amd_8_l3"), *lunar = open_fixture("lunar_lake_4p4e"),
                    *server = open_fixture("server_2s_smt"), *bare = open_fixture("guest_without_caches");
    static const unsigned team[] = {0, 1, 2, 3, 4}, apart[] = {0, 4}, efficiency[] = {4, 5, 6, 7},
                          one_core[] = {18, 50};
    assert_int_equal(share_of(amd, team, 1, 3), 32 * MIB);
    assert_int_equal(share_of(amd, team, 2, 3), 16 * MIB);
    assert_int_equal(share_of(amd, apart, 2, 3), 32 * MIB); /* each has an L3 of its own */
    assert_int_equal(share_of(amd, team, 5, 3), 8 * MIB);   /* the fifth has more; the least counts */
    assert_int_equal(share_of(lunar, efficiency, 4, 2), 1 * MIB);
    assert_int_equal(share_of(lunar, efficiency, 4, 3), 0); /* they have none */
    uint64_t whole = share_of(server, one_core, 1, 1);
    assert_true(whole > 0);
    assert_int_equal(share_of(server, one_core, 2, 1), whole / 2); /* two threads of one core */
    assert_int_equal(share_of(bare, team, 1, 1), 0);
    assert_int_equal(share_of(amd, team, 0, 3), 0);
    assert_int_equal(share_of(amd, team, 1, 4), 0);
    assert_int_equal(share_of(amd, (const unsigned[]){999}, 1, 3), 0);
    topology_close(bare);
    topology_close(server);
    topology_close(lunar);
    topology_close(amd);
}

TEST(caches_count_the_instances_in_reach)
{
    struct topology_cache caches[5];
    struct topology *topology = open_fixture("arrow_lake_cpuset");
    assert_int_equal(topology_caches(topology, caches, 5), 3);
    assert_int_equal(caches[0].level, 1);
    assert_int_equal(caches[0].bytes, 48 * 1024);
    assert_int_equal(caches[0].instances, 8);
    assert_int_equal(caches[1].bytes, 4 * MIB);
    assert_int_equal(caches[1].instances, 5); /* four P, one cluster of E */
    assert_int_equal(caches[2].bytes, 36 * MIB);
    assert_int_equal(caches[2].instances, 1);
    assert_int_equal(topology_caches(topology, caches, 2), 2);
    topology_close(topology);

    topology = open_fixture("guest_without_caches");
    assert_int_equal(topology_caches(topology, caches, 5), 0);
    topology_close(topology);
}

TEST(cores_know_their_place)
{
    struct topology *server = open_fixture("server_2s_smt"), *amd = open_fixture("amd_8_l3");
    const struct topology_core *core = topology_core_of_cpu(server, 50); /* second thread of core 18 */
    assert_non_null(core);
    assert_int_equal(core->cpu, 18);
    assert_int_equal(core->sibling_cpus, 2);
    assert_int_equal(core->package, 1);
    assert_int_equal(core->numa_node, 1);
    assert_int_equal(topology_sibling(server, core, 0), 18);
    assert_int_equal(topology_sibling(server, core, 1), 50);
    assert_null(topology_core_of_cpu(server, 64));
    assert_int_equal(topology_core_of_cpu(amd, 31)->numa_node, 3);

    struct topology_node nodes[2];
    assert_int_equal(topology_nodes(server, nodes, 2), 2);
    assert_int_equal(nodes[1].os_index, 1);
    assert_int_equal(nodes[1].cores, 16);
    assert_true(nodes[1].bytes == UINT64_C(256) << 30);
    topology_close(amd);
    topology_close(server);
}

/* Node 0 has cores and no memory, node 1 both, node 2 memory and no cores; to node 0 the nearest is 2. */
TEST(memory_of_a_node_without_any_lies_on_the_nearest)
{
    struct topology *apart = open_fixture("memory_apart");
    struct topology_node nodes[4];
    assert_int_equal(topology_core_of_cpu(apart, 0)->numa_node, 2);
    assert_int_equal(topology_core_of_cpu(apart, 1)->numa_node, 2);
    assert_int_equal(topology_core_of_cpu(apart, 2)->numa_node, 1);
    assert_int_equal(topology_core_of_cpu(apart, 3)->numa_node, 1);
    assert_int_equal(topology_nodes(apart, nodes, 4), 3);
    assert_int_equal(nodes[0].cores, 2);
    assert_true(nodes[0].bytes == 0);
    topology_close(apart);
}

/* ---------------------------------------------------------------- opening and binding */

TEST(unusable_files_are_refused_with_the_reason)
{
    struct topology *topology = (void *)1;
    char why[256];
    assert_int_equal(topology_open(FIXTURES "absent.xml", &topology, why, sizeof why), -ENOENT);
    assert_null(topology);
    assert_string_equal(why, "cannot read topology '" FIXTURES "absent.xml': No such file or directory");
    assert_int_equal(topology_open("platforms/isa.def", &topology, why, sizeof why), -EINVAL);
    assert_string_equal(why, "not an hwloc XML topology 'platforms/isa.def': Invalid argument");
    assert_null(topology);
    topology_close(NULL);
}

TEST(a_recorded_topology_never_binds)
{
    cpu_set_t before, after;
    char why[128];
    struct topology *topology = open_fixture("guest_2_cores");
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    assert_int_equal(topology_bind_thread(topology, 0, why, sizeof why), -ENOTSUP);
    assert_int_equal(sched_getaffinity(0, sizeof after, &after), 0);
    assert_true(CPU_EQUAL(&before, &after));
    assert_string_equal(why, "the topology was recorded on another machine: it plans, but never binds");
    topology_close(topology);
}

/** A topology forced on hwloc from outside (HWLOC_XMLFILE) is as foreign as one opened by name. */
TEST(a_topology_forced_by_the_environment_never_binds)
{
    char why[256];
    struct topology *topology;
    setenv("HWLOC_XMLFILE", FIXTURES "server_2s_smt.xml", 1);
    int error = topology_open(NULL, &topology, why, sizeof why);
    unsetenv("HWLOC_XMLFILE");
    assert_int_equal(error, 0);
    assert_int_equal(topology_core_count(topology), 32);
    assert_false(topology_is_this_machine(topology));
    assert_int_equal(topology_bind_thread(topology, 0, why, sizeof why), -ENOTSUP);
    topology_close(topology);
}

TEST(this_machine_binds_and_the_affinity_holds)
{
    cpu_set_t before, now;
    char why[256];
    struct topology *topology;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    assert_int_equal(topology_open(NULL, &topology, why, sizeof why), 0);
    assert_true(topology_is_this_machine(topology));
    assert_int_equal(topology_allowed_pus(topology), CPU_COUNT(&before));
    for (size_t i = 0; i < topology_core_count(topology); i++) {
        unsigned cpu = topology_cores(topology)[i].cpu;
        assert_int_equal(topology_bind_thread(topology, cpu, why, sizeof why), 0);
        assert_int_equal(sched_getcpu(), cpu);
        assert_int_equal(sched_getaffinity(0, sizeof now, &now), 0);
        assert_true(CPU_COUNT(&now) == 1 && CPU_ISSET(cpu, &now));
    }
    assert_int_equal(topology_bind_thread(topology, 100000, why, sizeof why), -EXDEV);
    assert_string_equal(why, "cpu 100000 is not allowed to this process");
    topology_close(topology);
    sched_setaffinity(0, sizeof before, &before);
}

/* A guest of four cores whose hypervisor hid that they are two. */
TEST(cores_that_are_one_are_joined)
{
    struct topology *topology = open_fixture("guest_without_caches");
    char why[256];
    unsigned cpus[TEAM_CAPACITY];
    assert_int_equal(topology_joined(topology), 0);
    assert_int_equal(topology_join_cores(topology, 0, 2), 0);
    assert_int_equal(topology_join_cores(topology, 1, 3), 0);
    assert_int_equal(topology_joined(topology), 2);
    assert_int_equal(topology_core_count(topology), 2);
    assert_int_equal(topology_allowed_pus(topology), 4);
    for (unsigned cpu = 0; cpu < 4; cpu++)
        assert_int_equal(topology_core_of_cpu(topology, cpu)->cpu, cpu % 2);
    assert_int_equal(topology_cores(topology)[1].sibling_cpus, 2);
    assert_int_equal(topology_sibling(topology, &topology_cores(topology)[1], 0), 1);
    assert_int_equal(topology_sibling(topology, &topology_cores(topology)[1], 1), 3);
    assert_int_equal(topology_plan_team(topology, &(struct team_request){0}, cpus, TEAM_CAPACITY, why, sizeof why), 2);
    assert_true(cpus[0] == 0 && cpus[1] == 1);
    assert_int_equal(
        topology_plan_team(topology, &(struct team_request){.use_smt = true}, cpus, TEAM_CAPACITY, why, sizeof why), 4);
    assert_true(cpus[0] == 0 && cpus[1] == 1 && cpus[2] == 2 && cpus[3] == 3);
    assert_int_equal(
        topology_plan_team(topology, &(struct team_request){.threads = 3}, cpus, TEAM_CAPACITY, why, sizeof why),
        -ERANGE);
    assert_non_null(strstr(why, "--smt takes all hardware threads"));
    topology_close(topology);
}

/* Threads of a core with two of its own cannot be joined to another; nor a core to itself, nor a CPU that leads none. */
TEST(what_are_no_two_cores_is_not_joined)
{
    struct topology *guest = open_fixture("guest_without_caches"), *server = open_fixture("server_2s_smt");
    assert_int_equal(topology_join_cores(guest, 1, 1), -EINVAL);
    assert_int_equal(topology_join_cores(guest, 1, 9), -EINVAL);
    assert_int_equal(topology_join_cores(guest, 9, 1), -EINVAL);
    assert_int_equal(topology_join_cores(guest, 0, 1), 0);
    assert_int_equal(topology_join_cores(guest, 2, 0), -EINVAL); /* has two by now */
    assert_int_equal(topology_join_cores(server, topology_cores(server)[0].cpu, topology_cores(server)[1].cpu),
                     -EINVAL);
    assert_int_equal(topology_core_count(server), 32);
    topology_close(guest);
    topology_close(server);
}

TEST(taskset_narrows_the_allowed_cpus)
{
    cpu_set_t before, one;
    char why[256], allowed[64], expected[16];
    struct topology *topology;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    unsigned last = CPU_SETSIZE - 1;
    while (!CPU_ISSET(last, &before))
        last--;
    CPU_ZERO(&one);
    CPU_SET(last, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    int error = topology_open(NULL, &topology, why, sizeof why);
    sched_setaffinity(0, sizeof before, &before);
    assert_int_equal(error, 0);
    snprintf(expected, sizeof expected, "%u", last);
    topology_allowed_list(topology, allowed, sizeof allowed);
    assert_string_equal(allowed, expected);
    assert_int_equal(topology_core_count(topology), 1);
    assert_int_equal(topology_cores(topology)[0].cpu, last);

    unsigned first = 0, cpus[1];
    char list[16], refused[160];
    while (!CPU_ISSET(first, &before))
        first++;
    snprintf(list, sizeof list, "%u", first);
    snprintf(refused, sizeof refused,
             "cpu %u is not allowed to this process; allowed: %u; `taskset -c %u kneepoint ...` allows it", first, last,
             first);
    if (first != last) {
        assert_int_equal(topology_plan_team(topology, &(struct team_request){.cpus = list}, cpus, 1, why, sizeof why),
                         -EINVAL);
        assert_string_equal(why, refused);
    }
    topology_close(topology);
}

TEST(memory_lies_on_the_node_of_who_touched_it)
{
    enum { BYTES = 1 << 20 };
    struct topology *topology;
    char why[256];
    assert_int_equal(topology_open(NULL, &topology, why, sizeof why), 0);
    const struct topology_core core = topology_cores(topology)[0];
    unsigned node = 12345;
    cpu_set_t before;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    assert_int_equal(topology_bind_thread(topology, core.cpu, why, sizeof why), 0);
    unsigned char *bytes = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(bytes != MAP_FAILED);
    memset(bytes, 1, BYTES);
    int error = topology_memory_node(topology, bytes, BYTES, &node, why, sizeof why);
    munmap(bytes, BYTES);
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
    topology_close(topology);
    skip_if(error == -ENOSYS, "not on this machine: a kernel without NUMA");
    assert_int_equal(error, 0);
    assert_int_equal(node, core.numa_node);
}

TEST(a_recorded_topology_knows_no_memory)
{
    struct topology *topology = open_fixture("arrow_lake_8p16e");
    char why[256];
    unsigned node;
    assert_int_equal(topology_memory_node(topology, why, sizeof why, &node, why, sizeof why), -ENOTSUP);
    assert_non_null(strstr(why, "recorded on another machine"));
    topology_close(topology);
}

RUN_TESTS(NULL, NULL)
