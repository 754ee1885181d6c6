package prose

import "regexp"

var link = regexp.MustCompile(`\[((?:[^\[\]]|\\.)*)\](?:\([^()]*(?:\([^()]*\))?[^()]*\)|\[[^\[\]]*\])`)

// Unlinked returns a Markdown text with something else in the place of its links; $1 in it is a link's text.
func Unlinked(markdown, by string) string { return link.ReplaceAllString(markdown, by) }
