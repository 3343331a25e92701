// strings THOUSANDS - the twin of strings.cyc.
package main

import (
	"fmt"
	"os"
	"strconv"
)

var words = []string{"eye", "wall", "cyclone", "rain band", "landfall"}

func main() {
	n := 10
	if len(os.Args) > 1 {
		n, _ = strconv.Atoi(os.Args[1])
	}
	var kept [1000]string
	x, sum := uint32(1), 0
	for i := 0; i < n*1000; i++ {
		x = x*1103515245 + 12345
		text := kept[(x>>8)%1000]
		if len(text) > 400 {
			text = words[(x>>12)%5]
		}
		for j := uint32(0); j < 4; j++ {
			text = text + words[((x>>10)+j)%5]
		}
		kept[(x>>20)%1000] = text
		sum += len(text) + int(text[len(text)/2])
	}
	fmt.Println(sum)
}
