# SPDX-License-Identifier: BSD-3-Clause
# beta by level of the memory and gamma by width, of several machines: machine_rows.gnuplot.
