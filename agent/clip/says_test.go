package clip_test

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const letter = "Parking\n# Parking\n\nDear tenants,\n\nfrom April on a tenant leaves 45 euros a month " +
	"for a space in the garage.\n\n" +
	"Careful!\n\nThe ramp to the garage is steep and gets slippery when it rains.\n\n" +
	"TODO: ask whether guests of a tenant count.\n\n" +
	"Kind regards\nAnna Lindqvist\n"

// Only a thing that no document holds is told first: never the verb of asking.
func TestTheVerbOfAQuestionIsNotMissed(t *testing.T) {
	for question, want := range map[string]string{
		"What did the tenant pay for the garage?":        "",
		"Which tenant has the cheapest space?":           "",
		"What did the tenant pay for the balloon?":       "\n\nNo document holds: balloon.\n",
		"control: what did the tenant pay in Reykjavík?": "\n\nNo document holds: control, Reykjavík.\n",
	} {
		report := reportOn(t, question, letter)
		first, _, _ := strings.Cut(report, "{#abstract}")
		if want == "" {
			assert.NotContains(t, first, "No document holds", question)
			assert.NotEmpty(t, quotesIn(report), question)
		} else {
			assert.Contains(t, first, want)
		}
	}
}

func TestGreetingsAndSignaturesAreNoAnswers(t *testing.T) {
	report := reportOn(t, "Where may a tenant park, is there a garage?", letter)
	assert.Contains(t, report, "45 euros a month")
	assert.Contains(t, report, "The ramp to the garage", "what a warning is about")
	for _, empty := range []string{"Dear tenants", "Careful!", "TODO", "Kind regards"} {
		assert.NotContains(t, report, empty)
	}
	zh := reportOn(t, "房租每月多少钱？",
		"信\n# 信\n\n李先生，您好：\n\n合同到期以后房租每月五千五百元，押金不变。\n\n小心！\n\n祝好\n周敏\n")
	assert.Contains(t, zh, "房租每月五千五百元")
	assert.NotRegexp(t, "您好|小心|祝好", zh)
	joe := reportOn(t, "Who is the plumber?",
		"Phone book\n# Phone book\n\n## Plumber\n\nJoe Schmidt\n\n## Baker\n\nAda King\n")
	assert.Contains(t, joe, "“Joe Schmidt”", "a few words below the heading that was asked for are an answer")
}

// An item that ends with a semicolon, as those of one sentence do, is no code.
func TestAnItemThatEndsWithASemicolonIsProse(t *testing.T) {
	report := reportOn(t, "Which expenses are paid?",
		"Travel\n# Travel\n\nThese travel expenses are paid:\n\n- hotel, at most 140 euros a night;\n"+
			"- breakfast, 9 euros;\n")
	assert.Contains(t, report, "“hotel, at most 140 euros a night;”")
	assert.NotContains(t, report, "Code, from")
}

// An item is quoted under what leads to its list, however far above it that is.
func TestAnItemIsQuotedUnderWhatLeadsToIt(t *testing.T) {
	const page = "Travel\n# Travel\n\nThe limits of travel expenses are:\n\n" +
		"- hotel, at most 140 euros a night\n- breakfast, 9 euros\n" +
		"- train, second class, first class from four hours on\n" +
		"- rail cards, when they were used three times\n- flights, economy class only\n" +
		"- visas, at cost\n- taxi, only after 22:00 or with much luggage\n- tips, five percent\n"
	passage := top(reportOn(t, "When are the travel expenses of a taxi paid?", page))
	assert.Contains(t, passage, "“The limits of travel expenses are:”")
	assert.Contains(t, passage, "“taxi, only after 22:00 or with much luggage”")
	assert.Less(t, strings.Index(passage, "The limits"), strings.Index(passage, "taxi"))
	assert.NotContains(t, passage, "breakfast")
}

func TestANameWithASlashIsOneWord(t *testing.T) {
	const page = "Protocols\n# Protocols\n\nThe directive Protocols h2 turns HTTP/2 on in the server.\n" +
		"\nAn HTTP request has 2 parts.\n"
	d := finished(t, "How do I turn on HTTP/2 over TCP/IP?", map[string]string{"doc:p.md": page})
	assert.Contains(t, d.query, "HTTP/2 TCP/IP")
	assert.Contains(t, top(d.files["report.md"]), "turns HTTP/2 on")

	d = newDesk("How do I turn on HTTP/2 in the server?",
		map[string]string{"doc:p.md": strings.ReplaceAll(page, "HTTP/2", "it")})
	d.unread = "None of the 1 documents holds \"HTTP/2\" to the letter.\n"
	require.Equal(t, agent.Finished, d.run(t, 60).Reason)
	assert.Contains(t, d.files["report.md"], "\n\nNo document holds: HTTP/2.\n")
}

