/** What stands below the options of `deadheat --help`. */
export const helpExamples = `
Examples:
  deadheat 'gzip -6 -k -c big.bin' 'gzip -7 -k -c big.bin'
      is level 7 slower than level 6, and by how much?
  deadheat 'sort big.txt'
      the same command twice: what can this machine see?
  deadheat -L level 1,6,9 -n old -n new './old -{level} f' './new -{level} f'
      three comparisons, one for each level
  deadheat --margin 1% --fail-on slower --strict './base' './change'
      for continuous integration: exit 1 if slower, 3 if that stays open
  deadheat --precision 0.5% --max-time 10m './base' './change'
      go on until the answer is known to half a percent
  deadheat --until decided --margin 1% './base' './change'
      stop as soon as it is safe to say slower, faster or neither
  deadheat --export-json - 'a' 'b' | jq '.comparisons[0].verdict'

Exit codes: 0 done; 1 slower (--fail-on); 2 usage; 3 undecided (--strict);
4 a command failed or did not start; 5 A differs from itself (--control);
124 time limit without a result; 130 interrupted.

Colours obey NO_COLOR and FORCE_COLOR.`;
