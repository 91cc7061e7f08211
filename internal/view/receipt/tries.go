package receipt

import (
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/tries"
	"github.com/gohone/hone/internal/view/stored"
)

// tries counts the comparisons of the ledger that compared the same programs to the end.
func (s *making) tries(l *ledger.Ledger, c *stored.Comparison, sides []Side) (t Tries, err error) {
	var letters []string
	for i := range sides {
		letters = append(letters, string(rune('A'+i)))
	}
	history, err := tries.Read(l, s.tree)
	if err != nil {
		return t, err
	}
	all := history.Of(c.Row.ID, letters...)
	return Tries{Place: tries.Place(all, c.Row.ID), Of: len(all)}, nil
}
