package main

import (
	"strings"
	"testing"
)

// A command line with options of go tool pprof is said in hone's words; the command is accepted.
func TestPprofOptionsInHonesWords(t *testing.T) {
	for line, want := range map[string]string{
		"profile top -base OLD NEW":                     "hone profile top NEW --base OLD",
		"profile top --diff_base=OLD NEW":               "hone profile top NEW --base OLD",
		"profile list main.f -diff-base OLD NEW":        "hone profile list main.f NEW --base OLD",
		"profile -base OLD NEW":                         "hone profile top NEW --base OLD",
		"profile diff -base OLD NEW":                    "hone profile diff OLD NEW",
		"profile diff --base=OLD NEW --per raw":         "hone profile diff OLD NEW --per raw",
		"profile -top -cum -sample_index=alloc_space F": "hone profile top F --cum --sample alloc_space",
		"profile -inuse_objects -nodecount=5 F":         "hone profile top F --sample inuse_objects -n=5",
		"profile -list=main.f F":                        "hone profile list main.f F",
		"profile -http=127.0.0.1:0 -base OLD NEW":       "hone profile web NEW --addr 127.0.0.1:0 --base OLD",
		"profile top --nonsense F":                      "",
		"run . -base OLD":                               "",
	} {
		flags := (&app{}).profileDiffCommand().Flags()
		if got := inHone(strings.Fields(line), flags); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		} else if want != "" {
			if err := parses(strings.TrimPrefix(want, "hone ")); err != nil {
				t.Errorf("%s is not accepted: %v", want, err)
			}
		}
	}
}
