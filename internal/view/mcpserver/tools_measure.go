package mcpserver

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/text/shellwords"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/internal/view/stored"
)

// startArguments are the arguments that run, compare and bisect share, besides the options of hone.
type startArguments struct {
	Args        []string `json:"args,omitempty" jsonschema:"arguments of the program (messages write them after --); {port} in them is a free port"`
	WaitSeconds *float64 `json:"wait_seconds,omitempty" jsonschema:"how long to wait for the result, 0 to 600; 30 without. After that: status"`
}

type runArguments struct {
	Package string `json:"package,omitempty" jsonschema:"package main: ./cmd/server; without, what hone.yaml measures, if its user trusts it"`
	startArguments
}

func (s *Server) run(ctx context.Context, r *mcp.CallToolRequest, in runArguments) (string, Facts, error) {
	if err := programArgs(in.Args); err != nil {
		return "", Facts{}, err
	}
	flags, err := options(spec.ForRun, r.Params.Arguments)
	if err != nil {
		return "", Facts{}, err
	}
	args := append([]string{"run", "--json"}, flags...)
	if in.Package != "" {
		word, err := s.packageIn(in.Package, false, true)
		if err != nil {
			return "", Facts{}, err
		}
		args = append(args, word)
	}
	if len(in.Args) > 0 {
		args = append(append(args, "--"), in.Args...)
	}
	return s.measure(ctx, r, in.WaitSeconds, args)
}

type compareArguments struct {
	Package string `json:"package" jsonschema:"side B, a package main: ./cmd/server; with bench a package or a pattern: ./..."`
	Base    string `json:"base,omitempty" jsonschema:"git ref of side A: main, v1.2.0, HEAD~1; HEAD without"`
	// Against compares two packages of the working tree.
	Against string   `json:"against,omitempty" jsonschema:"package of the working tree as side A, instead of base"`
	ArgsA   []string `json:"args_a,omitempty" jsonschema:"more arguments of side A"`
	ArgsB   []string `json:"args_b,omitempty" jsonschema:"more arguments of side B"`
	startArguments
	// Bench says that benchmarks are compared; its value is that of the option.
	Bench string `json:"bench,omitempty" jsonschema:"benchmarks instead of a service, a regular expression: . for all"`
}

func (s *Server) compare(ctx context.Context, r *mcp.CallToolRequest, in compareArguments) (string, Facts, error) {
	args, err := s.compareCommand(ctx, in, r.Params.Arguments)
	if err != nil {
		return "", Facts{}, err
	}
	return s.measure(ctx, r, in.WaitSeconds, args)
}

// compareCommand is the command line of a comparison.
func (s *Server) compareCommand(ctx context.Context, in compareArguments, arguments json.RawMessage) ([]string, error) {
	of, other := spec.ForCompare, spec.ForBench
	if in.Bench != "" {
		of, other = other, of
	}
	b, err := s.packageIn(in.Package, in.Bench != "", true)
	if err != nil {
		return nil, err
	}
	flags, err := options(of, arguments)
	if err != nil {
		return nil, err
	}
	base := in.Base
	if base == "" {
		base = "HEAD"
	}
	commit := ""
	if in.Against == "" {
		if commit, err = s.commit(ctx, base); err != nil {
			return nil, err
		}
	}
	if err := programArgs(slices.Concat(in.Args, in.ArgsA, in.ArgsB)); err != nil {
		return nil, err
	}
	if in.Bench != "" {
		if notOf(of, other, arguments) != "" || in.Against != "" || len(in.ArgsA)+len(in.ArgsB)+len(in.Args) > 0 {
			return nil, refuse("leave them out, or leave out bench",
				"target, connections, rate, against and arguments of programs are not for benchmarks")
		}
		return append(append([]string{"bench", "--json", spec.Option(of, "vs", commit)}, flags...), b), nil
	}
	a := base + ":" + b
	if in.Against != "" {
		if in.Base != "" {
			return nil, refuse("give one of them", "base and against both name side A")
		}
		if a, err = s.packageIn(in.Against, false, true); err != nil {
			return nil, err
		}
	}
	args := append([]string{"compare", "--json"}, flags...)
	args = append(args, shellwords.Join(append([]string{a}, in.ArgsA...)),
		shellwords.Join(append([]string{b}, in.ArgsB...)))
	if len(in.Args) > 0 {
		args = append(append(args, "--"), in.Args...)
	}
	return args, nil
}

