/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "platforms/topology/topology_testing.h"
#include "unit_test.h"

struct plan {
    const char *fixture;
    struct team_request request;
    const char *cpus; /* expected, or the reason if error is not 0 */
    int error;
};

static void check_plan(const struct plan *plan)
{
    struct topology *topology = open_fixture(plan->fixture);
    unsigned cpus[TEAM_CAPACITY];
    char why[256], text[512] = "";
    int count = topology_plan_team(topology, &plan->request, cpus, TEAM_CAPACITY, why, sizeof why);
    for (int i = 0; i < count; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%u", i ? " " : "", cpus[i]);
    topology_close(topology);
    if (plan->error ? count != plan->error : count <= 0)
        fail_msg("%s: returned %d, '%s'", plan->fixture, count, why);
    assert_string_equal(plan->error ? why : text, plan->cpus);
}

TEST(teams_are_planned)
{
    static const struct plan plans[] = {
        {"guest_2_cores", {0}, "0 1", 0},
        {"guest_2_cores", {.threads = 1}, "0", 0},
        {"guest_2_cores", {.cpus = "1,0"}, "1 0", 0},
        {"guest_2_cores", {.cpus = "1,0", .threads = 1}, "1", 0},
        {"guest_2_cores", {.use_smt = true}, "0 1", 0},
        {"guest_without_caches", {0}, "0 1 2 3", 0},

        {"arrow_lake_8p16e", {.threads = 10}, "0 1 2 3 4 5 6 7 8 9", 0},
        {"arrow_lake_8p16e", {.kind = "P"}, "0 1 2 3 4 5 6 7", 0},
        {"arrow_lake_8p16e", {.kind = "E", .threads = 3}, "8 9 10", 0},
        {"arrow_lake_8p16e", {.cpus = "7-9", .threads = 0}, "7 8 9", 0},
        {"arrow_lake_8p16e", {.cpus = "6-7", .kind = "P"}, "6 7", 0},
        {"arrow_lake_8p16e", {.cpus = "6-7", .kind = "p"}, "6 7", 0},
        {"arrow_lake_cpuset", {0}, "4 5 6 7 8 9 10 11", 0},
        {"arrow_lake_cpuset", {.kind = "E"}, "8 9 10 11", 0},

        {"lunar_lake_4p4e", {0}, "0 1 2 3 4 5 6 7", 0},
        {"lunar_lake_4p4e", {.kind = "E"}, "4 5 6 7", 0},

        {"meteor_lake_6p8e2lp", {.kind = "P"}, "0 2 4 6 8 10", 0},
        {"meteor_lake_6p8e2lp", {.kind = "P", .use_smt = true}, "0 2 4 6 8 10 1 3 5 7 9 11", 0},
        {"meteor_lake_6p8e2lp", {.kind = "LP"}, "20 21", 0},
        {"meteor_lake_6p8e2lp", {0}, "0 2 4 6 8 10 12 13 14 15 16 17 18 19 20 21", 0},

        {"server_2s_smt", {.threads = 4}, "0 1 2 3", 0},
        {"server_2s_smt", {.threads = 18}, "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17", 0},
        {"server_2s_smt",
         {.threads = 34, .use_smt = true},
         "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33",
         0},
        {"server_2s_smt", {.cpus = "16,48"}, "16 48", 0},

        {"amd_8_l3", {.threads = 9}, "0 1 2 3 4 5 6 7 8", 0},
        {"turbo_max", {0}, "0 1 2 3 4 5 6 7 8 9", 0},
        {"arm_4big_4little", {0}, "4 5 6 7 0 1 2 3", 0},
        {"arm_4big_4little", {.kind = "P"}, "4 5 6 7", 0},
        {"arm_1_3_4", {.kind = "E"}, "4 5 6", 0},
        {"arm_1_3_4", {.threads = 5}, "7 4 5 6 0", 0},
    };
    for (size_t i = 0; i < sizeof plans / sizeof plans[0]; i++)
        check_plan(&plans[i]);
}

TEST(impossible_teams_are_refused_with_the_reason)
{
    static const char not_a_list[] = "'%s' is not a list of CPUs such as 0,2-5";
    static const struct plan plans[] = {
        {"guest_2_cores", {.threads = 3}, "3 threads asked, but this process has 2 cores (allowed CPUs: 0-1)", -ERANGE},
        {"server_2s_smt",
         {.threads = 33},
         "33 threads asked, but this process has 32 cores (allowed CPUs: 0-63)",
         -ERANGE},
        {"server_2s_smt",
         {.threads = 65, .use_smt = true},
         "65 threads asked, but this process has 64 CPUs (allowed CPUs: 0-63)",
         -ERANGE},
        {"lunar_lake_4p4e",
         {.threads = 5, .kind = "E"},
         "5 threads asked, but this process has 4 E cores (allowed CPUs: 0-7)",
         -ERANGE},
        {"guest_2_cores", {.threads = 2, .cpus = "1"}, "2 threads asked, but '1' names 1 CPU", -ERANGE},
        {"guest_2_cores", {.kind = "E"}, "no core of kind 'E'; there is P", -EINVAL},
        {"lunar_lake_4p4e", {.kind = "big"}, "no core of kind 'big'; there are P E", -EINVAL},
        {"lunar_lake_4p4e", {.cpus = "3-4", .kind = "P"}, "cpu 4 is of kind E, not P", -EINVAL},
        {"arrow_lake_cpuset", {.cpus = "3"}, "cpu 3 is not allowed to this process; allowed: 4-11", -EINVAL},
        {"guest_2_cores", {.cpus = "0-4000000000"}, "'0-4000000000' is not a list of CPUs such as 0,2-5", -EINVAL},
        {"guest_2_cores", {.cpus = "0-2000000000"}, "cpu 2 is not allowed to this process; allowed: 0-1", -EINVAL},
        {"guest_2_cores", {.cpus = "0,0"}, "cpu 0 is given twice", -EINVAL},
    };
    for (size_t i = 0; i < sizeof plans / sizeof plans[0]; i++)
        check_plan(&plans[i]);

    static const char *const malformed[] = {"", ",", "0,", "a", "0-", "-1", "1-0", "0 1", "0;1", "0x1", " 0", "0-1-2"};
    for (size_t i = 0; i < sizeof malformed / sizeof malformed[0]; i++) {
        char expected[128];
        snprintf(expected, sizeof expected, not_a_list, malformed[i]);
        check_plan(&(struct plan){"guest_2_cores", {.cpus = malformed[i]}, expected, -EINVAL});
    }
}

TEST(a_team_larger_than_the_array_is_refused)
{
    struct topology *topology = open_fixture("turbo_max");
    unsigned cpus[4] = {0, 0, 0, 77};
    char why[64];
    assert_int_equal(topology_plan_team(topology, &(struct team_request){0}, cpus, 3, why, sizeof why), -ENOSPC);
    assert_int_equal(cpus[3], 77);
    assert_int_equal(topology_plan_team(topology, &(struct team_request){.threads = 3}, cpus, 3, why, sizeof why), 3);
    topology_close(topology);
}

RUN_TESTS(NULL, NULL)
