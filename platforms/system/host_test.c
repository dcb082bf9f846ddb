/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "platforms/system/cgroup.h"
#include "platforms/system/host.h"
#include "platforms/system/others.h"
#include "platforms/system/sysfs.h"
#include "unit_test.h"

#define GIB (UINT64_C(1) << 30)

/* ---------------------------------------------------------------- a small fake system */

static int make_root(void **state)
{
    char *root = strdup("/tmp/kneepoint_host_XXXXXX");
    if (!root || !mkdtemp(root))
        return -1;
    *state = root;
    return 0;
}

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *place)
{
    (void)status, (void)type, (void)place;
    return remove(path);
}

static int remove_root(void **state)
{
    int error = nftw(*state, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
    free(*state);
    return error;
}

/** Write a file below the root, with the folders above it. */
static void put(const char *root, const char *path, const char *text)
{
    char full[PATH_MAX];
    snprintf(full, sizeof full, "%s%s", root, path);
    for (char *slash = full + strlen(root) + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        assert_true(mkdir(full, 0755) == 0 || errno == EEXIST);
        *slash = '/';
    }
    FILE *file = fopen(full, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void put_meminfo(const char *root)
{
    put(root, "/proc/meminfo",
        "MemTotal:       16777216 kB\nMemFree:         1048576 kB\nMemAvailable:    8388608 kB\nHugePages_Total:      "
        "12\n"
        "HugePages_Free:        7\nHugepagesize:       2048 kB\n");
}

/* ---------------------------------------------------------------- facts */

TEST_GIVEN_BY(a_bare_metal_server, const char *root, make_root, remove_root)
{
    struct host_facts facts;
    put_meminfo(root);
    put(root, "/proc/sys/kernel/hostname", "bench\n");
    put(root, "/proc/sys/kernel/osrelease", "6.1.0-28-amd64\n");
    put(root, "/proc/sys/kernel/version", "#1 SMP PREEMPT_DYNAMIC Debian 6.1.119-1\n");
    put(root, "/etc/os-release", "NAME=\"Debian\"\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n");
    put(root, "/proc/cpuinfo", "processor\t: 0\nmodel name\t: Fast CPU\nmicrocode\t: 0xd0003e7\nflags\t\t: fpu avx2\n");
    put(root, "/proc/self/status", "Name:\tx\nCpus_allowed_list:\t2-3\n");
    put(root, "/sys/class/dmi/id/sys_vendor", "Dell Inc.\n");
    put(root, "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n");
    put(root, "/sys/devices/system/cpu/cpu2/cpufreq/scaling_governor", "performance\n");
    put(root, "/sys/devices/system/cpu/intel_pstate/no_turbo", "1\n");
    put(root, "/sys/devices/system/cpu/smt/active", "1\n");
    put(root, "/sys/devices/system/cpu/isolated", "4-7\n");
    put(root, "/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
    put(root, "/proc/sys/kernel/numa_balancing", "2\n"); /* tiering: also moves pages */
    put(root, "/proc/sys/kernel/nmi_watchdog", "1\n");
    put(root, "/proc/sys/kernel/perf_event_paranoid", "-1\n");
    put(root, "/sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n");
    host_facts_read(root, &facts);

    assert_string_equal(facts.hostname, "bench");
    assert_string_equal(facts.cpu_model, "Fast CPU");
    assert_string_equal(facts.microcode, "0xd0003e7");
    assert_string_equal(facts.kernel, "6.1.0-28-amd64 #1 SMP PREEMPT_DYNAMIC Debian 6.1.119-1");
    assert_string_equal(facts.distribution, "Debian GNU/Linux 12 (bookworm)");
    assert_string_equal(facts.hypervisor, ""); /* a vendor's name in DMI does not make a guest */
    assert_string_equal(facts.emulator, "");
    assert_string_equal(facts.governor, "performance");
    assert_int_equal(facts.turbo, 0);
    assert_string_equal(facts.turbo_control, "/sys/devices/system/cpu/intel_pstate/no_turbo");
    assert_int_equal(facts.smt, 1);
    assert_string_equal(facts.isolated_cpus, "4-7");
    assert_true(facts.isolated_known);
    assert_string_equal(facts.thp_enabled, "madvise");
    assert_int_equal(facts.numa_balancing, 1);
    assert_int_equal(facts.nmi_watchdog, 1);
    assert_int_equal(facts.perf_event_paranoid, -1);
    assert_string_equal(facts.clocksource, "tsc");
    assert_false(facts.tsc_given_up);
    put(root, "/sys/devices/system/clocksource/clocksource0/available_clocksource", "tsc hpet acpi_pm \n");
    host_facts_read(root, &facts);
    assert_false(facts.tsc_given_up);
    put(root, "/sys/devices/system/clocksource/clocksource0/available_clocksource", "hpet acpi_pm \n");
    host_facts_read(root, &facts);
    assert_true(facts.tsc_given_up);
    assert_int_equal(facts.hugetlb_total, 12);
    assert_int_equal(facts.hugetlb_free, 7);
    assert_int_equal(facts.hugepage_bytes, 2048 * 1024);
    assert_true(facts.memory_total_bytes == 16 * GIB);
    assert_true(facts.memory_limit_bytes == 0);
    assert_true(facts.cpu_quota_cores == -1);
}

TEST_WITH(a_long_name_is_cut_without_its_quotes, make_root, remove_root)
{
    char text[256] = "PRETTY_NAME=\"", name[sizeof((struct host_facts *)0)->distribution] = "";
    struct host_facts facts;
    memset(text + strlen(text), 'x', sizeof name + 20);
    memset(name, 'x', sizeof name - 1);
    put(*state, "/etc/os-release", strcat(text, "\"\n"));
    host_facts_read(*state, &facts);
    assert_string_equal(facts.distribution, name);
}

TEST_WITH(an_empty_system_is_unknown_not_guessed, make_root, remove_root)
{
    struct host_facts facts;
    host_facts_read(*state, &facts);
    assert_string_equal(facts.hostname, "");
    assert_string_equal(facts.cpu_model, "");
    assert_string_equal(facts.microcode, "");
    assert_string_equal(facts.kernel, "");
    assert_string_equal(facts.distribution, "");
    assert_string_equal(facts.hypervisor, "");
    assert_string_equal(facts.governor, "");
    assert_int_equal(facts.turbo, -1);
    assert_int_equal(facts.smt, -1);
    assert_string_equal(facts.thp_enabled, "");
    assert_int_equal(facts.hugetlb_total, -1);
    assert_int_equal(facts.hugetlb_free, -1);
    assert_int_equal(facts.hugepage_bytes, -1);
    assert_int_equal(facts.numa_balancing, -1);
    assert_string_equal(facts.isolated_cpus, "");
    assert_false(facts.isolated_known);
    assert_int_equal(facts.nmi_watchdog, -1);
    assert_int_equal(facts.perf_event_paranoid, -9);
    assert_true(facts.memory_total_bytes == 0);
    assert_true(host_memory_available(*state) == UINT64_MAX);
}

TEST_GIVEN_BY(malformed_files_are_unknown, const char *root, make_root, remove_root)
{
    struct host_facts facts;
    put(root, "/proc/sys/kernel/perf_event_paranoid", "two\n");
    put(root, "/sys/devices/system/cpu/smt/active", "\n");
    put(root, "/sys/kernel/mm/transparent_hugepage/enabled", "always madvise\n");
    put(root, "/proc/meminfo", "MemTotal: lots kB\nHugePages_Total: 99999999999999999999\nMemAvailable: -3 kB\n");
    put(root, "/sys/devices/system/cpu/intel_pstate/no_turbo", "yes\n");
    put(root, "/sys/devices/system/cpu/cpufreq/boost", "1\n");
    host_facts_read(root, &facts);
    assert_int_equal(facts.perf_event_paranoid, -9);
    assert_int_equal(facts.smt, -1);
    assert_string_equal(facts.thp_enabled, "");
    assert_true(facts.memory_total_bytes == 0);
    assert_int_equal(facts.hugetlb_total, -1);
    assert_int_equal(facts.turbo, 1);
    assert_string_equal(facts.turbo_control, "/sys/devices/system/cpu/cpufreq/boost");
    assert_true(host_memory_available(root) == UINT64_MAX);
}

TEST_GIVEN_BY(guests_are_named, const char *root, make_root, remove_root)
{
    struct host_facts facts;
    put(root, "/proc/cpuinfo", "flags\t\t: fpu hypervisor_not avx2 hypervisor lahf_lm\n");
    host_facts_read(root, &facts);
    assert_string_equal(facts.hypervisor, "unnamed hypervisor");
    put(root, "/sys/hypervisor/type", "xen\n");
    host_facts_read(root, &facts);
    assert_string_equal(facts.hypervisor, "xen");
    put(root, "/sys/class/dmi/id/sys_vendor", "Amazon EC2\n");
    put(root, "/sys/class/dmi/id/product_name",
        "a-name-too-long-for-the-field-which-is-longer-than-any-that-was-seen-so-far-and-is-cut-there\n");
    host_facts_read(root, &facts);
    assert_string_equal(
        facts.hypervisor,
        "Amazon EC2 a-name-too-long-for-the-field-which-is-longer-than-any-that-was-seen-so-far-and-is-c");
    put(root, "/sys/class/dmi/id/sys_vendor", "QEMU\n");
    put(root, "/sys/class/dmi/id/product_name", "Standard PC (i440FX + PIIX, 1996)\n");
    host_facts_read(root, &facts);
    assert_string_equal(facts.hypervisor, "QEMU Standard PC (i440FX + PIIX, 1996)");

    put(root, "/proc/cpuinfo", "flags\t\t: fpu hypervisor_not\n");
    put(root, "/proc/cmdline", "console=ttyAMA0 kneepoint.emulated=qemu panic=-1\n");
    host_facts_read(root, &facts);
    assert_string_equal(facts.hypervisor, "");
    assert_string_equal(facts.emulator, "QEMU TCG");

    put(root, "/proc/cpuinfo", "Features\t: fp asimd\n");
    put(root, "/sys/class/dmi/id/sys_vendor", "QEMU\n");
    put(root, "/sys/class/dmi/id/product_name", "QEMU Virtual Machine\n");
    put(root, "/proc/device-tree/model", "linux,dummy-virt");
    host_facts_read(root, &facts);
    assert_string_equal(facts.hypervisor, "QEMU QEMU Virtual Machine");
    assert_string_equal(facts.cpu_model, "linux,dummy-virt");
}

/* ---------------------------------------------------------------- memory */

TEST_WITH(without_cgroups_the_kernel_decides, make_root, remove_root)
{
    put_meminfo(*state);
    assert_true(host_memory_available(*state) == 8 * GIB);
    assert_true(cgroup_memory_available(*state) == UINT64_MAX);
    assert_true(cgroup_memory_limit(*state) == UINT64_MAX);
}

TEST_GIVEN_BY(the_least_of_the_groups_above_binds_v2, const char *root, make_root, remove_root)
{
    put_meminfo(root);
    put(root, "/proc/self/cgroup", "0::/user.slice/job\n");
    put(root, "/sys/fs/cgroup/user.slice/job/memory.max", "max\n");
    put(root, "/sys/fs/cgroup/user.slice/job/memory.current", "1073741824\n");
    put(root, "/sys/fs/cgroup/user.slice/memory.max", "4294967296\n");
    put(root, "/sys/fs/cgroup/user.slice/memory.current", "2147483648\n");
    assert_true(host_memory_available(root) == 2 * GIB);
    assert_true(cgroup_memory_limit(root) == 4 * GIB);

    put(root, "/sys/fs/cgroup/user.slice/memory.stat", "anon 1073741824\ninactive_file 536870912\nactive_file 1\n");
    assert_true(host_memory_available(root) == 2 * GIB + GIB / 2); /* file cache can be dropped */

    put(root, "/sys/fs/cgroup/user.slice/job/memory.high", "2147483648\n");
    assert_true(host_memory_available(root) == GIB);

    put(root, "/sys/fs/cgroup/user.slice/job/memory.max", "1048576\n"); /* more used than granted */
    assert_true(host_memory_available(root) == 0);
}

TEST_GIVEN_BY(a_limit_far_away_does_not_add_memory, const char *root, make_root, remove_root)
{
    put_meminfo(root);
    put(root, "/proc/self/cgroup", "0::/\n");
    put(root, "/sys/fs/cgroup/memory.max", "1099511627776\n");
    put(root, "/sys/fs/cgroup/memory.current", "0\n");
    assert_true(host_memory_available(root) == 8 * GIB);
}

TEST_GIVEN_BY(version_1_is_read_too, const char *root, make_root, remove_root)
{
    put_meminfo(root);
    put(root, "/proc/self/cgroup", "9:name=systemd:/\n8:hugetlb,memory:/jobs/7\n2:cpu,cpuacct:/jobs/7\n0::/\n");
    put(root, "/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"); /* none */
    put(root, "/sys/fs/cgroup/memory/jobs/7/memory.limit_in_bytes", "3221225472\n");
    put(root, "/sys/fs/cgroup/memory/jobs/7/memory.usage_in_bytes", "1073741824\n");
    put(root, "/sys/fs/cgroup/memory/jobs/7/memory.stat", "inactive_file 9\ntotal_inactive_file 1073741824\n");
    assert_true(host_memory_available(root) == 3 * GIB);
    assert_true(cgroup_memory_limit(root) == 3 * GIB);

    put(root, "/sys/fs/cgroup/cpu/jobs/cpu.cfs_quota_us", "150000\n");
    put(root, "/sys/fs/cgroup/cpu/jobs/cpu.cfs_period_us", "100000\n");
    put(root, "/sys/fs/cgroup/cpu/jobs/7/cpu.cfs_quota_us", "-1\n");
    put(root, "/sys/fs/cgroup/cpu/jobs/7/cpu.cfs_period_us", "100000\n");
    assert_true(cgroup_cpu_quota_cores(root) == 1.5);
}

/** In a container /proc/self/cgroup may name a path that is not mounted; the limit stands at the mount point. */
TEST_GIVEN_BY(a_container_finds_its_limit_at_the_mount_point, const char *root, make_root, remove_root)
{
    put_meminfo(root);
    put(root, "/proc/self/cgroup", "4:memory:/docker/0123456789abcdef\n");
    put(root, "/sys/fs/cgroup/memory/memory.limit_in_bytes", "1073741824\n");
    put(root, "/sys/fs/cgroup/memory/memory.usage_in_bytes", "0\n");
    assert_true(host_memory_available(root) == GIB);
}

TEST_GIVEN_BY(cpu_quota_of_version_2, const char *root, make_root, remove_root)
{
    put(root, "/proc/self/cgroup", "0::/a/b\n");
    put(root, "/sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
    assert_true(cgroup_cpu_quota_cores(root) == -1);
    put(root, "/sys/fs/cgroup/a/cpu.max", "200000 100000\n");
    assert_true(cgroup_cpu_quota_cores(root) == 2);
    put(root, "/sys/fs/cgroup/a/b/cpu.max", "50000 100000\n");
    assert_true(cgroup_cpu_quota_cores(root) == 0.5);
}

/* ---------------------------------------------------------------- disturbance */

TEST_GIVEN_BY(disturbance_is_counted, const char *root, make_root, remove_root)
{
    struct host_disturbance counts = {1, 1, 1};
    assert_int_equal(host_disturbance_read(root, &counts), -ENOENT);
    assert_true(counts.steal_ticks == 0 && counts.interrupts == 0 && counts.context_switches == 0);

    put(root, "/proc/stat", "cpu  10 2 3 400 5 6 7 88 9 10\ncpu0 1 1 1 1 1 1 1 1 1 1\nintr 12345 6 7 8\nctxt 6789\n");
    assert_int_equal(host_disturbance_read(root, &counts), 0);
    assert_true(counts.steal_ticks == 88);
    assert_true(counts.interrupts == 12345);
    assert_true(counts.context_switches == 6789);

    put(root, "/proc/stat", "cpu  10 2 3 400\nintr 1\nctxt 1\n"); /* before steal was counted */
    assert_int_equal(host_disturbance_read(root, &counts), -EINVAL);
    put(root, "/proc/stat", "cpu  10 2 3 400 5 6 7 88\nctxt 1\n");
    assert_int_equal(host_disturbance_read(root, &counts), -ENODATA);
    assert_true(counts.steal_ticks == 0);
}

TEST_GIVEN_BY(time_of_a_cpu_is_not_that_of_its_neighbours, const char *root, make_root, remove_root)
{
    struct host_cpu_time time = {1, 1};
    assert_int_equal(host_cpu_time_read(root, 1, &time), -ENOENT);
    put(root, "/proc/stat", "cpu  10 2 3 400 5 6 7 88\ncpu1 1 2 3 40 5 6 7 88\ncpu10 9 9 9 9 9 9 9 9\ncpu2 1 2 3\n");
    assert_int_equal(host_cpu_time_read(root, 1, &time), 0);
    assert_true(time.worked == 1 + 2 + 3 + 6 + 7 && time.idle == 45);
    assert_int_equal(host_cpu_time_read(root, 10, &time), 0);
    assert_true(time.worked == 45 && time.idle == 18);
    assert_int_equal(host_cpu_time_read(root, HOST_ALL_CPUS, &time), 0);
    assert_true(time.worked == 10 + 2 + 3 + 6 + 7 && time.idle == 405);
    assert_int_equal(host_cpu_time_read(root, 2, &time), -EINVAL);
    assert_int_equal(host_cpu_time_read(root, 0, &time), -ENODATA);
    assert_true(time.worked == 0 && time.idle == 0);
}

/* ---------------------------------------------------------------- others at work */

TEST(what_this_process_used_is_taken_off)
{
    /* 100 ticks of a second in half a second: two CPUs worked, one of them for this process; 2 ticks are the clock's error */
    assert_true(fabs(others_cpus_of(100, 100, 0.5, 0.5) - 0.96) < 1e-9);
    assert_true(others_cpus_of(52, 100, 0.5, 0.5) == 0);
    assert_true(others_cpus_of(0, 100, 0.5, 0.5) == 0);
    assert_true(fabs(others_cpus_of(12, 100, 0, 0.1) - 1) < 1e-9);
    assert_true(others_cpus_of(12, 100, 0, 0) == 0);
}

TEST_GIVEN_BY(work_of_all_cpus_and_stolen_time_count, const char *root, make_root, remove_root)
{
    struct others begin;
    put(root, "/proc/stat", "cpu  10 2 3 400 5 6 7 88 9 10\ncpu0 1 1 1 1 1 1 1 1 1 1\nintr 1\nctxt 1\n");
    others_begin(root, &begin);
    assert_true(begin.known);
    assert_int_equal(begin.ticks, 10 + 2 + 3 + 6 + 7 + 88);
    put(root, "/proc/stat", "cpu  1010 2 3 900 5 6 7 1088 9 10\nintr 1\nctxt 1\n");
    begin.clock_s -= 1; /* a second ago, to which what this test takes comes */
    assert_true(others_cpus(root, &begin) > 0);
    put(root, "/proc/stat",
        "cpu  9 2 3 900 5 6 7 88 9 10\nintr 1\nctxt 1\n"); /* counted down, as machines do that were resumed */
    assert_true(isnan(others_cpus(root, &begin)));
}

TEST_GIVEN_BY(a_system_that_does_not_say_is_unknown, const char *root, make_root, remove_root)
{
    struct others begin;
    others_begin(root, &begin);
    assert_false(begin.known);
    assert_true(isnan(others_cpus(root, &begin)));
}

TEST(this_system_can_be_read)
{
    struct host_facts facts;
    struct host_disturbance before, after;
    host_facts_read("", &facts);
    assert_true(facts.hostname[0] != '\0' && facts.kernel[0] != '\0');
    assert_true(facts.memory_total_bytes > 0);
    uint64_t available = host_memory_available("");
    assert_true(available > 0 && available <= facts.memory_total_bytes);
    assert_int_equal(host_disturbance_read("", &before), 0);
    usleep(1000); /* at least one context switch */
    assert_int_equal(host_disturbance_read("", &after), 0);
    assert_true(after.context_switches > before.context_switches);
}

/* ---------------------------------------------------------------- small files */

TEST_GIVEN_BY(small_files, const char *root, make_root, remove_root)
{
    char text[8], other[16];
    long number = 5;
    uint64_t value = 5;
    put(root, "/a", "  word \t\nsecond\n");
    put(root, "/long", "123456789\n");
    put(root, "/empty", "");
    put(root, "/number", "-42\n");
    put(root, "/fields", "keyword 1\nkey: 7 kB\nequal=x y\nnegative -1\n");

    assert_int_equal(sysfs_read_text(root, "/a", text, sizeof text), 0);
    assert_string_equal(text, "word");
    assert_int_equal(sysfs_read_text(root, "/long", text, sizeof text), 0);
    assert_string_equal(text, "1234567");
    assert_int_equal(sysfs_read_text(root, "/empty", text, sizeof text), 0);
    assert_string_equal(text, "");
    assert_int_equal(sysfs_read_text(root, "/absent", text, sizeof text), -ENOENT);

    assert_int_equal(sysfs_read_long(root, "/a", &number), -EINVAL);
    assert_int_equal(sysfs_read_long(root, "/empty", &number), -EINVAL);
    assert_int_equal(number, 5);
    assert_int_equal(sysfs_read_long(root, "/number", &number), 0);
    assert_int_equal(number, -42);

    assert_int_equal(sysfs_read_field(root, "/fields", "key", other, sizeof other), 0);
    assert_string_equal(other, "7 kB");
    assert_int_equal(sysfs_read_field(root, "/fields", "equal", other, sizeof other), 0);
    assert_string_equal(other, "x y");
    assert_int_equal(sysfs_read_field(root, "/fields", "absent", other, sizeof other), -ENODATA);
    assert_int_equal(sysfs_read_field_u64(root, "/fields", "negative", &value), -EINVAL);
    assert_true(value == 5);
    assert_int_equal(sysfs_read_field_u64(root, "/fields", "key", &value), 0);
    assert_true(value == 7);
}

RUN_TESTS(NULL, NULL)
