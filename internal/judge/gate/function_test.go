package gate

import (
	"strings"
	"testing"

	"github.com/gohone/hone/internal/text/fail"
)

func TestTheFunctionThatAGateMeans(t *testing.T) {
	seen := []string{"main.main", "example.com/app/parse.Read", "example.com/old/parse.Read",
		"example.com/app/parse.(*Reader).Next", "strings.Index"}
	for name, want := range map[string]string{
		"main.main": "main.main", "app/parse.Read": "example.com/app/parse.Read",
		"parse.(*Reader).Next": "example.com/app/parse.(*Reader).Next",
	} {
		if got, err := FunctionNamed(name, seen); err != nil || got != want {
			t.Errorf("%s is %s, %v, want %s", name, got, err, want)
		}
	}
	for name, want := range map[string]struct{ message, hint string }{
		"parse.Read": {"one of several functions: example.com/app/parse.Read, example.com/old/parse.Read",
			"app/parse.Read"},
		"parse.Raed":    {"no function parse.Raed was seen", "example.com/app/parse.Read"},
		"strings.Count": {"no function strings.Count was seen", "strings.Index"},
		"x.Zzzzzzzzzzz": {"no function x.Zzzzzzzzzzz was seen", "PACKAGE.NAME"},
	} {
		err := UnknownFunction("gate func("+name+")<+5%", name, seen)
		if fail.ExitCode(err) != int(fail.BadInput) || !strings.Contains(err.Error(), want.message) ||
			!strings.Contains(fail.HintOf(err), want.hint) {
			t.Errorf("%s: %v (%s)", name, err, fail.HintOf(err))
		}
	}
	if err := UnknownFunction("", "main.main", seen); err != nil {
		t.Errorf("a function that was seen: %v", err)
	}
}
