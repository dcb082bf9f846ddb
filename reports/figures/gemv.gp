# SPDX-License-Identifier: BSD-3-Clause
# Attained bandwidth of cold GEMVs, one group of bars per weight shape (envelope, Fig. 5-7), one panel per team size.
# gemv.dat: one block per (panel, kernel), panel by panel: place of the bar, GB/s, roof of the cell, GB/s if valid, if not, shape, kernel;
# then one of residuals: row, median and 90th percentile of their size in percent, model, text.
key_rows = (bars+3+(narrow ? 1 : 3))/(narrow ? 2 : 4)
set multiplot
bottom = from_bottom((narrow ? 106 : 126)+key_row*key_rows+strip)
gap = from_bottom(44)
panel_height = (from_top(headroom+30)-bottom-(panels-1)*gap)/panels
set lmargin at screen from_left(narrow ? room(66) : 81)
set rmargin at screen from_right(narrow ? 6 : 16)
of_roof(rate,roof) = roof == roof ? sprintf(', %.0f%% of its roof, %.2f',100*rate/roof,roof) : ''
set boxwidth bar_width
set errorbars 0
set xrange [0:shapes+0.02]
set grid noxtics ytics
unset key
set xtics scale 0 rotate by (narrow ? 55 : 35) right font font_small offset 0.6,-0.1
set xtics ()
do for [m=1:models] { if (m % 2) { set object m rectangle from first model_first[m]-1,graph 0 to first model_last[m],graph 1 behind \
    fillcolor rgb grid fillstyle solid 0.28 noborder } }
do for [p=1:panels] {
    set bmargin at screen bottom+(panels-p)*(panel_height+gap)
    set tmargin at screen bottom+(panels-p)*(panel_height+gap)+panel_height
    set yrange [0:axis_end(panel_max[p])]
    set ylabel 'GB/s, '.panel_title[p] offset 0.5,0
    if (p > 1) { unset label }
    if (p == 1) { do for [m=1:models] { set label model_title[m] at first (model_first[m]-1+model_last[m])/2.0,graph 1.06 center font (narrow ? font_tiny : font_panel) textcolor rgb ink } }
    if (p == panels) { do for [s=1:shapes] { set xtics add (shape_title[s] s-0.5) }
        if (!narrow) { set label 'rows × columns of the weight matrix' at screen 0.53,from_bottom(32+key_row*key_rows+strip) center textcolor rgb ink } } else { do for [s=1:shapes] { set xtics add ('' s-0.5) } }
    if (panel_roof[p] > 0) { set label panel_roof_label[p] at graph 0.012,graph 0.945 font font_small textcolor rgb ink }
    plot for [b=1:bars] 'gemv.dat' index (p-1)*bars+b-1 using 1:4 with boxes fillcolor rgb bar_colour[b] fillstyle solid bar_mark[b]/100.0 border linecolor rgb bar_colour[b] title '', \
         for [b=1:bars] 'gemv.dat' index (p-1)*bars+b-1 using 1:5 with boxes fillcolor rgb bar_colour[b] fillstyle transparent solid 0 border linecolor rgb bar_colour[b] title '', \
         for [b=1:bars] 'gemv.dat' index (p-1)*bars+b-1 using 1:3:(0.42*bar_width) with xerrorbars pointtype 0 linewidth 1.8 linecolor rgb ink title '', \
         panel_roof[p] > 0 ? panel_roof[p] : NaN with lines linewidth 1.4 dashtype 3 linecolor rgb ink title '', \
         for [b=1:bars] 'gemv.dat' index (p-1)*bars+b-1 using 1:2:(sprintf('%s, %s, %s: %.2f GB/s%s%s', \
             strcol(7),strcol(6),panel_title[p],$2,of_roof($2,$3),valid(4) ? '' : ', not valid')) @hover
}
# By how much the model is off.
if (residual_rows > 0) {
    unset label
    unset object
    unset ylabel
    set bmargin at screen from_bottom(44+key_row*key_rows)
    set tmargin at screen from_bottom(44+key_row*key_rows+22*residual_rows)
    set xrange [0:(narrow ? 3.7 : 1.8)*axis_end(residual_max)]
    set yrange [residual_rows+0.5:0.5]
    set grid xtics noytics
    set xtics scale 0.5 norotate autofreq center font font_small offset 0,0.3
    set format x '%g%%'
    set ytics scale 0 font font_small
    set label 'Measured against predicted time, cells held out' at screen from_left(narrow ? room(66) : 81),from_bottom(44+key_row*key_rows+22*residual_rows+10) left font font_small textcolor rgb ink
    plot 'gemv.dat' index panels*bars using (0.5*$2):1:(0.5*$2):(0.26):ytic(4) with boxxyerror fillcolor rgb '#7f7f7f' fillstyle solid 0.9 noborder title '', \
         '' index panels*bars using 3:1:2:3 with xerrorbars pointtype 0 linewidth 1.8 linecolor rgb ink title '', \
         '' index panels*bars using 3:1:5 with labels left offset 1.2,0 font font_small textcolor rgb ink title '', \
         '' index panels*bars using 2:1:(sprintf('%s: %s',strcol(4),strcol(5))) @hover
}
# The legend on its own, over the whole canvas: next to a low panel it would be cut off.
unset border
unset tics
unset label
set xrange [0:1]
unset object
unset ylabel
set lmargin at screen 0
set rmargin at screen 1
set tmargin at screen 1
set bmargin at screen 0
set yrange [0:1]
if (narrow) { set key at screen from_left(8),from_bottom(8) left bottom vertical maxcols 2 maxrows key_rows width -2 samplen 2 font font_small } else {
    set key at screen 0.5,from_bottom(8) center bottom vertical maxcols 4 maxrows key_rows width -3 samplen 2 font font_normal }
plot NaN with lines linewidth 1.4 dashtype 3 linecolor rgb ink title 'read roof of the run (β)', \
     NaN with lines linewidth 1.8 linecolor rgb ink title cell_roofs ? 'roof of the cell' : '', \
     NaN with boxes linecolor rgb ink fillstyle empty border linecolor rgb ink title invalid ? 'above its roof: not valid' : '', \
     for [b=1:bars] NaN with boxes fillcolor rgb bar_colour[b] fillstyle solid bar_mark[b]/100.0 border linecolor rgb bar_colour[b] title bar_title[b]
unset multiplot
