/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/plan/plan_schedules.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/cells/product/product_cells.h"
#include "results/text/refuse.h"
#include "roofline/ebw.h"

bool plan_schedules_any(const struct plan_schedules *schedules)
{
    return schedules->count || schedules->slow_speed > 0;
}

/** A paper's gamma is of a sequence, whose name there has no ISA. */
static const struct described_gamma *gamma_there(const struct described_kind *kind, const char *name)
{
    char without_isa[128];
    const struct described_gamma *gamma = described_gamma_of(kind, name);
    const char *isa = strrchr(name, '.');
    snprintf(without_isa, sizeof without_isa, "%.*s", isa ? (int)(isa - name) : 0, name);
    return gamma ? gamma : described_gamma_of(kind, without_isa);
}

/** e_bw x clock of a kind of core of the platform, all cores reading; 0 where that does not follow from its file. */
static double weight_there(const struct described_platform *platform, const struct kernel *kernel, enum core_kind kind)
{
    for (size_t i = 0; i < platform->kind_count; i++) {
        const struct described_kind *there = &platform->kinds[i];
        const struct described_kernel *known = described_kernel_of(there, kernel->name);
        const struct described_gamma *gamma = gamma_there(there, kernel_gamma(kernel));
        if (strcmp(there->kind, core_kind_name(kind)) != 0 || (!known && !gamma))
            continue;
        double bytes = roofline_vector_bytes(known ? known->bits_per_weight : gamma->bits_per_weight);
        double e_bw = roofline_effective_bandwidth(there->beta, bytes, known ? known->cycles : gamma->cycles);
        double weight = there->core_hz * e_bw;
        return weight > 0 && isfinite(weight) ? weight : 0;
    }
    return 0;
}

double plan_schedules_weight(const struct plan_schedules *schedules, const struct kernel *kernel, enum core_kind kind)
{
    return schedules->platform ? weight_there(schedules->platform, kernel, kind) : schedules->weights[kind];
}

/** Whether a schedule among them needs weights that are given. */
static bool uses_given_weights(const struct plan_schedules *schedules)
{
    bool uneven = false;
    for (size_t i = 0; i < schedules->count; i++)
        uneven = uneven || schedules->kinds[i] != SCHEDULE_STATIC;
    return uneven && schedules->weights_source;
}

int plan_schedules_check(const struct plan_schedules *schedules, const struct session *session,
                         const struct kernel *const *kernels, size_t count, unsigned widest, char *why, size_t size)
{
    if (!plan_schedules_any(schedules))
        return 0;
    if (widest < 2)
        return refuse(-EINVAL, why, size,
                      "a schedule needs a team of two threads or more, and this team has one (--threads, --cpus)");
    if (schedules->slow_speed > 0 && schedules->slow_member >= widest)
        return refuse(-EINVAL, why, size, "--slow-member %u is not in a team of %u, whose members are 0 to %u",
                      schedules->slow_member, widest, widest - 1);
    for (size_t i = 0; uses_given_weights(schedules) && i < count * widest; i++) {
        enum core_kind kind = session_kind(session, (unsigned)(i % widest));
        if (!(plan_schedules_weight(schedules, kernels[i / widest], kind) > 0))
            return refuse(-EINVAL, why, size,
                          "--weights=%s has no weight of this team's %s cores for %s; --weights=measured, or give one "
                          "by kind, such as P=2,E=1",
                          schedules->weights_source, core_kind_name(kind), kernels[i / widest]->name);
    }
    return 0;
}

static unsigned leader_of(const struct session *session, unsigned member)
{
    unsigned leader = 0;
    while (session_kind(session, leader) != session_kind(session, member))
        leader++;
    return leader;
}

size_t plan_schedules_times(const struct plan_schedules *schedules)
{
    return schedules->count ? schedules->count : 1;
}

struct product_schedule_request plan_schedules_request(const struct plan_schedules *schedules,
                                                       const struct session *session, const struct kernel *kernel,
                                                       unsigned threads, size_t i,
                                                       struct plan_schedules_members *members)
{
    for (unsigned t = 0; t < threads; t++) {
        bool slow = schedules->slow_speed > 0 && schedules->slow_member == t;
        members->speeds[t] = slow ? schedules->slow_speed : 1;
        members->leaders[t] = leader_of(session, t);
        members->weights[t] = plan_schedules_weight(schedules, kernel, session_kind(session, t));
    }
    return (struct product_schedule_request){
        .kind = schedules->count ? schedules->kinds[i] : SCHEDULE_STATIC,
        .tail_share = schedules->tail_share,
        .weights = schedules->weights_source ? members->weights : NULL,
        .weights_source = schedules->weights_source,
        .speeds = members->speeds,
        .leaders = members->leaders,
    };
}

/** What the members attain while all work, which every schedule of GEMVs is held against. */
static int add_contended(const struct plan_schedules *schedules, const struct session *session, struct cells *cells,
                         const struct kernel *kernel, const struct shape *shape, unsigned threads, bool cold)
{
    struct plan_schedules_members members;
    struct product_schedule_request request = plan_schedules_request(schedules, session, kernel, threads, 0, &members);
    request.kind = SCHEDULE_WEIGHTED;
    request.contended = true;
    return product_add_scheduled(cells, kernel, shape, PRODUCT_GEMV, threads, cold, &request);
}

int plan_schedules_add(const struct plan_schedules *schedules, const struct session *session, struct cells *cells,
                       const struct kernel *kernel, const struct shape *shape, size_t tokens, unsigned threads,
                       bool cold)
{
    struct plan_schedules_members members;
    int error = 0;
    for (size_t i = 0; !error && i < plan_schedules_times(schedules); i++) {
        const struct product_schedule_request request =
            plan_schedules_request(schedules, session, kernel, threads, i, &members);
        for (unsigned t = 0; !error && t < threads; t++) {
            unsigned of = members.speeds[t] < 1 ? t : members.leaders[t];
            error = product_add_alone(cells, kernel, shape, tokens, of, members.speeds[t], cold);
        }
        if (!error && threads > 1)
            error = product_add_scheduled(cells, kernel, shape, tokens, threads, cold, &request);
    }
    bool contended = threads > 1 && tokens == PRODUCT_GEMV;
    return error || !contended ? error : add_contended(schedules, session, cells, kernel, shape, threads, cold);
}
