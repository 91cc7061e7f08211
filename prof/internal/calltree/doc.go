// Package calltree merges stacks into a tree, the heaviest frames first, in as much room as there is.
package calltree
