/* SPDX-License-Identifier: BSD-3-Clause
 *
 * For tests of what is printed on a machine that is not this one: where KNEEPOINT_MACHINE names the folder of a recorded machine, the
 * tool believes to run on it. What CPUID, the topology, /proc and /sys say comes from the folder, clocks and noise are made up, no
 * thread is bound. platforms/counters/system_standin.c has its counters, harness/steady_standin.c what would run on it.
 *
 * With KNEEPOINT_EMULATED=NAME the machine, recorded or this one, is taken for one that NAME emulates.
 *
 * A folder has cpuid.txt, on a hybrid machine cpuid_efficiency.txt too, topology.xml, and below it proc, sys and etc, as
 * scripts/pack --unpack leaves them.
 */
#include "platforms/machine/machine_standin.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "platforms/clock/clock.h"
#include "platforms/cpu/isa.h"
#include "platforms/system/host.h"
#include "platforms/system/noise.h"
#include "platforms/system/sysfs.h"
#include "platforms/topology/topology.h"

int __real_cpuid_dump_host(struct cpuid_dump *dump);
int __wrap_cpuid_dump_host(struct cpuid_dump *dump);
int __real_topology_open(const char *xml_path, struct topology **topology, char *why, size_t size);
int __wrap_topology_open(const char *xml_path, struct topology **topology, char *why, size_t size);
bool __real_topology_is_this_machine(const struct topology *topology);
bool __wrap_topology_is_this_machine(const struct topology *topology);
int __real_topology_bind_thread(const struct topology *topology, unsigned cpu, char *why, size_t size);
int __wrap_topology_bind_thread(const struct topology *topology, unsigned cpu, char *why, size_t size);
int __real_topology_memory_node(const struct topology *topology, const void *address, size_t bytes, unsigned *node,
                                char *why, size_t size);
int __wrap_topology_memory_node(const struct topology *topology, const void *address, size_t bytes, unsigned *node,
                                char *why, size_t size);
void __real_host_facts_read(const char *root, struct host_facts *facts);
void __wrap_host_facts_read(const char *root, struct host_facts *facts);
uint64_t __real_host_memory_available(const char *root);
uint64_t __wrap_host_memory_available(const char *root);
int __real_host_cpu_time_read(const char *root, unsigned cpu, struct host_cpu_time *time);
int __wrap_host_cpu_time_read(const char *root, unsigned cpu, struct host_cpu_time *time);
int __real_host_disturbance_read(const char *root, struct host_disturbance *counts);
int __wrap_host_disturbance_read(const char *root, struct host_disturbance *counts);
long __real_sysconf(int name);
long __wrap_sysconf(int name);
double __real_tsc_calibrate_hz(double span_s);
double __wrap_tsc_calibrate_hz(double span_s);
void __wrap_clock_calibrate(double tsc_hz, struct clock *clock);
struct clock_reading __wrap_clock_read(const struct clock *clock);
double __wrap_clock_issue_width(const struct clock *clock);
struct noise __real_noise_scan(uint64_t duration_ns);
struct noise __wrap_noise_scan(uint64_t duration_ns);

const char *machine_standin_folder(void)
{
    const char *folder = getenv("KNEEPOINT_MACHINE");
    return folder && folder[0] ? folder : NULL;
}

int machine_standin_refuse(char *why, size_t size)
{
    if (!machine_standin_folder())
        return 0;
    snprintf(why, size, "KNEEPOINT_MACHINE names a recorded machine: nothing runs on it; unset it to measure this one");
    return -ENOTSUP;
}

/** Below what the facts are read; the running system has no root. */
static const char *root_of(const char *root)
{
    const char *folder = machine_standin_folder();
    return folder && !root[0] ? folder : root;
}

static int in_folder(char *path, size_t size, const char *file)
{
    int length = snprintf(path, size, "%s/%s", machine_standin_folder(), file);
    return length < 0 || (size_t)length >= size ? -ENAMETOOLONG : 0;
}

/* ---------------------------------------------------------------- CPUID, of the core that the thread is on */

static _Thread_local enum core_kind bound_kind;

int __wrap_cpuid_dump_host(struct cpuid_dump *dump)
{
    char path[4096];
    if (!machine_standin_folder())
        return __real_cpuid_dump_host(dump);
    if (bound_kind != CORE_KIND_PERFORMANCE && in_folder(path, sizeof path, "cpuid_efficiency.txt") == 0 &&
        cpuid_dump_read(path, dump, NULL) == 0)
        return 0;
    int error = in_folder(path, sizeof path, "cpuid.txt");
    return error ? error : cpuid_dump_read(path, dump, NULL);
}

/* ---------------------------------------------------------------- topology */

int __wrap_topology_open(const char *xml_path, struct topology **topology, char *why, size_t size)
{
    char path[4096];
    if (xml_path || !machine_standin_folder())
        return __real_topology_open(xml_path, topology, why, size);
    struct stat file;
    if (stat(machine_standin_folder(), &file) == 0 && S_ISREG(file.st_mode)) {
        snprintf(why, size, "%s is packed: unpack it with scripts/pack --unpack", machine_standin_folder());
        return -EINVAL;
    }
    int error = in_folder(path, sizeof path, "topology.xml");
    bound_kind = CORE_KIND_PERFORMANCE;
    return error ? error : __real_topology_open(path, topology, why, size);
}

