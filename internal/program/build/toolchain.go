package build

import (
	"fmt"
	"strings"

	"github.com/gohone/hone/internal/program/gocommand"
	"github.com/gohone/hone/internal/text/fail"
)

// checkToolchainUsed compares the release that was asked for by name with the one that
// built the executable. A go command older than 1.21 takes no notice of GOTOOLCHAIN.
func (b *Binary) checkToolchainUsed() error {
	wanted := b.Variant.Toolchain
	if !gocommand.Release.MatchString(wanted) || gocommand.ReleaseOf(wanted) == gocommand.ReleaseOf(b.GoVersion) {
		return nil
	}
	return fail.New(fail.Subject, "build variant %s: toolchain %s was named, but %s built it", b.Variant.Name, wanted,
		b.GoVersion).
		WithHint("go chooses toolchains since Go 1.21: see go version in %s, and update the Go in PATH", b.WorkDir)
}

// checkToolchainInput refuses a toolchain that go cannot know, or that the environment
// contradicts.
func checkToolchainInput(v Variant) error {
	if v.Toolchain == "" {
		return nil
	}
	if err := gocommand.CheckToolchain(v.Toolchain); err != nil {
		return fmt.Errorf("variant %s: %w", v.Name, err)
	}
	for _, entry := range v.Env {
		if strings.HasPrefix(entry, "GOTOOLCHAIN=") {
			return fail.New(fail.BadInput, "variant %s has toolchain %s and %s in its environment", v.Name, v.Toolchain,
				entry).
				WithHint("leave out one of the two")
		}
	}
	return nil
}
