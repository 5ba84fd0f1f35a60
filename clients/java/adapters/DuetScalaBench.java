// SPDX-License-Identifier: Apache-2.0

import java.util.Map;
import org.dacapo.harness.Callback;
import org.dacapo.harness.CommandLineArgs;

/**
 * Iterations of ScalaBench 0.1 and of DaCapo 9.12, whose callbacks take the time themselves, in a duet:
 * {@code java -Ddacapo.callback.classpath=build -cp scala-benchmark-suite.jar Harness -c DuetScalaBench …}.
 */
public class DuetScalaBench extends Callback {
    private static final DuetHarness DUET = new DuetHarness();

    public DuetScalaBench(CommandLineArgs args) { super(args); }

    @Override
    public boolean runAgain() { return DUET.again(super.runAgain()); }

    @Override
    public void start(String benchmark) {
        super.start(benchmark);
        DUET.before(benchmark, Map.of());
    }

    @Override
    public void stop() {
        DUET.after();
        super.stop();
    }

    @Override
    public void complete(String benchmark, boolean valid) {
        if (valid) DUET.keep();
        else DUET.fail();
        super.complete(benchmark, valid);
    }
}
