/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/prediction/prediction.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platforms/described/described_open.h"
#include "results/records/record.h"
#include "roofline/overlap.h"

/* strtoul would take signs and blanks. */
static bool read_count(const char **text, unsigned long most, unsigned long *count)
{
    char *end;
    if (!isdigit((unsigned char)**text))
        return false;
    errno = 0;
    *count = strtoul(*text, &end, 10);
    *text = end;
    return errno == 0 && *count >= 1 && *count <= most;
}

static size_t all_cores(const struct described_platform *platform)
{
    size_t cores = 0;
    for (size_t i = 0; i < platform->kind_count; i++)
        cores += platform->kinds[i].cores;
    return cores;
}

static void list_possible(char *why, size_t size)
{
    struct described_platform known;
    char name[128], ignored[256];
    const char *glue = " ";
    for (size_t i = 0; described_known_name(i, name, sizeof name); i++) {
        size_t used = strlen(why);
        if (described_find(name, &known, ignored, sizeof ignored) != 0)
            continue;
        if (!described_lacks(&known)) {
            snprintf(why + used, size - used, "%s%s", glue, name);
            glue = ", ";
        }
        described_free(&known);
    }
}

int prediction_possible(const struct described_platform *platform, char *why, size_t size)
{
    const char *lacks = described_lacks(platform);
    if (!lacks)
        return 0;
    snprintf(why, size, "%s cannot be predicted: %s; these can:", platform->name, lacks);
    list_possible(why, size);
    return -ENODATA;
}

static int too_many(const struct described_platform *platform, const char *text, char *why, size_t size)
{
    int used = snprintf(why, size, "'%s' asks for more cores than %s has:", text, platform->name);
    for (size_t i = 0; i < platform->kind_count && used >= 0 && (size_t)used < size; i++)
        used += snprintf(why + used, size - (size_t)used, " %s=%zu", platform->kinds[i].kind, platform->kinds[i].cores);
    return -ERANGE;
}

static void take_in_order(const struct described_platform *platform, size_t cores, struct prediction_team *team)
{
    for (size_t i = 0; i < platform->kind_count; i++) {
        size_t left = cores - team->total;
        team->cores[i] = left < platform->kinds[i].cores ? left : platform->kinds[i].cores;
        team->total += team->cores[i];
    }
}

/* Index of the kind that text begins with, followed by '='. */
static size_t kind_at(const char *text, const struct described_platform *platform)
{
    for (size_t i = 0; i < platform->kind_count; i++) {
        size_t length = strlen(platform->kinds[i].kind);
        if (strncasecmp(text, platform->kinds[i].kind, length) == 0 && text[length] == '=')
            return i;
    }
    return platform->kind_count;
}

static int take_by_kind(const char *text, const struct described_platform *platform, struct prediction_team *team)
{
    const char *rest = text;
    do {
        size_t kind = kind_at(rest, platform);
        if (kind == platform->kind_count || team->cores[kind] > 0)
            return -EINVAL;
        rest += strlen(platform->kinds[kind].kind) + 1;
        unsigned long cores;
        if (!read_count(&rest, 1ul << 20, &cores))
            return -EINVAL;
        if (cores > platform->kinds[kind].cores)
            return -ERANGE;
        team->cores[kind] = cores;
        team->total += cores;
    } while (*rest++ == ',');
    return rest[-1] == '\0' ? 0 : -EINVAL;
}

int prediction_plan_team(const char *text, const struct described_platform *platform, struct prediction_team *team,
                         char *why, size_t size)
{
    *team = (struct prediction_team){0};
    if (platform->kind_count > PREDICTION_MOST_KINDS) {
        snprintf(why, size, "%s has %zu kinds of cores; at most %d can be predicted", platform->name,
                 platform->kind_count, PREDICTION_MOST_KINDS);
        return -EINVAL;
    }
    size_t available = all_cores(platform);
    const char *rest = text;
    unsigned long cores = available;
    int error = 0;
    if (!text || (read_count(&rest, 1ul << 20, &cores) && *rest == '\0')) {
        if (cores > available)
            return too_many(platform, text, why, size);
        take_in_order(platform, cores, team);
    } else {
        error = take_by_kind(text, platform, team);
    }
    if (error == -ERANGE)
        return too_many(platform, text, why, size);
    if (error != 0)
        snprintf(why, size, "bad threads '%s' for %s; give a number such as %zu, or a number by kind such as %s=1",
                 text, platform->name, available, platform->kinds[0].kind);
    return error;
}

