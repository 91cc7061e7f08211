package ledger

import (
	"strconv"
	"strings"

	"github.com/gohone/hone/internal/sys/machine"
)

// PlanKey is what has to be equal for two runs to be comparable, besides the machine.
type PlanKey struct {
	// Target is a URL. Its host and port do not count: a subject gets another port
	// each time.
	Target             string
	Connections, Depth int
	// RateHz is that of an open loop, in requests per second; 0 is a closed loop.
	RateHz float64
	// Loop says it where that is not enough, such as a ramp; empty leaves it to RateHz.
	Loop string
	// Args are the program's arguments that all variants share.
	Args []string
	// More is whatever else counts, such as the method and a digest of the body.
	More string
}

// Key writes the plan as text: equal plans have equal keys, and people can read them.
// "http /items, 100 connections, depth 1, closed loop". It is stored.
func (p PlanKey) Key() string {
	var b strings.Builder
	scheme, rest, ok := strings.Cut(p.Target, "://")
	if !ok {
		scheme, rest = p.Target, ""
	}
	b.WriteString(scheme)
	if _, path, ok := strings.Cut(rest, "/"); ok && path != "" {
		b.WriteString(" /" + path)
	}
	b.WriteString(", " + strconv.Itoa(p.Connections) + " connections, depth " + strconv.Itoa(p.Depth))
	if p.Loop != "" {
		b.WriteString(", " + p.Loop)
	} else if p.RateHz > 0 {
		b.WriteString(", " + strconv.FormatFloat(p.RateHz, 'f', -1, 64) + "/s")
	} else {
		b.WriteString(", closed loop")
	}
	if len(p.Args) > 0 {
		b.WriteString(", args " + strings.Join(p.Args, " "))
	}
	if p.More != "" {
		b.WriteString(", " + p.More)
	}
	return b.String()
}

// MachineKey writes what has to be equal of two machines for runs on them to be
// comparable: "Xeon @ 2.50GHz, 2 CPUs, linux/amd64". It is stored.
func MachineKey(d machine.Description) string {
	key := strconv.Itoa(d.CPUs) + " CPUs, " + d.OS + "/" + d.Arch
	if d.CPUModel != "" {
		key = d.CPUModel + ", " + key
	}
	return key
}
