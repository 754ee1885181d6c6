package agenttest

import (
	"runtime"
	"time"
)

// TB is the part of a test that [RequireLinear] needs.
type TB interface {
	Helper()
	Fatalf(format string, with ...any)
}

// MostGrowth bounds the growth in cost for a text of four times the size: twice that of linear work, half
// that of quadratic work, so that load on a shared machine does not confuse the two.
const MostGrowth = 8.0

// unfelt is too short to measure: a budget is there to be used up.
const unfelt = 400 * time.Millisecond

// unbearable is a fault however the time grows: about a hundred times what any of these texts takes.
const unbearable = 30 * time.Second

// Growth returns how many times as long work on a bomb of twice a size takes as on half of it: for each the
// shorter of two times, in processor time.
func Growth(size int, bomb Bomb, work func(text string)) float64 {
	growth, _ := measure(size, bomb, work, 2, 0)
	return growth
}

// RequireLinear fails a test if work on a text of twice the size takes more than [MostGrowth] times as long
// as on half of it and at least 0.4 s, or more than 30 s. Under the race detector, which spoils time
// measurements, it only does the work once.
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

// measure takes the shortest of several times. It stops once the large text takes less than unfelt, or the
// growth is acceptable; if unfelt is 0, it makes all tries.
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

// least returns the time of work on a text, or the shortest earlier time.
func least(try int, before time.Duration, work func(string), text string) time.Duration {
	runtime.GC()
	start := Spent()
	work(text)
	if took := Spent() - start; try == 0 || took < before {
		return took
	}
	return before
}
