package service

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/judge"
)

const (
	// linkShare is the part of the budget that linking for the second stage may take, 1 in linkShare.
	linkShare = 8
)

// relink links all variants of the second stage of a comparison in other orders of their functions, the same for all of
// them, before its first block: what only the order of the first stage costs is gone then. Each block has the next one.
// There is one order at least, however long a link takes. Where a linker cannot change the order, or the user has, the
// second stage has that of the first, and a note says so.
func (m *services) relink(ctx context.Context) error {
	began := time.Now()
	wanted := m.Task.Layouts
	if wanted == 0 {
		wanted = m.Referee.Next() - m.Referee.Split()
	}
	m.Progress.Phase("rebuild with shuffled function order, to confirm", 0)
	m.host.build = 1
	for i, seed := range build.LayoutSeeds(m.Task.Seed, wanted) {
		err := m.onAllCPUs(func() error {
			linked, err := m.Build(ctx, seed, m.BuildProgram)
			for j := range linked {
				m.sides[j].Builds = append(m.sides[j].Builds, linked[j].Binary)
			}
			return err
		})
		if err != nil {
			return m.relinkFailed(ctx, i, err)
		}
		each := time.Since(began) / time.Duration(i+1)
		if m.Task.Layouts == 0 && each*time.Duration(i+2) > m.Task.Budget/linkShare {
			break
		}
	}
	return nil
}

// relinkFailed notes why the second stage has no more link orders than were linked so far. It has those.
func (m *services) relinkFailed(ctx context.Context, linked int, why error) error {
	if ctx.Err() != nil {
		return why
	}
	if linked == 0 {
		m.host.build = 0
	}
	first, _, _ := strings.Cut(why.Error(), "\n")
	for _, s := range m.sides {
		s.Warn("%d link orders in the second stage, so a difference of some per cent may be that of an order: %s",
			max(1, linked), first)
	}
	return nil
}

// awaitCalm waits for a calm moment before the second stage, if the first one was disturbed.
func (m *services) awaitCalm(ctx context.Context) {
	if m.waited || m.Referee == nil || !m.Referee.Confirming() {
		return
	}
	m.waited = true
	for i := range m.sides[1:] {
		if slices.ContainsFunc(m.blocksWith(i+1), judge.Block.Disturbed) {
			m.Gauge.AwaitCalm(ctx, m.Task.Budget)
			return
		}
	}
}

// nextOrder has the next block of the second stage start the next of its builds.
func (m *services) nextOrder(ctx context.Context) error {
	switch {
	case m.Referee == nil || !m.Referee.Confirming() || m.Task.Layouts == 1:
		return nil
	case m.Task.Layouts == 0 && !m.Referee.OrdersMatter():
		return nil
	case !m.relinked:
		m.relinked = true
		return m.relink(ctx)
	}
	if n := len(m.sides[0].Builds) - 1; n > 0 {
		m.host.build = m.host.build%n + 1
	}
	return nil
}
