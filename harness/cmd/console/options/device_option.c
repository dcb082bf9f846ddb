/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/console/options/device_option.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/cmd/console/console.h"
#include "harness/command/exit_code.h"
#include "platforms/devices/claim.h"
#include "results/files/folder.h"
#include "results/files/need.h"
#include "results/text/refuse.h"

static char written[sizeof((struct device *)0)->folder]; /* by the driver; once a process */
static pid_t tool;

/** However the tool ends; a worker that a driver ends has no part in it. */
static void remove_written(void)
{
    if (getpid() == tool)
        temporary_folder_remove(written);
}

static int make_folder(struct device *device, char *why, size_t size)
{
    tool = getpid();
    if (atexit(remove_written) != 0)
        return refuse(-ENOMEM, why, size, "%s", strerror(ENOMEM));
    int error = temporary_folder_make(written, sizeof written, why, size);
    snprintf(device->folder, sizeof device->folder, "%s", written);
    return error;
}

static int choose(const char *command, const char *named, const struct opencl_listing *listing, struct device *device)
{
    char why[2 * OPENCL_REASON];
    int index = opencl_find(listing, named, why, sizeof why);
    if (index < 0)
        return complain(EXIT_USAGE, command, "%s", why);
    device->index = (uint32_t)index;
    device->facts = listing->devices[index];
    snprintf(device->number, sizeof device->number, "opencl:%d", index);
    snprintf(device->platform, sizeof device->platform, "%s", listing->platforms[device->facts.platform].name);
    int error = device_claim(device->number, why, sizeof why);
    if (!error)
        error = make_folder(device, why, sizeof why);
    return error ? complain(EXIT_USAGE, command, "%s", why) : EXIT_DONE;
}

int device_option_find(const char *command, const char *named, struct device *device)
{
    struct opencl_listing *listing = need(1, sizeof *listing);
    *device = (struct device){0};
    if (!listing)
        return complain(EXIT_USAGE, command, "%s", strerror(ENOMEM));
    opencl_source_host(&device->source);
    opencl_list(&device->source, listing);
    int code = choose(command, named, listing, device);
    free(listing);
    return code;
}

int device_option_refuse(const char *command, const char *option)
{
    return complain(EXIT_USAGE, command,
                    "%s is of this machine's cores, and --device runs on a device; give one of the two", option);
}
