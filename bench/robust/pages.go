package robust

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

var pages = &kind{
	Name: "pages",
	Does: "A ledger of several runs, closed well or left by a killed hone, is copied, and its database or its log is damaged at a random place. " +
		"Then hone history, hone ledger verify, hone profile import, and, if any of them speaks of damage, hone ledger salvage and all of them again.",
	Fails: "a panic or a hang; an exit code other than 0 or 5; a write into a file that verify calls damaged; a finished run that salvage loses or changes; " +
		"a changed run that verify does not see; no copy of the damaged file. Hit are the trials in which hone saw the damage.",
	Default: 1000,
	Run:     page,
}

// damagedCode is what commands end with where the ledger is damaged (storage).
const damagedCode = 5

// template is a sound ledger, to copy and damage.
type template struct {
	name, dir string
	holds     contents
}

// page is one trial.
func page(ctx context.Context, r *rig, t trial) (outcome, error) {
	templates, err := r.ensureTemplates(ctx)
	if err != nil {
		return outcome{}, err
	}
	from := templates[t.Random.IntN(len(templates))]
	dir, err := os.MkdirTemp(r.dir, "pages-")
	if err != nil {
		return outcome{}, fmt.Errorf("copy ledger: %w", err)
	}
	defer os.RemoveAll(dir)
	if err := os.CopyFS(dir, os.DirFS(from.dir)); err != nil {
		return outcome{}, fmt.Errorf("copy ledger: %w", err)
	}
	file := "ledger.db"
	if info, err := os.Stat(filepath.Join(dir, "ledger.db-wal")); err == nil && info.Size() > 0 && t.Random.IntN(2) == 0 {
		file = "ledger.db-wal"
	}
	d := damages[t.Number%len(damages)]
	place, err := d.strike(filepath.Join(dir, file), t.Random)
	if err != nil {
		return outcome{}, err
	}
	o := outcome{What: d.name, Point: fmt.Sprintf("%s of a ledger %s, %s", file, from.name, place)}
	x := examination{rig: r, dir: dir, struck: file, profile: r.project.profile, o: &o}
	x.examine(ctx, from.holds)
	return o, errors.Join(x.err, ctx.Err())
}

// examination is hone at work on one damaged ledger.
type examination struct {
	rig     *rig
	dir     string
	struck  string // the file that was damaged
	profile string
	o       *outcome
	err     error // why it could not be carried out
}

// damagedFiles are those that nothing may write into once they are damaged.
var damagedFiles = []string{"ledger.db", "ledger.db-wal"}

// examine carries out the commands and judges them.
func (x *examination) examine(ctx context.Context, holds contents) {
	struck := x.sums()
	damaged, err := os.ReadFile(filepath.Join(x.dir, x.struck))
	if err != nil {
		x.err = err
		return
	}
	history := x.hone(ctx, "history", "--json")
	verify := x.hone(ctx, "ledger", "verify")
	if x.sums() != struck {
		x.o.failf("a command that only reads wrote into the damaged files")
	}
	written := x.hone(ctx, "profile", "import", x.profile)
	if written.code == damagedCode && x.sums() != struck {
		x.o.failf("%s refused the ledger, and wrote into the damaged files", written.name())
	}
	if written.code == 0 && verify.code == damagedCode {
		x.o.failf("%s wrote into a ledger that verify calls damaged", written.name())
	}
	x.o.Hit = slices.Contains([]int{history.code, verify.code, written.code}, damagedCode)
	if x.o.Hit {
		x.salvage(ctx, holds, hashed(damaged))
	} else {
		x.judgeRuns(ctx, holds, "hone saw no damage, and ")
	}
}

// salvage makes a sound ledger of a damaged one and judges it. damaged is the SHA-256 of the
// damaged file.
func (x *examination) salvage(ctx context.Context, holds contents, damaged string) {
	if d := x.hone(ctx, "ledger", "salvage"); d.code != 0 {
		x.o.failf("hone ledger salvage ended with code %d: %s", d.code, lastLine(d.stderr))
		return
	}
	x.judgeRuns(ctx, holds, "after salvage ")
	for _, args := range [][]string{{"ledger", "verify"}, {"profile", "import", x.profile}, {"history"}} {
		if d := x.hone(ctx, args...); d.code != 0 {
			x.o.failf("after salvage %s ended with code %d: %s", d.name(), d.code, lastLine(d.stderr))
		}
	}
	files, err := hashFiles(x.dir)
	if err != nil {
		x.err = err
		return
	}
	if !slices.Contains(slices.Collect(maps.Values(files)), damaged) {
		x.o.failf("the damaged file is not kept")
	}
}

// judgeRuns holds the runs in the ledger against those of the sound one.
func (x *examination) judgeRuns(ctx context.Context, holds contents, when string) {
	is, err := x.rig.read(ctx, x.dir)
	if err != nil {
		x.o.failf("%s%v", when, err)
		return
	}
	judgeKept(x.o, holds, is, when)
}

// judgeKept wants every run of a sound ledger that had ended. One that was under way has
// nothing but its row.
func judgeKept(o *outcome, holds, is contents, when string) {
	for _, id := range slices.Sorted(maps.Keys(holds.Runs)) {
		was := holds.Runs[id]
		now, there := is.Runs[id]
		switch {
		case was.Status == crashed:
		case !there:
			o.failf("%srun %s is lost", when, id)
		case now != was:
			o.failf("%srun %s is not what it was", when, id)
		}
	}
}

// hone runs a command on the ledger and judges what every command must keep to.
func (x *examination) hone(ctx context.Context, args ...string) ran {
	d := x.rig.run(ctx, command{args: append(args, "--ledger", x.dir)})
	x.o.failIf("", d.sound(0, damagedCode))
	return d
}

// sums are the SHA-256 of the files that may be damaged, in one text.
func (x *examination) sums() string {
	text := ""
	for _, name := range damagedFiles {
		data, err := os.ReadFile(filepath.Join(x.dir, name))
		text += fmt.Sprintln(hashed(data), err) // one that is not there differs from an empty one
	}
	return text
}
