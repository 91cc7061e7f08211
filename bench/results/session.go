package results

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/bench/honecli"
	"github.com/gohone/hone/bench/side"
)

// Session says where and how what follows it was measured.
type Session struct {
	Schema  string   `json:"schema"`
	Hone    string   `json:"hone"` // what hone version prints
	Machine []string `json:"machine"`
	Command string   `json:"command"`
}

// NewSession is a session on this machine.
func NewSession(schema, hone, command string) *Session {
	return &Session{Schema: schema, Hone: hone, Machine: side.Machine(), Command: command}
}

// Begin is the session of a benchmark that begins now, by its directory's name and the arguments
// of this process.
func Begin(ctx context.Context, hone honecli.Hone, schema, name string) (*Session, error) {
	version, err := hone.Version(ctx)
	if err != nil {
		return nil, fmt.Errorf("ask hone for its version: %w", err)
	}
	return NewSession(schema, version, strings.Join(append([]string{"go run ./" + name}, os.Args[1:]...), " ")), nil
}

// SameMachine says whether both sessions were on the same kind of machine, with the same Go. No
// session, nil, was on none.
func (s *Session) SameMachine(t *Session) bool {
	return s != nil && t != nil && slices.Equal(stable(s.Machine), stable(t.Machine))
}

// Moment is how documents write t.
func Moment(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 UTC") }

// Origin writes when, where, and by which commands the records came about.
func Origin[R Record](w io.Writer, records []R) {
	var last *Session
	fmt.Fprintln(w, "```")
	for _, r := range records {
		at, s := r.Head()
		if s == nil {
			continue
		}
		if !s.SameMachine(last) {
			fmt.Fprintln(w, strings.Join(stable(s.Machine), "\n"))
		}
		if last == nil || last.Hone != s.Hone {
			fmt.Fprintf(w, "version   %s\n", s.Hone)
		}
		fmt.Fprintf(w, "session   %s  %s\n", Moment(at), s.Command)
		last = s
	}
	if last != nil {
		at, _ := records[len(records)-1].Head()
		fmt.Fprintf(w, "end       %s\n", Moment(at))
	}
	fmt.Fprintln(w, "```")
}

// stable leaves the load average out, which is another one for each session.
func stable(machine []string) []string {
	return slices.DeleteFunc(slices.Clone(machine), func(line string) bool { return strings.HasPrefix(line, "load ") })
}
