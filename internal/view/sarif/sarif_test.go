package sarif

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/insight/advice"
	"github.com/gohone/hone/internal/insight/code"
)

var opts = Options{Version: "v1.2.3", Run: "0a1b2c3d", Below: func(file string) (string, bool) {
	return strings.CutPrefix(file, "/src/")
}}

func at(rule, function, file string, line int64, cost float64, m advice.Measure) advice.Finding {
	return advice.Finding{
		Rule: rule, Title: "it happens for each call", Place: code.Place{Function: function, File: file, Line: line},
		Costs: advice.Costs{Measure: m, Cost: cost, Absolute: 1200, Gain: cost / 2},
	}
}

func TestFindingsInTheRepositoryAreResults(t *testing.T) {
	f := &advice.Findings{Findings: []advice.Finding{
		at("boxing", "example.com/a.f", "/src/a dir/ä.go", 7, 0.5, advice.CPU),
		at("time-format", "example.com/a.g", "/src/b.go", 3, 0.05, advice.CPU),
		at("boxing", "fmt.Println", "/usr/lib/go/src/fmt/print.go", 3, 0.5, advice.CPU),
		{Rule: "procs", Title: "of the whole program", Costs: advice.Costs{Cost: 1}},
		at("goroutine-leak", "example.com/a.h", "/src/b.go", 9, 0, advice.Growing),
	}}
	log, left := Of(f, opts)
	results := log.Runs[0].Results
	if left != 2 || len(results) != 3 {
		t.Fatalf("%d left, %+v", left, results)
	}
	first := results[0]
	if where := first.Locations[0].PhysicalLocation; where.ArtifactLocation.URI != "a%20dir/%C3%A4.go" ||
		where.Region.StartLine != 7 {
		t.Errorf("%+v", where)
	}
	if first.Message.Text != "it happens for each call; costs 1.20 us, 50 % of a request's CPU time; "+
		"removing it saves about 25 %" {
		t.Errorf("%q", first.Message.Text)
	}
	if got := []string{first.Level, results[1].Level, results[2].Level}; !slices.Equal(got,
		[]string{"warning", "note", "warning"}) {
		t.Errorf("%q", got)
	}
	if p := first.Properties; p != (Properties{"CPU per request", 0.5, 1200, 0.25, "0a1b2c3d"}) {
		t.Errorf("%+v", p)
	}
}

// A fingerprint is of the rule and the function, and of nothing else.
func TestFingerprintsStayWhenLinesMove(t *testing.T) {
	of := func(f advice.Finding) string { return resultOf(f, "a.go").PartialFingerprints[fingerprint] }
	one := of(at("boxing", "a.f", "/src/a.go", 7, 0.5, advice.CPU))
	if moved := of(at("boxing", "a.f", "/src/b.go", 70, 0.2, advice.CPU)); moved != one {
		t.Errorf("%s became %s", one, moved)
	}
	for _, f := range []advice.Finding{at("boxing", "a.g", "", 7, 0, ""), at("procs", "a.f", "", 7, 0, "")} {
		if of(f) == one {
			t.Errorf("%s of %s has the fingerprint of another", f.Rule, f.Place.Function)
		}
	}
}

// What is written holds what the schema of SARIF 2.1.0 requires, and what GitHub does besides. The types here are those
// of the reader: a name that is written differently is a fault.
func TestLogHasWhatReadersRequire(t *testing.T) {
	f := &advice.Findings{Findings: []advice.Finding{at("boxing", "example.com/a.f", "/src/a.go", 7, 0.5, advice.CPU)}}
	for name, f := range map[string]*advice.Findings{"a finding": f, "none": {}} {
		log, _ := Of(f, opts)
		text, err := json.Marshal(log)
		if err != nil {
			t.Fatal(err)
		}
		for _, fault := range faultsOf(text) {
			t.Errorf("%s: %s", name, fault)
		}
	}
}

