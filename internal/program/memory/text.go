package memory

import (
	"fmt"
	"io"
	"strings"

	"github.com/gohone/hone/internal/sys/cgroup"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/text/units"
)

// WriteText writes the account: a line for each part, and below it what would make it smaller.
func (a *Account) WriteText(w io.Writer) error {
	share := func(n uint64) string { return units.Share(float64(n) / float64(a.all())) }
	if a.Resident > 0 {
		fmt.Fprintf(w, "resident (RSS): %s\n", size(a.Resident))
	}
	for _, p := range a.Parts {
		fmt.Fprintf(w, "%9s  %5s  %s", size(p.Bytes), share(p.Bytes), printable.Line(p.Name))
		if text := pieces(p.Of); text != "" {
			fmt.Fprintf(w, ": %s", text)
		}
		fmt.Fprintln(w)
		if p.Shrink != "" {
			fmt.Fprintf(w, "%18s %s\n", "", printable.Line(p.Shrink))
		}
	}
	if a.Resident > 0 {
		fmt.Fprintf(w, "%9s  %5s  not accounted for\n", size(a.Unaccounted), share(a.Unaccounted))
	}
	for _, line := range a.Beside() {
		fmt.Fprintln(w, line)
	}
	for _, m := range a.Missing {
		fmt.Fprintf(w, "note: not told: %s\n", printable.Line(m))
	}
	return nil
}

// pieces lists those of a part where it has several.
func pieces(of []Piece) string {
	if len(of) < 2 {
		return ""
	}
	var all []string
	for _, p := range of {
		all = append(all, p.Name+" "+size(p.Bytes))
	}
	return printable.Line(strings.Join(all, ", "))
}

// Beside are lines about memory that is not resident memory of the process, and about what the OOM killer counts.
func (a *Account) Beside() (lines []string) {
	say := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	if a.Largest != "" {
		say("most of what may go is: %s", printable.Line(a.Largest))
	}
	if a.Untouched > 0 && a.Untouched*20 > a.Resident {
		say("not resident: %s of the Go heap are mapped and were never written", size(a.Untouched))
	}
	if a.Swapped > 0 {
		say("swapped out: %s", size(a.Swapped))
	}
	if c := a.Cached; c != nil && c.Bytes >= leastBytes {
		say("page cache of its open files: %s (largest: %s)%s. It is charged to the control group; the kernel drops it when memory "+
			"is short. To keep it small: posix_fadvise(DONTNEED) on what was written, or smaller files",
			size(c.Bytes), printable.Line(largest(Part{Of: c.Of})), dirty(c.Dirty))
	}
	if a.Group != nil {
		lines = append(lines, ofGroup(*a.Group))
	}
	return lines
}

func dirty(n uint64) string {
	if n < leastBytes {
		return ""
	}
	return fmt.Sprintf(", %s to be written to disk first", size(n))
}

// ofGroup says what a control group counts.
func ofGroup(g cgroup.Memory) string {
	bytes := func(n int64) string { return units.Bytes(float64(n)) }
	text := fmt.Sprintf("control group: %s charged", bytes(g.Charged))
	if g.Limit > 0 {
		text += " of " + bytes(g.Limit)
	} else {
		text += ", no limit"
	}
	text += fmt.Sprintf(" (processes: %d): anonymous %s, shared %s, kernel %s, page cache %s", g.Processes,
		bytes(g.Anonymous), bytes(g.Shared), bytes(g.Kernel), bytes(g.Cached))
	text += fmt.Sprintf(". The OOM killer counts what cannot be dropped: %s", bytes(g.Kept()))
	if g.Limit > 0 {
		text += fmt.Sprintf(" (%s of the limit); Kubernetes counts %s, all but files that were not used lately",
			units.Share(float64(g.Kept())/float64(g.Limit)), bytes(max(0, g.Charged-g.Inactive)))
	}
	if g.OOMKills > 0 {
		text += fmt.Sprintf("; it has killed %d here", g.OOMKills)
	}
	return text
}
