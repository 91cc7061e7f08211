package robust

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// The states of a run that are its last, by hone history --json.
const crashed = "crashed"

var ended = []string{"complete", "partial", "invalid", "interrupted", crashed}

// contents is what a ledger holds, as hone shows it.
type contents struct {
	Runs map[string]storedRun // by id
	// Files are the SHA-256 of the files under blobs, by their path there.
	Files map[string]string
}

// storedRun is a run as hone shows it.
type storedRun struct {
	Status string
	// Document is the SHA-256 of what hone show --json prints, and of its row in
	// hone history --json.
	Document, Row string
}

// read reads a ledger by hone history, and hone show of each run.
func (r *rig) read(ctx context.Context, ledger string) (contents, error) {
	d := r.run(ctx, command{args: []string{"history", "--json", "--ledger", ledger}})
	if err := d.sound(0); err != nil {
		return contents{}, err
	}
	rows, err := historyRows(d.stdout)
	if err != nil {
		return contents{}, err
	}
	all := contents{Runs: map[string]storedRun{}}
	for id, row := range rows {
		shown := r.run(ctx, command{args: []string{"show", id, "--json", "--ledger", ledger}})
		if err := shown.sound(0); err != nil {
			return all, err
		}
		all.Runs[id] = storedRun{row.Status, hashed(shown.stdout), hashed(row.text)}
	}
	all.Files, err = hashFiles(filepath.Join(ledger, "blobs"))
	return all, err
}

func hashed(data []byte) string { return fmt.Sprintf("%x", sha256.Sum256(data)) }

// historyRow is a run in hone history --json.
type historyRow struct {
	Status string
	text   json.RawMessage // all of it
}

// historyRows reads what hone history --json prints, by the runs' ids.
func historyRows(out []byte) (map[string]historyRow, error) {
	var doc struct {
		Schema string
		Runs   []json.RawMessage
	}
	if err := json.Unmarshal(out, &doc); err != nil {
		return nil, fmt.Errorf("read hone history: %w", err)
	}
	if doc.Schema != "hone.history/2" {
		return nil, fmt.Errorf("read hone history: schema %q, want hone.history/2: build hone and this program from the same source", doc.Schema)
	}
	rows := map[string]historyRow{}
	for _, text := range doc.Runs {
		var run struct{ ID, Status string }
		if err := json.Unmarshal(text, &run); err != nil {
			return nil, fmt.Errorf("read hone history: %w", err)
		}
		rows[run.ID] = historyRow{run.Status, text}
	}
	return rows, nil
}

// statuses are the states of the runs in hone history --json.
func statuses(out []byte) (map[string]string, error) {
	rows, err := historyRows(out)
	all := map[string]string{}
	for id, row := range rows {
		all[id] = row.Status
	}
	return all, err
}

// hashFiles hashes all files below a directory, by their paths in it; none if it is not there.
func hashFiles(root string) (map[string]string, error) {
	all, tree := map[string]string{}, os.DirFS(root)
	err := fs.WalkDir(tree, ".", func(name string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) && name == "." {
			return nil
		}
		if err != nil || e.IsDir() {
			return err
		}
		data, err := fs.ReadFile(tree, name)
		all[name] = hashed(data)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("hash files: %w", err)
	}
	return all, nil
}
