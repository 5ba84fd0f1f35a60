// Six functions, each warm in its own time: how much warm-up does each need, and how many runs are enough?
import { bench, keep } from '@deadheat/harness';

const length = 200;
const numbers = Float64Array.from({ length }, (_, k) => Math.sin(k) * 1000);
const words = Array.from(numbers, (number) => `word ${number.toFixed(3)}`);
const text = JSON.stringify(words);
const table = new Map(words.map((word, place) => [word, place]));
const options = { iterationTime: 5 };

bench('sort', () => keep(Float64Array.from(numbers).sort()), options);
bench('sort by', () => keep([...words].sort((a, b) => b.length - a.length || (a < b ? -1 : 1))), options);
bench('parse', () => keep(JSON.parse(text)), options);
bench('stringify', () => keep(JSON.stringify(words)), options);
bench('match', () => keep(text.match(/-\d+\.\d/g)), options);
bench('look up', () => keep(words.reduce((sum, word) => sum + (table.get(word) ?? 0), 0)), options);
