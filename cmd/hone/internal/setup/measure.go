package setup

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/spec/workflows"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/shellwords"
)

// measure compares the code with itself, and chooses the limit by what that shows. hone itself does it, in the
// directory of the job.
func (s setup) measure() error {
	if s.pipeline.Jobs[0].Configured != nil && len(s.pipeline.Jobs[0].Configured.Gates) > 0 {
		return fail.New(fail.BadInput, "--measure: hone.yaml has gates, which the job takes").
			WithHint("leave --measure out; hone calibrate says which gates can pass")
	}
	dir, words := s.pipeline.Measurement(s.asked.Measure)
	program, err := os.Executable()
	if err != nil {
		return fail.New(fail.Environment, "find hone's own executable: %w", err)
	}
	fmt.Fprintf(s.Stderr, "measure what the gate can show: hone %s\n", shellwords.Join(words))
	var out bytes.Buffer
	cmd := exec.CommandContext(s.Ctx, program, words...)
	progress := &lastWords{to: s.Stderr}
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, progress
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // it ends what it started
	err = cmd.Run()
	var ended *exec.ExitError
	switch {
	case s.Ctx.Err() != nil:
		return fail.New(fail.Interrupted, "interrupted")
	case errors.As(err, &ended) && ended.ExitCode() == int(fail.Undecided): // that the code is as fast as itself
	case ended != nil:
		fmt.Fprint(s.Stderr, progress.kept.String())
		kind := fail.Kind(max(ended.ExitCode(), int(fail.Regression)))
		return fail.New(kind, "the measurement failed: its message is above").
			WithHint("repair that first: the gate would fail as well; or leave --measure out")
	case err != nil:
		return fail.New(fail.Environment, "start hone %s: %w", words[0], err)
	}
	smallest, err := smallestChanges(words[0], out.Bytes())
	if err != nil {
		return fmt.Errorf("read what hone %s printed: %w", words[0], err)
	}
	percent, ok := workflows.LimitFor(smallest)
	if !ok {
		fmt.Fprintf(s.Stderr, "this machine shows too little in %v: the limit stays %d %%, and --prove-gate says whether "+
			"the runner shows more\n", s.asked.Measure, workflows.DefaultPercent)
		return nil
	}
	fmt.Fprintf(s.Stderr, "the limit is %g %%: half of it shows here in %v\n", percent, s.asked.Measure)
	s.pipeline.Percent = percent
	return nil
}

// lastWords writes lines through, but keeps the error of hone: that equal code is undecided is what was asked for.
type lastWords struct {
	to         io.Writer
	line, kept bytes.Buffer
}

func (w *lastWords) Write(p []byte) (int, error) {
	for _, c := range p {
		w.line.WriteByte(c)
		if c != '\n' {
			continue
		}
		text := w.line.Bytes()
		to := w.to
		if bytes.HasPrefix(text, []byte("hone: ")) || bytes.HasPrefix(text, []byte("hint: ")) {
			to = &w.kept
		}
		if _, err := to.Write(text); err != nil {
			return 0, err
		}
		w.line.Reset()
	}
	return len(p), nil
}

// smallestChanges are the smallest changes that a comparison shows in four of five cases, as fractions: of the time of
// each benchmark, or of the CPU time of a service.
func smallestChanges(command string, document []byte) (all []float64, err error) {
	if command == "bench" {
		var r benchmarks.Result
		if err := json.Unmarshal(document, &r); err != nil {
			return nil, err
		}
		for _, b := range r.Benchmarks {
			for _, v := range b.Verdicts {
				if v.Measure.Key == measure.OperationTime.Key {
					all = append(all, v.Detectable)
				}
			}
		}
		return all, nil
	}
	var d app.ComparisonDocument[record.Run]
	if err := json.Unmarshal(document, &d); err != nil {
		return nil, err
	}
	if d.Comparison == nil || d.Comparison.Calibration == nil {
		return nil, nil
	}
	for _, p := range d.Comparison.Calibration.Powers {
		if p.Measure.Key == measure.CPU.Key {
			all = []float64{float64(p.Smallest)} // of the longest budget
		}
	}
	return all, nil
}
