// Reads the series of one benchmark several times, each time as a new history; prints how long each took. Usage: series.js PLACE ROUNDS
import { openHistory } from '@deadheat/history';

const [, , place, rounds] = process.argv;
const times = [];
let points = 0;
for (let round = 0; round < Number(rounds); round++) {
  const began = performance.now();
  const history = await openHistory(place, { forWriting: false, variables: process.env });
  points = (await history.series({ benchmark: 'benchmark 0' })).length;
  await history.close();
  times.push(performance.now() - began);
}
console.log(JSON.stringify({ times, points }));
