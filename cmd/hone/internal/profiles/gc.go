package profiles

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/program/gctrace"
	"github.com/gohone/hone/internal/program/metrics"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/inputs"
	"github.com/gohone/hone/internal/view/report"
)

func (a *commands) profileGCCommand() *cobra.Command {
	f := &spec.Spec{}
	cmd := &cobra.Command{
		Use:   "gc [RUN|FILE]",
		Short: "What the garbage collector and the scheduler did over the time of a run",
		Long: `gc shows the timeline of a run: collections, their share of the CPU time, pauses, heap and
goroutines, read from runtime/metrics around each slice. For a run without the probe it shows the
cycles that GODEBUG=gctrace=1 printed; hone metrics gc shows what the program's own /metrics said. It also reads
a file with lines of gctrace (- is standard input), also a log of containers. If several
processes wrote lines, or one was started again, hone tells them apart by the names in the log
and by the numbers of their cycles.`,
		Example: `  hone profile gc
  GODEBUG=gctrace=1 ./server 2>&1 | hone profile gc -`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return a.profileGC(f, app.OrNewest(args, 1)[0]) },
	}
	app.AddOptions(cmd, spec.ForGC, f)
	return cmd
}

func (a *commands) profileGC(f *spec.Spec, name string) error {
	if name == "-" {
		return a.gcTrace(f, name, inputs.Collections.Reader("standard input", os.Stdin))
	}
	file, err := inputs.Collections.Open(name)
	if err == nil {
		defer file.Close()
		return a.gcTrace(f, name, file)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return fail.New(fail.Or(fail.BadInput, err), "open %w", err)
	}
	l, err := a.ReadLedger(f.Ledger)
	if err != nil {
		return err
	}
	defer l.Close()
	lib := a.Library(l).Stored
	r, err := lib.Run(name)
	if err != nil {
		return err
	}
	id := r.Row.ID
	t, err := lib.Timeline(id)
	if err != nil {
		return err
	}
	if t != nil {
		return a.Print(f.JSON, t, func(w io.Writer) error { return report.Timeline(w, *t, r.Record.Runtime) })
	}
	artefacts, err := l.Artefacts(id)
	if err != nil {
		return err
	}
	var output []byte
	for _, artefact := range artefacts {
		if artefact.Kind != "output" {
			continue
		}
		data, err := l.ReadArtefact(artefact)
		if err != nil {
			return err
		}
		output = append(append(output, data...), '\n')
	}
	if log, err := gctrace.Read(bytes.NewReader(output)); err == nil && len(log.Processes) == 0 {
		if file, _, err := metrics.In(f.Ledger).Open(id); err == nil {
			return errors.Join(file.Close(), fail.New(fail.BadInput, "run %s has no timeline and no line of gctrace",
				id).
				WithHint("hone metrics gc %s shows what the program's own metrics say of its collector; it is an extension that "+
					"hone --help lists", id))
		}
	}
	return a.gcTrace(f, "run "+id, bytes.NewReader(output))
}

// readTrace reads the output of a program until it ends, or the user stops hone. A read of a pipe waits for its writer,
// whatever the user does: then the goroutine ends with hone.
func (a *commands) readTrace(from io.Reader) (gctrace.Log, error) {
	type result struct {
		log gctrace.Log
		err error
	}
	read := make(chan result, 1)
	go func() {
		log, err := gctrace.Read(from)
		read <- result{log, err}
	}()
	select {
	case r := <-read:
		return r.log, r.err
	case <-a.Ctx.Done():
		return gctrace.Log{}, context.Cause(a.Ctx)
	}
}

// gcTrace shows the cycles in the output of a program, or of several.
func (a *commands) gcTrace(f *spec.Spec, name string, from io.Reader) error {
	log, err := a.readTrace(from)
	switch {
	case a.Ctx.Err() != nil:
		return err
	case err != nil:
		return fail.New(fail.Or(fail.BadInput, err), "read %s: %w", name, err)
	}
	switch {
	case len(log.Processes) == 0 && log.Damaged > 0:
		return fail.New(fail.BadInput, "%s has no whole line of gctrace: %s", name, log.Left()).
			WithHint("let the program write its other output elsewhere: ./server 2>gctrace.txt")
	case len(log.Processes) == 0:
		return fail.New(fail.BadInput, "%s has no timeline and no line of gctrace", name).
			WithHint("hone run keeps a timeline of programs that it builds with the probe; others write gctrace with --env " +
				"GODEBUG=gctrace=1")
	case f.Profile.Process < 0 || f.Profile.Process > len(log.Processes):
		return fail.New(fail.BadInput, "--process is %d, and the processes of %s are 1 to %d", f.Profile.Process, name,
			len(log.Processes))
	}
	shown := cmp.Or(f.Profile.Process, log.Largest()+1)
	return a.Print(f.JSON, gcDocument(log, shown), func(w io.Writer) error { return report.GCTrace(w, log, shown) })
}

// gcProcess is a process of a log and its summary.
type gcProcess struct {
	gctrace.Process
	Summary gctrace.Summary `json:"summary"`
}

// gcDocument is a log as JSON.
func gcDocument(log gctrace.Log, shown int) any {
	var all []gcProcess
	for _, p := range log.Processes {
		all = append(all, gcProcess{p, gctrace.Summarize(p.Cycles)})
	}
	return struct {
		Schema    string      `json:"schema"`
		Shown     int         `json:"shown"`
		Damaged   int         `json:"damaged_lines"`
		Processes []gcProcess `json:"processes"`
	}{"hone.gctrace/2", shown, log.Damaged, all}
}
