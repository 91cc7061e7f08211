package changepoints

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"path/filepath"

	"github.com/gohone/hone/bench/proc"
)

//go:embed otava.py
var script string

// generators is the repository of the patterns.
const generators = "jdrumgoole/otava-test-data"

// otava is a Python that has the package apache-otava.
type otava struct {
	python string
	// patternsDir is a clone of generators.
	patternsDir string
}

// settings are those of Otava.
type settings struct {
	Window int     `json:"window"` // values
	Level  float64 `json:"level"`  // of the test
}

// ownSettings are the defaults of otava analyze (otava/series.py, AnalysisOptions).
var ownSettings = settings{Window: 50, Level: 0.001}

// version is that of Apache Otava.
func (o otava) version(ctx context.Context) (version string, err error) {
	err = o.ask(ctx, &version, nil, "version")
	return version, err
}

// patterns are the series of otava-test-data: each generator with its default arguments, lengths, amounts of noise and
// seeds.
func (o otava) patterns(ctx context.Context) (all []series, err error) {
	err = o.ask(ctx, &all, nil, "patterns")
	return all, err
}

// find has Otava's change points of each series.
func (o otava) find(ctx context.Context, all []series, s settings) (found [][]int, err error) {
	question := struct {
		settings
		Series [][]float64 `json:"series"`
	}{settings: s, Series: make([][]float64, len(all))}
	for i := range all {
		question.Series[i] = all[i].Values
	}
	if err := o.ask(ctx, &found, question, "find"); err != nil {
		return nil, err
	}
	if len(found) != len(all) {
		return nil, fmt.Errorf("ask Otava: answers for %d of %d series", len(found), len(all))
	}
	return found, nil
}

// ask runs the script and decodes its answer.
func (o otava) ask(ctx context.Context, answer, question any, what string) error {
	text, err := json.Marshal(question)
	if err != nil {
		return fmt.Errorf("ask Python for %s: %w", what, err)
	}
	d, err := proc.Run(ctx, -1, proc.Command{
		Program: o.python, Args: []string{"-c", script, what}, Stdin: string(text),
		Env: []string{"PYTHONPATH=" + filepath.Join(o.patternsDir, "src")},
	})
	if err == nil {
		err = json.Unmarshal(d.Stdout, answer)
	}
	if err != nil {
		return fmt.Errorf("ask Python for %s (pip install apache-otava): %w", what, err)
	}
	return nil
}
