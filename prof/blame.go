package prof

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/prof/internal/sampled"
	"github.com/gohone/hone/prof/symbol"
)

// BlameLevel is what blame falls on.
type BlameLevel string

// The levels.
const (
	BlameLine     BlameLevel = "line" // the default
	BlameFunction BlameLevel = "function"
	BlamePackage  BlameLevel = "package"
)

// BlameOptions say how to blame. The zero value is useful.
type BlameOptions struct {
	// Module is the subject's main module; see Code.
	Module string
	Level  BlameLevel
	Basis  Basis
}

// Blame is a CPU profile in which the collector's work is handed to those who caused it.
//
// The model: the collector runs a cycle each time so many bytes were allocated (the heap
// goal is a multiple of the live heap), so what the background workers, the sweeper and
// the scavenger cost is shared out in proportion to the bytes allocated in the same
// stretch. Work that an allocation does itself, the allocator's own and assisting the
// collector, is on the allocating stack already and stays there.
//
// Its limits: a site whose objects live long makes each cycle dearer and not only more
// frequent, so its blame is too small (Live shows who it is); without the worst site the
// live heap and so the goal may change; bytes are sampled, one in 512 kB by default; and
// on a machine with idle CPUs part of the marking delays no goroutine (Idle).
type Blame struct {
	Schema string     `json:"schema"`
	Basis  Basis      `json:"basis"`
	Level  BlameLevel `json:"level"`
	// Total is the subject's CPU time in nanoseconds per unit of the basis, the collector
	// included, hone's own probe not.
	Total     float64   `json:"total_ns"`
	Collector Collector `json:"collector"`
	// Bytes and Objects were allocated per unit of the basis.
	Bytes   float64 `json:"bytes"`
	Objects float64 `json:"objects"`
	// Sites are those who spend CPU time or allocate, the highest true cost first.
	Sites []BlamedSite `json:"sites"`
}

// Collector is where the collector's CPU time goes, in nanoseconds per unit of the basis.
type Collector struct {
	Mark     float64 `json:"mark_ns"` // background workers, Idle included
	Idle     float64 `json:"idle_mark_ns"`
	Sweep    float64 `json:"sweep_ns"`
	Scavenge float64 `json:"scavenge_ns"`
	Assist   float64 `json:"assist_ns"` // on the stacks of those who allocate
	Malloc   float64 `json:"malloc_ns"` // the allocator, likewise, without Assist
	// Share is all of these but Malloc relative to Total, in percent.
	Share float64 `json:"share_percent"`
}

// background is what is handed out.
func (c Collector) background() float64 { return c.Mark + c.Sweep + c.Scavenge }

// BlamedSite is one place in the code of the user or a dependency, as Site has it: the
// frame nearest the leaf that is not the standard library's.
type BlamedSite struct {
	Package  string `json:"package,omitempty"`
	Function string `json:"function,omitempty"`
	File     string `json:"file,omitempty"`
	Line     int64  `json:"line,omitempty"`
	// Via is the function of the standard library by way of which most of its bytes are
	// allocated; empty if it allocates them itself.
	Via string `json:"via,omitempty"`

	// Own is the CPU time of the site's stacks, of which Malloc and Assist are the
	// allocator's; Blame is its part of the background work; True is Own + Blame. All in
	// nanoseconds per unit of the basis.
	Own    float64 `json:"own_ns"`
	Malloc float64 `json:"malloc_ns"`
	Assist float64 `json:"assist_ns"`
	Blame  float64 `json:"blame_ns"`
	True   float64 `json:"true_ns"`
	// Share is True relative to the total, in percent.
	Share float64 `json:"share_percent"`
	// Bytes and Objects are what it allocated per unit of the basis.
	Bytes   float64 `json:"bytes"`
	Objects float64 `json:"objects"`
	// ByteShare is its share of all bytes allocated, LiveShare of those that are live, in
	// percent.
	ByteShare float64 `json:"byte_share_percent"`
	LiveShare float64 `json:"live_share_percent,omitempty"`
	// StdErr is the standard error of Blame from the sampling of bytes alone.
	StdErr float64 `json:"blame_std_err_ns"`
}

// BlameSchema is the schema of Blame as JSON.
const BlameSchema = "hone.blame/1"

