package markup

import (
	"regexp"
	"strings"

	"github.com/mazznoer/csscolorparser"
)

// colour is one of CSS. It is unclear when it is a picture or comes from elsewhere.
type colour struct {
	known, transparent, unclear bool
	red, green, blue            float64 // from 0 to 1
}

// isNear reports whether two colours cannot be told apart.
func (c colour) isNear(d colour) bool {
	const least = 30.0 / 255
	far := max(c.red-d.red, d.red-c.red) + max(c.green-d.green, d.green-c.green) +
		max(c.blue-d.blue, d.blue-c.blue)
	return c.known && d.known && far <= least+1e-9
}

var (
	colourElsewhere = regexp.MustCompile(`url\(|gradient\(|var\(`)
	colourPart      = regexp.MustCompile(`[a-z]+\([^)]*\)|#[0-9a-f]+|[a-z]+`)
)

// colourOf reads the value of color or background.
func colourOf(value string) colour {
	value = strings.ToLower(strings.TrimSpace(value))
	if value == "" || value == "inherit" || value == "none" {
		return colour{}
	}
	if colourElsewhere.MatchString(value) {
		return colour{unclear: true}
	}
	for _, part := range colourPart.FindAllString(value, -1) {
		if c, err := csscolorparser.Parse(part); err == nil {
			return colour{known: c.A >= faint, transparent: c.A < faint, red: c.R, green: c.G, blue: c.B}
		}
	}
	return colour{unclear: true}
}