// waiting is how long a tool that measures waits for its result without being told.
const waiting = 30 * time.Second

// measure begins a measurement and waits for it. A call that is cancelled stops it.
func (s *Server) measure(ctx context.Context, r *mcp.CallToolRequest, wait *float64, args []string) (string, Facts,
	error) {
	return s.measureWith(ctx, r, wait, args, "")
}

// measureWith is measure with a patch.
func (s *Server) measureWith(ctx context.Context, r *mcp.CallToolRequest, wait *float64, args []string,
	patch string) (string, Facts, error) {
	most := waiting
	if wait != nil {
		if !(*wait >= 0 && *wait <= 600) {
			return "", Facts{}, refuse("status waits again", "wait_seconds is %g, want 0 to 600", *wait)
		}
		most = time.Duration(*wait * float64(time.Second))
	}
	m, err := s.start(args, patch)
	if err != nil {
		return "", Facts{}, err
	}
	if !m.wait(ctx, most, tell(ctx, r)) && ctx.Err() != nil {
		m.stop()
	}
	return s.stateOf(m)
}

// tell sends lines of progress to a client that asked for them.
func tell(ctx context.Context, r *mcp.CallToolRequest) func(line string) {
	token := r.Params.GetProgressToken()
	said, last := 0, ""
	return func(line string) {
		if token == nil || line == last {
			return
		}
		last = line
		said++
		// it is only told
		_ = r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Message: line,
			Progress: float64(said)})
	}
}

type statusArguments struct {
	Measurement string  `json:"measurement,omitempty" jsonschema:"its name, such as m1; without, the latest"`
	WaitSeconds float64 `json:"wait_seconds,omitempty" jsonschema:"how long to wait for its end, 0 to 600"`
	Stop        bool    `json:"stop,omitempty" jsonschema:"stop it; what it has measured is kept"`
}

func (s *Server) status(ctx context.Context, r *mcp.CallToolRequest, in statusArguments) (string, Facts, error) {
	m, err := s.measured.find(in.Measurement)
	if err != nil {
		return "", Facts{}, err
	}
	if !(in.WaitSeconds >= 0 && in.WaitSeconds <= 600) {
		return "", Facts{}, refuse("call it again", "wait_seconds is %g, want 0 to 600", in.WaitSeconds)
	}
	wait := time.Duration(in.WaitSeconds * float64(time.Second))
	if in.Stop {
		m.stop()
		wait = max(wait, ending)
	}
	m.wait(ctx, wait, tell(ctx, r))
	return s.stateOf(m)
}

