package search

import (
	"slices"
	"strings"
)

// lastResort is a provider that is asked only when no other one for the whole web is set up, or all of them failed.
type lastResort interface{ IsLastResort() bool }

// oneSite is a provider of Kind Web that knows one site of it, and so can not stand in for a last resort.
type oneSite interface{ IsOneSite() bool }

// IsOneSite is true.
func (*HuggingFaceBlog) IsOneSite() bool { return true }

// IsOneSite is true.
func (*Site) IsOneSite() bool { return true }

// apartFromLast parts the last resorts from the others. One that was asked for by name is like any other.
func apartFromLast(chosen []Provider, source string) (first, last []Provider) {
	for _, p := range chosen {
		if l, ok := p.(lastResort); ok && l.IsLastResort() && !strings.EqualFold(p.Name(), source) {
			last = append(last, p)
		} else {
			first = append(first, p)
		}
	}
	return first, last
}

// needed are the last resorts in whose place nobody answered.
func needed(last, asked []Provider, answers []answer) []Provider {
	return slices.DeleteFunc(last, func(l Provider) bool {
		for i, p := range asked {
			narrow, ok := p.(oneSite)
			if p.Kind() == l.Kind() && answers[i].answered() && !(ok && narrow.IsOneSite()) {
				return true
			}
		}
		return false
	})
}
