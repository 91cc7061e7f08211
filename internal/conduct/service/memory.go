package service

import (
	"context"
	"runtime"

	"github.com/gohone/hone/internal/program/memory"
	"github.com/gohone/hone/internal/program/usage"
	"github.com/gohone/hone/internal/text/fail"
)

// readMemory keeps where the memory of the main process is, at the end of the timed load: before a collection and the
// profiles change it. A failure is a warning, but for a program that ended: that is said elsewhere.
func (s *start) readMemory(ctx context.Context, now usage.Reading) {
	probes := s.process.Probes()
	if runtime.GOOS != "linux" || probes == nil {
		return
	}
	pid := s.process.PID()
	a, err := memory.Read(ctx, pid, memory.AskProbe(probes.Main(), memory.Environment(pid)))
	switch {
	case err == nil:
		a.OneOf(now.Processes)
		s.timed.Memory = append(s.timed.Memory, a)
	case ctx.Err() == nil && fail.KindOf(err) != fail.Subject:
		s.Warn("it is not known where the memory is: %v", err)
	}
}
