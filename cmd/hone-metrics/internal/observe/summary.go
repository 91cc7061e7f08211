package observe

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/gohone/hone/internal/program/metricname"
	"github.com/gohone/hone/internal/text/printable"
)

// Summary is what hone metrics observe up tells: what was written and what to do next.
type Summary struct {
	Schema string        `json:"schema"`
	Dir    string        `json:"dir"`
	Files  []WrittenFile `json:"files"`
	// Service says what the service's dashboard and rules were made of.
	Service string `json:"service"`
	// Next are the commands that start and end the stack, in words of a shell.
	Next []string `json:"next"`
	// Pages are where to look once it runs.
	Pages []Page `json:"pages"`
}

// Page is one address to open in a browser.
type Page struct {
	Name string `json:"name"`
	URL  string `json:"url"`
}

// NewSummary returns the summary of what Write did in dir for s, whose service could not be
// scraped for the reason unread, or could (nil).
func NewSummary(dir string, s Stack, files []WrittenFile, unread error) *Summary {
	compose := "docker compose -f " + shellWord(filepath.Join(dir, "compose.yaml"))
	local := func(port int, path string) string { return fmt.Sprintf("http://127.0.0.1:%d%s", port, path) }
	return &Summary{
		Schema: "hone.observe/1", Dir: dir, Files: files, Service: s.madeOf(unread),
		Next: []string{compose + " up -d", compose + " ps", compose + " down"},
		Pages: []Page{
			{"dashboards", local(grafanaPort, "/dashboards")},
			{"targets", local(prometheusPort, "/targets")},
			{"alerts", local(prometheusPort, "/alerts")},
		},
	}
}

// madeOf says what the service's dashboard and rules are made of.
func (s Stack) madeOf(unread error) string {
	at := s.withDefaults().Service + "/metrics"
	const runtimes = "its dashboard has what every Go program shows; once it has metrics of its own, run this again " +
		"with --force"
	var left *metricname.Left
	if unread != nil && !errors.As(unread, &left) {
		return fmt.Sprintf("%s: %v: %s", at, unread, runtimes)
	}
	var parts []string
	for _, kind := range []Kind{KindCounter, KindHistogram, KindSummary, KindGauge} {
		switch n := len(own(s.Families, kind)); {
		case n == 1:
			parts = append(parts, fmt.Sprintf("1 %s", kind))
		case n > 1:
			text := fmt.Sprintf("%d %ss", n, strings.Replace(string(kind), "summary", "summarie", 1))
			if n > maxOfKind {
				text += fmt.Sprintf(" (%d of them on the dashboard)", maxOfKind)
			}
			parts = append(parts, text)
		}
	}
	if len(parts) == 0 {
		return fmt.Sprintf("%s has no metrics of the service's own: %s", at, runtimes)
	}
	text := fmt.Sprintf("%s has %s of its own, from which its dashboard and rules are made", at,
		strings.Join(parts, ", "))
	if left != nil {
		text += "; " + left.Error()
	}
	return text
}

// WriteText prints s for a person.
func (s *Summary) WriteText(w io.Writer) error {
	s = printable.Document(s)
	var b strings.Builder
	for _, f := range s.Files {
		fmt.Fprintf(&b, "%-9s  %s", f.Action, filepath.Join(s.Dir, f.Name))
		if f.Backup != "" {
			fmt.Fprintf(&b, "  (yours is %s)", filepath.Join(s.Dir, f.Backup))
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "\nservice: %s\n", s.Service)
	fmt.Fprintf(&b, "\nstart:  %s\nlook:   %s\nend:    %s\n\n", s.Next[0], s.Next[1], s.Next[2])
	for _, p := range s.Pages {
		fmt.Fprintf(&b, "%-10s  %s\n", p.Name, p.URL)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// shellWord quotes text for a shell where it has to be.
func shellWord(text string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' ||
			strings.ContainsRune("/._-+=:@%,", r)
	}
	if text != "" && strings.IndexFunc(text, func(r rune) bool { return !plain(r) }) < 0 {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
