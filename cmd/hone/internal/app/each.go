package app

// Each makes one thing of each word, up to the first fault.
func Each[T any](words []string, of func(word string) (T, error)) ([]T, error) {
	var all []T
	for _, word := range words {
		one, err := of(word)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, nil
}
