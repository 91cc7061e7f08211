package build

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/units"
)

// Files that a build embeds are often generated and not in git: the pages of a web interface, for
// one. A checkout of a commit does not have them, and go refuses to build. hone then lets the
// build see those of the working tree, through the overlay: both sides embed the same files, and
// nothing is written into the checkout.

// missingEmbed is go's complaint, with the place of the pattern.
var missingEmbed = regexp.MustCompile(`(?m)^(.+?):\d+:\d+: pattern (\S+): no matching files found$`)

// mostEmbedded bounds the files for one build.
const mostEmbedded = 50_000

// Embedded is what the working tree has of the files that a build of a checkout lacks.
type Embedded struct {
	// Replace has the files of the working tree by where the checkout would have them, absolute.
	Replace map[string]string
	// Patterns are the patterns, from the root of the repository. Lacking are those of which
	// the working tree has nothing either.
	Patterns, Lacking []string
}

// FindEmbedded reads go's complaints about a build that ran in dir, in a checkout with this
// root, and looks in the working tree, whose root is tree, a path without links.
func FindEmbedded(output, dir, root, tree string) (Embedded, error) {
	e := Embedded{Replace: map[string]string{}}
	for _, m := range missingEmbed.FindAllStringSubmatch(output, -1) {
		file, pattern := m[1], strings.TrimPrefix(m[2], "all:")
		if !filepath.IsAbs(file) {
			file = filepath.Join(dir, file)
		}
		below, err := filepath.Rel(root, filepath.Dir(file))
		if err != nil || !filepath.IsLocal(below) || !filepath.IsLocal(filepath.FromSlash(pattern)) {
			continue // of another module, or no pattern that go takes
		}
		name := filepath.ToSlash(filepath.Join(below, pattern))
		found, err := e.add(filepath.Join(tree, below), filepath.Join(root, below), pattern)
		if err != nil {
			return e, err
		}
		if list := &e.Lacking; !found {
			*list = append(*list, name)
		} else if e.Patterns = append(e.Patterns, name); len(e.Replace) > mostEmbedded {
			return e, fail.New(fail.BadInput, "%s matches more than %d files of the working tree", name, mostEmbedded)
		}
	}
	slices.Sort(e.Patterns)
	return e, nil
}

// add finds the regular files below what a pattern matches. Links are left out: go embeds none.
func (e Embedded) add(from, to, pattern string) (found bool, err error) {
	matches, err := filepath.Glob(filepath.Join(from, filepath.FromSlash(pattern)))
	if err != nil {
		return false, nil // go itself refuses such a pattern
	}
	for _, match := range matches {
		if real, err := filepath.EvalSymlinks(match); err != nil || real != match {
			continue // go embeds nothing through links
		}
		err = filepath.WalkDir(match, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() || len(e.Replace) > mostEmbedded {
				return err
			}
			rel, err := filepath.Rel(from, path)
			e.Replace[filepath.Join(to, rel)], found = path, true
			return err
		})
		if err != nil {
			return false, fail.New(fail.Environment, "read the files to embed: %w", err)
		}
	}
	return found, nil
}

// Note says what was built with, for the reports.
func (e Embedded) Note() string {
	return fmt.Sprintf("embedded from the working tree, since they are not in git: %s (%s)",
		strings.Join(slices.Compact(e.Patterns), ", "), units.Plural(len(e.Replace), "file"))
}

// Hint is the next step where the working tree does not have them either; "" if nothing lacks.
func (e Embedded) Hint() string {
	if len(e.Lacking) == 0 {
		return ""
	}
	return fmt.Sprintf("%s is neither in git nor in the working tree: generate it there, and hone embeds it on both "+
		"sides; or name the command that makes it, as prepare in hone.yaml",
		strings.Join(e.Lacking, ", "))
}
