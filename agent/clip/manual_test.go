package clip_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Manuals as a terminal shows them: a list of options, each with its meaning below it.
var manuals = map[string]string{
	"doc:tar.txt": "tar(1)\n# tar(1)\n\ntar - an archiving utility. Options of tar keep or leave out " +
		"files of an archive.\n\n" +
		"--exclude=PATTERN\n       Leave out files matching PATTERN, as the shell does.\n\n" +
		"--keep-newer-files\n       Do not replace files that are newer than their copies in the " +
		"archive.\n\n" +
		"--list\n       List the contents of an archive.\n",
	"doc:bzip2.txt": "bzip2(1)\n# bzip2(1)\n\nbzip2 compresses files in blocks.\n\n-k --keep\n" +
		"       Keep the input files.\n\n" +
		"-s --small\n       Reduce memory usage when files are compressed.\n",
	"doc:du.txt": "du(1)\n# du(1)\n\ndu estimates the space that files take.\n\n-L --dereference\n" +
		"       Follow symbolic links to files.\n\n" +
		"-k\n       Count in blocks of 1024 bytes; keep input files out of the sum with -X, whichever " +
		"option of the files is set.\n",
	"doc:ssh-keygen.txt": "ssh-keygen(1)\n# ssh-keygen(1)\n\nssh-keygen makes keys.\n\n-t rsa | ed25519\n" +
		"       Says the type of the key to create. Without it an RSA key is made.\n\n-b bits\n" +
		"       Says how long the key is.\n",
}

func TestAnOptionOfAManualIsFound(t *testing.T) {
	for question, want := range map[string]string{
		"What does --exclude of tar do?":                      "--exclude=PATTERN",
		"How do I set the key type in ssh-keygen?":            "-t rsa",
		"Which option of bzip2 keeps the input files?":        "-k --keep",
		"Which option of du follows symbolic links?":          "--dereference",
		"With what option does tar leave out a file by name?": "--exclude=PATTERN",
	} {
		assert.Contains(t, top(finished(t, question, manuals).files["report.md"]), want, question)
	}
}

// The document that a question names comes before others that have more of its words.
func TestTheDocumentThatIsNamedComesFirst(t *testing.T) {
	report := finished(t, "Which option of bzip2 keeps input files?", manuals).files["report.md"]
	assert.Contains(t, strings.Split(top(report), "###")[1], "bzip2(1)")
}

// Each of many questions in one has its answer on top.
func TestEachOfManyQuestionsIsAnswered(t *testing.T) {
	shown := top(finished(t, "How do I list an archive with tar? Which option of bzip2 keeps input files? "+
		"How does du follow symbolic links? What type of key does ssh-keygen create without an option?",
		manuals).files["report.md"])
	for _, want := range []string{"--list", "-k --keep", "--dereference", "RSA key"} {
		assert.Contains(t, shown, want)
	}
}

// Of two documents with one title the names of the files are shown.
func TestDocumentsWithOneTitleAreToldApart(t *testing.T) {
	shown := finished(t, "How often is the boiler checked?", map[string]string{
		"doc:east.md": "House rules\n# House rules\n\nThe boiler is checked every spring by the plumber.\n",
		"doc:west.md": "House rules\n# House rules\n\nThe boiler of this house is checked twice a year, " +
			"and the lift by its maker.\n",
	}).files["report.md"]
	assert.Contains(t, shown, "House rules (east.md)")
	assert.Contains(t, shown, "House rules (west.md)")
}

// A name that is only told before the question, and a word that a longer one begins with, are not said first
// to be missing.
func TestWhatIsOnlyToldIsNotMissedFirst(t *testing.T) {
	const page = "Limits\n# Limits\n\nThe PostgreSQL proxy takes a request header of 8190 bytes by default.\n"
	for question, missing := range map[string]bool{
		"Our Kerberos tickets are large. How long may a request header be?": false,
		"How long may a request header of postgres be?":                     false,
		"How long may a request header of Kerberos be?":                     true,
	} {
		d := newDesk(question, map[string]string{"doc:p.md": page})
		d.unread = "None of the 1 documents holds: Kerberos, tickets, postgres.\n"
		d.run(t, 60)
		first, _, _ := strings.Cut(d.files["report.md"], "{#abstract}")
		assert.Equal(t, missing, strings.Contains(first, "No document holds"), first)
	}
}

// An entry of a list of changes is quoted with its version, and a section of a manual without that above it.
func TestAHeadingBelowAVersionIsShownWithIt(t *testing.T) {
	report := reportOn(t, "Which data corruption of the store was fixed?",
		"Changes\n# Changes\n\n## v1.4.3(2025-08-19)\n\n### Fixed\n\n- Fix [a data corruption of the store "+
			"when it is copied meanwhile](https://store.test/pull/1058)\n\n## 7.2. Copies\n\n"+
			"### Fixed data\n\n"+
			"Data of the store that is fixed can be copied without corruption.\n")
	assert.Contains(t, report, "### v1.4.3(2025-08-19) › Fixed · Changes\n\n> “Fix a data corruption of the "+
		"store when it is copied meanwhile”")
	assert.Contains(t, report, "### Fixed data · Changes\n", "control: the number of a section is no version")
}
