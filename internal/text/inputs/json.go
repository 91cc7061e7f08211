package inputs

// JSON counts the values and the levels of a text of JSON before it is decoded: what it would be decoded into costs a
// multiple of its bytes. Each comma and each opening bracket counts as one value, so that the count is never too small.
// A text that is not JSON is left to the decoder.
func (m *Meter) JSON(text []byte) error {
	quoted := false
	for i := 0; i < len(text); i++ {
		var err error
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			if err = m.Enter(); err == nil {
				err = m.Spend(1)
			}
		case c == '}' || c == ']':
			m.Leave()
		case c == ',':
			err = m.Spend(1)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
