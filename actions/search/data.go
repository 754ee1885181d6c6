package search

import (
	"strconv"
	"strings"
)

// data is a value of a service's JSON: an object, a list, a text, a number or nothing. What is missing, null
// or of another type than asked for is "", 0 or empty.
type data struct{ value any }

// at is the value at a path of names and places in lists, such as "authors.0.name"; "" is d itself.
func (d data) at(path string) data {
	if path == "" {
		return d
	}
	for name := range strings.SplitSeq(path, ".") {
		fields, _ := d.value.(map[string]any)
		list, _ := d.value.([]any)
		d.value = fields[name]
		if i, err := strconv.Atoi(name); err == nil && i < len(list) {
			d.value = list[i]
		}
	}
	return d
}

// text is the first text that is not empty at one of some paths, which a bar parts.
func (d data) text(paths string) string {
	for path := range strings.SplitSeq(paths, "|") {
		if text, _ := d.at(path).value.(string); text != "" {
			return text
		}
	}
	return ""
}

func (d data) number(path string) int {
	n, _ := d.at(path).value.(float64)
	return int(max(-1<<31, min(n, 1<<31-1)))
}

func (d data) isTrue(path string) bool {
	yes, _ := d.at(path).value.(bool)
	return yes
}

// items are the members of a list.
func (d data) items(path string) []data {
	list, _ := d.at(path).value.([]any)
	items := make([]data, len(list))
	for i := range list {
		items[i].value = list[i]
	}
	return items
}

// texts are the texts that the members of a list have at a path of their own.
func (d data) texts(list, path string) []string {
	var texts []string
	for _, item := range d.items(list) {
		if text := item.text(path); text != "" {
			texts = append(texts, text)
		}
	}
	return texts
}

// objects are the members of a list; ok is false where there is no list, or something else in it.
func (d data) objects(path string) (list []data, ok bool) {
	_, ok = d.at(path).value.([]any)
	list = d.items(path)
	for _, item := range list {
		if _, isObject := item.value.(map[string]any); !isObject {
			return nil, false
		}
	}
	return list, ok
}
