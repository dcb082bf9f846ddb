/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/draw/gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "platforms/clock.h"

/** The oldest that the figures are tested with. */
enum { OLDEST_MAJOR = 5, OLDEST_MINOR = 4 };

#define REMEDY "install gnuplot-nox (Debian: apt-get install gnuplot-nox)"

/* In the child: become gnuplot, or tell the parent's pipe why not. Only async-signal-safe calls. */
static _Noreturn void become_gnuplot(const char *folder, char *const *arguments, int complaints, int failure)
{
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    int error = 0;
    if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(complaints, STDOUT_FILENO) < 0 ||
        dup2(complaints, STDERR_FILENO) < 0 || chdir(folder) != 0)
        error = errno;
    if (!error) {
        execvp(arguments[0], arguments);
        error = errno;
    }
    ssize_t ignored = write(failure, &error, sizeof error);
    (void)ignored;
    _exit(127);
}

/* Read what gnuplot says until it closes the pipe. @return 0 or -ETIMEDOUT */
static int listen(int descriptor, char *text, size_t size)
{
    double deadline = clock_monotonic_s() + GNUPLOT_TIME_LIMIT_S;
    size_t length = 0;
    text[0] = 0;
    for (;;) {
        double left = deadline - clock_monotonic_s();
        struct pollfd wait = {.fd = descriptor, .events = POLLIN};
        int ready = left > 0 ? poll(&wait, 1, (int)(left * 1000) + 1) : 0;
        if (ready < 0 && errno == EINTR)
            continue;
        if (ready <= 0)
            return -ETIMEDOUT;
        char chunk[512];
        ssize_t got = read(descriptor, chunk, sizeof chunk);
        if (got <= 0)
            return 0;
        for (ssize_t i = 0; i < got && length + 1 < size; i++)
            text[length++] = chunk[i];
        text[length] = 0;
    }
}

/* The line of gnuplot's complaint that says something: not the echo of the script, not the caret under it. */
static void first_complaint(const char *complaints, char *line, size_t size)
{
    snprintf(line, size, "no message");
    for (const char *at = complaints; *at;) {
        size_t length = strcspn(at, "\n");
        const char *message = strstr(at, ": ");
        if (message && message < at + length && strchr("\"'", *at)) {
            snprintf(line, size, "%.*s", (int)length, at);
            return;
        }
        if (length && strncmp(line, "no message", size) == 0 && *at != ' ' && *at != '^')
            snprintf(line, size, "%.*s", (int)length, at);
        at += length + (at[length] == '\n');
    }
}

/* Collect the child's exit. @return 0 or -EIO */
static int reap(pid_t child)
{
    int status;
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR)
            return -errno;
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -EIO;
}

/* Parent's half, once the child runs. @return as converse */
static int watch(pid_t child, int complaints, int failure, char *said, size_t said_size, char *why, size_t size)
{
    int timed_out = listen(complaints, said, said_size);
    if (timed_out)
        kill(child, SIGKILL);
    int exited = reap(child);
    int exec_error = 0;
    if (read(failure, &exec_error, sizeof exec_error) == (ssize_t)sizeof exec_error && exec_error) {
        if (exec_error == ENOENT)
            snprintf(why, size, "gnuplot is not installed; " REMEDY);
        else
            snprintf(why, size, "cannot run gnuplot: %s", strerror(exec_error));
        return -exec_error;
    }
    if (timed_out)
        snprintf(why, size, "gnuplot did not finish within %d s and was stopped", GNUPLOT_TIME_LIMIT_S);
    return timed_out ? timed_out : exited;
}

/* Run gnuplot in a folder and collect what it says. @return 0; -EIO it failed, why is not set; other errno with why */
static int converse(const char *folder, char *const *arguments, char *said, size_t said_size, char *why, size_t size)
{
    int complaints[2], failure[2];
    if (pipe2(complaints, O_CLOEXEC) != 0) {
        snprintf(why, size, "cannot make a pipe to gnuplot: %s", strerror(errno));
        return -EMFILE;
    }
    if (pipe2(failure, O_CLOEXEC) != 0) {
        snprintf(why, size, "cannot make a pipe to gnuplot: %s", strerror(errno));
        close(complaints[0]);
        close(complaints[1]);
        return -EMFILE;
    }
    pid_t child = fork();
    if (child == 0)
        become_gnuplot(folder, arguments, complaints[1], failure[1]);
    int error = child < 0 ? -errno : 0;
    close(complaints[1]);
    close(failure[1]);
    if (error)
        snprintf(why, size, "cannot start gnuplot: %s", strerror(-error));
    else
        error = watch(child, complaints[0], failure[0], said, said_size, why, size);
    close(complaints[0]);
    close(failure[0]);
    return error;
}

int gnuplot_check(char *why, size_t size)
{
    char *const arguments[] = {"gnuplot", "--version", NULL};
    char said[256] = "";
    unsigned major, minor;
    int error = converse(".", arguments, said, sizeof said, why, size);
    if (error && error != -EIO)
        return error;
    if (sscanf(said, "gnuplot %u.%u", &major, &minor) != 2 || major > OLDEST_MAJOR ||
        (major == OLDEST_MAJOR && minor >= OLDEST_MINOR))
        return 0;
    snprintf(why, size, "gnuplot %u.%u is too old, the figures need %d.%d or later; " REMEDY, major, minor,
             OLDEST_MAJOR, OLDEST_MINOR);
    return -ENOENT;
}

int gnuplot_run(const char *folder, const char *script, const char *format, const char *output, char *why, size_t size)
{
    char settings[512], said[4096], line[256];
    snprintf(settings, sizeof settings, "format='%s'; output='%s'", format, output);
    char *const arguments[] = {"gnuplot", "-e", settings, (char *)script, NULL};
    int error = gnuplot_check(why, size);
    if (error)
        return error;
    error = converse(folder, arguments, said, sizeof said, why, size);
    if (error != -EIO)
        return error;
    first_complaint(said, line, sizeof line);
    snprintf(why, size, "gnuplot failed on %s: %s", script, line);
    return error;
}

void gnuplot_write_string(FILE *script, const char *text)
{
    fputc('\'', script);
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '\'' || c == '`')
            fputs("’", script);
        else
            fputc(c < ' ' ? ' ' : c, script);
    }
    fputc('\'', script);
}

void gnuplot_write_field(FILE *data, const char *text)
{
    fputc('"', data);
    for (; *text; text++)
        fputc((unsigned char)*text < ' ' ? ' ' : *text == '"' ? '\'' : *text == '\\' ? '/' : *text, data);
    fputc('"', data);
}
