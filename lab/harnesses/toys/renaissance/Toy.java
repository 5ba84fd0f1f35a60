// SPDX-License-Identifier: Apache-2.0
package toy;

import org.renaissance.Benchmark;
import org.renaissance.BenchmarkContext;
import org.renaissance.BenchmarkResult;

public final class Toy implements Benchmark {
    @Override
    public BenchmarkResult run(BenchmarkContext context) {
        int sum = Work.sort(1);
        return () -> BenchmarkResult.Assert.assertEquals(Work.sort(1), sum, "sum");
    }
}
