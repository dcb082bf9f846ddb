# SPDX-License-Identifier: BSD-3-Clause
# Tokens per second (left axis) and bandwidth (right axis) over threads, one panel per kernel. bitnet_10.dat: one block per panel:
# threads, tokens/s, GB/s of weights, GB/s of the roof. The two axes end at different multiples of their data, so that their lines stay apart.
stats 'bitnet_10.dat' using 2 nooutput
tokens_max = 1.15*STATS_max
stats 'bitnet_10.dat' using 4 nooutput
rate_max = 1.35*STATS_max
rows = narrow ? (panels+1)/2 : 1
columns = narrow ? (panels > 1 ? 2 : 1) : panels
set multiplot layout rows,columns margins from_left(78),from_right(narrow ? 80 : 290),from_bottom(narrow ? 132 : 66),from_top(headroom+24) spacing 34.0/width,80.0/height
set xrange [0.7:threads_max+0.3]
if (threads_max <= 16) { set xtics 1 } else { set xtics autofreq }
set border 11
set xlabel 'threads'
set yrange [0:axis_end(tokens_max)]
set y2range [0:rate_max]
unset key
do for [p=1:panels] {
    if (p > 1) { unset label }
    if ((p-1) % columns) { unset ylabel; set format y '' } else { set ylabel narrow ? 'tokens/s' : 'tokens/s that the GEMVs allow' textcolor rgb ink; set format y }
    if (p % columns == 0 || p == panels) { set y2tics textcolor rgb ink; set y2label 'GB/s' textcolor rgb ink } else { unset y2tics; unset y2label }
    if (narrow && p <= panels-columns) { set xlabel '' } else { set xlabel 'threads' }
    if (p == panels) { if (narrow) { set key at screen from_left(10),from_bottom(8) left bottom vertical maxcols 1 samplen 4 font font_small } else { set key at graph 1.30,1 left top vertical samplen 4 font font_small } }
    set label panel_title[p] at graph 0,1.06 font font_panel textcolor rgb ink
    plot 'bitnet_10.dat' index p-1 using 1:4 axes x1y2 with linespoints pointtype 0 linewidth 1.6 dashtype 3 linecolor rgb ink title 'read roof', \
         '' index p-1 using 1:2 axes x1y1 with linespoints linewidth 2.2 pointtype 7 linecolor rgb panel_colour[p] title 'tokens/s (left)', \
         '' index p-1 using 1:3 axes x1y2 with linespoints linewidth 2.2 dashtype 2 pointtype 6 linecolor rgb panel_colour[p] title 'GB/s of weights (right)', \
         '' index p-1 using 1:2:(sprintf('%s with %s: %.4g tokens/s',panel_title[p],threads($1),$2)) axes x1y1 @hover, \
         '' index p-1 using 1:3:(sprintf('%s with %s: %.2f GB/s',panel_title[p],threads($1),$3)) axes x1y2 @hover
}
unset multiplot
