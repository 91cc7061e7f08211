package actions

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// proposal is a job that has a report and a new profile, in a checkout of the repository.
func proposal(t *testing.T, c checkout, g *github, profile string) (*job, map[string]string) {
	j := newJob(t, c.dir, "schedule", map[string]any{})
	j.env["GITHUB_API_URL"] = g.server.URL
	return j, map[string]string{
		"file": j.write("new.pgo", profile), "path": "cmd/server/default.pgo",
		"markdown": j.write("comment.md", "### hone: 4 % less CPU time\n"),
	}
}

// The first time a pull request is opened, then the open one has the newer profile, and a profile that the repository
// has is not proposed.
func TestAProfileIsProposed(t *testing.T) {
	c, g := newCheckout(t, server, changed), newGitHub(t)
	origin := strings.TrimPrefix(git(t, c.dir, "remote", "get-url", "origin"), "file://")
	begin := git(t, c.dir, "rev-parse", "HEAD")
	for i, profile := range []string{"first", "second"} {
		git(t, c.dir, "checkout", "-q", "--detach", begin)
		j, with := proposal(t, c, g, profile)
		r := j.uses("propose", with)
		if r.code != 0 || r.outputs["url"] != "https://github.example/acme/shop/pull/5" {
			t.Fatalf("exit code %d, %v\n%s", r.code, r.outputs, r.log)
		}
		if got := git(t, origin, "show", "hone/pgo:cmd/server/default.pgo"); got != profile {
			t.Errorf("the branch has the profile %q, want %q", got, profile)
		}
		if got := git(t, origin, "diff", "--name-only", begin, "hone/pgo"); got != "cmd/server/default.pgo" {
			t.Errorf("time %d changes %s", i, got)
		}
	}
	if len(g.opened) != 1 || strings.Join(g.writes,
		", ") != "POST /repos/acme/shop/pulls, PATCH /repos/acme/shop/pulls/5" {
		t.Fatalf("%d pull requests, %v", len(g.opened), g.writes)
	}
	p := g.opened[0]
	if p.Head != "hone/pgo" || p.Base != "main" || p.Title != "Newer profile for PGO" ||
		!strings.Contains(p.Body, "actions/runs/77") ||
		!strings.HasSuffix(p.Body, "### hone: 4 % less CPU time\n") {
		t.Errorf("%+v", p)
	}

	j, with := proposal(t, c, g, "second") // the checkout has it: it is the branch that was pushed
	if r := j.uses("propose", with); r.code != 0 || r.outputs["url"] != "" ||
		!strings.Contains(r.log, "has this content already") || len(g.writes) != 2 {
		t.Errorf("exit code %d, %v, %v\n%s", r.code, r.outputs, g.writes, r.log)
	}
}

// What would write elsewhere, or say nothing, is refused before anything is pushed.
func TestProposeRefusals(t *testing.T) {
	c := newCheckout(t, server, changed)
	for name, is := range map[string]struct {
		with map[string]string
		code int
		says string
	}{
		"outside": {with: map[string]string{"path": "../default.pgo"}, code: 2,
			says: "is not a path within the repository"},
		"absolute": {with: map[string]string{"path": "/etc/default.pgo"}, code: 2,
			says: "is not a path within the repository"},
		"git": {with: map[string]string{"path": ".git/config"}, code: 2,
			says: "is not a path within the repository"},
		"no profile":  {with: map[string]string{"file": "nowhere.pgo"}, code: 2, says: "is missing or empty"},
		"no report":   {with: map[string]string{"markdown": ""}, code: 2, says: "is missing or empty"},
		"base itself": {with: map[string]string{"branch": "main"}, code: 2, says: "give it a name of its own"},
		"bad branch":  {with: map[string]string{"branch": "a..b"}, code: 2, says: "is not a name of a branch"},
		"read only":   {code: 7, says: "the job needs the permission pull-requests: write"},
	} {
		t.Run(name, func(t *testing.T) {
			g := newGitHub(t)
			g.readOnly = true
			j, with := proposal(t, c, g, name)
			for input, value := range is.with {
				with[input] = value
			}
			r := j.uses("propose", with)
			if r.code != is.code || !strings.Contains(r.log, is.says) {
				t.Errorf("exit code %d, want %d and %q\n%s", r.code, is.code, is.says, r.log)
			}
			if is.code == 2 && len(g.writes) > 0 {
				t.Errorf("it wrote: %v", g.writes)
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(c.dir), "default.pgo")); err == nil {
				t.Error("a file outside of the repository was written")
			}
		})
	}
}
