package fleet

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/gohone/hone/cmd/hone-agent/internal/cluster"
	"github.com/gohone/hone/internal/conduct/agents"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/inputs"
	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/schemes"
	"github.com/gohone/hone/load"
)

// checkJob refuses what agents cannot do, on both sides: before a job is sent, and before one is carried out.
func checkJob(j agents.Job) error {
	refuse := func(what, hint string) error {
		return fail.New(fail.BadInput, "%s with agents", what).WithHint("%s", hint)
	}
	switch what, instead := schemes.NamedFiles(j.Protocol); {
	case j.LoadCommand.Given():
		return refuse("a load command does not work", "send the requests")
	case what != "":
		return refuse(what, instead)
	case j.Plan.CPUs != nil || j.Plan.Workers != 0:
		return refuse("--cpus and --workers do not work", "each agent takes what its machine has")
	}
	target, err := schemes.Parse(j.Target, j.Protocol)
	if err != nil {
		return err
	}
	if target.Network == "unix" {
		return refuse("a Unix socket is of one machine and does not work", "name a TCP address")
	}
	return nil
}

// weights are by what a load is split: the capacity of each agent.
func weights(agents []cluster.Hello) []float64 {
	var all []float64
	for _, h := range agents {
		all = append(all, h.CapacityHz)
	}
	return all
}

// jobs splits a load between chosen agents by their capacity. Of a run by turns the schedules come later.
func jobs(whole agents.Job, chosen []cluster.Hello) ([]json.RawMessage, error) {
	plans, schedules, err := cluster.Split(whole.Plan, whole.Schedule, weights(chosen))
	if err != nil {
		return nil, err
	}
	var feeds [][][]string
	if whole.Protocol.Feed != nil {
		if feeds, err = cluster.SplitRows(whole.Protocol.Feed.Rows, len(chosen)); err != nil {
			return nil, err
		}
	}
	options, err := schemes.SelfContained(whole.Protocol)
	if err != nil {
		return nil, err
	}
	var all []json.RawMessage
	for i, h := range chosen {
		j := whole
		j.Protocol, j.Plan, j.Schedule = options, plans[i], schedules[i]
		if feeds != nil {
			j.Protocol.Feed = &wire.Feed{Names: whole.Protocol.Feed.Names, Rows: feeds[i]}
		}
		// each request has its moment; else each agent goes through the whole list
		if len(whole.Schedule.Replay) == len(options.Order) {
			j.Protocol.Order = load.SharedOut(j.Schedule.Share, options.Order)
		}
		if err := checkJob(j); err != nil {
			return nil, err
		}
		if err := h.Within(j.Plan, j.Schedule); err != nil && !j.ByTurns {
			return nil, fail.New(fail.BadInput, "agent %s: %w", h.Name, err).WithHint("%s", fail.HintOf(err))
		}
		raw, err := packJob(j)
		if err != nil {
			return nil, err
		}
		all = append(all, raw)
	}
	return all, nil
}

// packJob packs a job for its way: JSON in gzip, as a JSON string.
func packJob(j agents.Job) (json.RawMessage, error) {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if err := errors.Join(json.NewEncoder(w).Encode(j), w.Close()); err != nil {
		return nil, fmt.Errorf("encode job: %w", err)
	}
	return json.Marshal(packed.Bytes())
}

// readJob reads a packed job strictly: an agent cannot do what it does not know.
func readJob(raw json.RawMessage) (j agents.Job, err error) {
	var packed []byte
	if err = json.Unmarshal(raw, &packed); err == nil {
		var unpacked *gzip.Reader
		if unpacked, err = gzip.NewReader(bytes.NewReader(packed)); err == nil {
			d := json.NewDecoder(inputs.AgentMessage.Reader("", unpacked))
			d.DisallowUnknownFields()
			err = d.Decode(&j)
		}
	}
	if err != nil {
		return j, fail.New(fail.BadInput, "read the job: %w", err).WithHint("use one version of hone on all machines")
	}
	return j, checkJob(j)
}
