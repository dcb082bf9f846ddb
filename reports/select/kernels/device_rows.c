/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/select/kernels/device_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void add_device(const json_t *row, struct device_shown *devices, size_t *count)
{
    const char *number = view_text(row, "device"), *title = view_text(row, "title");
    for (size_t i = 0; i < *count; i++) {
        if (strcmp(devices[i].number, number) == 0)
            return;
    }
    if (*count == DEVICES_SHOWN)
        return;
    struct device_shown *device = &devices[(*count)++];
    device->number = number;
    device->is_cpu = strcmp(view_text(row, "kind"), "cpu") == 0;
    snprintf(device->name, sizeof device->name, "%s", *title ? title : number);
    snprintf(device->title, sizeof device->title, "%.40s%s", device->name, device->is_cpu ? " (a CPU)" : "");
}

size_t devices_shown(const struct view *view, struct device_shown devices[DEVICES_SHOWN])
{
    static const enum view_type types[] = {VIEW_DEVICE_GEMV, VIEW_DEVICE_GEMM};
    size_t count = 0;
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        for (size_t i = 0; i < view->of[types[t]].count; i++)
            add_device(view->of[types[t]].rows[i], devices, &count);
    }
    if (count == 2 && strcmp(devices[0].number, devices[1].number) > 0) {
        const struct device_shown first = devices[0];
        devices[0] = devices[1];
        devices[1] = first;
    }
    return count;
}

const json_t *device_row(const struct view *view, const struct device_shown *device, const char *kernel, double m,
                         double k, double n)
{
    const enum view_type type = n > 0 ? VIEW_DEVICE_GEMM : VIEW_DEVICE_GEMV;
    const size_t length = strlen(kernel);
    for (size_t i = 0; i < view->of[type].count; i++) {
        const json_t *row = view->of[type].rows[i];
        const char *name = view_text(row, "kernel");
        if (strcmp(view_text(row, "device"), device->number) == 0 && strncmp(name, kernel, length) == 0 &&
            name[length] == '.' && view_number(row, "m") == m && view_number(row, "k") == k &&
            (n == 0 || view_number(row, "n") == n))
            return row;
    }
    return NULL;
}

double device_read(const struct view *view, const struct device_shown *device)
{
    for (size_t i = 0; i < view->of[VIEW_DEVICE_ROOF].count; i++) {
        const json_t *row = view->of[VIEW_DEVICE_ROOF].rows[i];
        if (strcmp(view_text(row, "device"), device->number) == 0 && strcmp(view_text(row, "roof"), "memory read") == 0)
            return view_median(row, "bytes_per_s");
    }
    return NAN;
}
