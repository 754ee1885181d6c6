package intake_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/daybook-agent/daybook/agent/intake"
)

type intakeCase struct {
	question, purpose string
	judgements        []intake.Judgement
	answers           []string
	found             map[string]string
	want              string
}

func seq(j ...intake.Judgement) []intake.Judgement { return j }

const (
	whichTopic = "请告诉我具体的研究主题是什么？"
	whichSide  = "您想研究癌症的哪个方面？"
	whichGoal  = "您希望了解什么？"
)

// The examples of the document that the intake was drawn up in: its table, its hard bounds, and what it says
// can be inferred.
func theDocumentsCases() []intakeCase {
	nothing := but(vague("", "topic", 0.1, whichTopic),
		func(j *intake.Judgement) { j.Focus = nil; j.ScopeClear, j.GoalClear = false, false })
	sides := []string{"某一癌种的标准治疗", "靶点与新药", "治疗策略比较"}
	return []intakeCase{
		// the table
		{question: "KRAS G12C 靶点", judgements: seq(clear("KRAS G12C", 0.8)), want: "start"},
		{question: "帮我研究一下", judgements: seq(nothing, clear("KRAS G12C", 0.8)),
			answers: []string{"KRAS G12C"}, want: "ask " + whichTopic + "; start"},
		{question: "那个新药", judgements: seq(nothing, clear("司美格鲁肽", 0.9)),
			answers: []string{"司美格鲁肽"}, want: "ask " + whichTopic + "; start"},
		{
			question:   "STATUS6 基因",
			judgements: seq(unsure("STATUS6", "STATUS6"), clear("STAT6", 0.8, "STATUS6 指 STAT6")),
			found:      map[string]string{"STATUS6": "STAT6, signal transducer"},
			want:       "look up STATUS6; assume",
		},
		{question: "GLP-1 激动剂最新进展", judgements: seq(clear("GLP-1 激动剂", 0.92)), want: "start"},
		{question: "癌症治疗", judgements: seq(vague("癌症治疗", "scope", 0.4, whichSide, sides...),
			clear("肺癌的标准治疗", 0.8)), answers: []string{"A"}, want: "ask " + whichSide + "; start"},
		// what has to be asked
		{question: "那个东西", judgements: seq(nothing, clear("钙钛矿电池", 0.8)),
			answers: []string{"钙钛矿电池"}, want: "ask " + whichTopic + "; start"},
		{question: "癌症", judgements: seq(vague("癌症", "scope", 0.3, whichSide, sides...),
			clear("癌症新药", 0.8)), answers: []string{"靶点与新药"}, want: "ask " + whichSide + "; start"},
		{question: "药物", judgements: seq(vague("药物", "scope", 0.2, "哪一类药物？", "降糖药", "抗癌药"),
			clear("降糖药", 0.75)), answers: []string{"1"}, want: "ask 哪一类药物？; start"},
		{question: "了解一下二甲双胍",
			judgements: seq(vague("二甲双胍", "goal", 0.6, whichGoal, "最新进展", "作用机制", "临床数据"),
				clear("二甲双胍机制", 0.9)), answers: []string{"作用机制"},
			want: "ask " + whichGoal + "; start"},
		{question: "阿司匹林有什么信息",
			judgements: seq(vague("阿司匹林", "goal", 0.6, whichGoal, "机制", "副作用"),
				clear("阿司匹林副作用", 0.9)), answers: []string{"b"}, want: "ask " + whichGoal + "; start"},
		{
			question: "XYZ123 基因", judgements: seq(unsure("XYZ123", "XYZ123"),
				but(unsure("XYZ123", "XYZ123"), func(j *intake.Judgement) {
					j.Question, j.Options = "没有查到 XYZ123，您指的是哪个基因？", []string{"XYLT1", "ZNF123"}
				}), clear("XYLT1", 0.8)),
			found: map[string]string{"XYZ123": "nothing"}, answers: []string{"XYLT1"},
			want: "look up XYZ123; ask 没有查到 XYZ123，您指的是哪个基因？; start",
		},
		// what can be inferred
		{question: "ADC 药物的 linker 设计", judgements: seq(clear("ADC linker", 0.85)), want: "start"},
		{question: "GLP-1 激动剂", judgements: seq(clear("GLP-1 激动剂", 0.65, "关注最新进展和临床数据")),
			want: "assume"},
		{question: "PD-1 耐药机制", judgements: seq(clear("PD-1 耐药", 0.7, "关注机制分类和生物标志物")),
			want: "assume"},
		{question: "那个靶点", purpose: "KRAS G12C 立项",
			judgements: seq(clear("KRAS G12C", 0.72, "那个靶点指 KRAS G12C")), want: "assume"},
		// what it says of the bounds
		{question: "罕见病用药", judgements: seq(vague("罕见病用药", "scope", 0.4, whichSide, sides...),
			clear("罕见病用药", 0.4, "只看中国已上市的")), answers: []string{"直接开始研究"},
			want: "ask " + whichSide + "; assume"},
		{
			question: "新材料", judgements: seq(vague("新材料", "scope", 0.3, "哪一类？", "电池", "芯片"),
				vague("新材料", "scope", 0.4, "哪一种电池？", "锂", "钠"),
				vague("新材料", "goal", 0.4, "要什么？", "成本", "寿命"),
				but(clear("钠电池", 0.4, "成本最重要"), func(j *intake.Judgement) { j.GoalClear = false })),
			answers: []string{"电池", "钠", "都看看吧，主要是便宜"},
			want:    "ask 哪一类？; ask 哪一种电池？; ask 要什么？; assume",
		},
	}
}

