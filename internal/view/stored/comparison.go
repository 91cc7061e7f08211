package stored

import (
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/store/commitsearch"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/record"
)

// Comparison is a comparison of the ledger with its document.
type Comparison struct {
	Row ledger.Comparison
	// Record is the document of programs that were compared, nil for benchmarks; Bench is the document of those.
	Record *record.Comparison
	Bench  *benchmarks.Result
	// Bisect is that of a search for a commit.
	Bisect *commitsearch.Result
	// Runs are those of its variants, in the order of Record.Runs.
	Runs []*Run
}

// ComparisonOf decodes the document of a comparison, without its runs.
func ComparisonOf(row ledger.Comparison) (*Comparison, error) {
	switch SchemaOf(row.Doc) {
	case benchmarks.Schema:
		c := &Comparison{Row: row, Bench: &benchmarks.Result{}}
		err := decode(row.Doc, c.Bench, benchmarks.Schema)
		c.Bench.ID = row.ID
		for i := range c.Bench.Benchmarks {
			for side := range c.Bench.Benchmarks[i].Profiles {
				onlyID(&c.Bench.Benchmarks[i].Profiles[side])
			}
		}
		return c, checked(err, c.wrong())
	case commitsearch.Schema:
		c := &Comparison{Row: row, Bisect: &commitsearch.Result{}}
		err := decode(row.Doc, c.Bisect, commitsearch.Schema)
		c.Bisect.ID = row.ID
		for i := range c.Bisect.Steps {
			onlyID(&c.Bisect.Steps[i].Comparison)
		}
		if c.Bisect.Whole != nil {
			onlyID(&c.Bisect.Whole.Comparison)
		}
		return c, checked(err, c.wrong())
	}
	c := &Comparison{Row: row, Record: &record.Comparison{
		Schema: record.ComparisonSchema, ID: row.ID, Status: row.Status, Started: row.Started, Reason: row.Reason,
		Runs: row.Runs,
	}}
	if len(row.Doc) == 0 { // one that crashed has none, and its row says all there is
		return c, nil
	}
	err := decode(row.Doc, c.Record, record.ComparisonSchema, record.ExecutionsComparisonSchema)
	c.Record.ID, c.Record.Runs = row.ID, row.Runs // a document of others may name other ones
	return c, checked(err, c.wrong())
}

// onlyID empties what is not the name of a run or comparison: names stand in commands that are printed.
func onlyID(name *string) {
	if !ledger.IsID(*name) {
		*name = ""
	}
}

// forgetCommands leaves out the commands of a stranger's document, and the files that it names: they are on another
// machine.
func (c *Comparison) forgetCommands() {
	if c.Bench != nil {
		c.Bench.Files = [2]string{}
	}
	if c.Bisect != nil {
		c.Bisect.Log = ""
		for i := range c.Bisect.Steps {
			c.Bisect.Steps[i].Command = ""
		}
	}
}

// OfExecutions says that whole executions were compared, not programs under load.
func (c *Comparison) OfExecutions() bool {
	return c.Record != nil && c.Record.Schema == record.ExecutionsComparisonSchema
}

// Records are the documents of the runs, as far as all kinds have them.
func (c *Comparison) Records() []record.Run {
	var all []record.Run
	for _, r := range c.Runs {
		all = append(all, r.Record)
	}
	return all
}

// Executions are the documents of whole executions; nil where no run is of them, or one is of another kind. Of one
// without a document it has what the row says.
func (c *Comparison) Executions() (all []record.Executions) {
	some := false
	for _, r := range c.Runs {
		one := record.Executions{Head: r.Record.Head}
		switch {
		case r.Once != nil:
			one, some = *r.Once, true
		case len(r.Row.Doc) > 0:
			return nil
		}
		one.Schema = record.ExecutionsSchema
		all = append(all, one)
	}
	if !some {
		return nil
	}
	return all
}
