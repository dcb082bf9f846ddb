# SPDX-License-Identifier: BSD-3-Clause
# Tokens per second and bandwidth over threads. bitnet_8.dat: block 0 the roof, then one block per kernel:
# threads, tokens/s, GB/s, GB per token.
key_rows = (lines+2)/2
set multiplot layout 1,2 margins from_left(narrow ? 74 : 81),(narrow ? from_right(8) : 0.80),from_bottom(narrow ? 70+key_row*key_rows : 66),from_top(headroom+(narrow ? 6 : 18)) spacing (narrow ? 0.18 : 0.085)
set xrange [0.7:threads_max+0.3]
set yrange [0:*]
set offsets 0,0,graph 0.08,0
if (threads_max <= 16) { set xtics 1 } else { set xtics autofreq }
set xlabel 'threads'
set ylabel narrow ? 'tokens/s' : 'tokens/s that the GEMVs allow'
unset key
plot for [i=1:lines] 'bitnet_8.dat' index i using 1:2 with linespoints linewidth 2 dashtype line_dash[i] pointtype line_mark[i] linecolor rgb line_colour[i] title line_title[i], \
     for [i=1:lines] '' index i using 1:2:(sprintf('%s with %s: %.4g tokens/s',line_title[i],threads($1),$2)) @hover
unset label
set ylabel 'GB/s of packed weights'
if (narrow) { set key at screen from_left(8),from_bottom(8) left bottom vertical maxcols 2 maxrows key_rows samplen 2 spacing 1.15 font font_small width -1 } else { set key at graph 1.05,1 left top }
plot 'bitnet_8.dat' index 0 using 1:2 with linespoints pointtype 0 linewidth 1.6 dashtype 3 linecolor rgb ink title 'read roof (β)', \
     for [i=1:lines] '' index i using 1:3 with linespoints linewidth 2 dashtype line_dash[i] pointtype line_mark[i] linecolor rgb line_colour[i] title line_title[i], \
     '' index 0 using 1:2:(sprintf('read roof with %s: %.2f GB/s',threads($1),$2)) @hover, \
     for [i=1:lines] '' index i using 1:3:(sprintf('%s with %s: %.2f GB/s',line_title[i],threads($1),$3)) @hover
unset multiplot
