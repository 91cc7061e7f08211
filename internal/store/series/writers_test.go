package series

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gohone/hone/internal/sys/git"
)

// testPlace is a store for tests: what Open gets, and from which directory.
type testPlace struct{ name, where, dir string }

// times is how often something is tried with a store.
type times struct {
	testPlace
	n int
}

// aDirectory is a store in a directory.
func aDirectory(t *testing.T) testPlace {
	return testPlace{"directory", filepath.Join(t.TempDir(), "series"), ""}
}

// aBranch is a store in a branch of a repository without a remote.
func aBranch(t *testing.T) testPlace { return testPlace{"branch", "branch:", repository(t)} }

// aRemoteDirectory is a store in a branch of the repository that a shallow clone names as its remote.
func aRemoteDirectory(t *testing.T) testPlace {
	source := repository(t)
	clone := filepath.Join(t.TempDir(), "clone")
	gitIn(t, source, "clone", "-q", "--depth=1", "file://"+source, clone)
	return testPlace{"remote directory", "branch:", clone}
}

// aServer is a store in a branch on a server, seen from a shallow clone.
func aServer(t *testing.T) testPlace {
	return testPlace{"server", "branch:perf/series", cloneOfServer(t)}
}

// Two writers at once, each with a store of its own, again and again: each point is there once.
func TestTwoWritersAtOnce(t *testing.T) {
	for _, c := range []times{{aDirectory(t), 200}, {aBranch(t), 8}, {aRemoteDirectory(t), 2}, {aServer(t), 2},
		{anObjectStore(t), 10}} {
		t.Run(c.name, func(t *testing.T) { raceWriters(t, c.testPlace, c.n) })
	}
}

func TestTwoWritersAtOnceInHundreds(t *testing.T) {
	for _, c := range []times{{aBranch(t), 200}, {aServer(t), 30}, {anObjectStore(t), 60}} {
		t.Run(c.name, func(t *testing.T) { raceWriters(t, c.testPlace, c.n) })
	}
}

// A writer that loses the race builds on what the winner wrote, wherever the branch is.
func TestALostRace(t *testing.T) {
	for _, p := range []testPlace{aBranch(t), aRemoteDirectory(t), aServer(t)} {
		t.Run(p.name, func(t *testing.T) {
			winner, loser := openStore(t, p.where, p.dir), openStore(t, p.where, p.dir).(*Branch)
			tries := 0
			err := loser.branch.Change(t.Context(), "loser", func(tip *git.Tip) (map[string][]byte, error) {
				if tries++; tries <= 2 { // first the branch is not there, then it is
					must(t, winner.Append(t.Context(), []Point{pointOf("main", tries-1)}, nil))
				}
				return map[string][]byte{"loser.txt": []byte("here")}, nil
			})
			must(t, err)
			if tries != 3 {
				t.Errorf("%d tries, want 3: two were lost", tries)
			}
			holdsOnce(t, readStore(t, winner), 2)
			must(t, loser.branch.Look(t.Context(), func(tip *git.Tip) error {
				_, err := tip.Read(t.Context(), "loser.txt", 10)
				return err
			}))
		})
	}
}

func raceWriters(t *testing.T, p testPlace, rounds int) {
	var writers [2]Store
	for i := range writers {
		writers[i] = openStore(t, p.where, p.dir)
	}
	for n := range rounds {
		var wg sync.WaitGroup
		for i, s := range writers {
			wg.Go(func() {
				// One point of its own, and one that both have: a job that was started twice.
				points := []Point{pointOf("main", 3*n+i), pointOf("main", 3*n+2)}
				report := []byte(fmt.Sprint("report ", n))
				reports := map[string][]byte{ReportName("abc", report, "json"): report}
				if err := s.Append(context.Background(), points, reports); err != nil {
					t.Errorf("round %d: %v", n, err)
				}
			})
		}
		wg.Wait()
	}
	content := readStore(t, openStore(t, p.where, p.dir))
	holdsOnce(t, content, 3*rounds)
	if len(content.Faults) > 0 {
		t.Errorf("faults: %v", content.Faults[:min(3, len(content.Faults))])
	}
	report := []byte("report 0")
	got, err := writers[0].Report(t.Context(), ReportName("abc", report, "json"))
	if err != nil || !bytes.Equal(got, report) {
		t.Errorf("report %q, %v", got, err)
	}
}

// holdsOnce checks that the points 0 to n-1 of main are there, each once.
func holdsOnce(t *testing.T, content Content, n int) {
	t.Helper()
	seen := map[string]int{}
	for _, p := range content.Points {
		seen[p.Commit.Hash]++
	}
	for i := range n {
		if seen[hashOf(i)] != 1 {
			t.Errorf("point %d is there %d times", i, seen[hashOf(i)])
		}
	}
	if len(content.Points) != n {
		t.Errorf("%d points, want %d", len(content.Points), n)
	}
}

