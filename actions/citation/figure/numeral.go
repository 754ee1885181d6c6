package figure

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Numbers up to this one, spelled out in a report, are prose ("one of two reasons") and are not checked.
const lastInProse = 12

// numeral reads a number in Chinese characters, and says whether there is one.
func (s *scanner) numeral() bool {
	if rest, ok := strings.CutPrefix(s.text[s.i:], "百分之"); ok {
		s.i = len(s.text) - len(rest)
		if value, end := s.chinese(s.i); value != "" {
			s.found(end, []string{"n:" + value})
		}
		return true
	}
	if !isNumeral(s.text[s.i:]) {
		return false
	}
	if s.date() {
		return true
	}
	value, end := s.chinese(s.i)
	if value == "" {
		s.i = max(end, s.i+1)
		return true
	}
	ways, last := s.scaled(value, end) // 二十多万
	if strings.HasPrefix(s.text[end:], "成") && s.source && len(value) == 1 {
		ways = append(ways, []string{"n:" + value + "0"})
	}
	before := s.text[:s.i]
	about := strings.HasSuffix(before, "几") || strings.HasSuffix(before, "数") // 几十万, 数百
	if n, err := strconv.Atoi(value); !s.source && (err == nil && n <= lastInProse && last == end || about) ||
		s.chineseLabel(end) {
		s.i = last
		return true
	}
	s.found(last, ways...)
	return true
}

// chineseLabel says whether a numeral only names a part of a text: 第二十章.
func (s *scanner) chineseLabel(end int) bool {
	begins := func(unit string) bool { return strings.HasPrefix(s.text[end:], unit) }
	return !s.source && strings.HasSuffix(s.text[:s.i], "第") &&
		slices.ContainsFunc([]string{"章", "节", "页", "步", "部分"}, begins)
}

// The characters of Chinese numbers, also as banks write them.
var (
	chineseDigits = map[rune]uint64{
		'〇': 0, '零': 0, '一': 1, '壹': 1, '二': 2, '两': 2, '兩': 2, '贰': 2, '三': 3, '叁': 3,
		'四': 4, '肆': 4, '五': 5, '伍': 5,
		'六': 6, '陆': 6, '七': 7, '柒': 7, '八': 8, '捌': 8, '九': 9, '玖': 9,
	}
	chineseUnits = map[rune]uint64{
		'十': 10, '拾': 10, '百': 100, '佰': 100, '千': 1000, '仟': 1000, '万': 1e4,
		'萬': 1e4, '亿': 1e8, '億': 1e8,
	}
)

func isNumeral(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	_, ok := chineseDigits[r]
	return ok || chineseUnits[r] > 0
}

// chinese reads a number in Chinese characters at i, "" for none, and where it ends.
func (s *scanner) chinese(i int) (value string, end int) {
	end = i
	for end < len(s.text) && isNumeral(s.text[end:]) && end-i < 90 {
		_, size := utf8.DecodeRuneInString(s.text[end:])
		end += size
	}
	raw := s.text[i:end]
	if raw == "" {
		return "", end
	}
	value, ok := places(raw)
	if !ok {
		value, ok = inUnits(raw)
	}
	if !ok {
		return "", end
	}
	if rest, point := strings.CutPrefix(s.text[end:], "点"); point && isNumeral(rest) {
		e := len(s.text) - len(rest)
		last := e
		for last < len(s.text) && isNumeral(s.text[last:]) {
			last += utf8.RuneLen('一')
		}
		if fraction, ok := places("零" + s.text[e:last]); ok {
			return canonical(value, fraction[1:]), last
		}
	}
	return value, end
}

// places reads digits by their places: 二〇二四.
func places(raw string) (string, bool) {
	var out []byte
	for _, r := range raw {
		d, ok := chineseDigits[r]
		if !ok {
			return "", false
		}
		out = append(out, byte('0'+d))
	}
	if strings.HasPrefix(raw, "零") {
		return string(out), true
	}
	return canonical(string(out), ""), true
}

// inUnits reads digits with their units: 三千二百万. Two digits in a row are a guess, as in 三四百.
func inUnits(raw string) (string, bool) {
	const limit = 1 << 50
	var total, section, digit uint64
	pending, last := false, rune(0)
	for _, r := range raw {
		if d, ok := chineseDigits[r]; ok {
			if pending && last != '零' && last != '〇' {
				return "", false
			}
			digit, pending, last = d, true, r
			continue
		}
		unit := chineseUnits[r]
		switch {
		case unit >= 1e4:
			if section+digit == 0 && total == 0 {
				return "", false
			}
			if unit == 1e8 || total == 0 {
				total = (total + section + digit) * unit
			} else {
				total += (section + digit) * unit
			}
			section = 0
		case pending:
			section += digit * unit
		case unit == 10 && section == 0 && last == 0:
			section = 10
		default:
			return "", false
		}
		if total > limit {
			return "", false
		}
		digit, pending, last = 0, false, r
	}
	if pending && last != 0 && chineseUnitBefore(raw) >= 100 {
		digit *= chineseUnitBefore(raw) / 10 // 三万五 is 35000, 二百五 250
	}
	return strconv.FormatUint(total+section+digit, 10), true
}

// chineseUnitBefore is the unit right before the last digit, 0 when that is something else.
func chineseUnitBefore(raw string) uint64 {
	_, size := utf8.DecodeLastRuneInString(raw)
	r, _ := utf8.DecodeLastRuneInString(raw[:len(raw)-size])
	return chineseUnits[r]
}

// chineseSmall reads a year, a month or a day of a date in Chinese.
func (s *scanner) chineseSmall(i, most int) (n, end int) {
	if i >= len(s.text) || !isNumeral(s.text[i:]) {
		return 0, i
	}
	value, end := s.chinese(i)
	n, err := strconv.Atoi(value)
	if err != nil || len(value) > most {
		return 0, i
	}
	return n, end
}
