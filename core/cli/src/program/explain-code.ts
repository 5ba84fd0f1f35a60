import { categoryOf, type ErrorCategory, type ErrorCode, warningFacts } from '@deadheat/model';
import { wrapText } from '@deadheat/report';
import { exitCodeOf } from '../errors/exit-codes.ts';
import { flagHints } from '../errors/explain-error.ts';

const width = 80;

const meanings: Readonly<Record<ErrorCategory, string>> = {
  usage: 'what was asked for cannot be carried out as it was said; say it otherwise',
  workload: 'a program, what it left, or what is around it failed',
  environment: 'this machine, or another one that was asked, refuses',
  'time-limit': 'the time that was allowed passed without a result',
  interrupted: 'the experiment was ended from outside',
};

/** The meaning of a code that warnings or errors have, as text of 80 columns; `null` for any other word. */
export function explainCode(code: string): string | null {
  const warning = Object.entries(warningFacts).find(([known]) => known === code)?.[1];
  const category = categoryOf(code);
  const paragraphs = [
    ...(warning === undefined
      ? []
      : [`${code}, a warning. ${warning.meaning} The whole message stands in the report and with --details.`]),
    ...(category === null
      ? []
      : [
          [
            `${code}, an error with exit code ${exitCodeOf({ code })} (${category}): ${meanings[category]}. Its message has the cause.`,
            flagHints[code as ErrorCode] ?? '',
          ]
            .join(' ')
            .trim(),
        ]),
  ];
  if (paragraphs.length === 0) return null;
  return `${paragraphs.map((text) => wrapText(text, width).join('\n')).join('\n\n')}\n`;
}
