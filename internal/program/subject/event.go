package subject

// event is something that happens once, and what is known from then on.
type event[T any] struct {
	happened chan struct{}
	what     T
}

func newEvent[T any]() *event[T] { return &event[T]{happened: make(chan struct{})} }

// set says that it has happened. It must be called once.
func (e *event[T]) set(what T) {
	e.what = what
	close(e.happened)
}

// known returns what is known; false, and a zero value, before it has happened.
func (e *event[T]) known() (what T, happened bool) {
	if !closed(e.happened) {
		return what, false
	}
	return e.what, true
}
