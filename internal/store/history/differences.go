package history

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/gohone/hone/internal/store/ledger"
)

// circumstances are the parts of a run's document (hone.run/1) under which a difference
// between two runs may have nothing to do with their source. Parts that a document does
// not have stay empty.
type circumstances struct {
	Args   []string `json:"args"`
	Target string   `json:"target"`
	Plan   struct {
		Connections int           `json:"connections"`
		Depth       int           `json:"depth"`
		Timeout     time.Duration `json:"timeout_ns"`
	} `json:"plan"`
	RateHz      float64       `json:"rate_hz"`
	Slice       time.Duration `json:"slice_ns"`
	Arrangement string        `json:"arrangement"`
	Binary      struct {
		Go      string `json:"go_version"`
		Variant struct {
			Args  []string `json:"args"`
			Env   []string `json:"env"`
			Flags []string `json:"build_flags"`
		} `json:"variant"`
	} `json:"binary"`
	Environment struct {
		Hone     string `json:"hone"`
		OS       string `json:"os"`
		Arch     string `json:"arch"`
		Kernel   string `json:"kernel"`
		CPUModel string `json:"cpu_model"`
		CPUs     int    `json:"cpus"`
	} `json:"environment"`
}

// host is the name of the machine that an imported run was measured on.
func host(r ledger.Run) string {
	if r.Origin == nil {
		return "this machine"
	}
	return r.Origin.Host
}

// differences lists what is not the same in two runs besides their source, each as
// "connections 100 / 10".
func differences(a, b ledger.Run) []string {
	ca, cb := circumstancesOf(a), circumstancesOf(b)
	var all []string
	say := func(what string, x, y any) {
		if tx, ty := text(x), text(y); tx != ty {
			all = append(all, fmt.Sprintf("%s %s / %s", what, tx, ty))
		}
	}
	say("measured on", host(a), host(b))
	say("package", a.Package, b.Package)
	say("target", place(ca.Target), place(cb.Target))
	say("connections", ca.Plan.Connections, cb.Plan.Connections)
	say("depth", ca.Plan.Depth, cb.Plan.Depth)
	say("rate", ca.RateHz, cb.RateHz)
	say("timeout", ca.Plan.Timeout, cb.Plan.Timeout)
	say("slice", ca.Slice, cb.Slice)
	say("arguments", append(ca.Binary.Variant.Args, ca.Args...), append(cb.Binary.Variant.Args, cb.Args...))
	say("environment variables", ca.Binary.Variant.Env, cb.Binary.Variant.Env)
	say("build flags", ca.Binary.Variant.Flags, cb.Binary.Variant.Flags)
	say("arrangement", ca.Arrangement, cb.Arrangement)
	say("toolchain", ca.Binary.Go, cb.Binary.Go)
	say("machine", ca.machine(), cb.machine())
	say("kernel", ca.Environment.Kernel, cb.Environment.Kernel)
	say("hone", ca.Environment.Hone, cb.Environment.Hone)
	if len(all) == 0 {
		// The keys know what documents do not, such as the body of requests.
		say("plan", quoted(a.Plan), quoted(b.Plan))
		say("machine", quoted(a.Machine), quoted(b.Machine))
	}
	for _, r := range []ledger.Run{a, b} {
		if r.Status != ledger.Complete {
			all = append(all, fmt.Sprintf("run %s is %s", r.ID, r.Status))
		}
	}
	return all
}

// circumstancesOf reads what it can: a run that crashed has no document.
func circumstancesOf(r ledger.Run) (c circumstances) {
	if len(r.Doc) > 0 {
		_ = json.Unmarshal(r.Doc, &c) // what is of another type stays empty, and says so by its absence
	}
	if c.Target == "" {
		c.Target = r.Target
	}
	return c
}

func (c circumstances) machine() string {
	e := c.Environment
	if e.OS == "" {
		return ""
	}
	return strings.TrimPrefix(fmt.Sprintf("%s, %d CPUs, %s/%s", e.CPUModel, e.CPUs, e.OS, e.Arch), ", ")
}

// place is a target without its host and port, which are others each time.
func place(target string) string {
	scheme, rest, ok := strings.Cut(target, "://")
	if !ok {
		return target
	}
	_, path, _ := strings.Cut(rest, "/")
	return scheme + ":/" + path
}

func quoted(s string) string {
	if s == "" {
		return ""
	}
	return fmt.Sprintf("%q", s)
}

// text writes a value; what is empty or zero is "none".
func text(v any) string {
	switch v := v.(type) {
	case []string:
		return text(strings.Join(v, " "))
	case string:
		if v == "" {
			return "none"
		}
		return v
	case float64:
		if v == 0 {
			return "none"
		}
		return fmt.Sprintf("%g/s", v)
	default:
		return fmt.Sprint(v)
	}
}
