/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/compare/live_process.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "results/text/refuse.h"

int live_offers_take(const json_t *records, struct live_offers *offers)
{
    offers->offer = calloc(json_array_size(records) + 1, sizeof *offers->offer);
    if (!offers->offer)
        return -ENOMEM;
    for (size_t i = 0; i < json_array_size(records); i++) {
        const char *name, *label, *class;
        int threads, cold;
        if (json_unpack(json_array_get(records, i), "{s:s, s:s, s:s, s:i, s:b}", "name", &name, "label", &label,
                        "class", &class, "threads", &threads, "cold", &cold) != 0)
            continue;
        struct live_offer *offer = &offers->offer[offers->count++];
        *offer = (struct live_offer){
            .name = strdup(name),
            .label = strdup(label),
            .class = strcmp(class, compare_class_name(COMPARE_CORE)) == 0 ? COMPARE_CORE : COMPARE_MEMORY,
            .threads = (unsigned)threads,
            .cold = cold,
        };
        if (!offer->name || !offer->label)
            return -ENOMEM;
    }
    return 0;
}

void live_offers_release(struct live_offers *offers)
{
    for (size_t i = 0; i < offers->count; i++) {
        free(offers->offer[i].name);
        free(offers->offer[i].label);
    }
    free(offers->offer);
    *offers = (struct live_offers){0};
}

const struct live_offer *live_offers_find(const struct live_offers *offers, const char *label)
{
    for (size_t i = 0; i < offers->count; i++) {
        if (strcmp(offers->offer[i].label, label) == 0)
            return &offers->offer[i];
    }
    return NULL;
}

/** Whether it has a product of a kind, "gemv" or "gemm". */
static bool has_product(const struct live_offers *offers, const char *kind)
{
    for (size_t i = 0; i < offers->count; i++) {
        const char *label = offers->offer[i].label;
        if (strncmp(label, kind, strlen(kind)) == 0 && label[strlen(kind)] == '/')
            return true;
    }
    return false;
}

int live_offers_check(const struct live_offers sides[2], const char *const given[2], char *why, size_t size)
{
    const char *kind[2];
    for (int side = 0; side < 2; side++) {
        bool gemv = has_product(&sides[side], "gemv"), gemm = has_product(&sides[side], "gemm");
        kind[side] = gemv == gemm ? NULL
                     : gemv       ? "GEMV"
                                  : "GEMM"; /* with both, or neither, there is something in common */
    }
    if (!kind[0] || !kind[1] || kind[0] == kind[1])
        return 0;
    return refuse(-EINVAL, why, size,
                  "%s has no %s and %s no %s, so no product of theirs can be compared; name two kernels that both have "
                  "one (`kneepoint list kernels`), or compare their steps with --cell=gamma",
                  given[0], kind[1], given[1], kind[0]);
}
