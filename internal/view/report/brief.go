package report

import (
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/insight/advice"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/loadtests"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/internal/view/model/loadtest"
)

// The end of a measurement in a few lines: the verdict or the main numbers, whether they can be trusted, the first
// causes, the next command. -v and hone show have the rest.

// briefRun is the end of a run under load. One that has no numbers has ended with an error, which was said.
func briefRun(b *strings.Builder, m model.Run, found *advice.Findings, line spec.Line, id string) {
	if len(m.Main) > 0 || m.Check.Tone != model.Bad {
		fmt.Fprintln(b, m.Check)
	}
	say(b, m.Short, m.Assumed)
	columns(b, m.Main)
	writeNamed(b, m.Besides, "requests")
	writeCauses(b, m.Errors)
	say(b, m.Thresholds)
	show := model.Command{Line: line.Stored("show", id), What: "all of it"}
	if found != nil && len(found.Findings) > 0 {
		if !slices.ContainsFunc(found.Findings[:min(shownFindings, len(found.Findings))], ofALine) {
			writeHottest(b, m.Hot)
		}
		for i, one := range found.Findings[:min(shownFindings, len(found.Findings))] {
			fmt.Fprintln(b, findingHead(i+1, one))
		}
		writeNamed(b, m.Besides, "holds")
		next(b, model.Command{Line: line.Stored("advise", id),
			What: "what to change: " + plural(len(found.Findings), "finding")}, show)
		return
	}
	writeHottest(b, m.Hot)
	writeNamed(b, m.Besides, "holds")
	next(b, show)
}

// ofALine says that a finding is about a line of the program, and not about all of it or its machine.
func ofALine(f advice.Finding) bool { return f.Place.Function != "" }

// writeHottest writes the most expensive site of the CPU profile.
func writeHottest(b *strings.Builder, hot []string) {
	if len(hot) > 0 {
		fmt.Fprintf(b, "hot: %s\n", hot[0])
	}
}

// writeNamed writes the rows of a name.
func writeNamed(b *strings.Builder, rows []model.Row, name string) {
	for _, row := range rows {
		if row.Name == name {
			writeRows(b, []model.Row{row})
		}
	}
}

// briefComparison is the end of a comparison: what each variant was comes after the verdict.
func briefComparison(b *strings.Builder, m *model.Comparison) {
	if m.Compared {
		say(b, m.Indicative)
		writeGates(b, m.Gates)
		say(b, m.Short.Verdicts)
		say(b, m.Short.Reach, m.Short.Open, m.Answers, []model.Statement{m.Short.Check}, m.Short.Doubts)
	} else {
		say(b, m.Short.Verdicts, m.Doubts)
	}
	for _, contest := range m.Contests {
		for _, line := range append(contest.Others(), contest.Why[:min(1, len(contest.Why))]...) {
			fmt.Fprintln(b, model.About(contest.B, len(m.Contests))+line)
		}
	}
	say(b, m.Notes)
	for _, v := range m.Variants {
		fmt.Fprintf(b, "%s: %s  %s\n", v.Letter, shortLabel(v.Label), v.Source)
	}
	for _, side := range m.Sides {
		fmt.Fprintln(b, side)
	}
	next(b, model.Command{Line: m.Show, What: "all measures, conditions and causes"})
}

// shortLabel is a label without the directories of an absolute path.
func shortLabel(label string) string {
	program, args, _ := strings.Cut(label, " ")
	if path.IsAbs(program) {
		program = path.Base(program)
	}
	return strings.TrimSpace(program + " " + args)
}

// briefLoad is the end of a load test. It has a row for each target and stage, where there are several: they are what
// was asked.
func briefLoad(b *strings.Builder, t *loadtest.LoadTest, d *loadtests.Document) {
	fmt.Fprintln(b, t.Check)
	say(b, t.Doubts, t.Notes)
	if s := d.Summary; s != nil {
		columns(b, t.Main(s))
		writeCauses(b, t.Errors)
		targetTable(b, s.Targets)
		stageTable(b, s)
		say(b, t.Thresholds)
	}
	if t.Show.Line != "" {
		next(b, model.Command{Line: t.Show.Line, What: "the whole distribution"})
	}
	fmt.Fprintf(b, "next: %s%s\n", t.Next, spec.Unset(t.Next.Line))
}

// next are the commands that go on from here.
func next(b *strings.Builder, commands ...model.Command) {
	var parts []string
	for _, c := range commands {
		parts = append(parts, c.String())
	}
	wrapped(b, "next: ", ", ", parts)
}

func writeNarrow(w io.Writer, b *strings.Builder) error {
	_, err := io.WriteString(w, Narrow(b.String()))
	return err
}

// Narrow has no line of more than width columns, but for commands, which are copied, and for single long words. It
// breaks after punctuation where there is some in the second half of a line.
func Narrow(text string) string {
	b := &strings.Builder{}
	for line := range strings.Lines(text) {
		command := strings.HasPrefix(line, "next: ")
		for indent := ""; line != ""; indent = "      " {
			head := line
			if room := width - len(indent); !command && len(line) > room+1 {
				head = line[:breakOf(line, room)]
			}
			line = line[len(head):]
			fmt.Fprintf(b, "%s%s\n", indent, strings.TrimRight(head, " \n"))
		}
	}
	return b.String()
}

// breakOf is where a line that is longer than room is broken.
func breakOf(line string, room int) int {
	at := -1
	for _, mark := range []string{", ", "; ", ": "} {
		at = max(at, strings.LastIndex(line[:room+1], mark)+1)
	}
	at = max(at, strings.LastIndex(line[:room+1], " ("))
	if at <= room/2 {
		at = strings.LastIndexByte(line[:room+1], ' ')
	}
	if at <= 0 {
		if at = strings.IndexByte(line, ' '); at <= 0 {
			return len(line)
		}
	}
	return at + 1
}
