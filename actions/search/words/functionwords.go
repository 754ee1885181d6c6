package words

import "strings"

// IsFunctionWord tells whether an English word says nothing about what is looked for. The list is short on
// purpose: bm25 makes little of frequent words anyway, and a word dropped wrongly is a page not found.
func IsFunctionWord(word string) bool {
	switch word {
	case "a", "an", "the", "this", "that", "these", "those", "and", "or", "nor", "but", "if", "then", "than",
		"so", "as", "because", "until", "while",
		"of", "to", "in", "on", "at", "by", "for", "from", "with", "about", "into", "through", "during",
		"between", "against", "again", "further",
		"it", "its", "itself", "is", "are", "was", "were", "be", "been", "being", "am", "do", "does", "did",
		"done", "doing", "has", "have", "had", "having",
		"can", "cannot", "could", "should", "would", "will", "shall", "may", "might", "must", "ought",
		"i", "me", "my", "myself", "we", "us", "our", "ours",
		"ourselves", "you", "your", "yours", "yourself", "yourselves", "he", "him", "his", "himself", "she",
		"her", "hers", "herself", "they", "them",
		"their", "theirs", "themselves", "what", "which", "who", "whom", "whose", "when", "where",
		"why", "how", "there", "here", "s", "t", "don",
		"doesn", "isn", "please", "get", "let", "all", "any", "both", "each", "few", "more", "most", "other",
		"some", "such", "only", "own", "same",
		"just", "also", "very", "too", "want", "need", "out", "not", "no":
		return true
	}
	return false
}

const (
	// Chinese words that ask, point or join and are part of no other word, a longer one before the one it
	// begins with. One of these takes its characters out of the query.
	chineseFunctionWords = "为什么 什么时候 什么样 什么 怎么样 怎么办 怎么 怎样 怎 有没有 是不是 " +
		"能不能 可不可以 请问 请告诉 如何 为何 " +
		"哪些 哪个 哪里 哪种 哪 多少 是否 可以 能够 应该 应当 需要 我们 你们 他们 一个 一种 一下 这个 那个 " +
		"这些 那些 以及 或者 " +
		"并且 而且 但是 因为 所以 如果 关于 对于 的 了 吗 呢 吧 啊 么 们 我 你 您 是 把 被 谁"
	// Characters that join words, but begin or end others (用 in 用户, 中 in 中文): dropped only where they
	// stand alone.
	chineseJoints = "在和与或有会要能想几请到从对上下里中时就都也又还很用做个为给让将并等及而以于之其此该不没"
)

// maskFunctionWords marks the characters of a run that belong to function words.
func maskFunctionWords(run []rune, masked []bool) {
	listed := strings.Fields(chineseFunctionWords)
	text := string(run)
	for i := 0; i < len(run); {
		step := 1
		for _, w := range listed {
			if strings.HasPrefix(text, w) {
				step = len([]rune(w))
				for j := range step {
					masked[i+j] = true
				}
				break
			}
		}
		text = text[len(string(run[i:i+step])):]
		i += step
	}
	for i, r := range run {
		alone := (i == 0 || masked[i-1]) && (i+1 == len(run) || masked[i+1])
		if alone && strings.ContainsRune(chineseJoints, r) {
			masked[i] = true
		}
	}
}