// A document may hold a name that none of the passages speaks of.
func TestANameOfWhichNoPassageSpeaksIsSaidFirst(t *testing.T) {
	const page = "Ports\n# Ports\n\nThe database listens on port 5432 unless another port is set.\n\n" +
		"## See also\n\n- Oracle and what else there is to read of databases.\n"
	first, _, _ := strings.Cut(reportOn(t, "On which port does the Oracle database listen?", page),
		"{#abstract}")
	assert.Contains(t, first, "\n\nNo passage found speaks of: Oracle.\n")
	first, _, _ = strings.Cut(reportOn(t, "On which port does the database listen?", page), "{#abstract}")
	assert.NotContains(t, first, "No passage")
}

func TestAHeadingIsQuotedAsItIsMeant(t *testing.T) {
	report := reportOn(t, "What does the constructor of a class do?",
		"Classes\n# Classes\n\n## `__init__`\n\nThe constructor of a class gives an object its first "+
			"values.\n\n## max_size\n\nThe constructor of a class has a limit.\n")
	assert.Contains(t, report, "\n### \\_\\_init\\_\\_ · Classes\n")
	assert.Contains(t, report, "\n### max_size · Classes\n")
}

// Passages have no numbers of their own, which would be wrong once one of them goes.
func TestPassagesAreNotNumbered(t *testing.T) {
	d := finished(t, asked, english())
	assert.NotRegexp(t, `(?m)^#+ \d+\. `, d.files["report.md"])
	assert.NotRegexp(t, `(?m)^#+ \d+\. `, d.files[d.chapterFiles()[0]])
}

// A manual in several languages fills the first hits with translations of one page.
func TestAnotherPageIsReadInPlaceOfATranslation(t *testing.T) {
	pages := map[string]string{"doc:z.md": "Worker\n# Worker\n\n" +
		"The worker module serves each request in a thread of a process, and it needs less memory than " +
		"others do.\n"}
	for i := range 8 {
		pages[fmt.Sprintf("doc:de%d.md",
			i)] = "Worker\n# Worker\n\nDas worker module bedient Anfragen mit vielen Threads, braucht " +
			"weniger memory als andere, " +
			"und jeder Prozess verwaltet seine Threads selbst, worker, module, memory; alle Angaben " +
			"sind ohne jede Gewähr und gelten nur bis auf Widerruf durch den Betreiber.\n"
	}
	report := finished(t, "How much memory does the worker module need?", pages).files["report.md"]
	assert.Contains(t, report, "needs less memory than others do")
	assert.NotContains(t, report, "Anfragen")
}

// A document of more parts than one reply may ask for is read once, and each part of the next one too.
func TestNoPartOfALongDocumentIsReadTwice(t *testing.T) {
	long := "Manual\n# Manual\n"
	for i := range 30 {
		long += fmt.Sprintf("\f\n## Section %d\n\nThe worker module of section %d serves each request "+
			"in a thread of its own.\n", i, i)
	}
	d := finished(t, "How does the worker module serve a request?", map[string]string{"doc:a.md": long,
		"doc:b.md": strings.Replace(long, "Manual", "Guide", 2)})
	seen := map[string]bool{}
	for _, c := range d.calls {
		if c.Name == "visit_url" && strings.Contains(c.Args, `"part"`) {
			assert.False(t, seen[c.Args], c.Args)
			seen[c.Args] = true
		}
	}
	assert.Greater(t, len(seen), 50)
}

// A table's head that holds the words of the question makes no answers of its rows.
func TestARowAnswersByItsOwnCells(t *testing.T) {
	page := "Modules\n# Modules\n\n| Description: | Limits the bandwidth of a download |\n" +
		"| --- | --- |\n| Status: | Extension |\n" +
		"| Source file: | mod_limit.c |\n\nA limited download sleeps between two writes.\n\n## Other\n\n" +
		"The bandwidth of each download is halved at night.\n"
	answer := top(reportOn(t, "How is the bandwidth of a download limited?", page))
	assert.Contains(t, answer, "A limited download sleeps between two writes.")
	assert.Equal(t, 1, strings.Count(answer, "| Description: |"), answer)
}

