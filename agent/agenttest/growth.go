package agenttest

import (
	"runtime"
	"time"
)

// TB is what of a test [RequireLinear] needs.
type TB interface {
	Helper()
	Fatalf(format string, with ...any)
}

// MostGrowth is how many times as much a text of four times the size may cost: twice what it costs where work
// grows with the text, half of what it does where it grows with its square, so that a machine that others use
// too is not taken for either.
const MostGrowth = 8

// unfelt is not measured: a budget is there to be used up.
const unfelt = 400 * time.Millisecond

// Growth is how many times as long work on a bomb of twice a size takes as on half of it: of the shortest of
// several times each, in time of the processor.
func Growth(size int, bomb Bomb, work func(text string)) float64 {
	growth, _ := measure(size, bomb, work, func(growth float64, _ time.Duration) bool { return false })
	return growth
}

// RequireLinear fails a test in which work on a text of twice the size takes more than [MostGrowth] times as
// long as on half of it, from 0.4 s on. Under the race detector, which spoils any measure of time, it does
// the work once.
func RequireLinear(t TB, size int, bomb Bomb, work func(text string)) {
	t.Helper()
	if raced {
		work(bomb.Make(size / 8))
		return
	}
	enough := func(growth float64, took time.Duration) bool { return growth <= MostGrowth || took < unfelt }
	growth, took := measure(size, bomb, work, enough)
	if growth > MostGrowth && took >= unfelt {
		t.Fatalf("%s: %d bytes take %.1f times as long as a quarter of them: %s", bomb.Name, 2*size,
			growth, took)
	}
}

// measure takes the shortest of several times, until it is enough.
func measure(
	size int,
	bomb Bomb,
	work func(string),
	enough func(growth float64, took time.Duration) bool,
) (growth float64, took time.Duration) {
	small, large := bomb.Make(size/2), bomb.Make(2*size)
	least := [2]time.Duration{time.Hour, time.Hour}
	for range 5 {
		for i, text := range []string{small, large} {
			runtime.GC()
			before := Spent()
			work(text)
			least[i] = min(least[i], Spent()-before)
		}
		growth, took = float64(least[1])/float64(max(least[0], 1)), least[1]
		if enough(growth, took) {
			break
		}
	}
	return growth, took
}
