// strings THOUSANDS - the twin of strings.cyc.
class Strings {
  static final String[] WORDS = {"eye", "wall", "cyclone", "rain band", "landfall"};

  static String word(int i) { return WORDS[i % 5]; }

  public static void main(String[] args) {
    int n = (args.length > 0 ? Integer.parseInt(args[0]) : 10) * 1000, x = 1;
    String[] kept = new String[1000];
    java.util.Arrays.fill(kept, "");
    long sum = 0;
    for (int i = 0; i < n; i++) {
      x = x * 1103515245 + 12345;
      String text = kept[(x >>> 8) % 1000];
      if (text.length() > 400) text = word(x >>> 12);
      for (int j = 0; j < 4; j++) text = text.concat(word((x >>> 10) + j));
      kept[(x >>> 20) % 1000] = text;
      sum += text.length() + text.charAt(text.length() / 2);
    }
    System.out.println(sum);
  }
}
