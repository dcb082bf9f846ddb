/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/devices/opencl.h"

#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platforms/devices/opencl_entries.h"
#include "platforms/devices/opencl_facts.h"
#include "platforms/devices/opencl_query.h"
#include "platforms/process/child.h"

#define FOR_ANY_CPU "for any CPU (Debian): sudo apt install "

/** A driver of several GPUs that are asleep takes seconds. */
enum { LIMIT_MS = 20000 };

void opencl_source_host(struct opencl_source *source)
{
    static const char *const libraries[] = {"libOpenCL.so.1", NULL};
    const char *vendors = getenv("OCL_ICD_VENDORS");
    *source = (struct opencl_source){
        .libraries = libraries,
        .vendors = vendors && vendors[0] ? vendors : "/etc/OpenCL/vendors",
        .limit_ms = LIMIT_MS,
    };
}

struct report {
    int status;
    int32_t error; /* of OpenCL */
    char why[OPENCL_REASON];
    struct opencl_listing listing;
};

static void list_here(void *argument, void *out)
{
    const struct opencl_source *source = argument;
    struct report *report = out;
    struct opencl_functions opencl;
    void *handles[OPENCL_DEVICES];
    report->status = opencl_load(source->libraries, NULL, &opencl, report->why, sizeof report->why);
    if (report->status == 0)
        report->status = opencl_query(&opencl, &report->listing, handles, &report->error);
}

__attribute__((format(printf, 2, 3))) static void say(char text[OPENCL_REASON], const char *format, ...)
{
    char whole[2 * OPENCL_REASON];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(whole, sizeof whole, format, arguments);
    va_end(arguments);
    opencl_text(whole, text, OPENCL_REASON);
}

/** What became of the child that did not return. */
static void explain_end(const struct opencl_source *source, const struct child_result *child,
                        struct opencl_listing *listing)
{
    char said[CHILD_SAID];
    child_said(child->printed, said);
    switch (child->outcome) {
    case CHILD_CRASHED:
        say(listing->cause, "the OpenCL loader or a driver crashed (%s)%s", strsignal(child->detail), said);
        break;
    case CHILD_EXITED:
        say(listing->cause, "the OpenCL loader or a driver ended the process with status %d%s", child->detail, said);
        break;
    case CHILD_HUNG:
        say(listing->cause, "the OpenCL loader or a driver did not answer within %g s%s", 1e-3 * source->limit_ms,
            said);
        break;
    case CHILD_RETURNED:
    case CHILD_WROTE:
        say(listing->cause, "the OpenCL loader or a driver wrote over what is not its own%s", said);
        break;
    default:
        say(listing->cause, "cannot list OpenCL devices in a process of their own: %s", strerror(child->detail));
        return;
    }
    say(listing->remedy, "see which by one file at a time: OCL_ICD_VENDORS=%s/NAME.icd kneepoint info",
        source->vendors);
}

static void explain_status(const struct report *report, struct opencl_listing *listing)
{
    if (report->status == -ENOENT) {
        say(listing->cause, "libOpenCL.so.1 is not installed");
        say(listing->remedy, FOR_ANY_CPU "ocl-icd-libopencl1 pocl-opencl-icd");
    } else if (report->status == -ELIBBAD) {
        say(listing->cause, "libOpenCL.so.1 cannot be loaded: %s", report->why);
        say(listing->remedy, "install it again (Debian: ocl-icd-libopencl1)");
    } else if (report->status == -EIO) {
        say(listing->cause, "the OpenCL loader cannot list its platforms: OpenCL error %d", report->error);
    } else {
        say(listing->cause, "cannot list OpenCL devices: %s", strerror(-report->status));
    }
}

static int is_driver(const struct dirent *entry)
{
    const char *end = strrchr(entry->d_name, '.');
    return end && strcmp(end, ".icd") == 0;
}

/** The loader leaves out a driver that it cannot load, without a word. */
static void explain_no_platform(const struct opencl_source *source, struct opencl_listing *listing)
{
    struct dirent **drivers;
    char names[OPENCL_REASON] = "";
    size_t length = 0;
    int count = scandir(source->vendors, &drivers, is_driver, alphasort);
    if (count < 0 && errno != ENOENT && errno != ENOTDIR) {
        say(listing->cause, "cannot read %s, where OpenCL drivers (ICDs) are: %s", source->vendors, strerror(errno));
        return;
    }
    if (count < 0 && errno == ENOTDIR) {
        say(listing->cause, "the OpenCL driver (ICD) that %s names does not load", source->vendors);
        return;
    }
    for (int d = 0; d < count; d++) {
        if (length < sizeof names)
            length +=
                (size_t)snprintf(names + length, sizeof names - length, "%s%s", d ? ", " : "", drivers[d]->d_name);
        free(drivers[d]);
    }
    if (count >= 0)
        free(drivers);
    if (count > 0) {
        say(listing->cause, "no OpenCL driver (ICD) of %s loads: %s", source->vendors, names);
        say(listing->remedy, "install its package again");
    } else {
        say(listing->cause, "no OpenCL driver (ICD) is installed in %s", source->vendors);
        say(listing->remedy, FOR_ANY_CPU "pocl-opencl-icd");
    }
}

static void explain_no_device(const struct opencl_source *source, struct opencl_listing *listing)
{
    if (listing->platform_count == 0) {
        explain_no_platform(source, listing);
        return;
    }
    say(listing->cause, "no OpenCL driver has a device");
    say(listing->remedy, FOR_ANY_CPU "pocl-opencl-icd");
}

void opencl_list(const struct opencl_source *source, struct opencl_listing *listing)
{
    struct opencl_source given = *source;
    struct child_result child = {.outcome = CHILD_FAILED, .detail = ENOMEM};
    struct report *report = calloc(1, sizeof *report);
    *listing = (struct opencl_listing){0};
    if (report)
        child_run(list_here, &given, report, sizeof *report, source->limit_ms, &child);
    if (report)
        report->why[sizeof report->why - 1] = '\0';
    if (child.outcome != CHILD_RETURNED)
        explain_end(source, &child, listing);
    else if (report->status != 0)
        explain_status(report, listing);
    else if (!opencl_is_sound(&report->listing))
        explain_end(source, &child, listing);
    else
        *listing = report->listing;
    if (!listing->cause[0] && listing->device_count == 0)
        explain_no_device(source, listing);
    free(report);
}
