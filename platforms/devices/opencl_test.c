/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/devices/opencl.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "platforms/counters/fake_library.h"
#include "platforms/process/refused_call.h"
#include "unit_test.h"

enum { LIMIT_MS = 20000, SHORT_MS = 150 };

/** A loader for all tests; no test leaves anything in this process. */
struct fake {
    struct fake_machine machine;
    struct fake_library library;
    struct opencl_source source;
    struct opencl_listing listing;
};

static int set_up(void **state)
{
    static struct fake fake;
    fake_machine_open(&fake.machine);
    *state = &fake;
    return 0;
}

static int tear_down(void **state)
{
    struct fake *fake = *state;
    fake_machine_close(&fake->machine);
    return 0;
}

/** List with the fake loader as FAKE_OPENCL has it. */
static const struct opencl_listing *list_as(struct fake *fake, const char *behaviour)
{
    static char vendors[128];
    if (access(fake->library.path, R_OK) != 0 || strstr(fake->library.path, "broken"))
        fake_library_build(&fake->library, &fake->machine, "devices/fixtures/fake_opencl.c", "OPENCL");
    snprintf(vendors, sizeof vendors, "%s/vendors", fake->machine.root);
    fake->source = (struct opencl_source){fake->library.names, vendors, LIMIT_MS};
    if (strcmp(behaviour, "hang") == 0)
        fake->source.limit_ms = SHORT_MS;
    setenv("FAKE_OPENCL", behaviour, 1);
    memset(&fake->listing, 0xff, sizeof fake->listing);
    opencl_list(&fake->source, &fake->listing);
    return &fake->listing;
}

static void assert_none(const struct opencl_listing *listing, const char *cause, const char *remedy)
{
    assert_int_equal(listing->device_count, 0);
    assert_string_equal(listing->cause, cause);
    assert_non_null(strstr(listing->remedy, remedy));
}

TEST_GIVEN(without_the_loader_two_packages_are_named, struct fake *fake)
{
    static const char *const absent[] = {"libnonesuch-OpenCL.so.1", NULL};
    fake->source = (struct opencl_source){absent, "/nonexistent", LIMIT_MS};
    opencl_list(&fake->source, &fake->listing);
    assert_none(&fake->listing, "libOpenCL.so.1 is not installed", "ocl-icd-libopencl1 pocl-opencl-icd");
}

TEST_GIVEN(a_loader_that_is_none_is_said, struct fake *fake)
{
    struct fake_library broken;
    fake_library_broken(&broken, &fake->machine);
    fake->source = (struct opencl_source){broken.names, "/nonexistent", LIMIT_MS};
    opencl_list(&fake->source, &fake->listing);
    assert_non_null(strstr(fake->listing.cause, "libOpenCL.so.1 cannot be loaded: "));
    fake_library_build(&broken, &fake->machine, "devices/fixtures/fake_opencl.c", "LACKS_A_SYMBOL");
    opencl_list(&fake->source, &fake->listing);
    assert_non_null(strstr(fake->listing.cause, "libLACKS_A_SYMBOL.so has no clGetPlatformIDs"));
    assert_non_null(strstr(fake->listing.remedy, "ocl-icd-libopencl1"));
    char command[1024];
    snprintf(command, sizeof command,
             "cd %s && cc -shared -o libgone.so -x c /dev/null && "
             "cc -shared -o libneeds.so -x c /dev/null -x none -Wl,--no-as-needed ./libgone.so && rm libgone.so",
             fake->machine.root);
    assert_int_equal(system(command), 0);
    snprintf(broken.path, sizeof broken.path, "%s/libneeds.so", fake->machine.root);
    opencl_list(&fake->source, &fake->listing);
    assert_non_null(strstr(fake->listing.cause, "libOpenCL.so.1 cannot be loaded: ./libgone.so: "));
}

