package reach

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/program/gocommand"
	"github.com/gohone/hone/internal/program/objfile"
	"github.com/gohone/hone/internal/program/samecode"
	"github.com/gohone/hone/internal/text/fail"
)

// Side says how one of two builds is made.
type Side struct {
	Dir string // where go runs
	// Targets are packages, or the files of one, as go takes them in Dir.
	Targets []string
	Env     []string // whole; nil for hone's own
	Flags   []string // of go build
}

// Programs finds what differs between a main package of both sides.
func Programs(ctx context.Context, both [2]Side) (*Change, error) {
	return compare(ctx, both, samecode.ListProgramArgs, samecode.Listing.Program)
}

// Tests finds what differs between the test binaries of a package of both sides.
func Tests(ctx context.Context, both [2]Side) (*Change, error) {
	return compare(ctx, both, samecode.ListArgs, samecode.Listing.Tests)
}

func compare(ctx context.Context, both [2]Side, args []string,
	find func(samecode.Listing, string) (samecode.Binary, error)) (*Change, error) {
	tools, err := both[1].toolchain(ctx)
	if err != nil {
		return nil, err
	}
	var binaries [2]samecode.Binary
	for i, s := range both {
		listing, err := s.list(ctx, args)
		if err != nil {
			return nil, fmt.Errorf("list what side %s is built from: %w", sides[i], err)
		}
		named := listing.Named()
		if len(named) != 1 {
			return nil, fail.New(fail.BadInput, "%s: want one package, not %d", strings.Join(s.Targets, " "), len(named))
		}
		if binaries[i], err = find(listing, named[0]); err != nil {
			return nil, fail.New(fail.BadInput, "side %s: %w", sides[i], err)
		}
	}
	d, err := new(samecode.Archives).Differences(tools, binaries)
	if err != nil {
		return nil, err
	}
	return Changed(d, binaries), nil
}

// list has the packages compiled, and lists them. Paths of files are not in them: both sides have others.
func (s Side) list(ctx context.Context, args []string) (samecode.Listing, error) {
	args = slices.Concat(args, []string{"-trimpath"}, s.Flags, []string{"-buildvcs=false", "--"}, s.Targets)
	answer, _, err := gocommand.Ask(ctx, s.Env, s.Dir, args...)
	if err != nil {
		return nil, err
	}
	return samecode.ReadListing(bytes.NewReader(answer))
}

// toolchain has the numbers of the toolchain.
func (s Side) toolchain(ctx context.Context) (*objfile.Toolchain, error) {
	answer, _, err := gocommand.Ask(ctx, s.Env, s.Dir, "env", "GOROOT", "GOFLAGS")
	if err != nil {
		return nil, err
	}
	root, goflags, _ := strings.Cut(string(answer), "\n")
	if all := goflags + strings.Join(s.Flags, " "); strings.Contains(all, "-linkshared") ||
		strings.Contains(all, "-buildmode") {
		return nil, errors.New("-linkshared or -buildmode is among the build flags")
	}
	return objfile.ReadToolchain(strings.TrimSpace(root))
}
