/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/topology/topology.h"

#include <errno.h>
#include <hwloc.h>
#include <hwloc/distances.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "platforms/topology/core_kinds.h"

enum { CACHE_LEVELS = 5 };

struct topology {
    hwloc_topology_t hwloc;
    hwloc_bitmap_t allowed; /* PUs this process may use */
    bool is_this_machine, lacks_sysfs;
    struct topology_core *cores;
    size_t core_count, kind_count, llc_count;
    hwloc_obj_t *llcs; /* by index; NULL for the domain of cores without any cache */
    struct joined {
        unsigned to, cpu; /* the first PU of the core that stayed; the PU that it was joined by */
    } * joined;
    size_t joined_count;
};

static int fail(int error, char *why, size_t size, const char *what, const char *name)
{
    snprintf(why, size, "%s%s%s%s%s", what, name ? " '" : "", name ? name : "", name ? "': " : ": ", strerror(-error));
    return error;
}

/* ---------------------------------------------------------------- opening */

/** Whether the kernel shows its CPUs where hwloc looks for them. */
static bool shows_cpus(void)
{
    return access("/sys/bus/cpu/devices", F_OK) == 0 || access("/sys/devices/system/cpu", F_OK) == 0;
}

static int load(struct topology *topology, const char *xml_path, char *why, size_t size)
{
    topology->lacks_sysfs = !xml_path && !shows_cpus();
    if (topology->lacks_sysfs)
        setenv("HWLOC_HIDE_ERRORS", "2", 0); /* it would print a line of its own, and our caller says it */
    if (hwloc_topology_init(&topology->hwloc) != 0)
        return fail(-ENOMEM, why, size, "hwloc cannot start", NULL);
    if (xml_path) {
        FILE *readable = fopen(xml_path, "re");
        if (!readable)
            return fail(-errno, why, size, "cannot read topology", xml_path);
        fclose(readable);
        if (hwloc_topology_set_xml(topology->hwloc, xml_path) != 0)
            return fail(-EINVAL, why, size, "not an hwloc XML topology", xml_path);
    }
    if (hwloc_topology_load(topology->hwloc) != 0)
        return fail(xml_path ? -EINVAL : -EIO, why, size,
                    xml_path
                        ? "not an hwloc XML topology"
                        : "hwloc cannot read this machine's topology (see what lstopo says, unset HWLOC_* variables)",
                    xml_path);
    topology->is_this_machine = !xml_path && hwloc_topology_is_thissystem(topology->hwloc);
    topology->lacks_sysfs &= topology->is_this_machine;
    return 0;
}

/** What the cgroup allows (hwloc), and on this machine also what taskset left. */
static int find_allowed(struct topology *topology, char *why, size_t size)
{
    topology->allowed = hwloc_bitmap_dup(hwloc_topology_get_allowed_cpuset(topology->hwloc));
    hwloc_bitmap_t bound = hwloc_bitmap_alloc();
    int error = topology->allowed && bound ? 0 : -ENOMEM;
    if (error == 0)
        hwloc_bitmap_and(topology->allowed, topology->allowed, hwloc_topology_get_topology_cpuset(topology->hwloc));
    if (error == 0 && topology->is_this_machine &&
        hwloc_get_cpubind(topology->hwloc, bound, HWLOC_CPUBIND_PROCESS) == 0)
        hwloc_bitmap_and(topology->allowed, topology->allowed, bound);
    if (error == 0 && hwloc_bitmap_iszero(topology->allowed))
        error = -ENODEV;
    hwloc_bitmap_free(bound);
    return error ? fail(error, why, size, "this process is not allowed on any CPU", NULL) : 0;
}

/* ---------------------------------------------------------------- cores */

/** The core above a PU; the PU itself where the system does not tell cores. */
static hwloc_obj_t core_object_of(struct topology *topology, hwloc_obj_t pu)
{
    hwloc_obj_t core = hwloc_get_ancestor_obj_by_type(topology->hwloc, HWLOC_OBJ_CORE, pu);
    return core ? core : pu;
}

static size_t llc_index_of(struct topology *topology, hwloc_obj_t llc)
{
    for (size_t i = 0; i < topology->llc_count; i++) {
        if (topology->llcs[i] == llc)
            return i;
    }
    topology->llcs[topology->llc_count] = llc;
    return topology->llc_count++;
}

