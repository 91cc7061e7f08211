package memory

import (
	"strings"
	"testing"
)

// named is what a kernel with names for anonymous mappings shows of a small program (CONFIG_ANON_VMA_NAME).
const named = `00400000-004ad000 r-xp 00000000 fe:00 12428468                           /srv/a program
Rss:                 692 kB
Private_Clean:       692 kB
Anonymous:             0 kB
0059c000-005d2000 rw-p 00000000 00:00 0 
Rss:                  80 kB
c000000000-c000400000 rw-p 00000000 00:00 0                              [anon: Go: heap]
Rss:                4096 kB
AnonHugePages:      2048 kB
LazyFree:             16 kB
VmFlags: rd wr mr mw me ac sd
7ffada49e000-7ffada700000 rw-p 00000000 00:00 0                          [anon: Go: page alloc index]
Rss:                 672 kB
Swap:                  8 kB
7ffe7d6ff000-7ffe7d720000 rw-p 00000000 00:00 0                          [stack]
Rss:                  20 kB
`

func TestMappingsWithNames(t *testing.T) {
	all, err := ParseSmaps(strings.NewReader(named))
	if err != nil || len(all) != 5 {
		t.Fatal(all, err)
	}
	if m := all[0]; m.Path != "/srv/a program" || m.Inode != 12428468 || m.Resident != 692<<10 || m.Clean != 692<<10 {
		t.Errorf("%+v", m)
	}
	if m := all[2]; m.Huge != 2<<20 || m.Lazy != 16<<10 {
		t.Errorf("%+v", m)
	}
	want := []kind{program, anonymous, arena, structures, stack}
	for i, k := range kindsOf(all, "/srv/a program") {
		if k != want[i] {
			t.Errorf("%s is of kind %d, want %d", all[i].Path, k, want[i])
		}
	}
	// 4 MB of the heap are resident, of which the runtime says 3 MB: what was given back may be so for the kernel's
	// reasons, and the rest is the collector's.
	a := New(all, "/srv/a program", Classes{Objects: 2 << 20, Live: 1 << 20, Goal: 1, Free: 1 << 20, Released: 512 << 10,
		Structures: []Piece{{collectorData, 1 << 20}}})
	for name, want := range map[string]uint64{LiveHeap: 1 << 20, Garbage: 1 << 20, FreeSpans: 1 << 20,
		GivenBack: 512 << 10, Structures: (512 + 672 + 20) << 10, Binary: 692 << 10, Other: 80 << 10} {
		if p := a.Part(name); p == nil || p.Bytes != want {
			t.Errorf("%s: %+v, want %d", name, p, want)
		}
	}
	if a.Resident != 5560<<10 || a.Unaccounted != 0 || a.Swapped != 8<<10 {
		t.Errorf("%+v", a)
	}
}

// What no source explains has a size.
func TestNotAccounted(t *testing.T) {
	all, err := ParseSmaps(strings.NewReader(named))
	if err != nil {
		t.Fatal(err)
	}
	a := New(all, "/srv/a program", Classes{Objects: 2 << 20, Live: 2 << 20, Goal: 2 << 20})
	if a.Unaccounted != 2<<20 {
		t.Errorf("%d not accounted for, want 2 MiB: %+v", a.Unaccounted, a)
	}
}

// The arenas of the C library's malloc are aligned as those of Go, and near the stack.
func TestArenas(t *testing.T) {
	const text = `1f1fec000000-1f1fed800000 ---p 00000000 00:00 0
Rss: 0 kB
1f1fed800000-1f1ff4000000 rw-p 00000000 00:00 0
Rss: 100 kB
7f0010000000-7f0010021000 rw-p 00000000 00:00 0
Rss: 50 kB
7f0010021000-7f0014000000 ---p 00000000 00:00 0
Rss: 0 kB
7ffe7d6ff000-7ffe7d720000 rw-p 00000000 00:00 0   [stack]
Rss: 20 kB
`
	all, err := ParseSmaps(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if s := sorted(all, kindsOf(all, "")); s.sum(arena) != 100<<10 || s.sum(anonymous) != 50<<10 {
		t.Errorf("%+v", s)
	}
}

// FuzzParseSmaps: no file makes it fail otherwise than with an error, and whatever it reads makes an account whose parts
// and rest are what is resident.
func FuzzParseSmaps(f *testing.F) {
	f.Add(named, uint64(1<<20), uint64(1<<20))
	f.Add("0-1 rw-p 0 0:0 0\nRss: 99999999999999999999 kB\n", uint64(0), uint64(1))
	f.Fuzz(func(t *testing.T, text string, objects, live uint64) {
		all, err := ParseSmaps(strings.NewReader(text))
		if err != nil {
			return
		}
		a := New(all, "/a", Classes{Objects: objects % (1 << 50), Live: live % (1 << 50), Goal: live % (1 << 50)})
		sum := a.Unaccounted
		for _, p := range a.Parts {
			sum += p.Bytes
		}
		if sum != a.Resident {
			t.Errorf("%d of %d: %+v", sum, a.Resident, a)
		}
		_ = a.WriteText(&strings.Builder{})
	})
}
