package ledger

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"github.com/gohone/hone/internal/storedir"
)

// The baselines have a file beside the records. It is replaced as a whole before the
// row is committed.
const (
	baselinesName   = "baselines.json"
	baselinesSchema = "hone.baselines/1"
)

type baselineFile struct {
	Schema    string     `json:"schema"`
	SHA256    string     `json:"sha256"` // of the JSON of Baselines
	Baselines []Baseline `json:"baselines"`
}

// keepBaselines writes the file of the baselines as tx has them.
func keepBaselines(tx querier, home *storedir.Dir) error {
	all, err := baselinesIn(tx)
	if err != nil {
		return err
	}
	text, err := json.Marshal(all)
	if err != nil {
		return fmt.Errorf("encode baselines: %w", err)
	}
	text, err = json.Marshal(baselineFile{Schema: baselinesSchema, SHA256: sumOf(text), Baselines: all})
	if err != nil {
		return fmt.Errorf("encode baselines: %w", err)
	}
	return placeFile(home, path.Join(recordsName, baselinesName), text)
}

// readBaselines reads the file. ok is false where there is none.
func readBaselines(home *storedir.Dir) (all []Baseline, ok bool, err error) {
	text, err := readFile(home, path.Join(recordsName, baselinesName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	all, err = parseBaselines(text)
	return all, err == nil, err
}

func parseBaselines(text []byte) ([]Baseline, error) {
	var f baselineFile
	if err := json.Unmarshal(text, &f); err != nil {
		return nil, fmt.Errorf("%w: %w", errDamaged, err)
	}
	inner, err := json.Marshal(f.Baselines)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errDamaged, err)
	}
	if f.Schema != baselinesSchema || sumOf(inner) != f.SHA256 {
		return nil, fmt.Errorf("%w: its content does not have the SHA-256 %.64q", errDamaged, f.SHA256)
	}
	return f.Baselines, nil
}

// equalBaselines compares lists in the order of their names.
func equalBaselines(a, b []Baseline) bool {
	return slices.EqualFunc(a, b, func(x, y Baseline) bool {
		return x.Name == y.Name && x.Run == y.Run && x.Note == y.Note && x.At.Equal(y.At)
	})
}

// putBaselines replaces all baselines by those of all whose run is there, and returns
// the others.
func putBaselines(tx interface {
	querier
	execer
}, all []Baseline) (lost []Baseline, err error) {
	if _, err := tx.Exec("DELETE FROM baselines"); err != nil {
		return nil, err
	}
	for _, b := range all {
		if _, err := seqOf(tx, Ref{KindRun, b.Run}); err != nil {
			lost = append(lost, b)
			continue
		}
		if err := insertBaseline(tx, b); err != nil {
			return nil, err
		}
	}
	return lost, nil
}
