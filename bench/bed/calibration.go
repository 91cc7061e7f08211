package bed

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// Calibration is a case of many trials. It keeps the records of each trial at once, and goes on where its file of
// results ends.
type Calibration[R Record] struct {
	// Schema is that of the file: JSON lines, each a record. Each session begins with a line that names it.
	Schema string
	// Begin makes what trials need, such as programs, before the first of a session; nil where there is nothing to do.
	Begin func(context.Context) error
	// Todo are the trials that the records lack, in the order in which they are taken. It is asked again after them,
	// since a trial may follow from what others showed. A session takes none of a name that it took before.
	Todo func(context.Context, *Journal[R]) ([]Trial[R], error)
	// Write makes the result of all records.
	Write func(*Result, []R)
}

// Trial is one measurement. Its records are kept also if they come with an error.
type Trial[R Record] struct {
	Name string
	Take func(context.Context) ([]R, error)
}

// Each is a trial of each of some things.
func Each[T any, R Record](all []T, name func(T) string, take func(context.Context, T) ([]R, error)) (trials []Trial[R]) {
	for _, t := range all {
		trials = append(trials, Trial[R]{name(t), func(ctx context.Context) ([]R, error) { return take(ctx, t) }})
	}
	return trials
}

// One is a function that takes one record, for Each: what goes wrong leaves none.
func One[T any, R Record](take func(context.Context, T) (R, error)) func(context.Context, T) ([]R, error) {
	return func(ctx context.Context, t T) ([]R, error) {
		r, err := take(ctx, t)
		if err != nil {
			return nil, err
		}
		return []R{r}, nil
	}
}

// Run takes what the file of results lacks, until the time of -for is over or Ctrl-C, and makes the result of all that
// the file has. With -report it measures nothing, and where Case.State asks for the state it only counts.
func (c Calibration[R]) Run(ctx context.Context, b *Bed) (err error) {
	if b.state != nil {
		err = c.count(ctx, b)
	} else if !b.Report {
		err = Measure(ctx, b, c.Schema, func(j *Journal[R]) error { return c.fill(ctx, b, j) })
	}
	return errors.Join(err, Publish(b, c.Schema, c.Write))
}

// fill takes trials until there are none.
func (c Calibration[R]) fill(ctx context.Context, b *Bed, j *Journal[R]) error {
	end, taken := time.Now().Add(b.For), map[string]bool{}
	for {
		todo, err := c.Todo(ctx, j)
		todo = slices.DeleteFunc(todo, func(t Trial[R]) bool { return taken[t.Name] })
		if err != nil || len(todo) == 0 {
			return err
		}
		if c.Begin != nil && len(taken) == 0 {
			if err := c.Begin(ctx); err != nil {
				return err
			}
		}
		over, err := c.take(ctx, b, j, todo, end)
		if over || err != nil {
			return err
		}
		for _, t := range todo {
			taken[t.Name] = true
		}
	}
}

// patience is how many trials may fail one after the other before it gives up: one may be bad luck, three are a fault
// that will not go away by itself.
const patience = 3

// take carries out trials. What failed is said, and is an error at the end. over says that the time is.
func (c Calibration[R]) take(ctx context.Context, b *Bed, j *Journal[R], todo []Trial[R], end time.Time) (over bool,
	failed error) {
	inARow := 0
	for i, t := range todo {
		if b.For > 0 && time.Now().After(end) {
			return true, failed
		}
		records, err := t.Take(ctx)
		if ctx.Err() != nil {
			return true, failed
		}
		for _, r := range records {
			b.Progress("%d of %d, %s: %v", i+1, len(todo), t.Name, r)
			if err := j.Add(r); err != nil {
				return true, err
			}
		}
		if err == nil {
			inARow = 0
			continue
		}
		b.Progress("%d of %d, %s: FAILED: %v", i+1, len(todo), t.Name, err)
		if failed, inARow = errors.Join(failed, fmt.Errorf("%s: %w", t.Name, err)), inARow+1; inARow == patience {
			return true, fmt.Errorf("%d failed in a row: %w", patience, failed)
		}
	}
	return false, failed
}

// State is how far a calibration is.
type State struct {
	// Lacks is how many trials it lacks, Each what one takes: the mean time between the records of a session.
	Lacks int
	Each  time.Duration
	// Trials is how many records there are, Current how many of them are of hone as it is now.
	Trials, Current int
	// Result is that of the records so far; without tables and claims where there are none.
	Result *Result
}

// usually is what a trial takes of which nothing is known.
const usually = time.Minute

// count puts the state of the calibration into the bed.
func (c Calibration[R]) count(ctx context.Context, b *Bed) error {
	session, err := b.Session(ctx, c.Schema)
	if err != nil {
		return err
	}
	records, err := Read[R](b.Records, c.Schema)
	if err != nil {
		return err
	}
	current := b.current(ctx, session)
	todo, err := c.Todo(ctx, &Journal[R]{Records: records, Session: session, Current: current})
	*b.state = State{Lacks: len(todo), Each: usually, Result: b.Result}
	var took time.Duration
	var last Entry
	now := false
	for _, r := range records {
		e := r.Head()
		if e.Session != nil {
			now = current(e.Session)
		} else {
			took += e.At.Sub(last.At)
			if b.state.Trials++; now {
				b.state.Current++
			}
		}
		last = e
	}
	if n := b.state.Trials; n > 0 {
		b.state.Each = took / time.Duration(n)
	}
	return err
}

// Measure opens the journal of a case for a session that begins, has it filled, and closes it.
func Measure[R Record](ctx context.Context, b *Bed, schema string, fill func(*Journal[R]) error) error {
	session, err := b.Session(ctx, schema)
	if err != nil {
		return err
	}
	j, err := Open[R](b.Records, schema, b.Resume)
	if err != nil {
		return err
	}
	j.Session, j.Current = session, b.current(ctx, session)
	return errors.Join(fill(j), j.Close())
}

// Publish makes a result from a journal: the last session says where and how, a table has all of them.
func Publish[R Record](b *Bed, schema string, write func(*Result, []R)) error {
	records, err := Read[R](b.Records, schema)
	if err != nil {
		return err
	}
	if len(records) == 0 && b.state != nil {
		return nil
	}
	if len(records) == 0 {
		return fmt.Errorf("no results in %s: measure first", b.Records)
	}
	Origin(b.Result, records)
	write(b.Result, records)
	return nil
}