// Further questions, of other fields.
func furtherCases() []intakeCase {
	side := "Which side of it?"
	return []intakeCase{
		{question: "asyncio or threads for a web scraper in Python?",
			judgements: seq(clear("asyncio and threads", 0.95)), want: "start"},
		{question: "Why did the Bronze Age collapse?", judgements: seq(clear("Bronze Age collapse", 0.91)),
			want: "start"},
		{question: "inflation", judgements: seq(vague("inflation", "scope", 0.4, side, "What causes it",
			"Where it stands now"), clear("causes of inflation", 0.8)), answers: []string{"What causes it"},
			want: "ask " + side + "; start"},
		{question: "machine learning",
			judgements: seq(vague("machine learning", "scope", 0.3, side, "History", "Use in medicine"),
				clear("ML in medicine", 0.75)), answers: []string{"the second one"},
			want: "ask " + side + "; start"},
		{question: "tell me about heat pumps",
			judgements: seq(clear("heat pumps", 0.6, "Homes in a cold climate are meant")), want: "assume"},
		{question: "heat pumps", judgements: seq(but(clear("heat pumps", 0.69), func(j *intake.Judgement) {
			j.Question, j.Options = side, []string{"Cost", "How they work"}
		}), clear("cost of heat pumps", 0.9)), answers: []string{"cost"}, want: "ask " + side + "; start"},
		{question: "look into something new for me",
			judgements: seq(vague("", "topic", 0.05, "What is it about?"),
				clear("solid-state batteries", 0.8)), answers: []string{"solid-state batteries"},
			want: "ask What is it about?; start"},
		{question: "that treaty", purpose: "A talk on Versailles, 1919",
			judgements: seq(clear("Treaty of Versailles", 0.8)), want: "start"},
		{question: "the Veltor protocol",
			judgements: seq(unsure("Veltor", "Veltor protocol"), clear("Veltor", 0.8)),
			found:      map[string]string{"Veltor protocol": "A wire format."},
			want:       "look up Veltor protocol; start"},
		{
			question: "Frobnicator versus Zlorp",
			judgements: seq(but(clear("both", 0.3), func(j *intake.Judgement) {
				j.Terms = []intake.Term{{Term: "Frobnicator"}, {Term: "Zlorp"}}
			}), clear("both", 0.8)), found: map[string]string{},
			want: "look up Frobnicator; look up Zlorp; start",
		},
		{
			question: "Is Blarvex safe?", judgements: seq(unsure("Blarvex", "Blarvex"),
				unsure("Blarvex", "Quixol"), clear("Blarvex", 0.9)),
			// a second term turns up
			found: map[string]string{}, want: "look up Blarvex; look up Quixol; start",
		},
		{
			question: "Is Blarvex still safe?",
			judgements: seq(unsure("Blarvex", "Blarvex"),
				but(unsure("Blarvex", " blarvex "), func(j *intake.Judgement) {
					j.Question, j.Options = "What is Blarvex?", []string{"A drug", "A program"}
				}), clear("Blarvex", 0.9)), answers: []string{"2"}, found: map[string]string{},
			want: "look up Blarvex; ask What is Blarvex?; start",
		},
		{question: "Who is Xu Qil?", judgements: seq(but(unsure("Xu Qil", "Xu Qil"),
			func(j *intake.Judgement) {
				j.Question, j.Options = "Who is meant?", []string{"A painter", "A general"}
			}), clear("Xu Qil", 0.8)), answers: []string{"A painter"},
			want: "ask Who is meant?; start"}, // nothing to look it up in
		{question: "Book me a flight to Oslo",
			judgements: seq(but(clear("flight", 0.9),
				func(j *intake.Judgement) { j.Impossible = "Booking is no reading." })), want: "refuse"},
		{question: "替我做一个实验", judgements: seq(but(vague("", "topic", 0.1, "什么实验？"),
			func(j *intake.Judgement) { j.Impossible = "不能做实验；可以研究已发表的实验。" })),
			want: "refuse"},
		{question: "Is P equal to NP?",
			judgements: seq(clear("P versus NP", 0.85, "The state of the question is wanted, not a proof")),
			want:       "assume"}, // hard, not impossible
		{question: "European history",
			judgements: seq(vague("European history", "scope", 0.3, side, "Ancient", "Modern"),
				clear("European history", 0.3, "The twentieth century is meant")), answers: nil,
			want: "ask " + side + "; assume"},
		{question: "taxes", judgements: seq(vague("taxes", "scope", 0.3, side, "Income tax", "Sales tax"),
			clear("taxes", 0.3, "Income tax in Germany is meant")), answers: []string{""},
			want: "ask " + side + "; assume"},
		{question: "taxes again", judgements: seq(but(vague("taxes", "scope", 0.3, side, "Income tax",
			"Sales tax"), func(j *intake.Judgement) { j.Assumptions = []string{"Income tax is meant"} })),
			answers: []string{"whatever"}, want: "ask " + side + "; assume"},
		{question: "climate", judgements: seq(vague("climate", "scope", 0.2, side, "Causes", "Policy"),
			vague("climate policy", "goal", 0.6, "To what end?", "Compare countries", "Its cost"),
			clear("cost of climate policy", 0.8)), answers: []string{"B)", "its cost"},
			want: "ask " + side + "; ask To what end?; start"},
		{question: "Just research Rust's borrow checker, no questions",
			judgements: seq(but(vague("borrow checker", "goal", 0.6, side, "History", "How it works"),
				func(j *intake.Judgement) {
					j.JustStart = true
					j.Assumptions = []string{"How it works is wanted"}
				})), want: "assume"},
		{question: "量子纠错的最新进展", judgements: seq(clear("量子纠错", 0.9)), want: "start"},
		{question: "红楼梦后四十回的作者是谁？", judgements: seq(clear("红楼梦后四十回", 0.95)),
			want: "start"},
		{question: "人工智能", judgements: seq(vague("人工智能", "scope", 0.3, "哪个方面？", "大模型推理优化",
			"监管政策"), clear("大模型推理优化", 0.8)), answers: []string{"第一个"},
			want: "ask 哪个方面？; start"},
		{question: "楼市", judgements: seq(vague("楼市", "goal", 0.5, whichGoal, "走势", "政策"),
			clear("楼市", 0.5, "看一线城市的走势")), answers: []string{"随便"},
			want: "ask " + whichGoal + "; assume"},
		{question: "Llama 3 和 GPT-4 的技术架构对比", judgements: seq(clear("Llama 3 与 GPT-4", 0.93)),
			want: "start"},
		{question: "帮我查一下那个政策",
			judgements: seq(vague("", "topic", 0.1, whichTopic), clear("研究生招生政策", 0.7)),
			answers:    []string{"研究生招生"}, want: "ask " + whichTopic + "; start"},
		{question: "跨境电商", judgements: seq(but(clear("跨境电商", 0.55),
			func(j *intake.Judgement) { j.Focus = j.Focus[:2]; j.Assumptions = []string{"看中国卖家"} })),
			want: "assume"},
		{question: "二战", judgements: seq(but(clear("二战", 0.95), func(j *intake.Judgement) {
			j.Focus = j.Focus[:1]
			j.Question, j.Options = "哪一段？", []string{"起因", "战后"}
		}), clear("二战起因", 0.9)), answers: []string{"１"}, want: "ask 哪一段？; start"},
		{question: "围棋定式", judgements: seq(but(clear("围棋定式", 0.75), func(j *intake.Judgement) {
			j.Focus = j.Focus[:2]
			j.Question, j.Options = "多深？", []string{"入门", "职业"}
		}), clear("围棋定式", 0.9)), answers: []string{"入门"}, want: "ask 多深？; start"},
		{question: "阿兹海默病药物 Lecanemab 获批了吗？", judgements: seq(clear("Lecanemab", 0.97)),
			want: "start"},
		{question: "Basel III for small banks",
			judgements: seq(clear("Basel III", 0.5, "EU banks are meant")), want: "assume"},
		{question: "Basel III", judgements: seq(but(clear("Basel III", 0.49, "EU banks are meant"),
			func(j *intake.Judgement) { j.Question, j.Options = side, []string{"Capital", "Liquidity"} }),
			clear("Basel III capital", 0.9)), answers: []string{"Capital"}, want: "ask " + side + "; start"},
	}
}

