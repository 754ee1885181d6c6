package figure

import (
	"cmp"
	_ "embed" // for units.txt
	"math/big"
	"regexp"
	"strings"
	"unicode/utf8"
)

// unit is what a number counts or measures: its dimension, and how many of the dimension's base one of it is.
type unit struct {
	dimension string
	factor    string // as big.Rat reads it; "" for what is not converted
}

//go:embed units.txt
var unitsFile string

// units are those of units.txt by their names, and aliases the names by the ways to write them. Two units of
// one dimension with factors are the same amount in other words: 90 minutes are 1.5 hours. Those without a
// factor are only compared. An alias of Latin letters is a whole word.
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

// unitWord is a unit in Latin letters, as one of another micro.
var unitWord = regexp.MustCompile(`^(?:percentage point|per cent|km/h|[A-Za-zµμ]+)`)

// unitBehind reads the unit of a number that ends at end, "" for none that is known.
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

// currency is one in front of a number.
var currency = regexp.MustCompile(`(?:(US\$|HK\$|[$€£]|RMB|USD|EUR|GBP|CNY|JPY) {0,4}|百分之)$`)

// unitBefore reads the currency in front of a number.
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

// column reads the unit and the power of ten in a column's head: 销量（万台）, "Revenue (million USD)".
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

// quantity is a value in the base unit of its dimension, as a key; "" for a unit that is not converted.
func quantity(value, name string) string {
	u := units[name]
	n, ok := new(big.Rat).SetString(value)
	if u.factor == "" || !ok {
		return ""
	}
	factor, _ := new(big.Rat).SetString(u.factor)
	return "q:" + u.dimension + ":" + n.Mul(n, factor).RatString()
}
