package cases

import (
	"slices"
	"testing"
	"time"
)

func TestPartsOfABuild(t *testing.T) {
	second := int64(time.Second)
	parts, packages := partsOf([]action{
		{Mode: "build", Package: "fmt", CmdUser: second},
		{Mode: "build", Package: "a.example/x", CmdUser: second, CmdSys: second},
		{Mode: "build", Package: "a.example/y", CmdUser: 2 * second},
		{Mode: "link", Package: "a.example/y", CmdReal: 9 * second, CmdUser: 3 * second},
		{Mode: "go build", CmdUser: 100 * second},
	}, map[string]string{"a.example/x": "a.example", "a.example/y": "a.example"})
	want := []part{{"a.example", 2, 4 * time.Second}, {"link", 0, 3 * time.Second},
		{"the standard library", 1, time.Second}}
	if packages != 3 || !slices.Equal(parts, want) {
		t.Errorf("%d packages, %+v, want %+v", packages, parts, want)
	}
}
