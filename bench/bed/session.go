package bed

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/bench/proc"
	"github.com/gohone/hone/internal/sys/machine"
)

// Taken says where and how figures came about.
type Taken struct {
	Date    string `json:"date"`   // 2006-01-02, or 2006-01-02 15:04 UTC
	Commit  string `json:"commit"` // of hone, with "and changes" where its files were not those of the commit
	Machine string `json:"machine"`
	Go      string `json:"go"`
	Command string `json:"command"` // in the directory bench
}

// NotRecorded is the commit of figures that did not note it.
const NotRecorded = "not recorded"

// Here is this machine now.
func Here(ctx context.Context, command string) Taken {
	d := machine.Describe()
	kernel, _, _ := strings.Cut(d.Kernel, "-") // without what its builder added
	return Taken{
		Date: Moment(time.Now()), Commit: commit(ctx), Go: d.GoVersion, Command: command,
		Machine: fmt.Sprintf("%s, %d CPUs, %s/%s, kernel %s", d.CPUModel, d.CPUs, d.OS, d.Arch, kernel),
	}
}

// commit is that of the repository around this directory.
func commit(ctx context.Context) string {
	git := func(args ...string) (string, error) {
		d, err := proc.Run(ctx, -1, proc.Command{Program: "git", Args: args})
		return strings.TrimSpace(string(d.Stdout)), err
	}
	name, err := git("rev-parse", "--short=12", "HEAD")
	if err != nil {
		return NotRecorded
	}
	// Results are written while others come about.
	if changed, err := git("status", "--porcelain", "--untracked-files=no", "--", ":/", ":(top,exclude)bench/results",
		":(top,exclude)docs/measured.md", ":(top,exclude)README.md", ":(top,exclude)README.zh-CN.md"); err != nil || changed != "" {
		name += " and changes"
	}
	return name
}

// busy is the load average, by which a reader sees what else the machine did.
func busy() string {
	text, _ := os.ReadFile("/proc/loadavg")
	return strings.TrimSpace(string(text))
}

// Session says where and how what follows it in a journal was measured.
type Session struct {
	Schema  string   `json:"schema"`
	Hone    string   `json:"hone"` // what hone version prints
	Commit  string   `json:"commit,omitempty"`
	Machine []string `json:"machine"`
	Command string   `json:"command"`
}

// Session is the one that begins now.
func (b *Bed) Session(ctx context.Context, schema string) (*Session, error) {
	version, err := b.Hone.Version(ctx)
	if err != nil {
		return nil, fmt.Errorf("ask hone for its version: %w", err)
	}
	t := b.Taken
	return &Session{
		Schema: schema, Hone: version, Commit: t.Commit, Command: t.Command,
		Machine: []string{"machine   " + t.Machine, "load      " + busy(), "go        " + t.Go},
	}, nil
}

// SameMachine says whether both sessions were on the same kind of machine, with the same Go. No
// session, nil, was on none.
func (s *Session) SameMachine(t *Session) bool {
	return s != nil && t != nil && slices.Equal(stable(s.Machine), stable(t.Machine))
}

// stable leaves the load average out, which is another one for each session.
func stable(machine []string) []string {
	return slices.DeleteFunc(slices.Clone(machine), func(line string) bool { return strings.HasPrefix(line, "load ") })
}

// Same says whether a session only goes on where t was interrupted.
func (s *Session) Same(t *Session) bool {
	return s.SameMachine(t) && s.Command == t.Command && s.Hone == t.Hone && s.Commit == t.Commit
}

// Moment is how results have t.
func Moment(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 UTC") }

// Origin has when, where (on all machines), and by which commands the records came about.
func Origin[R Record](r *Result, records []R) {
	t := r.Table("Sessions", "begin", "command", "commit", "version", "machine")
	var last *Session
	r.Machine = ""
	for _, record := range records {
		e := record.Head()
		s := e.Session
		if s == nil || s.Same(last) {
			continue
		}
		taken := s.taken(e.At)
		t.Row(taken.Date, taken.Command, taken.Commit, s.Hone, taken.Machine+", "+taken.Go)
		if strings.Contains(r.Machine, taken.Machine) {
			taken.Machine = r.Machine
		} else if r.Machine != "" {
			taken.Machine = r.Machine + "; " + taken.Machine
		}
		r.Taken, last = taken, s
	}
	if last != nil {
		t.Say("The last result is of %s.", Moment(records[len(records)-1].Head().At))
	}
}

func (s *Session) taken(at time.Time) Taken {
	t := Taken{Date: Moment(at), Commit: s.Commit, Command: s.Command}
	if t.Commit == "" {
		t.Commit = NotRecorded
	}
	for _, line := range s.Machine {
		key, value, _ := strings.Cut(line, " ")
		switch key {
		case "machine":
			t.Machine = strings.TrimSpace(value)
		case "go":
			t.Go = strings.TrimSpace(value)
		}
	}
	return t
}
