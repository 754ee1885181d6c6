package rounds

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/daybook-agent/daybook/actions/citation"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/agent/workspace/block"
)

// refresh is the task of working on what changed, and on nothing else.
func (w words) refresh(report string, told Refreshed) task {
	t := task{
		task: w.say("Refresh: the sources were looked at again, and %d claims of %s rest on passages that changed or are gone; the plan lists them. For each, read the passage as it is now, mend the claim at its place in the report and in its chapter, and cite the new passage. Where none says it any more, find another source or take the claim out. Leave everything else as it is. %s has the passages before and now.",
			"更新：来源已重新查看，有 %d 处说法（%s）所依据的原文已改动或不复存在，见计划。逐条阅读现在的原文，在报告和章节的相应位置修改说法，并引用新的段落；没有原文再支持的，另找来源或删去。其余内容保持不变。前后原文见 %s。",
			len(told.Claims), report, told.File),
		next: w.say("Read the first passage of the plan as it is now.", "阅读计划中第一条现在的原文。"),
	}
	for _, c := range told.Claims[:min(len(told.Claims), mostTouched)] {
		t.plan += fmt.Sprintf("- [ ] %s: “%s” [%s] → %s\n", w.line(c.Line), prose.Shorten(c.Claim, longestPoint), c.Ref, w.became(c.Now))
	}
	if n := len(told.Claims) - mostTouched; n > 0 {
		t.plan += w.say("- [ ] and %d more, which %s lists\n", "- [ ] 另有 %d 条，见 %s\n", n, told.File)
	}
	return t
}

func (w words) line(n int) string { return w.say("line %d", "第 %d 行", n) }

func (w words) became(now string) string {
	if now == "" {
		return w.say("gone", "已不存在")
	}
	return "[" + now + "]"
}

// changes tells all that a refresh found, with the passages.
func (w words) changes(report string, at time.Time, told Refreshed, changes []change) string {
	var out strings.Builder
	out.WriteString(w.say("# What changed in the sources\n\nLooked at again on %s: %d. Changed: %d. Gone: %d. Could not be read: %d.\n",
		"# 来源有哪些变化\n\n%s 重新查看：%d 个。已改动：%d。已不存在：%d。无法读取：%d。\n",
		at.Format("2006-01-02"), told.Looked, told.Changed, told.Gone, len(told.Failed)))
	for _, why := range told.Failed {
		out.WriteString("\n- " + prose.OneLine(why) + "\n")
	}
	if len(told.Claims) > 0 {
		out.WriteString(w.say("\n## Claims of %s that rest on it\n", "\n## %s 中受影响的说法\n", report))
	}
	shown := map[string]bool{}
	for _, t := range told.Claims {
		fmt.Fprintf(&out, "\n### %s [%s] → %s\n\n%s\n", w.line(t.Line), t.Ref, w.became(t.Now), t.Claim)
		ref := workspace.Marks("[" + t.Ref + "]")[0].Refs[0]
		c := changes[slices.IndexFunc(changes, func(c change) bool { return c.from.ID == ref.ID })]
		out.WriteString(w.passage(w.say("Before", "之前"), t.Ref, c.old, ref.Block) + w.passage(w.say("Now", "现在"), t.Now, c.new, c.fate(ref).N))
		shown[t.Ref], shown[t.Now] = true, true
	}
	for _, c := range changes {
		fmt.Fprintf(&out, "\n## %s → %s: %s\n", c.from.ID, w.became(c.to.ID), prose.OneLine(c.from.Title))
		if c.to.ID != "" {
			out.WriteString(w.differences(c, shown))
		}
	}
	return out.String()
}

// differences shows the passages of a source that are others, without those that were shown.
func (w words) differences(c change, shown map[string]bool) string {
	var all []string
	add := func(title, ref string, blocks []block.Block, n int) {
		if text := w.passage(title, ref, blocks, n); text != "" && !shown[ref] {
			all = append(all, text)
		}
	}
	moved, made := 0, map[int]bool{}
	for i, f := range c.fates {
		made[f.N] = true
		switch {
		case !f.Same:
			add(w.say("Before", "之前"), citation.Ref{ID: c.from.ID, Block: i + 1}.String(), c.old, i+1)
			add(w.say("Now", "现在"), c.block(f.N), c.new, f.N)
		case f.N != i+1:
			moved++
		}
	}
	for _, b := range c.new {
		if !made[b.N] {
			add(w.say("New", "新增"), c.block(b.N), c.new, b.N)
		}
	}
	if more := len(all) - mostDiffering; more > 0 {
		all = append(all[:mostDiffering], w.say("\nAnd %d more passages.\n", "\n另有 %d 段。\n", more))
	}
	return strings.Join(all, "") + w.say("\nPassages that only have another number: %d.\n", "\n仅编号变动的段落：%d。\n", moved)
}

// passage shows the block of a number, from 1, "" when there is none.
func (w words) passage(title, ref string, blocks []block.Block, n int) string {
	if n < 1 || n > len(blocks) {
		return ""
	}
	return fmt.Sprintf("\n%s [%s]:\n\n> %s\n", title, ref, citation.Excerpt(blocks[n-1]))
}
