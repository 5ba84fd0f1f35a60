// What the simulated machines and programs of `truth` do: the logarithm of the time that a side takes in a run.

/** Standard deviation of a side's log time where a shape does not say another one: 1 %. */
const spread = 0.01;

const normalSides = (random, deviation = spread) => ({
  A: deviation * random.normal(),
  B: deviation * random.normal(),
});

/** The logarithm of what a spike multiplies a time by: 20 to 50 % longer. */
const spike = (random) => Math.log(1.2 + 0.3 * random.next());
const spikeOdds = 1 / 20;

/** Student's t with 3 degrees of freedom, of standard deviation 1. */
function studentOfThree(random) {
  const squares = Array.from({ length: 3 }, () => random.normal() ** 2);
  return random.normal() / Math.sqrt(squares[0] + squares[1] + squares[2]);
}

/** A series of standard deviation 1 whose successive values correlate. */
function autoregressive(length, { correlation, random }) {
  const series = new Float64Array(length);
  for (let k = 0; k < length; k++) {
    const own = random.normal();
    series[k] = k === 0 ? own : correlation * series[k - 1] + Math.sqrt(1 - correlation * correlation) * own;
  }
  return series;
}

/**
 * By name, a share of the runs of B and how much longer they take, and the change of all others: the typical run is faster and the total time
 * longer.
 */
const mixtures = {
  'a tenth threefold': { share: 0.1, slow: 3, typical: 0.9 },
  'a twentieth threefold': { share: 0.05, slow: 3, typical: 0.9 },
  'a fifth threefold': { share: 0.2, slow: 3, typical: 0.9 },
  'a tenth fourfold': { share: 0.1, slow: 4, typical: 0.8 },
  'a tenth twofold': { share: 0.1, slow: 2, typical: 0.95 },
  'a twentieth twofold': { share: 0.05, slow: 2, typical: 0.98 },
  'a tenth by half': { share: 0.1, slow: 1.5, typical: 0.97 },
  'a tenth by a third': { share: 0.1, slow: 1.33, typical: 0.99 },
};

const mixtureShapes = Object.fromEntries(
  Object.entries(mixtures).map(([name, { share, slow, typical }]) => {
    const total = share * slow + (1 - share) * typical;
    return [
      name,
      {
        told: `As normal; B takes ${Math.round(100 * (1 - typical))} % less, and in ${100 * share} % of its runs ${slow} times as long: in sum ${(100 * (total - 1)).toFixed(1)} % more.`,
        truth: [typical, total],
        differs: true,
        isMixture: true,
        sides: (random) => () => {
          const times = normalSides(random);
          times.B += Math.log(random.next() < share ? slow : typical);
          return times;
        },
      },
    ];
  }),
);

/** Levels wander by 5 %; those of successive runs, which are two moments apart, correlate by 0.9. */
const wandering = (moments, random) =>
  autoregressive(moments, { correlation: Math.sqrt(0.9), random }).map((level) => 0.05 * level);

/** As normal, with a correlation of what a run adds to a side with what the run before it added. */
function ofNeighbours(correlation) {
  return {
    told: `As normal; what a run adds to a side correlates by ${correlation} with what the run before it added, so that the ratios of successive runs do.`,
    truth: [1, 1],
    sides: (random) => {
      let last = null;
      const own = Math.sqrt(1 - correlation ** 2);
      const next = (before) =>
        spread * (before === null ? random.normal() : correlation * (before / spread) + own * random.normal());
      return () => (last = { A: next(last?.A ?? null), B: next(last?.B ?? null) });
    },
  };
}

/**
 * By name, what the documentation says of a shape and how it is drawn. A run has two moments, of which methods that execute both sides
 * at the same time use the first alone.
 *
 * - `truth`: the true ratio B / A of equal commands, as the least and the largest of what may be meant: the ratio of typical runs and that of
 *   means, which are the same but for programs whose times are not distributed alike.
 * - `machine(moments, random)`: the level of the whole machine at every moment, absent = 0.
 * - `core(moments, random, cpu)`: the same of one core.
 * - `sides(random)`: makes a function that draws what every run adds to either side.
 */
export const shapes = {
  normal: {
    told: 'Normal log times, 1 % a side.',
    truth: [1, 1],
    sides: (random) => () => normalSides(random),
  },
  spikes: {
    told: 'As normal; in a twentieth of the runs one side, drawn by lot, takes 20 to 50 % longer.',
    truth: [1, 1],
    sides: (random) => () => {
      const times = normalSides(random);
      if (random.next() < spikeOdds) times[random.int(2) === 0 ? 'A' : 'B'] += spike(random);
      return times;
    },
  },
  t3: {
    told: 'Log times have tails of Student’s t with 3 degrees of freedom, 1 % a side.',
    truth: [1, 1],
    sides: (random) => () => ({ A: spread * studentOfThree(random), B: spread * studentOfThree(random) }),
  },
  'layout-modes': {
    told: 'Every execution of either side draws one of two memory layouts; that of 3 in 10 takes 4 % longer. Beside that 0.5 %.',
    truth: [1, 1],
    sides: (random) => () => {
      const times = normalSides(random, spread / 2);
      for (const side of ['A', 'B']) if (random.next() < 0.3) times[side] += Math.log(1.04);
      return times;
    },
  },
  'unequal-cores': {
    told: 'As normal; on the second core everything takes 20 % longer.',
    truth: [1, 1],
    core: (moments, _random, cpu) => new Float64Array(moments).fill(cpu === 1 ? Math.log(1.2) : 0),
    sides: (random) => () => normalSides(random),
  },
  'unequal-spreads': {
    told: 'Normal log times, 0.5 % for A and 1.5 % for B.',
    // The mean of a lognormal time is exp(s^2 / 2) times its median.
    truth: [1, Math.exp((0.015 ** 2 - 0.005 ** 2) / 2)],
    sides: (random) => () => ({ A: 0.005 * random.normal(), B: 0.015 * random.normal() }),
  },
  'shared-ar': {
    told: 'As normal; the level of the machine wanders by 5 %, successive runs correlate by 0.9.',
    truth: [1, 1],
    machine: wandering,
    sides: (random) => () => normalSides(random),
  },
  'cores-ar': {
    told: 'As normal; each core has a level of its own that wanders by 5 %, successive runs correlate by 0.9.',
    truth: [1, 1],
    core: wandering,
    sides: (random) => () => normalSides(random),
  },
  drift: {
    told: 'As normal; the machine becomes 10 % slower from the first run to the last.',
    truth: [1, 1],
    machine: (moments) => Float64Array.from({ length: moments }, (_, k) => Math.log1p((0.1 * k) / (moments - 1))),
    sides: (random) => () => normalSides(random),
  },
  neighbours: ofNeighbours(0.2),
  'neighbours-half': ofNeighbours(0.5),
  'neighbours-most': ofNeighbours(0.9),
  'slow-now-and-then': {
    told: 'As normal; B alone takes 30 % longer in a tenth of its runs: the typical run is as fast as one of A, the mean 3 % slower.',
    truth: [1, 1.03],
    differs: true,
    sides: (random) => () => {
      const times = normalSides(random);
      if (random.next() < 0.1) times.B += Math.log(1.3);
      return times;
    },
  },
  ...mixtureShapes,
};
