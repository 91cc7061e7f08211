package chains

import (
	"cmp"
	"math"
	"slices"

	"github.com/gohone/hone/internal/judge/chain"
	"github.com/gohone/hone/internal/store/series"
	"github.com/gohone/hone/internal/text/units"
)

// reader makes one chain, commit by commit.
type reader struct {
	chain *Chain
	net   *chain.Chain
	// nodes are the numbers of commits in net, by segment. A base that has no point has one, too. An unchanged commit has
	// that of its base.
	nodes []map[hash]int32
	// joined are the segments of commits that are in two: that with what was before.
	joined map[hash]int
	// hashes are those of all chains of a line.
	hashes hashes
	valued []valued
	last   *series.Commit // of the segment, that has a value and is not gone
	first  float64        // logarithm of the first absolute value of an imported segment
}

// valued is a place that has a value, with its number in net.
type valued struct{ place, number int32 }

// hash stands for the hash of a commit: chains of many benchmarks have the same ones.
type hash int32

type hashes map[string]hash

func (h hashes) of(text string) hash {
	short, known := h[text]
	if !known {
		short = hash(len(h))
		h[text] = short
	}
	return short
}

func newReader(k Key, errors *chain.Errors, known hashes) *reader {
	net := chain.New(errors)
	c := &Chain{Key: k, errors: errors, net: net, again: map[string]further{}}
	return &reader{chain: c, net: net, joined: map[hash]int{}, hashes: known}
}

// read adds a commit with all values that its points have.
func (r *reader) read(c *commit, all []found, gone bool) {
	p := Place{Commit: &c.Commit, State: all[0].State, Gone: gone, Segment: max(0, len(r.nodes)-1),
		Measurement: &Measurement{}}
	if gone {
		p.Notes = append(p.Notes, noteOf(Gone, "commit %s is no longer part of the branch", short(c.Hash)))
	}
	for _, v := range all {
		r.chain.Unit = cmp.Or(r.chain.Unit, v.Unit)
		p.Report = cmp.Or(p.Report, v.point.Report)
		if v.point.Regular() && !v.point.Anchor {
			p.Commits = cmp.Or(p.Commits, v.point.Commits)
		}
		if v.point.Again {
			known := r.chain.again[c.Hash]
			if v.State == series.Searched {
				known.searched, known.found = true, cmp.Or(known.found, v.point.Found)
			} else {
				known.tried = true
			}
			r.chain.again[c.Hash] = known
		}
	}
	p.Absolute, _ = middle(all)
	if r.chain.Paired() {
		r.measured(&p, all)
	} else {
		r.imported(&p, all)
	}
	if p.Link == &same && p.Notes == nil && p.Absolute == 0 {
		if u := c.unchanged; u == nil || u.Base != p.Base || u.Report != p.Report {
			c.unchanged = p.Measurement
		}
		p.Measurement = c.unchanged
	}
	r.chain.Places = append(r.chain.Places, p)
}

// finish fills in the values, when all commits were read.
func (r *reader) finish() {
	r.chain.Places = slices.Clone(r.chain.Places) // without the room for more
	for i, line := range r.chain.lines {
		r.chain.lines[i] = slices.Clone(line)
	}
	if !r.chain.Paired() {
		return
	}
	values := r.net.Values()
	intervals := make([]chain.Interval, len(values))
	for i, v := range values {
		intervals[i] = r.chain.errors.Interval(v)
	}
	for _, v := range r.valued {
		if values[v.number].Known() {
			r.chain.Places[v.place].Value = &intervals[v.number]
		}
	}
}

// imported adds an absolute value.
func (r *reader) imported(p *Place, all []found) {
	value, has := middle(all)
	if !has {
		return
	}
	if len(all) > 1 {
		p.Notes = append(p.Notes, noteOf(Pooled, "the median of %d values", len(all)))
	}
	if value == 0 { // has no ratio, and is shown
		return
	}
	if len(r.nodes) == 0 {
		r.begin()
		r.first = math.Log(value)
	}
	p.Value = &chain.Interval{Ratio: r.chain.errors.Interval(chain.Link{Log: math.Log(value) - r.first}).Ratio}
}

// measured adds a commit by its links, or begins anew with it.
func (r *reader) measured(p *Place, all []found) {
	var regular, anchors []found
	for _, v := range all {
		if v.point.Anchor {
			anchors = append(anchors, v)
		} else {
			regular = append(regular, v)
		}
	}
	if len(regular) == 0 { // only the anchor was measured
		regular, anchors = anchors, nil
	}
	p.State = stateOf(regular)
	switch p.State {
	case series.Begins:
		if len(r.nodes) > 0 {
			p.Notes = append(p.Notes, noteOf(BeginsAnew, "the benchmark is new, or changed itself: what follows is not "+
				"comparable with what was before"))
		}
		r.beginAt(p)
		return
	case series.Measured, series.Unchanged, series.Unknown:
	default:
		return
	}
	links := r.links(p, regular)
	if len(links) == 0 { // what was measured against it begins anew
		return
	}
	links = append(links, r.links(p, anchors)...)
	r.connect(p, links)
}

