# SPDX-License-Identifier: BSD-3-Clause
# Where the time of a GEMV goes. where_time_goes.dat, for each team: a block a part: place, from, to, width (%), us, kernel; then one: place, end, text, us, kernel.
block(t,p) = (t-1)*(parts+1)+p-1
# A part of less than 1% has no value on hover: its neighbours would lie over it.
shown = narrow ? 1 : panels
names_wide = narrow ? 200 : 7.2*name_length+22
set style fill solid 0.9 noborder
set yrange [bars+0.7:0.3]
set grid noytics xtics
if (narrow) { set ytics font font_tiny } else { set ytics font font_small }
set bmargin at screen from_bottom(narrow ? 58 : 72)
set tmargin at screen from_top(narrow ? 90 : headroom+44)
wide = (from_right(10)-from_left(names_wide))/shown
set multiplot
do for [t=1:shown] {
    set lmargin at screen from_left(names_wide)+(t-1)*wide+(t > 1 ? 0.01 : 0)
    set xrange [panel_low[t]-4:panel_high[t]+((narrow ? 0.6 : 0.5)*(panel_high[t]-panel_low[t]))]
    set xtics -200,50,50*floor(panel_high[t]/50+0.1)
    set rmargin at screen from_left(names_wide)+t*wide-(t < shown ? 0.01 : 0)
    set xlabel (narrow ? '% of the time, ' : '% of the time measured, ').threads(panel_threads[t])
    set arrow 1 from first 100,graph 0 to first 100,graph 1 nohead linewidth 1.2 dashtype 2 linecolor rgb ink front
    set arrow 2 from first 0,graph 0 to first 0,graph 1 nohead linewidth 0.8 linecolor rgb ink front
    if (t == 1) {
        set key at screen from_left(narrow ? 8 : names_wide),from_top(narrow ? 6 : headroom-8) left top vertical maxcols (narrow ? 2 : 4) maxrows (narrow ? 3 : 2) samplen 1.2 font font_small
        plot for [p=1:parts] 'where_time_goes.dat' index block(t,p) using (p == 1 || $3 > $2 ? 0.5*($2+$3) : NaN):1:(0.5*($3-$2)):(0.36):ytic(kernel_name(strcol(6))) with boxxyerror linecolor rgb part_colour[p] title part_title[p], \
             '' index block(t,parts+1) using (panel_high[t]):1:(narrow ? strcol(4).' µs' : strcol(3)) with labels left offset 0.8,0 font font_tiny textcolor rgb ink title '', \
             for [p=1:parts] '' index block(t,p) using ($3-$2 > 1 ? 0.5*($2+$3) : NaN):1:(sprintf('%s: %s %.1f%%, %.2f us',strcol(6),part_title[p],$4,$5)) @hover
    } else {
        unset key
        unset label
        set ytics 1,1 format ''
        plot for [p=1:parts] 'where_time_goes.dat' index block(t,p) using ($3 > $2 ? 0.5*($2+$3) : NaN):1:(0.5*($3-$2)):(0.36) with boxxyerror linecolor rgb part_colour[p] title '', \
             '' index block(t,parts+1) using (panel_high[t]):1:(narrow ? strcol(4).' µs' : strcol(3)) with labels left offset 0.8,0 font font_tiny textcolor rgb ink title '', \
             for [p=1:parts] '' index block(t,p) using ($3-$2 > 1 ? 0.5*($2+$3) : NaN):1:(sprintf('%s: %s %.1f%%, %.2f us',strcol(6),part_title[p],$4,$5)) @hover
    }
}
unset multiplot
