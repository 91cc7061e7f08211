package honecli

import (
	"context"
	"fmt"
	"net"

	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/schemes"
	"github.com/gohone/hone/load"
)

// OpenEngine opens hone's load engine in this process.
func OpenEngine(ctx context.Context, url string, plan load.Plan) (*load.Session, error) {
	target, err := schemes.Parse(url, wire.Options{})
	if err != nil {
		return nil, err
	}
	return load.Open(ctx, plan, target, func(ctx context.Context) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, target.Network, target.Address)
	})
}

// RightSlice refuses a slice with anything but right answers.
func RightSlice(s load.Slice, err error) (load.Slice, error) {
	if err == nil && (s.Failed+s.Unanswered > 0 || s.Answered == 0) {
		err = fmt.Errorf("%d answered right, %d wrong, %d unanswered", s.Answered, s.Failed, s.Unanswered)
	}
	return s, err
}
