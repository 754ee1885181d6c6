package rounds

import (
	_ "embed" // for the picture
	"fmt"
	"strings"
	"text/template"
)

//go:embed chart.svg
var chartSource string

var chartPicture = template.Must(template.New("chart").Parse(chartSource))

// chart draws the score of each assessed round as SVG, without scripts or anything external; "" if none was
// assessed.
func (w words) chart(r State) string {
	type mark struct {
		X, Y, N int
		Score   string // "" of a round that was not assessed
	}
	var marks []mark
	assessed := false
	for _, round := range r.Rounds {
		m := mark{X: 40 + 400*(round.N-1)/max(1, len(r.Rounds)-1), N: round.N}
		if round.Assessed {
			score := round.Assessment.Score()
			m.Y, m.Score, assessed = 170-int(15*score), fmt.Sprintf("%.1f", score), true
		}
		marks = append(marks, m)
	}
	if !assessed {
		return ""
	}
	var out strings.Builder
	picture := map[string]any{"Title": w.Say("Quality by round, 1 to 10"), "Rounds": marks}
	if chartPicture.Execute(&out, picture) != nil {
		return "" // a report can do without it
	}
	return out.String()
}
