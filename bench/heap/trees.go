// trees DEPTH - the twin of trees.cyc.
package main

import (
	"fmt"
	"os"
	"strconv"
)

type node struct{ left, right *node }

func build(depth int) *node {
	if depth == 0 {
		return &node{}
	}
	return &node{build(depth - 1), build(depth - 1)}
}

func check(n *node) int {
	if n == nil {
		return 0
	}
	return 1 + check(n.left) + check(n.right)
}

func main() {
	most := 10
	if len(os.Args) > 1 {
		most, _ = strconv.Atoi(os.Args[1])
	}
	fmt.Printf("stretch: %d\n", check(build(most+1)))
	stays := build(most)
	for depth := 4; depth <= most; depth += 4 {
		rounds, sum := 1<<(most-depth+4), 0
		for i := 0; i < rounds; i++ {
			sum += check(build(depth))
		}
		fmt.Printf("%d trees of depth %d: %d\n", rounds, depth, sum)
	}
	fmt.Printf("stays: %d\n", check(stays))
}
