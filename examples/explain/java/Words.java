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

  static int hashOf(String[] words, int rounds) {
    int hash = (int) 2166136261L;
    for (int round = 0; round < rounds; round++)
      for (int i = 0; i < words.length; i += 4) hash = (hash ^ words[i].charAt(1)) * 16777619;
    return hash;
  }

  static int mix(String[] words) {
    int sum = 0;
    for (int round = 0; round < 24; round++) for (String word : words) sum = sum * 31 + word.length() * round;
    return sum;
  }

  static Map<String, Integer> countWords(String[] words) {
    Map<String, Integer> counts = new HashMap<>();
    for (String word : words) counts.merge(word, 1, Integer::sum);
    return counts;
  }

  public static void main(String[] arguments) {
    int repeats = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 400;
    boolean isSlow = arguments.length > 1 && arguments[1].equals("slow");
    int result = 0;
    for (int i = 0; i < repeats; i++) {
      String[] words = makeText(i + 1);
      result ^= hashOf(words, isSlow ? 50 : 40) ^ mix(words) ^ countWords(words).size();
    }
    System.out.println(result);
  }
}
