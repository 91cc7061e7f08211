package earlyend

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/text/shellwords"
)

// missingFile are the words of os, of koanf and viper, and of programs that look for a file themselves.
var missingFile = regexp.MustCompile(`(?:open|stat|read) (\S+): no such file or directory` +
	`|(?i:config file) "([^"\s]+)" (?i:not found)` +
	`|([\w./-]*\w\.\w{1,10})["'` + "`" + `]?:? ` +
	`(?i:(?:file )?(?:does(?:n't| not) exists?|(?:(?:is|was) )?not found|is missing))`)

func missingFileHint(file string, of Ended) Step {
	found := fileOfModule(file, of.Dir)
	if found == "" {
		return only("it found no file %s: name the directory that it runs in with --work-dir, "+
			"or another file in its arguments, which go after --", file)
	}
	if dir, ok := strings.CutSuffix(found, string(filepath.Separator)+filepath.FromSlash(file)); ok {
		s := only("it found no file %s in the directory that it runs in; there is %s: --work-dir %s", file, found,
			shellwords.Quote(dir))
		s.WorkDir = dir
		return s
	}
	return only("it found no file %s; there is %s: name it in the program's arguments, which go after --, "+
		"or copy it to the place where the program looks", file, found)
}

// mostSearched bounds the files that are looked at for one that a program did not find.
const mostSearched = 20_000

// fileOfModule finds a file of this relative path in the module of dir, or else one that is like it: of the same
// base name, which viper names without its extension, or an example of it (config.example.yaml). The result is
// relative to hone's own directory if it is below that; empty for none, and for an empty dir.
func fileOfModule(file, dir string) string {
	if dir == "" || file == "" {
		return ""
	}
	root := build.ModuleRoot(dir)
	base := filepath.Base(file)
	stem, _, _ := strings.Cut(base, ".")
	best, bestRank, looked := "", 0, 0
	_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		looked++
		switch {
		case looked > mostSearched:
			return fs.SkipAll
		case err != nil:
			return nil // a better hint is lost
		case d.IsDir() && path != root && skippedDir(d.Name()):
			return fs.SkipDir
		case !d.Type().IsRegular():
			return nil
		}
		rank := likeness(path, file, base, stem)
		if rank > bestRank && !sameFile(path, filepath.Join(dir, file)) {
			best, bestRank = path, rank
		}
		return nil
	})
	if here, err := os.Getwd(); err == nil && best != "" {
		if near, err := filepath.Rel(here, best); err == nil && filepath.IsLocal(near) {
			return near
		}
	}
	return best
}

// likeness ranks a file by how well it stands for one that was not found: 0 for not at all.
func likeness(path, file, base, stem string) int {
	name := filepath.Base(path)
	switch {
	case !filepath.IsAbs(file) && strings.HasSuffix(path, string(filepath.Separator)+filepath.Clean(file)):
		return 3
	case name == base, base == stem && isConfig(name) && strings.HasPrefix(name, stem+"."):
		return 2
	case stem != "" && strings.Contains(name, stem) && exampleFile.MatchString(name):
		return 1
	}
	return 0
}

var exampleFile = regexp.MustCompile(`(?i)example|sample|template|default|\.dist\b`)

// isConfig says that a file has an extension that libraries of configuration read.
func isConfig(name string) bool {
	switch filepath.Ext(name) {
	case ".yaml", ".yml", ".toml", ".json", ".ini", ".env", ".conf", ".hcl":
		return true
	}
	return false
}

// skippedDir says that nothing in a directory of this name is the program's own.
func skippedDir(name string) bool {
	return strings.HasPrefix(name, ".") || name == "node_modules" || name == "vendor" || name == "testdata"
}

func sameFile(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	two, err := os.Stat(b)
	return err == nil && os.SameFile(one, two)
}