// stateOf says how far a measurement is, or what came of it.
func (s *Server) stateOf(m *measurement) (string, Facts, error) {
	f := Facts{Measurement: m.name}
	select {
	case <-m.done:
	default:
		f.State, f.Next = "running", []string{"status measurement=" + m.name + " wait_seconds=60",
			"status measurement=" + m.name + " stop=true"}
		lines, _ := m.news(5)
		return fmt.Sprintf("%s has been running for %.0f s: %s\n%s", m.name, time.Since(m.started).Seconds(),
			printable.Line(m.what), heard(lines)), f, nil
	}
	if m.broken != nil {
		return "", f, fail.New(fail.Environment, "wait for hone: %w", m.broken)
	}
	f.ExitCode, f.Meaning, f.ID = &m.code, fail.Kind(m.code).Meaning(), m.id()
	messages, _ := m.news(20)
	if m.patch {
		lines, _ := m.news(maxPhases)
		f.Checked = checkedOf(lines)
	}
	if f.ID == "" || fail.Kind(m.code) == fail.Subject { // else the verdict and the check say it
		f.explain(messages)
	}
	if found := m.reached(); found != nil {
		text, err := describeReach(found, &f)
		return text, f, err
	}
	if f.ID == "" {
		f.State, f.Next = "failed", []string{"history"}
		f.Error = cmp.Or(f.Error, f.Meaning)
		if m.patch {
			f.Next = []string{"try_patch patch=CHANGED"}
		}
		return fmt.Sprintf("%s ended after %.0f s without a result: exit code %d, %s\n%s\n%s", m.name, m.took.Seconds(),
			m.code, f.Meaning, printable.Line(m.what), heard(messages)), f, nil
	}
	text, err := s.describe(f.ID, &f)
	if err != nil {
		return "", f, err
	}
	f.Next = append(nextOfComparison(f, m), f.Next...)
	head := fmt.Sprintf("%s %s, exit code %d: %s\n", f.ID, f.State, m.code, f.Meaning)
	if m.code != 0 { // why stands in the last lines
		for i, line := range messages {
			if strings.HasPrefix(line, "hone: ") {
				head += heard(messages[i:]) + "\n"
				break
			}
		}
	}
	return head + text, f, nil
}

// explain takes the last error of a measurement and its hint from what it wrote to stderr. Indented lines belong to the
// message before: they are mostly the last words of the program.
func (f *Facts) explain(messages []string) {
	var said *string
	for _, line := range messages {
		if text, ok := strings.CutPrefix(line, "hone: "); ok {
			f.Error, said = text, &f.Error
		} else if text, ok := strings.CutPrefix(line, "hint: "); ok {
			f.Hint, said = text, &f.Hint
		} else if text, ok := strings.CutPrefix(line, "  "); ok && said != nil {
			*said += " " + strings.TrimSpace(text)
		} else {
			said = nil
		}
	}
	f.Error, _, _ = cut(f.Error, factBudget/4)
	f.Hint, _, _ = cut(f.Hint, factBudget/4)
}

// heard are lines of a measurement's stderr in an answer. Programs write there, too: an indented line is none of the
// answer's own.
func heard(lines []string) string { return printable.Indented("  " + strings.Join(lines, "\n")) }

// describe is what hone show prints of a run or a comparison, and its facts.
func (s *Server) describe(id string, f *Facts) (string, error) {
	l, closer, err := s.Library()
	if err != nil {
		return "", err
	}
	defer closer.Close()
	found, err := l.Stored.Ledger.Find(id)
	if err != nil {
		return "", err
	}
	f.ID = found.ID
	repeated := ""
	if found.Kind == ledger.KindRun {
		p, err := l.Run(found.ID)
		if err != nil {
			return "", err
		}
		f.State = p.Status
		f.check(p.Check)
		f.Next = []string{"findings run=" + found.ID, "top run=" + found.ID, "tail run=" + found.ID}
	} else {
		p, err := l.Comparison(found.ID)
		if err != nil {
			return "", err
		}
		f.State = p.Status
		if p.Bisect != nil {
			return s.search(l, found.ID, f)
		}
		f.check(p.Check)
		f.Verdicts, f.Answers = texts(p.Verdicts), texts(p.Answers)
		for _, g := range p.Gates {
			f.Gates = append(f.Gates, g.Text)
		}
		if len(p.Variants) > 1 && p.Variants[1].Run != "" {
			f.Next = []string{fmt.Sprintf("diff a=%s b=%s", p.Variants[0].Run, p.Variants[1].Run),
				"findings run=" + p.Variants[1].Run}
		} else {
			f.Next = []string{"report id=" + found.ID}
		}
		if f.Earlier, f.Same, err = earlier(l.Stored.Ledger, found.ID); err != nil {
			return "", err
		}
		if f.Earlier > 0 {
			repeated = fmt.Sprintf("note: this is comparison %d with this base, and %d before it had the same two builds. A "+
				"verdict that is chosen from several is wrong more often than its interval says.\n",
				f.Earlier+1, f.Same)
		}
	}
	text, err := s.Read(context.Background(), "show", found.ID)
	if err != nil {
		return "", err
	}
	return repeated + withoutFiles(withoutNext(text)), nil
}

