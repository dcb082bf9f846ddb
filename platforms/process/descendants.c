/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/process/descendants.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

void descendants_list(struct descendants *now)
{
    char line[DESCENDANTS_MOST * 8] = "";
    int fd = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
    ssize_t got = fd < 0 ? -1 : read(fd, line, sizeof line - 1);
    if (fd >= 0)
        close(fd);
    line[got > 0 ? got : 0] = '\0';
    now->count = 0;
    char *at = line, *end;
    for (long pid; now->count < DESCENDANTS_MOST && (pid = strtol(at, &end, 10)) > 1 && end != at; at = end)
        now->pid[now->count++] = (pid_t)pid;
}

static bool is_among(const struct descendants *list, pid_t pid)
{
    bool found = false;
    for (size_t i = 0; !found && i < list->count; i++)
        found = list->pid[i] == pid;
    return found;
}

void descendants_kill(const struct descendants *spared)
{
    enum { ROUNDS = 100 };
    struct descendants now;
    for (int round = 0; round < ROUNDS; round++) {
        size_t killed = 0;
        descendants_list(&now);
        for (size_t i = 0; i < now.count; i++) {
            if (is_among(spared, now.pid[i]))
                continue;
            kill(now.pid[i], SIGKILL);
            killed += waitpid(now.pid[i], NULL, 0) == now.pid[i];
        }
        if (!killed)
            return;
    }
}
