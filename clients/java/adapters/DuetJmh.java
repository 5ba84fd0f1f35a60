// SPDX-License-Identifier: Apache-2.0

import java.util.*;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.runner.IterationType;

/**
 * Iterations of JMH in a duet, without a change of the benchmark: {@code java -cp benchmarks.jar:build org.openjdk.jmh.Main
 * -prof DuetJmh -f 1 …}, one benchmark a program. JMH 1.21 or later.
 *
 * <p>A duration is JMH's own score times the operations of a thread: setting up an iteration is not in it. CPU time is that of
 * the process in the whole iteration, in proportion to the operations that JMH measured. In the modes {@code sample} and
 * {@code re} up to 1 000 of the sampled times are recorded with each iteration.
 */
public class DuetJmh implements InternalProfiler {
    private static final int MOST_TIMES = 1_000;
    /** Modes that time operations one by one; {@code re} is that of JMH with dynamic reconfiguration. */
    private static final Set<String> SAMPLING = Set.of("sample", "re");
    private static DuetHarness duet;

    @Override
    public String getDescription() { return "Takes part in a duet of deadheat"; }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        int status = 0;
        try {
            if (duet == null) duet = new DuetHarness();
            duet.before(benchmark.getBenchmark(), paramsOf(benchmark));
            if (!duet.stopped()) return;
        } catch (Duet.Refused refused) {
            System.err.println(refused.getMessage());
            status = 1;
        }
        // JMH has no other way to make fewer iterations than it was told: the fork ends, without results of its own.
        if (duet != null) duet.close();
        endFlightRecordings();
        Runtime.getRuntime().halt(status);
    }

    /** Has Flight Recorder write what it has, such as the profile for {@code deadheat lab warmup}: a machine that halts does not. */
    private static void endFlightRecordings() {
        try {
            Class<?> recorder = Class.forName("jdk.jfr.FlightRecorder");
            if (!(Boolean) recorder.getMethod("isInitialized").invoke(null)) return;
            Object own = recorder.getMethod("getFlightRecorder").invoke(null);
            for (Object recording : (List<?>) recorder.getMethod("getRecordings").invoke(own)) {
                recording.getClass().getMethod("stop").invoke(recording);
            }
        } catch (ReflectiveOperationException | LinkageError none) {
            // A machine without Flight Recorder.
        }
    }

    @Override
    public Collection<? extends Result> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        duet.after();
        Duet.Iteration done = duet.ended();
        Result<?> primary = result.getPrimaryResult();
        double measured = Math.max(1, result.getMetadata().getMeasuredOps());
        double all = Math.max(measured, result.getMetadata().getAllOps());
        double unitNs = benchmark.getTimeUnit().toNanos(1);
        boolean isRate = primary.getScoreUnit().startsWith("ops/");
        int threads = benchmark.getThreads();
        double operationNs = isRate ? threads * unitNs / primary.getScore() : primary.getScore() * unitNs;
        done.invocations = Math.max(1, Math.round(measured / threads));
        double durationNs = operationNs * done.invocations;
        // A mean of sampled times counts preemptions more often than they happened: the work was over when the iteration was.
        long longestNs = done.endNs - done.startNs;
        if (Double.isFinite(durationNs)) done.endNs = done.startNs + Math.min(longestNs, Math.max(0, Math.round(durationNs)));
        done.cpuNs = done.cpuNs < 0 ? -1 : Math.round(done.cpuNs * (measured / all));
        done.delayNs = done.delayNs < 0 ? -1 : Math.round(done.delayNs * (measured / all));
        done.threadNs = -1; // of the thread that waits for those that work
        done.warmup |= iteration.getType() == IterationType.WARMUP;
        if (SAMPLING.contains(benchmark.getMode().shortLabel())) done.timesNs = timesOf(primary, unitNs);
        duet.keep();
        return Collections.emptyList();
    }

    private static Map<String, String> paramsOf(BenchmarkParams benchmark) {
        Map<String, String> params = new LinkedHashMap<>();
        params.put("mode", benchmark.getMode().shortLabel());
        if (benchmark.getThreads() != 1) params.put("threads", String.valueOf(benchmark.getThreads()));
        for (String key : benchmark.getParamsKeys()) params.put(key, benchmark.getParam(key));
        return params;
    }

    /** Every so manieth of the sampled times, in JMH's order. */
    private static long[] timesOf(Result<?> primary, double unitNs) {
        long count = primary.getStatistics().getN();
        long[] times = new long[(int) Math.min(count, MOST_TIMES)];
        long seen = 0;
        int at = 0;
        Iterator<Map.Entry<Double, Long>> values = primary.getStatistics().getRawData();
        while (values.hasNext()) {
            Map.Entry<Double, Long> value = values.next();
            seen += value.getValue();
            while (at < times.length && (2L * at + 1) * count < 2L * times.length * seen) {
                times[at++] = Math.round(value.getKey() * unitNs);
            }
        }
        return times;
    }
}
