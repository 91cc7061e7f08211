package changepoints

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"

	"github.com/gohone/hone/bench/proc"
)

//go:embed otava.py
var script string

// program is a Python that has the packages otava-test-data and apache-otava.
type program string

// settings are those of Otava.
type settings struct {
	Window int     `json:"window"` // values
	Level  float64 `json:"level"`  // of the test
}

// ownSettings are the defaults of otava analyze (otava/series.py, AnalysisOptions).
var ownSettings = settings{Window: 50, Level: 0.001}

// versions are those of the packages.
func (p program) versions(ctx context.Context) (names []string, err error) {
	return names, p.ask(ctx, &names, nil, "versions")
}

// patterns are the series of otava-test-data: each generator with its default arguments, lengths, amounts of noise and seeds.
func (p program) patterns(ctx context.Context) (all []series, err error) {
	return all, p.ask(ctx, &all, nil, "patterns")
}

// find has Otava's change points of each series.
func (p program) find(ctx context.Context, all []series, s settings) (found [][]int, err error) {
	question := struct {
		settings
		Series [][]float64 `json:"series"`
	}{settings: s, Series: make([][]float64, len(all))}
	for i := range all {
		question.Series[i] = all[i].Values
	}
	if err := p.ask(ctx, &found, question, "find"); err != nil {
		return nil, err
	}
	if len(found) != len(all) {
		return nil, fmt.Errorf("Otava answered for %d of %d series", len(found), len(all))
	}
	return found, nil
}

// ask runs the script and decodes its answer.
func (p program) ask(ctx context.Context, answer, question any, what string) error {
	text, err := json.Marshal(question)
	if err != nil {
		return fmt.Errorf("ask Python for %s: %w", what, err)
	}
	d, err := proc.Run(ctx, -1, proc.Command{Program: string(p), Args: []string{"-c", script, what}, Stdin: string(text)})
	if err == nil {
		err = json.Unmarshal(d.Stdout, answer)
	}
	if err != nil {
		return fmt.Errorf("ask Python for %s (pip install otava-test-data apache-otava): %w", what, err)
	}
	return nil
}