// stateOf is the state of a commit of which several points may say different things: a measurement is more than none.
func stateOf(all []found) series.State {
	for _, s := range []series.State{series.Measured, series.Unchanged, series.Unknown, series.Begins, series.Failed} {
		for _, v := range all {
			if v.State == s {
				return s
			}
		}
	}
	return all[0].State
}

// link is one measurement that can be used.
type link struct {
	base *series.Commit
	chain.Link
	found
	// shows says that its interval excludes that nothing changed.
	shows bool
}

// links are the measurements that have a base. One that says nothing of the ratio is a link, too: what comes after it is
// connected, and has a value as soon as an anchor says it.
func (r *reader) links(p *Place, all []found) (links []link) {
	for _, v := range all {
		l := link{base: v.point.Base, found: v}
		var err error
		switch {
		case v.State == series.Measured:
			l.Link, err = r.chain.errors.Link(v.Ratio, v.Low, v.High, v.Confidence)
			l.shows = v.Low > 1 || v.High < 1
		case v.State == series.Unknown:
			l.Link = chain.Unknown
		case v.State != series.Unchanged:
			continue
		}
		switch {
		case err != nil:
			p.Notes = append(p.Notes, noteOf(Unreadable, "ratio %v (%v ... %v, confidence %v): %v", v.Ratio, v.Low, v.High,
				v.Confidence, err))
		case l.base == nil:
			p.Notes = append(p.Notes, noteOf(Unreadable, "a ratio without the commit that it was measured against"))
		case l.base.Hash == p.Commit.Hash:
			p.Notes = append(p.Notes, noteOf(Unreadable, "the commit was measured against itself"))
		default:
			links = append(links, l)
		}
	}
	return links
}

// begin opens a segment, and returns the number of its beginning.
func (r *reader) begin() int {
	r.nodes = append(r.nodes, map[hash]int32{})
	r.chain.lines = append(r.chain.lines, nil)
	r.last = nil
	return r.net.Begin()
}

// beginAt opens a segment with a commit.
func (r *reader) beginAt(p *Place) {
	at := r.begin()
	p.Segment = len(r.nodes) - 1
	r.set(p.Segment, p.Commit, at)
	r.value(at)
	r.follow(p, chain.Stop{Place: at})
}

// set gives a commit its number in a segment.
func (r *reader) set(segment int, c *series.Commit, at int) {
	r.nodes[segment][r.hashes.of(c.Hash)] = int32(at)
}

// at is the number of a commit in a segment.
func (r *reader) at(segment int, c *series.Commit) (at int, has bool) {
	n, has := r.nodes[segment][r.hashes.of(c.Hash)]
	return int(n), has
}

// value says that the next place has a value: that of a number in net.
func (r *reader) value(at int) {
	r.valued = append(r.valued, valued{int32(len(r.chain.Places)), int32(at)})
}

// segmentOf is the newest segment that has a commit, or the one that it joined; -1 if none has.
func (r *reader) segmentOf(c *series.Commit) int {
	if s, is := r.joined[r.hashes.of(c.Hash)]; is {
		return s
	}
	for s := len(r.nodes) - 1; s >= 0; s-- {
		if _, has := r.at(s, c); has {
			return s
		}
	}
	return -1
}

// connect adds a commit by its links, of which the first says in which segment it is.
func (r *reader) connect(p *Place, links []link) {
	p.Base = links[0].base
	p.Segment = -1
	for _, l := range links {
		if s := r.segmentOf(l.base); p.Segment < 0 && s >= 0 {
			p.Segment = s
		}
	}
	if p.Segment < 0 {
		if len(r.nodes) > 0 {
			p.Notes = append(p.Notes, noteOf(BeginsAnew, "commit %s, which it was measured against, has no value in the series: "+
				"what follows is not connected with what was before", short(p.Base.Hash)))
		}
		at := r.begin()
		p.Segment = len(r.nodes) - 1
		r.set(p.Segment, p.Base, at)
		r.chain.lines[p.Segment] = []stop{stopOf(chain.Stop{Place: at}, p.Base, -1)}
	} else if r.last != nil && r.last.Hash != p.Base.Hash {
		p.Notes = append(p.Notes, noteOf(OtherBase, "measured against commit %s, and not against %s before it",
			short(p.Base.Hash), short(r.last.Hash)))
	}
	if at, has := r.at(p.Segment, p.Base); has && len(links) == 1 && links[0].State == series.Unchanged {
		r.set(p.Segment, p.Commit, at)
		p.Link = &same
		r.value(at)
		r.follow(p, chain.Stop{Place: at, Base: at})
		return
	}
	var observations []chain.Observation
	var unknown, main []link
	anchored := false
	for _, l := range links {
		at, has := r.at(p.Segment, l.base)
		switch {
		case !has:
			unknown = append(unknown, l)
			continue
		case l.point.Anchor && l.base.Hash != p.Base.Hash:
			p.Anchor = l.base
		}
		if l.base.Hash == p.Base.Hash {
			main = append(main, l)
		} else {
			anchored = true
		}
		observations = append(observations, chain.Observation{Base: at, Link: l.Link})
	}
	at, clashes := r.net.Add(observations)
	r.set(p.Segment, p.Commit, at)
	if len(main) == 0 {
		main = links[:1]
		p.Notes = append(p.Notes, noteOf(OtherBase, "commit %s, which it was measured against, has no value in the series: "+
			"the chain goes on from commit %s", short(p.Base.Hash), short(r.known(p, links).Hash)))
	}
	r.describe(p, main, links, clashes)
	stop := chain.Stop{Place: at, Measured: p.State == series.Measured, Anchored: anchored, Shown: p.Confirmed}
	stop.Base, _ = r.at(p.Segment, p.Base)
	for _, l := range links { // a range that was measured again by its ends
		base, has := r.at(p.Segment, l.base)
		if has && !p.Confirmed && (l.Confirmed || l.point.Again && l.shows) {
			p.Confirmed, stop.Shown, stop.Base = true, true, base
		}
		if l.point.Again {
			more := r.chain.again[p.Commit.Hash]
			more.measured = append(more.measured, l.Link)
			r.chain.again[p.Commit.Hash] = more
		}
	}
	for _, l := range unknown {
		if s := r.segmentOf(l.base); s >= 0 && l.point.Anchor {
			r.join(p, stop, l, s)
			return
		}
	}
	r.derive(p, at, unknown)
	r.value(at)
	r.follow(p, stop)
}

