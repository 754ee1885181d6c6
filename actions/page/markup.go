package page

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

const (
	whiteSpace = " \t\r\n\f"
	// maxAttributes is how many attributes of an element are compared with each other, to leave out what is said twice.
	maxAttributes = 40
)

// markup is HTML that is read from its beginning on. Nothing is copied: what it gives are pieces of the text. Its methods are false
// where a mistake must be put right, which is left to the parser that knows how.
type markup struct {
	text string
	at   int // where what is read next begins
	bare int // where the value of the latest attribute ends that stands without quotes
}

// run reads text up to the next tag or comment; it is empty where one of them comes next.
func (m *markup) run() (text string, ok bool) {
	start := m.at
	for m.at < len(m.text) {
		n := strings.IndexByte(m.text[m.at:], '<')
		if n < 0 {
			m.at = len(m.text)
			break
		}
		m.at += n
		if m.at+1 == len(m.text) {
			return "", false
		}
		if c := m.text[m.at+1]; isLetter(c) || c == '/' || c == '!' || c == '?' {
			break
		}
		m.at++ // the sign for less
	}
	return html.UnescapeString(m.text[start:m.at]), true
}

// comment reads a comment, or the like for machines that begins with "<?".
func (m *markup) comment() (text string, ok bool) {
	start, closing := m.at+1, ">"
	if m.text[start] == '!' {
		start, closing = m.at+len("<!--"), "-->"
	}
	rest, found := strings.CutPrefix(m.text[m.at:], m.text[m.at:min(start, len(m.text))])
	text, _, closed := strings.Cut(rest, closing)
	if !found || !closed || closing == "-->" &&
		(!strings.HasPrefix(m.text[m.at:], "<!--") || rest[0] == '>' || strings.HasPrefix(rest, "->") || strings.Contains(text, "--!")) {
		return "", false
	}
	m.at = start + len(text) + len(closing)
	return html.UnescapeString(text), true
}

// doctype reads the declaration of what the page is.
func (m *markup) doctype() bool {
	const begin = "<!doctype"
	rest := m.text[m.at:]
	end := strings.IndexByte(rest, '>')
	if end < len(begin) || !strings.EqualFold(rest[:len(begin)], begin) {
		return false
	}
	m.at += end + 1
	return true
}

// name reads the name of an element, which begins where the reading stands.
func (m *markup) name() (tag atom.Atom, name string, ok bool) {
	start := m.at
	for m.at < len(m.text) && !endsName(m.text[m.at]) {
		m.at++
	}
	name, ok = lowered(m.text[start:m.at])
	var short [16]byte
	if tag = atom.Lookup(append(short[:0], name...)); tag != 0 {
		name = tag.String()
	}
	return tag, name, ok
}

func endsName(c byte) bool { return isSpace(c) || c == '/' || c == '>' }

// lowered is a name in lower case; a name that is not all ASCII is left to the parser.
func lowered(name string) (lower string, ok bool) {
	for i := range len(name) {
		if c := name[i]; c >= 0x80 {
			return name, false
		} else if c >= 'A' && c <= 'Z' {
			return strings.ToLower(name), isASCII(name)
		}
	}
	return name, true
}

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= 0x80 }) < 0
}

// attributes reads what follows the name of an element up to the end of the tag, and appends it to a list.
func (m *markup) attributes(list []html.Attribute) (all []html.Attribute, ok bool) {
	for before := len(list); ; {
		m.space()
		if m.at == len(m.text) || len(list)-before > maxAttributes {
			return list, false
		}
		switch m.text[m.at] {
		case '>':
			m.at++
			return list, true
		case '/':
			m.at++
			continue
		}
		key, ok := m.key()
		bare := m.bare
		value, known := m.value()
		if !ok || !known {
			return list, false
		}
		if isSaid(list[before:], key) {
			m.bare = bare
			continue
		}
		list = append(list, html.Attribute{Key: key, Val: value})
	}
}

// isClosed tells whether the tag that was just read ends its own element, as <path/> does. The slash of <path d=a/> is no such.
func (m *markup) isClosed() bool { return m.text[m.at-2] == '/' && m.bare != m.at-1 }

func isSaid(list []html.Attribute, key string) bool {
	for i := range list {
		if list[i].Key == key {
			return true
		}
	}
	return false
}

func (m *markup) space() {
	for m.at < len(m.text) && isSpace(m.text[m.at]) {
		m.at++
	}
}

func (m *markup) key() (key string, ok bool) {
	start := m.at
	m.at++ // also when it is =, which then is part of the name
	for m.at < len(m.text) && m.text[m.at] != '=' && !endsName(m.text[m.at]) {
		m.at++
	}
	return lowered(m.text[start:m.at])
}

// value reads what an attribute is given, "" where it is given nothing.
func (m *markup) value() (value string, ok bool) {
	m.space()
	if m.at == len(m.text) || m.text[m.at] != '=' {
		return "", true
	}
	m.at++
	m.space()
	if m.at == len(m.text) {
		return "", false
	}
	switch quote := m.text[m.at]; quote {
	case '>':
		return "", true
	case '"', '\'':
		m.at++
		n := strings.IndexByte(m.text[m.at:], quote)
		if n < 0 {
			return "", false
		}
		value = m.text[m.at : m.at+n]
		m.at += n + 1
	default:
		start := m.at
		for m.at < len(m.text) && m.text[m.at] != '>' && !isSpace(m.text[m.at]) {
			m.at++
		}
		value, m.bare = m.text[start:m.at], m.at
	}
	return unescapedValue(value)
}

// unescapedValue resolves the entities of an attribute. There, unlike in text, a name counts only as a whole, and one without its
// semicolon may be the next field of an address: "?a=1&copy=2".
func unescapedValue(value string) (text string, ok bool) {
	at := strings.IndexByte(value, '&')
	if at < 0 {
		return value, true
	}
	var b strings.Builder
	for ; at >= 0; at = strings.IndexByte(value, '&') {
		b.WriteString(value[:at])
		value = value[at:]
		end := 1
		for end < len(value) && (isLetter(value[end]) || value[end] >= '0' && value[end] <= '9' || value[end] == '#') {
			end++
		}
		isWhole := end < len(value) && value[end] == ';'
		if isWhole {
			end++
		}
		entity := value[:end]
		meaning := html.UnescapeString(entity)
		value = value[end:]
		switch {
		case meaning == entity, strings.HasPrefix(value, "=") && !isWhole && entity[1] != '#':
			b.WriteString(entity)
		case entity[1] == '#', isWhole && !strings.HasSuffix(meaning, ";"):
			b.WriteString(meaning)
		default:
			return "", false
		}
	}
	b.WriteString(value)
	return b.String(), true
}

// raw reads the content of an element whose content is no markup, and the tag that ends it.
func (m *markup) raw(name string) (content string, ok bool) {
	for at := m.at; ; {
		n := strings.Index(m.text[at:], "</")
		if n < 0 {
			return "", false
		}
		at += n + len("</")
		end := at + len(name)
		if end >= len(m.text) || !strings.EqualFold(m.text[at:end], name) || !endsName(m.text[end]) {
			continue
		}
		content, m.at = m.text[m.at:at-len("</")], end
		if _, ok := m.attributes(nil); !ok {
			return "", false
		}
		return content, name != "script" || !strings.Contains(content, "<!--")
	}
}
