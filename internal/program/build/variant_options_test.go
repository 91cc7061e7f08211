package build

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/program/gocommand"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/fail/failtest"
)

// A comparison of three: two packages, and one that hone.yaml calls tuned and gives a
// toolchain and an environment of its own.
func TestOptionsPerVariant(t *testing.T) {
	variants := []Variant{
		{Name: "A", Source: "./one"},
		{Name: "B", Source: "./one", Env: []string{"GOGC=150"}},
		{Name: "C", Source: "./two", Toolchain: "go1.24.0", BuildFlags: []string{"-tags=x"}},
	}
	before := slices.Clone(variants)
	got, err := VariantOptions{
		Toolchain: "go1.26.0,A=go1.25.5",
		Env:       []string{"GOGC=200", "B:GOGC=400", "URL=http://h:1/?a=b", "tuned:X=a:b=c"},
		Flags:     []string{"-race", "C:-tags=y", "-ldflags", "-s -w", "tuned:--pgo=off"},
	}.Apply(variants, []string{"", "", "tuned"})
	if err != nil {
		t.Fatal(err)
	}
	all := []string{"-race", "-ldflags", "-s -w"}
	want := []Variant{
		{Name: "A", Source: "./one", Toolchain: "go1.25.5", BuildFlags: all,
			Env: []string{"GOGC=200", "URL=http://h:1/?a=b"}},
		{Name: "B", Source: "./one", Toolchain: "go1.26.0", BuildFlags: all,
			Env: []string{"GOGC=200", "URL=http://h:1/?a=b", "GOGC=150", "GOGC=400"}},
		{Name: "C", Source: "./two", Toolchain: "go1.24.0",
			BuildFlags: slices.Concat(all, []string{"-tags=x", "-tags=y", "--pgo=off"}),
			Env:        []string{"GOGC=200", "URL=http://h:1/?a=b", "X=a:b=c"}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if !reflect.DeepEqual(variants, before) {
		t.Errorf("the variants that were passed in changed: %+v", variants)
	}
	same, err := VariantOptions{Toolchain: "C=local"}.Apply(variants, []string{"", "", "tuned"})
	if err != nil || same[0].Toolchain != "" || same[2].Toolchain != "local" {
		t.Errorf("a toolchain for one variant: %+v %v", same, err)
	}
}

func TestNoInjectForSome(t *testing.T) {
	variants := []Variant{{Name: "A"}, {Name: "B"}, {Name: "C"}}
	for text, want := range map[string]string{"": "", EveryVariant: "ABC", "B": "B", "A,tuned": "AC"} {
		all, err := VariantOptions{NoInject: text}.Apply(variants, []string{"", "", "tuned"})
		got := ""
		for _, v := range all {
			if v.NoInject {
				got += v.Name
			}
		}
		if err != nil || got != want {
			t.Errorf("%q: %q %v, want %q", text, got, err, want)
		}
	}
}

func TestOptionsThatAreRefused(t *testing.T) {
	variants := []Variant{{Name: "A"}, {Name: "B"}}
	names := []string{"B", "baseline"} // the first is called like the second's letter
	for _, c := range []struct {
		o    VariantOptions
		want []string
	}{
		{VariantOptions{Toolchain: "A=go1.25.5,C=go1.26.0"},
			[]string{`--toolchain "A=go1.25.5,C=go1.26.0": column 12: no variant is called "C"`,
				"the variants are called A B"}},
		{VariantOptions{NoInject: "A,X"}, []string{`--set no-inject "A,X": column 3: no variant is called "X"`}},
		{VariantOptions{Toolchain: "a=go1.25.5"}, []string{"column 1", `did you mean "A"?`}},
		{VariantOptions{Toolchain: "baselin=go1.25.5"}, []string{`did you mean "baseline"?`}},
		{VariantOptions{Toolchain: "B=go1.25.5"}, []string{"letter of one variant and the name of another"}},
		{VariantOptions{Toolchain: "A=1.25.5"}, []string{"column 3", "did you mean go1.25.5?"}},
		{VariantOptions{Toolchain: "A=go1.25"}, []string{"column 3", "there is no such release", "go1.25.0"}},
		{VariantOptions{Toolchain: "A=tip"}, []string{"column 3", "go1.25.5"}},
		{VariantOptions{Toolchain: "A="}, []string{"column 1: no toolchain"}},
		{VariantOptions{Toolchain: "go1.25.5,"}, []string{"column 10: no toolchain"}},
		{VariantOptions{Toolchain: "go1.25.5,go1.26.0"},
			[]string{"column 10: a second toolchain for all", "A=go1.25.5,B=go1.26.0"}},
		{VariantOptions{Toolchain: "A=go1.25.5,A=go1.25.5"}, []string{"column 12: a second toolchain for variant A"}},
		{VariantOptions{Toolchain: "=go1.25.5"}, []string{`no variant is called ""`}},
		{VariantOptions{Toolchain: "go1.25.5+sideways"}, []string{"want the name of a Go release"}},
		{VariantOptions{Env: []string{"GOGC"}}, []string{`--env "GOGC": column 1: want KEY=VALUE`, "A:GOGC=200"}},
		{VariantOptions{Env: []string{"baseline:GOGC"}}, []string{"column 10: want KEY=VALUE"}},
		{VariantOptions{Env: []string{"D:GOGC=1"}}, []string{"column 1", `no variant is called "D"`}},
		{VariantOptions{Env: []string{"A:=1"}}, []string{"column 3: want KEY=VALUE"}},
		{VariantOptions{Flags: []string{"D:-race"}},
			[]string{`--flags "D:-race": column 1`, `no variant is called "D"`}},
		{VariantOptions{Flags: []string{"A:-tags"}},
			[]string{"column 3: the flag -tags wants a value", "A:-tags=VALUE"}},
		{VariantOptions{Flags: []string{""}}, []string{"column 1: no flag"}},
		{VariantOptions{Toolchain: "C=local", Env: []string{"x"}, Flags: []string{"E:-x"}},
			[]string{"--toolchain", "--env", "--flags"}},
	} {
		_, err := c.o.Apply(variants, names)
		failtest.Want(t, err, fail.BadInput, c.want...)
	}
}

// The names of toolchains that go itself takes or refuses (go help toolchain was checked
// against GOTOOLCHAIN=... go version).
func TestToolchainNames(t *testing.T) {
	for name, want := range map[string]bool{
		"local": true, "auto": true, "path": true, "go1.25.5": true, "go1.20": true, "go1.21rc2": true,
		"go1.26.0-vendor": true,
		"go1.25.5+auto":   true, "local+path": true, "go1.21.0+path": true,
		"go1.25": false, "go1": false, "go0": false, "go1.25+auto": false, "1.25.5": false, "go": false, "go1.": false,
		"auto+auto": false, "local+": false, "go1.25.5+local": false,
		"": false, "go1.25.5 ": false, "gotip": false,
	} {
		if err := gocommand.CheckToolchain(name); (err == nil) != want {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// FuzzOptions: any words give an error with a hint, or values that stand in the words,
// each once for every variant they are for.
func FuzzOptions(f *testing.F) {
	f.Add("go1.26.0,A=go1.25.5", "B:GOGC=400", "A:-race")
	f.Add("=,=", ":=", "A:-")
	f.Add("b=local+auto", "GOGC=1:2", "tuned:-ldflags=-s -w")
	f.Fuzz(func(t *testing.T, toolchain, env, flag string) {
		variants := []Variant{{Name: "A"}, {Name: "B"}}
		got, err := VariantOptions{Toolchain: toolchain, Env: []string{env}, Flags: []string{flag}}.Apply(variants,
			[]string{"", "tuned"})
		if err != nil {
			if fail.ExitCode(err) != int(fail.BadInput) || fail.HintOf(err) == "" ||
				!strings.Contains(err.Error(), "column ") {
				t.Errorf("%v (hint %q)", err, fail.HintOf(err))
			}
			return
		}
		for _, v := range got {
			if len(v.Env) > 1 || len(v.BuildFlags) > 1 ||
				(v.Toolchain != "" && gocommand.CheckToolchain(v.Toolchain) != nil) {
				t.Errorf("%+v", v)
			}
		}
		if len(got[0].Env)+len(got[1].Env) == 0 || len(got[0].BuildFlags)+len(got[1].BuildFlags) == 0 {
			t.Errorf("an option is lost: %+v", got)
		}
	})
}
