package citation_test

import (
	"github.com/daybook-agent/daybook/actions/citation"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// lookupIn finds sources among some.
func lookupIn(sources ...citation.Source) citation.Lookup {
	return func(id string) (citation.Source, error) {
		for _, s := range sources {
			if s.ID == id {
				return s, nil
			}
		}
		return citation.Source{}, citation.ErrNotRead
	}
}

func source(id, kind, text string) citation.Source {
	return citation.Source{Source: workspace.Source{ID: id, Type: kind,
		URL: "https://" + id + ".example.org/page"}, Text: text, Intact: true}
}

// library is what the honest report below was written from.
func library() []citation.Source {
	return []citation.Source{
		source("s1", "html", journalPage), source("s2", "pdf", heatPaper), source("s3", "html", chinesePage),
		source("s4", "markdown", handbook), source("s5", "text", chinesePlan),
	}
}

const journalPage = `# How the journal works

## Commit

The engine writes every change to the *write-ahead log* before it touches a [data page](https://example.org/pages#12). A commit returns
only when ` + "`fsync`" +
	` has put the log on the disk; on the test machine this took 1.2 million nanoseconds in the median.

Readers don’t block writers — and writers don’t block readers. “Nobody waits for a report,” as one user put it in March 2021.

` + "```sql" + `
-- never turn this setting off on a machine that you care about
SET synchronous_commit = on;
` + "```" + `

## Checkpoints

A checkpoint flushes all dirty pages. Version 4.18.2 runs one every 300 seconds or after 1,048,576 records, whichever comes first.[\[3\]](#cite_note-3)
Between 2010 and 2015 the share of crashed runs fell from 12.5 % to 3 %; twenty-eight of 9,000 machines still lost data.

| Setting | Default | Unit |
| --- | --- | --- |
| wal_buffers | 8192 | kB |
| checkpoint_timeout | 300 | s |

Released on 14 March 2024 &amp; maintained since.
`

const heatPaper = `Urban heat and the colour of roofs

Abstract. We measured the temperature of four hundred roofs in nine cities over two summers, and found that white roofs stay
cooler than dark ones by 11.4 degrees at noon. The effect is smal-
ler under a cloudy sky, where it falls to 2.1 degrees.

<!-- page 2 -->

Methods. Sensors were fixed to each roof on 3 June 2019 and read every ten minutes until the last day of
September. A sensor that failed was replaced within

<!-- page 3 -->

two working days, and its readings were left out. In total 1 254 300 readings were kept, of which 0.7 per cent were flagged.

    An indented line of the printed page is still a sentence of the paper.

Costs. A litre of white paint costs $18.50, so that a roof of 100 m² pays for itself in 6 to 8 years.
`

const chinesePage = `# 城市轨道交通年度报告

## 概况

截至2023年12月31日，全市共开通地铁线路二十七条，运营里程８３６公里。全年客运量达到12.3亿人次，比上年增长百分之五十六。

“地铁已经成为市民出行的首选方式”，报告指出，工作日日均客流超过1,020万人次。其中换乘站点共有八十三座 ，占车站总数的 17.5%。

## 安全

系统在每个站台安装了应急按钮；列车在紧急情况下会自动停靠在最近的车站，并打开全部车门。

` + "```" + `
紧急制动指令只能由调度中心发出
` + "```" + `

2024年3月14日，新的信号系统开始试运行。
`

const handbook = `Field handbook
==============

1. Never enter the tunnel without a second person who knows the way back.
2. The pump delivers 45 litres per minute at 2.5 bar; at 3 bar the valve opens.

> Water finds the weakest joint, and it always does so at night.

The old station was closed in the 1990s. Its archive holds about 7,300 photographs, three diaries and a map drawn in 1887.

The keeper wrote: "The light was out for two hours... I counted nineteen ships before dawn."

    $ pump --start --pressure 3
    the pump answers with one short tone
`

const chinesePlan = `五年规划纲要

到2030年，可再生能源装机容量达到二十亿千瓦，其中海上风电一亿千瓦。

单位产值能耗比2020年下降13.5%，森林覆盖率提高到24.1%左右。规划要求各地在二〇二六年六月底之前上报实施方案，
逾期未报的，由主管部门予以通报。

每万人拥有公共充电桩不少于五十个。
`