// ErrNothingAllocated says that no allocation was sampled: no site can be blamed.
var ErrNothingAllocated = errors.New("no allocation was sampled")

// NewBlame hands out the collector's work. cpu and allocs are captures of the same
// stretch; live is a heap profile, or nil. It errs on captures of other kinds or without
// samples, and with ErrNothingAllocated.
func NewBlame(cpu, allocs Capture, live *profile.Profile, o BlameOptions) (*Blame, error) {
	b, err := newBlamer(o)
	if err != nil {
		return nil, fmt.Errorf("blame: %w", err)
	}
	if err := b.spend(cpu); err != nil {
		return nil, fmt.Errorf("blame: CPU profile: %w", err)
	}
	if err := b.allocate(allocs); err != nil {
		return nil, fmt.Errorf("blame: allocation profile: %w", err)
	}
	if live != nil {
		if err := b.retain(live); err != nil {
			return nil, fmt.Errorf("blame: heap profile: %w", err)
		}
	}
	return b.finish(), nil
}

// blamer gathers what each site spends and allocates.
type blamer struct {
	out   *Blame
	sites map[blameKey]*countedSite
	SiteFolder
}

// countedSite is a site while it is counted.
type countedSite struct {
	BlamedSite
	vias     map[string]float64 // bytes by the way that they were allocated
	variance float64            // of its bytes
	live     float64            // bytes
}

type blameKey struct {
	pkg, function, file string
	line                int64
}

func newBlamer(o BlameOptions) (*blamer, error) {
	level, err := parseChoice("level", string(o.Level), BlameLine, BlameLine, BlameFunction, BlamePackage)
	if err != nil {
		return nil, err
	}
	basis, err := ParseBasis(string(o.Basis))
	return &blamer{
		out:        &Blame{Schema: BlameSchema, Basis: basis, Level: level},
		sites:      map[blameKey]*countedSite{},
		SiteFolder: SiteFolder{Module: o.Module},
	}, err
}

// at is the site at which a folded stack is counted.
func (b *blamer) at(s Site) *countedSite {
	function := cmp.Or(s.Function, s.What)
	k := blameKey{function: function, file: s.File, line: s.Line}
	switch b.out.Level {
	case BlameFunction:
		k.line = 0
	case BlamePackage:
		k = blameKey{pkg: cmp.Or(symbol.PackagePath(function), "runtime")}
	}
	site := b.sites[k]
	if site == nil {
		site = &countedSite{
			BlamedSite: BlamedSite{Package: k.pkg, Function: k.function, File: k.file, Line: k.line},
			vias:       map[string]float64{},
		}
		b.sites[k] = site
	}
	return site
}

// spend counts the CPU profile.
func (b *blamer) spend(c Capture) error {
	column, per, err := c.counted("cpu", "cpu", b.out.Basis)
	if err != nil {
		return err
	}
	o := b.out
	for _, sample := range c.Profile.Sample {
		v := float64(sample.Value[column]) / per
		site, observer := b.Fold(sample)
		if observer || v == 0 {
			continue
		}
		o.Total += v
		if site.Function == "" {
			switch symbol.CollectorOf(b.Frames) {
			case symbol.IdleMarking:
				o.Collector.Idle += v
				o.Collector.Mark += v
				continue
			case symbol.Marking:
				o.Collector.Mark += v
				continue
			case symbol.Sweeping:
				o.Collector.Sweep += v
				continue
			case symbol.Scavenging:
				o.Collector.Scavenge += v
				continue
			}
		}
		s := b.at(site)
		s.Own += v
		switch allocationWork(b.Frames) {
		case assisting:
			s.Assist += v
			o.Collector.Assist += v
		case allocating:
			s.Malloc += v
			o.Collector.Malloc += v
		}
	}
	if o.Total == 0 {
		return errors.New("no samples of the subject's own")
	}
	return nil
}

// The allocator's work on a stack.
const (
	allocating = 1 + iota
	assisting
)

func allocationWork(stack []symbol.Frame) int {
	work := 0
	for _, f := range stack {
		if symbol.IsAssist(f.Function) {
			return assisting
		}
		if symbol.IsAllocation(f.Function) || f.Function == "runtime.growslice" {
			work = allocating
		}
	}
	return work
}

