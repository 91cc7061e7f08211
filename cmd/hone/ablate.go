package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/conduct/tune"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/spec/config"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/store/tuning"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/view/report"
)

func (a *commands) ablateCommand() *cobra.Command {
	f := &app.MeasureFlags{}
	var without []string
	cmd := &cobra.Command{
		Use:   "ablate [PACKAGE] [flags] [-- ARGS...]",
		Short: "Measure what each feature of a program costs, by switching it off",
		Long: `ablate measures the program as it is and, for each feature, the program without that feature, in
turns. The cost of a feature is what goes away without it: CPU time per request, the collector's
share of it, bytes allocated, latency.

You name a feature by what switches it off: a variable of the environment, an argument or a build
tag, in hone.yaml under features or by --without. Without PACKAGE the program is the
subject of hone.yaml; --plan names the load.

Answers may differ without a feature; the report says so.`,
		Example: `  hone ablate
  hone ablate --plan peak
  hone ablate ./cmd/server --without compression=env:COMPRESSION=off --without logging=arg:-quiet \
      --target http://127.0.0.1:{port}/ -c 50 -- -addr 127.0.0.1:{port}`,
		RunE: func(cmd *cobra.Command, args []string) error { return a.ablate(f, without, cmd, args) },
	}
	f.Add(cmd, spec.ForAblate)
	cmd.Flags().StringArrayVar(&without, "without", nil,
		"`FEATURE` to switch off: NAME=env:KEY=VALUE, NAME=arg:WORD or NAME=tag:TAG (repeatable;\n"+
			"the same NAME again adds to that feature)")
	return cmd
}

func (a *commands) ablate(f *app.MeasureFlags, without []string, cmd *cobra.Command, args []string) error {
	given, err := tune.ParseFeatures(without)
	if err != nil {
		return err
	}
	use, err := a.ReadWords(f, cmd, args, 1, 1)
	if err != nil {
		return err
	}
	features, err := featuresOf(use.File, given)
	if err != nil {
		return err
	}
	var found *tuning.Ablation
	err = a.InLab(f, "", func(l *lab.Lab) (err error) {
		found, err = tune.Trial{Lab: l, Task: f.Task}.Ablate(a.Ctx, features)
		return err
	}, nil)
	if found == nil {
		return err
	}
	return cmp.Or(err, a.Print(f.JSON, found, func(w io.Writer) error { return report.Ablation(w, found) }))
}

// featuresOf are the features of hone.yaml, if it is in use, and those of the command line, which
// take the place of one of the same name.
func featuresOf(file *config.File, given []tuning.Setting) ([]tuning.Setting, error) {
	var all []tuning.Setting
	if file != nil {
		for _, name := range file.FeatureNames() {
			if slices.ContainsFunc(given, func(s tuning.Setting) bool { return s.Name == name }) {
				continue
			}
			env, args, tags := file.Features[name].Off()
			all = append(all, tuning.Setting{Name: name, Env: env, Args: args, Tags: tags})
		}
	}
	all = append(all, given...)
	if most := record.MostVariants - 1; len(all) > most {
		return nil, fail.New(fail.BadInput, "%d features, want up to %d", len(all), most)
	}
	if len(all) > 0 {
		return all, nil
	}
	where := "the command line names the package, so that " + config.Name + " is not read"
	if file != nil {
		where = file.Shown + " has no features"
	}
	return nil, fail.New(fail.BadInput, "no feature to switch off: %s", where).
		WithHint("%s", strings.Join([]string{
			"name one with --without compression=env:COMPRESSION=off",
			fmt.Sprintf("or in %s, features: {compression: {env: COMPRESSION=off}}, and leave out the package",
				config.Name),
		}, ", "))
}