// Each word of a question may be in the documents, and no passage hold half of them. A single word may always
// be said otherwise.
func TestWhatNoPassageHoldsTogetherIsSaidFirst(t *testing.T) {
	const page = "Upkeep\n# Upkeep\n\n## Timers\n\nThe server runs a weekly timer that packs loose " +
		"objects on Sunday.\n\n" +
		"## Repairs\n\nA server restores lost objects from a backup that was made by hand.\n\n" +
		"## Databases\n\nThe program was ported to the Oracle database in spring.\n\n## Sockets\n\n" +
		"A server listens on a port that you set.\n"
	for question, want := range map[string]string{
		"Which timer ports the backup to a socket in spring?": "\n\nNo passage found speaks of " +
			"all of these, so the nearest are shown: timer, backup, socket, spring.\n",
		"Which timer restores a database?": "\n\nNo passage found speaks of " +
			"all of these, so the nearest are shown: timer, database.\n",
		"Which licence does the Oracle database need in Peru?": "\n\nNo document holds: " +
			"licence, Peru.\n",
		"control: which computer packs loose objects with the timer?":  "",
		"control: what does the weekly timer of the server pack?":      "",
		"control: from what does a server get its lost objects back?":  "",
		"control: which backup are the objects on the server restored": "",
	} {
		first, body, _ := strings.Cut(reportOn(t, strings.TrimPrefix(question, "control: "), page),
			"{#abstract}")
		if want == "" {
			assert.NotRegexp(t, "speaks of|No document holds", first, question)
			assert.NotEmpty(t, quotesIn(body), question)
		} else {
			assert.Contains(t, first, want)
		}
	}
}

func TestEachHalfOfAQuestionHasItsAnswerOnTop(t *testing.T) {
	pages := map[string]string{
		"doc:a.md": "Gateway\n# Gateway\n\nThe gateway sets a limit of 60 requests a minute for each " +
			"key of a tenant.\n\n" +
			"A request of a tenant over the limit a minute that the gateway sets for a key gets the " +
			"status 429.\n",
		"doc:b.md": "Limits\n# Limits\n\nEach gateway sets its own limit of requests a minute, which is " +
			"counted for a tenant's key.\n\n" +
			"The limit of requests a minute that a gateway sets for the key of a tenant is logged in " +
			"the morning.\n",
		"doc:c.md": "Replies\n# Replies\n\nThe flag turns streaming on for whoever gives it, and " +
			"streaming ends with the reply.\n",
	}
	const half = "What limit of requests a minute does the gateway set for the key of a tenant"
	passage := top(finished(t, half+", and does it support streaming?", pages).files["report.md"])
	assert.Contains(t, passage, "a minute")
	assert.Contains(t, passage, "turns streaming on")
	assert.NotContains(t, top(finished(t, half+"?", pages).files["report.md"]), "streaming",
		"control: half of it alone")
}

func TestAMailIsQuotedBelowItsAuthorAndDate(t *testing.T) {
	const page = "2025.mbox\n## Parking at the new office\n\n" +
		"Anna Lindqvist <anna@harbour.example>, 2025-03-03\n\nI hope that you all had a fine weekend.\n\n" +
		"From April on every employee pays 45 euros a month for a space in the garage.\n\n" +
		"Co-authored-by: Farid <farid@harbour.example>\n\n" +
		"## Cakes\n\nJoe <joe@harbour.example>, 2025-03-04\n\nThere is cake in the kitchen.\n"
	passage := top(reportOn(t, "How much does an employee pay for the garage?", page))
	assert.Regexp(t, "(?s)### Parking at the new office · .*Anna Lindqvist 2025-03-03\n.*45 euros a month",
		passage)
	assert.NotRegexp(t, "Co-authored|Joe|weekend|anna@", passage)
	zh := reportOn(t, "三楼空调什么时候修？",
		"通知\n# 通知\n\n吴倩 <wq@qinghe.example>, 2026-06-05\n\n各位同事：\n\n"+
			"三楼的空调在六月八日维修，请改订二楼的会议室。\n\n如有不便，敬请谅解。\n")
	assert.Contains(t, zh, "六月八日维修")
	assert.NotRegexp(t, "“各位同事|敬请谅解|@", zh)
}

// What leads to a list below an item does not lead to the items after that.
func TestALineLeadsToItsOwnList(t *testing.T) {
	shown := top(reportOn(t, "How often does the group update?", "Settings\n# Settings\n\n"+
		"- **Sensors**: Identifies the plugin that is used for sensors.\n\n  The values at present are:\n\n"+
		"  - **none**: No sensors data is collected at all.\n  - **rrd**: Data is collected from a file.\n"+
		"- **GroupUpdate**: How often the group updates, in seconds, which is 600.\n"))
	assert.Contains(t, shown, "in seconds, which is 600")
	assert.NotContains(t, shown, "values at present")
}

// Each of two answers to a mail, which have the same subject, is its own author's.
func TestAnswersOfOneSubjectAreTheirAuthors(t *testing.T) {
	const page = "list.mbox\n## Re: Where does the map go?\n\nBoris <boris@canal.example>, 2026-02-24\n\n" +
		"Why not leave it where it is for now?\n\n--\n\nBoris\n\n" +
		"## Re: Where does the map go?\n\nAnneke <anneke@canal.example>, 2026-02-25\n\n" +
		"On 24 Feb 2026, Boris wrote:\n\n> Why not leave it where it is for now?\n\n" +
		"The map goes to Nethold, a co-operative, for 6 a month.\n"
	assert.Regexp(t, "· Anneke 2026-02-25\n\n> “The map goes to Nethold",
		top(reportOn(t, "Where does the map go, to Nethold?", page)))
}

