package release

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Default is the default of a setting of GODEBUG that a release changed.
type Default struct {
	Name string
	// Package is the one that reads it, Changed the minor version that changed its default, Old the value before.
	Package string
	Changed int
	Old     string
}

// Experiment is a choice of GOEXPERIMENT: Does is what the release says that it does, Constant its name in the source of
// the release.
type Experiment struct{ Name, Does, Constant string }

// Defaults are those that the release in a directory (GOROOT) knows, of src/internal/godebugs/table.go.
func Defaults(goroot string) ([]Default, error) {
	file, err := parse(filepath.Join(goroot, "src", "internal", "godebugs", "table.go"))
	if err != nil {
		return nil, err
	}
	return defaultsOf(file), nil
}

// Experiments are those that the release in a directory (GOROOT) knows, of src/internal/goexperiment/flags.go.
func Experiments(goroot string) ([]Experiment, error) {
	file, err := parse(filepath.Join(goroot, "src", "internal", "goexperiment", "flags.go"))
	if err != nil {
		return nil, err
	}
	return experimentsOf(file), nil
}

func parse(name string) (*ast.File, error) {
	return parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
}

// defaultsOf reads the composite literals with a Name and an Old value.
func defaultsOf(file *ast.File) (all []Default) {
	ast.Inspect(file, func(n ast.Node) bool {
		literal, ok := n.(*ast.CompositeLit)
		if !ok {
			return true
		}
		var s Default
		for _, e := range literal.Elts {
			pair, ok := e.(*ast.KeyValueExpr)
			if !ok {
				continue
			}
			key, _ := pair.Key.(*ast.Ident)
			value, _ := pair.Value.(*ast.BasicLit)
			if key == nil || value == nil {
				continue
			}
			text, _ := strconv.Unquote(value.Value)
			switch key.Name {
			case "Name":
				s.Name = text
			case "Package":
				s.Package = text
			case "Changed":
				s.Changed, _ = strconv.Atoi(value.Value)
			case "Old":
				s.Old = text
			}
		}
		if s.Name != "" && s.Package != "" && s.Changed > 0 && s.Old != "" {
			all = append(all, s)
		}
		return true
	})
	return all
}

// experimentsOf reads the fields of the struct Flags. An experiment is named by its field in small letters.
func experimentsOf(file *ast.File) (all []Experiment) {
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.TypeSpec)
		if !ok || spec.Name.Name != "Flags" {
			return true
		}
		flags, ok := spec.Type.(*ast.StructType)
		if !ok {
			return true
		}
		for _, field := range flags.Fields.List {
			for _, name := range field.Names {
				all = append(all, Experiment{Name: strings.ToLower(name.Name), Constant: name.Name,
					Does: firstSentence(field.Doc.Text(), name.Name)})
			}
		}
		return false
	})
	return all
}

// firstSentence is that of a comment, without the name that it begins with.
func firstSentence(comment, name string) string {
	text := strings.Join(strings.Fields(comment), " ")
	if i := strings.Index(text, ". "); i >= 0 {
		text = text[:i]
	}
	text = strings.TrimSuffix(text, ".")
	if rest, ok := strings.CutPrefix(text, name+" "); ok {
		return rest
	}
	return text
}

// Changed are the defaults of a newer release that differ from those of an older one: the older does not know the
// setting, or has another default. A setting at Old is what the older release does.
func Changed(older, newer []Default) (all []Default) {
	for _, s := range newer {
		if !slices.ContainsFunc(older, func(o Default) bool { return o.Name == s.Name && o.Changed == s.Changed }) {
			all = append(all, s)
		}
	}
	return all
}
