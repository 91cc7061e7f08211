package conclusion

import (
	"fmt"

	"github.com/gohone/hone/internal/judge/answers"
	"github.com/gohone/hone/internal/store/record"
)

// packedCaveat: B's answers are A's when unpacked, but it packs them less.
func packedCaveat(a answers.Agreement) *record.Caveat {
	if a.WireChange < bytesShare {
		return nil
	}
	return &record.Caveat{Name: record.CaveatPacked, Text: "it packs its answers less",
		Detail: fmt.Sprintf("%.0f %% more bytes on the wire", 100*a.WireChange)}
}
