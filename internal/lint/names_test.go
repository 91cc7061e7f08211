package lint

import (
	"go/ast"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/text/words"
)

// Types of different packages share a name of hone's words, or of the table in docs/architecture.md, only where
// a row of "Names of types" lists the packages: there it means the same.
func TestOneNameHasOneMeaning(t *testing.T) {
	doc, err := os.ReadFile(filepath.Join(repoRoot(t), "docs", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	types := rows(string(doc), "Names of types")
	if len(types) < 5 {
		t.Fatalf("docs/architecture.md has %d names of types: the table is not found", len(types))
	}
	listed := map[string][]string{} // packages by the name of a type
	for _, w := range words.All {
		listed[typeName(w.Name)] = nil
	}
	for _, row := range types {
		listed[row[0]] = strings.Split(row[1], ", ")
	}
	exporters := typeExporters(t)
	for _, name := range slices.Sorted(maps.Keys(listed)) {
		allowed, found := listed[name], exporters[name]
		if allowed == nil && len(found) > 1 {
			t.Errorf("type %s is in %s: rename all but one, or list them under \"Names of types\" in docs/architecture.md if they mean the same",
				name, strings.Join(found, ", "))
		}
		for _, pkg := range found {
			if allowed != nil && !slices.Contains(allowed, pkg) {
				t.Errorf("%s.%s: the name is that of %s in docs/architecture.md: rename the type, or add the package if it means the same",
					pkg, name, strings.Join(allowed, ", "))
			}
		}
		for _, pkg := range allowed {
			if !slices.Contains(found, pkg) {
				t.Errorf("docs/architecture.md lists type %s of %s, which has none: correct the row", name, pkg)
			}
		}
	}
}

// rows are the rows of the table in a section of a document, without its head.
func rows(doc, section string) (all [][]string) {
	_, rest, _ := strings.Cut(doc, "\n## "+section+"\n")
	text, _, _ := strings.Cut(rest, "\n## ")
	for _, row := range regexp.MustCompile(`(?m)^\| (.+) \|$`).FindAllStringSubmatch(text, -1) {
		all = append(all, strings.Split(row[1], " | "))
	}
	if len(all) > 0 {
		all = all[1:]
	}
	return all
}

// typeName is the name that a type has for words such as "send lag".
func typeName(words string) string {
	name := ""
	for _, word := range strings.Fields(words) {
		name += strings.ToUpper(word[:1]) + word[1:]
	}
	return name
}

// typeExporters are the packages that export a type, by its name, without the services.
func typeExporters(t *testing.T) map[string][]string {
	all := map[string][]string{}
	eachFile(t, func(rel string, f *ast.File, _ *token.FileSet) {
		pkg := filepath.ToSlash(filepath.Dir(rel))
		if strings.HasSuffix(rel, "_test.go") || strings.HasPrefix(pkg, "services/") {
			return
		}
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.TYPE {
				continue
			}
			for _, s := range g.Specs {
				name := s.(*ast.TypeSpec).Name.Name
				if ast.IsExported(name) && !slices.Contains(all[name], pkg) { // build tags: one file for each system
					all[name] = append(all[name], pkg)
				}
			}
		}
	})
	return all
}
