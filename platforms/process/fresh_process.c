/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/process/fresh_process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "platforms/clock/clock.h"

extern char **environ;

enum { OUTPUT, ERROR, PIPES, READ_END = 0, WRITE_END = 1 };

/** Bytes of one of the pipes so far. */
struct taken {
    char *bytes;
    size_t length, capacity;
};

static void close_pipes(int pipes[PIPES][2])
{
    for (int p = 0; p < PIPES; p++) {
        for (int end = 0; end < 2; end++) {
            if (pipes[p][end] >= 0)
                close(pipes[p][end]);
            pipes[p][end] = -1;
        }
    }
}

static int open_pipes(int pipes[PIPES][2])
{
    for (int p = 0; p < PIPES; p++)
        pipes[p][READ_END] = pipes[p][WRITE_END] = -1;
    for (int p = 0; p < PIPES; p++) {
        if (pipe2(pipes[p], O_CLOEXEC) != 0) {
            int error = errno;
            close_pipes(pipes);
            return error;
        }
    }
    return 0;
}

static int start(const char *program, char *const argv[], int pipes[PIPES][2], pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (error)
        return error;
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, pipes[OUTPUT][WRITE_END], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, pipes[ERROR][WRITE_END], STDERR_FILENO);
    error = posix_spawn(pid, program, &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

/** Read once. @return whether there is more to come */
static bool take(int fd, struct taken *taken, int *error)
{
    if (taken->capacity - taken->length < 65536) {
        size_t capacity = 2 * taken->capacity + 65536 + 1;
        char *grown = realloc(taken->bytes, capacity);
        if (!grown) {
            *error = ENOMEM;
            return false;
        }
        taken->bytes = grown;
        taken->capacity = capacity;
    }
    ssize_t got = read(fd, taken->bytes + taken->length, taken->capacity - taken->length - 1);
    if (got > 0)
        taken->length += (size_t)got;
    taken->bytes[taken->length] = 0;
    if (got < 0 && errno != EINTR)
        *error = errno;
    return got > 0 || (got < 0 && errno == EINTR);
}

/** Until both pipes end, or the time is over. @return whether it was in time */
static bool take_all(int pipes[PIPES][2], struct taken taken[PIPES], double deadline_s, int *error)
{
    struct pollfd poll_of[PIPES];
    int open = PIPES;
    for (int p = 0; p < PIPES; p++)
        poll_of[p] = (struct pollfd){.fd = pipes[p][READ_END], .events = POLLIN};
    while (open && !*error) {
        double left_s = deadline_s - clock_monotonic_s();
        if (left_s <= 0)
            return false;
        int ready = poll(poll_of, PIPES, left_s > 1 ? 1000 : (int)(1000 * left_s) + 1);
        for (int p = 0; ready > 0 && p < PIPES; p++) {
            if (poll_of[p].revents && !take(poll_of[p].fd, &taken[p], error)) {
                poll_of[p].fd = -1;
                open--;
            }
        }
    }
    return true;
}

/** A program may close its streams and live on: it has the rest of the time, too. */
static int wait_for(pid_t pid, double deadline_s, bool *in_time)
{
    int status = 0;
    while (waitpid(pid, &status, *in_time ? WNOHANG : 0) == 0) {
        *in_time = clock_monotonic_s() < deadline_s;
        if (!*in_time)
            kill(pid, SIGKILL);
        usleep(200);
    }
    return status;
}

/** The last line that begins as complaints of this program do: progress may stand before it. Else the first line. */
static void keep_complaint(const char *text, struct fresh_process *process)
{
    static const char complaint[] = "kneepoint ";
    const char *said = text ? text : "";
    for (const char *line = said; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        if (strncmp(line, complaint, sizeof complaint - 1) == 0)
            said = line;
    }
    size_t length = strcspn(said, "\n");
    snprintf(process->said, sizeof process->said, "%.*s", (int)(length < 500 ? length : 500), said);
}

/* A signal handler finds nothing but what lies in static memory. */
static volatile pid_t running;

void fresh_process_signal(int number)
{
    if (running > 0)
        kill(running, number);
}

void fresh_process_run(const char *program, char *const argv[], double limit_s, struct fresh_process *process)
{
    int pipes[PIPES][2];
    struct taken taken[PIPES] = {{0}};
    pid_t pid;
    *process = (struct fresh_process){.outcome = FRESH_FAILED};
    process->detail = open_pipes(pipes);
    if (process->detail)
        return;
    process->detail = start(program, argv, pipes, &pid);
    if (process->detail) {
        close_pipes(pipes);
        return;
    }
    for (int p = 0; p < PIPES; p++) {
        close(pipes[p][WRITE_END]);
        pipes[p][WRITE_END] = -1;
    }
    running = pid;
    double deadline_s = clock_monotonic_s() + limit_s;
    int error = 0;
    bool in_time = take_all(pipes, taken, deadline_s, &error);
    if (!in_time || error)
        kill(pid, SIGKILL);
    int status = wait_for(pid, deadline_s, &in_time);
    running = 0;
    close_pipes(pipes);
    keep_complaint(taken[ERROR].bytes, process);
    free(taken[ERROR].bytes);
    if (error) {
        process->detail = error;
        free(taken[OUTPUT].bytes);
        return;
    }
    process->output = taken[OUTPUT].bytes;
    process->length = taken[OUTPUT].length;
    process->outcome = !in_time ? FRESH_HUNG : WIFSIGNALED(status) ? FRESH_CRASHED : FRESH_EXITED;
    process->detail = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
}

void fresh_process_fate(const struct fresh_process *process, char *text, size_t size)
{
    switch (process->outcome) {
    case FRESH_EXITED: snprintf(text, size, "ended with exit status %d", process->detail); break;
    case FRESH_CRASHED: snprintf(text, size, "crashed: %s", strsignal(process->detail)); break;
    case FRESH_HUNG: snprintf(text, size, "hung and was killed"); break;
    case FRESH_FAILED: snprintf(text, size, "could not be run: %s", strerror(process->detail)); break;
    }
}