// The check sees what is missing or wrong.
func TestTheCheckOfLogsRefuses(t *testing.T) {
	log, _ := Of(&advice.Findings{Findings: []advice.Finding{at("boxing", "a.f", "/src/a.go", 7, 0.5, advice.CPU)}},
		opts)
	good, err := json.Marshal(log)
	if err != nil {
		t.Fatal(err)
	}
	for from, to := range map[string]string{
		`"version":"2.1.0"`: `"version":"2.1"`, `"startLine":7`: `"startLine":0`, `"uri":"a.go"`: `"uri":"/a.go"`,
		`"level":"warning"`: `"level":"bad"`,
		`"ruleId":"boxing"`: `"ruleId":"box"`, `"message":{"text"`: `"message":{"txt"`, `"results":[`: `"result":[`,
		`"driver":{"name":"hone"`: `"driver":{"name":""`,
	} {
		bad := strings.Replace(string(good), from, to, 1)
		if bad == string(good) || len(faultsOf([]byte(bad))) == 0 {
			t.Errorf("%s instead of %s passes", to, from)
		}
	}
}

// required is a JSON object with names that have to be there.
type required map[string]json.RawMessage

// faultsOf are the ways in which a text is not a SARIF log that GitHub shows. The required names are those of the
// schema.
func faultsOf(text []byte) (faults []string) {
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	object := func(raw []byte, where string, names ...string) required {
		o := required{}
		if err := json.Unmarshal(raw, &o); err != nil {
			fault("%s: %v", where, err)
		}
		for _, name := range names {
			if len(o[name]) == 0 || bytes.Equal(o[name], []byte(`""`)) || bytes.Equal(o[name], []byte("null")) {
				fault("%s has no %s", where, name)
			}
		}
		return o
	}
	list := func(raw []byte, where string) (all []json.RawMessage) {
		if err := json.Unmarshal(raw, &all); err != nil {
			fault("%s: %v", where, err)
		}
		return all
	}
	word := func(raw []byte) (s string) {
		if json.Unmarshal(raw, &s) != nil {
			fault("%s is not a text", raw)
		}
		return s
	}
	log := object(text, "log", "$schema", "version", "runs")
	if v := word(log["version"]); v != "2.1.0" {
		fault("version %q", v)
	}
	for _, raw := range list(log["runs"], "runs") {
		run := object(raw, "run", "tool", "results")
		driver := object(object(run["tool"], "tool", "driver")["driver"], "driver", "name", "version", "informationUri",
			"rules")
		if u, err := url.Parse(word(driver["informationUri"])); err != nil || !u.IsAbs() {
			fault("informationUri %q is not absolute", u)
		}
		var ids []string
		for _, raw := range list(driver["rules"], "rules") {
			rule := object(raw, "rule", "id", "shortDescription", "fullDescription", "help")
			id := word(rule["id"])
			if slices.Contains(ids, id) {
				fault("rule %s is there twice", id)
			}
			ids = append(ids, id)
			object(rule["shortDescription"], "shortDescription of "+id, "text")
			object(rule["fullDescription"], "fullDescription of "+id, "text")
			object(rule["help"], "help of "+id, "text", "markdown")
		}
		for _, raw := range list(run["results"], "results") {
			result := object(raw, "result", "ruleId", "ruleIndex", "level", "message", "locations",
				"partialFingerprints")
			object(result["message"], "message", "text")
			object(result["partialFingerprints"], "partialFingerprints", "primaryLocationLineHash")
			var index int
			if err := json.Unmarshal(result["ruleIndex"], &index); err != nil || index < 0 || index >= len(ids) ||
				ids[index] != word(result["ruleId"]) {
				fault("ruleIndex %d is not that of %s", index, result["ruleId"])
			}
			if level := word(result["level"]); level != "note" && level != "warning" {
				fault("level %q", level)
			}
			for _, raw := range list(result["locations"], "locations") {
				physical := object(object(raw, "location", "physicalLocation")["physicalLocation"], "physicalLocation",
					"artifactLocation", "region")
				file := object(physical["artifactLocation"], "artifactLocation", "uri", "uriBaseId")
				if u, err := url.Parse(word(file["uri"])); err != nil || u.IsAbs() || path.IsAbs(u.Path) {
					fault("uri %q is not relative", u)
				}
				var region struct{ StartLine int64 }
				if err := json.Unmarshal(physical["region"], &region); err != nil || region.StartLine < 1 {
					fault("startLine %d", region.StartLine)
				}
			}
		}
	}
	return faults
}
