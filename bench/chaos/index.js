// What is left of experiments whose processes are killed, stopped and interrupted:
// npm run bench -- chaos [experiments] [seed] [kind], of itself as many as fit into ten minutes.
import { killExperiment, kinds, raceNamespaces, workloadNames } from '../lib/kills.js';
import { printMachine, printTable } from '../lib/tools.js';

const longestMs = 10 * 60_000;

export async function run([count = '1000', seed = 'chaos', only]) {
  printMachine();
  const names = Object.keys(kinds).filter((kind) => only === undefined || kind === only);
  const found = [];
  const began = performance.now();
  for (let number = 0; number < Number(count); number++) {
    if (names.length === 0 || performance.now() - began > longestMs) break;
    const kind = names[number % names.length];
    const workload = workloadNames[Math.floor(number / names.length) % workloadNames.length];
    const one = await killExperiment({ kind, workload, seed: `${seed}-${number}` });
    found.push(one);
    const wrong = [
      ...(one.exact ? [] : ['not exact']),
      ...(one.hang ? ['hang'] : []),
      ...(one.late ? ['late'] : []),
      ...one.files,
      ...one.processes.map(({ pid, command }) => `${pid} ${command}`),
    ];
    if (wrong.length > 0)
      console.log(`${one.seed} ${kind}, ${workload}: ${wrong.join(', ')} (${one.status})\n${one.log}`);
  }
  const races = [];
  const racesWanted = only === undefined || only === 'races' ? Number(count) / 4 : 0;
  for (let number = 0; number < racesWanted; number++) {
    const race = await raceNamespaces({ seed: `${seed}-${number}` });
    if (race === null) break;
    races.push(race);
  }
  const sum = (items, of) => items.reduce((total, one) => total + Number(of(one)), 0);
  const row = (name, items) => [
    name,
    items.length,
    sum(items, ({ hit }) => hit),
    sum(items, ({ exact }) => exact),
    sum(items, ({ hang }) => hang),
    sum(items, ({ late }) => late),
    sum(items, ({ files }) => files.length),
    sum(items, ({ processes }) => processes.length),
    `${(Math.max(0, ...items.map(({ endedMs }) => endedMs)) / 1000).toFixed(1)} s`,
  ];
  console.log('');
  printTable(
    ['kind', 'experiments', 'hit', 'exact', 'hangs', 'later than 2 s', 'files left', 'processes left', 'longest end'],
    [
      ...names.map((kind) =>
        row(
          kind,
          found.filter((one) => one.kind === kind),
        ),
      ),
      row('all', found),
    ],
  );
  const racesThat = (of) => races.filter(of).length;
  console.log(
    `\nTwo PID namespaces, one recording: ${races.length} races, ${racesThat(({ raced }) => raced)} while the first wrote; ` +
      `${racesThat(({ refused }) => !refused)} taken over, ${racesThat(({ exact }) => !exact)} damaged.`,
  );
}
