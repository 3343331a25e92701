#!/bin/bash
# programs.sh LIBRARY - real programs, unchanged, under LD_PRELOAD; each must print what it prints with the C library's own
# malloc.  A program that is not installed fails the test: install bash python3 perl git gcc sqlite3 redis-server nodejs and
# a Java run time, or name in LOWFAT_TEST_WITHOUT (blanks between) what this machine cannot have.
set -u
library=$(readlink -f "$1")
work=$(mktemp -d)
redis=
cleanup() { [ -n "$redis" ] && kill "$redis" 2>/dev/null; rm -rf "$work"; }
trap cleanup EXIT
cd "$work" || exit 1
failed=0

available() { # available NAME PROGRAM...
    name=$1; shift
    case " ${LOWFAT_TEST_WITHOUT:-} " in *" $name "*) echo "programs: $name NOT RUN (LOWFAT_TEST_WITHOUT)"; return 1;; esac
    for program; do
        command -v "$program" >/dev/null || { echo "programs: $name: $program is not installed" >&2; failed=1; return 1; }
    done
}

same() { # same NAME COMMAND: equal output and status with both allocators; LOWFAT statistics prove ours was in use
    bash -c "$2" > "$work/$1.theirs" 2>&1; theirs=$?
    LD_PRELOAD=$library bash -c "$2" > "$work/$1.ours" 2>&1; ours=$?
    if [ $theirs -ne 0 ] || [ $ours -ne 0 ] || ! cmp -s "$work/$1.theirs" "$work/$1.ours"; then
        echo "programs: $1: status $theirs and $ours; differences:" >&2
        diff "$work/$1.theirs" "$work/$1.ours" | head -20 >&2
        failed=1
    else
        echo "programs: $1 ok"
    fi
}

# The library is really the one in use.
if ! LD_PRELOAD=$library LOWFAT_OPTIONS=stats=1 bash -c ': $(echo x)' 2>&1 | grep -q 'lowfat statistics'; then
    echo "programs: LD_PRELOAD has no effect" >&2; exit 1
fi

cat > words.py <<'END'
import collections, hashlib, json, random, re, threading
random.seed(1)
words = ["".join(random.choice("abcdefgh") for _ in range(random.randint(1, 9))) for _ in range(60000)]
count = collections.Counter(words)
text = json.dumps(count.most_common(2000))
def work(i, out): out[i] = hashlib.sha256(re.sub("a", str(i), text).encode()).hexdigest()
out = [None] * 8
threads = [threading.Thread(target=work, args=(i, out)) for i in range(8)]
for t in threads: t.start()
for t in threads: t.join()
print("\n".join(out), len(set(json.loads(text)[i][0] for i in range(2000))))
END
cat > words.pl <<'END'
use strict; my (%h, @l); my $x = 1;
for (1..200000) { $x = ($x * 1103515245 + 12345) % 2147483648; $h{"k".($x % 5000)} .= chr(97 + $x % 26); }
push @l, "$_=" . length($h{$_}) for sort keys %h;
my $s = join ",", @l; $s =~ s/(\d+)/$1*2/ge; print length($s), " ", substr($s, 0, 200), "\n";
END
cat > script.sql <<'END'
create table t(a integer primary key, b text, c real);
with recursive n(x) as (select 1 union all select x + 1 from n where x < 50000)
  insert into t select x, 'row ' || (x * 7919 % 50021), x / 3.0 from n;
