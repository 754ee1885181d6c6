package search

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// day reads a date in any of the forms that services use and gives it as 2006-01-02, or as 2006-01 or 2006
// where no more is known, or "" where it says nothing believable. A time of day and its zone are dropped: the
// day is the one that the service wrote. "3 days ago" and 3天前 count from now.
func day(value string) string { return dayFrom(value, time.Now()) }

func dayFrom(value string, now time.Time) string {
	value = strings.TrimSpace(value)
	if len(value) > 64 {
		return ""
	}
	if date := cmp.Or(yearFirst(value, now), ago(value, now)); date != "" {
		return date
	}
	for _, layout := range []string{time.RFC1123, time.RFC1123Z, "Mon, 2 Jan 2006 15:04:05 MST", "Mon, 2 Jan 2006 15:04:05 -0700", "Mon, 2 Jan 2006",
		time.RFC850, time.ANSIC, "Jan 2, 2006", "January 2, 2006", "2 Jan 2006", "2 January 2006", "2 Jan 2006 15:04:05 MST", "Jan. 2, 2006",
		"Monday, January 2, 2006", "02.01.2006"} {
		if t, err := time.Parse(layout, value); err == nil && believable(t.Year(), now) {
			return t.Format(time.DateOnly)
		}
	}
	for _, layout := range []string{"Jan 2006", "January 2006"} {
		if t, err := time.Parse(layout, value); err == nil && believable(t.Year(), now) {
			return t.Format("2006-01")
		}
	}
	return ""
}

// believable keeps out the years that stand for "unknown", such as 1 and 9999. Journals date issues a little
// ahead.
func believable(year int, now time.Time) bool { return year >= 1450 && year <= now.Year()+2 }

// yearFirst reads 2006, 2006-1, 2006/01/02, 20060102, 2006年1月2日 and all that begins so, and seconds since
// 1970.
func yearFirst(value string, now time.Time) string {
	if isNumber(value) {
		switch n, err := strconv.ParseInt(value, 10, 64); {
		case err == nil && len(value) == 10:
			value = time.Unix(n, 0).UTC().Format(time.DateOnly)
		case len(value) == 8:
			value = value[:4] + "-" + value[4:6] + "-" + value[6:]
		}
	}
	parts := dateParts(value)
	if len(parts) == 0 || !believable(parts[0], now) {
		return ""
	}
	date := fmt.Sprintf("%04d", parts[0])
	if len(parts) < 2 || parts[1] < 1 || parts[1] > 12 {
		return date
	}
	date += fmt.Sprintf("-%02d", parts[1])
	if len(parts) < 3 {
		return date
	}
	full := fmt.Sprintf("%s-%02d", date, parts[2])
	if _, err := time.Parse(time.DateOnly, full); err != nil {
		return date
	}
	return full
}

// dateParts are the year, the month and the day with which value begins, as many as stand there.
func dateParts(value string) []int {
	var parts []int
	for len(parts) < 3 {
		digits := value[:len(value)-len(strings.TrimLeft(value, "0123456789"))]
		n, err := strconv.Atoi(digits)
		if err != nil || len(parts) == 0 && len(digits) != 4 || len(parts) > 0 && len(digits) > 2 {
			break
		}
		value = value[len(digits):]
		separator, size := utf8.DecodeRuneInString(value)
		if !strings.ContainsRune("-/.年月", separator) {
			if len(parts) == 0 && value != "" {
				break // "2024 words" is no date
			}
			return append(parts, n)
		}
		parts, value = append(parts, n), value[size:]
	}
	return parts
}

// ago reads "3 days ago", "an hour ago", "yesterday" and 3天前, as finely as it was said.
func ago(value string, now time.Time) string {
	value = strings.ToLower(value)
	switch value {
	case "yesterday", "昨天":
		return now.AddDate(0, 0, -1).Format(time.DateOnly)
	case "today", "just now", "今天", "刚刚":
		return now.Format(time.DateOnly)
	}
	text, english := strings.CutSuffix(value, " ago")
	if !english {
		var chinese bool
		if text, chinese = strings.CutSuffix(value, "前"); !chinese {
			return ""
		}
	}
	unit := strings.TrimLeft(text, "0123456789")
	n, err := strconv.Atoi(text[:len(text)-len(unit)])
	for _, one := range []string{"a ", "an "} {
		if rest, ok := strings.CutPrefix(text, one); ok {
			unit, n, err = rest, 1, nil
		}
	}
	if err != nil || n > 10_000 {
		return ""
	}
	return before(now, n, strings.TrimSuffix(strings.TrimSpace(unit), "s"))
}

// before goes n units back. A year and a month are said no finer than that.
func before(now time.Time, n int, unit string) string {
	switch unit {
	case "second", "sec", "minute", "min", "秒", "秒钟", "分钟":
		return now.Format(time.DateOnly)
	case "hour", "小时", "个小时":
		return now.Add(-time.Duration(n) * time.Hour).Format(time.DateOnly)
	case "day", "天", "日":
		return now.AddDate(0, 0, -n).Format(time.DateOnly)
	case "week", "周", "星期":
		return now.AddDate(0, 0, -7*n).Format(time.DateOnly)
	case "month", "个月":
		return now.AddDate(0, -n, 0).Format("2006-01")
	case "year", "年":
		return now.AddDate(-n, 0, 0).Format("2006")
	}
	return ""
}
