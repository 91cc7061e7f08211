package git

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"github.com/gohone/hone/internal/text/fail"
)

// Safety are the settings of an environment that keep the git that another program runs
// from hooks and monitors of any repository.
func Safety() []string {
	return append(environmentOf(always), "GIT_OPTIONAL_LOCKS=0")
}

// Stamping is for go build, which runs git status and git log in dir to stamp the commit
// into a program. env are the settings that keep this git as safe as Run, as far as
// settings can. Where they cannot, reason says why, and the caller must build without a
// stamp (-buildvcs=false); it is empty otherwise.
//
// Protocols are not banned: go fetches modules with git, too.
func Stamping(ctx context.Context, dir string) (env []string, reason string) {
	config, err := readConfig(ctx, dir)
	var noGit *fail.Error
	switch {
	case errors.As(err, &noGit):
		return nil, ""
	case err != nil:
		return nil, "git cannot read its configuration"
	}
	settings := append([]setting{{"diff.ignoreSubmodules", "dirty"}}, config.shield()...)
	switch {
	case config.isPartial():
		reason = "this is a partial clone, where git fetches what is missing with commands of its configuration"
	case config.hasSubmodules() || hasModulesFile(ctx, dir, settings):
		reason = "there are submodules, and there git runs git under their configuration"
	}
	return append(environmentOf(settings), "GIT_OPTIONAL_LOCKS=0"), reason
}

// hasSubmodules says that the configuration names a submodule, which then overrides
// diff.ignoreSubmodules, as .gitmodules may.
func (c *config) hasSubmodules() bool {
	return slices.ContainsFunc(c.repository, func(s setting) bool {
		section, name, _ := s.names()
		return section == "submodule" && name != ""
	})
}

func hasModulesFile(ctx context.Context, dir string, settings []setting) bool {
	top, err := run(ctx, dir, settings, "rev-parse", "--show-toplevel")
	if err != nil {
		return false // no work tree: go stamps nothing
	}
	_, err = os.Lstat(filepath.Join(top, ".gitmodules"))
	return err == nil
}