func TestRowsOfATableAreBelowOneHead(t *testing.T) {
	const page = "Ports\n# Ports\n\n| service | port |\n| --- | --- |\n| DNS over TLS | 853 |\n" +
		"| DNS over HTTPS | 443 |\n| mail | 25 |\n"
	passage := top(reportOn(t, "Which port is for DNS over TLS or HTTPS?", page))
	assert.Contains(t, passage,
		"| service | port | Source |\n| --- | --- | --- |\n| DNS over TLS | 853 | [s1.1] |\n"+
			"| DNS over HTTPS | 443 | [s1.2] |\n")

	zh := reportOn(t, "DNS over HTTPS 默认使用哪个端口号？", page)
	assert.Contains(t, top(zh), "| DNS over HTTPS | 443 | [s1.2] |", "a row of another language's table")
	assert.Contains(t, zh, "\n\n文档与问题的语言不同：在其中只能找到问题里的名称和数字。\n")
	assert.NotContains(t, zh, "默认`")
	assert.NotContains(t, reportOn(t, "邮件用哪个端口？",
		"端口\n# 端口\n\n邮件服务用的端口是 25，网页用的端口是 80。\n"), "语言不同", "control")
}

// A word that says nothing of what is asked for is not named as missing, in Chinese as in English.
func TestAnEverydayWordIsNotMissed(t *testing.T) {
	zh := reportOn(t, "默认的口令是什么？", "须知\n# 须知\n\n无线网络的口令贴在冰箱上，每月一号更换。\n")
	assert.Contains(t, top(zh), "贴在冰箱上")
	assert.NotContains(t, zh, "默认`")
	part := reportOn(t, "新人加入公司试用期多长？",
		"须知\n# 须知\n\n试用期是三个月，转正的新人有十二天年假。\n")
	assert.NotContains(t, part, "没有段落谈到", "half of the run is there")
	assert.Contains(t, reportOn(t, "冰箱和洗衣机的口令是什么？",
		"须知\n# 须知\n\n无线网络的口令贴在冰箱上，每月一号更换。\n"), "`洗衣机`", "control")
}

// A question among others is no answer to another.
func TestAQuestionInAListIsNoAnswer(t *testing.T) {
	const page = "Questions\n# Questions\n\n- Why does a job hang in the queue?\n" +
		"- Why is a job killed?\n\n## Queue\n\nA job hangs when its node does not answer, and leaves " +
		"the queue an hour later.\n"
	passage := top(reportOn(t, "Why does my job hang in the queue of a node?", page))
	assert.Contains(t, passage, "does not answer")
	assert.NotContains(t, passage, "Why does a job")
}

func TestADescriptionIsQuotedWithoutTheTermBelowIt(t *testing.T) {
	const page = "Settings\n# Settings\n\n`log_size`\n\nThe number of bytes that a log holds before it " +
		"is rotated.\n\nDefault: 50 MB.\n\n" +
		"Required: no.\n\nIntroduced: in version 3.0.\n\n`log_backups`\n\n" +
		"How many logs are kept that were rotated.\n"
	answer := top(reportOn(t, "How many bytes of a log until it is rotated?", page))
	assert.Contains(t, answer, "“The number of bytes that a log holds before it is rotated.”")
	assert.Contains(t, answer, "“Default: 50 MB.”")
	first, _, _ := strings.Cut(answer, "“Default")
	assert.NotContains(t, first, "log_backups")
}

func TestWhatIsFurtherOffIsQuotedAlthoughAThingIsMissing(t *testing.T) {
	const page = "Garage\n# Garage\n\n## Rent\n\nThe tenant of the garage pays 45 euros a month.\n\n" +
		"## Damage\n\nA tenant pays for what is broken in the garage.\n\n" +
		"## Keys\n\nThe tenant gets two keys of the garage and pays for a third one.\n"
	report := reportOn(t, "What does the tenant of the garage pay in Reykjavík?", page)
	assert.Contains(t, report, "\n\nNo document holds: Reykjavík.\n")
	for _, quote := range []string{"45 euros a month", "what is broken", "two keys"} {
		assert.Contains(t, report, quote)
	}
}

