/** The same text with memory of its own: a part of a line keeps the whole piece of the file that it was cut from. */
export const detached = (text: string): string => Buffer.from(text, 'utf16le').toString('utf16le');
