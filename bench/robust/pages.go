package robust

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

var pages = &kind{
	Name: "pages",
	Does: "A ledger of several runs, closed well or left by a killed hone, is copied, and one of its files is damaged at a random place. " +
		"Then hone history, hone ledger verify, hone pull, and, if any of them speaks of damage, hone ledger repair and all of them again.",
	Fails: "a panic or a hang; an exit code other than 0 or 5; a write into the damaged file; a finished run that is lost or changed, but for those that verify names; " +
		"damage after repair; no copy of the damaged file. Hit are the trials in which hone saw the damage.",
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
	file, err := aFile(dir, t.Random)
	if err != nil {
		return outcome{}, err
	}
	d, o := damages[t.Number%len(damages)], outcome{}
	x := examination{rig: r, dir: dir, struck: file, profile: r.project.profile, o: &o}
	x.whole = x.sum()
	place, err := d.strike(filepath.Join(dir, file), t.Random)
	if err != nil {
		return outcome{}, err
	}
	o.What, o.Point = d.name, fmt.Sprintf("%s of a ledger %s, %s", file, from.name, place)
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
	whole   string // the SHA-256 of that file before
	named   string // what verify said
	err     error  // why it could not be carried out
}

// aFile chooses a file of a ledger: a record, slices, an artefact, baselines, the index.
func aFile(dir string, random *rand.Rand) (string, error) {
	var names []string
	for _, pattern := range []string{"records/*", "blobs/*/*", "baselines", "index"} {
		found, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			return "", err
		}
		for _, path := range found {
			if info, err := os.Stat(path); err == nil && info.Size() > 0 {
				names = append(names, strings.TrimPrefix(path, dir+"/"))
			}
		}
	}
	if len(names) == 0 {
		return "", fmt.Errorf("%s has no files to damage", dir)
	}
	return names[random.IntN(len(names))], nil
}

// examine carries out the commands and judges them.
func (x *examination) examine(ctx context.Context, holds contents) {
	damaged := x.sum()
	history := x.hone(ctx, "history", "--json")
	verify := x.hone(ctx, "ledger", "verify")
	if x.sum() != damaged {
		x.o.failf("a command that only reads wrote into the damaged file")
	}
	written := x.hone(ctx, "profile", "import", x.profile)
	x.o.Hit = slices.Contains([]int{history.code, verify.code, written.code}, damagedCode)
	x.named = string(verify.stdout)
	now := x.sum()
	if now != damaged && now != x.whole && verify.code == damagedCode { // the index is made again
		x.o.failf("%s wrote into the damaged file", written.name())
	}
	switch {
	case x.o.Hit && now == x.whole: // the imported profile is that file
		x.named = ""
		x.judgeRuns(ctx, holds, "with the same file stored again ")
	case x.o.Hit:
		x.repair(ctx, holds, damaged)
	default:
		x.judgeRuns(ctx, holds, "hone saw no damage, and ")
	}
}

// repair makes a sound ledger of a damaged one and judges it. damaged is the SHA-256 of the
// damaged file.
func (x *examination) repair(ctx context.Context, holds contents, damaged string) {
	if d := x.hone(ctx, "ledger", "repair"); d.code != 0 {
		x.o.failf("hone ledger repair ended with code %d: %s", d.code, lastLine(d.stderr))
		return
	}
	x.judgeRuns(ctx, holds, "after repair ")
	for _, args := range [][]string{{"ledger", "verify"}, {"profile", "import", x.profile}, {"history"}} {
		if d := x.hone(ctx, args...); d.code != 0 {
			x.o.failf("after repair %s ended with code %d: %s", d.name(), d.code, lastLine(d.stderr))
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
	judgeKept(x.o, holds, is, when, x.named)
}

// judgeKept wants every run of a sound ledger that had ended, but for those that are named as damaged. One that was
// under way has nothing but what it began with.
func judgeKept(o *outcome, holds, is contents, when, named string) {
	for _, id := range slices.Sorted(maps.Keys(holds.Runs)) {
		was := holds.Runs[id]
		now, there := is.Runs[id]
		switch {
		case was.Status == crashed || strings.Contains(named, id):
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

// sum is the SHA-256 of the damaged file.
func (x *examination) sum() string {
	data, err := os.ReadFile(filepath.Join(x.dir, x.struck))
	if err != nil {
		return err.Error()
	}
	return hashed(data)
}
