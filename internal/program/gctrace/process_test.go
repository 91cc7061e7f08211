package gctrace

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// gc is a line of a process: its number, moment and goal.
func gc(number int, at float64, goal int) string {
	return fmt.Sprintf("gc %d @%.3fs 3%%: 0.009+0.31+0.001 ms clock, 0.075+0/0.30/0+0.014 ms cpu, 3->4->1 MB, %d MB goal, 0 MB stacks, 0 MB globals, 8 P", number, at, goal)
}

// The processes of a log and the torn lines; written "NAME: numbers" for each process.
func TestReadTellsProcessesApart(t *testing.T) {
	one, two, three := gc(1, 0.1, 4), gc(2, 0.2, 4), gc(3, 0.3, 4)
	lines := func(all ...string) string { return strings.Join(all, "\n") + "\n" }
	each := func(format string, all ...string) (out []string) {
		for _, line := range all {
			out = append(out, fmt.Sprintf(format, line))
		}
		return out
	}
	quoted := strings.NewReplacer(">", `\u003e`)
	for _, c := range []struct {
		name, text string
		damaged    int
		want       []string
	}{
		{"bare", lines(one, "request", two), 0, []string{"process 1: 1 2"}},
		{"compose", lines("web-1  | "+one, "api-1  | "+one, "web-1  | "+two, "api-1  | "+two), 0,
			[]string{"web-1: 1 2", "api-1: 1 2"}},
		{"compose with times and colours", lines("\x1b[36mweb-1  | \x1b[0m2026-11-01T10:00:00.123Z "+one,
			"\x1b[33mapi-1  | \x1b[0m2026-11-01T10:00:01Z "+one), 0, []string{"web-1: 1", "api-1: 1"}},
		{"names, and numbers that only grow", lines("web-1  | "+one, "api-1  | "+two), 0,
			[]string{"web-1: 1", "api-1: 2"}},
		{"kubectl", lines("[pod/web-a/app] "+one, "[pod/web-b/app] "+one), 0,
			[]string{"pod/web-a/app: 1", "pod/web-b/app: 1"}},
		{"stern", lines("web-a app "+one, "web-b app "+one), 0, []string{"web-a app: 1", "web-b app: 1"}},
		{"journal", lines("Nov 26 10:00:00 host app[12]: "+one, "Nov 26 10:00:01 host app[13]: "+one,
			"Nov 26 10:00:02 host app[12]: "+two), 0, []string{"host app[12]: 1 2", "host app[13]: 1"}},
		{"foreman", lines("10:00:00 web.1  | "+one, "10:00:00 job.1  | "+one), 0, []string{"web.1: 1", "job.1: 1"}},
		{"json", lines(`{"log":"`+quoted.Replace(one)+`\n","kubernetes":{"pod_name":"a"}}`,
			`{"log":"`+quoted.Replace(one)+`\n","kubernetes":{"pod_name":"b"}}`), 0, []string{"a: 1", "b: 1"}},
		{"restart", lines(one, two, three, gc(1, 0.01, 4), two), 0, []string{"process 1: 1 2 3", "process 2: 1 2"}},
		{"restart after a torn line", lines(one, two, three, gc(1, 0.01, 4)[:30], two, three, gc(4, 0.4, 4)), 1,
			[]string{"process 1: 1 2 3", "process 2: 2 3 4"}},
		{"restart of a container", lines(each("web-1  | %s", one, two, one)...), 0,
			[]string{"web-1: 1 2", "web-1, start 2: 1"}},
		{"a time that goes back", lines(two, gc(3, 0.01, 4)), 0, []string{"process 1: 2", "process 2: 3"}},
		{"at the same time, without names", lines(one, gc(1, 0.1, 90), gc(2, 0.2, 90), two, three, gc(3, 0.3, 90)), 0,
			[]string{"process 1: 1 2 3", "process 2: 1 2 3"}},
		{"two forms of one log", lines("2026-11-01T10:00:00.123Z "+one, "web-1  | "+two, "done"+three), 0,
			[]string{"process 1: 1 2 3"}},
		{"torn in two", lines(one, two[:20]+"log line", two[20:], three), 1, []string{"process 1: 1 3"}},
		{"torn twice", lines(two[:20]+"a", two[20:], three[:40]+"b", three[40:], one), 2, []string{"process 1: 1"}},
		{"torn in its first word", lines(two[:3]+"log line", two[3:], three), 1, []string{"process 1: 3"}},
		{"torn by another one", lines(two[:20] + three), 1, []string{"process 1: 3"}},
		{"two in one line", lines(one + two), 1, []string{"process 1: 2"}},
		{"only torn", lines(one[:40]), 1, nil},
	} {
		log, err := Read(strings.NewReader(c.text))
		var got []string
		for _, p := range log.Processes {
			numbers := ""
			for _, cycle := range p.Cycles {
				numbers += fmt.Sprint(" ", cycle.Number)
			}
			got = append(got, p.Title()+":"+numbers)
		}
		if err != nil || log.Damaged != c.damaged || !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, %d torn, %v; want %q, %d torn", c.name, got, log.Damaged, err, c.want, c.damaged)
		}
	}
}
