# SPDX-License-Identifier: BSD-3-Clause
# Panels of bars: reports/draw/frames/bar_panels.h. Columns of the data: place, value, low, high, colour, opacity, kind, mark on it, text above, text on hover.
file = figure.'.dat'
across = narrow ? 1 : columns
rows = (panels+across-1)/across
legend = key_row*key_rows[narrow+1]+20
beneath = below[narrow+1]
between = shared ? 12 : beneath
high = (height-headroom-legend-beneath-rows*above-(rows-1)*between)*1.0/rows
left_of = narrow ? room(66) : 81
right_of = narrow ? 8 : 16
gap = 88
# A panel of many bars is wider than one of few beside it.
share(q) = 16+panel_end[q]
first_of(p) = p-(p-1)%across
last_of(p) = first_of(p)+across-1 > panels ? panels : first_of(p)+across-1
unit_width(p) = (width-left_of-right_of-(last_of(p)-first_of(p))*gap)/(sum [q=first_of(p):last_of(p)] share(q))
left_edge(p) = left_of+(p > first_of(p) ? sum [q=first_of(p):p-1] (share(q)*unit_width(p)+gap) : 0)
top_edge(p) = headroom+above+((p-1)/across)*(above+high+between)
two_lines(text) = strstrt(text,'|') ? text[1:strstrt(text,'|')-1]."\n".text[strstrt(text,'|')+1:*] : text
shown(colour,opacity) = int((1-opacity)*255)*0x1000000+int(colour)
mark = format eq 'svg' ? 0.75 : 1
turned_texts = upright ? 'left rotate by 90' : 'center'
# A heading is as wide as its panel, or cut.
heading_of(text) = narrow && strlen(text) > 56 ? text[1:55].'…' : text
lift(text) = upright ? 4 : strstrt(text,'|') && !narrow ? 26 : 9
text_room = upright ? (narrow ? 0 : 40) : 10+(narrow || text_lines < 2 ? 16 : 19*text_lines)
# A text stands above the mark that it would hit.
mark_lift = upright ? 8 : 5
height_of(pixels,most) = logarithmic ? 0 : pixels*most/(high-text_room)
hits(top,at,most) = at > top-height_of(mark_lift,most) && at < top+height_of(text_room,most)
text_at(top,at,most,text) = (hits(top,at,most) ? at+height_of(mark_lift,most) : top)+height_of(lift(text),most)
first_line(text) = strstrt(text,'|') ? text[1:strstrt(text,'|')-1] : text
set multiplot
set style fill solid 1 noborder
set grid noxtics ytics
set boxwidth 0.9
set xtics scale 0 font font_small
one_line(text) = strstrt(text,'|') ? text[1:strstrt(text,'|')-1].' '.text[strstrt(text,'|')+1:*] : text
if (turned) { set xtics rotate by (narrow ? 55 : 35) right offset 0.6,-0.1 }
if (narrow && crowded) { set xtics rotate by 90 right }
unset key
do for [p=1:panels] {
    if (p > 1) { unset label }
    set lmargin at screen from_left(left_edge(p))
    set rmargin at screen from_left(left_edge(p)+share(p)*unit_width(p))
    set tmargin at screen from_top(top_edge(p))
    set bmargin at screen from_top(top_edge(p)+high)
    set label panel_title[p] at graph 0,1+(above-20)/high left font font_panel textcolor rgb ink
    set xrange [0.3:panel_end[p]]
    if (logarithmic) { set logscale y; set yrange [panel_least[p]/1.6:panel_most[p]*1.6] } else { set yrange [0:axis_end(panel_most[p]*high/(high-text_room))] }
    set ylabel panel_unit[p].(logarithmic ? ' (log scale)' : '') offset (narrow ? 1.35 : logarithmic && 1.6*panel_most[p] >= 1000 ? 1.7 : 0.5),0
    set xtics ('' -9)
    last = p+across > panels
    do for [i=1:tics] { if (tic_panel[i] == p && (last || !shared)) { set xtics add ((narrow && crowded ? one_line(tic_title[i]) : two_lines(tic_title[i])) tic_at[i]) } }
    do for [i=1:headings] { if (heading_panel[i] == p) { set label heading_of(heading_title[i]) at heading_at[i],graph 1+10/high center font (narrow ? font_tiny : font_small) textcolor rgb ink } }
    if (strlen(under) && last) { set label under at graph 0.5,graph -(beneath-12)/high center font font_normal textcolor rgb ink }
    plot file index p-1 using ($7 == 0 ? $1 : NaN):2:(shown($5,$6)) with boxes linecolor rgb variable title '', \
         '' index p-1 using 1:($7 == 0 && $6 < 1 ? $2 : NaN):5 with boxes linecolor rgb variable fillstyle empty border title '', \
         for [i=1:levels] (level_panel[i] == p ? level_at[i] : NaN) with lines linewidth 1.4 dashtype level_dash[i] linecolor rgb ink title '', \
         (from_one ? 1 : NaN) with lines linewidth 1 linecolor rgb ink title '', \
         '' index p-1 using ($7 == 0 && $4 > $3 ? $1 : NaN):3:(0):($4-$3) with vectors nohead linewidth 1.4 linecolor rgb ink title '', \
         '' index p-1 using ($7 > 99 ? $1 : NaN):2:($7-100):5 with points pointtype variable pointsize mark linewidth 1.4 linecolor rgb variable title '', \
         '' index p-1 using ($7 == 0 && !(narrow && (upright || panel_end[p] > 22)) ? $1 : NaN):(text_at($4,$8,panel_most[p],strcol(9))):(narrow ? first_line(strcol(9)) : two_lines(strcol(9))) with labels @turned_texts font font_tiny textcolor rgb ink title '', \
         '' index p-1 using ($7 == 1 ? $1 : NaN):(panel_most[p]*0.03):9 with labels left rotate by 90 font font_small textcolor rgb ink title '', \
         '' index p-1 using ($7 == 1 ? NaN : $1):2:(strcol(10)) @hover
}
unset label
unset border
unset tics
unset grid
unset ylabel
unset logscale
set lmargin at screen from_left(16)
set rmargin at screen from_right(16)
set tmargin at screen from_bottom(legend-6)
set bmargin at screen 0
set xrange [0:1]
set yrange [0:1]
set key at graph 0.5,0.5 center center horizontal maxcols key_columns[narrow+1] samplen 2 font font_normal
plot for [k=1:keys] NaN with boxes fillcolor rgb shown(key_colour[k],key_opacity[k]) fillstyle solid 1 border linecolor rgb key_colour[k] title (key_kind[k] == 0 ? key_title[k] : ''), \
     for [k=1:keys] NaN with lines linewidth 1.4 dashtype key_style[k] linecolor rgb ink title (key_kind[k] == 1 ? key_title[k] : ''), \
     for [k=1:keys] NaN with points pointtype key_style[k] pointsize mark linewidth 1.4 linecolor rgb key_colour[k] title (key_kind[k] == 2 ? key_title[k] : '')
unset multiplot
