// SPDX-License-Identifier: Apache-2.0
package toy;

import java.util.Arrays;
import java.util.Random;

/** The work of all toys: numbers are sorted as many times as {@code -Drounds=N} says. */
public final class Work {
    private static final int ROUNDS = Integer.getInteger("rounds", 400);
    private static final int[] NUMBERS = new Random(1).ints(1_000).toArray();

    private Work() {}

    /** @return a number that depends on all of the work */
    public static int sort(int parts) {
        int sum = 0;
        for (int round = 0; round < ROUNDS / parts; round++) {
            int[] own = NUMBERS.clone();
            Arrays.sort(own);
            sum += own[round % own.length];
        }
        return sum;
    }
}
