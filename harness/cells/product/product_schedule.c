/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/product/product_schedule.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cells/cell/fields.h"
#include "results/text/words.h"

static const char measured[] = "measured";

bool product_schedule_is_plain(const struct product_schedule_request *request, unsigned threads)
{
    bool plain = (request->kind == SCHEDULE_STATIC && !request->contended) || threads == 1;
    for (unsigned t = 0; request->speeds && t < threads; t++)
        plain = plain && request->speeds[t] == 1;
    return plain;
}

/** With its arrays after it. */
static size_t bytes_of(unsigned threads)
{
    return sizeof(struct product_schedule) + threads * (2 * sizeof(double) + sizeof(uint64_t) + sizeof(unsigned));
}

void *product_schedule_memory(struct product_schedule *schedule, size_t *bytes)
{
    *bytes = schedule ? bytes_of(schedule->members) : 0;
    return schedule;
}

struct product_schedule *product_schedule_make(const struct product_schedule_request *request, unsigned threads)
{
    struct product_schedule *schedule = calloc(1, bytes_of(threads));
    if (!schedule)
        return NULL;
    schedule->kind = threads == 1 ? SCHEDULE_STATIC : request->kind;
    schedule->tail_share = request->tail_share;
    schedule->contended = request->contended;
    schedule->members = threads;
    schedule->weight = (double *)(schedule + 1);
    schedule->speed = schedule->weight + threads;
    schedule->pieces = (uint64_t *)(schedule->speed + threads);
    schedule->leader = (unsigned *)(schedule->pieces + threads);
    for (unsigned t = 0; t < threads; t++) {
        schedule->leader[t] = request->leaders ? request->leaders[t] : 0;
        schedule->weight[t] = 1;
        schedule->speed[t] = request->speeds ? request->speeds[t] : 1;
    }
    schedule->weights = "";
    if (schedule->kind == SCHEDULE_STATIC)
        return schedule;
    schedule->weights = request->weights ? request->weights_source : measured;
    if (request->weights)
        product_schedule_set_weights(schedule, request->weights);
    return schedule;
}

void product_schedule_release(struct product_schedule *schedule)
{
    free(schedule);
}

struct schedule product_schedule_of(const struct product_schedule *schedule)
{
    if (!schedule)
        return (struct schedule){.kind = SCHEDULE_STATIC};
    return (struct schedule){.kind = schedule->kind, .weights = schedule->weight, .tail_share = schedule->tail_share};
}

bool product_schedule_needs_weights(const struct product_schedule *schedule)
{
    return schedule && schedule->kind != SCHEDULE_STATIC && !schedule->weighed;
}

bool product_schedule_measures_weights(const struct product_schedule *schedule)
{
    return schedule && schedule->kind != SCHEDULE_STATIC && strcmp(schedule->weights, measured) == 0;
}

void product_schedule_set_weights(struct product_schedule *schedule, const double *rates)
{
    double most = 0;
    for (unsigned t = 0; t < schedule->members; t++)
        most = fmax(most, rates[t]);
    for (unsigned t = 0; t < schedule->members; t++)
        schedule->weight[t] = rates[t] / most;
    schedule->weighed = true;
}

bool product_schedule_is_emulated(const struct product_schedule *schedule)
{
    for (unsigned t = 0; schedule && t < schedule->members; t++) {
        if (schedule->speed[t] < 1)
            return true;
    }
    return false;
}

void product_schedule_suffix(const struct product_schedule *schedule, unsigned member, char *text, size_t size)
{
    *text = '\0';
    if (schedule->kind != SCHEDULE_STATIC)
        words_append(text, size, "/schedule=%s", schedule_name(schedule->kind));
    if (schedule->kind == SCHEDULE_DYNAMIC && schedule->tail_share != SCHEDULE_TAIL_SHARE)
        words_append(text, size, "/tail=%g%%", 100 * schedule->tail_share);
    if (schedule->kind != SCHEDULE_STATIC && strcmp(schedule->weights, measured) != 0)
        words_append(text, size, "/weights=%s", schedule->weights);
    if (member)
        words_append(text, size, "/member=%u", member);
    for (unsigned t = 0; t < schedule->members; t++) {
        if (schedule->speed[t] < 1)
            words_append(text, size, "/speed=%u:%g", member + t, schedule->speed[t]);
    }
    if (schedule->contended)
        words_append(text, size, "/contended");
}

void product_schedule_name(const struct product_schedule *schedule, struct cell *cell)
{
    size_t used = strlen(cell->name);
    product_schedule_suffix(schedule, cell->member, cell->name + used, sizeof cell->name - used);
}

void product_schedule_describe(const struct product_schedule *schedule, json_t *record)
{
    if (!schedule || !schedule->weighed)
        return;
    json_t *weights = json_array();
    for (unsigned t = 0; t < schedule->members; t++)
        json_array_append_new(weights, json_real(schedule->weight[t]));
    field_set(record, "weights", weights);
    field_set(record, "weights_n", json_integer((json_int_t)schedule->weights_n));
}

void product_schedule_restore(struct product_schedule *schedule, const json_t *record)
{
    const json_t *weights = json_object_get(record, "weights");
    if (!schedule || schedule->kind == SCHEDULE_STATIC || json_array_size(weights) != schedule->members)
        return;
    for (unsigned t = 0; t < schedule->members; t++) {
        double weight = json_number_value(json_array_get(weights, t));
        if (!(weight > 0 && weight <= 1))
            return;
    }
    for (unsigned t = 0; t < schedule->members; t++)
        schedule->weight[t] = json_number_value(json_array_get(weights, t));
    schedule->weights_n = (size_t)json_integer_value(json_object_get(record, "weights_n"));
    schedule->weighed = true;
}
