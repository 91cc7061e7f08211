package sidebyside

import (
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/gohone/hone/bench/bed"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestFlags(t *testing.T) {
	c := parse(bed.New("sidebyside", strings.Fields("-what rpc,framed -depths 1,64 -d 1s -rounds 7")...))
	if err := c.Faults(); err != nil {
		t.Fatal(err)
	}
	if len(c.kinds) != 2 || c.kinds[0].name != "rpc" || c.kinds[1].name != "framed" ||
		!slices.Equal(c.depths, []int{1, 64}) || c.window != time.Second || c.rounds != 7 {
		t.Errorf("got %+v", c)
	}
}

// Every fault is told, all of them at once.
func TestBadFlags(t *testing.T) {
	for args, wants := range map[string][]string{
		"-what framed,tcp":                   {`-what: unknown measure "tcp" (known: framed, stuck, rpc, tls)`},
		"-depths 1,x -c 0 -rounds -1":        {`-depths has "x"`, "-c is 0", "-rounds is -1"},
		"-server-cpu 0 -d 1ms -idle-for -1s": {"want two CPUs", "-d is 1ms", "-idle-for"},
		"framed":                             {`unexpected argument "framed"`},
	} {
		err := parse(bed.New("sidebyside", strings.Fields(args)...)).Faults()
		for _, want := range wants {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: error %v, want %q in it", args, err, want)
			}
		}
	}
}

// Each kind has a reference of ours that comes first and is always built.
func TestReferencesAreOurs(t *testing.T) {
	for _, k := range kinds {
		l := &lab{config: config{depths: []int{1}, kinds: []kind{k}}, built: map[program]built{}}
		for _, p := range l.programs() {
			if p.own {
				l.built[p] = built{}
			}
		}
		for _, c := range k.contests(l) {
			l.enter(c)
			if len(c.Entrants) == 0 || !c.Entrants[0].program.own {
				t.Errorf("%s: the reference is not ours", c.Name)
			}
		}
	}
}
