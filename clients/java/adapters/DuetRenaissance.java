// SPDX-License-Identifier: Apache-2.0

import java.util.LinkedHashMap;
import java.util.Map;
import org.renaissance.Plugin;

/**
 * Operations of Renaissance in a duet: {@code java -jar renaissance.jar --policy build!DuetRenaissance …}, where the runner
 * says how many, or {@code --plugin build!DuetRenaissance -r 100}. Renaissance 0.11 or later. Measurements that other
 * plugins have told by then, such as counters of the hardware, are further metrics: name this plugin last.
 */
public class DuetRenaissance
        implements Plugin.AfterOperationSetUpListener,
                Plugin.BeforeOperationTearDownListener,
                Plugin.MeasurementResultListener,
                Plugin.MeasurementResultPublisher,
                Plugin.BenchmarkFailureListener,
                Plugin.BeforeHarnessShutdownListener,
                Plugin.ExecutionPolicy {
    private final DuetHarness duet = new DuetHarness();
    private final Map<String, Long> measured = new LinkedHashMap<>();

    @Override
    public boolean canExecute(String benchmark, int index) {
        if (DuetHarness.ITERATIONS.isEmpty()) {
            throw new IllegalStateException("deadheat: as a policy this needs DEADHEAT_ITERATIONS; or give --plugin and -r");
        }
        return index == 0 || duet.again(true);
    }

    @Override
    public boolean isLast(String benchmark, int index) { return false; }

    @Override
    public void afterOperationSetUp(String benchmark, int index, boolean isLast) {
        measured.clear();
        duet.before(benchmark, Map.of());
    }

    @Override
    public void beforeOperationTearDown(String benchmark, int index, long durationNs) { duet.after(); }

    /** Of a valid operation alone. Its uptime and duration are in the record already. */
    @Override
    public void onMeasurementResult(String benchmark, String metric, long value) {
        if (!metric.equals("uptime_ns") && !metric.equals("duration_ns") && metric.length() > 1) measured.put(metric, value);
    }

    @Override
    public void onMeasurementResultsRequested(String benchmark, int index, Plugin.MeasurementResultListener dispatcher) {
        if (duet.ended() != null) duet.ended().metrics.putAll(measured);
        duet.keep();
    }

    @Override
    public void onBenchmarkFailure(String benchmark) { duet.fail(); }

    @Override
    public void beforeHarnessShutdown() { duet.close(); }
}
