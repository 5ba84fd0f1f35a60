/** A page for whoever drives a loop of attempts by a program. */
export const instructions = `# Making this program faster with deadheat attempt

One loop, one error budget. Every attempt is compared with the best state so far, in runs that take turns
or run together, and is kept only if it is faster at a level that takes all attempts into account.

## What to call

    deadheat attempt start --error 5% -- COMMAND      once; add --build CMD where a commit must be built
    deadheat attempt --json --message 'TEXT'          after each change of the working tree
    deadheat attempt --apply --json                   the same, and puts the files back after a revert
    deadheat attempt status --json                    the ledger, and what is left of the budget
    deadheat attempt end --export markdown:FILE       once; a fresh comparison with the baseline

## What the answers mean

| answer | exit code | do next |
| --- | --- | --- |
| keep | 0 | Leave the change in the working tree. It is the best state now; the next attempt is compared with it. |
| revert | 1 | Take the change back: "revertBy" is the command. "reason" says whether it is slower, makes no difference, changes the output or does not run. |
| not-yet | 6 | It looks faster and is not shown. Call again without a change for another measurement, or take it back. |
| none | 2 | There is no loop here, or nothing differs from the best state. The message says which. |
| none | 4 | The best state itself does not build or run. Mend that first. |

"entry.first.interval" is the ratio of times, attempt / best state: below 1 is faster. "entry.suspect" says
why a gain was measured twice. "budget.left" is the part of the error budget that is left.

## What not to do

- Do not time the program by other means and keep what looks faster: among many attempts something always does.
- Do not make several changes in one attempt: what is kept could hold a change that makes it slower.
- Do not repeat a rejected attempt (--again) until it passes. Each repetition spends a share of the budget and raises the bar.
- Do not change the benchmark, its input or what it prints in order to pass. Outputs are compared first, and gains too large to be true are measured again.
- Do not edit or delete the ledger or the recordings below .deadheat/attempts.
- Do not report the sum of the gains. The total of deadheat attempt end is the result.
`;