// check sets what says whether a measurement can be trusted.
func (f *Facts) check(c model.Check) {
	trusted := c.Tone != model.Bad
	f.Trusted, f.Check = &trusted, append([]string{c.Text}, texts(c.Notes)...)
}

// texts are the statements as text, those that limit what can be concluded first.
func texts(statements []model.Statement) (all []string) {
	weight := map[model.Tone]int{model.Bad: -2, model.Warning: -1}
	statements = slices.SortedStableFunc(slices.Values(statements),
		func(a, b model.Statement) int { return weight[a.Tone] - weight[b.Tone] })
	for _, one := range statements {
		all = append(all, one.Text)
	}
	return all
}

// withoutNext leaves out the lines that name commands for people: an answer names calls.
func withoutNext(text string) string {
	var kept []string
	skipping := false
	for line := range strings.Lines(text) {
		switch {
		case strings.HasPrefix(line, "next: "):
			skipping = true
		case !strings.HasPrefix(line, " "):
			skipping = false
		}
		if !skipping {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "")
}

// files are lines of hone show about files, which the resource of the run has.
var files = regexp.MustCompile(
	`(?m)^(([A-Z]: )?(output|metrics)\b.*|.*/blobs/[0-9a-f]{2}/[0-9a-f]+|ran in: .*|evidence and what to change: .*)\n`)

// withoutFiles leaves out these lines.
func withoutFiles(text string) string { return files.ReplaceAllString(text, "") }

// searched is how many of the latest comparisons are searched for those with the same base.
const searched = 200

// earlier counts the comparisons before one whose packages and whose commit of side A were the same, whatever else was
// changed meanwhile; same are those of them whose builds and plan were the same, too. Of benchmarks no builds are
// known.
func earlier(l *ledger.Ledger, id string) (n, same int, err error) {
	comparisons, err := l.Comparisons(searched)
	if err != nil {
		return 0, 0, err
	}
	var base, builds string
	for _, c := range comparisons { // the newest first
		if base == "" && c.ID != id {
			continue
		}
		b, of, err := pairOf(l, c)
		switch {
		case err != nil:
			return 0, 0, err
		case c.ID == id:
			base, builds = b, of
		case b == base:
			n++
			if builds != "" && of == builds {
				same++
			}
		}
	}
	return n, same, nil
}

// pairOf names what a comparison compared: the packages with the commit of side A, and both builds with their plan.
func pairOf(l *ledger.Ledger, c ledger.Comparison) (base, builds string, err error) {
	for i, name := range c.Runs {
		r, err := l.Run(name)
		if err != nil {
			return "", "", err
		}
		if i == 0 {
			base = r.Commit
		}
		base += "\n" + r.Package
		builds += r.BuildID + " " + r.Plan + "\n"
	}
	if len(c.Runs) > 0 {
		return base, builds, nil
	}
	of, err := stored.ComparisonOf(c)
	if of.Bench == nil || err != nil {
		return "of comparison " + c.ID, "", nil // it ended before it had anything
	}
	bench := of.Bench
	var packages []string
	for _, b := range bench.Benchmarks {
		packages = append(packages, b.Package)
	}
	slices.Sort(packages)
	return "benchmarks\n" + bench.Sides[0].Commit + "\n" + strings.Join(slices.Compact(packages), "\n"), "", nil
}
