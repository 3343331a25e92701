// table THOUSANDS - the twin of table.cyc.
class Table {
  static final class Entry {
    Entry next;
    long key, value;
  }

  static Entry[] buckets = new Entry[1024];
  static int size;

  static int hash(long key) { return (int) (key * 0x9e3779b97f4a7c15L >>> 40); }

  static void grow() {
    Entry[] wider = new Entry[2 * buckets.length];
    for (Entry first : buckets)
      for (Entry e = first, next; e != null; e = next) {
        next = e.next;
        int at = hash(e.key) % wider.length;
        e.next = wider[at];
        wider[at] = e;
      }
    buckets = wider;
  }

  static void insert(long key, long value) {
    if (size > buckets.length) grow();
    int at = hash(key) % buckets.length;
    Entry e = new Entry();
    e.next = buckets[at];
    e.key = key;
    e.value = value;
    buckets[at] = e;
    size++;
  }

  static long take(long key) {
    int at = hash(key) % buckets.length;
    Entry before = null;
    for (Entry e = buckets[at]; e != null; before = e, e = e.next)
      if (e.key == key) {
        if (before == null) buckets[at] = e.next; else before.next = e.next;
        size--;
        return e.value;
      }
    return -1;
  }

  public static void main(String[] args) {
    long n = (args.length > 0 ? Integer.parseInt(args[0]) : 10) * 1000L, sum = 0;
    for (long i = 0; i < n; i++) insert(i * 7, i);
    for (long i = 0; i < n; i++) {
      sum += take(i * 7);
      insert((n + i) * 7, sum % 1000);
    }
    System.out.printf("%d entries, %d\n", size, sum);
  }
}
