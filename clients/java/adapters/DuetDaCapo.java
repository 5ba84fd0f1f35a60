// SPDX-License-Identifier: Apache-2.0

import java.util.Map;
import org.dacapo.harness.Callback;
import org.dacapo.harness.CommandLineArgs;

/**
 * Iterations of DaCapo in a duet: {@code java -Ddacapo.callback.classpath=build -cp dacapo.jar Harness -c DuetDaCapo …}. DaCapo 9.12-MR1 and later,
 * whose callbacks are told how long an iteration took; {@code DuetScalaBench} is for those before.
 */
public class DuetDaCapo extends Callback {
    private static final DuetHarness DUET = new DuetHarness();

    public DuetDaCapo(CommandLineArgs args) { super(args); }

    @Override
    public boolean runAgain() { return DUET.again(super.runAgain()); }

    @Override
    public void start(String benchmark) {
        super.start(benchmark);
        DUET.before(benchmark, Map.of());
    }

    @Override
    public void stop(long durationMs) {
        DUET.after();
        super.stop(durationMs);
    }

    @Override
    public void complete(String benchmark, boolean valid) {
        if (valid) DUET.keep();
        else DUET.fail();
        super.complete(benchmark, valid);
    }
}
