package page_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/actions/page"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// said is one post of a thread.
type said struct{ author, date, text string }

var discussion = []said{
	{"ada", "2024-03-01", "The bridge sways when the wind is strong and comes from the west."},
	{"grace-h", "2024-03-02", "Same here. It sways most at noon."},
	{"linus", "2024-03-05", "Fixed by the dampers of #42, please try it again."},
	{"ada", "2024-04-01", "Works for me now, thanks!"},
}

func threadOf(before string, each func(i int, p said) string, after string) string {
	var b strings.Builder
	for i, p := range discussion {
		b.WriteString(each(i, p))
	}
	return before + b.String() + after
}

const chrome = `<header role=banner><a href=/>Home</a> <a href=/pulls>Pull requests</a></header><nav><a ` +
	`href=/issues>Issues</a></nav>`

// threads are pages as forges and forums write them, cut to what matters.
func threads() map[string]string {
	classic := threadOf(`<html><title>Bridge sways · Issue #7 · acme/bridge</title><body>`+chrome+
		`<div id="discussion_bucket"><h1 class="gh-header-title"><bdi class="js-issue-title `+
		`markdown-title">Bridge sways</bdi> <span>#7</span></h1><div class="js-discussion">`,
		func(i int, p said) string {
			return fmt.Sprintf(
				`<div class="js-timeline-item js-timeline-progressive-focus-container"><div class="TimelineItem js-comment-container"><div class="avatar-parent-child"><a href="/%[1]s"><img alt="@%[1]s"></a></div>
<div class="timeline-comment-group js-minimizable-comment-group"><div class="timeline-comment-header clearfix"><h3 class="f5 text-normal"><strong><a class="author Link--primary text-bold" data-hovercard-type="user" href="/%[1]s">%[1]s</a></strong> commented <a href="#c%[2]d"><relative-time datetime="%[3]sT10:00:00Z" class="no-wrap">Mar</relative-time></a></h3></div>
<div data-show-on-forbidden-error hidden><h3>Uh oh!</h3><p>There was an error while loading. Please reload this page.</p></div>
<div class="edit-comment-hide"><task-lists><table class="d-block user-select-contain" role="presentation"><tbody class="d-block"><tr class="d-block"><td class="d-block comment-body markdown-body js-comment-body"><p dir="auto">%[4]s</p></td></tr></tbody></table></task-lists></div>
<form class="js-comment-update"><textarea>%[4]s</textarea></form></div></div></div>`, p.author, i,
				p.date, p.text)
		},
		`</div></div><div id="partial-discussion-sidebar" class="discussion-sidebar"><h3>Labels</h3><a `+
			`href=/l>bug</a></div></body></html>`)
	present := threadOf(`<html><title>Bridge sways · Issue #7 · acme/bridge</title><body>`+chrome+
		`<div data-testid="issue-viewer-container"><h1 data-component="PH_Title"><bdi `+
		`class="markdown-title" `+
		`data-testid="issue-title">Bridge sways</bdi><span>#7</span></h1>`,
		func(i int, p said) string {
			return fmt.Sprintf(
				`<div class="LayoutHelpers-module__timelineElement--IsjVR" data-wrapper-timeline-id="IC_%[2]d"><div class="react-issue-comment"><div data-testid="comment-header" class="ActivityHeader-module__activityHeader"><a data-testid="avatar-link" data-hovercard-url="/users/%[1]s/hovercard" href="/%[1]s" class="prc-Link ActivityHeader-module__AuthorLink--D7Ojk">%[1]s</a> <a href="#c"><relative-time datetime="%[3]sT10:00:00.000Z">Mar</relative-time></a><button>Actions</button></div>
<div class="IssueCommentViewer-module__IssueCommentBody--xvkt3"><div data-testid="markdown-body" class="Box-body"><div class="markdown-body NewMarkdownViewer-module__safe-html-box--cRsz0"><p dir="auto">%[4]s</p></div></div></div></div></div>`, p.author, i, p.date, p.text)
		}, `</div></body></html>`)
	return map[string]string{"classic GitHub": classic, "present GitHub": present,
		"GitHub by a script": sentThread(0)}
}

