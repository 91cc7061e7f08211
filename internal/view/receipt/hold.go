package receipt

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/judge/repeat"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/judge"
)

// OutcomeSchema is the version of Outcome's JSON.
const OutcomeSchema = "hone.verify/1"

// Outcome is what a second measurement says of a receipt.
type Outcome struct {
	Schema string        `json:"schema"`
	Answer repeat.Answer `json:"answer"`
	// Reason is the first finding that gave the answer, in words.
	Reason string `json:"reason"`
	// Machine says in what this machine is another one; empty where it is of the same kind.
	Machine  string    `json:"other_machine,omitempty"`
	Findings []Finding `json:"findings"`
	// Receipt is that of the second measurement.
	Receipt *Receipt `json:"receipt"`
}

// Finding is what the second measurement says of one claimed figure or gate.
type Finding struct {
	Of string `json:"of"`
	// Decides says that the answer goes by it: it is the measure that a verdict is of, or a gate.
	Decides bool `json:"decides"`
	// Gate is empty of a verdict, and Claimed and Again are nil of a gate. Check says that it is neither, but what the
	// patch of a variant passed.
	Check   bool           `json:"check,omitempty"`
	Gate    string         `json:"gate,omitempty"`
	Claimed *judge.Verdict `json:"claimed,omitempty"`
	Again   *judge.Verdict `json:"again,omitempty"`
	Answer  repeat.Answer  `json:"answer"`
	Reason  string         `json:"reason"`
}

// What names what was claimed.
func (f Finding) What() string {
	switch {
	case f.Check:
		return "check of the patch"
	case f.Gate != "":
		return "gate " + f.Gate
	case f.Claimed != nil:
		return f.Claimed.Measure.Name
	}
	return "verdict"
}

// Hold holds a receipt against that of a second measurement of the same sides.
func Hold(r, again *Receipt) *Outcome {
	o := &Outcome{Schema: OutcomeSchema, Machine: otherMachine(r.Environment, again.Environment), Receipt: again}
	for i := range r.Checked {
		if c := again.ofVariant(r.Checked[i].Variant); c != nil {
			o.Findings = append(o.Findings, holdChecked(&r.Checked[i], c))
		}
	}
	claims, different := 0, false
	for i := range r.Claims {
		for _, v := range r.Claims[i].Verdicts {
			if v.Word.Different() || v.Word.Alike() {
				claims++
			}
		}
		different = different || r.Claims[i].Word.Different()
	}
	for i := range r.Claims {
		c := &r.Claims[i]
		decides := c.Word.Different() || !different && c.Word.Alike()
		o.Findings = append(o.Findings, c.hold(again.claim(c.Of, r.Environment.CPUs), claims, decides)...)
	}
	o.decide()
	return o
}

// claim is that of a name on a machine of so many CPUs; an empty one where there is none. go test ends the name of a
// benchmark with the number of CPUs.
func (r *Receipt) claim(of string, cpus int) *Claim {
	for i := range r.Claims {
		c := &r.Claims[i]
		if c.Of == of || withoutCPUs(c.Of, r.Environment.CPUs) == withoutCPUs(of, cpus) {
			return c
		}
	}
	return &Claim{Of: of}
}

func withoutCPUs(name string, cpus int) string {
	return strings.TrimSuffix(name, fmt.Sprintf("-%d", cpus))
}

// hold holds a claim against the one of the second measurement.
func (c *Claim) hold(again *Claim, claims int, decides bool) (all []Finding) {
	if c.Leads == "" && decides {
		all = append(all, c.holdUnmeasured(again))
	}
	for i := range c.Verdicts {
		v := &c.Verdicts[i]
		is := again.on(v.Measure)
		if is == nil {
			is = &judge.Verdict{Measure: v.Measure, Word: judge.Undecided}
		}
		f := Finding{Of: c.Of, Decides: decides && v == c.lead(), Claimed: v, Again: is}
		f.Answer, f.Reason = repeat.Of(*v, *is, claims)
		if f.Decides && v.Word.Different() && again.Word.Alike() && len(again.Verdicts) == 0 {
			f.Answer, f.Reason = repeat.Refuted, "nothing that is executed differs here"
		}
		if f.Decides && f.Answer == repeat.Holds {
			f.Answer, f.Reason = c.besides(again, f.Answer, f.Reason)
		}
		if f.Answer != repeat.Nothing {
			all = append(all, f)
		}
	}
	for _, g := range c.Gates {
		if f, claimed := holdGate(c.Of, g, again.Gates); claimed {
			all = append(all, f)
		}
	}
	return all
}