// Of two passages that hold the same words, the one that says more of them and is shorter comes first.
func TestAShortPassageThatRepeatsAWordComesFirst(t *testing.T) {
	const page = "Boats\n# Boats\n\n## Upkeep\n\nThe club pays for a tin of varnish once in a year if a " +
		"member orders it before the end of winter and brings the old tin " +
		"back to the hall, where it stays until somebody takes it away.\n\n## Finish\n\n" +
		"Varnish dries in a day, and a second coat of varnish shines.\n"
	quotes := quotesIn(top(reportOn(t, "How long until varnish is hard?", page)))
	require.NotEmpty(t, quotes)
	assert.Contains(t, quotes[0][0], "Varnish dries in a day")
}

// What is asked may be in no passage though its words are in some.
func TestWhatThePassagesDoNotTellIsSaidFirst(t *testing.T) {
	const log = "Log\n# Log\n\n## Fire\n\nThe chimney is swept by De Schoorsteen, who asks 65 euros.\n\n" +
		"## Costs\n\nThe water bill came to 1,284.60 pounds, more than before.\n\n## Waiting\n\n" +
		"- Greta asked for a plot in 2022.\n"
	for question, want := range map[string]string{
		"When was the chimney last swept?": "No passage found tells when: chimney",
		"What was the water bill in 2022?": "No passage found speaks of all of these, so the nearest are " +
			"shown: water, bill, 2022.",
		"Who sweeps the chimney?": "",
	} {
		first, _, _ := strings.Cut(reportOn(t, question, log), "{#abstract}")
		assert.Contains(t, first, want, question)
		assert.Equal(t, want == "", !strings.Contains(first, "No passage found"), question)
	}
	d := newDesk("狂犬疫苗要打几针？",
		map[string]string{"doc:p.md": "疫苗\n# 疫苗\n\n流感疫苗每年打一针，每针一百三十八元。\n"})
	d.unread = "None of the 1 documents holds: 狂犬.\n"
	d.run(t, 60)
	assert.Contains(t, d.files["report.md"], "没有文档提到：狂犬。")
}

// Passages that stand below the same heading of a page are below one in the report, whatever stands between
// them in rank.
func TestAHeadingStandsOnce(t *testing.T) {
	const page = "Fees\n# Fees\n\n## Tickets\n\nA ticket for the museum costs 12 euros.\n\n" +
		"The museum sends a ticket by mail.\n\n" +
		"Who loses a museum ticket pays a fee of 3 euros.\n\n## Guides\n\n" +
		"A guide in the museum costs 40 euros a ticket.\n\nA museum guide takes a fee of 5 euros for a " +
		"lost ticket.\n"
	report := reportOn(t,
		"What does a museum ticket cost? What is the fee for a lost ticket? What does a guide cost?", page)
	for _, heading := range []string{"### Tickets · Fees", "### Guides · Fees"} {
		assert.Equal(t, 1, strings.Count(report, heading+"\n"), report)
	}
}

// The line of a chapter in the blueprint is set as Chinese is, and known again.
func TestTheBlueprintIsSetAsChineseIs(t *testing.T) {
	d := finished(t, "博物馆的门票多少钱？",
		map[string]string{"doc:p.md": "门票\n# 门票\n\n博物馆的门票每张 12 元。\n"})
	assert.Regexp(t, `(?m)^- \[x\] \*\*文档中的相关原文\*\* 检索词：\S.*。段落：\[s1\.1\]。文件：Notebook/01-文档中的相关原文\.md$`,
		d.get("overall_dashboard.md", "blueprint"))
}

// A Chinese word that no document holds is told where it is a part of a longer one, also when the question is
// written in the other script; not where it is short for a word that is there.
func TestAWordInAChineseRunThatNoDocumentHolds(t *testing.T) {
	for question, want := range map[string]string{"公司班车几点发车？": "班车", "公司班車幾點發車？": "班车",
		"公司年假有几天？": ""} {
		d := newDesk(question,
			map[string]string{"doc:p.md": "公司规定\n# 公司规定\n\n" +
				"公司车辆每天八点发车。公司员工每年有年休假五天。\n"})
		d.unread = "None of the 1 documents holds: " + cmp.Or(want, "年假") + ".\n"
		d.run(t, 30)
		if want == "" {
			assert.NotContains(t, d.files["report.md"], "没有文档提到", question)
			continue
		}
		assert.Contains(t, d.files["report.md"], "没有文档提到："+want+"。", question)
	}
}

// A word of three characters that is nowhere is told though a document has two of them elsewhere; not where
// what was read speaks of those.
func TestAChineseWordOfWhichAPairIsHeld(t *testing.T) {
	for text, told := range map[string]bool{"大棚二期的传感器每个三百元。": true,
		"大棚二期的摄像机每个三百元。": false} {
		d := newDesk("二期大棚里的摄像头每个多少钱？", map[string]string{"doc:p.md": "报价\n# 报价\n\n" +
			text + "\n"})
		d.unread = "None of the 2 documents holds: 摄像头.\n"
		d.run(t, 30)
		assert.Equal(t, told, strings.Contains(d.files["report.md"], "没有文档提到：摄像头。"), text)
	}
}

