package cover

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gohone/hone/bench/cover/services"
)

// demand is the load that a service has in production. It is hidden: hone sees the log alone.
type demand struct {
	Parts []part
	// Connections are those that requests share, Busy is the share of one CPU that the service uses in the mean.
	Connections int
	Busy        float64
	// For the first Bursty of each Period requests come Factor times as often as in the rest of it.
	Factor, Bursty float64
	Period         time.Duration

	of float64 // the share that its requests have of those of the whole demand
}

// part is what one endpoint has of a demand.
type part struct {
	services.Endpoint
	// Weight is its share of the requests; all weights add up to 1.
	Weight float64
	// Zipf is the exponent of the popularity of keys; order has the keys, the most popular first.
	Zipf  float64
	order []int
	// Sizes are the few that clients ask for; where there are none, they are drawn log-uniformly from Least to Most.
	Sizes []int
}

// seeded is a source of random numbers of its own for each word.
func seeded(words ...string) *rand.Rand {
	h := fnv.New64a()
	_, _ = h.Write([]byte(strings.Join(words, "\x00"))) // a hash takes all
	return rand.New(rand.NewPCG(h.Sum64(), 0))
}

// drawDemand draws the load of a service.
func drawDemand(s services.Service, seed string) demand {
	r := seeded("demand", s.Name, seed)
	within := func(low, high float64) float64 { return low + (high-low)*r.Float64() }
	d := demand{
		Connections: 4 + r.IntN(29), Busy: within(0.25, 0.5),
		Factor: within(1.5, 4), Bursty: within(0.1, 0.3), Period: time.Duration(within(1, 3) * float64(time.Second)),
	}
	for _, e := range s.Endpoints {
		p := part{Endpoint: e, Weight: 0.2 + r.ExpFloat64(), Zipf: within(1.05, 1.6), order: r.Perm(e.Keys)}
		if r.IntN(2) == 0 && e.Most > 0 {
			for range 3 + r.IntN(4) {
				p.Sizes = append(p.Sizes, p.anySize(r))
			}
		}
		d.Parts = append(d.Parts, p)
	}
	d.normalise()
	return d
}

// normalise lets the weights add up to 1, and keeps their sum.
func (d *demand) normalise() {
	sum := 0.0
	for _, p := range d.Parts {
		sum += p.Weight
	}
	d.of = sum
	for i := range d.Parts {
		d.Parts[i].Weight /= sum
	}
}

// group is what endpoints have in common that leave a load together: the last word of their names.
func group(e services.Endpoint) string {
	words := strings.Fields(e.Name)
	return words[len(words)-1]
}

// groups are those of a service, in order.
func (d demand) groups() (all []string) {
	for _, p := range d.Parts {
		if g := group(p.Endpoint); !slices.Contains(all, g) {
			all = append(all, g)
		}
	}
	return all
}

// split is the part of a demand with one group of endpoints, and that with all others.
func (d demand) split(name string) (alone, rest demand) {
	alone, rest = d, d
	alone.Parts, rest.Parts = nil, nil
	for _, p := range d.Parts {
		if group(p.Endpoint) == name {
			alone.Parts = append(alone.Parts, p)
		} else {
			rest.Parts = append(rest.Parts, p)
		}
	}
	alone.normalise()
	rest.normalise()
	return alone, rest
}

// request is what a client sends.
type request struct {
	endpoint, method, text, body string
}

// drawn is a source of the requests of a demand.
type drawn struct {
	demand
	*rand.Rand
	keys []*rand.Zipf
}

func (d demand) source(seed string) *drawn {
	s := &drawn{demand: d, Rand: seeded("requests", seed), keys: make([]*rand.Zipf, len(d.Parts))}
	for i, p := range d.Parts {
		if p.Keys > 0 {
			s.keys[i] = rand.NewZipf(s.Rand, p.Zipf, 1, uint64(p.Keys-1))
		}
	}
	return s
}

// next draws a request.
func (s *drawn) next() request {
	i, at := 0, s.Float64()
	for ; i < len(s.Parts)-1 && at >= s.Parts[i].Weight; i++ {
		at -= s.Parts[i].Weight
	}
	p := s.Parts[i]
	return request{p.Name, p.Method, s.fill(i, p.Request), s.fill(i, p.Body)}
}

// fill puts drawn values in for the words in braces.
func (s *drawn) fill(i int, text string) string {
	p := s.Parts[i]
	for strings.Contains(text, "{key}") {
		text = strings.Replace(text, "{key}", strconv.Itoa(p.order[s.keys[i].Uint64()]), 1)
	}
	if strings.Contains(text, "{size}") {
		text = strings.ReplaceAll(text, "{size}", strconv.Itoa(p.size(s.Rand)))
	}
	return text
}

func (p part) size(r *rand.Rand) int {
	if len(p.Sizes) > 0 {
		return p.Sizes[r.IntN(len(p.Sizes))]
	}
	return p.anySize(r)
}

func (p part) anySize(r *rand.Rand) int {
	low, high := math.Log(float64(p.Least+1)), math.Log(float64(p.Most+1))
	return int(math.Exp(low+(high-low)*r.Float64())) - 1
}

// rate is that of a moment of the load, in terms of the mean rate.
func (d demand) rate(at time.Duration) float64 {
	calm := 1 / (1 + d.Bursty*(d.Factor-1))
	if at%d.Period < time.Duration(d.Bursty*float64(d.Period)) {
		return calm * d.Factor
	}
	return calm
}

// String is a demand as a report has it.
func (d demand) String() string {
	return fmt.Sprintf("%d endpoints, %d connections, %.0f %% of a CPU, %.1f times as many requests for %.0f %% of each %.1f s",
		len(d.Parts), d.Connections, 100*d.Busy, d.Factor, 100*d.Bursty, d.Period.Seconds())
}
