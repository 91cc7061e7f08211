package fleet

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"github.com/gohone/hone/internal/cluster"
	"github.com/gohone/hone/internal/fail"
	"github.com/gohone/hone/internal/loadtest"
	"github.com/gohone/hone/internal/protocol"
	"github.com/gohone/hone/load"
)

// job is an agent's part of a load test. Nothing in it names a file or a program of the agent's machine.
type job struct {
	Target   string           `json:"target"`
	Options  protocol.Options `json:"options"`
	Order    []uint32         `json:"order,omitempty"` // protocol.Options.Order
	Plan     load.Plan        `json:"plan"`
	Schedule load.Schedule    `json:"schedule"`
	WarmUp   time.Duration    `json:"warm_up_ns"`
	Drain    time.Duration    `json:"drain_ns"`
	Interval time.Duration    `json:"interval_ns"`
}

// checkJob refuses what agents cannot do, on both sides: before a job is sent, and before one is carried out.
func checkJob(j job) error {
	refuse := func(what, hint string) error {
		return fail.New(fail.BadInput, "%s with agents", what).WithHint("%s", hint)
	}
	o := j.Options
	switch {
	case o.TLS.CAs != "":
		return refuse("--ca names a file of this machine and does not work", "install the certificate on the agents, or use --insecure")
	case len(o.Calls.Protos) > 0 || o.Calls.ProtoSet != "":
		return refuse("--proto and --protoset name files of this machine and do not work", "switch reflection on in the server")
	case o.HTTP3:
		return refuse("--http3 does not work yet", "leave it out, or load from one machine")
	case len(o.Steps) > 0 || len(o.Requests) > 0:
		return refuse("lists and sequences of requests do not work yet", "name targets, with --feed for what differs")
	case j.Plan.CPUs != nil || j.Plan.Workers != 0:
		return refuse("--cpus and --workers do not work", "each agent takes what its machine has")
	}
	target, err := protocol.Parse(j.Target, o)
	if err != nil {
		return err
	}
	if target.Network == "unix" {
		return refuse("a Unix socket is of one machine and does not work", "name a TCP address")
	}
	return nil
}

// jobs splits a load test between agents by their capacity.
func jobs(r loadtest.Request, agents []cluster.Hello) ([]json.RawMessage, error) {
	weights := make([]float64, len(agents))
	for i, h := range agents {
		weights[i] = h.CapacityHz
	}
	plans, schedules, err := cluster.Split(r.Plan, r.Schedule, weights)
	if err != nil {
		return nil, err
	}
	var feeds [][][]string
	if r.Options.Feed != nil {
		if feeds, err = cluster.SplitRows(r.Options.Feed.Rows, len(agents)); err != nil {
			return nil, err
		}
	}
	var all []json.RawMessage
	for i, h := range agents {
		j := job{
			Target: r.Target, Options: r.Options, Order: r.Options.Order, Plan: plans[i], Schedule: schedules[i],
			WarmUp: r.WarmUp, Drain: r.Drain, Interval: r.Interval,
		}
		if feeds != nil {
			j.Options.Feed = &protocol.Feed{Names: r.Options.Feed.Names, Rows: feeds[i]}
		}
		if err := checkJob(j); err != nil {
			return nil, err
		}
		if err := h.Within(j.Plan, j.Schedule); err != nil {
			return nil, fail.New(fail.BadInput, "agent %s: %w", h.Name, err).WithHint("%s", fail.HintOf(err))
		}
		raw, err := json.Marshal(j)
		if err != nil {
			return nil, fmt.Errorf("encode job: %w", err)
		}
		all = append(all, raw)
	}
	return all, nil
}

// readJob reads a job strictly: what an agent does not know of it cannot do.
func readJob(raw json.RawMessage) (j job, err error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(&j); err != nil {
		return j, fail.New(fail.BadInput, "read the job: %w", err).WithHint("use one version of hone on all machines")
	}
	j.Options.Order = j.Order
	return j, checkJob(j)
}