// writerProcess appends points one after the other, from the first to the last of its range, and says each number when
// it was acknowledged.
func writerProcess() {
	var where, dir string
	var from, to int
	fields := strings.Split(os.Getenv(writerVariable), "\n")
	where, dir = fields[0], fields[1]
	from, _ = strconv.Atoi(fields[2])
	to, _ = strconv.Atoi(fields[3])
	ctx := context.Background()
	s, err := Open(ctx, where, dir)
	for n := from; n < to && err == nil; n++ {
		report := []byte(fmt.Sprint("report ", n))
		p := pointOf("main", n)
		p.Report = ReportName("r", report, "txt")
		p.Machine = strings.Repeat("m", n%5000) // lines of different lengths
		if err = s.Append(ctx, []Point{p}, map[string][]byte{p.Report: report}); err == nil {
			fmt.Println(n)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// startWriter starts a process that writes the points of a range. Its output is the numbers of those that were
// acknowledged.
func startWriter(t *testing.T, p testPlace, from, to int) (*exec.Cmd, *bufio.Reader) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%s\n%s\n%d\n%d", writerVariable, p.where, p.dir, from, to))
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return cmd, bufio.NewReader(out)
}

// Two processes write at once.
func TestTwoProcessesAtOnce(t *testing.T) {
	for _, c := range []times{{aDirectory(t), 100}, {aBranch(t), 6}, {anObjectStore(t), 40}} {
		t.Run(c.name, func(t *testing.T) {
			p, each := c.testPlace, c.n
			first, firstOut := startWriter(t, p, 0, each)
			second, secondOut := startWriter(t, p, each, 2*each)
			for _, out := range []*bufio.Reader{firstOut, secondOut} {
				_, err := io.Copy(io.Discard, out)
				must(t, err)
			}
			must(t, errors.Join(first.Wait(), second.Wait()))
			holdsOnce(t, readStore(t, openStore(t, p.where, p.dir)), 2*each)
		})
	}
}

// A writer is killed while it writes, again and again. All points that were acknowledged are there, none is there
// twice, and the next writer goes on.
func TestAKilledWriterLosesNothing(t *testing.T) {
	const steps = 12
	for _, c := range []times{{aDirectory(t), 15}, {aBranch(t), 3}, {anObjectStore(t), 5}} {
		t.Run(c.name, func(t *testing.T) {
			p := c.testPlace
			acknowledged, next := map[int]bool{}, 0
			for kill := range c.n {
				cmd, out := startWriter(t, p, next, next+1_000_000)
				took := 5 * time.Millisecond // by one Append, of which any part is hit
				for range 1 + kill%steps {
					began := time.Now()
					n := number(t, out)
					acknowledged[n], next, took = true, n+1, max(took, time.Since(began))
				}
				time.Sleep(rand.N(took))
				must(t, cmd.Process.Kill())
				rest, err := io.ReadAll(out)
				must(t, err)
				for _, word := range strings.Fields(string(rest)) {
					n, err := strconv.Atoi(word)
					must(t, err)
					acknowledged[n], next = true, n+1
				}
				_ = cmd.Wait()
			}
			s := openStore(t, p.where, p.dir)
			last := pointOf("main", 2_000_000)
			must(t, s.Append(t.Context(), []Point{last}, nil))
			checkAcknowledged(t, s, acknowledged)
		})
	}
}

func checkAcknowledged(t *testing.T, s Store, acknowledged map[int]bool) {
	t.Helper()
	content := readStore(t, s)
	seen := map[string]int{}
	for _, p := range content.Points {
		seen[p.Commit.Hash]++
		if p.Report == "" {
			continue
		}
		if report, err := s.Report(t.Context(), p.Report); err != nil || !strings.HasPrefix(string(report), "report ") {
			t.Errorf("report %q: %q, %v", p.Report, report, err)
		}
	}
	for n := range acknowledged {
		if seen[hashOf(n)] != 1 {
			t.Errorf("the point %d was acknowledged, and is there %d times", n, seen[hashOf(n)])
		}
	}
	for hash, n := range seen {
		if n != 1 {
			t.Errorf("%s is there %d times", hash, n)
		}
	}
	if seen[hashOf(2_000_000)] != 1 {
		t.Error("the point after the kills is not there")
	}
	for _, f := range content.Faults {
		if !strings.Contains(f.Reason, "is no JSON") && !strings.Contains(f.Reason, "another point") {
			t.Errorf("%v", f)
		}
	}
	t.Logf("%d acknowledged, %d there, faults %d", len(acknowledged), len(content.Points), len(content.Faults))
}

func number(t *testing.T, out *bufio.Reader) int {
	t.Helper()
	line, err := out.ReadString('\n')
	must(t, err)
	n, err := strconv.Atoi(strings.TrimSpace(line))
	must(t, err)
	return n
}
