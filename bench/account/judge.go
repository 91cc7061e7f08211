package account

import "math"

// tolerance is how far the sum of the parts may be from the resident set, and how much may be not accounted, as a share of
// the resident set.
const tolerance = 0.03

// judgement is what became of one program.
type judgement struct {
	*program
	record
	// Off is how far the sum of the parts is from the resident set, Open what is said to be not accounted, as shares of the
	// resident set.
	Off, Open  float64
	AddsUp     bool // both are within the tolerance
	Largest    part // of those that the program could shrink, with the name of its kind
	Named      bool // it is what was planted
	PlantedIs  int64
	Unknown    []string // names that no kind matches
	Collecting bool     // the program collected while hone was asked
}

// judge holds an answer against the truth. An account that hone could not give does not add up. A program that did not run
// here is not judged.
func judge(p *program, r record) (j judgement, ok bool) {
	if r.Truth == nil {
		return j, false
	}
	j = judgement{program: p, record: r, Off: math.NaN(), Open: math.NaN()}
	if r.Answer == nil {
		return j, true
	}
	sum, open, of := int64(0), int64(0), map[string]int64{}
	for _, said := range r.Answer.Parts {
		k := kindOf(said.Name)
		if k.parts == nil {
			j.Unknown = append(j.Unknown, said.Name)
		}
		of[k.name] += said.Bytes
		switch {
		case k.name == notAccounted:
			open += said.Bytes
		case !k.outside:
			sum += said.Bytes
		}
		shrinks := !k.kept || k.name == p.kind
		if n := of[k.name]; shrinks && (n > j.Largest.Bytes || k.name == j.Largest.Name) {
			j.Largest = part{k.name, n}
		}
	}
	rss := float64(r.Truth.near(sum))
	j.Off, j.Open = float64(sum)/rss-1, float64(open)/rss
	saidOff := float64(r.Answer.RSS)/float64(r.Truth.near(r.Answer.RSS)) - 1
	j.AddsUp = math.Abs(j.Off) <= tolerance && math.Abs(j.Open) < tolerance && math.Abs(saidOff) <= tolerance
	j.Named, j.PlantedIs = j.Largest.Name == p.kind, of[p.kind]
	j.Collecting = r.Truth.Left.Cycles > r.Truth.Now.Cycles
	return j, true
}
