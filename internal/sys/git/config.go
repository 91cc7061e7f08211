package git

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// setting is one value of git's configuration. Git writes sections and variables in lower
// case; what is between the first and the last dot is as the user wrote it.
type setting struct{ key, value string }

// config is what git would read for one repository, in git's order: the last value of a key
// counts.
type config struct {
	user       []setting // the user's own: system, global, environment
	repository []setting // of the repository: .git/config, config.worktree, and what they include
}

// readConfig reads the configuration that holds in dir; to read it executes nothing. In a
// directory outside of a repository it is the user's alone.
func readConfig(ctx context.Context, dir string) (*config, error) {
	return readConfigWith(ctx, dir, nil)
}

// readConfigWith is readConfig with more of an environment: GIT_DIR names another repository.
func readConfigWith(ctx context.Context, dir string, more []string) (*config, error) {
	text, err := runWith(ctx, dir, always, "", more, "config", "--list", "--show-scope", "--null")
	if err != nil {
		return nil, err
	}
	return parseConfig(text)
}

// parseConfig reads SCOPE NUL KEY NEWLINE VALUE NUL ..., where a key without a value has no
// newline (git-config, --null). What is of no scope that is known to be the user's is the
// repository's.
func parseConfig(text string) (*config, error) {
	c := &config{}
	for text != "" {
		scope, rest, found := strings.Cut(text, "\x00")
		entry, rest, ended := strings.Cut(rest, "\x00")
		if !found || !ended || entry == "" {
			return nil, fmt.Errorf("read the list of git config: an entry of scope %q has no end", scope)
		}
		key, value, _ := strings.Cut(entry, "\n")
		s := setting{key, value}
		switch scope {
		case "system", "global", "command":
			c.user = append(c.user, s)
		default:
			c.repository = append(c.repository, s)
		}
		text = rest
	}
	return c, nil
}

// names splits a key such as filter.lfs.clean.
func (s setting) names() (section, name, variable string) {
	first, last := strings.Index(s.key, "."), strings.LastIndex(s.key, ".")
	switch {
	case first < 0:
		return s.key, "", ""
	case first == last:
		return s.key[:first], "", s.key[last+1:]
	}
	return s.key[:first], s.key[first+1 : last], s.key[last+1:]
}

// userValue is what the key has without the repository.
func (c *config) userValue(key string) (value string, set bool) {
	for _, s := range c.user {
		if s.key == key {
			value, set = s.value, true
		}
	}
	return value, set
}

// isPartial says that git may fetch objects that are missing (partial clone).
func (c *config) isPartial() bool {
	return slices.ContainsFunc(c.repository, func(s setting) bool {
		section, _, variable := s.names()
		return s.key == "extensions.partialclone" ||
			section == "remote" && (variable == "promisor" || variable == "partialclonefilter")
	})
}
