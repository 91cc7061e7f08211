package bisect

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/gohone/hone/internal/store/commitsearch"
	"github.com/gohone/hone/internal/sys/git"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/inputs"
)

// Log is a file that says what a search found out: lines that git bisect replay reads, and after each a comment with
// the measurement, which git leaves out and hone reads.
//
//	# hone bisect 1
//	git bisect start '<bad>' '<good>'
//	# hone {"known":{...}}
//	git bisect bad <commit>
type Log struct {
	// Out receives the lines; nil keeps none.
	Out io.Writer
	// Question says what is measured, and how, in one line: what one search found out holds for others of the same
	// question.
	Question string
	// Earlier is what an earlier search of the same question found out.
	Earlier []Entry
}

// Entry is what one comparison found out about a commit.
type Entry struct {
	Commit string `json:"commit"`
	// Target is what the search follows: an entry of the whole history.
	Target *commitsearch.Target `json:"target,omitempty"`
	// Log and Err are those of an observation. Same names the end whose code the commit has; Skipped says why it cannot
	// be measured.
	Log     float64 `json:"log,omitempty"`
	Err     float64 `json:"err,omitempty"`
	Same    string  `json:"same,omitempty"`
	Skipped string  `json:"skipped,omitempty"`
	// Word is good or bad where git bisect, or a person, said so: the commit is like that end.
	Word string `json:"word,omitempty"`
	// Whole is the comparison of both ends.
	Whole *commitsearch.Whole `json:"whole,omitempty"`
	// From is the good end that the observation is relative to: of a search within a merge another one.
	From string `json:"from,omitempty"`
	Go   string `json:"go,omitempty"`
}

const (
	logHead   = "# hone bisect 1"
	logEntry  = "# hone "
	gitBisect = "git bisect "
)

// Start are the lines that only logs of one question and the same ends have.
func (l *Log) Start(good, bad string) string {
	return fmt.Sprintf("# question: %s\n%sstart '%s' '%s'\n", l.Question, gitBisect, bad, good)
}

// begin writes the first lines.
func (l *Log) begin(good, bad git.Commit) error {
	return l.write("%s\n# bad: [%s] %s\n# good: [%s] %s\n%s", logHead, bad.Hash, bad.Subject, good.Hash, good.Subject,
		l.Start(good.Hash, bad.Hash))
}

// add writes an entry, and the word of git bisect for it: good, bad or skip; none for "".
func (l *Log) add(e Entry, word string, c git.Commit) error {
	text, err := json.Marshal(e)
	if err != nil {
		return fmt.Errorf("encode an entry of the log: %w", err)
	}
	if err := l.write("%s%s\n", logEntry, text); err != nil || word == "" {
		return err
	}
	return l.write("# %s: [%s] %s\n%s%s %s\n", word, c.Hash, c.Subject, gitBisect, word, c.Hash)
}

func (l *Log) write(format string, args ...any) error {
	if l.Out == nil {
		return nil
	}
	if _, err := fmt.Fprintf(l.Out, format, args...); err != nil {
		return fail.New(fail.Or(fail.Storage, err), "write the log of the search: %w", err)
	}
	return nil
}

// ReadLog reads a log of hone bisect or of git bisect. name is that of the file, for errors, which are fail.BadInput.
func ReadLog(name string, r io.Reader) (entries []Entry, err error) {
	lines := bufio.NewScanner(inputs.SearchLog.Reader(name, r))
	lines.Buffer(nil, mostLine)
	known := map[string]bool{}
	number := 0
	bad := func(format string, args ...any) error {
		return fail.New(fail.BadInput, "%s:%d: %s", name, number, fmt.Sprintf(format, args...)).
			WithHint("git bisect log and hone bisect print such a file")
	}
	for lines.Scan() {
		number++
		line := strings.TrimSpace(lines.Text())
		if text, ok := strings.CutPrefix(line, logEntry); ok && strings.HasPrefix(text, "{") {
			var e Entry
			err := json.Unmarshal([]byte(text), &e)
			if err == nil {
				err = e.check()
			}
			if err != nil {
				return nil, bad("%v", err)
			}
			known[e.Commit] = true
			if entries = append(entries, e); int64(len(entries)) > inputs.SearchEntries.Most {
				return nil, inputs.SearchEntries.Beyond(name)
			}
			continue
		}
		rest, ok := strings.CutPrefix(line, gitBisect)
		if !ok {
			continue // a comment, as for git
		}
		word, commits, _ := strings.Cut(rest, " ")
		switch word {
		case "good", "bad", "new", "old", "skip":
		case "start":
			continue // the command line names the ends
		default:
			return nil, bad("git bisect %s is none of good, bad and skip", word)
		}
		for commit := range strings.FieldsSeq(commits) {
			if known[commit] {
				continue // the comment before says more
			}
			e := Entry{Commit: commit, Word: map[string]string{"good": "good", "old": "good", "bad": "bad",
				"new": "bad"}[word]}
			if word == "skip" {
				e.Skipped = "skipped by " + name
			}
			if entries = append(entries, e); int64(len(entries)) > inputs.SearchEntries.Most {
				return nil, inputs.SearchEntries.Beyond(name)
			}
		}
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		number++
		return nil, bad("the line has more than %d bytes", mostLine)
	case err != nil:
		return nil, err
	}
	return entries, nil
}

// mostLine is how long a line of a log can be, in bytes.
const mostLine = 1 << 20
