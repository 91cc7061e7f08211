package git

import (
	"slices"
	"strings"
	"testing"
)

func TestParseConfig(t *testing.T) {
	c, err := parseConfig("system\x00core.x\n1\x00local\x00filter.a.b=c.clean\nx\ny\x00worktree\x00foo.bar\x00command\x00core.x\n\x00")
	if err != nil {
		t.Fatal(err)
	}
	if want := []setting{{"core.x", "1"}, {"core.x", ""}}; !slices.Equal(c.user, want) {
		t.Errorf("of the user: %q", c.user)
	}
	if want := []setting{{"filter.a.b=c.clean", "x\ny"}, {"foo.bar", ""}}; !slices.Equal(c.repository, want) {
		t.Errorf("of the repository: %q", c.repository)
	}
	if section, name, variable := c.repository[0].names(); section != "filter" || name != "a.b=c" ||
		variable != "clean" {
		t.Errorf("%q %q %q", section, name, variable)
	}
	if value, set := c.userValue("core.x"); value != "" || !set {
		t.Errorf("the last value is %q, %v", value, set)
	}
}

// Every executable key of a filter is among the settings, whatever its name.
func FuzzParseConfig(f *testing.F) {
	f.Add("local\x00filter.lfs.clean\ngit-lfs clean\x00")
	f.Add("global\x00filter.lfs.process\x00local\x00lfs.extension.x.clean\ny\x00")
	f.Add("local\x00hook..command\n\x00worktree\x00\x00")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := parseConfig(text)
		if err != nil {
			return
		}
		if 2*(len(c.user)+len(c.repository)) != strings.Count(text, "\x00") {
			t.Errorf("%d settings in %q", len(c.user)+len(c.repository), text)
		}
		shield := c.shield()
		for _, s := range c.repository {
			section, name, variable := s.names()
			if section == "filter" && name != "" && variable == "clean" &&
				!slices.ContainsFunc(shield, func(o setting) bool { return o.key == s.key }) {
				t.Errorf("%q stays as it is", s.key)
			}
		}
	})
}

// A filter of the user's own keeps his commands, though the repository has others for it.
func TestUsersFilterStays(t *testing.T) {
	c := &config{
		user: []setting{{"filter.lfs.clean", "git-lfs clean -- %f"}, {"filter.lfs.required", "true"}},
		repository: []setting{{"filter.lfs.clean", "evil"}, {"filter.lfs.smudge", "evil"},
			{"filter.own.smudge", "evil"},
			{"filter.own.required", "true"}},
	}
	got := map[string]string{}
	for _, s := range c.shield() {
		got[s.key] = s.value
	}
	for key, want := range map[string]string{"filter.lfs.clean": "git-lfs clean -- %f", "filter.lfs.smudge": "",
		"filter.lfs.required": "true",
		"filter.own.smudge":   "", "filter.own.clean": "", "filter.own.required": "false"} {
		if value, set := got[key]; !set || value != want {
			t.Errorf("%s is %q, %v", key, value, set)
		}
	}
	if names := c.repositoryFilters(); !slices.Equal(names, []string{"lfs", "own"}) {
		t.Errorf("filters of the repository: %q", names)
	}
	// git-lfs runs extensions, which the repository names.
	c.repository = []setting{{"lfs.extension.x.clean", "evil"}}
	if shield := c.shield(); shield[len(shield)-4] != (setting{"filter.lfs.clean", ""}) {
		t.Errorf("%q", shield)
	}
}
