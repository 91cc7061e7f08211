package source

import (
	"slices"
	"testing"
)

func TestIsRelease(t *testing.T) {
	for word, want := range map[string]bool{
		"github.com/owner/name/cmd/server@v1.2.0": true, "rsc.io/quote@latest": true, "gioui.org@v0.9.0": true,
		"example.com/x/...@v1.2": true, "example.com/x@v0.0.0-20260102030405-0123456789ab": true,
		"example.com/x@main": true, "gopkg.in/yaml.v3@v3.0.1": true,

		"HEAD@{1}:./cmd": false, "v1.2@{1}": false, "main@{upstream}": false, "./x.y@v1": false, "../x.y/z@v1": false,
		"example.com/x": false, "example.com/x@": false, "name@v1.2.0": false, "user@example.com": false,
		"http://user@example.com/": false, "example.com:80/x@v1": false, "v1.2:example.com/x@v1": false,
		"example.com/x@-toolexec": false, "-x.y/z@v1": false, "/x.y/z@v1": false, "fmt@v1.2.0": false,
		"example.com/x@v1@v2": false,
	} {
		if got := IsRelease(word); got != want {
			t.Errorf("%s: %v, want %v", word, got, want)
		}
	}
}

func TestModulesOf(t *testing.T) {
	for pkg, want := range map[string][]string{
		"github.com/o/n/cmd/s": {"github.com/o/n/cmd/s", "github.com/o/n/cmd", "github.com/o/n"},
		"github.com/o/n/...":   {"github.com/o/n"},
		"github.com/o":         {"github.com/o"},
		"rsc.io/quote/v3":      {"rsc.io/quote/v3", "rsc.io/quote", "rsc.io"},
	} {
		if got := modulesOf(pkg); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", pkg, got, want)
		}
	}
}

func TestBelow(t *testing.T) {
	for pkg, want := range map[string]string{
		"example.com/m": ".", "example.com/m/cmd/s": "cmd/s", "example.com/m/...": "...",
		"example.com/m/a/...": "a/...",
	} {
		if got := (&Release{Path: pkg, Module: "example.com/m"}).Below(); got != want {
			t.Errorf("%s: %q, want %q", pkg, got, want)
		}
	}
}
