import java.util.HashMap;
import java.util.Map;

/** Counts words of an artificial text; `slow` makes one method, hashOf, do a quarter more work. */
class Words {
  static String[] makeText(int seed) {
    String[] words = new String[40_000];
    for (int i = 0; i < words.length; i++) {
      seed = seed * 1103515245 + 12345;
      words[i] = "w" + Integer.toString((seed >>> 8) % 5000, 36);
    }
    return words;
  }

  static int[] codesOf(String[] words) {
    int[] codes = new int[words.length];
    for (int i = 0; i < words.length; i++) codes[i] = words[i].hashCode();
    return codes;
  }

  static int hashOf(int[] codes, int rounds) {
    int hash = (int) 2166136261L;
    for (int round = 0; round < rounds; round++) for (int code : codes) hash = (hash ^ code) * 16777619;
    return hash;
  }

  static int mix(int[] codes) {
    int sum = 0;
    for (int round = 0; round < 24; round++) for (int code : codes) sum = (sum << 5 | sum >>> 27) ^ (code + round);
    return sum;
  }

  static Map<String, Integer> countWords(String[] words) {
    Map<String, Integer> counts = new HashMap<>();
    for (String word : words) counts.merge(word, 1, Integer::sum);
    return counts;
  }

  public static void main(String[] arguments) {
    int repeats = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 450;
    boolean isSlow = arguments.length > 1 && arguments[1].equals("slow");
    int result = 0;
    for (int i = 0; i < repeats; i++) {
      String[] words = makeText(i + 1);
      int[] codes = codesOf(words);
      result ^= hashOf(codes, isSlow ? 30 : 24) ^ mix(codes) ^ countWords(words).size();
    }
    System.out.println(result);
  }
}
