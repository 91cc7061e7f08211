// Package sarif writes findings in the Static Analysis Results Interchange Format, version 2.1.0
// (https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/sarif-v2.1.0-os.html), which GitHub code scanning shows at the
// lines of a pull request.
package sarif

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/url"
	"strings"

	"github.com/gohone/hone/internal/insight/advice"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/view/model"
)

const (
	schema   = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json"
	homepage = "https://github.com/gohone/hone"
	// sourceRoot is GitHub's name for the root of the repository.
	sourceRoot = "%SRCROOT%"
	// fingerprint is the only key by which GitHub recognises a result of an earlier upload.
	fingerprint = "primaryLocationLineHash"
)

// Options say whose findings are written. Below is the way from the root of the repository to a file that a profile
// names, slash-separated; false for a file that is not in the repository.
type Options struct {
	Version, Run string
	Below        func(file string) (way string, ok bool)
}

// Of is a log of findings. left is how many it leaves out because their file is not in the repository: GitHub drops
// results without a location.
func Of(f *advice.Findings, o Options) (log *Log, left int) {
	f = printable.Document(f)
	run := ToolRun{
		Tool:    Tool{Driver{Name: "hone", Version: o.Version, InformationURI: homepage, Rules: []Rule{}}},
		Results: []Result{}, ColumnKind: "utf16CodeUnits",
	}
	index := map[string]int{}
	for i, r := range advice.All {
		index[r.Name] = i
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, ruleOf(r))
	}
	for _, one := range f.Findings {
		way, ok := "", false
		if one.Place.Line > 0 {
			way, ok = o.Below(one.Place.File)
		}
		if !ok {
			left++
			continue
		}
		result := resultOf(one, way)
		result.RuleIndex, result.Properties.Run = index[one.Rule], o.Run
		run.Results = append(run.Results, result)
	}
	return &Log{Schema: schema, Version: "2.1.0", Runs: []ToolRun{run}}, left
}

func ruleOf(r *advice.Rule) Rule {
	help := fmt.Sprintf("%s\n\nChange: %s", r.Looks, r.Change)
	markdown := &strings.Builder{}
	fmt.Fprintf(markdown, "**What the rule looks for:** %s\n\n**What to change:** %s\n", r.Looks, r.Change)
	for _, part := range []struct{ title, code string }{{"Before", r.Before}, {"After", r.After}} {
		if part.code != "" {
			fmt.Fprintf(markdown, "\n%s:\n\n```go\n%s\n```\n", part.title, part.code)
		}
	}
	return Rule{
		ID: r.Name, ShortDescription: Text{Text: r.Title}, FullDescription: Text{Text: r.Looks},
		Help: Text{help, markdown.String()}, Properties: RuleProperties{[]string{"performance"}},
	}
}

func resultOf(f advice.Finding, way string) Result {
	level := "note"
	if model.Warns(f) {
		level = "warning"
	}
	return Result{
		RuleID: f.Rule, Level: level, Message: Text{Text: model.FindingMessage(f)},
		Locations: []Location{{
			PhysicalLocation: PhysicalLocation{ArtifactLocation{(&url.URL{Path: way}).String(), sourceRoot},
				Region{f.Place.Line}},
			LogicalLocations: []LogicalLocation{{f.Place.Function, "function"}},
		}},
		PartialFingerprints: map[string]string{fingerprint: fingerprintOf(f)},
		Properties:          Properties{Measure: string(f.Measure), Cost: f.Cost, Absolute: f.Absolute, Gain: f.Gain},
	}
}

// fingerprintOf stays the same when lines move. One rule has at most one finding in a function.
func fingerprintOf(f advice.Finding) string {
	sum := sha256.Sum256([]byte(f.Rule + "\x00" + f.Place.Function))
	return hex.EncodeToString(sum[:16])
}
