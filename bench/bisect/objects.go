package bisect

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/gohone/hone/bench/corpus"
)

// object is what a repository has by a name, as git cat-file takes it; the zero object if it has none.
type object struct {
	hash, kind string
	text       []byte
}

// objects reads objects by their names, in one process.
func objects(ctx context.Context, dir string, names []string) ([]object, error) {
	out, err := corpus.Git(ctx, dir, strings.Join(names, "\n")+"\n", "cat-file", "--batch")
	if err != nil {
		return nil, err
	}
	all := make([]object, len(names))
	for i, name := range names {
		line, rest, _ := bytes.Cut(out, []byte("\n"))
		out = rest
		if bytes.HasSuffix(line, []byte(" missing")) {
			continue
		}
		f := strings.Fields(string(line))
		size := -1
		if len(f) == 3 {
			size, err = strconv.Atoi(f[2])
		}
		if err != nil || size < 0 || size >= len(rest) {
			return nil, fmt.Errorf("read object %s: git cat-file prints %q", name, line)
		}
		all[i], out = object{f[0], f[1], rest[:size]}, rest[size+1:]
	}
	return all, nil
}

// hashes are those of objects by their names; empty for what is not there.
func hashes(ctx context.Context, dir string, names []string) ([]string, error) {
	out, err := corpus.Git(ctx, dir, strings.Join(names, "\n")+"\n", "cat-file", "--batch-check=%(objectname)")
	if err != nil {
		return nil, err
	}
	lines := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if len(lines) != len(names) {
		return nil, fmt.Errorf("git cat-file prints %d lines for %d names", len(lines), len(names))
	}
	for i, line := range lines {
		if strings.HasSuffix(line, " missing") {
			lines[i] = ""
		}
	}
	return lines, nil
}

// texts has each of some objects once, by its hash. The empty hash has none.
func texts(ctx context.Context, dir string, all []string) (map[string][]byte, error) {
	of := map[string][]byte{}
	var names []string
	for _, hash := range all {
		if _, has := of[hash]; !has && hash != "" {
			of[hash], names = nil, append(names, hash)
		}
	}
	if len(names) == 0 {
		return of, nil
	}
	found, err := objects(ctx, dir, names)
	if err != nil {
		return nil, err
	}
	for i, o := range found {
		of[names[i]] = o.text
	}
	return of, nil
}

// treeEntry is a file or a directory in a tree object.
type treeEntry struct{ name, hash string }

// entries reads a tree object: mode, name and the 20 bytes of a hash, again and again.
func entries(tree []byte) (all []treeEntry) {
	const hashBytes = 20
	for {
		head, rest, ok := bytes.Cut(tree, []byte{0})
		if !ok || len(rest) < hashBytes {
			return all
		}
		_, name, _ := bytes.Cut(head, []byte(" "))
		all = append(all, treeEntry{string(name), fmt.Sprintf("%x", rest[:hashBytes])})
		tree = rest[hashBytes:]
	}
}
