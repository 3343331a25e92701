// trees DEPTH - the twin of trees.cyc.
class Trees {
  static final class Node {
    Node left, right;
  }

  static Node make(int depth) {
    Node n = new Node();
    if (depth > 0) {
      n.left = make(depth - 1);
      n.right = make(depth - 1);
    }
    return n;
  }

  static int check(Node n) { return n == null ? 0 : 1 + check(n.left) + check(n.right); }

  public static void main(String[] args) {
    int most = args.length > 0 ? Integer.parseInt(args[0]) : 10;
    System.out.printf("stretch: %d\n", check(make(most + 1)));
    Node stays = make(most);
    for (int depth = 4; depth <= most; depth += 4) {
      int rounds = 1 << (most - depth + 4), sum = 0;
      for (int i = 0; i < rounds; i++) sum += check(make(depth));
      System.out.printf("%d trees of depth %d: %d\n", rounds, depth, sum);
    }
    System.out.printf("stays: %d\n", check(stays));
  }
}
