package changepoints

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// dataset is the repository of the Turing Change Point Dataset: annotations.json has the changes of each series by
// person, with the first value as 0, and datasets/NAME/NAME.json the values. Series that its licences do not let it
// have, are not there.
const dataset = "alan-turing-institute/TCPD"

// annotations are the changes by series and person.
type annotations map[string]map[string][]int

// readDataset reads the newest values of the series that a history could have: of one measure, above 0, none missing.
func readDataset(dir string) (all []series, err error) {
	var people annotations
	if err := readJSON(filepath.Join(dir, "annotations.json"), &people); err != nil {
		return nil, err
	}
	files, err := filepath.Glob(filepath.Join(dir, "datasets", "*", "*.json"))
	if err != nil {
		return nil, fmt.Errorf("list series: %w", err)
	}
	for _, file := range files {
		var m measured
		if err := readJSON(file, &m); err != nil {
			return nil, err
		}
		if values, ok := m.values(); ok && people[m.Name] != nil {
			all = append(all, series{Name: m.Name, Values: values, Truths: people.of(m.Name)}.newest())
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("no series in %s", dir)
	}
	return all, nil
}

// of are the changes of a series, person by person.
func (a annotations) of(name string) (truths [][]int) {
	for _, person := range slices.Sorted(maps.Keys(a[name])) {
		truths = append(truths, a[name][person])
	}
	return truths
}

// measured is a file of a series.
type measured struct {
	Name   string `json:"name"`
	Series []struct {
		Raw []*float64 `json:"raw"`
	} `json:"series"`
}

// values are those of the only measure; false if there are several, or some of them are missing or not above 0.
func (m measured) values() (values []float64, ok bool) {
	if len(m.Series) != 1 {
		return nil, false
	}
	for _, v := range m.Series[0].Raw {
		if v == nil || !(*v > 0) {
			return nil, false
		}
		values = append(values, *v)
	}
	return values, len(values) > 0
}

func readJSON(path string, to any) error {
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, to)
	}
	if err != nil {
		return fmt.Errorf("read %s: %w", path, err)
	}
	return nil
}
