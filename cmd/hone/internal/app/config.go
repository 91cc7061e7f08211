package app

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/program/source"
	"github.com/gohone/hone/internal/spec/config"
	"github.com/gohone/hone/internal/spec/trust"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/text/shellwords"
)

// FromFile is what a command line takes from hone.yaml.
type FromFile struct {
	// File is nil if the command line takes nothing.
	File *config.File
	// Words say what to measure: those of the command line, or what the file puts instead
	// of words that are not there.
	Words []string
	// Named are the words that are names in the file.
	Named map[string]config.Resolved
}

// UseFile takes from hone.yaml what a command line asks for: variants that it names,
// what to measure if it names too little (least is how many it has to name), a plan by
// --plan. Then it applies the plan, the target and the gates to the flags that the
// command line does not give.
//
// A command line that names all packages itself and has no --plan does without the file,
// which is then not even read: it is the user's consent by itself. Whatever is taken from
// a file has to be trusted first, a plan too: its flags reach compilers and programs.
// Errors are fail.Untrusted with what would have been executed, or fail.BadInput.
func (a *App) UseFile(cmd *cobra.Command, words []string, least int) (*FromFile, error) {
	use := &FromFile{Words: words}
	planName, _ := cmd.Flags().GetString("plan")
	if len(words) >= least && planName == "" && !slices.ContainsFunc(words, mayBeName) {
		return use, nil
	}
	file, err := NearestFile()
	if err != nil {
		return nil, err
	}
	if file == nil {
		if planName != "" {
			return nil, fail.New(fail.BadInput, "--plan %s: there is no %s here or above", planName, config.Name).
				WithHint("hone init writes one")
		}
		return use, nil
	}
	if err := use.choose(file, least); err != nil {
		return nil, err
	}
	if len(use.Named) == 0 && planName == "" {
		return use, nil
	}
	use.File = file
	plan, err := file.Plan(planName)
	if err != nil {
		return nil, err
	}
	if err := use.checkTrust(plan); err != nil {
		return nil, err
	}
	return use, use.apply(cmd, plan)
}

// mayBeName says whether a word has the form of a variant's name. A directory or a Go file of
// that name is what the user sees, so it comes first; ./NAME and NAME then both mean it.
func mayBeName(word string) bool {
	if word == "" || strings.HasPrefix(word, ".") || strings.ContainsAny(word, "/:= \t\n\"'\\") {
		return false
	}
	info, err := os.Stat(word)
	return err != nil || !info.IsDir() && !source.IsGoFile(word)
}

// NearestFile reads the hone.yaml around the working directory; nil if there is none.
func NearestFile() (*config.File, error) {
	dir, err := WorkDir()
	if err != nil {
		return nil, err
	}
	path, err := config.Find(dir)
	if err != nil || path == "" {
		return nil, err
	}
	return config.Read(path, shortPath(path))
}

// shortPath writes a path as seen from the working directory, unless that is longer.
func shortPath(path string) string {
	if !filepath.IsAbs(path) {
		return path
	}
	dir, err := os.Getwd()
	if err != nil {
		return path
	}
	if rel, err := filepath.Rel(dir, path); err == nil && len(rel) <= len(path) {
		return rel
	}
	return path
}

// asTyped writes a directory or Go files as its user would on the command line, so that runs of it
// are runs of the same source whichever way it was named.
func asTyped(named string) string {
	if files := source.GoFiles(named); files != nil {
		for i, file := range files {
			files[i] = shortPath(file) // a path behind a ref is not absolute, and stays
		}
		return shellwords.Join(files)
	}
	if ref, path, found := strings.Cut(named, ":"); found && !filepath.IsAbs(named) {
		return ref + ":" + asTypedAtRef(path)
	}
	short := shortPath(named)
	if !filepath.IsAbs(named) || filepath.IsAbs(short) || strings.HasPrefix(short, ".") {
		return short
	}
	return "./" + filepath.ToSlash(short)
}

// asTypedAtRef writes a path from the root of the repository as one from the working
// directory, if it is below that.
func asTypedAtRef(path string) string {
	dir, err := os.Getwd()
	if err != nil {
		return path
	}
	rel, err := filepath.Rel(config.Below(dir), filepath.FromSlash(path))
	if err != nil || !filepath.IsLocal(rel) || source.IsRelative(path) {
		return path
	}
	if rel == "." {
		return rel
	}
	return "./" + filepath.ToSlash(rel)
}

// choose resolves the words that are names, after it has put the subject or the baseline
// instead of those that are missing.
func (u *FromFile) choose(file *config.File, least int) error {
	missing := least - len(u.Words)
	switch {
	case missing == 1 && least == 1:
		u.Words = []string{config.SubjectName}
	case missing == 2:
		u.Words = []string{file.Baseline.Value, config.SubjectName}
	case missing == 1 && mayBeName(u.Words[0]) && file.Has(u.Words[0]):
		u.Words = []string{file.Baseline.Value, u.Words[0]}
	}
	if missing > 0 && u.Words[0] == "" {
		return fail.New(fail.BadInput, "%s has no baseline to compare with", file.Shown).
			WithHint("add baseline: NAME to it, or name the variants; they are %s",
				strings.Join(append(file.Names(), config.SubjectName), ", "))
	}
	u.Named = map[string]config.Resolved{}
	for _, word := range u.Words {
		if missing <= 0 && !mayBeName(word) || !file.Has(word) && word != config.SubjectName {
			continue
		}
		v, err := file.Variant(word)
		if err != nil {
			return err
		}
		v.Source = asTyped(v.Source)
		u.Named[word] = v
	}
	return nil
}

// checkTrust refuses a file that the user has not trusted with this content.
func (u *FromFile) checkTrust(plan config.Plan) error {
	store, err := trust.User()
	if err != nil {
		return err
	}
	trusted, err := store.Trusted(u.File.Path, u.File.Content)
	if err != nil || trusted {
		return err
	}
	var names []string
	for _, word := range u.Words {
		if _, ok := u.Named[word]; ok {
			names = append(names, word)
		}
	}
	lines := u.File.Commands(names...)
	if len(plan) > 0 {
		lines = append(lines, "flags of the plan:", "  "+plan.CommandLine())
	}
	lines = append(lines, u.File.Offs()...)
	return fail.New(fail.Untrusted,
		"%s is not trusted with this content, and nothing of it was executed. It asks for:\n%s",
		u.File.Shown, strings.Join(lines, "\n")).WithHint("read it, and if you agree: hone trust %s",
		config.Show(u.File.Shown))
}

// prepareSources runs the commands of hone.yaml that come before the builds.
func (a *App) prepareSources(f *MeasureFlags, dir string) error {
	variants, err := build.PrepareSources(a.Ctx, f.Variants, source.Options{WorkDir: dir},
		func(v build.Variant, dir string) {
			if !f.Quiet {
				fmt.Fprintf(a.Stderr, "prepare %s in %s: %s\n", v.Name, printable.Line(dir),
					printable.Indented(shellwords.Join(v.Prepare)))
			}
		})
	if err == nil {
		f.Variants = variants
	}
	return err
}
