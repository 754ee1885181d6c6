package trial

import "math"

// tally accumulates Figures.
type tally struct {
	Figures
	honest, faulty float64 // sums of scores
	squares        float64 // of the deviations from the mean of a report
	freedom        int     // judgements minus reports, of those with two or more
	made           int
}

// repeat adds the variation in one report's score.
func (t *tally) repeat(verdicts []verdict) {
	var read []float64
	sum := 0.0
	for _, v := range verdicts {
		switch {
		case v.unreadable:
			t.Unreadable++
		case v.made:
			read = append(read, v.found.Score())
			sum += v.found.Score()
		default:
			continue
		}
		t.made++
	}
	for _, score := range read {
		t.squares += math.Pow(score-sum/float64(len(read)), 2)
	}
	t.freedom += max(0, len(read)-1)
}

// pair adds a pair and reports whether it was told apart.
func (t *tally) pair(p Planted, honest, faulty []verdict) bool {
	compared, wins := 0, 0.0
	for i := range honest {
		if !honest[i].counts() || !faulty[i].counts() {
			continue
		}
		good, bad := honest[i].found.Score(), faulty[i].found.Score()
		compared++
		t.honest += good
		t.faulty += bad
		switch {
		case good > bad:
			wins++
		case good == bad:
			wins += 0.5
		}
		if p.seenIn(honest[i].found, faulty[i].found) {
			t.Seen++
		}
	}
	t.Comparisons += compared
	t.Wins += wins
	if compared > 0 {
		t.Pairs++
	}
	told := wins > float64(compared)/2
	if told {
		t.Told++
	}
	return told
}

func (t *tally) figures(f Fault) Figures {
	out := t.Figures
	out.Fault = f
	if n := float64(out.Comparisons); n > 0 {
		out.Agreement = rounded(out.Wins / n)
		out.Honest, out.Faulty = rounded(t.honest/n), rounded(t.faulty/n)
		out.Drop = rounded((t.honest - t.faulty) / n)
	}
	if t.freedom > 0 {
		spread := rounded(math.Sqrt(t.squares / float64(t.freedom)))
		out.Spread = &spread
	}
	return out
}

// rounded rounds to three decimals.
func rounded(x float64) float64 { return math.Round(x*1000) / 1000 }
