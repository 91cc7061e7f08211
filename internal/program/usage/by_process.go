package usage

import (
	"slices"
	"time"

	"github.com/gohone/hone/internal/sys/processes"
)

// ProcessCPU is the CPU time of one process of a subject since its start.
type ProcessCPU struct {
	// Number tells processes apart, also those that had the same PID one after the other.
	Number int
	PID    int
	Name   string
	CPU    time.Duration
}

// mostBuried is how many processes that have ended are kept apart. Of a program that starts
// one for each request the oldest are added up as one, without a PID.
const mostBuried = 256

// ShortLived is the number of all processes together that lived too short to be read.
const ShortLived = -1

func (a *Account) newSample(pid int) *sample {
	a.number++
	name, _ := processes.Name(pid)
	return &sample{number: a.number, name: name}
}

func (a *Account) keepCPU(pid int, s *sample) {
	if s.CPU <= 0 {
		return
	}
	a.buried = append(a.buried, ProcessCPU{s.number, pid, s.name, s.CPU})
	if n := len(a.buried); n > 2*mostBuried {
		sum := ProcessCPU{Name: "processes that have ended"}
		for _, one := range a.buried[:n-mostBuried] {
			sum.CPU += one.CPU
		}
		a.buried = append([]ProcessCPU{sum}, a.buried[n-mostBuried:]...)
	}
}

func (a *Account) ByProcess() []ProcessCPU {
	a.mu.Lock()
	defer a.mu.Unlock()
	all := slices.Clone(a.buried)
	for pid, s := range a.live {
		all = append(all, ProcessCPU{s.number, pid, s.name, s.CPU})
	}
	if children := a.most.Children; children > 0 {
		all = append(all, ProcessCPU{Number: ShortLived, Name: "children that lived too short to be read",
			CPU: children})
	}
	return all
}
