/** The rules of ARCHITECTURE.md: which room may import which. Data flows one way. */

const houses = {
  core: [
    'stats',
    'model',
    'analysis',
    'recording',
    'sync',
    'harness',
    'vitest',
    'readers',
    'engine',
    'profiles',
    'explain',
    'versions',
    'workloads',
    'report',
    'deadheat',
    'cli',
    'mcp',
  ],
  track: ['history', 'fleet', 'dashboard', 'watch', 'track'],
  lab: ['lab'],
};
const packages = Object.values(houses).flat();
const houseOf = (name) => Object.keys(houses).find((house) => houses[house].includes(name));

/** A package may import its own files, the named packages' public faces, and the named libraries. */
function room(name, { packages: allowed = [], libraries = [], node = false, why }) {
  const others = packages.filter((other) => other !== name && !allowed.includes(other));
  const rules = [];
  if (others.length > 0) {
    rules.push({
      name: `${name}-imports-only-${allowed.join('-') || 'itself'}`,
      comment: why,
      severity: 'error',
      from: { path: `^${houseOf(name)}/${name}/src` },
      to: { path: `^(core|track|lab)/(${others.join('|')})/` },
    });
  }
  rules.push({
    name: `${name}-libraries`,
    comment: `${name} may use ${libraries.length === 0 ? 'no library' : libraries.join(', ')}; a new one needs a line here.`,
    severity: 'error',
    from: { path: `^${houseOf(name)}/${name}/src` },
    to: { path: 'node_modules/', pathNot: `node_modules/(@deadheat/|${[...libraries, '@types/'].join('|')})` },
  });
  if (!node) {
    rules.push({
      name: `${name}-is-pure`,
      comment: `${name} does no I/O and reads no clock: it gives the same result on every machine, also in a browser.`,
      severity: 'error',
      from: { path: `^${houseOf(name)}/${name}/src` },
      to: { dependencyTypes: ['core'] },
    });
  }
  return rules;
}

/**
 * The rooms of the engine and the rooms that each may import. The first three know nothing of each other; `experiment/` is
 * where they meet.
 */
const engineRooms = Object.entries({
  plan: [],
  run: [],
  host: [],
  recorded: ['plan', 'host'],
  experiment: ['plan', 'run', 'host', 'recorded'],
}).map(([from, allowed], _, all) => ({
  name: `engine-${from}-imports-only-${allowed.join('-') || 'itself'}`,
  comment: 'A room of the engine knows only the rooms below it.',
  severity: 'error',
  from: { path: `^core/engine/src/${from}/` },
  to: {
    path: `^core/engine/src/(${all
      .map(([to]) => to)
      .filter((to) => to !== from && !allowed.includes(to))
      .join('|')})/`,
  },
}));

/** Inside the readers files of others and printed text are read apart; the grammar of lines is all that they share. */
const readerRooms = [
  ['import', 'parse'],
  ['parse', 'import'],
].map(([from, to]) => ({
  name: `readers-${from}-never-${to}`,
  comment: 'Result files and what programs print are read apart; grammar/ holds what both need.',
  severity: 'error',
  from: { path: `^core/readers/src/${from}/` },
  to: { path: `^core/readers/src/${to}/` },
}));

/** Rooms inside the command: program/ reads the command line, commands/ has a room for each subcommand, the others are shared. */
const commandRooms = [
  {
    name: 'subcommands-apart',
    comment: 'What two subcommands need lies in a shared room: experiment/, versions/, terminal/.',
    severity: 'error',
    from: {
      path: '^core/cli/src/commands/([^/]+?)(?:\\.ts$|/)',
      pathNot: 'commands/registry\\.ts$',
    },
    to: {
      path: '^core/cli/src/commands/',
      pathNot: '^core/cli/src/commands/(?:$1(?:\\.ts$|/)|registry\\.ts$)',
    },
  },
  {
    name: 'subcommands-are-loaded-when-called',
    comment: 'The registry alone knows the rooms of subcommands, and loads one when it is called.',
    severity: 'error',
    from: { path: '^core/cli/src/commands/registry\\.ts$' },
    to: {
      path: '^core/cli/src/commands/',
      pathNot: 'commands/subcommand\\.ts$',
      dependencyTypesNot: ['dynamic-import'],
    },
  },
  {
    name: 'shared-rooms-know-no-subcommand',
    comment: 'Only program/ sees subcommands; what subcommands share does not.',
    severity: 'error',
    from: { path: '^core/cli/src/', pathNot: '^core/cli/src/(?:commands|program)/' },
    to: { path: '^core/cli/src/commands/' },
  },
  {
    name: 'program-is-outermost',
    comment: 'main.ts loads program/, which loads the rest.',
    severity: 'error',
    from: { path: '^core/cli/src/', pathNot: '^core/cli/src/(?:program/|main\\.ts$)' },
    to: { path: '^core/cli/src/program/' },
  },
  {
    name: 'main-loads-late',
    comment: 'deadheat --version tells the version before anything else is read.',
    severity: 'error',
    from: { path: '^core/cli/src/main\\.ts$' },
    to: {
      pathNot: '(?:version|terminal/guarded)\\.ts$',
      dependencyTypesNot: ['dynamic-import', 'type-only', 'type-import'],
    },
  },
  {
    name: 'terminal-knows-no-experiment',
    comment: 'terminal/ is how text gets to people, whatever it is about.',
    severity: 'error',
    from: { path: '^core/cli/src/terminal/' },
    to: { path: '^core/cli/src/(?:experiment|versions)/' },
  },
];

