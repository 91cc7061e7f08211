package gobench

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gohone/hone/internal/conduct/gobench/process"
	"github.com/gohone/hone/internal/conduct/gobench/sources"
	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/store/benchmarks"
)

// The order of the functions in a program can cost several per cent, and is a property of neither side. So both
// sides are linked in several random orders, before the first turn: a pool. Each block draws one of them that was
// used least, the same for both sides, and the layout is the unit of the test (judge.Block).

// layoutName is the file of a layout of a side of a package; paths of all layouts are equally long.
func layoutName(side string, pkg, layout int) string {
	return fmt.Sprintf("%s%d-%03d.test", side, pkg, layout)
}

// binaryOf says which test binary of a package: that of a side, in a layout, from 1 on; 0 is the one that the user's
// flags link.
type binaryOf struct{ side, layout int }

func (p *pkg) binary(of binaryOf) process.Program {
	if of.layout == 0 {
		return p.binaries[of.side]
	}
	return p.layouts[of.layout-1][of.side]
}

// drawnLayouts are those of the blocks of a benchmark.
type drawnLayouts struct {
	used  []int // how many blocks each layout has
	ready bool  // the link orders of its second stage are there
}

// draw chooses the layout of a block among those that the benchmark has used least; 0 if there is no choice.
func (b *bench) draw(rng *rand.Rand) int {
	if b.pkg == nil || len(b.pkg.layouts) == 0 {
		return 0
	}
	b.used = append(b.used, make([]int, len(b.pkg.layouts)-len(b.used))...) // another benchmark may have had some added
	least, best := slices.Min(b.used), []int{}
	for i, n := range b.used {
		if n == least {
			best = append(best, i)
		}
	}
	i := best[rng.IntN(len(best))]
	b.used[i]++
	return i + 1
}

// layoutsUsed is how many layouts the blocks of a benchmark ran.
func (b *bench) layoutsUsed() int {
	seen := map[int]bool{}
	for _, block := range b.Blocks {
		if block.Layout > 0 {
			seen[block.Layout] = true
		}
	}
	return len(seen)
}

// linked is what pools are made with, also later ones.
type linked struct {
	flags    *layoutFlags
	packages []*pkg // by the number in the names of their files
}

// linkLayouts makes the pool of each package that has benchmarks. The first layout says what one costs.
func (m *measurement) linkLayouts(ctx context.Context, packages []*pkg) error {
	if m.task.Layouts == 1 || m.task.Count > 0 && m.task.Count < fewestLayouts {
		return nil // no verdict comes out of so few blocks
	}
	flags, err := m.layoutFlags(ctx)
	if err != nil || flags == nil {
		return err
	}
	m.linked.flags, m.linked.packages = flags, packages
	packages = slices.DeleteFunc(slices.Clone(packages), func(p *pkg) bool {
		return !slices.ContainsFunc(m.benches, func(b *bench) bool { return b.pkg == p && !b.Lost() })
	})
	m.task.Progress.Phase("rebuild both sides with shuffled function order", 0)
	wanted := mostLayouts
	seeds := build.LayoutSeeds(m.task.Seed, mostLayouts)
	for layout := 1; layout <= wanted && len(packages) > 0; layout++ {
		began, size := time.Now(), int64(0)
		for _, p := range slices.Clone(packages) {
			bytes, why := m.linkBoth(ctx, p, layout, seeds[layout-1])
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if why != nil { // one layout is no sample of layouts
				first, _, _ := strings.Cut(why.Error(), "\n")
				m.noteOneLayout(p.path, first)
				p.removeLayouts()
				packages = slices.DeleteFunc(packages, func(o *pkg) bool { return o == p })
			}
			size += bytes
		}
		if layout == 1 {
			wanted = m.task.layoutsFor(len(m.benches), time.Since(began), size)
		}
	}
	return nil
}

