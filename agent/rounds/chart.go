package rounds

import (
	"fmt"
	"strings"
)

// Sizes of the picture, in its own units.
const (
	chartWidth, chartHeight = 480, 200
	chartLeft, chartBottom  = 40, 30 // room for the axes' labels
	chartTop                = 20
)

// chart draws the score of each assessed round as SVG, without a script or anything from outside; "" when
// none was assessed.
func (w words) chart(r State) string {
	var points, marks []string
	x := func(n int) int { return chartLeft + (chartWidth-2*chartLeft)*(n-1)/max(1, len(r.Rounds)-1) }
	y := func(score float64) int {
		return chartHeight - chartBottom - int(score/10*float64(chartHeight-chartBottom-chartTop))
	}
	for _, round := range r.Rounds {
		marks = append(marks, fmt.Sprintf(`<text x="%d" y="%d" text-anchor="middle">%d</text>`, x(round.N),
			chartHeight-10, round.N))
		if !round.Assessed {
			continue
		}
		score := round.Assessment.Score()
		points = append(points, fmt.Sprintf("%d,%d", x(round.N), y(score)))
		marks = append(marks, fmt.Sprintf(`<circle cx="%d" cy="%d" r="4"/><text x="%d" y="%d" text-anchor="middle">%.1f</text>`, x(round.N), y(score), x(round.N), y(score)-9, score))
	}
	if len(points) == 0 {
		return ""
	}
	var out strings.Builder
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" font-family="sans-serif" font-size="12" fill="#345">`+"\n", chartWidth, chartHeight, chartWidth, chartHeight)
	fmt.Fprintf(&out, "<title>%s</title>\n", w.Say("Quality by round, 1 to 10"))
	out.WriteString(`<rect width="100%" height="100%" fill="#fff"/>` + "\n")
	for score := 0; score <= 10; score += 5 {
		at := y(float64(score))
		fmt.Fprintf(&out, `<path d="M%d %dH%d" stroke="#dde"/><text x="%d" y="%d" text-anchor="end">%d</text>`+"\n", chartLeft-10, at, chartWidth-chartLeft+10, chartLeft-14, at+4, score)
	}
	fmt.Fprintf(&out, `<polyline points="%s" fill="none" stroke="#28c" stroke-width="2"/>`+"\n%s\n</svg>\n",
		strings.Join(points, " "), strings.Join(marks, "\n"))
	return out.String()
}
