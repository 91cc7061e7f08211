package rewrite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/token"
	"path/filepath"
	"slices"

	"github.com/gohone/hone/internal/text/fail"
)

// Rewrite is one mechanical change.
type Rewrite struct {
	// Rules are the rules of advice whose findings it removes.
	Rules []string
	// Does says what it does, as a clause: "moves the construction to a package variable".
	Does string
	// edit notes its edits on the code, or returns a *Refusal.
	edit func(c *code) error
}

// All lists the rewrites.
var All = []*Rewrite{
	{Rules: []string{"compile-per-call", "time-format"},
		Does: "makes a value once for each argument, and keeps it in a package variable", edit: hoistConstructor},
	{Rules: []string{"constant-hash"}, Does: "hashes a constant once, in a package variable", edit: hoistHash},
	{Rules: []string{"append-growth"}, Does: "makes room before a loop for all that it appends", edit: makeRoom},
	{Rules: []string{"map-growth"}, Does: "makes a map with room for all that a loop puts into it", edit: presizeMap},
	{Rules: []string{"fmt-hot"}, Does: "joins texts and numbers by + and strconv, without a format", edit: joinFormatted},
	{Rules: []string{"compressor-per-call"}, Does: "takes the compressor from a sync.Pool and resets it",
		edit: poolCompressor},
	{Rules: []string{"unbuffered-writes"}, Does: "collects the writes of a loop in a bufio.Writer, flushed after it",
		edit: bufferWrites},
	{Rules: []string{"read-lock"}, Does: "lets readers lock together: sync.RWMutex, RLock where nothing is written",
		edit: lockForReading},
}

// For returns the rewrite for a rule, nil if there is none.
func For(rule string) *Rewrite {
	i := slices.IndexFunc(All, func(r *Rewrite) bool { return slices.Contains(r.Rules, rule) })
	if i < 0 {
		return nil
	}
	return All[i]
}

// Place is the line to change.
type Place struct {
	// File is absolute, or relative to the root of the module.
	File string
	// Line counts from 1, in the file of the tree.
	Line int
	// Function is the name that profiles have for it, main.(*server).list.func1; empty: whichever
	// is at the line.
	Function string
}

// Options say how the program is built whose source is changed.
type Options struct {
	// Module is the root of the user's module: the directory with go.mod. Required.
	Module string
	// Env is the environment of the build, nil for hone's own; Flags are its build flags.
	Env   []string
	Flags []string
	// On is the change on top of which the next one is made; nil: the files as they are.
	On *Change
}

// Change is what a rewrite makes of a module.
type Change struct {
	// Does is that of the rewrite.
	Does string
	// Files are those that change, by path.
	Files []File
	// Notes say what the user should know of the change.
	Notes []string
	// Package is the directory of the package.
	Package string
	options Options
}

// File is one file before and after a change.
type File struct {
	// Path is absolute; Name is relative to the root of the module, with slashes.
	Path, Name    string
	Before, After []byte
}

// Refusal says why code is not rewritten.
type Refusal struct {
	Position token.Position
	Cause    string
}

func (r *Refusal) Error() string { return fmt.Sprintf("%s: %s", r.Position, r.Cause) }

// Apply makes the change for one place.
//
// Errors: a *Refusal, of kind fail.BadInput, if the code cannot be changed mechanically; fail.BadInput if
// there is no rewrite for the rule, or the package cannot be loaded; fail.Environment without a go command.
func (r *Rewrite) Apply(ctx context.Context, o Options, p Place) (*Change, error) {
	c, err := load(ctx, o, p)
	if err == nil {
		err = r.edit(c)
	}
	var change *Change
	if err == nil {
		change, err = c.change(r)
	}
	var refusal *Refusal
	if errors.As(err, &refusal) {
		if name, inside := relative(o.Module, refusal.Position.Filename); inside {
			refusal.Position.Filename = name
		}
		return nil, fail.New(fail.BadInput, "%w",
			refusal).WithHint("make the change by hand, and measure it with hone compare")
	}
	return change, err
}

// relative is a path as seen from a directory, with slashes; inside says that it is in there.
func relative(dir, path string) (name string, inside bool) {
	name, err := filepath.Rel(dir, path)
	if err != nil || !filepath.IsLocal(name) {
		return path, false
	}
	return filepath.ToSlash(name), true
}

func byPath(a, b File) int { return cmp.Compare(a.Path, b.Path) }