static unsigned allowed_pus_of(const struct topology *topology, hwloc_obj_t core, unsigned *first)
{
    unsigned count = 0;
    for (int cpu = hwloc_bitmap_first(core->cpuset); cpu >= 0; cpu = hwloc_bitmap_next(core->cpuset, cpu)) {
        if (hwloc_bitmap_isset(topology->allowed, (unsigned)cpu) && count++ == 0)
            *first = (unsigned)cpu;
    }
    return count;
}

/** How far the system says that a node is from another, both by index; the same for all where it does not say. */
static uint64_t node_distance(const struct hwloc_distances_s *distances, hwloc_obj_t from, hwloc_obj_t to)
{
    hwloc_uint64_t there, back;
    return distances &&
                   hwloc_distances_obj_pair_values((struct hwloc_distances_s *)distances, from, to, &there, &back) == 0
               ? there
               : 0;
}

/**
 * The node where Linux puts what a CPU of `own` touches first: its own or, if that has no memory, the nearest that has some; of
 * several the next one in the order of their numbers.
 */
static hwloc_obj_t node_with_memory(struct topology *topology, hwloc_obj_t own)
{
    struct hwloc_distances_s *distances = NULL;
    unsigned matrices = 1;
    hwloc_obj_t nearest = own;
    uint64_t least = UINT64_MAX;
    if (!own || own->attr->numanode.local_memory)
        return own;
    if (hwloc_distances_get_by_type(topology->hwloc, HWLOC_OBJ_NUMANODE, &matrices, &distances,
                                    HWLOC_DISTANCES_KIND_MEANS_LATENCY, 0) != 0 ||
        matrices == 0)
        distances = NULL;
    for (hwloc_obj_t node = NULL; (node = hwloc_get_next_obj_by_type(topology->hwloc, HWLOC_OBJ_NUMANODE, node));) {
        uint64_t distance = 2 * node_distance(distances, own, node) + (node->os_index < own->os_index);
        if (node->attr->numanode.local_memory && distance < least) {
            nearest = node;
            least = distance;
        }
    }
    if (distances)
        hwloc_distances_release(topology->hwloc, distances);
    return nearest;
}

/** OS index of the node on which a PU's memory lies. */
static unsigned memory_node_of(struct topology *topology, hwloc_obj_t pu)
{
    int first = pu->nodeset ? hwloc_bitmap_first(pu->nodeset) : 0;
    unsigned own = first >= 0 ? (unsigned)first : 0;
    hwloc_obj_t node = node_with_memory(topology, hwloc_get_numanode_obj_by_os_index(topology->hwloc, own));
    return node ? node->os_index : own;
}

static void add_core(struct topology *topology, hwloc_obj_t pu, unsigned siblings, const struct pmu_cpus *pmus)
{
    hwloc_obj_t package = hwloc_get_ancestor_obj_by_type(topology->hwloc, HWLOC_OBJ_PACKAGE, pu);
    topology->cores[topology->core_count++] = (struct topology_core){
        .cpu = pu->os_index,
        .sibling_cpus = siblings,
        .kind = core_kind_of(topology->hwloc, pu, pmus),
        .package = package ? package->os_index : 0,
        .numa_node = memory_node_of(topology, pu),
        .llc = (unsigned)llc_index_of(topology, last_level_cache_of(pu)),
    };
}

static int by_rank(const void *left, const void *right)
{
    const struct topology_core *a = left, *b = right;
    const unsigned keys[][2] = {
        {a->kind, b->kind}, {a->package, b->package}, {a->numa_node, b->numa_node}, {a->cpu, b->cpu}};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (keys[i][0] != keys[i][1])
            return keys[i][0] < keys[i][1] ? -1 : 1;
    }
    return 0;
}

static size_t count_kinds(const struct topology *topology)
{
    size_t kinds = 0;
    for (size_t i = 0; i < topology->core_count; i++)
        kinds += i == 0 || topology->cores[i].kind != topology->cores[i - 1].kind;
    return kinds;
}