// holdUnmeasured is for a claim that nothing differs, for which nothing was measured.
func (c *Claim) holdUnmeasured(again *Claim) Finding {
	f := Finding{Of: c.Of, Decides: true, Answer: repeat.Open, Reason: "it was not compared here"}
	switch {
	case again.Word.Alike():
		f.Answer, f.Reason = repeat.Holds, "nothing that can be measured differs here, either"
	case again.Word.Different():
		f.Answer, f.Reason = repeat.Refuted, fmt.Sprintf("B is %s here", again.Word)
	}
	return f
}

// besides is the answer to a claim whose figures hold, by what else the second measurement saw.
func (c *Claim) besides(again *Claim, answer repeat.Answer, reason string) (repeat.Answer, string) {
	known := map[string]bool{}
	for _, one := range c.Caveats {
		known[one.Name] = one.Open
	}
	for _, one := range again.Caveats {
		if one.Open && !known[one.Name] {
			return repeat.Refuted, "the receipt does not say of B: " + one.Text
		}
	}
	if again.Word != c.Word && !(again.Word.Alike() && c.Word.Alike()) {
		return repeat.Open, fmt.Sprintf("the figures agree, and the verdict here is: %s", again.Word)
	}
	return answer, reason
}

func holdGate(of string, claimed gate.Result, again []gate.Result) (Finding, bool) {
	f := Finding{Of: of, Decides: true, Gate: claimed.Gate.Text, Answer: repeat.Open, Reason: "it was not judged here"}
	for _, g := range again {
		if g.Gate.Text != claimed.Gate.Text || g.Gate.Measure.Target != claimed.Gate.Measure.Target {
			continue
		}
		f.Reason = fmt.Sprintf("%s here: %s", g.Outcome, g.Reason)
		switch {
		case g.Outcome == claimed.Outcome:
			f.Answer = repeat.Holds
		case g.Outcome != gate.Open:
			f.Answer = repeat.Refuted
		}
	}
	return f, claimed.Outcome != gate.Open
}

// decide answers by the findings: one that decides and does not hold settles it, and one that is open leaves it open.
// So does a figure beside them that does not hold: what it says may be a matter of the machine, or of an edit.
func (o *Outcome) decide() {
	first := func(such func(Finding) bool) bool {
		for _, f := range o.Findings {
			if such(f) {
				o.Answer, o.Reason = f.Answer, fmt.Sprintf("%s, %s: %s", f.Of, f.What(), f.Reason)
				return true
			}
		}
		return false
	}
	switch {
	case first(func(f Finding) bool { return f.Decides && f.Answer == repeat.Refuted }):
	case first(func(f Finding) bool { return f.Decides && f.Answer == repeat.Open }):
	case first(func(f Finding) bool { return f.Answer == repeat.Refuted }):
		o.Answer, o.Reason = repeat.Open, "the verdict holds, and a figure beside it does not: "+o.Reason
	case first(func(f Finding) bool { return f.Decides && !f.Check }): // tests that pass are no claim
	default:
		o.Answer, o.Reason = repeat.Open, "the receipt claims nothing: its verdicts are undecided"
	}
}

// otherMachine says in what two machines differ.
func otherMachine(was, is record.Environment) string {
	text := ""
	for _, one := range []struct{ what, was, is string }{
		{"processor", was.CPUModel, is.CPUModel},
		{"CPUs", fmt.Sprint(was.CPUs), fmt.Sprint(is.CPUs)},
		{"system", was.OS + "/" + was.Arch, is.OS + "/" + is.Arch},
		{"kernel", was.Kernel, is.Kernel},
		{"hone", was.Hone, is.Hone},
	} {
		if one.was == one.is {
			continue
		}
		if text != "" {
			text += "; "
		}
		text += fmt.Sprintf("%s %s there, %s here", one.what, orUnknown(one.was), orUnknown(one.is))
	}
	return text
}

func orUnknown(text string) string {
	if text == "" {
		return "unknown"
	}
	return text
}

// Same says whether two receipts are of one measurement and say the same of it, but for how often the ledger has tried.
func Same(r, other *Receipt) bool {
	a, b := *r, *other
	a.Tries, b.Tries = Tries{}, Tries{}
	one, errOne := encode(a)
	two, errTwo := encode(b)
	return errOne == nil && errTwo == nil && bytes.Equal(one, two)
}

// SameSides says in what two receipts are not of the same sides; nil if they are.
func SameSides(r, again *Receipt) error {
	if len(r.Sides) != len(again.Sides) {
		return fail.New(fail.BadInput, "the receipts are of %d and of %d sides", len(r.Sides), len(again.Sides)).
			WithHint("name two receipts of the same commits")
	}
	for i, side := range r.Sides {
		other := again.Sides[i]
		if side.Tree != other.Tree || side.Release != other.Release || side.Dirty != other.Dirty {
			return fail.New(fail.BadInput, "receipt.sides[%d]: tree %s%s in one, %s%s in the other", i, side.Tree,
				side.Release, other.Tree, other.Release).WithHint("name two receipts of the same commits")
		}
	}
	return nil
}
