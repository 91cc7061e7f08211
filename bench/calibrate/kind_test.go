package calibrate

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gohone/hone/bench/bed"
)

// count is how many trials there are of each kind and service.
func count(trials []trial) map[string]int {
	n := map[string]int{}
	for _, t := range trials {
		n[t.kind.Name+" "+t.service.Name]++
	}
	return n
}

func TestWhatThereIsToMeasure(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	n := count(missing(nil, kinds, services[:2], wanted{AA: 5, Planted: 4, Classic: 2}, rng))
	for key, want := range map[string]int{
		"aa framed": 3, "aa http": 2, "planted-1.5 framed": 4, "planted-1.5 http": 4, "planted-3 framed": 4,
		"planted-3 http": 4, "planted-5 framed": 4, "planted-5 http": 4, "planted-30 framed": 4, "planted-30 http": 4,
		"classic framed": 1, "classic http": 1,
	} {
		if n[key] != want {
			t.Errorf("%s: %d, want %d", key, n[key], want)
		}
	}
	if len(n) != 12 {
		t.Errorf("%v", n)
	}
}

// What was measured is not measured again, unless it failed; more than was asked for does
// no harm.
func TestOnlyWhatIsMissingIsMeasured(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	compared := func(kind, service, verdict string) record {
		return record{Kind: kind, Service: service, Comparison: &comparison{Verdict: verdict}}
	}
	records := []record{
		compared("aa", "framed", same), compared("aa", "framed", failed), compared("aa", "framed", invalid),
		compared("planted-3", "http", slower), compared("planted-3", "http", slower),
		compared("planted-3", "http", slower),
		{Kind: "classic", Service: "http", Classic: &classic{}},
	}
	ks := []kind{equal, kinds[2], oldNew}
	n := count(missing(records, ks, services[:2], wanted{AA: 6, Planted: 2, Classic: 2}, rng))
	for key, want := range map[string]int{
		"aa framed": 1, "aa http": 3, "planted-3 framed": 2, "planted-3 http": 0, "classic framed": 1,
		"classic http": 0,
	} {
		if n[key] != want {
			t.Errorf("%s: %d left, want %d", key, n[key], want)
		}
	}
}

func TestKindsTakeTurns(t *testing.T) {
	trials := missing(nil, kinds, services, wanted{AA: 100, ShortAA: 100, Planted: 40, Classic: 40},
		rand.New(rand.NewPCG(1, 2)))
	first := count(trials[:len(trials)/2])
	if len(first) != len(kinds)*len(services) {
		t.Errorf("the first half has only %v", first)
	}
}

func TestUnknownNamesAreNamed(t *testing.T) {
	for _, args := range [][]string{{"-only", "planted-2"}, {"-service", "grpc"}, {"-aa", "-1"}, {"extra"}} {
		if c := parse(bed.New("calibrate", args...)); c.Faults() == nil {
			t.Errorf("%q: taken", args)
		}
	}
	c := parse(bed.New("calibrate", "-only", "aa,classic", "-service", "http"))
	if c.Faults() != nil || len(c.kinds) != 2 || c.kinds[1].Name != "classic" || len(c.services) != 1 {
		t.Errorf("%+v, %v", c, c.Faults())
	}
	if !slices.ContainsFunc(kinds, func(k kind) bool { return k.Classic }) || kinds[len(kinds)-1].Name != "classic" ||
		kinds[0].Planted != 0 {
		t.Error("the report takes the first kind for equal variants and the last for the classic way")
	}
}
