# SPDX-License-Identifier: BSD-3-Clause
# One panel per machine, one group of bars per shape. envelope_5_7.dat: one block per panel: place, GB/s at 8, 2, 1 bits, shape,
# model, GB/s of the paper's kernels as published, measured here.
set multiplot layout panels,1 margins from_left(narrow ? room(66) : 81),from_right(narrow ? 6 : 16),from_bottom(narrow ? 136 : 132),from_top(headroom+(narrow ? 14 : 10)) spacing 40.0/height
set xrange [0.4:shapes+0.6]
set grid noxtics ytics
set style fill solid 0.95 noborder
set boxwidth 0.26
set xtics scale 0 rotate by (narrow ? 55 : 35) right font font_small offset 0.6,-0.1
bar_text = '%s, %s, %g-bit: %.1f GB/s'
published_text = '%s, %s, %g-bit as published: %.1f GB/s'
unset key
do for [p=1:panels] {
    set yrange [0:axis_end(panel_max[p])]
    set ylabel 'GB/s' offset 0.5,0
    if (p > 1) { unset label }
    set xtics ()
    do for [s=1:shapes] { set xtics add ((p == panels ? shape_title[s] : '') s) }
    set label panel_title[p] at graph 0,1.07 font font_panel textcolor rgb ink
    if (p == panels) { if (!narrow) { set label 'rows × columns of the weight matrix' at screen 0.53,50.0/height center textcolor rgb ink font font_normal }
        set key at screen 0.53,10.0/height center bottom horizontal maxcols 5 samplen 2 font font_normal }
    plot 'envelope_5_7.dat' index p-1 using ($1-0.27):2 with boxes linecolor rgb colour_8 title '8-bit', \
         '' index p-1 using 1:3 with boxes linecolor rgb colour_2 title '2-bit', \
         '' index p-1 using ($1+0.27):4 with boxes linecolor rgb colour_1 title '1-bit', \
         panel_roof[p] > 0 ? panel_roof[p] : NaN with lines linewidth 1.4 dashtype 3 linecolor rgb ink title 'read roof', \
         'envelope_5_7.dat' index p-1 using ($1-0.27):7 with points pointtype 13 pointsize 0.7 linecolor rgb ink title 'as published', \
         '' index p-1 using 1:8 with points pointtype 13 pointsize 0.7 linecolor rgb ink title '', \
         '' index p-1 using ($1+0.27):9 with points pointtype 13 pointsize 0.7 linecolor rgb ink title '', \
         'envelope_5_7.dat' index p-1 using ($1-0.27):2:(sprintf(bar_text,strcol(6),strcol(5),8,$2)) @hover, \
         '' index p-1 using 1:3:(sprintf(bar_text,strcol(6),strcol(5),2,$3)) @hover, \
         '' index p-1 using ($1+0.27):4:(sprintf(bar_text,strcol(6),strcol(5),1,$4)) @hover, \
         '' index p-1 using ($1-0.27):7:(sprintf(published_text,strcol(6),strcol(5),8,$7)) @hover, \
         '' index p-1 using 1:8:(sprintf(published_text,strcol(6),strcol(5),2,$8)) @hover, \
         '' index p-1 using ($1+0.27):9:(sprintf(published_text,strcol(6),strcol(5),1,$9)) @hover
}
unset multiplot
