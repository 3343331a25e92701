// lru THOUSANDS - the twin of lru.cyc.
class Lru {
  static final class Entry {
    int key;
    Entry chain, newer, older;
    byte[] contents;
  }

  static final int ROOM = 20000, BUCKETS = 32768;
  static final Entry[] buckets = new Entry[BUCKETS];
  static Entry newest, oldest;
  static int used;

  static void takeOut(Entry e) {
    if (e.newer != null) e.newer.older = e.older; else newest = e.older;
    if (e.older != null) e.older.newer = e.newer; else oldest = e.newer;
  }

  static void putFirst(Entry e) {
    e.newer = null;
    e.older = newest;
    if (newest != null) newest.newer = e; else oldest = e;
    newest = e;
  }

  static void evict() {
    Entry e = oldest;
    takeOut(e);
    int at = e.key % BUCKETS;
    if (buckets[at] == e) buckets[at] = e.chain;
    else {
      Entry before = buckets[at];
      while (before.chain != e) before = before.chain;
      before.chain = e.chain;
    }
    used--;
  }

  static Entry lookup(int key) {
    int at = key % BUCKETS;
    for (Entry e = buckets[at]; e != null; e = e.chain)
      if (e.key == key) {
        takeOut(e);
        putFirst(e);
        return e;
      }
    if (used == ROOM) evict();
    Entry e = new Entry();
    e.key = key;
    e.contents = new byte[32 + key % 96];
    e.contents[key % e.contents.length] = (byte) key;
    e.chain = buckets[at];
    buckets[at] = e;
    putFirst(e);
    used++;
    return e;
  }

  public static void main(String[] args) {
    int n = (args.length > 0 ? Integer.parseInt(args[0]) : 100) * 1000, x = 1;
    long sum = 0;
    for (int i = 0; i < n; i++) {
      x = x * 1103515245 + 12345;
      int key = x >>> 8;
      key %= key % 4 == 0 ? 200000 : 16000;
      Entry e = lookup(key);
      sum += e.contents[key % e.contents.length];
    }
    System.out.printf("%d entries, %d\n", used, sum);
  }
}