bool __wrap_topology_is_this_machine(const struct topology *topology)
{
    return machine_standin_folder() || __real_topology_is_this_machine(topology);
}

int __wrap_topology_bind_thread(const struct topology *topology, unsigned cpu, char *why, size_t size)
{
    if (!machine_standin_folder())
        return __real_topology_bind_thread(topology, cpu, why, size);
    const struct topology_core *core = topology_core_of_cpu(topology, cpu);
    if (!core) {
        snprintf(why, size, "cpu %u is not allowed to this process", cpu);
        return -EXDEV;
    }
    bound_kind = core->kind;
    return 0;
}

int __wrap_topology_memory_node(const struct topology *topology, const void *address, size_t bytes, unsigned *node,
                                char *why, size_t size)
{
    if (!machine_standin_folder())
        return __real_topology_memory_node(topology, address, bytes, node, why, size);
    snprintf(why, size, "where memory lies: this kernel does not say");
    return -ENOSYS;
}

/* ---------------------------------------------------------------- /proc and /sys */

/** The signature of CPUID, where DMI says nothing: a root that was moved has none. */
static void name_hypervisor(struct host_facts *facts)
{
    struct cpuid_dump dump;
    struct cpu_identity identity;
    if (strcmp(facts->hypervisor, "unnamed hypervisor") != 0 || __wrap_cpuid_dump_host(&dump) != 0)
        return;
    cpu_identity_of(&dump, &identity);
    if (identity.hypervisor[0])
        snprintf(facts->hypervisor, sizeof facts->hypervisor, "%s", identity.hypervisor);
}

void __wrap_host_facts_read(const char *root, struct host_facts *facts)
{
    const char *emulator = getenv("KNEEPOINT_EMULATED");
    __real_host_facts_read(root_of(root), facts);
    if (machine_standin_folder())
        name_hypervisor(facts);
    if (emulator && !root[0])
        snprintf(facts->emulator, sizeof facts->emulator, "%s", emulator);
}

uint64_t __wrap_host_memory_available(const char *root)
{
    return __real_host_memory_available(root_of(root));
}

int __wrap_host_cpu_time_read(const char *root, unsigned cpu, struct host_cpu_time *time)
{
    return __real_host_cpu_time_read(root_of(root), cpu, time);
}

int __wrap_host_disturbance_read(const char *root, struct host_disturbance *counts)
{
    return __real_host_disturbance_read(root_of(root), counts);
}

/** Of "0-1023": the last, and one. */
static long online_cpus(void)
{
    char list[64] = "";
    sysfs_read_text(machine_standin_folder(), "/sys/devices/system/cpu/online", list, sizeof list);
    const char *last = strrchr(list, '-');
    return strtol(last ? last + 1 : list, NULL, 10) + 1;
}

long __wrap_sysconf(int name)
{
    return name == _SC_NPROCESSORS_ONLN && machine_standin_folder() ? online_cpus() : __real_sysconf(name);
}

/* ---------------------------------------------------------------- clocks and noise */

static const double tsc_hz = 2e9, core_hz = 3e9, issue_width = 6;
enum { MULTIPLY_CYCLES = 3 };

/** Of this machine in a tenth of the time: hundreds of tests wait for it, and none asks for a frequency to a millionth. */
double __wrap_tsc_calibrate_hz(double span_s)
{
    return machine_standin_folder() ? tsc_hz : __real_tsc_calibrate_hz(0.1 * span_s);
}

/* Chains run again where they are disturbed, which is at nearly every sample of tests that run beside others: this clock is made up. */
void __wrap_clock_calibrate(double hz, struct clock *clock)
{
    *clock = (struct clock){.tsc_hz = hz, .step_ticks = 2, .multiply_cycles = MULTIPLY_CYCLES};
}

struct clock_reading __wrap_clock_read(const struct clock *clock)
{
    return clock_reading_of((struct clock_spans){.multiply_s = MULTIPLY_CYCLES / core_hz,
                                                 .add_s = 1 / core_hz,
                                                 .nop_s = 1 / core_hz / issue_width},
                            clock->multiply_cycles);
}

double __wrap_clock_issue_width(const struct clock *clock)
{
    (void)clock;
    return issue_width;
}

/** This machine is scanned for a tenth of the time; a recorded one has a tick of the kernel every 4 ms. */
struct noise __wrap_noise_scan(uint64_t duration_ns)
{
    enum { TICK_NS = 4000000, TICK_TAKES_NS = 3000, READING_NS = 20 };
    if (!machine_standin_folder())
        return __real_noise_scan(duration_ns / 10);
    uint64_t ticks = duration_ns / TICK_NS;
    return (struct noise){.gaps = {.duration_ns = duration_ns,
                                   .readings = duration_ns / READING_NS,
                                   .longest_ns = TICK_TAKES_NS,
                                   .lost_ns = ticks * TICK_TAKES_NS,
                                   .gaps = {ticks}},
                          .during = {.interrupts = ticks, .context_switches = ticks},
                          .during_known = true};
}
