// What is left of experiments whose processes are killed, stopped and interrupted:
// npm run bench -- chaos [experiments] [seed] [kind,kind] [minutes], three at a time, of itself as many as fit into ten minutes;
// the kind `races` has two PID namespaces write one recording, a quarter as many as experiments where all kinds are asked for.
import { killExperiment, kinds, raceNamespaces, workloadNames } from '../lib/kills.js';
import { printMachine, printTable } from '../lib/tools.js';

const atOnce = 3;

export async function run([count = '1000', seed = 'chaos', only = '', minutes = '10']) {
  printMachine();
  const asked = only.split(',').filter(Boolean);
  const names = Object.keys(kinds).filter((kind) => asked.length === 0 || asked.includes(kind));
  const found = [];
  const end = performance.now() + Number(minutes) * 60_000;
  /** Numbers from 0 on, by several workers, until time is over. */
  async function inLanes(most, work) {
    let next = 0;
    const lane = async () => {
      while (next < most && performance.now() < end) await work(next++);
    };
    await Promise.all(Array.from({ length: atOnce }, lane));
  }
  await inLanes(names.length === 0 ? 0 : Number(count), async (number) => {
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
  });
  const races = [];
  const racesWanted = asked.includes('races') ? Number(count) : asked.length === 0 ? Number(count) / 4 : 0;
  let mayRace = true;
  await inLanes(racesWanted, async (number) => {
    const race = mayRace ? await raceNamespaces({ seed: `${seed}-${number}` }) : null;
    mayRace &&= race !== null;
    if (race !== null) races.push(race);
  });
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
