/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/devices/claim.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int device_claim(const char *device, char *why, size_t size)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX}; /* a name that begins with 0 is no file */
    int length = snprintf(name.sun_path + 1, sizeof name.sun_path - 1, "kneepoint/%.64s", device);
    int held = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    int error = held < 0 ? errno : 0;
    socklen_t bytes = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);
    if (!error && bind(held, (struct sockaddr *)&name, bytes) != 0)
        error = errno;
    if (error && held >= 0)
        close(held);
    if (error == EADDRINUSE) {
        snprintf(why, size, "another process of kneepoint measures on %s: wait until it has ended", device);
        return -EBUSY;
    }
    if (error)
        snprintf(why, size, "cannot claim %s: %s", device, strerror(error));
    return -error;
}
