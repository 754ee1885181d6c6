package evaluator

import (
	"cmp"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/prose"
)

// lowSide is the score below which freshness or diversity is a gap, whatever gaps the judge named. At 4 a
// fault of the sources, such as one-sided, already bounds reliability; a lower number says that the sources
// themselves cannot carry the answer, and no mending of words helps that.
const lowSide = 4

// side is what the sources lack: as a gap, as a direction for the search that closes it, and as a word to put
// behind the queries of the checklist; the year of today when that is "".
type side struct{ gap, direction, word string }

var (
	stale = map[bool]side{
		false: {"What has changed since the sources that were read? They are too old for the question.",
			"Search for the newest sources, with the year among the keywords, and compare their dates.", ""},
		true: {"已读来源发表之后有什么变化？对这个问题来说，这些来源太旧。", "检索最新的来源，检索词里带上年份，并比较日期。", ""},
	}
	alike = map[bool]side{
		false: {"What do independent sources of other kinds say? Those that were read are too much alike.",
			"Look for another kind of source: original data, official bodies, critics, other countries, the side that was not heard.", "criticism"},
		true: {"其他类型的独立来源怎么说？已读来源过于单一。", "寻找其他类型的来源：原始数据、官方机构、批评意见、其他国家、尚未听取的一方。", "批评"},
	}
)

// askOfSources makes gaps of a freshness and a diversity that are too low, each with its direction and with
// searches made from those of the checklist's first points, so that the next round works on them.
func (a *Assessment) askOfSources(m Material) {
	var gaps, directions []string
	for _, s := range []struct {
		score float64
		lack  map[bool]side
	}{{a.Freshness, stale}, {a.Diversity, alike}} {
		if s.score >= lowSide {
			continue
		}
		lack := s.lack[prose.IsChinese(m.Question)]
		year, _, _ := strings.Cut(m.Today, "-")
		var queries []string
		for _, p := range m.Points {
			if len(p.Queries) > 0 && len(queries) < mostQueries-1 {
				queries = append(queries, p.Queries[0]+" "+cmp.Or(lack.word, year))
			}
		}
		gaps, directions = append(gaps, searchable(m, lack.gap, queries)), append(directions, lack.direction)
	}
	a.Gaps = append(slices.Clip(a.Gaps[:min(len(a.Gaps), mostGaps-len(gaps))]), gaps...)
	a.Directions = lines(append(directions, a.Directions...), mostDirections)
}
