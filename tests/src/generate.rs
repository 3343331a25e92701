//! Large programs, for measuring.

use std::fmt::Write;

/// One group of declarations and functions of everyday kinds; `K` is its number.
const GROUP: &str = "
struct Node_K {
  int key;
  double weight;
  struct Node_K *next;
};
enum Colour_K { Red_K, Green_K = 4, Blue_K };
static int table_K[64];

static int find_K(struct Node_K *list, int key) {
  int depth = 0;
  while (list != NULL) {
    if (list->key == key) {
      return depth;
    }
    list = list->next;
    depth++;
  }
  return -1;
}

static struct Node_K *push_K(struct Node_K *`H list, int key, double weight) {
  struct Node_K @node = new Node_K{key, weight, list};
  return node;
}

static long sum_K(int ?values, int from, int to) {
  long total = 0;
  for (int i = from; i < to; i++) {
    total += values[i];
  }
  return total;
}

static void sort_K(int ?v) {
  for (int i = 1; i < (int)numelts(v); i++) {
    int x = v[i];
    int j = i - 1;
    while (j >= 0 && v[j] > x) {
      v[j + 1] = v[j];
      j--;
    }
    v[j + 1] = x;
  }
}

static int classify_K(int c) {
  switch (c) {
  case 0:
    return 1;
  case 1:
  case 2:
    return c * 3;
  case 'x':
    return (c << 2) ^ 5;
  default:
    return ~c & 255;
  }
}

static double blend_K(double @{4} a, double @{4} b, double t) {
  double out[4] = {0.0, 0.0, 0.0, 0.0};
  for (int i = 0; i < 4; i++) {
    out[i] = a[i] * (1.0 - t) + b[i] * t;
  }
  return out[0] + out[1] + out[2] + out[3];
}

static int guarded_K(int ?v, int i) {
  int result = 0;
  try {
    result = v[i] + table_K[i & 63];
  } catch {
  case &Array_bounds:
    result = -1;
    break;
  case &Null_Exception:
    result = -2;
    break;
  }
  return result;
}

static int work_K(int n) {
  int ?v = new {for i < 32 : (int)(i * 7 % 13)};
  sort_K(v);
  struct Node_K *list = NULL;
  for (int i = 0; i < n; i++) {
    list = push_K(list, v[i % 32], 1.5 * i);
    table_K[i & 63] += classify_K(i);
  }
  let $(low, high) = $(v[0], v[31]);
  double a[4] = {1.0, 2.0, 3.0, 4.0};
  double b[4] = {4.0, 3.0, 2.0, 1.0};
  int mixed = (int)blend_K(a, b, 0.25) + (n > 3 ? Blue_K : Red_K);
  return find_K(list, low) + (int)sum_K(v, 0, 32) + guarded_K(v, n) + high + mixed;
}
";

/// A program of at least `lines` lines, without a directive.
pub fn program(lines: usize) -> String {
    let mut out = String::new();
    let groups = lines / GROUP.lines().count() + 1;
    for k in 0..groups {
        out.push_str(&GROUP.replace("_K", &format!("_{k}")));
    }
    out.push_str("\nint main() {\n  int total = 0;\n");
    for k in 0..groups {
        let _ = writeln!(out, "  total += work_{k}({});", k % 17);
    }
    out.push_str("  return total & 1;\n}\n");
    out
}

/// Statements of everyday kinds with variables of their own; `K` is the number of each.
const STATEMENTS: [&str; 9] = [
    "for (int i = 0; i < n; i++) {
    int *`U u = malloc(sizeof(int));
    *u = i;
    if (i > K) {
      release(u);
      continue;
    }
    s += *u;
    release(u);
  }",
    "try {
    int *`U u = malloc(sizeof(int));
    *u = n;
    s += *u;
    release(u);
    s += a[K];
  } catch {
  default:
    s--;
    break;
  }",
    "{
    struct Box t = { .a = n, .b = malloc(sizeof(int)) };
    int *`U w = NULL;
    t.b :=: w;
    if (w != NULL)
      release(w);
    if (t.b != NULL)
      release(t.b);
  }",
    "{
    region here;
    for (int i = 0; i < n; i++) {
      int *`here q = rmalloc(here, sizeof(int));
      *q = i;
      s += *q;
    }
    if (s > K)
      s--;
  }",
    "{
    int x = n;
    int *y = &x;
    if (s > K)
      s += *y;
    s += sum(x, *y);
  }",
    "switch (s) {
  case K:
    s++;
    break;
  default:
    s += a[n];
  }",
    "{
    int *`U u = malloc(sizeof(int));
    *u = K;
    int *q = same(u);
    if (q != NULL && *q > 3)
      s += *q;
    release(u);
  }",
    "{
    struct Link t = { .value = n, .next = NULL };
    for (struct Link *l = &t; l != NULL; l = l->next)
      s += l->value;
  }",
    "int *q_K = same(p);
  if (q_K != NULL || s == K)
    s += p != NULL ? *p : a[K];",
];

/// A program with one function of at least `lines` lines, preprocessed.
pub fn one_function(lines: usize) -> String {
    let mut out = String::from(
        "struct Box { int a; int *`U b; };
struct Link { int value; struct Link *next; };
int *`r same(int *`r p) { return p; }
void release(int *`U p) __attribute__((consume(1)));
int sum(int a, int b) { return a + b; }
int long_one(int *`r p, int ?`r a, int n) {
  int s = 0;
",
    );
    let mut count = out.lines().count();
    for k in 0.. {
        if count >= lines {
            break;
        }
        let statement = STATEMENTS[k % STATEMENTS.len()].replace('K', &k.to_string());
        count += statement.lines().count();
        let _ = writeln!(out, "  {statement}");
    }
    out.push_str("  return s;\n}\n");
    out
}
