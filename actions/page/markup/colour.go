package markup

import (
	"slices"
	"strconv"
	"strings"
)

// colour is one of CSS. It is unclear when it is a picture or comes from elsewhere.
type colour struct {
	known, transparent, unclear bool
	red, green, blue            int
}

// isNear reports whether two colours cannot be told apart.
func (c colour) isNear(d colour) bool {
	far := func(a, b int) int { return max(a-b, b-a) }
	return far(c.red, d.red)+far(c.green, d.green)+far(c.blue, d.blue) <= 30
}

// colourOf reads the value of color or background.
func colourOf(value string) colour {
	value = strings.ToLower(strings.TrimSpace(value))
	switch {
	case value == "", value == "inherit", value == "none":
		return colour{}
	case value == "transparent":
		return colour{transparent: true}
	case strings.Contains(value, "url("), strings.Contains(value, "gradient("),
		strings.Contains(value, "var("):
		return colour{unclear: true}
	}
	if at := strings.Index(value, "rgb"); at >= 0 {
		return colourOfRGB(value[at:])
	}
	for field := range strings.FieldsSeq(value) {
		if hex, found := strings.CutPrefix(namedColour(field), "#"); found {
			return colourOfHex(hex)
		}
	}
	return colour{unclear: true}
}

func colourOfHex(hex string) colour {
	if len(hex) == 3 || len(hex) == 4 {
		long := ""
		for _, digit := range hex {
			long += string(digit) + string(digit)
		}
		hex = long
	}
	number, err := strconv.ParseUint(hex, 16, 32)
	switch {
	case err != nil || len(hex) != 6 && len(hex) != 8:
		return colour{unclear: true}
	case len(hex) == 8:
		if number&0xff < 13 {
			return colour{transparent: true}
		}
		number >>= 8
	}
	return colour{known: true, red: int(number >> 16), green: int(number >> 8 & 0xff),
		blue: int(number & 0xff)}
}

func colourOfRGB(value string) colour {
	_, value, _ = strings.Cut(value, "(")
	value, _, _ = strings.Cut(value, ")")
	parts := strings.FieldsFunc(value, func(r rune) bool { return r == ',' || r == ' ' || r == '/' })
	if len(parts) < 3 {
		return colour{unclear: true}
	}
	var channels [3]int
	for i := range channels {
		bare, isShare := strings.CutSuffix(parts[i], "%")
		number, err := strconv.ParseFloat(bare, 64)
		if err != nil {
			return colour{unclear: true}
		}
		if isShare {
			number *= 2.55
		}
		channels[i] = int(number + 0.5)
	}
	if len(parts) > 3 && share(parts[3]) < 0.05 {
		return colour{transparent: true}
	}
	return colour{known: true, red: channels[0], green: channels[1], blue: channels[2]}
}

// namedColour gives the hex form of the names in use.
func namedColour(name string) string {
	names := []string{
		"white", "#ffffff", "black", "#000000", "red", "#ff0000", "green", "#008000", "blue", "#0000ff",
		"yellow", "#ffff00", "gray", "#808080", "grey", "#808080", "silver", "#c0c0c0", "ivory", "#fffff0",
		"snow", "#fffafa", "whitesmoke", "#f5f5f5", "ghostwhite", "#f8f8ff", "beige", "#f5f5dc",
		"lightgray", "#d3d3d3", "lightgrey", "#d3d3d3", "navy", "#000080", "orange", "#ffa500",
	}
	if i := slices.Index(names, name); i >= 0 && i%2 == 0 {
		return names[i+1]
	}
	return name
}
