package config

import (
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/program/source"
	"github.com/gohone/hone/internal/text/shellwords"
)

// Commands lists, a line each, what hone executes for variants of the file: the needs, checkouts
// of git refs, prepare, the build, the program itself and what runs after its start, with
// directories and environment. Whatever could change how a terminal shows a line is escaped. Names that
// do not resolve are left out.
func (f *File) Commands(names ...string) []string {
	var lines []string
	if len(names) > 0 {
		lines = NeedCommands(f.Needs(f.Dir))
	}
	for _, name := range names {
		v, err := f.Variant(name)
		if err != nil {
			continue
		}
		lines = append(lines, v.Name+":")
		for _, line := range v.Commands() {
			lines = append(lines, "  "+line)
		}
	}
	return lines
}

// Commands are the steps of one variant as a shell would be given them, a line each.
func (v Resolved) Commands() []string {
	var lines []string
	dir, targets, binary := v.built()
	runs := ""
	if ref, inside, ok := strings.Cut(dir, ":"); ok && !filepath.IsAbs(dir) {
		lines = append(lines, "git worktree add --detach CHECKOUT "+Show(ref))
		dir = "CHECKOUT/" + path.Clean(inside)
		runs = "cd CHECKOUT && "
	}
	if v.Dir != "" {
		runs = "cd " + Show(v.Dir) + " && "
	}
	env := shownEnv(v.Env)
	buildEnv := env
	if v.Toolchain != "" {
		buildEnv = shownEnv(append([]string{"GOTOOLCHAIN=" + v.Toolchain}, v.Env...))
	}
	if dir == v.Source && !filepath.IsAbs(dir) {
		dir, targets = "", []string{v.Source} // an import path, built from the directory of the user
	}
	enter := ""
	if dir != "" {
		enter = "cd " + Show(dir) + " && "
	}
	if v.Prepare != nil {
		where := enter
		if filepath.IsAbs(dir) {
			where = "cd " + Show(build.ModuleRoot(dir)) + " && "
		}
		lines = append(lines, where+buildEnv+ShowAll(v.Prepare))
	}
	argv := append([]string{"go", "build"}, v.BuildFlags...)
	if source.IsRelease(v.Source) {
		argv[1] = "install"
	}
	if filepath.IsAbs(v.Source) && source.Executable("", v.Source) != "" {
		binary = v.Source // nothing is built
	} else {
		lines = append(lines, enter+buildEnv+ShowAll(append(append(argv, "--"), targets...)))
	}
	if len(v.Copy) > 0 {
		from := v.Dir
		if from == "" {
			from = v.Base
		}
		lines = append(lines, "cp -r "+ShowAll(v.Copy)+" DIR  # from "+Show(from)+" or the checkout, before each start")
		runs = "cd DIR && "
	}
	lines = append(lines, runs+env+shownEnv(v.RunEnv)+ShowAll(append([]string{binary}, v.Args...)))
	if v.AfterStart != nil {
		lines = append(lines, "HONE_ADDRESS=HOST:PORT "+env+ShowAll(v.AfterStart)+"  # after each start")
	}
	return lines
}

// built is where go build runs, perhaps behind a ref, what it is given there, and what the
// executable is called.
func (v Resolved) built() (dir string, targets []string, binary string) {
	files := source.GoFiles(v.Source)
	if files == nil {
		_, inside, found := strings.Cut(v.Source, ":")
		if !found || filepath.IsAbs(v.Source) {
			inside = v.Source
		}
		if source.IsRelease(v.Source) {
			released, _, _ := strings.Cut(v.Source, "@")
			return v.Source, nil, build.BaseName(released)
		}
		return v.Source, []string{"."}, path.Base(filepath.ToSlash(inside))
	}
	ref, first, found := strings.Cut(files[0], ":")
	if found && !filepath.IsAbs(files[0]) {
		ref += ":"
	} else {
		ref, first = "", files[0]
	}
	targets = []string{path.Base(first)}
	for _, file := range files[1:] {
		targets = append(targets, path.Base(file))
	}
	return ref + path.Dir(first), targets, strings.TrimSuffix(targets[0], ".go")
}

// Offs lists, a line each, what hone ablate adds to a variant to switch features off.
func (f *File) Offs() []string {
	var lines []string
	for _, name := range f.FeatureNames() {
		env, args, tags := f.Features[name].Off()
		lines = append(lines, "without "+name+":")
		if words := append(env, args...); len(words) > 0 {
			lines = append(lines, "  "+ShowAll(words))
		}
		if len(tags) > 0 {
			lines = append(lines, "  "+ShowAll([]string{"go", "build", "-tags=" + strings.Join(tags, ",")}))
		}
	}
	return lines
}

// CommandLine writes a plan as the flags that it stands for.
func (p Plan) CommandLine() string {
	var words []string
	for _, key := range p.Keys() {
		for _, v := range p[key].Values {
			words = append(words, Show("--"+key+"="+v.Value))
		}
	}
	return strings.Join(words, " ")
}

func shownEnv(env []string) string {
	var b strings.Builder
	for _, entry := range env {
		b.WriteString(Show(entry) + " ")
	}
	return b.String()
}

// ShowAll is Show of several words, as one line.
func ShowAll(words []string) string {
	shownWords := make([]string, len(words))
	for i, w := range words {
		shownWords[i] = Show(w)
	}
	return strings.Join(shownWords, " ")
}

// Show quotes a word for a shell. One that holds more than printable ASCII, such as an
// escape sequence that would hide it or letters that only look familiar, is written with
// Go's escapes.
func Show(word string) string {
	for i := range len(word) {
		if word[i] < ' ' || word[i] > '~' {
			return strconv.QuoteToASCII(word)
		}
	}
	return shellwords.Join([]string{word})
}
