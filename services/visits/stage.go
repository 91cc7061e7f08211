package visits

import (
	"errors"
	"io"
	"net/http"

	"github.com/gohone/hone/services/internal/ladder"
	"github.com/gohone/hone/services/internal/settings"
)

// Config is what a counter can be told. The zero value is a usable counter.
type Config struct {
	// Log takes one line of JSON for each visit, in one Write, and never two at a time
	// unless it is io.Discard. nil means io.Discard. A Write that fails does not fail the
	// visit, and is for the writer itself to report.
	Log io.Writer
	// MaxNames is the number of names that are counted by themselves; visits of all further
	// names are counted together, so that strangers cannot fill the memory. 0 means 100,000,
	// which is some 30 MB if all names are as long as they may be.
	MaxNames int
}

const defaultMaxNames = 100_000

// Validate says what is wrong with the configuration.
func (c Config) Validate() error { return c.fill() }

// fill replaces the zero values by what they mean, or says what is wrong.
func (c *Config) fill() error {
	if c.Log == nil {
		c.Log = io.Discard
	}
	return settings.Fill(settings.Number("max names", &c.MaxNames, defaultMaxNames))
}

// Stage is one rung of the ladder.
type Stage struct {
	// Name is what the program's -stage takes, and the name of the benchmark.
	Name string
	// Change is what it changes against the stage before it, in one phrase.
	Change string
	// Slower says that the change is known to make it slower.
	Slower bool
	// PublishedNanos is the published time per visit; 0 where none was published.
	PublishedNanos float64

	build func(Config) http.Handler
}

// DefaultStage is the stage of a program that is told none.
const DefaultStage = "sharded"

// Stages is the ladder, lowest rung first.
var Stages = []Stage{
	{
		Name:           "start",
		Change:         "string concatenation, logrus with fields, one mutex held throughout",
		PublishedNanos: 5403,
		build:          newStart,
	},
	{
		Name:           "fprintf",
		Change:         "fmt.Fprintf for the page",
		Slower:         true,
		PublishedNanos: 6325,
		build:          newFprintf,
	},
	{
		Name:           "pooled",
		Change:         "a pooled buffer for the page",
		PublishedNanos: 4203,
		build:          newPooled,
	},
	{
		Name:           "pooled-log",
		Change:         "the log line as one message, made in a pooled buffer",
		PublishedNanos: 3421,
		build:          newPooledLog,
	},
	{
		Name:           "zerolog",
		Change:         "zerolog instead of logrus",
		PublishedNanos: 1077,
		build:          newZerolog,
	},
	{
		Name:           "bytes",
		Change:         "bytes appended instead of fmt.Sprint",
		PublishedNanos: 796,
		build:          newBytes,
	},
	{
		Name:           "final",
		Change:         "a mutex held for the count only",
		PublishedNanos: 590,
		build:          newFinal,
	},
	{
		Name:   "sharded",
		Change: "sharded counters, the query read in place, the header shared: nothing allocated",
		build:  newSharded,
	},
}

// New returns a counter that starts at no visits. It answers GET and HEAD, whatever the
// path. The errors are those of Config.Validate.
func (s Stage) New(cfg Config) (http.Handler, error) {
	if s.build == nil {
		return nil, errors.New("stage is none of Stages")
	}
	if err := cfg.fill(); err != nil {
		return nil, err
	}
	return s.build(cfg), nil
}

// String is the stage's name.
func (s Stage) String() string { return s.Name }

// LookupStage finds a stage by name; the error names the known ones.
func LookupStage(name string) (Stage, error) { return ladder.Lookup(Stages, name) }
