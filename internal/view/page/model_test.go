package page

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/prof"
)

var update = flag.Bool("update", false, "write ui/src/model.ts")

// TestModelForTheBrowser writes the types of this package as TypeScript.
func TestModelForTheBrowser(t *testing.T) {
	file := filepath.Join("..", "..", "..", "ui", "src", "model.ts")
	d := &declarations{seen: map[reflect.Type]bool{}}
	for _, root := range []any{Run{}, Comparison{}, History{}, Series{}, Live{}, Profile{}, Source{}, prof.Packed{}} {
		d.declare(reflect.TypeOf(root))
	}
	want := "// Made from the types of internal/view/page by `go test ./internal/view/page -update`: do not edit.\n\n" +
		"export type Kind = 'run' | 'once' | 'load' | 'comparison' | 'bench' | 'bisect' | 'stored'\n\n" +
		"export type Tone = 'better' | 'worse' | 'neutral' | 'warning' | 'bad' | 'good' | ''\n\n" +
		strings.Join(d.texts, "\n")
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(have) != want {
		t.Errorf("%s is out of date: go test ./internal/view/page -update", file)
	}
}

// declarations are interfaces of TypeScript.
type declarations struct {
	seen  map[reflect.Type]bool
	texts []string
}

func (d *declarations) declare(s reflect.Type) {
	if d.seen[s] {
		return
	}
	d.seen[s] = true
	b := &strings.Builder{}
	fmt.Fprintf(b, "export interface %s%s {\n", s.Name(), d.extends(s))
	at := len(d.texts)
	d.fields(b, s)
	b.WriteString("}\n")
	d.texts = slices.Insert(d.texts, at, b.String())
}

// extends names what a struct embeds.
func (d *declarations) extends(s reflect.Type) string {
	var all []string
	for f := range s.Fields() {
		if f.Anonymous {
			all = append(all, d.name(f.Type))
		}
	}
	if len(all) == 0 {
		return ""
	}
	return " extends " + strings.Join(all, ", ")
}

func (d *declarations) fields(b *strings.Builder, s reflect.Type) {
	for f := range s.Fields() {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous, name == "-" || !f.IsExported():
			continue
		}
		optional := ""
		if strings.Contains(options, "omit") {
			optional = "?"
		}
		fmt.Fprintf(b, "  %s%s: %s\n", name, optional, d.name(f.Type))
	}
}

func (d *declarations) name(t reflect.Type) string {
	switch {
	case t == reflect.TypeFor[time.Time]():
		return "string"
	case t == reflect.TypeFor[model.Tone]():
		return "Tone"
	case t == reflect.TypeFor[Kind]():
		return "Kind"
	}
	switch t.Kind() {
	case reflect.String:
		return "string"
	case reflect.Bool:
		return "boolean"
	case reflect.Int, reflect.Int64, reflect.Uint64, reflect.Float64:
		return "number"
	case reflect.Slice:
		of := d.name(t.Elem())
		if strings.Contains(of, " ") {
			of = "(" + of + ")"
		}
		return of + "[]"
	case reflect.Pointer:
		return d.name(t.Elem()) + " | null"
	case reflect.Struct:
		d.declare(t)
		return t.Name()
	}
	panic("no TypeScript for " + t.String())
}
