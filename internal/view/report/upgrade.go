package report

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/gohone/hone/internal/store/tuning"
	"github.com/gohone/hone/internal/sys/cgroup"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/judge"
)

// upgradeColumns are those of the table, the last one being the verdicts against the first toolchain.
var upgradeColumns = []string{"box", "toolchain", "GOMAXPROCS", "throttled", "CPU per request", "p99", "peak memory"}

// Upgrade writes what releases of Go do to a program: a table with a row for each box and release, as text or as
// Markdown. Of benchmarks the rows are for each of them and release.
func Upgrade(w io.Writer, u *tuning.Upgrade, markdown bool) error {
	u = printable.Document(u)
	b := &strings.Builder{}
	for _, m := range u.Missing {
		fmt.Fprintf(b, "note: %s is not in the table: %s\n", m.Name, m.Reason)
	}
	if len(u.Boxes)+len(u.Benchmarks) == 0 {
		return write(w, b)
	}
	header, rows := upgradeColumns, upgradeRows(u)
	if len(u.Boxes) == 0 {
		header = []string{"benchmark", "toolchain", "by " + u.Toolchains[0], "time per operation"}
		rows = upgradeBenchmarks(u)
	}
	header = append(header[:len(header):len(header)], "against "+u.Toolchains[0])
	if markdown {
		upgradeMarkdown(b, header, rows)
	} else {
		tw := leftColumns(b)
		for _, row := range append([][]string{header}, rows...) {
			fmt.Fprintln(tw, strings.Join(row, "\t"))
		}
		tw.Flush()
	}
	upgradeParts(b, u)
	upgradeNotes(b, u)
	return write(w, b)
}

func upgradeRows(u *tuning.Upgrade) (rows [][]string) {
	for _, box := range u.Boxes {
		name := cmp.Or(box.Limits.String(), wholeMachine)
		for i, r := range box.Rows {
			throttled, procs := "-", "-"
			if box.CPUs > 0 && r.CPUNanos > 0 {
				throttled = units.Share(r.Throttled)
			}
			if r.GOMAXPROCS > 0 {
				procs = fmt.Sprint(r.GOMAXPROCS)
			}
			verdict := cmp.Or(verdictsWords(r.Verdicts), string(r.Word))
			if i == 0 {
				verdict = ""
			}
			rows = append(rows, []string{name, toolchainName(r), procs, throttled, orDash(units.Nanos, r.CPUNanos),
				orDash(units.Nanos, float64(r.P99)),
				orDash(units.Bytes, float64(r.PeakRSSBytes)), verdict})
			name = ""
		}
	}
	return rows
}

func upgradeBenchmarks(u *tuning.Upgrade) (rows [][]string) {
	for _, r := range u.Benchmarks {
		row := []string{cmp.Or(r.Name, r.Package), r.Toolchain, "-", "-", r.Failure}
		if len(r.Verdicts) > 0 {
			v := r.Verdicts[0]
			row = append(row[:2], orDash(units.Nanos, v.A), orDash(units.Nanos, v.B), verdictsWords(r.Verdicts))
		}
		rows = append(rows, row)
	}
	return rows
}

// wholeMachine stands for a box without limits.
const wholeMachine = "all of the machine"

// inBox says where a program ran.
func inBox(l cgroup.Limits) string {
	if text := l.String(); text != "" {
		return "in the box of " + text
	}
	return "on " + wholeMachine
}

// toolchainName is the release, also of one that was named by where it is.
func toolchainName(r tuning.UpgradeRow) string {
	if r.GoVersion == "" || strings.HasPrefix(r.Toolchain, "go") {
		return r.Toolchain
	}
	return r.Toolchain + " (" + r.GoVersion + ")"
}

func orDash(text func(float64) string, v float64) string {
	if v == 0 {
		return "-"
	}
	return text(v)
}

// verdictsWords say what changed, and then what is the same and what is not known: CPU per request +3.1 % slower;
// same: p99 latency.
func verdictsWords(all []judge.Verdict) string {
	var changed, same, open []string
	for _, v := range all {
		row := model.MeasureOf(v)
		switch {
		case v.Word.Different():
			changed = append(changed, fmt.Sprintf("%s %s %s", row.Name, row.Change.Text, row.Word))
		case v.Word == judge.Same:
			same = append(same, row.Name)
		case v.Word == judge.NoChange:
			same = append(same, fmt.Sprintf("%s (%s)", row.Name, row.Word))
		default:
			open = append(open, row.Name)
		}
	}
	if len(same) > 0 {
		changed = append(changed, "same: "+strings.Join(same, ", "))
	}
	if len(open) > 0 {
		changed = append(changed, "undecided: "+strings.Join(open, ", "))
	}
	return strings.Join(changed, "; ")
}

// upgradeMarkdown writes a table whose cells are taken for text.
func upgradeMarkdown(b *strings.Builder, header []string, rows [][]string) {
	line := func(cells []string) {
		for _, c := range cells {
			fmt.Fprintf(b, "| %s ", inText(c))
		}
		b.WriteString("|\n")
	}
	line(header)
	b.WriteString(strings.Repeat("|---", len(header)) + "|\n")
	for _, r := range rows {
		line(r)
	}
	b.WriteString("\n")
}

// upgradeNotes say what the table does not: boxes without a verdict, doubts, what another node has, and where the rest
// is.
func upgradeNotes(b *strings.Builder, u *tuning.Upgrade) {
	said := map[string]bool{}
	say := func(text string) {
		if text != "" && !said[text] {
			said[text] = true
			fmt.Fprintf(b, "note: %s\n", text)
		}
	}
	var commands []string
	for _, box := range u.Boxes {
		if box.Failure != "" {
			say(inBox(box.Limits) + ": " + box.Failure)
		}
		if box.Outcome == nil {
			continue
		}
		for _, r := range box.Outcome.Runs {
			say(r.NodeCPUs())
		}
		if c := box.Outcome.Comparison; c != nil {
			if m := model.ComparisonOf(c, box.Outcome.Runs, model.Brief); box.Failure == "" {
				say(inBox(box.Limits) + ": " + m.Check.Text)
			}
			commands = append(commands, fmt.Sprintf("%s (%s)", box.Outcome.Runs[0].Command.Stored("show", c.ID),
				inBox(box.Limits)))
		}
	}
	if len(commands) > 0 {
		wrapped(b, "next: ", ", ", commands)
	}
}
