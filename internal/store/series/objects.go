package series

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gohone/hone/internal/store/bucket"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/inputs"
)

// Objects is a store in an object store. Each Append is one object, named by what is in it, and no object is changed or
// removed: so two writers cannot lose what the other wrote, and one that is killed has written all or nothing.
//
//	20261130T031500Z-ID-1.jsonl.gz     one point: when it was measured, and its ID
//	20261101T031500Z-HASH-32.jsonl.gz  several points: when the first was measured, a hash of their IDs, how many
//	reports/NAME                       the reports of points
//
// A writer that has read before adds copies of 32 points as one object, once that many have none: so two years of nights
// are read by 60 requests. A point that has a copy is not asked for. Two writers that make copies at once make the same
// ones, or both are read, and each point counts once.
type Objects struct {
	where string
	open  func(context.Context) (OpenPlace, error)

	mu sync.Mutex
	// single are the points that have an object each and no copy, as the last Read has found them, by name.
	single []encoded
}

var _ Store = (*Objects)(nil)

// OpenPlace is a place that its user closes.
type OpenPlace interface {
	bucket.Place
	Close() error
}

// OpenObjects returns the store at a place, s3://BUCKET/PREFIX, that open opens for each operation.
func OpenObjects(where string, open func(context.Context) (OpenPlace, error)) *Objects {
	return &Objects{where: where, open: open}
}

// String names the place.
func (o *Objects) String() string { return o.where }

const (
	// copied is how many points one copy has. Of n points about n/32 + 32 objects are read: the least for two or three
	// years of nights.
	copied = 32
	// mostStored bounds what is read of all objects with points, before it is unpacked.
	mostStored = 512 << 20
	// mostInObject is how many points an object has at most; their number has six digits.
	mostInObject = 999_999
	packedSuffix = suffix + ".gz"
)

// form is the form of the names that nameOf gives.
var form = regexp.MustCompile(`^[0-9]{8}T[0-9]{6}Z-([0-9a-f]{32})-([1-9][0-9]{0,5})\.jsonl\.gz$`)

// nameOf names an object by the points that are in it.
func nameOf(at time.Time, ids []string) string {
	id := ids[0]
	if len(ids) > 1 {
		sum := sha256.Sum256([]byte(strings.Join(ids, "")))
		id = hex.EncodeToString(sum[:])[:idDigits]
	}
	return fmt.Sprintf("%s-%s-%d%s", at.UTC().Format("20060102T150405Z"), id, len(ids), packedSuffix)
}

// namedBy is the inverse of nameOf: the ID of the point, or the hash, and how many points there are; false for the names
// of others.
func namedBy(name string) (id string, number int, ok bool) {
	m := form.FindStringSubmatch(name)
	if m == nil {
		return "", 0, false
	}
	number, err := strconv.Atoi(m[2])
	return m[1], number, err == nil
}

// with opens the place for one operation.
func (o *Objects) with(ctx context.Context, do func(bucket.Place) error) error {
	p, err := o.open(ctx)
	if err != nil {
		return err
	}
	return errors.Join(do(p), p.Close())
}

// Append writes reports first, so that no point names one that is not there. Points of more than 16 MiB are several
// objects.
func (o *Objects) Append(ctx context.Context, points []Point, reports map[string][]byte) error {
	chunks, err := encodeAll(points)
	if err == nil {
		err = checkReports(reports)
	}
	if err != nil || len(chunks) == 0 && len(reports) == 0 {
		return err
	}
	var all []encoded
	for _, c := range chunks {
		all = append(all, c.points...)
	}
	return o.with(ctx, func(p bucket.Place) error {
		for _, name := range slices.Sorted(maps.Keys(reports)) {
			if err := putReport(ctx, p, name, reports[name]); err != nil {
				return err
			}
		}
		if err := putAll(ctx, p, all); err != nil {
			return err
		}
		return o.copy(ctx, p)
	})
}

// putReport writes a report that is not there.
func putReport(ctx context.Context, p bucket.Place, name string, content []byte) error {
	there, err := getReport(ctx, p, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return p.Put(ctx, bucket.Object{Name: path.Join(reportsDir, name), Content: content})
	case err == nil && !bytes.Equal(there, content):
		err = errOtherReport(name)
	}
	return err
}

// putAll writes points as one object, or as several of 16 MiB.
func putAll(ctx context.Context, p bucket.Place, all []encoded) error {
	for len(all) > 0 {
		n, size := 0, 0
		for n < len(all) && n < mostInObject && (n == 0 || size+len(all[n].line) <= segmentBytes) {
			size += len(all[n].line)
			n++
		}
		if err := put(ctx, p, all[:n]); err != nil {
			return err
		}
		all = all[n:]
	}
	return nil
}

// put writes one object. Its name has the time of its first point.
func put(ctx context.Context, p bucket.Place, all []encoded) error {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	var ids []string
	for _, one := range all {
		ids = append(ids, one.id)
		if _, err := z.Write(one.line); err != nil {
			return err
		}
	}
	if err := z.Close(); err != nil {
		return err
	}
	return p.Put(ctx, bucket.Object{Name: nameOf(all[0].at, ids), Content: b.Bytes()})
}

// copy writes copies of the points that the last Read has found in an object each, 32 in one. They are the oldest ones,
// so that two writers make the same copies.
func (o *Objects) copy(ctx context.Context, p bucket.Place) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	for len(o.single) >= copied {
		all, size := o.single[:copied], 0
		for _, one := range all {
			size += len(one.line)
		}
		if size <= segmentBytes {
			if err := put(ctx, p, all); err != nil {
				return err
			}
		}
		o.single = o.single[copied:]
	}
	return nil
}

// Read gets the objects with several points, and then those with a point that has no copy.
func (o *Objects) Read(ctx context.Context) (content Content, err error) {
	err = o.with(ctx, func(p bucket.Place) error {
		from := objectFiles{}
		single, faults, err := from.get(ctx, p)
		if err != nil {
			return err
		}
		if content, err = readAll(ctx, from, true); err != nil {
			return err
		}
		content.Faults = append(content.Faults, faults...)
		// An object may have points that were measured before and after those of another.
		slices.SortStableFunc(content.Points, func(a, b Point) int { return a.At.Compare(b.At) })
		o.mu.Lock()
		defer o.mu.Unlock()
		o.single = single
		return nil
	})
	return content, err
}

// Report reads a report.
func (o *Objects) Report(ctx context.Context, name string) (content []byte, err error) {
	if err := checkReport(name); err != nil {
		return nil, err
	}
	err = o.with(ctx, func(p bucket.Place) error {
		content, err = getReport(ctx, p, name)
		return err
	})
	return content, err
}

func getReport(ctx context.Context, p bucket.Place, name string) (content []byte, err error) {
	there := false
	err = p.Get(ctx, []string{path.Join(reportsDir, name)}, inputs.SeriesReport.Most, func(got bucket.Object) error {
		if there, content = true, got.Content; got.Fault != "" {
			return fail.New(fail.Storage, "read report %s: %s", name, got.Fault)
		}
		return nil
	})
	if err == nil && !there {
		return nil, &fs.PathError{Op: "read", Path: name, Err: fs.ErrNotExist}
	}
	return content, err
}
