package bed

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// answer is a record of the tests.
type answer struct {
	Entry
	Of string `json:"of,omitempty"`
}

// calibration takes a trial of each name. takes says what comes of it, and after are the trials that follow from others.
func calibration(names, after []string, takes func(name string) error) Calibration[answer] {
	take := func(_ context.Context, name string) ([]answer, error) {
		if err := takes(name); err != nil {
			return nil, err
		}
		return []answer{{Of: name}}, nil
	}
	return Calibration[answer]{Schema: "hone.test/1", Write: func(*Result, []answer) {},
		Todo: func(_ context.Context, j *Journal[answer]) ([]Trial[answer], error) {
			of := func(r answer) (string, bool) { return r.Of, r.Of != "" }
			done := Done(j.Records, j.Current, of, func(answer) bool { return true })
			lacking := func(all []string) []string {
				return slices.DeleteFunc(slices.Clone(all), func(name string) bool { return done[name] })
			}
			todo := lacking(names)
			if len(todo) == 0 {
				todo = lacking(after)
			}
			return Each(todo, func(name string) string { return name }, take), nil
		}}
}

// journal is an open file of results, of a session of a version of hone.
func journal(t *testing.T, path, hone string) *Journal[answer] {
	t.Helper()
	j, err := Open[answer](path, "hone.test/1", true)
	if err != nil {
		t.Fatal(err)
	}
	j.Session, j.Current = &Session{Schema: "hone.test/1", Hone: hone}, OfVersion(hone)
	t.Cleanup(func() { j.Close() })
	return j
}

// A calibration takes what follows from its trials, goes on where it was, and begins anew for another version of hone.
func TestACalibrationGoesOnWhereItWas(t *testing.T) {
	path := filepath.Join(t.TempDir(), "results.jsonl")
	var taken []string
	fails := map[string]bool{"b": true}
	c := calibration([]string{"a", "b", "c"}, []string{"d"}, func(name string) error {
		taken = append(taken, name)
		if fails[name] {
			return errors.New("no luck")
		}
		return nil
	})
	b := New("test")
	b.Records = path
	if err := c.fill(t.Context(), b, journal(t, path, "hone 1")); err == nil || !strings.Contains(err.Error(), "b: no luck") {
		t.Errorf("what failed is not said: %v", err)
	}
	fails = nil
	for _, hone := range []string{"hone 1", "hone 1", "hone 2"} {
		if err := c.fill(t.Context(), b, journal(t, path, hone)); err != nil {
			t.Error(err)
		}
	}
	if got, want := strings.Join(taken, ""), "abc"+"bd"+"abcd"; got != want {
		t.Errorf("took %s, want %s", got, want)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), `"session"`); n != 3 { // one session took nothing
		t.Errorf("%d sessions in\n%s", n, text)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		if strings.Contains(line, `"at":"0001-`) {
			t.Errorf("a line without its moment: %s", line)
		}
	}
}

// Three failures in a row end it, and so does Ctrl-C, which is not a failure.
func TestACalibrationGivesUp(t *testing.T) {
	for _, c := range []struct {
		works, stop string
		want        string
	}{
		{"", "", "abc"}, {"b", "", "abcde"}, {"e", "", "abc"}, {"abcdef", "c", "abc"},
	} {
		ctx, stop := context.WithCancel(t.Context())
		taken := ""
		all := calibration(strings.Split("abcdef", ""), nil, func(name string) error {
			if taken += name; name == c.stop {
				stop()
			}
			if strings.Contains(c.works, name) {
				return nil
			}
			return errors.New("no luck")
		})
		path := filepath.Join(t.TempDir(), "results.jsonl")
		err := all.fill(ctx, New("test"), journal(t, path, "hone"))
		if taken != c.want || (err == nil) != (c.stop != "") {
			t.Errorf("%+v: took %s, %v", c, taken, err)
		}
		stop()
	}
}
