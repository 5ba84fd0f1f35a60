/** What a formula may call. */
const functions: Readonly<Record<string, (x: number) => number>> = {
  sqrt: Math.sqrt,
  exp: Math.exp,
  log: Math.log,
  ln: Math.log,
  sin: Math.sin,
  cos: Math.cos,
};

/**
 * The values that a file describes by a formula instead of listing them: `v[i] = sqrt(i)/100 for i = 1..9999`. Of expressions it reads
 * numbers, `i`, `pi`, + - * / and powers (`^`, `**`), parentheses and functions of one argument.
 *
 * @throws SyntaxError for anything else
 */
export function valuesOfFormula(text: string): number[] {
  const [, expression, first, last] = /^v\[i\]\s*=\s*(.+?)\s+for\s+i\s*=\s*(\d+)\s*\.\.\s*(\d+)/.exec(text) ?? [];
  if (expression === undefined) throw new SyntaxError(`no formula: ${text}`);
  const from = Number(first);
  return Array.from({ length: Number(last) - from + 1 }, (_, place) => valueAt(expression, from + place));
}

function valueAt(expression: string, i: number): number {
  const words = expression.match(/\*\*|\d+(?:\.\d+)?(?:e[+-]?\d+)?|[a-z]+|\S/gi) ?? [];
  let at = 0;

  function took(...wanted: readonly string[]): string | null {
    const word = words[at];
    if (word === undefined || !wanted.includes(word)) return null;
    at++;
    return word;
  }

  function sum(): number {
    let value = product();
    for (let sign = took('+', '-'); sign !== null; sign = took('+', '-'))
      value += sign === '+' ? product() : -product();
    return value;
  }

  function product(): number {
    let value = power();
    for (let sign = took('*', '/'); sign !== null; sign = took('*', '/')) {
      if (sign === '*') value *= power();
      else value /= power();
    }
    return value;
  }

  function power(): number {
    if (took('-') !== null) return -power();
    const base = atom();
    return took('^', '**') === null ? base : base ** power();
  }

  function atom(): number {
    const word = words[at++] ?? '';
    if (word === 'i') return i;
    if (word === 'pi') return Math.PI;
    if (/^\d/.test(word)) return Number(word);
    const apply = word === '(' ? (x: number): number => x : functions[word];
    if (apply === undefined || (word !== '(' && took('(') === null)) throw new SyntaxError(`no formula: ${expression}`);
    const value = apply(sum());
    if (took(')') === null) throw new SyntaxError(`no formula: ${expression}`);
    return value;
  }

  const value = sum();
  if (at < words.length) throw new SyntaxError(`no formula: ${expression}`);
  return value;
}
