// gcbench DEPTH - the twin of gcbench.cyc.
package main

import (
	"fmt"
	"os"
	"strconv"
)

type tree struct {
	left, right *tree
	depth, tag  int32
}

func bottomUp(depth int) *tree {
	if depth == 0 {
		return &tree{}
	}
	return &tree{left: bottomUp(depth - 1), right: bottomUp(depth - 1), depth: int32(depth)}
}

func topDown(t *tree, depth int) {
	t.depth = int32(depth)
	if depth == 0 {
		return
	}
	t.left, t.right = &tree{}, &tree{}
	topDown(t.left, depth-1)
	topDown(t.right, depth-1)
}

func count(t *tree) int {
	if t == nil {
		return 0
	}
	return 1 + count(t.left) + count(t.right)
}

func main() {
	most := 12
	if len(os.Args) > 1 {
		most, _ = strconv.Atoi(os.Args[1])
	}
	longLived := bottomUp(most)
	array := make([]float64, 1<<most)
	for i := range array {
		array[i] = 1.0 / float64(i+1)
	}
	for depth := 4; depth <= most; depth += 2 {
		trees, total := 1<<(most-depth+4), 0
		for i := 0; i < trees; i++ {
			t := &tree{}
			topDown(t, depth)
			total += count(t) + count(bottomUp(depth))
		}
		fmt.Printf("depth %d: %d trees, %d nodes\n", depth, 2*trees, total)
	}
	fmt.Printf("long-lived: %d nodes, array %.6f\n", count(longLived), array[1000])
}
