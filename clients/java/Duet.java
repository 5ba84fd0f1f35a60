// SPDX-License-Identifier: Apache-2.0

import com.sun.management.OperatingSystemMXBean;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.invoke.*;
import java.lang.management.*;
import java.nio.*;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import java.util.concurrent.locks.LockSupport;

/**
 * Takes part in a duet of deadheat (workload protocol, version 1). Java 17 or later, Linux, no dependency.
 *
 * <pre>{@code
 * try (Duet duet = Duet.open()) {
 *     duet.run("sort", Map.of("length", "20000"), 100, () -> sort(data));
 * }
 * }</pre>
 *
 * Without DEADHEAT_PAGE the program runs alone. Times are ns of {@link System#nanoTime}, which HotSpot reads from
 * CLOCK_MONOTONIC on Linux. A method that fails throws {@link Refused}; the side is then closed as failed. One thread.
 */
public final class Duet implements AutoCloseable {
    /** What {@link #barrier} tells to do next. */
    public enum Decision { MEASURE, WARMUP, STOP }

    /** The page was refused, the other side is lost or late, or the record cannot be written. */
    public static final class Refused extends RuntimeException {
        private static final long serialVersionUID = 1;
        Refused(String message, Throwable cause) { super("deadheat: " + message, cause); }
    }