// allocate counts the allocation profile.
func (b *blamer) allocate(c Capture) error {
	space, per, err := c.counted("allocs", "alloc_space", b.out.Basis)
	if err != nil {
		return err
	}
	objects, err := sampled.Column(c.Profile, "alloc_objects")
	if err != nil {
		return err
	}
	varianceOf := sampled.Variance(c.Profile, space)
	for _, sample := range c.Profile.Sample {
		site, observer := b.Fold(sample)
		bytes := float64(sample.Value[space]) / per
		if observer || bytes <= 0 {
			continue
		}
		s := b.at(site)
		s.Bytes += bytes
		s.Objects += float64(sample.Value[objects]) / per
		b.out.Bytes += bytes
		b.out.Objects += float64(sample.Value[objects]) / per
		s.variance += varianceOf(sample) / per / per
		s.vias[via(site)] += bytes
	}
	if b.out.Bytes == 0 {
		return ErrNothingAllocated
	}
	return nil
}

// via is the function of the standard library that a site allocates by way of.
func via(s Site) string {
	if s.What == symbol.Short(s.Function) || symbol.PackagePath(s.What) == "" || symbol.PackagePath(s.What) == "runtime" {
		return ""
	}
	return s.What
}

// retain counts the live heap.
func (b *blamer) retain(p *profile.Profile) error {
	if err := sampled.Check(p); err != nil {
		return err
	}
	column, err := sampled.Column(p, "inuse_space")
	if err != nil {
		return err
	}
	total := 0.0
	for _, sample := range p.Sample {
		site, observer := b.Fold(sample)
		v := float64(sample.Value[column])
		if observer || v <= 0 {
			continue
		}
		b.at(site).live += v
		total += v
	}
	for _, s := range b.sites {
		if s.live > 0 {
			s.LiveShare = 100 * s.live / total
		}
	}
	return nil
}

func (b *blamer) finish() *Blame {
	o := b.out
	background := o.Collector.background()
	o.Collector.Share = 100 * (background + o.Collector.Assist) / o.Total
	for _, s := range b.sites {
		part := s.Bytes / o.Bytes
		s.Blame = background * part
		s.True = s.Own + s.Blame
		s.Share = 100 * s.True / o.Total
		s.ByteShare = 100 * part

		// Of a share x/(x+rest) with x uncertain, to first order.
		s.StdErr = background * math.Sqrt(s.variance) / o.Bytes * (1 - part)
		s.Via = sampled.Heaviest(s.vias, strings.Compare)
		o.Sites = append(o.Sites, s.BlamedSite)
	}
	slices.SortFunc(o.Sites, func(x, y BlamedSite) int {
		return cmp.Or(cmp.Compare(y.True, x.True), cmp.Compare(y.Bytes, x.Bytes), cmp.Compare(x.Package, y.Package),
			CompareSites(Site{Function: x.Function, File: x.File, Line: x.Line},
				Site{Function: y.Function, File: y.File, Line: y.Line}))
	})
	return o
}

// hotLeast is the share, in percent, from which on a site is high in something.
const hotLeast = 1.0

// Hot returns the sites that are high in both CPU time and allocation, own time against
// bytes, those first whose smaller share is the largest. It is what people look for who
// lay a CPU profile beside a heap profile.
func (b *Blame) Hot() []BlamedSite {
	smaller := func(s BlamedSite) float64 { return min(100*s.Own/b.Total, s.ByteShare) }
	var hot []BlamedSite
	for _, s := range b.Sites {
		if smaller(s) >= hotLeast {
			hot = append(hot, s)
		}
	}
	slices.SortStableFunc(hot, func(x, y BlamedSite) int { return cmp.Compare(smaller(y), smaller(x)) })
	return hot
}

// counted returns the column of a sample type and what to divide it by.
func (c Capture) counted(kind, sampleType string, basis Basis) (column int, per float64, err error) {
	if c.Profile != nil && c.Kind != kind {
		return 0, 0, fmt.Errorf("it is a %s profile", c.Kind)
	}
	if err := sampled.Check(c.Profile); err != nil {
		return 0, 0, err
	}
	if column, err = sampled.Column(c.Profile, sampleType); err != nil {
		return 0, 0, err
	}
	per, err = c.Divisor(basis)
	return column, per, err
}
