/** The text below the options of `deadheat --help`. */
export const helpExamples = `
Examples:
  deadheat 'gzip -6 -k -c big.bin' 'gzip -7 -k -c big.bin'
      is level 7 slower than level 6, and by how much?
  deadheat -n old -n new -n mine './sort-1 f' './sort-2 f' './sort-3 f'
      compare several commands with the first one, and rank them
  deadheat 'sort big.txt'
      compare a command with itself: which slowdown can this machine detect?
  deadheat -L level 1,6,9 -n old -n new './old -{level} f' './new -{level} f'
      make three comparisons, one for each level
  deadheat --margin 1% --fail-on slower --strict './base' './change'
      for continuous integration: exit code 1 if B is slower, 3 if undecided
  deadheat --precision 0.5% --max-time 10m './base' './change'
      measure until the difference is known to half a percent
  deadheat --until decided --margin 1% './base' './change'
      stop as soon as it is certain that B is slower, faster or neither
  deadheat --export json:- 'a' 'b' | jq '.comparisons[0].verdict'

Exit codes: 0 the comparison is complete; 1 B is slower (with --fail-on);
2 the command line is wrong; 3 a comparison is undecided (with --strict);
4 a command failed or did not start; 5 A differs from itself (with --control);
124 the time limit passed before there was a result; 130 interrupted.

The environment variables NO_COLOR and FORCE_COLOR switch colours off and on.
`;
