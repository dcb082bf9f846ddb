# SPDX-License-Identifier: BSD-3-Clause
# The knee, row by row: a line up to B/gamma, a diamond there, a dot where the GEMV is, and a bar for each beta of the machine.
# hero.dat: a row a line: place, knee and its interval, attained and its interval, share of the roof (below 0: unknown), knee of
# others' kernels, what limits, width, kernel; places that are not known are 0.
set lmargin at screen from_left(18)
set rmargin at screen from_right(14)
set tmargin at screen from_top(headroom+34)
set bmargin at screen from_bottom(84)
if (!narrow) set label 902 subtitle font font_tiny
set border 1 linecolor rgb ink
set logscale x 2
set xrange [x_min:x_max]
set yrange [rows+0.55:0.3]
unset ytics
set xtics font font_normal
set grid xtics noytics
unset key
set xlabel 'Effective bandwidth (B/cycle/core), doubling' font font_normal offset 0,0.3
# The bar further left has its text on the upper line, so that it may pass over the other.
team_first = beta_alone <= 0 || beta_team <= beta_alone
text_team = sprintf('β, %g cores: %.3g',beta_cores,beta_team)
text_alone = sprintf('β, 1 core: %.3g',beta_alone)
# In pixels, since few rows are a low plot.
line(first) = from_top(headroom+(first ? 11 : 26))
end_of_line(first) = line(first)+0.5*(line(1)-line(0))
if (beta_team > 0) {
    set arrow 1 from beta_team,graph 0 to beta_team,screen end_of_line(team_first) nohead linecolor rgb ink linewidth 2.6 back
    set label 1 text_team at beta_team,screen line(team_first) left offset 0.6,0 font font_normal textcolor rgb ink
}
if (beta_alone > 0) {
    set arrow 2 from beta_alone,graph 0 to beta_alone,screen end_of_line(!team_first) nohead linecolor rgb ink linewidth 1.6 dashtype 2 back
    set label 2 text_alone at beta_alone,screen line(!team_first) left offset 0.6,0 font font_normal textcolor rgb ink
}
set label 20 '● attained, with its share of the roof    ◆ knee    ◇ published knee' at screen from_left(18),from_bottom(13) left font font_small textcolor rgb ink
# Clear of the diamonds on the line below.
above(row) = row-0.34
# gnuplot dies of vectors without any point: what is not known lies left of the axis
shown(value) = value > 0 ? value : x_min/16
end_of(knee,attained) = knee > 0 ? knee : attained
below(row) = row+0.27
size = format eq 'svg' ? 0.6 : 1
share_text(share) = share < 0 ? '' : sprintf('%.0f%%',100*share)
# A place within the plot for what is not known: gnuplot 5.4 crashes on labels without any point.
place_of(value) = value > 0 ? value : x_min
# A share stands on the side of its dot that the team's bar is not on.
left_of_bar(attained) = attained <= 1.05*beta_team || beta_team <= 0
knee_text(knee) = knee > 0 ? sprintf('%.3g',knee) : ''
# Beside a knee that is near it has no place of its own and stands after that.
by_knee(knee,attained) = knee > attained/1.6 && knee < 1.6*attained && !left_of_bar(attained)
both_text(knee,attained,share) = knee_text(knee).(by_knee(knee,attained) && share >= 0 ? ', '.share_text(share) : '')
plot 'hero.dat' using (x_min):1:(x_max-x_min):(0) with vectors nohead linewidth 1 dashtype 3 linecolor rgb grid title '', \
     '' using (x_min):1:(end_of($2,$5)-x_min):(0):(row_colour[int($1)]) with vectors nohead linewidth 3 linecolor rgb variable title '', \
     '' using (shown($3)):1:($4-$3):(0) with vectors nohead linewidth 1.2 linecolor rgb ink title '', \
     '' using (shown($9)):1 with points pointtype 12 pointsize 1.1*size linewidth 1.4 linecolor rgb ink title '', \
     '' using (shown($2)):1:(row_colour[int($1)]) with points pointtype 13 pointsize 1.3*size linecolor rgb variable title '', \
     '' using (shown($5)):1 with points pointtype 7 pointsize 0.9 linecolor rgb ink title '', \
     '' using (x_min):(above($1)):11 with labels left font font_normal textcolor rgb ink title '', \
     '' using (x_max):(above($1)):(kernel_name(strcol(12)).', '.strcol(10)) with labels right font font_small textcolor rgb ink title '', \
     '' using (place_of(end_of($2,$5))):(below($1)):(both_text($2,$5,$8)) with labels left offset 0.7,0 font font_normal textcolor rgb ink title '', \
     '' using (place_of($5)):(below($1)):(left_of_bar($5) ? share_text($8) : '') with labels right offset -0.6,0 font font_small textcolor rgb ink title '', \
     '' using (place_of($5)):(below($1)):(left_of_bar($5) || by_knee($2,$5) ? '' : share_text($8)) with labels left offset 0.6,0 font font_small textcolor rgb ink title '', \
     '' using (place_of($2)):1:($2 > 0 ? sprintf('%s, %s: knee %.3g [%.3g, %.3g] bytes per cycle',strcol(11),strcol(12),$2,$3,$4) : strcol(11)) @hover, \
     '' using (place_of($9)):1:($9 > 0 ? sprintf('%s: the best published sequence has its knee at %.3g',strcol(11),$9) : strcol(11)) @hover, \
     '' using (place_of($5)):1:($5 <= 0 ? strcol(11) : sprintf('%s, %s: attains %.3g [%.3g, %.3g] bytes per cycle, %s of the roof',strcol(11),strcol(12),$5,$6,$7,share_text($8))) @hover
