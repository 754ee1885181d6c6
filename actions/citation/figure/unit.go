package figure

import (
	"math/big"
	"strings"
	"unicode/utf8"
)

// unit is what a number counts or measures: its dimension, and how many of the dimension's base one of it is.
type unit struct {
	dimension string
	factor    string // as big.Rat reads it; "" for what is not converted
}

// units are the units that are told apart. Two of one dimension with factors are the same amount in other
// words: 90 minutes are 1.5 hours. Units without a factor are only compared.
var units = map[string]unit{
	"nanosecond": {"time", "1/1000000000"}, "microsecond": {"time", "1/1000000"},
	"millisecond": {"time", "1/1000"},
	"second":      {"time", "1"}, "minute": {"time", "60"}, "hour": {"time", "3600"},
	"day":  {"time", "86400"},
	"week": {"time", "604800"}, "month": {"months", "1"}, "year": {"months", "12"},
	"bit": {"bits", ""}, "byte": {"bytes", "1"}, "kilobyte": {"bytes", "1024"},
	"megabyte": {"bytes", "1048576"},
	"gigabyte": {"bytes", "1073741824"}, "terabyte": {"bytes", "1099511627776"},
	"petabyte":   {"bytes", "1125899906842624"},
	"millimetre": {"length", "1/1000"}, "centimetre": {"length", "1/100"}, "metre": {"length", "1"},
	"kilometre": {"length", "1000"}, "mile": {"miles", ""}, "foot": {"feet", ""}, "inch": {"inches", ""},
	"milligram": {"mass", "1/1000"}, "gram": {"mass", "1"}, "kilogram": {"mass", "1000"},
	"tonne":  {"mass", "1000000"},
	"dollar": {"dollars", ""}, "yuan": {"yuan", ""}, "euro": {"euros", ""}, "pound": {"pounds", ""},
	"yen":     {"yen", ""},
	"percent": {"percent", ""}, "percentage point": {"points", ""}, "degree": {"degrees", ""},
	"watt": {"power", "1"}, "kilowatt": {"power", "1000"}, "megawatt": {"power", "1000000"},
	"kilowatt-hour": {"energy", ""},
	"hertz":         {"frequency", "1"}, "kilohertz": {"frequency", "1000"},
	"megahertz": {"frequency", "1000000"},
	"gigahertz": {"frequency", "1000000000"}, "litre": {"litres", ""}, "km/h": {"speed", ""},
	"page": {"pages", ""}, "row": {"rows", ""}, "time": {"times", ""}, "person": {"people", ""},
	"file": {"files", ""},
}

// aliases are the ways to write a unit. One of Latin letters is a whole word.
var aliases = invert(map[string]string{
	"nanosecond": "ns nanosecond nanoseconds 纳秒", "microsecond": "µs μs us microsecond microseconds 微秒",
	"millisecond": "ms millisecond milliseconds msec 毫秒", "second": "s sec secs second seconds 秒 秒钟",
	"minute": "min mins minute minutes 分钟", "hour": "h hr hrs hour hours 小时", "day": "day days 天",
	"week": "week weeks 周 星期", "month": "month months 个月", "year": "year years 年",
	"bit": "bit bits 比特 位", "byte": "byte bytes B 字节",
	"kilobyte": "KB kB KiB kilobyte kilobytes kibibytes 千字节",
	"megabyte": "MB MiB megabyte megabytes mebibytes 兆字节 兆",
	"gigabyte": "GB GiB gigabyte gigabytes gibibytes 吉字节",
	"terabyte": "TB TiB terabyte terabytes tebibytes 太字节", "petabyte": "PB PiB petabyte petabytes",
	"millimetre": "mm millimetre millimetres millimeter millimeters 毫米",
	"centimetre": "cm centimetre centimetres centimeter centimeters 厘米",
	"metre":      "m metre metres meter meters 米",
	"kilometre":  "km kilometre kilometres kilometer kilometers 公里 千米", "mile": "mile miles 英里",
	"foot": "ft foot feet 英尺", "inch": "inch inches 英寸", "milligram": "mg milligram milligrams 毫克",
	"gram": "g gram grams 克", "kilogram": "kg kilogram kilograms kilo kilos 千克 公斤",
	"tonne":  "t ton tons tonne tonnes 吨",
	"dollar": "$ US$ USD dollar dollars 美元", "yuan": "RMB CNY yuan 元 元人民币 人民币",
	"euro":  "€ EUR euro euros 欧元",
	"pound": "£ GBP 英镑", "yen": "JPY yen 日元", "percent": "% percent 百分比",
	"percentage point": "百分点 个百分点 pp", "degree": "° °C ℃ degree degrees 度 摄氏度",
	"watt":     "W watt watts 瓦",
	"kilowatt": "kW kilowatt kilowatts 千瓦", "megawatt": "MW megawatt megawatts 兆瓦",
	"kilowatt-hour": "kWh 千瓦时", "hertz": "Hz hertz 赫兹", "kilohertz": "kHz 千赫", "megahertz": "MHz 兆赫",
	"gigahertz": "GHz 吉赫", "litre": "l L litre litres liter liters 升",
	"km/h": "km/h kmh 公里/小时 公里每小时",
	"page": "page pages 页", "row": "row rows 行", "time": "time times 次",
	"person": "person people persons 人",
	"file":   "file files 个文件",
})