// linkBoth links both sides of a package in one more order, at the same time where there are CPUs for it, and returns
// how large they are.
func (m *measurement) linkBoth(ctx context.Context, p *pkg, layout int, seed int64) (size int64, err error) {
	number := slices.Index(m.linked.packages, p)
	var both [2]process.Program
	var faults [2]error
	var wait sync.WaitGroup
	for side, s := range m.sides {
		both[side] = p.binaries[side]
		both[side].Path = filepath.Join(m.temp, layoutName(s.Name, number, layout))
		link := func() {
			var all []string
			if all, faults[side] = m.linked.flags.of(side, s, seed); faults[side] == nil {
				faults[side] = m.follow(ctx, side, p.recipes[side], all, both[side].Path)
			}
		}
		if runtime.GOMAXPROCS(0) < 2 {
			link()
			continue
		}
		wait.Go(link) // ends with its go command, before linkBoth returns
	}
	wait.Wait()
	if err := errors.Join(faults[:]...); err != nil {
		return 0, err
	}
	for _, binary := range both {
		info, err := os.Stat(binary.Path)
		if err != nil {
			return 0, err
		}
		size += info.Size()
	}
	p.layouts = append(p.layouts, both)
	return size, nil
}

// removeLayouts leaves a package with the order that the user's flags link.
func (p *pkg) removeLayouts() {
	for _, both := range p.layouts {
		_ = errors.Join(os.Remove(both[0].Path), os.Remove(both[1].Path)) // the temporary directory goes in any case
	}
	p.layouts = nil
}

// noteOneLayout says that the sides are compared in one order only, and why.
func (m *measurement) noteOneLayout(pkg, why string) {
	m.result.Notes = append(m.result.Notes, benchmarks.Note{Package: pkg,
		Text: fmt.Sprintf("one link order of each side, so a difference of some per cent may be that of the order: %s",
			why)})
}

// layoutFlags are what the linkers of both sides are told for another layout.
type layoutFlags struct {
	goflags [2]string
	more    []string // beside the seed
}

func (f *layoutFlags) of(side int, s *sources.Side, seed int64) ([]string, error) {
	return build.WithLinkFlags(f.goflags[side], s.Flags,
		strings.Join(append([]string{fmt.Sprintf("-randlayout=%d", seed)}, f.more...), " "))
}

const (
	randomFlag, alignFlag = "-randlayout", "-funcalign"
	// alignment of functions, in bytes: that of a line of the cache. Where they begin in it is then no matter of the
	// order.
	alignment = "=64"
	// noDebug leaves out what debuggers read. The order is linked in less time; symbols and the program's own tables
	// stay.
	noDebug = "-w"
)

// layoutFlags asks the linkers of both sides what they know. It is nil, with a note, where one cannot change the order,
// or where the user has.
func (m *measurement) layoutFlags(ctx context.Context) (*layoutFlags, error) {
	f := &layoutFlags{more: []string{noDebug}}
	align := true
	for i, s := range m.sides {
		goflags, err := sources.GoCommand(ctx, s, func(why error) error { return why }, "env", "GOFLAGS")
		if err != nil {
			return nil, err
		}
		f.goflags[i] = strings.TrimSpace(goflags)
		used, err := build.UsesLinkFlag(f.goflags[i], s.Flags, randomFlag)
		if err != nil {
			return nil, err
		}
		if used != "" {
			m.noteOneLayout("", fmt.Sprintf("side %s is linked with %s", s.Name, used))
			return nil, nil
		}
		knows := sources.LinkerHelp(ctx, s)
		if !strings.Contains(knows, randomFlag) {
			m.noteOneLayout("", fmt.Sprintf("the linker of %s cannot change it", s.GoVersion))
			return nil, ctx.Err()
		}
		users, err := build.UsesLinkFlag(f.goflags[i], s.Flags, alignFlag)
		if err != nil {
			return nil, err
		}
		align = align && users == "" && strings.Contains(knows, alignFlag)
	}
	if align { // on both sides, or on none
		f.more = append(f.more, alignFlag+alignment)
	}
	return f, nil
}
