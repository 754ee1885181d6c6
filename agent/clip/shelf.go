package clip

import (
	"fmt"
	"slices"
	"sync"
)

// shelf keeps what was made of pages: a research shows most of them again for each chapter. A nil shelf keeps nothing.
type shelf struct {
	mu     sync.Mutex
	leaves map[shown]*leaf
	order  []shown // the oldest first
}

// shown is all on which the passages of a page depend.
type shown struct {
	page
	before string // what the part before it left open
}

// leaf is a part of a page.
type leaf struct {
	after    open             // what it leaves open
	passages func() []passage // that are read when they are asked for first
}

// mostLeaves bounds how many parts of pages are kept, those that came last: what a few chapters are shown.
const mostLeaves = 64

// leaf takes up a part of a page, with what the part before it left open.
func (s *shelf) leaf(p page, before open) *leaf {
	if s == nil {
		return newLeaf(p, before)
	}
	key := shown{p, fmt.Sprint(before)}
	s.mu.Lock()
	defer s.mu.Unlock()
	if l, ok := s.leaves[key]; ok {
		return l
	}
	if s.leaves == nil {
		s.leaves = map[shown]*leaf{}
	}
	l := newLeaf(p, before)
	s.leaves[key], s.order = l, append(s.order, key)
	if len(s.order) > mostLeaves {
		delete(s.leaves, s.order[0])
		s.order = slices.Delete(s.order, 0, 1)
	}
	return l
}

func newLeaf(p page, before open) *leaf {
	prose, after := blocks(p.text, before)
	return &leaf{after, sync.OnceValue(func() []passage { return p.passages(prose) })}
}
