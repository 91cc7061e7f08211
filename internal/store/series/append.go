package series

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"slices"
	"time"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/inputs"
)

// segmentBytes is when a file gets a successor. Servers refuse files of a branch that are larger than 100 MB, and a
// branch sends a whole file anew to those who do not have it.
const segmentBytes = 16 << 20

// addition is what one Append adds to one file.
type addition struct {
	file string
	// lines are whole, and each ends with a newline. There are none where all points are in the store, or where the next
	// file gets them: the file must reach the disk all the same, since the writer of the points in it may have been
	// killed before that.
	lines []byte
	// torn says that the file does not end with a newline: one must come first.
	torn bool
}

// encoded is a point as a line with its newline.
type encoded struct {
	id   string
	at   time.Time
	line []byte
}

// chunk are the points of one base name that one Append wants to add.
type chunk struct {
	base   string
	points []encoded
}

// encodeAll makes the lines of points, by base name. A point that is there twice is one.
func encodeAll(points []Point) ([]chunk, error) {
	var chunks []chunk
	seen := map[string]bool{}
	for _, p := range points {
		if reason := impossible(p); reason != "" {
			return nil, fail.New(fail.Internal, "append a point of %s: %s", quoted(p.Commit.Hash), reason)
		}
		if p.Report != "" {
			if err := checkReport(p.Report); err != nil {
				return nil, err
			}
		}
		p, line, err := encode(p)
		if err != nil {
			return nil, err
		}
		if err := inputs.SeriesLine.Over("", int64(len(line))-1); err != nil {
			return nil, err // no reader would take it
		}
		if seen[p.ID] {
			continue
		}
		seen[p.ID] = true
		base := baseName(p)
		i := slices.IndexFunc(chunks, func(c chunk) bool { return c.base == base })
		if i < 0 {
			i = len(chunks)
			chunks = append(chunks, chunk{base: base})
		}
		chunks[i].points = append(chunks[i].points, encoded{p.ID, p.At, line})
	}
	slices.SortFunc(chunks, func(a, b chunk) int { return cmp.Compare(a.base, b.base) })
	return chunks, nil
}

// plan says what to add to which files, so that all points of the chunks are in the store once. segment is after how
// many bytes a file gets a successor.
func plan(ctx context.Context, chunks []chunk, from source, segment int64) ([]addition, error) {
	files, err := from.files()
	if err != nil {
		return nil, err
	}
	sortSegments(files)
	var all []addition
	for _, c := range chunks {
		last, size, there := addition{file: segmentName(c.base, 1)}, int64(0), map[string]bool{}
		for _, f := range files {
			if base, _ := splitSegment(f); base != c.base {
				continue
			}
			last.file = f
			if size, last.torn, err = readIDs(ctx, from, f, there); err != nil {
				return nil, err
			}
		}
		var missing [][]byte
		for _, p := range c.points {
			if !there[p.id] {
				missing = append(missing, p.line)
			}
		}
		all = append(all, spread(missing, last, size, segment)...)
	}
	return all, nil
}

// spread adds lines to the last file of a series, which has a size, and to its successors where that is long enough.
func spread(lines [][]byte, last addition, size, segment int64) []addition {
	all := []addition{last}
	for _, line := range lines {
		if size >= segment {
			base, n := splitSegment(last.file)
			last, size = addition{file: segmentName(base, n+1)}, 0
			all = append(all, last)
		}
		add := &all[len(all)-1]
		add.lines = append(add.lines, line...)
		size += int64(len(line))
	}
	return all
}

// readIDs adds the IDs of the points of a file to ids, and says how long it is, and whether its last line has no end. The
// ID of an edited line does not count: the point that had it is gone.
func readIDs(ctx context.Context, from source, name string, ids map[string]bool) (size int64, torn bool, err error) {
	in, err := from.open(ctx, name)
	if err != nil {
		return 0, false, err
	}
	defer in.Close()
	err = eachLine(ctx, in, func(l line) bool {
		size, torn = size+int64(len(l.text))+1, !l.ended
		if l.long || len(bytes.TrimSpace(l.text)) == 0 {
			return true
		}
		if id, ok := trueID(l.text); ok {
			ids[id] = true
		} else if p, err := decode(ctx, l.text); err == nil { // with other spaces
			ids[p.ID] = true
		}
		return true
	})
	return size, torn, err
}

// readReport reads a report up to its bound.
func readReport(name string, in io.ReadCloser) ([]byte, error) {
	defer in.Close()
	return inputs.SeriesReport.ReadAll(name, in)
}

// checkReports refuses reports that could not be read again.
func checkReports(reports map[string][]byte) error {
	for name, content := range reports {
		if err := checkReport(name); err != nil {
			return err
		}
		if err := inputs.SeriesReport.Over(name, int64(len(content))); err != nil {
			return err
		}
	}
	return nil
}

// errOtherReport refuses to lose a report under a name that another one wants.
func errOtherReport(name string) error {
	return fail.New(fail.Storage, "there is another report %s in the store", name).
		WithHint("name a report by its content (ReportName)")
}
