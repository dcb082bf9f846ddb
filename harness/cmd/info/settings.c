/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/info/info_command.h"

#include <errno.h>
#include <stdio.h>

#include "harness/cmd/console/table.h"
#include "platforms/system/settings.h"
#include "results/records/record.h"

enum { NODES_MOST = 64 };

static size_t judge(const struct machine *machine, struct setting settings[SETTINGS_MOST])
{
    struct topology_node nodes[NODES_MOST];
    return settings_judge(&machine->host, topology_nodes(machine->topology, nodes, NODES_MOST), settings);
}

static void print_setting(const struct setting *setting)
{
    char line[1024];
    snprintf(line, sizeof line, "%s is %s: %s", setting->name, setting->value, setting->harm);
    info_print_behind(2, line);
    info_print_behind(6, setting->remedy);
}

static void print_remedies(const struct setting *settings, size_t count)
{
    info_heading("To measure better (nothing was changed; these commands would)");
    for (size_t i = 0; i < count; i++) {
        if (settings[i].harm)
            print_setting(&settings[i]);
    }
}

static void print_value(const struct setting *setting)
{
    enum { VALUE_COLUMNS = 26 };
    char list[256], line[300];
    snprintf(line, sizeof line, "%s%s", info_spread_list(setting->value, list, sizeof list),
             setting->harm ? "  <- see below" : "");
    printf("  %-*s", VALUE_COLUMNS - 2, setting->name);
    console_print_hanging(VALUE_COLUMNS, line);
}

static void print_settings(const struct machine *machine)
{
    struct setting settings[SETTINGS_MOST];
    size_t count = judge(machine, settings), harmful = 0;
    info_heading(machine->host.hypervisor[0] ? "Settings (of a virtual machine, its host decides those that are not "
                                               "visible)"
                                             : "Settings");
    for (size_t i = 0; i < count; i++) {
        print_value(&settings[i]);
        harmful += settings[i].harm != NULL;
    }
    if (harmful > 0)
        print_remedies(settings, count);
}

static int record_settings(const struct machine *machine)
{
    struct setting settings[SETTINGS_MOST];
    size_t count = judge(machine, settings);
    int error = 0;
    for (size_t i = 0; i < count && error == 0; i++) {
        const struct setting *setting = &settings[i];
        json_t *record = json_pack("{s:s, s:s, s:s, s:o, s:o}", "type", "setting", "name", setting->name, "value",
                                   setting->value, "harm", setting->harm ? json_string(setting->harm) : json_null(),
                                   "remedy", setting->harm ? json_string(setting->remedy) : json_null());
        error = record ? record_write_line(stdout, record) : -ENOMEM;
        json_decref(record);
    }
    return error;
}

const struct info_section info_settings = {print_settings, record_settings};
