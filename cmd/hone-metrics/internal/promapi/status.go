package promapi

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"runtime"
	"slices"
	"strconv"
)

// apiVersion is the Prometheus whose library evaluates the queries. Clients choose what they
// ask for by it, so it must not be hone's own version.
const apiVersion = "3.15.0"

func (a *api) buildInfo(*http.Request) (answer, error) {
	return encoded(struct {
		Version   string `json:"version"`
		Revision  string `json:"revision"`
		Branch    string `json:"branch"`
		BuildUser string `json:"buildUser"`
		BuildDate string `json:"buildDate"`
		GoVersion string `json:"goVersion"`
	}{Version: apiVersion, Revision: a.Version, Branch: "hone", BuildUser: "hone", GoVersion: runtime.Version()})
}

// rules and alerts are what Grafana asks for; hone has none.
func (a *api) rules(*http.Request) (answer, error) { return answer{data: []byte(`{"groups":[]}`)}, nil }
func (a *api) alerts(*http.Request) (answer, error) {
	return answer{data: []byte(`{"alerts":[]}`)}, nil
}

type described struct {
	Type string `json:"type"`
	Unit string `json:"unit"`
	Help string `json:"help"`
}

// metadata answers with what is known of each metric, or of the one that is asked for.
func (a *api) metadata(r *http.Request) (answer, error) {
	limit, err := count(r, "limit")
	if err != nil {
		return answer{}, err
	}
	perMetric, err := count(r, "limit_per_metric")
	if err != nil {
		return answer{}, err
	}
	found := map[string][]described{}
	for _, m := range a.Metadata(r.Form.Get("metric")) {
		all, one := found[m.Metric], described{m.Type, m.Unit, m.Help}
		if !slices.Contains(all, one) && (perMetric <= 0 || len(all) < perMetric) {
			found[m.Metric] = append(all, one)
		}
	}
	if limit >= 0 && len(found) > limit {
		for _, name := range slices.Sorted(maps.Keys(found))[limit:] {
			delete(found, name)
		}
	}
	return encoded(found)
}

// count reads a number; absent is -1.
func count(r *http.Request, name string) (int, error) {
	text := r.Form.Get(name)
	if text == "" {
		return -1, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0, as(badData, errors.New(name+" must be a number"))
	}
	return n, nil
}

func encoded(v any) (answer, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return answer{}, as(internal, fmt.Errorf("encode answer: %w", err))
	}
	return answer{data: data}, nil
}
