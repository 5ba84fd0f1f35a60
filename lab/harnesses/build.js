// Builds real harnesses of Java from clones of their repositories, each with one small benchmark, for the tests that DEADHEAT_HARNESSES leads to
// them: node lab/harnesses/build.js CLONES FOLDER [HARNESS ...]. README.md lists the clones and the packages of Debian that are needed.
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const libraries = '/usr/share/java';
const toys = join(import.meta.dirname, 'toys');
const harnesses = {
  jmh: () => buildJmh('jmh', { ref: 'HEAD', needs: ['joptsimple', 'commons-math3'] }),
  'jmh-reconfigure': () =>
    buildJmh('jmh-reconfigure', {
      ref: 'HEAD',
      needs: ['commons-math3', 'commons-io', 'commons-lang3', 'slf4j-api'],
      beside: [
        join(take('smile', 'v1.5.3', ['math/src/main/java']), 'math/src/main/java'),
        join(take('jopt-simple', 'jopt-simple-4.6', ['src/main/java']), 'src/main/java'),
      ],
    }),
  'dacapo-9.12': () =>
    buildDaCapo('dacapo-9.12', {
      ref: 'v9.12-bach',
      toy: 'bach',
      inside: '.',
      main: 'benchmarks/harness/src/Harness.java',
    }),
  'dacapo-9.12-MR1': () => buildDaCapo('dacapo-9.12-MR1', { ref: 'v9.12-MR1-bach', toy: 'bach', inside: 'harness' }),
  'dacapo-chopin': () =>
    buildDaCapo('dacapo-chopin', {
      ref: 'v23.11-MR1-chopin',
      toy: 'chopin',
      inside: '.',
      needs: ['jaxb-api', 'javax.activation', 'hdrhistogram'],
    }),
  renaissance: () => buildRenaissance('v0.11.0'),
};

