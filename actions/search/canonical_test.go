package search_test

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/daybook-agent/daybook/actions/search"
)

// samePages are addresses of one page each; the first is its key.
var samePages = [][]string{
	{"https://a.test/x?a=1&b=2", "http://WWW.A.test:80/x/?b=2&utm_source=n&a=1&fbclid=z#top",
		"https://m.a.test:443/x/index.html?a=1&b=2&gclid=1",
		"https://mobile.a.test./y/../x?a=1&b=2#:~:text=word"},
	{"https://a.test", "https://a.test/", "http://a.test/index.php", "https://a.test?", "https://a.test/#"},
	{"https://a.test:8080/x", "http://www.a.test:8080/x/"},
	{"https://a.test/%E6%BD%AE", "https://a.test/潮", "http://a.test/%e6%bd%ae/"},
	{"https://xn--fsqu00a.xn--fiqs8s/", "https://例子.中国"},
	{"https://a.test/app#/one", "http://a.test/app/#/one"},
	{"https://arxiv.org/abs/1706.03762", "http://arxiv.org/abs/1706.03762v5",
		"https://arxiv.org/pdf/1706.03762", "https://arxiv.org/pdf/1706.03762v7.pdf",
		"https://www.arxiv.org/html/1706.03762v7", "https://export.arxiv.org/abs/1706.03762",
		"https://ar5iv.labs.arxiv.org/html/1706.03762",
		"https://ar5iv.org/abs/1706.03762", "https://www.alphaxiv.org/abs/1706.03762v7",
		"https://alphaxiv.org/overview/1706.03762",
		"https://huggingface.co/papers/1706.03762", "https://huggingface.co/papers/1706.03762.md",
		"https://hf.co/papers/1706.03762",
		"https://doi.org/10.48550/arXiv.1706.03762", "https://dx.doi.org/10.48550/ARXIV.1706.03762",
		"https://www.arxiv-vanity.com/papers/1706.03762/"},
	{"https://arxiv.org/abs/hep-th/9901001", "https://arxiv.org/pdf/hep-th/9901001v2.pdf",
		"https://arxiv.org/abs/hep-th/9901001v3"},
	{"https://arxiv.org/abs/math/0309136", "https://arxiv.org/abs/math.GT/0309136"},
	{"https://doi.org/10.1145/3292500.3330701", "http://dx.doi.org/10.1145/3292500.3330701",
		"https://dl.acm.org/doi/10.1145/3292500.3330701",
		"https://dl.acm.org/doi/pdf/10.1145/3292500.3330701?download=true",
		"https://dl.acm.org/doi/abs/10.1145/3292500.3330701"},
	{"https://doi.org/10.1002/anie.201801234",
		"https://onlinelibrary.wiley.com/doi/full/10.1002/ANIE.201801234",
		"https://onlinelibrary.wiley.com/doi/epdf/10.1002/anie.201801234"},
	{"https://doi.org/10.1038/s41586-021-03819-2", "https://www.nature.com/articles/s41586-021-03819-2",
		"https://www.nature.com/articles/s41586-021-03819-2.pdf"},
	{"https://doi.org/10.1007/978-3-030-12345-6_7",
		"https://link.springer.com/chapter/10.1007/978-3-030-12345-6_7",
		"https://link.springer.com/content/pdf/10.1007/978-3-030-12345-6_7.pdf"},
	{"https://doi.org/10.1371/journal.pone.0123456",
		"https://journals.plos.org/plosone/article?id=10.1371/journal.pone.0123456"},
	{"https://doi.org/10.1101/2020.03.22.002386",
		"https://www.biorxiv.org/content/10.1101/2020.03.22.002386v3.full.pdf",
		"https://www.biorxiv.org/content/10.1101/2020.03.22.002386v1"},
	{"https://doi.org/10.3389/fnins.2019.00010",
		"https://www.frontiersin.org/articles/10.3389/fnins.2019.00010/full"},
	{"https://en.wikipedia.org/wiki/Disc_brake", "https://en.m.wikipedia.org/wiki/Disc_brake",
		"http://en.wikipedia.org/w/index.php?title=Disc%20brake",
		"https://en.wikipedia.org/wiki/Disc%20brake#History"},
	{"https://zh.wikipedia.org/wiki/%E6%BD%AE%E6%B1%90", "https://zh.wikipedia.org/zh-cn/潮汐",
		"https://zh.m.wikipedia.org/zh-hant/%E6%BD%AE%E6%B1%90"},
	{"https://b.test/x?p=http%3A%2F%2Fa.test%2F%3Futm_source%3D1",
		"https://b.test/x?p=http%3A%2F%2Fa.test%2F%3Futm_source%3D1&utm_medium=m"},
	{"doc:notes/a.md#x"},
}

