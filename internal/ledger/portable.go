package ledger

import "bytes"

// Record returns all that the ledger knows of a finished run or comparison, apart from
// the bytes of its artefacts.
func (l *Ledger) Record(ref Ref) (*Record, error) {
	r, err := recordOf(l.db, ref)
	return r, storage(l.dir, err, "read %v", ref)
}

// Status is that of the record's run or comparison.
func (r *Record) Status() Status {
	if r.Run != nil {
		return r.Run.Status
	}
	return r.Comparison.Status
}

// Origin says where the run or comparison was measured; nil for the ledger that has it.
func (r *Record) Origin() *Origin {
	if r.Run != nil {
		return r.Run.Origin
	}
	return r.Comparison.Origin
}

// At returns a copy of r at this place in the order of arrival and with this origin, for another ledger: without the mark.
func (r *Record) At(seq int64, o *Origin) *Record {
	moved := *r
	moved.Seq, moved.Mark = seq, ""
	if r.Run != nil {
		run := *r.Run
		run.Origin = o
		moved.Run = &run
	} else {
		c := *r.Comparison
		c.Origin = o
		moved.Comparison = &c
	}
	return &moved
}

// Pack returns the record as the content of a file, and the name of that file, which
// DecodeRecord wants.
func (r *Record) Pack() (name string, data []byte, err error) {
	text, sum, err := r.encode()
	if err != nil {
		return "", nil, err
	}
	data, err = pack(text)
	return RecordName(r.Ref().ID, sum), data, err
}

// sameMeasurement says whether both records are of one measurement: they may differ in
// what each ledger has of its own. An import that was killed may have stored some of a
// comparison's runs only.
func sameMeasurement(a, b *Record) (bool, error) {
	one, err := a.Content()
	if err != nil {
		return false, err
	}
	other, err := b.Content()
	return err == nil && bytes.Equal(one, other), err
}

// IsRecordName says whether name has the form of those that Pack gives.
func IsRecordName(name string) bool {
	_, _, ok := parseRecordName(name)
	return ok
}
