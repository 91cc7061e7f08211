package main

// letters counts the letters of a word.
type letters [26]uint8

func count(word string) (l letters, ok bool) {
	for i := range len(word) {
		if word[i] < 'a' || word[i] > 'z' {
			return l, false
		}
		l[word[i]-'a']++
	}
	return l, true
}

type dictionary struct {
	words  []string
	counts []letters
}

// newDictionary invents words of three syllables.
func newDictionary(n int) *dictionary {
	syllables := []string{"ba", "re", "to", "ni", "sa", "le", "mo", "ri", "ta", "ne", "so", "li", "ra", "te", "no", "si"}
	d := &dictionary{}
	for i := range n {
		w := syllables[i%16] + syllables[i/16%16] + syllables[(i/256+i)%16]
		c, _ := count(w)
		d.words = append(d.words, w)
		d.counts = append(d.counts, c)
	}
	return d
}

// anagrams compares the letters of each word of the dictionary.
func (d *dictionary) anagrams(word string) []string {
	list := []string{}
	want, ok := count(word)
	if !ok {
		return list
	}
	for i, c := range d.counts {
		if distance(c, want) == 0 && d.words[i] != word && len(list) < 20 {
			list = append(list, d.words[i])
		}
	}
	return list
}

func distance(a, b letters) (sum int) {
	for i := range a {
		sum += max(int(a[i])-int(b[i]), int(b[i])-int(a[i]))
	}
	return sum
}