static int list_cores(struct topology *topology, char *why, size_t size)
{
    size_t pus = (size_t)hwloc_bitmap_weight(topology->allowed);
    struct pmu_cpus pmus;
    topology->cores = calloc(pus, sizeof *topology->cores);
    topology->llcs = calloc(pus, sizeof *topology->llcs);
    const char *no_pmus = "/nonexistent";
    int error = pmu_cpus_read(topology->is_this_machine ? "" : no_pmus, &pmus);
    if (error != 0 || !topology->cores || !topology->llcs) {
        if (error == 0)
            pmu_cpus_free(&pmus);
        return fail(-ENOMEM, why, size, "cannot list the cores", NULL);
    }

    for (hwloc_obj_t pu = NULL; (pu = hwloc_get_next_obj_by_type(topology->hwloc, HWLOC_OBJ_PU, pu));) {
        unsigned first = 0;
        unsigned siblings = allowed_pus_of(topology, core_object_of(topology, pu), &first);
        if (siblings > 0 && first == pu->os_index)
            add_core(topology, pu, siblings, &pmus);
    }
    pmu_cpus_free(&pmus);
    qsort(topology->cores, topology->core_count, sizeof *topology->cores, by_rank);
    topology->kind_count = count_kinds(topology);
    return 0;
}

int topology_open(const char *xml_path, struct topology **topology, char *why, size_t size)
{
    *topology = NULL;
    if (size > 0)
        why[0] = '\0';
    struct topology *opened = calloc(1, sizeof *opened);
    if (!opened)
        return fail(-ENOMEM, why, size, "cannot open the topology", NULL);
    int error = load(opened, xml_path, why, size);
    if (error == 0)
        error = find_allowed(opened, why, size);
    if (error == 0)
        error = list_cores(opened, why, size);
    if (error != 0) {
        topology_close(opened);
        return error;
    }
    *topology = opened;
    return 0;
}

void topology_close(struct topology *topology)
{
    if (!topology)
        return;
    if (topology->hwloc)
        hwloc_topology_destroy(topology->hwloc);
    hwloc_bitmap_free(topology->allowed);
    free(topology->cores);
    free(topology->llcs);
    free(topology->joined);
    free(topology);
}

/* ---------------------------------------------------------------- cores that are one */

static struct topology_core *core_with_first_cpu(const struct topology *topology, unsigned cpu)
{
    for (size_t i = 0; i < topology->core_count; i++) {
        if (topology->cores[i].cpu == cpu)
            return &topology->cores[i];
    }
    return NULL;
}

int topology_join_cores(struct topology *topology, unsigned cpu, unsigned other)
{
    struct topology_core *stays = core_with_first_cpu(topology, cpu), *goes = core_with_first_cpu(topology, other);
    if (!stays || !goes || stays == goes || goes->sibling_cpus != 1)
        return -EINVAL;
    struct joined *grown = realloc(topology->joined, (topology->joined_count + 1) * sizeof *grown);
    if (!grown)
        return -ENOMEM;
    grown[topology->joined_count++] = (struct joined){cpu, other};
    topology->joined = grown;
    stays->sibling_cpus++;
    memmove(goes, goes + 1, (size_t)(topology->cores + topology->core_count - (goes + 1)) * sizeof *goes);
    topology->core_count--;
    return 0;
}

size_t topology_joined(const struct topology *topology)
{
    return topology->joined_count;
}

/** The first PU of the core that a PU was joined to; its own number if it was not. */
static unsigned joined_to(const struct topology *topology, unsigned cpu)
{
    for (size_t i = 0; i < topology->joined_count; i++) {
        if (topology->joined[i].cpu == cpu)
            return topology->joined[i].to;
    }
    return cpu;
}

/* ---------------------------------------------------------------- what there is */

bool topology_is_this_machine(const struct topology *topology)
{
    return topology->is_this_machine;
}

bool topology_lacks_sysfs(const struct topology *topology)
{
    return topology->lacks_sysfs;
}

size_t topology_core_count(const struct topology *topology)
{
    return topology->core_count;
}

const struct topology_core *topology_cores(const struct topology *topology)
{
    return topology->cores;
}

size_t topology_kind_count(const struct topology *topology)
{
    return topology->kind_count;
}

size_t topology_llc_count(const struct topology *topology)
{
    return topology->llc_count;
}

size_t topology_allowed_pus(const struct topology *topology)
{
    return (size_t)hwloc_bitmap_weight(topology->allowed);
}

void topology_allowed_list(const struct topology *topology, char *text, size_t size)
{
    hwloc_bitmap_list_snprintf(text, size, topology->allowed);
}

