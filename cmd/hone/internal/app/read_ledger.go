package app

import "github.com/gohone/hone/internal/store/ledger"

// ReadLedger opens the ledger for a command that only shows what is in it. A damaged one
// is shown as far as it is whole; the command then ends with exit code 5.
func (a *App) ReadLedger(dir string) (*ledger.Ledger, error) {
	l, err := ledger.OpenReader(dir)
	a.read = l
	if err == nil {
		l.OnNewest(a.SayNewest)
	}
	return l, err
}

// WithDamage is the error of a command that ended with err and may have read a damaged
// ledger. A fault of its own is explained before: it may follow from the damage.
func (a *App) WithDamage(err error) error {
	if a.read == nil {
		return err
	}
	damage := a.read.Damage()
	if damage == nil {
		return err
	}
	if err != nil {
		a.Explain(err)
	}
	return damage
}
