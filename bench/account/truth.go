package account

import "fmt"

// share is the part of what was planted by which the truth may differ from the head of a program: other versions of Go have
// objects of other sizes.
const share = 0.15

// grown are the bytes of its kind that a program has more than before it planted, by the runtime or by the kernel. Live
// objects that were never written to are not resident, and neither are the unused ends of stacks.
func (p *program) grown(t truth) int64 {
	garbage := func(f memory) int64 { return f.Objects - f.Live }
	a, b := t.Base, t.Now
	switch p.kind {
	case "live heap":
		return min(b.Live-a.Live, b.Anonymous-a.Anonymous)
	case "garbage":
		return garbage(b) - garbage(a)
	case "free spans":
		return b.Free - a.Free
	case "fragmentation":
		return b.Unused - a.Unused
	case "goroutine stacks":
		return min(b.Stacks-a.Stacks, b.Anonymous-a.Anonymous)
	case "runtime structures":
		return b.Runtime - a.Runtime
	case "binary":
		return b.Exe - a.Exe
	case "file mapping":
		return b.Files - a.Files
	case "shared memory":
		return b.Shared - a.Shared
	case pageCache:
		return t.Cached
	}
	return b.Anonymous - a.Anonymous - (b.Objects + b.Unused + b.Free + b.Stacks + b.Runtime -
		a.Objects - a.Unused - a.Free - a.Stacks - a.Runtime)
}

// check says what makes a program unfit to judge by: what it planted is not there, is not resident, or is not the most of
// what it could shrink.
func (p *program) check(t truth) error {
	grown, resident := p.grown(t), t.Now.RSS-t.Base.RSS
	if off := float64(grown)/float64(p.bytes) - 1; off < -share || off > share {
		return fmt.Errorf("it has %s MB of %s, want %s", megabytes(grown), p.kind, megabytes(p.bytes))
	}
	if p.kind != pageCache && float64(resident) < (1-share)*float64(p.bytes) {
		return fmt.Errorf("%s MB became resident, want %s", megabytes(resident), megabytes(p.bytes))
	}
	if rest := t.Now.RSS - grown; p.kind != pageCache && rest-t.Now.Exe >= grown {
		return fmt.Errorf("%s MB are not what was planted, %s are", megabytes(rest), megabytes(grown))
	}
	return nil
}