bool topology_taskset_allows(const struct topology *topology, unsigned cpu)
{
    return topology->is_this_machine && !hwloc_bitmap_isset(topology->allowed, cpu) &&
           hwloc_bitmap_isset(hwloc_topology_get_allowed_cpuset(topology->hwloc), cpu) &&
           hwloc_bitmap_isset(hwloc_topology_get_topology_cpuset(topology->hwloc), cpu);
}

size_t topology_caches(const struct topology *topology, struct topology_cache *caches, size_t capacity)
{
    static const hwloc_obj_type_t types[CACHE_LEVELS] = {HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L3CACHE,
                                                         HWLOC_OBJ_L4CACHE, HWLOC_OBJ_L5CACHE};
    size_t count = 0;
    for (unsigned level = 0; level < CACHE_LEVELS && count < capacity; level++) {
        struct topology_cache cache = {.level = level + 1};
        for (hwloc_obj_t object = NULL; (object = hwloc_get_next_obj_by_type(topology->hwloc, types[level], object));) {
            if (!hwloc_bitmap_intersects(object->cpuset, topology->allowed))
                continue;
            cache.instances++;
            if (object->attr->cache.size > cache.bytes)
                cache.bytes = object->attr->cache.size;
        }
        if (cache.instances > 0)
            caches[count++] = cache;
    }
    return count;
}

size_t topology_nodes(const struct topology *topology, struct topology_node *nodes, size_t capacity)
{
    size_t count = 0;
    for (hwloc_obj_t object = NULL;
         count < capacity && (object = hwloc_get_next_obj_by_type(topology->hwloc, HWLOC_OBJ_NUMANODE, object));) {
        struct topology_node node = {.os_index = object->os_index, .bytes = object->attr->numanode.local_memory};
        for (size_t i = 0; i < topology->core_count; i++)
            node.cores += hwloc_bitmap_isset(object->cpuset, topology->cores[i].cpu) ? 1 : 0;
        nodes[count++] = node;
    }
    return count;
}

/** The data cache of a level that a CPU reaches; NULL: none, or no such CPU. */
static hwloc_obj_t cache_of_cpu(const struct topology *topology, unsigned cpu, hwloc_obj_type_t type)
{
    hwloc_obj_t pu = hwloc_get_pu_obj_by_os_index(topology->hwloc, cpu);
    return pu ? hwloc_get_ancestor_obj_by_type(topology->hwloc, type, pu) : NULL;
}

int topology_cache_share(const struct topology *topology, const unsigned *cpus, size_t count, unsigned level,
                         uint64_t *bytes)
{
    static const hwloc_obj_type_t types[] = {HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L3CACHE};
    *bytes = 0;
    if (!count || level < 1 || level > 3)
        return 0;
    /* counted by cache and not by pairs of CPUs: plans ask for every cell, of teams of hundreds */
    int caches = hwloc_get_nbobjs_by_type(topology->hwloc, types[level - 1]);
    if (caches <= 0)
        return 0;
    unsigned *sharers = calloc((size_t)caches, sizeof *sharers);
    if (!sharers)
        return -ENOMEM;
    uint64_t least = UINT64_MAX;
    for (size_t i = 0; i < count && least; i++) {
        hwloc_obj_t cache = cache_of_cpu(topology, cpus[i], types[level - 1]);
        uint64_t share = cache ? cache->attr->cache.size / ++sharers[cache->logical_index] : 0;
        least = share < least ? share : least; /* it only falls as more share the cache */
    }
    free(sharers);
    *bytes = least;
    return 0;
}

uint64_t topology_llc_bytes(const struct topology *topology, const struct topology_core *const *cores, size_t count)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < count; i++) {
        size_t before = 0;
        while (before < i && cores[before]->llc != cores[i]->llc)
            before++;
        const hwloc_obj_t llc = topology->llcs[cores[i]->llc];
        if (before == i && llc)
            bytes += llc->attr->cache.size;
    }
    return bytes;
}

const struct topology_core *topology_core_of_cpu(const struct topology *topology, unsigned cpu)
{
    cpu = joined_to(topology, cpu);
    for (size_t i = 0; i < topology->core_count; i++) { /* of a team's CPUs plans ask for every cell */
        if (topology->cores[i].cpu == cpu)
            return &topology->cores[i];
    }
    hwloc_obj_t pu = hwloc_get_pu_obj_by_os_index(topology->hwloc, cpu);
    if (!pu || !hwloc_bitmap_isset(topology->allowed, cpu))
        return NULL;
    hwloc_obj_t core = hwloc_get_ancestor_obj_by_type(topology->hwloc, HWLOC_OBJ_CORE, pu);
    for (size_t i = 0; core && i < topology->core_count; i++) {
        if (hwloc_bitmap_isset(core->cpuset, topology->cores[i].cpu))
            return &topology->cores[i];
    }
    return NULL;
}

