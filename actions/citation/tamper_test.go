package citation_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/daybook-agent/daybook/actions/citation"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// sentence is an honest sentence: a format that takes its quote, its figure and its source's id, in this
// order.
type sentence struct{ format, quote, figure, id string }

func (s sentence) String() string {
	out := strings.ReplaceAll(s.format, "QUOTE", s.quote)
	return strings.ReplaceAll(strings.ReplaceAll(out, "FIGURE", s.figure), "ID", s.id)
}

func honest() []sentence {
	return []sentence{
		{"The manual says that “QUOTE” [ID].",
			"The engine writes every change to the write-ahead log before it touches a data page", "", "s1"},
		{"A commit returns \"QUOTE\", which took FIGURE nanoseconds [ID].",
			"only when fsync has put the log on the disk", "1,200,000", "s1"},
		{"It promises: «QUOTE». [ID]",
			"Readers don't block writers - and writers don't block readers", "", "s1"},
		{"Since FIGURE it is version 4.18.2 [ID].", "", "2024-03-14", "s1"},
		{"> QUOTE [ID]", "A checkpoint flushes all dirty pages.", "", "s1"},
		{"It happens after FIGURE records (“QUOTE” [ID]).",
			"or after 1,048,576 records, whichever comes first", "1048576", "s1"},
		{"Crashes fell to FIGURE of runs between 2010 and 2015 [ID].", "", "3 percent", "s1"},
		{"Still FIGURE machines lost data [ID].", "", "28", "s1"},
		{"| wal_buffers | FIGURE kB | [ID] |", "", "8192", "s1"},
		{"The authors found that “QUOTE” by FIGURE degrees [ID].", "white roofs stay cooler than dark ones",
			"11.4", "s2"},
		{"“QUOTE” [ID].",
			"The effect is smaller under a cloudy sky, where it falls to 2.1 degrees", "", "s2"},
		{"They used FIGURE roofs in nine cities [ID].", "", "400", "s2"},
		{"Sensors were fixed on FIGURE; of “QUOTE”, few were flagged [ID].", "1 254 300 readings were kept",
			"June 3, 2019", "s2"},
		{"> “QUOTE” [ID]",
			"An indented line of the printed page is still a sentence of the paper.", "", "s2"},
		{"White paint costs $FIGURE a litre, and “QUOTE” [ID].",
			"a roof of 100 m² pays for itself in 6 to 8 years", "18.5", "s2"},
		{"报告指出：“QUOTE”，日均客流超过FIGURE人次[ID]。", "地铁已经成为市民出行的首选方式", "1020万", "s3"},
		{"截至年底，运营里程FIGURE公里，“QUOTE”[ID]。", "全市共开通地铁线路二十七条", "836", "s3"},
		{"全年客运量增长FIGURE。[ID]", "", "56%", "s3"},
		{"列车「QUOTE」[ID]。", "在紧急情况下会自动停靠在最近的车站,并打开全部车门", "", "s3"},
		{"> QUOTE\n\n—— 年度报告 [ID]", "其中换乘站点共有八十三座，占车站总数的17.5%。", "", "s3"},
		{"新的信号系统于FIGURE试运行[ID]。", "", "14 March 2024", "s3"},
		{"全年客运量为FIGURE人次[ID]。", "", "1,230,000,000", "s3"},
		{"The handbook warns: “QUOTE” [ID]",
			"Never enter the tunnel without a second person who knows the way back.", "", "s4"},
		{"It delivers FIGURE litres a minute, and “QUOTE” [ID].", "at 3 bar the valve opens", "45", "s4"},
		{"As the keepers say [ID]:\n\n> QUOTE",
			"Water finds the weakest joint, and it always does so at night.", "", "s4"},
		{"The keeper noted: “QUOTE” [ID].",
			"The light was out for two hours… I counted nineteen ships before dawn", "", "s4"},
		{"It keeps some FIGURE photographs, “QUOTE” [ID].", "three diaries … map drawn in 1887",
			"7300", "s4"},
		{"到FIGURE年，『QUOTE』[ID]。", "可再生能源装机容量达到二十亿千瓦", "2030", "s5"},
		{"能耗比2020年下降FIGURE，且“QUOTE”[ID]。", "森林覆盖率提高到２４．１％左右", "百分之十三点五", "s5"},
		{"实施方案须在FIGURE月底之前上报：“QUOTE”[ID]。", "逾期未报的，由主管部门予以通报", "2026年6", "s5"},
		{"每万人充电桩不少于FIGURE个[ID]。", "", "50", "s5"},
	}
}

