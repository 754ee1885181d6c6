package search

import (
	"slices"
	"strings"
	"time"
)

// lastResort is a provider that is asked only when no other one for the whole web is set up, or all of them
// failed.
type lastResort interface{ IsLastResort() bool }

// oneSite is a provider of Kind Web that knows one site of it, and so cannot replace a last resort.
type oneSite interface{ IsOneSite() bool }

// IsOneSite is true.
func (*Site) IsOneSite() bool { return true }

// IsLastResort is what the provider behind it says.
func (s onSite) IsLastResort() bool { return isLastResort(s.Provider) }

// Pace is what the provider behind it says.
func (s onSite) Pace() time.Duration {
	if slow, ok := s.Provider.(paced); ok {
		return slow.Pace()
	}
	return 0
}

func isLastResort(p Provider) bool {
	l, ok := p.(lastResort)
	return ok && l.IsLastResort()
}

// apartFromLast parts the last resorts from the others. One that was asked for by name is like any other.
func apartFromLast(chosen []Provider, source string) (first, last []Provider) {
	for _, p := range chosen {
		if isLastResort(p) && !strings.EqualFold(p.Name(), source) {
			last = append(last, p)
		} else {
			first = append(first, p)
		}
	}
	return first, last
}

// needed are the last resorts in whose place nobody answered.
func needed(last []Provider, answers []answer) []Provider {
	answered := slices.ContainsFunc(answers,
		func(x answer) bool { return x.err == nil && isGeneral(x.provider) })
	if answered {
		return nil
	}
	return last
}
