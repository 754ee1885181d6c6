package markup

import (
	"encoding/hex"
	"regexp"
	"strconv"
	"strings"
)

// colour is one of CSS. It is unclear when it is a picture or comes from elsewhere.
type colour struct {
	known, transparent, unclear bool
	channels                    [3]int
}

// isNear reports whether two colours cannot be told apart.
func (c colour) isNear(d colour) bool {
	far := 0
	for i := range c.channels {
		far += max(c.channels[i]-d.channels[i], d.channels[i]-c.channels[i])
	}
	return c.known && d.known && far <= 30
}

// colourNames are the names in use.
var colourNames = map[string]string{
	"white": "#fff", "black": "#000", "red": "#f00", "green": "#008000", "blue": "#00f", "yellow": "#ff0",
	"gray": "#808080", "grey": "#808080", "silver": "#c0c0c0", "ivory": "#fffff0", "snow": "#fffafa",
	"whitesmoke": "#f5f5f5", "ghostwhite": "#f8f8ff", "beige": "#f5f5dc", "lightgray": "#d3d3d3",
	"lightgrey": "#d3d3d3", "navy": "#000080", "orange": "#ffa500", "transparent": "#0000",
}

var (
	colourElsewhere = regexp.MustCompile(`url\(|gradient\(|var\(`)
	colourRGB       = regexp.MustCompile(`rgba?\(([^)]*)`)
	colourHex       = regexp.MustCompile(`^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$`)
)

// colourOf reads the value of color or background.
func colourOf(value string) colour {
	value = strings.ToLower(strings.TrimSpace(value))
	switch {
	case value == "", value == "inherit", value == "none":
		return colour{}
	case colourElsewhere.MatchString(value):
		return colour{unclear: true}
	}
	if rgb := colourRGB.FindStringSubmatch(value); rgb != nil {
		parts := strings.FieldsFunc(rgb[1], func(r rune) bool { return strings.ContainsRune(", /", r) })
		return colourOfParts(parts)
	}
	for field := range strings.FieldsSeq(value) {
		if name, ok := colourNames[field]; ok {
			field = name
		}
		if colourHex.MatchString(field) {
			return colourOfHex(field[1:])
		}
	}
	return colour{unclear: true}
}

func colourOfHex(digits string) colour {
	if len(digits) < 6 {
		long := ""
		for _, digit := range digits {
			long += string(digit) + string(digit)
		}
		digits = long
	}
	parts, err := hex.DecodeString(digits)
	switch {
	case err != nil:
		return colour{unclear: true}
	case len(parts) > 3 && parts[3] < 13:
		return colour{transparent: true}
	}
	return colour{known: true, channels: [3]int{int(parts[0]), int(parts[1]), int(parts[2])}}
}

// colourOfParts takes red, green, blue and, perhaps, how much of them is seen.
func colourOfParts(parts []string) colour {
	c := colour{known: true}
	if len(parts) < len(c.channels) {
		return colour{unclear: true}
	}
	for i := range c.channels {
		bare, isShare := strings.CutSuffix(parts[i], "%")
		number, err := strconv.ParseFloat(bare, 64)
		if err != nil {
			return colour{unclear: true}
		}
		if isShare {
			number *= 2.55
		}
		c.channels[i] = int(number + 0.5)
	}
	if len(parts) > 3 && share(parts[3]) < 0.05 {
		return colour{transparent: true}
	}
	return c
}
