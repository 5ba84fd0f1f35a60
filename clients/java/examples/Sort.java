import java.util.Arrays;
import java.util.Map;
import java.util.Random;

/**
 * Sorts the same random integers again and again.
 *
 * <pre>
 * javac -d build ../Duet.java Sort.java
 * DEADHEAT_RECORD=sort.jsonl java -cp build Sort 50
 * </pre>
 *
 * Arguments: iterations unless DEADHEAT_ITERATIONS says (default 20; 0 = until the runner says stop),
 * integers (default 20000).
 */
public final class Sort {
    private static int[] sorted = {};

    private Sort() {}

    public static void main(String[] args) {
        long iterations = args.length > 0 ? Long.parseLong(args[0]) : 20;
        int length = args.length > 1 ? Integer.parseInt(args[1]) : 20_000;
        int[] source = new Random(1).ints(length).toArray();
        try (Duet duet = Duet.open()) {
            duet.run("sort", Map.of("length", Integer.toString(length)), iterations, () -> {
                sorted = source.clone();
                Arrays.sort(sorted);
            });
        } catch (Duet.Refused refused) {
            System.err.println(refused.getMessage());
            System.exit(1);
        }
        System.out.println("smallest: " + (sorted.length > 0 ? sorted[0] : 0));
    }
}
