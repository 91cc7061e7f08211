package sql

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gohone/hone/bench/bed"
)

// corpusDir is the module of the services, from the directory bench.
const corpusDir = "sql/corpus"

// service is a file of the corpus.
type service struct {
	Name   string
	Closed bool
	load   load
	// truths are of one kind; each of their lines is right. A decoy has one, with its reason.
	kind   kind
	truths []truth
}

// kind is a way to use a database badly.
type kind string

// The kinds.
const (
	manyQueries     kind = "n-plus-one"
	slowStatement   kind = "slow-statement"
	smallPool       kind = "small-pool"
	longTransaction kind = "long-transaction"
	decoy           kind = "decoy"
)

var kinds = []kind{manyQueries, slowStatement, smallPool, longTransaction, decoy}

// load is what clients ask of a service.
type load struct {
	Path        string // with {rand:N}
	Connections int
	RateHz      int // 0: each client sends when it has an answer
}

// truth is a line of a service at which its defect may be named.
type truth struct {
	File string // its name without directories
	Line int
	// Statement is that of the defect at this line; empty where the line has none. Of a decoy it is why it is one.
	Statement string
}

var (
	loadComment  = regexp.MustCompile(`^//load: GET (\S+), (\d+) connections(?:, (\d+)/s)?$`)
	truthComment = regexp.MustCompile(`//truth: ([a-z-]+)(?:: (.+))?$`)
)

// openCorpus reads the comments of all services, by name. A seed puts half of each kind into the closed half.
func openCorpus(seed string) (all []*service, failed error) {
	paths, err := filepath.Glob(filepath.Join(corpusDir, "services", "*.go"))
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		if filepath.Base(path) == "services.go" {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		s, err := readService(filepath.Base(path), string(text))
		failed = errors.Join(failed, err)
		all = append(all, s)
	}
	closeHalf(all, seed)
	return all, failed
}

func readService(file, text string) (*service, error) {
	s := &service{Name: strings.TrimSuffix(file, ".go")}
	for i, line := range strings.Split(text, "\n") {
		if found := loadComment.FindStringSubmatch(line); found != nil {
			s.load.Path = found[1]
			s.load.Connections, _ = strconv.Atoi(found[2]) // both are digits
			s.load.RateHz, _ = strconv.Atoi(found[3])
		}
		if found := truthComment.FindStringSubmatch(line); found != nil {
			s.kind = kind(found[1])
			s.truths = append(s.truths, truth{file, i + 1, found[2]})
		}
	}
	if s.load.Connections == 0 || !slices.Contains(kinds, s.kind) {
		return s, fmt.Errorf("%s: want a comment //load: and one //truth: of a known kind", file)
	}
	return s, nil
}

// closeHalf draws the closed half: half of the services of each kind.
func closeHalf(all []*service, seed string) {
	names := map[kind][]string{}
	for _, s := range all {
		names[s.kind] = append(names[s.kind], s.Name)
	}
	for _, s := range all {
		s.Closed = slices.Contains(bed.ClosedHalf(names[s.kind], seed), s.Name)
	}
}

// half is the one that the service is in.
func (s *service) half() string { return bed.Half(s.Closed) }

// statements are those of the defect.
func (s *service) statements() (all []string) {
	for _, t := range s.truths {
		if t.Statement != "" && s.kind != decoy && !slices.Contains(all, t.Statement) {
			all = append(all, t.Statement)
		}
	}
	return all
}
