// Package profstore speaks the query protocols of Grafana Pyroscope and of Parca for tests, as their servers spoke them
// in November 2026 (make bench CASE=production pulls from real ones).
package profstore

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"

	"github.com/google/pprof/profile"
	"google.golang.org/protobuf/encoding/protowire"
)

// Series is one series of a store.
type Series struct {
	// Type is name:sample_type:sample_unit:period_type:period_unit; Parca's may have :delta after it.
	Type   string
	Labels map[string]string
	// Profile has one value in each sample.
	Profile *profile.Profile
}

var matcher = regexp.MustCompile(`([\w.]+)="([^"]*)"`)

// matching are the series with the labels of a selector, and of a type where that is not empty.
func matching(all []Series, selector, of string) (some []Series) {
series:
	for _, s := range all {
		for _, m := range matcher.FindAllStringSubmatch(selector, -1) {
			if s.Labels[m[1]] != m[2] {
				continue series
			}
		}
		if of == "" || of == s.Type {
			some = append(some, s)
		}
	}
	return some
}

// sum adds up the profiles of series.
func sum(some []Series) (*profile.Profile, error) {
	var all []*profile.Profile
	for _, s := range some {
		all = append(all, s.Profile)
	}
	return profile.Merge(all)
}

// Pyroscope answers calls of querier.v1.QuerierService: Series in JSON, SelectMergeProfile in protobuf.
func Pyroscope(all []Series) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /querier.v1.QuerierService/Series", func(w http.ResponseWriter, r *http.Request) {
		var ask struct {
			Matchers   []string
			Start, End int64
		}
		if err := json.NewDecoder(r.Body).Decode(&ask); err != nil ||
			r.Header.Get("Content-Type") != "application/json" || len(ask.Matchers) != 1 || ask.Start >= ask.End {
			refuse(w, http.StatusBadRequest, "invalid_argument", fmt.Sprintf("series %+v: %v", ask, err))
			return
		}
		if strings.Contains(ask.Matchers[0], "==") {
			refuse(w, http.StatusBadRequest, "invalid_argument", `parse error: unexpected "="`)
			return
		}
		sets := []any{}
		for _, s := range matching(all, ask.Matchers[0], "") {
			labels := []map[string]string{{"name": "__profile_type__", "value": s.Type},
				{"name": "__name__", "value": strings.Split(s.Type, ":")[0]}}
			for name, value := range s.Labels {
				labels = append(labels, map[string]string{"name": name, "value": value})
			}
			sets = append(sets, map[string]any{"labels": labels})
		}
		answer(w, map[string]any{"labelsSet": sets})
	})
	mux.HandleFunc("POST /querier.v1.QuerierService/SelectMergeProfile", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
		of, selector, err2 := mergeRequest(body)
		if err != nil || err2 != nil || r.Header.Get("Content-Type") != "application/proto" {
			refuse(w, http.StatusBadRequest, "invalid_argument", fmt.Sprint(err, err2))
			return
		}
		some := matching(all, selector, of)
		if len(some) == 0 {
			return // an empty message
		}
		p, err := sum(some)
		if err != nil {
			refuse(w, http.StatusInternalServerError, "internal", err.Error())
			return
		}
		w.Header().Set("Content-Type", "application/proto")
		_ = p.WriteUncompressed(w)
	})
	return mux
}

// mergeRequest reads a SelectMergeProfileRequest.
func mergeRequest(b []byte) (of, selector string, err error) {
	texts := map[protowire.Number]string{}
	times := map[protowire.Number]uint64{}
	for len(b) > 0 {
		number, kind, n := protowire.ConsumeTag(b)
		if n < 0 {
			return "", "", protowire.ParseError(n)
		}
		b = b[n:]
		if kind == protowire.BytesType {
			v, n := protowire.ConsumeString(b)
			if n < 0 {
				return "", "", protowire.ParseError(n)
			}
			texts[number], b = v, b[n:]
			continue
		}
		v, n := protowire.ConsumeVarint(b)
		if n < 0 {
			return "", "", protowire.ParseError(n)
		}
		times[number], b = v, b[n:]
	}
	if texts[1] == "" || times[3] >= times[4] {
		return "", "", fmt.Errorf("profile type %q from %d to %d", texts[1], times[3], times[4])
	}
	return texts[1], texts[2], nil
}

