package git

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// always are the settings that hold in every repository: no hooks and no monitor.
var always = []setting{{"core.hooksPath", os.DevNull}, {"core.fsmonitor", "false"}}

// noBare keeps git from a repository that is hidden among the files of another one: a
// directory with the files HEAD and config can be cloned, .git/config cannot.
var noBare = setting{"safe.bareRepository", "explicit"}

// shield are the settings under which none of git's commands in this package executes what
// the repository's configuration names. A filter that the user has set up keeps the user's
// own commands.
func (c *config) shield() []setting {
	settings := append([]setting(nil), always...)
	for _, s := range c.repository {
		section, name, variable := s.names()
		switch {
		case section == "filter" && name != "":
			settings = append(settings, c.userFilter(name)...)
		case section == "hook" && name != "": // git 2.54 and later: hook.NAME.command
			settings = append(settings, setting{"hook." + name + ".enabled", "false"})
		case section == "lfs" && strings.HasPrefix(name, "extension.") && variable != "priority":
			// git-lfs, though the user's own, reads this from the repository and runs it.
			settings = append(settings, noFilter("lfs")...)
		}
	}
	return settings
}

// userFilter are the settings that make a filter what it is without the repository.
func (c *config) userFilter(name string) []setting {
	settings := noFilter(name)
	for i := range settings {
		if value, set := c.userValue(settings[i].key); set {
			settings[i].value = value
		}
	}
	return settings
}

// noFilter are the settings that take a filter out: git passes files through an empty
// command unchanged, unless the filter is required.
func noFilter(name string) []setting {
	f := "filter." + name + "."
	return []setting{{f + "clean", ""}, {f + "smudge", ""}, {f + "process", ""}, {f + "required", "false"}}
}

// environmentOf gives settings to git by the environment, where a key may have any
// characters, on top of those that are there already (git-config, "GIT_CONFIG_COUNT").
func environmentOf(settings []setting) []string {
	n, err := strconv.Atoi(os.Getenv("GIT_CONFIG_COUNT"))
	if err != nil || n < 0 {
		n = 0
	}
	var env []string
	for i, s := range settings {
		env = append(env, fmt.Sprintf("GIT_CONFIG_KEY_%d=%s", n+i, s.key),
			fmt.Sprintf("GIT_CONFIG_VALUE_%d=%s", n+i, s.value))
	}
	return append(env, fmt.Sprintf("GIT_CONFIG_COUNT=%d", n+len(settings)))
}
