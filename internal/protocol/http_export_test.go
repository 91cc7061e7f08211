package protocol

import "io"

// ReadFeedWithin is ReadFeed with other bounds, so that they can be reached quickly.
func ReadFeedWithin(bytes, rows, values int, name string, r io.Reader) (*Feed, error) {
	return readFeed(name, r, feedBounds{bytes: bytes, rows: rows, values: values})
}