// A word that was written wrong is answered by what was meant, and the report says so first.
func TestAWordWrittenWrong(t *testing.T) {
	for question, told := range map[string]string{
		"How much is the referal bonus?": "No document holds: referal. Looked for in its place: referral.",
		"公集金什么时候到账？":                     "没有文档提到：公集金。已改为查找“公积金”。",
	} {
		wrong, meant := "referal", "referral"
		if prose.HasHan(question) {
			wrong, meant = "公集金", "公积金"
		}
		d := newDesk(question, map[string]string{
			"doc:a.md": "Terms\n# Terms\n\nWho finds us a colleague gets a referral bonus of 500 euros; " +
				"a bonus comes with the wages.\n\n" +
				"公积金每月二十日到账，由财务办理。\n",
			"doc:b.md": "Notes\n# Notes\n\nThe premium for the year is paid in May, and the rest in June.\n"})
		d.unread = fmt.Sprintf("None of the 2 documents holds: %s.\n"+
			"Searched too for %q, which they hold, in place of %q.\n", wrong, meant, wrong)
		d.run(t, 40)
		first, rest, _ := strings.Cut(d.files["report.md"], "{#abstract}")
		assert.Contains(t, first, told)
		top, _, _ := strings.Cut(rest, "\n## ")
		assert.Contains(t, top, meant)
	}
}

// A word is not there because a longer one has it inside, as secondary has conda; half of a word is told of
// by itself nowhere.
func TestAWordInsideOfAnother(t *testing.T) {
	const page = "Tools\n# Tools\n\nThe secondary environment of Python is made with one command of the " +
		"cooperative.\n"
	for _, c := range [][3]string{
		{"How do I make a conda environment of Python?", "conda", "No document holds: conda."},
		{"How does the co-op make an environment of Python?", "op", ""},
	} {
		d := newDesk(c[0], map[string]string{"doc:p.md": page})
		d.unread = "None of the 1 documents holds: " + c[1] + ".\n"
		d.run(t, 60)
		first, _, _ := strings.Cut(d.files["report.md"], "{#abstract}")
		assert.Contains(t, first, c[2])
		assert.Equal(t, c[2] != "", strings.Contains(first, "No document holds"), first)
	}
}

// A label in bold that only says what kind of remark follows is not quoted.
func TestALabelOfARemarkIsNotQuoted(t *testing.T) {
	report := reportOn(t, "What does the lock protect?",
		"Locks\n# Locks\n\n**Note**\n\nThe lock protects the index against two writers at once.\n")
	assert.Contains(t, report, "“The lock protects the index")
	assert.NotContains(t, report, "Note")
}

// The part of a question that no passage answers is told of, whatever the others get.
func TestThePartOfAQuestionThatNothingAnswersIsNamed(t *testing.T) {
	const page = "Backups\n# Backups\n\nTo restore a backup, run the restore command on the server.\n\n" +
		"## Leave\n\nParental leave has to be asked for.\n\n## Insurance\n\nThe policy covers the building.\n"
	for question, part := range map[string]string{
		"How do I restore a backup, and what is the kitchen policy of Leeds?": "what is the kitchen " +
			"policy of Leeds",
		"Where is the kitchen of the landlord and how do I restore a backup?": "Where is the kitchen of " +
			"the landlord",
		"How do I restore a backup, and what does the policy cover?": "",
	} {
		report := reportOn(t, question, page)
		first, rest, _ := strings.Cut(report, "{#abstract}")
		said := "No passage found answers this part of the question: “" + part + "”."
		assert.Equal(t, part != "", strings.Contains(first, said), first)
		assert.Equal(t, part != "", strings.Contains(rest, "- "+said), rest)
		assert.Contains(t, rest, "run the restore command")
	}
	for question, part := range map[string]string{"预算由哪个部门审批，食堂几点开门？": "食堂几点开门",
		"预算由哪个部门审批，食堂几点关门？": ""} {
		open := map[bool]string{true: "", false: "食堂晚上八点关门。\n\n"}[part != ""]
		report := reportOn(t, question, "规定\n# 规定\n\n预算为三十万元，由财务部审批。\n\n"+open)
		assert.Equal(t, part != "", strings.Contains(report,
			"\n\n找到的段落都没有回答问题的这一部分：“"+part+"”。"), report)
		assert.Equal(t, part != "", strings.Contains(report, "这一部分"), report)
	}
}

