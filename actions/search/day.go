package search

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// day reads a date in any of the forms that services use and returns it as 2006-01-02, or as 2006-01 or 2006
// if no more is known, or "" if it is not believable. It drops the time of day and its zone: the day is the
// one that the service wrote. Beside the layouts below it reads 2006, 2006-1, 2006/01/02, 20060102,
// 2006年1月2日, anything that begins so, and seconds since 1970. "3 days ago" and 3天前 count from now.
func day(value string) string {
	value = strings.TrimSpace(value)
	switch seconds, err := strconv.ParseUint(value, 10, 63); {
	case len(value) > 64:
		return ""
	case err == nil && len(value) == 10:
		value = time.Unix(int64(seconds), 0).UTC().Format(time.DateOnly)
	case err == nil && len(value) == 8:
		value = value[:4] + "-" + value[4:6] + "-" + value[6:]
	}
	if m := leadingDate.FindStringSubmatch(value); m != nil {
		return cmp.Or(dayBy("2006-1-2", m[1]+"-"+m[2]+"-"+m[3], time.DateOnly),
			dayBy("2006-1", m[1]+"-"+m[2], "2006-01"), dayBy("2006", m[1], "2006"))
	}
	for _, layout := range days {
		if date := dayBy(layout, value, time.DateOnly); date != "" {
			return date
		}
	}
	return cmp.Or(dayBy("Jan 2006", value, "2006-01"), dayBy("January 2006", value, "2006-01"), ago(value))
}

// days are the layouts with a day. In a layout, "2" reads days of one digit and of two.
var days = []string{"Mon, 2 Jan 2006 15:04:05 MST", "Mon, 2 Jan 2006 15:04:05 -0700", "Mon, 2 Jan 2006",
	time.RFC850, time.ANSIC, "Jan 2, 2006", "January 2, 2006", "2 Jan 2006", "2 January 2006",
	"2 Jan 2006 15:04:05 MST", "Jan. 2, 2006", "Monday, January 2, 2006", "02.01.2006"}

// dayBy reads a date by one layout and writes it by another. It rejects years that mean "unknown", such as 1
// and 9999, but not the next two: journals date issues a little ahead.
func dayBy(layout, value, shown string) string {
	t, err := time.Parse(layout, value)
	if err != nil || t.Year() < 1450 || t.Year() > time.Now().Year()+2 {
		return ""
	}
	return t.Format(shown)
}

// leadingDate matches the year, month and day at the start of a date, as many as are there.
var leadingDate = regexp.MustCompile(`^(\d{4})(?:$|[-/.年](?:(\d{1,2})(?:$|\D))?(?:(\d{1,2})(?:$|\D))?)`)

// sinceThen matches how long ago something was: "3 days ago", "an hour ago", 3天前.
var sinceThen = regexp.MustCompile(`^(an? |\d{1,4})\s*(.*?)s?(?: ago|前)$`)

// units maps the names of units of time to their hours, days, months or years.
var units = map[string]struct{ hours, days, months, years int }{
	"second": {}, "sec": {}, "minute": {}, "min": {}, "秒": {}, "秒钟": {}, "分钟": {},
	"hour": {hours: 1}, "小时": {hours: 1}, "个小时": {hours: 1}, "day": {days: 1}, "天": {days: 1},
	"日":    {days: 1},
	"week": {days: 7}, "周": {days: 7}, "星期": {days: 7},
	"month": {months: 1}, "个月": {months: 1}, "year": {years: 1}, "年": {years: 1},
}

// ago reads how long ago something was, no finer than it was said: years and months give no day.
func ago(value string) string {
	value = strings.ToLower(value)
	switch value {
	case "yesterday", "昨天":
		value = "1 day ago"
	case "today", "just now", "今天", "刚刚":
		value = "1 second ago"
	}
	m := sinceThen.FindStringSubmatch(value)
	if m == nil {
		return ""
	}
	n, err := strconv.Atoi(m[1])
	if err != nil { // "an hour ago"
		n = 1
	}
	unit, known := units[m[2]]
	then := time.Now().AddDate(-n*unit.years, -n*unit.months, -n*unit.days).Add(
		-time.Duration(n*unit.hours) * time.Hour)
	switch {
	case !known:
		return ""
	case unit.years > 0:
		return then.Format("2006")
	case unit.months > 0:
		return then.Format("2006-01")
	}
	return then.Format(time.DateOnly)
}