// sentThread is an issue as GitHub's present pages send it to their script. So many entries are left out of
// it.
func sentThread(missing int) string {
	type object = map[string]any
	post := func(i int, kind string) object {
		p := discussion[i]
		return object{"__typename": kind, "id": fmt.Sprint("id", i), "author": object{"login": p.author},
			"createdAt": p.date + "T10:00:00Z",
			"body":      p.text, "bodyHTML": "<p dir=\"auto\">" + p.text + "</p>"}
	}
	issue := post(0, "Issue")
	issue["title"], issue["number"], issue["state"] = "Bridge sways", 7, "CLOSED"
	edges := func(nodes ...object) []object {
		var list []object
		for _, n := range nodes {
			list = append(list, object{"node": n})
		}
		return list
	}
	event := object{"__typename": "ClosedEvent", "createdAt": "2024-03-06T00:00:00Z",
		"actor": object{"login": "linus"}}
	issue["frontTimelineItems"] = object{"totalCount": 4 + missing,
		"edges": edges(post(1, "IssueComment"), event, post(2, "IssueComment"))}
	issue["backTimelineItems"] = object{"totalCount": 4 + missing, "edges": edges(post(3, "IssueComment"))}
	sent, err := json.Marshal(object{
		"payload": object{"preloadedQueries": []object{{"queryName": "IssueViewerViewQuery",
			"result": object{"data": object{"repository": object{"issue": issue}}}}}}})
	if err != nil {
		panic(err)
	}
	return `<html><title>Bridge sways · Issue #7 · acme/bridge</title><body>` + chrome +
		`<react-app app-name="issues-react"><script type="application/json" ` +
		`data-target="react-app.embeddedData">` +
		string(sent) + `</script><div data-target="react-app.reactRoot"></div></react-app></body></html>`
}

// Every post of a thread is there, with who wrote it and when.
func TestThreadsAreWhole(t *testing.T) {
	for name, body := range threads() {
		t.Run(name, func(t *testing.T) {
			doc, err := page.Read(t.Context(), page.Raw{URL: "https://github.com/acme/bridge/issues/7",
				ContentType: "text/html", Body: []byte(body)})
			require.NoError(t, err)
			assert.Empty(t, doc.Partial)
			assert.True(t, strings.HasPrefix(doc.Markdown, "# Bridge sways"), doc.Markdown)
			rest := doc.Markdown
			for _, p := range discussion {
				_, after, found := strings.Cut(rest, "## "+p.author+", "+p.date+"\n\n"+p.text+"\n")
				require.True(t, found, "%v in %s", p, rest)
				rest = after
			}
			assert.Empty(t, rest)
			checkForm(t, doc.Markdown)
		})
	}
	t.Run("part of it", func(t *testing.T) {
		doc, err := page.Read(t.Context(), page.Raw{ContentType: "text/html", Body: []byte(sentThread(60))})
		require.NoError(t, err)
		assert.Equal(t, "the page holds 4 of 64 entries of this thread: the others are loaded by a script",
			doc.Partial)
	})
}

