// SPDX-License-Identifier: Apache-2.0

import java.lang.management.*;
import java.util.Map;
import java.util.Objects;

/**
 * What the adapters of harnesses share: a duet for the whole program, one benchmark after the other, and counters of the
 * virtual machine with each iteration: {@code gcCount} collections and {@code gcMs} that they took, {@code compileMs} that
 * compilers took, and {@code heapBytes} in use after it.
 */
final class DuetHarness {
    /** A benchmark of a suite may prepare its data for minutes before its first iteration. */
    private static final long DEADLINE_NS = 600_000_000_000L;

    static final String ITERATIONS = Objects.requireNonNullElse(System.getenv("DEADHEAT_ITERATIONS"), "");

    private final Duet duet = Duet.open(DEADLINE_NS);
    private String benchmark = "";
    private boolean measures, stopped, closed;
    private Duet.Iteration ended;
    private long asked;
    private long collections, collectionMs, compilationMs;

    DuetHarness() {
        Runtime.getRuntime().addShutdownHook(new Thread(this::close));
    }

    /** Right before the work: begins the benchmark where it is another one, and waits for the other side. */
    void before(String name, Map<String, String> params) {
        if (!name.equals(benchmark)) {
            benchmark = name;
            stopped = false;
            duet.benchmark(name, params);
        }
        if (stopped) return;
        count(-1);
        stopped = !duet.begin();
        measures = !stopped;
    }

    /** Right after the work. */
    void after() {
        if (measures) ended = duet.end();
    }

    /** The iteration that has ended, before it is kept; null when it does not count. */
    Duet.Iteration ended() { return ended; }

    /** Records the iteration that has ended, if it counts. */
    void keep() {
        if (ended == null) return;
        count(1);
        ended.metrics.put("gcCount", collections);
        ended.metrics.put("gcMs", collectionMs);
        ended.metrics.put("compileMs", compilationMs);
        ended.metrics.put("heapBytes", ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
        duet.keep(ended);
        ended = null;
        measures = false;
    }

    /** Whether the runner has ended the benchmark: what the harness still executes of it counts no more. */
    boolean stopped() { return stopped; }

    /** Whether another iteration is wanted, asked after each: DEADHEAT_ITERATIONS counts more than what the harness says. */
    boolean again(boolean own) {
        boolean again = !stopped && (ITERATIONS.isEmpty() ? own : ++asked < Long.parseLong(ITERATIONS));
        if (!again) asked = 0;
        return again;
    }

    /** Has the runner told that this side failed. */
    void fail() { duet.fail(); }

    /** Tells the runner that the side has ended; in the middle of an iteration it failed. */
    synchronized void close() {
        if (closed) return;
        closed = true;
        if (measures) duet.fail();
        duet.close();
    }

    private void count(int sign) {
        if (sign < 0) collections = collectionMs = compilationMs = 0;
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            collections += sign * Math.max(0, collector.getCollectionCount());
            collectionMs += sign * Math.max(0, collector.getCollectionTime());
        }
        CompilationMXBean compiler = ManagementFactory.getCompilationMXBean();
        if (compiler != null && compiler.isCompilationTimeMonitoringSupported()) {
            compilationMs += sign * compiler.getTotalCompilationTime();
        }
    }
}
