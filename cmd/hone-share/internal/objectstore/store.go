package objectstore

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"io/fs"
	"net/url"
	"strings"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/inputs"
	"github.com/gohone/hone/internal/text/redact"
)

const (
	// MaxSize is the most bytes that one upload may hold (Amazon S3 User Guide, "Uploading objects").
	MaxSize = 5 << 30
	// tries is how often a request is sent that finds the store busy or not there: 3 times in two seconds.
	tries = 3
	// mediaType is what the store is told about objects.
	mediaType = "application/gzip"
)

// The names of what is stored beside an object, behind x-amz-meta-.
const (
	sumKey     = "Hone-Sha256"
	contentKey = "Hone-Content"
)

// Object is an object below the location of a store.
type Object struct {
	// Name is what follows the prefix. It is the store's: check it before use.
	Name string
	Size int64 // bytes
	// SHA256 is that of its bytes and Content a name for what they say, both as Put was given them; "" if
	// hone did not put it there. List leaves them out.
	SHA256, Content string
}

// Store is one location of a store. Its methods may be called from several goroutines. Their errors are *fail.Error:
// fail.BadInput if the location, the credentials or the options are to blame, fail.Environment if the store cannot be
// reached or is broken, fail.Storage if it or a disk is full, and fail.Interrupted after the end of the context.
type Store struct {
	Location
	client *minio.Core
	from   *url.URL
	line   *bounded
	hide   func(string) string
}

// Open prepares a store. It reads the credentials and sends nothing yet.
func Open(at Location, o Options) (*Store, error) {
	o = o.filled()
	u, err := o.endpoint()
	if err != nil {
		return nil, err
	}
	value, err := readCredentials()
	if err != nil {
		return nil, err
	}
	line, err := newTransport(u.Scheme == "https")
	if err != nil {
		return nil, err
	}
	client, err := minio.NewCore(u.Host, &minio.Options{
		Creds:     credentials.NewStaticV4(value.AccessKeyID, value.SecretAccessKey, value.SessionToken),
		Secure:    u.Scheme == "https",
		Transport: line, Region: o.Region, MaxRetries: tries,
	})
	if err != nil {
		return nil, badEndpoint(o.Endpoint, err.Error())
	}
	return &Store{Location: at, client: client, from: u, line: line, hide: hidden(value, redact.Mark)}, nil
}

// Close ends the connections.
func (s *Store) Close() { s.line.CloseIdleConnections() }

// List returns the objects whose names have no slash behind the prefix, without their metadata.
func (s *Store) List(ctx context.Context) ([]Object, error) {
	ctx, end := context.WithCancel(ctx) // ends the goroutine behind the channel
	defer end()
	pages := &pageCount{}
	ctx = context.WithValue(ctx, pageCount{}, pages)
	var all []Object
	names := int64(0)
	for info := range s.client.Client.ListObjects(ctx, s.Bucket, minio.ListObjectsOptions{Prefix: s.Prefix}) {
		if info.Err != nil { // the goroutine behind the channel has ended: pages is ours
			if pages.refused != nil {
				return nil, fail.New(fail.BadInput, "list: %w", pages.refused)
			}
			return nil, s.fault(ctx, "list "+s.String(), info.Err)
		}
		names++
		// also of names that are not taken: they might have no end
		if err := inputs.ListedObjects.Over(s.String(), names); err != nil {
			return nil, fail.New(fail.BadInput, "list: %w", err)
		}
		name, below := strings.CutPrefix(info.Key, s.Prefix)
		if !below || name == "" || strings.Contains(name, "/") {
			continue
		}
		all = append(all, Object{Name: name, Size: info.Size})
	}
	return all, s.fault(ctx, "list "+s.String(), ctx.Err())
}

// Stat asks for one object; false if there is none.
func (s *Store) Stat(ctx context.Context, name string) (Object, bool, error) {
	info, err := s.client.StatObject(ctx, s.Bucket, s.Prefix+name, minio.StatObjectOptions{})
	if minio.ToErrorResponse(err).Code == minio.NoSuchKey {
		return Object{}, false, nil
	}
	return objectOf(name, info), err == nil, s.fault(ctx, "look for "+s.Of(name), err)
}