// tampered is a sentence that must not pass, and the verdict that it must get.
type tampered struct {
	kind, text string
	want       citation.Verdict
}

func tamperings() []tampered {
	var all []tampered
	next := map[string]string{"s1": "s2", "s2": "s3", "s3": "s4", "s4": "s5", "s5": "s1"}
	for _, s := range honest() {
		if s.quote != "" {
			for _, q := range misquoted(s.quote) {
				changed := s
				changed.quote = q
				all = append(all, tampered{"letter", changed.String(), citation.QuoteMissing})
			}
		}
		if s.figure != "" {
			for _, f := range misfigured(s.figure) {
				changed := s
				changed.figure = f
				all = append(all, tampered{"figure", changed.String(), citation.FigureMissing})
			}
		}
		swapped, unread := s, s
		swapped.id, unread.id = next[s.id], "s99"
		want := citation.QuoteMissing
		if s.quote == "" {
			want = citation.FigureMissing
		}
		all = append(all, tampered{"swapped", swapped.String(), want},
			tampered{"unread", unread.String(), citation.Verdict("source missing")})
	}
	for _, s := range []sentence{
		{quote: "never turn this setting off on a machine that you care about", id: "s1"},
		{quote: "SET synchronous_commit = on;", id: "s1"},
		{quote: "紧急制动指令只能由调度中心发出", id: "s3"},
	} {
		for _, format := range []string{"It says “QUOTE” [ID].", "> QUOTE [ID]", "「QUOTE」[ID]"} {
			s.format = format
			all = append(all, tampered{"code", s.String(), citation.QuoteMissing})
		}
	}
	for _, s := range []sentence{
		{quote: "A sensor that failed was replaced within two working days, and its readings were left out",
			id: "s2"},
		{quote: "where it falls to 2.1 degrees. Methods. Sensors were fixed to each roof", id: "s2"},
		{quote: "replaced within two working days", id: "s2"},
		{quote: "The effect is smaller under a cloudy sky … Sensors were fixed to each roof", id: "s2"},
	} {
		for _, format := range []string{"It says “QUOTE” [ID].", "> QUOTE [ID]", "「QUOTE」[ID]"} {
			s.format = format
			all = append(all, tampered{"page", s.String(), citation.QuoteMissing})
		}
	}
	return all
}

// misquoted changes one letter of a quote: the first, the last and one between, by another letter, and one by
// its other case.
func misquoted(quote string) []string {
	var letters []int
	runes := []rune(quote)
	for i, r := range runes {
		if unicode.IsLetter(r) {
			letters = append(letters, i)
		}
	}
	var all []string
	for _, at := range []int{letters[0], letters[len(letters)/2], letters[len(letters)-1]} {
		changed := slices.Clone(runes)
		switch r := runes[at]; {
		case unicode.Is(unicode.Han, r):
			changed[at] = '鲸'
		case r == 'q':
			changed[at] = 'k'
		default:
			changed[at] = 'q'
		}
		all = append(all, string(changed))
	}
	for _, at := range letters {
		if r := runes[at]; unicode.IsLower(r) {
			changed := slices.Clone(runes)
			changed[at] = unicode.ToUpper(r)
			return append(all, string(changed))
		}
	}
	return all
}

