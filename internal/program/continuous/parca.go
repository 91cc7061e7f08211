package continuous

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/internal/text/inputs"
	"github.com/gohone/hone/prof"
)

// parca is Parca 0.20 and later: its gateway of gRPC to JSON (github.com/parca-dev/parca,
// proto/parca/query/v1alpha1/query.proto).
type parca struct{ *client }

// NewParca returns a client for the Parca at an address, https://HOST[:PORT][/PATH]. All else is fail.BadInput.
func NewParca(address string, o Options) (Store, error) {
	c, err := newClient("Parca", address, o)
	return parca{c}, err
}

// get asks a page for JSON.
func (p parca) get(ctx context.Context, page string, query url.Values, into any) error {
	r, err := http.NewRequest(http.MethodGet, p.base.String()+"/api/profiles/"+page+"?"+query.Encode(), nil)
	if err != nil {
		return p.notAProfile(page, err)
	}
	if report, is := into.(*parcaAnswer); is {
		answer, err := p.ask(ctx, r, inputs.Pulled)
		if err == nil {
			err = json.Unmarshal(answer, report)
		}
		return p.readFault(page, err)
	}
	return p.readFault(page, p.list(ctx, r, into))
}

// stretch is the time of a query, as protobuf has it in JSON.
func (q Query) stretch(prefix string) url.Values {
	return url.Values{prefix + "start": {q.From.UTC().Format(time.RFC3339Nano)},
		prefix + "end": {q.To.UTC().Format(time.RFC3339Nano)}}
}

// parcaTypes is a ProfileTypesResponse.
type parcaTypes struct {
	Types []struct {
		Name, SampleType, SampleUnit, PeriodType, PeriodUnit string
		Delta                                                bool
	}
}

func (a parcaTypes) types() (all []Type) {
	for _, t := range a.Types {
		one := t.Name + ":" + t.SampleType + ":" + t.SampleUnit + ":" + t.PeriodType + ":" + t.PeriodUnit
		if t.Delta {
			one += ":delta"
		}
		all = append(all, Type(one))
	}
	return all
}

// ofTime is the type of CPU time that a profile of samples has, too. Parca answers both with nanoseconds: it multiplies
// samples by their period (pkg/parcacol/querier.go, isSamplesCount).
func (t Type) ofTime() Type {
	return Type(strings.Replace(string(t), ":samples:count:", ":cpu:nanoseconds:", 1))
}

// parts asks for a profile of each type. Its samples are by label.
func (p parca) parts(ctx context.Context, q Query) (parts []prof.Part, notes []string, err error) {
	typed, matchers, err := q.selector()
	if err != nil {
		return nil, nil, err
	}
	var types parcaTypes
	if err := p.get(ctx, "types", q.stretch(""), &types); err != nil {
		return nil, nil, err
	}
	names := struct{ LabelNames []string }{q.Labels}
	if q.Labels == nil {
		if err := p.get(ctx, "labels", q.stretch(""), &names); err != nil {
			return nil, nil, err
		}
	}
	all := types.types()
	if err := inputs.PulledTypes.Over(p.String(), int64(len(all))); err != nil && typed == "" && q.Kind == "" {
		return nil, nil, err
	}
	there := map[Type]bool{}
	for _, t := range all {
		there[t] = true
	}
	for _, t := range all {
		if !q.wanted(t, typed) || t.words()[1] == "samples" && there[t.ofTime()] {
			continue
		}
		of, err := p.profile(ctx, q, string(t)+"{"+matchers+"}", names.LabelNames)
		if errors.Is(err, errNotFound) {
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		if len(of.Sample) > 0 {
			restorePeriod(of)
			parts = append(parts, partOf(t, of))
		}
	}
	if len(parts) == 0 {
		return nil, nil, q.notThere(p, typed, all)
	}
	return parts, nil, nil
}

// profile asks for the sum of all profiles of a type, by labels of these names.
func (p parca) profile(ctx context.Context, q Query, query string, labels []string) (*profile.Profile, error) {
	ask := q.stretch("merge.")
	ask.Set("mode", "MODE_MERGE")
	ask.Set("merge.query", query)
	ask.Set("report_type", "REPORT_TYPE_PPROF")
	for _, name := range labels {
		ask.Add("group_by.fields", "labels."+name)
	}
	var answer parcaAnswer
	if err := p.get(ctx, "query", ask, &answer); err != nil {
		return nil, err
	}
	of, err := answer.profile()
	if err != nil {
		return nil, p.notAProfile("profile "+query, err)
	}
	return of, nil
}

// parcaAnswer is a QueryResponse whose report is a gzipped profile in pprof's format.
type parcaAnswer struct{ Pprof []byte }

func (a parcaAnswer) profile() (*profile.Profile, error) {
	return prof.Parse(bytes.NewReader(a.Pprof), limits)
}

// shortestPeriod is the shortest time between two samples that is believed: profilers take 1,000 a second at most.
const shortestPeriod = int64(time.Millisecond)

// restorePeriod gives CPU profiles the period that Parca leaves out. All values are multiples of it, so that it is
// their greatest common divisor, or a part of that; with some dozen samples both are hardly ever different.
func restorePeriod(p *profile.Profile) {
	if len(p.SampleType) != 1 || p.SampleType[0].Type != "cpu" || p.SampleType[0].Unit != "nanoseconds" ||
		p.Period != 0 {
		return
	}
	divisor := int64(0)
	for _, s := range p.Sample {
		for a := s.Value[0]; a != 0; {
			divisor, a = a, divisor%a
		}
	}
	if divisor >= shortestPeriod {
		p.Period = divisor
	}
}
