package ledger

import (
	"errors"
	"fmt"
	"path"

	"github.com/gohone/hone/internal/sys/storedir"
)

// The index is one file with all records that have ended, without their documents: a list of
// 10,000 runs reads one file and not 10,000. It can be deleted at any time. Only a writer
// writes it, when it ends; one that is damaged, of another schema or old costs time and nothing else.
const (
	indexName   = "index"
	indexSchema = "hone.index/1"
)

// unindexed is how many records a reader may have to read because the index is old. Each takes some
// 0.1 ms, and to write an index of 10,000 runs some 20 ms.
const unindexed = 32

// readIndex reads what the index has.
func readIndex(home *storedir.Dir) *catalogue {
	c := &catalogue{records: map[string]*Record{}}
	data, err := readFile(home, indexName)
	if err != nil {
		return c
	}
	if data, err = unseal(indexSchema, data); err != nil {
		return c
	}
	records, err := decodeIndex(data)
	if err != nil {
		return c
	}
	for _, r := range records {
		if status, _, _ := r.state(); r.ended() && *status != Running {
			c.records[r.Ref().ID] = r
		}
	}
	return c
}

// writeIndex writes the index, as best it can. It need not survive a loss of power.
func writeIndex(home *storedir.Dir, c *catalogue) error {
	var ended []*Record
	for _, kind := range []Kind{KindComparison, KindRun} {
		for _, r := range c.all(kind) {
			if r.ended() {
				ended = append(ended, r)
			}
		}
	}
	f, tmp, err := home.CreateTemp("tmp", path.Base(indexName)+"-")
	if err != nil {
		return err
	}
	_, err = f.Write(seal(indexSchema, encodeIndex(ended)))
	if err := errors.Join(err, f.Close()); err != nil {
		_ = home.RemoveAll(tmp)
		return fmt.Errorf("write index: %w", err)
	}
	return home.Rename(tmp, indexName)
}
