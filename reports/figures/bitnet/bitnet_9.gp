# SPDX-License-Identifier: BSD-3-Clause
# Tokens per second over bandwidth by the model. bitnet_9.dat: block 0 points measured on the host (GB/s, tokens/s,
# colour, ours, kernel), then one block per curve (GB/s, tokens/s).
key_rows = (lines+2+any_points+any_ours)/2
set lmargin at screen from_left(narrow ? 80 : 96)
set rmargin at screen (narrow ? from_right(22) : 0.70)
set bmargin at screen from_bottom(narrow ? 74+key_row*key_rows : 66)
if (narrow) { set key at screen from_left(8),from_bottom(8) left bottom vertical maxcols 2 maxrows key_rows }
# Machines are named above the plot, the fastest on top, where no line but its own passes.
set tmargin at screen from_top(headroom+8+15*machines)
high = height-headroom-8-15*machines-(narrow ? 74+key_row*key_rows : 66.0)
do for [i=1:machines] {
    set arrow from machine_at[i],graph 0 to machine_at[i],graph 1+(15.0*(machines-i)+9)/high nohead linewidth 1.2 linecolor rgb ink
    set label machine_title[i] at machine_at[i],graph 1+(15.0*(machines-i)+9)/high right offset -0.5,0 font font_tiny textcolor rgb ink
}
set logscale xy
set xrange [x_min:x_max]
set xtics (5, 10, 20, 50, 100, 200, 500, 1000)
set ytics (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000)
set yrange [*:*]
set xlabel sprintf('Bandwidth that memory gives %d core%s of this host (GB/s, log scale)', threads, threads == 1 ? '' : 's')
set ylabel 'tokens/s that the GEMVs allow (log scale)'
set key samplen (narrow ? 2.6 : 4) spacing (narrow ? 1.15 : 1.25) font font_small
plot for [i=1:lines] 'bitnet_9.dat' index i using 1:2 with lines linewidth line_mark[i] > 1 ? 2.4 : 0.8 dashtype line_dash[i] linecolor rgb line_colour[i] title line_title[i], \
     NaN with lines linewidth 0.8 linecolor rgb ink title 'thin: all overlapped', \
     '' index 0 using 1:($4 == 0 ? $2 : NaN):3 with points pointtype 7 pointsize 1 linecolor rgb variable title (any_points ? 'measured here' : ''), \
     '' index 0 using 1:($4 == 1 ? $2 : NaN):3 with points pointtype 6 pointsize 1 linewidth 2 linecolor rgb variable title (any_ours ? 'measured here, ours' : ''), \
     '' index 0 using 1:2:(sprintf('%s: %.4g tokens/s at %.1f GB/s',strcol(5),$2,$1)) @hover
