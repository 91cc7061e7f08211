package cli

import (
	"runtime"
	"runtime/debug"
	"testing"
)

func TestAVersionIsStampedOrNotedByTheGoCommand(t *testing.T) {
	vcs := []debug.BuildSetting{{Key: "vcs", Value: "git"},
		{Key: "vcs.revision", Value: "0123456789abcdef0123456789abcdef01234567"},
		{Key: "vcs.time", Value: "2026-11-23T10:00:00+01:00"}, {Key: "vcs.modified", Value: "true"}}
	tail := " " + runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH
	for name, c := range map[string]struct {
		info                  *debug.BuildInfo
		version, commit, date string
		want                  string
	}{
		"a release": {&debug.BuildInfo{Main: debug.Module{Version: "(devel)"}}, "v1.2.3", "fedcba9876543210",
			"2026-11-20T08:00:00Z",
			"hone v1.2.3 commit fedcba987654 of 2026-11-20T08:00:00Z"},
		"go install at a tag": {&debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}}, "", "", "", "hone v1.2.3"},
		"a build in a checkout": {&debug.BuildInfo{Main: debug.Module{Version: "(devel)"}, Settings: vcs}, "", "", "",
			"hone devel-0123456789ab commit 0123456789ab (modified) of 2026-11-23T09:00:00Z"},
		"the same with a version": {&debug.BuildInfo{Main: debug.Module{Version: "v1.2.4-0.20261123090000-0123456789ab+dirty"}, Settings: vcs}, "", "", "",
			"hone v1.2.4-0.20261123090000-0123456789ab+dirty commit 0123456789ab (modified) of 2026-11-23T09:00:00Z"},
		"without git":     {&debug.BuildInfo{Main: debug.Module{Version: "(devel)"}}, "", "", "", "hone devel"},
		"without modules": {nil, "", "", "", "hone devel"},
	} {
		if got := buildOf(c.info, c.version, c.commit, c.date).Line("hone"); got != c.want+tail {
			t.Errorf("%s: %q, want %q", name, got, c.want+tail)
		}
	}
}

func TestWhatGoInstallFinds(t *testing.T) {
	for version, want := range map[string]bool{
		"v1.2.3": true, "v1.2.3-rc.1": true, "devel": false, "devel-0123456789ab": false,
		"v0.0.0-20261123090000-0123456789ab": false, "v1.2.4-0.20261123090000-0123456789ab": false,
		"v1.2.3+dirty": false,
	} {
		if got := (Build{Version: version}).Released(); got != want {
			t.Errorf("%s: %v, want %v", version, got, want)
		}
	}
}

func TestOneCommitIsOneVersion(t *testing.T) {
	core := Build{Version: "v1.2.4-0.20261123090000-0123456789ab", Commit: "0123456789abcdef"}
	for _, c := range []struct {
		extension Build
		want      bool
	}{
		{Build{Version: "v0.0.0-20261123090000-0123456789ab", Commit: "0123456789abcdef"}, true},
		{Build{Version: "v1.2.4-0.20261123090000-0123456789ab"}, true},
		{Build{Version: "v1.2.3", Commit: "fedcba9876543210"}, false},
		{Build{Version: "devel"}, false},
	} {
		if got := c.extension.SameAs(core); got != c.want {
			t.Errorf("%+v: %v, want %v", c.extension, got, c.want)
		}
	}
}
