package finder

import (
	"fmt"
	"strings"

	"github.com/gohone/hone/internal/program/templates"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/wire/recognise"
)

// foreign is the error for a subject none of whose ports speaks HTTP: what each speaks, and
// the command that comes next.
func (f *finder) foreign(best candidate) error {
	var ports []string
	for _, c := range f.ranked() {
		ports = append(ports, f.shown(c.address())+" "+c.seen.String())
	}
	what := "no port of the program answers HTTP"
	if own, err := f.ports(); err == nil && len(own) > len(f.seen) {
		what = fmt.Sprintf(
			"the port in the program's arguments (%s) does not answer HTTP, and hone tried no other port",
			templates.Port)
	}
	err := fail.New(fail.BadInput, "%s, and --target is not given: %s", what, strings.Join(ports, "; "))
	// A port that was recognised says more than one that was silent.
	for _, c := range f.ranked() {
		if c.seen.Protocol != recognise.Silent && c.seen.Protocol != recognise.Closed &&
			c.seen.Protocol != recognise.Absent {
			best = c
			break
		}
	}
	return err.WithHint("%s", f.nextFor(best))
}

// nextFor is the next step for a port that speaks another protocol than was assumed.
func (f *finder) nextFor(c candidate) string {
	if c.at.Socket != "" {
		if c.at.Socket == f.Process.TemplateSocket() {
			c.at.Socket = templates.Socket
		}
		return f.NextStep(c.seen, c.at.Socket, f.routes().Methods)
	}
	port := templates.Port
	if ports, err := f.ports(); err != nil || len(ports) > 1 {
		port = fmt.Sprint(c.at.Port)
	}
	if p := f.Process.TemplatePort(); p != 0 && p == c.at.Port {
		port = templates.Port
	}
	return f.NextStep(c.seen, port, f.routes().Methods)
}
