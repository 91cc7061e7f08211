package ledger

import (
	"database/sql"
	"fmt"
	"strings"
	"time"
)

// Slice is a short stretch of load of a run.
type Slice struct {
	// Index counts the run's slices from 0.
	Index int `json:"index"`
	// Block is the start of the process that it measured, Pair the pair that it is one half
	// of, or a part of one half; First says whether it ran before that of the other half.
	Block int  `json:"block"`
	Pair  int  `json:"pair"`
	First bool `json:"first"`
	// Start counts from the beginning of the run.
	Start    time.Duration `json:"start_ns"`
	Duration time.Duration `json:"duration_ns"`

	Scheduled  uint64 `json:"scheduled"`
	Sent       uint64 `json:"sent"`
	Answered   uint64 `json:"answered"`
	Failed     uint64 `json:"failed"`
	Unanswered uint64 `json:"unanswered"`

	// CPU is the subject's CPU time; Reads and Writes its read and write calls.
	CPU    time.Duration `json:"cpu_ns"`
	Reads  uint64        `json:"reads"`
	Writes uint64        `json:"writes"`
	// WorkerCPU is the generator's CPU time, WorkerWall the wall time it had.
	WorkerCPU  time.Duration `json:"worker_cpu_ns"`
	WorkerWall time.Duration `json:"worker_wall_ns"`
	// Stalled and Live count connections at the end.
	Stalled int `json:"stalled"`
	Live    int `json:"live"`
	// Build says which of the variant's builds, that differ in their layout only, ran.
	Build int `json:"build,omitempty"`
	// Conditions are what the machine did meanwhile.
	Conditions Conditions `json:"conditions,omitzero"`
	// Latency is an HDR histogram of nanoseconds in the V2 encoding; the ledger does
	// not look inside.
	Latency []byte `json:"latency,omitempty"`
}

// sliceBytes is about what a slice without its histogram takes in the database: 29
// numbers of at most 8 bytes, their header and the index.
const sliceBytes = 300

const sliceColumns = `idx, block, pair, first, start, duration, scheduled, sent, answered, failed,
	unanswered, cpu, reads, writes, worker_cpu, worker_wall, stalled, live, latency,
	build, ` + conditionColumns

func insertSlices(tx *sql.Tx, run string, all []Slice) error {
	insert, err := tx.Prepare(`INSERT INTO slices (run, ` + sliceColumns + `)
		VALUES (?` + strings.Repeat(", ?", strings.Count(sliceColumns, ",")+1) + `)`)
	if err != nil {
		return err
	}
	defer insert.Close()
	for i := range all {
		s := &all[i]
		columns := []any{run, s.Index, s.Block, s.Pair, s.First, int64(s.Start), int64(s.Duration),
			int64(s.Scheduled), int64(s.Sent), int64(s.Answered), int64(s.Failed), int64(s.Unanswered),
			int64(s.CPU), int64(s.Reads), int64(s.Writes), int64(s.WorkerCPU), int64(s.WorkerWall),
			s.Stalled, s.Live, s.Latency, s.Build}
		if _, err := insert.Exec(append(columns, s.Conditions.values()...)...); err != nil {
			return fmt.Errorf("slice %d: %w", s.Index, err)
		}
	}
	return nil
}

// Slices returns the slices of the run with this id or prefix, by index.
func (l *Ledger) Slices(run string) ([]Slice, error) {
	return named(l, run, KindRun, "slices of run", slicesOf)
}

func slicesOf(q querier, run string) ([]Slice, error) {
	rows, err := q.Query("SELECT "+sliceColumns+" FROM slices WHERE run = ? ORDER BY idx", run)
	return collect(rows, err, func(r *sql.Rows) (Slice, error) { return scanSlice(r, nil) })
}

// scanSlice reads sliceColumns, and the columns before and behind them.
func scanSlice(rows *sql.Rows, before []any, behind ...any) (s Slice, err error) {
	columns := append(before, &s.Index, &s.Block, &s.Pair, &s.First, &s.Start, &s.Duration,
		&s.Scheduled, &s.Sent, &s.Answered, &s.Failed, &s.Unanswered,
		&s.CPU, &s.Reads, &s.Writes, &s.WorkerCPU, &s.WorkerWall, &s.Stalled, &s.Live, &s.Latency, &s.Build)
	columns = append(append(columns, s.Conditions.targets()...), behind...)
	return s, rows.Scan(columns...)
}
