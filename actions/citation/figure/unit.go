package figure

import (
	"cmp"
	_ "embed" // for units.txt
	"math/big"
	"regexp"
	"strings"
	"unicode/utf8"
)

// unit is what a number counts or measures: its dimension, and its value in the dimension's base unit.
type unit struct {
	dimension string
	factor    string // in the format of big.Rat; "" if it is not converted
}

//go:embed units.txt
var unitsFile string

// units maps the names in units.txt to units, and aliases maps their notations to names. Two units of one
// dimension with factors can be converted: 90 minutes are 1.5 hours. Those without a factor are only
// compared. An alias in Latin letters is a whole word.
var units, aliases = readUnits()

func readUnits() (all map[string]unit, forms map[string]string) {
	all, forms = map[string]unit{}, map[string]string{}
	for line := range strings.Lines(unitsFile) {
		parts := strings.Split(strings.TrimSpace(line), " | ")
		all[parts[0]] = unit{parts[1], strings.Trim(parts[2], "-")}
		for form := range strings.FieldsSeq(parts[3]) {
			forms[strings.ReplaceAll(form, "_", " ")] = parts[0]
		}
	}
	return all, forms
}

// unitWord matches a unit in Latin letters, including both forms of micro.
var unitWord = regexp.MustCompile(`^(?:percentage point|per cent|km/h|[A-Za-zµμ]+)`)

// unitBehind returns the unit of a number that ends at end, or "" if none is known.
func unitBehind(text string, end int) string {
	rest := text[end:]
	if trimmed := strings.TrimPrefix(rest, "-"); trimmed != rest && trimmed != "" && isLetter(trimmed[0]) {
		rest = trimmed // a 90-minute run
	}
	rest = strings.TrimPrefix(rest, " ")
	if word := unitWord.FindString(rest); word != "" {
		return cmp.Or(aliases[word], aliases[strings.ToLower(word)])
	}
	for _, more := range []string{"多", "余", "个"} {
		if trimmed, ok := strings.CutPrefix(rest, more); ok && !strings.HasPrefix(rest, "个月") &&
			!strings.HasPrefix(rest, "个百分点") && !strings.HasPrefix(rest, "个文件") {
			rest = trimmed
		}
	}
	best := ""
	for i, r := range rest {
		const longest = 18 // bytes
		if i > longest || isLetter(r) {
			break
		}
		if form := rest[:i+utf8.RuneLen(r)]; aliases[form] != "" {
			best = aliases[form]
		}
	}
	return best
}

// currency matches a currency before a number.
var currency = regexp.MustCompile(`(?:(US\$|HK\$|[$€£]|RMB|USD|EUR|GBP|CNY|JPY) {0,4}|百分之)$`)

// unitBefore returns the unit before a number: a currency or percent.
func unitBefore(text string, start int) string {
	const longest = 12 // bytes
	found := currency.FindStringSubmatch(text[max(0, start-longest):start])
	switch {
	case found == nil:
		return ""
	case found[1] == "":
		return "percent"
	}
	return aliases[found[1]]
}

// column returns the unit and the power of ten in a column head: 销量（万台）, "Revenue (million USD)".
func column(head string) (name string, zeros int) {
	head = narrow(head)
	inner := head
	if i := strings.LastIndexAny(head, "(（[,，/"); i >= 0 {
		_, size := utf8.DecodeRuneInString(head[i:])
		inner = strings.TrimLeft(head[i+size:], " ")
	}
	for _, text := range []string{inner, head} {
		first, last := scaleFirst.FindString(text), scaleLast.FindString(text)
		if zeros = scales[strings.TrimSuffix(first, "s")]; zeros >= 3 {
			text = text[len(first):]
		} else if zeros = scales[strings.TrimSuffix(last, "s")]; zeros < 4 {
			zeros = 0
		}
		if name = unitBehind(text, 0); name != "" || zeros > 0 {
			return name, zeros
		}
	}
	words := strings.FieldsFunc(head,
		func(r rune) bool { return !isLetter(r) && r != '%' && r != 'µ' && r != '°' })
	if len(words) > 0 {
		if last := words[len(words)-1]; aliases[last] != "" && len(last) > 1 || last == "%" {
			return aliases[last], 0
		}
	}
	return "", 0
}

// quantity returns a value in the base unit of its dimension, as a key, or "" if the unit is not converted.
func quantity(value, name string) string {
	u := units[name]
	n, ok := new(big.Rat).SetString(value)
	if u.factor == "" || !ok {
		return ""
	}
	factor, _ := new(big.Rat).SetString(u.factor)
	return "q:" + u.dimension + ":" + n.Mul(n, factor).RatString()
}
