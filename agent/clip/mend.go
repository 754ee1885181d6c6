package clip

import "strings"

// mend leaves out the quotes that a refusal names: those whose words it gives, else those whose source it gives.
func mend(content, why string) string {
	byWords, byID := content, content
	for _, q := range readQuotes(content) {
		block := "\n" + q.String() + "\n"
		if runes := []rune(q.text); strings.Contains(why, string(runes[:min(25, len(runes))])) {
			byWords = strings.ReplaceAll(byWords, block, "")
		}
		if strings.Contains(why, "["+q.id+"]") || names(why, q.id) {
			byID = strings.ReplaceAll(byID, block, "")
		}
	}
	if byWords != content {
		return withoutEmpty(byWords)
	}
	for _, id := range tokens(why) {
		byID = strings.NewReplacer("["+id+"], ", "", ", ["+id+"]", "").Replace(byID) // in a list of sources
		byID = withoutItems(byID, "["+id+"]")
	}
	return withoutEmpty(byID)
}

// withoutEmpty drops the names of documents of which no quote is left.
func withoutEmpty(content string) string {
	blocks := strings.Split(content, "\n\n")
	var kept []string
	for i, b := range blocks {
		if strings.HasPrefix(b, "### ") && (i+1 == len(blocks) || strings.HasPrefix(blocks[i+1], "#")) {
			continue
		}
		kept = append(kept, b)
	}
	return strings.Join(kept, "\n\n")
}

// names says whether an id stands in a text as a word of its own.
func names(text, id string) bool {
	for _, token := range tokens(text) {
		if token == id {
			return true
		}
	}
	return false
}

// withoutItems drops the list items that still name a source.
func withoutItems(content, cited string) string {
	var out strings.Builder
	for line := range strings.Lines(content) {
		if !strings.HasPrefix(line, "- ") || !strings.Contains(line, cited) {
			out.WriteString(line)
		}
	}
	return out.String()
}