TEST_GIVEN(no_driver_and_one_that_does_not_load_differ, struct fake *fake)
{
    char cause[OPENCL_REASON];
    snprintf(cause, sizeof cause, "no OpenCL driver (ICD) is installed in %s/vendors", fake->machine.root);
    assert_none(list_as(fake, "none"), cause, "pocl-opencl-icd");
    assert_none(list_as(fake, "not_found"), cause, "pocl-opencl-icd");
    fake_file(&fake->machine, "/vendors/README", "no driver");
    assert_none(list_as(fake, "none"), cause, "pocl-opencl-icd");
    fake_file(&fake->machine, "/vendors/pocl.icd", "libpocl.so.2");
    fake_file(&fake->machine, "/vendors/intel.icd", "libigdrcl.so");
    snprintf(cause, sizeof cause, "no OpenCL driver (ICD) of %s/vendors loads: intel.icd, pocl.icd",
             fake->machine.root);
    assert_none(list_as(fake, "none"), cause, "install its package again");

    char file[128];
    snprintf(file, sizeof file, "%s/vendors/pocl.icd", fake->machine.root);
    fake->source.vendors = file;
    opencl_list(&fake->source, &fake->listing);
    assert_non_null(strstr(fake->listing.cause, "pocl.icd names does not load"));
}

TEST(errors_of_opencl_are_said)
{
    assert_none(list_as(*state, "error"), "the OpenCL loader cannot list its platforms: OpenCL error -6", "");
    const struct opencl_listing *listing = list_as(*state, "empty");
    assert_none(listing, "no OpenCL driver has a device", "pocl-opencl-icd");
    assert_int_equal(listing->platform_count, 1);
    assert_int_equal(listing->platforms[0].error, 0);

    listing = list_as(*state, "broken");
    assert_string_equal(listing->cause, "");
    assert_int_equal(listing->device_count, 1);
    assert_int_equal(listing->platform_count, 2);
    assert_string_equal(listing->platforms[1].name, "Broken Platform");
    assert_int_equal(listing->platforms[1].error, -33);
}

TEST(devices_of_each_type_are_described)
{
    static const enum opencl_kind kinds[] = {OPENCL_GPU, OPENCL_CPU, OPENCL_ACCELERATOR, OPENCL_CUSTOM,
                                             OPENCL_UNKNOWN_KIND};
    static const uint32_t first_sizes[] = {8, 32, 64, 0, 0};
    static const enum opencl_answer sub_groups[] = {OPENCL_YES, OPENCL_YES, OPENCL_YES, OPENCL_NO, OPENCL_UNKNOWN};
    const struct opencl_listing *listing = list_as(*state, "kinds");
    assert_string_equal(listing->cause, "");
    assert_int_equal(listing->device_count, 5);
    for (uint32_t d = 0; d < 5; d++) {
        const struct opencl_device *device = &listing->devices[d];
        assert_int_equal(device->kind, kinds[d]);
        assert_int_equal(device->sub_group_sizes[0], first_sizes[d]);
        assert_int_equal(device->sub_groups, sub_groups[d]);
        assert_int_equal(device->fp16, d == 0 ? OPENCL_YES : OPENCL_NO);
        assert_int_equal(device->integer_dot_product, d == 0 ? OPENCL_YES : OPENCL_NO);
        assert_int_equal(device->local_is_own, d % 2 ? OPENCL_NO : OPENCL_YES);
    }
    const struct opencl_device *gpu = &listing->devices[0];
    assert_string_equal(gpu->name, "Fake Device 0");
    assert_string_equal(gpu->driver, "26.1");
    assert_string_equal(gpu->version, "OpenCL 3.0 NEO of its vendor");
    assert_string_equal(listing->platforms[gpu->platform].name, "Fake Platform");
    assert_int_equal(gpu->compute_units, 20);
    assert_int_equal(gpu->clock_mhz, 2670);
    assert_int_equal(gpu->memory_bytes, UINT64_C(12) << 30);
    assert_int_equal(gpu->buffer_bytes, UINT64_C(4) << 30);
    assert_int_equal(gpu->local_bytes, 131072);
    assert_int_equal(gpu->timer_ns, 52);
    assert_int_equal(gpu->sub_group_sizes[2], 32);
    assert_int_equal(gpu->sub_group_sizes[3], 0);
}