// Put stores what a file or a reader in memory has, from its beginning, under a name. The store has it whole or
// not at all: it is one request with a checksum. A previous object of that name is replaced.
func (s *Store) Put(ctx context.Context, o Object, file io.ReadSeeker) error {
	if o.Size > MaxSize {
		return fail.New(fail.BadInput, "put %s: it has %d bytes, and one upload takes at most %d", s.Of(o.Name), o.Size,
			int64(MaxSize)).
			WithHint("export it to a file: hone export")
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return fail.New(fail.Storage, "read archive: %w", err)
	}
	_, err := s.client.Client.PutObject(ctx, s.Bucket, s.Prefix+o.Name, file, o.Size, minio.PutObjectOptions{
		ContentType: mediaType, DisableMultipart: true, SendContentMd5: true,
		UserMetadata: map[string]string{sumKey: o.SHA256, contentKey: o.Content},
	})
	return s.fault(ctx, "put "+s.Of(o.Name), err)
}

// Get writes an object to w and returns it as Put was given it. listed is its size as List has it; -1: any. More bytes
// than that are not taken. Bytes that are not those that were put are fail.BadInput and ErrDamaged: what w has of them
// is not to be trusted. The error wraps fs.ErrNotExist where there is no such object.
func (s *Store) Get(ctx context.Context, name string, listed int64, w io.Writer) (Object, error) {
	body, info, _, err := s.client.GetObject(ctx, s.Bucket, s.Prefix+name, minio.GetObjectOptions{})
	if minio.ToErrorResponse(err).Code == minio.NoSuchKey {
		return Object{}, fail.New(fail.BadInput, "%w: %w", s.fault(ctx, "get "+s.Of(name), err), fs.ErrNotExist)
	}
	if err != nil {
		return Object{}, s.fault(ctx, "get "+s.Of(name), err)
	}
	defer body.Close()
	o := objectOf(name, info)
	if o.Size > MaxSize {
		return o, s.damaged(o, "it has %d bytes, and hone puts at most %d", o.Size, int64(MaxSize))
	}
	if listed >= 0 && o.Size > listed {
		return o, s.damaged(o, "it has %d bytes, and the list says %d", o.Size, listed)
	}
	most := inputs.Object.Most
	if listed >= 0 {
		most = listed
	}
	h, to := sha256.New(), &target{w: w}
	n, err := io.Copy(io.MultiWriter(h, to), io.LimitReader(body, most+1))
	switch sum := hex.EncodeToString(h.Sum(nil)); {
	case to.err != nil:
		return o, fail.New(fail.Storage, "get %s: %w", s.Of(name), to.err).
			WithHint("free some space there, or point TMPDIR at another directory")
	case err != nil:
		return o, s.fault(ctx, "get "+s.Of(name), err)
	case n > most:
		return o, s.damaged(o, "it has more than %d bytes, which is what the list says", most)
	case o.SHA256 == "":
		return o, s.damaged(o, "its metadata has no SHA-256")
	case sum != o.SHA256:
		return o, s.damaged(o, "the SHA-256 of its %d bytes is %s, its metadata says %.64s", n, sum, o.SHA256)
	}
	return o, nil
}

// objectOf leaves out what hone would not have written.
func objectOf(name string, info minio.ObjectInfo) Object {
	o := Object{Name: name, Size: info.Size}
	for key, value := range info.UserMetadata {
		if raw, err := hex.DecodeString(value); err != nil || len(raw) != sha256.Size {
			continue
		}
		switch {
		case strings.EqualFold(key, sumKey):
			o.SHA256 = value
		case strings.EqualFold(key, contentKey):
			o.Content = value
		}
	}
	return o
}

// target remembers that the fault is one of writing, not of reading.
type target struct {
	w   io.Writer
	err error
}

func (t *target) Write(p []byte) (int, error) {
	n, err := t.w.Write(p)
	if err != nil {
		t.err = err
	}
	return n, err
}
