package app

import (
	"github.com/spf13/cobra"

	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/spec/config"
)

// apply sets the options that the command line does not give: first by the plan, then the
// target and the gates of the file.
func (u *FromFile) apply(cmd *cobra.Command, plan config.Plan) error {
	set := spec.Of(cmd.Flags())
	given := map[string]bool{}
	for _, r := range set.AllGiven() {
		given[r.Name] = true
	}
	for _, key := range plan.Keys() {
		if given[key] {
			continue
		}
		if err := u.fromPlan(cmd, set, key, plan[key]); err != nil {
			return err
		}
	}
	if len(u.Named) == 0 {
		return nil
	}
	of := u.File.Subject
	for name, values := range map[string][]config.Text{
		"work-dir": {u.File.WorkDir()}, "ready": {of.Ready}, "ready.timeout": {of.ReadyTimeout},
		"after-start.timeout": {of.AfterStartTimeout},
		"target":              {of.Target}, "gate": u.File.Gates,
	} {
		if _, has := set.Row(name); !has || set.Given(name) {
			continue
		}
		for _, value := range values {
			if value.At.Line > 0 {
				if err := u.put(set, name, value); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// fromPlan applies one option of a plan. One that only other commands take does not disturb.
func (u *FromFile) fromPlan(cmd *cobra.Command, set *spec.Set, key string, s config.Setting) error {
	r, known := spec.Named(key, spec.ForRun|spec.ForCompare)
	switch _, here := set.Row(key); {
	case known && r.Has(spec.NotInPlans), key == "help":
		return u.File.At(s.Key, "give it on the command line", "the flag --%s has no place in a plan", key)
	case known && !here && r.For&(spec.ForRun|spec.ForCompare) != 0:
		return nil
	case !here:
		return u.File.At(s.Key, cmd.CommandPath()+" --help-all lists the keys", "%v", set.Put(key, ""))
	}
	if len(s.Values) > 1 && !set.IsList(key) {
		return u.File.At(s.Values[1].At, "keep one of them", "the key %s takes one value", key)
	}
	for _, value := range s.Values {
		if err := u.put(set, key, value); err != nil {
			return err
		}
	}
	return nil
}

func (u *FromFile) put(set *spec.Set, name string, value config.Text) error {
	if err := set.Put(name, value.Value); err != nil {
		return u.File.At(value.At, "see --help-all for what it takes", "%v", err)
	}
	return nil
}
