package service

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/judge/answers"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/wire/tap"
	"github.com/gohone/hone/load"
)

// DoubtAnswers is the doubt that a variant does not answer as the first one does.
const DoubtAnswers = "answers-differ"

// tapped is the protocol of the start's connections. In a comparison the first of them is
// sampled.
func (s *start) tapped() load.Protocol {
	if !s.timed.Compared {
		return s.target.Protocol
	}
	s.tap = tap.New(s.target.Target, slices.Collect(maps.Values(s.values))...)
	// The same connections of both variants: a feed may give each connection requests of its own.
	s.tap.CountOn(s.task.Plan.Connections, rand.New(rand.NewPCG(s.task.Seed, uint64(s.service.runs))))
	return s.tap
}

// answersTime is how long a start that agents load is asked for answers by hone itself.
const answersTime = 250 * time.Millisecond

// askForAnswers loads a start of a comparison over one connection for a moment, where agents load it: hone does not see
// what they are answered.
func (s *start) askForAnswers(ctx context.Context) error {
	if s.task.Agents == nil || !s.timed.Compared || s.replies.starts == mostTapped {
		return nil
	}
	plan := s.task.Plan
	plan.Connections, plan.Depth, plan.Workers = 1, 1, 1
	session, err := s.open(ctx, plan)
	if err != nil {
		return err
	}
	err = session.Run(ctx, load.Stretch{Schedule: load.ClosedLoop(answersTime), Drain: plan.Timeout},
		func(got load.Slice) { got.Release() })
	_, closing := session.Close()
	s.keepAnswers()
	return s.or(errors.Join(err, closing))
}

// keepAnswers reads what was sampled of a start, whose session is closed.
func (s *start) keepAnswers() {
	tap := s.tap
	s.tap = nil
	if tap == nil || s.replies.starts == mostTapped {
		return
	}
	s.replies.starts++
	var last map[string]uint64
	for _, one := range tap.Answers() {
		fields := make(map[string]uint64, len(one.Fields))
		for _, f := range one.Fields {
			fields[f.Name] = f.Value
		}
		if maps.Equal(fields, last) { // nearly always: one map for all takes a tenth of the memory
			fields = last
		}
		last = fields
		answer := answers.Answer{
			Start: s.replies.starts, Request: one.Request, What: one.What, Count: one.Count, Code: one.Code,
			Length:  one.Length,
			Content: one.Content, Raw: one.Content, Cut: one.Body == nil, Packed: one.Packed, Opaque: one.Opaque,
			Wire: one.Wire, Fields: fields,
		}
		if !answer.Cut {
			answer.Body = s.replies.bodies.of(one)
			answer.Content = answer.Body.Hash
		}
		s.replies.answers = append(s.replies.answers, answer)
	}
}

// bodies are the contents of a variant's answers: equal ones are kept once.
type bodies struct {
	all   map[uint64]*answers.Body // by the hash of what came
	bytes int
}

// mostBodies bounds the contents that are kept of a variant, in bytes. Of further ones there are only
// hashes, which say whether they are equal.
const mostBodies = 16 << 20

func (b *bodies) of(one tap.Sampled) *answers.Body {
	if known := b.all[one.Content]; known != nil {
		return known
	}
	if b.all == nil {
		b.all = map[uint64]*answers.Body{}
	}
	body := answers.NewBody(one.Body, one.JSON)
	if b.bytes += len(body.Text); b.bytes > mostBodies {
		body.Text = nil
	}
	b.all[one.Content] = body
	return body
}

// mostTapped is how many starts of a variant are sampled: some 30,000 answers of 100 bytes each in
// memory. A comparison has 20 starts a minute.
const mostTapped = 64

// answersOf holds the answers of variant b against those of A.
func (m *services) answersOf(b *service) answers.Agreement {
	return answers.Compare(m.sides[0].replies.answers, b.replies.answers, m.Task.Answers.Volatile)
}

// checkAnswers ends a comparison early whose variants do not do the same work.
func (m *services) checkAnswers() error {
	if m.Task.Answers.Allow {
		return nil
	}
	for _, v := range m.sides[1:] {
		if d := m.doubtAnswers(v); d != nil {
			return &lab.InvalidError{Letter: v.Letter, Doubt: *d}
		}
	}
	return nil
}

// doubtAnswers is the doubt about the answers of a variant; nil if they are A's, or were not
// compared.
func (m *services) doubtAnswers(v *service) *load.Doubt {
	if v == m.sides[0] {
		return nil
	}
	a := m.answersOf(v)
	if a.Compared == 0 || a.Same {
		return nil
	}
	text := fmt.Sprintf("answers differ from A's: %s (%s)", a.How(), a.Counts())
	if example := a.Example(); example != "" {
		text += "; first: " + example
	}
	return &load.Doubt{Name: DoubtAnswers, Text: text, Fatal: !m.Task.Answers.Allow}
}

// noteAnswers writes down what became of the answers of each contest.
func (m *services) noteAnswers(c *record.Comparison) {
	if m.Task.LoadCommand.Given() {
		return // nothing is known of them
	}
	for i := range c.Contests {
		a := m.answersOf(m.sides[c.Contests[i].B])
		c.Contests[i].Answers = &a
	}
}

// otherAnswers is how B answers otherwise than A in starts that do not show hone, of which there is one each; empty where
// it does not. Requests have other headers there, so they are told apart by their lines. What differs among A's own
// answers, with hone or without, is left out as ever.
func (m *services) otherAnswers(a, b *service) string {
	numbers := map[string]uint64{}
	byLine := func(all []answers.Answer, from int) (some []answers.Answer) {
		for _, one := range all {
			if one.What == "" {
				continue
			}
			if numbers[one.What] == 0 {
				numbers[one.What] = uint64(len(numbers)) + 1
			}
			one.Request, one.Start = numbers[one.What], one.Start+from
			some = append(some, one)
		}
		return some
	}
	usual := m.sides[0].replies
	known := append(byLine(usual.answers, 0), byLine(a.replies.answers, usual.starts)...)
	found := answers.Compare(known, byLine(b.replies.answers, 0), m.Task.Answers.Volatile)
	if found.Compared == 0 {
		return ""
	}
	return found.How()
}

// hintForAnswers is the next step.
func hintForAnswers(r lab.Task) string {
	return "let both answer alike; if the difference is meant: " + r.Repeated("--set=answers.may-differ") +
		"; if bodies differ by nature, such as by time or chance: " + r.Repeated("--set=answers.volatile")
}
