package search

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
)

// weighMeaning reorders the pages of each query by how close they are to it in meaning. The cosines of one
// model differ little, so they are scaled to the range of the pages compared.
func weighMeaning(ctx context.Context, pages [][]*finding, queries []string, embed Embed) error {
	if embed == nil || !slices.ContainsFunc(pages, func(of []*finding) bool { return len(of) > 1 }) {
		return nil
	}
	ctx, cancel := context.WithTimeoutCause(ctx, patience, fmt.Errorf("no answer within %s", patience))
	defer cancel()
	texts := slices.Clone(queries)
	for _, of := range pages {
		for _, p := range of[:min(len(of), mostCompared)] {
			texts = append(texts, p.hit.Title+". "+p.hit.Snippet)
		}
	}
	vectors, err := embed(ctx, texts)
	if err == nil {
		err = sound(vectors, len(texts))
	}
	if err != nil {
		return fmt.Errorf("comparing by meaning: %w", err)
	}
	next := len(queries)
	for q, of := range pages {
		compared := of[:min(len(of), mostCompared)]
		near := make([]float64, len(compared))
		for i := range compared {
			near[i] = cosine(vectors[q], vectors[next])
			next++
		}
		if len(near) == 0 || slices.Max(near)-slices.Min(near) < 1e-6 {
			continue
		}
		low, high := slices.Min(near), slices.Max(near)
		for i, p := range compared {
			p.score *= 1 + byMeaning*(near[i]-low)/(high-low)
		}
		slices.SortStableFunc(of, byScore)
	}
	return nil
}

// sound tells whether vectors can be compared.
func sound(vectors [][]float32, want int) error {
	if len(vectors) != want {
		return fmt.Errorf("the endpoint gave %d vectors for %d texts", len(vectors), want)
	}
	for _, v := range vectors {
		if len(v) == 0 || len(v) != len(vectors[0]) {
			return errors.New("the endpoint gave vectors of different lengths")
		}
		for _, x := range v {
			if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
				return errors.New("the endpoint gave a vector that holds no number")
			}
		}
	}
	return nil
}

// cosine is 0 where a vector has no direction.
func cosine(a, b []float32) float64 {
	var dot, aa, bb float64
	for i := range a {
		dot += float64(a[i]) * float64(b[i])
		aa += float64(a[i]) * float64(a[i])
		bb += float64(b[i]) * float64(b[i])
	}
	if aa == 0 || bb == 0 {
		return 0
	}
	return dot / math.Sqrt(aa*bb)
}
