package intake

import "regexp"

const sayErrand = "The built-in brain quotes what documents say, and writes or translates nothing; " +
	"ask what is in them, or give it a language model."

// errand finds what is no question to documents: a poem to be written, a text to be translated.
var errand = regexp.MustCompile(`(?i)^(?:please )?(?:` +
	`write (?:me |us )?an? (?:\w+ )?(?:poem|song|story|novel|joke)\b|` +
	`translate (?:this|these|the|my|all)\b[^?]*$)|` +
	`^(?:请|麻烦)?你?(?:[帮给替为]我)?(?:(?:[写作编]|创作)[一几两]?[首篇个段副]?[^，。？?]{0,8}` +
	`(?:诗|诗歌|歌词|故事|小说|散文|对联|情书|剧本|笑话)|` +
	`把[^，。？?]{1,20}译成[^，。？?]{1,6})[。！!]?$`)
