package mcpserver

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gohone/hone/internal/program/subject"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/sys/git"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/view/page"
	"github.com/gohone/hone/internal/view/stored"
)

// load are the arguments that run and compare share.
type loadArguments struct {
	Args        []string `json:"args,omitempty" jsonschema:"arguments of the program; {port} in them is a free port"`
	Target      string   `json:"target,omitempty" jsonschema:"URL to load, such as http://127.0.0.1:{port}/items; without it hone finds the port and the protocol"`
	Connections int      `json:"connections,omitempty" jsonschema:"connections held open; 10 without"`
	Rate        float64  `json:"rate,omitempty" jsonschema:"requests per second (open loop); without it each connection sends its next request after an answer"`
	WaitSeconds *float64 `json:"wait_seconds,omitempty" jsonschema:"how long to wait for the result, 0 to 600; 30 without. The measurement goes on after that: status"`
}

// flags are the arguments as flags of hone.
func (l loadArguments) flags() ([]string, error) {
	if err := target(l.Target); err != nil {
		return nil, err
	}
	if err := programArgs(l.Args); err != nil {
		return nil, err
	}
	var flags []string
	if l.Target != "" {
		flags = append(flags, "--target="+l.Target)
	}
	if l.Connections != 0 {
		flags = append(flags, "--connections="+strconv.Itoa(l.Connections))
	}
	if l.Rate != 0 {
		flags = append(flags, "--rate="+strconv.FormatFloat(l.Rate, 'f', -1, 64))
	}
	return flags, nil
}

// seconds checks a number of seconds and writes it as a duration.
func seconds(what string, s, most float64) (string, error) {
	if !(s > 0 && s <= most) {
		return "", refuse("give less", "%s is %g, want more than 0 and at most %g", what, s, most)
	}
	return strconv.FormatFloat(s, 'f', -1, 64) + "s", nil
}

type runArguments struct {
	Package string `json:"package,omitempty" jsonschema:"package main in the folder: ./cmd/server; without, what hone.yaml measures, if its user trusts it"`
	loadArguments
	DurationSeconds float64 `json:"duration_seconds,omitempty" jsonschema:"timed load, at most 600; 10 without"`
}

func (s *Server) run(ctx context.Context, r *mcp.CallToolRequest, in runArguments) (string, Facts, error) {
	flags, err := in.flags()
	if err != nil {
		return "", Facts{}, err
	}
	args := append([]string{"run", "--json"}, flags...)
	if in.DurationSeconds != 0 {
		length, err := seconds("duration_seconds", in.DurationSeconds, 600)
		if err != nil {
			return "", Facts{}, err
		}
		args = append(args, "--duration="+length)
	}
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
	Package string `json:"package" jsonschema:"package main in the folder, side B: ./cmd/server. With bench=true a package or a pattern: ./..."`
	Base    string `json:"base,omitempty" jsonschema:"git ref of side A: main, v1.2.0, HEAD~1; HEAD without"`
	// Against compares two packages of the working tree.
	Against string   `json:"against,omitempty" jsonschema:"another package of the working tree as side A, instead of base"`
	ArgsA   []string `json:"args_a,omitempty" jsonschema:"arguments of side A alone; args are for both"`
	ArgsB   []string `json:"args_b,omitempty" jsonschema:"arguments of side B alone"`
	loadArguments
	Bench         bool     `json:"bench,omitempty" jsonschema:"compare the benchmarks of go test instead of a service"`
	Benchmarks    string   `json:"benchmarks,omitempty" jsonschema:"with bench: regular expression of the benchmarks, as for go test -bench"`
	Gates         []string `json:"gates,omitempty" jsonschema:"limits on the change from A to B: cpu<+2%, p99<+5%, allocs<=0; with bench: time<+5%"`
	BudgetSeconds float64  `json:"budget_seconds,omitempty" jsonschema:"time limit of the measurement, at most 1800; 60 without. It ends earlier if it can"`
}

func (s *Server) compare(ctx context.Context, r *mcp.CallToolRequest, in compareArguments) (string, Facts, error) {
	args, err := s.compareCommand(ctx, in)
	if err != nil {
		return "", Facts{}, err
	}
	return s.measure(ctx, r, in.WaitSeconds, args)
}