// Parca answers GET /api/profiles/types, labels and query. Of CPU time it answers without a period, and of samples with
// CPU time, as Parca does.
func Parca(all []Series) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/profiles/types", func(w http.ResponseWriter, _ *http.Request) {
		types := []any{}
		for _, s := range all {
			t := strings.Split(s.Type, ":")
			types = append(types, map[string]any{"name": t[0], "sampleType": t[1], "sampleUnit": t[2],
				"periodType": t[3], "periodUnit": t[4], "delta": len(t) > 5})
		}
		answer(w, map[string]any{"types": types})
	})
	mux.HandleFunc("GET /api/profiles/labels", func(w http.ResponseWriter, _ *http.Request) {
		names := map[string]bool{}
		for _, s := range all {
			for name := range s.Labels {
				names[name] = true
			}
		}
		list := []string{}
		for name := range names {
			list = append(list, name)
		}
		answer(w, map[string]any{"labelNames": list, "warnings": []string{}})
	})
	mux.HandleFunc("GET /api/profiles/query", func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		of, selector, _ := strings.Cut(q.Get("merge.query"), "{")
		if q.Get("mode") != "MODE_MERGE" || q.Get("report_type") != "REPORT_TYPE_PPROF" ||
			q.Get("merge.start") >= q.Get("merge.end") {
			gatewayRefuses(w, http.StatusBadRequest, 3, "failed to parse query")
			return
		}
		some := matching(all, selector, of)
		if len(some) == 0 {
			gatewayRefuses(w, http.StatusNotFound, 5, "could not find profile at requested time and selectors")
			return
		}
		p, err := sum(labelled(some, q["group_by.fields"]))
		if err != nil {
			gatewayRefuses(w, http.StatusInternalServerError, 13, err.Error())
			return
		}
		p.Period = 0
		var packed bytes.Buffer
		if err := p.Write(&packed); err != nil {
			gatewayRefuses(w, http.StatusInternalServerError, 13, err.Error())
			return
		}
		answer(w, map[string]any{"pprof": base64.StdEncoding.EncodeToString(packed.Bytes()), "total": "0",
			"filtered": "0"})
	})
	return mux
}

// labelled are series whose samples have the labels of these fields.
func labelled(some []Series, fields []string) (all []Series) {
	for _, s := range some {
		p := s.Profile.Copy()
		for _, sample := range p.Sample {
			for _, field := range fields {
				name := strings.TrimPrefix(field, "labels.")
				if value := s.Labels[name]; value != "" {
					if sample.Label == nil {
						sample.Label = map[string][]string{}
					}
					sample.Label[name] = []string{value}
				}
			}
			if strings.Contains(s.Type, ":samples:count:") {
				sample.Value[0] *= p.Period
			}
		}
		if strings.Contains(s.Type, ":samples:count:") {
			p.SampleType[0] = &profile.ValueType{Type: "cpu", Unit: "nanoseconds"}
		}
		all = append(all, Series{s.Type, s.Labels, p})
	}
	return all
}

func answer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}

// refuse is an error of Connect.
func refuse(w http.ResponseWriter, status int, code, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"code": code, "message": message})
}

// gatewayRefuses is an error of the gateway of gRPC.
func gatewayRefuses(w http.ResponseWriter, status, code int, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{"code": code, "message": message, "details": []any{}})
}

// Shop is what a store has of a service: CPU, allocations and the live heap of two regions, of one of which p is the
// CPU profile and of the other a half of it.
func Shop(p *profile.Profile) (all []Series) {
	for region, times := range map[string]int64{"eu": 2, "us": 1} {
		labels := map[string]string{"service_name": "shop", "region": region}
		add := func(of string, value func(sample *profile.Sample) int64) {
			words := strings.Split(of, ":")
			one := p.Copy()
			one.SampleType = []*profile.ValueType{{Type: words[1], Unit: words[2]}}
			one.DefaultSampleType = ""
			for _, s := range one.Sample {
				s.Value = []int64{times * value(s)}
			}
			all = append(all, Series{of, labels, one})
		}
		samples := func(s *profile.Sample) int64 { return s.Value[0] }
		add("process_cpu:samples:count:cpu:nanoseconds", samples)
		add("process_cpu:cpu:nanoseconds:cpu:nanoseconds",
			func(s *profile.Sample) int64 { return s.Value[0] * p.Period })
		add("memory:alloc_space:bytes:space:bytes", samples)
		add("memory:inuse_space:bytes:space:bytes", samples)
		add("wall:wall:nanoseconds:wall:nanoseconds", samples)
	}
	return all
}
