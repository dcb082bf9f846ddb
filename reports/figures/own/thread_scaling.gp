# SPDX-License-Identifier: BSD-3-Clause
# Bandwidth and throughput over threads. thread_scaling.dat: block 0 the roof, then one block per family: threads, GB/s, Gop/s.
key_rows = (lines+3)/3
set multiplot layout 1,2 margins from_left(narrow ? room(64) : 81),(narrow ? from_right(8) : 0.80),from_bottom(narrow ? 86+key_row*key_rows : 66),from_top(headroom+(narrow ? 22 : 18)) spacing (narrow ? 0.19 : 0.085)
set xrange [0.7:threads_max+0.3]
set yrange [0:*]
set offsets 0,0,graph 0.08,0
if (threads_max <= 16) { set xtics 1 } else { set xtics autofreq }
set xlabel 'threads'
set ylabel 'Bandwidth (GB/s of packed weights)'.(narrow ? '' : ', '.shape)
if (narrow) set title shape font font_panel textcolor rgb ink offset 0,-0.4
unset key
plot 'thread_scaling.dat' index 0 using 1:2 with linespoints pointtype 0 linewidth 1.6 dashtype 3 linecolor rgb ink title 'read roof (β)', \
     for [i=1:lines] '' index i using 1:2 with linespoints linewidth 1.8 dashtype line_dash[i] pointtype line_mark[i] linecolor rgb line_colour[i] title line_title[i], \
     '' index 0 using 1:2:(sprintf('read roof with %s: %.2f GB/s',threads($1),$2)) @hover, \
     for [i=1:lines] '' index i using 1:2:(sprintf('%s with %s: %.2f GB/s',strcol(4),threads($1),$2)) @hover
unset label
set ylabel 'Throughput (Gop/s)'.(narrow ? '' : ', '.shape)
if (narrow) { set key at screen from_left(8),from_bottom(8) left bottom vertical maxcols 3 maxrows key_rows samplen 2 spacing 1.15 font font_small width -1 } else { set key at graph 1.05,1 left top }
plot NaN with lines linewidth 1.6 dashtype 3 linecolor rgb ink title 'read roof (β)', \
     for [i=1:lines] 'thread_scaling.dat' index i using 1:3 with linespoints linewidth 1.8 dashtype line_dash[i] pointtype line_mark[i] linecolor rgb line_colour[i] title line_title[i], \
     for [i=1:lines] 'thread_scaling.dat' index i using 1:3:(sprintf('%s with %s: %.1f Gop/s',strcol(4),threads($1),$3)) @hover
unset multiplot
