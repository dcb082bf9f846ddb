/* SPDX-License-Identifier: BSD-3-Clause
 *
 * With a loader for tests, which does no harm to the process that loads it.
 */
#include "platforms/devices/opencl_work.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "platforms/counters/fake_library.h"
#include "unit_test.h"

static struct fake_machine machine;
static struct fake_library library;
static struct opencl_work work;

static void behave(const char *how)
{
    setenv("FAKE_OPENCL", how, 1);
}

static int open_device(uint32_t index)
{
    const struct opencl_source source = {.libraries = library.names};
    return opencl_work_open(&source, machine.root, index, &work);
}

static int set_up(void **state)
{
    (void)state;
    fake_machine_open(&machine);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    fake_machine_close(&machine);
    return 0;
}

TEST(a_device_is_opened_with_what_it_can_do)
{
    fake_library_build(&library, &machine, "devices/fixtures/fake_opencl.c", "OPENCL_WORK");
    behave("kinds");
    assert_int_equal(open_device(1), 0);
    assert_string_equal(work.facts.name, "Fake Device 1");
    assert_int_equal(work.facts.compute_units, 21);
    assert_string_equal(getenv("POCL_CACHE_DIR"), machine.root);
    assert_int_equal(open_device(5), -ENODEV);
    assert_string_equal(work.why, "the device is gone: it is not listed any more");
    behave("error");
    assert_int_equal(open_device(0), -EIO);
    assert_string_equal(work.why, "clGetPlatformIDs: out of host memory (-6)");
}

TEST(each_call_that_fails_is_named)
{
    void *made, *kernel;
    struct opencl_series series;
    behave("clCreateContext");
    assert_int_equal(open_device(0), -EIO);
    assert_string_equal(work.why, "clCreateContext: device not available: it may be lost, or in use (-2)");
    behave("clCreateCommandQueue");
    assert_int_equal(open_device(0), -EIO);
    assert_string_equal(work.why, "clCreateCommandQueue: OpenCL error -35");
    behave("");
    assert_int_equal(open_device(0), 0);
    assert_int_equal(opencl_work_kernel(&work, NULL, "roof", &kernel), 0);
    behave("clCreateBuffer");
    assert_int_equal(opencl_work_buffer(&work, 64, false, &made), -EIO);
    assert_string_equal(work.why, "clCreateBuffer: invalid buffer size (-61)");
    behave("clCreateKernel");
    assert_int_equal(opencl_work_kernel(&work, NULL, "roof", &made), -EIO);
    assert_string_equal(work.why, "clCreateKernel: OpenCL error -46");
    behave("clBuildProgram");
    assert_int_equal(opencl_work_build(&work, "", "", &made), -EIO);
    assert_string_equal(work.why, "clBuildProgram: build program failure (-11): <source>:3:1: error: unknown type name "
                                  "'vector' vector sum = 0;");
    static const char *const in_series[] = {"clEnqueueNDRangeKernel", "clFlush", "clFinish", "clGetEventProfilingInfo"};
    for (size_t i = 0; i < sizeof in_series / sizeof *in_series; i++) {
        behave(in_series[i]);
        assert_int_equal(opencl_work_launch(&work, &(struct opencl_launch){kernel, 64, 64, NULL}, 1, 3, &series), -EIO);
        assert_memory_equal(work.why, in_series[i], strlen(in_series[i]));
    }
}

TEST(a_series_is_timed_from_the_first_start_to_the_last_end)
{
    struct opencl_series series;
    char from[] = "packed", to[sizeof from] = "";
    void *buffer, *kernel;
    behave("");
    assert_int_equal(open_device(0), 0);
    assert_int_equal(opencl_work_kernel(&work, NULL, "roof", &kernel), 0);
    assert_int_equal(opencl_work_launch(&work, &(struct opencl_launch){kernel, 64, 64, NULL}, 1, 1, &series), 0);
    assert_true(series.device_s > 0.99e-6 && series.device_s < 1.01e-6);
    assert_int_equal(opencl_work_launch(&work, &(struct opencl_launch){kernel, 64, 64, NULL}, 1, 1000, &series), 0);
    assert_true(series.device_s > 0.999e-3 && series.device_s < 1.001e-3);
    assert_true(series.host_s > 0);
    assert_int_equal(opencl_work_buffer(&work, sizeof from, false, &buffer), 0);
    assert_int_equal(opencl_work_send(&work, buffer, from, sizeof from, 2, &series), 0);
    assert_true(series.device_s > 1.99e-6 && series.device_s < 2.01e-6);
    assert_int_equal(opencl_work_read(&work, buffer, to, sizeof to), 0);
    assert_string_equal(to, from);
}

TEST(a_device_that_is_lost_in_the_middle_is_said)
{
    struct opencl_series series;
    void *kernel;
    behave("late_lost");
    assert_int_equal(open_device(0), 0);
    int error = opencl_work_kernel(&work, NULL, "roof", &kernel);
    for (unsigned i = 0; i < 30 && !error; i++)
        error = opencl_work_launch(&work, &(struct opencl_launch){kernel, 64, 64, NULL}, 1, 4, &series);
    assert_int_equal(error, -EIO);
    assert_string_equal(work.why, "clFinish: out of resources: the device may be lost (-5)");
}

RUN_TESTS(set_up, tear_down)
