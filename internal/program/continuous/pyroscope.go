package continuous

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/google/pprof/profile"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/gohone/hone/internal/text/inputs"
	"github.com/gohone/hone/prof"
)

// pyroscope is Grafana Pyroscope 1.0 and later: unary calls of the Connect protocol (github.com/grafana/pyroscope,
// api/querier/v1/querier.proto).
type pyroscope struct{ *client }

// NewPyroscope returns a client for the Pyroscope at an address, https://HOST[:PORT][/PATH]. All else is fail.BadInput.
func NewPyroscope(address string, o Options) (Store, error) {
	c, err := newClient("Pyroscope", address, o)
	return pyroscope{c}, err
}

const (
	querier = "/querier.v1.QuerierService/"
	// typeLabel is the label of a series that names its type.
	typeLabel = "__profile_type__"
)

// request is that of one call.
func (p pyroscope) request(method, encoding string, body []byte) (*http.Request, error) {
	r, err := http.NewRequest(http.MethodPost, p.base.String()+querier+method, bytes.NewReader(body))
	if err != nil {
		return nil, p.notAProfile(method, err)
	}
	r.Header.Set("Content-Type", encoding)
	r.Header.Set("Connect-Protocol-Version", "1")
	return r, nil
}

// series are the labels of all series that match.
func (p pyroscope) series(ctx context.Context, q Query, matchers string) ([]labels, error) {
	body, err := json.Marshal(map[string]any{"matchers": []string{"{" + matchers + "}"}, "start": q.From.UnixMilli(),
		"end": q.To.UnixMilli()})
	if err != nil {
		return nil, p.notAProfile("series", err)
	}
	r, err := p.request("Series", "application/json", body)
	if err != nil {
		return nil, err
	}
	var answer seriesAnswer
	err = p.list(ctx, r, &answer)
	return answer.series(), p.readFault("list of series", err)
}

// seriesAnswer is a SeriesResponse.
type seriesAnswer struct {
	LabelsSet []struct{ Labels labels }
}

func (a seriesAnswer) series() (all []labels) {
	for _, set := range a.LabelsSet {
		all = append(all, set.Labels)
	}
	return all
}

// parts asks for a profile of each type and each group of series. A profile of Pyroscope has no labels, so that those
// of its series are asked for one by one.
func (p pyroscope) parts(ctx context.Context, q Query) (parts []prof.Part, notes []string, err error) {
	typed, matchers, err := q.selector()
	if err != nil {
		return nil, nil, err
	}
	series, err := p.series(ctx, q, matchers)
	if err != nil {
		return nil, nil, err
	}
	there := map[Type]bool{}
	for _, s := range series {
		there[Type(s.value(typeLabel))] = true
	}
	delete(there, "")
	has := slices.Sorted(maps.Keys(there))
	if err := inputs.PulledTypes.Over(p.String(), int64(len(has))); err != nil && typed == "" && q.Kind == "" {
		return nil, nil, err
	}
	groups, note := groupSeries(series, q.Labels)
	if note != "" {
		notes = append(notes, note)
	}
	for _, t := range has {
		if !q.wanted(t, typed) {
			continue
		}
		for _, g := range groups {
			if !g.types[t] {
				continue
			}
			of, err := p.profile(ctx, q, t, g.matchers(matchers))
			if err != nil {
				return nil, nil, err
			}
			if of == nil {
				continue
			}
			for name, value := range g.labels {
				prof.Label(of, name, value)
			}
			parts = append(parts, partOf(t, of))
		}
	}
	if len(parts) == 0 {
		return nil, nil, q.notThere(p, typed, has)
	}
	return parts, notes, nil
}

// profile asks for the sum of all profiles of a type. It returns nil if the store has no samples of it.
func (p pyroscope) profile(ctx context.Context, q Query, t Type, selector string) (*profile.Profile, error) {
	r, err := p.request("SelectMergeProfile", "application/proto", mergeRequest(q, t, selector))
	if err != nil {
		return nil, err
	}
	answer, err := p.ask(ctx, r, inputs.Pulled)
	if err != nil || len(answer) == 0 {
		return nil, err
	}
	of, err := prof.Parse(bytes.NewReader(answer), limits)
	if err != nil {
		return nil, p.notAProfile("profile "+string(t), err)
	}
	if len(of.Sample) == 0 {
		return nil, nil
	}
	return of, nil
}

// limits bound a profile of a store. The answer as a whole is bounded before.
var limits = prof.Limits{Compressed: 64 << 20, Uncompressed: 256 << 20}

// mergeRequest is a SelectMergeProfileRequest.
func mergeRequest(q Query, t Type, selector string) (b []byte) {
	for i, text := range []string{string(t), selector} {
		b = protowire.AppendString(protowire.AppendTag(b, protowire.Number(i+1), protowire.BytesType),
			strings.ToValidUTF8(text, ""))
	}
	for i, at := range []int64{q.From.UnixMilli(), q.To.UnixMilli()} {
		b = protowire.AppendVarint(protowire.AppendTag(b, protowire.Number(i+3), protowire.VarintType), uint64(at))
	}
	return b
}
