package main

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

func (a *app) versionCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print hone's version, its commit and the Go toolchain it was built with",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			b := thisBuild()
			if asJSON {
				return a.printJSON(b)
			}
			_, err := fmt.Fprintln(a.stdout, b)
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// What a release is stamped with (.goreleaser.yaml, tools/image/ko.yaml), by -ldflags=-X; empty in every other build.
var stampedVersion, stampedCommit, stampedDate string

// build says what this hone is made from.
type build struct {
	Schema  string `json:"schema"`
	Version string `json:"version"`
	// Commit is the whole hash; empty for go install MODULE@VERSION, which knows none.
	Commit string `json:"commit,omitempty"`
	// Modified says that files were changed after the commit.
	Modified bool `json:"modified,omitempty"`
	// Date is that of the commit, RFC 3339 in UTC, so that two builds of one commit are equal.
	Date     string `json:"date,omitempty"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

func thisBuild() build {
	info, _ := debug.ReadBuildInfo() // nil in a program that was not built in modules
	return buildOf(info, stampedVersion, stampedCommit, stampedDate)
}

// buildOf takes what was stamped, else what the go command noted.
func buildOf(info *debug.BuildInfo, version, commit, date string) build {
	b := build{Schema: "hone.version/1", Version: version, Commit: commit, Date: date, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	if info != nil {
		if b.Version == "" && info.Main.Version != "(devel)" {
			b.Version = info.Main.Version
		}
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				b.Commit = cmp.Or(b.Commit, s.Value)
			case "vcs.time":
				b.Date = cmp.Or(b.Date, s.Value)
			case "vcs.modified":
				b.Modified = s.Value == "true"
			}
		}
	}
	if t, err := time.Parse(time.RFC3339, b.Date); err == nil {
		b.Date = t.UTC().Format(time.RFC3339)
	}
	if b.Version == "" {
		b.Version = strings.TrimSuffix("devel-"+b.shortCommit(), "-")
	}
	return b
}

// shortCommit is the commit as people write it.
func (b build) shortCommit() string { return b.Commit[:min(12, len(b.Commit))] }

// String is the line that hone version prints.
func (b build) String() string {
	line := "hone " + b.Version
	if b.Commit != "" {
		line += " commit " + b.shortCommit()
		if b.Modified {
			line += " (modified)"
		}
	}
	if b.Date != "" {
		line += " of " + b.Date
	}
	return line + " " + b.Go + " " + b.Platform
}

// version is what measurements and pages record.
func version() string { return thisBuild().Version }
