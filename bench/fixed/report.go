package fixed

import (
	"fmt"

	"github.com/gohone/hone/bench/bed"
)

// wanted is how many repositories are to be measured.
const wanted = 20

// document makes the result of the latest record of each repository.
func document(res *bed.Result, records []record) {
	all := last(records)
	var of []record
	for _, s := range subjects() {
		if r, ok := all[s.Repo]; ok {
			of = append(of, r)
		}
	}
	var findings, rewrites, tried, gains, wrong, failed int
	table := res.Table("Repositories", "repository", "commit", "kind", "findings", "too few samples", "with a rewrite",
		"refused", "tried", "tests pass", "gains", "wrong", "tests of the module")
	for _, r := range of {
		if r.Failed != "" {
			failed++
			table.Row(r.Repo, r.Commit, r.Kind, "not measured: "+r.Failed)
			continue
		}
		tests := ""
		if r.Tests > 0 || len(r.Broken) > 0 {
			tests = fmt.Sprintf("%d pass, %d break", r.Tests, len(r.Broken))
		}
		table.Row(r.Repo, r.Commit, r.Kind, fmt.Sprint(r.Findings), fmt.Sprint(r.FewSamples),
			fmt.Sprint(len(r.Rewrites)), fmt.Sprint(r.count(refused)), fmt.Sprint(r.measured()), fmt.Sprint(r.tested()), fmt.Sprint(r.count(gained)), fmt.Sprint(r.wrong()), tests)
		findings, rewrites, tried = findings+r.Findings, rewrites+len(r.Rewrites), tried+r.measured()
		gains, wrong = gains+r.count(gained), wrong+r.wrong()
	}
	table.Say("too few samples: benchmarks whose profile says nothing, since other programs had the CPUs")
	each(res, of)
	res.Goal("hone fix on public repositories: rewrites that change an answer",
		bed.Share{Of: wrong, N: tried}, bed.AtMost, 0)
	res.Claim("hone fix on public repositories", "%d of %d repositories measured, %d findings, %d with a rewrite, %d tried, "+
		"%d gains confirmed", len(of)-failed, max(wanted, len(of)), findings, rewrites, tried, gains)
}

// tested is how many rewrites have tests that pass with them.
func (r record) tested() (n int) {
	for _, x := range r.Rewrites {
		if x.Tested {
			n++
		}
	}
	return n
}

// each has a row for each rewrite.
func each(res *bed.Result, of []record) {
	t := res.Table("Rewrites", "repository", "rule", "place", "outcome", "change, % (interval)", "of", "why")
	for _, r := range of {
		for _, x := range r.Rewrites {
			change := ""
			if x.Ratio > 0 {
				change = fmt.Sprintf("%+.1f (%+.1f to %+.1f)", 100*(x.Ratio-1), 100*(x.Low-1), 100*(x.High-1))
			}
			t.Row(r.Repo, x.Rule, x.Place, string(x.Outcome), change, x.Of, x.Why)
		}
		for _, b := range r.Broken {
			t.Row(r.Repo, "", "", "the branch breaks a test", "", "", b)
		}
	}
}
