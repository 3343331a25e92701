// table THOUSANDS - the twin of table.cyc.
package main

import (
	"fmt"
	"os"
	"strconv"
)

type entry struct {
	next       *entry
	key, value int64
}

var (
	buckets = make([]*entry, 1024)
	size    int
)

func hash(key int64) uint32 { return uint32(uint64(key) * 0x9e3779b97f4a7c15 >> 40) }

func bucket(b []*entry, key int64) **entry { return &b[hash(key)%uint32(len(b))] }

func grow() {
	wider := make([]*entry, 2*len(buckets))
	for _, e := range buckets {
		for e != nil {
			next, at := e.next, bucket(wider, e.key)
			e.next, *at = *at, e
			e = next
		}
	}
	buckets = wider
}

func insert(key, value int64) {
	if size > len(buckets) {
		grow()
	}
	at := bucket(buckets, key)
	*at = &entry{*at, key, value}
	size++
}

func take(key int64) int64 {
	for link := bucket(buckets, key); *link != nil; link = &(*link).next {
		if (*link).key == key {
			value := (*link).value
			*link = (*link).next
			size--
			return value
		}
	}
	return -1
}

func main() {
	n, sum := int64(10), int64(0)
	if len(os.Args) > 1 {
		n, _ = strconv.ParseInt(os.Args[1], 10, 64)
	}
	n *= 1000
	for i := int64(0); i < n; i++ {
		insert(i*7, i)
	}
	for i := int64(0); i < n; i++ {
		sum += take(i * 7)
		insert((n+i)*7, sum%1000)
	}
	fmt.Printf("%d entries, %d\n", size, sum)
}
