# SPDX-License-Identifier: BSD-3-Clause
# Table 3. mixed_t3.dat: a block of each kind (place, tokens/s, partly modelled, low, high, share measured, J/token, model), one of each kind but f16
# (place, times as fast, low, high, model), one of each kind that the paper states (place, times as fast, row), and two of costs (place, stated,
# recomputed of the energy, with hardware by the hour, by the token, kind, row).
key_rows = narrow ? 9 : 3
columns = narrow ? 1 : 2
panel_rows = 4/columns
left_of = narrow ? room(56) : 81
gap_x = 72
gap_y = narrow ? 96 : 92
panel_wide = (width-left_of-(narrow ? 10 : 16)-(columns-1)*gap_x)*1.0/columns
panel_high = (height-headroom-30-key_row*key_rows-86-(panel_rows-1)*gap_y)*1.0/panel_rows
left_edge(p) = left_of+((p-1)%columns)*(panel_wide+gap_x)
top_edge(p) = headroom+30+((p-1)/columns)*(panel_high+gap_y)
speedup_block = kinds
stated_block = 2*kinds-1
cost_block = stated_block+stated_kinds
mark = format eq 'svg' ? 0.75 : 1.1
array stated_mark[3] = [4, 13, 12]
array cost_colour[3] = [0xe69f00, 0x0072b2, 0x56b4e9]
set multiplot
set grid noxtics ytics
set errorbars 0
unset key
do for [p=1:4] {
    if (p > 1) { unset label }
    set lmargin at screen from_left(left_edge(p))
    set rmargin at screen from_left(left_edge(p)+panel_wide)
    set tmargin at screen from_top(top_edge(p))
    set bmargin at screen from_top(top_edge(p)+panel_high)
    unset object
    groups = p < 3 ? models : rows
    do for [g=1:groups] { if (g % 2) { set object g rectangle from first g-1,graph 0 to first g,graph 1 behind fillcolor rgb grid fillstyle solid 0.28 noborder } }
    set xrange [0:groups]
    set xtics ()
    if (p < 3) {
        set xtics scale 0 norotate center font font_small
        do for [g=1:models] { set xtics add (model_title[g] g-0.5) }
    } else {
        set xtics scale 0 rotate by 90 right font font_small
        do for [g=1:rows] { set xtics add (row_title[g] g-0.5) }
    }
    if (p == 1) {
        set label 1 'this host, '.threads(team).': tokens/s that the GEMVs allow' at graph 0,1+14.0/panel_high left font font_panel textcolor rgb ink
        set label 2 joules at graph 0,0-(narrow ? 40.0 : 44.0)/panel_high left font font_tiny textcolor rgb ink
        set ylabel 'tokens/s' offset (narrow ? 1.5 : 0.5),0
        set yrange [0:axis_end(1.1*rate_max)]
        set boxwidth 0.8/kinds
        plot for [k=1:kinds] 'mixed_t3.dat' index k-1 using 1:2 with boxes fillcolor rgb kind_colour[k] fillstyle solid 0.9 noborder title '', \
             for [k=1:kinds] '' index k-1 using 1:3 with boxes fillcolor rgb kind_colour[k] fillstyle solid 0.15 border linecolor rgb kind_colour[k] title '', \
             for [k=1:kinds] '' index k-1 using 1:4:(0):($5-$4) with vectors nohead linewidth 1.2 linecolor rgb ink title '', \
             for [k=1:kinds] '' index k-1 using 1:2:(sprintf('%s, %s: at most %.4g tokens/s by its measured GEMVs',kind_title[k],strcol(8),$2)) @hover, \
             for [k=1:kinds] '' index k-1 using 1:3:(sprintf('%s, %s: at most %.4g tokens/s, %.0f%% of the bytes measured',kind_title[k],strcol(8),$3,100*$6)) @hover
    }
    if (p == 2) {
        set label 1 'times as fast as 16-bit floats' at graph 0,1+14.0/panel_high left font font_panel textcolor rgb ink
        set ylabel 'times as fast' offset (narrow ? 1.5 : 0.5),0
        set yrange [0:axis_end(1.1*speedup_max)]
        set boxwidth 0.8/(kinds-1)
        plot for [k=2:kinds] 'mixed_t3.dat' index speedup_block+k-2 using 1:2 with boxes fillcolor rgb kind_colour[k] fillstyle solid 0.5 border linecolor rgb kind_colour[k] title '', \
             1 with lines linewidth 1 linecolor rgb ink title '', \
             for [k=2:kinds] '' index speedup_block+k-2 using 1:3:(0):($4-$3) with vectors nohead linewidth 1.2 linecolor rgb ink title '', \
             for [s=1:stated_kinds] '' index stated_block+s-1 using 1:2 with points pointtype stated_mark[s] pointsize mark linewidth 1.6 linecolor rgb '#b8860b' title '', \
             for [k=2:kinds] '' index speedup_block+k-2 using 1:2:(sprintf('%s, %s: %.3g times as fast as f16',kind_title[k],strcol(5),$2)) @hover, \
             for [s=1:stated_kinds] '' index stated_block+s-1 using 1:2:(sprintf('%s, %s: %.3g times as fast as PyTorch',stated_title[s],strcol(3),$2)) @hover
    }
    if (p > 2) {
        set label 1 (p == 3 ? 'the paper: cost of energy, times less' : 'the paper: whole cost, times less') at graph 0,1+14.0/panel_high left font font_panel textcolor rgb ink
        set ylabel 'times less' offset (narrow ? 1.5 : 0.5),0
        set yrange [0:axis_end(1.1*cost_max)]
        set boxwidth 0.7
        plot 'mixed_t3.dat' index cost_block+p-3 using 1:2:(cost_colour[int($6)]) with boxes fillstyle solid 0.9 noborder linecolor rgb variable title '', \
             1 with lines linewidth 1 linecolor rgb ink title '', \
             '' index cost_block+p-3 using 1:3 with points pointtype 9 pointsize mark linecolor rgb ink title '', \
             '' index cost_block+p-3 using 1:4 with points pointtype 9 pointsize mark linecolor rgb ink title '', \
             '' index cost_block+p-3 using 1:5 with points pointtype 6 pointsize mark linewidth 1.4 linecolor rgb ink title '', \
             '' index cost_block+p-3 using 1:2:(sprintf('%s: %.3g times less, as stated',strcol(7),$2)) @hover, \
             '' index cost_block+p-3 using 1:3:(sprintf('%s: %.3g times less energy, recomputed',strcol(7),$3)) @hover, \
             '' index cost_block+p-3 using 1:4:(sprintf('%s: %.3g times less, recomputed with the hardware by the hour',strcol(7),$4)) @hover, \
             '' index cost_block+p-3 using 1:5:(sprintf('%s: %.3g times less, recomputed with the hardware by the token',strcol(7),$5)) @hover
    }
}
unset border
unset tics
unset grid
unset object
unset label
unset ylabel
set lmargin at screen 0
set rmargin at screen 1
set tmargin at screen from_bottom(key_row*key_rows+14)
set bmargin at screen 0
set xrange [0:1]
set yrange [0:1]
set key at graph 0.5,0.5 center center horizontal maxcols (narrow ? 1 : 3) samplen 2 font font_normal
plot for [k=1:kinds] NaN with boxes fillcolor rgb kind_colour[k] fillstyle solid 0.9 noborder title kind_title[k], \
     for [s=1:stated_kinds] NaN with points pointtype stated_mark[s] pointsize mark linewidth 1.6 linecolor rgb '#b8860b' title stated_title[s], \
     NaN with boxes fillcolor rgb ink fillstyle solid 0.15 border linecolor rgb ink title 'partly modelled', \
     NaN with points pointtype 9 pointsize mark linecolor rgb ink title 'recomputed; right: by the hour', \
     NaN with points pointtype 6 pointsize mark linewidth 1.4 linecolor rgb ink title 'recomputed; by the token'
unset multiplot
