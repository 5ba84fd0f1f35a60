// SPDX-License-Identifier: Apache-2.0
package toy;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.*;

@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class Sorting {
    @Benchmark
    public int sort() { return Work.sort(20); }
}
