package rpc

import (
	"context"
	"fmt"
	"maps"
	"strconv"
	"time"
	"unicode/utf8"
)

// TimeoutKey is the key of the metadata that carries how long the caller still waits:
// microseconds as decimal digits. The context of the handler ends after that time,
// counted from when the server read the request. A call without it has no end of its own.
const TimeoutKey = "rpc-timeout"

// maxTimeout is the longest timeout that is carried, and the longest that is taken.
const maxTimeout = 365 * 24 * time.Hour

// appendTimeout appends d as the value of TimeoutKey. What is left of less than a
// microsecond counts as one: nothing would be no timeout at all on some servers.
func appendTimeout(dst []byte, d time.Duration) []byte {
	return strconv.AppendInt(dst, max(1, min(d, maxTimeout).Microseconds()), 10)
}

// parseTimeout is the inverse of appendTimeout.
func parseTimeout(value []byte) (time.Duration, error) {
	const most = int64(maxTimeout / time.Microsecond)
	micros := int64(0)
	for _, c := range value {
		if micros = 10*micros + int64(c-'0'); c < '0' || c > '9' || micros > most {
			return 0, badTimeout(value)
		}
	}
	if len(value) == 0 {
		return 0, badTimeout(value)
	}
	return time.Duration(micros) * time.Microsecond, nil
}

func badTimeout(value []byte) error {
	const shown = 32
	return Errorf(CodeBadRequest, "metadata %s is %q, want microseconds, 0 to %d",
		TimeoutKey, value[:min(len(value), shown)], maxTimeout.Microseconds())
}

// Keys of context values.
type (
	sentKey     struct{} // Metadata: what a client's call sends
	capturedKey struct{} // *Metadata: where a client's call puts what comes back
	incomingKey struct{} // *incoming: a server's call
)

// WithMetadata returns a context whose calls send m, instead of any m before. The
// caller must not change m while calls are under way. TimeoutKey is set by the client.
func WithMetadata(ctx context.Context, m Metadata) context.Context {
	return context.WithValue(ctx, sentKey{}, m)
}

// CaptureMetadata returns a context whose call stores the answer's metadata in into:
// nil if there is none. It is set for answers with an error code too.
func CaptureMetadata(ctx context.Context, into *Metadata) context.Context {
	return context.WithValue(ctx, capturedKey{}, into)
}

// incoming is a call's metadata as its handler sees and sets it. It belongs to the
// call's goroutine.
type incoming struct {
	request Metadata
	reply   Metadata
}

// MetadataFrom returns the metadata of the request that a handler's ctx belongs to; nil
// if there is none. It must not be changed.
func MetadataFrom(ctx context.Context) Metadata {
	if in, ok := ctx.Value(incomingKey{}).(*incoming); ok {
		return in.request
	}
	return nil
}

// SetReplyMetadata has the answer of the call that a handler's ctx belongs to carry m.
// It is to be called on the handler's goroutine before the handler returns. It fails
// outside of a handler, and for a key that is not UTF-8.
func SetReplyMetadata(ctx context.Context, m Metadata) error {
	in, ok := ctx.Value(incomingKey{}).(*incoming)
	if !ok {
		return fmt.Errorf("set reply metadata: not the context of a handler")
	}
	if err := checkKeys(m); err != nil {
		return fmt.Errorf("set reply metadata: %w", err)
	}
	in.reply = maps.Clone(m)
	return nil
}

func checkKeys(m Metadata) error {
	for key := range m {
		if !utf8.ValidString(key) {
			return fmt.Errorf("metadata key %q is not UTF-8", key)
		}
	}
	return nil
}

// sentMetadata is the metadata that a call with ctx sends; nil for most.
func sentMetadata(ctx context.Context) Metadata {
	m, _ := ctx.Value(sentKey{}).(Metadata)
	return m
}

// withTimeout is m with TimeoutKey set, in a map of its own.
func (m Metadata) withTimeout(d time.Duration) Metadata {
	all := make(Metadata, len(m)+1)
	maps.Copy(all, m)
	all[TimeoutKey] = appendTimeout(nil, d)
	return all
}
