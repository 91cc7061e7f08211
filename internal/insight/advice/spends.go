package advice

import (
	"fmt"

	"github.com/gohone/hone/internal/insight/facts"
	"github.com/gohone/hone/internal/text/units"
)

// spendsOn makes a finding of each of the user's functions that spends more on what match takes than the rule's
// threshold "cost". say is the finding's title.
func (v *search) spendsOn(r *Rule, match func(*facts.Stack) int, say func(*facts.Account) string) []*found {
	var all []*found
	for _, u := range v.Accounts(match) {
		if u.Cost < r.threshold("cost") {
			break
		}
		if v.Seen(u) < r.threshold("cost") || v.byChance(u.Cost, r.threshold("cost")) {
			continue
		}
		u.Routes = v.RoutesOf(u.Stacks)
		if title := say(u); title != "" {
			all = append(all, v.finding(u, title))
		}
	}
	return all
}

// leastPart is the share of CPU time from which on a place counts among several of one cause.
const leastPart = 0.005

// spendsTogether is spendsOn for what is one cause at however many places: the finding stands at the dearest, and the
// others are rows of it.
func (v *search) spendsTogether(r *Rule, match func(*facts.Stack) int, say func(*facts.Account) string) []*found {
	var whole *found
	var sum facts.Account
	for _, u := range v.Accounts(match) {
		if u.Cost < leastPart {
			break
		}
		sum.Plus(u)
		if whole == nil {
			u.Routes = v.RoutesOf(u.Stacks)
			whole = v.finding(u, say(u))
			continue
		}
		whole.Cost, whole.Gain = whole.Cost+u.Cost, whole.Gain+u.Cost
		whole.stacks = append(whole.stacks, u.Stacks...)
		whole.Evidence = append(whole.Evidence, Evidence{Source: "also",
			Text: fmt.Sprintf("%s: %s of the CPU time", u.Place, units.Share(u.Cost))})
	}
	if whole == nil || v.Seen(&sum) < r.threshold("cost") || v.byChance(sum.Cost, r.threshold("cost")) {
		return nil
	}
	return []*found{whole}
}

// finding is one of CPU time: all that the account has goes if it does.
func (v *search) finding(u *facts.Account, title string) *found {
	return &found{
		Finding: Finding{
			Title: title, Place: u.Place, Via: facts.Short(u.Via), Costs: Costs{Measure: CPU, Cost: u.Cost, Gain: u.Cost},
			Evidence:   v.evidence(u),
			Mechanical: u.Direct,
		},
		stacks: u.Stacks, about: []string{u.What, u.Via},
	}
}

// perRequest says how often an account's cost arises, where the profile of allocations counts it.
func perRequest(u *facts.Account, noun string) string {
	if !u.Counted() {
		return ""
	}
	return " (" + units.Digits(u.PerRequest(u.Objects)) + " " + noun + " per request" + u.Whose() + ")"
}

// byChance says whether a cost may be under a threshold, and only the draw of the samples has put it above.
func (v *search) byChance(cost, threshold float64) bool {
	low, _ := interval(cost, v.Samples)
	return v.Samples > 0 && low < threshold
}
