package main

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/insight/walltime"
	"github.com/gohone/hone/internal/program/pprofhttp"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/inputs"
	"github.com/gohone/hone/internal/view/report"
	"github.com/gohone/hone/prof"
)

func (a *commands) tailCommand() *cobra.Command {
	f := &spec.Spec{}
	cmd := &cobra.Command{
		Use:   "tail [RUN|ADDRESS|FILE]",
		Short: "Show where the time of typical and of slow requests goes: locks, queues, backends, collector",
		Long: `tail says what requests wait for. It shows two columns, the typical request (around p50 of latency)
and the slow one (from p99 on), and what makes the difference, by the line of your code.

  RUN      a run of hone run or hone compare, the newest if you name none: its digest of a short
           execution trace
  ADDRESS  http://host:6060 of a service that serves net/http/pprof and is under load: hone takes a
           trace of it. Latency is then what the program saw, without the network before and after
  FILE     an execution trace, of runtime/trace or of curl host:6060/debug/pprof/trace, or spans as lines of
           JSON, which the file exporter of the OpenTelemetry collector writes; gzipped or not

Of a program that hone built, it also says which statements of SQL take the time, and how often one request
calls them; of a run with --set spans, the same of the spans that the program sent.

How hone finds this, and what a trace cannot show: docs/waiting.md.`,
		Example: `  hone tail
  hone tail RUN --from p95 --slowest 3
  hone tail http://localhost:6060`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return a.tail(f, app.OrNewest(args, 1)[0]) },
	}
	app.AddOptions(cmd, spec.ForTail, f)
	return cmd
}

func (a *commands) tail(f *spec.Spec, name string) error {
	from, err := percentileOf(f.Tail.From)
	if err != nil {
		return err
	}
	if f.Tail.Slowest < 0 {
		return fail.New(fail.BadInput, "--slowest is %d, want 0 or more", f.Tail.Slowest)
	}
	byName, err := spansOfFile(a.Ctx, name, from)
	if err != nil {
		return err
	}
	if byName != nil {
		return a.printSpans(f, byName)
	}
	o := walltime.Options{From: from, Slowest: f.Tail.Slowest, Module: f.Tail.Module}
	d, of, err := a.digestOf(f, name, o)
	if errors.Is(err, errNoTrace) {
		return a.delays(f, name, err)
	}
	if err != nil {
		return err
	}
	slow := d.Cohort(walltime.SlowName)
	if slow != nil && slow.From != from { // of a run, which keeps some cohorts and not the trace
		if slow = d.Cohort(fmt.Sprintf("p%g", from)); slow == nil {
			return fail.New(fail.BadInput, "--from is %s: the run keeps %s", f.Tail.From, strings.Join(kept(d), ", "))
		}
		d.Causes, d.Outside = walltime.Causes(d.Cohort(walltime.TypicalName), slow)
	}
	d.Slowest = d.Slowest[:min(f.Tail.Slowest, len(d.Slowest))]
	doc := tailDocument{Digest: d}
	if doc.Spans, err = a.spansOfRun(f, name); err != nil {
		return err
	}
	return a.Print(f.JSON, doc, func(w io.Writer) error {
		err := report.Tail(w, d, slow, of)
		if doc.Spans != nil && err == nil {
			_, err = io.WriteString(w, "\nby the spans of the program: ")
			err = cmp.Or(err, report.Spans(w, doc.Spans))
		}
		return err
	})
}

// digestOf reads the digest of a run, with what else is known of it, or makes that of a service or a file.
func (a *commands) digestOf(f *spec.Spec, name string, o walltime.Options) (d *walltime.Digest, of report.Traced,
	err error) {
	if strings.HasPrefix(name, "http://") || strings.HasPrefix(name, "https://") {
		d, err = a.tailOfAddress(f, name, o)
		return d, of, err
	}
	file, err := inputs.Trace.Open(name)
	if err == nil {
		defer file.Close()
		from, err := unpacked(inputs.Trace, name, file)
		if err != nil {
			return nil, of, fail.New(fail.BadInput, "%s: %w", name,
				err).WithHint("the file is damaged, or was cut: take the trace again")
		}
		d, err := walltime.Read(from, o)
		if err != nil {
			return nil, of, fail.New(fail.BadInput, "%s: %w", name,
				err).WithHint("hone tail reads traces of runtime/trace: curl -o FILE host:6060/debug/pprof/trace?seconds=2")
		}
		return d, of, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, of, fail.New(fail.Or(fail.BadInput, err), "open %w", err)
	}
	return a.tailOfRun(f, name)
}

