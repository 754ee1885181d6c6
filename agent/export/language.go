package export

import (
	"strings"
	"time"

	"github.com/daybook-agent/daybook/agent/prose"
)

// lang is a BCP 47 tag, or "".
type lang string

// Say returns the page's own words: in Chinese for a Chinese report, otherwise in English.
func (l lang) Say(english, chinese string) string {
	if strings.HasPrefix(string(l), "zh") {
		return chinese
	}
	return english
}

// Day returns a date as the language writes it.
func (l lang) Day(t time.Time) string { return t.Format(l.Say("2 January 2006", "2006年1月2日")) }

// language returns the tag of the report's own language, whatever it quotes.
func (r report) language() lang {
	text, _, _ := strings.Cut(r.Text, "{#"+referencesID+"}")
	if prose.IsChineseReport(text) {
		return chinese(text)
	}
	return language(r.Question + "\n" + text)
}

// language returns the BCP 47 tag of a text's language, as far as its script and commonest words tell. In
// doubt it is "": a wrong one makes a screen reader mispronounce everything.
func language(text string) lang {
	text = text[:min(len(text), 64<<10)] // enough to tell
	kana, hangul := many(text, `[\p{Hiragana}\p{Katakana}]`), many(text, `\p{Hangul}`)
	letters := many(text, `\pL`) - kana - hangul
	switch {
	case 4*kana > letters:
		return "ja"
	case 2*hangul > letters:
		return "ko"
	case prose.IsChinese(text):
		return chinese(text)
	case prose.IsEnglish(text, 12):
		return "en"
	}
	return ""
}

// chinese returns the tag of the script. It names a region: Word and old screen readers know no zh-Hans.
func chinese(text string) lang {
	simplified := many(text, "[这个们来时后会说为国学对实现与发经过还进]")
	if many(text, "[這個們來時後會說為國學對實現與發經過還進]") > simplified {
		return "zh-TW"
	}
	return "zh-CN"
}
