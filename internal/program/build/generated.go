package build

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/program/source"
	"github.com/gohone/hone/internal/sys/paths"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/shellwords"
)

// A repository may lack code and files that a command generates: a build right after git clone fails then, and go only
// says what is undefined. The hint names the command of the repository that generates, where there is one.

var (
	// undefinedName is go's complaint about a name, with the file that uses it.
	undefinedName = regexp.MustCompile(`(?m)^(.+?\.go):\d+:\d+: undefined: (\S+)$`)
	// generators are the programs that Makefiles generate code and pages with.
	generators = regexp.MustCompile(`go generate|bindata|\bprotoc\b|buf generate|templ generate|sqlc |stringer|packr|` +
		`\bstatik\b|mockgen|gqlgen|swag init|easyjson|oapi-codegen|flatc |\b(npm|yarn|pnpm|bun)\b.* build|\b(esbuild|webpack|vite)\b`)
	// generatingName is what targets are called that only generate.
	generatingName = regexp.MustCompile(`(?i)gen|proto|asset|bindata|embed|bundle|\b(ui|web|frontend)\b`)
	makeTarget     = regexp.MustCompile(`^([A-Za-z0-9][\w.-]*)\s*:(?:[^=]|$)`)
)

// generatedHint is the next step for a build in dir that failed with this output, where something that it lacks may be
// generated; "" if it lacks nothing, or no command is found that generates.
func generatedHint(output, dir string) string {
	var names, dirs []string
	undefined, embeds := undefinedName.FindAllStringSubmatch(output, -1), missingEmbed.FindAllStringSubmatch(output, -1)
	for _, m := range slices.Concat(undefined, embeds) {
		file := m[1]
		if !filepath.IsAbs(file) {
			file = filepath.Join(dir, file)
		}
		names, dirs = append(names, m[2]), append(dirs, filepath.Dir(file))
	}
	if len(names) == 0 {
		return ""
	}
	verb := " is generated: "
	if names = slices.Compact(slices.Sorted(slices.Values(names))); len(names) > 1 {
		verb = " are generated: "
	}
	for _, at := range slices.Compact(dirs) {
		if command := generating(at); command != "" {
			return fail.HintList("if ", names) + verb + command + "; else "
		}
	}
	return ""
}

// generating is the command that generates what the package in a directory lacks; "" for none.
func generating(dir string) string {
	root := ModuleRoot(dir)
	if hasGenerate(dir) {
		return "(cd " + shellwords.Quote(dir) + " && go generate)"
	}
	for _, name := range []string{"Makefile", "makefile", "GNUmakefile"} {
		if target := generatingTarget(paths.Beginning(filepath.Join(root, name))); target != "" {
			return "make -C " + shellwords.Quote(root) + " " + target
		}
	}
	for at := dir; ; at = filepath.Dir(at) {
		var of struct{ Scripts map[string]string }
		if json.Unmarshal([]byte(paths.Beginning(filepath.Join(at, "package.json"))), &of) == nil &&
			of.Scripts["build"] != "" {
			return "(cd " + shellwords.Quote(at) + " && npm install && npm run build)"
		}
		if at == root || at == filepath.Dir(at) {
			return ""
		}
	}
}

// hasGenerate says whether a file of a package has a line for go generate.
func hasGenerate(dir string) bool {
	files, _ := os.ReadDir(dir) // a better hint is lost
	return slices.ContainsFunc(files, func(file os.DirEntry) bool {
		text := "\n" + paths.Beginning(filepath.Join(dir, file.Name()))
		return source.IsGoFile(file.Name()) && strings.Contains(text, "\n//go:generate ")
	})
}

// generatingTarget is the target of a Makefile whose recipe generates: one whose name says so, else the first; "" for
// none.
func generatingTarget(makefile string) string {
	target, best := "", ""
	for line := range strings.Lines(makefile) {
		if m := makeTarget.FindStringSubmatch(line); m != nil {
			target = m[1]
		}
		if !strings.HasPrefix(line, "\t") || !generators.MatchString(line) || strings.Contains(line, " install ") {
			continue
		}
		if best == "" || generatingName.MatchString(target) && !generatingName.MatchString(best) {
			best = target
		}
	}
	return best
}
