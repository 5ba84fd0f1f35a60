// SPDX-License-Identifier: Apache-2.0
package org.dacapo.harness;

import java.io.File;
import org.dacapo.parser.Config;
import toy.Work;

public class Toy extends Benchmark {
    public Toy(Config config, File scratch, File data) throws Exception { super(config, scratch, data); }

    @Override
    protected void prepare() {}

    @Override
    public void iterate(String size) { System.out.println(Work.sort(1)); }
}