// What a mail quotes of another is not said by who wrote it, and is left to the other mail where that is
// read.
func TestWhatAMailQuotesIsNotItsAuthors(t *testing.T) {
	const said = "The pumps will be delivered on 12 June, and delivery of the pumps is free."
	const mail = "Re: Pumps\n# Re: Pumps\n\nAnna Berg <anna@example.org>, 2024-03-05\n\n" +
		"I disagree: no pumps are delivered in June, since motors are missing.\n\n" +
		"On Monday Carl Dorn wrote:\n> " + said + "\n"
	report := reportOn(t, "When are the pumps delivered?", mail)
	assert.Contains(t, report, "### Re: Pumps · quoted by Anna Berg 2024-03-05\n\n> “"+said+"”")
	assert.Contains(t, report, "### Re: Pumps · Anna Berg 2024-03-05\n\n> “I disagree")
	assert.Contains(t, reportOn(t, "Pumps 什么时候 delivered？", mail), "· Anna Berg 2024-03-05 引用\n")

	report = finished(t, "When are the pumps delivered?", map[string]string{
		"doc:a.eml": mail, "doc:b.eml": "Pumps\n# Pumps\n\nCarl Dorn <carl@example.org>, 2024-03-04\n\n" +
			said + "\n",
	}).files["report.md"]
	assert.Contains(t, report, "### Pumps · Carl Dorn 2024-03-04\n\n> “"+said+"”")
	assert.Equal(t, 1, strings.Count(report, said))
}

// Two files of one title are told apart by their folders, up to the one that differs.
func TestFilesOfOneTitleAreToldApartByTheirFolders(t *testing.T) {
	const title, text = "会议纪要\n# 会议纪要\n\n", "新系统的上线日期是六月二十日，由王芳负责。\n"
	report := finished(t, "新系统的上线日期是哪天？", map[string]string{
		"doc:项目甲/会议/会议纪要-05.md": title + text, "doc:项目乙/会议/会议纪要-05.md": title +
			"新系统的上线日期推迟到九月一日，验收另行通知，预算不变。\n",
	}).files["report.md"]
	assert.Contains(t, report, "\n### 会议纪要 (项目甲/会议/会议纪要-05.md)\n")
	assert.Contains(t, report, "\n### 会议纪要 (项目乙/会议/会议纪要-05.md)\n")
}

const firm = "Offer\n# Offer\n\nOne lathe, 86,400 euro. Delivery is expected in week 40.\n\n## Ideas\n\n" +
	"- A folding stool weighs 3 kg.\n" +
	"- Ask whether the insurance covers the lathe.\n\n## Staff\n\n| Name | Role | Since |\n" +
	"| --- | --- | --- |\n| Tobias Rank | director | 2004 |\n\n" +
	"## Open\n\n| Place | Open |\n| --- | --- |\n| Showroom Leipzig | Thu-Sat 11-18 |\n\n" +
	"The Leipzig showroom closes on 31 October 2026.\n"

// What is done, which no document says in any word, is named as a thing is; a price is told by its figure,
// and what people say in their own way is no word to miss.
func TestADeedThatNoDocumentHoldsIsNamed(t *testing.T) {
	for question, want := range map[string]string{
		"Why was Tobias Rank dismissed?":              "No document holds: dismissed.",
		"control: What week is a lathe delivered in?": "",
		"control: What does a lathe cost?":            "",
		"control: Who asked Tobias Rank?":             "",
	} {
		first, _, _ := strings.Cut(reportOn(t, strings.TrimPrefix(question, "control: "), firm),
			"{#abstract}")
		assert.Contains(t, first, want, question)
		assert.Equal(t, want == "", !strings.Contains(first, "No "), first)
	}
}

// The half of a question is not answered by passages that speak of its thing, or of what is done with
// another.
func TestTheHalfThatIsNotAnsweredIsNamed(t *testing.T) {
	const half = "No passage found answers this part of the question: "
	for question, want := range map[string]string{
		"Who is the director and how old is he?":                     half + "“how old is he”.",
		"What does the lathe weigh and when is it delivered?":        half + "“What does the lathe weigh”.",
		"What does the stool weigh and when is the lathe delivered?": "",
		"What does the lathe weigh?": "No passage found speaks of all " +
			"of these, so the nearest are shown: lathe, weigh.",
		"How old is Tobias Rank?": "No passage found speaks of all " +
			"of these, so the nearest are shown: Tobias, Rank, old.",
		"When was the Leipzig showroom opened?": "No passage found tells when: " +
			"Leipzig, showroom.",
		"When did the Leipzig showroom close?": "",
	} {
		first, _, _ := strings.Cut(reportOn(t, question, firm), "{#abstract}")
		assert.Contains(t, first, want, question)
		assert.Equal(t, want == "", !strings.Contains(first, "No "), first)
	}
}

