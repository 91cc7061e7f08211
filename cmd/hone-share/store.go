package main

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/cmd/hone-share/internal/exchange"
	"github.com/gohone/hone/cmd/hone-share/internal/objectstore"
	"github.com/gohone/hone/internal/text/fail"
)

// storeFlags are those of push and pull.
type storeFlags struct {
	ledger string
	json   bool
	store  objectstore.Options
}

// credentialsHelp is the part of the help that push and pull have in common.
const credentialsHelp = `
Credentials are read from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (and AWS_SESSION_TOKEN), else from the
files ~/.aws/credentials and ~/.aws/config. They are neither stored nor printed.`

func (f *storeFlags) add(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringVar(&f.ledger, "ledger", ".hone", "`DIRECTORY` of the ledger")
	fl.BoolVar(&f.json, "json", false, "print what was done as JSON")
	fl.StringVar(&f.store.Endpoint, "endpoint", "", "`URL` of the store (default AWS_ENDPOINT_URL_S3, or Amazon S3)")
	fl.StringVar(&f.store.Region, "region", "", "`REGION` of the store (default AWS_REGION)")
	fl.BoolVar(&f.store.Insecure, "insecure", false,
		"allow plain http to another machine: anyone on the way can read the runs")
}

// location finds the one place among the arguments; the other words are names.
func (f *storeFlags) location(args []string, usage string) (at objectstore.Location, names []string, err error) {
	places := 0
	for _, word := range args {
		if !objectstore.IsLocation(word) {
			names = append(names, word)
			continue
		}
		places++
		if at, err = objectstore.ParseLocation(word); err != nil {
			return at, nil, err
		}
	}
	if places != 1 {
		return at, nil, fail.New(fail.BadInput, "%d places are named, and it takes one", places).WithHint("%s", usage)
	}
	return at, names, nil
}

func (f *storeFlags) open(at objectstore.Location) (*objectstore.Store, error) {
	return objectstore.Open(at, f.store)
}

// shared shows what push and pull do: a line for each object at once, or all as JSON in the end.
type shared struct {
	a     *app
	f     *storeFlags
	at    objectstore.Location
	named bool // by the user: then also what is there has a line
	items []exchange.Item
}

func (a *app) showShared(f *storeFlags, at objectstore.Location, named bool) *shared {
	return &shared{a: a, f: f, at: at, named: named}
}

// done shows one object. A fault of the output is one of end, too, which returns it.
func (s *shared) done(i exchange.Item) {
	s.items = append(s.items, i)
	if !s.f.json && (s.named || i.Outcome != exchange.There) {
		_ = writeItem(s.a.Stdout, i)
	}
}

// end shows what was done in all, also if it ended with an error.
func (s *shared) end(schema string, err error) error {
	if err != nil && len(s.items) == 0 {
		return nil
	}
	return s.a.Print(s.f.json, struct {
		Schema string          `json:"schema"`
		Place  string          `json:"place"`
		Items  []exchange.Item `json:"items"`
	}{schema, s.at.String(), append([]exchange.Item{}, s.items...)}, func(w io.Writer) error {
		return writeItems(w, s.at.String(), s.items)
	})
}
