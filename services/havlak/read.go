package havlak

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// ReadGraph reads a graph as text: a line "nodes N", then a line "FROM TO" for each edge.
// Empty lines and lines that begin with # are left out. A fault is returned with its line.
func ReadGraph(r io.Reader) (Graph, error) {
	var g Graph
	lines := bufio.NewScanner(r)
	for at := 1; lines.Scan(); at++ {
		fields := strings.Fields(lines.Text())
		if len(fields) == 0 || fields[0][0] == '#' {
			continue
		}
		if err := g.readLine(fields); err != nil {
			return Graph{}, fmt.Errorf("line %d: %w", at, err)
		}
	}
	if err := lines.Err(); err != nil {
		return Graph{}, err
	}
	if g.Nodes == 0 {
		return Graph{}, errors.New(`graph has no line "nodes N"`)
	}
	return g, nil
}

func (g *Graph) readLine(fields []string) error {
	if len(fields) != 2 {
		return fmt.Errorf("%d words, want two", len(fields))
	}
	if g.Nodes == 0 {
		n, err := strconv.Atoi(fields[1])
		if fields[0] != "nodes" || err != nil || n < 1 || n > MaxNodes {
			return fmt.Errorf("%.40q, want \"nodes N\" with N from 1 to %d", strings.Join(fields, " "), MaxNodes)
		}
		g.Nodes = n
		return nil
	}
	if len(g.Edges) == MaxEdges {
		return fmt.Errorf("more than %d edges", MaxEdges)
	}
	var ends [2]int32
	for i, field := range fields {
		n, err := strconv.ParseInt(field, 10, 32)
		if err != nil || !g.has(int32(n)) {
			return fmt.Errorf("%.40q is no node, want 0 to %d", field, g.Nodes-1)
		}
		ends[i] = int32(n)
	}
	g.Edges = append(g.Edges, Edge{ends[0], ends[1]})
	return nil
}

// WriteTo writes g as ReadGraph reads it.
func (g Graph) WriteTo(w io.Writer) (int64, error) {
	text := fmt.Appendf(nil, "nodes %d\n", g.Nodes)
	for _, e := range g.Edges {
		text = strconv.AppendInt(text, int64(e.From), 10)
		text = append(text, ' ')
		text = strconv.AppendInt(text, int64(e.To), 10)
		text = append(text, '\n')
	}
	n, err := w.Write(text)
	return int64(n), err
}