static int lacks_gamma(const struct described_platform *platform, const struct described_kind *kind, const char *kernel,
                       char *why, size_t size)
{
    int used =
        snprintf(why, size, "%s has no gamma of '%s' on its %s cores; it has:", platform->name, kernel, kind->kind);
    for (size_t i = 0; i < kind->gamma_count && used >= 0 && (size_t)used < size; i++)
        used += snprintf(why + used, size - (size_t)used, "%s %s", i > 0 ? "," : "", kind->gammas[i].name);
    if (kind->gamma_count == 0 && used >= 0 && (size_t)used < size)
        snprintf(why + used, size - (size_t)used, " none");
    return -ENOENT;
}

static int find_gammas(struct prediction *prediction, char *why, size_t size)
{
    const struct described_platform *platform = prediction->platform;
    for (size_t i = 0; i < platform->kind_count; i++) {
        const struct described_kind *kind = &platform->kinds[i];
        const struct described_kernel *kernel = described_kernel_of(kind, prediction->kernel);
        const struct described_gamma *gamma = described_gamma_of(kind, kernel ? kernel->name : prediction->kernel);
        if (prediction->team.cores[i] == 0)
            continue;
        if (!gamma && !kernel)
            return lacks_gamma(platform, kind, prediction->kernel, why, size);
        double bits_per_weight = kernel ? kernel->bits_per_weight : gamma->bits_per_weight;
        if (!isnan(prediction->bits_per_weight) && bits_per_weight != prediction->bits_per_weight) {
            snprintf(why, size, "%s gives '%s' different bits a weight on different kinds of cores", platform->name,
                     prediction->kernel);
            return -EINVAL;
        }
        prediction->bits_per_weight = bits_per_weight;
        prediction->kernels[i] = kernel;
        prediction->gamma_names[i] = kernel ? kernel->name : gamma->name;
        prediction->kinds[i] = (struct roofline_kind){.cores = prediction->team.cores[i],
                                                      .hz = kind->core_hz,
                                                      .beta = kind->beta,
                                                      .gamma = kernel ? kernel->cycles : gamma->cycles};
    }
    return 0;
}

/** Bytes per cycle of one core with omega: what it reads alone limits it, and what the others leave to it. */
static double overlapped_bandwidth(const struct prediction *prediction, size_t i)
{
    const struct roofline_kind *kind = &prediction->kinds[i];
    double bytes = prediction->bytes_per_vector, alone = prediction->platform->kinds[i].beta_alone;
    if (!prediction->kernels[i])
        return NAN;
    double cycles =
        overlap_team_time(prediction->team.total, bytes / kind->beta, bytes / (isnan(alone) ? kind->beta : alone),
                          kind->gamma, prediction->kernels[i]->omega);
    return bytes / cycles;
}

static double overlapped_machine_bandwidth(const struct prediction *prediction)
{
    double sum = 0;
    for (size_t i = 0; i < prediction->platform->kind_count; i++) {
        const struct roofline_kind *kind = &prediction->kinds[i];
        if (kind->cores > 0)
            sum += (double)kind->cores * kind->hz * overlapped_bandwidth(prediction, i);
    }
    return sum;
}

static void predict_time(struct prediction *prediction)
{
    const struct described_platform *platform = prediction->platform;
    double synchronisation_s = isnan(platform->synchronisation_s) ? 0 : platform->synchronisation_s;
    if (!isnan(platform->start_s))
        synchronisation_s = platform->start_s;
    double weights = (double)prediction->shape.m * (double)prediction->shape.k;
    prediction->packed_bytes = weights * prediction->bits_per_weight / 8;
    prediction->predicted_s =
        roofline_gemv_seconds(prediction->kinds, platform->kind_count, prediction->bytes_per_vector,
                              prediction->packed_bytes, synchronisation_s);
    prediction->predicted_serial_s =
        roofline_gemv_seconds_serial(prediction->kinds, platform->kind_count, prediction->bytes_per_vector,
                                     prediction->packed_bytes, synchronisation_s);
    prediction->predicted_overlap_s = prediction->packed_bytes / prediction->bytes_per_s_overlap + synchronisation_s;
}