const [clones, output, ...asked] = process.argv.slice(2).map((word, index) => (index < 2 ? resolve(word) : word));
const unknown = asked.find((name) => !Object.hasOwn(harnesses, name));
if (output === undefined || unknown !== undefined) {
  if (unknown !== undefined) console.error(`There is no harness ${unknown}.`);
  console.error(`usage: node lab/harnesses/build.js CLONES FOLDER [${Object.keys(harnesses).join('|')} ...]`);
  process.exit(2);
}
const work = mkdtempSync(join(tmpdir(), 'deadheat-harnesses-'));
let leftOut = 0;
try {
  for (const name of asked.length > 0 ? asked : Object.keys(harnesses)) {
    try {
      console.log(`${name}: ${harnesses[name]()}`);
    } catch (error) {
      leftOut++;
      console.error(`${name}: left out, ${String(error.stderr ?? '').trim() || error.message}`);
    }
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
process.exitCode = leftOut > 0 ? 1 : 0;

/** JMH with its generator of benchmarks, and a jar of the toy as a build of Maven makes it. */
function buildJmh(name, { ref, needs, beside = [] }) {
  const modules = ['jmh-core', 'jmh-generator-annprocess'].map((module) => `${module}/src/main`);
  const source = take(name, ref, modules);
  const classes = unpack(needs);
  for (const main of modules) cpSync(join(source, main, 'resources'), classes, { recursive: true });
  writeFileSync(join(classes, 'jmh.properties'), `jmh.version=${ref}\njmh.buildDate=unknown\njmh.buildTime=unknown\n`);
  javac(
    modules.map((main) => join(source, main, 'java')),
    { to: classes, options: ['-proc:none'], beside },
  );
  const manifest = { 'Main-Class': 'org.openjdk.jmh.Main' };
  jar(join(output, name, 'jmh.jar'), { classes, manifest });
  javac([join(toys, 'jmh'), join(toys, 'Work.java')], {
    to: classes,
    classPath: classes,
    options: ['-processor', 'org.openjdk.jmh.generators.BenchmarkProcessor'],
  });
  return jar(join(output, name, 'benchmarks.jar'), { classes, manifest });
}

/** DaCapo's harness. The classes of 9.12-MR1 lie in a folder inside the jar, from where `Harness` loads them. */
function buildDaCapo(name, { ref, toy, inside, main = 'benchmarks/src', needs = [] }) {
  const source = take('dacapobench', ref, ['benchmarks/harness/src', main]);
  const classes = folderFor('jar');
  const own = join(classes, inside);
  unpack(['commons-cli', ...needs], own);
  const parsers = join(source, 'benchmarks/harness/src/org/dacapo/parser');
  execFileSync('javacc', [`-OUTPUT_DIRECTORY=${parsers}`, join(parsers, 'ConfigFile.jj')], { stdio: 'pipe' });
  // The recorder of allocations needs an agent of its own, and is no part of the timed path.
  rmSync(join(source, 'benchmarks/harness/src/org/dacapo/analysis'), { recursive: true, force: true });
  for (const file of ['MMTkCallback', 'MMTkHarness']) rmSync(join(source, `benchmarks/harness/src/${file}.java`));
  const toyClasses = [join(toys, 'dacapo', toy), join(toys, 'Work.java')];
  javac([join(source, 'benchmarks/harness/src'), ...toyClasses], { to: own });
  javac([join(source, main)], { to: classes, classPath: own });
  const meta = toy === 'chopin' ? join(classes, 'META-INF') : classes;
  for (const folder of ['cnf', 'md5', 'yml']) mkdirSync(join(meta, folder), { recursive: true });
  copyFileSync(join(toys, 'dacapo/toy.cnf'), join(meta, 'cnf/toy.cnf'));
  for (const empty of ['md5/toy.MD5', 'yml/toy.yml']) writeFileSync(join(meta, empty), '');
  // The folder of data of the version Chopin, which it looks for beside the jar.
  mkdirSync(join(output, name, 'dacapo'), { recursive: true });
  writeFileSync(join(output, name, 'dacapo/none'), '');
  const manifest = { 'Main-Class': 'Harness', 'Specification-Version': 'deadheat', 'Implementation-Version': ref };
  return jar(join(output, name, 'dacapo.jar'), { classes, manifest });
}

/** All of Renaissance's core and harness. The compiler is Debian's, of Scala 2.11, which newer versions of the harness are not written for. */
function buildRenaissance(ref) {
  const source = take('renaissance', ref, ['renaissance-core/src/main', 'renaissance-harness/src/main']);
  const scopt = take('scopt', 'v3.7.1', ['jvm/src/main', 'shared/src/main']);
  const json = take('spray-json', 'v1.3.5', ['src/main/scala']);
  // Its formats of case classes come from a template of sbt; the harness writes none.
  const formats =
    'package spray.json\ntrait ProductFormatsInstances { self: ProductFormats with StandardFormats => }\n';
  writeFileSync(join(json, 'ProductFormatsInstances.scala'), formats);
  const core = folderFor('core');
  javac([join(source, 'renaissance-core')], { to: core });
  const harness = unpack(['commons-io', 'scala-library']);
  const sources = filesBelow([scopt, json, join(source, 'renaissance-harness')], /\.(?:scala|java)$/);
  const classPath = [core, harness].join(':');
  execFileSync('scalac', ['-nowarn', '-Xexperimental', '-cp', classPath, '-d', harness, ...sources], { stdio: 'pipe' });
  javac([join(source, 'renaissance-harness')], { to: harness, classPath });
  const toy = folderFor('toy');
  javac([join(toys, 'renaissance'), join(toys, 'Work.java')], { to: toy, classPath: core });
  jar(join(core, 'harness.jar'), { classes: harness });
  jar(join(core, 'toy.jar'), { classes: toy });
  writeFileSync(join(core, 'groups-jars.txt'), 'renaissance-harness=harness.jar\ntoy=toy.jar\n');
  copyFileSync(join(toys, 'renaissance/benchmark-details.properties'), join(core, 'benchmark-details.properties'));
  const manifest = { 'Main-Class': 'org.renaissance.core.Launcher', 'Specification-Title': 'Renaissance' };
  return jar(join(output, 'renaissance/renaissance.jar'), {
    classes: core,
    manifest: { ...manifest, 'Implementation-Version': ref },
  });
}

/** The folders of a clone at a commit, without a change of the clone, which may be bare. */
function take(name, ref, folders) {
  const clone = join(clones, name);
  if (!existsSync(clone)) throw new Error(`there is no clone ${clone}`);
  const to = folderFor(name);
  const archive = join(to, 'archive.tar');
  execFileSync('git', ['-C', clone, 'archive', `--output=${archive}`, ref, '--', ...folders], { stdio: 'pipe' });
  execFileSync('tar', ['-xf', archive, '-C', to], { stdio: 'pipe' });
  rmSync(archive);
  return to;
}

/** The classes of Debian's libraries in one folder. */
function unpack(needs, to = folderFor('classes')) {
  mkdirSync(to, { recursive: true });
  for (const library of needs) {
    const file = join(libraries, `${library}.jar`);
    if (!existsSync(file)) throw new Error(`there is no ${file}`);
    execFileSync('jar', ['-xf', file], { cwd: to, stdio: 'pipe' });
  }
  for (const name of ['META-INF', 'module-info.class']) rmSync(join(to, name), { recursive: true, force: true });
  return to;
}

function javac(places, { to, classPath = to, options = [], beside = [] }) {
  const list = join(work, 'files');
  writeFileSync(
    list,
    filesBelow(places, /\.java$/)
      .map((file) => `"${file}"`)
      .join('\n'),
  );
  const path = ['-sourcepath', beside.join(':'), '-cp', classPath];
  execFileSync('javac', ['-nowarn', ...path, ...options, '-d', to, `@${list}`], { stdio: 'pipe' });
}

function filesBelow(places, pattern) {
  return places.flatMap((place) => {
    if (pattern.test(place)) return [place];
    const files = readdirSync(place, { recursive: true, encoding: 'utf8' });
    return files.filter((file) => pattern.test(file)).map((file) => join(place, file));
  });
}

function jar(file, { classes, manifest = {} }) {
  mkdirSync(dirname(file), { recursive: true });
  const lines = join(work, 'manifest');
  writeFileSync(
    lines,
    Object.entries(manifest)
      .map(([key, value]) => `${key}: ${value}\n`)
      .join(''),
  );
  execFileSync('jar', ['-cfm', file, lines, '-C', classes, '.'], { stdio: 'pipe' });
  return file;
}

function folderFor(name) {
  return mkdtempSync(join(work, `${name}-`));
}