func invert(of map[string]string) map[string]string {
	all := map[string]string{}
	for name, forms := range of {
		for form := range strings.FieldsSeq(forms) {
			all[form] = name
		}
	}
	return all
}

// unitBehind reads the unit of a number that ends at end, "" for none that is known.
func unitBehind(text string, end int) string {
	rest := text[end:]
	if trimmed := strings.TrimPrefix(rest, "-"); trimmed != rest && trimmed != "" && isLetter(trimmed[0]) {
		rest = trimmed // a 90-minute run
	}
	rest = strings.TrimPrefix(rest, " ")
	for _, words := range [][2]string{{"percentage point", "percentage point"}, {"per cent", "percent"},
		{"km/h", "km/h"}} {
		if strings.HasPrefix(rest, words[0]) {
			return words[1]
		}
	}
	if rest == "" {
		return ""
	}
	if isLetter(rest[0]) || strings.HasPrefix(rest, "µ") || strings.HasPrefix(rest, "μ") {
		word := rest[:wordEnd(rest)]
		if name, ok := aliases[word]; ok {
			return name
		}
		return aliases[strings.ToLower(word)]
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
		if i > longest || isLetterRune(r) {
			break
		}
		if form := rest[:i+utf8.RuneLen(r)]; aliases[form] != "" {
			best = aliases[form]
		}
	}
	return best
}

func isLetterRune(r rune) bool { return r < utf8.RuneSelf && isLetter(byte(r)) }

// wordEnd is where a word of letters ends.
func wordEnd(text string) int {
	for i, r := range text {
		if !isLetterRune(r) && r != 'µ' && r != 'μ' {
			return i
		}
	}
	return len(text)
}

// unitBefore reads the currency in front of a number.
func unitBefore(text string, start int) string {
	before := strings.TrimRight(text[max(0, start-5):start], " ")
	for _, sign := range []string{"US$", "HK$", "$", "€", "£", "RMB", "USD", "EUR", "GBP", "CNY", "JPY"} {
		if strings.HasSuffix(before, sign) {
			return aliases[sign]
		}
	}
	if strings.HasSuffix(before, "百分之") || strings.HasSuffix(text[:start], "百分之") {
		return "percent"
	}
	return ""
}

// Column reads what the head of a table's column says of the numbers below it: their unit, and the power of
// ten that multiplies them, as in 销量（万台） or "Revenue (million USD)".
func column(head string) (name string, zeros int) {
	head = narrow(head)
	inner := head
	if i := strings.LastIndexAny(head, "(（[,，/"); i >= 0 {
		_, size := utf8.DecodeRuneInString(head[i:])
		inner = strings.TrimLeft(head[i+size:], " ")
	}
	for _, text := range []string{inner, head} {
		for _, w := range scales() {
			if w.zeros >= 3 && strings.HasPrefix(text, w.word) ||
				w.zeros >= 4 && strings.HasSuffix(text, w.word) {
				zeros = w.zeros
				text = strings.TrimPrefix(text, w.word)
				break
			}
		}
		if name = unitBehind(text, 0); name != "" || zeros > 0 {
			return name, zeros
		}
	}
	words := strings.FieldsFunc(head,
		func(r rune) bool { return !isLetterRune(r) && r != '%' && r != 'µ' && r != '°' })
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