int prediction_make(const struct described_platform *platform, const char *kernel, const struct prediction_team *team,
                    struct prediction_shape shape, struct prediction *prediction, char *why, size_t size)
{
    *prediction = (struct prediction){.platform = platform,
                                      .kernel = kernel,
                                      .team = *team,
                                      .shape = shape,
                                      .bits_per_weight = NAN,
                                      .packed_bytes = NAN,
                                      .predicted_s = NAN,
                                      .predicted_serial_s = NAN,
                                      .predicted_overlap_s = NAN};
    int error = find_gammas(prediction, why, size);
    if (error != 0)
        return error;
    double bytes = roofline_vector_bytes(prediction->bits_per_weight);
    prediction->bytes_per_vector = bytes;
    prediction->bytes_per_s = roofline_machine_bandwidth(prediction->kinds, platform->kind_count, bytes);
    prediction->bytes_per_s_serial = roofline_machine_bandwidth_serial(prediction->kinds, platform->kind_count, bytes);
    prediction->bytes_per_s_overlap = overlapped_machine_bandwidth(prediction);
    if (shape.m > 0)
        predict_time(prediction);
    return 0;
}

static json_t *kind_record(const struct prediction *prediction, size_t i)
{
    const struct described_kind *described = &prediction->platform->kinds[i];
    const struct described_kernel *kernel = prediction->kernels[i];
    const struct roofline_kind *kind = &prediction->kinds[i];
    double bytes = prediction->bytes_per_vector;
    return json_pack("{s:s,s:I,s:f,s:f,s:s,s:o,s:s,s:f,s:o,s:o,s:o,s:f,s:f,s:f,s:o,s:s}", "kind", described->kind,
                     "cores", (json_int_t)kind->cores, "core_hz", kind->hz, "beta", kind->beta, "beta_from",
                     described->beta_is_derived ? "read_bandwidth" : "stated", "beta_alone",
                     record_number_or_null(described->beta_alone), "gamma_used", prediction->gamma_names[i], "gamma",
                     kind->gamma, "omega", record_number_or_null(kernel ? kernel->omega : NAN), "omega_low",
                     record_number_or_null(kernel ? kernel->omega_low : NAN), "omega_high",
                     record_number_or_null(kernel ? kernel->omega_high : NAN), "knee",
                     roofline_knee(bytes, kind->gamma), "effective_bandwidth",
                     roofline_effective_bandwidth(kind->beta, bytes, kind->gamma), "effective_bandwidth_serial",
                     roofline_effective_bandwidth_serial(kind->beta, bytes, kind->gamma), "effective_bandwidth_overlap",
                     record_number_or_null(overlapped_bandwidth(prediction, i)), "binds",
                     roofline_bound_name(roofline_binds(kind->beta, bytes, kind->gamma)));
}

json_t *prediction_record(const struct prediction *prediction)
{
    const struct described_platform *platform = prediction->platform;
    json_t *kinds = json_array();
    for (size_t i = 0; i < platform->kind_count; i++) {
        if (prediction->kinds[i].cores > 0)
            json_array_append_new(kinds, kind_record(prediction, i));
    }
    json_t *record = json_pack(
        "{s:s,s:s++,s:s,s:s,s:s,s:s,s:I,s:f,s:f,s:o,s:f,s:f,s:o,s:o,s:o}", "type", "prediction", "name", platform->name,
        "/", prediction->kernel, "platform", platform->name, "kernel", prediction->kernel, "grade", "model", "model",
        isfinite(prediction->bytes_per_s_overlap) ? "overlap" : "max", "threads", (json_int_t)prediction->team.total,
        "bits", prediction->bits_per_weight, "bytes_per_vector", prediction->bytes_per_vector, "kinds", kinds,
        "bytes_per_s", prediction->bytes_per_s, "bytes_per_s_serial", prediction->bytes_per_s_serial,
        "bytes_per_s_overlap", record_number_or_null(prediction->bytes_per_s_overlap), "synchronisation_s",
        record_number_or_null(platform->synchronisation_s), "start_s", record_number_or_null(platform->start_s));
    if (record && prediction->shape.m > 0) {
        json_object_set_new(record, "m", json_integer((json_int_t)prediction->shape.m));
        json_object_set_new(record, "k", json_integer((json_int_t)prediction->shape.k));
        json_object_set_new(record, "packed_bytes", record_number_or_null(prediction->packed_bytes));
        json_object_set_new(record, "predicted_s", record_number_or_null(prediction->predicted_s));
        json_object_set_new(record, "predicted_serial_s", record_number_or_null(prediction->predicted_serial_s));
        json_object_set_new(record, "predicted_overlap_s", record_number_or_null(prediction->predicted_overlap_s));
    }
    return record;
}
