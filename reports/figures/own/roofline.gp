# SPDX-License-Identifier: BSD-3-Clause
# Classic roofline of the largest team: operations per byte of packed weights against operations per second, a column a width.
# roofline.dat: a block a slope (level); two of ceilings, ours and published (from, to, Gop/s, colour, gamma, sequence); four of the
# fastest GEMVs, ours cold and warm, published cold and warm (place, Gop/s, colour, shape, kernel, Gop/s of the slowest, GEMVs).
set lmargin at screen from_left(narrow ? room(58) : 96)
set rmargin at screen from_right(16)
set tmargin at screen from_top(headroom+6)
set bmargin at screen from_bottom(narrow ? 118 : 132)
set logscale xy
set xrange [x_min:x_max]
set yrange [y_min:y_max]
set ylabel 'Throughput (Gop/s)' font font_normal
set format y '%.0f'
set ytics () font font_normal
do for [d=-1:6] { do for [m in '1 2 5'] { set ytics add (sprintf('%g',m*10**d) m*10**d) } }
set xtics () font font_normal
# The numbers of two columns that stand close are moved apart; the first column is the rightmost.
wide = width-(narrow ? room(58) : 96)-16.0
pixels(i,j) = i < 1 || j > columns ? wide : wide*log(column_at[i]/column_at[j])/log(x_max/x_min)
close = narrow ? 24 : 34
before(i) = pixels(i,i+1) < close ? '    ' : ''
after(i) = pixels(i-1,i) < close ? '    ' : ''
spaced(i,text) = before(i).text.after(i)
do for [i=1:columns] { set xtics add (spaced(i,column_title[i])."\n".spaced(i,sprintf('%.3g',column_at[i])) column_at[i]) }
set xlabel "bits per weight\nArithmetic intensity (operations per byte of packed weights)" font font_normal offset 0,-0.6
unset key
# A slope is named along it, in the widest place between two columns: marks stand on these. A column of a paper has room for the level.
high = height-headroom-6-(narrow ? 118 : 132)*1.0
angle = atan2(high/log(y_max/y_min),wide/log(x_max/x_min))*180/pi
widest = 1
do for [i=2:columns-1] { if (pixels(i,i+1) > pixels(widest,widest+1)) { widest = i } }
named_at = columns > 1 ? sqrt(column_at[widest]*column_at[widest+1]) : column_at[1]
level(title) = title[1:strstrt(title,',')-1]
slope_name(i) = narrow ? level(slope_title[i]) : slope_title[i]
do for [i=1:slopes] {
    if (slope_rate[i]*named_at < 0.8*y_max && slope_rate[i]*named_at > y_min) {
        set label 10+i slope_name(i) at named_at,slope_rate[i]*named_at center offset 0,0.55 rotate by angle font font_tiny textcolor rgb (i == 1 ? ink : '#808080')
    }
}
set label 30 (narrow ? '● cold   ○ warm   ▲ △ published   ▬ γ allows   │ to the slowest' : '● cold   ○ warm   ▲ △ published   ▬ γ allows, ╍ published   │ down to the slowest cold') at screen from_left(narrow ? 8 : 96),from_bottom(14) left font (narrow ? font_tiny : font_small) textcolor rgb ink
size = narrow ? 0.8 : 1.05
said(k,shape,rate,n,least) = sprintf('%s, %s: %.0f Gop/s, the fastest of %g, the slowest %.0f',k,shape,rate,n,least)
cells(b) = slopes+2+b
plot for [i=1:slopes] 'roofline.dat' index i-1 using 1:2 with lines linewidth 1.8 dashtype slope_dash[i] linecolor rgb slope_colour[i] title '', \
     for [b=0:1] 'roofline.dat' index slopes+b using 1:3:($2-$1):(0):4 with vectors nohead linewidth (b ? 1.6 : 2.6) dashtype b+1 linecolor rgb variable title '', \
     for [b=0:2:2] 'roofline.dat' index cells(b) using 1:6:(0):($2-$6):3 with vectors nohead linewidth 1.4 linecolor rgb variable title '', \
     for [b=0:3] 'roofline.dat' index cells(b) using 1:2:3 with points pointtype (b == 0 ? 7 : b == 1 ? 6 : b == 2 ? 9 : 8) pointsize size linecolor rgb variable title '', \
     'roofline.dat' index slopes using (sqrt($1*$2)):($3*(int($0)%2 ? 0.88 : 1.13)):(sprintf('γ %.2g',$5)) with labels center font font_tiny textcolor rgb ink title '', \
     for [i=1:slopes] 'roofline.dat' index i-1 using ($0 == 0 ? $1 : NaN):2:(slope_title[i]) @hover, \
     for [b=0:1] 'roofline.dat' index slopes+b using (sqrt($1*$2)):3:(sprintf('γ %.2f of %s: at most %.0f Gop/s',$5,strcol(6),$3)) @hover, \
     for [b=0:3] 'roofline.dat' index cells(b) using 1:2:(said(strcol(5),strcol(4),$2,$7,$6)) @hover
