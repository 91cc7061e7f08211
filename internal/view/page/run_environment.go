package page

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/shellwords"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/view/model"
)

// environmentOf is what a later reader has to know of where a run was built and taken. Rows of what is not known are
// left out.
func environmentOf(h record.Head, origin *ledger.Origin) []model.Row {
	rows := []model.Row{}
	row := func(name, text string) {
		if text != "" {
			rows = append(rows, model.Row{Name: name, Text: text})
		}
	}
	b, e := h.Binary, h.Environment
	v := b.Variant
	row("package", b.Package)
	row("module", b.Module)
	row("commit", commitOf(h))
	row("toolchain", b.GoVersion)
	row("build ID", b.BuildID)
	row("build flags", strings.Join(v.BuildFlags, " "))
	if b.Package != "" {
		row("probe", yesNo(b.Probed))
	}
	row("arguments", shellwords.Join(slices.Concat(v.Args, h.Args)))
	row("environment variables", strings.Join(slices.Concat(v.Env, v.RunEnv), " "))
	row("ran in", model.Directory(h))
	if origin != nil {
		row("measured on", origin.Host)
	}
	if e.CPUs > 0 {
		model := units.Plural(e.CPUs, "CPU")
		if e.CPUModel != "" {
			model += ", " + e.CPUModel
		}
		row("machine", model)
	}
	row("system", strings.Trim(e.OS+"/"+e.Arch, "/"))
	row("kernel", e.Kernel)
	row("CPUs of the program", cpuList(e.SubjectCPUs))
	row("CPUs of the load generator", cpuList(e.GeneratorCPUs))
	if e.OS != "" {
		row("load average before", fmt.Sprintf("%.2f", e.LoadAverage))
		row("host steal", fmt.Sprintf("%.1f %%", 100*e.StealShare))
	}
	row("hone", e.Hone)
	return rows
}

func yesNo(v bool) string {
	if v {
		return "in the program"
	}
	return "none"
}

func cpuList(cpus []int) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(cpus), " ", ", "), "[]")
}

// commitOf is the commit of a run's source, with what was changed on top.
func commitOf(h record.Head) string { return model.Commit(h) }