unsigned topology_sibling(const struct topology *topology, const struct topology_core *core, unsigned index)
{
    hwloc_obj_t pu = hwloc_get_pu_obj_by_os_index(topology->hwloc, core->cpu);
    hwloc_obj_t owner = hwloc_get_ancestor_obj_by_type(topology->hwloc, HWLOC_OBJ_CORE, pu);
    int cpu = owner || index == 0 ? (int)core->cpu : -1;
    for (unsigned i = 0; i < index && cpu >= 0; i++) {
        do
            cpu = hwloc_bitmap_next(owner->cpuset, cpu);
        while (cpu >= 0 && !hwloc_bitmap_isset(topology->allowed, (unsigned)cpu));
    }
    if (cpu >= 0)
        return (unsigned)cpu;
    /* past the PUs that the machine shows as this core's: those that were joined to it, the last ones */
    unsigned from_last = core->sibling_cpus - 1 - index;
    for (size_t i = topology->joined_count; i-- > 0;) {
        if (topology->joined[i].to == core->cpu && from_last-- == 0)
            return topology->joined[i].cpu;
    }
    return core->cpu;
}

/* ---------------------------------------------------------------- binding */

int topology_bind_thread(const struct topology *topology, unsigned cpu, char *why, size_t size)
{
    if (!topology->is_this_machine) {
        snprintf(why, size, "the topology was recorded on another machine: it plans, but never binds");
        return -ENOTSUP;
    }
    if (!hwloc_bitmap_isset(topology->allowed, cpu)) {
        snprintf(why, size, "cpu %u is not allowed to this process", cpu);
        return -EXDEV;
    }
    hwloc_bitmap_t wanted = hwloc_bitmap_alloc(), got = hwloc_bitmap_alloc();
    int error = wanted && got ? 0 : -ENOMEM;
    if (error == 0) {
        hwloc_bitmap_only(wanted, cpu);
        int flags = HWLOC_CPUBIND_THREAD | HWLOC_CPUBIND_STRICT;
        if (hwloc_set_cpubind(topology->hwloc, wanted, flags) != 0 ||
            hwloc_get_cpubind(topology->hwloc, got, HWLOC_CPUBIND_THREAD) != 0 || !hwloc_bitmap_isequal(wanted, got) ||
            hwloc_get_last_cpu_location(topology->hwloc, got, HWLOC_CPUBIND_THREAD) != 0 ||
            !hwloc_bitmap_isequal(wanted, got))
            error = -EXDEV;
    }
    if (error != 0)
        snprintf(why, size, "cannot bind to cpu %u: %s", cpu,
                 error == -EXDEV ? "the affinity did not hold (is it offline?)" : strerror(-error));
    hwloc_bitmap_free(wanted);
    hwloc_bitmap_free(got);
    return error;
}

int topology_memory_node(const struct topology *topology, const void *address, size_t bytes, unsigned *node, char *why,
                         size_t size)
{
    if (!topology->is_this_machine) {
        snprintf(why, size, "the topology was recorded on another machine: it does not describe this one's memory");
        return -ENOTSUP;
    }
    hwloc_bitmap_t nodes = hwloc_bitmap_alloc();
    int error = nodes ? 0 : -ENOMEM;
    if (!error && hwloc_get_area_memlocation(topology->hwloc, address, bytes, nodes, HWLOC_MEMBIND_BYNODESET) != 0)
        error = errno == ENOSYS ? -ENOSYS : -EIO;
    int weight = error ? 0 : hwloc_bitmap_weight(nodes);
    if (!error && weight != 1)
        error = weight > 1 ? -EXDEV : -EIO;
    if (!error)
        *node = (unsigned)hwloc_bitmap_first(nodes);
    hwloc_bitmap_free(nodes);
    if (error)
        snprintf(why, size, "where memory lies: %s",
                 error == -EXDEV    ? "on several NUMA nodes"
                 : error == -ENOSYS ? "this kernel does not say"
                 : error == -ENOMEM ? "no memory to ask"
                                    : "the kernel did not answer");
    return error;
}
