/** A number with its unit, and an interval in brackets, stay on one line. */
const piece = /(?:\[[^\]\n]{0,40}\]|\d (?=%|(?:ns|µs|ms|s|min|h|runs?)\b)|% (?=CI\b)|\S)+/g;

/** Breaks a text into lines of at most `width` characters; a longer word has a line of its own. At least one line. */
export function wrapText(text: string, width: number): readonly string[] {
  return text.split('\n').flatMap((paragraph) => {
    const lines: string[] = [];
    let line = '';
    for (const word of paragraph.match(piece) ?? []) {
      if (line !== '' && line.length + 1 + word.length > width) {
        lines.push(line);
        line = word;
      } else {
        line = line === '' ? word : `${line} ${word}`;
      }
    }
    return [...lines, line];
  });
}
