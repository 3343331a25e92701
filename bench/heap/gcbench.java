// gcbench DEPTH - the twin of gcbench.cyc.
class Gcbench {
  static final class Tree {
    Tree left, right;
    int depth, tag;
  }

  static Tree bottomUp(int depth) {
    Tree t = new Tree();
    if (depth > 0) {
      t.left = bottomUp(depth - 1);
      t.right = bottomUp(depth - 1);
    }
    t.depth = depth;
    return t;
  }

  static void topDown(Tree t, int depth) {
    t.depth = depth;
    if (depth == 0) return;
    t.left = new Tree();
    t.right = new Tree();
    topDown(t.left, depth - 1);
    topDown(t.right, depth - 1);
  }

  static long count(Tree t) { return t == null ? 0 : 1 + count(t.left) + count(t.right); }

  public static void main(String[] args) {
    int most = args.length > 0 ? Integer.parseInt(args[0]) : 12;
    Tree longLived = bottomUp(most);
    double[] array = new double[1 << most];
    for (int i = 0; i < array.length; i++) array[i] = 1.0 / (i + 1);
    for (int depth = 4; depth <= most; depth += 2) {
      int trees = 1 << (most - depth + 4);
      long total = 0;
      for (int i = 0; i < trees; i++) {
        Tree t = new Tree();
        topDown(t, depth);
        total += count(t) + count(bottomUp(depth));
      }
      System.out.printf("depth %d: %d trees, %d nodes\n", depth, 2 * trees, total);
    }
    System.out.printf("long-lived: %d nodes, array %.6f\n", count(longLived), array[1000]);
  }
}
