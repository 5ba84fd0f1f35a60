// Counts words of an artificial text; `--slow` makes one function, hashOf, do a quarter more work.
const isSlow = process.argv.includes('--slow');
const repeats = Number(process.argv.find((word) => /^\d+$/.test(word)) ?? 14);

function makeText(seed) {
  let state = seed;
  const words = [];
  for (let i = 0; i < 40_000; i++) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    words.push('w' + (state % 5000).toString(36));
  }
  return words;
}

function hashOf(words) {
  const rounds = isSlow ? 560 : 448;
  let hash = 2166136261;
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < words.length; i += 8) hash = Math.imul(hash ^ words[i].charCodeAt(1), 16777619);
  }
  return hash >>> 0;
}

function countWords(words) {
  const counts = new Map();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

function rank(counts) {
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, 10);
}

function mix(words) {
  let sum = 0;
  for (let round = 0; round < 14; round++) {
    for (const word of words) sum = (sum + word.length * round) | 0;
  }
  return sum;
}

let result = 0;
for (let i = 0; i < repeats; i++) {
  const words = makeText(i + 1);
  result ^= hashOf(words) ^ mix(words) ^ rank(countWords(words)).length;
}
console.log(result);