    private static final int MAGIC = 0x47504844, VERSION = 1, PAGE_BYTES = 4096;
    // Bytes on the page: docs/formats/protocol.md. LINE is the length of a side's line.
    private static final int LINE = 64, CURSOR = 0, STATE = 4, WORK_DONE = 8, PID = 12, DECISION = 16, STARTED = 24;
    private static final int BENCHMARK = 28, RUNNER_DECISION = 196, POISON = 200, INITIAL = 204;
    private static final int RUNNING = 1, FINISHED = 2, FAILED = 3;
    private static final VarHandle WORD = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());
    private static final Decision[] DECISIONS = Decision.values();
    private static final OperatingSystemMXBean PROCESS =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final MappedByteBuffer page; // null = alone
    private final FileChannel record; // null = nothing is recorded
    private final int own, peer;
    private final long deadlineNs;
    private final long iterations = number("DEADHEAT_ITERATIONS"), warmup = number("DEADHEAT_WARMUP");
    private final long samples = number("DEADHEAT_SAMPLES");
    private final boolean fills = number("DEADHEAT_FILL") > 0;
    private final boolean yields = environment("DEADHEAT_WAIT").equals("yield");
    private final StringBuilder line = new StringBuilder(256);
    private final ByteBuffer bytes = ByteBuffer.allocateDirect(16_384);
    private final Iteration now = new Iteration();
    private CpuClock cpu; // of the benchmark that was begun
    private long index; // of its next iteration
    private boolean failed;

    private Duet(long deadlineNs) {
        this.deadlineNs = deadlineNs;
        String path = environment("DEADHEAT_PAGE"), side = environment("DEADHEAT_SIDE");
        if (!path.isEmpty() && !side.equals("A") && !side.equals("B")) {
            throw new Refused("DEADHEAT_SIDE is '" + side + "'; A or B expected", null);
        }
        if (samples == 1) throw new Refused("DEADHEAT_SAMPLES is '1'; a whole number from 2 expected", null);
        String wait = environment("DEADHEAT_WAIT");
        if (!List.of("", "spin", "yield").contains(wait)) {
            throw new Refused("DEADHEAT_WAIT is '" + wait + "'; spin or yield expected", null);
        }
        own = side.equals("B") ? 2 * LINE : LINE;
        peer = 3 * LINE - own;
        page = path.isEmpty() ? null : map(path);
        if (page != null) {
            store(own + PID, (int) ProcessHandle.current().pid());
            store(own + STATE, RUNNING);
        }
        String file = environment("DEADHEAT_RECORD");
        try {
            StandardOpenOption[] options = {StandardOpenOption.CREATE, StandardOpenOption.APPEND};
            record = file.isEmpty() ? null : FileChannel.open(Path.of(file), options);
        } catch (IOException cause) {
            if (page != null) store(own + STATE, FAILED);
            throw new Refused("cannot open the record " + file + ": " + cause, cause);
        }
    }

    /** As {@link #open(long)}, with 30 seconds. */
    public static Duet open() { return open(30_000_000_000L); }

    /** Reads the environment. {@code deadlineNs}: how long to wait for the other side at most. */
    public static Duet open(long deadlineNs) { return new Duet(deadlineNs); }

    private static String environment(String name) { return Objects.requireNonNullElse(System.getenv(name), ""); }

    private static long number(String name) {
        String text = environment(name);
        if (text.matches("[0-9]{0,18}")) return text.isEmpty() ? 0 : Long.parseLong(text);
        throw new Refused(name + " is '" + text + "'; a whole number expected", null);
    }

    private static MappedByteBuffer map(String path) {
        MappedByteBuffer page;
        try (FileChannel file = FileChannel.open(Path.of(path), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            String size = file.size() + " bytes instead of " + PAGE_BYTES;
            if (file.size() < PAGE_BYTES) throw new Refused(path + " is not a shared page: " + size, null);
            page = file.map(FileChannel.MapMode.READ_WRITE, 0, PAGE_BYTES);
        } catch (IOException cause) {
            throw new Refused("cannot open the shared page " + path + ": " + cause, cause);
        }
        int magic = (int) WORD.getAcquire(page, 0), version = (int) WORD.getAcquire(page, 4);
        String found = String.format("magic 0x%08x, not 0x%08x", magic, MAGIC);
        if (magic != MAGIC) throw new Refused(path + " is not a shared page: " + found, null);
        if (version == VERSION) return page;
        throw new Refused(path + " is a page of version " + version + "; this client knows version " + VERSION
                + ". Use the same release of deadheat and of its client.", null);
    }

    private int load(int offset) { return (int) WORD.getAcquire(page, offset); }
    private void store(int offset, int value) { WORD.setRelease(page, offset, value); }

    private Refused refused(String message, Throwable cause) {
        fail();
        return new Refused(message, cause);
    }
    /** Has {@link #close} tell the runner that the side failed; end with a status that is not 0. */
    public void fail() { failed = true; }

    /**
     * One step of waiting with DEADHEAT_WAIT=yield: yields as long as somebody takes the core, and sleeps between yields
     * when nobody does, for a quarter of the time waited since {@code start}, 50 us to 10 ms. {@code idle}, which it
     * gives anew, is the number of yields in a row after which nobody took it.
     */
    private static int pause(int idle, long start) {
        if (idle >= 64) {
            long quarter = (System.nanoTime() - start) / 4;
            LockSupport.parkNanos(Math.min(Math.max(quarter, 50_000), 10_000_000));
        }
        long before = System.nanoTime();
        Thread.yield();
        return System.nanoTime() - before < 50_000 ? idle + 1 : 0;
    }

    /** Arrives and waits for the other side: what to do next. Alone: {@code MEASURE}, at once. */
    public Decision barrier() {
        if (page == null) return Decision.MEASURE;
        int barrier = load(own + CURSOR) + 1;
        int slot = LINE + DECISION + 4 * (barrier & 1);
        long start = System.nanoTime();
        if (own == LINE) { // the runner's word may be about one benchmark alone
            int said = load(RUNNER_DECISION), about = said >> 2;
            store(slot, about == 0 || about == load(own + BENCHMARK) ? said & 3 : load(INITIAL));
        }
        store(own + CURSOR, barrier);
        for (int loads = 1, idle = 0;; loads++) {
            int poison = load(POISON); // before the cursor: a peer that ended may have come
            if (load(peer + CURSOR) - barrier >= 0) break;
            if (poison == 1) throw refused("the other side is lost: it ended before the barrier", null);
            if (poison != 0) throw refused("the run was called off", null);
            if (yields) idle = pause(idle, start);
            if ((yields || loads % 256 == 0) && System.nanoTime() - start > deadlineNs) {
                String within = " within " + deadlineNs / 1_000_000 + " ms";
                throw refused("the other side did not reach barrier " + barrier + within, null);
            }
            if (!yields) Thread.onSpinWait();
        }
        return DECISIONS[load(slot)];
    }

    /** Begins a benchmark on the page and in the record. Its iterations are begun and ended by this thread. */
    public void benchmark(String name, Map<String, String> params) {
        if (cpu != null) cpu.close();
        cpu = new CpuClock();
        index = 0;
        if (page != null) store(own + BENCHMARK, load(own + BENCHMARK) + 1);
        line.setLength(0);
        quote(line.append("{\"deadheat\":").append(VERSION).append(",\"benchmark\":"), name).append(",\"params\":{");
        String comma = "";
        for (Map.Entry<String, String> param : params.entrySet()) {
            quote(line.append(comma), param.getKey());
            quote(line.append(':'), param.getValue());
            comma = ",";
        }
        write(ByteBuffer.wrap(line.append("}}\n").toString().getBytes(StandardCharsets.UTF_8)));
    }

    private static StringBuilder quote(StringBuilder to, String text) {
        to.append('"');
        for (char c : text.toCharArray()) {
            to.append(c < ' ' || c == '"' || c == '\\' ? String.format("\\u%04x", (int) c) : String.valueOf(c));
        }
        return to.append('"');
    }

    /**
     * Records a finished iteration, before the next barrier: index from 0, start, end, invocations; CPU time of the
     * process without its children ({@code c}) and of the benchmark's thread ({@code t}), ns, -1 = not measured.
     */
    public void record(long i, long s, long e, long n, boolean warmup, long c, long t) {
        begunLine(i, s, e, n, warmup, c, t);
        endLine();
    }

    private void begunLine(long i, long s, long e, long n, boolean warmup, long c, long t) {
        if (page != null) store(own + WORK_DONE, load(own + WORK_DONE) + 1);
        line.setLength(0);
        line.append("{\"i\":").append(i).append(",\"s\":").append(s).append(",\"e\":").append(e);
        line.append(",\"n\":").append(n).append(warmup ? ",\"p\":\"warmup\"" : "");
        if (c >= 0) line.append(",\"c\":").append(c);
        if (t >= 0) line.append(",\"t\":").append(t);
    }

    private void endLine() {
        line.append("}\n");
        if (line.length() > bytes.capacity()) {
            write(ByteBuffer.wrap(line.toString().getBytes(StandardCharsets.UTF_8)));
            return;
        }
        bytes.clear();
        for (int at = 0; at < line.length(); at++) bytes.put((byte) line.charAt(at));
        write(bytes.flip());
    }

    /** An iteration of a harness with a loop of its own, which changes what it knows better before it is kept. */
    public static final class Iteration {
        /** ns of {@link System#nanoTime}. */
        public long startNs, endNs;
        public long invocations;
        public boolean warmup;
        /** CPU time of the process and of the thread that began the iteration, ns; -1 = not measured. */
        public long cpuNs, threadNs;
        /** How long the thread that was busiest in the iteration was ready to run and waited for a core, ns; -1 = not measured. */
        public long delayNs;
        /** Times of single invocations, all or drawn from all of them, ns; some 1 000 are enough. */
        public long[] timesNs;
        /** Further metrics by name: letters and digits, more than one. */
        public final Map<String, Long> metrics = new LinkedHashMap<>();
        private double[] sampledNs; // means of batches
        private Iteration() {}
    }

    /**
     * Waits at the barrier and starts the clocks, right before the work of a harness with a loop of its own. False: the
     * benchmark has ended, and no more of its iterations count. Then {@link #end} and {@link #keep}.
     */
    public boolean begin() {
        if (iterations > 0 && index >= iterations) return false;
        Decision decision = barrier();
        if (decision == Decision.STOP) return false;
        now.warmup = decision == Decision.WARMUP || index < warmup;
        if (page != null) store(own + STARTED, (int) (System.nanoTime() / 1_000_000 & 0x7fffffff));
        cpu.start();
        now.startNs = System.nanoTime();
        return true;
    }

    /** Stops the clocks, right after the work: an iteration of one invocation, not yet in the record. */
    public Iteration end() {
        now.endNs = System.nanoTime();
        cpu.stop();
        now.cpuNs = cpu.processNs;
        now.threadNs = cpu.threadNs;
        now.delayNs = cpu.delayNs;
        now.invocations = 1;
        now.timesNs = null;
        now.sampledNs = null;
        now.metrics.clear();
        return now;
    }

    /** Records what {@link #end} gave, before the next barrier. */
    public void keep(Iteration done) {
        begunLine(index++, done.startNs, done.endNs, done.invocations, done.warmup, done.cpuNs, done.threadNs);
        if (done.delayNs >= 0) line.append(",\"q\":").append(done.delayNs);
        done.metrics.forEach((name, value) -> quote(line.append(','), name).append(':').append((long) value));
        if (done.timesNs != null) {
            line.append(",\"d\":[");
            for (int at = 0; at < done.timesNs.length; at++) line.append(at == 0 ? "" : ",").append(done.timesNs[at]);
            line.append(']');
        } else if (done.sampledNs != null) {
            line.append(",\"d\":[");
            for (int at = 0; at < done.sampledNs.length; at++) line.append(at == 0 ? "" : ",").append(done.sampledNs[at]);
            line.append(']');
        }
        endLine();
    }

    /**
     * With DEADHEAT_SAMPLES: as many invocations again as the iteration had, in at most so many batches, each timed as a
     * whole, so that no clock stands in the iteration itself. Gives the mean times of the batches, at least two, of which
     * the iteration's own is one where it had a single invocation.
     */
    private double[] sample(Iteration done, Runnable work) {
        long batch = (done.invocations - 1) / samples + 1;
        double[] times = new double[(int) (done.invocations / batch) + (done.invocations == 1 ? 1 : 0)];
        if (done.invocations == 1) times[0] = done.endNs - done.startNs;
        for (int at = done.invocations == 1 ? 1 : 0; at < times.length; at++) {
            long start = System.nanoTime();
            for (long call = 0; call < batch; call++) work.run();
            times[at] = Math.round(1e3 * (System.nanoTime() - start) / batch) / 1e3;
        }
        return times;
    }

    private void write(ByteBuffer text) {
        try {
            while (record != null && text.hasRemaining()) record.write(text);
        } catch (IOException cause) {
            throw refused("cannot write the record: " + cause, cause);
        }
    }

    /** With DEADHEAT_FILL: goes on working, unmeasured, until the other side has done as many iterations. */
    public void fill(Runnable work) {
        if (page == null || !fills) return;
        int done = load(own + WORK_DONE);
        long start = System.nanoTime();
        while (load(peer + WORK_DONE) - done < 0 && load(POISON) == 0 && System.nanoTime() - start < deadlineNs) {
            work.run();
        }
    }

    /**
     * CPU time of this process and of the thread that made this clock, and waiting for a core, between start and stop. Java tells that of the
     * process in ticks of 10 ms. So it is that of the thread, which Java tells in ns, and that of the other threads, the
     * virtual machine's own too, as the kernel's scheduler counts it: in ns, but for a thread that another core executes
     * at that moment, which may be behind by a tick of the scheduler (1 to 10 ms). Java's ticks are taken where the kernel
     * does not tell, and for an iteration in which threads of the program started or ended: what those used is not seen.
     */
    private static final class CpuClock implements AutoCloseable {
        private static final File TASKS = new File("/proc/self/task");

        private static final class Task {
            private final RandomAccessFile file;
            /** Executed, and ready to run but waiting for a core, ns: now, and when the iteration began. */
            private long usedNs, delayNs, startUsedNs, startDelayNs;
            private Task(String id) throws IOException { file = new RandomAccessFile(TASKS + "/" + id + "/schedstat", "r"); }
        }

        private final Map<String, Task> others = new HashMap<>();
        private final byte[] text = new byte[64];
        private final String self; // "" = the kernel does not tell
        private Task own;
        private long goneNs, othersNs, ticksNs, startedThreads, processNs, threadNs, delayNs;
        private int liveThreads;

        private CpuClock() {
            String id = "";
            try {
                id = Files.readSymbolicLink(Path.of("/proc/thread-self")).getFileName().toString();
                own = new Task(id);
                if (!read(own)) id = "";
            } catch (IOException untold) {
                id = "";
            }
            self = id;
            find();
        }

        private void start() {
            startedThreads = THREADS.getTotalStartedThreadCount();
            liveThreads = THREADS.getThreadCount();
            othersNs = readAll();
            for (Task task : others.values()) begin(task);
            if (own != null) begin(own);
            ticksNs = PROCESS.getProcessCpuTime();
            threadNs = THREADS.getCurrentThreadCpuTime();
        }

        private static void begin(Task task) {
            task.startUsedNs = task.usedNs;
            task.startDelayNs = task.delayNs;
        }

        private void stop() {
            threadNs = THREADS.getCurrentThreadCpuTime() - threadNs;
            ticksNs = PROCESS.getProcessCpuTime() - ticksNs;
            find();
            othersNs = readAll() - othersNs;
            boolean same = startedThreads == THREADS.getTotalStartedThreadCount() && liveThreads == THREADS.getThreadCount();
            processNs = same && !self.isEmpty() ? threadNs + othersNs : ticksNs;
            delayNs = same && !self.isEmpty() && own != null ? delayOfBusiest() : -1;
        }

        private long delayOfBusiest() {
            long delay = own.delayNs - own.startDelayNs, busy = delay + threadNs;
            for (Task task : others.values()) {
                long waited = task.delayNs - task.startDelayNs, all = waited + task.usedNs - task.startUsedNs;
                if (all <= busy) continue;
                busy = all;
                delay = waited;
            }
            return delay;
        }

        /** Opens what tells of threads that are new. */
        private void find() {
            String[] ids = self.isEmpty() ? null : TASKS.list();
            for (String id : ids == null ? new String[0] : ids) {
                if (id.equals(self) || others.containsKey(id)) continue;
                try {
                    others.put(id, new Task(id));
                } catch (IOException gone) {
                    // It ended since it was listed.
                }
            }
        }

        /** Gives the CPU time of the other threads, those that have ended included. */
        private long readAll() {
            long sum = 0;
            for (Iterator<Task> all = others.values().iterator(); all.hasNext();) {
                Task task = all.next();
                try {
                    read(task);
                    sum += task.usedNs;
                } catch (IOException gone) {
                    goneNs += task.usedNs;
                    all.remove();
                }
            }
            try {
                if (own != null) read(own);
            } catch (IOException gone) {
                own = null;
            }
            return goneNs + sum;
        }

        @Override
        public void close() {
            if (own != null) others.put(self, own);
            for (Task task : others.values()) {
                try {
                    task.file.close();
                } catch (IOException closed) {
                    // Nothing was written.
                }
            }
        }

        /** The first two numbers of the file; false if it has none. */
        private boolean read(Task task) throws IOException {
            task.file.seek(0);
            int length = task.file.read(text), at = 0;
            long used = 0, delay = 0;
            for (; at < length && text[at] >= '0'; at++) used = 10 * used + text[at] - '0';
            for (at++; at < length && text[at] >= '0'; at++) delay = 10 * delay + text[at] - '0';
            task.usedNs = used;
            task.delayNs = delay;
            return used > 0;
        }
    }

    /** As the longer one, with one invocation an iteration. */
    public long run(String name, Map<String, String> params, long iterations, Runnable work) {
        return run(name, params, iterations, 1, work);
    }

    /**
     * Barrier, iteration ({@code invocations} calls of {@code work}), record, until the runner says stop or all
     * iterations are done: DEADHEAT_ITERATIONS, else {@code most}, 0 = until the runner says stop. Gives their number.
     */
    public long run(String name, Map<String, String> params, long most, long invocations, Runnable work) {
        long all = iterations > 0 ? iterations : most;
        if (page == null && all <= 0) throw refused("without a runner say how many iterations to do", null);
        benchmark(name, params);
        try {
            while ((all <= 0 || index < all) && begin()) {
                for (long call = 0; call < invocations; call++) work.run();
                end().invocations = invocations;
                if (samples > 0) now.sampledNs = sample(now, work);
                keep(now);
                fill(work);
            }
        } catch (Throwable thrown) {
            failed = true;
            throw thrown;
        }
        return index;
    }

    /** Tells the runner how the side ended. */
    @Override
    public void close() {
        if (page != null) {
            store(own + STATE, failed ? FAILED : FINISHED);
            store(own + PID, 0);
        }
        if (cpu != null) cpu.close();
        try {
            if (record != null) record.close();
        } catch (IOException cause) {
            throw new Refused("cannot close the record: " + cause, cause);
        }
    }
}