// What follows from each scripted judgement, with somebody there to answer.
func TestWhatIsClearEnough(t *testing.T) {
	assert.GreaterOrEqual(t, len(furtherCases()), 30)
	for _, c := range append(theDocumentsCases(), furtherCases()...) {
		t.Run(c.question, func(t *testing.T) {
			brief, steps := play(t, intake.Intake{Brain: script(c.judgements...)}, c.question, c.purpose,
				&person{answers: c.answers}, c.found)
			assert.Equal(t, c.want, steps)
			assert.True(t, brief.Judged)
			last := c.judgements[len(c.judgements)-1]
			if brief.Refusal == "" {
				assert.Equal(t, last.Topic, brief.Topic)
				assert.Len(t, brief.Focus, len(last.Focus))
			}
		})
	}
}

// The same cases with nobody there: nothing is asked, what is unknown is looked up, and what was not clear is
// assumed.
func TestNobodyToAsk(t *testing.T) {
	for _, c := range append(theDocumentsCases(), furtherCases()...) {
		t.Run(c.question, func(t *testing.T) {
			first := c.judgements[0]
			second := but(first, func(j *intake.Judgement) {
				for i := range j.Terms {
					j.Terms[i].Known = true
				}
			})
			judgements := seq(first)
			if c.found != nil {
				judgements = seq(first, second)
			}
			brief, steps := play(t, intake.Intake{Brain: script(judgements...), WantPlan: true, Costly: true},
				c.question, c.purpose, nil, c.found)
			assert.NotContains(t, steps, "ask")
			assert.NotContains(t, steps, "show")
			assert.Equal(t, first.Impossible, brief.Refusal)
			if brief.Refusal == "" {
				assert.NotEmpty(t, brief.Chapters, "the plan that was wanted is written all the same")
				if first.Question != "" {
					assert.NotEmpty(t, brief.Assumptions)
				}
			}
		})
	}
}
