// Package objectstore lists, puts and gets objects of an S3-compatible store: Amazon S3,
// MinIO, Ceph, Garage and others.
//
// A store is not trusted. Its lists and errors are bounded, and no name that it gives
// becomes a path. A connection that stays silent for a minute is given up. Plain http is
// for this machine only, unless the user asks for it. Credentials come from the environment
// and the files that Amazon's own tools use; no error shows them.
package objectstore

import (
	"strings"

	"github.com/minio/minio-go/v7/pkg/s3utils"

	"github.com/gohone/hone/internal/text/fail"
)

const scheme = "s3://"

// Location is a place for objects: s3://BUCKET/PREFIX.
type Location struct {
	Bucket string
	// Prefix stands before the names of the objects. It is empty or ends with a slash.
	Prefix string
}

// IsLocation says whether a word is meant as a Location.
func IsLocation(word string) bool { return strings.HasPrefix(word, scheme) }

// ParseLocation reads s3://BUCKET or s3://BUCKET/PREFIX. All else is fail.BadInput.
func ParseLocation(text string) (Location, error) {
	rest, found := strings.CutPrefix(text, scheme)
	if !found {
		return Location{}, badLocation(text, "it does not begin with "+scheme)
	}
	bucket, prefix, _ := strings.Cut(rest, "/")
	if strings.ContainsAny(rest, "?#@") {
		return Location{}, badLocation(text, "it has a character that a place for runs cannot have: ? # or @")
	}
	if err := s3utils.CheckValidBucketNameStrict(bucket); err != nil {
		return Location{}, badLocation(text, err.Error())
	}
	prefix = strings.Trim(prefix, "/")
	for _, part := range strings.Split(prefix, "/") {
		if part == "." || part == ".." || part == "" && prefix != "" {
			return Location{}, badLocation(text, "its prefix has an empty part, . or ..")
		}
	}
	if len(prefix) > maxPrefix {
		return Location{}, badLocation(text, "its prefix has over 400 bytes")
	}
	if strings.ContainsFunc(prefix, func(r rune) bool { return r < ' ' || r == 0x7f || r == 0xfffd }) {
		return Location{}, badLocation(text, "its prefix has control characters")
	}
	if prefix != "" {
		prefix += "/"
	}
	return Location{bucket, prefix}, nil
}

// maxPrefix leaves room for the object's own name: a whole one has at most 1,024 bytes (Amazon
// S3 User Guide, "Object key naming guidelines").
const maxPrefix = 400

func badLocation(text, why string) error {
	return fail.New(fail.BadInput, "place %.200q: %s", text,
		why).WithHint("write it as s3://BUCKET or s3://BUCKET/PREFIX")
}

// String is the location as ParseLocation reads it.
func (l Location) String() string { return l.Of("") }

// Of names an object there, for messages.
func (l Location) Of(name string) string { return scheme + l.Bucket + "/" + l.Prefix + name }
