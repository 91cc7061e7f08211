package lint

import (
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/text/inputs"
)

// notOfStrangers are the rooms, packages and fuzz targets that read no file and no answer of a stranger, with the
// reason.
var notOfStrangers = map[string]string{
	"bench":                          "a module of its own, for measurements of hone",
	"services":                       "reference services: they know nothing of hone",
	"load":                           "options of the user",
	"probe":                          "what the program under test reads",
	"internal/sys":                   "the kernel's files, git's output and the configuration of the user",
	"internal/text":                  "text that hone writes",
	"internal/judge":                 "conditions and answers of the command line",
	"internal/spec/trust":            "the user's own store",
	"internal/spec/config":           "hone.yaml, which is trusted before it is used",
	"internal/program/decisions":     "what the compiler prints",
	"internal/program/release":       "source of the toolchain",
	"internal/program/build":         "variants of the command line, and programs that hone built",
	"internal/program/earlyend":      "what a program that hone built wrote, and its README",
	"internal/program/gocommand":     "flags of the command line",
	"internal/program/lifetime":      "environments of processes that hone started",
	"internal/program/listeners":     "targets of the command line",
	"internal/program/probeclient":   "the probe in a program that hone built",
	"internal/program/source":        "sources of the command line",
	"internal/program/subject":       "conditions of the command line",
	"internal/program/templates":     "words of the command line",
	"internal/program/usage":         "the kernel's files",
	"internal/program/objfile":       "programs that hone built",
	"internal/program/routes":        "source that go build reads, too",
	"internal/program/metricname":    "names within pages of metrics",
	"internal/program/metrics":       "the kernel's files, and pages that the recorder kept",
	"internal/conduct/loadcmd":       "the output of the load generator that the user named",
	"internal/program/continuous":    "times of the command line",
	"internal/conduct/gobench":       "the output of benchmarks that hone started",
	"internal/conduct/finder":        "what programs answer that the user starts, which internal/wire/recognise bounds",
	"internal/conduct/watch/ptytest": "a terminal, for tests",
	"internal/insight/advice":        "views that tests recorded",
	"internal/insight/code":          "source that go build reads, too",
	"internal/store/history":         "times of the command line",
	"internal/store/ledger":          "who holds the lock",
	"internal/view/lsp":              "the editor of the user",
	"internal/view/mcpserver":        "the coding agent of the user, which docs/mcp.md bounds",
	"internal/wire":                  "answers of the server under load, which the load engine bounds one by one",
	"cmd/hone-metrics/internal":      "requests to hone's own server, and addresses of the command line",
}

// readerRow is a row of the table of readers: | reader | inputs | depth | ends | fuzz |.
var readerRow = regexp.MustCompile(`(?m)^\| ([^|]+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$`)

// The table of readers in SECURITY.md names every bounded input and every fuzz target of a reader, and none that is not
// there.
func TestTheTableOfReaders(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(repoRoot(t), "SECURITY.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "\n### Readers of a stranger's bytes\n")
	table, _, _ = strings.Cut(table, "\n## ")
	var read []string
	named := map[string]bool{}
	for _, row := range readerRow.FindAllStringSubmatch(table, -1)[1:] {
		read = append(read, strings.Split(row[2], "; ")...)
		for part := range strings.SplitSeq(row[5], "; ") {
			pkg, targets, is := strings.Cut(strings.TrimPrefix(part, "`"), "` ")
			if !is {
				continue // none, with the reason
			}
			for target := range strings.SplitSeq(targets, ", ") {
				named[pkg+" "+target] = true
			}
		}
	}
	for _, b := range inputs.All() {
		if !slices.Contains(read, b.Input) {
			t.Errorf("SECURITY.md, \"Readers of a stranger's bytes\": no reader has the input %q", b.Input)
		}
	}
	eachFile(t, func(rel string, f *ast.File, _ *token.FileSet) {
		pkg := filepath.ToSlash(filepath.Dir(rel))
		for _, d := range f.Decls {
			fn, is := d.(*ast.FuncDecl)
			if !is || !strings.HasPrefix(fn.Name.Name, "Fuzz") || !strings.HasSuffix(rel, "_test.go") {
				continue
			}
			target := pkg + " " + fn.Name.Name
			if !named[target] && !excused(pkg) {
				t.Errorf("SECURITY.md, \"Readers of a stranger's bytes\": it lacks %s; or say in notOfStrangers whose bytes it reads", target)
			}
			delete(named, target)
		}
	})
	for target := range named {
		t.Errorf("SECURITY.md, \"Readers of a stranger's bytes\": there is no %s", target)
	}
}

// excused says whether a package, or one that it lies in, is in notOfStrangers.
func excused(pkg string) bool {
	for ; pkg != "."; pkg = filepath.ToSlash(filepath.Dir(pkg)) {
		if notOfStrangers[pkg] != "" {
			return true
		}
	}
	return false
}