// same is the link of an unchanged commit.
var same = chain.Interval{Ratio: 1, Low: 1, High: 1}

// join goes on in an earlier segment, where the anchor is: what lay between was not measured, since the benchmark failed,
// and only the anchor says what happened there. The link to the commit before belongs to the segment that ends here.
func (r *reader) join(p *Place, s chain.Stop, anchor link, segment int) {
	r.follow(p, s)
	base, _ := r.at(segment, anchor.base)
	at, _ := r.net.Add([]chain.Observation{{Base: base, Link: anchor.Link}})
	r.set(segment, p.Commit, at)
	r.joined[r.hashes.of(p.Commit.Hash)] = segment
	p.Segment, p.Anchor = segment, anchor.base
	p.Notes = append(p.Notes, noteOf(JoinsAgain, "the measurement against commit %s connects it again with what was before",
		short(anchor.base.Hash)))
	r.value(at)
	r.follow(p, chain.Stop{Place: at, Measured: true, Anchored: true})
}

// known is the first base that has a value.
func (r *reader) known(p *Place, links []link) *series.Commit {
	for _, l := range links {
		if _, has := r.at(p.Segment, l.base); has {
			return l.base
		}
	}
	return p.Base
}

// derive gives a base that has no value one: that of the commit that was measured against it. An anchor that is not
// tracked bounds the drift from its second measurement on.
func (r *reader) derive(p *Place, at int, unknown []link) {
	for _, l := range unknown {
		if _, has := r.at(p.Segment, l.base); !has {
			base, _ := r.net.Add([]chain.Observation{{Base: at, Link: chain.Link{Log: -l.Log, Variance: l.Variance}}})
			r.set(p.Segment, l.base, base)
		}
	}
}

// describe fills in what a place says of its measurements.
func (r *reader) describe(p *Place, main, all []link, clashes []chain.Clash) {
	links := make([]chain.Link, len(main))
	up, down := 0, 0
	for i, l := range main {
		links[i] = l.Link
		p.Confirmed = p.Confirmed || l.Confirmed
		if l.shows && l.Log > 0 {
			up++
		} else if l.shows {
			down++
		}
	}
	p.Confirmed = p.Confirmed || max(up, down) > 1
	if pooled := chain.Pool(links); pooled.Known() {
		i := r.chain.errors.Interval(pooled)
		p.Link = &i
	}
	if len(main) > 1 {
		p.Notes = append(p.Notes, noteOf(Pooled, "%d measurements against commit %s are combined", len(main),
			short(p.Base.Hash)))
	}
	for _, c := range clashes {
		base := p.Base
		for _, l := range all {
			if at, _ := r.at(p.Segment, l.base); at == c.Base {
				base = l.base
			}
		}
		how := "by the chain it is"
		if base == p.Base {
			how = "another measurement says"
		}
		p.Notes = append(p.Notes, noteOf(Contradiction, "against commit %s it was measured as %s; %s %s: one of them is wrong "+
			"by more than its interval, and the interval of the value is wider for it", short(base.Hash),
			units.Span(r.change(c.Second)), how, units.Span(r.change(c.First))))
	}
}

// change is the interval of a link, less 1.
func (r *reader) change(l chain.Link) (low, high float64) {
	i := r.chain.errors.Interval(l)
	return i.Low - 1, i.High - 1
}

// follow adds a place to the line that steps are looked for along.
func (r *reader) follow(p *Place, s chain.Stop) {
	if p.Gone {
		return
	}
	r.last = p.Commit
	r.chain.lines[p.Segment] = append(r.chain.lines[p.Segment], stopOf(s, p.Commit, len(r.chain.Places)))
}
