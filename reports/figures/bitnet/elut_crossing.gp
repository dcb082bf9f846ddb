# SPDX-License-Identifier: BSD-3-Clause
# Tables against look-ups. elut_crossing.dat: for each kernel a block of products (rows, tables over look-ups, what), then one of its crossing
# (C^g, rows, 1 if between measured rows, what).
key_font = narrow ? font_small : font_normal
legend = key_row*(narrow ? lines : (lines+1)/2)
set multiplot
set logscale xy 2
set format x '%g'
set format y '%g'
unset key
left = narrow ? room(62) : 74
panel_width = narrow ? width-left-16 : (width-2*(left+16))/2.0
panel_height = narrow ? (height-headroom-legend-34-2*84)/2.0 : height-headroom-legend-34-84
do for [p=1:2] {
    begin = left+(narrow ? 0 : (p-1)*width/2.0)
    set lmargin at screen from_left(begin)
    set rmargin at screen from_left(begin+panel_width)
    top = headroom+34+(narrow ? (p-1)*(panel_height+84) : 0)
    set tmargin at screen from_top(top)
    set bmargin at screen from_top(top+panel_height)
    if (p > 1) { unset label 901; unset label 902 }
    if (p == 1) {
        set label 5 'time of tables / time of look-ups' at graph 0,1.06 left font font_panel textcolor rgb ink
        set xlabel 'rows M'
        set xrange [rows_low:rows_high]
        set autoscale y
        set xtics 8,4
        set ytics ()
        do for [i=0:4] { set ytics add (sprintf('%g',2.0**i) 2.0**i) }
        do for [i=1:8] { set ytics add (sprintf('1/%g',2.0**i) 2.0**-i) }
        plot 1 with lines linewidth 1.5 linecolor rgb ink title '', \
             for [i=1:lines] 'elut_crossing.dat' index 2*(i-1) using 1:2 with linespoints linewidth 2 pointtype line_mark[i] pointsize 1.1 linecolor rgb line_colour[i] title '', \
             for [i=1:lines] '' index 2*i-1 using 1:(1) with points pointtype 2 pointsize 1.1 linewidth 2 linecolor rgb line_colour[i] title '', \
             for [i=1:lines] '' index 2*(i-1) using 1:2:(strcol(3)) @hover
    } else {
        set xtics autofreq
        set ytics autofreq
        set label 5 'rows M where both take as long' at graph 0,1.06 left font font_panel textcolor rgb ink
        set xlabel 'C^g'
        set xrange [6:48]
        set yrange [crossing_low:crossing_high]
        set label 6 'M = C^g' at 46,(narrow ? 23 : 29) right font font_small textcolor rgb ink # below the line, at its end
        plot x with lines linewidth 1.5 dashtype 2 linecolor rgb ink title '', \
             for [i=1:lines] 'elut_crossing.dat' index 2*i-1 using 1:2 with points pointtype line_mark[i] pointsize 1.4 linecolor rgb line_colour[i] title '', \
             for [i=1:lines] '' index 2*i-1 using 1:($3 > 0 ? NaN : $2) with points pointtype 7 pointsize 0.6 linecolor rgb '#ffffff' title '', \
             for [i=1:lines] '' index 2*i-1 using 1:2:(strcol(4)) @hover
    }
}
# the legend, below both
unset label
unset border
unset tics
unset grid
unset xlabel
unset logscale
set lmargin at screen from_left(16)
set rmargin at screen from_right(16)
set tmargin at screen from_bottom(legend+14)
set bmargin at screen from_bottom(4)
set xrange [0:1]
set yrange [0:1]
set key at graph 0.5,0.5 center center horizontal maxcols (narrow ? 1 : 2) samplen 2 font key_font
plot for [i=1:lines] NaN with linespoints linewidth 2 pointtype line_mark[i] pointsize 1.1 linecolor rgb line_colour[i] title line_title[i]
unset multiplot
