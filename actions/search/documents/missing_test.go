package documents_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/actions/search"
)

// A word that was written wrong finds what was meant, and it is said what was looked for.
func TestAWordWrittenWrongFindsWhatWasMeant(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"bonus.md": "# Bonus\n\nThe referral bonus is paid after the accommodation was booked.\n",
		"flat.md": "# 合同\n\n房租每季度第一个月的五日前转入，房租另付押金。\n\n" +
			"年假七天，年假可以顺延，上班一年间另算，一点费用另付，一点费用不付。编号 100000。\n",
		"fund.md":  "# 福利\n\n公积金按工资的百分之八缴存，公积金每月二十日到账。\n",
		"other.md": "# Planes\n\nA plane may be chartered by contract.\n",
		"firm.md": "# Firm\n\nCopies go to the accountants. The Christmas lunch is on Friday; " +
			"cleaning is paid monthly, and the flow of water yearly.\n",
	})
	docs := open(t, filepath.Join(t.TempDir(), "x.db"), dir)
	refresh(t, docs)
	for query, want := range map[string]struct {
		respelt []search.Respelt
		first   string
	}{
		"referal bonus": {[]search.Respelt{{Word: "referal", Meant: "referral"}}, "doc:bonus.md"},
		"acommodaton": {[]search.Respelt{{Word: "acommodaton", Meant: "accommodation"}},
			"doc:bonus.md"},
		"房祖 几号交":              {[]search.Respelt{{Word: "房祖", Meant: "房租"}}, "doc:flat.md"},
		"年嘉 几天":               {[]search.Respelt{{Word: "年嘉", Meant: "年假"}}, "doc:flat.md"},
		"年检 几天":               {nil, "doc:flat.md"}, // 一年间 is there once
		"婚假与年假":               {nil, "doc:flat.md"},
		"公集金":                 {[]search.Respelt{{Word: "公集金", Meant: "公积金"}}, "doc:fund.md"},
		`"referal" bonus`:     {nil, "doc:bonus.md"}, // to the letter
		"1000000":             {nil, ""},
		"电费 几天":               {nil, "doc:flat.md"}, // 一点费用 is there, and no such word
		"contact by charter":  {nil, "doc:other.md"},
		"acountant":           {[]search.Respelt{{Word: "acountant", Meant: "accountant"}}, "doc:firm.md"},
		"chrismas lunch":      {[]search.Respelt{{Word: "chrismas", Meant: "christmas"}}, "doc:firm.md"},
		"cleaners":            {[]search.Respelt{{Word: "cleaners", Meant: "clean"}}, "doc:firm.md"},
		"flowers":             {nil, ""}, // a flow is no deed of theirs
		"planet of the bonus": {nil, "doc:bonus.md"},
	} {
		found, err := docs.Find(t.Context(), query, 10)
		require.NoError(t, err)
		assert.Equal(t, want.respelt, found.Respelt, query)
		if want.first == "" {
			assert.Empty(t, found.Hits, query)
			continue
		}
		require.NotEmpty(t, found.Hits, query)
		assert.Equal(t, want.first, found.Hits[0].URL, query)
	}
}
