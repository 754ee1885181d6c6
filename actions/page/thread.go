package page

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/daybook-agent/daybook/actions/page/markup"
	"github.com/daybook-agent/daybook/actions/page/tree"
	"github.com/daybook-agent/daybook/agent/bounds"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// maxPosts bounds how many posts of a thread are read.
const maxPosts = 2000

// post is one contribution to a thread, such as an issue or a comment on it.
type post struct {
	id, author string
	written    string // as written on the page
	body       *html.Node
}

// threadOf returns the posts of an issue, a pull request or a discussion, in order, each under a heading;
// partial says what is missing. The root is nil for a page that is not a thread. Forges send posts as marked
// blocks or, if a script shows them, as JSON.
func threadOf(doc *html.Node, s *survey) (root *html.Node, partial string) {
	posts := markedPosts(doc)
	if entries, missing := sentPosts(s.facts["thread"]); len(entries) > 0 && len(entries) >= len(posts) {
		posts, partial = entries, missing
	}
	if len(posts) == 0 {
		return nil, ""
	}
	root = tree.NewDiv()
	for _, p := range posts {
		who := strings.TrimPrefix(cmp.Or(p.author, "unknown")+", "+dateOf(p.written), ", ")
		tree.AddText(tree.Add(root, atom.H2), strings.TrimSuffix(who, ", "))
		if p.body.Parent != nil {
			p.body.Parent.RemoveChild(p.body)
		}
		root.AppendChild(p.body)
	}
	return root, partial
}

// markedPosts finds the blocks marked as a post's text; a single one must be a comment.
func markedPosts(doc *html.Node) (posts []post) {
	around := map[*html.Node]int{} // how many posts are inside
	for n := doc; n != nil && len(posts) < maxPosts; {
		isPost := tree.HasClass(n, "markdown-body")
		if isPost && strings.TrimSpace(tree.Text(n, 100)) != "" {
			posts = append(posts, post{body: n})
			for up := range n.Ancestors() {
				around[up]++
			}
		}
		n = tree.After(n, doc, isPost)
	}
	if len(posts) == 1 && !tree.HasClass(posts[0].body, "comment-body") {
		return nil
	}
	for i := range posts {
		p := &posts[i]
		whole := p.body
		for whole.Parent != nil && around[whole.Parent] == 1 {
			whole = whole.Parent
		}
		for n := whole; n != nil; n = tree.After(n, whole, n == p.body) {
			if n.Type == html.ElementNode && n != p.body {
				p.see(n)
			}
		}
	}
	return posts
}

// see takes the author and the date from an element of a post's head.
func (p *post) see(n *html.Node) {
	if p.author == "" && isAuthor(n) {
		p.author = authorIn(tree.Text(n, maxByline))
	}
	if p.written == "" && (n.DataAtom == atom.Time || n.Data == "relative-time") {
		p.written = cmp.Or(tree.Attr(n, "datetime"), tree.Text(n, maxByline))
	}
}

func isAuthor(n *html.Node) bool {
	test, class := tree.Attr(n, "data-testid"), tree.Attr(n, "class")
	return tree.HasClass(n, "author") || tree.Attr(n, "itemprop") == "author" ||
		tree.Attr(n, "data-hovercard-type") == "user" ||
		n.DataAtom == atom.A && (strings.HasSuffix(test, "author") || test == "avatar-link" ||
			strings.Contains(class, "AuthorLink") || strings.Contains(class, "AuthorName"))
}

// sentPosts reads the posts that a page includes as JSON: every object with an author, a date and a text.
func sentPosts(script string) (posts []post, partial string) {
	var value any
	if script == "" || bounds.JSON([]byte(script), &value) != nil {
		return nil, ""
	}
	t := sent{seen: map[string]bool{}}
	t.walk(value, 0)
	slices.SortStableFunc(t.posts, func(a, b post) int {
		return strings.Compare(a.written+" "+a.id, b.written+" "+b.id)
	})
	if t.held < t.total {
		partial =
			fmt.Sprintf("the page holds %d of %d entries of this thread: the others are loaded by a script",
				t.held, t.total)
	}
	return t.posts, partial
}

// sent collects a thread from JSON.
type sent struct {
	posts       []post
	seen        map[string]bool
	held, total int // entries of the timeline: posts and events
}

func (t *sent) walk(value any, depth int) {
	if depth > 20 || len(t.posts) >= maxPosts {
		return
	}
	switch v := value.(type) {
	case []any:
		for _, item := range v {
			t.walk(item, depth+1)
		}
	case map[string]any:
		t.post(v)
		for _, key := range slices.Sorted(maps.Keys(v)) { // in one order, since there may be too many
			inner := v[key]
			if key == "frontTimelineItems" || key == "backTimelineItems" {
				t.timeline(inner)
			}
			t.walk(inner, depth+1)
		}
	}
}

func (t *sent) timeline(value any) {
	line, _ := value.(map[string]any)
	edges, _ := line["edges"].([]any)
	total, _ := line["totalCount"].(float64)
	t.held += len(edges)
	t.total = max(t.total, int(total))
}

func (t *sent) post(v map[string]any) {
	by, _ := v["author"].(map[string]any)
	p := post{id: stringOf(v["id"]), author: stringOf(by["login"]), written: stringOf(v["createdAt"])}
	sent, bare := stringOf(v["bodyHTML"]), stringOf(v["body"])
	if _, err := time.Parse(time.RFC3339, p.written); err != nil || p.author == "" || sent+bare == "" {
		return
	}
	key := strings.Join([]string{p.id, p.written, p.author}, "\x00")
	if t.seen[key] {
		return
	}
	t.seen[key] = true
	if sent == "" {
		p.body = tree.NewDiv()
		for paragraph := range strings.SplitSeq(strings.ReplaceAll(bare, "\r\n", "\n"), "\n\n") {
			tree.AddText(tree.Add(p.body, atom.P), paragraph)
		}
	} else if p.body = markup.Parse(sent); p.body == nil {
		return
	}
	t.posts = append(t.posts, p)
}