// Of a question that is written out with the one before it, only what is asked now may be unanswered.
func TestAFollowUpIsNotToldWhatTheQuestionBeforeLacks(t *testing.T) {
	const before = "When is the lathe delivered and who will dismiss the director of Peru?"
	d := newDesk("", map[string]string{"doc:p.md": firm})
	d.set("overall_dashboard.md", "question",
		"**Question:** When will it be delivered?\n\n**In full:** When will it be delivered? ("+before+")")
	d.run(t, 60)
	first, _, _ := strings.Cut(d.files["report.md"], "{#abstract}")
	assert.Contains(t, first, "No document holds: Peru.\n", "it may be of what a pronoun stands for")
	assert.NotRegexp(t, "dismiss|this part", d.files["report.md"])
	assert.Contains(t, d.files["report.md"], "in week 40")
	assert.Contains(t, reportOn(t, before, firm), "No document holds: dismiss, Peru.", "control")
}

// Of a list only the items are quoted that speak of the question, not their neighbours.
func TestANeighbourInAListIsNotQuoted(t *testing.T) {
	const page = "Board\n# Board\n\n- The lease of the workshop on Kiln Street is 4,150 euro a month.\n" +
		"- The lathe is postponed until the third quarter.\n- Wilma finds another insurer.\n"
	report := reportOn(t, "What is the monthly rent of the workshop on Kiln Street?", page)
	assert.Contains(t, report, "4,150 euro")
	assert.NotRegexp(t, "postponed|insurer|speaks of `rent`", report)
}

// What a mail quotes is found by the name of who wrote it, and told as theirs; whom the mail is to is no
// answer.
func TestWhatAMailQuotesIsOfWhoWroteIt(t *testing.T) {
	const mail = "Re: Glue\n# Re: Glue\n\nTobias Rank <tobias@holm.example>, 2025-10-14 → Petra " +
		"Lindqvist <petra@leimwerk.example>\n\n" +
		"We accept the credit of 1,900 euro, thank you.\n\nOn 10 Oct 2025 Petra Lindqvist wrote:\n\n" +
		"> The glue had too little hardener. We offer a credit of 1,500 euro.\n\n" +
		"Until then we use another glue that our tests show to hold.\n"
	report := reportOn(t, "What did Petra offer?", mail)
	assert.Contains(t, report,
		"{#abstract}\n\n### Re: Glue · Petra Lindqvist 2025-10-10\n\n> “The glue had too little")
	report = reportOn(t, "What credit did we accept from Leimwerk, and which glue do our tests show to hold?",
		mail)
	assert.Contains(t, report, "· Tobias Rank 2025-10-14\n\n> “We accept")
	assert.NotRegexp(t, "No document holds|No passage found|leimwerk.example", report)
	assert.NotRegexp(t, `(?s)Petra Lindqvist 2025-10-10\n\n> “Until then`, report)
}

// Where no document holds any thing of the question nothing answers it, however near single letters come.
func TestAQuestionOfAThingThatNoDocumentHoldsFindsNothing(t *testing.T) {
	const page = "纪要\n# 纪要\n\n时间：2025年7月3日，地点：大会议室。\n\n新标准自6月1日起施行。\n"
	for question, nothing := range map[string]bool{"月球有多大？": true, "会议室有多大？": false} {
		d := newDesk(question, map[string]string{"doc:p.md": page})
		d.unread = map[bool]string{true: "None of the 1 documents holds: 月球.\n"}[nothing]
		d.run(t, 60)
		assert.Equal(t, nothing, !strings.Contains(d.files["report.md"], "“"), d.files["report.md"])
	}
}

// What a person tells before they ask is in no document, and is no reason to show nothing.
func TestWhatIsToldBesidesIsNotWhatIsAskedFor(t *testing.T) {
	leave := "Parents\n# Parents\n\nThe firm gives 12 weeks of paid time off after the birth or adoption " +
		"of a child, adopting parents included.\n\nCoffee is free.\n"
	report := reportOn(t, "We are adopting a little girl this autumn. How much time off do I get and is "+
		"it paid?", leave)
	assert.Contains(t, top(report), "12 weeks of paid time off")
	report = reportOn(t, "What did I note about learning the ukulele?", leave)
	assert.Contains(t, report, "No document holds: ukulele.\n\nNothing was found",
		"control: it is not there at all")
}

// A part of a question that no passage answers gets none, though one shares a word with it.
func TestAPartWithoutAnAnswerGetsNone(t *testing.T) {
	report := reportOn(t, "Somebody got stung at the allotments and can hardly breathe, what should we do?",
		"Notes\n# Notes\n\nIf someone is stung at the allotments, ring 112 first and then me.\n\n"+
			"Whoever was stung at the allotments finds an adrenaline pen in the hut.\n\n"+
			"Nobody was stung at the allotments in the last year, says the book.\n\n"+
			"Getting the key back is hardly ever a matter of asking twice for it in the shed.\n")
	assert.Contains(t, quotesIn(top(report))[0][0], "stung at the allotments")
}
