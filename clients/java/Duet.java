// SPDX-License-Identifier: Apache-2.0

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;

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

        Refused(String message, Throwable cause) {
            super("deadheat: " + message, cause);
        }
    }

    private static final int MAGIC = 0x47504844, VERSION = 1, PAGE_BYTES = 4096;
    // Bytes on the page: docs/formats/protocol.md. LINE is the length of a side's line.
    private static final int LINE = 64, CURSOR = 0, STATE = 4, WORK_DONE = 8, PID = 12, DECISION = 16, STARTED = 24;
    private static final int RUNNER_DECISION = 196, POISON = 200;
    private static final int RUNNING = 1, FINISHED = 2, FAILED = 3;

    private static final VarHandle WORD = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());
    private static final Decision[] DECISIONS = Decision.values();

    private final MappedByteBuffer page; // null = alone
    private final FileChannel record; // null = nothing is recorded
    private final int own;
    private final int peer;
    private final long deadlineNs;
    private final StringBuilder line = new StringBuilder(256);
    private final ByteBuffer bytes = ByteBuffer.allocateDirect(256);
    private boolean failed;

    private Duet(MappedByteBuffer page, FileChannel record, int party, long deadlineNs) {
        this.page = page;
        this.record = record;
        this.own = LINE * (1 + party);
        this.peer = LINE * (2 - party);
        this.deadlineNs = deadlineNs;
    }

    /** As {@link #open(long)}, with 30 seconds. */
    public static Duet open() {
        return open(30_000_000_000L);
    }

    /** Reads the environment. {@code deadlineNs}: how long to wait for the other side at most. */
    public static Duet open(long deadlineNs) {
        String path = System.getenv("DEADHEAT_PAGE");
        MappedByteBuffer page = null;
        int party = 0;
        if (path != null && !path.isEmpty()) {
            String side = System.getenv("DEADHEAT_SIDE");
            if (!"A".equals(side) && !"B".equals(side)) {
                throw new Refused("DEADHEAT_SIDE is '" + (side == null ? "" : side) + "'; A or B expected", null);
            }
            party = side.charAt(0) - 'A';
            page = map(path);
            WORD.setRelease(page, LINE * (1 + party) + PID, (int) ProcessHandle.current().pid());
            WORD.setRelease(page, LINE * (1 + party) + STATE, RUNNING);
        }
        String file = System.getenv("DEADHEAT_RECORD");
        FileChannel record = null;
        if (file != null && !file.isEmpty()) {
            try {
                record = FileChannel.open(Path.of(file), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            } catch (IOException cause) {
                if (page != null) WORD.setRelease(page, LINE * (1 + party) + STATE, FAILED);
                throw new Refused("cannot open the record " + file + ": " + cause, cause);
            }
        }
        return new Duet(page, record, party, deadlineNs);
    }

    private static MappedByteBuffer map(String path) {
        MappedByteBuffer page;
        try (FileChannel file = FileChannel.open(Path.of(path), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            if (file.size() < PAGE_BYTES) {
                String size = file.size() + " bytes instead of " + PAGE_BYTES;
                throw new Refused(path + " is not a shared page: " + size, null);
            }
            page = file.map(FileChannel.MapMode.READ_WRITE, 0, PAGE_BYTES);
        } catch (IOException cause) {
            throw new Refused("cannot open the shared page " + path + ": " + cause, cause);
        }
        int magic = (int) WORD.getAcquire(page, 0);
        int version = (int) WORD.getAcquire(page, 4);
        if (magic != MAGIC) {
            String numbers = String.format("magic 0x%08x, not 0x%08x", magic, MAGIC);
            throw new Refused(path + " is not a shared page: " + numbers, null);
        }
        if (version != VERSION) {
            throw new Refused(path + " is a page of version " + version + "; this client knows version " + VERSION
                    + ". Use the same release of deadheat and of its client.", null);
        }
        return page;
    }

    private int load(int offset) {
        return (int) WORD.getAcquire(page, offset);
    }

    private void store(int offset, int value) {
        WORD.setRelease(page, offset, value);
    }

    private Refused fail(String message, Throwable cause) {
        failed = true;
        return new Refused(message, cause);
    }

    /** Arrives and waits for the other side: what to do next. Alone: {@code MEASURE}, at once. */
    public Decision barrier() {
        if (page == null) return Decision.MEASURE;
        int barrier = load(own + CURSOR) + 1;
        int slot = LINE + DECISION + 4 * (barrier & 1);
        long start = System.nanoTime();
        if (own == LINE) store(slot, load(RUNNER_DECISION));
        store(own + CURSOR, barrier);
        for (int loads = 1; load(peer + CURSOR) - barrier < 0; loads++) {
            int poison = load(POISON);
            if (poison != 0) {
                String lost = "the other side is lost: it ended before the barrier";
                throw fail(poison == 1 ? lost : "the run was called off", null);
            }
            if (loads % 256 == 0 && System.nanoTime() - start > deadlineNs) {
                throw fail("the other side did not reach barrier " + barrier + " within "
                        + deadlineNs / 1_000_000 + " ms", null);
            }
            Thread.onSpinWait();
        }
        return DECISIONS[load(slot)];
    }

    /** Starts a benchmark in the record. */
    public void benchmark(String name, Map<String, String> params) {
        line.setLength(0);
        line.append("{\"deadheat\":").append(VERSION).append(",\"benchmark\":");
        quote(name);
        line.append(",\"params\":{");
        String comma = "";
        for (Map.Entry<String, String> param : params.entrySet()) {
            line.append(comma);
            quote(param.getKey());
            line.append(':');
            quote(param.getValue());
            comma = ",";
        }
        line.append("}}\n");
        write(ByteBuffer.wrap(line.toString().getBytes(StandardCharsets.UTF_8)));
    }

    private void quote(String text) {
        line.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ') {
                line.append(String.format("\\u%04x", (int) c));
            } else {
                if (c == '"' || c == '\\') line.append('\\');
                line.append(c);
            }
        }
        line.append('"');
    }

    /** Records a finished iteration (index from 0, start, end, invocations); before the next barrier. */
    public void record(long i, long s, long e, long n, boolean warmup) {
        if (page != null) store(own + WORK_DONE, load(own + WORK_DONE) + 1);
        line.setLength(0);
        line.append("{\"i\":").append(i).append(",\"s\":").append(s).append(",\"e\":").append(e);
        line.append(",\"n\":").append(n).append(warmup ? ",\"p\":\"warmup\"}\n" : "}\n");
        bytes.clear();
        for (int at = 0; at < line.length(); at++) bytes.put((byte) line.charAt(at));
        write(bytes.flip());
    }

    private void write(ByteBuffer text) {
        try {
            while (record != null && text.hasRemaining()) record.write(text);
        } catch (IOException cause) {
            throw fail("cannot write the record: " + cause, cause);
        }
    }

    /**
     * Barrier, iteration (one call of {@code work}), record, until the runner says stop or {@code iterations} are done
     * (0: until it says so). Gives the number of iterations.
     */
    public long run(String name, Map<String, String> params, long iterations, Runnable work) {
        if (page == null && iterations <= 0) {
            throw fail("without a runner the number of iterations must be given", null);
        }
        benchmark(name, params);
        long i = 0;
        for (; iterations <= 0 || i < iterations; i++) {
            Decision decision = barrier();
            if (decision == Decision.STOP) break;
            if (page != null) store(own + STARTED, (int) (System.nanoTime() / 1_000_000 & 0x7fffffff));
            long start = System.nanoTime();
            try {
                work.run();
            } catch (Throwable thrown) {
                failed = true;
                throw thrown;
            }
            record(i, start, System.nanoTime(), 1, decision == Decision.WARMUP);
        }
        return i;
    }

    /** Tells the runner how the side ended. */
    @Override
    public void close() {
        if (page != null) {
            store(own + STATE, failed ? FAILED : FINISHED);
            store(own + PID, 0);
        }
        try {
            if (record != null) record.close();
        } catch (IOException cause) {
            throw new Refused("cannot close the record: " + cause, cause);
        }
    }
}
