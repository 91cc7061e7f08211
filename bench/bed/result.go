package bed

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

// Schema is that of files of results.
const Schema = "hone.benchmark/1"

// Result is what one case measured once.
type Result struct {
	Case string `json:"-"` // the name of the file
	Taken
	// Claims are what the summary page has of it.
	Claims []Claim  `json:"claims,omitempty"`
	Tables []*Table `json:"tables,omitempty"`
	// With are the programs that took part, with their versions.
	With []string `json:"with,omitempty"`
}

// Claim is one sentence about hone, with its figure and the spread of that.
type Claim struct {
	What   string `json:"what"`
	Figure string `json:"figure"`
	// Share is the figure, where it is one; nil for others.
	Share *Share `json:"share,omitempty"`
	// Peer is the figure of others on the same work, with their names.
	Peer string `json:"peer,omitempty"`
	// Goal is what the figure is held against, as "at most 5 %"; empty where there is none. Held says whether it keeps
	// to it.
	Goal string `json:"goal,omitempty"`
	Held bool   `json:"held,omitempty"`
}

// Want sets the goal of a claim, and whether it is held.
func (c *Claim) Want(goal string, held bool) *Claim {
	c.Goal, c.Held = goal, held
	return c
}

// Against sets the figure of others on the same work, with their names.
func (c *Claim) Against(format string, args ...any) { c.Peer = fmt.Sprintf(format, args...) }

// Word says whether the goal is held; it is empty where there is none.
func (c *Claim) Word() string {
	switch {
	case c.Goal == "":
		return ""
	case c.Held:
		return "held"
	}
	return "missed"
}

// Table is figures in rows.
type Table struct {
	Title   string     `json:"title"`
	Columns []string   `json:"columns,omitempty"`
	Rows    [][]string `json:"rows,omitempty"`
	// Notes are sentences below it.
	Notes []string `json:"notes,omitempty"`
}

// Claim adds a claim. What it returns is valid until the next one is added.
func (r *Result) Claim(what, format string, args ...any) *Claim {
	r.Claims = append(r.Claims, Claim{What: what, Figure: fmt.Sprintf(format, args...)})
	return &r.Claims[len(r.Claims)-1]
}

// Table adds a table.
func (r *Result) Table(title string, columns ...string) *Table {
	r.Tables = append(r.Tables, &Table{Title: title, Columns: columns})
	return r.Tables[len(r.Tables)-1]
}

// Row adds a row.
func (t *Table) Row(cells ...string) { t.Rows = append(t.Rows, cells) }

// Say adds a sentence below the table.
func (t *Table) Say(format string, args ...any) {
	t.Notes = append(t.Notes, fmt.Sprintf(format, args...))
}

// Text is the result for a terminal.
func (r *Result) Text() string {
	var b strings.Builder
	for _, line := range [][2]string{{"date", r.Date}, {"commit", r.Commit}, {"machine", r.Machine}, {"go", r.Go},
		{"command", r.Command}} {
		fmt.Fprintf(&b, "%-9s %s\n", line[0], line[1])
	}
	for _, w := range r.With {
		fmt.Fprintf(&b, "%-9s %s\n", "with", w)
	}
	for _, t := range r.Tables {
		t.write(&b)
	}
	if len(r.Claims) > 0 {
		fmt.Fprintln(&b)
	}
	for _, c := range r.Claims {
		fmt.Fprintf(&b, "%s: %s", c.What, c.Figure)
		if c.Goal != "" {
			fmt.Fprintf(&b, "; goal %s: %s", c.Goal, c.Word())
		}
		if c.Peer != "" {
			fmt.Fprintf(&b, "; for comparison: %s", c.Peer)
		}
		fmt.Fprintln(&b)
	}
	return b.String()
}

// write has the columns of a table below each other.
func (t *Table) write(b *strings.Builder) {
	if len(t.Rows)+len(t.Notes) == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s\n", t.Title)
	lines := t.Rows
	if len(t.Columns) > 0 {
		lines = append([][]string{t.Columns}, t.Rows...)
	}
	var widths []int
	for _, line := range lines {
		for i, cell := range line {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for _, line := range lines {
		text := ""
		for i, cell := range line {
			text += cell + strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)+2)
		}
		fmt.Fprintln(b, " ", strings.TrimRight(text, " "))
	}
	for _, note := range t.Notes {
		fmt.Fprintln(b, note)
	}
}

// file is a file of results: those of one case, the newest last.
type file struct {
	Schema string   `json:"schema"`
	Runs   []Result `json:"runs"`
}

// Load reads the published results of a case; nil if it has none.
func Load(dir, name string) ([]Result, error) {
	path := filepath.Join(dir, name+".json")
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var f file
	if err == nil {
		err = json.Unmarshal(text, &f)
	}
	if err == nil && f.Schema != Schema {
		err = fmt.Errorf("schema %q, want %q", f.Schema, Schema)
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	for i := range f.Runs {
		f.Runs[i].Case = name
	}
	return f.Runs, nil
}

// Keep adds the result to the published ones of its case. What it claims anew is taken out of the older ones, which go
// when they claim nothing any more.
func (r *Result) Keep(dir string) error {
	runs, err := Load(dir, r.Case)
	if err != nil {
		return err
	}
	for i := range runs {
		runs[i].Claims = slices.DeleteFunc(runs[i].Claims, func(old Claim) bool {
			return slices.ContainsFunc(r.Claims, func(c Claim) bool { return c.What == old.What })
		})
	}
	runs = slices.DeleteFunc(runs, func(old Result) bool { return len(old.Claims) == 0 })
	text, err := json.MarshalIndent(file{Schema, append(runs, *r)}, "", " ")
	if err != nil {
		return fmt.Errorf("write results of %s: %w", r.Case, err)
	}
	return WriteFile(filepath.Join(dir, r.Case+".json"), string(text)+"\n")
}

// WriteFile puts text into a file, whole or not at all.
func WriteFile(path, text string) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".document-")
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	defer os.Remove(f.Name()) // is gone by then if all is well
	_, err = f.WriteString(text)
	if err = errors.Join(err, f.Chmod(0o644), f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}
