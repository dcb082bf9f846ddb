# SPDX-License-Identifier: BSD-3-Clause
# Heat map of the share of the roof that cold GEMVs attain (shapes of the envelope paper's Fig. 5-7): rows formats, columns shapes by
# model, one panel for the smallest and one for the widest team. gemv.dat: one block per panel: column, row, colour, colour of the
# text, percent of the roof as text, GB/s, percent, 1 if valid, shape, kernel; then one of residuals: row, median and 90th
# percentile of their size in percent, model, text.
if (narrow) { left = 190; narrow_room = (width-left-8.0-(beside ? (panels-1)*panel_gap : 0))/(columns*(beside ? panels : 1)); cell_width = narrow_room > 44 ? 44 : narrow_room }
numbers = cell_width >= (narrow ? 27 : 17)
# A column has no room for more than the format, the threads and the models that have a name.
row_name(title) = narrow && strstrt(title,'  ') > 0 ? substr(title,strstrt(title,'  ')+2,64) : title
panel_name(title) = narrow && strstrt(title,',') > 0 ? substr(title,1,strstrt(title,',')-1) : title
model_name(title) = narrow && title eq 'other' ? '' : title
# Names of models that stand side by side take turns on two lines; a column has no room to have them on one.
level_of(m) = narrow ? (m-1)%2 : model_level[m]
level_step = narrow ? 15.0 : 14.0
title_lift = narrow ? 38.0 : 36.0
top = narrow ? 8 : headroom
down(p) = beside ? 1 : p
left_of(p) = left+(beside ? (p-1)*(columns*cell_width+panel_gap) : 0)
bottom_of(p) = from_top(top+down(p)*(panel_head+rows*row_height)+(down(p)-1)*panel_gap)
set multiplot
set xrange [0.5:columns+0.5]
set yrange [rows+0.5:0.5]
unset key
unset border
unset grid
set ytics scale 0 font font_small
set ytics ()
do for [r=1:rows] { set ytics add (row_name(row_title[r]) r) }
do for [p=1:panels] {
    set lmargin at screen from_left(left_of(p))
    set rmargin at screen from_left(left_of(p)+columns*cell_width)
    if (beside && p == 2) { unset ytics }
    set bmargin at screen bottom_of(p)
    set tmargin at screen bottom_of(p)+rows*row_height*1.0/height
    if (p > 1) { unset label }
    set label ''.panel_name(panel_title[p]) at screen from_left(left_of(p)),bottom_of(p)+(rows*row_height+(beside || p == 1 ? title_lift : 8.0))/height left font font_panel textcolor rgb ink
    if (beside || p == 1) { do for [m=1:models] { set label ''.model_name(model_title[m]) at first model_first[m]-0.46,screen bottom_of(p)+(rows*row_height+5.0+level_step*level_of(m))/height left font font_tiny textcolor rgb ink } }
    do for [m=2:models] { set arrow 10+m from first model_first[m]-0.5,graph 0 to first model_first[m]-0.5,graph 1.0 nohead linewidth 1.2 linecolor rgb ink front }
    if (beside || p == panels) { set xtics scale 0 rotate by (narrow ? 90 : 50) right font font_small offset (narrow ? 0 : 0.5),(narrow ? 0 : 0.1); set xtics (); do for [c=1:columns] { set xtics add (column_title[c] c) } } else { unset xtics }
    plot 'gemv.dat' index p-1 using ($8 == 1 ? $1 : NaN):2:(0.48):(0.46):3 with boxxyerror linecolor rgb variable fillstyle solid 1 noborder title '', \
         '' index p-1 using ($8 == 0 ? $1 : NaN):2:(0.44):(0.42) with boxxyerror linecolor rgb ink fillstyle empty border linecolor rgb ink title '', \
         '' index p-1 using (numbers ? $1 : NaN):2:5:4 with labels center font font_tiny textcolor rgb variable title '', \
         '' index p-1 using 1:2:(sprintf('%s, %s, %s: %.1f%% of its roof, %.2f GB/s%s',strcol(10),strcol(9),panel_title[p],$7,$6,$8 == 1 ? '' : ', not valid')) @hover
}
# What the colours mean.
unset label
unset arrow
unset ytics
unset xtics
legend = strip+8
set lmargin at screen from_left(left)
set rmargin at screen from_left(left+steps*32)
set bmargin at screen from_bottom(legend)
set tmargin at screen from_bottom(legend+20)
set xrange [0.5:steps+0.5]
set yrange [0:1]
set label 'percent of the roof:' at screen from_left(left-8),from_bottom(legend+10) right font font_small textcolor rgb ink
if (invalid && !narrow) { set label 'hollow: not valid' at screen from_left(left+steps*32+12),from_bottom(legend+10) left font font_small textcolor rgb ink }
do for [s=1:steps] {
    set object s rectangle center first s,0.5 size 0.94,0.95 fillcolor rgb step_colour[s] fillstyle solid noborder
    set label 100+s step_title[s] at first s,0.5 center font font_tiny textcolor rgb step_text[s] front
}
plot NaN title ''
unset object
# By how much the model is off.
if (residual_rows > 0) {
    unset label
    set border 3
    set bmargin at screen from_bottom(30)
    set tmargin at screen from_bottom(30+22*residual_rows)
    set lmargin at screen from_left(narrow ? 70 : 90)
    set rmargin at screen from_right(16)
    set xrange [0:(narrow ? 3.7 : 2.2)*axis_end(residual_max)]
    set yrange [residual_rows+0.5:0.5]
    set grid xtics noytics
    set xtics nomirror scale 0.5 norotate autofreq center font font_small offset 0,0.3
    set format x '%g%%'
    set ytics scale 0 font font_small autofreq
    set label 'Measured against predicted time, cells held out' at screen from_left(narrow ? 70 : 90),from_bottom(30+22*residual_rows+10) left font font_small textcolor rgb ink
    plot 'gemv.dat' index panels using (0.5*$2):1:(0.5*$2):(0.26):ytic(4) with boxxyerror fillcolor rgb '#7f7f7f' fillstyle solid 0.9 noborder title '', \
         '' index panels using 2:1:($3-$2):(0) with vectors nohead linewidth 1.8 linecolor rgb ink title '', \
         '' index panels using 3:1:5 with labels left offset 1.2,0 font font_small textcolor rgb ink title '', \
         '' index panels using 2:1:(sprintf('%s: %s',strcol(4),strcol(5))) @hover
}
unset multiplot
