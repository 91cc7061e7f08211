package browser

import (
	"fmt"
	"testing"

	"github.com/evanw/esbuild/pkg/api"
)

// Names in drawings are short: without directories, type parameters, and the directory of a major version. What begins
// with a bracket is a state, and stays.
func TestNamesInDrawingsAreShort(t *testing.T) {
	built := api.Build(api.BuildOptions{EntryPoints: []string{"../src/format/names.ts"}, Bundle: true,
		Format: api.FormatIIFE, GlobalName: "names"})
	if len(built.Errors) > 0 {
		t.Fatal(built.Errors)
	}
	w := start(t)
	p := w.at(t, "#/live")
	for name, want := range map[string]string{
		"net/http.(*conn).serve":                              "http.(*conn).serve",
		"slices.SortFunc[go.shape.[]example.com/a/b.T,int]":   "slices.SortFunc[…]",
		"example.com/list.(*List[go.shape.[]int]).Push.func1": "list.(*List[…]).Push.func1",
		"example.com/shop/v2.Sum":                             "shop.Sum",
		"[waiting to run behind]":                             "[waiting to run behind]",
	} {
		if got := p.text(fmt.Sprintf("%s; names.shortName(%q)", built.OutputFiles[0].Contents, name)); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
}
