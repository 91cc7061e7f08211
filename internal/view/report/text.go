package report

import (
	"io"
	"slices"
	"strings"
	"text/tabwriter"
)

// write hands over a report that is finished.
func write(w io.Writer, b *strings.Builder) error {
	_, err := io.WriteString(w, b.String())
	return err
}

// leftColumns and rightColumns are tables; writing them to a strings.Builder does not fail.
func leftColumns(w io.Writer) *tabwriter.Writer { return tabwriter.NewWriter(w, 0, 0, 2, ' ', 0) }
func rightColumns(w io.Writer) *tabwriter.Writer {
	return tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
}

// nonEmpty are the parts that are not empty.
func nonEmpty(parts ...string) []string {
	return slices.DeleteFunc(parts, func(part string) bool { return part == "" })
}

// Letter is how a variant is called.
func Letter(i int) string { return string(rune('A' + i)) }

// about begins a line on variant i of n: "B: ", or nothing where there is one only.
func about(i, n int) string {
	if n < 2 {
		return ""
	}
	return Letter(i) + ": "
}
