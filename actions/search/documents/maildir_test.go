package documents_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const mailed = "From: =?utf-8?q?J=C3=B6rg?= <joerg@harbour.test>\nSubject: The jetty\n" +
	"Date: Fri, 09 May 2025 13:37:00 +0000\n" +
	"Content-Transfer-Encoding: quoted-printable\n\nThe jetty was moved forty metres to the w=\nest.\n"

// The messages of a Maildir have no ending that tells what they are. A folder that is merely called cur holds
// other files.
func TestMailIsRead(t *testing.T) {
	docs, _ := library(t, map[string]string{
		"mail/cur/1746000010.M1P7.host:2,S": mailed,
		"mail/new/1746000011.M2P7.host":     strings.ReplaceAll(mailed, "jetty", "winch"),
		"mail/tmp/1746000012.M3P7.host":     strings.ReplaceAll(mailed, "jetty", "bollard"),
		"archive.mbox": "From joerg Fri May  9 13:37:00 2025\n" +
			strings.ReplaceAll(mailed, "jetty", "crane") + "\n" +
			"From joerg Fri May  9 14:37:00 2025\n" + strings.ReplaceAll(mailed, "jetty", "lighthouse"),
		"one.eml":              strings.ReplaceAll(mailed, "jetty", "dredger"),
		"river/cur/delta.host": strings.ReplaceAll(mailed, "jetty", "estuary"),
	})
	for query, url := range map[string]string{
		"jetty moved west":      "doc:mail/cur/1746000010.M1P7.host:2,S",
		"winch moved west":      "doc:mail/new/1746000011.M2P7.host",
		"crane moved west":      "doc:archive.mbox",
		"lighthouse moved west": "doc:archive.mbox",
		"dredger moved west":    "doc:one.eml",
	} {
		found := urls(t, docs, query)
		require.NotEmpty(t, found, query)
		assert.Equal(t, url, found[0], query)
		p, err := docs.Page(t.Context(), url)
		require.NoError(t, err)
		assert.Contains(t, p.Markdown, "Jörg", "who sent it")
		assert.Contains(t, p.Markdown, "2025-05-09", "and when")
		assert.Contains(t, p.Markdown, "to the west.")
		assert.NotContains(t, p.Markdown, "quoted-printable")
	}
	for _, hit := range urls(t, docs, "bollard") {
		assert.NotContains(t, hit, "tmp", "what is still being delivered")
	}
	p, err := docs.Page(t.Context(), "doc:river/cur/delta.host")
	require.NoError(t, err)
	assert.Equal(t, "text", p.Type, "no mail, for its folder is none of a Maildir")
}