create index i on t(b);
select count(*), sum(length(b)), round(sum(c), 3) from t where b > 'row 3';
select b, c from t order by b desc limit 5;
update t set b = b || b where a % 3 = 0; delete from t where a % 5 = 0; vacuum;
select count(*), max(length(b)) from t; pragma integrity_check;
END
cat > work.js <<'END'
const m = new Map(); let x = 1;
for (let i = 0; i < 300000; i++) { x = (x * 1103515245 + 12345) % 2147483648; m.set("k" + x % 20000, { i, s: "v".repeat(x % 50) }); }
const b = []; for (let i = 0; i < 300; i++) b.push(Buffer.alloc(1000 * i, i % 256));
let sum = 0; for (const v of m.values()) sum += v.s.length;
console.log(m.size, sum, require("zlib").deflateSync(Buffer.concat(b)).length, JSON.stringify([...m.keys()].sort().slice(0, 5)));
END
cat > Work.java <<'END'
import java.util.*; import java.util.stream.*; import java.util.zip.*;
public class Work { public static void main(String[] a) throws Exception {
  Map<String, Integer> m = new TreeMap<>(); long x = 1;
  for (int i = 0; i < 200000; i++) { x = (x * 1103515245L + 12345) % 2147483648L; m.merge("k" + x % 10000, 1, Integer::sum); }
  java.nio.ByteBuffer d = java.nio.ByteBuffer.allocateDirect(8 << 20); for (int i = 0; i < 1 << 20; i++) d.putInt(i);
  Deflater z = new Deflater(); byte[] in = new byte[1 << 20], out = new byte[1 << 20]; z.setInput(in); z.finish();
  System.out.println(m.size() + " " + IntStream.range(0, 1000000).parallel().mapToLong(i -> i % 7).sum() + " " + z.deflate(out) + " " + d.position());
} }
END
# About 6,000 lines of C for gcc to optimise.
awk 'BEGIN { for (i = 0; i < 600; i++) printf "int f%d(int *p, int n) {\n  int s = %d;\n  for (int i = 0; i < n; i++) {\n    if (p[i] %% %d == 0)\n      s += p[i] * %d;\n    else\n      s ^= p[n - 1 - i];\n  }\n  return s;\n}\n", i, i, i % 7 + 2, i }' > large.c

available bash bash && same bash 'for i in {1..3000}; do a[i]="$i${a[i-1]:0:50}"; done; echo ${#a[@]} ${a[3000]}; (echo $(seq 500 | while read n; do echo -n "$((n*n)) "; done)); cat <(echo sub) | tr a-z A-Z'
available python3 python3 && same python3 'python3 words.py'
available perl perl && same perl 'perl words.pl'
available git git && same git 'rm -rf r; git init -q r && cd r && for i in $(seq 40); do seq $i $((i*50)) > f$i; done && export GIT_AUTHOR_DATE="@1000000000 +0000" GIT_COMMITTER_DATE="@1000000000 +0000" && git add . && git -c user.name=n -c user.email=e commit -qm one && seq 9 999 > f3 && git -c user.name=n -c user.email=e commit -qam two && git log --stat --format=%H | cat && git gc -q && git fsck --full && git blame f3 | cut -c 1-8 | sort | uniq -c'
available gcc gcc && same gcc 'gcc -O2 -S large.c -o - | md5sum && g++ -O1 -S -x c++ - -o - <<< "#include <map>
#include <string>
int f(std::map<std::string,int>&m){return m[\"a\"]+m.size();}" | md5sum'
available sqlite3 sqlite3 && same sqlite3 'sqlite3 :memory: < script.sql'
available node node && same node 'node work.js'
available java java javac && javac Work.java && same java 'java -Xmx256m Work'

if available redis redis-server redis-benchmark redis-cli; then
    start_redis() { # start_redis SOCKET [NAME=VALUE]
        env ${2:+"$2"} redis-server --port 0 --unixsocket "$1" --save '' --appendonly no --daemonize no > "$1.log" 2>&1 &
        redis=$!
        for _ in $(seq 100); do redis-cli -s "$1" ping >/dev/null 2>&1 && return 0; sleep 0.1; done
        cat "$1.log" >&2; return 1
    }
    answers() { # the same questions to each server
        redis-benchmark -s "$1" -q -n 20000 -r 1000 -d 300 -t set,get,lpush,lrange_100,zadd,mset >/dev/null 2>&1 || return 1
        redis-cli -s "$1" flushall
        for i in $(seq 300); do echo "set k$i $(printf %0${i}d $i)"; echo "rpush l $i"; echo "zadd z $((i * 37 % 101)) m$i"; echo "append k$i tail"; done | redis-cli -s "$1" | md5sum
        redis-cli -s "$1" zrange z 0 20; redis-cli -s "$1" lrange l 290 -1; redis-cli -s "$1" strlen k300
        redis-cli -s "$1" debug digest
        redis-cli -s "$1" bgsave | head -c 10; redis-cli -s "$1" shutdown nosave
    }
    if start_redis "$work/a" && answers "$work/a" > redis.theirs && wait $redis && start_redis "$work/b" "LD_PRELOAD=$library" &&
        grep -q lowfat "/proc/$redis/maps" && answers "$work/b" > redis.ours && wait $redis && cmp -s redis.theirs redis.ours; then
        echo "programs: redis ok"
    else
        echo "programs: redis failed" >&2; diff redis.theirs redis.ours >&2; failed=1
    fi
    redis=
fi
exit $failed
