/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "reports/select/run/view.h"

/** Products of OpenCL devices among the records of a run, for the figures of papers on GPUs. */

enum { DEVICES_SHOWN = 2 };

/** A device of the run; one that is a CPU says so wherever it is named. */
struct device_shown {
    const char *number; /* "opencl:0" */
    char name[64];      /* "AMD EPYC" */
    char title[64];     /* "Arc B580", "AMD EPYC (a CPU)" */
    bool is_cpu;        /* this machine's cores, and no GPU */
};

/** Those with a product, in the order of their numbers. @return how many */
size_t devices_shown(const struct view *view, struct device_shown devices[DEVICES_SHOWN]);

/** The product of a kernel, "int8_vnni4.dot"; n 0: a GEMV. NULL: it was not measured. */
const json_t *device_row(const struct view *view, const struct device_shown *device, const char *kernel, double m,
                         double k, double n);

/** Bytes a second that its memory read attains in the run; NaN: not measured. */
double device_read(const struct view *view, const struct device_shown *device);
