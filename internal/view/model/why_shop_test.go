package model

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/view/viewtest"
)

// Each of eight edits of the shop (testdata/whys/NAME/edit.patch) was compared with the shop as it is, under load, on a
// machine on which much else ran. The first why names what was edited.
func TestTheFirstWhyNamesTheEdit(t *testing.T) {
	const catalogue = ` in main\.\(\*shop\)\.catalogue \(.*main\.go:8[345]\)`
	for name, want := range map[string]string{
		"contains":       `regexp\.MustCompile in main\.\(\*shop\)\.search \(.*\) is gone`,
		"compile-once":   `regexp\.MustCompile in main\.\(\*shop\)\.search \(.*\) is gone`,
		"pool-gzip":      catalogue + ` takes less`,
		"keep-catalogue": catalogue + ` is gone`,
		"similar":        `main\.distance \(.*main\.go:\d+\) is new`,
		"log-line":       `fmt\.Fprintf in main\.main\.func\* \(.*main\.go:50\) is new`,
		"journal":        `main\.\(\*shop\)\.order \(.*main\.go:69\)`,
		"etag":           `main\.tag \(.*main\.go:\d+\) is new`,
	} {
		t.Run(name, func(t *testing.T) {
			c, _ := viewtest.Recorded(t, filepath.Join("testdata", "whys", name))
			lines := WhyLines(c)
			if len(lines) == 0 || !strings.HasPrefix(lines[0], "why") ||
				!regexp.MustCompile(want).MatchString(lines[0]) {
				t.Errorf("the first is not %s:\n%s", want, strings.Join(lines, "\n"))
			}
		})
	}
}

// A finding that is gone at the line whose function is gone is a part of that line: one cause has one name and one
// cost.
func TestAFindingIsAPartOfTheWhyOfItsLine(t *testing.T) {
	for _, name := range []string{"contains", "compile-once"} {
		c, _ := viewtest.Recorded(t, filepath.Join("testdata", "whys", name))
		lines := WhyLines(c)
		if !strings.HasSuffix(lines[0], "; finding gone (rule compile-per-call)") {
			t.Errorf("%s: the first is %s", name, lines[0])
		}
		if n := strings.Count(strings.Join(lines, "\n"), "compile-per-call"); n != 1 {
			t.Errorf("%s: the finding is named %d times", name, n)
		}
	}
}
