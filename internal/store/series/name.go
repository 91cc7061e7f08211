package series

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strconv"
	"strings"

	"github.com/gohone/hone/internal/text/fail"
)

const (
	// suffix ends the names of files with points.
	suffix = ".jsonl"
	// reportsDir is the folder of the reports, beside those files.
	reportsDir = "reports"
)

// baseName is the name of the files that points of a branch, a subject and a month are in, without its end. A point is
// only looked for in the file of its month: who adds one needs no other file.
//
// Branch and subject are a stranger's texts: what is readable of them is kept, in lower case, since some file systems do
// not tell apart what differs by case; a hash of all of it keeps different ones apart.
func baseName(p Point) string {
	sum := sha256.Sum256([]byte(p.Branch + "\x00" + p.Subject))
	return readable(p.Branch) + "." + readable(p.Subject) + "-" + hex.EncodeToString(sum[:])[:10] + "." +
		p.At.UTC().Format("2006-01")
}

// readable is a text as part of the name of a file: at most 40 letters and digits, and minus signs for all else.
func readable(text string) string {
	var b strings.Builder
	dash := true // none at the beginning
	for _, c := range strings.ToLower(text) {
		switch {
		case b.Len() == 40:
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9':
			b.WriteRune(c)
			dash = false
		case !dash:
			b.WriteByte('-')
			dash = true
		}
	}
	return strings.TrimSuffix(b.String(), "-")
}

// segmentName is the nth file of a base name, from 1: base.jsonl, base.2.jsonl, ...
func segmentName(base string, n int) string {
	if n == 1 {
		return base + suffix
	}
	return base + "." + strconv.Itoa(n) + suffix
}

// splitSegment takes such a name apart. Other names with the suffix are bases of their own.
func splitSegment(name string) (base string, n int) {
	base = strings.TrimSuffix(name, suffix)
	if i := strings.LastIndexByte(base, '.'); i > 0 {
		if n, err := strconv.Atoi(base[i+1:]); err == nil && n > 1 && segmentName(base[:i], n) == name {
			return base[:i], n
		}
	}
	return base, 1
}

// plainReport is what the name of a report may be: no path, and nothing hidden.
var plainReport = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$`)

// checkReport refuses the name of a report that is not plain.
func checkReport(name string) error {
	if plainReport.MatchString(name) {
		return nil
	}
	return fail.New(fail.BadInput, "%s is no name of a report", quoted(name)).
		WithHint("the point that names it was edited: names have letters, digits, dots and minus signs")
}

// ReportName is the name of a report by its content, so that no two reports have the same: BEGINNING-HASH.EXTENSION.
// The beginning, such as the hash of a commit, is for readers.
func ReportName(beginning string, content []byte, extension string) string {
	sum := sha256.Sum256(content)
	name := hex.EncodeToString(sum[:])[:16] + "." + extension
	if b := readable(beginning); b != "" {
		name = b + "-" + name
	}
	return name
}
