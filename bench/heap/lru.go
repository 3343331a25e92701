// lru THOUSANDS - the twin of lru.cyc.
package main

import (
	"fmt"
	"os"
	"strconv"
)

type entry struct {
	key                 uint32
	chain, newer, older *entry
	contents            []int8
}

const room, size = 20000, 32768

var (
	buckets        [size]*entry
	newest, oldest *entry
	used           int
)

func takeOut(e *entry) {
	if e.newer != nil {
		e.newer.older = e.older
	} else {
		newest = e.older
	}
	if e.older != nil {
		e.older.newer = e.newer
	} else {
		oldest = e.newer
	}
}

func putFirst(e *entry) {
	e.newer, e.older = nil, newest
	if newest != nil {
		newest.newer = e
	} else {
		oldest = e
	}
	newest = e
}

func evict() {
	e := oldest
	takeOut(e)
	link := &buckets[e.key%size]
	for *link != e {
		link = &(*link).chain
	}
	*link = e.chain
	used--
}

func lookup(key uint32) *entry {
	bucket := &buckets[key%size]
	for e := *bucket; e != nil; e = e.chain {
		if e.key == key {
			takeOut(e)
			putFirst(e)
			return e
		}
	}
	if used == room {
		evict()
	}
	e := &entry{key: key, chain: *bucket, contents: make([]int8, 32+key%96)}
	e.contents[key%uint32(len(e.contents))] = int8(key)
	*bucket = e
	putFirst(e)
	used++
	return e
}

func main() {
	n := 100
	if len(os.Args) > 1 {
		n, _ = strconv.Atoi(os.Args[1])
	}
	x, sum := uint32(1), 0
	for i := 0; i < n*1000; i++ {
		x = x*1103515245 + 12345
		key := x >> 8
		if key%4 == 0 {
			key %= 200000
		} else {
			key %= 16000
		}
		e := lookup(key)
		sum += int(e.contents[key%uint32(len(e.contents))])
	}
	fmt.Printf("%d entries, %d\n", used, sum)
}
