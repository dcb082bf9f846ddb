# SPDX-License-Identifier: BSD-3-Clause
# Knees of several machines, one row per width: machine_rows.gnuplot.