TEST(what_a_driver_does_not_say_is_unknown)
{
    const struct opencl_device *device = &list_as(*state, "silent")->devices[0];
    assert_int_equal(((struct fake *)*state)->listing.device_count, 1);
    assert_string_equal(device->name, "");
    assert_int_equal(device->kind, OPENCL_UNKNOWN_KIND);
    assert_int_equal(device->memory_bytes, 0);
    assert_int_equal(device->local_is_own, OPENCL_UNKNOWN);
    assert_int_equal(device->sub_groups, OPENCL_UNKNOWN);
    assert_int_equal(device->fp16, OPENCL_UNKNOWN);
    assert_int_equal(device->integer_dot_product, OPENCL_UNKNOWN);
}

TEST(hostile_texts_are_made_printable)
{
    const struct opencl_device *device = &list_as(*state, "hostile")->devices[0];
    assert_memory_equal(device->name, "?[2Jred tape ?? \"xxx", 20);
    assert_int_equal(strlen(device->name), OPENCL_TEXT - 1);
    assert_string_equal(device->name + OPENCL_TEXT - 6, "xx...");
}

TEST(more_devices_than_there_is_room_are_counted)
{
    const struct opencl_listing *listing = list_as(*state, "many");
    assert_int_equal(listing->device_count, OPENCL_DEVICES);
    assert_int_equal(listing->unlisted, 40 - OPENCL_DEVICES);
    assert_string_equal(listing->devices[OPENCL_DEVICES - 1].name, "Fake Device 31");
}

TEST_GIVEN(a_driver_that_crashes_ends_or_hangs_is_a_line, struct fake *fake)
{
    assert_none(list_as(fake, "crash"), "the OpenCL loader or a driver crashed (Segmentation fault)", "NAME.icd");
    assert_none(
        list_as(fake, "exit"),
        "the OpenCL loader or a driver ended the process with status 3; it printed: fake driver: no?[31m device node",
        "OCL_ICD_VENDORS=");
    assert_none(list_as(fake, "hang"), "the OpenCL loader or a driver did not answer within 0.15 s", "NAME.icd");
    assert_none(list_as(fake, "overwrite"),
                "the OpenCL loader or a driver wrote over what is not its own; it printed: x", "NAME.icd");
    assert_int_equal(list_as(fake, "print")->device_count, 1);
    assert_string_equal(fake->listing.cause, "");
}

/** In a process of its own, in which no pipe can be made. */
TEST_GIVEN(without_a_process_it_is_said, struct fake *fake)
{
    enum { NO_FILTER = 77 };
    int status;
    list_as(fake, "kinds");
    pid_t child = fork();
    if (child == 0) {
        if (!refuse_call(SYS_pipe2, EMFILE))
            _exit(NO_FILTER);
        opencl_list(&fake->source, &fake->listing);
        _exit(strcmp(fake->listing.cause,
                     "cannot list OpenCL devices in a process of their own: Too many open files") != 0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    skip_if(WEXITSTATUS(status) == NO_FILTER, "not on this machine: no filters of system calls");
    assert_int_equal(WEXITSTATUS(status), 0);
}

TEST(the_loader_looks_where_its_variable_says)
{
    struct opencl_source source;
    unsetenv("OCL_ICD_VENDORS");
    opencl_source_host(&source);
    assert_string_equal(source.vendors, "/etc/OpenCL/vendors");
    assert_string_equal(source.libraries[0], "libOpenCL.so.1");
    assert_null(source.libraries[1]);
    setenv("OCL_ICD_VENDORS", "/opt/vendors", 1);
    opencl_source_host(&source);
    assert_string_equal(source.vendors, "/opt/vendors");
    unsetenv("OCL_ICD_VENDORS");
}

RUN_TESTS(set_up, tear_down)
