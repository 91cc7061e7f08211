package needs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/program/subject"
	"github.com/gohone/hone/internal/program/templates"
	"github.com/gohone/hone/internal/text/fail"
)

// Options say how needs are started. Guard must be set.
type Options struct {
	// Guard, CPUs and Grace are as in subject.StartOptions.
	Guard []string
	CPUs  []int
	Grace time.Duration
	// Dir is where a need without a directory of its own runs.
	Dir string
	// TempDir is where the directories for {dir} and {socket} are made.
	TempDir string
	// Names are the templates of needs that run already.
	Names map[string]string
	// Say, if not nil, hears of each need before it is started.
	Say func(n Need)
}

// Set are needs that run. Its methods may be called from several goroutines. Stop must be called in the end.
type Set struct {
	names   map[string]string
	members []*member
	ended   chan struct{} // closed when a member has ended, by itself or by Stop
	once    sync.Once
}

type member struct {
	Need
	process *subject.Process
}

// Start starts needs one after the other, each when the one before is ready. On an error none is left. The error is
// a *fail.Error: of kind Subject with the end of what the need wrote, BadInput for a bad option, Interrupted when ctx
// has ended.
func Start(ctx context.Context, all []Need, o Options) (*Set, error) {
	s := &Set{names: map[string]string{}, ended: make(chan struct{})}
	maps.Copy(s.names, o.Names)
	for _, n := range all {
		if o.Say != nil {
			o.Say(n)
		}
		p, err := s.start(ctx, n, o)
		if err != nil {
			_, stopped := s.Stop(ctx)
			return nil, errors.Join(err, stopped)
		}
		s.members = append(s.members, &member{n, p})
		go func() { // it ends with the process, which Stop ends
			<-p.Done()
			s.once.Do(func() { close(s.ended) })
		}()
		s.name(n, p)
	}
	return s, nil
}

func (s *Set) start(ctx context.Context, n Need, o Options) (*subject.Process, error) {
	path, err := find(n, cmp.Or(n.Dir, o.Dir))
	if err != nil {
		return nil, err
	}
	options := subject.StartOptions{
		Guard: o.Guard, Grace: o.Grace, Dir: cmp.Or(n.Dir, o.Dir), DataDir: o.TempDir,
		Names: maps.Clone(s.names), Name: "need " + n.Name,
		Resources: subject.Resources{CPUs: o.CPUs},
		Readiness: subject.Readiness{ReadyTimeout: cmp.Or(n.ReadyTimeout, DefaultReadyTimeout)},
	}
	switch {
	case n.Ready != "":
		if options.Ready, err = subject.ParseReady(n.Ready); err != nil {
			return nil, err
		}
		options.NoTarget = true
	case n.holds(templates.Port):
		options.Target = "localhost:" + templates.Port
	case n.holds(templates.Socket):
		options.Network, options.Target = "unix", templates.Socket
	}
	return subject.Start(ctx, &build.Binary{
		Path: path, Variant: build.Variant{Name: n.Name, Args: n.Command[1:], Env: n.Env},
	}, options)
}

// find looks a command up in PATH, or with a / in it from dir.
func find(n Need, dir string) (string, error) {
	word := n.Command[0]
	if strings.Contains(word, "/") && !filepath.IsAbs(word) {
		word = filepath.Join(dir, word)
	}
	path, err := exec.LookPath(word)
	if err != nil {
		return "", fail.New(fail.Environment, "need %s: there is no command %q: %w", n.Name, n.Command[0], err).
			WithHint("install it; it is looked for in PATH, or with a / in it from %s; for a shell write sh -c '...'",
				dir)
	}
	return path, nil
}

// name gives the values of a need's templates to those that come later.
func (s *Set) name(n Need, p *subject.Process) {
	for template, value := range p.Templates() {
		s.names["{"+n.Name+"."+strings.Trim(template, "{}")+"}"] = value
	}
}

// Names are what templates such as {db.port} stand for, those of the options among them.
func (s *Set) Names() map[string]string {
	if s == nil {
		return nil
	}
	return s.names
}

// Ended is closed when one of them has ended, by itself or by Stop.
func (s *Set) Ended() <-chan struct{} { return s.ended }

// Died is the error for a need that has ended by itself, with the end of what it wrote; nil while all live.
func (s *Set) Died() error {
	if s == nil {
		return nil
	}
	for _, m := range s.members {
		select {
		case <-m.process.Done():
			if err := m.process.Exit(); err != nil {
				return err
			}
		default:
		}
	}
	return nil
}

// CPU is what each of them has used since its start, in their order, children included. known reads only the
// processes that were seen before, which is quick.
func (s *Set) CPU(known bool) []time.Duration {
	if s == nil {
		return nil
	}
	all := make([]time.Duration, len(s.members))
	for i, m := range s.members {
		read := m.process.Counters
		if known {
			read = m.process.KnownCounters
		}
		c, _ := read() // beside an error it is the last reading
		all[i] = c.AllCPU()
	}
	return all
}

// Facts are what documents say of a need.
type Facts struct {
	Need
	// PID is its main process, that of the latest start.
	PID int `json:"pid,omitempty"`
	// Starts is how often it was started.
	Starts int `json:"starts,omitempty"`
	// CPU is what it used during the timed slices, PeakRSS its largest resident set in bytes.
	CPU     time.Duration `json:"cpu_ns"`
	PeakRSS int64         `json:"peak_rss_bytes,omitempty"`
}

// Facts are those of each need, with the CPU time of all of its life so far.
func (s *Set) Facts() []Facts {
	if s == nil {
		return nil
	}
	all := make([]Facts, len(s.members))
	for i, m := range s.members {
		u, _ := m.process.Usage()
		all[i] = Facts{Need: m.Need, PID: m.process.PID(), Starts: 1, CPU: u.AllCPU(), PeakRSS: u.PeakRSS}
	}
	return all
}

// Stop ends all of them, the last one first. A further call changes nothing. The warnings are sentences for the user.
func (s *Set) Stop(ctx context.Context) (warnings []string, err error) {
	if s == nil {
		return nil, nil
	}
	var faults []error
	for i := len(s.members) - 1; i >= 0; i-- {
		m := s.members[i]
		report, err := m.process.Stop(ctx)
		if w := report.Warning(); w != "" {
			warnings = append(warnings, fmt.Sprintf("need %s %s", m.Name, w))
		}
		faults = append(faults, err)
	}
	return warnings, errors.Join(faults...)
}