func TestKey(t *testing.T) {
	other := map[string]string{}
	for _, addresses := range samePages {
		want := search.Key(addresses[0])
		for _, address := range addresses {
			assert.Equal(t, want, search.Key(address), address)
			assert.Equal(t, want, search.Key(search.Key(address)), address)
		}
		assert.Empty(t, other[want], "%s has the key of another page", addresses[0])
		other[want] = addresses[0]
	}
	assert.Equal(t, "https://a.test/x?a=1&b=2", search.Key(samePages[0][0]))
	assert.Equal(t, "doc:notes/a.md#x", search.Key("doc:notes/a.md#x"), "a file's name may hold anything")
}

func TestKeysThatDiffer(t *testing.T) {
	for _, pair := range [][2]string{
		{"https://a.test/x", "https://a.test/X"},
		{"https://a.test/x", "https://b.test/x"},
		{"https://a.test/x", "https://a.test:8443/x"},
		{"https://a.test/x?page=1", "https://a.test/x?page=2"},
		{"https://github.com/o/r/blob/main/f?ref=v1", "https://github.com/o/r/blob/main/f?ref=v2"},
		{"https://a.test/#/one", "https://a.test/#/two"},
		{"https://arxiv.org/abs/1706.03762", "https://arxiv.org/abs/1706.03763"},
		{"https://arxiv.org/list/cs.CL/recent", "https://arxiv.org/list/cs.LG/recent"},
		{"https://huggingface.co/papers/1706.03762", "https://huggingface.co/papers/trending"},
		{"https://a.test/abs/1706.03762", "https://arxiv.org/abs/1706.03762"},
		{"https://m.co/x", "https://co/x"},
		{"https://en.wikipedia.org/wiki/A", "https://de.wikipedia.org/wiki/A"},
		{"https://en.wikipedia.org/w/index.php?title=A&action=history", "https://en.wikipedia.org/wiki/A"},
	} {
		assert.NotEqual(t, search.Key(pair[0]), search.Key(pair[1]), pair)
	}
	for _, none := range []string{"", "javascript:alert(1)", "data:text/html,x", "file:///etc/passwd",
		"ftp://a.test", "//a.test", "https://", "https://./", "https://u@a.test", "a b"} {
		assert.Empty(t, search.Key(none), none)
	}
}

// FuzzKey looks for an address whose key has another key, or that stops the program.
func FuzzKey(f *testing.F) {
	for _, addresses := range samePages {
		for _, address := range addresses {
			f.Add(address)
		}
	}
	f.Add("http://Xn0000000.Xn--")
	f.Add("https://[fe80::1%25eth0]:80/%2f..//x?a;b#!/%zz")
	f.Add("https://www.m.www.a.test/index.html/index.htm/10.1234/INDEX.HTML/pdf")
	f.Fuzz(func(t *testing.T, address string) {
		key := search.Key(address)
		assert.Equal(t, key, search.Key(key), "key of %q", address)
		if key == "" || key == address {
			return
		}
		u, err := url.Parse(key)
		if assert.NoError(t, err) {
			assert.Equal(t, "https", u.Scheme)
			assert.NotEmpty(t, u.Host)
		}
	})
}
