package cli

import (
	"cmp"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
	"time"
)

// What a release is stamped with (.goreleaser.yaml, tools/image/ko.yaml), by -ldflags=-X; empty in every other build.
var stampedVersion, stampedCommit, stampedDate string

// Build says what a program of hone is made from.
type Build struct {
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

// ThisBuild is that of the running program.
func ThisBuild() Build {
	info, _ := debug.ReadBuildInfo() // nil in a program that was not built in modules
	return buildOf(info, stampedVersion, stampedCommit, stampedDate)
}

// buildOf takes what was stamped, else what the go command noted.
func buildOf(info *debug.BuildInfo, version, commit, date string) Build {
	b := Build{Schema: "hone.version/1", Version: version, Commit: commit, Date: date, Go: runtime.Version(),
		Platform: runtime.GOOS + "/" + runtime.GOARCH}
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
func (b Build) shortCommit() string { return b.Commit[:min(12, len(b.Commit))] }

// Line is what a program with this name prints as its version.
func (b Build) Line(program string) string {
	line := program + " " + b.Version
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

// SameAs says whether two programs are of one version. In a checkout the go command gives modules of one
// commit versions of their own: the commit decides.
func (b Build) SameAs(other Build) bool {
	return b.Version == other.Version || b.Commit != "" && b.Commit == other.Commit
}

// released is a version that has a tag: no version that the go command made of a commit, none with local changes.
var released = regexp.MustCompile(`^v[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.]+)?$`)
var madeOfCommit = regexp.MustCompile(`[0-9]{14}-[0-9a-f]{12}$`)

// Released says whether go install MODULE@VERSION finds this version.
func (b Build) Released() bool {
	return released.MatchString(b.Version) && !madeOfCommit.MatchString(b.Version)
}
