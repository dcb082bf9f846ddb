# SPDX-License-Identifier: BSD-3-Clause
# Dot plot of several machines: reports/draw/frames/machine_rows.h. Panels one below the other, rows from the top, numbers at the right.
file = figure.'.dat'
fits(title) = narrow && strlen(title) > 56 ? substr(title,1,55).'…' : title
set multiplot
unset key
left = narrow ? 150 : 196
numbers = machines <= (narrow ? 2 : 4) ? machines : 0
right = 14+numbers*(narrow ? 40 : 46)
top = headroom+22*machines
set lmargin at screen from_left(left)
set rmargin at screen from_right(right)
set logscale x
set grid xtics ytics
set ytics scale 0 font font_small
set xtics font font_small
set xtics ()
do for [d=-3:4] { do for [m in '1 2 5'] { set xtics add (sprintf('%g',m*10**d) m*10**d) } }
do for [i=1:machines] {
    set label 600+i fits(machine_title[i]) at screen from_left(46),from_top(headroom+22*(i-1)) left font (narrow ? font_tiny : font_normal) textcolor rgb ink point pointtype machine_mark[i] pointsize 1.2 linewidth 2 linecolor rgb machine_colour[i] offset 1.4,-0.3
}
above = top
first = 0
do for [p=1:panels] {
    set tmargin at screen from_top(above+52)
    set bmargin at screen from_top(above+52+panel_rows[p]*row_height)
    set xrange [panel_low[p]:panel_high[p]]
    set yrange [panel_rows[p]+0.5:0.5]
    set ytics ()
    do for [r=1:panel_rows[p]] { set ytics add (row_title[first+r] r) }
    if (p > 1) { unset label }
    set label 500 panel_title[p] at screen from_left(16),from_top(above+14) left font font_panel textcolor rgb ink
    do for [i=1:numbers] { set label 510+i substr('ABCDEFGH',i,i) at screen from_right(right-6-(i-1)*(narrow ? 40 : 46)-(narrow ? 17 : 20)),from_top(above+40) center font font_small textcolor rgb ink }
    unset arrow
    do for [i=1:lines] { if (line_panel[i] == p) {
        set arrow i from first line_at[i],graph 0 to first line_at[i],graph 1 nohead linewidth 1.8 dashtype 3 linecolor rgb ink
        set label 700+i line_title[i] at first line_at[i],screen from_top(above+(i % 2 ? 42 : 29)) center font font_tiny textcolor rgb ink
    } }
    plot for [i=1:machines] file index p-1 using (int($3) == i ? $1 : NaN):2 with points pointtype machine_mark[i] pointsize 1.2 linewidth 2 linecolor rgb machine_colour[i] title '', \
         file index p-1 using 1:2:(sprintf('%s, %s: %s%s',substr('ABCDEFGH',int($3),int($3)),row_title[first+int($2)],strcol(6),strlen(strcol(7)) ? ', '.strcol(7) : '')) @hover
    # The numbers: columns at the right, in their own coordinates.
    if (numbers) {
        unset label
        set lmargin at screen from_right(right-6)
        set rmargin at screen from_right(2)
        unset logscale x
        set xrange [0:numbers]
        unset border
        unset xtics
        unset ytics
        unset grid
        plot file index p-1 using (int($3) <= numbers ? $3-0.5 : NaN):2:6 with labels center font font_small textcolor rgb ink title ''
        set border 3
        set grid xtics ytics
        set logscale x
        set lmargin at screen from_left(left)
        set rmargin at screen from_right(right)
        set xtics nomirror font font_small
        set xtics ()
        do for [d=-3:4] { do for [m in '1 2 5'] { set xtics add (sprintf('%g',m*10**d) m*10**d) } }
        set ytics nomirror scale 0 font font_small
    }
    above = above+panel_around+panel_rows[p]*row_height
    first = first+int(panel_rows[p])
}
unset multiplot
