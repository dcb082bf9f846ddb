/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "platforms/system/settings.h"
#include "unit_test.h"

/** A machine that nothing can be said against. */
static struct host_facts quiet_machine(void)
{
    return (struct host_facts){.governor = "performance",
                               .turbo = 0,
                               .smt = 0,
                               .thp_enabled = "madvise",
                               .hugetlb_total = 0,
                               .hugetlb_free = 0,
                               .hugepage_bytes = 2048 * 1024,
                               .numa_balancing = 0,
                               .nmi_watchdog = 0,
                               .clocksource = "tsc",
                               .cpu_quota_cores = -1};
}

static struct setting find(const struct host_facts *facts, size_t numa_nodes, const char *name)
{
    struct setting settings[SETTINGS_MOST];
    size_t count = settings_judge(facts, numa_nodes, settings);
    assert_true(count <= SETTINGS_MOST);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(settings[i].harm == NULL, settings[i].remedy[0] == '\0');
        if (strcmp(settings[i].name, name) == 0)
            return settings[i];
    }
    fail_msg("no setting '%s'", name);
    return settings[0];
}

static size_t count_harms(const struct host_facts *facts, size_t numa_nodes)
{
    struct setting settings[SETTINGS_MOST];
    size_t count = settings_judge(facts, numa_nodes, settings), harms = 0;
    for (size_t i = 0; i < count; i++)
        harms += settings[i].harm != NULL;
    return harms;
}

TEST(a_quiet_machine_needs_nothing)
{
    struct host_facts facts = quiet_machine();
    assert_int_equal(count_harms(&facts, 2), 0);
    assert_string_equal(find(&facts, 1, "isolated CPUs").value, "not visible");
    facts.isolated_known = true;
    assert_string_equal(find(&facts, 1, "isolated CPUs").value, "none");
    assert_string_equal(find(&facts, 1, "reserved huge pages").value, "none");
}

TEST(each_harm_is_found_with_its_remedy)
{
    struct host_facts facts = {.governor = "powersave",
                               .turbo = 1,
                               .smt = 1,
                               .thp_enabled = "never",
                               .hugetlb_total = 8,
                               .hugetlb_free = 3,
                               .hugepage_bytes = 2048 * 1024,
                               .numa_balancing = 1,
                               .nmi_watchdog = 1,
                               .clocksource = "hpet",
                               .cpu_quota_cores = 1.5,
                               .turbo_control = "/sys/devices/system/cpu/intel_pstate/no_turbo",
                               .isolated_cpus = "2-3"};
    assert_int_equal(count_harms(&facts, 2), 8);
    assert_string_equal(find(&facts, 2, "governor").remedy,
                        "echo performance | sudo tee /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor");
    assert_string_equal(find(&facts, 2, "turbo").remedy,
                        "echo 1 | sudo tee /sys/devices/system/cpu/intel_pstate/no_turbo");
    assert_string_equal(find(&facts, 2, "NUMA balancing").remedy, "sudo sysctl kernel.numa_balancing=0");
    assert_string_equal(find(&facts, 2, "NMI watchdog").remedy, "sudo sysctl kernel.nmi_watchdog=0");
    assert_string_equal(find(&facts, 2, "CPU quota").value, "1.50 cores");
    assert_string_equal(find(&facts, 2, "reserved huge pages").value, "3 free of 8, 2048 KiB each");
    assert_string_equal(find(&facts, 2, "isolated CPUs").value, "2-3");
    assert_non_null(strstr(find(&facts, 2, "clock source").remedy, "echo tsc"));
    facts.tsc_given_up = true; /* the kernel would not take it */
    assert_null(strstr(find(&facts, 2, "clock source").remedy, "echo tsc"));
    assert_non_null(find(&facts, 2, "SMT").harm);
    assert_non_null(find(&facts, 2, "transparent huge pages").harm);

    strcpy(facts.turbo_control, "/sys/devices/system/cpu/cpufreq/boost");
    assert_string_equal(find(&facts, 2, "turbo").remedy, "echo 0 | sudo tee /sys/devices/system/cpu/cpufreq/boost");
    assert_int_equal(count_harms(&facts, 1), 7); /* with one node there is nowhere to move pages */
}

TEST(what_cannot_be_seen_is_said_and_not_blamed)
{
    struct host_facts facts = {.turbo = -1,
                               .smt = -1,
                               .hugetlb_total = -1,
                               .hugetlb_free = -1,
                               .hugepage_bytes = -1,
                               .numa_balancing = -1,
                               .nmi_watchdog = -1,
                               .cpu_quota_cores = -1};
    assert_int_equal(count_harms(&facts, 4), 0);
    static const char *const names[] = {
        "governor",     "turbo",       "SMT", "NUMA balancing", "transparent huge pages", "reserved huge pages",
        "clock source", "NMI watchdog"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        assert_string_equal(find(&facts, 4, names[i]).value, "not visible");
}

RUN_TESTS(NULL, NULL)
