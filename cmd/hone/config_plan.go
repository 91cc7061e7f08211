package main

import (
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gohone/hone/internal/config"
	"github.com/gohone/hone/internal/fail"
)

// planCommands are the commands that plans are written for: a flag that only another
// one of them has does not disturb.
var planCommands = []string{"run", "compare"}

// notInPlans are flags that belong to the command line alone. The user alone says which broker gets his token.
var notInPlans = []string{
	"plan", "help", "json", "quiet", "ledger", "once", "count", "max-time", "show-output", "work-dir", "copy",
	"agents", "broker", "nats", "creds", "token-file", "nats-ca",
}

// apply sets the flags that the command line does not give: first by the plan, then the
// target and the gates of the file.
func (u *fromFile) apply(cmd *cobra.Command, plan config.Plan) error {
	given := givenFlags(cmd.Flags())
	for _, key := range plan.Keys() {
		if err := u.set(cmd, given, key, plan[key]); err != nil {
			return err
		}
	}
	fl := cmd.Flags()
	if dir := u.file.WorkDir(); len(u.named) > 0 && dir.Value != "" && !fl.Changed("work-dir") {
		if err := u.setValue(fl, "work-dir", dir); err != nil {
			return err
		}
	}
	for name, value := range map[string]config.Text{
		"ready": u.file.Subject.Ready, "ready-timeout": u.file.Subject.ReadyTimeout, "after-start-timeout": u.file.Subject.AfterStartTimeout,
	} {
		if len(u.named) > 0 && value.At.Line > 0 && fl.Lookup(name) != nil && !fl.Changed(name) {
			if err := u.setValue(fl, name, value); err != nil {
				return err
			}
		}
	}
	if target := u.file.Subject.Target; len(u.named) > 0 && target.Value != "" && !fl.Changed("target") {
		if err := u.setValue(fl, "target", target); err != nil {
			return err
		}
	}
	if len(u.named) == 0 || fl.Lookup("gate") == nil || fl.Changed("gate") {
		return nil
	}
	for _, gate := range u.file.Gates {
		if err := u.setValue(fl, "gate", gate); err != nil {
			return err
		}
	}
	return nil
}

// givenFlags lists the flags that the user gave, with those that are other names for them.
func givenFlags(fl *pflag.FlagSet) map[string]bool {
	given := map[string]bool{}
	fl.VisitAll(func(f *pflag.Flag) {
		fl.Visit(func(g *pflag.Flag) {
			if f.Name == g.Name || sameVariable(f.Value, g.Value) {
				given[f.Name] = true
			}
		})
	})
	return given
}

// sameVariable says whether two flags write the same variable: pflag's values are
// pointers to it. Functions cannot be compared, and have no other name.
func sameVariable(a, b pflag.Value) bool {
	return a.Type() == b.Type() && a.Type() != "func" && a.Type() != "boolfunc" && a == b
}

// set applies one flag of a plan.
func (u *fromFile) set(cmd *cobra.Command, given map[string]bool, key string, s config.Setting) error {
	flag := cmd.Flags().Lookup(key)
	switch {
	case slices.Contains(notInPlans, key):
		return u.file.At(s.Key, "give it on the command line", "the flag --%s has no place in a plan", key)
	case flag == nil && ofAnother(cmd, key), flag != nil && given[key]:
		return nil
	case flag == nil:
		known := planFlags(cmd)
		meant := ""
		if near := fail.Nearest(key, known); near != "" {
			meant = " (did you mean \"" + near + "\"?)"
		}
		return u.file.At(s.Key, cmd.CommandPath()+" --help lists the flags", "unknown flag %q%s", key, meant)
	}
	_, list := flag.Value.(pflag.SliceValue)
	if len(s.Values) > 1 && !list {
		return u.file.At(s.Values[1].At, "keep one of them", "the flag --%s takes one value", key)
	}
	for _, value := range s.Values {
		if err := u.setValue(cmd.Flags(), key, value); err != nil {
			return err
		}
	}
	return nil
}

func (u *fromFile) setValue(fl *pflag.FlagSet, name string, value config.Text) error {
	if err := fl.Set(name, value.Value); err != nil {
		return u.file.At(value.At, "see --help for what the flag takes", "%v", err)
	}
	return nil
}

// ofAnother says whether another of planCommands has the flag.
func ofAnother(cmd *cobra.Command, key string) bool {
	if !cmd.HasParent() {
		return false
	}
	for _, other := range cmd.Parent().Commands() {
		if slices.Contains(planCommands, other.Name()) && other.Flags().Lookup(key) != nil {
			return true
		}
	}
	return false
}

// planFlags lists what a plan may set.
func planFlags(cmd *cobra.Command) []string {
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden && !slices.Contains(notInPlans, f.Name) {
			names = append(names, f.Name)
		}
	})
	return names
}