// misfigured changes one digit of a figure, drops its last, and adds one.
func misfigured(figure string) []string {
	var all []string
	for i, r := range figure {
		if r >= '0' && r <= '9' {
			digit := byte('0' + (r-'0'+4)%10)
			if i == 0 && digit == '0' {
				digit = '7'
			}
			all = append(all, figure[:i]+string(digit)+figure[i+1:])
		}
	}
	if figure == "百分之十三点五" {
		return []string{"百分之十三点六", "百分之十四点五", "百分之三十点五"}
	}
	if i := strings.IndexAny(figure, "123456789"); strings.IndexAny(figure, "-,.") < 0 &&
		!strings.Contains(figure, " ") && !strings.Contains(figure, "年") {
		all = append(all, figure[:i+1]+"7"+figure[i+1:])
	}
	return all
}

func TestAnHonestReportPasses(t *testing.T) {
	lookup := lookupIn(library()...)
	var whole []string
	for _, s := range honest() {
		t.Run(s.String(), func(t *testing.T) {
			result := citation.Check(context.Background(), s.String()+"\n", lookup)
			require.NotEmpty(t, result.Findings)
			for _, c := range result.Findings {
				assert.Empty(t, c.Missing, "%s", c.Why)
				if s.figure == "" && !strings.Contains(s.format, "keeper") { // hardly more than a quotation
					assert.Equal(t, citation.Supported, c.Verdict, "%s", c.Why)
				}
				assert.Contains(t, []citation.Verdict{citation.Supported, citation.NotChecked}, c.Verdict)
			}
		})
		if strings.HasPrefix(s.format, "|") {
			whole = append(whole, "| Setting | Default | Source |\n| --- | --- | --- |\n"+s.String())
		} else {
			whole = append(whole, s.String())
		}
	}
	result := citation.Check(context.Background(), "# A report\n\n"+strings.Join(whole, "\n\n")+
		"\n\n## References {#references}\n\n| Id |\n| --- |\n| [s77] 5 % |\n", lookup)
	assert.Len(t, result.Findings, len(honest()))
	assert.Empty(t, result.Missing())
	assert.Equal(t, len(honest()), result.Count(citation.Supported)+len(result.Open()))
}

func TestEveryTamperedReportIsCaught(t *testing.T) {
	lookup := lookupIn(library()...)
	kinds := map[string]int{}
	for i, c := range tamperings() {
		kinds[c.kind]++
		t.Run(fmt.Sprintf("%s/%d", c.kind, i), func(t *testing.T) {
			result := citation.Check(context.Background(), "# A report\n\n"+c.text+"\n", lookup)
			require.Len(t, result.Findings, 1, c.text)
			got := result.Findings[0]
			assert.Equal(t, c.want, got.Verdict, "%s\n%s %q", c.text, got.Why, got.Missing)
			assert.True(t, got.Verdict.Missing())
			assert.NotEmpty(t, got.Why)
		})
	}
	total := 0
	for kind, n := range kinds {
		t.Logf("%s: %d", kind, n)
		total += n
	}
	assert.GreaterOrEqual(t, total, 200)
	assert.Len(t, kinds, 6)
}

// TestAWeakerCheckMissesSome is the control of the one above: a check that ignores case, takes digits
// wherever they stand, and reads code and page marks as text lets some of nearly every kind pass.
func TestAWeakerCheckMissesSome(t *testing.T) {
	sources := map[string]string{}
	for _, s := range library() {
		sources[s.ID] =
			loose(strings.NewReplacer("<!-- page 2 -->", "", "<!-- page 3 -->", "").Replace(s.Text))
	}
	missed := map[string]int{}
	for _, c := range tamperings() {
		result := citation.Check(context.Background(), c.text, lookupIn(library()...))
		require.NotEmpty(t, result.Findings)
		text, read := sources[result.Findings[0].Source]
		passes := read
		for _, m := range result.Findings[0].Missing {
			passes = passes && strings.Contains(text, loose(m))
		}
		if passes {
			missed[c.kind]++
		}
	}
	t.Log(missed)
	for _, kind := range []string{"letter", "figure", "code", "page"} {
		assert.Positive(t, missed[kind], kind)
	}
	assert.Zero(t, missed["unread"], "it does know what was read")
}

// loose keeps letters and digits only, in lower case.
func loose(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}
