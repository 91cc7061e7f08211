package report

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"path/filepath"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/store/series/chains"
	"github.com/gohone/hone/internal/testkit/forgery"
	"github.com/gohone/hone/internal/text/printable"
)

// views are the functions of this package that write a report, by name.
var views = map[string]any{
	"Ablation": Ablation, "Origin": Origin, "Exported": Exported, "ExportedSeries": ExportedSeries,
	"Imported": Imported, "Artefact": Artefact,
	"Verification": Verification, "Repair": Repair, "Bench": Bench, "BenchUnfinished": BenchUnfinished,
	"BenchFiles":    BenchFiles,
	"BenchMarkdown": BenchMarkdown, "Bisect": Bisect, "BisectMarkdown": BisectMarkdown,
	"BisectUnfinished": BisectUnfinished, "Blame": Blame, "Hot": Hot, "Captures": Captures, "Cover": Cover,
	"Comparison":  Comparison,
	"WriteDelays": WriteDelays, "Findings": Findings, "Timeline": Timeline, "GCTrace": GCTrace, "History": History,
	"Baselines": Baselines, "BaselineChange": BaselineChange, "MeasureHistory": MeasureHistory, "Stored": Stored,
	"Load": Load, "Markdown": Markdown, "Once": Once, "OnceComparison": OnceComparison, "Rewritten": Rewritten,
	"Fix": Fix, "FixMarkdown": FixMarkdown, "OfReceipt": OfReceipt,
	"Run": Run, "ComparisonCSV": ComparisonCSV, "Calibration": Calibration, "Tail": Tail, "Spans": Spans, "GC": GC,
	"Verified": Verified, "CalibratedProgram": CalibratedProgram, "Upgrade": Upgrade, "Reach": Reach,
	"Series": Series, "Track": Track,
	"News": func(w io.Writer, n *chains.News) error { return News(w, n, func(chains.Key) []string { return nil }) },
}

// noDocument are those that write no text of others.
var noDocument = []string{"Rules", "RunsCSV"} // RunsCSV takes a function

// Whatever the texts of a document are, no view of it has a line that they begin, and no character that steers a
// terminal.
func TestNoDocumentForgesLines(t *testing.T) {
	for name, view := range views {
		for _, g := range []forgery.Filler{{Long: 2}, {Long: 2, Truth: true}, {Long: 2, Words: true},
			{Long: 1, Words: true, Truth: true}, {Words: true}} {
			t.Run(fmt.Sprintf("%s %+v", name, g), func(t *testing.T) {
				defer func() {
					if p := recover(); p != nil {
						t.Errorf("%v\n%s", p, debug.Stack())
					}
				}()
				if name == "GC" && g.Long == 0 {
					t.Skip("a sweep that this process made has a round")
				}
				var out bytes.Buffer
				w := printable.NewWriter(&out) // as commands have it
				call := reflect.ValueOf(view)
				args := []reflect.Value{reflect.ValueOf(w)}
				for i := 1; i < call.Type().NumIn(); i++ {
					arg := reflect.New(call.Type().In(i)).Elem()
					g.Fill(arg)
					args = append(args, arg)
				}
				if err := call.Call(args)[0]; !err.IsNil() {
					t.Log(err) // a view may refuse what makes no sense
				}
				forgery.Check(t, out.String())
			})
		}
	}
}

// The test above has every function of the package that writes a document.
func TestEveryViewIsForged(t *testing.T) {
	names, err := filepath.Glob("*.go")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			f, is := d.(*ast.FuncDecl)
			if !is || f.Recv != nil || !f.Name.IsExported() || f.Type.Results == nil || len(f.Type.Params.List) < 2 {
				continue
			}
			first, is := f.Type.Params.List[0].Type.(*ast.SelectorExpr)
			if !is || first.Sel.Name != "Writer" || strings.HasPrefix(f.Name.Name, "New") {
				continue
			}
			if _, known := views[f.Name.Name]; !known && !slices.Contains(noDocument, f.Name.Name) {
				t.Errorf("%s writes a document, and the list of views does not have it", f.Name.Name)
			}
		}
	}
	var _ io.Writer = printable.NewWriter(nil)
}