// unpacked is what stands in a file, also if that is gzipped. The bound holds for what is unpacked, too.
func unpacked(most inputs.Bound, name string, file io.Reader) (io.Reader, error) {
	in := bufio.NewReader(file)
	if magic, err := in.Peek(2); err != nil || string(magic) != "\x1f\x8b" {
		return in, nil // what is shorter is refused by who reads it
	}
	z, err := gzip.NewReader(in)
	if err != nil {
		return nil, fmt.Errorf("unpack: %w", err)
	}
	return most.Reader(name, z), nil
}

func (a *commands) tailOfRun(f *spec.Spec, name string) (d *walltime.Digest, of report.Traced, err error) {
	l, err := a.ReadLedger(f.Ledger)
	if err != nil {
		return nil, of, err
	}
	defer l.Close()
	lib := a.Library(l).Stored
	r, err := lib.Run(name)
	if err != nil {
		return nil, of, err
	}
	d, err = lib.Waits(r.Row.ID)
	if err == nil && d == nil {
		err = fail.New(fail.BadInput, "run %s: %w", r.Row.ID, errNoTrace).WithHint("%s", app.WhyNone(prof.WaitKind))
	}
	if err != nil {
		return nil, of, err
	}
	of.Load = r.Record.Latency
	of.Found, _ = lib.Findings(r.Row.ID) // where they cannot be found, hone advise says why
	return d, of, nil
}

var errNoTrace = errors.New("it has no trace")

// mostDelays is how many places of each profile delays shows.
const mostDelays = 5

// delays shows what the profiles of blocking say of a run that has no trace; noTrace is the error of
// one that has neither.
func (a *commands) delays(f *spec.Spec, name string, noTrace error) error {
	p, err := a.OpenProfiles(f, name, "mutex", "block")
	if err != nil {
		return err
	}
	doc := report.Delays{Schema: "hone.delays/1", Run: p.Record.ID}
	for kind, to := range map[string]*[]prof.Cost{"mutex": &doc.Holders, "block": &doc.Waiters} {
		for _, c := range p.Captures[kind] {
			if *to, err = prof.Hot(c, prof.CostOptions{Module: p.Record.Binary.Module}, math.MaxInt); err != nil {
				continue // nothing was delayed meanwhile
			}
			*to = slices.DeleteFunc(*to, func(c prof.Cost) bool { return c.Function == "" })
			*to = (*to)[:min(mostDelays, len(*to))]
		}
	}
	if len(doc.Holders)+len(doc.Waiters) == 0 {
		return noTrace
	}
	return a.Print(f.JSON, doc, func(w io.Writer) error { return report.WriteDelays(w, doc) })
}

// tailOfAddress takes a trace of a service, with the samples of a CPU profile in it, which tell what
// ran. A service whose CPU profile is being taken is traced without them.
func (a *commands) tailOfAddress(f *spec.Spec, address string, o walltime.Options) (d *walltime.Digest, err error) {
	if !(f.Tail.Seconds >= 1 && f.Tail.Seconds <= 60) {
		return nil, fail.New(fail.BadInput, "--seconds is %v, want 1 to 60", f.Tail.Seconds)
	}
	service, err := pprofhttp.New(address)
	if err != nil {
		return nil, err
	}
	length := time.Duration(f.Tail.Seconds * float64(time.Second))
	progress := a.Progress(f.Quiet)
	progress.Phase("trace "+service.Address(), length)
	ctx, stop := context.WithCancel(a.Ctx)
	sampled := make(chan struct{})
	go func() {
		defer close(sampled)
		_, _ = service.Profile(ctx, "cpu", length) // its samples are in the trace
	}()
	err = service.Trace(ctx, length, func(r io.Reader) (err error) {
		d, err = walltime.Read(r, o)
		return err
	})
	stop()
	<-sampled
	progress.Clear()
	return d, err
}

// percentileOf reads "p99", "99" or "p99.9".
func percentileOf(text string) (float64, error) {
	p, err := strconv.ParseFloat(strings.TrimPrefix(text, "p"), 64)
	if err != nil || !(p >= 55 && p < 100) {
		return 0, fail.New(fail.BadInput, "--from is %q, want a percentile as p95, from p55 on and below p100", text)
	}
	return p, nil
}

// kept are the percentiles from which on a run keeps slow requests.
func kept(d *walltime.Digest) (all []string) {
	for _, c := range d.Cohorts {
		if c.Name != walltime.TypicalName {
			all = append(all, fmt.Sprintf("p%g", c.From))
		}
	}
	return all
}
