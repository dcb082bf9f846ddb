/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/gnuplot.h"

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

bool gnuplot_installed(void)
{
    const char *path = getenv("PATH");
    for (const char *at = path ? path : "/bin:/usr/bin"; at; at = strchr(at, ':') ? strchr(at, ':') + 1 : NULL) {
        char file[4096];
        int length = (int)strcspn(at, ":");
        if (snprintf(file, sizeof file, "%.*s/gnuplot", length, at) < (int)sizeof file && access(file, X_OK) == 0)
            return true;
    }
    return false;
}

/* In the child: become gnuplot, or tell the parent's pipe why not. Only async-signal-safe calls. */
static _Noreturn void become_gnuplot(const char *folder, char *const *arguments, int complaints, int failure)
{
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    int error = 0;
    if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(null, STDOUT_FILENO) < 0 ||
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

/* Read what gnuplot complains about until it closes the pipe. @return 0 or -ETIMEDOUT */
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

/* Parent's half, once the child runs. */
static int watch(pid_t child, int complaints, int failure, const char *script, char *why, size_t size)
{
    char text[4096];
    int timed_out = listen(complaints, text, sizeof text);
    if (timed_out)
        kill(child, SIGKILL);
    int exited = reap(child);
    int exec_error = 0;
    if (read(failure, &exec_error, sizeof exec_error) == (ssize_t)sizeof exec_error && exec_error) {
        if (exec_error == ENOENT)
            snprintf(why, size, "gnuplot is not installed; install gnuplot-nox (Debian: apt-get install gnuplot-nox)");
        else
            snprintf(why, size, "cannot run gnuplot: %s", strerror(exec_error));
        return -exec_error;
    }
    if (timed_out) {
        snprintf(why, size, "gnuplot did not finish %s within %d s and was stopped", script, GNUPLOT_TIME_LIMIT_S);
        return timed_out;
    }
    if (exited) {
        char line[256];
        first_complaint(text, line, sizeof line);
        snprintf(why, size, "gnuplot failed on %s: %s", script, line);
    }
    return exited;
}

int gnuplot_run(const char *folder, const char *script, const char *format, const char *output, char *why, size_t size)
{
    char settings[512];
    snprintf(settings, sizeof settings, "format='%s'; output='%s'", format, output);
    char *const arguments[] = {"gnuplot", "-e", settings, (char *)script, NULL};
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
        error = watch(child, complaints[0], failure[0], script, why, size);
    close(complaints[0]);
    close(failure[0]);
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
