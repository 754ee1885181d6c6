package page_test

import (
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/actions/page"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A paper is 70 columns wide, a Chinese sentence is not: a line's end between two characters is no blank.
// What stands for itself on a line is a paragraph, and all else stays as it is.
func TestLinesOfChinese(t *testing.T) {
	const wide = "备份和恢复操作是成功的系统管理中非常重要的一部分，坏了的数据不能再"
	for _, c := range [][2]string{
		{wide + "\n    用，除非有备份。\n", wide + "用，除非有备份。\n"},
		{"第一条 甲。\n第二条 乙。\n并关灯。\n第十条 完。\n",
			"第一条 甲。\n\n第二条 乙。\n并关灯。\n\n第十条 完。\n"},
		{"2026-06-02 20:14 李：\n2026-06-02 20:15 青：\n",
			"2026-06-02 20:14 李：\n\n2026-06-02 20:15 青：\n"},
		{"安排\n3月5日 面试\n3月6日 笔试\n", "安排\n\n3月5日 面试\n\n3月6日 笔试\n"},
		{"control: a short line\n春天来了\n花都开了\n", ""},
		{"control: one date\n这件事在\n2026年3月5日定了。\n", ""},
		{"control: a list\n- " + wide + "\n- 第二\n", ""},
		{"control: a sentence's end\n" + wide + "。\n第二句。\n", ""},
		{"control: code\n\n```\n" + wide + "\n" + wide + "\n```\n", ""},
		{"control: in a list\n- 计划\n  第一条 甲。\n  第二条 乙。\n", ""},
		{"control: English\n2026-06-02 20:14 up\n2026-06-02 20:15 up\n", ""},
	} {
		text, want := c[0], c[1]
		for _, name := range []string{"a.txt", "a.md"} {
			got, err := page.Read(t.Context(), page.Raw{URL: name, Body: []byte(text)})
			require.NoError(t, err)
			if strings.HasPrefix(text, "control: ") {
				want = text
			}
			assert.Equal(t, want, got.Markdown, name)
		}
	}
}

// Lines of a text that were not broken to fit a page are paragraphs of their own: each can be quoted alone.
// A plain text shows tables and the headings of lists by its layout alone.
func TestWhatALayoutShows(t *testing.T) {
	const text = "KEY BOOK\n\nFob  Holder       Since\n01   Judith Pike  05/2023\n05   LOST\n" +
		"07   Tomás Kral   03/2026\n\n" +
		"Coming in first\n 1. Fob on reader\n 2. Green light = off\n\n" +
		"This is a sentence of some text  that has\ntwo blanks in one of its lines, and no columns at all.\n"
	got, err := page.Read(t.Context(), page.Raw{URL: "a.txt", Body: []byte(text)})
	require.NoError(t, err)
	assert.Contains(t, got.Markdown, "| Fob | Holder | Since |\n| --- | --- | --- |\n"+
		"| 01 | Judith Pike | 05/2023 |\n| 05 | LOST |  |\n")
	assert.Contains(t, got.Markdown, "## Coming in first\n\n 1. Fob on reader\n 2. Green")
	assert.Equal(t, 1, strings.Count(got.Markdown, "\n| --- |"), got.Markdown)
	assert.Equal(t, 1, strings.Count(got.Markdown, "## "), got.Markdown)

	const chat = "三（2）班家长群\n2025-09-06 06:10:23 晓燕（安安）\n好的谢谢\n" +
		"2025-09-11 09:36:19 沈洁老师\n语文听写本买田字格的。\n别买错了。\n" +
		"2025-09-12 10:00:00 浩浩奶奶\n收到\n"
	got, err = page.Read(t.Context(), page.Raw{URL: "chat.txt", Body: []byte(chat)})
	require.NoError(t, err)
	assert.Contains(t, got.Markdown, "\n\n2025-09-06 06:10:23 晓燕（安安）：好的谢谢\n\n"+
		"2025-09-11 09:36:19 沈洁老师：语文听写本买田字格的。")
}

// A list of labels is no table with a head, a diary no chat, and a heading with a rule below it stays one.
func TestWhatALayoutDoesNotShow(t *testing.T) {
	const text = "Name:   Ada Lovelace\nPhone:  020 7946\nRoom:   12\n\n" +
		"2024-03-01 10:00 Called the bank\n2024-03-01 11:00 Meeting: rent raised\n" +
		"2024-03-02 09:00 Paid it\n" +
		"2024-03-03 09:00 Rested\n2024-03-04 09:00 Painted\n\nInstallation\n------------\nIt is easy.\n"
	got, err := page.Read(t.Context(), page.Raw{URL: "a.txt", Body: []byte(text)})
	require.NoError(t, err)
	assert.Contains(t, got.Markdown, "|  |  |\n| --- | --- |\n| Name: | Ada Lovelace |\n")
	assert.NotContains(t, got.Markdown, "bank: 2024")
	assert.NotContains(t, got.Markdown, "## Installation")
}

// One row with a million cells makes no table of a million columns, and many rows take no time.
func TestALargeLayout(t *testing.T) {
	many := strings.Repeat("a\tb\n", 100_000)
	for _, text := range []string{many + strings.Repeat("x\t", 200_000) + "\n", many} {
		_, err := page.Read(t.Context(), page.Raw{URL: "a.txt", Body: []byte(text)})
		require.NoError(t, err)
	}
}

// A line that ends early, since an English word did not fit, was broken to fit the page too.
func TestAWordThatDidNotFit(t *testing.T) {
	const text = "备份和恢复操作是成功的系统管理中非常重要的一部分，坏了的数\n" +
		"据不能再用，除非有备份，所以请先安装并运行\n" +
		"docker-compose-backup 这个命令，再检查备份的文件是否完整，检查的方\n法见下。\n"
	got, err := page.Read(t.Context(), page.Raw{URL: "a.txt", Body: []byte(text)})
	require.NoError(t, err)
	assert.Contains(t, got.Markdown, "坏了的数据不能")
}

// Lines of about one length were not all broken to fit a page: joined, "free" would belong to the next.
func TestNotesThatEndWhereTheyLikeAreNotJoined(t *testing.T) {
	const text = "车牌 浙A·7K29M  领克06\n商业险：平安，保单期从四月二十二日到次年四月二十一日止\n" +
		"三者三百万，车损十一万八千六百，座位每座两万，医保外用药五万\n" +
		"保费一共三千七百二十九，出险打平安的电话，拖车一百公里内免费\n" +
		"年检：明年五月之前\n"
	got, err := page.Read(t.Context(), page.Raw{URL: "a.txt", Body: []byte(text)})
	require.NoError(t, err)
	assert.NotContains(t, got.Markdown, "免费年检")
	assert.NotContains(t, got.Markdown, "五万保费")
}

func TestLinesThatStandAlone(t *testing.T) {
	const keys = "Boat shed: combination lock, Bex tells you.\nFuel store: Rowan only.\n" +
		"Alarm: 60 seconds after the door. If it rings, the firm calls and wants\nWater: under the lid.\n"
	const wrapped = "The boat shed has a combination lock, whose number\nBex tells you, and is changed on " +
		"the first day\nof March each year. The fuel store is opened by\nRowan only, who has the key.\n"
	for text, isList := range map[string]bool{
		keys: true, wrapped: false,
		"翠苑四区物业 6021\n开锁 老金 139\n燃气抢修 96776\n宽带报修 10000,帐号在路由器下\n快递柜在\n": true,
		"- one\n- a longer item of a list\n- two\n- three\n":             false,
		"[mail]\nhost = a.example\nport = 25\n\n":                        false,
	} {
		got, err := page.Read(t.Context(), page.Raw{URL: "a.txt", Body: []byte(text)})
		require.NoError(t, err)
		assert.Equal(t, isList, strings.Count(got.Markdown, "\n\n") >= 3, got.Markdown)
		same, err := page.Read(t.Context(), page.Raw{URL: "a.md", Body: []byte(text)})
		require.NoError(t, err)
		assert.Less(t, strings.Count(same.Markdown, "\n\n"), 3, "in Markdown a line's end means nothing")
	}
}