// Forums that mark nothing keep all their posts, in order, with their authors.
func TestForumsAreWhole(t *testing.T) {
	for name, body := range map[string]string{
		"Stack Overflow": threadOf(
			`<title>wind - Why does it sway? - Stack Overflow</title><body class="question-page"><div `+
				`class="container"><div id="content"><div id="question-header"><h1><a href="/q/1">Why does `+
				`it sway?</a></h1></div><div id="mainbar" role="main">`,
			func(i int, p said) string {
				id, kind := "question", "question"
				if i > 0 {
					id, kind = fmt.Sprint("answer-", i), "answer"
				}
				return fmt.Sprintf(
					`<div id="%s" class="%s js-%s"><div class="post-layout"><div class="votecell"><div `+
						`class="js-vote-count">7</div></div><div class="postcell"><div class="s-prose `+
						`js-post-body" itemprop="text"><p>%s</p></div><div class="user-info"><div `+
						`class="user-action-time">asked <span title="%s 10:00:00Z" class="relativetime">Mar `+
						`1</span></div><div class="user-details" itemprop="author"><a `+
						`href="/u/1">%s</a></div></div></div></div></div>`, id, kind, kind, p.text,
					p.date, p.author)
			},
			`</div><div id="sidebar"><h4>Related</h4><a href=/2>Another question on `+
				`bridges</a></div></div></div></body>`),
		"Discourse": threadOf(
			`<title>Bridge sways - Forum</title><body class="crawler"><div id="main-outlet" class="wrap" `+
				`role="main"><div id="topic-title"><h1><a href="/t/7">Bridge sways</a></h1></div><div `+
				`itemscope itemtype="http://schema.org/DiscussionForumPosting">`,
			func(i int, p said) string {
				return fmt.Sprintf(
					`<div id="post_%d" class="topic-body crawler-post"><div class="crawler-post-meta"><span `+
						`class="creator" itemprop="author"><a rel="nofollow" href="/u/a"><span `+
						`itemprop="name">%s</span></a></span><span class="crawler-post-infos"><time `+
						`datetime="%s" class="post-time">March</time></span></div><div class="post" `+
						`itemprop="text"><p>%s</p></div></div>`, i+1, p.author, p.date, p.text)
			}, `</div></div></body>`),
		"Hacker News": threadOf(
			`<title>Bridge sways | Hacker News</title><body><center><table id="hnmain"><tr><td><table `+
				`class="fatitem"><tr class="athing submission"><td class="title"><a `+
				`href="https://b.org">Bridge sways</a></td></tr></table><table class="comment-tree">`,
			func(i int, p said) string {
				return fmt.Sprintf(
					`<tr class="athing comtr" id="%d"><td><table><tr><td class="ind"></td><td `+
						`class="default"><div><span class="comhead"><a href="user?id=a" `+
						`class="hnuser">%s</a> <span class="age" title="%s"><a `+
						`href="item?id=1">%s</a></span></span></div><div class="comment"><div `+
						`class="commtext c00">%s<div class="reply"><a href=r>reply</a></div></div>`+
						`</div></td></tr></table></td></tr>`, i, p.author, p.date, p.date, p.text)
			}, `</table></td></tr></table></center></body>`),
		"Lobsters": threadOf(
			`<title>Bridge sways | Lobsters</title><body><div id="inside"><ol class="stories"><li `+
				`class="story"><span class="link"><a href="https://b.org">Bridge `+
				`sways</a></span></li></ol><ol class="comments comments1">`,
			func(i int, p said) string {
				return fmt.Sprintf(
					`<li class="comments_subtree"><div id="c_%d" class="comment"><div class="details"><div `+
						`class="byline"><a href="/~a">%s</a> <time title="%s" `+
						`datetime="%s">ago</time></div><div class="comment_text"><p>%s</p></div>`+
						`</div></div></li>`, i, p.author, p.date, p.date, p.text)
			}, `</ol></div></body>`),
		"Gitea": threadOf(
			`<title>#7 - Bridge sways - acme/bridge - Gitea</title><body><div class="page-content `+
				`repository `+
				`view issue"><div class="ui container"><h1>Bridge sways #7</h1><div `+
				`class="issue-content"><div class="ui timeline">`,
			func(i int, p said) string {
				return fmt.Sprintf(
					`<div class="timeline-item comment" id="issuecomment-%d"><div class="content `+
						`comment-container"><div class="comment-header"><span class="text grey `+
						`muted-links"><a class="author" href="/a">%s</a> commented <relative-time `+
						`datetime="%sT10:00:00Z">%s</relative-time></span></div><div class="ui `+
						`attached segment comment-body"><div class="render-content `+
						`markup"><p>%s</p></div></div></div></div>`, i, p.author, p.date, p.date, p.text)
			}, `</div></div></div></div></body>`),
	} {
		t.Run(name, func(t *testing.T) {
			doc, err := page.Read(t.Context(),
				page.Raw{URL: "https://e.org/7", ContentType: "text/html", Body: []byte(body)})
			require.NoError(t, err)
			rest := doc.Markdown
			for _, p := range discussion {
				_, after, found := strings.Cut(rest, p.text)
				require.True(t, found, "%v in %s", p, doc.Markdown)
				rest = after
				assert.Contains(t, doc.Markdown, p.author, name)
			}
			checkForm(t, doc.Markdown)
		})
	}
}
