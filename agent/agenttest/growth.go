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
const MostGrowth = 8.0

// unfelt is not measured: a budget is there to be used up.
const unfelt = 400 * time.Millisecond

// unbearable is a fault however the time grows: some hundred times what any of these texts takes.
const unbearable = 30 * time.Second

// Growth is how many times as long work on a bomb of twice a size takes as on half of it: of the shorter of
// two times each, in time of the processor.
func Growth(size int, bomb Bomb, work func(text string)) float64 {
	growth, _ := measure(size, bomb, work, 2, 0)
	return growth
}

// RequireLinear fails a test in which work on a text of twice the size takes more than [MostGrowth] times as
// long as on half of it, from 0.4 s on, or more than 30 s. Under the race detector, which spoils any measure
// of time, it does the work once.
func RequireLinear(t TB, size int, bomb Bomb, work func(text string)) {
	t.Helper()
	if raced {
		work(bomb.Make(size / 8))
		return
	}
	growth, took := measure(size, bomb, work, 5, unfelt)
	if growth > MostGrowth && took >= unfelt || took > unbearable {
		t.Fatalf("%s: %d bytes take %.1f times as long as a quarter of them: %s", bomb.Name, 2*size,
			growth, took)
	}
}

// measure takes the shortest of several times. It ends as soon as the large text takes less than is felt,
// whatever the small one does, or the growth is bearable; with nothing unfelt it makes all its tries.
func measure(
	size int,
	bomb Bomb,
	work func(string),
	tries int,
	unfelt time.Duration,
) (growth float64, took time.Duration) {
	small, large := time.Duration(0), time.Duration(0)
	for try := range tries {
		large = least(try, large, work, bomb.Make(2*size))
		if large < unfelt {
			return 0, large
		}
		small = least(try, small, work, bomb.Make(size/2))
		growth = float64(large) / float64(max(small, 1))
		if unfelt > 0 && growth <= MostGrowth {
			break
		}
	}
	return growth, large
}

// least is the time of work on a text, or that of the tries before if it was shorter.
func least(try int, before time.Duration, work func(string), text string) time.Duration {
	runtime.GC()
	start := Spent()
	work(text)
	if took := Spent() - start; try == 0 || took < before {
		return took
	}
	return before
}