// compareCommand is the command line of a comparison.
func (s *Server) compareCommand(ctx context.Context, in compareArguments) ([]string, error) {
	b, err := s.packageIn(in.Package, in.Bench, true)
	if err != nil {
		return nil, err
	}
	flags, err := in.flags()
	if err != nil {
		return nil, err
	}
	for _, g := range in.Gates {
		if err := plain("gate", g); err != nil {
			return nil, err
		}
		flags = append(flags, "--gate="+g)
	}
	if in.BudgetSeconds != 0 {
		budget, err := seconds("budget_seconds", in.BudgetSeconds, 1800)
		if err != nil {
			return nil, err
		}
		flags = append(flags, "--budget="+budget)
	}
	base := in.Base
	if base == "" {
		base = "HEAD"
	}
	if err := ref(base); err != nil {
		return nil, err
	}
	commit := ""
	if in.Against == "" { // a name that is not a ref could be that of a directory, which may lead out of the folder
		if commit, err = git.FindCommit(ctx, s.Folder, base); err != nil {
			return nil, err
		}
	}
	if err := programArgs(append(in.ArgsA, in.ArgsB...)); err != nil {
		return nil, err
	}
	if in.Bench {
		if in.Target != "" || in.Connections != 0 || in.Rate != 0 || in.Against != "" || len(in.ArgsA)+len(in.ArgsB)+len(in.Args) > 0 {
			return nil, refuse("leave them out, or leave out bench", "target, connections, rate, against and arguments of programs are not for benchmarks")
		}
		if in.Benchmarks != "" {
			flags = append(flags, "--bench="+in.Benchmarks)
		}
		return append(append([]string{"bench", "--json", "--vs=" + commit}, flags...), b), nil
	}
	if in.Benchmarks != "" {
		return nil, refuse("add bench=true", "benchmarks is given without bench")
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
	args = append(args, subject.JoinCommand(append([]string{a}, in.ArgsA...)), subject.JoinCommand(append([]string{b}, in.ArgsB...)))
	if len(in.Args) > 0 {
		args = append(append(args, "--"), in.Args...)
	}
	return args, nil
}

// waiting is how long run and compare wait for their result without being told.
const waiting = 30 * time.Second

// measure begins a measurement and waits for it. A call that is cancelled stops it.
func (s *Server) measure(ctx context.Context, r *mcp.CallToolRequest, wait *float64, args []string) (string, Facts, error) {
	most := waiting
	if wait != nil {
		if !(*wait >= 0 && *wait <= 600) {
			return "", Facts{}, refuse("status waits again", "wait_seconds is %g, want 0 to 600", *wait)
		}
		most = time.Duration(*wait * float64(time.Second))
	}
	m, err := s.start(args)
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
		_ = r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Message: line, Progress: float64(said)}) // it is only told
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
		f.State, f.Next = "running", []string{"status measurement=" + m.name + " wait_seconds=60", "status measurement=" + m.name + " stop=true"}
		lines, _ := m.news(5)
		return fmt.Sprintf("%s has been running for %.0f s: %s\n%s", m.name, time.Since(m.started).Seconds(), printable.Line(m.what), heard(lines)), f, nil
	}
	if m.broken != nil {
		return "", f, fail.New(fail.Environment, "wait for hone: %w", m.broken)
	}
	f.ExitCode, f.Meaning, f.ID = &m.code, fail.Kind(m.code).Meaning(), m.id()
	messages, _ := m.news(20)
	if f.ID == "" {
		f.State, f.Next = "failed", []string{"history"}
		for _, line := range messages {
			if text, ok := strings.CutPrefix(line, "hone: "); ok {
				f.Error, _, _ = cut(text, factBudget/4)
			}
			if text, ok := strings.CutPrefix(line, "hint: "); ok {
				f.Hint, _, _ = cut(text, factBudget/4)
			}
		}
		f.Error = cmp.Or(f.Error, f.Meaning)
		return fmt.Sprintf("%s ended after %.0f s without a result: exit code %d, %s\n%s\n%s", m.name, m.took.Seconds(), m.code, f.Meaning, printable.Line(m.what), heard(messages)), f, nil
	}
	text, err := s.describe(f.ID, &f)
	if err != nil {
		return "", f, err
	}
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

// heard are lines of a measurement's stderr in an answer. Programs write there, too: an indented line is none of the answer's own.
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
		f.check(p.Check)
		f.Verdicts, f.Gates, f.Answers = texts(p.Verdicts), texts(p.Gates), texts(p.Answers)
		if len(p.Variants) > 1 && p.Variants[1].Run != "" {
			f.Next = []string{fmt.Sprintf("diff a=%s b=%s", p.Variants[0].Run, p.Variants[1].Run), "findings run=" + p.Variants[1].Run}
		} else {
			f.Next = []string{"report id=" + found.ID}
		}
		if f.Earlier, f.Same, err = earlier(l.Stored.Ledger, found.ID); err != nil {
			return "", err
		}
		if f.Earlier > 0 {
			repeated = fmt.Sprintf("note: this is comparison %d with this base, and %d before it had the same two builds. A verdict that is chosen from several is wrong more often than its interval says.\n",
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
func (f *Facts) check(c page.Check) {
	trusted := c.Tone != page.Bad
	f.Trusted, f.Check = &trusted, append([]string{c.Text}, texts(c.Notes)...)
}

// texts are the statements as text, those that limit what can be concluded first.
func texts(statements []page.Statement) (all []string) {
	weight := map[page.Tone]int{page.Bad: -2, page.Warning: -1}
	statements = slices.SortedStableFunc(slices.Values(statements), func(a, b page.Statement) int { return weight[a.Tone] - weight[b.Tone] })
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
var files = regexp.MustCompile(`(?m)^(([A-Z]: )?(output|metrics)\b.*|.*/blobs/[0-9a-f]{2}/[0-9a-f]+|ran in: .*|evidence and what to change: .*)\n`)

// withoutFiles leaves out these lines.
func withoutFiles(text string) string { return files.ReplaceAllString(text, "") }

// searched is how many of the latest comparisons are searched for those with the same base.
const searched = 200

// earlier counts the comparisons before one whose packages and whose commit of side A were the same, whatever else was changed
// meanwhile; same are those of them whose builds and plan were the same, too. Of benchmarks no builds are known.
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