export default {
  forbidden: [
    ...commandRooms,
    {
      name: 'no-circles',
      comment: 'Files that need each other are one file or miss a third.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-circular-folders',
      comment: 'Rooms that need each other are one room or miss a third.',
      severity: 'error',
      scope: 'folder',
      from: { path: '^(core|track|lab)/[^/]+/src/.' },
      to: { circular: true, path: '^(core|track|lab)/[^/]+/src/.' },
    },
    {
      name: 'nothing-unresolved',
      comment: 'An import that resolves to nothing hides from every other rule.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'only-public-faces',
      comment: 'Another package is imported by its name, never by an inner path.',
      severity: 'error',
      from: { path: '^((?:core|track|lab)/[^/]+)/' },
      to: {
        path: '^(core|track|lab)/([^/]+)/(src|dist)/(?!((settings|doctor|planning|vitest|kit|command|assert)/)?index\\.|vitest/(matchers|provider)\\.|internals\\.|text\\.)',
        pathNot: '^$1/',
      },
    },
    {
      name: 'plan-is-pure',
      comment: 'A plan is a function of the configuration and the seed.',
      severity: 'error',
      from: { path: '^core/engine/src/plan/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'grammar-is-pure',
      comment: 'How lines of other tools read is a function of the line; import/ and parse/ both ask it.',
      severity: 'error',
      from: { path: '^core/readers/src/grammar/' },
      to: { path: '^(core|track|lab)/', pathNot: '^core/readers/src/grammar/' },
    },
    ...engineRooms,
    ...readerRooms,
    ...room('stats', { why: 'stats is mathematics alone.' }),
    ...room('model', { libraries: ['zod'], why: 'model is the vocabulary that everybody shares.' }),
    ...room('analysis', {
      packages: ['stats', 'model'],
      why: 'analysis turns recorded data into verdicts, nothing else.',
    }),
    ...room('sync', {
      libraries: ['koffi'],
      node: true,
      why: 'sync can be used in a workload, so it brings nothing else along.',
    }),
    ...room('harness', {
      packages: ['stats', 'sync'],
      libraries: ['mitata', 'tinybench', 'vite', 'vitest'],
      node: true,
      why: "harness runs inside the user's program and brings nothing along but sync, where a duet needs it, and stats, for its assertions.",
    }),
    {
      name: 'harness-libraries-in-adapters',
      comment: 'The libraries are peers that may be absent: only their adapters may import them.',
      severity: 'error',
      from: { path: '^core/harness/src', pathNot: '^core/harness/src/(hook|mitata|tinybench|vitest)/' },
      to: { path: 'node_modules/(mitata|tinybench|vite|vitest)' },
    },
    {
      name: 'harness-loads-sync-dynamically',
      comment: 'A program of benchmarks must start where sync is absent; types cost nothing.',
      severity: 'error',
      from: { path: '^core/harness/src' },
      to: { path: '^core/sync/', dependencyTypesNot: ['dynamic-import', 'type-only', 'type-import'] },
    },
    ...room('vitest', {
      packages: ['harness', 'deadheat', 'sync'],
      node: true,
      why: 'vitest gives a name of its own to what harness has for vitest, and lets experiments of deadheat measure calls of vitest 5.',
    }),
    ...room('recording', {
      packages: ['model', 'analysis', 'sync'],
      libraries: ['hyparquet', 'hyparquet-writer'],
      node: true,
      why: 'recording keeps experiments in files and reads them; it measures and judges nothing.',
    }),
    ...room('readers', {
      packages: ['stats', 'model', 'analysis', 'recording'],
      libraries: ['csv-parse', 'fast-xml-parser'],
      node: true,
      why: 'readers turns files and text of other tools into what analysis takes; it runs no experiment.',
    }),
    ...room('engine', {
      packages: ['stats', 'model', 'analysis', 'recording', 'sync', 'readers'],
      node: true,
      why: 'The engine emits events; it knows no reporter.',
    }),
    ...room('versions', {
      packages: ['model', 'recording', 'engine', 'sync'],
      node: true,
      why: 'versions makes commits and packages ready to be executed; it measures nothing.',
    }),
    ...room('workloads', {
      packages: ['stats', 'sync', 'harness'],
      node: true,
      why: 'workloads are programs that anything may measure; they know no engine.',
    }),
    ...room('report', {
      packages: ['stats', 'model', 'analysis'],
      libraries: ['picocolors'],
      why: 'report turns plain data into text and pictures; it runs nothing and reads no file.',
    }),
    ...room('history', {
      packages: ['stats', 'model', 'recording', 'report', 'sync', 'deadheat', 'cli'],
      libraries: ['pg', 'pg-copy-streams', 'zod'],
      node: true,
      why: 'history keeps what was recorded and finds the changes in it; it knows nothing of how that was measured.',
    }),
    {
      name: 'history-stores-apart',
      comment: 'Two ways to keep recordings: what they share lies beside them.',
      severity: 'error',
      from: { path: '^track/history/src/files/' },
      to: { path: '^track/history/src/postgres/' },
    },
    ...room('fleet', {
      packages: ['model', 'recording', 'engine', 'versions', 'history', 'report', 'deadheat', 'cli'],
      libraries: ['pg', 'zod', 'yaml', 'kubernetes-types'],
      node: true,
      why: 'fleet carries runs to machines and back; the engine makes them, a history keeps them.',
    }),
    ...room('dashboard', {
      packages: ['model', 'recording', 'report', 'history', 'fleet', 'sync', 'deadheat', 'engine', 'cli'],
      libraries: ['hono', '@hono/node-server', 'zod'],
      node: true,
      why: 'dashboard shows what is kept, and sends alerts about it; it measures nothing, and runs nothing but the commands of alerts.',
    }),
    ...room('watch', {
      packages: [
        'model',
        'recording',
        'engine',
        'versions',
        'report',
        'workloads',
        'deadheat',
        'history',
        'fleet',
        'cli',
      ],
      libraries: ['zod'],
      node: true,
      why: 'watch decides what to measure next of a branch; the library measures it, and a history keeps it.',
    }),
    ...room('track', {
      packages: ['history', 'fleet', 'dashboard', 'watch', 'cli'],
      node: true,
      why: 'track is the plug: it names the families of subcommands and the schedulers of its house.',
    }),
    {
      name: 'core-knows-no-track',
      comment: 'Core names track at its plug points, and loads it where it is installed.',
      severity: 'error',
      from: { path: '^core/' },
      to: { path: '^track/' },
    },
    ...room('deadheat', {
      packages: [
        'model',
        'analysis',
        'recording',
        'readers',
        'engine',
        'versions',
        'report',
        'sync',
        'workloads',
        'harness',
      ],
      libraries: ['yaml', 'zod'],
      node: true,
      why: 'deadheat is the library: it says what an experiment is and has it made; it prints nothing and knows no command.',
    }),
    {
      name: 'internals-only-for-the-command',
      comment: 'What the library shows beside its public face is for the commands of the houses alone.',
      severity: 'error',
      from: { path: '^core/', pathNot: '^core/(cli|deadheat)/' },
      to: { path: '^core/deadheat/(src|dist)/(settings/|doctor/|planning/|internals)' },
    },
    {
      name: 'artificial-workloads-only-for-the-doctor',
      comment: 'An experiment of a caller loads no artificial workload.',
      severity: 'error',
      from: { path: '^core/deadheat/src/', pathNot: '^core/deadheat/src/doctor/' },
      to: { path: '^core/(workloads/|deadheat/src/doctor/)' },
    },
    ...room('profiles', {
      packages: ['model', 'sync', 'readers', 'recording'],
      node: true,
      why: 'profiles runs a program under the profiler of its runtime; it knows no experiment.',
    }),
    ...room('explain', {
      packages: ['stats', 'model', 'sync', 'engine', 'profiles', 'report'],
      libraries: ['pprof-format', '@jridgewell/trace-mapping'],
      node: true,
      why: 'explain samples programs of a recorded comparison and compares their functions; it prints nothing.',
    }),
    ...room('lab', {
      packages: [
        'stats',
        'model',
        'analysis',
        'sync',
        'readers',
        'recording',
        'engine',
        'profiles',
        'workloads',
        'report',
        'deadheat',
        'cli',
      ],
      libraries: ['zod'],
      node: true,
      why: 'lab is for researchers: it stands on core, and core does not know it.',
    }),
    {
      name: 'core-knows-no-lab',
      comment: 'Core names lab at its plug points, and loads it where it is installed.',
      severity: 'error',
      from: { path: '^core/' },
      to: { path: '^lab/' },
    },
    ...room('mcp', {
      libraries: ['@modelcontextprotocol/sdk', 'zod'],
      node: true,
      why: 'mcp calls the command as a program, so that a tool can do no more than the command line.',
    }),
    ...room('cli', {
      packages: [
        'stats',
        'model',
        'analysis',
        'recording',
        'sync',
        'readers',
        'engine',
        'explain',
        'versions',
        'workloads',
        'report',
        'deadheat',
      ],
      libraries: ['commander', 'yaml'],
      node: true,
      why: 'cli is the outermost room.',
    }),
  ],
  options: {
    doNotFollow: { path: '(node_modules|/dist/)' },
    exclude: { path: '/test/|/cli/bundle/' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'default'] },
  },
};
